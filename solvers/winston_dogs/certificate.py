"""Certificates of positions of the dog cards with two players."""
from __future__ import annotations

from exactplay.certificates.format import Certificate
from exactplay.certificates.winston_dogs import WinstonDogsQuestion
from exactplay.common.words import named
from exactplay.rules.winston_dogs import State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.winston_dogs.exact import Objective, solve


def certify(
    state: State, *, objective: Objective = "score", limits: Limits | None = None, progress: Progress | None = None
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the limits do not suffice."""
    named(objective, Objective, "objective")
    question = WinstonDogsQuestion(state.check())
    prover = proofs.BySolving(question, lambda at, moves, limits: solve(at, moves=moves, limits=limits))
    return proofs.certify(question, prover, limits, progress)
