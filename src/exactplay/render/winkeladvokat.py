"""Winkeladvokat drawn: the board with its numbers, Lawyers and Articles, moves as arrows."""
from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from exactplay.render.svg import (
    Markup,
    circle,
    document,
    element,
    group,
    join,
    moved,
    number,
    path,
    points,
    rect,
    spot,
    words,
)
from exactplay.rules.contract import OVER, IllegalMove
from exactplay.rules.winkeladvokat import ARTICLES, COLOURS, EMPTY, LAWYERS, Move, State, square_name

_SIDE: Final = 56
_EDGE: Final = 26  # room for the coordinates
_PAINTS: Final = ("blue", "red", "yellow", "green")
_ON_PAINT: Final = ("white", "white", "black", "white")
_SHAPES: Final = ("circle", "diamond", "triangle", "square")


def draw(
    state: State,
    *,
    last: Move | None = None,
    line: Sequence[Move] = (),
    way: Sequence[str] = (),
    highlight: Collection[str] = (),
    notes: Mapping[str, str] | None = None,
    interactive: bool = False,
) -> str:
    """The position as it lies on the table, with the players' scores and supplies below.

    ``last`` is the move that led here, its squares framed; ``line`` moves from here on, as numbered arrows (a principal
    variation); ``way`` the squares of a move that is being chosen, joined by a line; ``highlight`` squares to light up;
    ``notes`` short texts in the corners of squares (values). Squares are ``data-square``, pieces ``data-piece``.
    """
    notes = notes or {}
    size = state.size
    side = size * _SIDE
    ranked = sorted(set(state.board.values))
    squares = [
        _square(state, index, ranked, highlight, notes, last, interactive)
        for rank in reversed(range(size))
        for index in range(rank * size, (rank + 1) * size)
    ]
    trace = _trace([_middle(name, size) for name in way], _PAINTS[state.turn])
    arrows = [_arrow(move, size, ply + 1, _PAINTS[(state.turn + ply) % state.players]) for ply, move in enumerate(line)]
    width = max(side, 310) + 2 * _EDGE
    inset = (width - side) / 2 - _EDGE
    return document(
        width, side + 2 * _EDGE + 10 + 26 * state.players,
        group(_coordinates(size), fill="muted", font_size=12, text_anchor="middle", transform=moved(inset, 0)),
        group(*squares, transform=moved(_EDGE + inset, _EDGE), stroke_width=1.5),
        group(trace, *arrows, transform=moved(_EDGE + inset, _EDGE), pointer_events="none"),
        _players(state, side + 2 * _EDGE + 4),
        title=f"Winkeladvokat, {size} by {size}: {_status(state)}",
        description=_description(state),
        kind="winkeladvokat",
        interactive=interactive,
    )


def _square(
    state: State, index: int, ranked: Sequence[int], highlight: Collection[str], notes: Mapping[str, str],
    last: Move | None, interactive: bool,
) -> Markup:
    name, piece, value = square_name(index, state.size), state.squares[index], state.board.values[index]
    tint = 0 if len(ranked) < 2 else round(4 * ranked.index(value) / (len(ranked) - 1))
    parts = [
        rect(0, 0, _SIDE, _SIDE, fill=f"square-{tint}", stroke="line"),
        words(7, 17, value, fill="ink"),
    ]
    if last is not None and name in last.squares:
        parts.append(rect(2, 2, _SIDE - 4, _SIDE - 4, fill="none", stroke="muted", stroke_width=2, stroke_dasharray="4 3"))
    label = f"{name}, {value} points"
    if piece != EMPTY:
        player = LAWYERS.find(piece) if piece in LAWYERS else ARTICLES.index(piece)
        parts.append(lawyer(player) if piece in LAWYERS else article(player))
        label += f", {COLOURS[player]} {'Lawyer' if piece in LAWYERS else 'Article'}"
    if name in highlight:
        parts.append(rect(2, 2, _SIDE - 4, _SIDE - 4, fill="none", stroke="accent", stroke_width=4, class_="lit"))
        label += ", lit up"
    if name in notes:
        parts.append(words(_SIDE - 5, _SIDE - 7, notes[name], 14, "end", fill="ink", font_weight=700))
        label += f", {notes[name]}"
    if interactive:
        # Outlines of a square are covered by its neighbours: a page shows the focus by this one's stroke.
        parts.append(rect(4.5, 4.5, _SIDE - 9, _SIDE - 9, rx=3, fill="none", class_="ring"))
    rank, file = divmod(index, state.size)
    return group(
        *parts, transform=moved(file * _SIDE, (state.size - 1 - rank) * _SIDE), **spot("square", name, label, interactive),
        data_piece=None if piece == EMPTY else piece,
    )


def lawyer(player: int) -> Markup:
    """A Lawyer in the middle of a square: a figure with the letter of its colour."""
    return group(
        path("M14 50c0-12 5-15 9-18a9 9 0 1 1 12 0c4 3 9 6 9 18z", fill=_PAINTS[player], stroke="ink"),
        words(29, 47, LAWYERS[player], 14, "middle", fill=_ON_PAINT[player], font_weight=700),
    )


