"""Certificates of Winston 1984: the solved table of all places as a file."""
from __future__ import annotations

import dataclasses

from exactplay.certificates.format import Certificate
from exactplay.certificates.winston84 import Table
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winston84 import Objective, Place, State
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.winston84.outer import Solution, open_solution


def certify(
    state: State, *, objective: Objective | str = "score", limits: Limits | None = None, progress: Progress | None = None,
    solution: Solution | None = None,
) -> Certificate:
    """The certificate of what a game's place is worth before the roll, with the value of every place reached from there.

    ``solution``: the solved sheet, if it is at hand. Raises :class:`NotProven` where the limits do not suffice.
    """
    place = state.at
    if not isinstance(place, Place):
        raise IllegalPosition("the game is over: its score is known")
    try:
        solution = solution or open_solution(
            state.sheet, state.difficulty, objective, state.rules, limits=limits, progress=progress
        )
        solution.table.fill(place, Budget(limits or Limits(), progress))
    except OutOfBudget as stopped:
        raise NotProven(f"the sheet was not solved: {stopped}") from None
    values = {
        Place(layer.round, box, marks, bool(fresh)): float(solution.table.values[layer.round, box, marks, fresh])
        for layer in solution.table.layers(place)
        for box, marks, fresh in layer.states.tolist()
    }
    start = dataclasses.replace(place, marks=min(place.marks, solution.table.board.max_marks))
    table = Table(solution.sheet, solution.difficulty, solution.objective, solution.rules, start, values)
    return table.to_certificate()
