"""``exactplay walk``: every command, both forms of output, errors in one line, and a game in a pseudo-terminal."""
from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from exactplay.cli import walk_the_dogs as commands
from exactplay.cli.batch import digest_of
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import Move, State, View
from tests.walk_the_dogs.reference import case_state, cases

POSITION = "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3"
VIEW = "middle=SPOOPS lines=SS/PG hands=g1,g2,r1/#2 discards=le,le,le,dc,dc"


def walk(*words: str, text: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "walk", *words], input=text, capture_output=True, text=True, timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def answers(*words: str, text: str = "", code: int = 0) -> list[Any]:
    return [json.loads(line) for line in walk(*words, text=text, code=code).stdout.splitlines()]


def test_show_and_moves() -> None:
    shown = walk("show", POSITION).stdout
    assert "SPOOPS" in shown
    assert "player 0 draws a card" in shown
    (data,) = answers("show", POSITION, "--json")
    assert State.parse(data["text"]) == State.parse(POSITION)
    assert State.from_json({name: value for name, value in data.items() if name not in ("to_move", "points", "text")})
    (data,) = answers("moves", POSITION, "--json")
    assert data == {"moves": [], "chance": {"+bo": "1"}}
    state = State.parse("middle=SPO lines=SS/PG hands=g1,le/r3 phase=play")
    (data,) = answers("moves", str(state), "--json")
    assert data["moves"] == [str(move) for move in state.legal_moves()]
    assert "takes P from player 1's front" in walk("moves", "-", text=json.dumps(state.to_json())).stdout


def test_solve() -> None:
    shown = walk("solve", POSITION).stdout
    assert "(exact)" in shown
    assert "best" in shown
    assert "principal variation: +bo +r2" in shown
    case = next(case for case in cases("solve") if case["id"] == "K0249")
    (data,) = answers("solve", "-", "--json", text=json.dumps(case_state(case).to_json()))
    assert (data["kind"], data["value"]) == ("exact", case["expect"]["value"])
    (best,) = answers("solve", POSITION, "--json", "--best-only", "--objective", "outcome")
    assert best["kind"] == "exact"


def test_advise() -> None:
    shown = walk("advise", VIEW, "--samples", "30", "--seed", "5").stdout
    assert "best on average" in shown
    assert "strategy fusion" in shown
    assert "seed 5" in shown
    view = {"middle": "SPOOPS", "lines": ["SS", "PG"], "hands": ["g1 g2 r1", 2], "discards": "le le le dc dc"}
    (data,) = answers("advise", json.dumps(view), "--samples", "30", "--seed", "5", "--json")
    assert data["kind"] == "estimate"
    (opened,) = answers(
        "advise", "middle=S lines=SS/PG hands=g1/r3,y deck=bo phase=play", "--json", "--objective", "points"
    )
    assert (opened["kind"], opened["value"]) == ("exact expectation", 7)


def test_arrange() -> None:
    assert "best lines (17 points), one of each mirror pair: PPOSOPSSS" in walk("arrange", "POSOPSS", "SP").stdout
    (data,) = answers("arrange", "OP", "POSSB", "--json")
    assert data == {"kind": "exact", "most_points": 13}
    (data,) = answers("arrange", "-", "SPS", "--in-order", "--json")
    assert data["most_points"] == data["points"]


def test_batch_answers_every_line_and_resumes(tmp_path: Path) -> None:
    asked = [case["input"] for case in cases("solve")[:12]]
    asked.append({"ask": "arrange", "line": "S", "dogs": "SP"})
    asked.append({"ask": "moves", **cases("plays")[2]["input"], "phase": "play"})
    asked.append({"ask": "advise", "middle": "S", "lines": ["SS", "P"], "hands": ["g1", 1]})
    lines = [json.dumps(question) for question in asked]
    found = answers("batch", "-", text="\n".join(lines))
    for case, answer in zip(cases("solve")[:12], found, strict=False):
        assert answer["value"] == case["expect"]["value"]
    assert found[12]["points"] == 5
    assert found[14]["kind"] == "exact expectation"
    file, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    file.write_text("\n".join(lines))
    partial = tmp_path / "answers.jsonl.partial"
    digest = digest_of(list(enumerate(lines, 1)), "default rules auto")
    partial.write_text(digest + "\n" + json.dumps({"kept": True}) + "\n" + '{"cut')
    walk("batch", str(file), "--out", str(out))
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert written[0] == {"kept": True}
    assert [answer.get("value") for answer in written[1:12]] == [answer["value"] for answer in found[1:12]]
    assert not partial.exists()
    bad = answers("batch", "-", text='{"middle": "S"}\n{"ask": "sing"}\n' + lines[0], code=2)
    assert [("error" in answer) for answer in bad] == [True, True, False]


