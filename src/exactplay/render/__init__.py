"""Drawings of positions and results as SVG text: a route sheet, dice, a board, hands of cards, charts.

Each game has its module; :func:`draw` finds the right one. Importing ``exactplay`` makes notebooks show states and
results with these.
"""
from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from exactplay.render.results import result_html
from exactplay.render.svg import stylesheet
from exactplay.rules.contract import Form
from exactplay.solvers.result import Result

__all__ = ["draw", "result_html", "show", "stylesheet"]


def draw(value: object, **options: object) -> str:
    """The drawing of a value of a game: a state, a view, and whatever else its module's ``draw`` takes, with its options.

    Raises TypeError for a value of no game.
    """
    # A value of a game comes from exactplay.rules.GAME or exactplay.solvers.GAME.
    package, _, path = type(value).__module__.partition(".")
    game = path.split(".")[1] if package == "exactplay" and path.startswith(("rules.", "solvers.")) else ""
    if not game or find_spec(f"{__name__}.{game}") is None:
        raise TypeError(f"{type(value).__name__} is not a value of a game; draw takes states, views, sheets, dice")
    drawn: str = import_module(f"{__name__}.{game}").draw(value, **options)
    return drawn


def show(value: object, form: Form) -> str | None:
    """What a notebook shows of a value: a result as a table, anything else as its drawing; None: not in that form."""
    if isinstance(value, Result):
        return result_html(value) if form == "html" else None
    return draw(value) if form == "svg" else None
