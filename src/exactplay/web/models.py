"""The forms of questions and of the answers around a result; those of an ask are made from its options."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from exactplay.questions.face import Option
from exactplay.rules.contract import RulesBase

#: characters of a position, or of any other text of a question
LONGEST = 20_000

Name = Annotated[str, StringConstraints(max_length=60)]
Chosen = Annotated[
    dict[Name, bool | int | Name],
    Field(description="Rule options, by name; they override those of the position.", max_length=40),
]
MoveText = Annotated[str, StringConstraints(max_length=400)]
Across = Annotated[int, Field(ge=240, le=2000, description="Width of the drawing; things wrap.")]

# The shape of a result differs by question; docs/web.md and each game's page of docs/ describe them.
Data = dict[str, Any]


class Asked(BaseModel):
    """A question; a field that it does not have is refused, and so is ``true`` for 1."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Problem(BaseModel):
    """Why there is no answer, in one line."""

    error: str


class RuleOption(BaseModel):
    """A rule option: where the rules can be read in two ways."""

    name: str
    default: bool | int | str
    values: list[bool | int | str]
    description: str


class Choices(BaseModel):
    """What can be chosen before a game."""

    options: list[RuleOption]
    objectives: list[str]


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
    200: {"model": JobState, "description": "The answer is known already."},
    429: {"model": Problem, "description": "All workers are busy and enough questions wait."},
}

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


def rule_options(rules: type[RulesBase]) -> list[RuleOption]:
    """The rule options of a game."""
    return [
        RuleOption(name=name, default=values[0], values=list(values), description=rules.explained.get(name, ""))
        for name, values in rules.options().items()
    ]


def form_of(
    name: str, options: tuple[Option, ...], base: type[BaseModel] = Asked, more: Mapping[str, Any] | None = None
) -> type[Any]:
    """The form of a question with these options, on top of those of ``base``. The API takes no name of a file."""
    fields: dict[str, Any] = {option.name: _field(option) for option in options if option.kind != "file"}
    return create_model(name, __base__=base, **(fields | dict(more or {})))


_KINDS: dict[str, Any] = {
    "whole": int, "real": float, "flag": bool, "text": Annotated[str, StringConstraints(max_length=LONGEST)],
    "texts": list[MoveText],
}


def _field(option: Option) -> tuple[Any, Any]:
    kind: Any = _KINDS[option.kind] if option.choices is None else Literal[option.choices]
    if option.default is None and not option.needed:
        kind = kind | None
    default: Any = ... if option.needed else option.default
    if option.kind in ("whole", "real"):
        return kind, Field(default, description=option.help, ge=option.low, le=option.high)
    return kind, Field(default, description=option.help)
