"""What a player knows of a position (rulebook: the pile lies face down, hands are hidden, a card put under is shown).

In text a hidden card is ``?``. The cards at the bottom of the pile that were put under it are known to all, and so is
such a card in the hand of the player who drew it, until he plays its like.
"""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from exactplay.rules.contract import BadText, IllegalPosition, Shown, quoted
from exactplay.rules.winston_dogs.moves import Move
from exactplay.rules.winston_dogs.options import Rules
from exactplay.rules.winston_dogs.pieces import COLOURS, Card, Dog, all_cards, parse_cards, show_cards, size_points
from exactplay.rules.winston_dogs.state import State
from exactplay.rules.winston_dogs.text import read_cards, read_fields, read_hands, read_number, read_text, text_of

HIDDEN = "?"


def unseen_cards(
    own: Iterable[Card], table: Sequence[Dog], collected: Iterable[tuple[str, int]], seen: Iterable[Card] = ()
) -> tuple[Card, ...]:
    """The 66 cards less a player's own, the table's, those of the dogs collected and others that were seen; sorted.

    ``table`` is in the order of ``COLOURS``, ``collected`` lists (colour, bodies). Raises :class:`IllegalPosition`
    where a card was seen oftener than it is there.
    """
    left = Counter(all_cards())
    left.subtract(itertools.chain(own, seen))
    dogs = [(colour, int(dog.head), dog.bodies) for colour, dog in zip(COLOURS, table, strict=True)]
    for colour, heads, bodies in [*dogs, *((colour, 1, bodies) for colour, bodies in collected)]:
        left[Card(colour, True)] -= heads
        left[Card(colour, False)] -= bodies
    for card, number in left.items():
        if number < 0:
            raise IllegalPosition(f"{card} was seen {-number} times more than the game has it")
    return tuple(sorted(left.elements()))


