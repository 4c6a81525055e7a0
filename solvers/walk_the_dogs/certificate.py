"""Certificates of Walk the Dogs positions with two players, open hands and a known order of the pile."""
from __future__ import annotations

from exactplay.certificates.format import Certificate
from exactplay.certificates.walk_the_dogs import WalkTheDogsQuestion
from exactplay.rules.walk_the_dogs import Objective, State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.walk_the_dogs.exact import solve


def certify(
    state: State, *, objective: Objective = "points", limits: Limits | None = None, progress: Progress | None = None
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the limits do not suffice."""
    question = WalkTheDogsQuestion(state, objective)
    prover = proofs.BySolving(
        question, lambda at, moves, limits: solve(at, objective=objective, moves=moves, limits=limits)
    )
    return proofs.certify(question, prover, limits, progress)
