"""The parts of the solver of Winston 1984, each by itself: codes and structures, boards, the outer table and its files."""
from __future__ import annotations

import hashlib
import json
import logging
import math
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from exactplay.certificates.winston84 import Table
from exactplay.rules.contract import CHANCE, BadText, IllegalPosition
from exactplay.rules.winston84 import Decision, Detour, Dice, Difficulty, Objective, Place, Round, Rules, Sheet
from exactplay.solvers import tables, winston84
from exactplay.solvers.result import Exact, Source
from exactplay.solvers.winston84 import Solution, find_solution, open_solution, outer, solve_sheet, structure
from exactplay.solvers.winston84.certificate import certify
from exactplay.solvers.winston84.outer import OuterTable, cache_path, write_solution
from exactplay.solvers.winston84.sheets import Board, board_of
from exactplay.solvers.winston84.bridge import decision_of, position_of, round_of, word_of, options_word
from exactplay.solvers.winston84.structure import (
    RESULTS,
    Structure,
    cached,
    opening,
    load_structure,
    rolls_of,
    utility_row,
    write_structure,
)

SCORE, WIN = Objective("score"), Objective("win")

#: Every box is Purple's zone, and a round that marks nothing takes Purple again: few places, and quick ones.
PURPLE = Sheet(
    name="purple", provenance="measured", route="P" * 9, detour=Detour(after=9, skip=0, boxes="P"),
    golden_country=(5, 1, 7, 3), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)
RECHECK = Rules(failed_round_rechecks_zone=True)
X3 = Difficulty(3)
LATE = Place(7, 4, 1, True)
#: of the structure under the default rules
DIGEST = "63a8b48948fbb7b59d8e78c0573fdd75481603de9d0ada78b1b9cbb87c055631"


def purple(objective: Objective = SCORE) -> Solution:
    return solve_sheet(PURPLE, X3, objective, RECHECK)


# ------------------------------------------------------------------ codes and structures


@pytest.mark.parametrize(("options", "word"), [
    ({}, 0), ({"room101_is_placed": True}, 1), ({"white_needs_change": True}, 2), ({"purple_alone_ok": True}, 4),
    ({"failed_round_rechecks_zone": True}, 0), (dict.fromkeys(Rules.options(), True), 7),
], ids=str)
def test_a_structure_is_kept_by_the_options_that_matter_in_a_round(
    options: dict[str, bool], word: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_structure: Structure
) -> None:
    made: list[Rules] = []
    asked: list[Any] = []

    def compile_structure(rules: Rules) -> Structure:
        made.append(rules)
        return fake_structure

    def user_cache_path(*names: str, **how: Any) -> Path:
        asked.append((names, how))
        return tmp_path

    monkeypatch.setattr(structure, "compile_structure", compile_structure)
    monkeypatch.setattr(structure, "user_cache_path", user_cache_path)
    rules = Rules(**options)
    assert options_word(rules) == word
    found = load_structure(rules)
    assert found.options == word and load_structure(rules) is found
    if word == 0:
        assert not made and found.digest == DIGEST and found.source == Source("structure of a round", "computed", DIGEST)
        return
    assert asked == [(("exactplay",), {"appauthor": False})]
    assert made == [Rules(**{name: name != "failed_round_rechecks_zone" and value for name, value in options.items()})]
    path = tmp_path / f"winston84-round-{word}.table"
    read = tables.read(path, "winston84 structure of a round", {"options": word, "code": 1})
    assert {name: array.tolist() for name, array in read.items()} == {
        name: array.tolist() for name, array in fake_structure.arrays.items()
    }
    structure._load.cache_clear()
    assert load_structure(rules).support == fake_structure.support and len(made) == 1
    write_structure(found, tmp_path / "written")
    assert (tmp_path / "written").read_bytes() == path.read_bytes()


@pytest.fixture
def fake_structure() -> Iterator[Structure]:
    """In family i only the results i and 20 + i; what is loaded meanwhile is forgotten."""
    structure._load.cache_clear()
    masks = {f"{i}.masks": np.array([1 << i, 1 << 20 + i], np.uint64) for i in range(7)}
    yield Structure(3, {**masks, "shared.keys": np.arange(3), "6.nodes": np.arange(5)})
    structure._load.cache_clear()


