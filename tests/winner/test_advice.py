"""Advice on Winner with hidden hands: the book's averages, what a value rests on, and one world alone."""
from __future__ import annotations

import dataclasses
import functools
import random
import sys
from fractions import Fraction
from typing import Any

import pytest

from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winner import Move, Rules, State, View, deck
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice, Deals
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import EnumeratedAverage, Estimate, Exact, ExactExpectation
from exactplay.solvers.winner import Objective, advise, solve
from tests.winner.book import Minimax

module = sys.modules["exactplay.solvers.winner.advice"]


def averaged(view: View, **options: Any) -> Advice[Move]:
    advice = advise(view, **options)
    assert isinstance(advice, Advice)
    return advice


def view(text: str) -> View:
    return View.of(State.parse(text))


def means(advice: hidden.Advice[Any]) -> dict[str, float]:
    return {str(move): interval.mean for move, interval in advice.intervals.items()}


@pytest.mark.parametrize(("text", "objective", "values", "worlds", "fusion"), [
    ("3D 9C | 4D | 5D TC; turn 0; rules end=first_out", "score", {"3D": -1, "9C": -1}, 3, True),
    ("3D 9C | 4D | 5D TC; turn 0", "place", {"3D": 1 / 3, "9C": 1 / 3}, 3, True),
    ("4D 9C | 3D | 5D; turn 0", "win", {"4D": 0, "9C": 1}, 2, True),
    ("3D 6C | - | 4D | 5D 8D; turn 3; out 1", "place", {"5D": 5 / 3, "8D": 2}, 3, True),
    ("9C TC | 3D | 5D 8D; turn 1", "win", {"3D": 1}, 6, False),
])
def test_every_world_counts(
    text: str, objective: Objective, values: dict[str, float], worlds: int, fusion: bool,
) -> None:
    advice = averaged(view(text), objective=objective)
    assert means(advice) == values
    assert (advice.worlds, advice.enumerated, hidden.FUSION in advice.notes) == (worlds, True, fusion)
    assert advice.rules == State.parse(text).rules.describe()
    kind = EnumeratedAverage if fusion else ExactExpectation
    assert {type(verdict) for verdict in advice.moves.values()} == {kind}


def test_cards_out_of_play_that_nobody_knows_belong_to_no_seat() -> None:
    advice = averaged(View.parse("4D 3D | ?1; turn 0; rules end=first_out jokers=false"), objective="score")
    # Of the 50 only 3C, 3H and 3S do not beat 4D and go out.
    assert advice.worlds == 50
    assert means(advice)["4D"] == pytest.approx((3 * 2 - 47 * 2) / 50)


def test_a_sample_of_worlds_says_what_it_rests_on() -> None:
    """Nobody has looked whether all worlds are without a choice."""
    sample = averaged(view("9C TC | 3D | 5D 8D; turn 1"), enumerate_at_most=0, limits=Limits(samples=7))
    assert isinstance(sample.verdict, Estimate)
    assert hidden.FUSION in sample.notes
    just = averaged(view("9C TC | 3D | 5D 8D; turn 1"), enumerate_at_most=6)
    assert just.verdict == ExactExpectation(1, 6)
    less = averaged(view("9C TC | 3D | 5D 8D; turn 1"), enumerate_at_most=5, limits=Limits(samples=7))
    assert less.notes == sample.notes


@pytest.mark.parametrize(("text", "objective"), [
    ("4D 9C | 3D | 5D; turn 0; rules end=first_out", "score"), ("4D 9C | 3D | 5D 8D; turn 0", "place"),
    ("4D 5D 9C | 3D | 5H; turn 0", "win"),
])
def test_worlds_beyond_the_limit_are_played_out(
    monkeypatch: pytest.MonkeyPatch, text: str, objective: Objective,
) -> None:
    """Every move in every world, and all answers are within what the objective can give."""
    monkeypatch.setattr(module, "_NODES_A_WORLD", 0)
    advice = averaged(view(text), objective=objective, limits=Limits(samples=3))
    state = State.parse(text)
    assert set(advice.moves) == set(state.legal_moves())
    assert (advice.enumerated, advice.worlds) == (False, 3)
    assert all(isinstance(verdict, Estimate) for verdict in advice.moves.values())
    assert any("proves nothing" in note for note in advice.notes)
    lowest, highest = {"win": (0, 1), "score": (-3 * 2, 3 * 2), "place": (0, 2)}[objective]
    assert all(lowest <= mean <= highest for mean in means(advice).values())


