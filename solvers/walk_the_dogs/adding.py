"""The best way to add dogs to a line, and a second, independent way to find it."""
from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from exactplay.cython_core.walk_the_dogs import arranging as core
from exactplay.rules.contract import BadText
from exactplay.rules.walk_the_dogs import BREEDS, mirrored
from exactplay.solvers.walk_the_dogs.bridge import dog_bytes, dog_letters


@dataclasses.dataclass(frozen=True, slots=True)
class Addition:
    """The best lines that the dogs of one card can make: exact, all that tie, one of each mirror pair."""

    points: int
    lines: tuple[str, ...]
    five_possible: bool

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"points": self.points, "lines": list(self.lines), "five_possible": self.five_possible}


def best_addition(line: str, dogs: str, *, any_order: bool = True) -> Addition:
    """The best way to add the dogs just taken, at most three; five in a row is best whatever the points.

    Raises :class:`BadText`.
    """
    _check(line, dogs)
    if len(dogs) > 3:
        raise BadText(f"there are {len(dogs)} dogs to add; one card gives at most three (most_points takes any number)")
    points, lines, five = core.best_additions(dog_bytes(line), dog_bytes(dogs), any_order)
    return Addition(points, tuple(sorted({mirrored(dog_letters(made)) for made in lines})), five)


def most_points(line: str, dogs: str, *, any_order: bool = True) -> int:
    """The most points of the line once all these dogs, any number, are added: exact. Raises :class:`BadText`."""
    _check(line, dogs)
    return core.most_points(dog_bytes(line), dog_bytes(dogs), any_order)


def most_points_cp_sat(line: str, dogs: str, *, any_order: bool = True, seconds: float = 60) -> int:
    """The answer of :func:`most_points` from OR-Tools CP-SAT, which shares no idea with it (slow; a dozen dogs).

    The model places every dog of the finished line: the old line is a block after the dogs put in front, and a pair of
    places counts 2 when all dogs from one to the other are equal, for a run of k has k + 2 * (k choose 2) = k * k.
    Raises ImportError without OR-Tools (``pip install exactplay[cp-sat]``), RuntimeError where time runs out.
    """
    from ortools.sat.python import cp_model

    _check(line, dogs)
    total = len(line) + len(dogs)
    if total == 0:
        return 0
    model = cp_model.CpModel()
    breed = [model.new_int_var(0, len(BREEDS) - 1, f"breed{place}") for place in range(total)]
    in_front = model.new_int_var(0, len(dogs), "in_front")
    for index, dog in enumerate(line):
        place = model.new_int_var(0, total - 1, f"old{index}")
        model.add(place == in_front + index)
        model.add_element(place, breed, BREEDS.index(dog))
    front = [model.new_bool_var(f"front{index}") for index in range(len(dogs))]
    model.add(in_front == sum(front))
    places = []
    for index, dog in enumerate(dogs):
        place = model.new_int_var(0, total - 1, f"new{index}")
        places.append(place)
        model.add_element(place, breed, BREEDS.index(dog))
        if any_order:
            model.add(place < in_front).only_enforce_if(front[index])
            model.add(place >= in_front + len(line)).only_enforce_if(~front[index])
        else:
            ahead = sum(front[: index + 1])
            model.add(place == in_front - ahead).only_enforce_if(front[index])
            model.add(place == in_front + len(line) + index - ahead).only_enforce_if(~front[index])
    model.add_all_different(places)
    pairs = []
    for first in range(total):
        before = None
        for last in range(first + 1, total):
            equal = model.new_bool_var(f"equal{first}-{last}")
            model.add(breed[last - 1] == breed[last]).only_enforce_if(equal)
            if before is not None:
                model.add_implication(equal, before)
            pairs.append(equal)
            before = equal
    model.maximize(total + 2 * sum(pairs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError(f"CP-SAT found no proof within {seconds} s")
    return round(solver.objective_value)


def _check(line: str, dogs: str) -> None:
    for dog, number in sorted(Counter(line + dogs).items()):
        if dog not in BREEDS:
            raise BadText(f"dog {dog!r} is unknown; the breeds are {' '.join(BREEDS)}")
        if number > 9:
            raise BadText(f"there are {number} dogs of breed {dog}; the box has 9")
