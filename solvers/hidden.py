"""Hidden cards: the average of every move over the worlds that a player cannot tell apart.

A *world* is one way in which the unseen cards may lie. All worlds are visited when they are few, a seeded sample of them
otherwise, and always the same worlds for all moves, so that moves are compared by paired differences. A game brings
its worlds (:class:`Deals` serves for cards dealt to hands and piles) and a function that values every move in one world.
"""
from __future__ import annotations

import dataclasses
import itertools
import math
import operator
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from exactplay.rules.contract import Move
from exactplay.solvers.limits import Budget, OutOfBudget
from exactplay.solvers.result import Effort, EnumeratedAverage, Estimate, ExactExpectation, Number, Result, Verdict

ENUMERATE_AT_MOST: Final = 1_000
FUSION: Final = (
    "In each world the solver sees the hidden cards and may choose differently in worlds that the player cannot tell "
    "apart (strategy fusion), so the averages are optimistic: a move is best on average, not proven best."
)
_FIRST_LOOK: Final = 40  # worlds before the intervals are looked at for the first time
_FEWEST: Final = 2  # worlds, which an estimate needs
FEW: Final = 8  # worlds that are not worth an answer where a single one took too long
_MANY: Final = 400  # worlds; two moves that were equal in all of them will not be told apart
_MOST_DRAWS: Final = 100_000  # where time is the only limit
_LOOK_GROWTH: Final = 1.5  # few looks: each one more would make a false "distinguished" likelier
# Stopping just when an interval excludes 0 picks the samples whose intervals err; measured on a true tie, coverage fell
# to 87 %. So a sample ends early only when 0 is this many half-widths away, and intervals stay at 95 %.
_STOP_MARGIN: Final = 1.5

WorldT = TypeVar("WorldT")
WorldT_co = TypeVar("WorldT_co", covariant=True)
MoveT = TypeVar("MoveT", bound=Move)
CardT = TypeVar("CardT", bound=Hashable)


class Worlds(Protocol[WorldT_co]):
    """The possible worlds of one position."""

    def weighted(self) -> Iterator[tuple[WorldT_co, int]]:
        """Every world once, with the number of equally likely deals that it stands for."""

    def sample(self, rng: random.Random) -> WorldT_co:
        """One world, drawn with the probability of its weight."""


@dataclasses.dataclass(frozen=True, slots=True)
class Deals(Generic[CardT]):
    """Every way to deal unseen cards to groups; a world is a tuple with one tuple of cards a group.

    ``unseen`` holds the cards, equal ones as often as they are there; ``sizes`` the number of cards of each group,
    together all of them; ``ordered`` the indices of the groups whose order matters (a pile). The cards of any other
    group stand in the order of ``unseen``.
    """

    unseen: tuple[CardT, ...]
    sizes: tuple[int, ...]
    ordered: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if sum(self.sizes) != len(self.unseen) or min(self.sizes, default=0) < 0:
            raise ValueError(f"{len(self.unseen)} unseen cards cannot fill groups of {self.sizes}")

    def weighted(self) -> Iterator[tuple[tuple[tuple[CardT, ...], ...], int]]:
        """Every deal once; the weight counts the deals that differ from it only in which of equal cards lies where."""
        # An ordered group is dealt card by card.
        parts = [
            size
            for group, total in enumerate(self.sizes)
            for size in ([1] * total if group in self.ordered else [total])
        ]
        for dealt, weight in _deal(Counter(self.unseen), parts):
            cards = itertools.chain.from_iterable(dealt)
            yield tuple(tuple(itertools.islice(cards, size)) for size in self.sizes), weight

    def sample(self, rng: random.Random) -> tuple[tuple[CardT, ...], ...]:
        """One deal; all deals of single cards are equally likely."""
        kinds = list(dict.fromkeys(self.unseen))
        place = {kind: index for index, kind in enumerate(kinds)}
        shuffled = list(self.unseen)
        rng.shuffle(shuffled)
        cards = iter(shuffled)
        groups = [list(itertools.islice(cards, size)) for size in self.sizes]
        for group, held in enumerate(groups):
            if group not in self.ordered:
                held.sort(key=place.__getitem__)
        return tuple(tuple(held) for held in groups)


