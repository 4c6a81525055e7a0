"""Winkeladvokat's ``solve``: the whole of its answers, where it is stopped, what it tells and keeps meanwhile."""
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from exactplay.cli import winkeladvokat
from exactplay.rules.winkeladvokat import Move, Rules, State
from exactplay.solvers.result import Bounds, Effort, Exact, Result
from exactplay.solvers.winkeladvokat import INTERRUPTED, Duel, proven, solve, solving
from exactplay.solvers.winkeladvokat.duel import OutOfBudget, OutOfMemory
from exactplay.solvers.winkeladvokat.exact import GUESS_NOTE, MEMORY_NOTE, verdict_of
from exactplay.solvers.winkeladvokat.maxn import MaxN, Paranoid
from tests.winkeladvokat.test_duel import FINISHED, Search, with_search

THREE = State.parse("2R/3/B2 b 3,3 0,0")
#: Red is 10 points ahead and can gain 2 more.
RED = State.parse("4R/2r2/1r1r1/1br2/B4 r 2,2 3,1")
ON_TURN = Rules(end_check="on_turn")
LIMIT_NOTE = "The search ended at its limit."
ONE_NOTE = "Only one best move was asked for; others may be as good."
REST_NOTE = "The value is proven; whether other moves reach it is not known of all."
RED_VALUES = {
    "b3xb1": 9, "c2xa2": 9, "e5-a5-a2": -8, "e5-a5-a3": -2, "e5-a5-a4": -6, "e5-b5-b4": 5, "e5-d5-d4": 12, "e5-e1-b1": -8,
    "e5-e1-c1": -2, "e5-e1-d1": -6, "e5-e2-d2": 5, "e5-e4-d4": 12,
}


def texts(moves: Any) -> list[str]:
    return [str(move) for move in moves]


# ---- whole answers


def test_the_whole_answer_with_every_move_valued() -> None:
    result = solve(RED, moves="all", megabytes=1)
    assert (result.verdict, result.rules, result.notes) == (Exact(12), "default rules", ())
    assert list(result.moves.items()) == [(Move.parse(text), Exact(value)) for text, value in RED_VALUES.items()]
    assert (texts(result.best), texts(result.pv)) == (["e5-d5-d4", "e5-e4-d4"], ["e5-d5-d4", "a1-e1-e4"])
    assert result.effort.nodes > 1
    assert result.effort.table_fill


@pytest.mark.parametrize(("wanted", "best", "notes"), [
    ("best", ["e5-d5-d4", "e5-e4-d4"], ()), ("value", ["e5-d5-d4"], (ONE_NOTE,)),
])
def test_the_whole_answer_with_bounds_of_other_moves(wanted: Any, best: list[str], notes: tuple[str, ...]) -> None:
    result = solve(RED, moves=wanted, megabytes=1)
    assert (result.verdict, result.notes, texts(result.best)) == (Exact(12), notes, best)
    assert texts(result.moves) == list(RED_VALUES)
    for move, verdict in result.moves.items():
        value = RED_VALUES[str(move)]
        if isinstance(verdict, Bounds):
            assert verdict.high is not None
            assert value <= verdict.high <= (11 if wanted == "best" else 12)  # type: ignore[operator]
        else:
            assert verdict == Exact(value)


def test_rules_are_told_and_best_moves_are_the_default() -> None:
    state = State.parse(str(RED), ON_TURN)
    assert solve(state, megabytes=1).rules == "end_check=on_turn"
    assert solve(State.parse(str(FINISHED), ON_TURN)).rules == "end_check=on_turn"
    assert not solve(state, megabytes=1).notes


def test_a_finished_game() -> None:
    state = State.parse("2R/rb1/Bb1 b 1,1 5,2")
    result = solve(state, megabytes=1)
    assert state.scores() == (11, 4)
    assert (result.verdict, result.moves, result.best, result.pv) == (Exact(7), {}, (), ())
    assert (result.effort.nodes, result.effort.table_fill) == (0, 0.0)


