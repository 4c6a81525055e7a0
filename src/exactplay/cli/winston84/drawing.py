"""The route sheet and the dice, drawn with rich; in colour only where the output is a terminal."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from exactplay.rules.winston84 import COLOURS, MAXIMUM_SECURITY, PLAIN, Colour, Dice, Difficulty, Sheet, Status

STYLES = {
    Colour.RED: "bold red",
    Colour.GREEN: "bold green",
    Colour.BLUE: "bold blue",
    Colour.WHITE: "bold",
    Colour.YELLOW: "bold yellow",
    Colour.PURPLE: "bold magenta",
}

_BOXES_A_ROW = 20
_Key = TypeVar("_Key", int, str)


@dataclasses.dataclass(frozen=True, slots=True)
class Trail:
    """What the pencil has marked: the last box of each round (its number counts on into the Golden Country), the rounds
    begun, the Big Brother boxes.
    """

    stops: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    marks: int = 0


def draw_sheet(console: Console, sheet: Sheet, difficulty: Difficulty, trail: Trail | None = None) -> None:
    """Draw a sheet; ``[.]`` is the last box of a round, ``-.-`` a box marked before it."""
    in_play, trail = trail is not None, trail or Trail()
    route = sheet.route_for(difficulty.level)
    reached = max(trail.stops, default=0)
    for start in range(0, len(route), _BOXES_A_ROW):
        line = Text(f"{start + 1:4d} ")
        for number, box in enumerate(route[start : start + _BOXES_A_ROW], start + 1):
            line.append_text(_box(box, number <= reached, number in trail.stops))
        console.print(line, soft_wrap=True)
    marked = max(0, reached - len(route))
    console.print(_track("Golden Country", _numbered(sheet.golden_country, 1), set(range(1, marked + 1))), soft_wrap=True)
    big_brother = {min(trail.marks, len(sheet.big_brother) - 1)} if in_play else set()
    console.print(_track("Big Brother", _numbered(sheet.big_brother, 0), big_brother), soft_wrap=True)
    rounds = {f"R{n}": points for n, points in enumerate(sheet.rounds) if n >= difficulty.first_round}
    console.print(_track("Rounds", rounds, {f"R{n}" for n in trail.rounds}), soft_wrap=True)
    legend = "     . plain   R G B W Y P Control Zone   o Maximum Security"
    console.print(Text(legend + ("   [ ] last box of a round" if trail.stops else ""), style="dim"), soft_wrap=True)


def draw_dice(console: Console, dice: Dice) -> None:
    """Draw the dice in their spaces: ``[5]`` placed, ``5`` available."""
    line = Text("     ")
    for colour in Colour:
        die = dice[colour]
        shown = {
            Status.AVAILABLE: f" {die.value or '?'} ",
            Status.PLACED: f"[{die.value}]",
            Status.REMOVED: " - ",
            Status.ROOM101: "101",
        }[die.status]
        line.append(f"{colour.label} ", style=STYLES[colour])
        line.append(f"{shown}   ")
    if dice.room101 is not None:
        line.append(f"Room 101: {dice.room101.label} {dice[dice.room101].value}")
    console.print(line, soft_wrap=True)


def _box(box: str, marked: bool, last: bool) -> Text:
    left, right = ("[", "]") if last else ("-", "-") if marked else (" ", " ")
    shown = "-" if marked and not last and box == PLAIN else "X" if last and box == PLAIN else box
    style = STYLES[Colour(COLOURS.index(box))] if box in COLOURS else "bold" if box == MAXIMUM_SECURITY else "dim"
    return Text.assemble(left, (shown, style), right)


def _track(title: str, entries: Mapping[_Key, int], marked: set[_Key]) -> Text:
    line = Text(f"{title:>14}  ")
    for key, points in entries.items():
        label = f"{key}:{points}" if isinstance(key, str) else str(points)
        line.append(f"[{label}]" if key in marked else f" {label} ", style="bold" if key in marked else "dim")
    return line


def _numbered(points: Iterable[int], first: int) -> dict[int, int]:
    return dict(enumerate(points, first))
