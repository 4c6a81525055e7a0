"""Winston (dogs): exact answers against the cases and plain searches over the reference, in full, and under limits."""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import COLOURS, Move, State
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Bounds, Exact, Moves, Result
from exactplay.solvers.winston_dogs import solve
from exactplay.solvers.winston_dogs.bridge import from_move, to_position
from exactplay.solvers.winston_dogs.exact import LIMIT_NOTE, MAXN_NOTE
from tests.winston_dogs.cases import TooLarge, cases, minimax, plain_maxn, small_positions
from tests.winston_dogs.subject import dealt

SMALL_TABLE = 1 << 20
SMALL = Limits(memory_mb=1)
FIRST = "hands Gb Gb Ob Sb | Bb Bb Gh; table Kb Wbb Ob Sbbb; longest 4; shortest 2; bone 0; poo 1; points 37 21"
SECOND = "hands Bb Gb Gb | Bb Gh Kb; table Bhb Kb Gbb; turn 1; longest 4; shortest 2; bone 0; poo 1; points 7 5"
THREE = "hands Bb Gb | Bh Kb Kh | Gh Ob; table Bb Kb; turn 1; longest 3; shortest 2; bone 0; poo 2; points 3 4 5"
PILE = (
    "hands Bh Kb Kb Kh Sb | Bb Gb Kh Wb Wh; table Gh Wb Obb Sb; pile Sh Sb; turn 0; longest 6; shortest 2; bone 1; poo 1; "
    "points 31 55; skips 0"
)


@cases("solve")
def test_solve(case: dict[str, Any]) -> None:
    state = State.from_json(case["input"])
    result = solve(state, moves="all", limits=SMALL)
    assert result.verdict == Exact(case["expect"]["value"])
    if "best" in case["expect"]:
        assert [str(move) for move in result.best] == case["expect"]["best"]
    quick = solve(state, moves="best", limits=SMALL)
    assert (quick.verdict, quick.best) == (result.verdict, result.best)
    check_line(state, result.pv, result.verdict.value)


@cases("maxn")
def test_maxn(case: dict[str, Any]) -> None:
    state = State.from_json(case["input"])
    result = solve(state, limits=Limits(memory_mb=4))
    assert result.verdict == Exact(tuple(case["expect"]["vector"]))
    for move in result.pv:
        state = state.play(move)
    assert state.scores() == result.verdict.value
    assert any("first in text order" in note for note in result.notes)


def check_line(state: State, line: tuple[Move, ...], value: Any) -> None:
    for move in line:
        state = state.play(move)
    first, second = state.scores()
    assert first - second == value


def agree_with_minimax(state: State, limits: Limits = SMALL) -> bool:
    memo: dict[State, int] = {}
    try:
        value = minimax(state, memo)
        values = {move: minimax(state.play(move), memo) for move in state.legal_moves()}
    except TooLarge:
        return False
    result = solve(state, moves="all", limits=limits)
    assert result.verdict == Exact(value), str(state)
    assert result.moves == {move: Exact(known) for move, known in values.items()}, str(state)
    assert result.best == tuple(move for move, known in values.items() if known == value), str(state)
    quick = solve(state, moves="best", limits=limits)
    assert (quick.verdict, quick.best) == (result.verdict, result.best), str(state)
    below = Bounds(None, value - 1) if state.turn == 0 else Bounds(value + 1, None)
    for move, verdict in quick.moves.items():
        assert verdict == (Exact(value) if values[move] == value else below), str(state)
    check_line(state, result.pv, value)
    return True


def test_300_small_positions_against_minimax() -> None:
    """Small hands beside a pile too, where positions may repeat in many ways."""
    states = small_positions(1, 300, 2, hand=[2, 3, 3, 4], pile=[0, 2, 3, 4], heads=[0.3, 0.9])
    assert sum(agree_with_minimax(state) for state in states) >= 295
    assert sum(state.legal_moves()[0].action != "play" for state in states) > 20


def test_full_hands_against_minimax() -> None:
    states = small_positions(2, 14, 2, hand=[4, 5], pile=[0, 1, 2, 3], heads=[0.4, 0.9], full_hands=[True])
    assert sum(agree_with_minimax(state) for state in states) >= 8


def test_real_games_with_few_cards_left_against_minimax() -> None:
    rng, done = random.Random(4), 0
    while done < 12:
        state = State.deal(rng)
        while state.to_move != OVER and len(state.pile) + sum(map(len, state.hands)) > 9:
            state = state.play(rng.choice(state.legal_moves()))
        if state.to_move != OVER:
            done += agree_with_minimax(state)


