"""What one player knows: his own hand, how many cards the others hold, and what has been played."""
from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from exactplay.rules.contract import BadText, IllegalMove, IllegalPosition, Shown
from exactplay.rules.winner.moves import Move
from exactplay.rules.winner.options import Rules
from exactplay.rules.winner.pieces import Card, Cards, deck, parse_cards, show_cards
from exactplay.rules.winner.state import State
from exactplay.rules.winner.text import read_fields, read_text, read_texts

_HIDDEN = re.compile(r"\?([0-9]{1,3})")


@dataclasses.dataclass(frozen=True, slots=True)
class View(Shown):
    """A position as one seat sees it, as a rule the one to act.

    ``known`` is the position with the cards that he knows of every hand, ``hidden`` the number of further cards in each.
    ``spent`` are the cards out of play (played and gone), or None where nobody kept count: then unseen cards may lie there.
    """

    known: State
    hidden: tuple[int, ...]
    spent: Cards | None

    @classmethod
    def of(cls, state: State, seat: int | None = None) -> Self:
        """What a seat sees of a position, the one to act if none is named: all that no hand and no table holds has been
        played."""
        seat = state.to_move if seat is None else seat
        known = [hand if other == seat else () for other, hand in enumerate(state.hands)]
        if state.exchange is not None and seat != state.exchange.winner:
            known[state.exchange.winner] = tuple(sorted(state.exchange.offered))
        hands = tuple(known)
        hidden = tuple(len(hand) - len(seen) for hand, seen in zip(state.hands, hands, strict=True))
        spent = _dealt(state.rules) - Counter(_seen(state))
        return cls(dataclasses.replace(state, hands=hands), hidden, tuple(sorted(spent.elements())))

    @property
    def rules(self) -> Rules:
        """The rule options."""
        return self.known.rules

    @property
    def seat(self) -> int:
        """Who sees it: the seat to act if its hand is open, else one whose hand is."""
        seats: list[int] = [self.known.to_move, *range(self.known.players)]
        opened = [seat for seat in seats if seat >= 0 and not self.hidden[seat]]
        return next((seat for seat in opened if self.known.hands[seat]), opened[0])

    @property
    def unseen(self) -> Cards:
        """The cards that may be in hidden hands (or out of play, if ``spent`` is None), sorted."""
        cards = _dealt(self.rules) - Counter(_seen(self.known)) - Counter(self.spent or ())
        return tuple(sorted(cards.elements()))

    def world(self, dealt: Sequence[Cards]) -> State:
        """The position in which each seat holds the cards dealt to it beside the known ones."""
        hands = tuple(
            tuple(sorted((*hand, *cards))) for hand, cards in zip(self.known.hands, dealt, strict=True)
        )
        return dataclasses.replace(self.known, hands=hands)

    def some_world(self) -> State:
        """A position that fits: its legal moves are those of every position that fits."""
        rest = iter(self.unseen)
        return self.world([tuple(itertools.islice(rest, number)) for number in self.hidden])

    def followed(self, move: Move) -> Self:
        """What the seat knows after a move that it saw, its own or another's from hidden cards.

        The view is not checked: another seat may be to act in it. Raises :class:`IllegalMove`.
        """
        known, mover = self.known, self.known.to_move
        if known.exchange is not None:
            raise IllegalMove("an exchange cannot be followed from one seat")
        shown = tuple((Counter(move.cards) - Counter(known.hands[mover])).elements()) if mover >= 0 else ()
        unseen = Counter(self.unseen)
        if len(shown) > self.hidden[mover] or Counter(shown) - unseen:
            raise IllegalMove(
                f"seat {mover} cannot have played {move}: the cards are seen elsewhere, or more than it holds"
            )
        # Which cards the others hold makes no difference to a move that is given: any will do, and are taken out again.
        rest = (unseen - Counter(shown)).elements()
        hidden = tuple(number - (len(shown) if seat == mover else 0) for seat, number in enumerate(self.hidden))
        filled = [tuple(itertools.islice(rest, number)) for number in hidden]
        after = self.world([(*cards, *(shown if seat == mover else ())) for seat, cards in enumerate(filled)]).play(move)
        hands = tuple(
            tuple(sorted((Counter(hand) - Counter(cards)).elements()))
            for hand, cards in zip(after.hands, filled, strict=True)
        )
        following = dataclasses.replace(after, hands=hands)
        gone = Counter((*shown, *_seen(known))) - Counter(_seen(following))
        spent = None if self.spent is None else tuple(sorted((*self.spent, *gone.elements())))
        return type(self)(following, hidden, spent)

    def check(self) -> None:
        """Raise :class:`IllegalPosition` unless some world fits."""
        self._check_spent()
        exchange = self.known.exchange
        if exchange is not None and Counter(exchange.offered) - Counter(self.known.hands[exchange.winner]):
            raise IllegalPosition("the cards that the Winner offers are seen; name them in his hand")
        unseen = self.unseen
        wanted = sum(self.hidden)
        if len(unseen) < wanted or (self.spent is not None and len(unseen) > wanted):
            raise IllegalPosition(
                f"{len(unseen)} cards are unseen, but the hidden hands hold {wanted}; name the cards that are out of "
                "play with 'spent', or leave 'spent' out altogether if they are not known"
            )
        state = self.some_world()
        state.check()
        if state.to_move >= 0 and self.hidden[state.to_move]:
            raise IllegalPosition(f"seat {state.to_move} is to act, and his own hand must be known")

    def _check_spent(self) -> None:
        """A card that is spent lies nowhere else."""
        dealt = _dealt(self.rules)
        seen = Counter((*_seen(self.known), *(self.spent or ())))
        for card in sorted(set(self.spent or ())):
            if seen[card] > dealt[card]:
                raise IllegalPosition(
                    f"card {card} is spent, but with hands and table it is there {seen[card]} times; these rules have "
                    f"{dealt[card]}"
                )

    def __str__(self) -> str:
        """One line in the form of a position's, with ``?5`` for five hidden cards and ``spent`` for those gone."""
        first, *parts = str(self.known).split("; ")
        hands = [
            " ".join(([] if text == "-" and number else [text]) + ([f"?{number}"] if number else []))
            for text, number in zip(first.split(" | "), self.hidden, strict=True)
        ]
        spent = [] if self.spent is None else [f"spent {show_cards(self.spent)}".strip()]
        return "; ".join([" | ".join(hands), *parts, *spent])

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the text form, under rule ``options`` that override its own; raises :class:`BadText`, :class:`BadOption`
        or :class:`IllegalPosition`."""
        return cls.from_json(read_text(text), options)

    def to_json(self) -> dict[str, Any]:
        """The view as plain data, in the form that :meth:`from_json` reads."""
        data = self.known.to_json()
        data["hands"] = [
            f"{hand} ?{number}".strip() if number else hand
            for hand, number in zip(data["hands"], self.hidden, strict=True)
        ]
        return data if self.spent is None else {**data, "spent": show_cards(self.spent)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read a view: a position's plain data whose ``hands`` may hold ``?N`` for N hidden cards, with ``spent`` beside
        them, under rule ``options`` that override its own; raises as :meth:`parse`."""
        spent_text = data.get("spent")
        if spent_text is not None and not isinstance(spent_text, str):
            raise BadText("spent must be a text of cards")
        spent = None if spent_text is None else parse_cards(spent_text)
        texts = read_texts(data.get("hands"), "hands")
        hidden = tuple(sum(int(number) for number in _HIDDEN.findall(text)) for text in texts)
        known_texts = [_HIDDEN.sub(" ", text) for text in texts]
        plain = {name: value for name, value in data.items() if name != "spent"}
        known = State(**read_fields({**plain, "hands": known_texts}, options, hidden))
        view = cls(known, hidden, spent)
        view.check()
        return view


def _dealt(rules: Rules) -> Counter[Card]:
    return Counter(deck(jokers=rules.jokers, decks=rules.decks))


def _seen(state: State) -> Cards:
    """The cards of the hands as far as they are known, and of the table."""
    return tuple(itertools.chain(*state.hands, *(combination.cards for combination in state.stack)))
