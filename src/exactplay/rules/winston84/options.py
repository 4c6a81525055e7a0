"""The rule options: where the rulebook can be read in two ways."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Self

from exactplay.rules.contract import RulesBase


@dataclasses.dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The options of Winston: Nineteen Eighty-Four."""

    game: ClassVar[str] = "winston84"
    explained: ClassVar[Mapping[str, str]] = {
        "room101_is_placed":
            "A die in Room 101 still counts for Red (condition and lowest value) and as repeating for White.",
        "white_needs_change": "White must pick a die whose value differs from its own.",
        "purple_alone_ok": "Purple may flip itself alone although another die could be flipped.",
        "failed_round_rechecks_zone": "A round that marks nothing triggers the zone on which the marker stands once more.",
    }

    room101_is_placed: bool = False
    white_needs_change: bool = False
    purple_alone_ok: bool = False
    failed_round_rechecks_zone: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what :meth:`describe` writes; raises :class:`BadOption`."""
        text = text.strip()
        return cls() if text == cls().describe() else cls.from_texts(text.split(","))