def test_a_structure_tells_families_and_shared_arrays_apart(fake_structure: Structure) -> None:
    assert fake_structure.options == 3
    assert {name: array.tolist() for name, array in fake_structure.shared.items()} == {"keys": [0, 1, 2]}
    assert fake_structure.support == (
        *((i, 20 + i) for i in range(7)), (1, 2, 3, 4, 5, 6, 21, 22, 23, 24, 25, 26),
    )
    assert [sorted(family) for family in fake_structure._by_family] == [["masks"]] * 6 + [["masks", "nodes"]]


def test_a_structure_is_compiled_family_by_family(monkeypatch: pytest.MonkeyPatch) -> None:
    class Compiler:
        def __init__(self, options: int) -> None:
            self.options = options

        def add_family(self, missing: int) -> dict[str, Any]:
            return {"masks": np.array([missing + 2]), "nodes": np.array([missing])}

        def tables(self) -> dict[str, Any]:
            return {"keys": np.array([self.options])}

    monkeypatch.setattr(structure, "Compiler", Compiler)
    made = structure.compile_structure(Rules(white_needs_change=True))
    assert made.options == 2
    assert {name: array.tolist() for name, array in made.arrays.items()} == {
        **{f"{i}.masks": [i + 1] for i in range(7)}, **{f"{i}.nodes": [i - 1] for i in range(7)}, "shared.keys": [2],
    }


def test_each_thread_has_evaluators_of_its_own() -> None:
    found = load_structure(Rules())
    assert found.evaluators() is found.evaluators() and len(found.evaluators()) == 8
    others: list[Any] = []
    thread = threading.Thread(target=lambda: others.append(found.evaluators()))
    thread.start()
    thread.join()
    assert others[0] is not found.evaluators()


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


@pytest.mark.parametrize("utility", [
    [0] * 38, [], [1.01e100] + [0] * 36, [-1.01e100] + [0] * 36, ["x"] * 37, [None] * 37, [[0]] * 37, [0, [1, 2]] * 18, 5,
], ids=str)
def test_utilities_that_are_not(utility: Any) -> None:
    with pytest.raises(BadText, match="37 numbers from -1e100 to 1e100"):
        utility_row(utility)


# ------------------------------------------------------------------ boards

ZONES = Sheet(
    name="zones", provenance="reconstruction", route="R.oPG", detour=Detour(after=2, skip=1, boxes="BW"),
    golden_country=(5, 1, 7), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)


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


# ------------------------------------------------------------------ the outer table


def test_the_layers_of_a_place() -> None:
    solution = purple()
    layers = solution.table.layers(LATE)
    states = [[box, 2, 1] for box in range(4, 10)]
    assert [(layer.round, layer.family, layer.states.tolist()) for layer in layers] == [
        (7, 6, [[4, 1, 1]]), (8, 6, states),
    ]
    assert [index if isinstance(index, int) else index.tolist() for index in layers[1].index()] == [
        8, [4, 5, 6, 7, 8, 9], [2] * 6, [1] * 6,
    ]
    unknown = np.full(solution.table.board.shape, 1.0)
    assert solution.table.layers(LATE, unknown_in=unknown) == []
    unknown[7, 4, 1, 1] = unknown[8, 6, 2, 1] = unknown[8, 7, 3, 1] = np.nan
    found = solution.table.layers(LATE, unknown_in=unknown)
    assert [(layer.round, layer.states.tolist()) for layer in found] == [(7, [[4, 1, 1]]), (8, [[6, 2, 1]])]
    single = solution.table.layer_of(Place(7, 4, 9, True))
    assert (single.round, single.family, single.states.tolist()) == (7, 6, [[4, 3, 1]])
    assert solution.table.layer_of(Place(7, 0, 0, True)).family == 0
    assert solution.table.layer_of(Place(7, 4, 1)).family == 0


def test_states_are_grouped_by_their_first_roll() -> None:
    table = OuterTable(board_of(ZONES, Difficulty(4), Rules()), SCORE.utility, load_structure(Rules()))
    chosen = np.zeros(table.board.shape[1:], bool)
    chosen[3, 1] = chosen[1, 2, 1] = chosen[5, 0, 0] = True
    assert [(layer.round, layer.family, layer.states.tolist()) for layer in table.by_family(5, chosen)] == [
        (5, 0, [[3, 1, 0], [5, 0, 0]]), (5, 1, [[1, 2, 1]]), (5, 3, [[3, 1, 1]]),
    ]


