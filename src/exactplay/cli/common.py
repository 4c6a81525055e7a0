"""What all commands share: options, errors in one line, and the three ways a result is shown."""
from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from exactplay.solvers.result import Result, brief

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RuleOption = Annotated[list[str] | None, typer.Option("--rule", metavar="NAME=VALUE", help="Switch an option; repeatable.")]

LONGEST_LINE = 1000  # of an error, which may repeat a long argument
INTERRUPTED = 130  # what typer returns after Ctrl-C

# The class of every error that typer finds in a command line. It exports only this subclass of it.
_UsageError: Any = typer.BadParameter.__base__


def fail(message: str) -> NoReturn:
    """End with exit code 2 and one line on stderr, whatever characters and however many of them it repeats."""
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in " ".join(message.split()))
    print("exactplay: " + (line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."), file=sys.stderr)
    raise SystemExit(2)


@contextlib.contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Turn what a user can cause into one clear line: exit code 2 for bad input, 130 after Ctrl-C."""
    try:
        yield
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader (head, less) has gone: nothing is left to say, and nothing to flush to.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from None
        fail(describe_os_error(error) if isinstance(error, OSError) else str(error))
    except MemoryError:
        fail("there is not enough memory for that; ask for a smaller table, or a smaller question")
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            # Its text is the help page, asked for by naming no command.
            error.show()
            raise SystemExit(2) from None
        where = error.ctx.command_path if error.ctx else "exactplay"
        fail(f"{error.format_message()} ({where} --help tells more)")
    except (KeyboardInterrupt, typer.Abort):
        print("\nexactplay: interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


def describe_os_error(error: OSError) -> str:
    """One line without the errno number."""
    return f"{error.filename}: {error.strerror}" if error.filename is not None else str(error.strerror or error)


def print_json(data: Any) -> None:
    """Print plain data as one line of JSON."""
    print(json.dumps(data, ensure_ascii=False, allow_nan=False))


def print_result(result: Result[Any], title: str, *, moves_label: str = "move", mover: int = 0) -> None:
    """Print an answer for a reader: its kind beside its value, the best moves marked, notes and origins below.

    Moves stand best first for ``mover``: of vectors his entry counts; plain values are player 0's, so 1 wants less.
    """
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"{title}: [bold]{result.verdict}[/bold]", soft_wrap=True)
    if result.moves:
        table = Table(box=None, pad_edge=False)
        table.add_column(moves_label)
        table.add_column("value", justify="right")
        table.add_column("")
        for move in ranked(result, mover):
            verdict = result.moves[move]
            table.add_row(str(move), str(verdict).removesuffix(" (exact)"), "best" if move in result.best else "")
        console.print(table)
    if result.pv:
        moves = [str(move) for move in result.pv]
        # Moves that have blanks in them need more than a blank between them.
        separator = " / " if any(" " in move for move in moves) else " "
        console.print("principal variation: " + separator.join(moves), soft_wrap=True)
    print_footer(result)


def ranked(result: Result[Any], mover: int = 0) -> list[Any]:
    """The moves of an answer, the best first, then those that may be best for ``mover`` (see :func:`print_result`)."""
    return sorted(result.moves, key=lambda move: (move not in result.best, _rank(result.moves[move], mover)))


def print_footer(result: Result[Any]) -> None:
    """Print what an answer rests on: rules, sources, notes."""
    if result.rules != "default rules":
        print(f"rules: {result.rules}")
    for source in result.sources:
        print(f"rests on {source.name} ({source.provenance}, {source.digest[:12]})")
    for note in result.notes:
        print(f"note: {note}")


def _rank(verdict: Any, mover: int) -> float:
    value = brief(verdict)
    if isinstance(value, Mapping):
        value = next((entry for entry in value.values() if isinstance(entry, int | float | tuple)), None)
    if value is None:
        return math.inf
    if isinstance(value, tuple):
        return -float(value[mover])
    return float(value if mover else -value)


@contextlib.contextmanager
def progress_in_words() -> Iterator[Callable[[str], None] | None]:
    """A function that shows a few words on stderr, one after another in one place; None where no terminal shows them."""
    if not sys.stderr.isatty():
        yield None
        return
    try:
        yield lambda text: print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside it and rename it: it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            # A write that fails, on a full disk say, does not know its file.
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
