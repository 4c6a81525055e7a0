"""What a game of Winston 1984 is worth as it stands."""
from __future__ import annotations

import dataclasses

from exactplay.common.words import named
from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.rules.winston84 import Decision, Objective, State, opening_round
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.result import Exact, Moves, Result
from exactplay.solvers.winston84.advice import Advice, advise, solution_for
from exactplay.solvers.winston84.bridge import position_of
from exactplay.solvers.winston84.outer import Solution


def solve(
    state: State, *, objective: Objective | str = "score", moves: Moves = "best", limits: Limits | None = None,
    progress: Progress | None = None, solution: Solution | None = None,
) -> Result[Decision]:
    """What a game is worth: before a roll, with the dice as they lie (then as :func:`advise`), or at its end.

    The whole sheet is solved for it, or found solved, or given as ``solution``; :class:`Bounds` where the limits do not let
    it. The values of all decisions come with the same work, so ``moves`` makes no difference.

    Raises :class:`BadOption`, and IllegalPosition for another game's solution.
    """
    named(moves, Moves, "moves")
    found = solution_for(state, objective, limits, progress, solution)
    if isinstance(found, Advice):
        return found
    solution, place, round = found
    if state.to_move == 0:
        return advise(state, solution=solution)
    result = solution.result(place)
    if round == opening_round(state.sheet, state.difficulty, state.rules, place):
        return result
    structure = solution.table.structure
    adviser = Adviser(structure.shared, structure.options, solution.utility(place))
    return dataclasses.replace(result, verdict=Exact(adviser.value(position_of(round))))
