"""The five difficulty levels (rulebook: "Difficulty")."""
from __future__ import annotations

import dataclasses
from typing import Self

from exactplay.common.words import whole
from exactplay.rules.contract import BadOption


@dataclasses.dataclass(frozen=True, slots=True)
class Difficulty:
    """A level from 1 to 5 and its modifiers; raises :class:`BadOption` for any other."""

    level: int

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "level", whole(self.level, "difficulty", 1, 5))
        except BadOption:
            raise BadOption(f"difficulty is {str(self.level)[:20]!r}; it must be 1, 2, 3, 4 or 5") from None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``x3`` or ``3``; raises :class:`BadOption`."""
        level = text.strip().lower().removeprefix("x")
        # The constructor refuses any other level in words.
        return cls(int(level) if level in {"1", "2", "3", "4", "5"} else text)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"x{self.level}"

    @property
    def multiplier(self) -> int:
        """What the subtotal is multiplied by."""
        return self.level

    @property
    def first_round(self) -> int:
        """0 with A walk through the suburbs, else 1."""
        return 0 if self.level == 1 else 1

    @property
    def big_brothers_eye(self) -> bool:
        """Whether a zone costs a die in the next round."""
        return self.level in (3, 5)

    @property
    def julia(self) -> bool:
        """Whether the route takes the detour by Mr. Charrington's house."""
        return self.level in (4, 5)
