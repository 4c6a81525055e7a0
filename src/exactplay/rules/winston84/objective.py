"""What a player may want of a game."""
from __future__ import annotations

import dataclasses
import re
from typing import Literal, Self

from exactplay.common.words import named, whole
from exactplay.rules.contract import BadOption, BadText, quoted

_FORM = re.compile(r"(score|win)|at[- ]?least ?[: =]? ?([+-]?[0-9]+)", re.IGNORECASE | re.ASCII)

Kind = Literal["score", "win", "at-least"]


@dataclasses.dataclass(frozen=True, slots=True)
class Objective:
    """The expected score, the probability to win, or the probability of a score of at least ``threshold``."""

    kind: Kind
    threshold: int = 0

    def __post_init__(self) -> None:
        named(self.kind, Kind, "objective")
        object.__setattr__(self, "threshold", whole(self.threshold, "threshold", -(10**15), 10**15))

    @classmethod
    def of(cls, objective: Objective | str) -> Objective:
        """The objective itself, or the one of a name; raises :class:`BadOption`."""
        if isinstance(objective, Objective):
            return objective
        try:
            return cls.parse(objective)
        except (BadText, AttributeError):
            raise BadOption(f"objective is {quoted(objective)}; it must be score, win or at-least:900") from None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``score``, ``win`` or ``at-least:900``, also with a blank or ``=`` for the colon; raises BadText."""
        match = _FORM.fullmatch(" ".join(text.split()))
        if match is None:
            raise BadText(f"objective {quoted(text)} is unknown; write score, win or at-least:900")
        if match[1]:
            return cls("win" if match[1].lower() == "win" else "score")
        if len(match[2]) > 15:
            raise BadText(f"objective {quoted(text)}: the threshold is too long; write at most 14 digits")
        return cls("at-least", int(match[2]))

    def __str__(self) -> str:
        return f"{self.kind}:{self.threshold}" if self.kind == "at-least" else self.kind

    def utility(self, won: bool, score: int) -> int:
        """What a finished game is worth; its mean is what a solver maximises. A lost game scores 0, whatever ``score``."""
        score = score if won else 0
        if self.kind == "score":
            return score
        return int(won) if self.kind == "win" else int(score >= self.threshold)