@pytest.mark.parametrize(("wanted", "code"), [("value", 0), ("best", 0), ("all", 0), ("VALUE", 2), ("every", 2)])
def test_what_may_be_asked_of_the_moves_on_the_command_line(wanted: str, code: int) -> None:
    arguments = ["solve", str(THREE), "--memory", "1", "--moves", wanted, "--json"]
    assert CliRunner().invoke(winkeladvokat.app, arguments).exit_code == code


def test_the_defaults_of_memory_and_of_a_table_given(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[float] = []

    def tell(board: Any, rules: Any, megabytes: float) -> Duel:
        made.append(megabytes)
        return Duel(board, rules, 0.02)

    monkeypatch.setattr(solving, "Duel", tell)
    solve(THREE)
    solve(THREE, megabytes=3)
    solve(THREE, megabytes=4, duel=Duel(THREE.board, THREE.rules, 1))
    assert made == [512.0, 3]


# ---- limits


@pytest.mark.parametrize("wanted", ["value", "best", "all"])
def test_every_limit_of_nodes(wanted: Any) -> None:
    """Whatever the search was doing at its limit, the answer says how far it came, and what it says holds."""
    whole = solve(RED, moves=wanted, megabytes=0.02)
    met = set()
    for nodes in range(1, whole.effort.nodes + 2):
        result = solve(RED, moves=wanted, nodes=nodes, megabytes=0.02)
        assert result.effort.nodes <= nodes
        assert result.effort.table_fill is not None
        met.add((result.exact, result.notes))
        assert texts(result.moves) == list(RED_VALUES)
        for move, verdict in [(None, result.verdict), *result.moves.items()]:
            value = 12 if move is None else RED_VALUES[str(move)]
            low, high = (verdict.low, verdict.high) if isinstance(verdict, Bounds) else (value, value)
            assert verdict == Exact(value) or isinstance(verdict, Bounds)
            assert low is None or (isinstance(low, int) and low <= value)
            assert high is None or (isinstance(high, int) and high >= value)
        if result.exact:
            assert {RED_VALUES[text] for text in texts(result.best)} == {12}
            assert len(result.best) == (1 if wanted == "value" else 2)
        else:
            assert (len(result.best), result.pv) == (1, ())
        assert texts(result.pv) in ([], ["e5-d5-d4", "a1-e1-e4"])
        assert bool(result.pv) == (result.notes in ((), (ONE_NOTE,)))
    stages: dict[str, set[Any]] = {
        "value": {(True, (ONE_NOTE,))}, "best": {(True, (LIMIT_NOTE, REST_NOTE)), (True, ())},
        "all": {(True, (LIMIT_NOTE, REST_NOTE)), (True, (LIMIT_NOTE,)), (True, ())},
    }
    assert met == stages[wanted] | {(False, (LIMIT_NOTE, GUESS_NOTE))}


def test_the_notes() -> None:
    assert "best move is a guess" in GUESS_NOTE
    assert "interrupted" in INTERRUPTED
    assert "its limit of memory" in MEMORY_NOTE


STOPS = [(KeyboardInterrupt, INTERRUPTED), (OutOfMemory, MEMORY_NOTE), (OutOfBudget, LIMIT_NOTE)]


@pytest.mark.parametrize(("error", "note"), STOPS)
@pytest.mark.parametrize(("at", "wanted", "verdict", "best", "notes"), [
    ("gain", "best", Bounds(-143, 163), 1, (GUESS_NOTE,)),
    ("holds", "best", Exact(12), 2, (REST_NOTE,)),
    ("a_best", "value", Exact(12), 2, (REST_NOTE,)),
    ("line", "best", Exact(12), 2, ()),
    ("line", "value", Exact(12), 1, (ONE_NOTE,)),
])
def test_a_search_that_is_stopped_says_by_what(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException], note: str, at: str, wanted: Any, verdict: Any, best: int,
    notes: tuple[str, ...],
) -> None:
    whole = getattr(Duel, at)

    def stop(*arguments: Any) -> Any:
        monkeypatch.setattr(Duel, at, whole)
        raise error

    monkeypatch.setattr(Duel, at, stop)
    result = solve(RED, moves=wanted, megabytes=0.02)
    assert (result.verdict, len(result.best), result.pv) == (verdict, best, ())
    assert result.notes == ((*notes, note) if notes == (ONE_NOTE,) else (note, *notes))
    if error is KeyboardInterrupt:
        monkeypatch.setattr(Duel, at, stop)
        with pytest.raises(KeyboardInterrupt):
            solve(RED, moves=wanted, megabytes=0.02, catch_interrupt=False)


