"""Certificates of Winner positions with two seats."""
from __future__ import annotations

from typing import Final

from exactplay.certificates.format import Certificate
from exactplay.certificates.winner import WinnerQuestion
from exactplay.rules.winner import State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.result import Moves
from exactplay.solvers.winner.exact import Objective, solve

_SMALL: Final = 18  # cards of both hands


def certify(
    state: State, *, objective: Objective = "win", limits: Limits | None = None, progress: Progress | None = None
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the limits do not suffice."""
    question = WinnerQuestion(state, objective)
    # The values of all moves make a small proof, and take long.
    asked: Moves = "all" if sum(map(len, state.hands)) <= _SMALL else "value"
    prover = proofs.BySolving(
        question, lambda at, moves, limits: solve(at, objective=objective, moves=moves, limits=limits), asked,
    )
    return proofs.certify(question, prover, limits, progress)
