"""What every game's API shares: the forms of questions about it, and of the answers around a result."""
from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from exactplay.rules.contract import RulesBase

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


#: What any question may be answered with instead of an answer.
REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "The question is wrong; the line says what would be right."},
    400: {"model": Problem, "description": "No JSON."},
    413: {"model": Problem, "description": "The question is too long."},
    415: {"model": Problem, "description": "The question is not sent as application/json."},
}

#: What besides a question that makes a job may be answered with.
BUSY: dict[int | str, dict[str, Any]] = {
    429: {"model": Problem, "description": "All workers are busy and enough questions wait."},
}


def options_of(rules: type[RulesBase]) -> list[Option]:
    """The options of a game."""
    return [
        Option(name=name, default=values[0], values=list(values), description=rules.explained.get(name, ""))
        for name, values in rules.options().items()
    ]
