"""``exactplay winston84 ...``: every command as its user calls it, in text and in JSON."""
from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from exactplay.cli.winston84.session import Session

from exactplay.cli import main
from exactplay.cli.record import Record
from exactplay.questions.winston84.course import Course, begin, read_decisions
from exactplay.questions.winston84.setting import read_roll
from exactplay.rules.winston84 import (
    Colour,
    Dice,
    Difficulty,
    Move,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    State,
)
from tests import DATA

TINY = str(DATA / "tiny-sheet.toml")
GOLDEN = json.loads((DATA / "winston84-golden.json").read_text(encoding="utf-8"))
CASES = [json.loads(line) for line in (DATA / "winston84-cases.jsonl").read_text(encoding="utf-8").splitlines()]
LINEAR = ",".join(str(result) for result in range(37))

Run = Callable[..., "Finished"]


class Finished:
    """The outcome of one command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture(autouse=True, scope="module")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables and games of these tests stay out of the user's own folders."""
    folder = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
            patch.setenv(name, folder)
        patch.delenv("FORCE_COLOR", raising=False)
        yield


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""

    def command(*arguments: object, typed: str = "") -> Finished:
        monkeypatch.setattr(sys, "argv", ["exactplay", "winston84", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return Finished(code if isinstance(code, int) else 0, *capsys.readouterr())

    return command


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "exactplay", "winston84", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= 1e-9 * max(1.0, abs(wanted))


# ------------------------------------------------------------------ one question


def test_values_are_the_golden_ones(run: Run) -> None:
    answer = run("values", "--json").json()
    assert answer["provenance"] == "reconstruction" and any("reconstruction" in note for note in answer["notes"])
    for level, wanted in GOLDEN["reference"]["values"].items():
        assert close(answer["values"][level]["score"], wanted["score"])
        assert close(answer["values"][level]["win"], wanted["win"])


def test_values_as_text_say_that_the_sheet_is_a_reconstruction(run: Run) -> None:
    shown = run("values").out
    assert "60.622672 %" in shown and "575.934228" in shown
    assert "reconstruction" in shown and "\x1b" not in shown


@pytest.mark.parametrize("objective", ["score", "win", "at-least:900"])
def test_value_of_a_new_game(run: Run, objective: str) -> None:
    answer = run("value", "--difficulty", 3, "--objective", objective, "--json").json()
    assert answer["kind"] == "exact" and answer["place"] == "R1 box 0 marks 0"
    assert close(answer["value"], GOLDEN["reference"]["values"]["3"][objective])


def test_value_under_an_option(run: Run) -> None:
    answer = run("value", "--sheet", TINY, "-d", 3, "--rule", "white_needs_change=true", "--json").json()
    assert close(answer["value"], GOLDEN["tiny"]["x3_with_one_option_switched"]["white_needs_change"]["score"])
    assert answer["rules"] == "white_needs_change=true"


def test_fresh_is_left_out_where_it_means_nothing(run: Run) -> None:
    place = ("value", "--round", "R2", "--box", 17, "--marks", 1, "-d", 3, "--json")
    plain, fresh = run(*place).json(), run(*place, "--fresh").json()
    assert plain["value"] == fresh["value"]
    assert len(fresh["notes"]) == len(plain["notes"]) + 1


STATES = [case for case in CASES if case["type"] == "state" and not case["options"]]


@pytest.mark.parametrize("case", STATES[:8], ids=lambda case: case["dice"])
def test_advise_answers_the_cases(run: Run, case: dict[str, Any]) -> None:
    place = ("--round", case["round"], "--box", case["box"], "--marks", case["marks"], *(["--fresh"] * case["fresh"]))
    sheet = str(DATA / case["sheet"]) if case["sheet"] != "reference-sheet.toml" else "reference"
    asked = ("advise", "--sheet", sheet, "-d", case["difficulty"], "-o", case["objective"], *place, "--roll", case["dice"])
    answer = run(*asked, "--json").json()
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


def test_advise_reads_faces_in_colour_order(run: Run) -> None:
    short = run("advise", "-d", 3, "--roll", "532416", "--json").json()
    long = run("advise", "-d", 3, "--roll", "p6 R5,G3 b2/W4 Y1", "--json").json()
    del short["seconds"], long["seconds"]
    assert short == long and short["dice"] == "R5 G3 B2 W4 Y1 P6"


def test_advise_where_a_die_is_missing_and_where_one_must_be_given_up(run: Run) -> None:
    # At x3 the reference sheet has Red's Control Zone at box 12 and Maximum Security at box 5.
    zone = run("advise", "-d", 3, "--round", 2, "--box", 12, "--marks", 1, "--fresh", "--roll", "32416", "--json").json()
    assert zone["dice"] == "G3 B2 W4 Y1 P6"
    on_box_5 = ("--round", 2, "--box", 5, "--marks", 1, "--fresh")
    security = run("advise", "-d", 3, *on_box_5, "--roll", "562416", "--json").json()
    assert set(security["decisions"]) == {"-G", "-P"}


def test_advise_in_mid_round(run: Run) -> None:
    answer = run("advise", "-d", 2, "--roll", "Rp2 Bp2 G1 W5 Yx5", "--json").json()
    assert set(answer["decisions"]) == {"G:W", "W>R", "W>B"}


INNER = [case for case in CASES if case["type"] == "inner" and not case["options"]]


@pytest.mark.parametrize("case", INNER[:5], ids=lambda case: case["dice"])
def test_round_answers_the_cases(run: Run, case: dict[str, Any]) -> None:
    utility = ",".join(map(str, case["u"]))
    check_answer(run("round", "--dice", case["dice"], "--utility", utility, "--json").json(), case)


def test_round_at_maximum_security(run: Run) -> None:
    answer = run("round", "--dice", "R6 G1 B6 W2 Y6 P1", "--give-up", "--utility", LINEAR, "--json").json()
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
def test_bad_input_gets_one_line(run: Run, arguments: list[str], said: str) -> None:
    finished = run(*arguments)
    assert finished.code == 2 and finished.out == ""
    assert finished.err.startswith("exactplay: ") and finished.err.count("\n") == 1
    assert said in finished.err


# ------------------------------------------------------------------ batch


def test_batch_answers_both_kinds_in_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # One option only, as each needs a structure of its own; the solver's tests answer every case.
    asked = [number for number, case in enumerate(CASES) if case["options"] in ({}, {"white_needs_change": True})]
    assert {CASES[number]["type"] for number in asked} == {"inner", "state"}
    lines = "".join(json.dumps(CASES[number]) + "\n" for number in asked)
    # The sheets are named as files beside the questions.
    monkeypatch.chdir(DATA)
    finished = run("batch", "-", typed=lines)
    answers = [json.loads(line) for line in finished.out.splitlines()]
    assert finished.code == 0 and len(answers) == len(asked)
    for number, answer in zip(asked, answers, strict=True):
        check_answer(answer, CASES[number])
        if CASES[number]["type"] == "state":
            assert close(answer["before_roll"], CASES[number]["before_roll"])
            assert answer["provenance"] == "reconstruction" and "reconstruction" in answer["notes"][0]


def test_batch_finds_a_sheet_beside_its_file(run: Run, tmp_path: Path) -> None:
    own = Path(TINY).read_text(encoding="utf-8").replace('"reconstruction"', '"measured"')
    (tmp_path / "mine.toml").write_text(own, encoding="utf-8")
    start = {"difficulty": 2, "round": 1, "box": 0, "marks": 0, "dice": "R5G3B2W4Y1P6"}
    question = {"type": "state", "sheet": "mine.toml", **start}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    out = tmp_path / "answers.jsonl"
    assert run("batch", tmp_path / "questions.jsonl", "--out", out).code == 0
    answer = json.loads(out.read_text(encoding="utf-8"))
    assert answer["provenance"] == "measured" and answer["notes"] == []
    asked = run("advise", "--sheet", tmp_path / "mine.toml", "-d", 2, "--roll", "532416", "--json").json()
    assert answer["decisions"] == asked["decisions"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "outer"}, "inner or state"),
        ({"difficulty": None}, "difficulty is missing"),
        ({"difficulty": "3"}, "a whole number"),
        ({"difficulty": True}, "a whole number"),
        ({"fresh": 1}, "true or false"),
        ({"colour": 1}, "no field 'colour'"),
        ({"box": 200}, "box is 200"),
        ({"options": {"purple_alone_ok": 1}}, "false, true"),
        ({"sheet": "elsewhere.toml"}, "elsewhere.toml"),
    ],
)
def test_batch_names_what_is_wrong_and_goes_on(run: Run, change: dict[str, Any], said: str) -> None:
    good = next(case for case in STATES if case["sheet"] == "reference-sheet.toml")
    finished = run("batch", "-", typed="\n".join(json.dumps(question) for question in (good | change, good)))
    wrong, right = (json.loads(line) for line in finished.out.splitlines())
    assert finished.code == 2 and "1 of 2 lines" in finished.err
    assert wrong["line"] == 1 and said in wrong["error"]
    check_answer(right, good)


