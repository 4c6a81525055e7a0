"""The command line of Winkeladvokat, as a user types it."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

from exactplay.cli import batch
from exactplay.rules.winkeladvokat import Move, State
from tests import DATA

COMMAND = [sys.executable, "-m", "exactplay", "winkeladvokat"]
ENDGAMES = [json.loads(line) for line in (DATA / "winkeladvokat-endgames.jsonl").read_text().splitlines()]
START = "7R/8/8/8/8/8/8/B7 b 25,25 0,0"


def run(*arguments: str, code: int = 0) -> str:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    if code == 2:
        assert done.stderr.startswith("exactplay: ")
        assert done.stderr.count("\n") == 1
        return done.stderr
    return done.stdout


def data(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_show() -> None:
    text = run("show", START)
    assert "B 0" in text
    assert "R 0" in text
    assert "Blue to move" in text
    shown = data("show", START)
    assert shown["position"] == START
    assert shown["values"][3][3] == 16
    assert data("show", "start", "--size", "5", "--players", "4")["supply"] == [15] * 4


def test_moves() -> None:
    assert len(data("moves", START)["moves"]) == 96
    assert "a1-a4-d4" in run("moves").split()
    assert "a1-a4-d4" not in run("moves", "--rule", "start_corners=adjacent", "--size", "4").split()


def test_solve() -> None:
    case = ENDGAMES[0]
    answer = data("solve", case["position"])
    assert (answer["kind"], answer["value"], answer["best"]) == ("exact", case["value"], case["best"])
    assert {"moves", "pv", "nodes", "seconds"} <= set(answer)
    assert f"{case['value']} (exact)" in run("solve", case["position"])


def test_solve_with_a_limit_says_bounds() -> None:
    answer = data("solve", START, "--nodes", "500")
    assert answer["kind"] == "bounds"
    assert answer["low"] <= answer["high"]
    assert "value" not in answer
    text = " ".join(run("solve", START, "--nodes", "500").split())
    assert "proven bounds" in text
    assert "guess" in text


def test_analyse() -> None:
    assert data("analyse", "start", "--size", "4")["value"] == 2
    assert data("analyse", START, "--seconds", "0.5")["kind"] == "bounds"


def test_perft() -> None:
    assert data("perft", START, "3")["paths"] == 594712
    answer = data("perft", "2R/3/B2 b 0,0 0,0", "4", "--rule", "empty_supply=moves_without_placing", "--divide")
    assert (answer["paths"], answer["distinct"]) == (752, 139)
    assert sum(answer["divide"].values()) == 752


def test_own_board(tmp_path: Path) -> None:
    file = tmp_path / "values.toml"
    file.write_text("values = [[0, 1, 0], [1, 9, 1], [0, 1, 0]]")
    assert data("show", "start", "--board", str(file))["values"][1] == [1, 9, 1]
    assert data("solve", "start", "--board", str(file))["kind"] == "exact"


@pytest.mark.parametrize(("arguments", "reason"), [
    (["solve", "7R/8/8/8/8/8/8/B7 b 25,25"], "four fields"),
    (["solve", START, "--rule", "end_check=never"], "end_check"),
    (["show", "start", "--size", "9"], "3 to 8"),
    (["show", START, "--size", "5"], "--size 5 does not fit"),
    (["show", START, "--players", "3"], "--players 3 does not fit the position, which has 2 players"),
    (["show", "start", "--players", "0"], "there are 2, 3 or 4"),
    (["show", "start", "--board", "/nowhere/values.toml"], "values.toml"),
    (["perft", START, "--", "-1"], "0 or more"),
    (["perft", START, "99999999999"], "1000 at most"),
    (["solve", START, "--memory", "inf"], "at most 1000000"),
    (["analyse", START, "--seed", "99999999999999999999"], "--seed"),
    (["show", "start", "--board", sys.executable], f"{sys.executable} is not UTF-8"),
])
def test_bad_input_gives_one_line(arguments: list[str], reason: str) -> None:
    assert reason in run(*arguments, code=2)


def test_a_batch_of_100_positions_interrupted_and_resumed(tmp_path: Path) -> None:
    questions, out = tmp_path / "positions.txt", tmp_path / "answers.jsonl"
    # The sixth takes half a minute, so that the interruption finds the batch at work.
    lines = [case["position"] for case in ENDGAMES[:99]]
    slow = ENDGAMES[-1]["position"]
    questions.write_text("\n".join([*lines[:5], slow, *lines[5:]]))
    process = subprocess.Popen([*COMMAND, "batch", str(questions), "--out", str(out)], stderr=subprocess.DEVNULL)
    partial = out.with_name(out.name + ".partial")
    end = time.monotonic() + 60
    while not (partial.exists() and partial.read_text().count("\n") == 6):
        assert time.monotonic() < end
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert not out.exists()
    _, kept = partial.read_text().split("\n", 1)  # the first line says which questions are answered
    assert kept.count("\n") == 5
    # The rest in little time: the slow one is asked with a limit, which the five kept answers did not have.
    run("batch", str(questions), "--out", str(out), "--nodes", "40000")
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert out.read_text().startswith(kept)
    assert len(answers) == 100
    assert answers[5]["kind"] == "bounds"
    for case, answer in zip(ENDGAMES[:5], answers[:5], strict=True):
        assert (answer["value"], answer["best"]) == (case["value"], sorted(case["best"]))


def test_a_batch_under_other_rules_does_not_go_on_from_the_answers(tmp_path: Path) -> None:
    questions, out = tmp_path / "positions.txt", tmp_path / "answers.jsonl"
    questions.write_text("2R/3/B2 b 1,1 0,0\n2R/3/B2 r 1,1 0,0\n")
    run("batch", str(questions), "--out", str(out))
    answers = out.read_text().splitlines(keepends=True)
    digest = batch.digest_of([(1, "2R/3/B2 b 1,1 0,0"), (2, "2R/3/B2 r 1,1 0,0")], "default rules ")
    out.rename(out.with_name(out.name + ".partial")).write_text(f"{digest}\n{answers[0]}")
    run("batch", str(questions), "--out", str(out), "--rule", "end_check=on_turn")
    assert [json.loads(line)["rules"] for line in out.read_text().splitlines()] == ["end_check=on_turn"] * 2


def test_a_game_outlives_a_save_that_fails_and_a_record_without_people_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    arguments = [*COMMAND, "play", "--people", "all", "--size", "3", "--file", str(file), "--json"]
    typed = f"save {file}/below\na1-a2-b2\n"
    done = subprocess.run(arguments, input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert "not saved" in lines[1]["message"]
    assert lines[2]["played"] == "a1-a2-b2"
    file.write_text(file.read_text().replace('"all"', "5"))
    assert "people are 5" in run("play", "--file", str(file), code=2)


def test_a_batch_goes_on_after_a_bad_line(tmp_path: Path) -> None:
    questions = tmp_path / "positions.txt"
    questions.write_text(f"nonsense\n{ENDGAMES[0]['position']}\n")
    done = subprocess.run([*COMMAND, "batch", str(questions)], capture_output=True, text=True, check=False)
    bad, good = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 2
    assert "four fields" in bad["error"]
    assert good["value"] == ENDGAMES[0]["value"]


def test_a_solve_interrupted_and_resumed_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "solve.checkpoint"
    arguments = ["solve", ENDGAMES[-1]["position"], "--json", "--checkpoint", str(file)]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=60)
    answer = json.loads(text)
    assert process.returncode == 130
    assert answer["kind"] == "bounds"
    assert answer["low"] <= ENDGAMES[-1]["value"] <= answer["high"]
    again = data(*arguments[:2], "--checkpoint", str(file), "--nodes", "1000")
    assert again["low"] >= answer["low"]
    assert again["high"] <= answer["high"]


def test_a_game_against_the_engine_to_its_end_in_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    arguments = ["play", "--file", str(file), "--seconds", "0.2"]
    game = pexpect.spawn(COMMAND[0], [*COMMAND[1:], *arguments], env=environment, encoding="utf-8", timeout=60)
    game.expect("Blue> ")
    game.sendline("a1-a9-b9")
    game.expect("not a move")
    game.expect("Blue> ")
    game.sendline("a1-a4-d4")
    game.expect("Red plays")
    game.expect("Blue> ")
    game.sendline("undo")
    game.expect("Blue to move")
    game.expect("Blue> ")
    game.sendline("quit")
    game.expect(pexpect.EOF)
    game = pexpect.spawn(COMMAND[0], [*COMMAND[1:], *arguments], env=environment, encoding="utf-8", timeout=60)
    game.expect("resumed from")
    for _ in range(60):
        if game.expect(["Blue> ", "The game is over: "]) == 1:
            break
        game.sendline("moves")
        game.expect("Blue> ")
        game.sendline(_first_move(file))
    else:
        pytest.fail("the game did not end")
    game.expect(pexpect.EOF)


def test_a_resumed_game_refuses_options_that_do_not_fit_it(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    arguments = ["play", "--people", "all", "--size", "3", "--file", str(file)]
    run(*arguments)
    assert "resumed" in run(*arguments)
    assert "another --size" in run("play", "--size", "5", "--file", str(file), code=2)
    assert "another --rule" in run("play", "--rule", "end_check=on_turn", "--file", str(file), code=2)
    run(*arguments[:4], "5", "--new", "--file", str(file))


def _first_move(file: Path) -> str:
    """A legal move of the saved game: the same question another process would ask."""
    saved = json.loads(file.read_text())
    state = State.parse(saved["setup"]["position"])
    for text in saved["moves"]:
        state = state.play(Move.parse(text))
    return str(state.legal_moves()[0])
