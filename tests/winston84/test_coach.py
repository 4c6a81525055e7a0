"""``exactplay winston84 coach``: what it reads, and a whole game at the table."""
from __future__ import annotations

import json
import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from exactplay.cli.record import Record
from exactplay.questions.winston84.course import begin, read_decisions
from exactplay.questions.winston84.setting import read_roll
from exactplay.questions.winston84.table import setup
from exactplay.rules.winston84 import Colour, Dice, Difficulty, Move, Place, Roll, Round, Rules, Sheet, State
from tests import DATA
from tests.shared.command import ran, typed

TINY = Sheet.load(DATA / "tiny-sheet.toml")


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


# ---------------------------------------------------------------- the conversation


def coach(file: Path, *options: object, words: list[str]) -> list[dict[str, Any]]:
    """What the coach says in JSON lines, without its greeting."""
    return ran("winston84", "coach", "--file", file, "--json", *options, stdin=typed(words)).objects[2:]


def kept(file: Path, start: State, moves: list[Any]) -> None:
    """A game that was left after some moves."""
    Record(file, "winston84", setup(start), [str(move) for move in moves]).save()


def test_it_knows_what_big_brothers_eye_costs(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    start = State.start(TINY, Difficulty(3))
    # The tiny sheet at x3: Maximum Security at box 6, Red's Control Zone at box 11.
    kept(file, start, steps_to(start, 6))
    said = coach(file, words=["655432", "-P", "-R", "undo", "undo", "6 5 5 4 3 6", "P"])
    waits = [line["waiting_for"] for line in said if "waiting_for" in line]
    assert waits == ["roll", "decision", "decision", "decision", "roll", "decision", "decision"]
    assert set(said[1]["decisions"]) == {"-R"}
    assert "-P is not possible" in said[2]["error"]
    messages = [line["message"] for line in said if "message" in line]
    assert messages[:2] == ["Taken back: -R", "Taken back: R6 G5 B5 W4 Y3 P2"]

    kept(file, start, steps_to(start, 11))
    said = coach(file, words=["555555", "55555"])
    assert said[0]["dice"] == list("GBWYP")
    assert "5 faces" in said[1]["error"]
    assert said[2]["waiting_for"] == "decision"
    text = ran("winston84", "coach", "--file", file, stdin=typed(["undo", "sheet"])).out
    assert "Red stays out of this round" in text
    assert "Control Zone: mark Big Brother box 1" in text
    assert "[R]" in text
    assert "reconstructed sheet" in text


def test_it_goes_on_with_a_game_that_was_joined_in_its_middle(tmp_path: Path) -> None:
    begun = setup(begin(TINY, Difficulty(3), Rules(), "R7 box 11 marks 1 fresh"))
    assert begun["place"] == "R7 box 11 marks 1 fresh"
    file = tmp_path / "game.json"
    Record(file, "winston84", begun, ["G5 B5 W5 Y5 P5"]).save()
    due = [line for line in coach(file, words=["undo"]) if "waiting_for" in line]
    assert [line["waiting_for"] for line in due] == ["decision", "roll"]
    assert due[1]["dice"] == list("GBWYP")
    for place, problem in (("R9 box 1 marks 0", "round is 9"), ("box 3", "write R5 box 17"), (7, "must be text")):
        Record(file, "winston84", {**begun, "place": place}, []).save()
        assert problem in ran("winston84", "coach", "--file", file, code=2).errors


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


def test_it_explains_and_forgives(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    words = ["help", "why", "12", "", "532416", "111111", "X", "why", "B>Y", "B>G P>W", "undo", "undo", "quit"]
    shown = ran("winston84", "coach", "--file", file, "-d", 2, stdin=typed(words)).out
    for said in (
        "is a reconstruction", "exact, on a reconstructed sheet", "nothing is to be decided", "6 faces from 1 to 6",
        "a decision is due, not a roll", "'X' is no colour", "nothing marked", "B>Y is not possible",
        "Taken back: P>W", "Taken back: B>G",
    ):
        assert said in shown
    assert json.loads(file.read_text())["moves"] == ["R5 G3 B2 W4 Y1 P6"]


def test_an_empty_line_takes_the_best(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    (_, decision, *_) = coach(file, "-d", 2, words=["532416", ""])
    assert json.loads(file.read_text())["moves"][1] == decision["plan"][0]


def test_another_difficulty_is_refused_and_another_objective_taken(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    coach(file, "-d", 2, words=["532416"])
    assert "--difficulty is for a new game" in ran("winston84", "coach", "--file", file, "-d", 3, code=2).errors
    (stands, *_) = coach(file, "-d", 2, "-o", "win", words=[])
    assert 0 <= stands["value"] <= 1


ROLL, DECISION, END = r"R\d roll of ([RGBWYP ]+): ", r"R\d decision \[[^\]]+\]: ", "Enter ends, undo"


@pytest.mark.skipif(sys.platform == "win32", reason="pexpect has no pseudo-terminal on Windows")
def test_a_whole_game_at_a_terminal_killed_interrupted_and_resumed(tmp_path: Path) -> None:
    import pexpect

    file, rng, turns = tmp_path / "game.json", random.Random(1984), 0

    def start(*options: str) -> Any:
        command = ["-m", "exactplay", "winston84", "coach", "--file", str(file), *options]
        return pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(50, 200))

    child = start("-d", "5")
    child.expect("is a reconstruction")
    while (seen := child.expect([ROLL, DECISION, END])) != 2:
        turns += 1
        if turns == 5:
            child.kill(signal.SIGKILL)
        elif turns == 12:
            child.sendintr()
            child.expect("interrupted")
        if turns in (5, 12):
            child.wait()
            assert turns == 5 or child.exitstatus == 130
            child.close()
            steps = len(json.loads(file.read_text(encoding="utf-8"))["moves"])
            child = start()
            child.expect(f"after {steps} moves")
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
    assert turns > 12
    child.close()
    again = start()
    again.expect("is over; a new one begins")
    again.expect(ROLL)
    again.close(force=True)
