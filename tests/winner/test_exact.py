"""Exact answers of Winner: the shared cases, plain minimax over the reference, tables, limits."""
from __future__ import annotations

import random
import sys
import time
from typing import Any

import pytest

from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winner import Rules, State, deck
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Bounds, Exact, Moves
from exactplay.solvers.winner import Objective, solve
from tests.winner.book import Minimax, random_rules, small_position
from tests.winner.cases import name, of_kind

exact = sys.modules["exactplay.solvers.winner.exact"]
BETWEEN_TWO: tuple[Objective, ...] = ("win", "score")


def question(case: dict[str, Any]) -> tuple[State, Objective]:
    data = dict(case["input"])
    objective = data.pop("objective")
    # The cases call the difference of two players' points "diff".
    return State.from_json(data), "score" if objective == "diff" else objective


def small(megabytes: float = 4, **limits: Any) -> Limits:
    return Limits(memory_mb=megabytes, **limits)


@pytest.mark.parametrize("case", of_kind("solve"), ids=name)
def test_solve_cases(case: dict[str, Any]) -> None:
    state, objective = question(case)
    result = solve(state, objective=objective, limits=small())
    assert result.verdict == Exact(case["expect"]["value"])
    if "best" in case["expect"]:
        assert [str(move) for move in result.best] == case["expect"]["best"]


@pytest.mark.parametrize("case", of_kind("maxn"), ids=name)
def test_maxn_cases(case: dict[str, Any]) -> None:
    state, objective = question(case)
    result = solve(state, objective=objective, limits=small())
    assert result.verdict == Exact(tuple(case["expect"]["vector"]))


@pytest.mark.parametrize("objective", ["win", "score", "place"])
@pytest.mark.parametrize("part", range(10), ids=lambda part: f"part{part}")
def test_value_and_best_moves_equal_plain_minimax(part: int, objective: Objective) -> None:
    """100 positions an objective, 300 in all; two to four players, every option."""
    rng = random.Random(f"minimax {objective} {part}")
    seen = 0
    while seen < 10:
        state = small_position(
            rng, random_rules(rng, "loser" if objective == "place" else "first_out"), rng.choice([2, 2, 2, 2, 3, 4]),
        )
        if state is None:
            continue
        seen += 1
        book = Minimax(objective)
        result = solve(state, objective=objective, moves="all", limits=small())
        mover = state.to_move
        values = {move: book.vector(state.play(move)) for move in state.legal_moves()}
        top = max(vector[mover] for vector in values.values())
        assert result.verdict == Exact(book.shown(state)), state
        assert result.best == tuple(move for move, vector in values.items() if vector[mover] == top), state
        assert result.moves == {move: Exact(book.shown(state.play(move))) for move in values}, state
        line = state
        for move in result.pv:
            line = line.play(move)
        assert book.settled(line), state
        assert book.shown(line) == book.shown(state), state


# --- the fast search itself ------------------------------------------------------------------------------------------


def deal(seed: int, cards: int, rules: Rules | None = None) -> State:
    pack = list(deck())
    random.Random(seed).shuffle(pack)
    return State.start([tuple(pack[:cards]), tuple(pack[cards:2 * cards])], 0, rules or Rules(end="first_out"))


@pytest.mark.parametrize("objective", ["win", "score"])
def test_cold_warm_and_tiny_tables_give_one_answer(objective: Objective) -> None:
    for seed in range(6):
        state = deal(seed, 10)
        large, tiny = (
            solve(state, objective=objective, moves="all", limits=small(megabytes)) for megabytes in (64, 1)
        )
        assert large.verdict == tiny.verdict
        assert large.moves == tiny.moves
        assert large.best == tiny.best
        brief = solve(state, objective=objective, moves="value")
        assert brief.verdict == large.verdict
        assert brief.best[0] in large.best


@pytest.mark.parametrize("objective", ["win", "score"])
def test_bounds_when_a_limit_ends_it_hold_the_truth(objective: Objective) -> None:
    state = deal(2, 12)
    truth = solve(state, objective=objective, moves="all")
    assert isinstance(truth.verdict, Exact)
    for nodes in (1, 10, 100, 1_000):
        result = solve(state, objective=objective, moves="all", limits=Limits(nodes=nodes))
        if isinstance(result.verdict, Bounds):
            low, high = result.verdict.low, result.verdict.high
            assert low is not None
            assert high is not None
            assert isinstance(truth.verdict.value, int)
            assert low <= truth.verdict.value <= high
            assert any("limit" in note for note in result.notes)
        for move, verdict in result.moves.items():
            exact = truth.moves[move]
            assert isinstance(exact, Exact)
            if isinstance(verdict, Bounds):
                assert verdict.low is not None
                assert verdict.high is not None
                assert verdict.low <= exact.value <= verdict.high  # type: ignore[operator]
            else:
                assert verdict == exact


