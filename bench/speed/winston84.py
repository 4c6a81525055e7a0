"""Winston 1984: speed."""
from __future__ import annotations

import functools
import random
import subprocess
import sys
import time

import numpy as np

from bench.speed.timing import Report, cpu_seconds
from bench.verify.winston84 import random_utilities
from exactplay.certificates.round_graph import RoundGraph
from exactplay.cython_core.winston84.kernel import set_flavour
from exactplay.cython_core.winston84.raw_induction import RawInduction
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import (
    Decision,
    Dice,
    Difficulty,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    State,
)
from exactplay.solvers.winston84 import advise, open_solution, simulate, solve_sheet
from exactplay.solvers.winston84.structure import (
    LANES,
    Floats,
    Structure,
    compile_structure,
    load_structure,
)


def bench(arguments: list[str]) -> None:
    """Print the speed table."""
    report = Report("Winston 1984")
    sheet, rules = Sheet.load("reference"), Rules()
    structure = load_structure(rules)
    utilities = random_utilities(np.random.default_rng(1))

    family = structure.evaluators()[0]
    per_vector = cpu_seconds(lambda: family.evaluate(utilities), 50) / LANES * 1e3
    raw = cpu_seconds(lambda: RawInduction(0, np.ascontiguousarray(utilities[:, 1])).mean(), 1) * 1e3
    report.add(
        f"one round, one utility vector, batch of 8 ({set_flavour()})", per_vector, "ms", at_most=0.10, aim=0.05,
        baseline=("the raw-state induction (at least 30)", raw / per_vector),
    )
    for level, name in ((0, "without wide vectors"), (1, "AVX2")):
        try:
            set_flavour(level)
        except ValueError:
            continue
        flavoured = cpu_seconds(lambda: family.evaluate(utilities), 50) / LANES * 1e3
        report.add(f"the same, {name}", flavoured, "ms", baseline=("the widest", flavoured / per_vector))
    set_flavour()

    def one(level: int, objective: str) -> object:
        return solve_sheet(sheet, Difficulty(level), Objective.parse(objective), rules)

    slowest = max((cpu_seconds(functools.partial(one, level, "score")), level) for level in range(1, 6))
    report.add(f"one difficulty, score, reference sheet (slowest: x{slowest[1]})", slowest[0], "s", at_most=0.20, aim=0.10)
    every = cpu_seconds(lambda: [one(level, o) for level in range(1, 6) for o in ("score", "win")], 3)
    report.add("all five difficulties, score and win", every, "s", at_most=1.0)
    report.add("building the default structure from nothing", cpu_seconds(lambda: compile_structure(rules), 2), "s",
               at_most=5, aim=2)
    report.add("loading it", cpu_seconds(_load_anew) * 1e3, "ms", at_most=30)

    solution = open_solution(sheet, Difficulty(3), Objective("score"))
    game = State.resume(sheet, Difficulty(3), Place(3, 17, 1), rules, Dice.parse("R5 G3 B2 W4 Y1 P6"))
    advising = cpu_seconds(lambda: advise(game, solution=solution), 50) * 1e3
    round, utility = Round(rules, Dice.parse("R5 G3 B2 W4 Y1 P6")), solution.utility(Place(3, 17, 1))
    plain = cpu_seconds(lambda: reference_values(round, utility), 1) * 1e3
    report.add("advise, in process, table loaded", advising, "ms", at_most=1.0,
               baseline=("the reference rules, same question (at least 1,000)", plain / advising))
    command = [sys.executable, "-m", "exactplay", "winston84", "advise", "--difficulty", "3", "--round", "3", "--box", "17",
               "--marks", "1", "--roll", "R5 G3 B2 W4 Y1 P6"]
    numpy_wall = _wall([sys.executable, "-c", "import numpy"])
    wall = _wall(command)
    report.add("exactplay winston84 advise, whole process, wall", wall, "s", at_most=0.5,
               baseline=("python -c 'import numpy' (as long as)", wall / numpy_wall))
    games = 200_000
    rate = games / cpu_seconds(lambda: simulate(sheet, Difficulty(3), games, 1, Objective("score")), 1)
    slow = 1 / cpu_seconds(lambda: reference_game(solution, random.Random(1)), 1)
    report.add(f"simulated games under the optimal policy ({games:,})", rate, "a second", at_least=20_000,
               baseline=("through the reference", rate / slow))
    report.add("peak memory of a solve", _peak_memory(), "MB", at_most=300)
    report.print()


def reference_values(round: Round, utility: Floats) -> dict[Decision, float]:
    """The value of every decision through the reference rules alone, by memoised induction."""
    graph = RoundGraph()
    successors = {decision: graph.visit(round.play(decision)) for decision in round.legal_moves()}
    values = graph.values(utility[:, None])
    return {decision: float(values[index, 0]) for decision, index in successors.items()}


def reference_game(solution: object, rng: random.Random) -> int:
    """One game through the reference rules, advised at every decision."""
    from exactplay.solvers.winston84 import Solution

    assert isinstance(solution, Solution)
    game = State.start(solution.sheet, solution.difficulty, solution.rules)
    while game.to_move != OVER:
        if game.to_move == CHANCE:
            game = game.play(rng.choice(game.chance_outcomes())[0])
        else:
            game = game.play(advise(game, solution=solution).best[0])
    return game.scores()[0]


def _load_anew() -> Structure:
    from exactplay.solvers.winston84 import structure

    structure._load.cache_clear()
    return load_structure(Rules())


def _wall(command: list[str]) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def _peak_memory() -> float:
    """Of a fresh process that solves x1, in MB."""
    program = (
        "import resource; from exactplay.rules.winston84 import *; from exactplay.solvers.winston84 import solve_sheet; "
        "solve_sheet(Sheet.load('reference'), Difficulty(1), Objective('score')); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    return int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout) / 1024
