"""Certificates of Winkeladvokat positions: values by proof-number search, proofs of little search."""
from __future__ import annotations

from collections.abc import Sequence

from exactplay.certificates.format import Certificate
from exactplay.certificates.winkeladvokat import WinkeladvokatQuestion
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers import proofs
from exactplay.solvers.limits import Budget, Limits, Progress
from exactplay.solvers.result import Result
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import Duel, Option
from exactplay.solvers.winkeladvokat.exact import solve


def certify(state: State, *, limits: Limits | None = None, progress: Progress | None = None) -> Certificate:
    """The certificate of a two-player position's value; raises NotProven where the limits do not suffice."""
    question = WinkeladvokatQuestion(state)
    limits = limits or Limits()
    return proofs.certify(question, _Prover(Duel(state.board, state.rules, limits.memory_mb or 512.0)), limits, progress)


class _Prover:
    """Asks one duel, whose table keeps what was proven."""

    def __init__(self, duel: Duel) -> None:
        self._duel = duel

    def value(self, state: State, limits: Limits) -> Result[Move]:
        return solve(state, moves="value", limits=limits, duel=self._duel)

    def choose(self, state: State, moves: Sequence[Move], least: int, limits: Limits) -> int:
        own, other = (state.scores()[player] for player in (state.turn, 1 - state.turn))
        return moves.index(easiest(self._duel, state, least - (own - other), Budget(limits)).moves[0])


def easiest(duel: Duel, at: State, least: int, budget: Budget) -> Option:
    """Of the moves that bring at least ``least`` one that takes as little search to prove as may be.

    Moves that end the game come first, then those with few replies. How much search a move may take grows fourfold until
    one is proven: a move whose proof is found soon has a small proof (measured: the whole 5 x 5 board in 2,449 positions).
    """
    options = duel.options(to_core(at))
    for option in options:
        if option.after.to_move == OVER and option.gain >= least:
            return option
    replies = {id(option): len(option.after.legal_moves()) for option in options}
    options.sort(key=lambda option: replies[id(option)])
    effort = 1
    while True:
        for option in options:
            if duel.holds(option, least, budget, effort):
                return option
        effort *= 4
