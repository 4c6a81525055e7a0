"""Certificates of Winston 1984: the solved table of all places as a file."""
from __future__ import annotations

import dataclasses

import numpy as np

from exactplay.certificates.format import Certificate
from exactplay.certificates.winston84 import Table
from exactplay.rules.winston84 import Place, check_place, first_place
from exactplay.solvers.winston84.outer import Solution


def certify(solution: Solution, place: Place | None = None) -> Certificate:
    """The certificate of what a place (None: a new game) is worth, with the value of every place reached from there."""
    place = check_place(solution.sheet, solution.difficulty, place or first_place(solution.difficulty))
    solution.table.fill(place)
    reached = np.zeros(solution.table.board.shape, bool)
    for layer in solution.table.layers(place):
        reached[layer.index()] = True
    values = {
        Place(round, box, marks, bool(fresh)): float(solution.table.values[round, box, marks, fresh])
        for round, box, marks, fresh in np.argwhere(reached).tolist()
    }
    start = dataclasses.replace(place, marks=min(place.marks, solution.table.board.max_marks))
    table = Table(solution.sheet, solution.difficulty, solution.objective, solution.rules, start, values)
    return table.to_certificate()
