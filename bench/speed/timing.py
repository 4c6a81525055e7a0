"""Measuring: process CPU time, best of several, and a table that says whether each limit holds."""
from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


def cpu_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The least CPU time of ``work`` in several runs; one warm-up run comes first when repeats is above 1."""
    if repeats > 1:
        work()
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@dataclass
class Report:
    """A table of measurements, each beside its limit and its ratio to the baseline of the same run."""

    title: str
    rows: list[tuple[str, str, str, str, str]] = field(default_factory=list)

    def add(
        self, what: str, measured: float, unit: str, *, at_most: float | None = None, at_least: float | None = None,
        aim: float | None = None, baseline: tuple[str, float] | None = None,
    ) -> None:
        """Add a row; ``baseline`` is its name and how many times the measured thing is better than it."""
        limit, verdict = "-", "-"
        if at_most is not None:
            limit, verdict = f"<= {at_most:g} {unit}", "ok" if measured <= at_most else "MISSED"
        if at_least is not None:
            limit, verdict = f">= {at_least:g} {unit}", "ok" if measured >= at_least else "MISSED"
        if aim is not None:
            limit += f" (aim {aim:g})"
        beside = f"{baseline[1]:,.1f} x {baseline[0]}" if baseline else "-"
        self.rows.append((what, f"{measured:,.4g} {unit}", limit, verdict, beside))
        print("  ".join(self.rows[-1]), flush=True)

    def print(self) -> None:
        """Print the whole table as Markdown."""
        print(f"\n## {self.title}\n\n{_machine()}\n")
        print("| what | measured | limit | holds | ratio to the baseline |\n| --- | --- | --- | --- | --- |")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")


def _machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"Python {platform.python_version()}, {model}; process CPU time, one thread, best of several in one run."
