"""Certificates of Winner positions with two seats."""
from __future__ import annotations

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.winner import WinnerQuestion
from exactplay.rules.winner import Move, State
from exactplay.solvers import proofs
from exactplay.solvers.result import Exact
from exactplay.solvers.winner.open_hands import Objective, solve


def certify(
    state: State, objective: Objective = "win", *, seconds: float | None = None, table_mb: int = 256,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the CPU ``seconds`` do not suffice."""
    question = WinnerQuestion(state, objective)
    deadline = proofs.Deadline(seconds)
    value = proofs.value_of(solve(state, objective, every_move=False, seconds=deadline.left, table_mb=table_mb))

    def values(at: State) -> dict[Move, int]:
        # Later positions are smaller, and a large table costs time to clear.
        found = solve(at, objective, seconds=deadline.left, table_mb=1)
        return {
            move: verdict.value for move, verdict in found.moves.items()
            if isinstance(verdict, Exact) and isinstance(verdict.value, int)
        }

    return proofs.certify(question, value, proofs.chooser(question, values), progress)