# ------------------------------------------------------------------ whole games


def test_solve_reports_every_difficulty(run: Run) -> None:
    answer = run("solve", "--sheet", TINY, "--json").json()
    for level, wanted in GOLDEN["tiny"]["values"].items():
        assert close(answer["values"][level]["score"], wanted["score"])
        assert close(answer["values"][level]["win"], wanted["win"])
    shown = run("solve", "--sheet", TINY, "-d", 2, "-d", 4, "-o", "at-least:600").out
    assert "probability of at least 600 points" in shown and "x4" in shown and "x3" not in shown


def test_distribution_agrees_with_the_value(run: Run) -> None:
    answer = run("distribution", "--sheet", TINY, "-d", 3, "--round", 6, "--json").json()
    value = run("value", "--sheet", TINY, "-d", 3, "--round", 6, "--json").json()
    assert close(answer["expected_score"], value["value"])
    assert close(sum(answer["scores"].values()) + answer["lost"], 1)
    shown = run("distribution", "--sheet", TINY, "-d", 3, "--round", 6).out
    assert f"expected score {value['value']:.6f}" in shown and "is a reconstruction" in shown


def test_trade_off_runs_from_safe_to_bold(run: Run) -> None:
    answer = run("trade-off", "--sheet", TINY, "-d", 3, "--points", 3, "--json").json()
    points = answer["points"]
    assert close(max(point["score"] for point in points), GOLDEN["tiny"]["values"]["3"]["score"])
    assert points == sorted(points, key=lambda point: point["score"])
    assert "is a reconstruction" in run("trade-off", "--sheet", TINY, "-d", 3, "--points", 2).out


