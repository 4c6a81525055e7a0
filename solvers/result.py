"""What an answer is: its kind, its value, and everything it rests on.

Nothing selective or sampled is ever an :class:`Exact`. The kinds are kept apart in the type, in JSON (``kind``) and on
the screen (``str``); each says in a sentence what it means (``meaning``).
"""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from exactplay.rules.contract import Move, Shown

Number = int | float
Value = Number | tuple[Number, ...]  # a vector, one entry a player, in games of more than two


@dataclasses.dataclass(frozen=True, slots=True)
class Exact:
    """The value under best play, proven."""

    kind: ClassVar[str] = "exact"
    meaning: ClassVar[str] = "Proven: the value under best play."
    value: Value

    def __str__(self) -> str:
        return f"{_show(self.value)} (exact)"


@dataclasses.dataclass(frozen=True, slots=True)
class Bounds:
    """Proven: the value lies between low and high, both included, entry by entry of a vector. ``None``: no proven bound."""

    kind: ClassVar[str] = "bounds"
    meaning: ClassVar[str] = "Proven: the value lies within these bounds; where in them is not known."
    low: Value | None
    high: Value | None

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "unknown (no bound proven)"
        return f"between {_show(self.low, '-inf')} and {_show(self.high, '+inf')} (proven bounds)"


@dataclasses.dataclass(frozen=True, slots=True)
class ExactExpectation:
    """The exact mean over every possible world of the hidden cards, with no hidden choice left in any of them."""

    kind: ClassVar[str] = "exact expectation"
    meaning: ClassVar[str] = "Proven: the mean over every world that the hidden cards allow, with no hidden choice left."
    value: Value
    worlds: int

    def __str__(self) -> str:
        return f"{_show(self.value)} (exact expectation over {self.worlds} worlds)"


@dataclasses.dataclass(frozen=True, slots=True)
class EnumeratedAverage:
    """The mean over every possible world, each solved with its hidden cards seen: optimistic, without sampling error."""

    kind: ClassVar[str] = "enumerated average"
    meaning: ClassVar[str] = (
        "The mean over every world, each solved with its hidden cards seen: optimistic, but without sampling error."
    )
    value: Value
    worlds: int

    def __str__(self) -> str:
        return f"{_show(self.value, digits=4)} (enumerated average of {self.worlds} worlds)"


@dataclasses.dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled mean with its standard error."""

    kind: ClassVar[str] = "estimate"
    meaning: ClassVar[str] = "A sampled mean: the true one lies within two standard errors of it in about 19 samples of 20."
    mean: Number
    standard_error: float
    samples: int

    def __str__(self) -> str:
        mean = _show(self.mean, digits=4)
        return f"{mean}, standard error {self.standard_error:.2g} (estimate from {self.samples} samples)"


Verdict = Exact | Bounds | ExactExpectation | EnumeratedAverage | Estimate


@dataclasses.dataclass(frozen=True, slots=True)
class Effort:
    """What the answer cost: ``nodes`` (or states) visited, CPU ``seconds``, ``table_fill`` from 0 to 1 (None: no table)."""

    nodes: int = 0
    seconds: float = 0.0
    table_fill: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A piece of data that an answer rests on. ``provenance`` is ``reconstruction``, ``measured`` or ``computed``."""

    name: str
    provenance: str
    digest: str


MoveT = TypeVar("MoveT", bound=Move)


@dataclasses.dataclass(frozen=True, slots=True)
class Result(Shown, Generic[MoveT]):
    """An answer about one position.

    ``moves`` holds the verdict of every legal move, ``best`` all those that tie for best (of a :class:`Bounds`: the best
    guess), ``pv`` the principal variation, ``rules`` what differs from the default rules, ``notes`` whole sentences that
    a reader must see.
    """

    verdict: Verdict
    moves: Mapping[MoveT, Verdict] = dataclasses.field(default_factory=dict)
    best: tuple[MoveT, ...] = ()
    pv: tuple[MoveT, ...] = ()
    effort: Effort = Effort()
    rules: str = "default rules"
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the value is proven."""
        return isinstance(self.verdict, Exact)

    def to_json(self) -> dict[str, Any]:
        """The same answer as plain data: ``kind``, the verdict's fields, ``best``, ``moves``, ``pv``, effort, origins."""
        return {
            "kind": self.verdict.kind,
            **verdict_fields(self.verdict),
            "best": [str(move) for move in self.best],
            "moves": {str(move): brief(verdict) for move, verdict in self.moves.items()},
            "pv": [str(move) for move in self.pv],
            **dataclasses.asdict(self.effort),
            "rules": self.rules,
            "sources": [dataclasses.asdict(source) for source in self.sources],
            "notes": list(self.notes),
        }


def verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """The fields of a verdict, without its kind."""
    return {field.name: getattr(verdict, field.name) for field in dataclasses.fields(verdict)}


def brief(verdict: Verdict) -> Any:
    """A verdict inside a list of moves: an exact one is its plain value, any other names its kind."""
    return verdict.value if isinstance(verdict, Exact) else {"kind": verdict.kind, **verdict_fields(verdict)}


def _show(value: Value | None, missing: str = "?", digits: int = 10) -> str:
    if value is None:
        return missing
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(entry, digits=digits) for entry in value) + ")"
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"
