"""Winston (dogs) on the command line: every command, errors in one line, a game in a pseudo-terminal."""
from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from exactplay.cli.winston_dogs import print_answer
from exactplay.questions.winston_dogs import as_view
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import Move, State
from exactplay.solvers.result import Exact, Result
from tests import DATA

CASES = [json.loads(line) for line in (DATA / "winston-dogs-cases.jsonl").read_text().splitlines()]
SOLVED = [case for case in CASES if case["kind"] == "solve"]
OPEN = "hands Bb Gb Gb Kh Wb | Bb Gb Gh Kb Oh; table Bhb Kb Gbb; turn 0; longest 4; shortest 2; bone 0; poo 1"
HIDDEN = "hands Bb Bb Kh | ? ? ?; table Bhb Kb; pile ?; unseen Kb Bh Gb Kb; turn 0; longest 4; shortest 2; bone 0; poo 1"


def run(*arguments: str, text: str = "", code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "dogs", *arguments], input=text, capture_output=True, text=True, timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr + done.stdout
    if code:
        assert done.stderr.startswith("exactplay: ")
        assert done.stderr.count("\n") == 1
        return done.stderr
    return done.stdout


def test_show() -> None:
    shown = run("show", OPEN)
    assert "brown, with a head, 1 body" in shown
    assert re.search(r"seat 0 Bb Gb Gb Kh Wb +0 points, bone  <- on turn", shown)
    data = json.loads(run("show", OPEN, "--json"))
    assert State.parse(data.pop("text")) == State.parse(OPEN)
    assert data.pop("to_move") == 0
    assert State.from_json(data) == State.parse(OPEN)
    assert "unseen: 1 Bh, 1 Gb, 2 Kb" in run("show", HIDDEN)
    assert "over: seat 0 wins, scores 10 : 4" in run("show", "hands - | -; points 10 4")


def test_a_position_from_stdin_and_as_json() -> None:
    case = SOLVED[5]
    assert json.loads(run("solve", "-", "--json", text=json.dumps(case["input"])))["value"] == case["expect"]["value"]
    assert json.loads(run("solve", json.dumps(case["input"]), "--json"))["best"] == case["expect"]["best"]


def test_moves() -> None:
    assert "Bb Gb Gb Kh      takes brown, +3, the poo" in run("moves", OPEN)
    assert json.loads(run("moves", OPEN, "--json"))["moves"] == [str(m) for m in State.parse(OPEN).legal_moves()]
    assert "goes under the pile" in run("moves", "hands Bh Bh Kh Kh Gb | Ob Ob; table Bh Khb; pile Ob")
    assert run("moves", HIDDEN).splitlines()[0].startswith("Bb Bb")


def test_solve() -> None:
    shown = run("solve", OPEN)
    assert "seat 0's score less seat 1's: -15 (exact)" in shown
    assert re.search(r"Bb Gb Gb Kh +-15  best", shown)
    assert "line of best play: Bb Gb Gb Kh / " in shown
    quick = run("solve", OPEN, "--best-only")
    assert "proven bounds" in quick
    data = json.loads(run("solve", OPEN, "--json"))
    assert (data["kind"], data["value"]) == ("exact", -15)
    assert data["moves"]["Bb Gb"] == -21


def test_solve_for_seat_1_lists_his_best_first() -> None:
    case = next(case for case in SOLVED if case["input"]["turn"] == 1 and len(case["expect"].get("best", ())) == 1)
    lines = run("solve", json.dumps(case["input"])).splitlines()
    assert lines[1].split("  ")[1].strip() == case["expect"]["best"][0]
    values = [int(line.removesuffix("best").split()[-1]) for line in lines[1:] if re.match(r"  [A-Z]", line)]
    assert values == sorted(values)


def test_solve_with_a_limit_gives_bounds() -> None:
    rng = random.Random(1)
    state = State.deal(2, rng)
    data = json.loads(run("solve", str(state), "--nodes", "2000", "--json"))
    assert data["kind"] == "bounds"
    assert any("limit" in note for note in data["notes"])


def test_three_players_are_solved_by_maxn() -> None:
    case = next(case for case in CASES if case["kind"] == "maxn")
    shown = run("solve", json.dumps(case["input"]))
    vector = ", ".join(map(str, case["expect"]["vector"]))
    assert f"scores: ({vector}) (exact)" in shown
    assert "first in text order" in shown


