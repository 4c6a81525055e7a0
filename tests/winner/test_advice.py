"""Solver of Winner, hidden hands: values, notes and limits of the advice on tiny positions."""
from __future__ import annotations

import itertools
import sys
import time
from typing import Any

import pytest

from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winner import State, View
from exactplay.solvers import hidden
from exactplay.solvers.result import EnumeratedAverage, Estimate, ExactExpectation
from exactplay.solvers.winner import Objective, advise, codec

module = sys.modules["exactplay.solvers.winner.advise"]

PLAYED_OUT = (
    "The worlds are too large to solve: in each, every move was played out 4 times with all seats moving at random. That "
    "tells strong moves from weak ones; it proves nothing."
)
TIES = "In each world, among moves equal for their mover the first in text order is taken (max^n); values rest on that."
#: whose values they are
WIN, PLACE = "Values are seat {}'s: the chance to be first out.", "Values are seat {}'s: his place, 0 for the Loser."
POINTS, DIFFERENCE = "Values are seat {}'s: his points.", "Values are seat {}'s: his points minus the other's."


def sampled(worlds: int) -> str:
    return f"Sampled worlds: {worlds}, the same for all moves, seed 0; intervals are at 95 %."


def view(text: str) -> View:
    return View.of(State.parse(text))


def means(advice: hidden.Advice[Any]) -> dict[str, float]:
    return {str(move): interval.mean for move, interval in advice.intervals.items()}


@pytest.mark.parametrize(("text", "objective", "values", "worlds", "notes"), [
    ("3D 9C | 4D | 5D TC; turn 0; rules end=first_out", "score", {"3D": -1, "9C": -1}, 3,
     (hidden.FUSION, TIES, POINTS.format(0))),
    ("3D 9C | 4D | 5D TC; turn 0", "place", {"3D": 1 / 3, "9C": 1 / 3}, 3, (hidden.FUSION, TIES, PLACE.format(0))),
    ("4D 9C | 3D | 5D; turn 0", "win", {"4D": 0, "9C": 1}, 2, (hidden.FUSION, TIES, WIN.format(0))),
    ("4D 9C | 3D 8C; turn 0; rules end=first_out", "score", {"4D": 2, "9C": 4}, 1, (hidden.FUSION, DIFFERENCE.format(0))),
    ("4D 9C | 3D TC; turn 1; rules end=first_out", "score", {"3D": 2, "TC": 4}, 1, (hidden.FUSION, DIFFERENCE.format(1))),
    ("4D 9C | 3D TC; turn 1", "win", {"3D": 1, "TC": 1}, 1, (hidden.FUSION, WIN.format(1))),
    ("4D 9C | 3D TC; turn 0", "win", {"4D": 0, "9C": 0}, 1, (hidden.FUSION, WIN.format(0))),
    ("3D 6C | - | 4D | 5D 8D; turn 3; out 1", "place", {"5D": 5 / 3, "8D": 2}, 3, (hidden.FUSION, TIES, PLACE.format(3))),
    ("3D 6C | - | - | 5D 8D; turn 3; out 1 2", "place", {"5D": 1, "8D": 1}, 1, (hidden.FUSION, TIES, PLACE.format(3))),
    ("3D 9C | - | - | 5D 8D; turn 3; out 1 2", "place", {"5D": 0, "8D": 0}, 1, (hidden.FUSION, TIES, PLACE.format(3))),
    ("9C TC | 3D | 5D 8D; turn 1", "win", {"3D": 1}, 6, (WIN.format(1),)),
    ("3D | 9D; turn 1; rules end=first_out", "score", {"9D": 2}, 1, (DIFFERENCE.format(1),)),
])
def test_every_world_counts(
    text: str, objective: Objective, values: dict[str, float], worlds: int, notes: tuple[str, ...],
) -> None:
    advice = advise(view(text), objective)
    assert means(advice) == values
    assert (advice.worlds, advice.enumerated, advice.notes) == (worlds, True, notes)
    assert advice.rules == State.parse(text).rules.describe()
    kind = EnumeratedAverage if hidden.FUSION in notes else ExactExpectation
    assert {type(verdict) for verdict in advice.moves.values()} == {kind}


