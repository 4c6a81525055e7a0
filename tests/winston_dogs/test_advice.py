"""Winston (dogs): which worlds advice averages over, how deep and how long each is searched, and what the answer says."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winston_dogs import Card, Move, State, View, parse_cards
from exactplay.solvers import hidden
from exactplay.solvers.hidden import FUSION, Advice, Deals, OutOfTime
from exactplay.solvers.result import Bounds, EnumeratedAverage, Estimate, Exact, ExactExpectation, Result, Verdict
from exactplay.solvers.winston_dogs import advice as module
from exactplay.solvers.winston_dogs import advise, solve
from exactplay.solvers.winston_dogs.advice import (
    CHOICES_NOTE,
    OUT_OF_TIME_NOTE,
    STUCK_NOTE,
    for_mover,
    span,
    world_values,
)
from exactplay.solvers.winston_dogs.bridge import from_move, from_position, to_position
from exactplay.solvers.winston_dogs.exact import MAXN_NOTE

PAIR = "hands Kb Kb Gh | ? ? ?; table Khb Gb; pile ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12"
SIX = "hands Kb Kb Gh | ? ? ?; table Khb Gb; pile ? ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12"
STUCK = "hands Bh Bh Kh Kh Gh | ? ?; table Bh Kh Gh"
CROWD = "hands Bb Gb | ? ? | Kb ?; pile ?"


def rule_of_thumb(depth: int) -> str:
    return (
        f"Each world was searched {depth} turns deep and then counted by a rule of thumb (points, bone, poo, the "
        "dogs that could be taken at once): a guide, and the intervals cover the sampling only."
    )


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """CPU seconds as the test sets them."""
    clock = [7.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    return clock


class Asked:
    """What the average was asked with, and what each world; worlds are worth nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, too_long: int = 1_000) -> None:
        self.averages: list[dict[str, Any]] = []
        self.worlds: list[tuple[Any, ...]] = []
        self.too_long = too_long
        average = hidden.advise

        def advised(deals: Any, values: Any, **more: Any) -> Any:
            self.averages.append({"deals": deals, **more})
            return average(deals, values, **more)

        monkeypatch.setattr(hidden, "advise", advised)
        monkeypatch.setattr(module, "world_values", self.valued)

    def valued(self, view: View, world: Any, *limits: Any) -> Mapping[Move, int]:
        self.worlds.append(limits)
        if limits[0] >= self.too_long:
            raise OutOfTime
        return dict.fromkeys(view.world(world).legal_moves(), 0)


# The whole answer


def test_the_notes() -> None:
    for note, words in ((CHOICES_NOTE, "counts as equally likely"), (STUCK_NOTE, "player was stuck"),
                        (OUT_OF_TIME_NOTE, "time did not suffice")):
        assert words in note


@pytest.mark.parametrize(("text", "means"), [
    (PAIR, {"Gh Kb": -6.6, "Gh Kb Kb": 3.6, "Kb Kb": 9}),
    ("hands ? ? ? | Kb Kb Gh; turn 1; table Khb Gb; pile ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12",
     {"Gh Kb": 6.6, "Gh Kb Kb": 9.6, "Kb Kb": 15}),
])
def test_an_exact_expectation_in_full(text: str, means: dict[str, float]) -> None:
    heard: list[int] = []
    advice = advise(View.parse(f"{text}; unseen Bb Gb Gb Sh Wb"), progress=heard.append)
    assert advice.moves == {Move.parse(move): ExactExpectation(pytest.approx(mean), 7) for move, mean in means.items()}  # type: ignore[arg-type]
    assert list(map(str, advice.best)) == ["Kb Kb"]
    assert advice.notes == (CHOICES_NOTE,)
    assert heard == [1, 2, 3, 4, 5, 6, 7]


def test_advice_of_three_in_full() -> None:
    text = "hands ? ? | Bb Gb Kb | ?; turn 1; table Bb Gb; pile ?; longest 3; shortest 3; bone 1; poo 1; points 9 12 3"
    advice = advise(View.parse(f"{text}; unseen Bb Gb Gb Sh"))
    assert set(advice.moves.values()) == {EnumeratedAverage(12, 7)}
    assert advice.notes == (FUSION, CHOICES_NOTE, MAXN_NOTE)


