"""Certificates of Winner positions with two seats."""
from __future__ import annotations

import random

import pytest

from exactplay.certificates.winner import WinnerQuestion
from exactplay.rules.winner import State, deck
from exactplay.solvers.limits import Limits
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.winner import Objective
from exactplay.solvers.winner.certificate import certify

STATE = State.parse("4D 5C 9H | 3D 5D TH; turn 0; rules end=first_out")


@pytest.mark.parametrize(("objective", "value"), [("win", 1), ("score", 2)])
def test_a_certificate_says_position_objective_and_value(objective: Objective, value: int) -> None:
    made = certify(STATE, objective=objective)
    question = WinnerQuestion.of(made)
    assert (question.root, question.objective) == (STATE, objective)
    assert made.about["low"] == made.about["high"] == value


def test_what_the_limits_leave_open_is_not_certified() -> None:
    with pytest.raises(NotProven):
        certify(STATE, limits=Limits(nodes=0))


def test_large_hands_are_proven_without_the_values_of_all_moves() -> None:
    pack = list(deck())
    random.Random(3).shuffle(pack)
    state = State.start([tuple(pack[:10]), tuple(pack[10:20])], 0)
    assert certify(state, limits=Limits(seconds=60)).about["objective"] == "win"
