"""The state of a game: hands, table, pile, holders, points (rulebook: How to Play, Poo and Bone, Refill Your Hand)."""
from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Self

from exactplay.rules.contract import OVER, IllegalMove, IllegalPosition, Shown, quoted
from exactplay.rules.winston_dogs.moves import SKIP, Move, playable_turns
from exactplay.rules.winston_dogs.options import Rules
from exactplay.rules.winston_dogs.pieces import (
    BODIES,
    COLOURS,
    HAND_SIZE,
    HEADS,
    PLAYERS,
    Card,
    Dog,
    Hands,
    all_cards,
    award,
    final_scores,
    size_points,
)
from exactplay.rules.winston_dogs.text import data_of, read_fields, read_text, text_of

MOST_POINTS: Final = len(COLOURS) * size_points(BODIES)


@dataclass(frozen=True, slots=True)
class State(Shown):
    """A position with every card known. :meth:`parse` and :meth:`from_json` check what they read; so does :meth:`check`.

    ``hands`` are sorted; ``table`` holds the dog of each colour in the order of ``COLOURS``; ``pile`` is in the order of
    drawing; ``points`` are those of the dogs collected, without bone and poo; ``skips`` counts the skips in succession.
    ``stuck`` is what the stuck turns in succession put under the pile and drew: with it a repeated position is noticed.
    """

    hands: Hands
    table: tuple[Dog, ...] = (Dog(),) * len(COLOURS)
    pile: tuple[Card, ...] = ()
    turn: int = 0
    longest: int = 0
    shortest: int = 0
    bone: int | None = None
    poo: int | None = None
    points: tuple[int, ...] = ()
    skips: int = 0
    stuck: tuple[tuple[Card, Card], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(tuple(sorted(hand)) for hand in self.hands))
        object.__setattr__(self, "points", self.points or (0,) * len(self.hands))

    @classmethod
    def deal(cls, rng: random.Random, players: int = 2) -> Self:
        """The start: five cards each, the rest is the pile; seat 0 begins. Raises :class:`IllegalPosition`."""
        if players not in PLAYERS:
            raise IllegalPosition(f"{players} players; the game is for {PLAYERS[0]} to {PLAYERS[-1]}")
        cards = list(all_cards())
        rng.shuffle(cards)
        hands = tuple(tuple(cards[seat * HAND_SIZE:(seat + 1) * HAND_SIZE]) for seat in range(players))
        return cls(hands, pile=tuple(cards[players * HAND_SIZE:]))

    def dog(self, colour: str) -> Dog:
        """The dog of a colour on the table; false if there is none."""
        return self.table[COLOURS.index(colour)]

    @property
    def rules(self) -> Rules:
        """The only rules there are."""
        return Rules()

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.hands)

    # Whose turn, and what is legal

    @property
    def to_move(self) -> int:
        """The player on turn, or OVER: nobody holds a card, every player in turn skipped, or the position repeats."""
        over = not any(self.hands) or self.skips >= len(self.hands) or self._repeats()
        return OVER if over else self.turn

    def legal_moves(self) -> tuple[Move, ...]:
        """All turns as multisets of cards; for a player who is stuck the cards he may put under the pile, or the skip."""
        if self.to_move == OVER:
            return ()
        hand = self.hands[self.turn]
        if not hand:
            return (SKIP,)
        if turns := playable_turns(hand, self.table):
            return turns
        if not self.pile:
            return (SKIP,)
        spare = [card for card in hand if card.head and self.dog(card.colour).head]
        return tuple(Move("under", (card,)) for card in sorted(set(spare or hand)))

    def iter_legal_moves(self) -> Iterator[Move]:
        """The same; there are few."""
        return iter(self.legal_moves())

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """None: the order of the pile belongs to the state."""
        return ()

    def play(self, move: Move) -> Self:
        """The state after a whole turn, the drawing included; raises :class:`IllegalMove`."""
        if move not in self.legal_moves():
            raise IllegalMove(f"{quoted(str(move))} is not legal here; {self._options()}")
        hands = list(self.hands)
        after = (self.turn + 1) % len(self.hands)
        if move.action == "skip":
            return replace(self, turn=after, skips=self.skips + 1)
        hand = Counter(self.hands[self.turn])
        hand.subtract(move.cards)
        kept = tuple(hand.elements())
        if move.action == "under":
            drawn, pile = self.pile[0], (*self.pile[1:], *move.cards)
            hands[self.turn] = tuple(sorted((*kept, drawn)))
            stuck = (*self.stuck, (move.cards[0], drawn))
            return replace(self, hands=tuple(hands), pile=pile, turn=after, skips=0, stuck=stuck)
        table, sizes = take_dogs(add_cards(self.table, move.cards))
        holders = self.longest, self.shortest, self.bone, self.poo
        for size in sizes:
            holders = award(self.turn, size, *holders)
        longest, shortest, bone, poo = holders
        points = list(self.points)
        points[self.turn] += sum(map(size_points, sizes))
        missing = HAND_SIZE - len(kept)
        hands[self.turn] = tuple(sorted((*kept, *self.pile[:missing])))
        return type(self)(
            tuple(hands), table, self.pile[missing:], after, longest, shortest, bone, poo, tuple(points)
        )

    def scores(self) -> tuple[int, ...]:
        """The final scores, when OVER: dogs, bone and poo."""
        if self.to_move != OVER:
            raise IllegalPosition("the game is not over, so there are no final scores yet")
        return final_scores(self.points, self.bone, self.poo)

    def _options(self) -> str:
        moves = self.legal_moves()
        if not moves:
            return "the game is over"
        listed = ", ".join(map(str, moves[:6]))
        return f"legal: {listed}" + (f" and {len(moves) - 6} more" if len(moves) > 6 else "")

    def _repeats(self) -> bool:
        """Whether the same cards lay in the same places, the same player on turn, earlier in this run of stuck turns."""
        return (self.hands, self.pile, self.turn) in self._earlier()

    def _earlier(self) -> Iterator[tuple[Hands, tuple[Card, ...], int]]:
        """Hands, pile and turn before each stuck turn of the run, the latest first."""
        hands, pile, turn = list(self.hands), self.pile, self.turn
        for under, drawn in reversed(self.stuck):
            for _ in hands:
                turn = (turn - 1) % len(hands)
                if hands[turn]:  # else he only skipped
                    break
            held = list(hands[turn])
            if drawn not in held or pile[-1:] != (under,):
                raise IllegalPosition(
                    f"stuck: seat {turn} cannot have put {under} under the pile and drawn {drawn}: "
                    f"{drawn} must be in his hand and {under} in its place in the pile"
                )
            held.remove(drawn)
            hands[turn] = tuple(sorted((*held, under)))
            pile = (drawn, *pile[:-1])
            yield tuple(hands), pile, turn

    # Checks and text

    def check(self) -> Self:
        """The state itself; raises :class:`IllegalPosition` where it is one that the game cannot have."""
        players = len(self.hands)
        if players not in PLAYERS:
            raise IllegalPosition(f"{players} hands; the game is for {PLAYERS[0]} to {PLAYERS[-1]} players")
        for seat, hand in enumerate(self.hands):
            if len(hand) > HAND_SIZE:
                raise IllegalPosition(f"seat {seat} holds {len(hand)} cards; a hand has at most {HAND_SIZE}")
        check_cards(self.table, itertools.chain(self.pile, *self.hands))
        if not 0 <= self.turn < players:
            raise IllegalPosition(f"turn is {self.turn}; with {players} players it must be 0 to {players - 1}")
        if len(self.points) != players or min(self.points) < 0:
            raise IllegalPosition(
                f"points are {quoted(self.points)}; one number from 0 up is needed for each of {players} players"
            )
        if max(self.points) > MOST_POINTS:
            raise IllegalPosition(f"points are {quoted(self.points)}; all dogs of the game together bring {MOST_POINTS}")
        if not 0 <= self.skips <= players:
            raise IllegalPosition(f"skips is {self.skips}; it must be 0 to {players}, the number of players")
        self._check_holders()
        for _ in self._earlier():
            pass
        return self

    def _check_holders(self) -> None:
        collected = (self.longest, self.shortest) != (0, 0)
        if collected and not 2 <= self.shortest <= self.longest <= BODIES:
            raise IllegalPosition(
                f"longest {self.longest} and shortest {self.shortest}; they must be 2 to {BODIES} with the shortest not "
                "above the longest, or both 0 before the first dog"
            )
        for name, holder in (("bone", self.bone), ("poo", self.poo)):
            if holder is not None and not 0 <= holder < len(self.hands):
                raise IllegalPosition(f"{name} is held by seat {holder}; the seats are 0 to {len(self.hands) - 1}")
            if (holder is not None) != collected:
                raise IllegalPosition(f"{name} must have a holder exactly when a dog was collected (longest above 0)")

    def __str__(self) -> str:
        return text_of(self.to_json())

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the one-line form; raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`."""
        return cls.from_json(read_text(text), options)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Build from a mapping of plain data or texts (keys: the fields); raises as :meth:`parse`."""
        return cls(**read_fields(data, options)).check()

    def to_json(self) -> dict[str, Any]:
        """The position as plain data; :meth:`from_json` reads it back."""
        return data_of(self)


def add_cards(table: Sequence[Dog], cards: Sequence[Card]) -> tuple[Dog, ...]:
    """The dogs after cards were played on them."""
    heads = {card.colour for card in cards if card.head}
    bodies = Counter(card.colour for card in cards if not card.head)
    return tuple(
        Dog(dog.head or colour in heads, dog.bodies + bodies[colour])
        for colour, dog in zip(COLOURS, table, strict=True)
    )


def take_dogs(table: Sequence[Dog]) -> tuple[tuple[Dog, ...], tuple[int, ...]]:
    """The table without its complete dogs, and the bodies of those."""
    left = tuple(Dog() if dog.complete else dog for dog in table)
    return left, tuple(dog.bodies for dog in table if dog.complete)


def check_cards(table: Sequence[Dog], cards: Iterable[Card]) -> None:
    """Raise :class:`IllegalPosition` where a dog on the table is complete or a card is there too often."""
    if len(table) != len(COLOURS):
        raise IllegalPosition(f"the table has {len(table)} dogs; it needs one, or an empty one, for each of {COLOURS}")
    counts = Counter(cards)
    for colour, dog in zip(COLOURS, table, strict=True):
        for head, on_table, most in ((True, int(dog.head), HEADS), (False, dog.bodies, BODIES)):
            number = counts[Card(colour, head)] + on_table
            if on_table < 0 or number > most:
                raise IllegalPosition(f"{Card(colour, head)} is there {number} times; the game has {most} of it")
        if dog.complete:
            raise IllegalPosition(f"dog {dog.show(colour)} is complete; its owner has taken it off the table")