def test_advise() -> None:
    shown = run("advise", HIDDEN)
    assert "best on average: Bb Bb Kh" in shown
    assert "exact expectation over 3 worlds" in shown
    data = json.loads(run("advise", HIDDEN, "--json"))
    assert (data["kind"], data["value"], data["worlds"]) == ("exact expectation", 10.5, 3)
    # Of an open position what the player on turn sees: with an empty pile all follows.
    assert "every card follows from what was seen: -15 (exact)" in run("advise", OPEN)


def test_advise_by_sample_says_so() -> None:
    state = State.deal(2, random.Random(4))
    shown = run("advise", str(state), "--samples", "20", "--seed", "3")
    assert "best on average" in shown
    assert "strategy fusion" in shown
    assert "seed 3" in shown
    assert "turns deep" in shown
    assert json.loads(run("advise", str(state), "--samples", "20", "--json"))["kind"] == "estimate"


def test_batch_answers_in_order_and_resumes(tmp_path: Path) -> None:
    questions = [json.dumps(case["input"]) for case in SOLVED[:6]] + [HIDDEN, OPEN]
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text("\n".join(questions) + "\n")
    answers = [json.loads(line) for line in run("batch", str(file)).splitlines()]
    assert [answer["value"] for answer in answers] == [case["expect"]["value"] for case in SOLVED[:6]] + [10.5, -15]
    lines = run("batch", str(file)).splitlines()
    partial = tmp_path / "out.jsonl.partial"
    partial.write_text("\n".join([*lines[:3], lines[3][:10]]))
    run("batch", str(file), "--out", str(out))
    again = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["value"] for answer in again] == [answer["value"] for answer in answers]
    assert not partial.exists()


def test_batch_goes_on_after_a_bad_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "dogs", "batch", "-"], input=f"hands Bx | Kh\n{OPEN}\n", capture_output=True,
        text=True, timeout=60, check=False,
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert "'Bx' is no card" in first["error"]
    assert second["value"] == -15
    assert done.returncode == 2


@pytest.mark.parametrize(("arguments", "message"), [
    (("show", "hands Bx | Kh"), "'Bx' is no card"),
    (("solve", HIDDEN), "hidden cards"),
    (("solve", "{"), "not JSON"),
    (("solve", "hands Bb | Kh; turn 4"), "turn is 4"),
    (("show", "-"), "there is no position"),
    (("advise", "hands - | -; points 1 2"), "the game is over"),
    (("advise", "hands ? | Kb; unseen Bb"), "seat 0 is on turn"),
])
def test_errors_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in run(*arguments, code=2)


def play(path: Path, *arguments: str) -> Any:
    return pexpect.spawn(
        sys.executable, ["-m", "exactplay", "dogs", "play", "--file", str(path), *arguments], encoding="utf-8", timeout=60,
        dimensions=(60, 200),
    )


ASKED = r"quit\)\? "


