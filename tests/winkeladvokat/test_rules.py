"""Winkeladvokat: what the reference rules refuse and why, their bounds and defaults, beside test_winkeladvokat."""
from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winkeladvokat import Board, Move, Rules, State, perft, square_name

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
    with pytest.raises(BadText, match="winkeladvokat has end_check"):
        Rules.from_mapping({"x": 1})


# --- the board ---------------------------------------------------------------------------------------------------


def test_the_default_numbers_of_every_size_by_rings() -> None:
    rows = {
        4: "0 2 2 0 / 2 4 4 2 / 2 4 4 2 / 0 2 2 0",
        5: "0 2 2 2 0 / 2 4 4 4 2 / 2 4 8 4 2 / 2 4 4 4 2 / 0 2 2 2 0",
        6: "0 2 2 2 2 0 / 2 4 4 4 4 2 / 2 4 8 8 4 2 / 2 4 8 8 4 2 / 2 4 4 4 4 2 / 0 2 2 2 2 0",
    }
    for size, text in rows.items():
        assert Board.rings(size) == Board.from_ranks([[int(n) for n in row.split()] for row in text.split("/")])


@pytest.mark.parametrize(
    ("make", "kind", "reason"),
    [
        (lambda: Board.rings(2), IllegalPosition, "a board of 2 x 2 squares; the size must be 3 to 8"),
        (lambda: Board.rings(9), IllegalPosition, "a board of 9 x 9 squares; the size must be 3 to 8"),
        (lambda: Board(2, (0,) * 4), IllegalPosition, "a board of 2 x 2 squares; the size must be 3 to 8"),
        (lambda: Board(3, (0,) * 8), IllegalPosition, "a board of size 3 needs 9 numbers, not 8"),
        (lambda: Board(3, (0,) * 5 + (-1,) + (0,) * 3), IllegalPosition, "the number on c2 is -1; it must be a whole"),
        (lambda: Board(3, (0, True) + (0,) * 7), IllegalPosition, "the number on b1 is True; it must be a whole number"),
        (lambda: Board.from_ranks([[1, 2, 3], [1, 2], [1, 2, 3]]), BadText, "rank 2 of the board has 2 numbers; it must h"),
        (lambda: Board.from_ranks([[1, 2, 3], [1, 2, 3], []]), BadText, "rank 1 of the board has 0 numbers; it must have"),
        (lambda: Board.from_toml("values = [[1, 2, 3], 4, 5]"), BadText, "a board is 'values = [[...], ...]': one list"),
        (lambda: Board.from_toml("numbers = [[1]]"), BadText, "a board is 'values = [[...], ...]': one list"),
        (lambda: Board.from_toml("values =\n\n"), BadText, "the board is not TOML: Invalid value (at line 1, column 9)"),
        (lambda: State.initial(players=1), IllegalPosition, "1 players; there are 2, 3 or 4"),
        (lambda: State.initial(players=5), IllegalPosition, "5 players; there are 2, 3 or 4"),
        (lambda: State.initial(9), IllegalPosition, "a board of 9 x 9 squares"),
    ],
)
def test_boards_that_are_refused(make: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind) as error:
        make()
    assert str(error.value).startswith(reason)


