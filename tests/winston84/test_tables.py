"""What the solver of Winston 1984 stands on: codes, structures, boards, the outer table, and their files."""
from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import math
import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.verify.winston84 import family_of
from exactplay.certificates.winston84 import Table
from exactplay.rules.contract import CHANCE, IllegalPosition
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Decision,
    Dice,
    Difficulty,
    End,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    State,
    after_round,
    first_place,
)
from exactplay.solvers import tables
from exactplay.solvers.limits import Limits
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.winston84 import find_solution, open_solution, outer, solve_sheet
from exactplay.solvers.winston84.bridge import decision_of, options_word, position_of, round_of, word_of
from exactplay.solvers.winston84.certificate import certify
from exactplay.solvers.winston84.outer import OuterTable, cache_path, write_solution
from exactplay.solvers.winston84.sheets import Board, board_of
from exactplay.solvers.winston84.structure import (
    RESULTS,
    SHIPPED,
    cached,
    compile_structure,
    data_path,
    load_structure,
    opening,
    rolls_of,
    utility_row,
    write_structure,
)
from tests.winston84.cases import LATE, PURPLE, RECHECK, SCORE, WIN, X3, ZONES, purple, sheet_of


@pytest.mark.parametrize(("text", "give_up", "code"), [
    ("R1 G2 B3 W4 Y5 P6", False, 0o654321), ("R1 G2 B3 W4 Y5 P6", True, 1 << 42 | 0o654321),
    ("R5 Gp3 Bx2 W? Y6", False, 2 << 39 | 2 << 36 | 0o030 << 18 | 0o067005),
    ("Rx4 Gp1 Bp2 Wp3 Yp4 Pp6", False, 4 << 36 | 0o643210 << 18), ("R? Px1", False, 5 << 39 | 1 << 36 | 7),
], ids=str)
def test_the_code_of_a_round(text: str, give_up: bool, code: int) -> None:
    rules = Rules(purple_alone_ok=True)
    round = Round(rules, Dice.parse(text), give_up)
    position = position_of(round)
    assert (position.code, position.options) == (code, options_word(rules))
    assert round_of(position, rules) == round
    assert (position.to_move == CHANCE) == ("?" in text)


def test_the_families_of_rolls() -> None:
    every = 0o777777
    assert [opening(family).code for family in range(8)] == [
        every, *(every & ~(7 << 3 * colour) for colour in range(6)), every | 1 << 42,
    ]
    assert [rolls_of(family) for family in range(8)] == [6**6, *[6**5] * 6, 6**6]


@pytest.mark.parametrize(("text", "word"), [
    ("R", 0), ("G:RB", 1 | 0b101 << 3), ("W>P", 3 | 1 << 8), ("P>G", 5 | 1 << 4), ("-Y", 4 | 512),
])
def test_the_word_of_a_decision(text: str, word: int) -> None:
    assert word_of(Decision.parse(text)) == word
    assert decision_of(word) == Decision.parse(text)


def test_utilities_that_are_fit() -> None:
    row = utility_row([-0.0, -1e100, 1e100, *range(34)])
    assert row.dtype == np.float64 and row.shape == (37,) and row.tolist() == [0, -1e100, 1e100, *range(34)]
    assert math.copysign(1, row[0]) == 1
    assert utility_row(iter([True] * 37)).tolist() == [1.0] * 37


# --- structures ---------------------------------------------------------------------------------------------------


def test_each_thread_has_evaluators_of_its_own() -> None:
    found = load_structure(Rules())
    assert found.evaluators() is found.evaluators() and len(found.evaluators()) == 8
    others: list[Any] = []
    thread = threading.Thread(target=lambda: others.append(found.evaluators()))
    thread.start()
    thread.join()
    assert others[0] is not found.evaluators()


def test_the_shipped_structure_is_what_the_compiler_makes(tmp_path: Path) -> None:
    write_structure(compile_structure(Rules()), tmp_path / SHIPPED)
    assert (tmp_path / SHIPPED).read_bytes() == data_path(SHIPPED).read_bytes()


