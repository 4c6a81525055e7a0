"""Winner: the value of a position of two players, whose hands are always known, proven move by move."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

from exactplay.certificates.format import BadCertificate, Certificate
from exactplay.certificates.proof import Fails, Question
from exactplay.common.errors import quoted
from exactplay.rules.winner import Move, State

_MOST_MOVES: Final = 100_000
_SMALL_HAND: Final = 20  # cards; so few have far fewer moves, which need not be counted


@dataclasses.dataclass(frozen=True, slots=True)
class WinnerQuestion(Question[State]):
    """What seat 0 gets: ``win`` 1 or -1, ``score`` his points less those of seat 1."""

    game: ClassVar[str] = "winner"

    objective: str = "win"

    def __post_init__(self) -> None:
        if self.root.players != 2:
            raise BadCertificate(f"a position of {self.root.players} seats; certificates are for two")
        if self.objective not in ("win", "score"):
            raise BadCertificate(f"objective {quoted(self.objective)}; certificates are for win and score")
        if self.objective == "score" and self.root.rules.end != "first_out":
            raise BadCertificate("objective score needs rule option end=first_out")

    def worth(self, state: State) -> int:
        """Who is out first, or the points."""
        if self.objective == "win":
            return 1 if state.out[0] == 0 else -1
        own, other = state.scores()
        return own - other

    def moves(self, state: State) -> Sequence[Move]:
        """From a huge hand the straights alone can be millions."""
        if len(state.hands[state.to_move]) > _SMALL_HAND and state.has_more_moves_than(_MOST_MOVES):
            raise Fails(f"there are more than {_MOST_MOVES:,} legal moves, which this exactplay does not follow")
        return super(WinnerQuestion, self).moves(state)

    def bounds(self, state: State) -> tuple[float, float]:
        """Nobody can do more than win."""
        least, most = super(WinnerQuestion, self).bounds(state)
        return (max(least, -1), min(most, 1)) if self.objective == "win" else (least, most)

    def about(self) -> dict[str, Any]:
        """Position (with its options) and objective."""
        return {"position": str(self.root), "objective": self.objective}

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        """The question of a certificate."""
        return cls(State.parse(certificate.field("position", str)), certificate.field("objective", str))

    def __str__(self) -> str:
        what = "1 if seat 0 wins, -1 if seat 1 wins" if self.objective == "win" else "points of seat 0 less those of seat 1"
        return f"winner {self.root}, {what}"