def test_a_board_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    values = b"values = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n#"
    path.write_bytes(values + b"-" * (1_000_000 - len(values)))
    assert Board.load(path) == Board(3, (7, 8, 9, 4, 5, 6, 1, 2, 3))
    path.write_bytes(values + "ä".encode())
    assert Board.load(path) == Board(3, (7, 8, 9, 4, 5, 6, 1, 2, 3))
    for content, reason in (
        (values + b"-" * (1_000_001 - len(values)), f"{path}: a board is a TOML file of at most 1,000,000 bytes;"),
        (values + b"\xff", f"{path} is not UTF-8 text: invalid start byte"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadText) as error:
            Board.load(path)
        assert str(error.value).startswith(reason)


def test_of_a_huge_file_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(BadText, match="at most 1,000,000 bytes"):
            Board.load(file)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_names_of_squares() -> None:
    assert [square_name(square, 8) for square in (0, 7, 8, 63)] == ["a1", "h1", "a2", "h8"]
    assert [square_name(square, 3) for square in range(9)] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


# --- moves -------------------------------------------------------------------------------------------------------


def test_moves_are_read_compared_and_written() -> None:
    detour, capture = Move("detour", ("a1", "a4", "d4")), Move("capture", ("c3", "c5", "e5", "h8"))
    assert Move.parse("a1-a4-d4") == detour
    assert Move.parse("c3xc5xe5xh8") == capture
    assert (str(detour), str(capture)) == ("a1-a4-d4", "c3xc5xe5xh8")
    assert detour < capture
    assert not capture < detour
    assert not Move.parse("a1-a4-d4") < detour
    assert detour >= Move.parse("a1-a4-c4")
    with pytest.raises(TypeError):
        assert detour < "b"
    with pytest.raises(BadText, match=r"^'a1-a4' is not a move; write a detour as a1-a4-d4 .*, a capture as c3xc5xe5$"):
        Move.parse("a1-a4")


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
    state = State.parse("6/1B4/1rrr2/1rbr2/1rrr2/3R2 b 9,9 0,0", rules)
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


# --- the end -----------------------------------------------------------------------------------------------------


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
    state = State.parse(position, Rules.from_mapping(options))
    assert (state.to_move == OVER) is over
    assert (state.legal_moves() == ()) is over
    assert state.chance_outcomes() == ()


def test_what_is_remembered_for_the_third_occurrence() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    state = State.parse("3R/4/4/B3 b 1,0 0,0", rules)
    first = state.play(Move.parse("a1-a2-b2"))
    assert (str(first), first.earlier) == ("3R/4/bB2/4 r 0,0 0,0", ())
    second = first.play(Move.parse("d4-d3-c3"))
    assert (str(second), second.earlier) == ("4/2R1/bB2/4 b 0,0 0,0", (str(first),))
    third = second.play(Move.parse("b2-b1-a1"))
    assert third.earlier == (str(first), str(second))
    # Read anew it has no past; under the default rules it has none either.
    assert State.parse(str(third), rules).earlier == ()
    assert State.parse(str(third), rules, earlier=third.earlier) == third
    assert State.parse("3R/4/4/B3 b 1,1 0,0").play(Move.parse("a1-a2-b2")).earlier == ()


def test_a_capture_forgets_what_was_before() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    state = State.parse("4R/5/5/1br2/B4 b 0,0 0,0", rules, earlier=("x",)).play(Move.parse("b2xd2"))
    assert (str(state), state.earlier) == ("4R/5/5/3b1/B4 r 0,0 1,0", ())


def test_scores_count_own_articles_and_captured_points() -> None:
    state = State.parse("r3R/5/1bbr1/5/B4 b 9,9 3,4")
    # b3 is 4 and c3 is 8; a5 is a corner and worth nothing, d3 is 4.
    assert state.scores() == (3 + 4 + 8, 4 + 0 + 4)


def test_more_moves_than() -> None:
    state = State.initial(4)
    assert len(state.legal_moves()) == 16
    assert state.has_more_moves_than(15)
    assert not state.has_more_moves_than(16)
    # A detour needs an Article in supply.
    assert not State.parse("2R/3/B2 b 0,5 0,0").has_more_moves_than(0)
    without = Rules(empty_supply="moves_without_placing")
    assert State.parse("2R/3/B2 b 0,5 0,0", without).has_more_moves_than(0)


def test_perft_counts_positions_once_if_asked() -> None:
    state = State.parse("7R/8/8/3r4/2r1r3/2br4/8/B7 b 24,21 0,0")
    assert perft(state, 0) == perft(state, 0, distinct=True) == 1
    assert perft(state, 1) - perft(state, 1, distinct=True) == 1


# --- positions as text -------------------------------------------------------------------------------------------


def test_initial_positions() -> None:
    assert State("B.......R", 0, (5, 4), (0, 1), Board.rings(3)) == State.parse("2R/3/B2 b 5,4 0,1")
    assert State.initial() == State.parse(START) == State.initial(8, 2, Rules(), Board.rings(8))
    assert str(State.initial(5, 3)) == "R3Y/5/5/5/B4 b 15,15,15 0,0,0"
    assert str(State.initial(3)) == "2R/3/B2 b 25,25 0,0"
    adjacent = Rules(start_corners="adjacent")
    assert str(State.initial(4, rules=adjacent)) == "R3/4/4/B3 b 25,25 0,0"
    assert str(State.initial(4, 4, adjacent)) == "R2Y/4/4/B2G b 15,15,15,15 0,0,0,0"
    assert State.initial(4, rules=adjacent).rules == adjacent


REFUSED = {
    "7R/8/8/8/8/8/8/B7 b 25,25": "a position has four fields with one space between them: board, "
    "to move, supply, captured; here are 3",
    "7R/8/8/8/8/8/8/B7 w 25,25 0,0": "the player to move is 'w'; it must be b, r, y or g",
    "7R/8/8/8/8/8/8/B7 br 25,25 0,0": "the player to move is 'br'; it must be b, r, y or g",
    "7R/8/8/8/8/8/8/B7 b  25,25 0,0": "a position has four fields with one space between them: board, "
    "to move, supply, captured; here are 5",
    "7R/8/8/8/8/8/8/B7 b 25,2x 0,0": "'2x' in the supply is not a whole number of at most nine digits",
    "7R/8/8/8/8/8/8/B7 b 25,25 0,+1": "'+1' in the captured points is not a whole number of at most nine digits",
    "7R/8/8/8/8/8/8/B7 b 25,25 0,1234567890": "'1234567890' in the captured points is not a whole number of at most nine",
    "7R/8/8/8/8/8/8/B7 b 25,,25 0,0": "'' in the supply is not a whole number of at most nine digits",
    "7R/8/8/8/8/8/8/B7 b 5,5,5,5,5 0,0": "the supply has 5 numbers; there are 2, 3 or 4 players",
    "7R/8/8/8/8/8/8/B7 b 25,25 0,0,0": "the captured points have 3 numbers and the supply has 2; write one a player",
    "7R/8/8/8/8/8/8/B7 y 25,25 0,0": "Yellow is to move and does not play: there are 2 players",
    "R6Y/8/8/8/8/8/8/B7 g 15,15,15 0,0,0": "Green is to move and does not play: there are 3 players",
    "7R/8/8/8/8/8/7y/B7 b 25,25 0,0": "Yellow stands on the board and does not play: there are 2 players",
    "7R/8/8/8/8/8/7Y/B7 b 25,25 0,0": "Yellow stands on the board and does not play: there are 2 players",
    "7R/8/8/8/8/8/7g/B7 b 25,25 0,0": "Green stands on the board and does not play: there are 2 players",
    "R6Y/8/8/8/8/8/8/B6g b 15,15,15 0,0,0": "Green stands on the board and does not play: there are 3 players",
    "7R/8/8/8/8/8/8/8 b 25,25 0,0": "Blue has 0 Lawyers (B) on the board and must have one",
    "7R/7R/8/8/8/8/8/B7 b 25,25 0,0": "Red has 2 Lawyers (R) on the board and must have one",
    "7R/8/8/8/8/8/8/B7 b 25,-1 0,0": "the supply of Red cannot be -1; it must be 0 or more",
    "7R/8/8/8/8/8/8/B7 b 25,25 -3,0": "the captured points of Blue cannot be -3; it must be 0 or more",
    "7R/8/8/8/8/8/8/B5bb b 24,25 0,0": "Blue has 2 Articles on the board and 24 in supply; together there are at most 25",
    "R6Y/8/8/8/8/8/8/B6r b 15,15,15 0,0,0": "Red has 1 Articles on the board and 15 in supply; together there are at most",
    "1R/B1 b 5,5 0,0": "the board has 2 ranks; it must have 3 to 8, separated by '/'",
    "8/" * 8 + "8 b 5,5 0,0": "the board has 9 ranks; it must have 3 to 8, separated by '/'",
    "7R/8/8/8/7/8/8/B7 b 25,25 0,0": "rank 4 has 7 squares; with 8 ranks it must have 8",
    "7R/8/8/8/8/8/8/B8 b 25,25 0,0": "rank 1 has 9 squares; with 8 ranks it must have 8",
    "7R/8/7X/8/8/8/8/B7 b 25,25 0,0": "rank 6 has 'X'; allowed are B R Y G, b r y g and runs of empty squares 1 to 8",
    "7R/8/7w/8/8/8/8/B7 b 25,25 0,0": "rank 6 has 'w'; allowed are B R Y G, b r y g and runs of empty squares 1 to 8",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises((BadText, IllegalPosition)) as error:
        State.parse(text)
    assert str(error.value).startswith(REFUSED[text])


def test_a_position_must_fit_the_board_of_numbers() -> None:
    with pytest.raises(IllegalPosition, match=r"^the position has 8 ranks and the board of numbers 3$"):
        State.parse(START, board=Board.rings(3))
    own = Board(3, (1,) * 9)
    assert State.parse("2R/3/B2 b 5,5 0,0", board=own).board == own


def test_what_is_just_allowed() -> None:
    for text in ("7R/8/8/8/8/8/8/B5bb r 23,0 0,999999999", "1rYG4/8/8/8/8/8/8/BR6 g 15,14,0,1 0,0,0,0"):
        assert str(State.parse(text)) == text