def test_maxn_against_plain_maxn() -> None:
    done = 0
    for state in small_positions(5, 150, None, hand=[2, 3], pile=[0, 2, 3], heads=[0.3, 0.9]):
        memo: dict[State, tuple[int, ...]] = {}
        try:
            vector = plain_maxn(state, memo)
            vectors = {move: plain_maxn(state.play(move), memo) for move in state.legal_moves()}
        except TooLarge:
            continue
        search = MaxN(to_position(state), SMALL_TABLE)
        assert search.vector() == vector, str(state)
        assert {move: search.vector([from_move(move)]) for move in vectors} == vectors
        assert MaxN(to_position(state), 0).vector() == vector
        if len(state.hands) > 2:
            result = solve(state, limits=SMALL)
            assert result.verdict == Exact(vector)
            assert result.moves == {move: Exact(known) for move, known in vectors.items()}
        done += 1
    assert done >= 140


def test_an_earlier_run_of_stuck_turns_counts() -> None:
    """A position in the middle of a run: what stood before it may not come again."""
    states, checked = small_positions(6, 200, 2, hand=[2, 3], pile=[2, 3], heads=[1.0]), 0
    for state in states:
        for _ in range(3):
            if state.to_move != OVER and state.legal_moves()[0].action == "under":
                state = state.play(state.legal_moves()[-1])
        if state.stuck and state.to_move != OVER and state.hands[state.turn]:
            checked += agree_with_minimax(state)
    assert checked >= 20


def test_an_earlier_run_of_stuck_turns_counts_in_maxn() -> None:
    checked = 0
    for state in small_positions(6, 200, 3, hand=[2], pile=[2, 3], heads=[1.0]):
        for _ in range(2):
            if state.to_move != OVER and state.legal_moves()[0].action == "under":
                state = state.play(state.legal_moves()[-1])
        if state.stuck and state.to_move != OVER and state.hands[state.turn]:
            assert MaxN(to_position(state), SMALL_TABLE).vector() == plain_maxn(state, {}), str(state)
            checked += 1
    assert checked >= 20


@pytest.mark.parametrize("hands", [
    "Bh Gh Kh Oh | Bh Gh Kh Oh", "Sh Wh Kh Oh | - | Bh Gh Kh Oh Wh", "Bh Gh Kh Oh | Bh Gh Kh Oh; turn 1",
])
def test_where_all_are_stuck_for_ever_nothing_more_is_scored(hands: str) -> None:
    """Every dog has its head, every card left is a head: however it is played, it ends by repetition with what is held."""
    held = Counter(card for hand in hands.split(";")[0].split("|") for card in hand.split() if card != "-")
    left = Counter({f"{colour}h": 2 for colour in COLOURS})
    pile = " ".join(sorted((left - held).elements()))
    points = " ".join(["10", "4", "1"][: hands.count("|") + 1])
    state = State.parse(f"hands {hands}; table Bhb Gh Kh Oh Sh Wh; pile {pile}; points {points}")
    rng, ends = random.Random(1), set()
    for _ in range(5):
        game = state
        while game.to_move != OVER:
            game = game.play(rng.choice(game.legal_moves()))
        ends.add(game.scores())
    scores, = ends
    assert MaxN(to_position(state), SMALL_TABLE).vector() == scores
    value: int | tuple[int, ...] = scores[0] - scores[1] if len(scores) == 2 else scores
    result = solve(state, limits=SMALL)
    assert result.verdict == Exact(value)
    assert set(result.moves.values()) == {Exact(value)}


# Whole answers


def texts(result: Result[Move]) -> dict[str, Any]:
    return {str(move): verdict.value if isinstance(verdict, Exact) else verdict for move, verdict in result.moves.items()}


@pytest.mark.parametrize(("text", "value", "moves", "best", "line"), [
    (FIRST, 25, {"Gb Gb": 25, "Gb Gb Ob": 25, "Gb Gb Ob Sb": 25, "Gb Gb Sb": 25, "Gb Ob": 19, "Gb Ob Sb": 19, "Gb Sb": 19,
                 "Ob Sb": 19},
     ["Gb Gb", "Gb Gb Ob", "Gb Gb Ob Sb", "Gb Gb Sb"], ["Gb Gb", "Bb Bb", "Ob Sb", "Gh"]),
    (SECOND, 5, {"Bb Gh": 8, "Bb Gh Kb": 8, "Bb Kb": 5, "Gh Kb": 8}, ["Bb Kb"], ["Bb Kb", "Bb Gb", "Gh", "Gb"]),
])
def test_an_answer_in_full(text: str, value: int, moves: dict[str, int], best: list[str], line: list[str]) -> None:
    state = State.parse(text)
    assert agree_with_minimax(state, Limits(memory_mb=0.004))
    result = solve(state, moves="all")
    assert result == Result(
        Exact(value), {Move.parse(move): Exact(worth) for move, worth in moves.items()}, tuple(map(Move.parse, best)),
        tuple(map(Move.parse, line)), viewpoint=0, mover=state.turn, players=2,
    )
    assert 0 < result.effort.nodes < 200
    assert result.effort.table_fill is not None
    assert 0 < result.effort.table_fill < 0.5
    below: Any = Bounds(None, value - 1) if state.turn == 0 else Bounds(value + 1, None)
    quick = solve(state)
    assert texts(quick) == {move: value if move in best else below for move in moves}
    assert replace(quick, moves={}) == replace(result, moves={})
    # Only one best move, and what that proves of the moves before it.
    least = solve(state, moves="value")
    assert (least.verdict, least.best, least.pv) == (Exact(value), result.best[:1], result.pv)