def test_what_is_cached_is_made_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made: list[int] = []

    def make() -> tables.Arrays:
        made.append(len(made))
        return {"a": np.arange(3) + len(made)}

    path = tmp_path / "some.table"
    assert [cached(path, "kind", {"n": 1}, make)["a"].tolist() for _ in range(2)] == [[1, 2, 3]] * 2
    assert tables.read(path, "kind", {"n": 1})["a"].tolist() == [1, 2, 3]
    for number, (kind, about) in enumerate([("other", {"n": 1}), ("other", {"n": 2})], 2):
        assert cached(path, kind, about, make)["a"].tolist() == [number, number + 1, number + 2]
        assert tables.read(path, kind, about)["a"].tolist() == [number, number + 1, number + 2]
    path.write_bytes(b"")
    assert cached(path, "other", {"n": 2}, make)["a"].tolist() == [4, 5, 6]
    with caplog.at_level(logging.WARNING):
        assert cached(path / "no folder", "kind", {}, make)["a"].tolist() == [5, 6, 7]
    assert made == [0, 1, 2, 3, 4]


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.table"
    tables.write(path, "kind", {"rules": "x"}, {"a": np.arange(1000), "b": np.ones((3, 2))})
    assert (tables.read(path, "kind", {"rules": "x"})["b"] == 1).all()
    whole = path.read_bytes()
    with pytest.raises(tables.BadTable, match="kind"):
        tables.read(path, "other", {})
    with pytest.raises(tables.BadTable, match="rules"):
        tables.read(path, "kind", {"rules": "y"})
    places = (0, 9, 30, 60, 90, 120, 150, 180, len(whole) - 100)
    altered = [whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :] for at in places]
    for damage in (b"", whole[:-64], whole[:40], *altered):
        path.write_bytes(damage)
        with pytest.raises(tables.BadTable) as caught:
            tables.read(path, "kind", {"rules": "x"})
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)


# --- boards -------------------------------------------------------------------------------------------------------


def test_the_board_of_a_sheet() -> None:
    board = Board(ZONES, Difficulty(4), Rules())
    assert (board.sheet, board.difficulty, board.rules) == (ZONES, Difficulty(4), Rules())
    assert (board.route, board.first_round, board.max_marks, board.shape) == ("R.BWPG", 1, 3, (9, 7, 4, 2))
    assert board.fresh_family.tolist() == [0, 1, 0, 3, 4, 6, 2]
    assert [board.family(box, True) for box in range(7)] == [0, 1, 0, 3, 4, 6, 2]
    assert {board.family(box, False) for box in range(7)} == {0}
    assert Board(ZONES, Difficulty(2), Rules()).fresh_family.tolist() == [0, 1, 0, 7, 6, 2]
    for array in (board.target, board.mark, board.fresh, board.golden):
        assert array.dtype == np.int64 and array.shape == (7, RESULTS)
    assert board.golden[4, :8].tolist() == [0, 0, 0, 1, 2, 3, 3, 3] and board.golden[6, :5].tolist() == [0, 1, 2, 3, 3]
    assert board.target[4, :5].tolist() == [4, 5, 6, 0, 0]
    assert board.mark[0, :8].tolist() == [0, 1, 0, 1, 1, 1, 1, 0]
    # Big Brother's eye sees the zone that a round ends on; one that it did not leave only under an option.
    assert Board(ZONES, Difficulty(5), Rules()).fresh[1, :6].tolist() == [0, 0, 1, 1, 1, 1]
    assert Board(ZONES, Difficulty(5), RECHECK).fresh[1, :6].tolist() == [1, 0, 1, 1, 1, 1]
    assert not board.fresh.any()
    assert board.index(Place(3, 5, 9, True)) == (3, 5, 3, 1) and board.index(Place(8, 2, 2)) == (8, 2, 2, 0)
    # No more marks than rounds are played, or than the track has entries.
    assert Board(ZONES, Difficulty(5), Rules()).max_marks == 3
    long = Sheet(**{**{name: getattr(ZONES, name) for name in ZONES.__slots__}, "big_brother": tuple(range(20))})
    assert [Board(long, Difficulty(level), Rules()).max_marks for level in (1, 4)] == [9, 8]
    assert board_of(ZONES, Difficulty(4), Rules()) is board_of(ZONES, Difficulty(4), Rules())


