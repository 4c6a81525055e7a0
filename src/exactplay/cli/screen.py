"""Answers on the screen: blocks for a reader, JSON for a program, and how far long work is."""
from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from exactplay.cli.process import say
from exactplay.common.plain import to_line
from exactplay.questions.face import Answer, Block, Report, Span, Table

if TYPE_CHECKING:
    from rich.console import Console

_GAP = "  "


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer in either form."""
    if as_json:
        print(to_line(answer.data))
    else:
        print_blocks(answer.blocks)


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print blocks; a line is never wrapped or cut, and has colours only on a terminal."""
    console = _console()
    for block in blocks:
        for line in _lines(block):
            if console is None:
                print("".join(text for text, _ in line).rstrip())
            else:
                console.print(_styled(line), soft_wrap=True)


def _lines(block: Block) -> Iterable[tuple[Span, ...]]:
    if isinstance(block, Table):
        return [((line, ""),) for line in _table_lines(block)]
    return [((block, ""),)] if isinstance(block, str) else [block]


def _table_lines(table: Table) -> list[str]:
    """A table, each column as wide as its widest cell."""
    rows = [*([table.headings] if any(table.headings) else []), *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        _GAP.join(
            cell.rjust(width) if column in table.right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _console() -> Console | None:
    """Something that draws in colours, where stdout is a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from rich.console import Console

    # The width is given, as rich would believe COLUMNS=0; lines are left to the terminal to wrap.
    return Console(highlight=False, markup=False, width=_columns())


def _styled(line: tuple[Span, ...]) -> Any:
    from rich.text import Text

    return Text.assemble(*line)


def _columns() -> int:
    return shutil.get_terminal_size().columns or 80


class Meter:
    """How far long work is, in one place on stderr, where that is a terminal; taken off again at the end."""

    def __init__(self) -> None:
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._written:
            say("\r\x1b[K", end="")

    def tell(self, report: Report) -> None:
        """Show a report: what was done, of how much, since when, and what the answer would be now."""
        self.words(describe(report, time.monotonic() - self._begin))

    def words(self, text: str) -> None:
        """Show a few words."""
        if self._shown:
            self._written = True
            say(f"\r{text[: _columns() - 1]}\x1b[K", end="")


def describe(report: Report, seconds: float) -> str:
    """A report in a line."""
    parts = [f"{number:,.0f} {name}" for name, number in report.counts.items()]
    if report.total and parts:
        first = next(iter(report.counts.values()))
        parts[0] += f" of {report.total:,.0f} ({min(1.0, first / report.total):.0%})"
    parts.append(f"{seconds:.0f} s")
    if report.partial is not None:
        best = f", {report.partial.best[0]}" if report.partial.best else ""
        parts.append(f"{report.partial.verdict}{best}")
    return "  ".join(parts)