def test_a_game_in_a_terminal_with_undo_and_resume(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    child = play(path, "--seed", "7", "--think", "0.05")
    child.expect(ASKED)
    assert "seat 1 ? ? ? ? ?" in child.before
    child.sendline("Xx")
    child.expect("is no card")
    child.expect(ASKED)
    child.sendline("skip")
    child.expect("not legal here; legal: ")
    child.expect(ASKED)
    start = State.parse(json.loads(path.read_text())["setup"]["start"])
    first = str(start.legal_moves()[0])
    child.sendline(first)
    child.expect(f"you: {first}")
    child.expect("seat 1: ")
    child.expect(ASKED)
    assert len(json.loads(path.read_text())["moves"]) == 2
    child.sendline("undo")
    child.expect(ASKED)
    assert json.loads(path.read_text())["moves"] == []
    child.sendline("undo")
    child.expect("no move of yours to take back")
    child.expect(ASKED)
    child.sendline("hint")
    child.expect("best on average")
    child.expect(ASKED)
    child.sendline(first)
    child.expect(ASKED)
    child.sendline("quit")
    child.expect("takes it up")
    child.expect(pexpect.EOF)

    child = play(path, "--think", "0.05")
    child.expect("taking up the game")
    for _ in range(60):
        if child.expect([ASKED, "over: "]) == 1:
            break
        record = json.loads(path.read_text())
        state = State.parse(record["setup"]["start"])
        for text in record["moves"]:
            state = state.play(Move.parse(text))
        child.sendline(str(state.legal_moves()[-1]))
    else:
        pytest.fail("the game does not end")
    child.expect(r"scores -?\d+ : -?\d+")
    child.expect(pexpect.EOF)
    assert not path.exists()


def test_play_from_a_position_with_a_stuck_player(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    start = "hands Bh Bh Kh Kh Gb | Bb Wb Wb Ob Ob; table Bh Khb; pile Ob Sb; turn 0"
    child = play(path, "--start", start, "--think", "0.05")
    child.expect("you are stuck: under Bh, under Kh")
    child.expect(ASKED)
    child.sendline("under Kh")
    child.expect("you: under Kh")
    child.expect([ASKED, "over: "])
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert json.loads(path.read_text())["moves"][0] == "under Kh"


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"game": "winston-dogs", "setup": {"start": "hands Bb"}, "moves": []}')
    assert "is damaged" in run("play", "--file", str(path), code=2)
    path.write_text("{")
    assert "is not a saved game" in run("play", "--file", str(path), code=2)


def test_options_that_would_be_dropped_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    start = "hands Bb Bh | Kh Kb | Gb Gb"
    assert "--start gives" in run("play", "--file", str(path), "--start", start, "--players", "5", code=2)
    assert "--start gives" in run("play", "--file", str(path), "--start", start, "--seed", "5", code=2)
    assert not path.exists()
    run("play", "--file", str(path), "--start", start, text="quit\n")
    kept = path.read_text()
    for option in (("--players", "2"), ("--seed", "1"), ("--start", start)):
        assert "give --new" in run("play", "--file", str(path), *option, code=2)
    assert path.read_text() == kept
    run("play", "--file", str(path), "--new", "--players", "4", text="quit\n")
    assert len(State.parse(json.loads(path.read_text())["setup"]["start"]).hands) == 4


@pytest.mark.parametrize("environment", [{"PYTHONUTF8": "1"}, {"PYTHONIOENCODING": "utf-8:strict"}])
@pytest.mark.parametrize("command", ["show", "batch"])
def test_input_that_is_not_utf8(command: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "dogs", command, "-"], input=b"hands Bb | Kb; \xff\xfe 1\n",
        capture_output=True, env={**os.environ, **environment}, timeout=60, check=False,
    )
    assert done.returncode == 2
    assert b"not UTF-8" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_a_limit_that_proves_nothing_says_so() -> None:
    state = State.deal(3, random.Random(1))
    shown = run("solve", str(state), "--nodes", "2000", "--best-only")
    assert "inf" not in shown
    assert "no bound proven" in shown
    assert "value every move" in shown


def test_four_players_play_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    child = play(path, "--players", "4", "--seed", "2", "--think", "0.02")
    for _ in range(60):
        if child.expect([ASKED, "over: "]) == 1:
            break
        record = json.loads(path.read_text())
        state = State.parse(record["setup"]["start"])
        for text in record["moves"]:
            state = state.play(Move.parse(text))
        assert state.to_move != OVER
        child.sendline(str(state.legal_moves()[-1]))
    child.expect(r"scores -?\d+ : -?\d+ : -?\d+ : -?\d+")
    child.expect(pexpect.EOF)


@pytest.mark.parametrize(("seat", "values"), [
    (1, [(9, 1, 0), (0, 5, 0), (4, 3, 0)]),
    (2, [(0, 0, 1), (9, 0, 5), (4, 0, 3)]),
])
def test_exact_advice_stands_best_first_for_the_seat_on_turn(
    seat: int, values: list[tuple[int, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    state = State.parse(f"hands Bb Kb Gb | Bb Kb Gb | Bb Kb Gb; turn {seat}")
    moves = dict(zip(map(Move.parse, ("Bb", "Kb", "Gb")), map(Exact, values), strict=True))
    print_answer(Result(Exact(values[1]), moves, (Move.parse("Kb"),)), as_view(state))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line[:3] in ("Bb ", "Kb ", "Gb ")] == ["Kb", "Gb", "Bb"]
