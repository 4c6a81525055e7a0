"""Many questions at once: in order, resumed after any interruption, bound to all that the answers hang on."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactplay.cli import batch
from exactplay.rules.contract import BadText
from tests.shared.command import ran

SMALL = "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0"
HIDDEN = "hands Bb Bb Kh | ? ? ?; table Bhb Kb; pile ?; unseen Kb Bh Gb Kb; turn 0; longest 4; shortest 2; bone 0; poo 1"


def doubled(line: str) -> dict[str, Any]:
    return {"answer": 2 * int(line)}


def answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


DOUBLED = [{"answer": 2}, {"answer": 4}, {"answer": 6}]


class Questions:
    """A file of questions, and what was asked of them."""

    def __init__(self, folder: Path) -> None:
        self.file, self.out = folder / "questions.txt", folder / "answers"
        self.partial = folder / "answers.partial"
        self.file.write_text("\ufeff1\r\n\r\n2\r\n3\r\n", encoding="utf-8", newline="")
        self.asked: list[str] = []

    def run(self, stop_at: int | None = None, bound: dict[str, Any] | None = None, files: Any = lambda line: ()) -> int:
        self.asked = []

        def answer(line: str) -> dict[str, Any]:
            self.asked.append(line)
            if len(self.asked) == stop_at:
                raise KeyboardInterrupt
            return doubled(line)

        return batch.run_into(self.out, str(self.file), answer, bound or {}, files)

    def interrupted(self, stop_at: int, **more: Any) -> None:
        with pytest.raises(KeyboardInterrupt):
            self.run(stop_at, **more)


@pytest.fixture
def questions(tmp_path: Path) -> Questions:
    return Questions(tmp_path)


def test_an_interrupted_batch_goes_on_where_it_was(questions: Questions) -> None:
    questions.interrupted(3)
    assert not questions.out.exists()
    questions.run()
    assert questions.asked == ["3"]
    assert answers(questions.out) == DOUBLED
    assert sorted(path.name for path in questions.out.parent.iterdir()) == ["answers", "questions.txt"]


def test_any_altered_byte_of_a_partial_file_is_noticed(questions: Questions) -> None:
    questions.interrupted(3)
    whole = questions.partial.read_bytes()
    for place in range(len(whole)):
        content = bytearray(whole)
        content[place] ^= 1
        questions.partial.write_bytes(content)
        questions.run()
        assert answers(questions.out) == DOUBLED
        assert len(questions.asked) > 1, place


def test_a_partial_file_that_was_cut_off_anywhere_is_gone_on_with(questions: Questions) -> None:
    questions.interrupted(3)
    whole = questions.partial.read_bytes()
    for length in range(len(whole)):
        questions.partial.write_bytes(whole[:length])
        questions.run()
        assert answers(questions.out) == DOUBLED


@pytest.mark.parametrize("damage", ["", "nonsense\n", "\xff\xfe", '{"answer": 99}\n' * 5])
def test_what_is_no_partial_file_is_never_taken_for_one(questions: Questions, damage: str) -> None:
    questions.partial.write_text(damage, encoding="latin-1")
    questions.run()
    assert questions.asked == ["1", "2", "3"]
    assert answers(questions.out) == DOUBLED


def test_lines_of_another_place_are_not_taken(questions: Questions) -> None:
    questions.interrupted(3)
    header, first, second = questions.partial.read_text().splitlines()
    questions.partial.write_text(f"{header}\n{second}\n{first}\n")
    questions.run()
    assert questions.asked == ["1", "2", "3"]


def test_everything_that_answers_hang_on_binds_a_partial_file(
    questions: Questions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "sheet"
    named.write_text("one")

    def begun() -> dict[str, Any]:
        return {"bound": {"options": {"seconds": 1.0}, "rules": {}}, "files": lambda line: [named]}

    def change_questions() -> None:
        questions.file.write_text("1\n2\n4\n")

    def change_file() -> None:
        named.write_text("two")

    def remove_file() -> None:
        named.unlink()

    def change_version() -> None:
        monkeypatch.setattr(batch, "__version__", "another")

    changes: list[Callable[[], None]] = [change_questions, change_file, remove_file, change_version]
    for change in changes:
        questions.interrupted(3, **begun())
        questions.run(**begun())
        assert questions.asked == [questions.file.read_text().split()[-1]], "nothing had changed"
        questions.interrupted(3, **begun())
        change()
        questions.run(**begun())
        assert len(questions.asked) == 3, change
    for bound in ({"options": {"seconds": 2.0}, "rules": {}}, {"options": {"seconds": 1.0}, "rules": {"a": True}}):
        questions.interrupted(3, **begun())
        questions.run(**{**begun(), "bound": bound})
        assert len(questions.asked) == 3, bound


def test_a_batch_that_finds_its_own_finished_answers_asks_nothing_twice(questions: Questions) -> None:
    questions.interrupted(3)
    # The end of a run that was killed after its last answer, before the file had its name.
    header = questions.partial.read_text().splitlines()[0]
    with questions.partial.open("a") as stream:
        stream.write(f"{batch.seal(header, 2, json.dumps({'answer': 6}))} {json.dumps({'answer': 6})}\n")
    questions.run()
    assert questions.asked == []
    assert answers(questions.out) == DOUBLED


def test_a_question_that_cannot_be_answered_does_not_end_the_batch(questions: Questions) -> None:
    questions.file.write_bytes(b"1\nx\n3\n\xff\n5\n")
    with pytest.raises(BadText, match="2 of 5 lines"):
        questions.run()
    first, second, third, fourth, fifth = answers(questions.out)
    assert (first, third, fifth) == ({"answer": 2}, {"answer": 6}, {"answer": 10})
    assert (second["line"], fourth["line"]) == (2, 4)
    assert "invalid literal" in second["error"]
    assert "UTF-8" in fourth["error"]


def test_a_batch_never_writes_over_what_is_no_answer_file(questions: Questions) -> None:
    before = questions.file.read_bytes()
    for target in (questions.file, questions.file.parent, Path(os.devnull)):
        with pytest.raises(BadText, match="--out"):
            batch.run_into(target, str(questions.file), doubled, {})
    assert questions.file.read_bytes() == before
    assert [path.name for path in questions.file.parent.iterdir()] == ["questions.txt"]


# ---------------------------------------------------------------- as commands


def test_positions_are_solved_and_hidden_ones_advised_on() -> None:
    lines = f"\ufeff{SMALL}\r\n\r\n{json.dumps({'position': SMALL})}\n{HIDDEN}"
    solved, same, advised = ran("dogs", "batch", "-", stdin=lines).objects
    assert solved == ran("dogs", "solve", SMALL, "--json").data | {"seconds": solved["seconds"]}
    assert same["value"] == solved["value"]
    assert (advised["kind"], advised["value"]) == ("exact expectation", 10.5)


def test_a_line_may_name_its_ask_and_its_options() -> None:
    lines = [
        json.dumps({"ask": "moves", "position": SMALL}),
        json.dumps({"hands": ["Bb Bh Kb", "Kh Kb Ob"], "pile": "Ob", "turn": 0, "moves": "all"}),
        json.dumps({"ask": "foo", "position": SMALL}),
        json.dumps({"position": SMALL, "moves": "alll"}),
        json.dumps({"position": SMALL, "foo": 1}),
        json.dumps({"position": SMALL, "nodes": True}),
    ]
    found = ran("dogs", "batch", "-", stdin="\n".join(lines), code=2)
    moves, valued, *errors = found.objects
    assert moves["moves"] == ran("dogs", "moves", SMALL, "--json").data["moves"]
    assert all(isinstance(value, int) for value in valued["moves"].values())
    for error, word in zip(errors, ("foo", "alll", "foo", "nodes"), strict=True):
        assert word in error["error"]
    assert "4 of 6 lines" in found.errors


def test_an_ask_about_something_else_is_found_by_what_it_needs() -> None:
    (found,) = ran("winner", "batch", "-", stdin='{"hand": "3D 3C 4D 4C 5H 6H 7H 8S 9S TD TC TH QD QC"}').objects
    assert found["value"] == 3


def test_what_the_command_line_says_holds_for_every_line() -> None:
    winner = "3D 4D 8H | 5D 6D; turn 0"
    lines = f"{winner}\n{json.dumps({'position': winner, 'objective': 'win'})}\n"
    first, second = ran("winner", "batch", "-", "--objective", "score", "--rule", "end=first_out", stdin=lines).objects
    assert (first["objective"], second["objective"]) == ("score", "win")
    assert first["rules"] == second["rules"] == "end=first_out"


def test_errors_are_json_in_ascii() -> None:
    found = ran("winner", "batch", "-", stdin="3Dé | 4D; turn 0\n", code=2)
    assert found.out.isascii()
    assert found.objects[0]["line"] == 1


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_a_batch_that_is_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    positions = [f"hands Gb Gb Ob Sb | Bb Bb Gh; table Kb Wbb Ob Sbbb; turn 0; points {number} 21" for number in range(150)]
    file, out = tmp_path / "questions", tmp_path / "answers"
    file.write_text("\n".join(positions))
    wanted = [answer["value"] for answer in ran("dogs", "batch", file).objects]
    command = [sys.executable, "-m", "exactplay", "dogs", "batch", str(file), "--out", str(out)]
    for attempt in range(12):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(0.3 + 0.03 * attempt)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert [answer["value"] for answer in answers(out)] == wanted
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == ["answers", "questions"]
