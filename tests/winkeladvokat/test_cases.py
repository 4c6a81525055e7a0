"""Winkeladvokat: the reference rules, the native core, and the one against the other."""
from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winkeladvokat import Board, Move, Rules, State, perft
from exactplay.solvers import winkeladvokat as solver
from exactplay.solvers.winkeladvokat.bridge import to_core
from tests import DATA
from tests.winkeladvokat.subject import SUBJECT

PERFT = [json.loads(line) for line in (DATA / "winkeladvokat-perft.jsonl").read_text().splitlines()]


def read(case: dict[str, Any]) -> State:
    return State.parse(case["position"], Rules.from_mapping(case["options"]))


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


def test_default_board() -> None:
    values = Board.rings(8).values
    assert [values[0], values[1], values[9], values[18], values[27], values[63]] == [0, 2, 4, 8, 16, 0]
    assert Board.rings(3).values == (0, 2, 0, 2, 4, 2, 0, 2, 0)
    assert Board.rings(7).values[24] == 16


def test_setup() -> None:
    assert str(State.initial()) == "7R/8/8/8/8/8/8/B7 b 25,25 0,0"
    assert str(State.initial(rules=Rules(start_corners="adjacent"))) == "R7/8/8/8/8/8/8/B7 b 25,25 0,0"
    assert str(State.initial(players=4)) == "R6Y/8/8/8/8/8/8/B6G b 15,15,15,15 0,0,0,0"


def test_a_detour_puts_an_article_on_the_turn() -> None:
    state = State.initial().play(Move.parse("a1-a4-d4"))
    assert str(state) == "7R/8/8/8/b2B4/8/8/8 r 24,25 0,0"
    assert state.scores() == (2, 0)


def test_a_capture_takes_at_once_and_may_go_on_or_stop() -> None:
    state = State.parse("7R/8/8/8/8/2r1r3/1b6/B7 b 24,23 0,0".replace("1b6", "1br5").replace("2r1r3", "3r4"))
    paths = {str(move) for move in state.legal_moves() if move.kind == "capture"}
    assert paths == {"b2xd2", "b2xd2xd4"}
    after = state.play(Move.parse("b2xd2xd4"))
    assert str(after) == "7R/8/8/8/3b4/8/8/B7 r 24,23 2,0"
    assert after.scores() == (18, 0)


def test_captured_value_square() -> None:
    rules = Rules(captured_value="square")
    after = State.parse("7R/8/8/8/8/3r4/1br5/B7 b 24,23 0,0", rules).play(Move.parse("b2xd2xd4"))
    assert after.captured == (4 + 8, 0)


def test_a_capture_may_come_back_to_its_start() -> None:
    state = State.parse("7R/8/8/3r4/2r1r3/2br4/8/B7 b 24,21 0,0")
    assert {str(move) for move in state.legal_moves() if len(move.squares) == 5} == {"c3xe3xe5xc5xc3", "c3xc5xe5xe3xc3"}
    once, other = (state.play(Move.parse(text)) for text in ("c3xe3xe5xc5xc3", "c3xc5xe5xe3xc3"))
    assert once == other
    assert str(once) == "7R/8/8/8/8/2b5/8/B7 r 24,21 4,0"


def test_the_shortest_game() -> None:
    state = State.initial(4)
    for text in ("a1-a2-b2", "d4-d3-a3", "b2-b1-a1"):
        state = state.play(Move.parse(text))
    assert state.to_move == OVER
    assert state.legal_moves() == ()
    assert state.scores() == (4, 2)
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play(Move.parse("a1-a2-b2"))


def test_third_occurrence_ends_the_game() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    state = State.parse("3R/4/4/B3 b 0,0 0,0", rules)
    cycle = ["a1-a2-b2", "d4-d3-c3", "b2-b1-a1", "c3-d3-d4"]
    for text in cycle + cycle[:3]:
        state = state.play(Move.parse(text))
        assert state.to_move != OVER
    state = state.play(Move.parse(cycle[3]))
    assert state.to_move == OVER
    assert to_core(state).finished()


