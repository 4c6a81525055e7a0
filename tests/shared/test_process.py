"""The edges of a process: streams that are closed or full, a missing home, Ctrl-C; each ends in a code and one line."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.shared.command import ran, refused

POSITION = "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0"
EXACTPLAY = [sys.executable, "-m", "exactplay"]

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


def shell(line: str, code: int, **environment: str) -> str:
    """Run a line of shell, in which EX stands for the command; its code and what it writes to stderr."""
    program = " ".join(EXACTPLAY)
    done = subprocess.run(
        ["bash", "-c", line.replace("EX", program)], capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.stderr


@posix_only
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_is_no_error(unbuffered: str) -> None:
    for line in (
        "EX winner deal --seed 1 | true; exit ${PIPESTATUS[0]}",
        f"EX dogs solve '{POSITION}' | (exec <&-; sleep 1); exit ${{PIPESTATUS[0]}}",
        "yes '3D 4D 8H | 5D 6D; turn 0' | head -3000 | EX winner batch - | head -1 > /dev/null; exit ${PIPESTATUS[2]}",
    ):
        assert shell(line, 0, PYTHONUNBUFFERED=unbuffered) == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_one_line(unbuffered: str) -> None:
    commands = ("winner deal --seed 1", "--help", f"dogs show '{POSITION}' --json", "dogs batch -", "completion bash")
    for command in commands:
        errors = shell(f"echo '{POSITION}' | EX {command} > /dev/full", 2, PYTHONUNBUFFERED=unbuffered)
        assert errors.startswith("exactplay: ")
        assert errors.count("\n") == 1


def test_a_closed_stdin_is_one_line_and_leaves_a_game(tmp_path: Path) -> None:
    assert "stdin is closed" in refused("dogs", "show", "-", stdin=None)
    assert "stdin is closed" in refused("dogs", "batch", "-", stdin=None)
    assert "kept in" in ran("dogs", "play", "--file", tmp_path / "game", stdin=None).out


@posix_only
def test_without_a_home_folder_questions_are_answered_and_a_game_asks_for_a_file(tmp_path: Path) -> None:
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "HOME": ""}
    home = {"env": bare, "capture_output": True, "text": True, "check": False, "timeout": 120}
    assert subprocess.run([*EXACTPLAY, "dogs", "solve", POSITION], **home).returncode == 0  # type: ignore[call-overload]
    found: Any = subprocess.run([*EXACTPLAY, "dogs", "play"], **home, stdin=subprocess.DEVNULL)  # type: ignore[call-overload]
    assert "Traceback" not in found.stderr


@posix_only
def test_json_is_ascii_on_any_stream() -> None:
    done = subprocess.run(
        [*EXACTPLAY, "winner", "batch", "-"], input="3Dé | 4D; turn 0\n".encode(), capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"}, timeout=60,
    )
    assert done.returncode == 2
    assert done.stdout.isascii()
    assert done.stdout.startswith(b'{"line": 1')


@pytest.mark.parametrize("content", [f"\ufeff{POSITION}\r\n", f"{POSITION}\n\n", f"  {POSITION}\r"])
def test_marks_and_ends_of_lines_of_any_editor_are_read(content: str) -> None:
    wanted = ran("dogs", "show", POSITION).out
    assert ran("dogs", "show", "-", stdin=content).out == wanted
    assert ran("dogs", "batch", "-", "--ask", "show", stdin=content).data == ran("dogs", "show", POSITION, "--json").data


def test_input_that_is_not_utf8_is_refused() -> None:
    assert "not UTF-8" in refused("dogs", "show", "-", stdin=b"hands Bb | Kb; \xff\xfe 1\n")
    assert "not UTF-8" in ran("dogs", "batch", "-", stdin=b"hands Bb | Kb; \xff\xfe 1\n", code=2).objects[0]["error"]
    assert "not UTF-8" in refused("dogs", "show", "hands \udcff | Kb")


@pytest.mark.parametrize("columns", ["0", "20", "1000"])
def test_lines_are_neither_wrapped_nor_cut(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("winner", "advise", "5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2", "--samples", 20)
    wanted = [line for line in ran(*asked).lines if "effort" not in line]
    assert max(map(len, wanted)) > 100
    monkeypatch.setenv("COLUMNS", columns)
    assert [line for line in ran(*asked).lines if "effort" not in line] == wanted


def test_no_memory_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("exactplay.questions.asks.answered", hungry)
    assert "not enough memory" in refused("dogs", "solve", POSITION)


def test_an_error_that_repeats_a_long_argument_stays_one_line() -> None:
    assert len(refused("dogs", "show", "hands " + "x\n\x1b[31m" * 10_000)) < 1_100


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


@posix_only
def test_ctrl_c_in_long_work_gives_what_was_proven_and_its_own_code() -> None:
    command = [*EXACTPLAY, "winkeladvokat", "solve", "start", "--size", "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            time.sleep(3)
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors == ""
    assert "proven bounds" in out
    assert "Interrupted" in out


@posix_only
def test_ctrl_c_where_nothing_was_proven_is_one_line() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*EXACTPLAY, "dogs", "batch", "-"], text=True, **pipes) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr is not None
        assert process.stderr.read().strip() == "exactplay: interrupted"


def test_the_command_line_imports_no_game_that_is_not_asked_for() -> None:
    program = (
        "import sys\n"
        "from exactplay.cli import main\n"
        "sys.argv = ['exactplay', '--help']\n"
        "main()\n"
        "heavy = {'numpy', 'rich', 'exactplay.solvers', 'exactplay.questions.winner'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
