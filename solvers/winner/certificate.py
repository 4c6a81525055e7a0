"""Certificates of Winner positions with two seats."""
from __future__ import annotations

from exactplay.certificates.format import Certificate
from exactplay.certificates.winner import WinnerQuestion
from exactplay.rules.winner import State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.winner.open_hands import Objective, solve


def certify(
    state: State, *, objective: Objective = "win", limits: Limits | None = None, progress: Progress | None = None
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the limits do not suffice."""
    question = WinnerQuestion(state, objective)
    prover = proofs.BySolving(
        question, lambda at, moves, limits: solve(at, objective=objective, moves=moves, limits=limits)
    )
    return proofs.certify(question, prover, limits, progress)