def test_where_no_move_is_proven_the_one_nearest_to_it_is_the_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    efforts = dict(zip(RED_VALUES, (9.0, 4.0, 7.0, 1.0, 8.0, 1.0, 5.0, 6.0, 9.0, 9.0, 9.0, 9.0), strict=True))
    asked = []

    def effort(self: Duel, option: Any, least: int) -> float:
        asked.append(least)
        return efforts[str(option.moves[0])]

    def stop(*arguments: Any) -> Any:
        raise OutOfBudget

    monkeypatch.setattr(Duel, "effort_to_prove", effort)
    monkeypatch.setattr(Duel, "holds", stop)
    result = solve(RED, megabytes=0.02)
    assert (result.verdict, texts(result.best), result.pv) == (Exact(12), ["e5-a5-a3"], ())
    assert result.notes == (LIMIT_NOTE, GUESS_NOTE, REST_NOTE)
    assert set(asked) == {2}
    monkeypatch.setattr(Duel, "gain", stop)
    made = Duel(RED.board, RED.rules, 0.02)
    made.likely = 5
    asked.clear()
    result = solve(RED, duel=made)
    assert (texts(result.best), result.notes) == (["e5-a5-a3"], (LIMIT_NOTE, GUESS_NOTE))
    assert set(asked) == {5}
    monkeypatch.setattr(Duel, "effort_to_prove", lambda self, option, least: 9.0 - len(option.moves))
    two = State.parse("4R/2r2/1r1r1/1br2/B4 b 2,2 3,1")
    assert texts(solve(two, megabytes=0.02).best) == ["b2xb4xd4xd2xb2"]


# ---- what is proven


@pytest.mark.parametrize(("known", "value", "verdict"), [
    ((-49, 49), None, Bounds(None, None)), ((-49, 49), 7, Bounds(None, 7)),
    ((2, 5), None, Bounds(9, 12)), ((2, 5), 11, Bounds(9, 11)), ((2, 5), 13, Bounds(9, 12)), ((2, 5), 9, Exact(9)),
    ((3, 3), None, Exact(11)), ((3, 3), 11, Exact(11)), ((-49, 5), None, Bounds(9, None)), ((-49, 5), 12, Bounds(9, 12)),
    ((2, 49), None, Bounds(None, 12)), ((2, 49), 10, Bounds(None, 10)),
])
def test_what_is_proven_of_a_move(known: tuple[int, int], value: int | None, verdict: Any) -> None:
    search = Search()
    search.known = known
    made, core = with_search(search, State.initial(3))
    option = next(option for option in made.options(core) if option.gain == 2)
    assert not option.after.finished()
    assert verdict_of(made, option, 12, value) == verdict


@pytest.mark.parametrize(("known", "verdict"), [((2, 5), Bounds(-8, -5)), ((4, 4), Exact(-6))])
def test_what_is_proven_of_a_position_so_far(known: tuple[int, int], verdict: Any) -> None:
    search = Search()
    search.known = known
    state = State.parse("4R/2r2/1r1r1/1br2/B4 b 2,2 3,1", ON_TURN)
    made, _ = with_search(search, state)
    assert proven(state, made) == Result(verdict, effort=Effort(1_000, table_fill=0.25), rules="end_check=on_turn")


