"""The parts of Winkeladvokat's solver one by one: counts, the bridge to the core, max^n, budgets, certificates."""
from __future__ import annotations

import functools
import inspect
import time
from dataclasses import dataclass
from typing import Any

import pytest

from exactplay.certificates import Checked, check_content
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Board, Move, Rules, State
from exactplay.solvers import winkeladvokat
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.result import Exact
from exactplay.solvers.winkeladvokat import Duel, certificate, divide, perft, solve
from exactplay.solvers.winkeladvokat.bridge import NativeState, to_core
from exactplay.solvers.winkeladvokat.certificate import certify, easiest
from exactplay.solvers.winkeladvokat.duel import Budget, OutOfBudget, OutOfMemory
from exactplay.solvers.winkeladvokat.maxn import MaxN, Memory, Paranoid, successors

SMALL = "2R/3/B2 b 1,1 0,0"
MANY = "R1Y/3/B2 b 15,15,15 0,0,0"
#: a1 and b2 of Blue; his Article can go round four of Red's, either way.
DIAMOND = "4R/2r2/1r1r1/1br2/B4 b 2,2 0,0"


def test_the_package_has_what_it_names() -> None:
    named = {name for name in winkeladvokat.__all__ if not inspect.ismodule(getattr(winkeladvokat, name))}
    assert len(named) == len(winkeladvokat.__all__) == 10


def test_counts() -> None:
    state = State.parse(DIAMOND)
    assert perft(state, 0)._asdict() == {"paths": 1, "distinct": 1}
    assert perft(state, 2)._asdict() == {"paths": 216, "distinct": 190}
    parts = {str(move): paths for move, paths in divide(state, 2).items()}
    assert len(parts) == 16
    assert (parts["a1-a5-d5"], parts["b2xb4"], parts["b2xb4xd4xd2xb2"]) == (8, 10, 26)
    assert set(divide(state, 1).values()) == {1}
    over = State.parse(SMALL)
    assert perft(over, 1_000) == (0, 0)
    assert set(divide(over, 1_000).values()) == {0}


@pytest.mark.parametrize("depth", [-1, 1_001])
def test_a_depth_out_of_reach_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"depth of a perft is {depth}; it must be 0 or more, 1000 at most"):
        perft(State.parse(SMALL), depth)


@pytest.mark.parametrize("depth", [0, 1_001])
def test_a_depth_that_cannot_be_divided_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"needs a depth of 1 or more, 1000 at most, not {depth}"):
        divide(State.parse(SMALL), depth)


# ---- the bridge to the core


def test_numbers_too_large_for_the_core_are_refused() -> None:
    most = Board(3, (999_991, *[1] * 7, 2))
    assert to_core(State.initial(3, board=most)).scores() == [0, 0]
    assert to_core(State.parse("2R/3/B2 b 1,1 0,1000000")).scores() == [0, 1_000_000]
    for state in (
        State.initial(3, board=Board(3, (999_991, *[1] * 7, 3))), State.parse("2R/3/B2 b 1,1 0,1000001"),
        State.parse("2R/3/B2 b 1,1 1000001,0"),
    ):
        with pytest.raises(ValueError, match="must be at most 1000000"):
            to_core(state)


def test_earlier_positions_reach_the_core_as_it_would_keep_them_itself() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    state = State.parse("R2Y/4/4/B3 b 0,0,0 0,0,0", rules)
    native = NativeState.of(state)
    for ply in range(5):
        assert to_core(state).earlier() == native.core.earlier()
        assert len(native.core.earlier()) == ply
        assert str(native) == str(state)
        move = state.legal_moves()[ply]
        state, native = state.play(move), native.play(move)


# ---- three and four players


def test_memory_holds_as_many_positions_as_it_says() -> None:
    rules = Rules(empty_supply="moves_without_placing")
    first = State.parse("3R/4/4/B3 b 0,0 0,0", rules)
    second = first.play(first.legal_moves()[0])
    third = second.play(second.legal_moves()[0])
    for states, room in (([first], 1_000), ([second], 1_040), ([third], 1_080), ([first, third, second], 3_120)):
        memory = Memory(room / 1_048_576)
        for state in states:
            memory.take(to_core(state))
        assert memory.left == 0
        less = Memory((room - 0.5) / 1_048_576)
        with pytest.raises(OutOfMemory):
            for state in states:
                less.take(to_core(state))


def test_moves_to_one_position_are_listed_together() -> None:
    found = successors(to_core(State.parse(DIAMOND)))
    texts = [[str(move) for move in alike] for alike, _ in found]
    assert len(texts) == 15
    assert texts[0] == ["a1-a4-b4"]
    assert texts[11] == ["b2xb4xd4xd2xb2", "b2xd2xd4xb4xb2"]
    assert found[11][1].fields() == to_core(State.parse(DIAMOND).play(Move.parse("b2xd2xd4xb4xb2"))).fields()


def forced(state: State, player: int) -> tuple[int, int]:
    """The margin over the best of the others that a player can force, and the positions met, by the reference."""
    met = set()

    @functools.cache
    def value(at: State) -> int:
        if at.to_move == OVER:
            return at.scores()[player] - max(score for other, score in enumerate(at.scores()) if other != player)
        met.add(at)
        values = [value(at.play(move)) for move in at.legal_moves()]
        return max(values) if at.turn == player else min(values)

    return value(state), len(met)


