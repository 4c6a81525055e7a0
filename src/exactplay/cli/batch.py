"""Many questions at once: JSON lines (or plain lines) in, JSON lines out; an interrupted run resumes."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactplay.rules.contract import BadText

Answer = Callable[[str], dict[str, Any]]


def run(file: Path, answer: Answer, out: Path | None = None) -> None:
    """Answer every non-empty line of ``file`` ("-" is stdin) in order.

    Without ``out`` the answers go to stdout. With it they go to ``out``.partial, line by line, which becomes ``out`` at
    the end; where a partial file of an interrupted run stands, its complete lines are kept and the run goes on after
    them. A question that cannot be answered gets ``{"line": n, "error": "..."}`` and the run goes on; if there was one,
    the exit code is 2 at the end.
    """
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    questions = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if out is None:
        failed = sum([_write_one(number, line, answer, sys.stdout) for number, line in questions])
    else:
        partial = out.with_name(out.name + ".partial")
        done = _complete_lines(partial)
        failed = sum('"error"' in line and "error" in json.loads(line) for line in done)
        partial.write_text("".join(f"{line}\n" for line in done), encoding="utf-8")
        with partial.open("a", encoding="utf-8") as stream:
            for position, (number, line) in enumerate(questions[len(done):], len(done) + 1):
                failed += _write_one(number, line, answer, stream)
                if sys.stderr.isatty():
                    print(f"\r{position} of {len(questions)}", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        partial.replace(out)
    if failed:
        raise BadText(f"{failed} of {len(questions)} lines could not be answered; each has its error in the output")


def _write_one(number: int, line: str, answer: Answer, stream: Any) -> bool:
    try:
        reply = answer(line)
    except ValueError as error:
        reply = {"line": number, "error": " ".join(str(error).split())}
    print(json.dumps(reply, ensure_ascii=False, allow_nan=False), file=stream, flush=True)
    return "error" in reply


def read_object(line: str) -> dict[str, Any]:
    """One JSON object from a line; raises :class:`BadText`."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadText(f"not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(data, dict):
        raise BadText(f"a question is a JSON object, not {type(data).__name__}")
    return data


def _complete_lines(partial: Path) -> list[str]:
    if not partial.exists():
        return []
    content = partial.read_text(encoding="utf-8")
    # A line without its newline was cut off by the interruption.
    return content.splitlines() if content.endswith("\n") else content.splitlines()[:-1]
