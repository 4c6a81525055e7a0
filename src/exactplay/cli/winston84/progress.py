"""Progress of long work on stderr, where that is a terminal."""
from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from exactplay.rules.winston84 import Difficulty, Objective, Rules, Sheet
from exactplay.solvers.winston84 import Solution, open_solution

Report = Callable[[int, int], None]  # done, of how much


def open_solved(sheet: Sheet, difficulty: Difficulty, objective: Objective, rules: Rules, threads: int = 1) -> Solution:
    """As the solver's ``open_solution``; a bar appears only if something has to be solved."""
    with contextlib.ExitStack() as stack:
        started: list[Report] = []

        def report(done: int, total: int) -> None:
            if not started:
                started.append(stack.enter_context(bar(f"solving {difficulty} for {objective}")))
            started[0](done, total)

        progress = report if sys.stderr.isatty() else None
        return open_solution(sheet, difficulty, objective, rules, threads=threads, progress=progress)


@contextlib.contextmanager
def bar(title: str) -> Iterator[Report]:
    """A progress bar; it pulses until it is fed through the function that is given."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
