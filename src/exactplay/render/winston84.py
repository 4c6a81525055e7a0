"""Winston: Nineteen Eighty-Four drawn: the route sheet as it lies on the table, the dice, values, the final score.

A sheet that is a reconstruction is marked as one in every drawing of it.
"""
from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exactplay.render.charts import Bar, Curve, bars_of, distribution, moves
from exactplay.render.svg import Markup, circle, cut, document, group, join, moved, path, rect, spot, words
from exactplay.rules.winston84 import (
    LAST_ROUND,
    MAXIMUM_SECURITY,
    PLAIN,
    Colour,
    Decision,
    Dice,
    Difficulty,
    End,
    Place,
    Sheet,
    State,
    Status,
)
from exactplay.solvers.result import Result
from exactplay.solvers.winston84 import Outlook

RECONSTRUCTION: Final = "Reconstruction: not the printed sheet"

_SPACES: Final = ("Miniluv", "Miniplenty", "Minipax", "Minitrue", "Thought Police", "Brotherhood")
_PAINTS: Final = ("red", "green", "blue", "white", "yellow", "purple")
_PIP_PAINTS: Final = ("white", "white", "white", "black", "black", "white")
_STATUS: Final = {
    Status.AVAILABLE: "available", Status.PLACED: "placed", Status.REMOVED: "removed", Status.ROOM101: "in Room 101",
}
_PIPS: Final = {
    0: (), 1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8),
}
_SIDE: Final = 44  # of a die
_SPACE: Final = 96  # from one die to the next
_WIDTH: Final = 7 * _SPACE + 24
_ACROSS: Final = 20  # boxes a row of the route; half as many for a narrow screen
_STEP: Final = 32
_ROW: Final = 154  # height of a row of dice
_REMOVED: Final = join([
    rect(0, 0, _SIDE, _SIDE, rx=8, fill="none", stroke="muted", stroke_dasharray="4 4"),
    words(22, 26, "removed", 9.5, "middle", fill="muted"),
])
# Boxes of the route, by their left end and middle height.
_SQUARE: Final = "M{x:g} {y:g}m0-12h24v24h-24z"
_ROUND: Final = "M{x:g} {y:g}a12 12 0 0 1 24 0a12 12 0 0 1-24 0z"


@dataclass(frozen=True, slots=True)
class Trail:
    """What the pencil has marked: the last box of each round played, in order (numbers count on into the Golden Country;
    a round that marked nothing repeats the box), and the Big Brother boxes marked."""

    stops: tuple[int, ...] = ()
    marks: int = 0

    @classmethod
    def of(cls, place: Place) -> Trail:
        """What a place alone tells."""
        return cls((place.box,) if place.box else (), place.marks)


def draw(
    shown: State | Sheet | Dice | Outlook, *, trail: Trail | None = None, highlight: Collection[str] = (),
    interactive: bool = False,
) -> str:
    """A game (sheet and dice), a sheet at its easiest, dice alone, or a distribution of final scores."""
    if isinstance(shown, State):
        return game(shown, trail=trail, highlight=highlight, interactive=interactive)
    if isinstance(shown, Sheet):
        return sheet(shown, Difficulty(1), interactive=interactive)
    if isinstance(shown, Outlook):
        return scores(shown)
    return dice(shown, highlight=highlight, interactive=interactive)


def game(
    game: State, *, trail: Trail | None = None, highlight: Collection[str] = (), interactive: bool = False
) -> str:
    """The sheet with its marks and the dice in their spaces. ``highlight`` names dice by letter; ``trail`` the whole way,
    where more is known of it than the game's own place."""
    at = game.at
    return sheet(
        game.sheet, game.difficulty,
        at=at, trail=trail or (Trail.of(at) if isinstance(at, Place) else Trail()),
        dice=game.round.dice if game.round else None, highlight=highlight, interactive=interactive,
    )


