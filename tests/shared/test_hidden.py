"""Averages over hidden cards: worlds and weights by brute force, intervals by their coverage."""
from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

import pytest

from exactplay.solvers import hidden
from exactplay.solvers.hidden import FUSION, Advice, Deals
from exactplay.solvers.limits import Budget, Limits, OutOfBudget
from exactplay.solvers.result import Bounds, EnumeratedAverage, Estimate, ExactExpectation


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


def test_weights_count() -> None:
    advice = advise(Deals(tuple("AAb"), (1, 2)), lambda w: {Name("x"): int(w[0] == ("A",))}, span=1)
    assert advice.worlds == 2
    assert advice.verdict == EnumeratedAverage(pytest.approx(2 / 3), 2)  # type: ignore[arg-type]


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


def test_time_ends_an_enumeration_with_a_sample() -> None:
    deals = Deals(DECK[:12], (2, 10))
    truth = advise(deals, holds, span=2)
    seen: list[object] = []

    def patient(world: tuple[tuple[str, ...], ...]) -> Mapping[Name, int]:
        seen.append(world)
        if len(seen) > 30:
            raise OutOfBudget
        return holds(world)

    advice = advise(deals, patient, span=2, fusion=False)
    assert isinstance(advice.verdict, Estimate)
    assert not advice.enumerated
    assert advice.seed == 0
    assert 30 <= advice.worlds < 66
    assert advice.intervals[FIRST].low <= truth.intervals[FIRST].mean <= advice.intervals[FIRST].high
    assert advise(deals, holds, span=2, budget=Budget(Limits(seconds=0.0))).worlds >= 2


@pytest.mark.parametrize("most", [10, 1_000])
def test_few_worlds_are_no_answer_where_one_takes_too_long(most: int) -> None:
    left = iter(range(7))

    def seven_times(world: tuple[tuple[str, ...], ...]) -> Mapping[Name, int]:
        if next(left, None) is None:
            raise OutOfBudget
        return holds(world)

    with pytest.raises(OutOfBudget):
        advise(Deals(DECK[:12], (2, 10)), seven_times, span=2, enumerate_at_most=most)


@pytest.mark.parametrize(("samples", "quantile"), [(2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776), (31, 2.042)])
def test_intervals_of_small_samples_are_those_of_student(samples: int, quantile: float) -> None:
    advice = advise(Deals(DECK, (2, 18)), holds, span=2, enumerate_at_most=10, samples=samples)
    verdict, interval = advice.moves[SAFE], advice.intervals[SAFE]
    assert isinstance(verdict, Estimate)
    assert (interval.high - interval.low) / 2 == pytest.approx(quantile * verdict.standard_error, rel=0.01)


def test_what_is_shown_says_what_it_is() -> None:
    assert str(Estimate(-3.604651163, 1.3, 43)) == "-3.605, standard error 1.3 (estimate from 43 samples)"
    assert str(EnumeratedAverage(1 / 3, 3)) == "0.3333 (enumerated average of 3 worlds)"
    assert str(Bounds(None, None)) == "unknown (no bound proven)"
    assert str(Bounds(None, 3)) == "between -inf and 3 (proven bounds)"


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