@dataclass(frozen=True, slots=True)
class View(Shown):
    """A position in which some cards are hidden from the player on turn.

    ``known`` holds what he sees: its hands and its pile lack the hidden cards. ``hidden`` counts those of each hand,
    ``top`` those on top of the pile (known cards lie below them); ``unseen`` lists the cards that they are, sorted.
    """

    known: State
    hidden: tuple[int, ...]
    top: int
    unseen: tuple[Card, ...]

    @staticmethod
    def of(state: State, seat: int | None = None) -> View:
        """What a seat (if none is named: the one on turn) sees of a position: his hand and the table."""
        return Witness.start(state.players).view(state, seat)

    @property
    def seat(self) -> int:
        """Who sees it: the player on turn."""
        return self.known.turn

    @property
    def rules(self) -> Rules:
        """The only rules there are."""
        return self.known.rules

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.known.players

    def world(self, dealt: Sequence[Sequence[Card]]) -> State:
        """The position when the hidden cards of each hand, then those of the pile, are those ``dealt``."""
        hands = tuple(tuple(sorted((*seen, *more))) for seen, more in zip(self.known.hands, dealt[:-1], strict=True))
        return replace(self.known, hands=hands, pile=(*dealt[-1], *self.known.pile))

    def some_world(self) -> State:
        """One of the positions that look like this; his own moves are the same in all of them."""
        cards = iter(self.unseen)
        return self.world([tuple(itertools.islice(cards, size)) for size in (*self.hidden, self.top)])

    @property
    def pile_size(self) -> int:
        """Known and hidden cards together."""
        return self.top + len(self.known.pile)

    def check(self) -> Self:
        """The view itself; raises :class:`IllegalPosition` where no position can look like that."""
        if self.hidden[self.known.turn]:
            raise IllegalPosition(f"seat {self.known.turn} is on turn, so the cards of his hand must be given")
        if sum(self.hidden) + self.top != len(self.unseen):
            raise IllegalPosition(
                f"{sum(self.hidden)} hidden cards in hands and {self.top} in the pile, but {len(self.unseen)} cards are "
                f"unseen ({quoted(show_cards(self.unseen))}); the two numbers must be equal"
            )
        if self.known.stuck:
            raise IllegalPosition("stuck is for positions with every card known")
        self.some_world().check()
        return self

    def __str__(self) -> str:
        return text_of(self.to_json())

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the one-line form; raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`."""
        return cls.from_json(read_text(text), options)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Build from the fields of a :class:`State` with ``?`` for hidden cards.

        What they are is given by ``unseen`` (the cards), or by ``collected``, the dogs taken so far (``"B4 K2"`` or
        ``[["B", 4], ["K", 2]]``), which leaves the rest of the 66 cards unseen.
        """
        parts = [_split_hidden(hand) for hand in read_hands(data.get("hands"))]
        pile = read_cards("pile", data.get("pile", ""))
        seen_pile, top = _split_hidden(pile)
        if HIDDEN in pile.split()[top:]:
            raise BadText(f"pile {quoted(pile)}: hidden cards lie on top of known ones, such as '? ? Bh'")
        fields = {**data, "hands": [seen for seen, _ in parts], "pile": seen_pile}
        known = State(**read_fields(fields, options, ("unseen", "collected")))
        if not 0 <= known.turn < known.players:
            raise IllegalPosition(f"turn is {known.turn}; with {known.players} players it must be 0 to {known.players - 1}")
        if ("unseen" in data) == ("collected" in data):
            raise BadText("hidden cards need one of 'unseen' (the cards) and 'collected' (the dogs taken, such as B4 K2)")
        if "unseen" in data:
            unseen = tuple(sorted(parse_cards(read_cards("unseen", data["unseen"]))))
        else:
            collected = _read_collected(data["collected"])
            unseen = unseen_cards((), known.table, collected, itertools.chain(known.pile, *known.hands))
            _check_collected(known, [bodies for _, bodies in collected])
        return cls(known, tuple(more for _, more in parts), top, unseen).check()

    def to_json(self) -> dict[str, Any]:
        """The view as plain data; :meth:`from_json` reads it back."""
        data = self.known.to_json()
        data["hands"] = [_with_hidden(text, more) for text, more in zip(data["hands"], self.hidden, strict=True)]
        data["pile"] = _with_hidden(data["pile"], self.top)
        return {**data, "unseen": show_cards(self.unseen)}


@dataclass(frozen=True, slots=True)
class Witness:
    """What all players saw of cards that no longer lie open: those put under the pile and not drawn since, and those drawn.

    ``bottom`` counts the seen cards at the bottom of the pile; ``held`` lists for each seat cards that he surely holds.
    """

    bottom: int
    held: tuple[tuple[Card, ...], ...]

    @classmethod
    def start(cls, players: int) -> Self:
        """Nothing was seen yet."""
        return cls(0, ((),) * players)

    def after(self, state: State, move: Move) -> Self:
        """What is known after ``move`` was played in ``state``."""
        following = state.play(move)
        pile = [*state.pile, *(move.cards if move.action == "under" else ())]
        seen_from = len(state.pile) - self.bottom
        drawn = len(pile) - len(following.pile)
        held = list(self.held)
        kept = Counter(held[state.turn])
        kept.subtract(move.cards)
        held[state.turn] = tuple(sorted((*(+kept).elements(), *pile[seen_from:drawn])))
        return type(self)(len(pile) - max(seen_from, drawn), tuple(held))

    def view(self, state: State, seat: int | None = None) -> View:
        """The position as a seat sees it, the one on turn if none is named (only that is a view to ask about)."""
        seat = state.turn if seat is None else seat
        top = len(state.pile) - self.bottom
        unseen = Counter(state.pile[:top])
        hands, hidden = [], []
        for other, hand in enumerate(state.hands):
            seen = hand if other == seat else self.held[other]
            rest = Counter(hand)
            rest.subtract(seen)
            unseen += rest
            hands.append(seen)
            hidden.append(len(hand) - len(seen))
        known = replace(state, hands=tuple(hands), pile=state.pile[top:], stuck=())
        return View(known, tuple(hidden), top, tuple(sorted(unseen.elements())))


def _split_hidden(text: str) -> tuple[str, int]:
    words = text.split()
    return " ".join(word for word in words if word != HIDDEN), words.count(HIDDEN)


def _with_hidden(text: str, number: int) -> str:
    """Hidden cards first: in a pile they lie on top."""
    return " ".join([HIDDEN] * number + text.split())


def _read_collected(value: Any) -> list[tuple[str, int]]:
    if isinstance(value, str):
        value = [[word[0], word[1:]] for word in value.split() if word != "-"]
    dogs = []
    for entry in value if isinstance(value, list) else [value]:
        if not isinstance(entry, list) or len(entry) != 2 or str(entry[0]).upper() not in tuple(COLOURS):
            raise BadText(
                f"collected has {quoted(entry)}; a dog is a colour of {' '.join(COLOURS)} and its bodies, such as B4"
            )
        dogs.append((entry[0].upper(), read_number("bodies of a collected dog", entry[1])))
    return dogs


def _check_collected(known: State, sizes: Sequence[int]) -> None:
    """Raise :class:`IllegalPosition` where the dogs collected are not those that the other fields tell of."""
    if sizes and min(sizes) < 2:
        raise IllegalPosition(f"collected has a dog of {min(sizes)} bodies; one that was taken has 2 or more")
    longest, shortest = max(sizes, default=0), min(sizes, default=0)
    if (known.longest, known.shortest) != (longest, shortest):
        raise IllegalPosition(
            f"longest {known.longest} and shortest {known.shortest}, but of the dogs collected they are {longest} and "
            f"{shortest}"
        )
    # Points that are left out, as 0, are those of a game counted from here on.
    total = sum(map(size_points, sizes))
    if any(known.points) and sum(known.points) != total:
        raise IllegalPosition(
            f"points are {quoted(known.points)}, together {sum(known.points)}; the dogs collected bring {total}"
        )
