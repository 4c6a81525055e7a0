"""Certificates of Walk the Dogs positions with two players, open hands and a known order of the pile."""
from __future__ import annotations

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.walk_the_dogs import WalkTheDogsQuestion
from exactplay.rules.walk_the_dogs import Move, State
from exactplay.rules.walk_the_dogs.state import Objective
from exactplay.solvers import proofs
from exactplay.solvers.walk_the_dogs.play import TABLE_BYTES, TwoPlayers


def certify(
    state: State, objective: Objective = "points", *, seconds: float | None = None, table_bytes: int = TABLE_BYTES,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a position's value; raises NotProven where the CPU ``seconds`` do not suffice."""
    question = WalkTheDogsQuestion(state, objective)
    deadline = proofs.Deadline(seconds)
    solver = TwoPlayers(table_bytes)
    value = proofs.value_of(solver.solve(question.root, objective, all_moves=False, seconds=deadline.left))

    def values(at: State) -> dict[Move, int]:
        found = solver.values(at, objective, seconds=deadline.left) or {}
        sign = 1 if at.to_move == 0 else -1
        return {move: sign * value for move, value in found.items()}

    return proofs.certify(question, value, proofs.chooser(question, values), progress)