# ---- what is told and kept


class Kept:
    """A table whose search tells its listener at certain times, and whose checkpoints are recorded."""

    times = (100.0, 200.0, 300.0, 300.5, 400.0, 500.0, 600.0)

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        search: Any = self
        self.duel, _ = with_search(search, THREE)
        self.nodes, self.fill = 0, 0.5
        self.listener: Any = None
        self.duel.gain, self.duel.save, self.duel.load = self.gain, self.save, self.load
        self.duel.holds, self.duel.line = lambda *_: True, lambda *_: []
        self.saved: list[tuple[float, Any, Any, int]] = []
        self.failing: set[float] = set()
        self.ends: BaseException | None = None
        monkeypatch.setattr("exactplay.solvers.winkeladvokat.duel.time.process_time", lambda: self.now)

    def gain(self, core: Any, budget: Any) -> int:
        for step, now in enumerate(self.times, 1):
            self.now = now
            self.listener(step, 5 * step, 9)
        if self.ends:
            raise self.ends
        return 2

    def save(self, file: Path, state: State, nodes_before: int) -> None:
        self.saved.append((self.now, file, state, nodes_before))
        if self.now in self.failing:
            raise OSError(28, "No space left on device")

    def bounds(self, position: Any) -> tuple[int, int]:
        return 0, 1

    def load(self, file: Path, state: State) -> int:
        assert state == THREE
        return len(file.read_bytes())


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    return Kept(monkeypatch)


def test_progress_is_told_with_the_nodes_of_the_checkpoint(kept: Kept, tmp_path: Path) -> None:
    told: list[tuple[int, int, int]] = []
    solve(THREE, duel=kept.duel, progress=lambda *numbers: told.append(numbers))
    assert told == [(step, 5 * step, 9) for step in range(1, 8)]
    assert kept.listener is None
    assert kept.saved == []
    file = tmp_path / "a.checkpoint"
    file.write_bytes(b"x" * 40)
    told.clear()
    solve(THREE, duel=kept.duel, progress=lambda *numbers: told.append(numbers), checkpoint=file)
    assert told == [(40 + step, 5 * step, 9) for step in range(1, 8)]
    assert {before for *_, before in kept.saved} == {40}