def test_of_countless_worlds_a_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NODES_A_WORLD", 0)
    advice = averaged(View.parse("3D | ?20; turn 0; on 5D by 1"), limits=Limits(samples=2))
    assert means(advice) == {"pass": 0}  # nothing is lower than 3D, so he never plays it


@pytest.mark.parametrize(("text", "objective", "message"), [
    ("3D | ?1; turn 0", "score", "end=first_out"),
    ("3D | ?1 | ?1; turn 0; rules end=first_out", "place", "end=loser"),
    ("?1 | 3D; turn 0", "win", "his own hand must be known"),
])
def test_what_cannot_be_advised_on(text: str, objective: Objective, message: str) -> None:
    with pytest.raises(IllegalPosition, match=message):
        advise(View.parse(text), objective=objective)


@pytest.mark.parametrize(("text", "objective"), [
    ("4D 9C | 3D 8C; turn 0; rules end=first_out", "score"), ("4D 9C | 3D TC; turn 1", "win"),
    ("3D 6C | - | - | 5D 8D; turn 3; out 1 2", "place"), ("- | 5D | 6D; turn 1; out 0", "place"),
    ("9D 9C | 3D; turn 0", "win"),
])
def test_where_one_world_fits_the_answer_is_the_exact_one(text: str, objective: Objective) -> None:
    state = State.parse(text)
    seat = state.to_move
    exact = solve(state, objective=objective).pov(seat)
    for known in (state, View.of(state)):
        advice = advise(known, objective=objective)
        assert isinstance(advice.verdict, Exact)
        assert dataclasses.replace(advice, notes=()) == dataclasses.replace(exact, notes=())
        assert not any(f"Values are 1 if seat {1 - seat}" in note for note in advice.notes)
        assert (advice.viewpoint, advice.mover) == (seat, seat)


@pytest.mark.parametrize(("text", "objective"), [
    ("- | 5D | ?1; turn 1; out 0", "win"), ("- | ?1; turn 1; out 0", "place"),
])
def test_what_is_settled_has_its_value(text: str, objective: Objective) -> None:
    advice = advise(View.parse(text), objective=objective)
    assert advice.verdict == Exact(0)


def hidden_position(seed: int, sizes: tuple[int, ...], end: str = "first_out", ranks: int = 13) -> State:
    pack = [card for card in deck() if card.rank < ranks or card.is_joker]
    rng = random.Random(seed)
    rng.shuffle(pack)
    starts = [sum(sizes[:seat]) for seat in range(len(sizes))]
    hands = [tuple(pack[start:start + size]) for start, size in zip(starts, sizes, strict=True)]
    return State.start(hands, 0, Rules.from_mapping({"end": end}))


def by_the_book(state: State, objective: Objective) -> dict[Move, Fraction]:
    """The mean over all worlds, each by plain max^n over the reference."""
    view = View.of(state)
    worlds = [view.world(world) for world, weight in Deals(view.unseen, view.hidden).weighted() for _ in range(weight)]
    totals: dict[Move, Fraction] = {}
    for move in state.legal_moves():
        total = sum(Minimax(objective).vector(world.play(move))[state.to_move] for world in worlds)
        totals[move] = Fraction(total, len(worlds))
    return totals


