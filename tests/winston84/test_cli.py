"""``exactplay winston84 ...``: every command as its user calls it, in text and in JSON."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exactplay.rules.winston84 import Sheet
from tests import DATA
from tests.shared.command import Ran, ran, refused

TINY = str(DATA / "tiny-sheet.toml")
GOLDEN = json.loads((DATA / "winston84-golden.json").read_text(encoding="utf-8"))
CASES = [json.loads(line) for line in (DATA / "winston84-cases.jsonl").read_text(encoding="utf-8").splitlines()]
LINEAR = ",".join(str(result) for result in range(37))


@pytest.fixture(autouse=True, scope="module")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables and games of these tests stay out of the user's own folders."""
    folder = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
            patch.setenv(name, folder)
        patch.delenv("FORCE_COLOR", raising=False)
        yield


def run(*arguments: object, stdin: str = "", code: int | None = 0) -> Ran:
    return ran("winston84", *arguments, stdin=stdin, code=code)


def close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= 1e-9 * max(1.0, abs(wanted))


# ------------------------------------------------------------------ one question


def test_values_are_the_golden_ones() -> None:
    answer = run("values", "--json").data
    assert answer["provenance"] == "reconstruction" and any("reconstruction" in note for note in answer["notes"])
    for level, wanted in GOLDEN["reference"]["values"].items():
        assert close(answer["values"][level]["score"], wanted["score"])
        assert close(answer["values"][level]["win"], wanted["win"])


def test_values_as_text_say_that_the_sheet_is_a_reconstruction() -> None:
    shown = run("values").out
    assert "60.622672 %" in shown and "575.934228" in shown
    assert "reconstruction" in shown and "\x1b" not in shown


@pytest.mark.parametrize("objective", ["score", "win", "at-least:900"])
def test_value_of_a_new_game(objective: str) -> None:
    answer = run("value", "--difficulty", 3, "--objective", objective, "--json").data
    assert answer["kind"] == "exact" and answer["place"] == "R1 box 0 marks 0"
    assert close(answer["value"], GOLDEN["reference"]["values"]["3"][objective])


def test_value_under_an_option() -> None:
    answer = run("value", "--sheet", TINY, "-d", 3, "--rule", "white_needs_change=true", "--json").data
    assert close(answer["value"], GOLDEN["tiny"]["x3_with_one_option_switched"]["white_needs_change"]["score"])
    assert answer["rules"] == "white_needs_change=true"


def test_fresh_is_refused_where_it_means_nothing() -> None:
    assert "fresh" in refused("winston84", "value", "--round", "R2", "--box", 17, "--marks", 1, "-d", 3, "--fresh")


STATES = [case for case in CASES if case["type"] == "state" and not case["options"]]


@pytest.mark.parametrize("case", STATES[:8], ids=lambda case: case["dice"])
def test_advise_answers_the_cases(case: dict[str, Any]) -> None:
    place = ("--round", case["round"], "--box", case["box"], "--marks", case["marks"], *(["--fresh"] * case["fresh"]))
    sheet = str(DATA / case["sheet"]) if case["sheet"] != "reference-sheet.toml" else "reference"
    asked = ("advise", "--sheet", sheet, "-d", case["difficulty"], "-o", case["objective"], *place, "--roll", case["dice"])
    answer = run(*asked, "--json").data
    check_answer(answer, case)
    assert close(answer["before_roll"], case["before_roll"])
    assert answer["plan"][0] in answer["best"]
    assert all(abs(sum(row.values()) - 1) < 1e-9 for row in answer["results"].values())
    assert answer["provenance"] == "reconstruction" and answer["sources"][0]["provenance"] == "reconstruction"
    text = run(*asked).out
    assert f"best: {answer['plan'][0]} (" in text and "is a reconstruction" in text


def check_answer(answer: dict[str, Any], case: dict[str, Any]) -> None:
    assert close(answer["value"], case["value"])
    assert sorted(answer["best"]) == sorted(case["best"])
    assert answer["decisions"].keys() == case["decisions"].keys()
    assert all(close(answer["decisions"][text], value) for text, value in case["decisions"].items())


