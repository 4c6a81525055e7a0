"""Winkeladvokat in writing: positions, moves, own numbers, and what is refused."""
from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from exactplay.rules.contract import BadOption, BadText, IllegalPosition
from exactplay.rules.winkeladvokat import Board, Move, Rules, State, square_name

START = "7R/8/8/8/8/8/8/B7 b 25,25 0,0"


def test_initial_positions() -> None:
    assert State("B.......R", 0, (5, 4), (0, 1), Board.rings(3)) == State.parse("2R/3/B2 b 5,4 0,1")
    assert State.initial() == State.parse(START) == State.initial(8, 2, Rules(), Board.rings(8))
    assert str(State.initial(5, 3)) == "R3Y/5/5/5/B4 b 15,15,15 0,0,0"
    assert str(State.initial(3)) == "2R/3/B2 b 25,25 0,0"
    adjacent = Rules(start_corners="adjacent")
    assert State.initial(4, rules=adjacent).placement == "R3/4/4/B3 b 25,25 0,0"
    assert State.initial(4, 4, adjacent).placement == "R2Y/4/4/B2G b 15,15,15,15 0,0,0,0"
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
    "7R/8/8/8/8/8/8/B7 b 25,\u0662 0,0": "'\u0662' in the supply is not a whole number",
    "R7/8/8/8/8/8/8/B7 b 15,15,15 0,0,0": "Yellow has 0 Lawyers",
    "2R/3/B2 b 5,5 0,0; values 1,2/3,4": "the size of the board is 2",
    "2R/3/B2 b 5,5 0,0; walls a1": "'walls a1' is no part of a position",
    "2R/3/B2 b 5,5 0,0; earlier 2R/3/B2 b 5,5 0,0": "earlier positions count with",
    "7R/8/7w/8/8/8/8/B7 b 25,25 0,0": "rank 6 has 'w'; allowed are B R Y G, b r y g and runs of empty squares 1 to 8",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises((BadText, BadOption, IllegalPosition)) as error:
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


def test_a_run_may_be_split_and_is_written_whole() -> None:
    assert str(State.parse("7R/44/8/8/8/8/8/B34 b 25,25 0,0")) == "7R/8/8/8/8/8/8/B7 b 25,25 0,0"


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
        (lambda: Board.rings(2), BadOption, "the size of the board is 2; it must be 3 or more"),
        (lambda: Board.rings(9), BadOption, "the size of the board is 9; it must be 8 or less"),
        (lambda: Board(2, (0,) * 4), BadOption, "the size of the board is 2; it must be 3 or more"),
        (lambda: Board(3, (0,) * 8), IllegalPosition, "a board of size 3 needs 9 numbers, not 8"),
        (lambda: Board(3, (0,) * 5 + (-1,) + (0,) * 3), BadOption, "the number on c2 is -1; it must be 0 or more"),
        (lambda: Board(3, (0, True) + (0,) * 7), BadOption, "the number on b1 is True; it must be a whole number"),
        (lambda: Board.from_ranks([[1, 2, 3], [1, 2], [1, 2, 3]]), BadText, "rank 2 of the board has 2 numbers; it must h"),
        (lambda: Board.from_ranks([[1, 2, 3], [1, 2, 3], []]), BadText, "rank 1 of the board has 0 numbers; it must have"),
        (lambda: Board.from_toml("values = [[1, 2, 3], 4, 5]"), BadText, "a board is 'values = [[...], ...]': one list"),
        (lambda: Board.from_toml("numbers = [[1]]"), BadText, "a board is 'values = [[...], ...]': one list"),
        (lambda: Board.from_toml("values =\n\n"), BadText, "the board is not TOML: Invalid value (at line 1, column 9)"),
        (lambda: State.initial(players=1), BadOption, "players is 1; it must be 2 or more"),
        (lambda: State.initial(players=5), BadOption, "players is 5; it must be 4 or less"),
        (lambda: State.initial(9), BadOption, "the size of the board is 9"),
    ],
)
def test_boards_that_are_refused(make: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind) as error:
        make()
    assert str(error.value).startswith(reason)


def test_own_numbers() -> None:
    board = Board.from_toml("values = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]")
    assert board.values == (7, 8, 9, 4, 5, 6, 1, 2, 3)
    state = State.initial(board=board).play(Move.parse("a1-a2-b2"))
    assert state.scores() == (4, 0)
    for text, reason in [
        ("values = 3", "one list"), ("values = [[1, 2], [3]]", "numbers"), ("x", "not TOML"),
        ("values = [[1, 2, 3], [4, -5, 6], [7, 8, 9]]", "b2"), ("values = [[1, 2, 3], [4, 5, true], [7, 8, 9]]", "c2"),
        ("values = [[1, 2], [3, 4]]", "3 or more"),
    ]:
        with pytest.raises((BadText, BadOption, IllegalPosition), match=reason):
            Board.from_toml(text)


def test_a_board_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    values = b"values = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n#"
    path.write_bytes(values + b"-" * (1_000_000 - len(values)))
    assert Board.load(path) == Board(3, (7, 8, 9, 4, 5, 6, 1, 2, 3))
    path.write_bytes(values + "ä".encode())
    assert Board.load(path) == Board(3, (7, 8, 9, 4, 5, 6, 1, 2, 3))
    for content, reason in (
        (values + b"-" * (1_000_001 - len(values)), f"{path}: {path} has more than 1,000,000 bytes"),
        (values + b"\xff", f"{path}: {path} is not UTF-8 text"),
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
        with pytest.raises(BadText, match="more than 1,000,000 bytes"):
            Board.load(file)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_names_of_squares() -> None:
    assert [square_name(square, 8) for square in (0, 7, 8, 63)] == ["a1", "h1", "a2", "h8"]
    assert [square_name(square, 3) for square in range(9)] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


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


@pytest.mark.parametrize("text", ["a1-a2", "a1-a2-b2-b3", "a1xa", "a9-a2-b2", "i1-a2-b2", "a1 a2 b2", "a1-a2xb2", "a1"])
def test_malformed_moves(text: str) -> None:
    with pytest.raises(BadText):
        Move.parse(text)


def test_a_text_says_what_differs_from_the_usual() -> None:
    rules = Rules(empty_supply="moves_without_placing", end_check="on_turn")
    state = State.initial(4, rules=rules, board=Board(4, tuple(range(16))))
    for text in ("a1-a2-b2", "d4-d3-c3"):
        state = state.play(Move.parse(text))
    state = State.parse(f"{state.placement.rsplit(' ', 2)[0]} 0,0 0,0; values 12,13,14,15/8,9,10,11/4,5,6,7/0,1,2,3; "
                        "rules empty_supply=moves_without_placing, end_check=on_turn")
    after = state.play(Move.parse("b2-b1-a1"))
    assert after.earlier == (state.placement,)
    for again in (State.parse(str(after)), State.from_json(after.to_json())):
        assert again == after


def test_what_the_asker_says_overrides_the_text() -> None:
    text = "2R/3/B2 b 5,5 0,0; values 1,1,1/1,1,1/1,1,1; rules end_check=on_turn"
    state = State.parse(text, {"end_check": "immediate"}, Board.rings(3))
    assert str(state) == "2R/3/B2 b 5,5 0,0"
