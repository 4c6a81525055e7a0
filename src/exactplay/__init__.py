"""Exactplay: the rules of five tabletop games, and provably best play.

The public names are those of the storeys below: :mod:`exactplay.rules` (what each game is),
:mod:`exactplay.solvers` (the answers). They are imported on first use.
"""
from __future__ import annotations

from importlib import import_module

from exactplay.rules import contract as _contract

__version__ = "0.1.0"

_HOME = {
    "CHANCE": "exactplay.rules.contract",
    "OVER": "exactplay.rules.contract",
    "BadOption": "exactplay.rules.contract",
    "BadText": "exactplay.rules.contract",
    "IllegalMove": "exactplay.rules.contract",
    "IllegalPosition": "exactplay.rules.contract",
    "Bounds": "exactplay.solvers.result",
    "Estimate": "exactplay.solvers.result",
    "Exact": "exactplay.solvers.result",
    "Limits": "exactplay.solvers.limits",
    "Result": "exactplay.solvers.result",
}

__all__ = ["GAMES", "__version__", *_HOME]

GAMES: tuple[str, ...]  # the names of the games' packages, by __getattr__


def __getattr__(name: str) -> object:
    if name == "GAMES":
        from exactplay.questions import COMMANDS

        return tuple(about.module for about in COMMANDS.values())
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'exactplay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _show(value: object, form: _contract.Form) -> str | None:
    """What a notebook shows of a state or a result; the drawings are imported with the first one."""
    from exactplay import render

    return render.show(value, form)


_contract.show_with(_show)