def test_advise_reads_faces_in_colour_order() -> None:
    short = run("advise", "-d", 3, "--roll", "532416", "--json").data
    long = run("advise", "-d", 3, "--roll", "p6 R5,G3 b2/W4 Y1", "--json").data
    del short["seconds"], long["seconds"]
    assert short == long and short["dice"] == "R5 G3 B2 W4 Y1 P6"


def test_advise_where_a_die_is_missing_and_where_one_must_be_given_up() -> None:
    # At x3 the reference sheet has Red's Control Zone at box 12 and Maximum Security at box 5.
    zone = run("advise", "-d", 3, "--round", 2, "--box", 12, "--marks", 1, "--fresh", "--roll", "32416", "--json").data
    assert zone["dice"] == "G3 B2 W4 Y1 P6"
    on_box_5 = ("--round", 2, "--box", 5, "--marks", 1, "--fresh")
    security = run("advise", "-d", 3, *on_box_5, "--roll", "562416", "--json").data
    assert set(security["decisions"]) == {"-G", "-P"}


def test_advise_in_mid_round() -> None:
    answer = run("advise", "-d", 2, "--roll", "Rp2 Bp2 G1 W5 Yx5", "--json").data
    assert set(answer["decisions"]) == {"G:W", "W>R", "W>B"}


INNER = [case for case in CASES if case["type"] == "inner" and not case["options"]]


@pytest.mark.parametrize("case", INNER[:5], ids=lambda case: case["dice"])
def test_round_answers_the_cases(case: dict[str, Any]) -> None:
    utility = ",".join(map(str, case["u"]))
    check_answer(run("round", "--dice", case["dice"], "--utility", utility, "--json").data, case)


def test_round_at_maximum_security() -> None:
    answer = run("round", "--dice", "R6 G1 B6 W2 Y6 P1", "--give-up", "--utility", LINEAR, "--json").data
    assert set(answer["decisions"]) == {"-R", "-B", "-Y"}
    assert "give up" in run("round", "--dice", "R6 G1 B6 W2 Y6 P1", "--give-up", "--utility", LINEAR).out


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["value", "--difficulty", "6"], "1, 2, 3, 4 or 5"),
        (["value", "--objective", "fun"], "score, win or at-least"),
        (["value", "--round", "soon"], "R5"),
        (["value", "--round", "9", "-d", "2"], "1 to 8"),
        (["value", "--box", "many"], "--box"),
        (["value", "--round", "2", "--box", "131"], "boxes 1 to 130"),
        (["value", "--round", "2", "--box", "37", "-d", "2"], "each of at most 36 boxes"),
        (["value", "--round", "2", "--box", "30", "--marks", "2", "-d", "2"], "each of at most one mark"),
        (["value", "--round", "2", "--box", "3", "--marks", "1", "-d", "2"], "no zone"),
        (["value", "--rule", "house_rule=true"], "room101_is_placed"),
        (["value", "--rule", "purple_alone_ok"], "NAME=VALUE"),
        (["value", "--sheet", "missing.toml"], "missing.toml"),
        (["value", "--speed", "3"], "--speed"),
        (["advise"], "--roll"),
        (["advise", "--roll", "12345"], "6 faces"),
        (["advise", "--roll", "123457"], "1 to 6"),
        (["advise", "--roll", "R1 G2 B3 W4 Y5"], "must lack 0"),
        (["advise", "--roll", "Q1"], "no die"),
        (["round", "--dice", "R1", "--utility", "1,2,3"], "3 entries"),
        (["round", "--dice", "R1 P2", "--utility", LINEAR.replace("36", "inf")], "37 numbers"),
        (["round", "--dice", "Rp1 Pp2", "--utility", LINEAR], "over"),
        (["simulate", "--policy", "clever"], "score, win or at-least"),
        (["simulate", "--games", "0"], "--games"),
        (["batch", "missing.jsonl"], "missing.jsonl"),
        (["sheet", "check", "missing.toml"], "missing.toml"),
        (["sheet", "show", "--difficulty", "0"], "1, 2, 3, 4 or 5"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], said: str) -> None:
    assert said in refused("winston84", *arguments)


# ------------------------------------------------------------------ batch


