"""The command line of Winner, end to end in its own process."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.winner.cases import of_kind

POSITION = "5D 5H 6D 8H | 3D 3C 5S; turn 1; rules end=first_out"


def run(
    *words: str, stdin: str | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exactplay", "winner", *words], capture_output=True, text=True, input=stdin, check=False,
        timeout=120, env=os.environ | (env or {}),
    )


def good(*words: str, stdin: str | None = None) -> str:
    done = run(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_show_moves_and_deal() -> None:
    assert "seat 0: 4 cards" in good("show", POSITION)
    assert good("moves", POSITION).split("\n")[:3] == ["3C", "3D", "3D 3C"]
    line = good("deal", "--players", "3", "--seed", "7").strip()
    assert line == good("deal", "--players", "3", "--seed", "7").strip()
    shown = json.loads(good("show", line, "--json"))
    assert [len(hand.split()) for hand in shown["hands"]] == [18, 18, 18]
    assert good("moves", "-", stdin=POSITION) == good("moves", POSITION)


def test_solve_as_text_and_as_json() -> None:
    text = good("solve", POSITION, "--objective", "score")
    assert "(exact)" in text
    assert "best" in text
    data = json.loads(good("solve", POSITION, "--objective", "score", "--json"))
    assert data["kind"] == "exact"
    assert set(data["best"]) <= set(data["moves"])
    case = of_kind("solve")[0]
    again = json.loads(good("solve", json.dumps(case["input"] | {"objective": "score"}), "--objective", "score", "--json"))
    assert (again["value"], again["best"]) == (case["expect"]["value"], case["expect"]["best"])


def test_a_rule_on_the_command_line_counts() -> None:
    bomb = "4D 4C | 5D; turn 0; on 3D 3C 3H by 1"
    assert "fours 4D 4C" in good("moves", bomb)
    assert "fours" not in good("moves", bomb, "--rule", "fours=off")


def test_fewest_plays_by_both_solvers() -> None:
    hand = "3D 3C 4D 4C 5H 6H 7H 8S 9S"
    first, second = (json.loads(good("plays", hand, "--with", solver, "--json")) for solver in ("native", "cp-sat"))
    assert first["value"] == second["value"] == 2
    assert first["solver"] == "native"
    assert second["solver"] == "cp-sat"


def test_advice_says_what_how_sure_and_on_what_it_rests() -> None:
    text = good("advise", "3D KS 2H | ?3 | ?2; turn 0; rules end=first_out", "--objective", "score", "--samples", "60")
    assert "best on average" in text
    assert "95 % interval" in text
    assert "strategy fusion" in text
    assert "seed 0" in text
    exact = json.loads(good("advise", "3D 4D | ?1 | ?1; turn 0; spent "
                            + " ".join(card for card in all_cards() if card not in ("3D", "4D", "KS", "2H")), "--json"))
    assert exact["enumerated"]
    assert exact["worlds"] == 2


def all_cards() -> list[str]:
    return [rank + suit for rank in "3456789TJQKA2" for suit in "DCHS"] + ["BJ", "RJ"]


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
    (("play", "--players", "2", "--seat", "3", "--new", "--file", "/nonexistent/x.json"), "--seat is 3"),
])
def test_bad_input_gets_one_line_and_exit_code_2(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("exactplay: ")


def test_batch_answers_cases_and_lines_and_goes_on_after_errors(tmp_path: Path) -> None:
    case, plays = of_kind("solve")[0], of_kind("min_plays")[0]
    lines = [json.dumps(case), json.dumps(plays), POSITION, "nonsense", "3D 4D | ?1 | ?1; turn 0"]
    questions = tmp_path / "questions.jsonl"
    questions.write_text("\n".join(lines) + "\n")
    out = tmp_path / "answers.jsonl"
    done = run("batch", str(questions), "--out", str(out))
    assert done.returncode == 2
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert answers[0]["value"] == case["expect"]["value"]
    assert answers[1]["value"] == plays["expect"]
    assert answers[2]["kind"] == "exact"
    assert answers[3]["line"] == 4
    assert answers[4]["kind"] == "estimate"


def test_a_game_in_a_terminal_with_undo_resume_and_end(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    words = ["-m", "exactplay", "winner", "play", "--players", "3", "--cards", "4", "--seed", "3", "--seconds", "0.5",
             "--file", str(file)]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=60, dimensions=(40, 160))
    child.expect("> ")
    child.sendline("3X")
    child.expect("is no card")
    child.expect("> ")
    child.sendline("advice")
    child.expect("best on average")
    child.expect("> ")
    child.sendline("moves")
    child.expect("> ")
    child.sendline("quit")
    child.expect("resumes it")
    child.expect(pexpect.EOF)
    assert json.loads(file.read_text())["game"] == "winner"
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=60, dimensions=(40, 160))
    child.expect("resuming")
    undone = False
    for _ in range(80):
        if child.expect(["> ", r"over; scores [^\r\n]*", pexpect.EOF]) != 0:
            break
        child.sendline("moves")
        child.expect("moves\r\n")
        child.expect(r"([^\r\n]+)\r\n")
        assert isinstance(child.match, re.Match)
        move = child.match.group(1)
        child.expect("> ")
        child.sendline(move)
        if not undone:
            undone = True
            # What happens next is either the next question or the end; only a question can be answered by undo.
            if child.expect(["> ", "over; scores"]) != 0:
                break
            child.sendline("undo")
    child.expect(pexpect.EOF)
    assert not file.exists()


def test_ctrl_c_ends_a_long_search_with_exit_code_130() -> None:
    deal = good("deal", "--players", "2", "--seed", "4").strip()
    child = pexpect.spawn(sys.executable, ["-m", "exactplay", "winner", "solve", deal], encoding="utf-8", timeout=60)
    child.expect("M nodes")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_damaged_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"game": "winner", "setup": {"position": {}, "seat": 0}, "moves": []}')
    done = run("play", "--file", str(file), stdin="")
    assert done.returncode == 2
    assert "--new" in done.stderr


def test_what_show_prints_is_read_again() -> None:
    shown = good("show", POSITION, "--json")
    assert json.loads(good("solve", "-", "--json", stdin=shown))["value"] == json.loads(
        good("solve", POSITION, "--json"))["value"]
    text = good("show", "3D 4D | ?1 | ?1; turn 0", "--json")
    assert json.loads(good("show", "-", "--json", stdin=text)) == json.loads(text)


def test_a_position_may_begin_with_an_empty_hand() -> None:
    position = "- | 3D 6D | 5C 7C; turn 1; rules fours=into_hand straight_suit_tiebreak=true"
    assert "seat 0: out" in good("show", position)
    assert "(2, " in good("solve", position, "--objective", "place")


def test_a_rule_on_the_command_line_goes_back_to_the_default() -> None:
    bomb = "4D 4C | 5D; turn 0; on 3D 3C 3H by 1; rules fours=off"
    assert "fours" not in good("moves", bomb)
    assert "fours 4D 4C" in good("moves", bomb, "--rule", "fours=own")


def test_without_or_tools_one_line_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "ortools.py").write_text("raise ImportError('not installed')\n")
    done = run("plays", "3D 3C", "--with", "cp-sat", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 2
    assert done.stderr == "exactplay: --with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'\n"


def test_a_table_larger_than_the_memory_is_refused() -> None:
    done = run("solve", POSITION, "--table-mb", str(1 << 20))
    # Where the system promises memory that it does not have, the question is answered.
    assert done.returncode in (0, 2)
    if done.returncode:
        assert done.stderr.count("\n") == 1
        assert "memory" in done.stderr