MALFORMED = [
    ("", BadText, "four fields"),
    ("7R/8/8/8/8/8/8/B7 b 25,25", BadText, "four fields"),
    ("7R/8/8/8/8/8/8/B7 b 25,25 0,0 x", BadText, "four fields"),
    ("7R/8/8/8/8/8/8/B7  b 25,25 0,0", BadText, "four fields"),
    ("7R/8/8/8/8/8/8/B6 b 25,25 0,0", IllegalPosition, "rank 1 has 7 squares"),
    ("7R/8/8/8/8/8/B7 b 25,25 0,0", IllegalPosition, "squares"),
    ("1R/B1 b 25,25 0,0", IllegalPosition, "3 to 8"),
    ("7R/8/8/8/8/8/8/B6x b 25,25 0,0", BadText, "'x'"),
    ("7R/8/8/8/8/8/8/B60 b 25,25 0,0", BadText, "'0'"),
    ("9/8/8/8/8/8/8/B7 b 25,25 0,0", BadText, "'9'"),
    ("8/8/8/8/8/8/8/B7 b 25,25 0,0", IllegalPosition, "Red has 0 Lawyers"),
    ("7R/8/8/8/8/8/8/BB6 b 25,25 0,0", IllegalPosition, "Blue has 2 Lawyers"),
    ("7R/8/8/8/8/8/8/B6y b 25,25 0,0", IllegalPosition, "Yellow stands on the board"),
    ("7R/8/8/8/8/8/8/B7 y 25,25 0,0", IllegalPosition, "Yellow is to move"),
    ("7R/8/8/8/8/8/8/B7 x 25,25 0,0", BadText, "to move"),
    ("7R/8/8/8/8/8/8/B6b b 25,25 0,0", IllegalPosition, "at most 25"),
    ("R6Y/8/8/8/8/8/8/B7 b 15,15,16 0,0,0", IllegalPosition, "at most 15"),
    ("7R/8/8/8/8/8/8/B7 b -1,25 0,0", IllegalPosition, "cannot be -1"),
    ("7R/8/8/8/8/8/8/B7 b 25,25 0,-2", IllegalPosition, "cannot be -2"),
    ("7R/8/8/8/8/8/8/B7 b 25,25 0", IllegalPosition, "one a player"),
    ("7R/8/8/8/8/8/8/B7 b 25 0", IllegalPosition, "2, 3 or 4 players"),
    ("7R/8/8/8/8/8/8/B7 b 25,x 0,0", BadText, "whole number"),
    ("7R/8/8/8/8/8/8/B7 b 25,\u0662 0,0", BadText, "whole number"),
    ("R7/8/8/8/8/8/8/B7 b 15,15,15 0,0,0", IllegalPosition, "Yellow has 0 Lawyers"),
]


@pytest.mark.parametrize(("text", "kind", "reason"), MALFORMED, ids=lambda value: str(value)[:40])
def test_malformed_positions_are_refused_with_the_reason(text: str, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        State.parse(text)


def test_a_run_may_be_split_and_is_written_whole() -> None:
    assert str(State.parse("7R/44/8/8/8/8/8/B34 b 25,25 0,0")) == "7R/8/8/8/8/8/8/B7 b 25,25 0,0"


def test_own_numbers() -> None:
    board = Board.from_toml("values = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]")
    assert board.values == (7, 8, 9, 4, 5, 6, 1, 2, 3)
    state = State.initial(board=board).play(Move.parse("a1-a2-b2"))
    assert state.scores() == (4, 0)
    for text, reason in [
        ("values = 3", "one list"), ("values = [[1, 2], [3]]", "numbers"), ("x", "not TOML"),
        ("values = [[1, 2, 3], [4, -5, 6], [7, 8, 9]]", "b2"), ("values = [[1, 2, 3], [4, 5, true], [7, 8, 9]]", "c2"),
        ("values = [[1, 2], [3, 4]]", "3 to 8"),
    ]:
        with pytest.raises((BadText, IllegalPosition), match=reason):
            Board.from_toml(text)


@pytest.mark.parametrize("text", ["a1-a2", "a1-a2-b2-b3", "a1xa", "a9-a2-b2", "i1-a2-b2", "a1 a2 b2", "a1-a2xb2", "a1"])
def test_malformed_moves(text: str) -> None:
    with pytest.raises(BadText):
        Move.parse(text)


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
        assert core.finished() == (state.to_move == OVER)
        if not moves:
            assert tuple(core.scores()) == state.scores()
            return
        move = rng.choice(moves)
        hashed = to_core(state.play(move)).hash_value()
        state = state.play(move)
        assert to_core(state).hash_value() == hashed


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
