"""Winston, the dog cards: solve and advise."""
from __future__ import annotations

from typing import Any

from exactplay.rules.winston_dogs import State, View
from exactplay.solvers import winston_dogs as solvers
from exactplay.web.tasks.hidden import counter
from exactplay.web.worker import Tell


def solve(tell: Tell, *, state: State, every_move: bool, seconds: float, memory: int) -> dict[str, Any]:
    """The value of a position with every card known, or what is proven when the time is over."""
    return solvers.solve(
        state, every_move=every_move, seconds=seconds, table_bytes=memory << 20, progress=counter(tell, "nodes")
    ).to_json()


def advise(tell: Tell, *, view: View, turns: int | None, seconds: float, samples: int, seed: int) -> dict[str, Any]:
    """What to play without seeing the hidden cards."""
    return solvers.advise(
        view, turns=turns, samples=samples, seconds=seconds, seed=seed, progress=counter(tell, "worlds")
    ).to_json()
