"""Winkeladvokat: solve and analyse."""
from __future__ import annotations

import time
from typing import Any

from exactplay.questions.winkeladvokat import answered
from exactplay.rules.winkeladvokat import State
from exactplay.solvers import winkeladvokat as solvers
from exactplay.web.worker import Tell

#: Seconds between two reports.
EVERY = 0.25


def solve(
    tell: Tell, *, state: State, moves: solvers.Moves, nodes: int | None, seconds: float, memory: float
) -> dict[str, Any]:
    """The value, or what is proven when the time is over."""
    duel = solvers.Duel(state.board, state.rules, memory) if state.players == 2 else None
    last = time.monotonic()

    def progress(nodes: int, proof: int, disproof: int) -> None:
        nonlocal last
        if time.monotonic() - last < EVERY:
            return
        last = time.monotonic()
        tell.progress(nodes=nodes, proof_number=proof, disproof_number=disproof)
        if duel is not None:
            tell.partial(answered(state, solvers.proven(state, duel)))

    return answered(state, solvers.solve(
        state, moves=moves, nodes=nodes, seconds=seconds, megabytes=memory, progress=progress, duel=duel,
        catch_interrupt=False,
    ))


def analyse(tell: Tell, *, state: State, seconds: float, memory: float, seed: int) -> dict[str, Any]:
    """The best guess so far, again and again, until it is exact or the time is over."""
    result = solvers.analyse(
        state, seconds=seconds, megabytes=memory, seed=seed, update=lambda now: tell.partial(answered(state, now))
    )
    return answered(state, result)