def test_utilities_of_another_quantity() -> None:
    solution = purple()
    table = solution.table
    known = [float(table.values[8, box, 2, 1]) for box in range(4, 10)]
    home = [float(table.board.score(7, golden, 1)) for golden in (1, 2, 3, 4)]
    wanted = [*known, *home, *[home[-1]] * 8]
    assert solution.utility(LATE).tolist() == [*wanted, *[0.0] * 19]
    assert len(set(known)) == 6 and len(set(home)) == 4
    layer = table.layer_of(LATE)
    other = table.utilities(layer, np.full(table.board.shape, -7.0), table.board.terminal(lambda won, score: won * 2.0 - 3))
    assert other.tolist() == [[-7.0] * 6 + [-1.0] * 12 + [0.0] * 19]
    last = table.utilities(table.layer_of(Place(8, 4, 1, True)), None, table.board.terminal(lambda won, score: won + 0.5))
    assert last.tolist() == [[0.5] * 6 + [1.5] * 12 + [0.0] * 19]


class Pool(ThreadPoolExecutor):
    """Says how many threads it was given, and whether work came to it."""

    seen: ClassVar[list[Any]] = []

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.seen.append(threads)

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any], **how: Any) -> Iterator[Any]:
        self.seen.append("map")
        return super().map(fn, *iterables, **how)


def test_filling_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pool, "seen", [])
    monkeypatch.setattr(outer, "ThreadPoolExecutor", Pool)
    board, inner, said = board_of(PURPLE, X3, RECHECK), load_structure(RECHECK), []
    table = OuterTable(board, SCORE.utility, inner)
    assert np.isnan(table.values).all() and table.values.shape == board.shape
    assert (table.terminal == board.terminal(SCORE.utility)).all() and table.structure is inner and table.board is board
    assert table.fill(LATE, progress=lambda *counts: said.append(counts)) == 7
    assert said == [(6, 7), (7, 7)] and Pool.seen == [1]
    assert np.isfinite(table.values).sum() == 7
    assert table.fill(LATE, progress=lambda *counts: pytest.fail("nothing to do")) == 0
    assert table.fill(Place(6, 4, 0, True), threads=2) == 6
    assert Pool.seen[:2] == [1, 2] and "map" in Pool.seen
    copy = OuterTable(board, SCORE.utility, inner, table.values)
    assert copy.values is not table.values and copy.fill(LATE) == 0
    assert copy.values[board.index(LATE)] == pytest.approx(83.21191579680232, rel=1e-13)


def test_only_what_differs_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Evaluator:
        def evaluate(self, utilities: Any) -> Any:
            calls.append(utilities.shape)
            return load_structure(RECHECK).evaluators()[6].evaluate(utilities)

    inner = Structure(0, load_structure(RECHECK).arrays)
    monkeypatch.setattr(inner, "evaluators", lambda: [None] * 6 + [Evaluator()])
    table = OuterTable(board_of(PURPLE, X3, RECHECK), SCORE.utility, inner)
    assert table.fill(Place(5, 4, 1, True)) == 19
    assert calls == [(RESULTS, 8)] * 4
    # Who is too far from home knows that without a round.
    far = Sheet(**{**{name: getattr(PURPLE, name) for name in PURPLE.__slots__}, "route": "P" * 99})
    table = OuterTable(board_of(far, X3, RECHECK), lambda won, score: won - 0.3, inner)
    assert table.fill(Place(8, 4, 1, True)) == 1 and len(calls) == 4
    assert table.values[8, 4, 1, 1] == -0.3


def test_no_utility_is_a_negative_zero() -> None:
    table = purple().table
    utilities = table.utilities(table.layer_of(LATE), np.full(table.board.shape, -0.0))
    assert not np.signbit(utilities).any()


