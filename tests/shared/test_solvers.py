"""What the solvers share: answers and advice over hidden cards, field by field."""
from __future__ import annotations

import dataclasses
import math
import random
import statistics
import time
from collections.abc import Iterator, Mapping
from typing import Any, Self

import pytest

from exactplay.solvers.hidden import FUSION, Advice, Deals, Interval, OutOfTime, advise
from exactplay.solvers.result import (
    Bounds,
    Effort,
    EnumeratedAverage,
    Estimate,
    Exact,
    ExactExpectation,
    Result,
    Source,
    brief,
)


class Name(str):
    """A move."""

    @classmethod
    def parse(cls, text: str, /) -> Self:
        return cls(text)


A, B, C = Name("a"), Name("b"), Name("c")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """CPU seconds as the test sets them."""
    clock = [7.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    return clock


# Answers


@pytest.mark.parametrize(("verdict", "shown", "fields"), [
    (Exact(3), "3 (exact)", {"kind": "exact", "value": 3}),
    (Exact(0.1 + 0.2), "0.3 (exact)", {"kind": "exact", "value": 0.1 + 0.2}),
    (Exact(1 / 3), "0.3333333333 (exact)", {"kind": "exact", "value": 1 / 3}),
    (Exact(123_456_789_012), "123456789012 (exact)", {"kind": "exact", "value": 123_456_789_012}),
    (Exact((1, 2 / 3)), "(1, 0.6666666667) (exact)", {"kind": "exact", "value": (1, 2 / 3)}),
    (Bounds(None, None), "unknown (no bound proven)", {"kind": "bounds", "low": None, "high": None}),
    (Bounds(2, None), "between 2 and +inf (proven bounds)", {"kind": "bounds", "low": 2, "high": None}),
    (Bounds(None, (1, 2)), "between -inf and (1, 2) (proven bounds)", {"kind": "bounds", "low": None, "high": (1, 2)}),
    (ExactExpectation(1 / 3, 6), "0.3333333333 (exact expectation over 6 worlds)",
     {"kind": "exact expectation", "value": 1 / 3, "worlds": 6}),
    (EnumeratedAverage((1 / 3, 2), 6), "(0.3333, 2) (enumerated average of 6 worlds)",
     {"kind": "enumerated average", "value": (1 / 3, 2), "worlds": 6}),
    (Estimate(1 / 3, 1 / 7, 9), "0.3333, standard error 0.14 (estimate from 9 samples)",
     {"kind": "estimate", "mean": 1 / 3, "standard_error": 1 / 7, "samples": 9}),
])
def test_verdicts(verdict: Any, shown: str, fields: dict[str, Any]) -> None:
    assert str(verdict) == shown
    assert brief(verdict) == (verdict.value if isinstance(verdict, Exact) else fields)
    result: Result[Name] = Result(verdict)
    assert result.to_json() == {
        **fields, "best": [], "moves": {}, "pv": [], "nodes": 0, "seconds": 0.0, "table_fill": None,
        "rules": "default rules", "sources": [], "notes": [],
    }
    assert result.exact == isinstance(verdict, Exact)
    assert verdict.meaning[0].isupper()
    assert verdict.meaning[-1] == "."


def test_an_answer_as_plain_data() -> None:
    result = Result(
        Exact(2), {A: Exact(2), B: Bounds(None, 1)}, (A,), (A, B), Effort(5, 0.5, 0.25), "some rules",
        (Source("sheet", "measured", "abc"),), ("A note.",),
    )
    assert result.to_json() == {
        "kind": "exact", "value": 2, "best": ["a"], "moves": {"a": 2, "b": {"kind": "bounds", "low": None, "high": 1}},
        "pv": ["a", "b"], "nodes": 5, "seconds": 0.5, "table_fill": 0.25, "rules": "some rules",
        "sources": [{"name": "sheet", "provenance": "measured", "digest": "abc"}], "notes": ["A note."],
    }
    for changed in (result, result.verdict, Bounds(1, 2), ExactExpectation(1, 2), EnumeratedAverage(1, 2),
                    Estimate(1, 2, 3), result.effort, *result.sources, Interval(1, 1, 1)):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
            setattr(changed, dataclasses.fields(changed)[0].name, 3)
        assert not hasattr(changed, "__dict__")


# Hidden cards


def test_the_deals_in_their_order() -> None:
    deals = Deals(tuple("aab"), (2, 1))
    assert list(deals.weighted()) == [((("a", "a"), ("b",)), 1), ((("a", "b"), ("a",)), 2)]
    assert list(Deals(tuple("aab"), (1, 2), frozenset({1})).weighted()) == [
        ((("a",), ("a", "b")), 2), ((("a",), ("b", "a")), 2), ((("b",), ("a", "a")), 2),
    ]
    assert list(Deals((), ()).weighted()) == [((), 1)]
    drawn = Deals(tuple("zyxw"), (2, 2), frozenset({1})).sample(random.Random(4))
    assert drawn[0] == tuple(sorted(drawn[0], reverse=True))
    assert {Deals(tuple("zyxw"), (2, 2), frozenset({1})).sample(random.Random(seed))[1] for seed in range(99)} == {
        (first, second) for first in "zyxw" for second in "zyxw" if first != second
    }
    assert {Deals(tuple("zyx"), (3,)).sample(random.Random(seed)) for seed in range(9)} == {(("z", "y", "x"),)}


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (4, -1)])
def test_groups_hold_just_the_unseen_cards(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=rf"^3 unseen cards cannot fill groups of \({sizes[0]}, {sizes[1]}\)$"):
        Deals(tuple("abc"), sizes)


