"""Winkeladvokat: what the reference rules allow, and when a game is over."""
from __future__ import annotations

import pytest

from exactplay.rules.contract import OVER, BadOption, IllegalMove
from exactplay.rules.winkeladvokat import Board, Move, Rules, State, perft
from exactplay.solvers.winkeladvokat.bridge import to_core

START = "7R/8/8/8/8/8/8/B7 b 25,25 0,0"


def texts(state: State, kind: str = "") -> list[str]:
    return [str(move) for move in state.legal_moves() if move.kind == (kind or move.kind)]


def test_options_are_those_of_the_rules_page() -> None:
    assert Rules.options() == {
        "end_check": ("immediate", "on_turn"),
        "blocked_when": ("no_detour", "no_step"),
        "empty_supply": ("blocks", "moves_without_placing"),
        "capture_directions": ("orthogonal", "diagonal", "both"),
        "captured_value": ("one", "square"),
        "start_corners": ("opposite", "adjacent"),
    }
    assert set(Rules.explained) == set(Rules.options())
    with pytest.raises(BadOption, match="winkeladvokat has end_check"):
        Rules.from_mapping({"x": 1})


def test_default_board() -> None:
    values = Board.rings(8).values
    assert [values[0], values[1], values[9], values[18], values[27], values[63]] == [0, 2, 4, 8, 16, 0]
    assert Board.rings(3).values == (0, 2, 0, 2, 4, 2, 0, 2, 0)
    assert Board.rings(7).values[24] == 16


def test_setup() -> None:
    assert str(State.initial()) == "7R/8/8/8/8/8/8/B7 b 25,25 0,0"
    assert State.initial(rules=Rules(start_corners="adjacent")).placement == "R7/8/8/8/8/8/8/B7 b 25,25 0,0"
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
    after = State.parse("7R/8/8/8/8/3r4/1br5/B7 b 24,23 0,0", rules.changed()).play(Move.parse("b2xd2xd4"))
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
    state = State.parse("3R/4/4/B3 b 0,0 0,0", rules.changed())
    cycle = ["a1-a2-b2", "d4-d3-c3", "b2-b1-a1", "c3-d3-d4"]
    for text in cycle + cycle[:3]:
        state = state.play(Move.parse(text))
        assert state.to_move != OVER
    state = state.play(Move.parse(cycle[3]))
    assert state.to_move == OVER
    assert to_core(state).to_move == OVER


def test_detours_turn_by_a_right_angle_and_pass_empty_squares_only() -> None:
    state = State.parse("r2R/4/1r2/B1b1 b 9,9 0,0")
    # Along rank 1 only b1 is free, above it stands an Article; along the a-file a2 (b2 is taken) and a3.
    assert texts(state) == ["a1-a3-b3", "a1-a3-c3", "a1-a3-d3"]


@pytest.mark.parametrize(
    ("directions", "captures"),
    [
        ("orthogonal", ["c3xa3", "c3xc1", "c3xc5", "c3xe3"]),
        ("diagonal", ["c3xa1", "c3xa5", "c3xe1", "c3xe5"]),
        ("both", ["c3xa1", "c3xa3", "c3xa5", "c3xc1", "c3xc5", "c3xe1", "c3xe3", "c3xe5"]),
    ],
)
def test_capture_directions(directions: str, captures: list[str]) -> None:
    rules = Rules.from_mapping({"capture_directions": directions})
    state = State.parse("6/1B4/1rrr2/1rbr2/1rrr2/3R2 b 9,9 0,0", rules.changed())
    assert [text for text in texts(state, "capture") if text.count("x") == 1] == captures


def test_nobody_jumps_a_lawyer_an_own_article_or_two_in_a_row() -> None:
    for board in ("4B/5/bR3/5/5", "4R/5/bB3/5/5", "B3R/5/bb3/5/5", "B3R/5/brr2/5/5", "B3R/5/b1r2/5/5"):
        assert texts(State.parse(f"{board} b 9,9 0,0"), "capture") == []


def test_lawyers_block_the_landing_square_and_an_edge_ends_the_board() -> None:
    assert texts(State.parse("B4/5/brR2/5/5 b 9,9 0,0"), "capture") == []
    assert texts(State.parse("B3R/5/3br/5/5 b 9,9 0,0"), "capture") == []
    assert texts(State.parse("B3R/5/2br1/5/5 b 9,9 0,0"), "capture") == ["c3xe3"]


def test_with_three_players_everybody_else_is_opposing() -> None:
    state = State.parse("R3Y/5/1rby1/5/B4 b 9,9,9 0,0,0")
    assert texts(state, "capture") == ["c3xa3", "c3xe3"]
    after = state.play(Move.parse("c3xe3"))
    assert str(after) == "R3Y/5/1r2b/5/B4 r 9,9,9 1,0,0"


