"""The API of a game, made from its face: one form and one route for each ask."""
from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from exactplay.questions.answers import world_of
from exactplay.questions.asks import asks_of, opened, setting_of
from exactplay.questions.face import Ask, GameFace, options_given
from exactplay.rules.contract import BadText
from exactplay.web import tasks
from exactplay.web.jobs import Question
from exactplay.web.models import (
    BUSY,
    LONGEST,
    Asked,
    Choices,
    Chosen,
    Data,
    JobState,
    MoveText,
    form_of,
    rule_options,
)
from exactplay.web.settings import Settings
from exactplay.web.stream import ThePool, accepted

#: legal moves that are listed; there may be millions
MOST_MOVES = 10_000
#: of those beyond, so many are counted
MOST_COUNTED = 50_000
#: seconds that a long question takes where none are named
SECONDS = 60.0

#: asks whose routes have another name or say more
_ELSEWHERE = ("show", "moves", "rules")

Written = Annotated[
    Annotated[str, StringConstraints(max_length=LONGEST)] | Data,
    Field(description="A position in either written form of the command line: one line of text, or a JSON object."),
]


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A line of play: the positions that the moves lead through, the first and the last among them."""

    positions: list[Any]
    moves: list[Any]
    movers: list[int]

    @property
    def last(self) -> Any:
        """Where it ends."""
        return self.positions[-1]


class Desk:
    """The questions about one game. ``more``: fields of a position that only the API has."""

    def __init__(self, face: GameFace, more: Mapping[str, Any] | None = None) -> None:
        self.face, self.asks, self.more = face, asks_of(face), dict(more or {})
        self.router = APIRouter()
        first, *_ = face.setting
        written = (Written, Field(... if first.needed else first.default))
        self.Position = form_of(
            f"{face.name}_position", face.setting, Asked, {
                first.name: written, "rules": (Chosen, Field({})),
                "played": (list[MoveText], Field([], max_length=1000, description="Moves to play from there on.")),
                **self.more,
            },
        )
        self._add_routes()

    # ---------------------------------------------------------------- reading

    def line(self, asked: Any) -> Line:
        """The position of a question, and those after the moves that were played since; raises ValueError."""
        given = {name: getattr(asked, name) for name in type(asked).model_fields}
        setting, _ = setting_of(self.face, given)
        line = Line([self.face.read(setting | {name: given[name] for name in self.more}, asked.rules)], [], [])
        for text in asked.played:
            at, move = line.last, self.face.move.parse(text)
            line.movers.append(self.world(at).to_move)
            line.moves.append(move)
            line.positions.append(self._followed(at, move) if self.hidden(at) else at.play(move))
        return line

    def position(self, asked: Any) -> Any:
        """The position of a question after the moves; raises ValueError."""
        return self.line(asked).last

    def hidden(self, position: Any) -> bool:
        """Whether cards of a position are hidden."""
        return self.face.view is not None and isinstance(position, self.face.view)

    def world(self, position: Any) -> Any:
        """What is known of a position with hidden cards, as a state."""
        return position.known if hasattr(position, "known") else world_of(self.face, position)

    def _followed(self, view: Any, move: Any) -> Any:
        if not hasattr(view, "followed"):
            raise BadText("a position with hidden cards of this game cannot be played on; set up what is seen now")
        return view.followed(move)

    # ---------------------------------------------------------------- answers

    def moves(self, position: Any) -> Data:
        """The position as plain data, its legal moves with what each does in ``words``, or what chance may bring.

        Of very many moves the first are listed, and ``more`` is how many there are besides, up to :data:`MOST_COUNTED`.
        """
        data = dict(self.asks["moves"].answer(position, None, most=MOST_MOVES).data)
        state = self.world(position)
        data["words"] = {text: self.face.describe(state, self.face.move.parse(text)) for text in data["moves"]}
        if data.get("more"):
            beyond = itertools.islice(state.iter_legal_moves(), MOST_MOVES, MOST_MOVES + MOST_COUNTED)
            data["more"] = sum(1 for _ in beyond)
        return data

    # ---------------------------------------------------------------- routes

    def _add_routes(self) -> None:
        face, router = self.face, self.router
        router.add_api_route("/rules", self.choices, summary="The rule options and the objectives", response_model=Choices)
        self.route("parse", self.Position, lambda asked: self.asks["show"].answer(self.position(asked), None).data,
                   self.asks["show"].help)
        self.route("moves", self.Position, lambda asked: self.moves(self.position(asked)), self.asks["moves"].help)
        for ask in self.asks.values():
            if "web" not in ask.faces or ask.name in _ELSEWHERE:
                continue
            base = self.Position if ask.about else Asked
            form = form_of(
                f"{face.name}_{ask.name}", ask.options, base, {"rules": (Chosen, Field({}))} if ask.ruled else None
            )
            if ask.long:
                self.job(ask, form)
            else:
                self.route(ask.name, form, partial(self._at_once, ask), ask.help)

    def add_play(self) -> None:
        """Where the game stands after the moves, and the last of them; a page with a table has a route of its own."""
        self.route("play", self.Position, lambda asked: {
            **self.moves(self.position(asked)), "played": asked.played[-1] if asked.played else None,
        }, "Where the game stands after the moves, and the last of them")

    def choices(self) -> Choices:
        """What can be chosen before a game."""
        return Choices(options=rule_options(self.face.rules), objectives=list(self.face.objectives))

    def route(self, name: str, form: type[Any], answer: Callable[[Any], Any], summary: str, **more: Any) -> None:
        """A question that is answered at once, in a thread; ``more`` is told to FastAPI."""

        def endpoint(asked: Any) -> Any:
            return answer(asked)

        endpoint.__annotations__["asked"] = form
        if "response_class" not in more:
            more["response_model"] = Data
        self.router.add_api_route(f"/{name}", endpoint, methods=["POST"], name=name, summary=summary, **more)

    def job(self, ask: Ask, form: type[Any]) -> None:
        """A question that is answered by a job; its result is what the command prints with ``--json``."""

        async def endpoint(asked: Any, request: Request, pool: ThePool) -> JSONResponse:
            # To read a crowded position takes a while, in which the server has to go on.
            position, options = await run_in_threadpool(self._read, ask, asked, request.app.state.settings)
            about = options if position is None else {"position": str(position), **options}
            task = partial(tasks.answer, game=self.face.name, ask=ask.name, position=position, options=options)
            return accepted(pool, Question(self.face.name, ask.name, about, task))

        endpoint.__annotations__.update(asked=form, request=Request, pool=ThePool)
        self.router.add_api_route(
            f"/{ask.name}", endpoint, methods=["POST"], name=ask.name, summary=ask.help, status_code=202,
            response_model=JobState, responses=BUSY,
        )

    def _read(self, ask: Ask, asked: Any, settings: Settings) -> tuple[Any, Data]:
        """The position of an ask (None: it is about none) and its options, no larger than the server allows."""
        position = self.position(asked) if ask.about else None
        if ask.name == "solve":
            opened(self.face, position)
        options = self._options(ask, asked)
        allowed = {"seconds": settings.seconds, "memory": settings.megabytes / 2, "threads": os.cpu_count() or 1}
        for name, most in allowed.items():
            if name in options:
                wanted = SECONDS if options[name] is None else options[name]
                options[name] = min(wanted, most)
        return position, options

    def _options(self, ask: Ask, asked: Any) -> Data:
        given = {option.name: getattr(asked, option.name, None) for option in ask.options}
        return options_given(ask.options, {name: value for name, value in given.items() if value is not None})

    def _at_once(self, ask: Ask, asked: Any) -> Data:
        options = self._options(ask, asked)
        if ask.ruled:
            options["rules"] = self.face.rules.from_mapping(asked.rules)
        about = (self.position(asked),) if ask.about else ()
        data: Data = ask.answer(*about, None, **options).data
        return data
