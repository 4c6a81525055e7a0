"""What the rulebook leaves open, as options."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Final, Literal

from exactplay.rules.contract import RulesBase

ORTHOGONAL: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: Final = ((1, 1), (-1, 1), (-1, -1), (1, -1))


@dataclasses.dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The options of Winkeladvokat."""

    game: ClassVar[str] = "winkeladvokat"
    explained: ClassVar[Mapping[str, str]] = {
        "end_check": "Whether the game ends as soon as any player is blocked, or only when the player about to move is.",
        "blocked_when": "Blocked is who has no detour left, or only who has all four neighbouring squares taken.",
        "empty_supply": "An empty supply blocks its player, or his Lawyer moves on without placing an Article.",
        "capture_directions": "The directions in which an Article may jump.",
        "captured_value": "What a captured Article is worth: one point, or the number on its square.",
        "start_corners": "Where the two Lawyers begin.",
    }

    end_check: Literal["immediate", "on_turn"] = "immediate"
    blocked_when: Literal["no_detour", "no_step"] = "no_detour"
    empty_supply: Literal["blocks", "moves_without_placing"] = "blocks"
    capture_directions: Literal["orthogonal", "diagonal", "both"] = "orthogonal"
    captured_value: Literal["one", "square"] = "one"
    start_corners: Literal["opposite", "adjacent"] = "opposite"

    def jump_directions(self) -> tuple[tuple[int, int], ...]:
        """The directions in which an Article may jump, as steps of file and rank."""
        return {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "both": ORTHOGONAL + DIAGONAL}[self.capture_directions]
