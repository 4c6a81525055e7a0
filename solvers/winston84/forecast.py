"""The exact distribution of the final score from any point of a game on, and after each decision.

Play goes on optimally for the solution's objective; of optimal decisions and results those are taken that are better for
the second objective, within the round as after it. Where decisions are equal for both, every distribution is one of an
optimal policy, but it need not be the same policy before the roll as after it.
"""
from __future__ import annotations

import threading
from typing import Any

import numpy as np

from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.cython_core.winston84.position import Position
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winston84 import Decision, Place, State, check_place, first_place
from exactplay.solvers import tables
from exactplay.solvers.limits import Budget, Limits, Progress
from exactplay.solvers.winston84.bridge import position_of, word_of
from exactplay.solvers.winston84.outer import Solution, cache_path
from exactplay.solvers.winston84.policy import Outlook, Policy, second_objective
from exactplay.solvers.winston84.structure import cached


class Forecast:
    """Distributions for one solution. What a place needs is computed once: from the start of a game two to three seconds,
    then a few milliseconds a question. Threads may share one; they wait for each other.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._policy = Policy(solution.table, second_objective(solution.objective).utility)
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.solution, self._policy.to_arrays())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Forecast) and self.solution == other.solution

    def __hash__(self) -> int:
        return hash(self.solution)

    def before_roll(self, place: Place, *, progress: Progress | None = None) -> Outlook:
        """The distribution before the roll at a place; progress counts outer states."""
        place = check_place(self.solution.sheet, self.solution.difficulty, place)
        with self._lock:
            self._policy.fill(place, Budget(Limits(), progress))
            return self._policy.outlook(place)

    def now(self, game: State, *, progress: Progress | None = None) -> Outlook:
        """The distribution with the dice as they lie; raises IllegalPosition where the game is over."""
        place, adviser = self._adviser(game, progress)
        assert game.round is not None
        if game.round == State.resume(game.sheet, game.difficulty, place, game.rules).round:
            return self.before_roll(place)
        return self._outlooks(place, adviser, [position_of(game.round)])[0]

    def after(self, game: State, *, progress: Progress | None = None) -> dict[Decision, Outlook]:
        """The distribution after each legal decision; nothing where dice are to be rolled. Raises IllegalPosition."""
        place, adviser = self._adviser(game, progress)
        assert game.round is not None
        decisions, position = game.legal_moves(), position_of(game.round)
        after = [position.play(word_of(decision)) for decision in decisions]
        return dict(zip(decisions, self._outlooks(place, adviser, after), strict=True))

    def _adviser(self, game: State, progress: Progress | None) -> tuple[Place, Adviser]:
        solution = self.solution
        if (game.sheet.digest, game.difficulty, game.rules) != (solution.sheet.digest, solution.difficulty, solution.rules):
            raise IllegalPosition("the solution is one of another sheet, difficulty or rules than the game's")
        if game.round is None or not isinstance(game.at, Place):
            raise IllegalPosition("the game is over: its score is known")
        structure = solution.table.structure
        with self._lock:
            self._policy.fill(game.at, Budget(Limits(), progress))
            second = self._policy.second_utility(game.at)
            return game.at, Adviser(structure.shared, structure.options, solution.utility(game.at), second)

    def _outlooks(self, place: Place, adviser: Adviser, positions: list[Position]) -> list[Outlook]:
        if not positions:
            return []
        with self._lock:
            return self._policy.outlooks(place, np.array([adviser.distribution(at) for at in positions]))


def _restored(solution: Solution, arrays: tables.Arrays) -> Forecast:
    forecast = Forecast(solution)
    forecast._policy.load(arrays)
    return forecast


def open_forecast(
    solution: Solution, *, limits: Limits | None = None, progress: Progress | None = None
) -> Forecast:
    """A forecast that knows everything from the start of a game: from the user's cache (half a megabyte), or put there."""
    forecast = Forecast(solution)

    def make() -> tables.Arrays:
        forecast._policy.fill(first_place(solution.difficulty), Budget(limits or Limits(), progress))
        return forecast._policy.to_arrays()

    name = f"winston84-x{solution.difficulty.level}-{solution.objective.kind}-forecast"
    forecast._policy.load(cached(cache_path(name, solution.about), "winston84 policy", solution.about, make))
    return forecast
