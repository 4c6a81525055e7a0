"""Winston (dogs): speed of search and random games."""
from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from bench.speed.timing import Report, cpu_seconds
from bench.verify.winston_dogs import position
from exactplay.cython_core.winston_dogs.position import random_games
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from exactplay.solvers.limits import Limits
from exactplay.solvers.winston_dogs import solve
from exactplay.solvers.winston_dogs.bridge import to_position

SECONDS = 5.0
LIMITS = Limits(cpu_seconds=10.0, memory_mb=1024)


def untouched(pile: int, seed: int) -> State:
    """The start of a game with a pile of that many cards, the rest of the 66 out of play."""
    state = State.deal(random.Random(seed))
    return replace(state, pile=state.pile[:pile])


def bench(arguments: list[str]) -> None:
    """The speed table; a number as argument is how many positions each row of the search takes (4)."""
    number = int(arguments[0]) if arguments else 4
    report = Report("Winston (dogs)")
    for pile, at_least in ((24, number), (32, None), (40, None)):
        for name, make in (("in mid-game", position), ("untouched", untouched)):
            solved, slowest, nodes, spent = 0, 0.0, 0, 0.0
            for seed in range(number):
                result = solve(make(pile, seed), limits=LIMITS)
                solved += result.exact and result.effort.seconds <= SECONDS
                slowest = max(slowest, result.effort.seconds)
                nodes, spent = nodes + result.effort.nodes, spent + result.effort.seconds
            what = f"hands of five, known pile of {pile}, {name}: solved, best turns too, within {SECONDS:g} CPU-s"
            report.add(f"{what} (slowest {slowest:.2f})", solved, f"of {number}", at_least=at_least)
            report.add(f"  nodes a second, {name}", nodes / spent / 1e6, "million/s")
    _random_games(report)
    report.print()


def _random_games(report: Report) -> None:
    state = State.deal(random.Random(1))
    start, scores = to_position(state), np.zeros((50_000, 2), np.int16)
    rate = len(scores) / cpu_seconds(lambda: random_games(start, 1, scores))
    rng = random.Random(2)

    def reference() -> None:
        for _ in range(20):
            _play_out(replace(state, pile=tuple(rng.sample(state.pile, len(state.pile)))), rng)

    slow = 20 / cpu_seconds(reference)
    report.add("random games to the end, native", rate, "games/s", at_least=20_000)
    ratio = rate / slow
    report.add("random games, native against reference", ratio, "times", at_least=100, baseline=("reference", ratio))


def _play_out(state: State, rng: random.Random) -> None:
    while state.to_move != OVER:
        state = state.play(rng.choice(state.legal_moves()))