@pytest.mark.parametrize("words", [
    ("show", "middle=SPX lines=S/P hands=g1/g1"),
    ("solve", "middle=SP lines=S/P hands=g1/g1 deck=?g1,g2"),
    ("solve", POSITION, "--objective", "love"),
    ("solve", POSITION, "--rule", "advance=true"),
    ("advise", VIEW, "--method", "guess"),
    ("advise", POSITION),
    ("arrange", "SX", "S"),
    ("arrange", "S", "S", "--with", "luck"),
    ("solve", "{}"),
    ("solve", "{"),
])
def test_errors_are_one_line_and_exit_code_2(words: tuple[str, ...]) -> None:
    done = walk(*words, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("exactplay: ")


def test_a_game_in_a_pseudo_terminal(tmp_path: Path) -> None:
    """Undo, leaving and taking up again, hint, and the end."""
    pexpect = pytest.importorskip("pexpect")
    file = tmp_path / "game.json"
    # A game in its last turns: dogs left 6, the pile shuffled.
    start = State.at(
        "SPOOPS", ["SS", "PG"], [["g1", "g2"], ["r3", "y"]], ["bo", "r2", "dc", "y", "g1", "g3", "r1"], shuffled=True
    )
    file.write_text(json.dumps({"game": "walk-the-dogs", "setup": {"seed": 1, "start": str(start)}, "moves": []}))
    command = [sys.executable, ["-m", "exactplay", "walk", "play", "--file", str(file), "--think", "0.2"]]
    child = pexpect.spawn(*command, encoding="utf-8", timeout=60)
    child.expect("your move")
    child.sendline("undo")
    child.expect("no move of yours")
    child.sendline("hint")
    child.expect("best on average")
    child.expect("your move")
    child.sendline("g9:S")
    child.expect("is none")
    child.sendline("1")
    child.expect("player 1: ")
    child.expect("your move|over:")
    kept = json.loads(file.read_text())["moves"]
    child.sendline("undo")
    child.expect("your move")
    assert len(json.loads(file.read_text())["moves"]) < len(kept)
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child = pexpect.spawn(*command, encoding="utf-8", timeout=60)
    child.expect("taking up the game")
    while child.expect(["your move", "over: .*\n"]) == 0:
        child.sendline("1")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert not file.exists()


@pytest.mark.parametrize("setup", ['{"seed": 1, "start": 5}', json.dumps({"seed": float("inf"), "start": POSITION})])
def test_a_damaged_setup_is_refused(tmp_path: Path, setup: str) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"game": "walk-the-dogs", "moves": [], "setup": ' + setup + "}")
    assert "damaged" in walk("play", "--file", str(file), code=2).stderr


def test_options_of_a_new_game_are_refused_for_a_kept_one(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    walk("play", "--file", str(file), "--seed", "4", "--think", "0.02", text="quit\n")
    kept = file.read_text()
    for words in (["--players", "4"], ["--rule", "advanced=true"], ["--seed", "0"], ["--start", POSITION]):
        assert "is for a new game" in walk("play", "--file", str(file), *words, code=2).stderr
    assert file.read_text() == kept
    walk("play", "--file", str(file), "--new", "--players", "3", text="quit\n")
    assert State.parse(json.loads(file.read_text())["setup"]["start"]).players == 3


def test_play_from_a_position(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    start = "middle=SP lines=SS/PG hands=g1,r1/r3 phase=play"
    walk("play", "--file", str(file), "--start", start, text="quit\n")
    assert State.parse(json.loads(file.read_text())["setup"]["start"]) == State.parse(start)
    for words in (["--start", VIEW], ["--start", start, "--players", "3"]):
        assert walk("play", "--file", str(file), "--new", *words, code=2).stderr.count("\n") == 1


def test_hidden_hands_are_shown_and_listed_but_not_solved() -> None:
    shown = walk("show", VIEW).stdout
    assert "2 hidden cards" in shown
    assert "g1 g2 r1" in shown
    (data,) = answers("show", VIEW, "--json")
    assert View.parse(data["text"]) == View.parse(VIEW)
    (data,) = answers("moves", VIEW, "--json")
    assert "g1:SSS" in data["moves"]
    assert "use advise" in walk("solve", VIEW, code=2).stderr


def test_moves_stand_best_first_for_player_1() -> None:
    position = "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3 turn=1"
    shown = walk("solve", position).stdout
    assert shown.startswith("player 0's points less player 1's, player 1's turn: ")
    values = [int(line.split()[1]) for line in shown.splitlines() if ":" in line.split(" ")[0] and "note" not in line]
    assert len(set(values)) > 1
    assert values == sorted(values)


def test_moves_of_three_players_stand_best_first_for_the_mover() -> None:
    shown = walk("solve", "middle=SPO lines=SS/PG/O hands=g1,g2/r3,y/r1,g3 deck=r2,y,g1,g3,r1 turn=1").stdout
    own = [int(match) for match in re.findall(r"(?m)^\w\w?:\w+ +\(-?\d+, (-?\d+), -?\d+\)", shown)]
    assert len(set(own)) > 1
    assert own == sorted(own, reverse=True)


def test_batch_takes_text_and_weighs_hidden_hands() -> None:
    lines = [VIEW, "middle=S lines=SS/PG hands=g1/r3 phase=play", "ask=arrange line=- dogs=SPS", f"ask=moves {VIEW}"]
    hidden, solved, arranged, listed = answers("batch", "-", "--samples", "5", "--seed", "7", text="\n".join(lines))
    assert (hidden["seed"], hidden["worlds"]) == (7, 5)
    assert solved["kind"] == "exact"
    assert arranged["points"] == 5
    assert "g1:SSS" in listed["moves"]
    (played,) = answers("batch", "-", "--samples", "5", "--method", "play-out", text=VIEW)
    assert "played out" in " ".join(played["notes"])


@pytest.mark.parametrize("question", [
    {"ask": "arrange", "line": "SS", "dogs": "S", "options": 5},
    {"ask": "arrange", "line": "SS", "dogs": "S", "option": {}},
    {"ask": "arrange", "line": 5, "dogs": "S"},
])
def test_batch_names_what_is_wrong_with_an_arrangement(question: dict[str, Any]) -> None:
    (bad,) = answers("batch", "-", text=json.dumps(question), code=2)
    assert "field" in bad["error"]


def test_the_native_answer_stays_where_cp_sat_runs_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_time(*_: Any, **__: Any) -> int:
        raise RuntimeError("CP-SAT found no proof within 60 s")

    monkeypatch.setattr("exactplay.solvers.walk_the_dogs.most_points_cp_sat", out_of_time)
    shown = CliRunner().invoke(commands.app, ["arrange", "POSOPSS", "SP", "--with", "cp-sat"]).stdout
    assert "most points: 17 (exact)" in shown
    assert "no proof within 60 s" in shown


@pytest.mark.parametrize("text", [
    "S" * 50_000, "middle=" + "X" * 50_000 + " lines=S/P hands=g1/g1", "middle=S lines=S/P hands=" + "h" * 50_000 + "/g1",
    '{"middle": "S", "lines": ["S", "P"], "hands": ["g1", "g1"], "turn": "' + "1" * 50_000 + '"}',
])
def test_error_lines_do_not_echo_long_input(text: str) -> None:
    assert len(walk("show", "-", text=text, code=2).stderr) < 400


def test_stdin_that_is_not_utf_8_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "walk", "show", "-"], input=b"\xff\xfe", capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"not UTF-8" in done.stderr


def test_damaged_saved_games_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"game": "walk-the-dogs", "setup": {}, "moves": []}')
    assert "damaged" in walk("play", "--file", str(file), code=2).stderr
    file.write_text("not json")
    assert "not a saved game" in walk("play", "--file", str(file), code=2).stderr


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_from_the_first_deal(tmp_path: Path, players: int) -> None:
    """Always the first move on the list."""
    file = tmp_path / "game.json"
    shown = walk(
        "play", "--file", str(file), "--seed", "3", "--think", "0.02", "--players", str(players), text="1\n" * 60
    ).stdout
    assert "over: " in shown
    assert not file.exists()


def test_every_draw_is_kept_in_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    walk("play", "--file", str(file), "--seed", "4", "--think", "0.02", text="1\n1\nquit\n")
    record = json.loads(file.read_text())
    state = State.parse(record["setup"]["start"])
    draws = 0
    for text in record["moves"]:
        draws += state.to_move == CHANCE
        state = state.play(Move.parse(text))
    assert draws >= 3
    assert state.to_move not in (CHANCE, OVER)
