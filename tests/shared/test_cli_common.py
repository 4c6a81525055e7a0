"""What all commands share: batches that resume, saved games, errors in one line."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from exactplay.cli import batch
from exactplay.cli.common import write_whole
from exactplay.cli.record import Record
from exactplay.questions.reading import read_object
from exactplay.rules.contract import BadText


def doubled(line: str) -> dict[str, Any]:
    return {"answer": 2 * int(line)}


def answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.txt"
    file.write_text("\ufeff1\n\n2\n3\n", encoding="utf-8")
    return file


def test_an_interrupted_batch_resumes(questions: Path, tmp_path: Path) -> None:
    out, asked = tmp_path / "answers", []

    def stops(line: str) -> dict[str, Any]:
        asked.append(line)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return doubled(line)

    with pytest.raises(KeyboardInterrupt):
        batch.run(questions, stops, out)
    assert not out.exists()
    batch.run(questions, stops, out)
    assert asked == ["1", "2", "2", "3"]
    assert answers(out) == [{"answer": 2}, {"answer": 4}, {"answer": 6}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers", "questions.txt"]


@pytest.mark.parametrize("damage", ["", "nonsense\n", "\xff\xfe", '{"answer": 99}\n' * 5])
def test_another_runs_answers_are_never_taken(questions: Path, tmp_path: Path, damage: str) -> None:
    out = tmp_path / "answers"
    (tmp_path / "answers.partial").write_text(damage, encoding="latin-1")
    batch.run(questions, doubled, out)
    assert answers(out) == [{"answer": 2}, {"answer": 4}, {"answer": 6}]


def test_a_batch_over_other_questions_begins_anew(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers"

    def stops(line: str) -> dict[str, Any]:
        if line == "2":
            raise KeyboardInterrupt
        return doubled(line)

    with pytest.raises(KeyboardInterrupt):
        batch.run(questions, stops, out)
    questions.write_text("5\n2\n3\n")
    batch.run(questions, doubled, out)
    assert answers(out)[0] == {"answer": 10}


def test_a_question_that_cannot_be_answered_does_not_end_the_batch(tmp_path: Path) -> None:
    file, out = tmp_path / "q", tmp_path / "answers"
    file.write_text("1\nx\n3\n")
    with pytest.raises(BadText, match="1 of 3 lines"):
        batch.run(file, doubled, out)
    first, second, third = answers(out)
    assert (first, third) == ({"answer": 2}, {"answer": 6})
    assert second["line"] == 2
    assert "invalid literal" in second["error"]


def test_a_batch_never_writes_over_what_is_no_answer_file(questions: Path, tmp_path: Path) -> None:
    before = questions.read_bytes()
    for target in (questions, tmp_path, Path(os.devnull)):
        with pytest.raises(BadText, match="--out"):
            batch.run(questions, doubled, target)
    assert questions.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["questions.txt"]


@pytest.mark.parametrize("line", ["[1]", "{", "[" * 200_000, '{"a": ' + "9" * 5_000 + "}"])
def test_what_is_no_json_object_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(BadText) as caught:
        read_object(line)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"game": "other", "setup": {}, "moves": []}', "[" * 200_000, "\x00"])
def test_what_is_no_saved_game_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(content)
    with pytest.raises(BadText, match=r"game\.json is not a saved game of winner"):
        Record.load(path, "winner")


def test_a_failed_write_names_its_file_and_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fdopen", full)
    with pytest.raises(OSError, match="kept"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


def test_ctrl_c_while_the_command_line_is_imported_is_one_line() -> None:
    program = (
        "import builtins, sys\n"
        "real = builtins.__import__\n"
        "def interrupted(name, *rest, **more):\n"
        "    if name == 'exactplay.cli':\n"
        "        raise KeyboardInterrupt\n"
        "    return real(name, *rest, **more)\n"
        "builtins.__import__ = interrupted\n"
        "from exactplay.__main__ import main\n"
        "main()\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert finished.returncode == 130
    assert finished.stderr.strip() == "exactplay: interrupted"


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_ctrl_c_in_long_work_is_one_line() -> None:
    command = [sys.executable, "-m", "exactplay", "winston84", "simulate", "--games", "1000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            time.sleep(8)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors.strip() == "exactplay: interrupted"
