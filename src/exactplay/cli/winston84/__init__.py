"""``exactplay winston84 ...``: the commands of Winston: Nineteen Eighty-Four, one module a kind of command."""
from __future__ import annotations

import typer

from exactplay.cli.winston84 import ask, coach, many, sheets, study

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
app.command("values")(ask.values)
app.command("value")(ask.value)
app.command("advise")(ask.advise)
app.command("round")(ask.round)
app.command("batch")(many.batch)
app.command("coach")(coach.coach)
app.command("solve")(study.solve)
app.command("distribution")(study.distribution)
app.command("trade-off")(study.trade_off)
app.command("simulate")(study.simulate)
app.add_typer(sheets.app, name="sheet", help="Check, begin or draw a route sheet.", no_args_is_help=True)
