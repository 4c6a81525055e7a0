"""Colours, pieces, squares and the numbers printed on them ("Components", "Setup")."""
from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from exactplay.common.files import read_text
from exactplay.common.words import whole
from exactplay.rules.contract import BadText, IllegalPosition

COLOURS: Final = ("Blue", "Red", "Yellow", "Green")
LAWYERS: Final = "BRYG"
ARTICLES: Final = "bryg"
EMPTY: Final = "."
SIZES: Final = range(3, 9)
LARGEST_FILE: Final = 10**6  # bytes of a board's file


def full_supply(players: int) -> int:
    """The Articles that each player begins with ("Components", "Setup")."""
    return 25 if players == 2 else 15


def square_name(square: int, size: int) -> str:
    """The name of a square: file letter and rank number."""
    return "abcdefgh"[square % size] + str(square // size + 1)


@dataclasses.dataclass(frozen=True, slots=True)
class Board:
    """The numbers printed on the squares, from a1 along the ranks: ``size * size`` whole numbers, none negative."""

    size: int
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checked_size(self.size))
        if len(self.values) != self.size**2:
            raise IllegalPosition(f"a board of size {self.size} needs {self.size**2} numbers, not {len(self.values)}")
        object.__setattr__(self, "values", tuple(
            whole(value, f"the number on {square_name(square, self.size)}", 0) for square, value in enumerate(self.values)
        ))

    @classmethod
    def rings(cls, size: int) -> Self:
        """The default numbers: 2 on the outermost ring, doubling inwards, 0 on the four corners."""
        last = checked_size(size) - 1
        values = [2 ** (min(f, r, last - f, last - r) + 1) for r in range(size) for f in range(size)]
        for corner in (0, last, size * last, size * last + last):
            values[corner] = 0
        return cls(size, tuple(values))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a board's file; raises :class:`BadText` or OSError."""
        try:
            return cls.from_toml(read_text(path, LARGEST_FILE))
        except BadText as error:
            raise BadText(f"{path}: {error}") from None

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read ``values = [[...], ...]``, the rows of numbers from the top rank down; raises :class:`BadText`."""
        try:
            rows = tomllib.loads(text).get("values")
        except (ValueError, RecursionError) as error:
            raise BadText(f"the board is not TOML: {' '.join(str(error).split())}") from None
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise BadText("a board is 'values = [[...], ...]': one list of whole numbers a rank, the top rank first")
        return cls.from_ranks(rows)

    @classmethod
    def from_ranks(cls, ranks: Sequence[Sequence[int]]) -> Self:
        """One list of numbers a rank, the top rank first; raises :class:`BadText`, BadOption and IllegalPosition."""
        for rank, row in zip(range(len(ranks), 0, -1), ranks, strict=True):
            if len(row) != len(ranks):
                raise BadText(f"rank {rank} of the board has {len(row)} numbers; it must have {len(ranks)}")
        return cls(len(ranks), tuple(value for row in reversed(ranks) for value in row))

    def ranks(self) -> list[list[int]]:
        """One list of numbers a rank, the top rank first."""
        return [list(self.values[start : start + self.size]) for start in range(0, self.size**2, self.size)][::-1]


def checked_size(size: object) -> int:
    """The number of squares along an edge, 3 to 8."""
    return whole(size, "the size of the board", SIZES[0], SIZES[-1])
