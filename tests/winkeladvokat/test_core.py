"""Winkeladvokat's core against the reference: paths counted, positions hashed, random games, what it takes over."""
from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import OVER, BadOption
from exactplay.rules.winkeladvokat import Board, State, perft
from exactplay.solvers import winkeladvokat as solver
from exactplay.solvers.winkeladvokat import divide
from exactplay.solvers.winkeladvokat.bridge import from_move, to_core
from tests import DATA
from tests.winkeladvokat.subject import SUBJECT

PERFT = [json.loads(line) for line in (DATA / "winkeladvokat-perft.jsonl").read_text().splitlines()]
#: a1 and b2 of Blue; his Article can go round four of Red's, either way.
DIAMOND = "4R/2r2/1r1r1/1br2/B4 b 2,2 0,0"


def read(case: dict[str, Any]) -> State:
    return State.parse(case["position"], case["options"])


@pytest.mark.parametrize("case", PERFT, ids=lambda case: f"{case['kind']}: {case['position']} {case['options'] or ''}")
def test_perft_file(case: dict[str, Any]) -> None:
    state = read(case)
    assert (state.to_move == OVER) == case["terminal"]
    core = to_core(state)
    for depth, (paths, distinct) in enumerate(zip(case["paths"], case["distinct"], strict=True), 1):
        assert core.perft(depth) == paths
        if distinct < 5_000_000:
            assert core.perft(depth, distinct=True) == distinct
        if paths < 5_000_000:
            assert core.perft(depth, bulk=False) == paths
        if paths <= 120:
            assert perft(state, depth) == paths
            assert perft(state, depth, distinct=True) == distinct


def test_divide_adds_up() -> None:
    state = State.initial(5)
    parts = solver.divide(state, 3)
    assert set(parts) == set(state.legal_moves())
    assert sum(parts.values()) == solver.perft(state, 3).paths == 12872
    assert solver.perft(state, 0) == (1, 1)


def test_counts() -> None:
    state = State.parse(DIAMOND)
    assert solver.perft(state, 0)._asdict() == {"paths": 1, "distinct": 1}
    assert solver.perft(state, 2)._asdict() == {"paths": 216, "distinct": 190}
    parts = {str(move): paths for move, paths in divide(state, 2).items()}
    assert len(parts) == 16
    assert (parts["a1-a5-d5"], parts["b2xb4"], parts["b2xb4xd4xd2xb2"]) == (8, 10, 26)
    assert set(divide(state, 1).values()) == {1}
    over = State.parse("2R/3/B2 b 1,1 0,0")
    assert solver.perft(over, 1_000) == (0, 0)
    assert set(divide(over, 1_000).values()) == {0}


@pytest.mark.parametrize("depth", [-1, 1_001])
def test_a_depth_out_of_reach_is_refused(depth: int) -> None:
    for count in (solver.perft, divide):
        with pytest.raises(BadOption, match="depth is"):
            count(State.initial(3), depth)


def test_numbers_too_large_for_the_core_are_refused() -> None:
    most = Board(3, (999_991, *[1] * 7, 2))
    assert to_core(State.initial(3, board=most)).scores() == (0, 0)
    assert to_core(State.parse("2R/3/B2 b 1,1 0,1000000")).scores() == (0, 1_000_000)
    for state in (
        State.initial(3, board=Board(3, (999_991, *[1] * 7, 3))), State.parse("2R/3/B2 b 1,1 0,1000001"),
        State.parse("2R/3/B2 b 1,1 1000001,0"),
    ):
        with pytest.raises(ValueError, match="must be at most 1000000"):
            to_core(state)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), which=st.integers(0, len(SUBJECT.all_settings()) - 1))
def test_the_core_counts_what_the_reference_lists_under_every_combination(seed: int, which: int) -> None:
    rng = random.Random(seed)
    state = SUBJECT.start(rng, SUBJECT.all_settings()[which])
    for _ in range(12):
        core = to_core(state)
        moves = state.legal_moves()
        assert core.perft(1) == len(moves)
        assert core.perft(1, distinct=True) == len({state.play(move) for move in moves})
        assert core.to_move == state.to_move
        if not moves:
            assert core.scores() == state.scores()
            return
        move = rng.choice(moves)
        state = state.play(move)
        assert core.play(from_move(move)).hash_value == to_core(state).hash_value


def test_random_games_are_repeatable_and_end() -> None:
    core = to_core(State.initial(6))
    once = core.random_games(500, 7, 0)
    assert once == core.random_games(500, 7, 0)
    assert once != core.random_games(500, 8, 0)
    games, plies, total, squares = once
    assert games == 500
    assert 3 * games < plies < 60 * games
    assert squares >= total**2 / games


def test_many_capture_paths_are_listed_whole() -> None:
    # A lattice of opposing Articles with free squares between: thousands of paths of one Article.
    text = "B2r1r1R/1r3r1r/8/1r1r1r1r/8/1r1r3r/b1r1r3/8 b 20,8 0,0"
    state = State.parse(text)
    moves = state.legal_moves()
    assert len(moves) == to_core(state).perft(1)
    assert to_core(state).perft(1, distinct=True) == len({state.play(move) for move in moves})
