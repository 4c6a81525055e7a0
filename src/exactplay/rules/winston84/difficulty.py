"""The five difficulty levels (rulebook: "Difficulty")."""
from __future__ import annotations

import dataclasses

from exactplay.rules.contract import BadText


@dataclasses.dataclass(frozen=True, slots=True)
class Difficulty:
    """A level from 1 to 5 and its modifiers; raises :class:`BadText` for any other."""

    level: int

    def __post_init__(self) -> None:
        if type(self.level) is not int or not 1 <= self.level <= 5:
            raise BadText(f"difficulty is {str(self.level)[:20]!r}; it must be 1, 2, 3, 4 or 5")

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
