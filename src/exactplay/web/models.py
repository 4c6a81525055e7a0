"""What every game's API shares: the forms of questions about it, and of the answers around a result."""
from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol, TypeVar

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from exactplay.rules.contract import IllegalPosition, RulesBase

Chosen = Annotated[
    dict[Annotated[str, StringConstraints(max_length=60)], bool | int | Annotated[str, StringConstraints(max_length=60)]],
    Field(description="Rule options that differ from the default, by name.", max_length=40),
]
MoveText = Annotated[str, StringConstraints(max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**31, description="The same seed gives the same sample.")]

# The shape of a result differs by question; docs/web.md and each game's page of docs/ describe them.
Data = dict[str, Any]


class Asked(BaseModel):
    """A question; a field that it does not have is refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Problem(BaseModel):
    """Why there is no answer, in one line."""

    error: str


class Option(BaseModel):
    """A rule option: where the rules can be read in two ways."""

    name: str
    default: bool | int | str
    values: list[bool | int | str]
    description: str


class JobState(BaseModel):
    """A long question on its way to an answer."""

    id: str
    game: str
    ask: str
    about: Data
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    seconds: float = Field(description="Seconds on the clock since it began.")
    progress: dict[str, float] | None = Field(description="Named numbers that grow.")
    partial: Data | None = Field(description="What the answer would be if the work ended now.")
    result: Data | None
    error: str | None


#: What besides a question that makes a job may be answered with.
BUSY: dict[int | str, dict[str, Any]] = {
    429: {"model": Problem, "description": "All workers are busy and enough questions wait."},
}

#: More legal moves are not listed: a page could not show them, and a crowded position may have millions.
MOST_MOVES = 20_000


class Crowded(Protocol):
    """A state that counts its moves without listing them."""

    def has_more_moves_than(self, number: int) -> bool:
        """Whether the player to move has more."""


CrowdedT = TypeVar("CrowdedT", bound=Crowded)


def listable(state: CrowdedT) -> CrowdedT:
    """The state itself; raises :class:`IllegalPosition` where its moves are too many to be listed."""
    if state.has_more_moves_than(MOST_MOVES):
        raise IllegalPosition(f"this position has more than {MOST_MOVES:,} moves; only the command line takes it")
    return state


#: What any question may be answered with instead of an answer.
REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "The question is wrong; the line says what would be right."},
    400: {"model": Problem, "description": "No JSON."},
    413: {"model": Problem, "description": "The question is too long."},
    415: {"model": Problem, "description": "The question is not sent as application/json."},
}


class Drawing(Response):
    """An answer that is an SVG."""

    media_type = "image/svg+xml"


#: What the OpenAPI document says of it; the refusals once more, as FastAPI would take them for drawings as well.
DRAWN: dict[int | str, dict[str, Any]] = {
    status: {
        "description": refusal["description"],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, refusal in REFUSALS.items()
} | {200: {"content": {"image/svg+xml": {}}, "description": "A drawing."}}


def options_of(rules: type[RulesBase]) -> list[Option]:
    """The options of a game."""
    return [
        Option(name=name, default=values[0], values=list(values), description=rules.explained.get(name, ""))
        for name, values in rules.options().items()
    ]
