"""``sheet check|new|show``: a player's own route sheet."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exactplay.cli.common import JsonFlag, fail, print_json, write_whole
from exactplay.questions.winston84.setting import about_sheet, read_difficulty
from exactplay.questions.winston84.sheets import described, doubts, survey
from exactplay.rules.winston84 import COLOURS, Sheet

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})

SheetArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A sheet's TOML file, or reference: the shipped reconstruction.")
]

_HOW_TO = """\
# A route sheet of Winston: Nineteen Eighty-Four. Replace everything below by what is printed on the sheet in the box, set
# provenance to "measured", then run: exactplay winston84 sheet check THIS_FILE
#
#   name            any name
#   provenance      "reconstruction" (guessed) or "measured" (read off a printed sheet)
#   notes           anything worth knowing, where the sheet came from
#   route           one character a box from the first to the last before the Golden Country:
#                   "." plain, "R G B W Y P" Control Zone of that colour, "o" Maximum Security
#   detour          by way of Mr. Charrington's house: the `skip` boxes after box number `after` are replaced by `boxes`
#   golden_country  points by number of Golden Country boxes marked, from 1 up; as many entries as it has boxes
#   big_brother     points by number of Big Brother boxes marked, from 0 up
#   rounds          points by the round in which the Golden Country was reached, from R0 up to R8: nine entries
"""


@app.command("check")
def check(sheet: SheetArgument, as_json: JsonFlag = False) -> None:
    """Read a sheet and say what stands in it; a wrong field is named with what would be right."""
    read = Sheet.load(sheet)
    facts, notes = survey(read), doubts(read)
    if as_json:
        print_json({
            **about_sheet(read), "ok": True, **facts, "notes": notes,
        })
        return
    print(f"{read.name}: a sheet with provenance {read.provenance}, digest {read.digest[:12]}")
    for title, key in (("route", "route"), ("with the detour", "with_detour")):
        zones = facts[key]["control_zones"]
        coloured = " ".join(f"{letter} {zones[letter]}" for letter in COLOURS)
        print(f"{title}: {facts[key]['boxes']} boxes, Control Zones {coloured}, "
              f"Maximum Security {facts[key]['maximum_security']}")
    print(f"Golden Country: {' '.join(map(str, read.golden_country))}")
    print(f"Big Brother: {' '.join(map(str, read.big_brother))}")
    print(f"Rounds R0 to R8: {' '.join(map(str, read.rounds))}")
    for note in notes:
        print(f"note: {note}")


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    name: Annotated[str, typer.Option("--name", help="The sheet's name.")] = "my sheet",
    as_json: JsonFlag = False,
) -> None:
    """Write a sheet to fill in: the shipped reconstruction, with how each field is meant."""
    if file.exists():
        fail(f"{file} exists; name a new file or delete it")
    reference = Sheet.load("reference")
    sheet = Sheet(
        name, "reconstruction", reference.route, reference.detour, reference.golden_country, reference.big_brother,
        reference.rounds, "Still the boxes and points of the shipped reconstruction: replace them.",
    )
    write_whole(file, (_HOW_TO + sheet.to_toml()).encode())
    if as_json:
        print_json({"file": str(file), "sheet": sheet.name, "provenance": sheet.provenance})
    else:
        print(f"{file} written: the shipped reconstruction. Replace its boxes and points by the printed ones, then:")
        print(f"exactplay winston84 sheet check {file}")


@app.command("show")
def show(
    sheet: SheetArgument = "reference",
    difficulty: Annotated[str, typer.Option("--difficulty", "-d", metavar="1..5", help="The difficulty level.")] = "1",
    as_json: JsonFlag = False,
) -> None:
    """Draw a sheet as it is played at a difficulty."""
    read, level = Sheet.load(sheet), read_difficulty(difficulty)
    if as_json:
        print_json(described(read, level))
        return
    from rich.console import Console

    from exactplay.cli.winston84.drawing import draw_sheet

    print(f"{read.name} at {level}, provenance {read.provenance}")
    draw_sheet(Console(highlight=False), read, level)
    for note in doubts(read):
        print(f"note: {note}")
