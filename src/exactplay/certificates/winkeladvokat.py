"""Winkeladvokat: the value of a two-player position, proven move by move."""
from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self

from exactplay.certificates.format import BadCertificate, Certificate
from exactplay.certificates.proof import Question
from exactplay.rules.winkeladvokat import COLOURS, Board, State


@dataclasses.dataclass(frozen=True, slots=True)
class WinkeladvokatQuestion(Question[State]):
    """The final score of the player to move less his opponent's, under best play of both."""

    game: ClassVar[str] = "winkeladvokat"

    def __post_init__(self) -> None:
        if self.root.players != 2:
            raise BadCertificate(f"a position of {self.root.players} players; certificates are for two")
        if self.root.earlier:
            raise BadCertificate("a position with earlier ones that count; a certificate has no room for them")

    @property
    def first(self) -> int:
        """The player to move."""
        return self.root.turn

    def worth(self, state: State) -> int:
        """The margin."""
        scores = state.scores()
        return scores[self.first] - scores[1 - self.first]

    def after(self, state: State, move: Any) -> State:
        """The position after a legal move."""
        return state.after(move)

    def about(self) -> dict[str, Any]:
        """Position, options and numbers."""
        return {"position": self.root.placement, "rules": self.root.rules.changed(), "board": list(self.root.board.values)}

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        """The question of a certificate."""
        rules = certificate.field("rules", dict)
        values = certificate.field("board", list)
        text = certificate.field("position", str)
        return cls(State.parse(text, rules, Board(text.split(" ")[0].count("/") + 1, tuple(values))))

    def __str__(self) -> str:
        return f"winkeladvokat {self.root}, {COLOURS[self.first]} to move, his margin"
