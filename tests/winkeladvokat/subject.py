"""Winkeladvokat in the contract battery."""
from __future__ import annotations

import dataclasses
import random

from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Board, Rules, State
from exactplay.solvers.winkeladvokat.bridge import NativeState
from tests.shared.subject import Subject


def start(rng: random.Random, rules: Rules) -> State:
    """A position some random plies from the start, on any size, with any number of players, short of Articles or not."""
    size = rng.choice([3, 4, 4, 5, 5, 6, 7, 8])
    players = rng.choice([2, 2, 3, 4])
    board = Board.rings(size) if rng.random() < 0.7 else Board(size, tuple(rng.randrange(20) for _ in range(size**2)))
    state = State.initial(size, players, rules, board)
    supply = rng.choice([2, 5, 15]) if size < 7 else 15
    state = dataclasses.replace(state, supply=(supply,) * players)
    for _ in range(rng.choice([0, 0, 2, 5])):
        after = state.play(rng.choice(state.legal_moves())) if state.to_move != OVER else state
        if after.to_move == OVER:
            break
        state = after
    return state


def score_range(state: State) -> tuple[int, int]:
    """Every number on the board, and every opposing Article captured at the highest number."""
    most = max(1, *state.board.values)
    return 0, sum(state.board.values) + 50 * most + max(state.captured)


def late(rng: random.Random) -> State:
    """A position of two players, or of three and four on a small board, that is solved at once."""
    size, players, supply = rng.choice([(4, 2, 4), (5, 2, 3), (3, 3, 2), (3, 4, 2)])
    state = dataclasses.replace(State.initial(size, players), supply=(supply,) * players)
    return next(after for after in SUBJECT.walk(rng, state) if after.to_move != OVER)


SUBJECT = Subject(
    game="winkeladvokat",
    start=start,
    native=NativeState.of,
    score_range=score_range,
    max_plies=10_000,
    late=late,
    large=lambda rng: State.initial(),
)
