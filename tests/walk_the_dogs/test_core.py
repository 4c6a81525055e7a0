"""The native core where games seldom lead: refusals, long lines, wide windows, rare moves."""
from __future__ import annotations

import dataclasses
import random
import threading
from collections.abc import Callable

import numpy as np
import pytest

from exactplay.cython_core.walk_the_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.walk_the_dogs.arranging import best_additions, most_points
from exactplay.cython_core.walk_the_dogs.maxn import MaxN
from exactplay.cython_core.walk_the_dogs.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.walk_the_dogs import State
from exactplay.solvers.walk_the_dogs.bridge import moves_of, position_of
from tests.shared.subject import random_move
from tests.walk_the_dogs.reference import drawn, minimax, small_state
from tests.walk_the_dogs.subject import Native

TWO = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=- turn=0"
THREE = "middle=SPOGDC lines=S/P/O hands=g1/g1/g2 deck=- turn=0"
UNKNOWN_ORDER = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=?g1,g2 turn=0"


def at(text: str) -> Position:
    return position_of(State.parse(text))


def unshuffled(players: int) -> State:
    """A deal with a known order of the pile, the first draw played."""
    return drawn(dataclasses.replace(State.deal(random.Random(3), players), shuffled=False))


def begun(text: str = TWO) -> AlphaBeta:
    search = AlphaBeta(1 << 16)
    search.begin(at(text), True)
    return search


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: best_additions(b"\x00", b"\x00" * 4, True), "at most three dogs"),
    (lambda: best_additions(b"\x00" * 64, b"\x00", True), "at most 63"),
    (lambda: most_points(b"\x00" * 5, b"\x00" * 5, True), "at most nine dogs of a breed"),
    (lambda: begun(THREE), "two players and a known order"),
    (lambda: begun(UNKNOWN_ORDER), "two players and a known order"),
    (lambda: begun().bounds(at(THREE), -9, 9), "not one of the game that begin"),
    (lambda: begun().bounds(at(TWO), 3, 3), "no value lies between 3 and 3"),
    (lambda: MaxN(True, 1 << 16).values(at(UNKNOWN_ORDER)), "known order of the pile"),
])
def test_refusals(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_values_with_an_open_window_equal_minimax() -> None:
    rng = random.Random(8)
    search = AlphaBeta(1 << 16)
    for _ in range(60):
        state = drawn(small_state(rng))
        value = minimax(state, {})["points"]
        value = {1000: 20_000, -1000: -20_000}.get(value, value)  # five in a row
        search.begin(position_of(state), True)
        for low, high in ((-30_000, 30_000), (value - 1, value + 1), (-30_000, 30_000)):
            if state.to_move != OVER:
                assert search.bounds(position_of(state), low, high) == (value, value), str(state)


def test_values_with_long_lines_equal_minimax() -> None:
    """More groups of dogs than the search keeps: beyond reach of either end only the longest run counts."""
    long = "SPOGDC" * 3 + "CC" + "SPOGDC" * 3
    search = AlphaBeta(1 << 16)
    for hands in ("g1,r1/g2,y", "g2,le/g1,r1"):
        state = drawn(State.parse(f"middle=SPO lines={long}/PS hands={hands} deck=g1,r2 turn=0"))
        value = minimax(state, {})["points"]
        search.begin(position_of(state), True)
        assert search.bounds(position_of(state), -30_000, 30_000) == (value, value)


def test_what_was_played_is_shuffled_into_a_new_pile() -> None:
    rng = random.Random(2)
    for _ in range(60):
        state = State.parse("middle=SPOGDCSPOGDC lines=-/- hands=g1,g2/r1,g1 deck=?g1 discards=g1,r2,y turn=0 phase=play")
        native = Native.of(state)
        while state.to_move != OVER:
            assert str(native) == str(state)
            assert native.chance_outcomes() == state.chance_outcomes()
            move = random_move(rng, state)
            state, native = state.play(move), native.play(move)
        assert native.scores() == state.scores()


def test_games_of_two_that_are_played_out_count_points() -> None:
    state = State.parse("middle=S lines=SS/PP hands=g1/- deck=- turn=0 phase=play")
    codes = moves_of(position_of(state))
    wanted = [state.play(move).utilities("points")[0] for move in codes]
    means = np.asarray(position_of(state).play_out(list(codes.values()), 10, 1, True))
    assert means.reshape(len(codes), -1)[:, 0].tolist() == wanted


def test_searches_fit_a_thread_with_a_small_stack() -> None:
    """Whole deals: lines of play of sixty turns and more."""
    done: list[object] = []

    def run() -> None:
        two, four = (position_of(unshuffled(players)) for players in (2, 4))
        search, many = AlphaBeta(1 << 16), MaxN(True, 1 << 24)
        search.begin(two, True)
        search.limit(20_000)
        many.limit(20_000)
        done.append(search.bounds(two, -30_000, 30_000))
        done.append(many.values(four))

    before = threading.stack_size(128 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert done == [None, None]


def test_two_threads_do_not_share_a_search() -> None:
    two, four = (position_of(unshuffled(players)) for players in (2, 4))
    search, many = AlphaBeta(1 << 16), MaxN(True, 1 << 24)
    search.begin(two, True)

    def meet(again: Callable[[], object]) -> Callable[[int], bool]:
        def poll(_: int) -> bool:
            with pytest.raises(RuntimeError, match="another thread"):
                again()
            return True

        return poll

    for again in (lambda: search.bounds(two, -9, 9), lambda: search.begin(two, True), search.limit):
        search.limit(poll=meet(again))
        assert search.bounds(two, -30_000, 30_000) is None
    for once_more in (lambda: many.values(four), many.limit):
        many.limit(poll=meet(once_more))
        assert many.values(four) is None
    many.limit()
    assert many.values(at(THREE)) is not None
