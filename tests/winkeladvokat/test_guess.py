"""Winkeladvokat's ``analyse``: its rounds, its samples, and what its answers say."""
from __future__ import annotations

import functools
import math
from typing import Any

import pytest

from exactplay.rules.winkeladvokat import Rules, State
from exactplay.solvers.result import Bounds, Effort, Estimate, Exact, Result
from exactplay.solvers.winkeladvokat import INTERRUPTED, Duel, analyse, guess, solve
from exactplay.solvers.winkeladvokat.advice import SAMPLE_NOTE
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import Budget, OutOfBudget
from exactplay.solvers.winkeladvokat.exact import GUESS_NOTE
from tests.winkeladvokat.test_duel import FINISHED, Search, with_search

ON_TURN = Rules(end_check="on_turn")
#: Blue is 10 points behind and to move.
BEHIND = State.parse("4R/2r2/1r1r1/1br2/B4 b 2,2 3,1", ON_TURN)
THREE_PLAYERS = State.parse("R5/6/2b3/3r2/6/B4Y b 14,14,15 3,0,0", ON_TURN)
SEED_NOTE = "Random games from seed 1."
UNSOLVED_NOTE = "Not solved: the best move is a guess, the best mean margin of random games."


class Games:
    """In place of a position: random games whose margins are known, and a record of what was asked."""

    def __init__(self, *margins: float) -> None:
        self.margins, self.asked = margins, list[tuple[int, int, int]]()

    def random_games(self, games: int, seed: int, player: int) -> tuple[int, int, float, float]:
        self.asked.append((games, seed, player))
        played = len(self.margins)
        return played, 99, sum(self.margins), sum(margin * margin for margin in self.margins)


def samples_of(*margins: float, player: int = 1, seed: int = 7) -> tuple[Any, Games]:
    games: Any = Games(*margins)
    return guess._Samples(games, player, seed), games


class Clock:
    """CPU time that passes only where somebody looks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.step = 100.0, 0.0
        monkeypatch.setattr("exactplay.solvers.winkeladvokat.advice.time.process_time", self.look)
        monkeypatch.setattr(guess, "Budget", functools.partial(Budget, started=100.0))

    def look(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


# ---- random games


def test_samples_add_up_and_no_game_is_played_twice() -> None:
    sample, games = samples_of(2.0, 4.0, 9.0, 1.0)
    assert sample.mean == -math.inf
    sample.add(64)
    assert sample.estimate() == Estimate(4.0, math.sqrt((4 + 16 + 81 + 1) / 4 - 16) / 2, 4)
    games.margins = (0.0, 8.0)
    sample.add(32)
    assert games.asked == [(64, 7, 1), (32, 11, 1)]
    assert sample.estimate() == Estimate(4.0, math.sqrt((166 / 6 - 16) / 6), 6)


def test_games_that_end_alike_have_no_error() -> None:
    sample, _ = samples_of(0.1, 0.1, 0.1)
    sample.add(64)
    assert sample.estimate().standard_error == pytest.approx(0.0, abs=1e-8)
    sample.squares = 0.0  # rounding may leave less than nothing
    assert sample.estimate().standard_error == 0.0


def test_random_games_for_some_seconds_go_round_the_moves(clock: Clock) -> None:
    clock.step = 1.0
    one, other = samples_of(1.0), samples_of(2.0)
    guess._sample([one[0], other[0]], 2.5)
    # The end is at 103.5; it is looked at 102 and 103, and at 104 it is past.
    assert one[1].asked == other[1].asked == [(64, 7, 1), (64, 8, 1)]
    guess._sample([one[0]], 1.0)
    assert len(one[1].asked) == 2  # looked at just at the end
    guess._sample([one[0]], math.inf)
    assert len(one[1].asked) == 2


# ---- rounds


@pytest.mark.parametrize(("budget", "length", "part"), [
    (Budget(nodes=None, seconds=10.0, started=95.0), 0.25, (1 << 62, 0.25)),
    (Budget(nodes=100, seconds=10.0, started=95.0, used=20), 8.0, (80, 5.0)),
    (Budget(nodes=9_000_000, used=20), 4.0, (1_200_000, None)), (Budget(nodes=50_000, used=20), 0.25, (49_980, None)),
])
def test_a_round_is_measured_in_seconds_or_else_in_nodes(
    clock: Clock, budget: Budget, length: float, part: tuple[int, float | None]
) -> None:
    given: list[Budget] = []
    made, core = with_search(Search())

    def gain(at: Any, part: Budget) -> int:
        assert at is core
        given.append(part)
        part.used = 17
        if len(given) == 2:
            raise OutOfBudget
        if len(given) == 3:
            raise KeyboardInterrupt
        return 3

    made.gain = gain
    used = budget.used
    guess._one_round(made, core, budget, length)
    assert [(given[0].nodes, given[0].seconds)] == [part]
    guess._one_round(made, core, budget, length)
    with pytest.raises(KeyboardInterrupt):
        guess._one_round(made, core, budget, length)
    assert budget.used == used + 51


def test_what_is_left_for_the_moves_after_the_value(clock: Clock) -> None:
    assert guess._rest(Budget()) == (None, None)
    assert guess._rest(Budget(nodes=50, used=20)) == (30, None)
    assert guess._rest(Budget(seconds=10.0, started=95.0)) == (None, 5.0)
    assert guess._rest(Budget(nodes=50, seconds=10.0, used=20, started=95.0)) == (30, 5.0)
    assert guess._rest(Budget(nodes=5, used=5)) == (1, 0.01)


class Rounds:
    """Records the rounds of an analysis, in which nothing is proven until ``proven_in``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, state: State, proven_in: int = 99) -> None:
        self.state, self.proven_in = state, proven_in
        self.lengths: list[float] = []
        self.sampled: list[float] = []
        self.search = Search(costs=lambda k: 10**9)
        self.duel, _ = with_search(self.search, state)
        self.ends: BaseException | None = None
        monkeypatch.setattr(guess, "_one_round", self.one_round)
        monkeypatch.setattr(guess, "_sample", lambda samples, seconds: self.sampled.append(seconds * len(samples)))

    def one_round(self, duel: Any, core: Any, budget: Budget, length: float) -> None:
        assert duel is self.duel
        assert core.fields() == to_core(self.state).fields()
        self.lengths.append(length)
        budget.used += 100
        if self.ends:
            raise self.ends
        if len(self.lengths) == self.proven_in:
            self.search.known = (2, 2)


