"""What the card games share in their drawings: the outline of a card, its back, strips of things that wrap, a table."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from exactplay.render.svg import Markup, document, group, join, moved, path, rect, spot, words

WIDTH: Final = 44
HEIGHT: Final = 62
GAP: Final = 6
ACROSS: Final = 728  # width of a drawing; the page asks for less on a phone
_LEFT: Final = 16


@dataclass(frozen=True, slots=True)
class Thing:
    """Something of a strip: its width and height, the markup whose corner is (0, 0), attributes of the group it is in."""

    width: float
    height: float
    markup: Markup
    attributes: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Strip:
    """A line of a drawing: a heading (or none), things under it, whether it is the strip of the player to move.

    ``attributes`` belong to the group of the things, which inherit them.
    """

    heading: str
    things: tuple[Thing, ...] = ()
    marked: bool = False
    gap: float = GAP
    attributes: Mapping[str, object] = field(default_factory=dict)


def card(name: str, label: str, *face: Markup, highlight: bool = False, interactive: bool = False) -> Thing:
    """A card that lies open, found by ``data-card``."""
    ring = rect(1, 1, WIDTH - 2, HEIGHT - 2, rx=5, fill="none", stroke="accent", stroke_width=3, class_="lit")
    sheet = rect(0, 0, WIDTH, HEIGHT, rx=5, fill="ivory", stroke="black")
    return Thing(
        WIDTH, HEIGHT, join([sheet, *face, ring if highlight else Markup()]), spot("card", name, label, interactive)
    )


def back() -> Thing:
    """A card whose face is hidden."""
    lattice = "M7 16 22 31 37 16M7 31 22 46 37 31M7 46 22 31 37 46M7 31 22 16 37 31"
    return Thing(WIDTH, HEIGHT, join([
        rect(0, 0, WIDTH, HEIGHT, rx=5, fill="blue", stroke="black"),
        path(lattice, fill="none", stroke="white", stroke_width=1.5, opacity=0.7),
    ]), {"data_card": "?"})


def backs(count: int) -> tuple[Thing, ...]:
    """So many hidden cards; a pile with its number where they are many."""
    if count <= 8:
        return (back(),) * count
    pile = join(group(back().markup, transform=moved(6 - 3 * i, 2 * i)) for i in range(3))
    return (Thing(WIDTH + 6, HEIGHT + 4, pile), text(f"× {count}"))


def text(line: str, size: float = 13) -> Thing:
    """Words among things, at the height of a card's middle."""
    return Thing(len(line) * size * 0.56 + 4, HEIGHT, words(0, HEIGHT / 2 + 5, line, size))


def tint(paint: str) -> str:
    """The colour of text that can be read on a colour of the pieces."""
    light = ("white", "yellow", "ivory", "fawn", "gold", "rose", "orange", "grey")
    return "black" if paint in light else "white"


def table(
    strips: Iterable[Strip], *, title: str, description: str, kind: str, interactive: bool = False,
    notes: Collection[str] = (), across: float = ACROSS,
) -> str:
    """Strips below one another, things wrapped to the width ``across`` of the drawing."""
    parts: list[Markup] = []
    y: float = 10
    for strip in strips:
        if strip.heading:
            y += 8
            heading = ("▶ " if strip.marked else "") + strip.heading
            parts.append(words(_LEFT, y + 6, heading, 13, font_weight=700 if strip.marked else 600))
            y += 14
        placed = []
        for row in _rows(strip, across):
            x: float = _LEFT
            for thing in row:
                placed.append(group(thing.markup, transform=moved(x, y), **thing.attributes))
                x += thing.width + strip.gap
            y += max(thing.height for thing in row) + 6
        if placed:
            parts.append(group(*placed, **strip.attributes))
    y += 6
    for note in notes:
        parts.append(words(_LEFT, y + 12, note, fill="muted"))
        y += 18
    return document(
        across, y + 4, *parts, title=title, description=description, kind=kind, interactive=interactive
    )


def _rows(strip: Strip, across: float) -> list[Sequence[Thing]]:
    rows: list[list[Thing]] = []
    x: float = 0
    for thing in strip.things:
        if not rows or x + thing.width > across - 2 * _LEFT:
            rows.append([])
            x = 0
        rows[-1].append(thing)
        x += thing.width + strip.gap
    return list(rows)


def together(things: Iterable[Thing], gap: float = 0) -> Thing:
    """Things side by side as one, which does not wrap."""
    x: float = 0
    height: float = 0
    parts = []
    for thing in things:
        parts.append(group(thing.markup, transform=moved(x, 0)) if x else thing.markup)
        x += thing.width + gap
        height = max(height, thing.height)
    return Thing(max(0, x - gap), height, join(parts))


@dataclass(frozen=True, slots=True)
class Piece:
    """A card or dog alone, for a page to lay out: its text, its name in words, a drawing of it, how many there are."""

    name: str
    label: str
    svg: str
    copies: int


def alone(name: str, thing: Thing, copies: int, attributes: Mapping[str, object], label: str = "") -> Piece:
    """One thing as a drawing of its own, with the label of its button unless another is given.

    ``attributes`` are those of the group that it is in elsewhere.
    """
    label = label or str(thing.attributes["aria_label"])
    picture = group(thing.markup, **attributes)
    return Piece(name, label, document(thing.width, thing.height, picture, title=label, kind="piece"), copies)
