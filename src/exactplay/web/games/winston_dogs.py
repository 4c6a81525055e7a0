"""``/api/winston_dogs``."""
from __future__ import annotations

import random
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import Field

from exactplay.questions import winston_dogs as questions
from exactplay.render import winston_dogs as drawing
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import Move, State, View, Witness
from exactplay.web.games.hidden import Look, Piece, Sample, Search, Seated, Written, pieces_of, stands
from exactplay.web.jobs import Question
from exactplay.web.models import BUSY, DRAWN, Asked, Data, Drawing, JobState, MoveText, Option, Seed
from exactplay.web.stream import ThePool, accepted
from exactplay.web.tasks import winston_dogs as tasks

router = APIRouter()


class Position(Asked):
    """A position; hidden cards are written ?."""

    position: Written

    def read(self) -> State | View:
        """The position; raises ValueError."""
        return questions.read_position(self.position)


class Draw(Position, Look):
    """What to draw."""


class Played(Position, Seated):
    """A position with every card known, and the moves that have been played since."""

    played: list[MoveText] = Field([], max_length=500)


class Deal(Asked):
    """A shuffled start."""

    players: int = Field(2, ge=2, le=6)
    seed: Seed = 0


class Solve(Position, Search):
    """What to find out about a position with every card known."""


class Advise(Position, Sample):
    """How to look at the hidden cards."""

    turns: Annotated[int, Field(ge=1, le=60)] | None = Field(
        None, description="Search each world so many turns deep, not to its end."
    )


@router.get("/rules")
def rules() -> list[Option]:
    """This game has no options."""
    return []


@router.post("/deal")
def deal(asked: Deal) -> Data:
    """The first position of a new game."""
    return questions.shown(State.deal(asked.players, random.Random(asked.seed)))


@router.get("/pieces")
def pieces() -> list[Piece]:
    """Every kind of card, as a drawing of its own."""
    return pieces_of(drawing.pieces())


@router.post("/parse")
def parse(asked: Position) -> Data:
    """``exactplay dogs show --json``."""
    return questions.shown(asked.read())


@router.post("/moves")
def moves(asked: Position) -> Data:
    """``exactplay dogs moves --json``, and each move in words."""
    return _moves(questions.some_world(asked.read()))


@router.post("/play")
def play(asked: Played) -> Data:
    """Where the game stands after the moves; ``view`` is what the seat on turn sees and remembers of it."""
    state = questions.opened(asked.read())
    witness, movers = Witness.start(len(state.hands)), list[int]()
    for text in asked.played:
        movers.append(state.to_move)
        move = Move.parse(text)
        state, witness = state.play(move), witness.after(state, move)
    view = None if state.to_move == OVER else str(witness.view(state))
    return {
        **stands(state), **_moves(state), "fields": state.to_json(), "view": view, "movers": movers,
        **asked.seen(state, state.turn, state.hands, None if state.to_move == OVER else asked.seat),
    }


@router.post("/draw", response_class=Drawing, responses=DRAWN)
def draw(asked: Draw) -> Drawing:
    """Hands, table and piles; hidden cards as backs."""
    return asked.draw(asked.read())


@router.post("/solve", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def solve(asked: Solve, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay dogs solve --json``."""
    state = questions.opened(await run_in_threadpool(asked.read))
    limits: Data = {
        "every_move": asked.every_move, "seconds": asked.allowed(request), "memory": asked.table(request),
    }
    about = {"position": str(state), **limits}
    return accepted(pool, Question("winston_dogs", "solve", about, partial(tasks.solve, state=state, **limits)))


@router.post("/advise", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def advise(asked: Advise, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay dogs advise --json``."""
    view = questions.as_view(await run_in_threadpool(asked.read))
    limits: Data = {
        "turns": asked.turns, "seconds": asked.allowed(request), "samples": asked.samples, "seed": asked.seed,
    }
    about = {"position": str(view), **limits}
    return accepted(pool, Question("winston_dogs", "advise", about, partial(tasks.advise, view=view, **limits)))


def _moves(state: State) -> Data:
    legal = state.legal_moves()
    return {
        "moves": [str(move) for move in legal], "words": {str(move): questions.describe(state, move) for move in legal},
    }
