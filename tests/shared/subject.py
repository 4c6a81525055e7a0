"""What a game brings to the contract battery (test_contract.py): each ``tests/GAME/subject.py`` holds one ``SUBJECT``."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactplay.rules.contract import RulesBase


@dataclass(frozen=True)
class Subject:
    """One game under test.

    ``start(random, rules)`` makes a first state (also mid-game ones); ``parse(text, state)`` reads a text in the setting
    of a state; ``native(state)`` is the same position in the native core, behind the same contract
    (to_move, legal_moves, chance_outcomes, play, scores, str); ``score_range(state)`` bounds every player's score.
    """

    game: str
    rules: type[RulesBase]
    start: Callable[[random.Random, Any], Any]
    parse: Callable[[str, Any], Any]
    parse_move: Callable[[str], Any]
    native: Callable[[Any], Any]
    score_range: Callable[[Any], tuple[int, int]]
    refused: tuple[dict[str, Any], ...] = ()  # combinations of options that the rules page forbids
    max_plies: int = 2_000

    def settings(self) -> list[RulesBase]:
        """The default, each option switched alone to each other value, and all options at their last value together."""
        options = self.rules.options()
        single = [{name: value} for name, values in options.items() for value in values[1:]]
        everything = {name: values[-1] for name, values in options.items()}
        chosen = [{}, *single, everything]
        return [self.rules.from_mapping(c) for c in chosen if not self._is_refused(c)]

    def all_settings(self) -> list[RulesBase]:
        """Every combination of options."""
        options = self.rules.options()
        combinations = [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
        return [self.rules.from_mapping(c) for c in combinations if not self._is_refused(c)]

    def _is_refused(self, chosen: dict[str, Any]) -> bool:
        return any(refusal.items() <= chosen.items() for refusal in self.refused)
