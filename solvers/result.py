"""What an answer is: its kind, its value, and everything it rests on.

Nothing selective or sampled is ever an :class:`Exact`. The kinds are kept apart in the type, in JSON (``kind``) and on
the screen (``str``); each says in a sentence what it means (``meaning``).
"""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Generic, Literal, Self, TypeVar

from exactplay.common.errors import BadOption
from exactplay.common.words import whole
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


#: what is asked of the moves: the value and one best move, every best move, or the value of each
Moves = Literal["value", "best", "all"]
OVER_NOTE: Final = "The game is over."

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

    ``viewpoint`` is the seat whose value every verdict is; None: verdicts are vectors, one entry a seat. ``mover`` is the
    seat that decides, ``players`` how many there are. ``moves`` holds the verdict of every legal move, ``best`` all those
    that tie for best (of a :class:`Bounds`: the best guess), ``pv`` the principal variation, ``rules`` what differs from
    the default rules, ``notes`` whole sentences that a reader must see. Two results are equal where they say the same,
    whatever they cost.
    """

    verdict: Verdict
    moves: Mapping[MoveT, Verdict] = dataclasses.field(default_factory=dict)
    best: tuple[MoveT, ...] = ()
    pv: tuple[MoveT, ...] = ()
    effort: Effort = dataclasses.field(default=Effort(), compare=False)
    rules: str = "default rules"
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    viewpoint: int | None = 0
    mover: int = 0
    players: int = 2

    def __hash__(self) -> int:
        return hash((self.verdict, self.best, self.pv, self.viewpoint, self.mover))

    @property
    def exact(self) -> bool:
        """Whether the value is proven."""
        return isinstance(self.verdict, Exact)

    def pov(self, seat: int) -> Self:
        """The same answer as the value of a seat. Raises :class:`BadOption` where it does not say what the seat gets."""
        if seat == self.viewpoint:
            return self
        whole(seat, "seat", 0, self.players - 1)
        if self.viewpoint is not None and self.players != 2:
            raise BadOption(f"the value is that of seat {self.viewpoint}, which does not say what seat {seat} gets")

        def turned(verdict: Verdict) -> Verdict:
            if self.viewpoint is None:
                return _mapped(verdict, lambda value: value[seat] if isinstance(value, tuple) else value)
            return _negated(verdict)

        moves = {move: turned(verdict) for move, verdict in self.moves.items()}
        return dataclasses.replace(self, verdict=turned(self.verdict), moves=moves, viewpoint=seat)

    def ranked(self) -> tuple[MoveT, ...]:
        """The moves, best first for whoever is to move: the ``best``, then by value (of bounds, by their middle)."""
        sign = 1 if self.viewpoint in (None, self.mover) else -1

        def worth(move: MoveT) -> float:
            known = [end for end in _ends(self.moves[move]) if end is not None]
            ends = [end[self.mover] if isinstance(end, tuple) else end for end in known]
            return sign * sum(ends) / len(ends) if ends else -math.inf

        return tuple(sorted(self.moves, key=lambda move: (move not in self.best, -worth(move), move)))

    def to_json(self) -> dict[str, Any]:
        """The same answer as plain data, ``moves`` best first; exact values are plain numbers."""
        return {
            "kind": self.verdict.kind,
            **verdict_fields(self.verdict),
            "viewpoint": self.viewpoint,
            "mover": self.mover,
            "best": [str(move) for move in self.best],
            "moves": {str(move): brief(self.moves[move]) for move in self.ranked()},
            "pv": [str(move) for move in self.pv],
            **dataclasses.asdict(self.effort),
            "rules": self.rules,
            "sources": [dataclasses.asdict(source) for source in self.sources],
            "notes": list(self.notes),
        }


def _ends(verdict: Verdict) -> tuple[Value | None, ...]:
    """The value of a verdict, or its two bounds."""
    match verdict:
        case Bounds(low, high):
            return (low, high)
        case Estimate(mean):
            return (mean,)
    return (verdict.value,)


def _mapped(verdict: Verdict, change: Callable[[Any], Any]) -> Verdict:
    """A verdict with its values changed."""
    names = [name for name in ("value", "mean", "low", "high") if hasattr(verdict, name)]
    values = {name: getattr(verdict, name) for name in names}
    changed: dict[str, Any] = {name: None if value is None else change(value) for name, value in values.items()}
    return dataclasses.replace(verdict, **changed)


def _negated(verdict: Verdict) -> Verdict:
    """A verdict of the other of two seats, whose gain is this one's loss."""
    turned = _mapped(verdict, lambda value: tuple(-entry for entry in value) if isinstance(value, tuple) else -value)
    return Bounds(turned.high, turned.low) if isinstance(turned, Bounds) else turned


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
