"""The route sheet as data (rulebook: "State Set Up", "Final Scoring"); its file form is TOML."""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import tomllib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, Self

from exactplay.common.files import read_text
from exactplay.rules.contract import BadText, Shown, quoted
from exactplay.rules.winston84.difficulty import Difficulty
from exactplay.rules.winston84.pieces import COLOURS

PLAIN: Final = "."
MAXIMUM_SECURITY: Final = "o"
BOXES: Final = PLAIN + COLOURS + MAXIMUM_SECURITY
REFERENCE: Final = "reference"

Provenance = Literal["reconstruction", "measured"]

_PROVENANCES: Final[tuple[Provenance, ...]] = ("reconstruction", "measured")
_ROUNDS = 9  # R0 to R8
_LONGEST = 1_000  # boxes of a route, entries of a track
_FARTHEST = 10**12  # points; so that every score is a whole number in double precision
_LARGEST_FILE = 1_000_000  # bytes
_MOST_STOPS = 4 * _LONGEST  # two routes of plain boxes, and notes
_SHORT: Final = 12  # characters of a digest that name a sheet
_MOST_KNOWN: Final = 64  # sheets that a process remembers by their digest
_DEEPEST_TABLE = 9  # names with stops between them in [...]


@dataclasses.dataclass(frozen=True, slots=True)
class Detour:
    """By way of Mr. Charrington's house: the ``skip`` boxes after box ``after`` are replaced by ``boxes``."""

    after: int
    skip: int
    boxes: str


@dataclasses.dataclass(frozen=True, slots=True)
class Sheet(Shown):
    """One route sheet; raises :class:`BadText` for what is no sheet.

    ``route`` and ``detour.boxes`` hold one character a box (see :data:`BOXES`). Points: ``golden_country`` by boxes marked
    from 1 up, ``big_brother`` by boxes marked from 0 up, ``rounds`` from R0 to R8.
    """

    name: str
    provenance: Provenance
    route: str
    detour: Detour
    golden_country: tuple[int, ...]
    big_brother: tuple[int, ...]
    rounds: tuple[int, ...]
    notes: str = ""

    def __post_init__(self) -> None:
        if not (self.name.strip() and self.name.isprintable() and len(self.name) <= 100):
            raise BadText(f"name is {quoted(self.name)}; it must be one line of 1 to 100 printable characters")
        if self.provenance not in _PROVENANCES:
            raise BadText(f"provenance is {quoted(self.provenance)}; it must be one of {', '.join(_PROVENANCES)}")
        _require_boxes("route", self.route)
        _require_boxes("detour.boxes", self.detour.boxes)
        _require_within("detour.after", self.detour.after, len(self.route), "it names a box of the route")
        left = len(self.route) - self.detour.after
        _require_within("detour.skip", self.detour.skip, left, f"{left} boxes follow box {self.detour.after}")
        if len(self.detour.boxes) <= self.detour.skip:
            raise BadText(
                f"detour.boxes has {len(self.detour.boxes)} boxes in place of {self.detour.skip}; "
                "it must have more, as a detour makes the route longer"
            )
        for track in ("golden_country", "big_brother", "rounds"):
            _require_points(track, getattr(self, track))
        if len(self.rounds) != _ROUNDS:
            raise BadText(f"rounds has {len(self.rounds)} entries; it must have nine, from R0 to R8")

    @classmethod
    def load(cls, path_or_name: str | Path) -> Self:
        """Read a sheet's file, or the shipped one by its name ``reference``; raises BadText or OSError."""
        if path_or_name == REFERENCE:
            shipped = resources.files("exactplay") / "data" / "reference-sheet.toml"
            return cls.from_toml(shipped.read_text(encoding="utf-8"))
        if not _can_be_a_path(str(path_or_name)):
            raise BadText("the path of the sheet has a character that no path has; name a file, or reference")
        text = read_text(path_or_name, _LARGEST_FILE)
        try:
            return cls.from_toml(text)
        except BadText as error:
            raise BadText(f"{path_or_name}: {error}") from None

    @classmethod
    def known(cls, digest: str) -> Sheet | None:
        """The sheet whose digest begins so: the shipped one, or one that this process has read or printed of late."""
        shipped: Sheet = cls.load(REFERENCE)
        fitting = (sheet for sheet in (shipped, *_KNOWN.values()) if sheet.digest.startswith(digest))
        return next(fitting, None) if len(digest) >= _SHORT else None

    @property
    def short_digest(self) -> str:
        """What texts of positions name the sheet by; :meth:`known` then finds it in this process."""
        _KNOWN.pop(self.digest, None)
        _KNOWN[self.digest] = self
        if len(_KNOWN) > _MOST_KNOWN:
            del _KNOWN[next(iter(_KNOWN))]
        return self.digest[:_SHORT]

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read the table ``[sheet]``; raises :class:`BadText`, which names the field and what would be right."""
        _require_few_stops(text)
        try:
            # Some editors begin a file with a byte order mark.
            document = tomllib.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise BadText(f"not TOML: {' '.join(str(error).split())}") from None
        _require_keys("the file", document, {"sheet"})
        table = _table(document, "sheet")
        fields = [field.name for field in dataclasses.fields(cls)]
        _require_keys("[sheet]", table, fields, optional={"notes"})
        detour = _table(table, "detour")
        _require_keys("detour", detour, ["after", "skip", "boxes"])
        sheet = cls(
            name=_text(table, "name"),
            provenance=_text(table, "provenance"),  # type: ignore[arg-type]  # checked when the sheet is made
            route=_text(table, "route"),
            detour=Detour(
                after=_number(detour, "after", "detour."),
                skip=_number(detour, "skip", "detour."),
                boxes=_text(detour, "boxes", "detour."),
            ),
            golden_country=_points(table, "golden_country"),
            big_brother=_points(table, "big_brother"),
            rounds=_points(table, "rounds"),
            notes=_text(table, "notes") if "notes" in table else "",
        )
        _ = sheet.short_digest  # known from now on
        return sheet

    def to_toml(self) -> str:
        """The text that :meth:`from_toml` reads back."""
        detour = self.detour
        lines = [
            "[sheet]",
            f"name = {_toml_string(self.name)}",
            f"provenance = {_toml_string(self.provenance)}",
            f"notes = {_toml_string(self.notes)}",
            f"route = {_toml_string(self.route)}",
            f"detour = {{ after = {detour.after}, skip = {detour.skip}, boxes = {_toml_string(detour.boxes)} }}",
            f"golden_country = {list(self.golden_country)}",
            f"big_brother = {list(self.big_brother)}",
            f"rounds = {list(self.rounds)}",
        ]
        return "\n".join(lines) + "\n"

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal over everything but the notes."""
        return _digest_of(self)

    def route_for(self, level: int) -> str:
        """The boxes of Winston's route at a difficulty level, in order, without the Golden Country."""
        if not Difficulty(level).julia:
            return self.route
        after, skip = self.detour.after, self.detour.skip
        return self.route[:after] + self.detour.boxes + self.route[after + skip:]

    def points(self, round: int, boxes: int, marks: int) -> int:
        """The subtotal of a won game: reached in ``round`` with so many Golden Country and Big Brother boxes marked."""
        golden_country = self.golden_country[min(boxes, len(self.golden_country)) - 1]
        return golden_country + self.big_brother[min(marks, len(self.big_brother) - 1)] + self.rounds[round]