@pytest.mark.parametrize("moves", ["value", "best", "all"])
def test_an_answer_of_maxn_in_full(moves: Moves) -> None:
    vectors = {"Bh Kb": (12, 1, 5), "Bh Kb Kh": (6, 7, 5), "Bh Kh": (12, 1, 5), "Kb Kh": (9, 4, 5)}
    best, line = Move.parse("Bh Kb Kh"), tuple(map(Move.parse, ("Bh Kb Kh", "Gh Ob", "Bb Gb")))
    assert solve(State.parse(THREE), moves=moves) == Result(
        Exact((6, 7, 5)), {Move.parse(move): Exact(vector) for move, vector in vectors.items()}, (best,), line,
        notes=(MAXN_NOTE,), viewpoint=None, mover=1, players=3,
    )


def test_of_equal_moves_the_line_of_maxn_has_the_first() -> None:
    state = State.parse("hands Bb Gb Kb | Bb Gb Ob | Kb Ob Sb; table Bb; points 1 2 3")
    result = solve(state)
    assert list(map(str, result.pv)) == ["Bb Gb", "Bb Gb", "Kb Ob", "Kb", "Ob", "Sb"]
    assert list(map(str, result.best)) == ["Bb Gb", "Bb Gb Kb", "Bb Kb", "Gb Kb"]
    assert set(result.moves.values()) == {Exact((1, 2, 3))}


# Limits


def test_a_limit_gives_bounds_that_hold() -> None:
    state = next(s for s in (dealt(random.Random(seed), 2) for seed in range(100)) if 20 <= len(s.pile) <= 44)
    while len(state.pile) > 12:
        state = state.play(state.legal_moves()[0])
    exact = solve(state)
    assert isinstance(exact.verdict, Exact)
    value = exact.verdict.value
    assert isinstance(value, int)
    seen = set()
    for nodes in (1, 50, 500, 2_000, 8_000, 20_000):
        result = solve(state, limits=Limits(nodes=nodes))
        seen.add(result.verdict.kind)
        if isinstance(result.verdict, Bounds):
            low, high = result.verdict.low, result.verdict.high
            assert not isinstance(low, tuple)
            assert not isinstance(high, tuple)
            assert (low is None or low <= value) and (high is None or value <= high)
            assert len(result.best) == 1
            assert any("limit" in note for note in result.notes)
        else:
            assert result.verdict == exact.verdict
    assert "bounds" in seen
    assert solve(state, limits=Limits(seconds=1e-9)).verdict.kind == "bounds"


def test_a_limit_of_maxn_claims_nothing() -> None:
    state = dealt(random.Random(3), 4)
    result = solve(state, limits=Limits(nodes=1_000))
    assert result.verdict == Bounds(None, None)
    assert set(result.moves.values()) == {Bounds(None, None)}


@pytest.mark.parametrize(("text", "best"), [(FIRST, "Gb Gb"), (SECOND, "Bb Kb"), (PILE, "Bh Kh")])
def test_a_limit_leaves_the_move_that_looks_best(text: str, best: str) -> None:
    state = State.parse(text)
    unknown = Bounds(None, None)
    assert solve(state, limits=Limits(nodes=0)) == Result(
        unknown, dict.fromkeys(state.legal_moves(), unknown), (Move.parse(best),), notes=(LIMIT_NOTE,),
        viewpoint=0, mover=state.turn, players=2,
    )


def test_a_limit_may_cut_the_line_short() -> None:
    state = State.parse(SECOND)
    spent = next(n for n in range(200) if solve(state, moves="all", limits=Limits(nodes=n)).exact)
    result = solve(state, moves="all", limits=Limits(nodes=spent))
    assert (result.verdict, result.pv, result.notes) == (Exact(5), (), ())
    lengths = [len(solve(state, moves="all", limits=Limits(nodes=n)).pv) for n in range(spent, 200, 5)]
    assert lengths == sorted(lengths)
    assert lengths[-1] == 4
