"""A result as HTML, for a notebook: its kind, its value, what the kind means, every move, and what it rests on."""
from __future__ import annotations

from typing import Any

from exactplay.render.svg import Markup, element, join
from exactplay.solvers.result import Result


def result_html(result: Result[Any], most: int = 30) -> str:
    """The result as one ``div``: no style, no script. Of more than ``most`` moves the last are only counted."""
    verdict = result.verdict
    parts = [
        element("p", element("strong", str(verdict))),
        element("p", verdict.meaning),
    ]
    if result.best:
        label = "Best moves" if len(result.best) > 1 else "Best move"
        parts.append(element("p", f"{label}: {', '.join(map(str, result.best))}"))
    if result.pv:
        parts.append(element("p", f"Principal variation: {', '.join(map(str, result.pv))}"))
    if result.moves:
        parts.append(_table(result, most))
    parts += [element("p", element("em", note)) for note in result.notes]
    rests = [result.rules, *(f"{source.name} ({source.provenance})" for source in result.sources)]
    parts.append(element("p", element("small", f"Rests on: {'; '.join(rests)}.")))
    return element("div", *parts, class_="exactplay-result")


def _table(result: Result[Any], most: int) -> Markup:
    listed = result.ranked()
    rows = [
        element(
            "tr", element("td", "★" if move in result.best else ""), element("td", element("code", str(move))),
            element("td", str(result.moves[move])), class_="best" if move in result.best else None,
        )
        for move in listed[:most]
    ]
    if len(listed) > most:
        rows.append(element("tr", element("td", f"and {len(listed) - most} more", colspan=3)))
    head = element("tr", element("th", "best"), element("th", "move"), element("th", "value"))
    return element("table", element("thead", head), element("tbody", join(rows)))
