"""Averages over hidden cards: worlds and weights by brute force, intervals by their coverage."""
from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import math
import pickle
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Self

import pytest

from exactplay.solvers import hidden
from exactplay.solvers.hidden import FUSION, Advice, Deals, Interval, only_world
from exactplay.solvers.limits import Budget, Limits, OutOfBudget
from exactplay.solvers.result import EnumeratedAverage, Estimate, ExactExpectation


def labelled_deals(deals: Deals[str]) -> Counter[Any]:
    """Every permutation of the single cards, cut into groups: the slow and sure way."""
    seen: Counter[Any] = Counter()
    order = {card: index for index, card in reversed(list(enumerate(deals.unseen)))}
    for permutation in itertools.permutations(deals.unseen):
        cards = iter(permutation)
        groups = [tuple(itertools.islice(cards, size)) for size in deals.sizes]
        seen[tuple(
            held if group in deals.ordered else tuple(sorted(held, key=order.__getitem__))
            for group, held in enumerate(groups)
        )] += 1
    return seen


@pytest.mark.parametrize("deals", [
    Deals(tuple("abcd"), (2, 2)),
    Deals(tuple("abcdef"), (2, 1, 3)),
    Deals(tuple("aabbc"), (2, 3)),
    Deals(tuple("aaabb"), (2, 2, 1)),
    Deals(tuple("aabcd"), (2, 3), frozenset({1})),
    Deals(tuple("aab"), (0, 3), frozenset({1})),
    Deals((), (0, 0)),
])
def test_every_deal_with_its_weight(deals: Deals[str]) -> None:
    slow = labelled_deals(deals)
    listed = list(deals.weighted())
    fast = dict(listed)
    assert len(fast) == len(listed)
    assert fast.keys() == slow.keys()
    total_fast, total_slow = sum(fast.values()), sum(slow.values())
    assert all(Fraction(fast[w], total_fast) == Fraction(slow[w], total_slow) for w in fast)


def test_samples_follow_the_weights() -> None:
    deals = Deals(tuple("aabbc"), (2, 3))
    weights = dict(deals.weighted())
    rng = random.Random(5)
    number = 20_000
    drawn = Counter(deals.sample(rng) for _ in range(number))
    assert drawn.keys() == weights.keys()
    total = sum(weights.values())
    # Chi-squared with few degrees of freedom: 30 is far beyond any reasonable quantile.
    assert sum((drawn[w] - number * k / total) ** 2 / (number * k / total) for w, k in weights.items()) < 30


def test_groups_must_take_all_cards() -> None:
    with pytest.raises(ValueError, match="3 unseen cards"):
        Deals(tuple("abc"), (1, 1))


class Name(str):
    """A move of the guessing game."""

    @classmethod
    def parse(cls, text: str, /) -> Self:
        return cls(text)


def advise(worlds: Any, values: Any, samples: int | None = None, **options: Any) -> Advice[Name]:
    budget = options.pop("budget", None) or Budget(Limits(samples=samples))
    return hidden.advise(worlds, values, **{"budget": budget, "seat": 0, "players": 2, "span": 2, **options})


FIRST, SECOND, SAFE = Name("guess-first"), Name("guess-second"), Name("safe")


def holds(world: tuple[tuple[str, ...], ...]) -> Mapping[Name, int]:
    """Guess who holds the ace; "safe" is worth 0 everywhere."""
    return {FIRST: 1 if "A" in world[0] else -1, SECOND: 1 if "A" in world[1] else -1, SAFE: 0}


def test_all_worlds_when_they_are_few() -> None:
    deals = Deals(tuple("Abcde"), (2, 3))
    advice = advise(deals, holds, span=2)
    assert advice.worlds == 10
    assert advice.enumerated
    assert advice.seed is None
    assert advice.moves == {
        FIRST: EnumeratedAverage(-0.2, 10), SECOND: EnumeratedAverage(0.2, 10), SAFE: EnumeratedAverage(0, 10),
    }
    assert advice.best == (SECOND,)
    assert advice.behind[SAFE].mean == pytest.approx(0.2)
    assert advice.behind[SAFE].low == advice.behind[SAFE].high
    assert FUSION in advice.notes
    assert not advice.exact


def test_no_hidden_choice_left_is_an_exact_expectation() -> None:
    advice = advise(Deals(tuple("Abcde"), (2, 3)), holds, span=2, fusion=False)
    assert advice.verdict == ExactExpectation(0.2, 10)
    assert FUSION not in advice.notes


def test_a_tie_over_all_worlds_is_a_tie_for_best() -> None:
    advice = advise(Deals(tuple("Ab"), (1, 1)), holds, span=2)
    assert advice.best == (FIRST, SECOND, SAFE)
    assert advice.undistinguished == ()