@pytest.mark.parametrize(("text", "margins"), [
    (MANY, [2, -2, -2]), ("1yB2/r1r1R/1b2r/Y1b2/5 y 2,1,2 1,0,0", [3, -3, -10]),
])
def test_what_one_player_can_force(text: str, margins: list[int]) -> None:
    state = State.parse(text)
    found = []
    for player in range(3):
        budget = Budget(used=5)
        found.append(Paranoid(player, budget, Memory(1)).value(to_core(state)))
        assert (found[-1], budget.used - 5) == forced(state, player)
    assert found == margins
    assert Paranoid(1, Budget(), Memory(1)).value(to_core(State.parse("R1Y/yyb/Byr b 1,1,1 5,9,3"))) == -2
    with pytest.raises(OutOfBudget):
        Paranoid(0, Budget(nodes=1), Memory(1)).value(to_core(state))
    with pytest.raises(OutOfMemory):
        Paranoid(0, Budget(), Memory(0.001)).value(to_core(state))


def test_max_n_counts_positions() -> None:
    core = to_core(State.parse(MANY))
    budget = Budget(used=5)
    assert MaxN(budget, Memory(1)).value(core) == (2, 0, 0)
    assert budget.used - 5 == forced(State.parse(MANY), 0)[1]
    with pytest.raises(OutOfMemory):
        MaxN(Budget(), Memory(0.001)).value(core)


# ---- certificates


@dataclass
class After:
    """What comes after a move: ``replies`` moves, none where the game is over."""

    replies: int

    def finished(self) -> bool:
        return not self.replies

    def moves(self) -> list[int]:
        return [0] * self.replies


@dataclass
class Choice:
    name: str
    gain: int
    after: After


class Proofs:
    """In place of a Duel: options, of which one is proven once so many nodes are allowed."""

    def __init__(self, choices: list[Choice], proven: str = "", nodes: int = 0) -> None:
        self.choices, self.proven, self.nodes = choices, proven, nodes
        self.asked: list[tuple[str, int]] = []

    def options(self, at: Any) -> list[Choice]:
        assert at.fields() == to_core(State.parse(SMALL)).fields()
        return self.choices

    def holds(self, option: Choice, least: int, budget: Budget, at_most: int) -> bool | None:
        assert (least, budget) == (4, BUDGET)
        self.asked.append((option.name, at_most))
        return at_most >= self.nodes if option.name == self.proven else None


BUDGET = Budget(nodes=7)


def test_a_move_that_ends_the_game_is_the_easiest_proof() -> None:
    choices = [Choice("a", 9, After(1)), Choice("b", 3, After(0)), Choice("c", 4, After(0)), Choice("d", 5, After(0))]
    duel: Any = Proofs(choices)
    found: Any = easiest(duel, State.parse(SMALL), 4, BUDGET)
    assert found == Choice("c", 4, After(0))
    assert duel.asked == []


def test_a_proof_is_looked_for_with_growing_effort_where_replies_are_few_first() -> None:
    choices = [Choice("a", 9, After(5)), Choice("b", 3, After(0)), Choice("c", 4, After(9)), Choice("d", 5, After(2))]
    duel: Any = Proofs(choices, "c", 16)
    found: Any = easiest(duel, State.parse(SMALL), 4, BUDGET)
    assert found == Choice("c", 4, After(9))
    assert duel.asked == [(name, nodes) for nodes in (1, 4, 16) for name in "bdac"]


@pytest.mark.parametrize("text", ["4R/2r2/1r1r1/1br2/B4 b 2,2 3,1", "3R/4/4/B3 b 5,5 0,2"])
def test_a_certificate_says_the_value(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.certificates.proof._TELL_EVERY", 5)
    told: list[str] = []
    state = State.parse(text)
    checked = check_content(certify(state, megabytes=1, progress=told.append))
    assert isinstance(checked, Checked)
    assert Exact(checked.low) == Exact(checked.high) == solve(state).verdict
    assert told[:2] == ["5 positions proven", "10 positions proven"]


def test_what_a_certificate_asks_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    state = State.parse("2R/3/B2 b 3,3 0,0")
    tables: list[Any] = []
    asked: list[Any] = []
    budgets: list[Any] = []
    now = time.process_time()
    monkeypatch.setattr(time, "process_time", lambda: now)

    def table(board: Board, rules: Rules, megabytes: float) -> Any:
        tables.append((Duel(board, rules, 0.02), board, rules, megabytes))
        return tables[-1][0]

    def solved(*arguments: Any, **options: Any) -> Any:
        asked.append((arguments, options))
        return solve(*arguments, **options)

    def easily(duel: Duel, at: State, least: int, budget: Budget) -> Any:
        budgets.append((duel, budget.seconds))
        return easiest(duel, at, least, budget)

    monkeypatch.setattr(certificate, "Duel", table)
    monkeypatch.setattr(certificate, "solve", solved)
    monkeypatch.setattr(certificate, "easiest", easily)
    certify(state, seconds=30.0)
    certify(state, megabytes=3)
    (first, *given), (second, *other) = tables
    assert (given, other) == ([state.board, state.rules, 512.0], [state.board, state.rules, 3])
    options = {"moves": "value", "catch_interrupt": False}
    assert asked == [
        ((state,), {**options, "seconds": 30.0, "duel": first}), ((state,), {**options, "seconds": None, "duel": second}),
    ]
    half = len(budgets) // 2
    assert budgets == [(first, 30.0)] * half + [(second, None)] * half


def test_a_certificate_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise OutOfBudget

    monkeypatch.setattr(certificate, "easiest", stop)
    with pytest.raises(NotProven, match="no proof within 20 CPU seconds"):
        certify(State.parse("2R/3/B2 b 3,3 0,0"), seconds=20.0, megabytes=1)