def test_what_finished_games_are_worth() -> None:
    board = Board(ZONES, Difficulty(4), Rules())
    assert board.score(8, 3, 2) == 4 * (7 + 35 + 1)
    worth = board.terminal(lambda won, score: score if won else -1.5 - score)
    assert worth.shape == (9, 4, 4) and worth.dtype == np.float64
    assert (worth[0] == -1.5).all() and (worth[:, 0] == -1.5).all()
    assert worth[8, 1:].tolist() == [[board.score(8, golden, marks) for marks in range(4)] for golden in (1, 2, 3)]
    assert worth[1, 2, 0] == board.score(1, 2, 0) and (worth[1:, 1:] > 0).all()


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("recheck", [False, True])
def test_the_arrays_of_a_sheet_are_the_rules(level: int, recheck: bool) -> None:
    sheet, difficulty, rules = sheet_of("tiny-sheet.toml"), Difficulty(level), Rules(failed_round_rechecks_zone=recheck)
    board = Board(sheet, difficulty, rules)
    rng = random.Random(level)
    for _ in range(4000):
        round, box = rng.randint(difficulty.first_round, LAST_ROUND), rng.randrange(board.shape[1])
        marks, r = rng.randint(0, 9), rng.randrange(RESULTS)
        after = after_round(sheet, difficulty, rules, Place(round, box, marks), r)
        golden = int(board.golden[box, r])
        if golden:
            assert after == End(True, board.score(round, golden, min(marks, board.max_marks)))
        elif round == LAST_ROUND:
            assert after == End(False, 0)
        else:
            fresh = bool(board.fresh[box, r])
            assert after == Place(round + 1, int(board.target[box, r]), marks + int(board.mark[box, r]), fresh)


# --- the outer table ----------------------------------------------------------------------------------------------


def test_what_cannot_be_reached_stays_poisoned() -> None:
    sheet, difficulty, rules = sheet_of("tiny-sheet.toml"), Difficulty(5), Rules()
    solution = solve_sheet(sheet, difficulty, SCORE)
    board, support = solution.table.board, solution.table.structure.support
    reached, frontier = set(), {first_place(difficulty)}
    while frontier:
        reached |= frontier
        following = {
            after_round(sheet, difficulty, rules, place, r)
            for place in frontier
            for r in support[family_of(sheet, difficulty, place)]
        }
        frontier = {place for place in following if isinstance(place, Place)} - reached
    expected = np.zeros(board.shape, bool)
    for place in reached:
        expected[board.index(place)] = True
    assert (np.isfinite(solution.table.values) == expected).all()
    # Poison what lies beyond: the start value must not feel it.
    poisoned = OuterTable(board, SCORE.utility, solution.table.structure)
    poisoned.fill(first_place(difficulty))
    assert (poisoned.values[expected] == solution.table.values[expected]).all()


def test_an_unreached_place_is_computed_when_asked_for() -> None:
    solution = solve_sheet(sheet_of("tiny-sheet.toml"), Difficulty(5), WIN)
    place = Place(5, 6, 0, fresh=True)  # fresh on a zone without its mark: no game from the start gets there
    assert solution.get_value(place) is None
    assert solution.get_value(place, -1.0) == -1.0
    with pytest.raises(IllegalPosition, match="not been computed"):
        solution.probe_value(place)
    value = solution.value(place)
    assert solution.probe_value(place) == value
    fresh_table = OuterTable(solution.table.board, WIN.utility, solution.table.structure)
    fresh_table.fill(place)
    assert fresh_table.values[solution.table.board.index(place)] == value


