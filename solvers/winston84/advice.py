"""Advice within a round: the value of every legal decision, the plan, and which results each decision leads to."""
from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exactplay.common.words import named, whole
from exactplay.cython_core.winston84 import play
from exactplay.cython_core.winston84_advice import Adviser
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition
from exactplay.rules.winston84 import Decision, Objective, Place, Round, State
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.result import OVER_NOTE, Effort, Exact, Moves, Result
from exactplay.solvers.winston84.outer import Solution, open_solution
from exactplay.solvers.winston84.structure import (
    Floats,
    Structure,
    code_of,
    decision_of,
    load_structure,
    rolls_dice,
    utility_row,
    word_of,
)

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


def solve(
    state: State, *, objective: Objective | str = "score", moves: Moves = "best", limits: Limits | None = None,
    progress: Progress | None = None, solution: Solution | None = None,
) -> Result[Decision]:
    """What a game is worth as it stands: before a roll, with the dice as they lie (then as :func:`advise`), or at its end.

    The value of each decision comes with the same work, so ``moves`` makes no difference. The whole sheet is solved for it,
    or found solved, or given as ``solution``. Raises :class:`BadOption`, and IllegalPosition for another game's solution.
    """
    named(moves, Moves, "moves")
    objective = solution.objective if solution is not None else Objective.of(objective)
    if not isinstance(state.at, Place) or state.round is None:
        value = objective.utility(state.at.won, state.at.score) if not isinstance(state.at, Place) else 0
        return Result(Exact(value), rules=state.rules.describe(), notes=(OVER_NOTE,), players=1)
    if solution is None:
        threads = 1 if limits is None else limits.threads
        solution = open_solution(
            state.sheet, state.difficulty, objective, state.rules, threads=threads, progress=progress
        )
    if state.to_move == 0:
        return advise(state, solution=solution)
    _require_its_own(state, solution)
    if state.round == State.resume(state.sheet, state.difficulty, state.at, state.rules).round:
        return solution.result(state.at)
    structure = solution.table.structure
    adviser = Adviser(structure.shared, structure.options, solution.utility(state.at))
    return dataclasses.replace(solution.result(state.at), verdict=Exact(adviser.value(code_of(state.round))))


def advise(
    state: State, *, objective: Objective | str = "score", limits: Limits | None = None, seed: int = 0,
    progress: Progress | None = None, solution: Solution | None = None,
) -> Advice:
    """Advice for a game in which a decision is due. It is exact and quick, so limits and seed make no difference.

    Raises :class:`BadOption`; IllegalPosition where dice must be rolled first or for another game's solution. A game that
    is over is answered as by :func:`solve`.
    """
    whole(seed, "seed", 0)
    if state.round is None or not isinstance(state.at, Place):
        over = solve(state, objective=objective, solution=solution)
        return Advice(over.verdict, rules=over.rules, notes=over.notes, players=1)
    if solution is None:
        threads = 1 if limits is None else limits.threads
        solution = open_solution(
            state.sheet, state.difficulty, Objective.of(objective), state.rules, threads=threads, progress=progress
        )
    _require_its_own(state, solution)
    advice = _advise(state.round, solution.utility(state.at), solution.table.structure)
    return dataclasses.replace(
        advice, sources=solution.sources, notes=solution.notes(state.at), before_roll=solution.value(state.at)
    )


def advise_round(round: Round, utility: Iterable[float]) -> Advice:
    """Advice for one round on its own: ``utility`` has 37 entries, what each result from 0 to 36 is worth."""
    return _advise(round.check(), utility_row(utility), load_structure(round.rules))


def _require_its_own(state: State, solution: Solution) -> None:
    if (state.sheet.digest, state.difficulty, state.rules) != (
        solution.sheet.digest, solution.difficulty, solution.rules
    ):
        raise IllegalPosition("the solution is one of another sheet, difficulty or rules than the game's")


def _advise(round: Round, utility: Floats, structure: Structure) -> Advice:
    if round.to_move == CHANCE:
        raise IllegalPosition(f"dice are about to be rolled ({round.dice}); give their values first")
    if round.to_move == OVER:
        raise IllegalPosition(f"the round is over with {round.dice}: there is nothing to decide")
    start = time.process_time()
    adviser = Adviser(structure.shared, structure.options, utility)
    code = code_of(round)
    valued = _ranked(adviser, code)
    plan = tuple(_plan(adviser, code, structure.options))
    distributions = {
        decision: tuple(adviser.distribution(play(code, word_of(decision), structure.options)).tolist())
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


def _ranked(adviser: Adviser, code: int) -> list[tuple[Decision, float]]:
    """Every legal decision and its value, in the order of the decisions."""
    return sorted((decision_of(word), value) for word, value in adviser.decisions(code))


def _best(valued: list[tuple[Decision, float]]) -> tuple[Decision, ...]:
    """All decisions that tie for best."""
    top = max(value for _, value in valued)
    return tuple(decision for decision, value in valued if value >= top - TIE * max(abs(top), abs(value)))


def _plan(adviser: Adviser, code: int, options: int) -> Iterator[Decision]:
    """The first best decisions from a position on, up to the next roll or the end of the round."""
    while not rolls_dice(code):
        valued = _ranked(adviser, code)
        if not valued:
            return
        decision = _best(valued)[0]
        yield decision
        code = play(code, word_of(decision), options)