def test_solving_passes_on_what_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Pool, "seen", [])
    monkeypatch.setattr(outer, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    said: list[tuple[int, int]] = []
    solution = solve_sheet(PURPLE, X3, SCORE, RECHECK, threads=3, progress=lambda *counts: said.append(counts))
    assert said[-1] == (170, 170) and Pool.seen[0] == 3
    assert (solution.sheet, solution.difficulty, solution.objective, solution.rules) == (PURPLE, X3, SCORE, RECHECK)
    assert solve_sheet(PURPLE, X3, WIN).rules == Rules()
    opened = open_solution(PURPLE, X3, SCORE, RECHECK, threads=2, progress=lambda *counts: said.append(counts))
    assert said[-1] == (170, 170) and len(said) == 2 * said.index((170, 170)) + 2
    assert opened.table.values.tobytes() == solution.table.values.tobytes()
    again = open_solution(PURPLE, X3, SCORE, RECHECK, progress=lambda *counts: pytest.fail("solved again"))
    assert again.table.values.tobytes() == solution.table.values.tobytes()
    assert (again.sheet, again.difficulty, again.objective, again.rules) == (PURPLE, X3, SCORE, RECHECK)
    assert again.table.structure is load_structure(RECHECK)
    assert find_solution(PURPLE, X3, WIN, RECHECK) is None and find_solution(PURPLE, X3, SCORE) is None
    assert open_solution(PURPLE, X3, SCORE).rules == Rules() and find_solution(PURPLE, X3, SCORE) is not None
    assert [threads for threads in Pool.seen if threads != "map"] == [3, 1, 2, 1]
    assert len(list(tmp_path.iterdir())) == 2


def test_the_file_of_a_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def user_cache_path(*names: str, **how: Any) -> Path:
        asked.append((names, how))
        return tmp_path

    monkeypatch.setattr(outer, "user_cache_path", user_cache_path)
    solution = open_solution(PURPLE, X3, Objective("at-least", 100), RECHECK)
    about = {
        "sheet": PURPLE.digest, "difficulty": 3, "objective": "at-least:100",
        "rules": "failed_round_rechecks_zone=true", "code": 1,
    }
    assert solution.about == about
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]
    assert cache_path("name", dict(reversed(about.items()))) == tmp_path / f"name-{digest}.table"
    assert asked and all(call == (("exactplay",), {"appauthor": False}) for call in asked)
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
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    found = find_solution(Sheet.load("reference"), Difficulty(2), WIN)
    assert found is not None and found.rules == Rules() and found.value() == pytest.approx(0.650208799404, rel=1e-10)
    assert open_solution(Sheet.load("reference"), Difficulty(2), WIN, Rules()).value() == found.value()
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ a solution


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


def test_the_result_of_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = purple()
    sources = (Source("sheet purple", "measured", PURPLE.digest), Source("structure of a round", "computed", DIGEST))
    assert solution.sources == sources
    clock = iter([10.0, 12.5, 20.0, 22.5, 30.0, 32.5])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    for place, value, nodes in ((None, 134.7277121423763, 170), (LATE, 83.21191579680232, 170)):
        result = solution.result(place)
        assert isinstance(result.verdict, Exact) and result.verdict.value == pytest.approx(value, rel=1e-13)
        assert (result.effort.nodes, result.rules, result.sources) == (nodes, RECHECK.describe(), sources)
        assert result.effort.seconds == 2.5 and result.notes == ()
    unreached = Place(4, 3, 1)
    result = solution.result(unreached)
    assert result.effort.nodes > 170
    assert result.notes == solution.notes(unreached)


def test_the_notes_of_a_solution() -> None:
    solution = solve_sheet(ZONES, Difficulty(3), WIN)
    sheet, zone, unreached = (
        "The sheet 'zones' is a reconstruction, not the printed one", "Box 3 is a zone and the question is not fresh",
        "No game from the start of this sheet reaches R2 box 3 marks 1",
    )
    assert [note[: len(sheet)] for note in solution.notes()] == [sheet]
    assert [note[: len(sheet)] for note in solution.notes(Place(2, 3, 1, True))] == [sheet]
    assert [note[:40] for note in solution.notes(Place(2, 3, 1))] == [sheet[:40], zone[:40], unreached[:40]]
    assert [note[:40] for note in solution.notes(Place(3, 3, 1))] == [sheet[:40], zone[:40]]
    assert [note[:40] for note in solution.notes(Place(2, 2, 0))] == [sheet[:40]]
    # Where Big Brother's eye does not look, no question needs to be fresh.
    below = solve_sheet(ZONES, Difficulty(2), WIN)
    assert [note[:20] for note in below.notes(Place(3, 4, 1))] == [sheet[:20]]


# ------------------------------------------------------------------ certificates


def test_the_certificate_of_a_place() -> None:
    solution = purple()
    table = Table.of(certify(solution, Place(7, 4, 6, True)))
    places = [Place(7, 4, 3, True), *(Place(8, box, 3, True) for box in range(4, 10))]
    assert table.start == places[0] and list(table.values) == places
    assert table.values == {place: solution.get_value(place) for place in places}
    assert (table.sheet, table.difficulty, table.objective, table.rules) == (PURPLE, X3, SCORE, RECHECK)
    whole = Table.of(certify(solution))
    assert whole.start == Place(1) and len(whole.values) == 170 and whole.value == solution.value()
    with pytest.raises(IllegalPosition, match="box is 10"):
        certify(solution, Place(2, 10))
