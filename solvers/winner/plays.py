"""The fewest plays that shed a hand, natively and by OR-Tools CP-SAT."""
from __future__ import annotations

import dataclasses
import functools
import time
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from exactplay.common.words import named
from exactplay.cython_core.winner.fewest_plays import FewestPlays
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winner import Card, Cards, Combination, classify
from exactplay.rules.winner.pieces import BLACK_JOKER, NATURAL, RANKS, RED_JOKER
from exactplay.solvers.winner import bridge

With = Literal["native", "cp-sat"]


@dataclasses.dataclass(frozen=True, slots=True)
class Partition:
    """The least number of combinations that shed a hand (always exact), and one way to do it."""

    plays: int
    combinations: tuple[Combination, ...]
    seconds: float
    solver: With

    def __str__(self) -> str:
        what = "play" if self.plays == 1 else "plays"
        return f"{self.plays} {what} (exact): " + " | ".join(map(str, self.combinations))


@functools.cache
def _counter() -> FewestPlays:
    return FewestPlays()


def count_plays(hand: Cards) -> int:
    """The least number of combinations that shed a hand, without the combinations themselves."""
    return _counter().count(*bridge.words(hand))


def fewest_plays(hand: Cards, *, solver: With = "native") -> Partition:
    """The least number of combinations that shed a hand, and such a partition of it.

    ``cp-sat`` asks OR-Tools instead (a second program that shares no code with the native one); raises ImportError where
    it is not installed, :class:`IllegalPosition` for more than two copies of a card.
    """
    named(solver, With, "solver")
    hand = tuple(sorted(hand))
    if any(copies > 2 for copies in Counter(hand).values()):
        raise IllegalPosition("a card is there more than twice; two decks have two of each")
    start = time.process_time()
    shapes = _by_cp_sat(hand) if solver == "cp-sat" else _natively(hand)
    rest = list(hand)
    combinations = []
    for shape in shapes:
        chosen = _take(rest, shape)
        combination = classify(chosen)
        assert combination is not None
        combinations.append(combination)
    return Partition(len(combinations), tuple(combinations), time.process_time() - start, solver)


Shape = tuple[tuple[int, int], ...]  # (rank, number of cards): suits do not matter to what is a combination


def _natively(hand: Cards) -> Iterator[Shape]:
    """Shapes of an optimal partition: each leaves a hand that needs one play less."""
    rest = list(hand)
    left = count_plays(hand)
    while left:
        for shape in _shapes(Counter(card.rank for card in rest)):
            after = list(rest)
            _take(after, shape)
            if count_plays(tuple(after)) == left - 1:
                yield shape
                rest, left = after, left - 1
                break


def _shapes(held: Counter[int]) -> Iterator[Shape]:
    """Every shape of combination that these numbers of cards allow, the largest kinds first."""
    for each, shortest in ((1, 5), (2, 2), (3, 2)):
        for length in range(len(RANKS), shortest - 1, -1):
            for place in range(1, 16 - length):
                row = NATURAL[place - 1:place - 1 + length]
                if all(held[rank] >= each for rank in row):
                    yield tuple((rank, each) for rank in row)
    plain = [rank for rank in range(len(RANKS)) if held[rank]]
    for high in plain:
        for low in plain:
            if high != low and held[high] >= 3 and held[low] >= 2:
                yield (high, 3), (low, 2)
    for size in (4, 3, 2, 1):
        yield from (((rank, size),) for rank in plain if held[rank] >= size)
    if held[BLACK_JOKER] and held[RED_JOKER]:
        yield (BLACK_JOKER, 1), (RED_JOKER, 1)
    yield from (((rank, 1),) for rank in (BLACK_JOKER, RED_JOKER) if held[rank])


def _take(rest: list[Card], shape: Shape) -> Cards:
    """Remove the lowest cards of a shape from a hand."""
    chosen: list[Card] = []
    for rank, number in shape:
        cards = [card for card in rest if card.rank == rank][:number]
        for card in cards:
            rest.remove(card)
        chosen += cards
    return tuple(chosen)


def _by_cp_sat(hand: Cards) -> list[Shape]:
    """Exact cover of the numbers of cards by shapes, with as few as possible."""
    from ortools.sat.python import cp_model

    held = Counter(card.rank for card in hand)
    shapes = list(_shapes(held))
    model = cp_model.CpModel()
    times = [model.new_int_var(0, len(hand), f"shape{index}") for index in range(len(shapes))]
    for rank, number in held.items():
        uses = [
            times[index] * dict(shape)[rank] for index, shape in enumerate(shapes) if rank in dict(shape)
        ]
        model.add(sum(uses) == number)
    model.minimize(sum(times))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT did not prove its answer")
    return [shape for shape, used in zip(shapes, times, strict=True) for _ in range(solver.value(used))]
