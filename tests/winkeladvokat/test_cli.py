"""The command line of Winkeladvokat, as a user types it."""
from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

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
    (["show", "start", "--size", "9"], "size is 9; it must be 8 or less"),
    (["show", START, "--size", "5"], "size 5 does not fit"),
    (["show", START, "--players", "3"], "players 3 does not fit the position, which has 2 players"),
    (["show", "start", "--players", "0"], "players is 0"),
    (["show", "start", "--board", "/nowhere/values.toml"], "values.toml"),
    (["perft", START, "--", "-1"], "0 or more"),
    (["perft", START, "99999999999"], "1000 or less"),
    (["solve", START, "--memory", "inf"], "memory"),
    (["analyse", START, "--seed", "99999999999999999999"], "seed"),
    (["show", "start", "--board", sys.executable], f"{sys.executable} is not UTF-8"),
])
def test_bad_input_gives_one_line(arguments: list[str], reason: str) -> None:
    assert reason in run(*arguments, code=2)


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


def test_a_resumed_game_refuses_options_that_do_not_fit_it(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    arguments = ["play", "--people", "all", "--size", "3", "--file", str(file)]
    run(*arguments)
    assert "Resumed" in run(*arguments)
    for option in (["--size", "5"], ["--rule", "end_check=on_turn"], ["--people", "r"]):
        assert option[0] in run("play", *option, "--file", str(file), code=2)
    run(*arguments[:4], "5", "--new", "--file", str(file))
