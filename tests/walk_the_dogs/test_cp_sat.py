"""The most points of a line by OR-Tools CP-SAT, and by the core."""
from __future__ import annotations

import random

import pytest

from exactplay.rules.walk_the_dogs import BREEDS
from exactplay.solvers.walk_the_dogs import most_points, most_points_cp_sat

cp_model = pytest.importorskip("ortools.sat.python.cp_model")


def random_line(rng: random.Random, longest: int, breeds: int) -> str:
    return "".join(rng.choice(BREEDS[-breeds:]) for _ in range(rng.randint(0, longest)))


@pytest.mark.parametrize("any_order", [True, False])
def test_cp_sat_finds_the_same(any_order: bool) -> None:
    rng = random.Random(2)
    for _ in range(8):
        line, dogs = random_line(rng, 4, 3), random_line(rng, 5, 3)
        assert most_points_cp_sat(line, dogs, any_order=any_order) == most_points(line, dogs, any_order=any_order)


@pytest.mark.parametrize(("line", "dogs", "in_any_order", "in_order"), [
    ("", "", 0, 0),
    ("S", "", 1, 1),
    ("", "C", 1, 1),
    ("SC", "", 2, 2),
    ("SC", "S", 5, 5),
    ("CS", "S", 5, 5),
    ("SPO", "OS", 9, 9),
    ("OPS", "OS", 9, 9),
    ("P", "SPS", 8, 8),
    ("", "SPS", 5, 5),
    ("P", "OSO", 6, 6),
    ("", "SCSC", 8, 8),
    ("PP", "SPS", 13, 13),
    ("PS", "OSP", 9, 7),
    ("", "OSPSO", 9, 7),
    ("CD", "BDCB", 12, 10),
    ("PO", "SOPS", 12, 10),
    ("POG", "GSOP", 11, 11),
    ("PDG", "PSPSPS", 27, 27),
])
def test_cp_sat_adds_dogs_at_both_ends(line: str, dogs: str, in_any_order: int, in_order: int) -> None:
    assert most_points_cp_sat(line, dogs) == in_any_order
    assert most_points_cp_sat(line, dogs, any_order=False) == in_order
