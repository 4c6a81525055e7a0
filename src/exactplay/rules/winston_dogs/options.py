"""The rule options: none."""
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from exactplay.rules.contract import RulesBase


@dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The rulebook has one set of rules and no variants."""

    game: ClassVar[str] = "winston_dogs"
