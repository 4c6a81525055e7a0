"""Cards (rulebook, section Cards): thirteen ranks in four suits and two jokers."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final, Self

from exactplay.rules.contract import BadText, quoted

RANKS: Final = "3456789TJQKA2"  # in climbing order
SUITS: Final = "DCHS"  # in climbing order
JOKERS: Final = ("BJ", "RJ")
BLACK_JOKER: Final = 13
RED_JOKER: Final = 14
FOUR: Final = RANKS.index("4")

#: the natural order of straights: place 1 and place 14 are the Ace, place 2 the Two; the ranks by place, from place 1
NATURAL: Final = tuple(RANKS.index(name) for name in "A23456789TJQKA")


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card. ``rank`` counts in climbing order, 0 for a Three to 12 for a Two, then the black and the red joker;
    ``suit`` 0 to 3 for D C H S (0 for a joker). Cards order by rank, then suit."""

    rank: int
    suit: int = 0

    @property
    def is_joker(self) -> bool:
        """Whether this is the black or the red joker."""
        return self.rank >= BLACK_JOKER

    def __str__(self) -> str:
        return JOKERS[self.rank - BLACK_JOKER] if self.is_joker else RANKS[self.rank] + SUITS[self.suit]

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read ``3D``, ``TC``, ``BJ`` and so on; raises :class:`BadText`."""
        name = text.strip().upper()
        if name in JOKERS:
            return cls(BLACK_JOKER + JOKERS.index(name))
        if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
            raise BadText(
                f"{quoted(text)} is no card; write a rank of {RANKS} and a suit of {SUITS}, such as TC, or BJ or RJ"
            )
        return cls(RANKS.index(name[0]), SUITS.index(name[1]))


Cards = tuple[Card, ...]


def parse_cards(text: str) -> Cards:
    """Read cards separated by spaces, in any order; the answer is sorted."""
    return tuple(sorted(Card.parse(word) for word in text.split()))


def show_cards(cards: Iterable[Card]) -> str:
    """The text of cards, in the order given."""
    return " ".join(map(str, cards))


def deck(*, jokers: bool = True, decks: int = 1) -> Cards:
    """All cards of the game, sorted."""
    plain = [Card(rank, suit) for rank in range(len(RANKS)) for suit in range(len(SUITS))]
    extra = [Card(BLACK_JOKER), Card(RED_JOKER)] if jokers else []
    return tuple(sorted((plain + extra) * decks))
