"""The rule options (rulebook, section Variations and the rules page)."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Literal

from exactplay.rules.contract import BadOption, RulesBase


@dataclasses.dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The options of the rules page."""

    game: ClassVar[str] = "winner"
    explained: ClassVar[Mapping[str, str]] = {
        "jokers": "The deck has its two jokers.",
        "decks": "How many decks of cards are in play.",
        "fours": "What a pair (three) of fours does to a bomb (large bomb): make it one's own, nothing (off), or bring its "
        "cards into the hand.",
        "end": "The hand ends when only one player holds cards (loser), or when the Winner is out (first out).",
        "straight_suit_tiebreak": "Variation: straights of equal place compare by the suit of their highest card.",
        "bomb_variation": "Variation: four of a rank beats all but a higher four.",
        "revolution": "Variation: four of a rank turns the ranks round.",
        "exchange": "Variation: a hand may begin with the exchange between the last Winner and Loser.",
    }

    jokers: bool = True
    decks: Literal[1, 2] = 1
    fours: Literal["own", "off", "into_hand"] = "own"
    end: Literal["loser", "first_out"] = "loser"
    straight_suit_tiebreak: bool = False
    bomb_variation: bool = False
    revolution: bool = False
    exchange: bool = False

    def __post_init__(self) -> None:
        RulesBase.__post_init__(self)
        if self.revolution and self.bomb_variation:
            raise BadOption("rule options revolution and bomb_variation exclude each other; switch one of them off")
