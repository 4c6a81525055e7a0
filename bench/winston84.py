"""Winston 1984: the speed table, the exhaustive proof that the native core is the game, and the data that ships."""
from __future__ import annotations

import filecmp
import functools
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.timing import Report, cpu_seconds
from exactplay.certificates.round_graph import RoundGraph, Schedule
from exactplay.cython_core.winston84 import RawInduction
from exactplay.cython_core.winston84_advice import Adviser
from exactplay.cython_core.winston84_kernel import set_flavour
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Colour,
    Decision,
    Dice,
    Die,
    Difficulty,
    End,
    Game,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    Status,
    after_round,
)
from exactplay.solvers.tables import whole_file
from exactplay.solvers.winston84 import advise, open_solution, simulate, solve
from exactplay.solvers.winston84.outer import write_solution
from exactplay.solvers.winston84.structure import (
    LANES,
    RESULTS,
    SECURITY,
    SHIPPED,
    Floats,
    Structure,
    code_of,
    compile_structure,
    data_path,
    load_structure,
    write_structure,
)

OPTIONS = ("room101_is_placed", "white_needs_change", "purple_alone_ok")


# ------------------------------------------------------------------ the reference, walked exhaustively


def rolled_round(rules: Rules, family: int, roll: int) -> Round:
    """The round after a roll, by the native index of the roll."""
    dice = []
    for colour in Colour:
        if colour == family - 1 and family != SECURITY:
            dice.append(Die(Status.REMOVED, 0))
        else:
            dice.append(Die(Status.AVAILABLE, 1 + roll % 6))
            roll //= 6
    return Round(rules, Dice(tuple(dice)), family == SECURITY)


def random_utilities(rng: np.random.Generator) -> Floats:
    """Eight utility vectors, float64[37, 8]: linear, uniform, sparse, steep, falling, zigzag, two with u[0] best."""
    r = np.arange(RESULTS)
    columns = [
        r.astype(float),
        rng.random(RESULTS) * 1000,
        np.where(rng.random(RESULTS) < 0.15, rng.random(RESULTS) * 500, 0.0),
        1.6 ** r * rng.random(),
        100.0 - 2.5 * r + rng.random(RESULTS),
        np.where(r % 2 == 0, 1.0, -1.0) * rng.random(RESULTS),
        np.concatenate([[100.0], rng.random(RESULTS - 1) * 90]),
        np.concatenate([[50.0], -r[1:].astype(float)]),
    ]
    return np.ascontiguousarray(np.stack(columns, axis=1))


def largest_difference(structure: Structure, family: int, rolls: list[int], reference: Floats, utilities: Floats) -> float:
    """Between the values of rolls in the compiled structure and in the reference, relative to each largest utility."""
    native = structure.evaluators()[family].values(utilities)[rolls]
    return float((np.abs(native - reference) / np.abs(utilities).max(axis=0)).max())


def check_setting(
    rules: Rules, families: dict[int, list[int]], seed: int, sample: int = 20_000
) -> tuple[int, int, float]:
    """Compare reference and core over rolls of families: (positions, transitions, largest relative difference).

    Compared are the values of every roll by the compiled structure, and of a sample of positions of all sorts by the
    adviser.
    """
    rng, graph = np.random.default_rng(seed), RoundGraph()
    structure = load_structure(rules)
    where = {
        family: [graph.visit(rolled_round(rules, family, roll)) for roll in rolls] for family, rolls in families.items()
    }
    utilities = random_utilities(rng)
    values = graph.values(utilities)
    worst = max(
        largest_difference(structure, family, rolls, values[where[family]], utilities) for family, rolls in families.items()
    )
    advisers = [
        Adviser(structure.shared, structure.options, np.ascontiguousarray(utilities[:, lane])) for lane in range(LANES)
    ]
    scale = np.abs(utilities).max(axis=0)
    sampled = random.Random(seed).sample(list(graph.index.items()), min(len(graph.index), sample))
    for (six, must_give_up), position in sampled:
        code = code_of(Round(rules, Dice(six), must_give_up))
        lane = position % LANES
        worst = max(worst, abs(advisers[lane].value(code) - values[position, lane]) / scale[lane])
    return len(graph.kind), len(graph.successors), float(worst)


def verify(arguments: list[str]) -> None:
    """Walk the reference from every roll of every family, for the default rules, each option and all of them.

    ``default`` or ``NAME=true ...``: only that setting. ``outer SHEET LEVEL``: brute force of a sheet's last three rounds.
    """
    if arguments[:1] == ["outer"]:
        sheet, difficulty = Sheet.load(arguments[1]), Difficulty(int(arguments[2]))
        objectives = [Objective("score"), Objective("win")]
        found = brute_force(sheet, difficulty, Place(6), objectives)
        solved = [solve(sheet, difficulty, objective).value(Place(6)) for objective in objectives]
        print(f"{sheet.name} x{difficulty.level} from R6: score and win {found} by brute force, {solved} by the solver")
        raise SystemExit(0 if np.allclose(found, solved, rtol=1e-12, atol=0) else 1)
    settings = [Rules(), *(Rules(**{name: True}) for name in OPTIONS), Rules(**dict.fromkeys(OPTIONS, True))]
    if arguments:
        settings = [Rules.from_texts([] if arguments == ["default"] else arguments)]
    everything = {family: list(all_rolls(family)) for family in range(8)}
    failed = False
    for rules in settings:
        start = time.process_time()
        positions, transitions, worst = check_setting(rules, everything, seed=84)
        verdict = "agree" if worst <= 1e-12 else "DIFFER"
        failed |= worst > 1e-12
        print(
            f"{rules.describe()}: {positions:,} positions and {transitions:,} transitions of the reference from "
            f"{sum(map(len, everything.values())):,} rolls of 8 families, 8 utility vectors: {verdict}, largest relative "
            f"difference {worst:.1e} ({time.process_time() - start:.0f} CPU-s)",
            flush=True,
        )
    if failed:
        raise SystemExit(1)


