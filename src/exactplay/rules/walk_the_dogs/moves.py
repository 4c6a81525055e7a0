"""Decisions of a player, and the cards that chance turns up."""
from __future__ import annotations

import dataclasses
from typing import Literal, Self

from exactplay.rules.contract import BadText, quoted
from exactplay.rules.walk_the_dogs import pieces

Kind = Literal["play", "leash", "lose", "draw", "pass", "turn up"]


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Move:
    """A decision, or the card that chance turns up.

    ========== =============== =======================================================================
    kind       text            meaning
    ========== =============== =======================================================================
    play       ``g2:PSSO``     play a green, red or yellow card; the player's own line afterwards
    leash      ``le.1f:SSO``   take the front (``f``) or back (``b``) dog of player 1; own line afterwards
    lose       ``lose:front``  of two equal end groups, lose this one to the dog catcher
    draw       ``draw``        advanced rules: draw a card
    pass       ``pass``        no playable card
    turn up    ``+g2``         the card drawn (an outcome of chance)
    ========== =============== =======================================================================
    """

    kind: Kind
    card: str = ""
    victim: int = -1
    end: str = ""
    line: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "play":
                return f"{self.card}:{self.line}"
            case "leash":
                return f"le.{self.victim}{self.end[0]}:{self.line}"
            case "lose":
                return f"lose:{self.end}"
            case "turn up":
                return f"+{self.card}"
        return self.kind

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read the text form; raises :class:`BadText`."""
        ends = {"f": "front", "b": "back"}
        head, colon, tail = text.partition(":")
        if text == "draw":
            return cls("draw")
        if text == "pass":
            return cls("pass")
        if text[:1] == "+" and text[1:] in pieces.DECK:
            return cls("turn up", card=text[1:])
        if head == "lose" and tail in ends.values():
            return cls("lose", end=tail)
        if colon and tail:
            if head in pieces.HAND_CARDS and head != "le":
                return cls("play", card=head, line=pieces.read_dogs(tail, "the line of move"))
            if len(head) == 5 and head[:3] == "le." and head[3] in "0123" and head[4] in ends:
                line = pieces.read_dogs(tail, "the line of move")
                return cls("leash", card="le", victim=int(head[3]), end=ends[head[4]], line=line)
        raise BadText(f"move {quoted(text)} is none; moves are like g2:PSSO, le.1f:SSO, lose:front, draw, pass, +g2")