def article(player: int) -> Markup:
    """An Article: a paragraph sign on the shape of its colour (circle, diamond, triangle, square)."""
    paint: dict[str, object] = {"fill": _PAINTS[player], "stroke": "ink"}
    shape = {
        "circle": lambda: circle(30, 33, 14, **paint),
        "diamond": lambda: path("M30 16 47 33 30 50 13 33z", **paint),
        "triangle": lambda: path("M30 15 48 48H12z", **paint),
        "square": lambda: path("M17 20h26v26h-26z", **paint),
    }[_SHAPES[player]]()
    return join([shape, words(30, 41 if player == 2 else 38, "§", 16, "middle", fill=_ON_PAINT[player])])


def _trace(middles: Sequence[tuple[float, float]], paint: str) -> Markup:
    """The squares chosen so far: the first framed, a line through their middles with a dot on each other."""
    if not middles:
        return Markup()
    x, y = middles[0]
    inner = _SIDE - 6
    return group(
        rect(x - inner / 2, y - inner / 2, inner, inner, fill="none", stroke="ink", stroke_width=3),
        element("polyline", points=points(middles), fill="none", stroke="paper", stroke_width=8),
        element("polyline", points=points(middles), fill="none", stroke=paint, stroke_width=4),
        *(circle(x, y, 7, fill=paint, stroke="paper", stroke_width=2) for x, y in middles[1:]),
        stroke_linejoin="round",
    )


def _arrow(move: Move, size: int, ply: int, paint: str) -> Markup:
    """A move as an arrow along its squares with its number, drawn on a paler one so that it stands out on any square."""
    path_ = [_middle(name, size) for name in move.squares]
    if not all(0 < x < size * _SIDE and y > 0 for x, y in path_) or any(a == b for a, b in itertools.pairwise(path_)):
        raise IllegalMove(
            f"{move} cannot be drawn: it names squares of a board of {size} x {size}, each another than the last"
        )
    (x0, y0), (x1, y1) = path_[-2:]
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    tip = (x1 - 4 * dx, y1 - 4 * dy)
    foot = (x1 - 18 * dx, y1 - 18 * dy)
    head = points([tip, (foot[0] - 8 * dy, foot[1] + 8 * dx), (foot[0] + 8 * dy, foot[1] - 8 * dx)])
    shaft = points([*path_[:-1], foot])
    (xa, ya), (xb, yb) = path_[:2]
    x, y = xa + (xb - xa) * 0.4, ya + (yb - ya) * 0.4
    parts = [
        element("polyline", points=shaft, stroke="paper", stroke_width=8),
        element("polyline", points=shaft, stroke=paint, stroke_width=4),
        element("polygon", points=head, fill=paint, stroke="paper", stroke_width=1.5),
        circle(x, y, 9, fill="paper", stroke=paint, stroke_width=2),
        words(x, y + 4, ply, 11, "middle", fill="ink", font_weight=700),
    ]
    return group(*parts, data_move=str(move), fill="none", stroke_linejoin="round")


def _middle(name: str, size: int) -> tuple[float, float]:
    file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
    return (file + 0.5) * _SIDE, (size - rank - 0.5) * _SIDE


def _coordinates(size: int) -> Markup:
    side = size * _SIDE
    labels = []
    for i in range(size):
        at = _EDGE + (i + 0.5) * _SIDE
        labels += [
            words(at, _EDGE - 8, "abcdefgh"[i]), words(at, _EDGE + side + 17, "abcdefgh"[i]),
            words(_EDGE / 2, at + 4, size - i), words(_EDGE * 1.5 + side, at + 4, size - i),
        ]
    return join(labels)


def _players(state: State, top: float) -> Markup:
    rows = []
    for player, score in enumerate(state.scores()):
        y = top + 26 * player + 18
        captured, supply = state.captured[player], state.supply[player]
        line = f"{COLOURS[player]}: {score} points ({captured} captured), {supply} in supply"
        rows += [
            words(6, y, "▶") if state.to_move == player else Markup(),
            element("g", article(player), transform=f"translate(12 {number(y - 23)}) scale(.6)"),
            words(46, y, line, font_weight=700 if state.to_move == player else None),
        ]
    return join(rows)


def _status(state: State) -> str:
    if state.to_move != OVER:
        return f"{COLOURS[state.turn]} to move"
    scores = state.scores()
    won = [colour for colour, score in zip(COLOURS, scores, strict=False) if score == max(scores)]
    return f"over, {' and '.join(won)} {'wins' if len(won) == 1 else 'share the win'}"


def _description(state: State) -> str:
    pieces = []
    for player, colour in enumerate(COLOURS[: state.players]):
        own = [square_name(i, state.size) for i, piece in enumerate(state.squares) if piece == ARTICLES[player]]
        home = square_name(state.squares.index(LAWYERS[player]), state.size)
        pieces.append(f"{colour}: Lawyer {home}, Articles {' '.join(own) or 'none'}, {state.scores()[player]} points.")
    return " ".join(pieces)
