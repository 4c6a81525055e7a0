"""Certificates of Winner positions with two seats."""
from __future__ import annotations

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.winner import WinnerQuestion
from exactplay.rules.winner import Move, State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.winner.open_hands import Objective, solve


def certify(
    state: State, *, objective: Objective = "win", limits: Limits | None = None, progress: Progress | None = None,
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the CPU ``seconds`` do not suffice."""
    question = WinnerQuestion(state, objective)
    limits = limits or Limits()
    deadline = proofs.Deadline(limits.seconds)
    value = proofs.value_of(solve(state, objective=objective, moves="value", limits=Limits(seconds=deadline.left)))

    def values(at: State) -> dict[Move, int]:
        # Later positions are smaller, and a large table costs time to clear.
        found = solve(at, objective=objective, moves="all", limits=Limits(seconds=deadline.left, memory_mb=1))
        return {
            move: verdict.value for move, verdict in found.moves.items()
            if isinstance(verdict, Exact) and isinstance(verdict.value, int)
        }

    return proofs.certify(question, value, proofs.chooser(question, values), progress)
