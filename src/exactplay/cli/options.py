"""Commands of the command line, made from the options of an ask."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from exactplay.common.errors import BadOption, BadText, quoted
from exactplay.common.files import STDIN, read_text
from exactplay.common.words import spelled
from exactplay.questions.face import GameFace, Option

CONTEXT = {"help_option_names": ["-h", "--help"]}
LARGEST_POSITION = 10_000_000  # bytes

JSON = Option("json", "flag", "Print JSON instead of text.", default=False)
RULE = Option("rule", "texts", "Switch a rule option; repeatable.", metavar="NAME=VALUE")


class Checked(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """A value as its option checks it, so that every face refuses the same in the same words."""

    def __init__(self, option: Option) -> None:
        self.option = option
        self.name = option.kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the text of a command line."""
        kind, spoken = self.option.kind, dataclasses.replace(self.option, name=self._spoken())
        if not isinstance(value, str) or kind == "texts":
            return value
        try:
            value.encode()
        except UnicodeEncodeError:  # bytes that are not in the code of the command line
            raise BadText(f"{spoken.name} is not UTF-8 text") from None
        if kind in ("whole", "real"):
            return spoken.check(_number(value, spoken.name, whole=kind == "whole"))
        return spoken.check(value)

    def _spoken(self) -> str:
        return self.option.metavar or self.option.name if self.option.argument else f"--{spelled_out(self.option.name)}"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names of a closed set; files by the shell."""
        if self.option.choices is not None:
            return [CompletionItem(name) for name in self.option.choices if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file")] if self.option.kind == "file" else []

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """What stands for the value in the help."""
        option = self.option
        return option.metavar or ("|".join(option.choices) if option.choices else _KINDS[option.kind])


_KINDS = {"text": "TEXT", "whole": "N", "real": "NUMBER", "flag": "", "texts": "TEXT", "file": "FILE"}


def spelled_out(name: str) -> str:
    """The name of an option as the command line has it."""
    return name.replace("_", "-")


def _number(text: str, name: str, *, whole: bool) -> float:
    try:
        return int(text) if whole else float(text)
    except ValueError:
        raise BadOption(f"{name} is {quoted(text)}; it must be a {'whole ' * whole}number") from None


def parameter(option: Option) -> click.Parameter:
    """An option as click has it; what is not given is None, so that an ask's own default holds."""
    if option.argument:
        return click.Argument([option.name], type=Checked(option), required=option.needed, default=None)
    names = [option.name, f"--{spelled_out(option.name)}", *(f"--{alias}" for alias in option.aliases)]
    if option.short is not None:
        names.append(f"-{option.short}")
    text = option.help
    if option.default not in (None, False, ()) and "(default" not in text:
        text += f" (default: {spelled(option.default)})"
    if option.kind == "flag":
        return click.Option(names, is_flag=True, default=None, help=text)
    return click.Option(names, type=Checked(option), multiple=option.kind == "texts", required=option.needed,
                        default=None, help=text)


def command(
    name: str, text: str, options: Iterable[Option], run: Callable[[dict[str, Any]], int | None]
) -> click.Command:
    """A command; ``run`` gets the options that were given, and returns the exit code (None: 0)."""
    listed = tuple(options)

    def callback(**given: Any) -> int:
        return run({key: value for key, value in given.items() if value not in (None, ())}) or 0

    about = [f"{option.metavar or option.name.upper()}: {option.help}" for option in listed if option.argument]
    return click.Command(
        name, params=[parameter(option) for option in listed], callback=callback, help="\n\n".join([text, *about]),
        short_help=text, context_settings=CONTEXT,
    )


def from_stdin(face: GameFace, given: dict[str, Any]) -> dict[str, Any]:
    """What was given, with the position read from stdin where ``-`` stands for it."""
    name = face.setting[0].name
    return {**given, name: read_text(STDIN, LARGEST_POSITION)} if given.get(name) == STDIN else given


def rules_of(face: GameFace, given: dict[str, Any]) -> Mapping[str, Any]:
    """Take the rule options out of what was given."""
    return face.rules.chosen(given.pop("rule", ()))


def with_rules(face: GameFace, *, ruled: bool = True) -> tuple[Option, ...]:
    """The option for rules, in games that have some."""
    return (RULE,) if ruled and face.rules.options() else ()
