"""What a player may do (rulebook, sections Playing and End Game)."""
from __future__ import annotations

import dataclasses
from typing import Final, Literal, Self, get_args

from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winner.pieces import Cards, parse_cards

Action = Literal["play", "fours", "pass", "offer", "take"]
_ACTIONS: Final[tuple[Action, ...]] = get_args(Action)


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """What a player does: ``play`` a combination, use ``fours`` on a bomb, ``pass``; in an exchange ``offer`` two cards or
    ``take`` one. Moves order by their text."""

    action: Action
    cards: Cards = ()

    def __str__(self) -> str:
        words = [] if self.action == "play" else [self.action]
        return " ".join([*words, *map(str, self.cards)])

    def __lt__(self, other: Move, /) -> bool:
        return str(self) < str(other)

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read ``3D 3C``, ``fours 4D 4C``, ``pass``, ``offer 3D KS`` or ``take 3D``; raises :class:`BadText`."""
        words = text.split()
        action: Action = "play"
        if words and words[0].lower() in _ACTIONS[1:]:
            action = next(known for known in _ACTIONS if known == words[0].lower())
            words = words[1:]
        if (action == "pass") != (not words):
            raise BadText(f"{quoted(text)} is no move; write cards such as '3D 3C', or 'fours 4D 4C', or 'pass'")
        return cls(action, parse_cards(" ".join(words)))


PASS: Final = Move("pass")


@dataclasses.dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange before a hand: the seats of the last hand's Winner and Loser, and the two cards once offered."""

    winner: int
    loser: int
    offered: Cards = ()
