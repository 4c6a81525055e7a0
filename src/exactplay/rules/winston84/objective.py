"""What a player may want of a game."""
from __future__ import annotations

import dataclasses
import re
from typing import Literal, Self

from exactplay.rules.contract import BadText, quoted

_FORM = re.compile(r"(score|win)|at[- ]?least ?[: =]? ?([+-]?[0-9]+)", re.IGNORECASE | re.ASCII)


@dataclasses.dataclass(frozen=True, slots=True)
class Objective:
    """The expected score, the probability to win, or the probability of a score of at least ``threshold``."""

    kind: Literal["score", "win", "at-least"]
    threshold: int = 0

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