_KNOWN: dict[str, Sheet] = {}


@functools.lru_cache(maxsize=64)
def _digest_of(sheet: Sheet) -> str:
    meaning = dataclasses.asdict(sheet)
    del meaning["notes"]
    return hashlib.sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()


def _require_few_stops(text: str) -> None:
    """Refuse names such as a.a.a..., for which Python's TOML reader takes quadratic time: minutes for 100 kB."""
    deepest = max((line.count(".") for line in text.split("\n") if line.lstrip().startswith("[")), default=0)
    if text.count(".") > _MOST_STOPS or deepest > _DEEPEST_TABLE:
        raise BadText(
            f"no sheet: it has more than {_MOST_STOPS} full stops, or more than {_DEEPEST_TABLE} in a table's name"
        )


def _require_boxes(field: str, boxes: str) -> None:
    if not 1 <= len(boxes) <= _LONGEST:
        raise BadText(f"{field} has {len(boxes)} boxes; it must have 1 to {_LONGEST}")
    for number, box in enumerate(boxes, 1):
        if box not in BOXES:
            raise BadText(
                f"{field} has {quoted(box)} at box {number}; a box is {PLAIN} (plain), one of {' '.join(COLOURS)} "
                f"(Control Zone) or {MAXIMUM_SECURITY} (Maximum Security)"
            )


def _require_within(field: str, value: int, highest: int, reason: str) -> None:
    if not 0 <= value <= highest:
        raise BadText(f"{field} is {value}; it must be 0 to {highest}, as {reason}")


def _require_points(field: str, points: tuple[int, ...]) -> None:
    if not 1 <= len(points) <= _LONGEST:
        raise BadText(f"{field} has {len(points)} entries; it must have 1 to {_LONGEST}")
    for position, value in enumerate(points, 1):
        if abs(value) > _FARTHEST:
            raise BadText(f"{field}: entry {position} must lie between -{_FARTHEST} and {_FARTHEST}")


def _require_keys(where: str, table: dict[str, Any], known: Iterable[str], optional: Iterable[str] = ()) -> None:
    known = list(known)
    for key in table:
        if key not in known:
            raise BadText(f"{where} has the unknown field {quoted(key)}; it has {', '.join(known)}")
    for key in known:
        if key not in table and key not in optional:
            raise BadText(f"{where} lacks the field {key}; it has {', '.join(known)}")


def _table(parent: dict[str, Any], key: str) -> dict[str, Any]:
    return _typed(parent[key], dict, key, "a table")  # type: ignore[no-any-return]


def _text(table: dict[str, Any], key: str, prefix: str = "") -> str:
    return _typed(table[key], str, prefix + key, "text in quotes")  # type: ignore[no-any-return]


def _number(table: dict[str, Any], key: str, prefix: str) -> int:
    return _typed(table[key], int, prefix + key, "a whole number")  # type: ignore[no-any-return]


def _points(table: dict[str, Any], key: str) -> tuple[int, ...]:
    listed = _typed(table[key], list, key, "a list of whole numbers")
    return tuple(_typed(value, int, f"{key}: entry {n}", "a whole number") for n, value in enumerate(listed, 1))


def _typed(value: Any, kind: type, field: str, wanted: str) -> Any:
    # An exact comparison of types, because true is an int in Python.
    if type(value) is not kind:
        raise BadText(f"{field} is {quoted(str(value))}; it must be {wanted}")
    return value


def _toml_string(text: str) -> str:
    # JSON's escapes are TOML's, but TOML wants DEL escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _can_be_a_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
