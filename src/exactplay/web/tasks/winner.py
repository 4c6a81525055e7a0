"""Winner: solve, advise, and the fewest plays that shed a hand."""
from __future__ import annotations

from typing import Any

from exactplay.questions.winner import split
from exactplay.rules.winner import Cards, State, View
from exactplay.solvers import winner as solvers
from exactplay.web.tasks.hidden import counter
from exactplay.web.worker import Tell


def solve(
    tell: Tell, *, state: State, objective: solvers.Objective, every_move: bool, seconds: float, memory: int
) -> dict[str, Any]:
    """The value of open hands, or what is proven when the time is over."""
    report = counter(tell, "nodes")
    return solvers.solve(
        state, objective, every_move=every_move, seconds=seconds, table_mb=memory,
        progress=lambda nodes, _: report(nodes),
    ).to_json()


def advise(
    tell: Tell, *, view: View, objective: solvers.Objective, seconds: float, samples: int, seed: int
) -> dict[str, Any]:
    """What to play without seeing the other hands."""
    return solvers.advise(
        view, objective, samples=samples, seconds=seconds, seed=seed, progress=counter(tell, "worlds")
    ).to_json()


def plays(tell: Tell, *, hand: Cards) -> dict[str, Any]:
    """The fewest combinations that shed a hand."""
    return split(solvers.fewest_plays(hand))
