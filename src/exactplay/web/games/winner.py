"""``/api/winner``."""
from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from exactplay import render
from exactplay.questions import winner as questions
from exactplay.render import winner as drawing
from exactplay.rules.contract import OVER
from exactplay.rules.winner import Move, Rules, State, View, parse_cards
from exactplay.solvers.winner import OBJECTIVES, Objective
from exactplay.web.games.hidden import Across, Look, Piece, Sample, Search, Seated, Written, pieces_of, stands
from exactplay.web.jobs import Question
from exactplay.web.models import (
    BUSY,
    DRAWN,
    Asked,
    Chosen,
    Data,
    Drawing,
    JobState,
    MoveText,
    Option,
    Seed,
    listable,
    options_of,
)
from exactplay.web.stream import ThePool, accepted
from exactplay.web.tasks import winner as tasks

router = APIRouter()


class Position(Asked):
    """A position; hidden cards are written ?N."""

    position: Written
    rules: Chosen = Field({}, description="On top of the options that the position names.")

    def view(self) -> View:
        """What is seen; raises ValueError."""
        view = questions.read_view(self.position, self.rules)
        listable(view.known)
        return view

    def state(self) -> State:
        """With every hand open; raises ValueError."""
        return listable(questions.read_state(self.position, self.rules))


class Draw(Position, Look):
    """What to draw."""


class Played(Position, Seated):
    """A position with open hands, and the moves that have been played since."""

    played: list[MoveText] = Field([], max_length=500)


class Follow(Position):
    """A position with hidden hands, and the moves that were seen since."""

    played: list[MoveText] = Field([], max_length=500)
    across: Across = 728


class Deal(Asked):
    """A random deal."""

    players: int = Field(2, ge=2, le=4)
    cards: Annotated[int, Field(ge=1, le=54)] | None = Field(None, description="Deal each seat this many cards only.")
    seed: Seed = 0
    rules: Chosen = Field({})


class Solve(Position, Search):
    """What to find out about open hands."""

    objective: Objective = "win"


class Advise(Position, Sample):
    """What to play for."""

    objective: Objective = "win"


class Hand(Asked):
    """Cards in one hand."""

    hand: str = Field(max_length=400)


class Choices(BaseModel):
    """What can be chosen."""

    options: list[Option]
    objectives: list[str]


@router.get("/rules")
def rules() -> Choices:
    """The rule options and the objectives."""
    return Choices(options=options_of(Rules), objectives=list(OBJECTIVES))


@router.post("/deal")
def deal(asked: Deal) -> Data:
    """``exactplay winner deal --json``, with the text form beside it."""
    state = questions.deal(asked.players, asked.cards, asked.seed, Rules.from_mapping(asked.rules))
    return state.to_json() | {"text": str(state)}


@router.get("/pieces")
def pieces() -> list[Piece]:
    """Every kind of card, as a drawing of its own."""
    return pieces_of(drawing.pieces())


@router.post("/parse")
def parse(asked: Position) -> Data:
    """``exactplay winner show --json``."""
    return questions.shown(asked.view())


@router.post("/moves")
def moves(asked: Position) -> Data:
    """``exactplay winner moves --json``, under ``moves``, and each move in words."""
    state = asked.view().known
    return {"moves": [str(move) for move in state.legal_moves()], "words": _words(state)}


@router.post("/play")
def play(asked: Played) -> Data:
    """Where the game stands after the moves; ``view`` is what the seat to move sees of it."""
    state, movers = asked.state(), list[int]()
    for text in asked.played:
        movers.append(state.to_move)
        state = listable(state.play(Move.parse(text)))
    view = None if state.to_move == OVER else View.of(state)
    return {
        **stands(state), "fields": state.to_json(), "view": None if view is None else str(view), **_seen(asked, state),
        "movers": movers, "words": _words(state),
    }


@router.post("/follow")
def follow(asked: Follow) -> Data:
    """``play`` with hidden hands: what the seat to act in the position knows after its own moves and those it saw."""
    view, movers = asked.view(), list[int]()
    seat = view.known.to_move
    for text in asked.played:
        movers.append(view.known.to_move)
        view = questions.followed(view, Move.parse(text))
    state = view.known
    mine, over = state.to_move == seat, state.to_move == OVER
    if mine:
        view.check()
        listable(state)
    return {
        "position": str(view), "view": str(view) if mine else None,
        "to_move": None if over else state.to_move, "over": over,
        "moves": [str(move) for move in state.legal_moves()] if mine else ["pass"] if state.current and not over else [],
        "words": _words(state) if mine else {}, "movers": movers, "fields": view.to_json(), "seat": seat,
        "hand": [str(card) for card in state.hands[seat]], "unseen": [str(card) for card in view.unseen],
        "svg": render.draw(view, without=seat, across=asked.across),
    }


@router.post("/draw", response_class=Drawing, responses=DRAWN)
def draw(asked: Draw) -> Drawing:
    """Hands, table and piles; hidden cards as backs."""
    return asked.draw(asked.view())


@router.post("/solve", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def solve(asked: Solve, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winner solve --json``."""
    state = await run_in_threadpool(asked.state)
    limits: Data = {
        "objective": asked.objective, "every_move": asked.every_move, "seconds": asked.allowed(request),
        "memory": asked.table(request),
    }
    return accepted(pool, Question("winner", "solve", _about(state) | limits, partial(tasks.solve, state=state, **limits)))


@router.post("/advise", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def advise(asked: Advise, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winner advise --json``."""
    view = await run_in_threadpool(asked.view)
    limits: Data = {
        "objective": asked.objective, "seconds": asked.allowed(request), "samples": asked.samples, "seed": asked.seed,
    }
    return accepted(pool, Question("winner", "advise", _about(view) | limits, partial(tasks.advise, view=view, **limits)))


@router.post("/plays", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def plays(asked: Hand, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winner plays --json``: the fewest combinations that shed a hand."""
    hand = parse_cards(asked.hand)
    about = {"hand": " ".join(map(str, sorted(hand)))}
    return accepted(pool, Question("winner", "plays", about, partial(tasks.plays, hand=hand)))


def _words(state: State) -> dict[str, str]:
    """The kind of each combination that may be played."""
    return {str(move): questions.describe(move) for move in state.legal_moves()}


def _seen(asked: Played, state: State) -> Data:
    """Once two hold cards each knows the other's: they are what was neither played nor is his own."""
    known = sum(bool(hand) for hand in state.hands) <= 2
    return asked.seen(state, state.turn, state.hands, None if known else asked.seat)


def _about(position: State | View) -> Data:
    return {"position": position.to_json()}
