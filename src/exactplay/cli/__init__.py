"""The command line: a group of commands a game, made from its face, and the commands that belong to no game.

Only the game that a command line names is imported, so that a short question gets a quick answer.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from exactplay import __version__
from exactplay.cli.process import INTERRUPTED, guarded
from exactplay.questions import COMMANDS, face_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from exactplay.questions.face import Ask, GameFace

PROGRAM = "exactplay"
COMPLETION = "_EXACTPLAY_COMPLETE"  # the variable by which a shell's script asks what may come next
CONTEXT = {"help_option_names": ["-h", "--help"]}


class Group(click.Group):
    """Commands that are made when they are asked for; ``listed`` holds the help of each."""

    def __init__(self, name: str | None, text: str, listed: Mapping[str, str], make: Callable[[str], click.Command],
                 **more: Any) -> None:
        super().__init__(name, help=text, short_help=text, context_settings=CONTEXT, **more)
        self._listed, self._make = listed, make

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in their order."""
        return list(self._listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command."""
        return self._make(cmd_name) if cmd_name in self._listed else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that fit, and the group's options, without making the commands."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=text) for name, text in self._listed.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without making them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._listed.items()))


def application() -> click.Group:
    """The whole command line."""
    common = {
        "certify": "Write an exact answer as a certificate that others can check.",
        "check": "Check a certificate with the reference rules alone.",
        "serve": "The web application: pages and an API on this machine.",
        "completion": "Print the script that completes commands in a shell.",
    }
    listed = {**{name: about.help for name, about in COMMANDS.items()}, **common}

    def make(name: str) -> click.Command:
        if name in COMMANDS:
            return _game(name)
        if name == "certify":
            return Group(name, common[name], {game: COMMANDS[game].help for game in COMMANDS}, _certify)
        if name == "check":
            from exactplay.cli.check import check

            return check
        if name == "serve":
            from exactplay.cli.options import command

            # A face of its own: named, as faces import no other.
            web = import_module("exactplay.web.serving")
            return command(name, web.HELP, web.OPTIONS, web.serve)
        from exactplay.cli.completion import completion

        return completion

    root = Group(PROGRAM, "Exact best play for five tabletop games.", listed, make, callback=_greet,
                 invoke_without_command=True)
    root.params.append(click.Option(["--version"], is_flag=True, expose_value=False, is_eager=True,
                                    callback=_version, help="Print the version and exit."))
    return root


def _greet() -> None:
    """``exactplay`` alone: the games, and an example of each."""
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        return
    print("Exact best play for five tabletop games.\n")
    for name, about in COMMANDS.items():
        print(f"{name:13} {about.help}\n    exactplay {about.example}\n")
    print("exactplay --help lists all commands, exactplay GAME --help those of a game.")


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        print(__version__)
        context.exit()


def _game(name: str) -> click.Group:
    """The commands of a game."""
    from exactplay.questions.asks import asks_of

    face = face_of(name)
    asks = {key: ask for key, ask in asks_of(face).items() if "cli" in ask.faces and key != "certify"}
    listed = {key: ask.help for key, ask in asks.items()}
    if face.play is not None:
        listed[face.play.command] = "Play a whole game with advice; it is kept after every move."
    listed["batch"] = "Answer many questions, one a line; an interrupted run resumes."

    def make(key: str) -> click.Command:
        if key == "batch":
            from exactplay.cli.batch import command

            return command(face)
        if face.play is not None and key == face.play.command:
            from exactplay.cli.play import command

            return command(face)
        return ask_command(face, asks[key])

    return _nested(name, face.summary, listed, make)


def _nested(name: str, text: str, listed: Mapping[str, str], make: Callable[[str], click.Command]) -> Group:
    """A group in which commands of two words (``sheet check``) make groups of their own."""
    outer: dict[str, str] = {}
    for key, about in listed.items():
        first, blank, _ = key.partition(" ")
        outer[first] = f"{', '.join(_seconds(listed, first))}." if blank else about

    def made(key: str) -> click.Command:
        if key in listed:
            return make(key)
        inner = {second: listed[f"{key} {second}"] for second in _seconds(listed, key)}
        return Group(key, outer[key], inner, lambda second: make(f"{key} {second}"), no_args_is_help=True)

    return Group(name, text, outer, made, no_args_is_help=True)


def _seconds(listed: Iterable[str], first: str) -> list[str]:
    return [key.partition(" ")[2] for key in listed if key.startswith(f"{first} ")]


def _certify(name: str) -> click.Command:
    from exactplay.questions.asks import asks_of

    return ask_command(face_of(name), asks_of(face_of(name))["certify"], name)


def ask_command(face: GameFace, ask: Ask, name: str | None = None) -> click.Command:
    """The command that puts an ask."""
    from exactplay.cli.options import JSON, command, from_stdin, rules_of, with_rules
    from exactplay.cli.screen import Meter, print_answer
    from exactplay.questions.asks import Interrupted, merged, put

    def run(given: dict[str, Any]) -> int:
        as_json, rules = given.pop("json", False), rules_of(face, given)
        if ask.about:
            given = from_stdin(face, given)
        try:
            with Meter() as meter:
                answer = put(face, ask, given, rules, meter.tell)
        except Interrupted as interrupted:
            print_answer(interrupted.answer, as_json=as_json)
            return INTERRUPTED
        print_answer(answer, as_json=as_json)
        return answer.code

    ruled = with_rules(face, ruled=ask.about or ask.ruled)
    options = merged(face.setting if ask.about else (), ask.options, ruled, (JSON,))
    return command(name or ask.name.split()[-1], ask.help, options, run)


def main() -> int:
    """The command ``exactplay``: exit code 0, 2 for bad input, 130 after Ctrl-C."""

    def work() -> int:
        # A line that begins with an empty hand ("- | 3D") is no option: no name of one begins with a blank.
        arguments = [f" {argument}" if argument.startswith("- ") else argument for argument in sys.argv[1:]]
        commands = application()
        if (instruction := os.environ.get(COMPLETION)) is not None:
            from click.shell_completion import shell_complete

            return shell_complete(commands, {}, PROGRAM, COMPLETION, instruction)
        # Not by main(), which prints an error in several lines and takes a reader that has gone for one.
        try:
            with commands.make_context(PROGRAM, arguments) as context:
                return int(commands.invoke(context) or 0)
        except click.exceptions.Exit as ended:
            return ended.exit_code

    return guarded(work)
