"""What the page of Winkeladvokat has besides: own numbers, and the board with arrows and notes."""
from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field, StringConstraints, create_model

from exactplay import render
from exactplay.web.desk import Desk
from exactplay.web.models import DRAWN, Asked, Drawing, MoveText

_Square = Annotated[str, StringConstraints(pattern="^[a-h][1-8]$")]
_Rank = Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(max_length=8)]

#: fields of a position that only the API has
MORE = {
    "values": (
        list[_Rank] | None, Field(None, max_length=8, description="Own numbers: a list a rank, the top rank first.")
    ),
}


class Look(Asked):
    """What to show beside a position."""

    line: list[MoveText] = Field([], max_length=64, description="Moves from there on, drawn as numbered arrows.")
    way: list[_Square] = Field([], max_length=64, description="Squares of a move that is being chosen.")
    highlight: list[_Square] = Field([], max_length=64, description="Squares.")
    notes: dict[_Square, Annotated[str, StringConstraints(max_length=8)]] = Field(
        {}, max_length=64, description="Short texts on squares, such as values."
    )
    interactive: bool = Field(False, description="Whether squares are buttons.")


def add_routes(desk: Desk) -> None:
    """The routes of the board."""
    desk.add_play()
    desk.route("draw", create_model("winkeladvokat_draw", __base__=(desk.Position, Look)), partial(_draw, desk),
               "The board with its pieces, and an arrow for the last move played", response_class=Drawing, responses=DRAWN)


def _draw(desk: Desk, asked: Any) -> Drawing:
    parse, line = desk.face.move.parse, desk.line(asked)
    return Drawing(render.draw(
        line.last, last=line.moves[-1] if line.moves else None, line=[parse(text) for text in asked.line], way=asked.way,
        highlight=set(asked.highlight), notes=asked.notes, interactive=asked.interactive,
    ))