def test_the_same_bits_for_any_number_of_threads() -> None:
    sheet = sheet_of("reference-sheet.toml")
    one, two = (solve_sheet(sheet, Difficulty(3), SCORE, limits=Limits(threads=threads)).table.values for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_values_of_a_solution() -> None:
    solution = purple()
    assert solution.value() == solution.value(Place(1)) == pytest.approx(134.7277121423763, rel=1e-13)
    assert solution.value(LATE) == solution.probe_value(LATE) == solution.get_value(LATE)
    assert solution.value(LATE) == pytest.approx(83.21191579680232, rel=1e-13)
    unreached = Place(4, 3, 1)
    assert solution.get_value(unreached) is None and solution.get_value(unreached, 2.5) == 2.5
    with pytest.raises(IllegalPosition, match=r"R4 box 3 marks 1 has not been computed; call value\(\)"):
        solution.probe_value(unreached)
    row = solution.utility(unreached)
    assert np.isfinite(row).all() and solution.get_value(unreached) is not None
    wrong = Place(2, 10)
    for ask in (solution.value, solution.utility, solution.probe_value, solution.get_value, solution.result):
        with pytest.raises(IllegalPosition, match="box is 10"):
            ask(wrong)


def test_the_certificate_of_a_place() -> None:
    solution = purple()
    table = Table.of(certify(State.resume(PURPLE, X3, Place(7, 4, 6, True), RECHECK), solution=solution))
    places = [Place(7, 4, 3, True), *(Place(8, box, 3, True) for box in range(4, 10))]
    assert table.start == places[0] and list(table.values) == places
    assert table.values == {place: solution.get_value(place) for place in places}
    assert (table.sheet, table.difficulty, table.objective, table.rules) == (PURPLE, X3, SCORE, RECHECK)
    whole = Table.of(certify(State.start(PURPLE, X3, RECHECK), solution=solution))
    assert whole.start == Place(1) and len(whole.values) == 170 and whole.value == solution.value()
    with pytest.raises(NotProven, match="limit of nodes"):
        certify(State.start(dataclasses.replace(PURPLE, name="unsolved"), X3, RECHECK), limits=Limits(nodes=10))


# --- files --------------------------------------------------------------------------------------------------------


def test_the_file_of_a_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "user_folder", lambda kind: tmp_path)
    solution = open_solution(PURPLE, X3, Objective("at-least", 100), RECHECK)
    about = {
        "sheet": PURPLE.digest, "difficulty": 3, "objective": "at-least:100",
        "rules": "failed_round_rechecks_zone=true", "code": 1,
    }
    assert solution.about == about
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]
    assert cache_path("name", dict(reversed(about.items()))) == tmp_path / f"name-{digest}.table"
    (kept,) = tmp_path.iterdir()
    assert kept.name == f"winston84-x3-at-least-{digest}.table"
    arrays = tables.read(kept, "winston84 outer table", about)
    assert sorted(arrays) == ["state", "value"] and arrays["state"].dtype == np.uint32
    assert arrays["state"].tolist() == np.flatnonzero(np.isfinite(solution.table.values)).tolist()
    assert arrays["value"].tolist() == solution.table.values[np.isfinite(solution.table.values)].tolist()
    write_solution(solution, tmp_path / "own")
    written = tables.read(tmp_path / "own", "winston84 outer table", about | {"start value": solution.value()})
    assert written["value"].tolist() == arrays["value"].tolist() and written["state"].tolist() == arrays["state"].tolist()


def test_the_shipped_tables_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "user_folder", lambda kind: tmp_path)
    found = find_solution(Sheet.load("reference"), Difficulty(2), WIN)
    assert found is not None and found.rules == Rules() and found.value() == pytest.approx(0.650208799404, rel=1e-10)
    assert open_solution(Sheet.load("reference"), Difficulty(2), WIN, Rules()).value() == found.value()
    assert list(tmp_path.iterdir()) == []


def test_the_shipped_tables_are_the_solution() -> None:
    sheet = Sheet.load("reference")
    for level in (1, 5):
        for objective in (SCORE, WIN):
            opened = open_solution(sheet, Difficulty(level), objective)
            solved = solve_sheet(sheet, Difficulty(level), objective)
            assert opened.table.values.tobytes() == solved.table.values.tobytes()
    assert len(list(data_path("").glob("winston84-x*.table"))) == 10


def test_a_table_is_kept_in_the_cache_and_renewed_when_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_folder", lambda kind: tmp_path / "new")
    sheet, objective = sheet_of("tiny-sheet.toml"), Objective("at-least", 700)
    value = open_solution(sheet, Difficulty(2), objective).value()
    (table,) = (tmp_path / "new").iterdir()
    with monkeypatch.context() as patched:
        patched.setattr("exactplay.solvers.winston84.outer.solve_sheet", None)
        assert open_solution(sheet, Difficulty(2), objective).value() == value
    table.write_bytes(table.read_bytes()[:-10])
    assert open_solution(sheet, Difficulty(2), objective).value() == value
    # Points of another sheet are another question.
    other = dataclasses.replace(sheet, golden_country=(900, 900, 900, 900))
    assert open_solution(other, Difficulty(2), objective).value() != value


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("no folder")
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_folder", lambda kind: blocker / "cache")
    assert open_solution(sheet_of("tiny-sheet.toml"), Difficulty(2), WIN).value() == pytest.approx(1)