def test_a_shortened_search_in_full() -> None:
    view = View.parse(f"{PAIR}; unseen Bb Gb Gb Sh Wb")
    advice = advise(view, turns=1, samples=9, seed=4)
    assert isinstance(advice, Advice)
    assert isinstance(advice.verdict, Estimate)
    sampled = "Sampled worlds: 9, the same for all moves, seed 4; intervals are at 95 %."
    assert (advice.worlds, advice.enumerated, advice.seed) == (9, False, 4)
    assert advice.notes[:2] == (FUSION, sampled)
    assert advice.notes[-2:] == (CHOICES_NOTE, rule_of_thumb(1))


# Which worlds


@pytest.mark.parametrize(("text", "unseen", "ordered", "exact"), [
    # One card on the pile is drawn by whoever plays; of two, a player who plays draws both.
    ("hands Bb Gb | ?; pile ?", "Kb Ob", False, True),
    ("hands Bb Gb | ?; pile ? ?", "Kb Ob Sb", False, True),
    ("hands Bb Gb | ?; pile ? ? ?", "Kb Ob Sb Wb", True, False),
    (f"{STUCK}; pile ?", "Kb Ob Sb", False, True),
    (f"{STUCK}; pile ? ?", "Kb Ob Sb Wb", True, False),
    # Under a hidden card lie those of stuck players.
    (f"{STUCK}; pile ? Gh", "Kb Ob Sb", True, False),
    ("hands Bb Gb | ?; pile ? Gh", "Kb Ob", False, False),
    ("hands Bb Gb | ? | ?; pile ?", "Kb Ob Sb", False, False),
    ("hands Bb Gb | ? | ?; pile ? ? ?", "Kb Ob Sb Wb Sh", True, False),
])
def test_the_worlds(text: str, unseen: str, ordered: bool, exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch)
    view = View.parse(f"{text}; unseen {unseen}")
    advice = advise(view)
    players = len(view.known.hands)
    group = frozenset({players}) if ordered else frozenset[int]()
    (average,) = asked.averages
    assert average["deals"] == Deals(tuple(sorted(parse_cards(unseen))), (*view.hidden, view.top), group)
    assert average["fusion"] is not exact
    assert isinstance(advice.verdict, ExactExpectation if exact else EnumeratedAverage)
    assert advice.notes == (
        *([] if exact else [FUSION]), CHOICES_NOTE, *([STUCK_NOTE] if view.known.pile else []),
        *([MAXN_NOTE] if players > 2 else []),
    )


@pytest.mark.parametrize(("text", "exact"), [
    ("hands Bb Gb | ?; unseen Kb", True),
    ("hands Bb Gb | Kb; unseen -", True),
    ("hands Bb Gb | ? ?; pile Ob; unseen Kb Sb", True),
    ("hands Bb Gb | - | ?; unseen Kb", True),
    ("hands Bb Gb | ?; pile ?; unseen Kb Ob", False),
    ("hands Bb Gb | ? | ?; unseen Kb Ob", False),
    # The third knows as little of the second's hand as he does of ours.
    ("hands Bb Gb | Kb | ?; unseen Ob", False),
    ("hands Bb Gb | Kb | Ob; unseen -", False),
    ("hands - | ? ? | ?; table Bh; unseen Kb Ob Sb", False),
])
def test_where_all_follows_from_what_was_seen(text: str, exact: bool) -> None:
    view = View.parse(text)
    answer = advise(view)
    assert isinstance(answer, Advice) is not exact
    if exact:
        solved = solve(view.some_world())
        assert replace(answer, effort=solved.effort) == for_mover(solved, view.known.turn)