def _deal(copies: Counter[CardT], parts: list[int]) -> Iterator[tuple[list[tuple[CardT, ...]], int]]:
    if not parts:
        yield [], 1
        return
    for taken, weight in _take(list(copies.items()), parts[0]):
        rest = Counter(copies)
        rest.subtract(taken)
        for later, later_weight in _deal(rest, parts[1:]):
            yield [taken, *later], weight * later_weight


def _take(copies: list[tuple[CardT, int]], size: int) -> Iterator[tuple[tuple[CardT, ...], int]]:
    """Every choice of ``size`` of the cards, with the number of ways to pick it."""
    if size == 0:
        yield (), 1
        return
    if sum(number for _, number in copies) < size:
        return
    card, number = copies[0]
    for taken in range(min(number, size), -1, -1):
        for others, weight in _take(copies[1:], size - taken):
            yield (card,) * taken + others, weight * math.comb(number, taken)


@dataclasses.dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % interval, both ends included; of a mean without sampling error both ends are the mean."""

    mean: Number
    low: float
    high: float

    def excludes_zero(self, margin: float = 1.0) -> bool:
        """Whether 0 lies outside the interval stretched ``margin`` times about its middle."""
        middle, half = (self.high + self.low) / 2, (self.high - self.low) / 2
        return abs(middle) > half * margin

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.mean:.4g}"
        return f"{self.mean:.4g} [{self.low:.4g}, {self.high:.4g}]"


@dataclasses.dataclass(frozen=True, slots=True)
class Advice(Result[MoveT]):
    """The moves of a player who does not see all cards, each with its average over the worlds.

    ``intervals`` belong to the averages, ``behind`` to the paired differences (the best move's value minus the move's,
    in the same worlds; the best move itself has none). ``undistinguished`` are the moves whose difference does not
    exclude 0; of a sample, ``best`` is the one move with the largest mean.
    ``enumerated`` says whether the ``worlds`` are all there are; ``seed`` is that of the sample or None.
    """

    intervals: Mapping[MoveT, Interval] = dataclasses.field(default_factory=dict)
    behind: Mapping[MoveT, Interval] = dataclasses.field(default_factory=dict)
    undistinguished: tuple[MoveT, ...] = ()
    worlds: int = 0
    enumerated: bool = False
    seed: int | None = None

    # A dataclass that is compared would make its own, of fields that cannot be hashed.
    def __hash__(self) -> int:
        return Result.__hash__(self)

    def pov(self, seat: int) -> Self:
        """The same answer as the value of a seat; see :meth:`Result.pov`."""
        turned = Result.pov(self, seat)
        if turned is self:
            return self
        intervals = {
            move: Interval(-interval.mean, -interval.high, -interval.low) for move, interval in self.intervals.items()
        }
        return dataclasses.replace(turned, intervals=intervals)

    def to_json(self) -> dict[str, Any]:
        """The fields of :meth:`Result.to_json`, and the intervals, differences and worlds beside them."""
        return {
            # Not super(): a dataclass with slots is another class than the one that super() would look up.
            **Result.to_json(self),
            "intervals": {str(move): dataclasses.asdict(interval) for move, interval in self.intervals.items()},
            "behind": {str(move): dataclasses.asdict(interval) for move, interval in self.behind.items()},
            "undistinguished": [str(move) for move in self.undistinguished],
            "worlds": self.worlds,
            "enumerated": self.enumerated,
            "seed": self.seed,
        }


def advise(
    worlds: Worlds[WorldT],
    values_in_world: Callable[[WorldT], Mapping[MoveT, Number]],
    *,
    budget: Budget,
    span: Number,
    seat: int,
    players: int,
    seed: int = 0,
    draws: int = 400,
    fusion: bool = True,
    enumerate_at_most: int = ENUMERATE_AT_MOST,
    rules: str = "default rules",
    notes: tuple[str, ...] = (),
) -> Advice[MoveT]:
    """The average value of every move to ``seat``, who is to move: higher is better for him.

    ``values_in_world`` gives the value of every legal move in one world, the same moves in every world; ``span`` is the
    largest difference that two values can have. Pass ``fusion=False`` only when no choice under hidden cards is left
    in any world, so that the mean over all worlds is the exact expectation.

    Up to ``enumerate_at_most`` worlds are all visited. Else worlds are drawn with ``seed`` until every move is told apart
    from the best with a margin, or was its equal in every one of many worlds, or the budget is spent: its time, or its
    ``samples`` (``draws`` where it sets neither). Where the budget ends an enumeration, what was seen of it is a sample. A
    run that time ends depends on the machine; any other repeats exactly.

    Two worlds are valued whatever the budget says, as an estimate needs them. ``values_in_world`` may raise
    :class:`OutOfBudget` to end within a world; where that leaves less than eight, it goes on to the caller, who may have a
    quicker valuation.
    """
    listed = list(itertools.islice(worlds.weighted(), enumerate_at_most + 1))
    if not listed:
        raise ValueError("there is no possible world")
    enumerated = len(listed) <= enumerate_at_most
    limits = budget.limits
    timed = any(limit is not None for limit in (limits.nodes, limits.seconds, limits.cpu_seconds))
    most = limits.samples or (_MOST_DRAWS if timed else draws)
    total = len(listed) if enumerated else None if limits.samples is None and timed else most
    rng = random.Random(seed)
    moves: list[MoveT] = []

    def visit(world: WorldT, done: int) -> Mapping[MoveT, Number] | None:
        """The values in one world; None when the budget is spent."""
        if done >= _FEWEST and budget.struck is not None:
            return None
        try:
            row = values_in_world(world)
        except OutOfBudget:
            if done < FEW:
                raise
            return None
        moves[:] = moves or row
        if row.keys() != set(moves):
            raise ValueError("the legal moves differ between worlds; they may depend on visible cards only")
        budget.tell({"worlds": done + 1}, total)
        return row

    if enumerated:
        # The worlds of a sample come first: it is what is left where the budget ends the enumeration.
        drawn = rng.choices(range(len(listed)), [weight for _, weight in listed], k=limits.samples or draws)
        found: dict[int, Mapping[MoveT, Number]] = {}
        for index in dict.fromkeys((*drawn, *range(len(listed)))):
            row = visit(listed[index][0], len(found))
            if row is None:
                enumerated = False
                break
            found[index] = row
        order = list(range(len(listed)) if enumerated else itertools.takewhile(found.__contains__, drawn))
        columns = {move: [found[index][move] for index in order] for move in sorted(moves)}
        table = _Table(columns, [weight for _, weight in listed] if enumerated else None, span)
    else:
        columns, done, next_look = {}, 0, _FIRST_LOOK
        while done < most and (row := visit(worlds.sample(rng), done)) is not None:
            columns = columns or {move: [] for move in sorted(moves)}
            for move, column in columns.items():
                column.append(row[move])
            done += 1
            if done >= next_look:
                next_look = math.ceil(done * _LOOK_GROWTH)
                if _Table(columns, None, span).settled:
                    break
        table = _Table(columns, None, span)
    said = [*notes]
    if fusion:
        said.append(FUSION)
    if not enumerated:
        said.append(f"Sampled worlds: {table.worlds}, the same for all moves, seed {seed}; intervals are at 95 %.")
        if table.undistinguished:
            names = ", ".join(str(move) for move in table.undistinguished)
            said.append(f"Not distinguished from the best move by this sample: {names}.")
    verdicts = {move: table.verdict(move, fusion) for move in table.columns}
    return Advice(
        verdict=verdicts[table.best[0]],
        moves=verdicts,
        best=table.best,
        effort=Effort(nodes=table.worlds, seconds=budget.cpu_seconds),
        rules=rules,
        notes=tuple(said),
        viewpoint=seat,
        mover=seat,
        players=players,
        intervals={move: table.interval(move) for move in table.columns},
        behind=table.behind,
        undistinguished=table.undistinguished,
        worlds=table.worlds,
        enumerated=enumerated,
        seed=None if enumerated else seed,
    )


def only_world(worlds: Worlds[WorldT]) -> WorldT | None:
    """The world, where only one is possible: then the answer is the exact one."""
    listed = list(itertools.islice(worlds.weighted(), 2))
    return listed[0][0] if len(listed) == 1 else None


class _Table(Generic[MoveT]):
    """The values of all moves in the worlds seen so far."""

    def __init__(self, columns: Mapping[MoveT, list[Number]], weights: list[int] | None, span: Number) -> None:
        """Columns by move, sorted; the weights of the worlds, if these are all there are."""
        self.columns, self._weights, self._span = columns, weights, span
        means = {move: self._mean(column) for move, column in columns.items()}
        top = max(means.values())
        tied = tuple(move for move in columns if means[move] == top)
        self.worlds = len(columns[tied[0]])
        # Two moves of one mean over all worlds tie for best; of one sampled mean they are merely not told apart.
        self.best = tied if weights else tied[:1]
        leading = self.columns[tied[0]]
        differences = {
            move: list(map(operator.sub, leading, column)) for move, column in self.columns.items() if move != tied[0]
        }
        self.behind = {move: self._interval(values, 2 * span) for move, values in differences.items()}
        self.undistinguished = () if weights else tuple(
            move for move, interval in self.behind.items() if not interval.excludes_zero()
        )
        #: whether more worlds would not be worth their time
        self.settled = all(
            interval.excludes_zero(_STOP_MARGIN) or (self.worlds >= _MANY and not any(differences[move]))
            for move, interval in self.behind.items()
        )

    def verdict(self, move: MoveT, fusion: bool) -> Verdict:
        values = self.columns[move]
        mean = _plain(self._mean(values))
        if self._weights:
            return (EnumeratedAverage if fusion else ExactExpectation)(mean, len(values))
        return Estimate(mean, _centre_and_error(values, self._span)[1], len(values))

    def interval(self, move: MoveT) -> Interval:
        return self._interval(self.columns[move], self._span)

    def _interval(self, values: list[Number], span: Number) -> Interval:
        mean = _plain(self._mean(values))
        if self._weights:
            return Interval(mean, mean, mean)
        centre, error = _centre_and_error(values, span)
        half = _student(len(values) - 1) * error
        return Interval(mean, min(mean, centre - half), max(mean, centre + half))

    def _mean(self, values: list[Number]) -> Fraction:
        weighted = list(map(operator.mul, values, self._weights)) if self._weights else values
        integers = all(type(value) is int for value in weighted)
        total = Fraction(sum(weighted) if integers else math.fsum(weighted))
        return total / (sum(self._weights) if self._weights else len(values))


def _centre_and_error(values: list[Number], span: Number) -> tuple[float, float]:
    """The centre of the interval of a sampled mean, and its standard error.

    The plain ones are too sure where values are skewed or all equal: a rare world may not have been drawn. So two values
    are added at either end of those seen (or ``span`` away, where all are equal), as Agresti and Coull do for a
    proportion; what that widens shrinks with the sample.
    """
    low, high = min(values), max(values)
    if low == high:
        low, high = low - span, high + span
    widened = [*values, low, low, high, high]
    number = len(widened)
    centre = math.fsum(widened) / number
    return centre, math.sqrt(math.fsum((value - centre) ** 2 for value in widened) / (number - 1) / number)


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t (Cornish-Fisher series; within 1 % from 4 degrees of freedom on, else a table)."""
    if freedom < 4:
        return (12.706, 4.303, 3.182)[freedom - 1]
    z = 1.959963984540054
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _plain(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)