DECK = tuple("Abcdefghijklmnopqrst")


def test_sampling_repeats_with_its_seed_and_stops_when_all_is_told_apart() -> None:
    deals = Deals(DECK, (2, 18))
    first, again = (advise(deals, holds, span=2, enumerate_at_most=10, seed=3) for _ in range(2))
    assert first.moves == again.moves
    assert first.seed == 3
    assert isinstance(first.verdict, Estimate)
    assert first.best == (SECOND,)
    assert first.undistinguished == ()
    assert first.worlds < 1_000
    assert any(advise(deals, holds, span=2, enumerate_at_most=10, seed=s).moves != first.moves for s in (4, 5, 6))


def test_equal_moves_are_never_told_apart() -> None:
    deals = Deals(DECK, (2, 18))
    twins = advise(
        deals, lambda w: {m: v for v in [holds(w)[FIRST]] for m in (Name("a"), Name("b"))}, span=2,
        enumerate_at_most=10, samples=100,
    )
    assert twins.worlds == 100
    assert twins.undistinguished == (Name("b"),)
    assert any("Not distinguished" in note and "b" in note for note in twins.notes)


def test_a_sample_without_spread_is_not_certain() -> None:
    """The case that a plain standard error gets wrong: the rare world was not drawn."""
    advice = advise(
        Deals(DECK, (2, 18)), lambda w: {Name("x"): -1 if w[0] == ("A", "b") else 1}, span=2,
        enumerate_at_most=10, samples=50,
    )
    assert advice.intervals[Name("x")].low < 1 - 2 / 190 < advice.intervals[Name("x")].high


def test_moves_may_not_depend_on_hidden_cards() -> None:
    with pytest.raises(ValueError, match="differ between worlds"):
        advise(Deals(tuple("Ab"), (1, 1)), lambda w: {Name(w[0][0]): 0}, span=1)


@pytest.mark.parametrize("most", [10, 1_000])
def test_few_worlds_are_no_answer_where_one_takes_too_long(most: int) -> None:
    left = iter(range(7))

    def seven_times(world: tuple[tuple[str, ...], ...]) -> Mapping[Name, int]:
        if next(left, None) is None:
            raise OutOfBudget
        return holds(world)

    with pytest.raises(OutOfBudget):
        advise(Deals(DECK[:12], (2, 10)), seven_times, span=2, enumerate_at_most=most)


#: the 97.5 % quantiles of Student's t, from a printed table
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 30: 2.042}


@pytest.mark.parametrize("values", [
    [3, 5], [1, 1], [0, 9, 0], [5, 5, 5, 5], [0, 0, 0, 0, 9], [1.5, 1.5, -1.5, 1.5, 7.25, 0.1],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [*range(31)],
])
def test_intervals_are_those_of_student_with_two_values_added_at_either_end(values: list[float]) -> None:
    def reckoned(span: float) -> tuple[float, float, float]:
        low, high = (min(values), max(values)) if min(values) < max(values) else (values[0] - span, values[0] + span)
        widened = [*values, low, low, high, high]
        half = STUDENT[len(values) - 1] * statistics.stdev(widened) / math.sqrt(len(widened))
        centre, mean = statistics.fmean(widened), statistics.fmean(values)
        return mean, min(mean, centre - half), max(mean, centre + half)

    advice = advise(Listed(*values), lambda w: {SAFE: 0, FIRST: w}, span=40, enumerate_at_most=1, samples=len(values))
    assert dataclasses.astuple(advice.intervals[FIRST]) == pytest.approx(reckoned(40), rel=0.01)
    # Differences may be twice the span apart.
    assert dataclasses.astuple(advice.behind[SAFE]) == pytest.approx(reckoned(80), rel=0.01)
    assert advice.undistinguished == (() if advice.behind[SAFE].low > 0 else (SAFE,))


class Listed:
    """Worlds in a given order, sampled and enumerated alike."""

    def __init__(self, *worlds: Any) -> None:
        self.worlds, self.left = worlds, iter(worlds)

    def weighted(self) -> Iterator[tuple[Any, int]]:
        yield from ((world, 1) for world in self.worlds)

    def sample(self, rng: random.Random) -> Any:
        return next(self.left)


@pytest.mark.parametrize(("values", "mean"), [
    ([2**60, 2**60 + 2], 2**60 + 1), ([1, 2], 1.5), ([1e16, 1.0, -1e16], 1 / 3), ([0.1] * 10, 0.1),
])
def test_means_are_exact(values: list[float], mean: float) -> None:
    assert advise(Listed(*values), lambda w: {FIRST: w}).verdict == EnumeratedAverage(mean, len(values))