def test_what_follows_is_solved_in_the_time_given(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def spy(state: State, **more: Any) -> Result[Move]:
        asked.append((state, more))
        return solve(state, **more)

    monkeypatch.setattr(module, "solve", spy)
    view = View.parse("hands ? | Bb Gb; turn 1; points 9 3; unseen Kb")
    assert advise(view, seconds=3).verdict == Exact(-6)
    assert asked == [(view.some_world(), {"seconds": 3})]


def test_what_has_no_advice() -> None:
    with pytest.raises(IllegalPosition, match=r"^the game is over, so there is no move to advise$"):
        advise(View.parse("hands - | -; unseen -"))
    view = View.parse("hands Bb Gb | ?; pile ?; unseen Kb Ob")
    with pytest.raises(IllegalPosition, match="the two numbers must be equal"):
        advise(replace(view, top=2))


# How deep and how long


def cards(number: int) -> str:
    return " ".join((["Bb"] * 8 + ["Gb"] * 8 + ["Kb"] * 8 + ["Ob"] * 8 + ["Sb"] * 8)[:number])


@pytest.mark.parametrize(("hands", "more", "depth"), [
    # Up to 28 cards of two players, 20 of more; own, hidden, and those of the pile.
    ("Wb Wb Wb Wb Wh | ? ? ? ? ?", 17, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ?", 18, 6),
    ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? ?", 6, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? ?", 7, 3),
    ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? | ?", 6, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? | ?", 7, 3),
])
def test_how_deep_a_world_is_searched(hands: str, more: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch)
    # The pile lies on one card that a stuck player put there.
    unseen = cards(hands.count("?") + more)
    view = View.parse(f"hands {hands}; pile {'? ' * more}Sh; unseen {unseen}")
    advice = advise(view, samples=3, seconds=None)
    assert set(asked.worlds) == {(depth,)}
    assert asked.averages[0]["enumerate_at_most"] == (1_000 if depth == 63 else 0)
    assert (rule_of_thumb(depth) in advice.notes) is (depth != 63)
    assert asked.averages[0]["fusion"]
    asked.worlds.clear()
    advise(view, samples=3, seconds=None, turns=5)
    assert set(asked.worlds) == {(5,)}


def test_what_the_average_is_asked(monkeypatch: pytest.MonkeyPatch, now: list[float]) -> None:
    asked = Asked(monkeypatch)
    view = View.parse(f"{SIX}; unseen Bb Gb Gb Sh Wb Wb")
    advise(view)
    assert asked.averages.pop() == {
        "deals": Deals(view.unseen, (0, 3, 3), frozenset({2})), "span": 48, "fusion": True, "enumerate_at_most": 1_000,
        "samples": 400, "seconds": 20.0, "seed": 0, "progress": None,
    }
    heard: list[int] = []
    advise(view, samples=12, seconds=5, seed=3, enumerate_at_most=7, progress=heard.append)
    more = asked.averages.pop()
    assert (more["samples"], more["seconds"], more["seed"], more["enumerate_at_most"]) == (12, 5, 3, 7)
    assert heard == list(range(1, 13))
    advise(view, seconds=None)
    assert asked.averages.pop()["seconds"] is None
    # An average over worlds that are cut is a sample, however few they are, and no expectation.
    advise(View.parse(f"{PAIR}; unseen Bb Gb Gb Sh Wb"), samples=5, turns=4)
    more = asked.averages.pop()
    assert (more["enumerate_at_most"], more["fusion"]) == (0, True)


def test_how_long_a_world_is_searched(monkeypatch: pytest.MonkeyPatch, now: list[float]) -> None:
    """Time for sixteen worlds, or for all where they are fewer; never more than is left."""
    asked = Asked(monkeypatch)
    view = View.parse(f"{SIX}; unseen Bb Gb Gb Sh Wb Wb")
    advise(view)
    assert set(asked.worlds) == {(63, 1.25)}
    assert len(asked.worlds) > 16
    asked.worlds.clear()
    seven = View.parse(f"{PAIR}; unseen Bb Gb Gb Sh Wb")
    advise(seven, seconds=14)
    assert asked.worlds == [(63, 2.0)] * 7
    asked.worlds.clear()
    valued = asked.valued

    def late(view: View, world: Any, *limits: Any) -> Mapping[Move, int]:
        now[0] = 20.5
        return valued(view, world, *limits)

    monkeypatch.setattr(module, "world_values", late)
    advise(seven, seconds=14)
    assert asked.worlds == [(63, 2.0), *[(63, 0.5)] * 6]
    now[0] = 7.0
    asked.worlds.clear()
    # The quick valuation is not hurried.
    advise(seven, samples=3, turns=6)
    advise(seven, samples=3, turns=5)
    assert asked.worlds == [(6,)] * 3 + [(5,)] * 3
    asked.worlds.clear()
    advise(seven, samples=3, turns=7)
    assert {limits[0] for limits in asked.worlds} == {7}
    assert all(len(limits) == 2 for limits in asked.worlds)