def test_a_checkpoint_is_written_every_five_minutes_and_at_the_end(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    result = solve(THREE, duel=kept.duel, checkpoint=file)
    # After 300 seconds the five minutes are just not over.
    assert kept.saved == [(300.5, file, THREE, 0), (600.0, file, THREE, 0)]
    assert (result.verdict, result.notes) == (Exact(2), ())
    kept.saved.clear()
    kept.ends, kept.now = ZeroDivisionError(), 0.0
    with pytest.raises(ZeroDivisionError):
        solve(THREE, duel=kept.duel, checkpoint=file)
    assert [now for now, *_ in kept.saved] == [300.5, 600.0]
    assert kept.listener is None


def test_a_checkpoint_that_cannot_be_written_is_a_note(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    note = f"The checkpoint {file} could not be written (No space left on device): an older one there still holds."
    kept.failing = {600.0}
    assert solve(THREE, duel=kept.duel, checkpoint=file).notes == (note,)
    kept.ends, kept.now = OutOfBudget(), 0.0
    assert solve(THREE, duel=kept.duel, checkpoint=file).notes == (LIMIT_NOTE, GUESS_NOTE, note)
    kept.ends, kept.failing, kept.now = None, {300.5}, 0.0
    assert solve(THREE, duel=kept.duel, checkpoint=file).notes == ()


def test_answers_outlive_a_table_that_forgets_them(kept: Kept) -> None:
    """The table knows nothing of any move but that its gain is 0 or 1; what it answered before counts."""
    kept.duel.holds = lambda option, *_: str(option.moves[0]) in ("a1-a3-b3", "a1-b1-b2")
    kept.duel.line = lambda core, gain, first, budget: [first.moves[0]]
    assert texts(solve(THREE, duel=kept.duel).pv) == ["a1-a3-b3"]
    found = solve(THREE, duel=kept.duel).moves
    assert [found[Move.parse(text)] for text in ("a1-a2-b2", "a1-a3-b3", "a1-b1-b2")] == [Bounds(1, 2), Exact(2), Exact(2)]
    found = solve(THREE, duel=kept.duel, moves="all").moves
    # Of the others each brings what is scored at once, less 2: the number on its turn, and 0 in a corner.
    assert {str(move): verdict for move, verdict in found.items()} == {
        "a1-a2-b2": Exact(0), "a1-a2-c2": Exact(0), "a1-a3-b3": Exact(2), "a1-b1-b2": Exact(2), "a1-b1-b3": Exact(0),
        "a1-c1-c2": Exact(-2),
    }


# ---- three and four players

YELLOW = State.parse("1yB2/r1r1R/1b2r/Y1b2/5 y 2,1,2 1,0,0", ON_TURN)


def test_the_whole_answer_for_three_players() -> None:
    assert dataclasses.replace(solve(YELLOW), effort=Effort()) == Result(
        Exact((11, 12, 7)),
        {Move.parse(text): Exact(scores) for text, scores in {
            "a2-a1-b1": (15, 12, 6), "a2-a1-c1": (15, 12, 4), "a2-a1-d1": (13, 12, 4), "a2-a1-e1": (13, 12, 4),
            "a2-b2-b1": (11, 12, 7),
        }.items()},
        (Move.parse("a2-b2-b1"),),
        tuple(map(Move.parse, ("a2-b2-b1", "c5-d5-d1", "e4-d4-d3", "b2xb4", "d1-d2-e2"))),
        rules="end_check=on_turn",
        notes=(
            "Among moves equal for the player to move the first in the order of texts is taken; the scores rest on that.",
            "Against all others together Yellow can force a margin of -8 over the best of them.",
        ),
    )
    result = solve(YELLOW, nodes=solve(YELLOW).effort.nodes + 1)
    assert list(result.moves) == list(YELLOW.legal_moves())
    assert result.exact


def test_a_finished_game_of_three_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.winkeladvokat.duel.time.process_time", lambda: 1e6)
    state = State.parse("R1Y/yyb/Byr b 1,1,1 5,9,3", ON_TURN)
    result = solve(state, nodes=0)
    assert (result.verdict, result.moves, result.rules) == (Exact((7, 9, 11)), {}, "end_check=on_turn")
    assert (result.effort.nodes, result.effort.table_fill) == (0, None)
    assert result.effort.seconds > 1e5


@pytest.mark.parametrize(("limits", "nodes", "note"), [
    ({"nodes": 3}, 3, "Not solved within the limits; positions of three and four players must be small."),
    ({"seconds": 0.0}, 0, "Not solved within the limits; positions of three and four players must be small."),
    ({"megabytes": 0.005}, 5, MEMORY_NOTE),
])
def test_limits_for_three_players(limits: dict[str, Any], nodes: int, note: str) -> None:
    result = solve(YELLOW, **limits)
    whole: Result[Move] = Result(Bounds(None, None), effort=result.effort, rules="end_check=on_turn", notes=(note,))
    assert result == whole
    assert (result.effort.nodes, result.effort.table_fill) == (nodes, None)


@pytest.mark.parametrize("kind", [MaxN, Paranoid])
def test_an_interruption_for_three_players(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kind, "value", interrupt)
    monkeypatch.setattr("exactplay.solvers.winkeladvokat.duel.time.process_time", lambda: 1e6)
    result = solve(YELLOW)
    assert (result.verdict, result.rules, result.notes) == (Bounds(None, None), "end_check=on_turn", (INTERRUPTED,))
    assert result.effort.seconds > 1e5
    with pytest.raises(KeyboardInterrupt):
        solve(YELLOW, catch_interrupt=False)
