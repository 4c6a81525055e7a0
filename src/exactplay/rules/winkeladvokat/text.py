"""A position in writing: ``7R/8/8/8/8/8/8/B7 b 25,25 0,0``, and behind ``;`` what differs from the usual.

``values 0,2,0/2,4,2/0,2,0`` are an own board's numbers, the top rank first; ``earlier P | P`` the earlier positions that
count, four fields each; ``rules NAME=VALUE, NAME=VALUE`` the options that are not the default.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from exactplay.rules.contract import BadText, IllegalPosition, quoted
from exactplay.rules.winkeladvokat.options import Rules
from exactplay.rules.winkeladvokat.pieces import ARTICLES, EMPTY, LAWYERS, SIZES, Board

#: squares, turn, supply, captured points
Placement = tuple[str, int, tuple[int, ...], tuple[int, ...]]


@dataclasses.dataclass(frozen=True, slots=True)
class Fields:
    """What a text or JSON form says."""

    size: int
    placement: Placement
    board: Board | None = None
    earlier: tuple[Placement, ...] = ()
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def read_position(text: str) -> Fields:
    """Read the text form; raises :class:`BadText`, and :class:`IllegalPosition` for ranks that do not fit."""
    first, *parts = (part.strip() for part in text.split(";"))
    placement, size = read_placement(first)
    said: dict[str, str] = {}
    for part in parts:
        name, _, rest = part.partition(" ")
        if name not in ("values", "earlier", "rules"):
            raise BadText(f"{quoted(part)} is no part of a position; behind ';' stand values, earlier or rules")
        if name in said:
            raise BadText(f"{name} is said twice; say it once")
        said[name] = rest
    return Fields(
        size, placement,
        Board.from_ranks([_numbers("values", rank) for rank in said["values"].split("/")]) if "values" in said else None,
        _earlier(said["earlier"].split(" | "), size) if "earlier" in said else (),
        Rules.chosen(said["rules"].split(",")) if "rules" in said else {},
    )


def read_json(data: Mapping[str, Any]) -> Fields:
    """Read the JSON form; its fields override what its position's text says of them."""
    for name, value in data.items():
        kind = {"position": str, "values": list, "earlier": list, "options": dict}.get(name)
        if kind is None:
            raise BadText(f"field {quoted(name)} is unknown; a position has position, values, earlier and options")
        if not isinstance(value, kind):
            raise BadText(f"field {name} is {quoted(value)}, which is not of its form")
    if "position" not in data:
        raise BadText("the field position is missing")
    fields = read_position(data["position"])
    ranks, earlier = data.get("values"), data.get("earlier")
    if ranks is not None:
        if not all(isinstance(rank, list) for rank in ranks):
            raise BadText("field values must hold one list of numbers a rank, the top rank first")
        fields = dataclasses.replace(fields, board=Board.from_ranks(ranks))
    if earlier is not None:
        if not all(isinstance(text, str) for text in earlier):
            raise BadText("field earlier must hold texts of positions")
        fields = dataclasses.replace(fields, earlier=_earlier(earlier, fields.size))
    return dataclasses.replace(fields, options={**fields.options, **data.get("options", {})})


def show_position(placement: str, board: Board | None, earlier: tuple[str, ...], rules: Rules) -> str:
    """The text form; ``board`` only where its numbers are not the usual ones."""
    parts = [placement]
    if board is not None:
        parts.append("values " + "/".join(",".join(map(str, rank)) for rank in board.ranks()))
    if earlier:
        parts.append("earlier " + " | ".join(earlier))
    if rules.changed():
        parts.append(f"rules {rules.describe()}")
    return "; ".join(parts)


def show_placement(squares: str, size: int, turn: int, supply: tuple[int, ...], captured: tuple[int, ...]) -> str:
    """The four fields: board, to move, supply, captured."""
    ranks = [squares[start : start + size] for start in range(0, size**2, size)]
    texts = [re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks)]
    return " ".join(["/".join(texts), ARTICLES[turn], *(",".join(map(str, numbers)) for numbers in (supply, captured))])


def read_placement(text: str) -> tuple[Placement, int]:
    """Read the four fields; also the number of squares along an edge."""
    fields = text.split(" ")
    if len(fields) != 4:
        raise BadText(
            "a position has four fields with one space between them: board, to move, supply, captured; "
            f"here are {len(fields)}"
        )
    squares, size = _read_squares(fields[0])
    if len(fields[1]) != 1 or fields[1] not in ARTICLES:
        raise BadText(f"the player to move is {quoted(fields[1])}; it must be b, r, y or g")
    supply, captured = _numbers("supply", fields[2]), _numbers("captured points", fields[3])
    return (squares, ARTICLES.index(fields[1]), supply, captured), size


def _earlier(texts: list[str], size: int) -> tuple[Placement, ...]:
    read = [read_placement(text) for text in texts]
    if any(other != size for _, other in read):
        raise IllegalPosition("an earlier position has another number of ranks")
    return tuple(placement for placement, _ in read)


def _read_squares(text: str) -> tuple[str, int]:
    ranks = text.split("/")
    size = len(ranks)
    if size not in SIZES:
        raise IllegalPosition(f"the board has {size} ranks; it must have 3 to 8, separated by '/'")
    rows: list[str] = []
    for number, rank in zip(range(size, 0, -1), ranks, strict=True):
        row = ""
        for character in rank:
            if character in "12345678":
                row += EMPTY * int(character)
            elif character in LAWYERS + ARTICLES:
                row += character
            else:
                raise BadText(
                    f"rank {number} has {quoted(character)}; allowed are B R Y G, b r y g and runs of empty squares 1 to 8"
                )
        if len(row) != size:
            raise IllegalPosition(f"rank {number} has {len(row)} squares; with {size} ranks it must have {size}")
        rows.append(row)
    return "".join(reversed(rows)), size


def _numbers(name: str, text: str) -> tuple[int, ...]:
    numbers = text.split(",")
    for number in numbers:
        if not re.fullmatch(r"-?[0-9]{1,9}", number):
            raise BadText(f"{quoted(number)} in the {name} is not a whole number of at most nine digits")
    return tuple(map(int, numbers))
