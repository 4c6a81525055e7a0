"""The options that the commands share."""
from __future__ import annotations

from typing import Annotated

import typer

SheetOption = Annotated[
    str, typer.Option("--sheet", metavar="FILE", help="A sheet's TOML file, or reference: the shipped reconstruction.")
]
DifficultyOption = Annotated[str, typer.Option("--difficulty", "-d", metavar="1..5", help="The difficulty level.")]
ObjectiveOption = Annotated[
    str, typer.Option("--objective", "-o", metavar="WHAT", help="What is maximised: score, win or at-least:T.")
]
RoundOption = Annotated[
    str | None, typer.Option("--round", metavar="R", help="The round about to be played. (default: the first)")
]
BoxOption = Annotated[int, typer.Option("--box", metavar="N", help="The last box marked; 0: none yet.")]
MarksOption = Annotated[int, typer.Option("--marks", metavar="N", help="Big Brother boxes marked.")]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="The last round ended on this very zone, so Big Brother's eye costs a die now.")
]
