"""Certificates of Winston 1984: the solved table of all places as a file."""
from __future__ import annotations

import numpy as np

from exactplay.certificates.format import Certificate
from exactplay.certificates.winston84 import Table
from exactplay.rules.winston84 import Place, first_place
from exactplay.solvers.winston84.outer import Solution


def certify(solution: Solution) -> Certificate:
    """The certificate of what a new game is worth, with the value of every place that can be reached."""
    solution.value()
    reached = np.zeros(solution.table.board.shape, bool)
    for layer in solution.table.layers(first_place(solution.difficulty)):
        reached[layer.index()] = True
    values = {
        Place(round, box, marks, bool(fresh)): float(solution.table.values[round, box, marks, fresh])
        for round, box, marks, fresh in np.argwhere(reached).tolist()
    }
    return Table(solution.sheet, solution.difficulty, solution.objective, solution.rules, values).to_certificate()