def brute_force(sheet: Sheet, difficulty: Difficulty, start: Place, objectives: list[Objective]) -> list[float]:
    """Backward induction over places with nothing but the reference rules: ``after_round`` and the walked rounds."""
    rules, graph = Rules(), RoundGraph()
    families = range(8) if difficulty.big_brothers_eye else range(1)
    roots = {family: [graph.visit(rolled_round(rules, family, roll)) for roll in all_rolls(family)] for family in families}
    schedule = Schedule(graph)
    results = sorted({kind for kind in graph.kind if kind >= 0})
    # Every result is tried from every place: a superset of what can be reached costs time, not truth.
    layers: list[set[Place]] = [{start}]
    for _ in range(start.round, LAST_ROUND):
        following = {after_round(sheet, difficulty, rules, place, r) for place in layers[-1] for r in results}
        layers.append({place for place in following if isinstance(place, Place)})
    value: dict[tuple[Place, Objective], float] = {}

    def worth(place: Place, objective: Objective, r: int) -> float:
        after = after_round(sheet, difficulty, rules, place, r)
        return objective.utility(after.won, after.score) if isinstance(after, End) else value[after, objective]

    for layer in reversed(layers):
        utilities = {
            (place, objective): tuple(worth(place, objective, r) if r in results else 0.0 for r in range(RESULTS))
            for place in layer
            for objective in objectives
        }
        distinct = sorted({u for u in utilities.values() if len({u[r] for r in results}) > 1})
        means: dict[tuple[tuple[float, ...], int], float] = {}
        for first in range(0, len(distinct), LANES):
            chunk = distinct[first : first + LANES]
            values = schedule.values(np.array(chunk).T)
            for family, indices in roots.items():
                mean = values[schedule.place[indices]].mean(axis=0)
                means.update(zip([(u, family) for u in chunk], mean.tolist(), strict=True))
        for (place, objective), u in utilities.items():
            value[place, objective] = means.get((u, family_of(sheet, difficulty, place)), u[results[0]])
    return [value[start, objective] for objective in objectives]


def family_of(sheet: Sheet, difficulty: Difficulty, place: Place) -> int:
    """The family of rolls with which a round begins, by the letters of the sheet."""
    if not place.fresh:
        return 0
    zone = sheet.route_for(difficulty.level)[place.box - 1]
    return SECURITY if zone == "o" else 1 + "RGBWYP".index(zone)


def all_rolls(family: int) -> range:
    """The indices of a family's rolls."""
    return range(46_656 if family in (0, SECURITY) else 7_776)


# ------------------------------------------------------------------ the data that ships


def rebuild(arguments: list[str]) -> None:
    """Make the shipped tables; with ``--check`` only say whether the shipped ones are the same bit for bit."""
    with tempfile.TemporaryDirectory() as folder:
        write_structure(compile_structure(Rules()), Path(folder) / SHIPPED)
        sheet = Sheet.load("reference")
        for level in range(1, 6):
            for objective in ("score", "win"):
                solution = solve(sheet, Difficulty(level), Objective.parse(objective))
                write_solution(solution, Path(folder) / f"winston84-x{level}-{objective}.table")
        differing = [
            made.name
            for made in sorted(Path(folder).iterdir())
            if not data_path(made.name).exists() or not filecmp.cmp(made, data_path(made.name), shallow=False)
        ]
        if "--check" in arguments:
            print(f"differing: {', '.join(differing)}" if differing else "the shipped tables are bit for bit these")
            raise SystemExit(1 if differing else 0)
        for name in differing:
            with whole_file(data_path(name)) as stream:
                stream.write((Path(folder) / name).read_bytes())
        print(f"{len(differing)} files written to {data_path('')}")


# ------------------------------------------------------------------ speed


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
        return solve(sheet, Difficulty(level), Objective.parse(objective), rules)

    slowest = max((cpu_seconds(functools.partial(one, level, "score")), level) for level in range(1, 6))
    report.add(f"one difficulty, score, reference sheet (slowest: x{slowest[1]})", slowest[0], "s", at_most=0.20, aim=0.10)
    every = cpu_seconds(lambda: [one(level, o) for level in range(1, 6) for o in ("score", "win")], 3)
    report.add("all five difficulties, score and win", every, "s", at_most=1.0)
    report.add("building the default structure from nothing", cpu_seconds(lambda: compile_structure(rules), 2), "s",
               at_most=5, aim=2)
    report.add("loading it", cpu_seconds(_load_anew) * 1e3, "ms", at_most=30)

    solution = open_solution(sheet, Difficulty(3), Objective("score"))
    game = Game.resume(sheet, Difficulty(3), Place(3, 17, 1), rules, Dice.parse("R5 G3 B2 W4 Y1 P6"))
    advising = cpu_seconds(lambda: advise(game, solution), 50) * 1e3
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
    game = Game.start(solution.sheet, solution.difficulty, solution.rules)
    while game.to_move != OVER:
        if game.to_move == CHANCE:
            game = game.play(rng.choice(game.chance_outcomes())[0])
        else:
            game = game.play(advise(game, solution).result.best[0])
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
        "import resource; from exactplay.rules.winston84 import *; from exactplay.solvers.winston84 import solve; "
        "solve(Sheet.load('reference'), Difficulty(1), Objective('score')); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    return int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout) / 1024