def test_turns_go_round() -> None:
    state = State.initial(5, 4)
    for text, colour in (("a1-a2-b2", "r"), ("a5-b5-b4", "y"), ("e5-e4-d4", "g"), ("e1-d1-d2", "b")):
        state = state.play(Move.parse(text))
        assert str(state).split(" ")[1] == colour
    assert state.supply == (14, 14, 14, 14)
    assert state.scores() == (2, 2, 2, 2)


def test_an_illegal_move_is_refused_with_its_reason() -> None:
    with pytest.raises(IllegalMove) as error:
        State.parse(START).play(Move.parse("a1-b1-b1"))
    assert str(error.value) == f"a1-b1-b1 cannot be played: it is not a legal move of Blue in {START}"
    with pytest.raises(IllegalMove) as error:
        State.parse("R2/3/B2 b 0,1 0,0").play(Move.parse("a1-a2-b2"))
    assert str(error.value) == "a1-a2-b2 cannot be played: the game is over in R2/3/B2 b 0,1 0,0"


@pytest.mark.parametrize(
    ("position", "options", "over"),
    [
        # Red is shut in: over at once, or only when it is his turn.
        ("1rR/2r/B2 b 5,5 0,0", {}, True),
        ("1rR/2r/B2 b 5,5 0,0", {"end_check": "on_turn"}, False),
        ("1rR/2r/B2 r 5,5 0,0", {"end_check": "on_turn"}, True),
        # Red has a free neighbour and no turn from it.
        ("1r1R/2rr/4/B3 b 5,5 0,0", {}, True),
        ("1r1R/2rr/4/B3 b 5,5 0,0", {"blocked_when": "no_step"}, False),
        # Neither a detour nor a capture: the game ends although a neighbour is free.
        ("1r1R/2rr/4/B3 r 5,5 0,0", {"blocked_when": "no_step"}, True),
        # He has a capture then.
        ("1r1R/2rr/3b/B3 r 5,5 0,0", {"blocked_when": "no_step"}, False),
        # Nothing in supply.
        ("2R/3/B2 b 5,0 0,0", {}, True),
        ("2R/3/B2 b 5,0 0,0", {"end_check": "on_turn"}, False),
        ("2R/3/B2 b 5,0 0,0", {"blocked_when": "no_step"}, True),
        ("2R/3/B2 b 5,0 0,0", {"empty_supply": "moves_without_placing"}, False),
        ("1rR/2r/B2 b 5,0 0,0", {"empty_supply": "moves_without_placing"}, True),
    ],
)
def test_when_the_game_is_over(position: str, options: dict[str, str], over: bool) -> None:
    state = State.parse(position, options)
    assert (state.to_move == OVER) is over
    assert (state.legal_moves() == ()) is over
    assert state.chance_outcomes() == ()


def test_what_is_remembered_for_the_third_occurrence() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    state = State.parse("3R/4/4/B3 b 1,0 0,0", rules.changed())
    first = state.play(Move.parse("a1-a2-b2"))
    assert (first.placement, first.earlier) == ("3R/4/bB2/4 r 0,0 0,0", ())
    second = first.play(Move.parse("d4-d3-c3"))
    assert (second.placement, second.earlier) == ("4/2R1/bB2/4 b 0,0 0,0", (first.placement,))
    third = second.play(Move.parse("b2-b1-a1"))
    assert third.earlier == (first.placement, second.placement)
    assert State.parse(str(third)) == third
    assert State.parse(third.placement, rules.changed()).earlier == ()
    assert State.parse("3R/4/4/B3 b 1,1 0,0").play(Move.parse("a1-a2-b2")).earlier == ()


def test_a_capture_forgets_what_was_before() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    before = State.parse("4R/5/5/1br2/B4 b 0,0 0,0; earlier 4R/5/5/1br2/B4 r 0,0 0,0", rules.changed())
    state = before.play(Move.parse("b2xd2"))
    assert (state.placement, state.earlier) == ("4R/5/5/3b1/B4 r 0,0 1,0", ())


def test_scores_count_own_articles_and_captured_points() -> None:
    state = State.parse("r3R/5/1bbr1/5/B4 b 9,9 3,4")
    # b3 is 4 and c3 is 8; a5 is a corner and worth nothing, d3 is 4.
    assert state.scores() == (3 + 4 + 8, 4 + 0 + 4)


def test_perft_counts_positions_once_if_asked() -> None:
    state = State.parse("7R/8/8/3r4/2r1r3/2br4/8/B7 b 24,21 0,0")
    assert perft(state, 0) == perft(state, 0, distinct=True) == 1
    assert perft(state, 1) - perft(state, 1, distinct=True) == 1