def test_win_is_what_is_asked_for_by_default() -> None:
    assert advise(view("3D | 9D; turn 1")).notes == (WIN.format(1),)


def test_cards_out_of_play_that_nobody_knows_belong_to_no_seat() -> None:
    advice = advise(View.parse("4D 3D | ?1; turn 0; rules end=first_out jokers=false"), "score")
    # Of the 50 only 3C, 3H and 3S do not beat 4D and go out.
    assert advice.worlds == 50
    assert means(advice)["4D"] == pytest.approx((3 * 2 - 47 * 2) / 50)


def test_a_sample_of_worlds_says_what_it_rests_on() -> None:
    """Nobody has looked whether all worlds are without a choice."""
    sample = advise(view("9C TC | 3D | 5D 8D; turn 1"), "win", enumerate_at_most=0, samples=7, seconds=None)
    assert isinstance(sample.verdict, Estimate)
    assert sample.notes == (hidden.FUSION, sampled(7), TIES, WIN.format(1))
    just = advise(view("9C TC | 3D | 5D 8D; turn 1"), "win", enumerate_at_most=6)
    assert just.verdict == ExactExpectation(1, 6)
    less = advise(view("9C TC | 3D | 5D 8D; turn 1"), "win", enumerate_at_most=5, samples=7, seconds=None)
    assert less.notes == sample.notes


@pytest.mark.parametrize(("text", "objective", "span"), [
    ("4D 9C | 3D | 5D; turn 0", "win", 1), ("4D 9C | 3D | 5D; turn 0", "place", 2), ("4D 9C | 3D; turn 0", "place", 1),
    ("4D 9C | 3D | 5D; turn 0; rules end=first_out", "score", 12), ("4D 9C | 3D; turn 0; rules end=first_out", "score", 18),
    ("4D | 3D | 5D | 6D; turn 0; rules end=first_out", "score", 12),
])
def test_what_the_averages_are_told(
    monkeypatch: pytest.MonkeyPatch, text: str, objective: Objective, span: int,
) -> None:
    told: list[dict[str, Any]] = []
    real = hidden.advise

    def spied(*arguments: Any, **options: Any) -> Any:
        told.append(options)
        return real(*arguments, **options)

    monkeypatch.setattr(hidden, "advise", spied)
    heard: list[int] = []
    advice = advise(view(text), objective, samples=9, seconds=50, seed=3, enumerate_at_most=70, progress=heard.append)
    assert heard == list(range(1, advice.worlds + 1))
    advise(view(text), objective)
    fusion = hidden.FUSION in advice.notes
    assert told == [
        {"span": span, "fusion": fusion, "enumerate_at_most": 70, "samples": 9, "seconds": 50, "seed": 3,
         "progress": heard.append},
        {"span": span, "fusion": fusion, "enumerate_at_most": 1000, "samples": 400, "seconds": 10.0, "seed": 0,
         "progress": None},
    ]


@pytest.mark.parametrize(("text", "objective", "values", "whose"), [
    ("4D 9C | 3D | 5D; turn 0; rules end=first_out", "score", {"4D": 0.75, "9C": 2}, POINTS),
    ("4D | 3D 6D; turn 0; on 3C by 1; rules end=first_out", "score", {"4D": 4, "pass": -2 / 3}, DIFFERENCE),
    ("3D 6D | 4D; turn 1; on 3C by 0; rules end=first_out", "score", {"4D": 4, "pass": -2 / 3}, DIFFERENCE),
    ("4D 9C | 3D | 5D 8D; turn 0", "place", {"4D": 5 / 3, "9C": 2}, PLACE),
    ("4D 5D 9C | 3D; turn 0", "win", {"4D": 1, "5D": 1, "9C": 1}, WIN),
])
def test_worlds_beyond_the_limit_are_played_out(
    monkeypatch: pytest.MonkeyPatch, text: str, objective: Objective, values: dict[str, float], whose: str,
) -> None:
    monkeypatch.setattr(module, "_NODES_A_WORLD", 0)
    advice = advise(view(text), objective, samples=3, seconds=None)
    assert means(advice) == pytest.approx(values)
    assert (advice.enumerated, advice.worlds) == (False, 3)
    assert all(isinstance(verdict, Estimate) for verdict in advice.moves.values())
    assert [note for note in advice.notes if "Not distinguished" not in note] == [
        PLAYED_OUT, sampled(3), whose.format(State.parse(text).turn)]


