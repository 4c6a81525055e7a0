"""Charts: what every move is worth as a bar, with its interval; distributions of a score, two of them over each other."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from exactplay.render.svg import Markup, circle, cut, document, element, group, path, points, rect, spot, words
from exactplay.solvers.hidden import Advice
from exactplay.solvers.result import Bounds, Estimate, Number, Result, Value, Verdict

_ROW: Final = 22
_PLOT: Final = 300


@dataclass(frozen=True, slots=True)
class Bar:
    """A move, its value (None: unknown) and the ends of what is not known exactly; ``best`` of all, or one of several."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    best: bool = False


def bars_of(result: Result[Any]) -> list[Bar]:
    """A bar for every move of a result, best first; of vectors the entry of the seat to move."""
    result = result.pov(result.mover) if result.viewpoint is None else result
    intervals = result.intervals if isinstance(result, Advice) else {}
    bars = []
    for move in result.ranked():
        value, low, high = _numbers(result.moves[move])
        if move in intervals:
            low, high = intervals[move].low, intervals[move].high
        bars.append(Bar(str(move), value, low, high, move in result.best))
    return bars


def moves(
    bars: Sequence[Bar], *, title: str, digits: int = 4, most: int = 40, interactive: bool = False, kind: str = "moves"
) -> str:
    """A bar chart of moves; the first ``most`` of them, and a line that says how many more there are.

    The scale goes from the lowest to the highest value and shows 0 where that is near. Bars are ``data-move``.
    """
    shown = list(bars[:most])
    ends = [end for bar in shown for end in (bar.value, bar.low, bar.high) if end is not None and math.isfinite(end)]
    low, high = _scale(ends)
    gutter = min(260, max([60, *(7 * len(bar.name) for bar in shown)]))
    left = 24 + gutter

    def x(value: float) -> float:
        return left + _PLOT * (min(max(value, low), high) - low) / (high - low)

    origin = x(0) if low <= 0 <= high else x(low)
    rows: list[Markup] = []
    for index, bar in enumerate(shown):
        y = 34 + index * _ROW
        spoken = "unknown" if bar.value is None else f"{bar.value:.{digits}g}"
        parts = [
            rect(4, y - 3, left + _PLOT + 104, _ROW - 2, rx=3, fill="lit") if bar.best else Markup(),
            words(left - 8, y + 11, cut(bar.name, 36), 12, "end", font_weight=700 if bar.best else None),
        ]
        if bar.value is not None:
            start, end = sorted((origin, x(bar.value)))
            parts.append(rect(start, y, max(end - start, 1), 14, fill="accent" if bar.best else "bar"))
        if bar.low is not None and bar.high is not None and bar.low < bar.high:
            a, b = x(bar.low), x(bar.high)
            whiskers = f"M{a:.1f} {y + 3}v8M{b:.1f} {y + 3}v8M{a:.1f} {y + 7}H{b:.1f}"
            parts.append(path(whiskers, stroke="ink", stroke_width=1.5))
        parts.append(words(left + _PLOT + 10, y + 11, cut(_value_text(bar, digits), 16)))
        label = f"{bar.name}: {spoken}{', best' if bar.best else ''}"
        rows.append(group(*parts, **spot("move", bar.name, label, interactive)))
    height = 40 + _ROW * len(shown)
    if len(bars) > most:
        rows.append(words(12, height + 8, f"and {len(bars) - most} more moves", fill="muted"))
        height += 20
    best = ", ".join(bar.name for bar in bars if bar.best)
    return document(
        left + _PLOT + 116, height,
        words(12, 20, title, 14, font_weight=700),
        element("line", x1=float(origin), x2=float(origin), y1=30, y2=float(34 + _ROW * len(shown)), stroke="muted"),
        *rows,
        title=title,
        description=f"{len(bars)} moves. Best: {best or 'not known'}.",
        kind=kind,
        interactive=interactive,
    )


@dataclass(frozen=True, slots=True)
class Curve:
    """A distribution: what it is called, the probability of each score, and that of no score at all (a lost game)."""

    name: str
    chances: Mapping[int, float]
    lost: float = 0.0

    @property
    def mean(self) -> float:
        """The expected score; a lost game counts 0."""
        return sum(score * chance for score, chance in self.chances.items())