@pytest.mark.parametrize(("text", "unseen", "depth", "notes"), [
    (SIX, "Bb Gb Gb Sh Wb Wb", 6, [CHOICES_NOTE, OUT_OF_TIME_NOTE]),
    (CROWD, "Kb Ob Sb Sh", 3, [CHOICES_NOTE, OUT_OF_TIME_NOTE, MAXN_NOTE]),
])
def test_worlds_too_large_for_the_time_are_cut(
    text: str, unseen: str, depth: int, notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(monkeypatch, too_long=63)
    advice = advise(View.parse(f"{text}; unseen {unseen}"), samples=9)
    assert [limits[0] for limits in asked.worlds] == [63, *[depth] * 9]
    assert asked.averages[-1]["enumerate_at_most"] == 0
    assert isinstance(advice.verdict, Estimate)
    assert [note for note in advice.notes if note in (*notes, STUCK_NOTE, MAXN_NOTE, rule_of_thumb(depth))] == [
        *notes, rule_of_thumb(depth),
    ]


# One world


class Core:
    """Stands for Searcher or MaxN: keeps what it was asked, and gives the same answer to all."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.nodes = answer, 5
        self.made: list[tuple[Any, ...]] = []
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> Core:
        self.made.append(arguments)
        return self

    def value(self, *arguments: Any) -> Any:
        self.asked.append(arguments)
        return self.answer

    vector = value


def world_of(view: View) -> tuple[tuple[Card, ...], ...]:
    left = iter(view.unseen)
    return tuple(tuple(next(left) for _ in range(size)) for size in (*view.hidden, view.top))


LEFT = (1 << 62) - 5


@pytest.mark.parametrize(("depth", "deep"), [((), 63), ((63,), 63), ((62,), 61), ((2,), 1), ((1,), 0), ((0,), 0)])
@pytest.mark.parametrize(("seat", "sign"), [(0, 1), (1, -1)])
def test_a_world_of_two(seat: int, sign: int, depth: tuple[int, ...], deep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    core = Core((4, 4))
    monkeypatch.setattr(module, "Searcher", core)
    view = View.parse(("hands Bb Gb Kb | ?" if seat == 0 else "hands ? | Bb Gb Kb; turn 1") + "; unseen Ob")
    moves = view.some_world().legal_moves()
    assert world_values(view, world_of(view), *depth) == dict.fromkeys(moves, sign * 4)
    (game, table_bytes, look), = core.made
    assert (from_position(game), table_bytes, look(9)) == (view.some_world(), 1 << 23, False)
    # Two quick looks find the first guess; each move's value is the guess for the next.
    assert core.asked == [((), 0, 2), ((), 4, 4), *[([from_move(move)], 4, deep, LEFT) for move in moves]]


@pytest.mark.parametrize(("depth", "deep"), [((), 63), ((62,), 61), ((1,), 0)])
def test_a_world_of_three(depth: tuple[int, ...], deep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    core = Core((1, 2, 3))
    monkeypatch.setattr(module, "MaxN", core)
    view = View.parse("hands ? | Bb Gb Kb | ?; turn 1; unseen Ob Sb")
    moves = view.some_world().legal_moves()
    assert world_values(view, world_of(view), *depth) == dict.fromkeys(moves, 2)
    (game, table_bytes, look), = core.made
    assert (from_position(game), table_bytes, look(9)) == (view.some_world(), 1 << 23, False)
    assert core.asked == [([from_move(move)], deep, LEFT) for move in moves]


@pytest.mark.parametrize(("kind", "answer", "text"), [
    ("Searcher", (3, 4), "hands Bb Gb Kb | ?; unseen Ob"), ("MaxN", None, "hands Bb Gb Kb | ? | -; unseen Ob"),
])
def test_a_world_that_is_not_solved(
    kind: str, answer: Any, text: str, monkeypatch: pytest.MonkeyPatch, now: list[float]
) -> None:
    core = Core(answer)
    monkeypatch.setattr(module, kind, core)
    view = View.parse(text)
    with pytest.raises(IllegalPosition, match=r"^hands Bb Gb Kb \| Ob.*: in this world too many stuck turns in succession"):
        world_values(view, world_of(view), 63, 2.0)
    assert core.asked[-1][-1] == LEFT
    valued: Callable[..., Any] = core.value

    def slow(*arguments: Any) -> Any:
        now[0] += 1.5
        return valued(*arguments)

    monkeypatch.setattr(core, "value" if kind == "Searcher" else "vector", slow)
    if kind == "MaxN":
        now[0] += 1
        core.asked.clear()
        with pytest.raises(IllegalPosition):
            world_values(view, world_of(view), 63, 2.0)
        slow_twice = slow

        def slower(*arguments: Any) -> Any:
            slow_twice()
            return slow_twice(*arguments)

        monkeypatch.setattr(core, "vector", slower)
    with pytest.raises(OutOfTime):
        world_values(view, world_of(view), 63, 2.0)


# Small parts


@pytest.mark.parametrize(("text", "most"), [
    # Three black bodies with the head that lies there, three grey ones with the head in hand.
    (f"{PAIR}; unseen Bb Gb Gb Sh Wb", 6 + 6),
    ("hands Bb Bb | ?; table Bh; unseen Bb", 6), ("hands Bb Bb | ?; unseen Bh", 3), ("hands Bb Bb | ?; unseen Kh", 0),
    ("hands Bb Bb | ?; pile Bh Bb Gh Gb; unseen Kb", 6 + 1), ("hands - | Bb Bh | ?; table Gbbb; unseen Gh", 1 + 6),
])
def test_the_span(text: str, most: int) -> None:
    assert span(View.parse(text)) == 2 * (most + 12)


def test_an_answer_seen_by_the_player_on_turn() -> None:
    a, b, c, d, e, f = (Move.parse(text) for text in ("Bb", "Gb", "Kb", "Ob", "Sb", "Wb"))
    moves: dict[Move, Verdict] = {
        a: Exact(3), b: Bounds(1, 2), c: Bounds(None, -4), d: Bounds(5, None), e: Bounds((1, 2), 3), f: Exact((1, 2)),
    }
    result = Result(Exact(3), moves, (a,), (a, b), notes=("A note.",))
    assert for_mover(result, 0) == result
    assert for_mover(result, 1) == replace(result, verdict=Exact(-3), moves={
        a: Exact(-3), b: Bounds(-2, -1), c: Bounds(4, None), d: Bounds(None, -5), e: Bounds((1, 2), 3), f: Exact((1, 2)),
    })
    assert for_mover(Result(Bounds(3, (1, 2))), 1) == Result(Bounds(3, (1, 2)))
    assert for_mover(Result(Estimate(1, 2, 3)), 1) == Result(Estimate(1, 2, 3))


def test_values_of_a_world_are_those_of_the_solver() -> None:
    for text in ("hands Kb Kb Gh | Bb Gb Sh; table Khb Gb; pile Wb Gb; longest 3; shortest 3; bone 1; poo 1; points 9 12",
                 "hands Bb Gb Sh | Kb Kb Gh; turn 1; table Khb Gb; pile Wb Gb; longest 3; shortest 3; bone 1; poo 1"):
        state = State.parse(text)
        view = View(state, (0, 0), 0, ())
        solved = for_mover(solve(state), state.turn)
        assert {move: Exact(value) for move, value in world_values(view, ((), (), ())).items()} == solved.moves
    assert to_position(state).turn == 1
