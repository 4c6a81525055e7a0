"""What the pages of the three card games have besides: the table as a seat sees it, and drawings of cards."""
from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, create_model

from exactplay import render
from exactplay.rules.contract import OVER, BadText
from exactplay.web.desk import Desk, Line
from exactplay.web.models import DRAWN, Across, Asked, Data, Drawing

GAMES = ("winner", "winston_dogs", "walk_the_dogs")

Eyes = Annotated[int, Field(ge=0, le=5)]


class Look(Asked):
    """How to draw a position."""

    highlight: list[Annotated[str, StringConstraints(max_length=3)]] = Field(
        [], max_length=40, description="Cards in the hand of the player to move."
    )
    interactive: bool = Field(False, description="Whether the cards of the player to move are buttons.")
    without: Eyes | None = Field(None, description="Whose hand is left out, because the page shows it by itself.")
    across: Across = 728


class Seated(Asked):
    """Whose eyes a game is looked at with."""

    seat: Eyes | None = Field(None, description="Hide what this seat does not see; left out, all lies open.")
    across: Across = 728


class Piece(BaseModel):
    """A card or dog to be laid out by a page."""

    name: str
    label: str
    svg: str
    copies: int


def add_routes(desk: Desk) -> None:
    """The routes of a card game."""
    name, position = desk.face.name, desk.Position
    pieces = import_module(f"exactplay.render.{name}").pieces

    def all_pieces() -> list[Piece]:
        """Every kind of card, as a drawing of its own."""
        return [Piece(name=one.name, label=one.label, svg=one.svg, copies=one.copies) for one in pieces()]

    desk.router.add_api_route("/pieces", all_pieces, summary="Every kind of card", response_model=list[Piece])
    desk.route("play", create_model(f"{name}_play", __base__=(position, Seated)), partial(_play, desk),
               "Where the game stands after the moves, as a seat sees it")
    desk.route("draw", create_model(f"{name}_draw", __base__=(position, Look)), partial(_draw, desk),
               "Hands, table and piles; hidden cards as backs", response_class=Drawing, responses=DRAWN)


def _draw(desk: Desk, asked: Any) -> Drawing:
    return Drawing(render.draw(
        desk.position(asked), highlight=set(asked.highlight), interactive=asked.interactive, without=asked.without,
        across=asked.across,
    ))


def _play(desk: Desk, asked: Any) -> Data:
    """Where the game stands; ``view`` is what the seat on turn sees, ``hand`` that of the seat whose eyes look on."""
    line = desk.line(asked)
    state = desk.world(line.last)
    over = state.to_move == OVER
    listed = _listed(desk, line)
    return {
        "position": str(line.last), "fields": desk.asks["show"].answer(line.last, None).data,
        "to_move": None if over else state.to_move, "over": over, "movers": line.movers, **listed,
        **(_hidden if desk.hidden(line.last) else _open)(desk, line, asked),
    }


def _listed(desk: Desk, line: Line) -> Data:
    state = desk.world(line.last)
    if desk.hidden(line.last) and state.to_move != desk.world(line.positions[0]).to_move:
        # What another seat may play nobody knows, but that it may pass.
        return {"moves": ["pass"] if state.current and state.to_move != OVER else [], "words": {}, "chance": {}}
    data = desk.moves(line.last)
    return {name: data[name] for name in ("moves", "words", "chance", "more") if name in data}


def _hidden(desk: Desk, line: Line, asked: Any) -> Data:
    """From the eyes of the seat to act in the position: what it knows after its own moves and those it saw."""
    view, state = line.last, desk.world(line.last)
    seat = desk.world(line.positions[0]).to_move
    mine = state.to_move == seat
    if mine and line.moves:
        view.check()
    hands = state.hands if hasattr(view, "known") else desk.world(view).hands
    return {
        "hidden": True, "open": False, "scores": None, "view": str(view) if mine else None, "seat": seat,
        "hand": [str(card) for card in hands[seat]],
        # What another seat plays at a real table comes from these.
        "unseen": [str(card) for card in view.unseen] if hasattr(view, "followed") else [],
        "svg": render.draw(view, without=seat, across=asked.across),
    }


def _open(desk: Desk, line: Line, asked: Any) -> Data:
    state = line.last
    over = state.to_move == OVER
    play = desk.face.play
    assert play is not None
    own = asked.seat
    if own is None:
        own = state.to_move if state.to_move >= 0 else state.turn
    elif own >= len(state.hands):
        raise BadText(f"seat is {own}; there are seats 0 to {len(state.hands) - 1}")
    # Who looks on may know every card: the game is over, or only two still hold some.
    seen = state if asked.seat is None else play.seen(line.positions, line.moves, own)
    covered = not over and desk.hidden(seen)
    return {
        "hidden": False, "open": not covered, "scores": list(state.scores()) if over else None,
        "view": str(play.seen(line.positions, line.moves, state.to_move)) if state.to_move >= 0 else None, "seat": own,
        "hand": [str(card) for card in state.hands[own]],
        "svg": render.draw(state, seat=own if covered else None, without=own, across=asked.across),
    }