def test_batch_answers_both_kinds_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    # One option only, as each needs a structure of its own; the solver's tests answer every case.
    asked = [number for number, case in enumerate(CASES) if case["options"] in ({}, {"white_needs_change": True})]
    assert {CASES[number]["type"] for number in asked} == {"inner", "state"}
    lines = "".join(json.dumps(CASES[number]) + "\n" for number in asked)
    # The sheets are named as files beside the questions.
    monkeypatch.chdir(DATA)
    answers = run("batch", "-", stdin=lines).objects
    assert len(answers) == len(asked)
    for number, answer in zip(asked, answers, strict=True):
        check_answer(answer, CASES[number])
        if CASES[number]["type"] == "state":
            assert close(answer["before_roll"], CASES[number]["before_roll"])
            assert answer["provenance"] == "reconstruction" and "reconstruction" in answer["notes"][0]


def test_batch_finds_a_sheet_beside_its_file(tmp_path: Path) -> None:
    own = Path(TINY).read_text(encoding="utf-8").replace('"reconstruction"', '"measured"')
    (tmp_path / "mine.toml").write_text(own, encoding="utf-8")
    start = {"difficulty": 2, "round": 1, "box": 0, "marks": 0, "dice": "R5G3B2W4Y1P6"}
    question = {"type": "state", "sheet": "mine.toml", **start}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    out = tmp_path / "answers.jsonl"
    run("batch", tmp_path / "questions.jsonl", "--out", out)
    answer = json.loads(out.read_text(encoding="utf-8"))
    assert answer["provenance"] == "measured" and answer["notes"] == []
    asked = run("advise", "--sheet", tmp_path / "mine.toml", "-d", 2, "--roll", "532416", "--json").data
    assert answer["decisions"] == asked["decisions"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "outer"}, "inner or state"),
        ({"difficulty": None}, "difficulty"),
        ({"difficulty": "3"}, "a whole number"),
        ({"difficulty": True}, "a whole number"),
        ({"fresh": 1}, "false, true"),
        ({"colour": 1}, "'colour' is unknown"),
        ({"box": 200}, "box is 200"),
        ({"options": {"purple_alone_ok": 1}}, "false, true"),
        ({"sheet": "elsewhere.toml"}, "elsewhere.toml"),
    ],
)
def test_batch_names_what_is_wrong_and_goes_on(change: dict[str, Any], said: str) -> None:
    good = next(case for case in STATES if case["sheet"] == "reference-sheet.toml")
    finished = run("batch", "-", stdin="\n".join(json.dumps(question) for question in (good | change, good)), code=2)
    wrong, right = finished.objects
    assert "1 of 2 lines" in finished.errors
    assert wrong["line"] == 1 and said in wrong["error"]
    check_answer(right, good)


# ------------------------------------------------------------------ whole games


def test_solve_reports_every_difficulty() -> None:
    answer = run("solve", "--sheet", TINY, "--json").data
    for level, wanted in GOLDEN["tiny"]["values"].items():
        assert close(answer["values"][level]["score"], wanted["score"])
        assert close(answer["values"][level]["win"], wanted["win"])
    shown = run("solve", "--sheet", TINY, "-d", 2, "-d", 4, "-o", "at-least:600").out
    assert "probability of at least 600 points" in shown and "x4" in shown and "x3" not in shown


def test_distribution_agrees_with_the_value() -> None:
    answer = run("distribution", "--sheet", TINY, "-d", 3, "--round", 6, "--json").data
    value = run("value", "--sheet", TINY, "-d", 3, "--round", 6, "--json").data
    assert close(answer["expected_score"], value["value"])
    assert close(sum(answer["scores"].values()) + answer["lost"], 1)
    shown = run("distribution", "--sheet", TINY, "-d", 3, "--round", 6).out
    assert f"expected score {value['value']:.6f}" in shown and "is a reconstruction" in shown


def test_trade_off_runs_from_safe_to_bold() -> None:
    answer = run("trade-off", "--sheet", TINY, "-d", 3, "--points", 3, "--json").data
    points = answer["points"]
    assert close(max(point["score"] for point in points), GOLDEN["tiny"]["values"]["3"]["score"])
    assert points == sorted(points, key=lambda point: point["score"])
    assert "is a reconstruction" in run("trade-off", "--sheet", TINY, "-d", 3, "--points", 2).out


