"""What the APIs of the card games share: how a position is written, what a search or advice may cost."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, Field, StringConstraints

from exactplay import render
from exactplay.render.cards import Piece as Drawn
from exactplay.rules.contract import OVER, BadText, Move
from exactplay.rules.contract import State as AnyState
from exactplay.web.models import Asked, Data, Drawing, Seed
from exactplay.web.settings import Settings

Written = Annotated[
    Annotated[str, StringConstraints(max_length=20_000)] | dict[str, Any],
    Field(description="A position in either written form of the command line: one line of text, or a JSON object."),
]


class Limits(Asked):
    """What an answer may cost; the server may allow less."""

    seconds: float = Field(10.0, gt=0, le=86400, description="CPU seconds.")

    def allowed(self, request: Request) -> float:
        """The seconds that the server allows."""
        settings: Settings = request.app.state.settings
        return min(self.seconds, settings.seconds)


class Search(Limits):
    """What a search may cost and how much it proves."""

    memory: int = Field(256, ge=1, le=2**20, description="Megabytes of the table.")
    every_move: bool = Field(True, description="Whether moves that are not best get their exact values as well.")

    def table(self, request: Request) -> int:
        """The megabytes that the server allows."""
        settings: Settings = request.app.state.settings
        return max(1, min(self.memory, settings.megabytes // 2))


class Sample(Limits):
    """How many worlds are looked at where there are too many to visit all."""

    samples: int = Field(400, ge=2, le=100_000)
    seed: Seed = 0


Across = Annotated[int, Field(ge=240, le=2000, description="Width of the drawing; things wrap.")]
Eyes = Annotated[int, Field(ge=0, le=5)]


class Look(Asked):
    """How to draw a position."""

    highlight: list[Annotated[str, StringConstraints(max_length=3)]] = Field(
        [], max_length=40, description="Cards in the hand of the player to move."
    )
    interactive: bool = Field(False, description="Whether the cards of the player to move are buttons.")

    without: Eyes | None = Field(None, description="Whose hand is left out, because the page shows it by itself.")
    across: Across = 728

    def draw(self, position: Any) -> Drawing:
        """The drawing of a position or of what is seen of it."""
        return Drawing(render.draw(
            position, highlight=set(self.highlight), interactive=self.interactive, without=self.without, across=self.across
        ))


class Seated(Asked):
    """Whose eyes a game is looked at with."""

    seat: Eyes | None = Field(None, description="Hide what this seat does not see; left out, all lies open.")
    across: Across = 728

    def seen(self, state: Any, turn: int, hands: Sequence[Iterable[Any]], seat: int | None) -> Data:
        """The table as ``seat`` sees it, without its ``hand`` (or that of the one to move), which stands beside it."""
        own = turn if self.seat is None else self.seat
        if own >= len(hands):
            raise BadText(f"seat is {own}; there are seats 0 to {len(hands) - 1}")
        drawn = render.draw(state, seat=seat, without=own, across=self.across)
        return {"seat": own, "hand": [str(card) for card in hands[own]], "open": seat is None, "svg": drawn}


class Piece(BaseModel):
    """A card or dog to be laid out by a page."""

    name: str
    label: str
    svg: str
    copies: int


def pieces_of(pieces: Iterable[Drawn]) -> list[Piece]:
    """All pieces of a game."""
    return [Piece(name=one.name, label=one.label, svg=one.svg, copies=one.copies) for one in pieces]


def stands(state: AnyState[Any]) -> Data:
    """Where a game stands: the position's text, whose turn, the legal moves, and the scores when it is over."""
    over = state.to_move == OVER
    moves: tuple[Move, ...] = state.legal_moves()
    return {
        "position": str(state), "to_move": None if over else state.to_move, "over": over,
        "moves": [str(move) for move in moves], "scores": list(state.scores()) if over else None,
    }
