"""Winkeladvokat: speed."""
from __future__ import annotations

import random
import statistics
from typing import Any

from bench.speed.timing import Report, cpu_seconds
from bench.verify.winkeladvokat import check_endgame, endgames
from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import State, perft
from exactplay.solvers.limits import Budget, Limits
from exactplay.solvers.winkeladvokat import Duel
from exactplay.solvers.winkeladvokat.bridge import to_core


def bench(arguments: list[str]) -> None:
    """The table of the issue. ``quick`` leaves out n = 7 and the hard endgames."""
    quick = "quick" in arguments
    report = Report("Winkeladvokat")
    start = to_core(State.initial())
    seconds = cpu_seconds(lambda: start.perft(5), repeats=3)
    reference = cpu_seconds(lambda: perft(State.initial(5), 3), repeats=1) / 12_872
    report.add(
        "perft 5 from the 8 x 8 start", seconds, "s", at_most=1.0, aim=0.3,
        baseline=("reference, time a path", reference / (seconds / 2_322_452_808)),
    )
    seconds = cpu_seconds(lambda: whole_game(6), repeats=3)
    report.add("n = 6 from the start, value", seconds, "s", at_most=0.5, aim=0.1, baseline=_minimax_ratio())
    if not quick:
        report.add("n = 7 from the start, value", cpu_seconds(lambda: whole_game(7), repeats=1), "s", at_most=120, aim=30)
    cases = [case for case in endgames() if not quick or case["seconds"] < 0.1]
    theirs = [case["seconds"] for case in cases]
    for what, work in (("value", endgame_value), ("value and every best move", check_endgame)):
        took = [cpu_seconds(lambda case=case, work=work: work(case), repeats=1) for case in cases]  # type: ignore[misc]
        for name, measure in (("median", statistics.median), ("maximum", max)):
            report.add(f"the endgames file, {what}, {name}", measure(took), "s", at_most=2 * measure(theirs))
    core = to_core(State.initial())
    seconds = cpu_seconds(lambda: core.random_games(20_000, 1, 0), repeats=3)
    plain = cpu_seconds(lambda: [_reference_game(random.Random(seed)) for seed in range(2)], repeats=1) / 2
    report.add(
        "random games to the end", 20_000 / seconds, "games/s", at_least=50_000,
        baseline=("reference", plain / (seconds / 20_000)),
    )
    report.print()


def endgame_value(case: dict[str, Any]) -> None:
    """The value of a case of the file, cold, without the list of best moves."""
    state = State.parse(case["position"])
    Duel(state.board, state.rules).gain(to_core(state), Budget(Limits()))


def whole_game(size: int) -> int:
    """The value of a board from its first move, cold, without the list of best moves."""
    state = State.initial(size)
    return Duel(state.board, state.rules).gain(to_core(state), Budget(Limits()))


def _minimax_ratio() -> tuple[str, float]:
    state = State.initial(4)
    fields = str(state).split(" ")
    core = to_core(State.parse(f"{fields[0]} b 2,2 0,0"))
    plain = cpu_seconds(lambda: _plain_minimax(core), repeats=1)
    duel = Duel(state.board, state.rules)
    searched = cpu_seconds(lambda: duel.gain(core, Budget(Limits())), repeats=1)
    return "plain minimax over the core, n = 4 with 2 Articles each", plain / searched


def _plain_minimax(at: Position) -> int:
    turn, scores = at.turn, at.scores()
    if at.to_move == OVER:
        return scores[turn] - scores[1 - turn]
    return max(-_plain_minimax(at.play(move)) for move in at.legal_moves())


def _reference_game(rng: random.Random) -> State:
    state = State.initial()
    while state.to_move != OVER:
        state = state.play(rng.choice(state.legal_moves()))
    return state
