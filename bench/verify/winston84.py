"""Winston 1984: the exhaustive proof that the native core is the game, and brute force of the last rounds."""
from __future__ import annotations

import random
import time

import numpy as np

from exactplay.certificates.round_graph import RoundGraph, Schedule
from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Colour,
    Dice,
    Die,
    Difficulty,
    End,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    Status,
    after_round,
)
from exactplay.solvers.winston84 import solve_sheet
from exactplay.solvers.winston84.bridge import position_of
from exactplay.solvers.winston84.structure import (
    LANES,
    RESULTS,
    SECURITY,
    Floats,
    Structure,
    load_structure,
)

OPTIONS = ("room101_is_placed", "white_needs_change", "purple_alone_ok")


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
        code = position_of(Round(rules, Dice(six), must_give_up))
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
        solved = [solve_sheet(sheet, difficulty, objective).value(Place(6)) for objective in objectives]
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