def test_what_a_seat_that_is_out_has_played_belongs_to_nobody() -> None:
    """Both pass on it, and the seat after its owner leads, not the last that passed."""
    rng = random.Random(5)
    met = 0
    while met < 40:
        state = small_position(rng, Rules(end="loser", fours=rng.choice(["own", "off"])), rng.choice([3, 4]))
        while state is not None and state.to_move != OVER and not (
            sum(map(bool, state.hands)) == 2 and state.owner in state.out
        ):
            state = state.play(rng.choice(state.legal_moves()))
        if state is None or state.to_move == OVER:
            continue
        met += 1
        book = Minimax("place")
        result = solve(state, objective="place", moves="all", limits=small())
        assert result.verdict == Exact(book.shown(state)), state
        assert result.moves == {move: Exact(book.shown(state.play(move))) for move in state.legal_moves()}, state
    result = solve(State.parse("- | 5D 7D | 3D 4D 4C; turn 1; on 9D by 0; out 0"), objective="place")
    assert result.verdict == Exact((2, 1, 0))


def test_hands_larger_than_any_deal_keep_their_value() -> None:
    pack = deck()
    for cards in (30, 42, 43, 50):
        state = State.start([(pack[-1],), pack[:cards]], 0, Rules(end="first_out"))
        assert solve(state, objective="score", limits=small()).verdict == Exact(6 * cards)


def test_a_limit_of_time_holds_between_short_questions() -> None:
    result = solve(deal(1, 13), objective="score", limits=Limits(seconds=0))
    assert isinstance(result.verdict, Bounds)
    assert result.effort.nodes == 0


@pytest.mark.parametrize("moves", ["value", "best", "all"])
def test_of_what_is_asked_the_value_and_one_best_move_come_first(moves: Moves) -> None:
    """Whatever the limit: what is said is true, and more nodes never say less."""
    for seed in range(4):
        state = deal(seed, 8)
        truth = solve(state, objective="score", moves="all")
        enough = solve(state, objective="score", moves="value").effort.nodes
        result = solve(state, objective="score", moves=moves, limits=Limits(nodes=enough + 1))
        assert result.verdict == truth.verdict
        assert set(result.best) <= set(truth.best)


@pytest.mark.parametrize("rule", [{}, {"revolution": True}])
def test_a_best_move_that_is_a_guess_is_called_one(rule: dict[str, Any]) -> None:
    """Also where the limit came after the proof of the value."""
    state = State.from_json({"hands": ["JH QS RJ", "QD"], "turn": 0, "options": rule})
    best = {str(move) for move in solve(state).best}
    for nodes in range(40):
        result = solve(state, limits=Limits(nodes=nodes))
        if {str(move) for move in result.best} != best:
            assert any("limit" in note and "guess" in note for note in result.notes), nodes


def test_one_winning_move_proves_the_value_of_the_general_search() -> None:
    state = State.parse("JH QS RJ | QD 3D 3C 4D 4C 5D; turn 0; rules revolution=true")
    assert any(
        isinstance(result.verdict, Exact) and Bounds(None, None) in result.moves.values()
        for result in (solve(state, limits=Limits(nodes=nodes)) for nodes in range(1, 60))
    )
    for nodes in range(60):
        assert solve(state, limits=Limits(nodes=nodes)).verdict in (Bounds(-1, 1), Bounds(None, None), Exact(1))


def test_bounds_of_places_are_one_pair_a_seat() -> None:
    state = State.parse("4D 5D 9H | 3D 6D 9C | -; turn 0; out 2")
    verdict = solve(state, objective="place", limits=Limits(nodes=0)).verdict
    assert verdict == Bounds((0, 0, 2), (1, 1, 2))


def test_limits_of_the_general_search() -> None:
    pack = list(deck())
    random.Random(4).shuffle(pack)
    state = State.start([tuple(pack[:9]), tuple(pack[9:18]), tuple(pack[18:27])], 0, Rules(end="first_out"))
    result = solve(state, objective="score", limits=small(nodes=2_000))
    assert result.verdict == Bounds(None, None)
    assert any("limit" in note for note in result.notes)


def test_swapping_the_seats_changes_the_sign() -> None:
    for seed in range(10):
        state = deal(seed, 9)
        mirrored = State.start(state.hands[::-1], 1 - state.turn, state.rules)
        for objective in BETWEEN_TWO:
            first = solve(state, objective=objective, moves="value").verdict
            second = solve(mirrored, objective=objective, moves="value").verdict
            assert isinstance(first, Exact)
            assert isinstance(second, Exact)
            assert first.value == -second.value  # type: ignore[operator]


@pytest.mark.parametrize(("rules", "players", "objective", "message"), [
    ("", 2, "score", "end=first_out"), ("", 4, "score", "end=first_out"), ("end=first_out", 3, "place", "end=loser"),
    ("end=first_out", 2, "place", None), ("end=first_out", 3, "score", None), ("", 3, "place", None),
    ("", 3, "win", None), ("end=first_out", 3, "win", None),
])
def test_objectives_need_their_rules(rules: str, players: int, objective: Objective, message: str | None) -> None:
    hands = " | ".join(["3D", "4D", "5D", "6D"][:players])
    state = State.parse(f"{hands}; turn 0" + (f"; rules {rules}" if rules else ""))
    if message is None:
        assert solve(state, objective=objective).exact
        return
    with pytest.raises(IllegalPosition, match=message):
        solve(state, objective=objective)