@pytest.mark.parametrize("policy", ["score", "greedy", "random"])
def test_simulate_is_an_estimate(run: Run, policy: str) -> None:
    arguments = ("simulate", "--sheet", TINY, "-d", 3, "--games", 400, "--seed", 5, "--policy", policy)
    answer = run(*arguments, "--json").json()
    assert answer["kind"] == "estimate" and sum(answer["histogram"].values()) == 400
    assert answer["score"]["mean"] <= GOLDEN["tiny"]["values"]["3"]["score"] + 4 * answer["score"]["standard_error"]
    assert run(*arguments, "--json").json() == answer
    assert "estimate from 400 samples" in run(*arguments).out


# ------------------------------------------------------------------ sheets


def test_a_sheet_of_ones_own(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    assert run("sheet", "new", mine, "--name", "kitchen table").code == 0
    again = run("sheet", "new", mine)
    assert again.code == 2 and "exists" in again.err
    fresh = run("sheet", "check", mine, "--json").json()
    assert fresh["ok"] and fresh["provenance"] == "reconstruction" and fresh["notes"]

    measured = mine.read_text(encoding="utf-8").replace('provenance = "reconstruction"', 'provenance = "measured"')
    mine.write_text(measured, encoding="utf-8")
    assert "boxes are those of the shipped reconstruction" in run("sheet", "check", mine).out
    shorter = re.sub('(?m)^route = ".*"', 'route = ".....o....R.....Y..o"', measured)
    shorter = re.sub("(?m)^detour = .*", 'detour = { after = 6, skip = 4, boxes = "..o.B.." }', shorter)
    mine.write_text(shorter, encoding="utf-8")
    checked = run("sheet", "check", mine, "--json").json()
    assert checked["notes"] == [] and checked["route"]["boxes"] == 20 and checked["with_detour"]["boxes"] == 23
    assert run("solve", "--sheet", mine, "-d", 2, "--json").json()["values"]["2"]["win"] == 1.0
    shown = run("advise", "--sheet", mine, "-d", 2, "--roll", "532416").out
    assert "is a reconstruction" not in shown and "measured" in shown


def test_check_names_the_field(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text(Path(TINY).read_text(encoding="utf-8").replace("rounds = [120,", "rounds = ["), encoding="utf-8")
    finished = run("sheet", "check", broken)
    assert finished.code == 2 and "rounds has 8 entries; it must have nine" in finished.err


def test_check_compares_with_the_example_of_the_rulebook(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(Path(TINY).read_text(encoding="utf-8").replace("[300, 200, 0]", "[300, 210, 0]"), encoding="utf-8")
    assert any("200" in note and "big_brother" in note for note in run("sheet", "check", other, "--json").json()["notes"])


def test_show_draws_the_route(run: Run) -> None:
    shown = run("sheet", "show", TINY, "--difficulty", 4).out
    drawn = "".join(re.findall(r"(?m)^ *\d+ ((?: \S )+)$", shown)).replace(" ", "")
    assert drawn == Sheet.load(TINY).route_for(4)
    assert run("sheet", "show", TINY, "--json").json()["route"] == Sheet.load(TINY).route


# ------------------------------------------------------------------ coach: what it reads


def test_read_roll() -> None:
    colours = (Colour.BLUE, Colour.PURPLE)
    assert read_roll("4 2", colours) == read_roll("P2 B4", colours) == Roll(colours, (4, 2))


@pytest.mark.parametrize(
    ("dice", "typed", "meant"),
    [
        ("R1 G3 B2 W2 Y5 P6", "g:wbr", ["G:RBW"]),
        ("R1 G3 B2 W2 Y5 P6", "GBWP", ["G:BWP"]),
        ("R1 G3 B2 W2 Y5 P6", "Y P>G", ["Y", "P>G"]),
        ("R1 G3 B2 W3 Y5 P1", "B>G", ["B>G"]),
        ("R1 G1 B2 W3 Y5 P1", "B", ["B>W"]),
        ("Rp1 W3 P3 Yx5", "r", []),
    ],
)
def test_read_decisions(dice: str, typed: str, meant: list[str]) -> None:
    round = Round(Rules(), Dice.parse(dice)).check()
    if not meant:
        with pytest.raises(ValueError, match="possible"):
            read_decisions(typed, round)
        return
    following = round
    for text in meant:
        decision = Move.parse(text)
        following = following.play(decision)
    assert [str(decision) for decision in read_decisions(typed, round)] == meant


def test_read_decisions_at_maximum_security() -> None:
    round = Round(Rules(), Dice.parse("R6 G1 B6 W2 Y5 P1"), must_give_up=True).check()
    assert [str(decision) for decision in read_decisions("-r", round)] == ["-R"]
    assert [str(decision) for decision in read_decisions("B", round)] == ["-B"]


# ------------------------------------------------------------------ coach: the conversation


def coach(run: Run, file: Path, *options: str, typed: list[str]) -> list[dict[str, Any]]:
    finished = run("coach", "--file", file, "--json", *options, typed="".join(f"{line}\n" for line in typed))
    assert finished.code == 0, finished.err
    return [json.loads(line) for line in finished.out.splitlines()]


def test_coach_handles_what_big_brothers_eye_costs(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    # The tiny sheet at x3: Maximum Security at box 6, Red's Control Zone at box 11.
    session = Session.begin(file, Sheet.load(TINY), Difficulty(3), Rules(), Objective("score"))
    session.play(steps_to(session.game, 6))
    said = coach(run, file, typed=["655432", "-P", "-R", "undo", "undo", "6 5 5 4 3 6", "P"])
    waits = [line["waiting_for"] for line in said if "waiting_for" in line]
    assert said[0]["resumed"] and waits == ["roll", "decision", "decision", "decision", "roll", "decision", "decision"]
    assert set(said[2]["decisions"]) == {"-R"} and "-P is not possible" in said[3]["error"]
    messages = [line["message"] for line in said if "message" in line]
    assert messages[:2] == ["Taken back: -R", "Taken back: R6 G5 B5 W4 Y3 P2"]
    assert said[-2]["game"].split(" | ")[2] == "R6 G5 B5 W4 Y3"

    session = Session.begin(file, Sheet.load(TINY), Difficulty(3), Rules(), Objective("score"))
    session.play(steps_to(session.game, 11))
    said = coach(run, file, typed=["555555", "55555"])
    assert said[1]["dice"] == list("GBWYP") and "5 faces" in said[2]["error"] and said[3]["waiting_for"] == "decision"
    text = run("coach", "--file", file, typed="undo\nwhy\nsheet\n").out
    assert "Red stays out of this round" in text and "Control Zone: mark Big Brother box 1" in text
    assert "[R]" in text and "reconstructed sheet" in text


def test_coach_goes_on_with_a_game_that_was_joined_in_its_middle(run: Run, tmp_path: Path) -> None:
    start = begin(Sheet.load(TINY), Difficulty(3), Rules(), "R7 box 11 marks 1 fresh")
    setup = Course(start, Objective("score")).setup
    assert setup["place"] == "R7 box 11 marks 1 fresh"
    file = tmp_path / "game.json"
    Record(file, "winston84", setup, ["G5 B5 W5 Y5 P5"]).save()
    said = coach(run, file, typed=["undo"])
    due = [line for line in said if "waiting_for" in line]
    assert said[0]["resumed"] and [line["waiting_for"] for line in due] == ["decision", "roll"]
    assert due[1]["dice"] == list("GBWYP")
    for place, problem in (("R9 box 1 marks 0", "round is 9"), ("box 3", "write R5 box 17"), (7, "must be text")):
        Record(file, "winston84", {**setup, "place": place}, []).save()
        finished = run("coach", "--file", file)
        assert finished.code == 2 and problem in finished.err and len(finished.err.splitlines()) == 1


def steps_to(game: State, box: int) -> list[Any]:
    """A roll and decisions that end the first round on a box."""
    rng = random.Random(box)
    while True:
        steps: list[Any] = []
        state = game
        while state.at == game.at:
            assert state.round is not None
            if state.to_move < 0:
                to_roll = state.round.dice.to_roll
                move: Any = Roll(to_roll, tuple(rng.randint(1, 6) for _ in to_roll))
            else:
                move = rng.choice(state.legal_moves())
            steps.append(move)
            state = state.play(move)
        if isinstance(state.at, Place) and state.at.box == box:
            return steps


def test_coach_explains_and_forgives(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = ["help", "why", "12", "", "532416", "111111", "X", "why", "B>Y", "B>G P>W", "undo", "undo", "quit", ""]
    finished = run("coach", "--file", file, "-d", "2", typed="\n".join(typed))
    shown = finished.out
    assert finished.code == 0 and "is a reconstruction" in shown and "exact, on a reconstructed sheet" in shown
    assert "give the roll first" in shown and "6 faces from 1 to 6" in shown
    assert "a decision is due, not a roll" in shown and "'X' is no colour" in shown
    assert "nothing marked" in shown and "B>Y is not possible" in shown
    assert "Taken back: P>W" in shown and "Taken back: B>G" in shown
    assert Session.resume(file).record.moves == ["R5 G3 B2 W4 Y1 P6"]


def test_coach_resumes_only_the_same_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    coach(run, file, "-d", "2", typed=["532416"])
    other = run("coach", "--file", file, "-d", "3")
    assert other.code == 2 and "another difficulty" in other.err and "--new" in other.err
    said = coach(run, file, "-d", "2", "-o", "win", typed=[])
    assert said[0]["resumed"] and said[0]["objective"] == "win" and 0 <= said[1]["value"] <= 1
    said = coach(run, file, "--new", "-d", "3", typed=[])
    assert not said[0]["resumed"] and said[0]["difficulty"] == 3


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", '{"game": "winner", "setup": {}, "moves": []}', '{"game": "winston84", "setup": {}, "moves": []}',
        '{"game": "winston84", "setup": {"sheet": 3, "difficulty": 2, "rules": {}, "objective": "win"}, "moves": []}',
    ],
)
def test_coach_refuses_a_damaged_record(run: Run, tmp_path: Path, content: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(content, encoding="utf-8")
    finished = run("coach", "--file", file)
    assert finished.code == 2 and str(file) in finished.err and finished.err.count("\n") == 1


def test_coach_refuses_a_record_with_an_impossible_step(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    coach(run, file, typed=["532416"])
    data = json.loads(file.read_text(encoding="utf-8"))
    data["moves"].append("R")
    file.write_text(json.dumps(data), encoding="utf-8")
    finished = run("coach", "--file", file)
    assert finished.code == 2 and "step 2 ('R') does not fit" in finished.err


# ------------------------------------------------------------------ as a process, at a terminal


def test_a_quick_answer_loads_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "exactplay", "winston84", "advise", "--roll", "532416", "--json"]
    asked = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(asked.stdout)["plan"]
    imported = {line.rpartition("|")[2].strip() for line in asked.stderr.splitlines() if line.startswith("import time:")}
    assert "numpy" in imported
    assert not imported & {"ortools", "rich.console", "rich.progress", "exactplay.cli.winston84.drawing", "hypothesis"}


def test_a_process_has_the_exit_code_of_its_error() -> None:
    finished = process("advise", "--roll", "Q1")
    assert finished.returncode == 2 and finished.stdout == "" and finished.stderr.count("\n") == 1


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


ROLL, DECISION, END = r"R\d roll of ([RGBWYP ]+): ", r"R\d decision \[[^\]]+\]: ", "Enter ends, undo"


def test_a_whole_game_at_a_terminal_killed_interrupted_and_resumed(at_terminal: Callable[..., Any], tmp_path: Path) -> None:
    import signal

    file, rng, turns = tmp_path / "game.json", random.Random(1984), 0
    child = at_terminal("coach", "--file", file, "-d", 5)
    child.expect("is a reconstruction")
    while True:
        seen = child.expect([ROLL, DECISION, END])
        if seen == 2:
            break
        turns += 1
        if turns == 5:
            child.kill(signal.SIGKILL)
            child.wait()
        elif turns == 12:
            child.sendintr()
            child.expect("The game is kept in")
            child.expect("interrupted")
            child.wait()
            assert child.exitstatus == 130
        if turns in (5, 12):
            steps = len(json.loads(file.read_text(encoding="utf-8"))["moves"])
            child = at_terminal("coach", "--file", file)
            child.expect(f"Resumed after {steps} steps")
            continue
        child.sendline("" if seen == 1 else "".join(rng.choice("123456") for _ in child.match[1].split()))
    child.sendline("undo")
    child.expect("Taken back")
    child.expect(DECISION)
    child.sendline("")
    child.expect(END)
    child.sendline("")
    child.wait()
    assert child.exitstatus == 0
    session = Session.resume(file)
    assert session.over and turns > 12
    again = at_terminal("coach", "--file", file)
    again.expect("is over; a new one begins")
    again.expect(ROLL)


def test_colour_at_a_terminal_only(at_terminal: Callable[..., Any]) -> None:
    child = at_terminal("sheet", "show", TINY)
    child.expect("Maximum Security")
    assert "\x1b[" in child.before


def test_solve_shows_progress_at_a_terminal(at_terminal: Callable[..., Any], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(Path(TINY).read_text(encoding="utf-8").replace('"tiny"', '"progress"'), encoding="utf-8")
    child = at_terminal("solve", "--sheet", own, "-d", 3, "-o", "score")
    child.expect("solving x3 for score")
    child.expect("1138.0879")
