"""SVG as text: elements that escape everything, one palette for light and dark, the frame of a drawing.

Colours are named. An element that is painted with a name of :data:`PALETTE` gets the light colour as a presentation
attribute, so that any viewer shows it rightly, and a class (``f-ink`` for a fill, ``s-ink`` for a stroke) by which
:func:`stylesheet` lets a page change it. There is no ``style``, no ``id`` and no reference in a drawing: it may stand
several times on a page, and under a strict content security policy.
"""
from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Final

#: name -> (light, dark)
PALETTE: Final = {
    "ink": ("#1b1f24", "#eceff2"),
    "muted": ("#57606a", "#a9b2bc"),
    "paper": ("#fffdf7", "#1b1f24"),
    "panel": ("#f0ebdd", "#2a3038"),
    "line": ("#b3ab99", "#59626d"),
    "accent": ("#0b62b8", "#62b0ff"),
    "lit": ("#cfe6ff", "#153e66"),
    "warning": ("#ffe08a", "#5c4700"),
    "warning-ink": ("#4d3600", "#ffe9b0"),
    "bar": ("#8d99a6", "#77828f"),
    # The pieces have the colours of their material, by day and by night.
    "red": ("#c0392f", "#c0392f"),
    "green": ("#2c7a3a", "#2c7a3a"),
    "blue": ("#1f5fa8", "#1f5fa8"),
    "white": ("#ffffff", "#ffffff"),
    "yellow": ("#f0c02e", "#f0c02e"),
    "purple": ("#6a3d9e", "#6a3d9e"),
    "black": ("#14171a", "#14171a"),
    "ivory": ("#fffaf0", "#fffaf0"),
    "brown": ("#8a5a2b", "#8a5a2b"),
    "grey": ("#8f979f", "#8f979f"),
    "orange": ("#e07b24", "#e07b24"),
    "fawn": ("#d9b98c", "#d9b98c"),
    "gold": ("#e2b04a", "#e2b04a"),
    "rose": ("#f3cfd6", "#f3cfd6"),
    "mahogany": ("#7a3420", "#7a3420"),
    # The squares of a board, from the lowest value to the highest.
    "square-0": ("#faf6ea", "#22272e"),
    "square-1": ("#f3e8c8", "#2d3138"),
    "square-2": ("#ecd9a4", "#3a3a3a"),
    "square-3": ("#e3c77f", "#4a4436"),
    "square-4": ("#d8b25c", "#5c5031"),
}

FONT: Final = "system-ui, sans-serif"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup(str):
    """Text that is SVG or HTML already; any other text is escaped when it becomes a child of an element."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """A value as text of an element or attribute; what XML cannot hold becomes a replacement character."""
    return Markup(html.escape(_NOT_XML.sub("\ufffd", str(value))))


def element(name: str, *children: object, **attributes: object) -> Markup:
    """An element. In names of attributes ``_`` stands for ``-`` and a ``_`` at the end is dropped (``class_``).

    ``None`` leaves an attribute out. ``fill`` and ``stroke`` may name a colour of the palette. Children that are no
    :class:`Markup` are escaped.
    """
    classes = [str(attributes.pop("class_"))] if attributes.get("class_") else []
    attributes.pop("class_", None)
    for paint in ("fill", "stroke"):
        colour = attributes.get(paint)
        if isinstance(colour, str) and colour in PALETTE:
            classes.append(f"{paint[0]}-{colour}")
            attributes[paint] = PALETTE[colour][0]
    if classes:
        attributes["class"] = " ".join(classes)
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")


def cut(text: str, most: int) -> str:
    """Text of at most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def number(value: object) -> object:
    """A float with at most two decimals, and without those that say nothing; anything else as it is."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def join(parts: Iterable[Markup]) -> Markup:
    """Markup after markup."""
    return Markup("".join(parts))


def group(*children: object, **attributes: object) -> Markup:
    """A ``g``."""
    return element("g", *children, **attributes)


def moved(x: float, y: float) -> str:
    """A ``transform`` that puts the corner of something at (x, y)."""
    return f"translate({number(float(x))} {number(float(y))})"


def rect(x: float, y: float, width: float, height: float, **attributes: object) -> Markup:
    """A rectangle."""
    return element("rect", x=float(x) or None, y=float(y) or None, width=float(width), height=float(height), **attributes)


def circle(x: float, y: float, radius: float, **attributes: object) -> Markup:
    """A circle."""
    return element("circle", cx=float(x), cy=float(y), r=float(radius), **attributes)


def path(d: str, **attributes: object) -> Markup:
    """A path."""
    return element("path", d=d, **attributes)


def words(
    x: float, y: float, text: object, size: float | None = None, anchor: str | None = None, **attributes: object
) -> Markup:
    """A line of text whose baseline starts at (x, y), or whose ``anchor`` (``middle``, ``end``) lies there."""
    return element("text", text, x=float(x), y=float(y), font_size=size, text_anchor=anchor, **attributes)


def points(corners: Sequence[tuple[float, float]]) -> str:
    """Corners as the ``points`` of a polygon."""
    return " ".join(f"{number(float(x))},{number(float(y))}" for x, y in corners)


def spot(kind: str, name: object, label: str, interactive: bool) -> dict[str, object]:
    """The attributes of a part that a page finds by ``data-KIND="NAME"``; if interactive, a button with a spoken label.

    Buttons have ``tabindex="-1"``: the page gives one of them 0 and moves the focus with the arrow keys.
    """
    found: dict[str, object] = {f"data_{kind}": name}
    return found | {"role": "button", "tabindex": -1, "aria_label": label} if interactive else found


def document(
    width: float, height: float, *content: object, title: str, description: str = "", kind: str, interactive: bool = False
) -> str:
    """A whole drawing, ``role="img"``, or ``role="group"`` with buttons in it; ``kind`` is a class of its own."""
    return element(
        "svg",
        element("title", title),
        element("desc", description) if description else Markup(),
        rect(0, 0, width, height, rx=8, fill="paper"),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(float(width))} {number(float(height))}",
        width=float(width),
        height=float(height),
        role="group" if interactive else "img",
        aria_label=title,
        class_=f"exactplay {kind}",
        font_family=FONT,
        font_size=12,
        fill="ink",
    )


def stylesheet() -> str:
    """The style sheet of a page that shows drawings: every colour as a custom property ``--xp-NAME``, light and dark.

    The colours follow the system; ``data-theme="dark"`` or ``"light"`` on the root element decides otherwise.
    """
    def properties(theme: int) -> str:
        return ";".join(f"--xp-{name}:{colours[theme]}" for name, colours in PALETTE.items())

    rules = [
        f":root{{{properties(0)}}}",
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{properties(1)}}}}}",
        f":root[data-theme=dark]{{{properties(1)}}}",
        ".exactplay{max-width:100%;height:auto}",
        ".exactplay [role=button]{cursor:pointer}",
        ".exactplay [role=button]:focus-visible{outline:3px solid var(--xp-accent);outline-offset:1px}",
        *(f".exactplay .f-{name},.exactplay.f-{name}{{fill:var(--xp-{name})}}" for name in PALETTE),
        *(f".exactplay .s-{name}{{stroke:var(--xp-{name})}}" for name in PALETTE),
    ]
    return "\n".join(rules) + "\n"
