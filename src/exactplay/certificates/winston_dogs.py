"""Winston (the dog cards): the value of a position of two players with every card known, proven move by move."""
from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self

from exactplay.certificates.format import BadCertificate, Certificate
from exactplay.certificates.proof import Question
from exactplay.rules.winston_dogs import State


@dataclasses.dataclass(frozen=True, slots=True)
class WinstonDogsQuestion(Question[State]):
    """The final score of seat 0 less that of seat 1, points already held included."""

    game: ClassVar[str] = "winston_dogs"

    def __post_init__(self) -> None:
        if len(self.root.hands) != 2:
            raise BadCertificate(f"a position of {len(self.root.hands)} players; certificates are for two")

    def worth(self, state: State) -> int:
        """The difference of the scores."""
        own, other = state.scores()
        return own - other

    def about(self) -> dict[str, Any]:
        """The position."""
        return {"position": str(self.root)}

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        """The question of a certificate."""
        return cls(State.parse(certificate.field("position", str)))

    def __str__(self) -> str:
        return f"winston_dogs {self.root}, score of seat 0 less that of seat 1"
