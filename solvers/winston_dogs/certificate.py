"""Certificates of positions of the dog cards with two players."""
from __future__ import annotations

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.winston_dogs import WinstonDogsQuestion
from exactplay.rules.winston_dogs import Move, State
from exactplay.solvers import proofs
from exactplay.solvers.result import Exact
from exactplay.solvers.winston_dogs.exact import TABLE_BYTES, solve


def certify(
    state: State, *, seconds: float | None = None, table_bytes: int = TABLE_BYTES, progress: Progress | None = None
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the CPU ``seconds`` do not suffice."""
    question = WinstonDogsQuestion(state.check())
    deadline = proofs.Deadline(seconds)
    value = proofs.value_of(solve(state, every_move=False, seconds=deadline.left, table_bytes=table_bytes))

    def values(at: State) -> dict[Move, int]:
        found = solve(at, seconds=deadline.left, table_bytes=table_bytes)
        return {
            move: verdict.value for move, verdict in found.moves.items()
            if isinstance(verdict, Exact) and isinstance(verdict.value, int)
        }

    return proofs.certify(question, value, proofs.chooser(question, values), progress)
