"""Certificates of Winkeladvokat positions: values by proof-number search, proofs of little search."""
from __future__ import annotations

from collections.abc import Sequence

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.winkeladvokat import WinkeladvokatQuestion
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers import proofs
from exactplay.solvers.winkeladvokat.duel import Budget, Duel, Option, OutOfBudget
from exactplay.solvers.winkeladvokat.native import to_core
from exactplay.solvers.winkeladvokat.solving import solve


def certify(
    state: State, *, seconds: float | None = None, megabytes: float = 512.0, progress: Progress | None = None
) -> Certificate:
    """The certificate of a two-player position's value; raises NotProven where the CPU ``seconds`` do not suffice."""
    question = WinkeladvokatQuestion(state)
    deadline = proofs.Deadline(seconds)
    duel = Duel(state.board, state.rules, megabytes)
    value = proofs.value_of(solve(state, moves="value", seconds=deadline.left, duel=duel, catch_interrupt=False))

    def choose(at: State, moves: Sequence[Move], least: int) -> int:
        own, other = (at.scores()[player] for player in (at.turn, 1 - at.turn))
        try:
            option = easiest(duel, at, least - (own - other), Budget(seconds=deadline.left))
        except OutOfBudget:
            raise deadline.missed from None
        return moves.index(option.moves[0])

    return proofs.certify(question, value, choose, progress)


def easiest(duel: Duel, at: State, least: int, budget: Budget) -> Option:
    """Of the moves that bring at least ``least`` one that takes as little search to prove as may be.

    Moves that end the game come first, then those with few replies. How much search a move may take grows fourfold until
    one is proven: a move whose proof is found soon has a small proof (measured: the whole 5 x 5 board in 2,449 positions).
    """
    options = duel.options(to_core(at))
    for option in options:
        if option.after.finished() and option.gain >= least:
            return option
    replies = {id(option): len(option.after.moves()) for option in options}
    options.sort(key=lambda option: replies[id(option)])
    effort = 1
    while True:
        for option in options:
            if duel.holds(option, least, budget, effort):
                return option
        effort *= 4
