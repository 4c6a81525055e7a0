"""``/api/winkeladvokat``."""
from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from exactplay import render
from exactplay.questions import winkeladvokat as questions
from exactplay.rules.winkeladvokat import Board, Move, State, Rules
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
from exactplay.web.tasks import winkeladvokat as tasks

router = APIRouter()

_Square = Annotated[str, StringConstraints(pattern="^[a-h][1-8]$")]
_Rank = Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(max_length=8)]


class Position(Asked):
    """A position, and the moves that have been played since."""

    position: str = Field("start", max_length=200, description="Board, to move, supply, captured; or 'start'.")
    played: list[MoveText] = Field([], max_length=500, description="Moves to play from there on.")
    rules: Chosen = Field({})
    values: list[_Rank] | None = Field(None, max_length=8, description="Own numbers: a list a rank, the top rank first.")
    size: int = Field(8, ge=3, le=8, description="Squares along an edge of 'start'.")
    players: int = Field(2, ge=2, le=4, description="Players of 'start'.")

    def state(self) -> State:
        """The position after the moves; raises ValueError."""
        rules = Rules.from_mapping(self.rules)
        board = None if self.values is None else Board.from_ranks(self.values)
        state = listable(questions.read_state(self.position, rules, board, self.size, self.players))
        for text in self.played:
            state = listable(state.play(Move.parse(text)))
        return state


class Draw(Position):
    """What to show beside a position."""

    line: list[MoveText] = Field([], max_length=64, description="Moves from there on, drawn as numbered arrows.")
    way: list[_Square] = Field([], max_length=64, description="Squares of a move that is being chosen.")
    highlight: list[_Square] = Field([], max_length=64, description="Squares.")
    notes: dict[_Square, Annotated[str, StringConstraints(max_length=8)]] = Field(
        {}, max_length=64, description="Short texts on squares, such as values."
    )
    interactive: bool = Field(False, description="Whether squares are buttons.")


class Solve(Position):
    """What to prove about a position, and at what cost."""

    moves: Literal["value", "best", "all"] = Field("best", description="The value, every best move, or all values.")
    nodes: int | None = Field(None, ge=1, le=2**53)
    seconds: float = Field(60.0, gt=0, le=86400, description="CPU seconds; the server may allow less.")
    memory: float = Field(256.0, ge=0.01, le=2**20, description="Megabytes of the table; the server may allow less.")


class Analyse(Position):
    """How long to think about a position."""

    seconds: float = Field(10.0, ge=0.1, le=86400, description="CPU seconds; the server may allow less.")
    memory: float = Field(256.0, ge=0.01, le=2**20, description="Megabytes of the table; the server may allow less.")
    seed: Seed = 1


@router.get("/rules")
def rules() -> list[Option]:
    """The rule options."""
    return options_of(Rules)


@router.post("/parse")
def parse(asked: Position) -> Data:
    """The position as plain data: ``exactplay winkeladvokat show --json``."""
    return questions.describe(asked.state())


@router.post("/moves")
def moves(asked: Position) -> Data:
    """The position and its legal moves: ``exactplay winkeladvokat moves --json``."""
    return questions.listed(asked.state())


@router.post("/play")
def play(asked: Position) -> Data:
    """Where the game stands after the moves, with the last of them and the legal ones."""
    return {**questions.listed(asked.state()), "played": asked.played[-1] if asked.played else None}


@router.post("/draw", response_class=Drawing, responses=DRAWN)
def draw(asked: Draw) -> Drawing:
    """The board with its pieces, and an arrow for the last move played."""
    return Drawing(render.draw(
        asked.state(), last=Move.parse(asked.played[-1]) if asked.played else None,
        line=[Move.parse(text) for text in asked.line], way=asked.way, highlight=set(asked.highlight), notes=asked.notes,
        interactive=asked.interactive,
    ))


@router.post("/solve", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def solve(asked: Solve, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winkeladvokat solve --json``."""
    state, settings = await run_in_threadpool(asked.state), request.app.state.settings
    seconds, memory = min(asked.seconds, settings.seconds), min(asked.memory, settings.megabytes / 2)
    limits: Data = {"moves": asked.moves, "nodes": asked.nodes, "seconds": seconds, "memory": memory}
    task = partial(tasks.solve, state=state, **limits)
    return accepted(pool, Question("winkeladvokat", "solve", _about(state) | limits, task))


@router.post("/analyse", status_code=202, response_model=JobState, responses=BUSY | {200: {"model": JobState}})
async def analyse(asked: Analyse, request: Request, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winkeladvokat analyse --json``."""
    state, settings = await run_in_threadpool(asked.state), request.app.state.settings
    seconds, memory = min(asked.seconds, settings.seconds), min(asked.memory, settings.megabytes / 2)
    limits: Data = {"seconds": seconds, "memory": memory, "seed": asked.seed}
    task = partial(tasks.analyse, state=state, **limits)
    return accepted(pool, Question("winkeladvokat", "analyse", _about(state) | limits, task))


def _about(state: State) -> Data:
    """What makes two questions about positions the same."""
    return {
        "position": str(state), "rules": state.rules.changed(), "values": list(state.board.values),
        "earlier": list(state.earlier),
    }