def test_intervals() -> None:
    assert Interval(1, 0.5, 1.5).excludes_zero()
    assert Interval(-1, -1.5, -0.5).excludes_zero(1.9)
    assert not Interval(1, 0.5, 1.5).excludes_zero(2)
    assert not Interval(0.5, 0, 1).excludes_zero()
    assert Interval(2, 2, 2).excludes_zero(9)
    assert str(Interval(1 / 3, 1 / 3, 1 / 3)) == "0.3333"
    assert str(Interval(1 / 3, 0.123456, 0.56789)) == "0.3333 [0.1235, 0.5679]"


class Listed:
    """Worlds in a given order, sampled and enumerated alike."""

    def __init__(self, *worlds: Any, weights: tuple[int, ...] = ()) -> None:
        self.worlds, self.weights = worlds, weights or (1,) * len(worlds)
        self.left = iter(worlds)

    def weighted(self) -> Iterator[tuple[Any, int]]:
        yield from zip(self.worlds, self.weights, strict=True)

    def sample(self, rng: random.Random) -> Any:
        return next(self.left)


def row(world: float) -> Mapping[Name, float]:
    return {B: 0, A: world}


def without_time(advice: Advice[Name]) -> Advice[Name]:
    assert advice.effort.seconds >= 0
    return dataclasses.replace(advice, effort=dataclasses.replace(advice.effort, seconds=0.0))


@pytest.mark.parametrize("fusion", [True, False])
def test_an_enumeration_in_full(fusion: bool) -> None:
    kind = EnumeratedAverage if fusion else ExactExpectation
    advice = advise(Listed(1, 2, weights=(1, 3)), lambda w: {C: 0, B: 2 - w, A: w}, span=9, fusion=fusion, samples=1)
    assert without_time(advice) == Advice(
        kind(1.75, 2), {A: kind(1.75, 2), B: kind(0.25, 2), C: kind(0, 2)}, (A,), effort=Effort(2),
        notes=(FUSION,) if fusion else (),
        intervals={A: Interval(1.75, 1.75, 1.75), B: Interval(0.25, 0.25, 0.25), C: Interval(0, 0, 0)},
        behind={B: Interval(1.5, 1.5, 1.5), C: Interval(1.75, 1.75, 1.75)}, worlds=2, enumerated=True,
    )
    assert advice.to_json() == {
        **Result.to_json(advice), "intervals": {
            "a": {"mean": 1.75, "low": 1.75, "high": 1.75}, "b": {"mean": 0.25, "low": 0.25, "high": 0.25},
            "c": {"mean": 0, "low": 0, "high": 0},
        },
        "behind": {"b": {"mean": 1.5, "low": 1.5, "high": 1.5}, "c": {"mean": 1.75, "low": 1.75, "high": 1.75}},
        "undistinguished": [], "worlds": 2, "enumerated": True, "seed": None,
    }
    bare: Advice[Name] = Advice(Exact(1))
    assert bare.to_json() == {
        **Result.to_json(bare), "intervals": {}, "behind": {}, "undistinguished": [], "worlds": 0,
        "enumerated": False, "seed": None,
    }


def agresti_coull(values: list[float], span: float) -> tuple[float, float]:
    """Centre and standard error with two values added at either end."""
    low, high = (min(values), max(values)) if min(values) < max(values) else (values[0] - span, values[0] + span)
    widened = [*values, low, low, high, high]
    return statistics.fmean(widened), statistics.stdev(widened) / math.sqrt(len(widened))


