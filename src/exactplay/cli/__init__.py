"""The command line: one group of commands a game, each in the module of its name.

A game's module offers ``app``, a :class:`typer.Typer`; the module of a single command offers a function of its name. Only
the module that a command line names is imported, so that a short question gets a quick answer.
"""
from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import typer

from exactplay import __version__
from exactplay.cli import common

#: command name -> module of its commands and one line of help
COMMANDS: dict[str, tuple[str, str]] = {
    "winston84": ("exactplay.cli.winston84", "Winston: Nineteen Eighty-Four, the dice and the route sheet."),
    "winkeladvokat": ("exactplay.cli.winkeladvokat", "Winkeladvokat: solve, analyse, play."),
    "winner": ("exactplay.cli.winner", "Winner (Zheng Shangyou): exact play, fewest plays, advice with hidden hands."),
    "dogs": ("exactplay.cli.winston_dogs", "Winston, the dog cards."),
    "walk": ("exactplay.cli.walk_the_dogs", "Walk the Dogs (2 to 4 players)."),
    "certify": ("exactplay.cli.certify", "Write an exact answer as a certificate that others can check."),
    "check": ("exactplay.cli.check", "Check a certificate with the reference rules alone."),
    "serve": ("exactplay.cli.serve", "The web application: pages and an API on this machine."),
}


def build_app(names: list[str]) -> typer.Typer:
    """The command line with the groups of the given games."""
    app = typer.Typer(
        name="exactplay",
        help="Exact best play for five tabletop games.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(invoke_without_command=True)
    def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)) -> None:
        if version:
            print(__version__)
            raise typer.Exit

    for name in names:
        path, help_text = COMMANDS[name]
        module = import_module(path)
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, help=help_text, no_args_is_help=True)
        else:
            app.command(name, help=help_text)(getattr(module, name))
    return app


def main() -> None:
    """Entry point of the command ``exactplay``: exit code 0, 2 for bad input, 130 after Ctrl-C."""
    program = Path(sys.argv[0]).name
    asked = [argument for argument in sys.argv[1:2] if argument in COMMANDS]
    # Shell completion needs to see every group.
    completing = any(variable.endswith("_COMPLETE") for variable in os.environ)
    names = asked if asked and not completing else list(COMMANDS)
    with common.errors_in_one_line():
        for stream in (sys.stdout, sys.stderr):
            # A name that the terminal cannot show is no reason to stop.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        # Not standalone, because typer would print a usage error as a box of several lines.
        # A line that begins with an empty hand ("- | 3D") is no option: no name of one begins with a blank.
        arguments = [f" {argument}" if argument.startswith("- ") else argument for argument in sys.argv[1:]]
        name = "exactplay" if program == "__main__.py" else program
        code = build_app(names)(arguments, prog_name=name, standalone_mode=False)
        if code == common.INTERRUPTED:
            raise KeyboardInterrupt
        raise SystemExit(code)