@pytest.mark.parametrize(("values", "worlds"), [
    ([9] * 40, 40), ([*[0] * 39, *[9] * 400], 60), ([*[0] * 60, *[9] * 400], 90), ([1, -1] * 500, 500),
    ([*[1] * 32, *[-1] * 8], 40), ([*[1] * 29, *[-1] * 11], 60),
])
def test_a_sample_ends_where_all_is_told_apart_with_a_margin(values: list[int], worlds: int) -> None:
    options: dict[str, Any] = {"span": 4, "enumerate_at_most": 9, "samples": 500}
    assert advise(Listed(*values, *[9] * 600), lambda w: {SAFE: 0, FIRST: w}, **options).worlds == worlds


def test_moves_that_are_equal_in_every_world_do_not_take_all_the_time() -> None:
    twins = advise(
        Deals(DECK, (2, 18)), lambda w: dict.fromkeys((FIRST, SECOND), holds(w)[FIRST]), enumerate_at_most=10,
        budget=Budget(Limits(seconds=60)),
    )
    assert 400 <= twins.worlds < 1_000
    assert (twins.best, twins.undistinguished) == ((FIRST,), (SECOND,))


def test_the_time_given_is_used_until_moves_are_told_apart() -> None:
    def nearly(world: Any) -> Mapping[Name, float]:
        return {FIRST: rng.gauss(0, 1), SECOND: rng.gauss(0.001, 1)}

    rng = random.Random(1)
    budget = Budget(Limits(seconds=0.3))
    advice = advise(Deals(DECK, (2, 18)), nearly, span=2, enumerate_at_most=10, budget=budget)
    assert 0.3 <= budget.elapsed < 1
    assert advice.worlds > 1_000
    assert len(advice.undistinguished) == 1


def test_a_cut_enumeration_is_the_sample_of_its_seed() -> None:
    """The worlds of the sample come first, and only those before the first one missing count."""
    drawn = random.Random(5).choices(range(12), [1] * 12, k=30)
    order = list(dict.fromkeys(drawn))
    seen: list[int] = []

    def patient(world: int) -> Mapping[Name, float]:
        if len(seen) == 9:
            raise OutOfBudget
        seen.append(world)
        return {FIRST: world}

    advice = advise(Listed(*range(12)), patient, span=9, seed=5, samples=30)
    counted = drawn[: drawn.index(order[9])]
    assert seen == order[:9]
    assert advice.worlds == len(counted)
    assert advice.intervals[FIRST].mean == pytest.approx(statistics.fmean(counted))


def test_whose_values_they_are() -> None:
    advice = advise(Deals(tuple("Abcde"), (2, 3)), holds, seat=1)
    assert (advice.viewpoint, advice.mover, advice.players) == (1, 1, 2)
    assert advice.ranked() == (SECOND, SAFE, FIRST)
    other = advice.pov(0)
    assert other.intervals[SECOND] == Interval(-0.2, -0.2, -0.2)
    assert other.ranked() == advice.ranked()
    assert other.pov(1) == advice


def test_advice_is_a_value() -> None:
    advice, again = (advise(Deals(DECK, (2, 18)), holds, enumerate_at_most=10) for _ in range(2))
    for other in (again, pickle.loads(pickle.dumps(advice)), copy.deepcopy(advice)):
        assert other == advice
        assert hash(other) == hash(advice)


@pytest.mark.parametrize(("worlds", "only"), [
    (Deals(tuple("aaa"), (1, 2)), (("a",), ("a", "a"))), (Deals(tuple("ab"), (1, 1)), None),
])
def test_where_only_one_world_is_possible(worlds: Deals[str], only: Any) -> None:
    assert only_world(worlds) == only


def test_json_is_plain_data() -> None:
    advice = advise(Deals(DECK, (2, 18)), holds, span=2, enumerate_at_most=10)
    data = json.loads(json.dumps(advice.to_json()))
    assert data["kind"] == "estimate"
    assert data["worlds"] == advice.worlds
    assert data["behind"]["safe"]["low"] > 0
    assert data["moves"]["safe"]["kind"] == "estimate"


@pytest.mark.parametrize("first", [1, 6, 10])
def test_intervals_cover_the_average_over_all_worlds(first: int) -> None:
    deals = Deals(DECK[:12], (first, 12 - first))
    truth = advise(deals, holds, span=2, enumerate_at_most=10_000)
    assert truth.enumerated
    covered = 0
    for seed in range(200):
        sampled = advise(deals, holds, span=2, enumerate_at_most=2, samples=120, seed=seed)
        interval = sampled.intervals[FIRST]
        covered += interval.low <= truth.intervals[FIRST].mean <= interval.high
    assert 0.90 * 200 <= covered <= 0.995 * 200