@pytest.mark.parametrize("seed", range(6))
def test_enumerated_average_equals_the_book(seed: int) -> None:
    objective: Objective = "score" if seed % 2 else "place"
    state = hidden_position(seed, (3, 2, 2), "first_out" if seed % 2 else "loser")
    advice = averaged(View.of(state), objective=objective)
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert advice.worlds == 6
    book = by_the_book(state, objective)
    assert {move: interval.mean for move, interval in advice.intervals.items()} == pytest.approx(
        {move: float(mean) for move, mean in book.items()})
    assert set(advice.best) == {move for move, mean in book.items() if mean == max(book.values())}
    assert any("strategy fusion" in note for note in advice.notes)


def test_exact_expectation_equals_the_full_game_tree() -> None:
    """A few dozen tiny positions in which nobody has a choice after the first move."""
    seen = 0
    for seed in range(400):
        rng = random.Random(seed)
        mine = rng.sample([card for card in deck() if card.rank < 6], 2)
        others = rng.sample([card for card in deck() if card.rank < 6 and card not in mine], 2)
        state = State.start([tuple(mine), (others[0],), (others[1],)], 0, Rules(end="first_out"))
        advice = averaged(View.of(state), objective="score")
        if not isinstance(advice.verdict, ExactExpectation):
            continue
        seen += 1
        tree = {
            move: sum((expected(world.play(move)) for world in two_worlds(state)), Fraction(0)) / 2
            for move in state.legal_moves()
        }
        assert {move: interval.mean for move, interval in advice.intervals.items()} == {
            move: float(value) for move, value in tree.items()}, state
        if seen == 36:
            return
    pytest.fail(f"only {seen} such positions")


def two_worlds(state: State) -> list[State]:
    first, second = state.hands[1], state.hands[2]
    return [State.start([state.hands[0], *hands], 0, state.rules) for hands in ((first, second), (second, first))]


@functools.cache
def expected(state: State) -> Fraction:
    """Seat 0's points in a tree without choices."""
    if state.to_move == OVER:
        return Fraction(state.scores()[0])
    (move,) = state.legal_moves()
    return expected(state.play(move))


def test_intervals_of_samples_cover_the_enumerated_average() -> None:
    """In 90 to 99 of 100 positions, as the house wants it."""
    covered = 0
    for seed in range(100):
        view = View.of(hidden_position(seed, (2, 3, 3), ranks=7))
        truth = averaged(view, objective="score")
        assert truth.enumerated
        sampled = averaged(view, objective="score", enumerate_at_most=0, limits=Limits(samples=60), seed=seed)
        assert isinstance(sampled.verdict, Estimate)
        move = min(truth.moves)
        interval = sampled.intervals[move]
        covered += interval.low <= truth.intervals[move].mean <= interval.high
    assert 90 <= covered <= 99


def test_worlds_too_large_to_solve_are_played_out_and_say_so() -> None:
    state = State.deal(random.Random(2), 3, Rules(end="first_out"))
    advice = averaged(View.of(state), limits=Limits(samples=20))
    assert isinstance(advice.verdict, Estimate)
    assert any("played out" in note and "proves nothing" in note for note in advice.notes)
    again = averaged(View.of(state), limits=Limits(samples=20))
    assert again.moves == advice.moves


def test_the_score_against_one_other_is_the_difference_solved_or_played_out() -> None:
    unseen = averaged(View.parse("3D | ?2; turn 0; rules end=first_out"), objective="score", limits=Limits(samples=20))
    assert isinstance(unseen.verdict, Estimate)
    assert unseen.verdict.mean == 4
    assert any("minus the other's" in note for note in unseen.notes)
    # Nothing is lower than 3D, so seat 0 never plays it and always loses one point, in worlds too large to solve.
    large = View.parse("3D | ?20; turn 0; on 5D by 1; rules end=first_out")
    played = averaged(large, objective="score", limits=Limits(samples=20))
    assert any("played out" in note for note in played.notes)
    assert isinstance(played.verdict, Estimate)
    assert played.verdict.mean == -2