def test_rounds_grow_and_a_fifth_of_each_goes_into_random_games(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    rounds = Rounds(monkeypatch, BEHIND)
    told: list[Result[Any]] = []
    answer = analyse(BEHIND, seconds=10.0, nodes=350, duel=rounds.duel, update=told.append)
    assert rounds.lengths == [0.25, 0.375, 0.5625, 0.84375]
    assert rounds.sampled == pytest.approx([15 * 0.05, 15 * 0.075, 15 * 0.1125])  # for 15 options
    assert [shown.effort.nodes for shown in told] == [100, 200, 300, 400]
    assert answer == told[-1]
    assert answer.effort == Effort(400, 0.0, 0.25)
    widest = rounds.duel.widest
    assert answer.verdict == Bounds(-10 - widest, -10 + widest)
    assert answer.rules == "end_check=on_turn"
    assert (answer.notes, answer.pv) == ((GUESS_NOTE, SAMPLE_NOTE, SEED_NOTE), ())
    assert "says little about best play" in SAMPLE_NOTE
    assert list(answer.moves) == sorted(answer.moves) == list(BEHIND.legal_moves())
    assert {verdict.samples for verdict in answer.moves.values() if isinstance(verdict, Estimate)} == {256}
    rounds.lengths.clear()
    rounds.sampled.clear()
    answer = analyse(BEHIND, seconds=None, nodes=150, duel=rounds.duel, seed=5)
    assert (rounds.lengths, rounds.sampled, answer.notes[-1]) == ([0.25, 0.375], [], "Random games from seed 5.")


def test_an_interrupted_analysis_answers_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, BEHIND)
    rounds.ends = KeyboardInterrupt()
    answer = analyse(BEHIND, seconds=5.0, duel=rounds.duel)
    assert answer.notes == (INTERRUPTED, GUESS_NOTE, SAMPLE_NOTE, SEED_NOTE)
    assert isinstance(answer.verdict, Bounds)
    assert answer.effort.nodes == 100


