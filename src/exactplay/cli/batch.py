"""Many questions at once: JSON lines (or plain lines) in, JSON lines out; an interrupted run resumes."""
from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from exactplay.cli.common import write_whole
from exactplay.rules.contract import BadText

Answer = Callable[[str], dict[str, Any]]


def run(file: Path, answer: Answer, out: Path | None = None, about: str = "") -> None:
    """Answer every non-empty line of ``file`` ("-" is stdin) in order.

    Without ``out`` each answer goes to stdout as soon as it is there. With it they go to ``out``.partial, line by line,
    which becomes ``out`` at the end; where a partial file of an interrupted run over the same questions stands, its
    complete lines are kept and the run goes on after them. ``about`` says what else the answers hang on (rules, say): a
    partial file about something else is begun anew. A question that cannot be answered gets
    ``{"line": n, "error": "..."}`` and the run goes on; if there was one, the exit code is 2 at the end.
    """
    if out is None:
        counted = failed = 0
        with _lines(file) as lines:
            for number, line in lines:
                failed += _write_one(number, line, answer, sys.stdout)
                counted += 1
    else:
        if str(file) != "-" and out.exists() and out.samefile(file):
            raise BadText(f"--out {out} is the file of the questions; name another one")
        if out.exists() and not out.is_file():
            raise BadText(f"--out {out} is no regular file; name a new file, or leave --out away to print the answers")
        with _lines(file) as lines:
            questions = list(lines)
        counted, failed = len(questions), _answer_into(out, questions, answer, about)
    if failed:
        raise BadText(f"{failed} of {counted} lines could not be answered; each has its error in the output")


def _answer_into(out: Path, questions: list[tuple[int, str]], answer: Answer, about: str) -> int:
    """Write all answers, going on after those of an interrupted run; return how many are errors."""
    partial = out.with_name(out.name + ".partial")
    digest = digest_of(questions, about)
    done = _complete_lines(partial, digest)[: len(questions)]
    failed = sum("error" in json.loads(line) for line in done)
    try:
        # Whole or not at all: an interruption now must not lose the answers of the last run.
        write_whole(partial, "".join(f"{line}\n" for line in (digest, *done)).encode())
        with partial.open("a", encoding="utf-8") as stream:
            for position, (number, line) in enumerate(questions[len(done) :], len(done) + 1):
                failed += _write_one(number, line, answer, stream)
                if sys.stderr.isatty():
                    print(f"\r{position} of {len(questions)}", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        answers = partial.with_name(partial.name + ".done")
        answers.write_text("".join(f"{line}\n" for line in _complete_lines(partial, digest)), encoding="utf-8")
        answers.replace(out)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(partial)) from None
    partial.unlink()
    return failed


@contextlib.contextmanager
def _lines(file: Path) -> Iterator[Iterator[tuple[int, str]]]:
    """The non-empty lines of a file or of stdin, with their numbers, as they come."""
    with contextlib.ExitStack() as stack:
        # A byte order mark, which some editors write, is no part of the first question.
        stream = sys.stdin if str(file) == "-" else stack.enter_context(file.open(encoding="utf-8-sig"))
        try:
            yield ((number, line.rstrip("\n")) for number, line in enumerate(stream, 1) if line.strip())
        except UnicodeDecodeError as error:
            raise BadText(f"{file} is not UTF-8 text: {error.reason}") from None


def _write_one(number: int, line: str, answer: Answer, stream: TextIO) -> bool:
    try:
        reply = answer(line)
        text = json.dumps(reply, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        reply = {"line": number, "error": " ".join(str(error).split())}
        text = json.dumps(reply, ensure_ascii=False)
    print(text, file=stream, flush=True)
    return "error" in reply


def digest_of(questions: list[tuple[int, str]], about: str = "") -> str:
    """The first line of a partial file, which says what it answers: numbers of lines, lines, what answers hang on."""
    return hashlib.sha256((json.dumps(questions) + about).encode()).hexdigest()


def _complete_lines(partial: Path, digest: str) -> list[str]:
    """The answers of an interrupted run over the same questions; none of another run's."""
    try:
        content = partial.read_text(encoding="utf-8")
        # A line without its newline was cut off by the interruption.
        first, *lines = content.splitlines() if content.endswith("\n") else content.splitlines()[:-1]
        whole = all(isinstance(json.loads(line), dict) for line in lines)
    except (FileNotFoundError, ValueError):
        return []
    return lines if first == digest and whole else []
