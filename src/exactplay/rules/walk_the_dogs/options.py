"""The options of the game."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from exactplay.rules.contract import RulesBase
from exactplay.rules.walk_the_dogs import pieces


@dataclasses.dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The options of Walk the Dogs; the defaults are the rules page's."""

    game: ClassVar[str] = "walk-the-dogs"
    explained: ClassVar[Mapping[str, str]] = {
        "special_cards": "Leash, bone and dog catcher cards are in the pile; without them it is the Simple Rules.",
        "advanced": "On a turn either draw or play, with four cards at most (the rulebook's Advanced Rules).",
        "three_in_any_order": "The dogs of one card may be added in any order, not only in the order taken.",
    }
    special_cards: bool = True
    advanced: bool = False
    three_in_any_order: bool = True

    def deck(self) -> tuple[str, ...]:
        """Every card of the game, in the order of the box."""
        left_out = () if self.special_cards else pieces.SPECIAL
        return tuple(card for card, copies in pieces.DECK.items() for _ in range(copies) if card not in left_out)
