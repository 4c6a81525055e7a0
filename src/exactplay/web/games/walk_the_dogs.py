"""``/api/walk_the_dogs``."""
from __future__ import annotations

import random
from functools import partial
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from exactplay.questions import walk_the_dogs as questions
from exactplay.render import walk_the_dogs as drawing
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import Move, Rules, State, View
from exactplay.rules.walk_the_dogs import deal as deal_cards
from exactplay.rules.walk_the_dogs.state import Objective
from exactplay.web.games.hidden import Look, Piece, Sample, Search, Seated, Written, pieces_of, stands
from exactplay.web.jobs import Question
from exactplay.web.models import BUSY, DRAWN, Asked, Chosen, Data, Drawing, JobState, MoveText, Option, Seed, options_of
from exactplay.web.stream import ThePool, accepted
from exactplay.web.tasks import walk_the_dogs as tasks

router = APIRouter()


class Position(Asked):
    """A position; another's hand of two hidden cards is written #2, or 2 in JSON."""

    position: Written
    rules: Chosen = Field({})

    def read(self) -> State | View:
        """The position; raises ValueError."""
        return questions.read_position(self.position, Rules.from_mapping(self.rules))


class Draw(Position, Look):
    """What to draw."""


class Played(Position, Seated):
    """A position with every card known, and the moves and draws since."""

    played: list[MoveText] = Field([], max_length=1000)


class Deal(Asked):
    """A shuffled start."""

    players: int = Field(2, ge=2, le=4)
    seed: Seed = 0
    rules: Chosen = Field({})


class Solve(Position, Search):
    """What to find out about open hands."""

    objective: Objective = "points"


class Advise(Position, Sample):
    """What to play for, and how worlds are valued."""

    objective: Objective = "outcome"
    method: Literal["auto", "solve", "play-out"] = "auto"


class Arrange(Asked):
    """Dogs to add to a line."""

    line: str = Field("", max_length=63, description="The line of dogs, front first.")
    dogs: str = Field("", max_length=12, description="The dogs to add, in the order taken.")
    in_order: bool = False


class Choices(BaseModel):
    """What can be chosen."""

    options: list[Option]
    objectives: list[str]


@router.get("/rules")
def rules() -> Choices:
    """The rule options and the objectives."""
    return Choices(options=options_of(Rules), objectives=["outcome", "points"])


@router.post("/deal")
def deal(asked: Deal) -> Data:
    """The first position of a new game."""
    return questions.shown(deal_cards(random.Random(asked.seed), asked.players, Rules.from_mapping(asked.rules)))


@router.get("/pieces")
def pieces() -> list[Piece]:
    """Every kind of card, and every breed, as a drawing of its own."""
    return pieces_of(drawing.pieces())


@router.post("/parse")
def parse(asked: Position) -> Data:
    """``exactplay walk show --json``."""
    return questions.shown(asked.read())


@router.post("/moves")
def moves(asked: Position) -> Data:
    """``exactplay walk moves --json``, and each move in words."""
    return _moves(questions.some_world(asked.read()))


@router.post("/play")
def play(asked: Played) -> Data:
    """Where the game stands after the moves and draws; ``view`` is what the player to move sees of it."""
    state, movers = questions.opened(asked.read()), list[int]()
    for text in asked.played:
        movers.append(state.to_move)
        state = state.play(Move.parse(text))
    view = None if state.to_move in (OVER, CHANCE) else str(View.of(state))
    return {
        **stands(state), **_moves(state), "fields": questions.shown(state), "view": view, "movers": movers,
        **asked.seen(state, _acting(state), state.hands, None if state.to_move == OVER else asked.seat),
    }


@router.post("/arrange")
def arrange(asked: Arrange) -> Data:
    """``exactplay walk arrange --json``: the best way to add the dogs of one card."""
    return questions.arranged(asked.line, asked.dogs, not asked.in_order)


@router.post("/draw", response_class=Drawing, responses=DRAWN)
def draw(asked: Draw) -> Drawing:
    """Hands, table and piles; hidden cards as backs."""
    return asked.draw(asked.read())


@router.post("/solve", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def solve(asked: Solve, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay walk solve --json``."""
    state = questions.opened(await run_in_threadpool(asked.read))
    limits: Data = {
        "objective": asked.objective, "every_move": asked.every_move, "seconds": asked.allowed(request),
        "memory": asked.table(request),
    }
    question = Question("walk_the_dogs", "solve", _about(state) | limits, partial(tasks.solve, state=state, **limits))
    return accepted(pool, question)


@router.post("/advise", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def advise(asked: Advise, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay walk advise --json``."""
    view = questions.as_view(await run_in_threadpool(asked.read))
    limits: Data = {
        "objective": asked.objective, "method": questions.legal_method(asked.method), "seconds": asked.allowed(request),
        "samples": asked.samples, "seed": asked.seed,
    }
    question = Question("walk_the_dogs", "advise", _about(view) | limits, partial(tasks.advise, view=view, **limits))
    return accepted(pool, question)


def _moves(state: State) -> Data:
    words = {str(move): questions.describe(state, move) for move in state.legal_moves()}
    return {**questions.listed(state), "words": words}


def _acting(state: State) -> int:
    """The player to move, or for whom a card is drawn."""
    return state.to_move if state.to_move >= 0 else state.turn


def _about(position: State | View) -> Data:
    return {"position": str(position), "rules": position.rules.changed()}
