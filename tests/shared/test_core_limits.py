"""The native cores where games seldom lead: refusals, limits, Ctrl-C, long lines, wide windows, rare moves."""
from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from exactplay.solvers.walk_the_dogs.native import NativeState, moves_of, position

from exactplay.cython_core.walk_the_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.walk_the_dogs.arranging import best_additions, most_points
from exactplay.cython_core.walk_the_dogs.maxn import MaxN
from exactplay.cython_core.winkeladvokat_dfpn import WinkeladvokatSearch
from exactplay.cython_core.winston84.kernel import set_flavour
from exactplay.rules import winkeladvokat
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import State
from exactplay.solvers.winkeladvokat.bridge import core_options, to_core
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


def question(size: int) -> tuple[WinkeladvokatSearch, Any, Callable[[], WinkeladvokatSearch]]:
    """A search of the first position of a board, the position, and how to make another search."""
    state = winkeladvokat.State.initial(size)
    values = [0] * 64
    for square, value in enumerate(state.board.values):
        values[8 * (square // size) + square % size] = value
    turn, articles, lawyers, supply, _ = to_core(state).fields()

    def search() -> WinkeladvokatSearch:
        return WinkeladvokatSearch(size, values, core_options(state.rules), 1.0)

    return search(), (turn, list(articles), list(lawyers), list(supply)), search


def test_winkeladvokat_stops_at_its_clock() -> None:
    search, asked, _ = question(7)
    answer, proof, disproof = search.prove(asked, 4, 10**9, 0.0)
    assert answer is None
    assert proof > 0
    assert disproof > 0
    assert search.nodes < 10_000


def test_winkeladvokat_tells_what_is_proven_and_hands_it_on() -> None:
    search, asked, another = question(6)
    assert search.numbers(asked, 3) is None
    assert search.prove(asked, 3, 10**9, 600.0)[0] is True
    assert search.numbers(asked, 3) == (0, 1 << 30)
    assert search.prove(asked, 4, 10**9, 600.0)[0] is False
    assert search.numbers(asked, 4) == (1 << 30, 0)
    assert search.entries(255) == b""
    other = another()
    other.add_entries(search.entries(0))
    assert other.bounds(asked) == search.bounds(asked) == (3, 3)


def test_winkeladvokat_hears_ctrl_c_while_it_counts_and_plays() -> None:
    program = (
        "import signal, threading\n"
        "from exactplay.rules.winkeladvokat import State\n"
        "from exactplay.solvers.winkeladvokat.bridge import to_core\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "at = to_core(State.initial())\n"
        "for work in (lambda: at.perft(9), lambda: at.random_games(10**9, 1, 0)):\n"
        "    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        "    try:\n"
        "        work()\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert finished.stdout == "interrupted\n" * 2


def test_winkeladvokat_plays_games_without_articles_to_their_end() -> None:
    """Nothing is placed or captured, so every game ends by repetition with the scores of its beginning."""
    rules = winkeladvokat.Rules(empty_supply="moves_without_placing")
    state = winkeladvokat.State.parse("b3R/5/2b2/5/B4 b 0,0 3,0", rules)
    at = to_core(state)
    games, plies, total, squares = at.random_games(50, 1, 0)
    margin = state.scores()[0] - state.scores()[1]
    assert margin > 0
    assert (games, total, squares) == (50, 50 * margin, 50 * margin**2)
    assert plies > 50 * 4
    assert at.play(*at.moves()[0]).earlier() == [at.code()]


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
