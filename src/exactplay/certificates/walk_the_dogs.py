"""Walk the Dogs: the value of a position of two players with open hands and a known order of the pile, move by move."""
from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self

from exactplay.certificates.format import BadCertificate, Certificate
from exactplay.certificates.proof import Question
from exactplay.common.words import named
from exactplay.rules.contract import CHANCE
from exactplay.rules.walk_the_dogs import Objective, State

_MOST = {"outcome": 1, "points": 1000}


@dataclasses.dataclass(frozen=True, slots=True)
class WalkTheDogsQuestion(Question[State]):
    """What player 0 gets: his ``points`` less player 1's (five in a row: 1000), or the ``outcome`` 1, 0 or -1.

    ``asked`` is the position as it was given; a draw that is due in it has one outcome and is played in ``root``.
    """

    game: ClassVar[str] = "walk_the_dogs"

    objective: Objective = "points"
    asked: State = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        if self.root.players != 2:
            raise BadCertificate(f"a position of {self.root.players} players; certificates are for two")
        if self.root.shuffled:
            raise BadCertificate("the order of the pile is not known; certificates are for a known one")
        object.__setattr__(self, "asked", self.root)
        object.__setattr__(self, "root", _drawn(self.root))

    def worth(self, state: State) -> int:
        """What the end is worth to player 0."""
        return state.utilities(self.objective)[0]

    def after(self, state: State, move: Any) -> State:
        """The position after a move and the draws that are due, whose cards are known."""
        return _drawn(state.play(move))

    def bounds(self, state: State) -> tuple[float, float]:
        """Five in a row is the most that anybody can get."""
        least, most = super(WalkTheDogsQuestion, self).bounds(state)
        return max(least, -_MOST[self.objective]), min(most, _MOST[self.objective])

    def about(self) -> dict[str, Any]:
        """Position (with its options) and objective."""
        return {"position": str(self.asked), "objective": self.objective}

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        """The question of a certificate."""
        objective = named(certificate.field("objective", str), Objective, "objective")
        return cls(State.parse(certificate.field("position", str)), objective)

    def __str__(self) -> str:
        what = {"points": "points of player 0 less player 1's", "outcome": "1 if player 0 wins, -1 if player 1 does"}
        return f"walk_the_dogs {self.asked}, no card drawn past the end of the pile, {what[self.objective]}"


def _drawn(state: State) -> State:
    while state.to_move == CHANCE:
        ((card, _),) = state.chance_outcomes()
        state = state.play(card)
    return state