def test_once_the_value_is_known_the_moves_are_asked_within_what_is_left(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    rounds = Rounds(monkeypatch, BEHIND, proven_in=2)
    asked: list[dict[str, Any]] = []

    def solved(state: State, **options: Any) -> Result[Any]:
        assert state is BEHIND
        asked.append(options)
        return Result(Exact(-8), effort=Effort(40, 3.0), notes=("Its note.",))

    monkeypatch.setattr(guess, "solve", solved)
    told: list[Result[Any]] = []
    answer = analyse(BEHIND, seconds=10.0, nodes=1_000, duel=rounds.duel, update=told.append)
    assert asked == [{"nodes": 800, "seconds": 10.0, "duel": rounds.duel}]
    assert answer == Result(Exact(-8), effort=Effort(240, 0.0, 0.25), notes=("Its note.",))
    assert len(told) == 1


def test_what_the_table_and_the_defaults_are(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    budgets: list[Budget] = []

    def table(*arguments: Any) -> Duel:
        made.append(arguments)
        return Duel(BEHIND.board, BEHIND.rules, 0.02)

    def one_round(duel: Any, core: Any, budget: Budget, length: float) -> None:
        budgets.append(budget)
        raise OutOfBudget

    monkeypatch.setattr(guess, "Duel", table)
    monkeypatch.setattr(guess, "_one_round", one_round)
    analyse(BEHIND)
    analyse(BEHIND, megabytes=3, nodes=7, seconds=2.0)
    assert made == [(BEHIND.board, ON_TURN, 512.0), (BEHIND.board, ON_TURN, 3)]
    assert [(budget.nodes, budget.seconds) for budget in budgets] == [(None, 10.0), (7, 2.0)]


# ---- answers


def test_proven_moves_stand_beside_samples_and_the_guess_is_the_nearest_to_a_proof() -> None:
    made, core = with_search(Search(gain=0), BEHIND)
    options = [made.options(core)[number] for number in (0, 1, 11, 3)]  # the third is two moves
    samples = [samples_of(float(number))[0] for number in range(4)]
    for sample in samples[1:]:
        sample.add(64)
    bounds = {0: (-9, 9), 1: (4, 4), 2: (-3, made.widest), 3: (-made.widest, made.widest)}
    made.bounds = lambda at: next((bounds[n] for n, option in enumerate(options) if option.after is at), (-2, 3))
    efforts = {0: 6.0, 1: 5.0, 2: 5.0, 3: 7.0}
    made.likely = 4
    asked = []

    def effort(option: Any, least: int) -> float:
        asked.append(least)
        return next(efforts[n] for n, other in enumerate(options) if other is option)

    made.effort_to_prove = effort
    answer = guess._answer(BEHIND, made, core, options, samples, Budget(used=3))
    assert (answer.verdict, answer.best) == (Bounds(-12, -7), options[2].moves[:1])  # as near as 1, and better in games
    verdicts = [answer.moves[option.moves[0]] for option in options]
    assert verdicts == [
        Bounds(options[0].gain - 19, options[0].gain - 1), Exact(options[1].gain - 14), Estimate(2.0, 0.0, 1),
        Estimate(3.0, 0.0, 1),
    ]
    assert set(asked) == {4}
    assert guess._answer(BEHIND, made, core, options[:1], samples[:1], Budget()).notes[-1] == "Random games from seed 7."
    made.bounds = lambda at: (1, 1)
    assert guess._answer(BEHIND, made, core, options, samples, Budget()).verdict == Exact(-9)


def test_a_finished_game_is_not_analysed() -> None:
    state = State.parse(str(FINISHED), ON_TURN)
    answer = analyse(state)
    assert (answer.verdict, answer.moves) == (Exact(state.scores()[0] - state.scores()[1]), {})


# ---- three players


def unsolved(monkeypatch: pytest.MonkeyPatch, notes: tuple[str, ...] = ()) -> tuple[list[Any], list[tuple[int, float]]]:
    """What ``solve`` and the random games by the clock are asked for three players."""
    asked: list[Any] = []
    sampled: list[tuple[int, float]] = []

    def solved(state: State, **options: Any) -> Result[Any]:
        asked.append((state, options))
        return Result(Bounds(None, None), effort=Effort(9, 2.0), notes=notes)

    monkeypatch.setattr(guess, "solve", solved)
    monkeypatch.setattr(guess, "_sample", lambda samples, seconds: sampled.append((len(samples), seconds)))
    return asked, sampled


def test_random_games_for_three_players(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, sampled = unsolved(monkeypatch)
    answer = analyse(THREE_PLAYERS, seconds=3.0, megabytes=5, seed=4)
    assert asked == [(THREE_PLAYERS, {"nodes": 100_000, "seconds": 1.5, "megabytes": 5})]
    assert sampled == [(len(THREE_PLAYERS.legal_moves()), 1.5)]
    assert answer.notes == (UNSOLVED_NOTE, SAMPLE_NOTE, "Random games from seed 4.")
    assert (answer.rules, answer.pv, answer.effort) == ("end_check=on_turn", (), Effort(9, 2.0))
    assert tuple(answer.moves) == THREE_PLAYERS.legal_moves()
    expected = {}
    for move in THREE_PLAYERS.legal_moves():
        games, _, total, squares = to_core(THREE_PLAYERS.play(move)).random_games(64, 4, 0)
        expected[move] = Estimate(total / 64, math.sqrt((squares / 64 - (total / 64) ** 2) / 64), games)
    assert answer.moves == expected
    (best,) = answer.best
    assert answer.verdict == answer.moves[best] == max(expected.values(), key=lambda estimate: estimate.mean)


def test_limits_and_interruptions_for_three_players(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, sampled = unsolved(monkeypatch)
    assert analyse(THREE_PLAYERS, seconds=None, nodes=70).notes == (UNSOLVED_NOTE, SAMPLE_NOTE, SEED_NOTE)
    assert asked == [(THREE_PLAYERS, {"nodes": 70, "seconds": None, "megabytes": 512.0})]
    assert sampled == []
    _, sampled = unsolved(monkeypatch, (INTERRUPTED,))
    assert analyse(THREE_PLAYERS).notes == (INTERRUPTED, UNSOLVED_NOTE, SAMPLE_NOTE, SEED_NOTE)
    assert sampled == []
    unsolved(monkeypatch)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(guess, "_sample", interrupt)
    assert analyse(THREE_PLAYERS).notes == (INTERRUPTED, UNSOLVED_NOTE, SAMPLE_NOTE, SEED_NOTE)


def test_three_players_solved_are_answered_as_solved() -> None:
    state = State.parse("R1Y/3/B2 b 15,15,15 0,0,0")
    answer = analyse(state, seconds=None)
    whole = solve(state)
    assert (answer.verdict, answer.moves, answer.notes) == (whole.verdict, whole.moves, whole.notes)