@pytest.mark.parametrize(("text", "objective", "value"), [
    ("- | 5D; turn 1; out 0", "win", 1),
    ("5D | -; turn 0; out 1", "win", -1),
    ("- | 5D; turn 1; out 0; rules end=first_out", "score", 2),
    ("- | 5D; turn 1; out 0", "place", (1, 0)),
    ("- | 5D; turn 1; out 0; rules end=first_out", "place", (1, 0)),
    ("5D | - | -; turn 0; out 2 1", "place", (0, 1, 2)),
    ("- | 5D | 6D 7D; turn 1; out 0; rules end=first_out", "score", (4, -1, -2)),
])
def test_a_hand_that_is_over_has_its_value(text: str, objective: Objective, value: Any) -> None:
    if objective == "score" and "| 6D" in text:
        value = (3, -1, -2)
    result = solve(State.parse(text), objective=objective)
    assert (result.verdict, dict(result.moves), result.best) == (Exact(value), {}, ())


def test_once_somebody_is_out_any_move_wins_as_much() -> None:
    state = State.parse("- | 5D | 6D 7D; turn 1; out 0")
    result = solve(state)
    assert (result.verdict, result.best) == (Exact((1, 0, 0)), state.legal_moves())


TURNED = "3D 7D 8D | 4D 9C; turn {}; rules revolution=true end=first_out"


@pytest.mark.parametrize(("text", "objective", "value", "moves", "line"), [
    (TURNED.format(0), "score", -4, "3D -4, 7D -4, 8D -4", "3D / 9C / pass / 4D"),
    (TURNED.format(0), "win", -1, "3D -1, 7D -1, 8D -1", "3D / 4D / 7D / 9C"),
    (TURNED.format(1), "win", -1, "4D -1, 9C -1", "4D / 7D / 9C"),
    (TURNED.format(1), "score", -6, "4D -4, 9C -6", "9C / pass / 4D"),
    ("3D 7D | - | 4D 9C; turn 2; out 1; rules revolution=true", "place", (0, 2, 1), "4D (0, 2, 1), 9C (0, 2, 1)",
     "4D / 7D / 9C"),
    ("3D 7D | - | 4D 9C; turn 0; out 1; rules revolution=true", "place", (0, 2, 1), "3D (0, 2, 1), 7D (0, 2, 1)",
     "3D / 9C / pass / 4D"),
    ("3D 3C | 4D 9C | 5D; turn 1", "win", (0, 1, 0), "4D (0, 0, 1), 9C (0, 1, 0)", "9C / pass / pass / 4D"),
    ("3D 8C | 4D 9C | 5D 5C; turn 1; rules end=first_out", "score", (-2, 4, -2), "4D (-1, 2, -1), 9C (-2, 4, -2)",
     "9C / pass / pass / 4D"),
    ("3D 7D | 4D 9C | 5D TC; turn 0", "place", (1, 0, 2), "3D (1, 0, 2), 7D (0, 1, 2)",
     "3D / 4D / TC / pass / pass / 5D / 7D"),
    ("3D | 5D; turn 0; rules end=first_out", "place", (1, 0), "3D (1, 0)", "3D"),
])
def test_whole_answers(text: str, objective: Objective, value: Any, moves: str, line: str) -> None:
    result = solve(State.parse(text), objective=objective, moves="all")
    assert result.verdict == Exact(value)
    assert ", ".join(f"{move} {verdict.value}" for move, verdict in result.moves.items()) == moves  # type: ignore[union-attr]
    assert " / ".join(map(str, result.pv)) == line


# --- hands with more moves than anybody could list --------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_limits_hold_where_moves_are_billions(players: int) -> None:
    state = State.deal(random.Random(2), players, Rules(decks=2))
    start = time.monotonic()
    result = solve(state, limits=Limits(seconds=0.3))
    assert time.monotonic() - start < 2
    assert isinstance(result.verdict, Bounds)
    assert state.play(result.best[0])


def test_a_deal_with_more_moves_than_are_listed_is_solved_by_one_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    state = deal(0, 10)
    whole = solve(state, moves="all")
    monkeypatch.setattr(exact, "MOST_MOVES", 10)
    few = solve(state, moves="all")
    assert few.verdict == whole.verdict
    assert len(few.moves) < len(whole.moves)
    assert all(whole.moves[move] == verdict for move, verdict in few.moves.items())
    assert set(few.best) <= set(whole.best)


def test_max_n_says_whether_it_rests_on_ties() -> None:
    tied = solve(State.parse("3D 7D | 4D 9C | 5D TC; turn 0; rules end=first_out"), objective="score")
    assert any("text order" in note or "No tie" in note for note in tied.notes)
