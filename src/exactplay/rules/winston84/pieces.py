"""The six dice and their states (rulebook: "Placing the Dice"); the text form of dice."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple, Self

from exactplay.rules.contract import BadText, Shown, quoted

COLOURS: Final = "RGBWYP"


class Colour(IntEnum):
    """The colour of a die; its numbered space on the sheet is the value + 1."""

    RED = 0
    GREEN = 1
    BLUE = 2
    WHITE = 3
    YELLOW = 4
    PURPLE = 5

    @property
    def letter(self) -> str:
        """The capital letter that stands for the colour in every text form."""
        return COLOURS[self]

    @property
    def label(self) -> str:
        """The colour's name as the rulebook prints it."""
        return self.name.capitalize()

    @classmethod
    def of(cls, letter: str) -> Colour:
        """The colour of a letter, of either case; raises :class:`BadText`."""
        if len(letter) != 1 or letter.upper() not in COLOURS:
            raise BadText(f"{quoted(letter)} is no colour; write one of {' '.join(COLOURS)}")
        return cls(COLOURS.index(letter.upper()))


class Status(IntEnum):
    """What has become of a die in this round."""

    REMOVED = 0
    AVAILABLE = 1
    PLACED = 2
    ROOM101 = 3


RED, GREEN, BLUE, WHITE, YELLOW, PURPLE = Colour
REMOVED, AVAILABLE, PLACED, ROOM101 = Status


class Die(NamedTuple):
    """One die. ``value`` is 1 to 6; 0 for a removed die and for an available one that is about to be rolled.

    A named tuple and not a dataclass because an exhaustive walk hashes and compares millions of them.
    """

    status: Status
    value: int


GONE: Final = Die(REMOVED, 0)
UNROLLED: Final = Die(AVAILABLE, 0)

_MARKS = {AVAILABLE: "", PLACED: "p", ROOM101: "x"}
_STATUS_OF_MARK = {mark.upper(): status for status, mark in _MARKS.items()}
_DIE = re.compile(r"([RGBWYP])([PX]?)([1-6?])", re.IGNORECASE | re.ASCII)
_SEPARATORS = re.compile(r"[\s,;/]*", re.ASCII)


@dataclasses.dataclass(frozen=True, slots=True)
class Dice(Shown):
    """The six dice in colour order."""

    six: tuple[Die, ...]

    @classmethod
    def before_the_roll(cls, removed: Colour | None = None) -> Self:
        """All dice about to be rolled, but for one that was removed beforehand."""
        return cls(tuple(GONE if colour is removed else UNROLLED for colour in Colour))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``R5 Gp3 Yx5``: letter, ``p`` if placed or ``x`` if in Room 101, value or ``?`` if about to be rolled.

        Dice stand in any order and case, with or without blanks, commas, semicolons or slashes between them. A die that
        is not named is removed. Raises :class:`BadText`.
        """
        six = [GONE] * 6
        position = _skip(text, 0)
        while position < len(text):
            match = _DIE.match(text, position)
            if match is None:
                word = re.findall(r"\S+|\s", text[position:])[0]
                raise BadText(
                    f"dice {quoted(text)}: {quoted(word)} at character {position + 1} is no die; "
                    "write the colour's letter and its value, such as R5, Rp5 (placed) or Rx5 (in Room 101)"
                )
            colour, status = Colour.of(match[1]), _STATUS_OF_MARK[match[2].upper()]
            if six[colour] != GONE:
                raise BadText(f"dice {quoted(text)}: {colour.label} is named twice; name each die once")
            if match[3] == "?" and status is not AVAILABLE:
                raise BadText(f"dice {quoted(text)}: {colour.label} has no value; only an available die can lack one")
            six[colour] = Die(status, 0 if match[3] == "?" else int(match[3]))
            position = _skip(text, match.end())
        if all(die == GONE for die in six):
            raise BadText("no die is named; write dice such as R5 G3 B2 W4 Y1 P6")
        return cls(tuple(six))

    def __str__(self) -> str:
        return " ".join(
            f"{colour.letter}{_MARKS[die.status]}{die.value or '?'}"
            for colour, die in zip(Colour, self.six, strict=True)
            if die.status is not REMOVED
        )

    def __getitem__(self, colour: Colour) -> Die:
        return self.six[colour]

    def having(self, status: Status) -> tuple[Colour, ...]:
        """The dice of a status, in colour order."""
        return tuple(colour for colour in Colour if self.six[colour].status is status)

    @property
    def to_roll(self) -> tuple[Colour, ...]:
        """The dice that are about to be rolled."""
        return tuple(colour for colour in Colour if self.six[colour] == UNROLLED)

    @property
    def room101(self) -> Colour | None:
        """The die in Room 101."""
        return next(iter(self.having(ROOM101)), None)


def spelled(colours: Iterable[Colour]) -> str:
    """Names of dice for a message."""
    return ", ".join(colour.label for colour in colours)


def _skip(text: str, position: int) -> int:
    match = _SEPARATORS.match(text, position)
    return match.end() if match else position