#: the 97.5 % quantile of Student's t: a table, and from 4 on the series of Abramowitz and Stegun, 26.7.5, of three terms
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.7693731, 5: 2.5677650, 9: 2.2619013}


@pytest.mark.parametrize("values", [
    [3, 5], [1, 1], [0, 9, 0], [5, 5, 5, 5], [0, 0, 0, 0, 9], [1.5, 1.5, -1.5, 1.5, 7.25, 0.1],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
])
def test_a_sample_in_full(values: list[float]) -> None:
    advice = advise(Listed(*values), row, span=4, enumerate_at_most=1, samples=len(values), seed=3)
    mean = statistics.fmean(values)
    (centre, error), number = agresti_coull(values, 4), len(values)
    half = STUDENT[number - 1] * error
    assert advice.moves[A] == Estimate(pytest.approx(mean, rel=1e-12), pytest.approx(error, rel=1e-12), number)  # type: ignore[arg-type]
    assert dataclasses.astuple(advice.intervals[A]) == pytest.approx(
        (mean, min(mean, centre - half), max(mean, centre + half)), rel=1e-6
    )
    # Differences may be twice the span apart.
    (centre, error) = agresti_coull(values, 8)
    half = STUDENT[number - 1] * error
    assert dataclasses.astuple(advice.behind[B]) == pytest.approx(
        (mean, min(mean, centre - half), max(mean, centre + half)), rel=1e-6
    )
    apart = advice.behind[B].low > 0
    assert advice.undistinguished == (() if apart else (B,))
    assert advice.notes == (
        FUSION, f"Sampled worlds: {number}, the same for all moves, seed 3; intervals are at 95 %.",
        *([] if apart else ["Not distinguished from the best move by this sample: b."]),
    )
    assert (advice.best, advice.worlds, advice.enumerated, advice.seed, advice.effort.nodes) == (
        (A,), number, False, 3, number,
    )
    assert advice.verdict == advice.moves[A]


def test_undistinguished_moves_are_listed() -> None:
    worlds = Listed(1, 2, 3)
    advice = advise(worlds, lambda w: {A: w, B: (2, 0, 3)[w - 1], C: 4 - w}, span=9, enumerate_at_most=0, samples=3)
    assert advice.undistinguished == (B, C)
    assert advice.to_json()["undistinguished"] == ["b", "c"]
    assert advice.notes[2:] == ("Not distinguished from the best move by this sample: b, c.",)
    assert advice.best == (A, C)


def test_means_are_exact() -> None:
    def mean(*values: float) -> Any:
        advice = advise(Listed(*values), row, span=4)
        assert isinstance(advice.moves[A], EnumeratedAverage)
        return advice.moves[A].value  # type: ignore[union-attr]

    assert mean(5) == 5
    assert mean(2**60, 2**60 + 2) == 2**60 + 1
    assert isinstance(mean(1, 3), int)
    assert mean(1, 2) == 1.5
    assert mean(1e16, 1.0, -1e16) == 1 / 3
    assert mean(*[0.1] * 10) == 0.1


@pytest.mark.parametrize(("most", "samples", "seed", "limit"), [(1_000, 9_000, None, 1_000), (1_001, 1_000, 0, None)])
def test_defaults(most: int, samples: int, seed: int | None, limit: int | None) -> None:
    """Up to 1,000 worlds are enumerated, of more 1,000 are sampled; ties keep a sample from ending early."""
    worlds = Listed(*range(most))
    advice = advise(worlds, lambda w: dict.fromkeys((A, B), 0), span=1)
    assert (advice.worlds, advice.enumerated, advice.seed) == (1_000, limit is not None, seed)
    assert advice.notes[0] == FUSION


def test_of_too_many_worlds_only_so_many_are_listed() -> None:
    class Endless(Listed):
        def weighted(self) -> Iterator[tuple[Any, int]]:
            yield from ((world, 1) for world in range(5))
            raise AssertionError("a sixth world is asked for")

    assert advise(Endless(1, 2, 3), row, span=1, samples=3, enumerate_at_most=4).worlds == 3


@pytest.mark.parametrize(("values", "worlds"), [
    ([9] * 40, 40), ([*[0] * 39, *[9] * 400], 60), ([*[0] * 60, *[9] * 400], 90), ([*[0] * 90, *[9] * 400], 135),
    ([1, -1] * 500, 500), ([*[1] * 32, *[-1] * 8], 40), ([*[1] * 29, *[-1] * 11], 60),
])
def test_a_sample_ends_where_all_is_told_apart(values: list[int], worlds: int) -> None:
    advice = advise(Listed(*values, *[9] * 600), row, span=4, enumerate_at_most=9, samples=500)
    assert advice.worlds == worlds


