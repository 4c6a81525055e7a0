"""What the solvers share: verdicts, results, limits."""
from __future__ import annotations

import copy
import json
import pickle
import time
from typing import Any, Self

import pytest

from exactplay.rules.contract import BadOption
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Report
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


@pytest.mark.parametrize(("verdict", "shown", "fields"), [
    (Exact(0.1 + 0.2), "0.3 (exact)", {"kind": "exact", "value": 0.1 + 0.2}),
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
    assert result.to_json().items() >= fields.items()
    assert result.exact == isinstance(verdict, Exact)


RESULT = Result(
    Exact(2), {A: Exact(2), B: Bounds(None, 1), C: Exact(-3)}, (A,), (A, B), Effort(5, 0.5, 0.25), "some rules",
    (Source("sheet", "measured", "abc"),), ("A note.",), viewpoint=0, mover=0,
)


def test_an_answer_as_plain_data() -> None:
    assert json.loads(json.dumps(RESULT.to_json())) == {
        "kind": "exact", "value": 2, "viewpoint": 0, "mover": 0, "best": ["a"],
        "moves": {"a": 2, "b": {"kind": "bounds", "low": None, "high": 1}, "c": -3}, "pv": ["a", "b"], "nodes": 5,
        "seconds": 0.5, "table_fill": 0.25, "rules": "some rules",
        "sources": [{"name": "sheet", "provenance": "measured", "digest": "abc"}], "notes": ["A note."],
    }


def test_answers_are_values() -> None:
    for again in (pickle.loads(pickle.dumps(RESULT)), copy.deepcopy(RESULT)):
        assert again == RESULT
        assert hash(again) == hash(RESULT)
    # What an answer cost is no part of it.
    assert Result(Exact(1), effort=Effort(9, 9.0)) == Result(Exact(1))
    assert Result(Exact(1), viewpoint=1) != Result(Exact(1))


def test_whose_value_it_is() -> None:
    other = RESULT.pov(1)
    assert (other.verdict, other.viewpoint, other.mover, other.best) == (Exact(-2), 1, 0, (A,))
    assert other.moves == {A: Exact(-2), B: Bounds(-1, None), C: Exact(3)}
    assert other.pov(0) == RESULT
    vector: Result[Name] = Result(Exact((3, 1, 2)), {A: Exact((3, 1, 2)), B: Exact((0, 1, 2))}, viewpoint=None, players=3)
    assert vector.pov(2).moves == {A: Exact(2), B: Exact(2)}
    for answer, seat in ((RESULT, 2), (RESULT, True), (RESULT, None), (vector.pov(2), 0)):
        with pytest.raises(BadOption):
            answer.pov(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize(("viewpoint", "mover", "values", "ranked"), [
    (0, 0, {A: 1, B: 3, C: 2}, (B, C, A)), (0, 1, {A: 1, B: 3, C: 2}, (A, C, B)),
    (None, 1, {A: (9, 1), B: (0, 3), C: (5, 2)}, (B, C, A)),
])
def test_moves_are_ranked_for_whoever_is_to_move(
    viewpoint: int | None, mover: int, values: dict[Name, Any], ranked: tuple[Name, ...]
) -> None:
    moves = {move: Exact(value) for move, value in values.items()}
    result = Result(moves[ranked[0]], moves, ranked[:1], viewpoint=viewpoint, mover=mover)
    assert result.ranked() == ranked
    assert list(result.to_json()["moves"]) == list(ranked)


@pytest.mark.parametrize("wrong", [
    {"nodes": -1}, {"nodes": 1.5}, {"nodes": True}, {"nodes": 10**30}, {"seconds": -1}, {"seconds": float("nan")},
    {"seconds": "3"}, {"cpu_seconds": float("inf")}, {"memory_mb": 0}, {"threads": 0}, {"threads": None}, {"samples": 1},
])
def test_limits_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=next(iter(wrong))):
        Limits(**wrong)


def test_a_budget_names_the_limit_that_it_hit() -> None:
    budget = Budget(Limits(nodes=10))
    assert not budget.poll(9_999)  # nodes of a kernel that has limits of its own, booked when it ends
    budget.spend(10)
    assert (budget.struck, budget.nodes_left) == ("nodes", 0)
    with pytest.raises(OutOfBudget, match="the limit of nodes was reached"):
        budget.check()
    assert Budget(Limits(seconds=0)).struck == "seconds"
    assert Budget(Limits(cpu_seconds=0)).struck == "cpu_seconds"
    free = Budget(Limits())
    free.spend(10**9)
    free.check()


def test_seconds_are_those_of_the_clock_and_cpu_seconds_those_of_the_thread() -> None:
    waits, works = Budget(Limits(seconds=0.05)), Budget(Limits(cpu_seconds=0.05))
    time.sleep(0.06)
    assert (waits.struck, works.struck) == ("seconds", None)


def test_a_part_of_a_budget_is_no_more_than_is_left() -> None:
    budget = Budget(Limits(nodes=10, seconds=100, threads=3))
    budget.spend(4)
    part = budget.within(nodes=50, seconds=7).limits
    assert (part.nodes, part.seconds, part.cpu_seconds, part.threads) == (6, 7, None, 3)
    assert budget.within(nodes=2).limits.nodes == 2


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.limits.REPORT_EVERY", 0.0)
    heard: list[Report] = []
    budget = Budget(Limits(), heard.append)
    budget.spend(5)
    budget.poll(2)
    budget.tell({"worlds": 3}, 9, lambda: RESULT)
    assert heard == [Report({"nodes": 7}), Report({"worlds": 3}, 9, RESULT)]
    monkeypatch.setattr("exactplay.solvers.limits.REPORT_EVERY", 1e9)
    budget.tell({"worlds": 4}, 9, lambda: pytest.fail("no report is due"))
    assert len(heard) == 2