def test_of_countless_worlds_a_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NODES_A_WORLD", 0)
    advice = advise(View.parse("3D | ?20; turn 0; on 5D by 1"), samples=2, seconds=None)
    assert means(advice) == {"pass": 0}  # nothing is lower than 3D, so he never plays it


def test_what_the_core_is_asked_in_each_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 150,000 nodes and 16 MB; if that is too little, four games a move, those of one world by one chance."""
    log: list[tuple[Any, ...]] = []
    real = codec.game_of

    class Spied:
        def __init__(self, state: State) -> None:
            game = real(state)
            self.moves, self.play, self.undo = game.moves, game.play, game.undo
            self._game = game

        def solve(self, *question: Any) -> Any:
            log.append(("solve", *question))
            return [None] * len(self.moves()), 0, 0.0

        def random_games(self, *question: Any) -> Any:
            log.append(("games", *question))
            return self._game.random_games(*question)

    monkeypatch.setattr(codec, "game_of", Spied)
    text = "4D 9C | 3D | 5D; turn 0; rules end=first_out"
    advise(view(text), "score", samples=2, seed=5)
    assert log == [("solve", 1, 150_000, 16)] + [("games", 4, (5 << 32) + world, 1) for world in (0, 0, 1, 1)]


def test_seconds_count_what_was_tried_in_vain_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(100)
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    assert advise(view("3D | 9D; turn 1"), seconds=None).effort.seconds == 3
    monkeypatch.setattr(module, "_NODES_A_WORLD", 0)
    advice = advise(view("4D 9C | 3D; turn 0"), samples=2, seconds=None)
    assert (advice.effort.nodes, advice.effort.seconds) == (2, 4)


@pytest.mark.parametrize(("text", "objective", "message"), [
    ("- | 5D | ?1; turn 1; out 0", "win", "the hand is over; there is nothing to advise"),
    ("- | ?1; turn 1; out 0", "place", "the hand is over; there is nothing to advise"),
    ("3D | ?1; turn 0", "score", "end=first_out"),
    ("3D | ?1 | ?1; turn 0; rules end=first_out", "place", "end=loser"),
    ("?1 | 3D; turn 0", "win", "his own hand must be known"),
])
def test_what_cannot_be_advised_on(text: str, objective: Objective, message: str) -> None:
    with pytest.raises(IllegalPosition, match=message):
        advise(View.parse(text), objective)


def test_a_seat_that_is_out_is_no_end_of_places() -> None:
    advice = advise(view("- | 5D | 6D; turn 1; out 0"), "place")
    assert means(advice) == {"5D": 1}


@pytest.mark.parametrize(("text", "objective", "leaves"), [
    ("4D | 3D; turn 0", "win", False),
    ("9D 9C | 3D; turn 0", "win", False),  # he can only pass
    ("4D | 3D 6D; turn 0; on 3C by 1", "win", True),  # two to lead with after a pass
    ("4D 9C | 3D | 5D; turn 1", "win", False),
    ("4D 9C | 3D | 5D; turn 1", "place", True),
    ("4D 9C | 3D | 5D; turn 1; rules end=first_out", "score", False),
])
def test_whether_a_choice_is_left(text: str, objective: Objective, leaves: bool) -> None:
    assert module._leaves_a_choice(State.parse(text), objective) is leaves
