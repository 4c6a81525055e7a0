"""Certificates of Winston 1984: the solved table of all places as a file."""
from __future__ import annotations

import dataclasses

from exactplay.certificates.format import Certificate
from exactplay.certificates.winston84 import Table
from exactplay.rules.winston84 import Place, check_place, first_place
from exactplay.solvers.winston84.outer import Solution


def certify(solution: Solution, place: Place | None = None) -> Certificate:
    """The certificate of what a place (None: a new game) is worth, with the value of every place reached from there."""
    place = check_place(solution.sheet, solution.difficulty, place or first_place(solution.difficulty))
    solution.table.fill(place)
    values = {
        Place(layer.round, box, marks, bool(fresh)): float(solution.table.values[layer.round, box, marks, fresh])
        for layer in solution.table.layers(place)
        for box, marks, fresh in layer.states.tolist()
    }
    start = dataclasses.replace(place, marks=min(place.marks, solution.table.board.max_marks))
    table = Table(solution.sheet, solution.difficulty, solution.objective, solution.rules, start, values)
    return table.to_certificate()