def test_the_looks_want_a_margin() -> None:
    """Where 0 is one half-width away but not one and a half, sampling goes on."""
    values = [1, 1, 1, 1, 1, -1, -1, -1] * 5
    advice = advise(Listed(*values, *[1] * 600), row, span=1, enumerate_at_most=9, samples=500)
    assert advice.worlds > 40
    at_40 = advise(Listed(*values), row, span=1, enumerate_at_most=9, samples=40)
    assert not at_40.behind[B].excludes_zero(1.5)


def test_progress_counts_the_worlds() -> None:
    heard: list[int] = []
    advise(Listed(1, 2, 3), row, span=1, progress=heard.append)
    assert heard == [1, 2, 3]
    advise(Listed(1, 2, 3), row, span=1, progress=heard.append, enumerate_at_most=2, samples=2)
    assert heard == [1, 2, 3, 1, 2]


def test_what_cannot_be_averaged() -> None:
    with pytest.raises(ValueError, match=r"^there is no possible world$"):
        advise(Listed(), row, span=1)
    with pytest.raises(ValueError, match=r"^samples is 1; it must be at least 2$"):
        advise(Listed(1, 2, 3), row, span=1, samples=1, enumerate_at_most=2)
    assert advise(Listed(1, 2, 3), row, span=1, samples=2, enumerate_at_most=2).worlds == 2
    with pytest.raises(ValueError, match="legal moves differ between worlds"):
        advise(Listed(1, 2, 3), lambda w: {A: 0} if w < 3 else {A: 0, B: 0}, span=1)


@pytest.mark.parametrize("most", [2, 100])
def test_time_ends_after_two_worlds(most: int, now: list[float]) -> None:
    done: list[Any] = []

    def slow(world: int) -> Mapping[Name, float]:
        done.append(world)
        now[0] += 1
        return row(world)

    advice = advise(Listed(*range(50)), slow, span=9, seconds=4, enumerate_at_most=most, samples=40)
    # The fifth begins when just four seconds are spent.
    assert len(done) == 5
    assert advice.effort == Effort(advice.worlds, 5.0)
    assert (advice.enumerated, advice.seed) == (False, 0)
    for seconds in (0, 0.5, 1):
        done.clear()
        assert advise(Listed(*range(50)), slow, span=9, seconds=seconds, enumerate_at_most=most, samples=40).worlds >= 2
        assert len(done) == 2
    done.clear()
    assert advise(Listed(*range(50)), slow, span=9, enumerate_at_most=most, samples=40).worlds == (40 if most == 2 else 50)


def test_a_cut_enumeration_is_the_sample_of_its_seed() -> None:
    """The worlds of the sample come first, drawn by weight, and only those before the first one missing count."""
    weights = (1, 1, 1, 50, 1, 1, 1, 50, 1, 1, 1, 1)
    drawn = random.Random(5).choices(range(12), weights, k=30)
    order = list(dict.fromkeys(drawn))
    seen: list[int] = []

    def patient(world: int) -> Mapping[Name, float]:
        if len(seen) == 8:
            raise OutOfTime
        seen.append(world)
        return row(world)

    advice = advise(Listed(*range(12), weights=weights), patient, span=9, seed=5, samples=30)
    counted = drawn[: drawn.index(order[8])] if len(order) > 8 else drawn
    assert seen == [*order, *(world for world in range(12) if world not in order)][:8]
    assert len(counted) > 8
    assert advice.worlds == len(counted)
    assert advice.intervals[A].mean == pytest.approx(statistics.fmean(counted))
    # Of a sample that is all of it done, nothing is lost; two are drawn at least.
    seen.clear()
    first = random.Random(5).choices(range(12), weights, k=2)
    assert advise(Listed(*range(12), weights=weights), patient, span=9, seed=5, samples=1).worlds == 2
    assert seen[: len(set(first))] == list(dict.fromkeys(first))


@pytest.mark.parametrize("most", [2, 100])
@pytest.mark.parametrize("done", [7, 8])
def test_eight_worlds_are_an_answer(most: int, done: int) -> None:
    left = iter(range(done))

    def patient(world: int) -> Mapping[Name, float]:
        if next(left, None) is None:
            raise OutOfTime
        return row(world)

    def ask() -> Advice[Name]:
        return advise(Listed(*range(50)), patient, span=9, enumerate_at_most=most, samples=40)

    if done == 7:
        with pytest.raises(OutOfTime):
            ask()
    else:
        assert ask().worlds >= 8
