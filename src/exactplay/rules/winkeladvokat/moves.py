"""What a player may do."""
from __future__ import annotations

import dataclasses
import functools
import re
from typing import Literal, Self

from exactplay.rules.contract import BadText, quoted


@functools.total_ordering
@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """A detour (from, detour square, to) or a capture (from, then each landing square); sorted by its text."""

    kind: Literal["detour", "capture"]
    squares: tuple[str, ...]

    def __str__(self) -> str:
        return ("-" if self.kind == "detour" else "x").join(self.squares)

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other) if isinstance(other, Move) else NotImplemented

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``a1-a4-d4`` or ``c3xc5xe5``; raises :class:`BadText`."""
        if re.fullmatch(r"[a-h][1-8](-[a-h][1-8]){2}", text):
            return cls("detour", tuple(text.split("-")))
        if re.fullmatch(r"[a-h][1-8](x[a-h][1-8])+", text):
            return cls("capture", tuple(text.split("x")))
        raise BadText(f"{quoted(text)} is not a move; write a detour as a1-a4-d4 (from, turn, to), a capture as c3xc5xe5")
