"""What a game brings to the contract battery (test_contract.py): each ``tests/GAME/subject.py`` holds one ``SUBJECT``."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

from exactplay.rules.contract import CHANCE, OVER, RulesBase
from tests import ROOT


@dataclass(frozen=True)
class Subject:
    """One game under test; ``game`` is the name of its packages.

    ``start(random, rules)`` makes a first state (also mid-game ones); ``native(state)`` is the same position in the native
    core, behind the same contract (to_move, legal_moves, chance_outcomes, play, scores, str); ``score_range(state)`` bounds
    every player's score. ``view(state)`` is what the player to move sees, in games with hidden cards.

    For test_answers.py: ``late(random)`` is a position that is solved at once and ``large(random)`` one that takes long,
    both of the player to move, where random play does not find them; ``arguments`` are values, by name, for what the
    public functions of the solvers cannot do without.
    """

    game: str
    start: Callable[[random.Random, Any], Any]
    native: Callable[[Any], Any]
    score_range: Callable[[Any], tuple[int, int]]
    view: Callable[[Any], Any] | None = None
    refused: tuple[dict[str, Any], ...] = ()  # combinations of options that the rules page forbids
    max_plies: int = 5_000
    late: Callable[[random.Random], Any] | None = None
    large: Callable[[random.Random], Any] | None = None
    arguments: Mapping[str, Callable[[], Any]] = field(default_factory=dict)

    @cached_property
    def package(self) -> ModuleType:
        """The game's rules."""
        return import_module(f"exactplay.rules.{self.game}")

    @property
    def rules(self) -> type[RulesBase]:
        """The class of its rule options."""
        return self.package.Rules  # type: ignore[no-any-return]

    def settings(self) -> list[RulesBase]:
        """The default, each option switched alone to each other value, and all options at their last value together."""
        options = self.rules.options()
        single = [{name: value} for name, values in options.items() for value in values[1:]]
        everything = {name: values[-1] for name, values in options.items()}
        chosen = [{}, *single, everything]
        return [self.rules.from_mapping(c) for c in chosen if not self.is_refused(c)]

    def all_settings(self) -> list[RulesBase]:
        """Every combination of options."""
        options = self.rules.options()
        combinations = [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
        return [self.rules.from_mapping(c) for c in combinations if not self.is_refused(c)]

    def is_refused(self, chosen: Mapping[str, Any]) -> bool:
        """Whether the rules page forbids this combination."""
        return any(refusal.items() <= chosen.items() for refusal in self.refused)

    def walk(self, rng: random.Random, state: Any) -> Iterator[Any]:
        """The states of one random game."""
        for _ in range(self.max_plies):
            yield state
            if state.to_move == OVER:
                return
            state = state.play(random_move(rng, state))
        raise AssertionError(f"{self.game}: no end after {self.max_plies} plies")


def random_move(rng: random.Random, state: Any) -> Any:
    """A move of the player to move, or an outcome of chance at its probability."""
    if state.to_move == CHANCE:
        outcomes = state.chance_outcomes()
        return rng.choices([move for move, _ in outcomes], [float(p) for _, p in outcomes])[0]
    return rng.choice(state.legal_moves())


def subjects() -> list[Subject]:
    """Those of all games."""
    rooms = sorted(path.parent.name for path in ROOT.glob("tests/*/subject.py"))
    return [import_module(f"tests.{room}.subject").SUBJECT for room in rooms if room != "shared"]
