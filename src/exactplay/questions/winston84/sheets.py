"""A route sheet as plain data, and what a reader should know of it."""
from __future__ import annotations

from collections import Counter
from typing import Any

from exactplay.questions.winston84.setting import about_sheet
from exactplay.rules.winston84 import COLOURS, MAXIMUM_SECURITY, Difficulty, Sheet

# Of the rulebook's example of the final scoring, taken from a filled-in sheet: every printed sheet has these points.
_EXAMPLE = {"golden_country": 17, "big_brother": 200, "rounds": 10}


def survey(sheet: Sheet) -> dict[str, Any]:
    """The number of boxes of each kind, without and with the detour."""
    facts = {}
    for key, level in (("route", 1), ("with_detour", 5)):
        boxes = sheet.route_for(level)
        counts = Counter(boxes)
        facts[key] = {
            "boxes": len(boxes),
            "control_zones": {letter: counts[letter] for letter in COLOURS},
            "maximum_security": counts[MAXIMUM_SECURITY],
        }
    return facts


def doubts(sheet: Sheet) -> list[str]:
    """What a reader should look at again, and what the sheet is not."""
    notes = []
    if sheet.provenance == "reconstruction":
        notes.append(f"The sheet {sheet.name!r} is a reconstruction, not the printed one; no value on it holds for that.")
    for track, points in _EXAMPLE.items():
        if points not in getattr(sheet, track):
            notes.append(
                f"The rulebook's example scores {points} on the track {track}, but this sheet's has no {points}; "
                "look at it again."
            )
    reference = Sheet.load("reference")
    if sheet.provenance == "measured" and (sheet.route, sheet.detour) == (reference.route, reference.detour):
        notes.append("The boxes are those of the shipped reconstruction, though the sheet says that they were measured.")
    return notes


def described(sheet: Sheet, difficulty: Difficulty) -> dict[str, Any]:
    """A sheet as plain data, as it is played at a difficulty."""
    return {
        **about_sheet(sheet),
        "difficulty": difficulty.level,
        "route": sheet.route_for(difficulty.level),
        "golden_country": sheet.golden_country,
        "big_brother": sheet.big_brother,
        "rounds": sheet.rounds,
        "notes": sheet.notes.strip(),
    }
