"""The native cores where games seldom lead: refusals, limits, Ctrl-C, long lines, wide windows, rare moves."""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from exactplay.solvers.walk_the_dogs.native import NativeState, moves_of, position

from exactplay.cython_core.walk_the_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.walk_the_dogs.arranging import best_additions, most_points
from exactplay.cython_core.walk_the_dogs.maxn import MaxN
from exactplay.cython_core.winston84.kernel import set_flavour
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import State
from tests.walk_the_dogs.reference import drawn, minimax, small_state

TWO = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=- turn=0"
THREE = "middle=SPOGDC lines=S/P/O hands=g1/g1/g2 deck=- turn=0"
UNKNOWN_ORDER = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=?g1,g2 turn=0"


def at(text: str) -> Any:
    return position(State.parse(text))


def begun(text: str = TWO) -> AlphaBeta:
    searcher = AlphaBeta(1 << 16)
    searcher.begin(at(text), True)
    return searcher


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: best_additions(b"\x00", b"\x00" * 4, True), "at most three dogs"),
    (lambda: best_additions(b"\x00" * 64, b"\x00", True), "at most 63"),
    (lambda: most_points(b"\x00" * 5, b"\x00" * 5, True), "at most nine dogs of a breed"),
    (lambda: begun(THREE), "two players and a known order"),
    (lambda: begun(UNKNOWN_ORDER), "two players and a known order"),
    (lambda: begun().bounds(at(THREE), -9, 9), "not one of the game that begin"),
    (lambda: begun().bounds(at(TWO), 3, 3), "no value lies between 3 and 3"),
    (lambda: MaxN(True, 1 << 16).values(at(UNKNOWN_ORDER)), "known order of the pile"),
    (lambda: set_flavour(99), "no flavour 99"),
])
def test_refusals(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_max_n_hears_its_caller() -> None:
    start = at("middle=SPOGDCBSPOGDCBSPO lines=S/P/O hands=g1,g2,g3,r1/g1,g2,r2/g2,g3,y "
               "deck=g1,g2,g3,r1,r2,r3,y,g1,g2,g3,r1,r2,r3 turn=0")
    searcher = MaxN(True, 1 << 16)
    searcher.limit(seconds=0.0)
    assert searcher.values(start) is None

    def interrupt(nodes: int) -> None:
        raise KeyboardInterrupt

    searcher.limit(progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        searcher.values(start)


def test_walk_values_with_an_open_window_equal_minimax() -> None:
    rng = random.Random(8)
    searcher = AlphaBeta(1 << 16)
    for _ in range(60):
        state = drawn(small_state(rng))
        value = minimax(state, {})["points"]
        value = {1000: 20_000, -1000: -20_000}.get(value, value)  # five in a row
        searcher.begin(position(state), True)
        for low, high in ((-30_000, 30_000), (value - 1, value + 1), (-30_000, 30_000)):
            if state.to_move != OVER:
                assert searcher.bounds(position(state), low, high) == (value, value), str(state)


def test_walk_values_with_long_lines_equal_minimax() -> None:
    """More groups of dogs than the search keeps: beyond reach of either end only the longest run counts."""
    long = "SPOGDC" * 3 + "CC" + "SPOGDC" * 3
    searcher = AlphaBeta(1 << 16)
    for hands in ("g1,r1/g2,y", "g2,le/g1,r1"):
        state = drawn(State.parse(f"middle=SPO lines={long}/PS hands={hands} deck=g1,r2 turn=0"))
        value = minimax(state, {})["points"]
        searcher.begin(position(state), True)
        assert searcher.bounds(position(state), -30_000, 30_000) == (value, value)


def test_walk_shuffles_what_was_played_into_a_new_pile() -> None:
    rng = random.Random(2)
    for _ in range(60):
        state = State.parse("middle=SPOGDCSPOGDC lines=-/- hands=g1,g2/r1,g1 deck=?g1 discards=g1,r2,y turn=0 phase=play")
        native = NativeState.of(state)
        while state.to_move != OVER:
            assert str(native) == str(state)
            outcomes = state.chance_outcomes()
            assert native.chance_outcomes() == outcomes
            move = rng.choice([move for move, _ in outcomes] if state.to_move == CHANCE else list(state.legal_moves()))
            state, native = state.play(move), native.play(move)
        assert native.scores() == state.scores()


def test_walk_counts_the_points_of_games_of_two_that_it_plays_out() -> None:
    state = State.parse("middle=S lines=SS/PP hands=g1/- deck=- turn=0 phase=play")
    at = position(state)
    codes = moves_of(at)
    wanted = [state.play(move).utilities("points")[0] for move in codes if state.play(move).to_move == OVER]
    assert len(wanted) == len(codes)
    means = np.asarray(at.play_out(list(codes.values()), 10, 1, True))
    assert means.reshape(len(codes), -1)[:, 0].tolist() == wanted
