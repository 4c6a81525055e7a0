"""``batch``: many questions of both kinds, a JSON object a line."""
from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any

import typer

from exactplay.cli import batch as lines
from exactplay.cli.common import JsonFlag, describe_os_error
from exactplay.questions.reading import read_object
from exactplay.questions.winston84.setting import Setting, read_dice
from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winston84 import Dice, Difficulty, State, Objective, Place, Round, Rules, Sheet, check_place
from exactplay.solvers.winston84 import Solution, advise, advise_round, open_solution

_INNER = {"type", "options", "dice", "u"}
_STATE = {"type", "options", "sheet", "difficulty", "objective", "round", "box", "marks", "fresh", "dice"}
# What an answered question of a reference file has besides; it is not read.
_ANSWERS = {"value", "best", "decisions", "before_roll"}

_load_sheet = functools.cache(Sheet.load)


@functools.lru_cache(maxsize=64)
def _open(setting: Setting, objective: str) -> Solution:
    return open_solution(setting.sheet, setting.difficulty, Objective.parse(objective), setting.rules)


def batch(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines; - is stdin.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the answers go; an interrupted run resumes.")
    ] = None,
    as_json: JsonFlag = True,
) -> None:
    """Answer every line of FILE with a line of JSON.

    {"type": "state", "sheet", "difficulty", "objective", "round", "box",
    "marks", "fresh", "dice", "options"} asks as advise does,
    {"type": "inner", "dice", "u", "options"} as round does.
    A sheet is a path seen from FILE, or reference.
    """
    folder = Path() if str(file) == "-" else file.parent
    lines.run(file, lambda line: answer(read_object(line), folder), out)


def answer(question: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The answer to one question; raises a ValueError that says what is wrong with it."""
    kind = question.get("type")
    if kind not in ("inner", "state"):
        raise BadText(f"type is {quoted(kind)}; it must be inner or state")
    for key in question:
        if key not in (_INNER if kind == "inner" else _STATE) | _ANSWERS:
            raise BadText(f"a question of type {kind} has no field {quoted(key)}")
    options = _field(question, "options", dict, {})
    rules, dice = Rules.from_mapping(options), _field(question, "dice", str)
    if kind == "inner":
        utility = _field(question, "u", list)
        if not all(type(entry) in (int, float) for entry in utility):
            raise BadText("u must be a list of 37 numbers, one for each result from 0 to 36")
        data = advise_round(Round(rules, Dice.parse(dice)).check(), utility).to_json()
        return {key: data[key] for key in ("kind", "value", "best", "decisions", "plan")}
    sheet = _sheet(_field(question, "sheet", str, "reference"), folder)
    setting = Setting(sheet, Difficulty(_field(question, "difficulty", int)), rules)
    round, box, marks = (_field(question, key, int) for key in ("round", "box", "marks"))
    place = check_place(sheet, setting.difficulty, Place(round, box, marks, _field(question, "fresh", bool, False)))
    game = State.resume(sheet, setting.difficulty, place, rules, read_dice(dice, setting, place))
    data = advise(game, solution=_open(setting, _field(question, "objective", str, "score"))).to_json()
    answered = {key: data[key] for key in ("kind", "value", "best", "decisions", "plan", "before_roll")}
    return {**answered, "provenance": sheet.provenance, "notes": data["notes"]}


def _sheet(name: str, folder: Path) -> Sheet:
    """The shipped sheet by its name, or by that of its file where no such file stands beside the questions."""
    if name == "reference" or (name == "reference-sheet.toml" and not (folder / name).exists()):
        return _load_sheet("reference")
    try:
        return _load_sheet(str(folder / name))
    except OSError as error:
        # One question's missing sheet must not end the others.
        raise BadText(f"sheet {describe_os_error(error)}") from None


def _field(question: dict[str, Any], key: str, kind: type, default: Any = None) -> Any:
    value = question.get(key, default)
    if value is None:
        raise BadText(f"the field {key} is missing")
    # An exact comparison of types, because true is an int in Python.
    if type(value) is not kind:
        wanted = {dict: "an object", str: "text", list: "a list", int: "a whole number", bool: "true or false"}[kind]
        raise BadText(f"{key} is {str(value)[:40]!r}; it must be {wanted}")
    return value
