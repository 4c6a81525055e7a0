"""The route sheet and the dice as lines of styled spans."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TypeVar

from exactplay.questions.face import Block, Span
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


def sheet_lines(sheet: Sheet, difficulty: Difficulty, trail: Trail | None = None) -> tuple[Block, ...]:
    """A sheet; ``[.]`` is the last box of a round, ``-.-`` a box marked before it."""
    in_play, trail = trail is not None, trail or Trail()
    route = sheet.route_for(difficulty.level)
    reached = max(trail.stops, default=0)
    lines: list[Block] = []
    for start in range(0, len(route), _BOXES_A_ROW):
        spans: list[Span] = [(f"{start + 1:4d} ", "")]
        for number, box in enumerate(route[start : start + _BOXES_A_ROW], start + 1):
            spans += _box(box, number <= reached, number in trail.stops)
        lines.append(tuple(spans))
    marked = max(0, reached - len(route))
    lines.append(_track("Golden Country", dict(enumerate(sheet.golden_country, 1)), set(range(1, marked + 1))))
    big_brother = {min(trail.marks, len(sheet.big_brother) - 1)} if in_play else set()
    lines.append(_track("Big Brother", dict(enumerate(sheet.big_brother)), big_brother))
    rounds = {f"R{n}": points for n, points in enumerate(sheet.rounds) if n >= difficulty.first_round}
    lines.append(_track("Rounds", rounds, {f"R{n}" for n in trail.rounds}))
    legend = "     . plain   R G B W Y P Control Zone   o Maximum Security"
    lines.append(((legend + ("   [ ] last box of a round" if trail.stops else ""), "dim"),))
    return tuple(lines)


def dice_line(dice: Dice) -> Block:
    """The dice in their spaces: ``[5]`` placed, ``5`` available."""
    spans: list[Span] = [("     ", "")]
    for colour in Colour:
        die = dice[colour]
        shown = {
            Status.AVAILABLE: f" {die.value or '?'} ",
            Status.PLACED: f"[{die.value}]",
            Status.REMOVED: " - ",
            Status.ROOM101: "101",
        }[die.status]
        spans += [(f"{colour.label} ", STYLES[colour]), (f"{shown}   ", "")]
    if dice.room101 is not None:
        spans.append((f"Room 101: {dice.room101.label} {dice[dice.room101].value}", ""))
    return tuple(spans)


def _box(box: str, marked: bool, last: bool) -> Iterable[Span]:
    left, right = ("[", "]") if last else ("-", "-") if marked else (" ", " ")
    shown = "-" if marked and not last and box == PLAIN else "X" if last and box == PLAIN else box
    style = STYLES[Colour(COLOURS.index(box))] if box in COLOURS else "bold" if box == MAXIMUM_SECURITY else "dim"
    return ((left, ""), (shown, style), (right, ""))


def _track(title: str, entries: Mapping[_Key, int], marked: set[_Key]) -> tuple[Span, ...]:
    spans: list[Span] = [(f"{title:>14}  ", "")]
    for key, points in entries.items():
        label = f"{key}:{points}" if isinstance(key, str) else str(points)
        spans.append((f"[{label}]", "bold") if key in marked else (f" {label} ", "dim"))
    return tuple(spans)
