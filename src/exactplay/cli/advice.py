"""Advice under hidden cards on the screen: the average of each move, how sure it is, and what it rests on."""
from __future__ import annotations

from typing import Any

from exactplay.cli.common import print_footer
from exactplay.solvers.hidden import Advice


def print_advice(advice: Advice[Any], title: str, *, shown: int = 15) -> None:
    """Print the ``shown`` best moves, best on average first: average, 95 % interval, and how far behind the best."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"{title}: best on average: [bold]{', '.join(map(str, advice.best))}[/bold]", soft_wrap=True)
    console.print(f"average {advice.verdict}", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("move")
    table.add_column("average", justify="right")
    table.add_column("kind" if advice.enumerated else "95 % interval")
    table.add_column("behind the best")
    table.add_column("")
    ranked = sorted(advice.moves, key=lambda move: (-advice.intervals[move].mean, move))
    for move in ranked[:shown]:
        interval = advice.intervals[move]
        behind = advice.behind.get(move)
        remark = "best" if move in advice.best else "not distinguished" if move in advice.undistinguished else ""
        spread = advice.verdict.kind if advice.enumerated else f"{interval.low:.4g} to {interval.high:.4g}"
        table.add_row(str(move), f"{interval.mean:.4g}", spread, "" if behind is None else str(behind), remark)
    console.print(table)
    if len(ranked) > shown:
        print(f"and {len(ranked) - shown} moves of a lower average")
    print_footer(advice)
