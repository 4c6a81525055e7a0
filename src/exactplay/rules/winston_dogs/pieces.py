"""Cards, dogs on the table, what they score (rulebook: Game Contents, Poo and Bone, End of the Game and Scoring)."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from exactplay.rules.contract import BadText, quoted

COLOURS: Final = "BKGWOS"
NAMES: Final = {"B": "brown", "K": "black", "G": "grey", "W": "white", "O": "orange", "S": "spotted"}
HEADS: Final = 3  # of each colour
BODIES: Final = 8
HAND_SIZE: Final = 5
PLAYERS: Final = range(2, 7)
BONE: Final = 6  # points; the poo costs as many

# ASCII: else the Kelvin sign passes for a k, and stays another letter when it is made a capital.
_CARD = re.compile(rf"([{COLOURS}])([hb])", re.IGNORECASE | re.ASCII)
_DOG = re.compile(rf"([{COLOURS}])(h?)(b*)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A head or a body of one colour; ordered as its text (``Bb`` before ``Bh`` before ``Gb``)."""

    colour: str
    head: bool

    def __str__(self) -> str:
        return self.colour + "bh"[self.head]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``Bh`` or ``kb``; raises :class:`BadText`."""
        match = _CARD.fullmatch(text)
        if not match:
            raise BadText(f"{quoted(text)} is no card; write a colour of {' '.join(COLOURS)} and h or b, such as Bh or Kb")
        return cls(match[1].upper(), match[2].lower() == "h")


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of ``"Bh Kb"`` in the order written; ``""`` and ``"-"`` hold none. Raises :class:`BadText`."""
    return tuple(Card.parse(word) for word in text.split() if word != "-")


def show_cards(cards: Iterable[Card]) -> str:
    """``"Bh Kb"``, in the order given."""
    return " ".join(map(str, cards))


def all_cards() -> tuple[Card, ...]:
    """The 66 cards, sorted."""
    return tuple(sorted(
        Card(colour, head) for colour in COLOURS for head in (False, True) for _ in range(HEADS if head else BODIES)
    ))


Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Dog:
    """The dog of one colour in the middle of the table, if there is one: with or without a head, and its bodies."""

    head: bool = False
    bodies: int = 0

    def __bool__(self) -> bool:
        return self.head or self.bodies > 0

    @property
    def complete(self) -> bool:
        """One head and two bodies or more (Complete a Dog)."""
        return self.head and self.bodies >= 2

    def show(self, colour: str) -> str:
        """``Bhb``: a brown dog with a head and one body."""
        return colour + "h" * self.head + "b" * self.bodies

    @classmethod
    def parse(cls, text: str) -> tuple[str, Self]:
        """Read :meth:`show` back as (colour, dog); raises :class:`BadText`."""
        match = _DOG.fullmatch(text)
        if not match or not (match[2] or match[3]):
            raise BadText(
                f"{quoted(text)} is no dog; write a colour, h for its head and a b for each body, such as Bhb or Kbbb"
            )
        return match[1].upper(), cls(bool(match[2]), len(match[3]))


def size_points(bodies: int) -> int:
    """What a dog scores: 1 + 2 + ... + bodies (End of the Game and Scoring)."""
    return bodies * (bodies + 1) // 2


def final_scores(points: Sequence[int], bone: int | None, poo: int | None) -> tuple[int, ...]:
    """The points of the dogs, 6 more for the holder of the bone and 6 less for the holder of the poo."""
    return tuple(held + BONE * (seat == bone) - BONE * (seat == poo) for seat, held in enumerate(points))


def winners(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats with the highest score."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def award(
    player: int, bodies: int, longest: int, shortest: int, bone: int | None, poo: int | None
) -> tuple[int, int, int | None, int | None]:
    """(longest, shortest, bone, poo) after ``player`` collected a dog of that many bodies (Poo and Bone).

    ``longest`` and ``shortest`` are 0 as long as nobody has collected a dog.
    """
    if not longest:
        return bodies, bodies, player, player
    if bodies >= longest:
        longest, bone = bodies, player
    if bodies <= shortest:
        shortest, poo = bodies, player
    return longest, shortest, bone, poo
