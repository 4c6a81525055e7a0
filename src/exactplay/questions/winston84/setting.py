"""Which game a question is about, and how its texts become places, rolls and dice."""
from __future__ import annotations

import dataclasses
import re
from typing import Any, Final

from exactplay.rules.contract import BadText
from exactplay.rules.winston84 import (
    COLOURS,
    Colour,
    Dice,
    Die,
    Difficulty,
    Place,
    Roll,
    Rules,
    Sheet,
    Status,
    opening_round,
)

UTILITY_LENGTH: Final = 37  # results 0..36


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """Which game: sheet, difficulty, rules."""

    sheet: Sheet
    difficulty: Difficulty
    rules: Rules

    def __str__(self) -> str:
        return f"{self.difficulty} on sheet {self.sheet.name}"


def read_round(text: str) -> int:
    """Read ``5`` or ``R5``."""
    match = re.fullmatch(r"[Rr]?([0-9]{1,3})", text.strip())
    if match is None:
        raise BadText(f"round is {text[:20]!r}; write a number such as 5, or R5")
    return int(match[1])


def read_roll(text: str, colours: tuple[Colour, ...]) -> Roll:
    """Read a roll of the given dice: its faces alone in colour order, such as ``532416``, or dice text."""
    digits = re.sub(r"[\s,;/]", "", text)
    if not digits.isdigit() or not digits.isascii():
        return Roll.parse(text)
    if len(digits) != len(colours) or set(digits) & set("0789"):
        letters = " ".join(colour.letter for colour in colours)
        raise BadText(f"roll {text[:20]!r}: write {len(colours)} faces from 1 to 6 in the order {letters}")
    return Roll(colours, tuple(int(digit) for digit in digits))


def read_dice(text: str, setting: Setting, place: Place) -> Dice:
    """Read the dice of a round begun at a place: dice text, or the faces of its first roll alone."""
    if re.search(f"[{COLOURS}]", text, re.IGNORECASE):
        return Dice.parse(text)
    roll = read_roll(text, opening_round(setting.sheet, setting.difficulty, setting.rules, place).dice.to_roll)
    faces = dict(zip(roll.colours, roll.faces, strict=True))
    gone = Die(Status.REMOVED, 0)
    return Dice(tuple(Die(Status.AVAILABLE, faces[colour]) if colour in faces else gone for colour in Colour))


def read_utility(text: str) -> list[float]:
    """Read 37 numbers, one for each result from 0 to 36."""
    entries = text.replace(",", " ").split()
    try:
        utility = [float(entry) for entry in entries]
    except ValueError:
        utility = []
    if len(utility) != UTILITY_LENGTH:
        raise BadText(
            f"utility {text[:40]!r} has {len(entries)} entries; write {UTILITY_LENGTH} numbers with commas between them, "
            "one for each result from 0 to 36"
        )
    return utility


def about_sheet(sheet: Sheet) -> dict[str, Any]:
    """What every JSON answer says of its sheet."""
    return {"sheet": sheet.name, "provenance": sheet.provenance, "sheet_digest": sheet.digest}


def about(setting: Setting) -> dict[str, Any]:
    """What every JSON answer says of its setting."""
    return {**about_sheet(setting.sheet), "difficulty": setting.difficulty.level}
