"""Winkeladvokat: the best guess where a position is too large to be solved, and what it becomes with time."""
from __future__ import annotations

import time

from exactplay.rules.winkeladvokat import Rules, State
from exactplay.solvers.limits import Limits, Report
from exactplay.solvers.result import Bounds, Estimate, Exact
from exactplay.solvers.winkeladvokat import Duel, advise, solve


def test_it_turns_exact_by_itself_and_tells_its_whole_effort() -> None:
    answer = advise(State.initial(6), limits=Limits(nodes=1_000_000))
    assert answer.verdict == Exact(3)
    assert set(answer.best) == set(solve(State.initial(6)).best)
    assert answer.effort.nodes > 0.9 * solve(State.initial(6)).effort.nodes


def test_a_guess_is_marked_as_such_stands_beside_proven_bounds_and_can_be_repeated() -> None:
    once, twice = (advise(State.initial(8), limits=Limits(nodes=20_000)) for _ in range(2))
    assert isinstance(once.verdict, Bounds)
    assert once.verdict.low is not None
    assert once.verdict.low >= 2
    assert once == twice
    assert len(once.best) == 1
    assert any("guess" in note for note in once.notes)
    assert any(isinstance(verdict, Estimate) for verdict in once.moves.values())


def test_it_uses_its_seconds_and_tells_what_it_has_so_far() -> None:
    heard: list[Report] = []
    begun = time.monotonic()
    answer = advise(State.initial(8), limits=Limits(seconds=1.5), progress=heard.append)
    assert 1.3 < time.monotonic() - begun < 2.5
    partial = [report.partial for report in heard if report.partial is not None]
    assert partial
    assert all(set(result.moves) == set(answer.moves) for result in partial)


def test_a_table_given_goes_on_from_what_it_has_proven() -> None:
    state = State.initial(6)
    duel = Duel(state.board, state.rules)
    solve(state, duel=duel)
    assert advise(state, limits=Limits(nodes=200), duel=duel).exact


def test_three_players_are_solved_where_they_can_be_and_else_sampled() -> None:
    small = State.parse("R1Y/3/B2 b 15,15,15 0,0,0")
    assert advise(small).verdict == solve(small).verdict
    large = advise(State.initial(6, 3), limits=Limits(nodes=100, seconds=1.0))
    assert isinstance(large.verdict, Estimate)
    assert large.viewpoint == 0
    assert set(large.moves) == set(State.initial(6, 3).legal_moves())


def test_every_rule_option_can_be_advised_on() -> None:
    for name, values in Rules.options().items():
        state = State.initial(4, rules=Rules.from_mapping({name: values[-1]}))
        assert advise(state, limits=Limits(nodes=500)).best
