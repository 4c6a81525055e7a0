"""Walk the Dogs: solve and advise."""
from __future__ import annotations

from typing import Any, Literal

from exactplay.rules.walk_the_dogs import State, View
from exactplay.rules.walk_the_dogs.state import Objective
from exactplay.solvers import walk_the_dogs as solvers
from exactplay.web.tasks.hidden import counter
from exactplay.web.worker import Tell


def solve(
    tell: Tell, *, state: State, objective: Objective, every_move: bool, seconds: float, memory: int
) -> dict[str, Any]:
    """The value of open hands and a known pile, or what is proven when the time is over."""
    return solvers.solve(
        state, objective, all_moves=every_move, seconds=seconds, table_bytes=memory << 20,
        progress=counter(tell, "positions"),
    ).to_json()


def advise(
    tell: Tell, *, view: View, objective: Objective, method: Literal["auto", "solve", "play out"], seconds: float,
    samples: int, seed: int,
) -> dict[str, Any]:
    """What to play without seeing the other hands."""
    return solvers.advise(
        view, objective, method=method, samples=samples, seconds=seconds, seed=seed, progress=counter(tell, "worlds")
    ).to_json()
