"""A move: one whole turn, and which of them a hand allows (rulebook: How to Play)."""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winston_dogs.pieces import COLOURS, Card, Dog, show_cards


@dataclass(frozen=True, slots=True)
class Move:
    """A whole turn: the cards played (sorted), the one card put under the pile by a player who is stuck, or a skip."""

    action: Literal["play", "under", "skip"]
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        if self.action == "skip":
            return "skip"
        return ("under " if self.action == "under" else "") + show_cards(self.cards)

    def __lt__(self, other: Move) -> bool:
        return str(self) < str(other)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``Bb Bh`` (in any order), ``under Bh`` or ``skip``; raises :class:`BadText`."""
        words = text.split()
        if [word.lower() for word in words] == ["skip"]:
            return cls("skip")
        if words and words[0].lower() == "under":
            if len(words) != 2:
                raise BadText(f"{quoted(text)}: exactly one card goes under the pile, such as 'under Bh'")
            return cls("under", (Card.parse(words[1]),))
        if not words:
            raise BadText("an empty move; write the cards to play such as 'Bb Bh', or 'under Bh', or 'skip'")
        return cls("play", tuple(sorted(Card.parse(word) for word in words)))


SKIP: Final = Move("skip")


def playable_turns(hand: Sequence[Card], table: Sequence[Dog]) -> tuple[Move, ...]:
    """Every multiset of cards that the hand can play as one turn, sorted; empty for a player who is stuck."""
    least = min(2, len(hand))
    choices: list[list[tuple[Card, ...]]] = []
    for card, held in sorted(Counter(hand).items()):
        # A dog has one head: on the table already, or from this turn.
        most = min(held, int(not table[COLOURS.index(card.colour)].head)) if card.head else held
        choices.append([(card,) * number for number in range(most + 1)])
    turns = (tuple(itertools.chain.from_iterable(parts)) for parts in itertools.product(*choices))
    return tuple(sorted(Move("play", cards) for cards in turns if len(cards) >= max(least, 1)))