def sheet(
    sheet: Sheet, difficulty: Difficulty, *, at: Place | End | None = None, trail: Trail | None = None,
    dice: Dice | None = None, highlight: Collection[str] = (), interactive: bool = False, spaces: bool = True,
    narrow: bool = False,
) -> str:
    """The route sheet: spaces for the dice, Room 101, route, detour, the three tracks, level, score.

    ``spaces=False`` leaves the spaces and the dice out, for a page that shows them itself; ``narrow`` is for a screen of
    half the width.

    Boxes of the route are ``data-box`` (from 1), of the tracks ``data-golden`` (from 1), ``data-brother`` (from 0) and
    ``data-round``, dice ``data-die`` (the colour's name in small letters).
    """
    trail = trail or Trail()
    y: float = 34
    width, across = (32 + _STEP * _ACROSS // 2, _ACROSS // 2) if narrow else (_WIDTH, _ACROSS)
    parts = [words(16, 24, f"{cut(sheet.name, 26)}, difficulty {difficulty}", 15, font_weight=700)]
    if sheet.provenance == "reconstruction":
        y += 30 if narrow else 0
        parts.append(group(
            rect(width - 292, y - 26, 280, 24, rx=4, fill="warning"),
            words(width - 152, y - 9, RECONSTRUCTION, 12, "middle", fill="warning-ink", font_weight=700),
            data_provenance="reconstruction",
        ))
    if spaces:
        # Without dice the row of those that are available would be empty.
        y -= 0 if dice is not None else 48
        in_row = 3 if narrow else 7
        parts.append(group(_dice_panel(dice, highlight, interactive, in_row), transform=moved(12, y)))
        y += _ROW * -(-7 // in_row)
    y += 2
    route, height = _route(sheet, difficulty, trail, interactive, across)
    parts.append(group(route, transform=moved(16, y)))
    y += height
    for title, attribute, labels, marked, current in _tracks(sheet, difficulty, at, trail):
        block, height = _track(title, attribute, labels, marked, current, width - 46)
        parts.append(group(block, transform=moved(16, y)))
        y += height
    parts.append(group(_level(difficulty, narrow), transform=moved(16, y)))
    y += 24 if narrow else 0
    if isinstance(at, End):
        y += 40
        parts.append(words(16, y + 20, _final_score(sheet, difficulty, at, trail), 15, font_weight=700))
    status = _status(at)
    return document(
        width, y + 52, *parts,
        title=f"Route sheet {sheet.name}" + (f": {status}" if status else ""),
        description=_describe(sheet, difficulty, trail, dice if spaces else None),
        kind="winston84",
        interactive=interactive,
    )


def dice(dice: Dice, *, across: int = 7, highlight: Collection[str] = (), interactive: bool = False) -> str:
    """The six dice: available ones above, placed ones in their spaces below, one in Room 101; ``across`` spaces in a row,
    fewer for a narrow screen."""
    return document(
        across * _SPACE + 24, _ROW * -(-7 // across) + 4,
        group(_dice_panel(dice, highlight, interactive, across), transform=moved(12, 6)),
        title="Dice", description=_spoken(dice), kind="winston84", interactive=interactive,
    )


def decisions(
    values: Result[Decision] | Mapping[Decision, float], *, title: str = "Value of every decision",
    interactive: bool = False,
) -> str:
    """What every legal decision is worth, as bars; bars are ``data-move``."""
    if isinstance(values, Result):
        bars = bars_of(values)
    else:
        top = max(values.values(), default=0.0)
        falling = sorted(values.items(), key=lambda item: -item[1])
        bars = [Bar(str(decision), value, best=value == top) for decision, value in falling]
    return moves(bars, title=title, digits=6, most=60, interactive=interactive, kind="winston84")


def scores(
    before: Outlook, after: Outlook | None = None, *, names: tuple[str, str] = ("before", "after"),
    title: str = "Exact distribution of the final score", narrow: bool = False,
) -> str:
    """The exact distribution of the final score; with ``after`` a second one as a line over it."""
    first = Curve("from here" if after is None else names[0], before.scores, before.lost)
    second = None if after is None else Curve(names[1], after.scores, after.lost)
    return distribution(first, second, title=title, kind="winston84", narrow=narrow)


def die(colour: Colour, value: int) -> Markup:
    """One die, its corner at (0, 0); without pips before its roll."""
    pips = join(
        circle(11 + 11 * (pip // 3), 11 + 11 * (pip % 3), 4.2, fill=_PIP_PAINTS[colour]) for pip in _PIPS[value]
    )
    blank = words(22, 29, "?", 20, "middle", fill=_PIP_PAINTS[colour]) if value == 0 else Markup()
    return join([rect(0, 0, _SIDE, _SIDE, rx=8, fill=_PAINTS[colour], stroke="ink", stroke_width=1.5), pips, blank])


def _dice_panel(dice: Dice | None, highlight: Collection[str], interactive: bool, across: int = 7) -> Markup:
    """Six spaces with their numbers and names, available dice above them, and Room 101, so many in a row."""
    def corner(space: int) -> tuple[int, int]:
        return space % across * _SPACE, space // across * _ROW

    parts = [group(_space(colour), transform=moved(*corner(colour))) for colour in Colour]
    room101 = join([
        rect(16, 62, 64, 52, rx=3, fill="black"), words(48, 94, "101", 18, "middle", fill="white"),
        words(48, 130, "Room 101", 11, "middle", font_weight=600),
    ])
    parts.append(group(room101, transform=moved(*corner(6))))
    if dice is None:
        return join(parts)
    for colour, thrown in zip(Colour, dice.six, strict=True):
        x, y = corner(6 if thrown.status is Status.ROOM101 else colour)
        in_space = thrown.status in (Status.PLACED, Status.ROOM101)
        removed = thrown.status is Status.REMOVED
        value = "" if removed else f" {thrown.value or 'not rolled'},"
        ring = rect(-4, -4, _SIDE + 8, _SIDE + 8, rx=10, fill="none", stroke="accent", stroke_width=4, class_="lit")
        parts.append(group(
            _REMOVED if removed else die(colour, thrown.value),
            ring if colour.letter in highlight else Markup(),
            transform=moved(x + 26, y + (66 if in_space else 8)),
            **spot("die", colour.name.lower(), f"{colour.label}{value} {_STATUS[thrown.status]}", interactive),
            data_value=thrown.value or None, data_status=thrown.status.name.lower(),
        ))
    return join(parts)


def _space(colour: Colour) -> Markup:
    """The numbered space of a die, with its name."""
    return join([
        rect(22, 62, 52, 52, rx=6, fill="panel", stroke=_PAINTS[colour], stroke_width=3),
        rect(20, 60, 56, 56, rx=8, fill="none", stroke="ink", stroke_width=0.5),
        words(48, 95, colour + 1, 22, "middle", fill="muted"),
        words(48, 130, colour.label, 11, "middle", font_weight=600),
        words(48, 143, _SPACES[colour], 10, "middle", fill="muted"),
    ])


def _route(
    sheet: Sheet, difficulty: Difficulty, trail: Trail, interactive: bool, across: int
) -> tuple[Markup, float]:
    """The boxes in rows that run to and fro, the way between them, the marks; the other way round as a strip below."""
    route = sheet.route_for(difficulty.level)
    after, length = sheet.detour.after, len(sheet.detour.boxes)
    on_detour = range(after + 1, after + length + 1) if difficulty.julia else range(0)
    middles = [_middle(number, across) for number in range(len(route) + 1)]
    way = "M" + " ".join(f"{x:g} {y:g}" for x, y in middles)
    boxes, letters, numbers = [], [], []
    # Neighbours that look alike share a group, which keeps the drawing small.
    for (box, detour), alike in itertools.groupby(
        range(1, len(route) + 1), key=lambda number: (route[number - 1], number in on_detour)
    ):
        drawn = [
            path(
                (_ROUND if box == MAXIMUM_SECURITY else _SQUARE).format(x=middles[number][0] - 12, y=middles[number][1]),
                **spot("box", number, f"box {number}, {_box_name(box)}", interactive),
            )
            for number in alike
        ]
        boxes.append(group(*drawn, **_look(box, detour)))
    for number, box in enumerate(route, 1):
        x, y = middles[number]
        if box not in (PLAIN, MAXIMUM_SECURITY):
            letters.append(words(x, y + 5, box))
        if number % 10 == 0 or number == len(route):
            numbers.append(words(x, y + 22, number))
    rows = (len(route) + across) // across
    start_x, start_y = middles[0]
    parts = [
        path(way, fill="none", stroke="line", stroke_width=6, stroke_linejoin="round"),
        group(circle(start_x, start_y, 13, fill="panel", stroke="ink"), words(start_x, start_y + 4, "start", 9, "middle")),
        group(*boxes, stroke_linejoin="round"),
        group(*letters, font_size=14, font_weight=700, text_anchor="middle", fill="ink", pointer_events="none"),
        group(*numbers, font_size=9, text_anchor="middle", fill="muted"),
        _marks(route, trail, difficulty, middles),
    ]
    height: float = rows * 44 + 8
    kinds, marks = "letter in a frame: Control Zone   ●: Maximum Security", "╱ marked   ✕ last box of a round"
    for line in _lines(kinds, marks, across):
        parts.append(words(0, height + 6, line, 10, fill="muted"))
        height += 18
    if difficulty.julia:
        line = f"Boxes {after + 1} to {after + length} (tinted): by Mr. Charrington's, in place of {sheet.detour.skip}"
        parts.append(words(0, height + 6, line, 10, fill="muted"))
        return join(parts), height + 22
    other = f"these {length} in place of the {sheet.detour.skip} after box {after}"
    for number, line in enumerate(_lines("Mr. Charrington's house (x4 and x5 only):", other, across)):
        height += 14 * (number > 0)
        parts.append(words(0, height + 6, line, 10, fill="muted"))
    rows = (length + across - 1) // across
    for i, box in enumerate(sheet.detour.boxes):
        x, y = _STEP * (i % across) + 4, height + 26 + 30 * (i // across)
        parts.append(path(
            (_ROUND if box == MAXIMUM_SECURITY else _SQUARE).format(x=x, y=y),
            **spot("detour", i + 1, f"box {i + 1} of the detour, {_box_name(box)}", interactive), **_look(box, True),
        ))
        if box not in (PLAIN, MAXIMUM_SECURITY):
            parts.append(words(x + 12, y + 5, box, 14, "middle", font_weight=700, pointer_events="none"))
    return join(parts), height + 22 + 30 * rows


def _lines(first: str, second: str, across: int) -> list[str]:
    """Two pieces of text on one line, or on two where the sheet is narrow."""
    return [f"{first}   {second}"] if across == _ACROSS else [first, second]


def _middle(number: int, across: int) -> tuple[float, float]:
    """Where a box lies; 0 is the start."""
    row, column = divmod(number, across)
    return _STEP * (column if row % 2 == 0 else across - 1 - column) + (32 if across == _ACROSS else 16), 16 + 44 * row


def _look(box: str, detour: bool) -> dict[str, object]:
    """How a box of the route is painted: a coloured frame for a Control Zone, grey for Maximum Security."""
    if box == MAXIMUM_SECURITY:
        return {"fill": "grey", "stroke": "ink"}
    fill = "lit" if detour else "paper"
    if box == PLAIN:
        return {"fill": fill, "stroke": "muted"}
    # A white frame would not be seen on white.
    return {"fill": fill, "stroke": "ink" if box == "W" else _PAINTS[Colour.of(box)], "stroke_width": 4}


def _box_name(box: str) -> str:
    if box == PLAIN:
        return "plain"
    return "Maximum Security" if box == MAXIMUM_SECURITY else f"{Colour.of(box).label} Control Zone"


def _marks(route: str, trail: Trail, difficulty: Difficulty, middles: Sequence[tuple[float, float]]) -> Markup:
    """A stroke through every box marked, a cross on the last of each round."""
    last = min(max(trail.stops, default=0), len(route))
    stops = {stop for stop in trail.stops if 0 < stop <= len(route)}
    strokes = " ".join(
        f"M{middles[n][0] - 8:g} {middles[n][1] + 8:g}l16-16" for n in range(1, last + 1) if n not in stops
    )
    crosses = " ".join(
        f"M{middles[n][0] - 9:g} {middles[n][1] + 9:g}l18-18M{middles[n][0] - 9:g} {middles[n][1] - 9:g}l18 18"
        for n in sorted(stops)
    )
    return group(
        path(strokes, stroke_width=1.5) if strokes else Markup(),
        path(crosses, stroke_width=3.5) if crosses else Markup(),
        fill="none", stroke="accent", stroke_linecap="round", pointer_events="none", class_="pencil",
        data_marked=last,
    )


def _tracks(
    sheet: Sheet, difficulty: Difficulty, at: Place | End | None, trail: Trail
) -> list[tuple[str, str, list[tuple[object, str]], int, int]]:
    """(title, data attribute, [(key, label)], boxes marked from the first on, index of the one that counts or -1)."""
    route = sheet.route_for(difficulty.level)
    golden = min(max(0, max(trail.stops, default=0) - len(route)), len(sheet.golden_country))
    rounds = [(f"R{n}", f"R{n}: {points}") for n, points in enumerate(sheet.rounds) if n >= difficulty.first_round]
    begun = at.round - difficulty.first_round + 1 if isinstance(at, Place) else len(trail.stops) if at else 0
    brother = min(trail.marks, len(sheet.big_brother) - 1)
    return [
        ("Golden Country", "golden", [(n, str(p)) for n, p in enumerate(sheet.golden_country, 1)], golden, golden - 1),
        (
            "Big Brother (by marks, from 0)", "brother", [(n, str(p)) for n, p in enumerate(sheet.big_brother)],
            brother + 1 if at is not None and trail.marks else 0, brother if at is not None else -1,
        ),
        ("Rounds", "round", [*rounds], min(begun, len(rounds)), min(begun, len(rounds)) - 1),
    ]


def _track(
    title: str, attribute: str, entries: Sequence[tuple[object, str]], marked: int, current: int, room: float
) -> tuple[Markup, float]:
    """A track at most ``room`` wide and its height; boxes before ``marked`` are crossed, that at ``current`` stands out."""
    wide = max(36, 8 + 7 * max(len(label) for _, label in entries))
    across = max(1, int(room // wide))
    boxes, labels, strokes = [], [], ""
    for index, (key, label) in enumerate(entries):
        row, column = divmod(index, across)
        x, y = column * wide, 18 + row * 28
        skipped = attribute == "brother" and index == 0
        cross = index < marked and not skipped
        look: dict[str, object] = {"fill": "lit", "stroke": "ink"} if index == current else {}
        look |= {f"data_{attribute}": key, "data_on": "true" if cross else None}
        boxes.append(path(f"M{x} {y}h{wide - 4}v22h{4 - wide}z", **look))
        labels.append(words(x + (wide - 4) / 2, y + 15, label, font_weight=700 if index == current else None))
        strokes += f"M{x + 3} {y + 20}L{x + wide - 7} {y + 2}" if cross else ""
    rows = (len(entries) + across - 1) // across
    return join([
        words(0, 12, title, 12, font_weight=600),
        group(*boxes, fill="panel", stroke="line"),
        group(*labels, text_anchor="middle", pointer_events="none"),
        path(strokes, stroke="accent", stroke_width=2, opacity=0.6, class_="pencil") if strokes else Markup(),
    ]), 22 + rows * 28 + 8


def _level(difficulty: Difficulty, narrow: bool) -> Markup:
    """The levels, the one in force and its modifiers."""
    parts = [words(0, 20, "Level", 12, font_weight=600)]
    for level in range(1, 6):
        x = 44 + 40 * level
        chosen = level == difficulty.level
        parts += [
            circle(x, 16, 14, fill="lit" if chosen else "panel", stroke="accent" if chosen else "line", stroke_width=2),
            words(x, 20, f"x{level}", 12, "middle", font_weight=700 if chosen else None),
        ]
    modifiers = [
        name for name, on in (
            ("A walk through the suburbs", difficulty.first_round == 0),
            ("Big Brother's eye", difficulty.big_brothers_eye),
            ("Julia at Charrington's", difficulty.julia),
        ) if on
    ]
    x, y = (0, 48) if narrow else (270, 20)
    parts.append(words(x, y, ", ".join(modifiers) or "no modifier", 11, fill="muted"))
    return join(parts)


def _final_score(sheet: Sheet, difficulty: Difficulty, end: End, trail: Trail) -> str:
    """The final score, and how it came about where the trail is the whole way."""
    if not end.won:
        return "Lost: no score"
    boxes = max(trail.stops, default=0) - len(sheet.route_for(difficulty.level))
    round = difficulty.first_round + len(trail.stops) - 1
    if boxes > 0 and round <= LAST_ROUND:
        subtotal = sheet.points(round, boxes, trail.marks)
        if subtotal * difficulty.multiplier == end.score:
            return f"Won: subtotal {subtotal} × {difficulty.multiplier} = final score {end.score}"
    return f"Won: final score {end.score}"


def _status(at: Place | End | None) -> str:
    if at is None:
        return ""
    if isinstance(at, Place):
        return f"round R{at.round}, box {at.box}, {at.marks} Big Brother marks"
    return f"won, final score {at.score}" if at.won else "lost"


def _spoken(dice: Dice) -> str:
    return ", ".join(
        f"{colour.label} {dice[colour].value or ('not rolled' if dice[colour].status is Status.AVAILABLE else '')} "
        f"{_STATUS[dice[colour].status]}".replace("  ", " ")
        for colour in Colour
    ) + "."


def _describe(sheet: Sheet, difficulty: Difficulty, trail: Trail, dice: Dice | None) -> str:
    route = sheet.route_for(difficulty.level)
    zones = ", ".join(f"{n} {_box_name(box)}" for n, box in enumerate(route, 1) if box not in (PLAIN, MAXIMUM_SECURITY))
    secure = " ".join(str(n) for n, box in enumerate(route, 1) if box == MAXIMUM_SECURITY)
    parts = [
        f"{RECONSTRUCTION}." if sheet.provenance == "reconstruction" else "",
        f"{len(route)} boxes; Control Zones: {zones or 'none'}; Maximum Security: {secure or 'none'}.",
        f"Rounds ended on box {', '.join(map(str, trail.stops))}." if trail.stops else "",
        _spoken(dice) if dice is not None else "",
    ]
    return " ".join(part for part in parts if part)
