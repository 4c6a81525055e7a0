"""Advice within a round: the value of every legal decision, the plan, and which results each decision leads to."""
from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exactplay.common.words import whole
from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.cython_core.winston84.position import Position
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition
from exactplay.rules.winston84 import Decision, End, Objective, Place, Round, State
from exactplay.solvers.limits import Limits, OutOfBudget, Progress
from exactplay.solvers.result import OVER_NOTE, Bounds, Effort, Exact, Result
from exactplay.solvers.winston84.bridge import decision_of, position_of, word_of
from exactplay.solvers.winston84.outer import Solution, open_solution
from exactplay.solvers.winston84.sheets import board_of
from exactplay.solvers.winston84.structure import Floats, Structure, load_structure, utility_row

# Two decisions tie when their values differ by less than this part of the greater one: rounding is far below it, and
# different probabilities of a few rolls of dice are far above it.
TIE = 1e-11


@dataclasses.dataclass(frozen=True, slots=True)
class Advice(Result[Decision]):
    """What to do now: a result whose principal variation (``plan``) reaches to the next roll or the end of the round.

    ``distributions``: for each decision the probability of each result of the round, 37 numbers, if play goes on optimally
    (among equals the first in the order of the decisions, or the lowest result). ``before_roll``: the value of the place
    before the round's roll, where one was asked about a game.
    """

    distributions: Mapping[Decision, tuple[float, ...]] = dataclasses.field(default_factory=dict)
    before_roll: float | None = None

    __hash__ = Result.__hash__

    @property
    def plan(self) -> tuple[Decision, ...]:
        """The decisions of one best line up to the next roll or the end of the round."""
        return self.pv

    def to_json(self) -> dict[str, Any]:
        """As Result.to_json, with ``decisions`` in place of ``moves``, the plan, the distributions and ``before_roll``."""
        data = Result.to_json(self)
        data["decisions"] = data.pop("moves")
        data["plan"] = data.pop("pv")
        data["results"] = {
            str(decision): {str(r): p for r, p in enumerate(self.distributions[decision]) if p > 0}
            for decision in self.ranked()
        }
        data["before_roll"] = self.before_roll
        return data


def advise(
    state: State, *, objective: Objective | str = "score", limits: Limits | None = None, seed: int = 0,
    progress: Progress | None = None, solution: Solution | None = None,
) -> Advice:
    """Advice for a game in which a decision is due; :class:`Bounds` where the limits end the solving of its sheet.

    The sheet is solved first, or found solved, or given as ``solution``; the rest is exact and quick, and nothing in it is
    drawn, so the seed makes no difference. Raises :class:`BadOption`, and IllegalPosition where dice must be rolled first
    or for another game's solution. A game that is over is answered as by :func:`solve`.
    """
    whole(seed, "seed", 0)
    found = solution_for(state, objective, limits, progress, solution)
    if isinstance(found, Advice):
        return found
    solution, place, round = found
    advice = _advise(round, solution.utility(place), solution.table.structure)
    return dataclasses.replace(
        advice, sources=solution.sources, notes=solution.notes(place), before_roll=solution.value(place)
    )


def solution_for(
    state: State, objective: Objective | str, limits: Limits | None, progress: Progress | None, solution: Solution | None
) -> Advice | tuple[Solution, Place, Round]:
    """The solved sheet of a game that goes on, with its place and round; or the answer where there is nothing to solve.

    That is a game that is over, or one whose sheet the limits do not let us solve.
    """
    objective = Objective.of(objective) if solution is None else solution.objective
    rules = state.rules.describe()
    if not isinstance(state.at, Place) or state.round is None:
        value = objective.utility(state.at.won, state.at.score) if isinstance(state.at, End) else 0
        return Advice(Exact(value), rules=rules, notes=(OVER_NOTE,), players=1)
    if solution is None:
        try:
            solution = open_solution(
                state.sheet, state.difficulty, objective, state.rules, limits=limits, progress=progress
            )
        except OutOfBudget as stopped:
            ends = board_of(state.sheet, state.difficulty, state.rules).terminal(objective.utility)
            bounds = Bounds(float(ends.min()), float(ends.max()))
            return Advice(bounds, rules=rules, notes=(f"Not solved: {stopped}.",), players=1)
    if (state.sheet.digest, state.difficulty, state.rules) != (
        solution.sheet.digest, solution.difficulty, solution.rules
    ):
        raise IllegalPosition("the solution is one of another sheet, difficulty or rules than the game's")
    return solution, state.at, state.round


def advise_round(round: Round, utility: Iterable[float]) -> Advice:
    """Advice for one round on its own: ``utility`` has 37 entries, what each result from 0 to 36 is worth."""
    return _advise(round.check(), utility_row(utility), load_structure(round.rules))


def _advise(round: Round, utility: Floats, structure: Structure) -> Advice:
    if round.to_move == CHANCE:
        raise IllegalPosition(f"dice are about to be rolled ({round.dice}); give their values first")
    if round.to_move == OVER:
        raise IllegalPosition(f"the round is over with {round.dice}: there is nothing to decide")
    start = time.process_time()
    adviser = Adviser(structure.shared, structure.options, utility)
    position = position_of(round)
    valued = _ranked(adviser, position)
    plan = tuple(_plan(adviser, position))
    distributions = {
        decision: tuple(adviser.distribution(position.play(word_of(decision))).tolist())
        for decision, _ in valued
    }
    return Advice(
        Exact(max(value for _, value in valued)),
        {decision: Exact(value) for decision, value in valued},
        _best(valued),
        plan,
        Effort(nodes=adviser.states, seconds=time.process_time() - start),
        round.rules.describe(),
        (structure.source,),
        players=1,
        distributions=distributions,
    )


def _ranked(adviser: Adviser, position: Position) -> list[tuple[Decision, float]]:
    """Every legal decision and its value, in the order of the decisions."""
    return sorted((decision_of(word), value) for word, value in adviser.decisions(position))


def _best(valued: list[tuple[Decision, float]]) -> tuple[Decision, ...]:
    """All decisions that tie for best."""
    top = max(value for _, value in valued)
    return tuple(decision for decision, value in valued if value >= top - TIE * max(abs(top), abs(value)))


def _plan(adviser: Adviser, position: Position) -> Iterator[Decision]:
    """The first best decisions from a position on, up to the next roll or the end of the round."""
    while position.to_move == 0:
        decision = _best(_ranked(adviser, position))[0]
        yield decision
        position = position.play(word_of(decision))
