"""What only Winner's commands have; what every game's have is in tests/shared/test_cli.py and test_play.py."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared.command import Ran, ran, refused
from tests.winner.cases import of_kind

POSITION = "5D 5H 6D 8H | 3D 3C 5S; turn 1; rules end=first_out"


def run(*words: object, stdin: str = "") -> Ran:
    return ran("winner", *words, stdin=stdin)


def moves(position: str, *options: str) -> list[str]:
    listed: list[str] = run("moves", position, *options, "--json").data["moves"]
    return listed


def test_a_deal_is_of_all_cards_or_of_some() -> None:
    shown = run("show", run("deal", "--players", 3, "--seed", 7).out.strip(), "--json").data
    assert [len(hand.split()) for hand in shown["hands"]] == [18, 18, 18]
    few = run("deal", "--players", 4, "--cards", 5, "--json").data
    assert [len(hand.split()) for hand in few["hands"]] == [5] * 4


def test_solve_answers_a_case() -> None:
    case = of_kind("solve")[0]
    found = run("solve", json.dumps(case["input"] | {"objective": "score"}), "--objective", "score", "--json").data
    assert (found["value"], found["best"]) == (case["expect"]["value"], case["expect"]["best"])
    assert "(exact)" in run("solve", POSITION, "--objective", "score").out


def test_a_rule_on_the_command_line_overrides_that_of_the_position() -> None:
    bomb = "4D 4C | 5D; turn 0; on 3D 3C 3H by 1"
    assert "fours 4D 4C" in moves(bomb)
    assert "fours 4D 4C" not in moves(bomb, "--rule", "fours=off")
    assert "fours 4D 4C" not in moves(f"{bomb}; rules fours=off")
    assert "fours 4D 4C" in moves(f"{bomb}; rules fours=off", "--rule", "fours=own")


def test_fewest_plays_by_both_solvers() -> None:
    hand = "3D 3C 4D 4C 5H 6H 7H 8S 9S"
    first, second = (run("plays", hand, "--with", solver, "--json").data for solver in ("native", "cp-sat"))
    assert first["value"] == second["value"] == 2
    assert (first["solver"], second["solver"]) == ("native", "cp-sat")


def test_advice_says_what_how_sure_and_on_what_it_rests() -> None:
    text = run("advise", "3D KS 2H | ?3 | ?2; turn 0; rules end=first_out", "--objective", "score", "--samples", 60).out
    for said in ("best on average", "95 % interval", "strategy fusion", "seed 0"):
        assert said in text
    cards = [rank + suit for rank in "3456789TJQKA2" for suit in "DCHS"] + ["BJ", "RJ"]
    spent = " ".join(card for card in cards if card not in ("3D", "4D", "KS", "2H"))
    exact = run("advise", f"3D 4D | ?1 | ?1; turn 0; spent {spent}", "--json").data
    assert (exact["enumerated"], exact["worlds"]) == (True, 2)


@pytest.mark.parametrize(("words", "message"), [
    (("solve", "3D | 3D; turn 0"), "3D is there 2 times"),
    (("solve", "3X | 4D; turn 0"), "is no card"),
    (("solve", POSITION, "--rule", "fours=maybe"), "fours"),
    (("solve", "{\"hands\": 3}"), "hands must be a list"),
    (("solve", "3D | 4D; turn 0", "--objective", "score"), "end=first_out"),
    (("advise", "3D | ?2; turn 1"), "own hand must be known"),
    (("solve", "3D | ?2; turn 0"), "hidden cards"),
    (("solve", '{"hands": ["3D", "4D"]}'), "turn, the seat to act, is missing"),
    (("show", '{"hands": ["3D", "4D"], "turn": 0, "leader": 1}'), "give one of them"),
    (("show", '{"hands": ["3D", "4D"], "turn": 0, "current": "5D", "stack": ["6D"]}'), "give one of them"),
    (("show", "3D | ?1; turn 0; spent 3D 4D 5D"), "card 3D is spent"),
    (("plays", "3X"), "is no card"),
    (("deal", "--cards", "40"), "cards is 40"),
    (("play", "--players", "2", "--people", "3", "--file", "/nonexistent/x.json"), "people are '3'"),
])
def test_bad_input_gets_one_line(words: tuple[str, ...], message: str) -> None:
    assert message in refused("winner", *words)


def test_what_show_prints_is_read_again() -> None:
    shown = run("show", POSITION, "--json").out
    assert run("solve", "-", "--json", stdin=shown).data["value"] == run("solve", POSITION, "--json").data["value"]
    text = run("show", "3D 4D | ?1 | ?1; turn 0", "--json").out
    assert run("show", "-", "--json", stdin=text).out == text


def test_a_position_may_begin_with_an_empty_hand() -> None:
    position = "- | 3D 6D | 5C 7C; turn 1; rules fours=into_hand straight_suit_tiebreak=true"
    assert "seat 0: out" in run("show", position).out
    assert "(2, " in run("solve", position, "--objective", "place").out


def test_without_or_tools_one_line_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "ortools.py").write_text("raise ImportError('not installed')\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "exactplay", "winner", "plays", "3D 3C", "--with", "cp-sat"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, check=False, timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "exactplay: --with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'\n"


def test_memory_that_cannot_be_had_is_one_line() -> None:
    found = ran("winner", "solve", POSITION, "--memory", 2**20, code=None)
    # Where the system promises memory that it does not have, the question is answered.
    assert found.code == 0 or "memory" in found.errors
    assert found.errors.count("\n") <= 1