@pytest.mark.parametrize("policy", ["score", "greedy", "random"])
def test_simulate_is_an_estimate(policy: str) -> None:
    arguments = ("simulate", "--sheet", TINY, "-d", 3, "--games", 400, "--seed", 5, "--policy", policy)
    answer = run(*arguments, "--json").data
    assert answer["kind"] == "estimate" and sum(answer["histogram"].values()) == 400
    assert answer["score"]["mean"] <= GOLDEN["tiny"]["values"]["3"]["score"] + 4 * answer["score"]["standard_error"]
    assert run(*arguments, "--json").data == answer
    assert "estimate from 400 samples" in run(*arguments).out


# ------------------------------------------------------------------ sheets


def test_a_sheet_of_ones_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    run("sheet", "new", mine, "--name", "kitchen table")
    assert "exists" in refused("winston84", "sheet", "new", mine)
    fresh = run("sheet", "check", mine, "--json").data
    assert fresh["ok"] and fresh["provenance"] == "reconstruction" and fresh["notes"]

    measured = mine.read_text(encoding="utf-8").replace('provenance = "reconstruction"', 'provenance = "measured"')
    mine.write_text(measured, encoding="utf-8")
    assert "boxes are those of the shipped reconstruction" in run("sheet", "check", mine).out
    shorter = re.sub('(?m)^route = ".*"', 'route = ".....o....R.....Y..o"', measured)
    shorter = re.sub("(?m)^detour = .*", 'detour = { after = 6, skip = 4, boxes = "..o.B.." }', shorter)
    mine.write_text(shorter, encoding="utf-8")
    checked = run("sheet", "check", mine, "--json").data
    assert checked["notes"] == [] and checked["route"]["boxes"] == 20 and checked["with_detour"]["boxes"] == 23
    assert run("solve", "--sheet", mine, "-d", 2, "--json").data["values"]["2"]["win"] == 1.0
    shown = run("advise", "--sheet", mine, "-d", 2, "--roll", "532416").out
    assert "is a reconstruction" not in shown and "measured" in shown


def test_check_names_the_field(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text(Path(TINY).read_text(encoding="utf-8").replace("rounds = [120,", "rounds = ["), encoding="utf-8")
    assert "rounds has 8 entries; it must have nine" in refused("winston84", "sheet", "check", broken)


def test_check_compares_with_the_example_of_the_rulebook(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(Path(TINY).read_text(encoding="utf-8").replace("[300, 200, 0]", "[300, 210, 0]"), encoding="utf-8")
    assert any("200" in note and "big_brother" in note for note in run("sheet", "check", other, "--json").data["notes"])


def test_show_draws_the_route() -> None:
    shown = run("sheet", "show", TINY, "--difficulty", 4).out
    drawn = "".join(re.findall(r"(?m)^ *\d+ ((?: \S ?)+)$", shown)).replace(" ", "")
    assert drawn == Sheet.load(TINY).route_for(4)
    assert run("sheet", "show", TINY, "--json").data["route"] == Sheet.load(TINY).route


# ------------------------------------------------------------------ as a process, at a terminal


def test_a_quick_answer_loads_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "exactplay", "winston84", "advise", "--roll", "532416", "--json"]
    asked = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(asked.stdout)["plan"]
    imported = {line.rpartition("|")[2].strip() for line in asked.stderr.splitlines() if line.startswith("import time:")}
    assert "numpy" in imported
    assert not imported & {"ortools", "rich.console", "rich.progress", "exactplay.certificates.winston84", "hypothesis"}


@pytest.fixture
def at_terminal() -> Iterator[Callable[..., Any]]:
    """Start commands under a pseudo-terminal."""
    if sys.platform == "win32":
        pytest.skip("pexpect has no pseudo-terminal on Windows")
    import pexpect

    started = []

    def start(*arguments: object) -> Any:
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        child = pexpect.spawn(
            sys.executable, ["-m", "exactplay", "winston84", *map(str, arguments)],
            encoding="utf-8", timeout=60, dimensions=(50, 200), env=environment,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_colour_at_a_terminal_only(at_terminal: Callable[..., Any]) -> None:
    child = at_terminal("sheet", "show", TINY)
    child.expect("Maximum Security")
    assert "\x1b[" in child.before


def test_long_work_shows_how_far_it_is_at_a_terminal(at_terminal: Callable[..., Any]) -> None:
    child = at_terminal("simulate", "--sheet", TINY, "-d", 3, "--games", 3_000_000)
    child.expect("of 3,000,000")
    child.sendintr()
    child.expect("interrupted")
