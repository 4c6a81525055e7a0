"""Counting what can be played (perft)."""
from __future__ import annotations

from typing import NamedTuple

from exactplay.common.words import whole
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers.winkeladvokat.bridge import from_move, to_core

#: No game in reach of counting is longer, and the core keeps room for so many positions.
MOST_PLIES = 1_000


class Count(NamedTuple):
    """Paths of so many plies, and the same with moves that lead to one position counted once."""

    paths: int
    distinct: int


def perft(state: State, depth: int) -> Count:
    """Count to ``depth`` plies; a finished game has one path of 0 plies and no longer one."""
    depth = whole(depth, "depth", 0, MOST_PLIES)
    core = to_core(state)
    return Count(core.perft(depth), core.perft(depth, distinct=True))


def divide(state: State, depth: int) -> dict[Move, int]:
    """The paths of ``depth`` plies that begin with each legal move."""
    depth = whole(depth, "depth", 1, MOST_PLIES)
    core = to_core(state)
    return {move: core.play(from_move(move)).perft(depth - 1) for move in state.legal_moves()}