def distribution(
    first: Curve, second: Curve | None = None, *, title: str, bins: int = 36, kind: str = "distribution",
    narrow: bool = False,
) -> str:
    """The distribution of a score as columns, that of a lost game apart; a second one as a line over it.

    Neighbouring scores share a column, so that at most ``bins`` stand side by side: each shows the exact sum. A triangle
    below the axis marks an expected score that lies on it. ``narrow`` halves width and columns, for a narrow screen.
    """
    curves = [first] if second is None else [first, second]
    scores = sorted({score for curve in curves for score, chance in curve.chances.items() if chance > 0}) or [0]
    start, step = _bins(scores[0], scores[-1], bins // 2 if narrow else bins)
    count = (scores[-1] - start) // step + 1
    columns = [[0.0] * count for _ in curves]
    for column, curve in zip(columns, curves, strict=True):
        for score, chance in curve.chances.items():
            if chance > 0:
                column[(score - start) // step] += chance
    highest = max(map(max, columns))
    # A game that is mostly lost would leave no height for the scores: its column is then cut, and its number stands there.
    # Where it is lost for certain there are no scores to leave height for.
    lost = max(curve.lost for curve in curves)
    top = max(highest, min(lost, 1.5 * highest)) or lost or 1.0
    left, bottom, tall, wide = 112, 216, 150, 228 if narrow else 520
    broad = wide / count

    def y(chance: float) -> float:
        return bottom - tall * chance / top

    parts: list[Markup] = []
    for share in (0.25, 0.5, 0.75, 1.0):
        level = y(share * top)
        parts.append(path(f"M44 {level:.1f}H{left + wide}", stroke="line", stroke_width=0.5))
        parts.append(words(40, level + 4, f"{_percent(share * top)} %", 10, "end", fill="muted"))
    for i, chance in enumerate(columns[0]):
        low, high = start + i * step, start + (i + 1) * step - 1
        if chance > 0:
            name = str(low) if step == 1 else f"{low} to {high}"
            parts.append(element(
                "rect", element("title", f"{name}: {100 * chance:.3g} %"), x=left + i * broad + 0.5, y=y(chance),
                width=max(broad - 1, 0.5), height=bottom - y(chance), fill="bar" if second else "accent",
            ))
    for place, (curve, paint) in enumerate(zip(curves, ("bar" if second else "accent", "accent"), strict=False)):
        x, height = 52 + 27.0 * place, y(min(curve.lost, top))
        parts.append(element(
            "rect", element("title", f"{curve.name}: lost {100 * curve.lost:.3g} %"), x=x, y=height, width=20,
            height=bottom - height, fill=paint,
        ))
        if curve.lost > top:
            parts.append(path(f"M{x - 2:g} {height + 12:g}l6-5 6 5 6-5 6 5", fill="none", stroke="paper", stroke_width=4))
        if curve.lost >= 0.00005:
            parts.append(words(x + 10, height - 4, f"{_percent(curve.lost)}%", 10, "middle"))
    parts.append(words(48.5 + 13.5 * len(curves), bottom + 15, "lost", 11, "middle", fill="muted"))
    if second is not None:
        corners: list[tuple[float, float]] = [(left, bottom)]
        for i, chance in enumerate(columns[1]):
            corners += [(left + i * broad, y(chance)), (left + (i + 1) * broad, y(chance))]
        corners.append((left + wide, bottom))
        parts.append(element("polyline", points=points(corners), fill="none", stroke="accent", stroke_width=2))
    parts.append(path(f"M44 {bottom}H{left + wide}", stroke="ink"))
    parts += [
        words(left + i * broad, bottom + 15, start + i * step, 11, "middle", fill="muted")
        for i in range(0, count + 1, max(1, math.ceil(count / (5 if narrow else 9))))
    ]
    for row, (curve, paint) in enumerate(zip(curves, ("bar" if second else "accent", "accent"), strict=False)):
        # Where a game may be lost, the mean can lie left of every score: then it has no place on the axis.
        if start <= curve.mean <= start + step * count:
            at = left + (curve.mean - start) / (step * count) * wide
            parts.append(path(f"M{at:.1f} {bottom}l5 9h-10z", fill=paint, stroke="ink", stroke_width=0.5))
        line = f"{curve.name}: expected {curve.mean:.4g}, won {100 * sum(curve.chances.values()):.4g} %"
        parts += [circle(60, 246 + 18 * row, 5, fill=paint), words(72, 250 + 18 * row, line)]
    return document(
        left + wide + 20, 260 + 18 * (len(curves) - 1),
        words(12, 24, title, 14, font_weight=700),
        group(*parts),
        title=title,
        description=" ".join(
            f"{curve.name}: lost {100 * curve.lost:.4g} %, expected score {curve.mean:.6g}, "
            f"scores from {min(curve.chances, default=0)} to {max(curve.chances, default=0)}."
            for curve in curves
        ),
        kind=kind,
    )


def _numbers(verdict: Verdict) -> tuple[float | None, float | None, float | None]:
    """A verdict's value and the ends of what is not known."""
    if isinstance(verdict, Bounds):
        low, high = _single(verdict.low), _single(verdict.high)
        middle = low if high is None else high if low is None else (low + high) / 2
        return (low if low == high else middle), low, high
    if isinstance(verdict, Estimate):
        half = 1.96 * verdict.standard_error
        return float(verdict.mean), verdict.mean - half, verdict.mean + half
    return _single(verdict.value), None, None


def _single(value: Value | None) -> float | None:
    assert not isinstance(value, tuple)  # a result seen by one seat has none
    return None if value is None else float(value)


def _scale(ends: Sequence[Number]) -> tuple[float, float]:
    """The two ends of the axis; 0 belongs to it unless the values lie far from it and close together."""
    if not ends:
        return 0.0, 1.0
    low, high = float(min(ends)), float(max(ends))
    if low > 0 and high - low > 0.2 * high:
        low = 0.0
    elif high < 0 and high - low > -0.2 * low:
        high = 0.0
    if low == high:
        return min(low, 0.0), max(high, 0.0) if low else 1.0
    if low > 0 or high < 0:
        room = 0.25 * (high - low)
        return (low - room, high) if low > 0 else (low, high + room)
    return low, high


def _percent(chance: float) -> str:
    """A probability in percent, with two digits, or with the three of 100."""
    return "100" if chance > 0.995 else f"{100 * chance:.2g}"


def _bins(low: int, high: int, most: int) -> tuple[int, int]:
    """Where the first column starts and how many scores each column holds: a round number."""
    step = 1
    for candidate in (base * 10**power for power in range(13) for base in (1, 2, 5)):
        step = candidate
        if high // step - low // step + 1 <= most:
            break
    return low // step * step, step


def _value_text(bar: Bar, digits: int) -> str:
    if bar.value is None:
        return "unknown"
    return f"{bar.value:.{digits}g}" + (" best" if bar.best else "")
