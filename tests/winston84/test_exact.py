"""The solver of Winston 1984 against golden values, brute force, a linear program, exact fractions and play; its advice."""
from __future__ import annotations

import copy
import dataclasses
import functools
import json
import pickle
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ortools.linear_solver import pywraplp

from bench.verify.winston84 import all_rolls, brute_force, rolled_round
from exactplay.certificates.round_graph import RoundGraph
from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalPosition
from exactplay.rules.winston84 import (
    Decision,
    Dice,
    Difficulty,
    End,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    State,
    after_round,
    check_place,
)
from exactplay.solvers.limits import Limits, OutOfBudget
from exactplay.solvers.result import Bounds, Exact, Result
from exactplay.solvers.winston84 import advise, advise_round, open_solution, solve, solve_sheet
from exactplay.solvers.winston84.structure import RESULTS, load_structure
from tests.winston84.cases import (
    CASES,
    GOLDEN,
    LATE,
    PURPLE,
    RECHECK,
    SCORE,
    WIN,
    X3,
    ZONES,
    purple,
    sheet_of,
    solution_for,
)


def options_of(name: str) -> Rules:
    return Rules(**dict.fromkeys(Rules.options() if name == "all four" else [name], True))


GOLDEN_ROWS = [
    (entry["file"], int(level), Rules(), objective, value)
    for entry in GOLDEN.values()
    for level, values in entry["values"].items()
    for objective, value in values.items()
] + [
    (entry["file"], 3, options_of(option), objective, value)
    for entry in GOLDEN.values()
    for option, values in entry["x3_with_one_option_switched"].items()
    for objective, value in values.items()
]


@pytest.mark.parametrize(("file", "level", "rules", "objective", "value"), GOLDEN_ROWS, ids=str)
def test_golden_values(file: str, level: int, rules: Rules, objective: str, value: float) -> None:
    solution = solve_sheet(sheet_of(file), Difficulty(level), Objective.parse(objective), rules)
    assert solution.value() == pytest.approx(value, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['type']} {case['dice']}")
def test_cases(case: dict[str, Any]) -> None:
    rules = Rules.from_mapping(case["options"])
    if case["type"] == "inner":
        advice = advise_round(Round(rules, Dice.parse(case["dice"])), case["u"])
    else:
        solution = solution_for(case["sheet"], case["difficulty"], case["objective"], rules)
        place = Place(case["round"], case["box"], case["marks"], case["fresh"])
        state = State.resume(solution.sheet, solution.difficulty, place, rules, Dice.parse(case["dice"]))
        advice = advise(state, solution=solution)
        assert advice.before_roll == pytest.approx(case["before_roll"], rel=1e-10, abs=1e-12)
    values = {str(decision): verdict.value for decision, verdict in advice.moves.items() if isinstance(verdict, Exact)}
    assert values == pytest.approx(case["decisions"], rel=1e-10, abs=1e-9)
    assert {str(decision) for decision in advice.best} == set(case["best"])
    assert isinstance(advice.verdict, Exact)
    assert advice.verdict.value == pytest.approx(case["value"], rel=1e-10, abs=1e-9)
    assert advice.plan[0] == advice.best[0]
    for decision, distribution in advice.distributions.items():
        assert sum(distribution) == pytest.approx(1, abs=1e-12)
        if case["type"] == "inner":
            assert np.array(distribution) @ case["u"] == pytest.approx(values[str(decision)], rel=1e-10, abs=1e-9)


# --- brute force over the reference -------------------------------------------------------------------------------


@pytest.mark.timeout(900)
def test_brute_force_of_the_tiny_sheet_from_r6() -> None:
    """At x2, where all rounds are played with six dice; x3 and x5: python -m bench verify winston84 outer."""
    sheet, difficulty = sheet_of("tiny-sheet.toml"), Difficulty(2)
    found = brute_force(sheet, difficulty, Place(6), [SCORE, WIN])
    assert found == pytest.approx([solve_sheet(sheet, difficulty, o).value(Place(6)) for o in (SCORE, WIN)], rel=1e-12)


def test_golden_brute_force() -> None:
    for row in GOLDEN["tiny"]["brute_force_from_R6"]:
        solution = solve_sheet(
            sheet_of("tiny-sheet.toml"), Difficulty(row["difficulty"]), Objective.parse(row["objective"]),
            Rules.from_mapping(row["options"]),
        )
        assert solution.value(Place(6)) == pytest.approx(row["value"], rel=1e-11)


@functools.cache
def without_purple() -> tuple[RoundGraph, list[int]]:
    """Every position of the reference without Purple, and those of the 7,776 rolls."""
    graph = RoundGraph()
    return graph, [graph.visit(rolled_round(Rules(), 6, roll)) for roll in all_rolls(6)]


def purple_places() -> list[Place]:
    after = [after_round(PURPLE, Difficulty(3), RECHECK, LATE, r) for r in range(RESULTS)]
    return sorted({place for place in after if isinstance(place, Place)}, key=str)


def test_two_rounds_in_exact_fractions() -> None:
    graph, rolls = without_purple()

    def mean(utility: dict[int, Fraction]) -> Fraction:
        value: list[Fraction] = []
        for i, kind in enumerate(graph.kind):
            if kind >= 0:
                value.append(utility[kind])
                continue
            following = [value[j] for j in graph.successors[graph.start[i] : graph.start[i + 1]]]
            value.append(max(following) if kind == -1 else sum(following, Fraction(0)) / len(following))
        return sum((value[i] for i in rolls), Fraction(0)) / len(rolls)

    def worth(place: Place, known: dict[Place, Fraction]) -> dict[int, Fraction]:
        after = {r: after_round(PURPLE, Difficulty(3), RECHECK, place, r) for r in range(RESULTS)}
        return {r: Fraction(a.score) if isinstance(a, End) else known[a] for r, a in after.items()}

    last = {place: mean(worth(place, {})) for place in purple_places()}
    exact = mean(worth(LATE, last))
    assert exact.denominator > 6**5
    found = solve_sheet(PURPLE, Difficulty(3), SCORE, RECHECK).value(LATE)
    assert found == pytest.approx(float(exact), rel=1e-14)


def test_the_linear_program_of_a_small_outer_game() -> None:
    """Least values that no decision can beat, over every raw position of the reference in every place at once."""
    graph, rolls = without_purple()
    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    place_value = {place: solver.NumVar(-infinity, infinity, str(place)) for place in [*purple_places(), LATE]}
    for place, root in place_value.items():
        variables = [solver.NumVar(-infinity, infinity, "") for _ in graph.kind]
        mean = solver.Constraint(0, 0)
        mean.SetCoefficient(root, -len(rolls))
        for index, count in Counter(rolls).items():
            mean.SetCoefficient(variables[index], count)
        for i, kind in enumerate(graph.kind):
            following = Counter(graph.successors[graph.start[i] : graph.start[i + 1]])
            if kind >= 0:
                after = after_round(PURPLE, Difficulty(3), RECHECK, place, kind)
                if isinstance(after, End):
                    variables[i].SetBounds(after.score, after.score)
                else:
                    equal = solver.Constraint(0, 0)
                    equal.SetCoefficient(variables[i], 1)
                    equal.SetCoefficient(place_value[after], -1)
            elif kind == -1:
                for j in following:
                    at_least = solver.Constraint(0, infinity)
                    at_least.SetCoefficient(variables[i], 1)
                    at_least.SetCoefficient(variables[j], -1)
            else:
                chance = solver.Constraint(0, 0)
                chance.SetCoefficient(variables[i], -following.total())
                for j, count in following.items():
                    chance.SetCoefficient(variables[j], count)
    # Any positive weights will do: all values are least at once.
    for root in place_value.values():
        solver.Objective().SetCoefficient(root, 1)
    solver.Objective().SetMinimization()
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    solution = solve_sheet(PURPLE, Difficulty(3), SCORE, RECHECK)
    for place, root in place_value.items():
        assert root.solution_value() == pytest.approx(solution.value(place), rel=1e-9)


def test_monte_carlo_through_the_reference() -> None:
    sheet, difficulty, start = sheet_of("tiny-sheet.toml"), Difficulty(5), Place(6)
    solution = solve_sheet(sheet, difficulty, SCORE)
    rng = random.Random(2026)
    scores = []
    for _ in range(400):
        game = State.resume(sheet, difficulty, start)
        while game.to_move != OVER:
            if game.to_move == CHANCE:
                game = game.play(rng.choice(game.chance_outcomes())[0])
            else:
                game = game.play(advise(game, solution=solution).best[-1])
        scores.append(game.scores()[0])
    error = float(np.std(scores, ddof=1)) / len(scores) ** 0.5
    assert 0 < error < 60
    assert float(np.mean(scores)) == pytest.approx(solution.value(start), abs=4 * error)


# --- what is asked of a game --------------------------------------------------------------------------------------


def test_advice_is_refused_where_nothing_is_to_be_decided() -> None:
    sheet = Sheet.load("reference")
    solution = open_solution(sheet, Difficulty(3), SCORE)
    with pytest.raises(IllegalPosition, match="about to be rolled"):
        advise(State.start(sheet, Difficulty(3)), solution=solution)
    with pytest.raises(IllegalPosition, match="another sheet, difficulty or rules"):
        advise(State.start(sheet, Difficulty(2)), solution=solution)
    with pytest.raises(IllegalPosition, match="over"):
        advise_round(Round(Rules(), Dice.parse("Rp2 Gp2")), [0.0] * RESULTS)
    with pytest.raises(IllegalPosition):
        advise_round(Round(Rules(), Dice.parse("Rx4 Gx1 B2")), [0.0] * RESULTS)
    with pytest.raises(IllegalPosition):
        check_place(sheet, Difficulty(3), Place(2, 500))


def test_advice_in_the_middle_of_a_round_continues_the_plan() -> None:
    """The value of a position is the value of its best decision's successor, all the way to the next roll."""
    sheet = Sheet.load("reference")
    solution = open_solution(sheet, Difficulty(3), SCORE)
    game = State.resume(sheet, Difficulty(3), Place(3, 17, 1), Rules(), Dice.parse("R5 G3 B2 W4 Y1 P6"))
    advice = advise(game, solution=solution)
    top = advice.verdict
    assert isinstance(top, Exact)
    for decision in advice.plan:
        here = advise(game, solution=solution)
        assert here.best[0] == decision
        assert isinstance(here.verdict, Exact)
        assert here.verdict.value == pytest.approx(top.value, rel=1e-12)
        game = game.play(decision)
    assert game.to_move in (CHANCE, OVER) or isinstance(game.at, Place)


def test_the_advice_of_a_round_in_full() -> None:
    advice = advise_round(Round(Rules(), Dice.parse("R2 G6 B1 Wp6 Yp2 Px3")), [float(r) for r in range(RESULTS)])
    data = json.loads(json.dumps(advice.to_json()))
    assert data.pop("nodes") > 0
    assert data.pop("seconds") >= 0
    assert data == {
        "kind": "exact", "value": 8.0, "best": ["R"], "viewpoint": 0, "mover": 0, "table_fill": None,
        "rules": "default rules", "notes": [], "before_roll": None, "plan": ["R", "B>G"],
        "sources": [{"name": "structure of a round", "provenance": "computed", "digest": load_structure(Rules()).digest}],
        "decisions": {"R": 8.0, "B>R": 0.0, "B>G": 7.0, "B>W": 0.0},
        "results": {"R": {"8": 1.0}, "B>R": {"0": 1.0}, "B>G": {"7": 1.0}, "B>W": {"0": 1.0}},
    }


def test_the_advice_of_a_game() -> None:
    solution = solve_sheet(ZONES, X3, SCORE, RECHECK)
    place = Place(3, 3, 1)
    game = State.resume(ZONES, X3, place, RECHECK, Dice.parse("R5 G3 B2 W4 Y1 P6"))
    advice = advise(game, solution=solution)
    assert advice.before_roll == solution.value(place) == advice.to_json()["before_roll"]
    assert (advice.rules, advice.sources) == (RECHECK.describe(), solution.sources)
    assert advice.notes == solution.notes(place) and len(advice.notes) == 3
    assert list(advice.moves) == list(game.legal_moves()) == list(advice.distributions)
    alone = advise_round(Round(RECHECK, Dice.parse("R5 G3 B2 W4 Y1 P6")), solution.utility(place))
    assert alone.moves == advice.moves and alone.rules == RECHECK.describe()
    assert alone.sources == (load_structure(RECHECK).source,) and alone.before_roll is None


@pytest.mark.parametrize(("best", "next_best", "tie"), [
    (1.0, 1 - 0.5e-11, True), (1.0, 1 - 1.5e-11, False), (1e9, 1e9 - 5e-3, True), (1e9, 1e9 - 1.5e-2, False),
    (-1.0, -1 - 0.5e-11, True), (-1.0, -1 - 1.5e-11, False), (0.0, -1e-300, False), (0.0, 0.0, True),
])
def test_what_ties(best: float, next_best: float, tie: bool) -> None:
    """With these dice W>Y ends in 20 and B>W in 7."""
    utility = [-1e12] * RESULTS
    utility[20], utility[7] = best, next_best
    advice = advise_round(Round(Rules(), Dice.parse("R2 G6 B1 W6 Y2 P3")), utility)
    assert Decision.parse("W>Y") in advice.best
    assert (Decision.parse("B>W") in advice.best) == tie
    assert advice.verdict == Exact(best) and advice.plan[0] == advice.best[0]


@pytest.mark.parametrize("extreme", [-1e12, 1e15, -1e100])
def test_a_utility_that_plays_no_part_does_not_blur_ties(extreme: float) -> None:
    """Result 0 is never steered for, result 36 never comes: their size must not make other decisions equal."""
    utility = [float(r) for r in range(RESULTS)]
    utility[0 if extreme < 0 else 36] = extreme
    advice = advise_round(Round(Rules(), Dice.parse("R2 G6 B1 W6 Y2 P3")), utility)
    assert [str(decision) for decision in advice.best] == ["B>G", "W>Y"]
    assert advice.plan[0] == advice.best[0]


@pytest.mark.parametrize("utility", [
    [0] * 38, [1.0] * 36, [], [float("nan")] * 37, [10**400] * 37,
    [1.01e100] + [0] * 36, [-1.01e100] + [0] * 36, ["x"] * 37, [None] * 37, [[0]] * 37, [0, [1, 2]] * 18, 5,
], ids=str)
def test_utilities_that_are_not(utility: Any) -> None:
    with pytest.raises(BadText, match="37 numbers from -1e100 to 1e100"):
        advise_round(Round(Rules(), Dice.parse("R1 G2")), utility)


@pytest.mark.parametrize("dice", [None, "R5 G3 B2 W4 Y1", "R? Gp2 B? W4 Y1"])
def test_a_game_is_worth_what_the_mean_of_its_rolls_or_the_best_of_its_decisions_is(dice: str | None) -> None:
    solution = purple()
    state = State.resume(PURPLE, X3, LATE, RECHECK, None if dice is None else Dice.parse(dice))
    if state.to_move == CHANCE and len(state.round.dice.to_roll) < 5:  # type: ignore[union-attr]
        wanted = sum(float(p) * value(state.play(roll), solution) for roll, p in state.chance_outcomes())
    elif state.to_move == CHANCE:
        wanted = solution.value(LATE)
    else:
        wanted = max(value(state.play(decision), solution) for decision in state.legal_moves())
    assert value(state, solution) == pytest.approx(wanted, rel=1e-12)


def value(state: State, solution: Any) -> float:
    verdict = solve(state, solution=solution).verdict
    assert isinstance(verdict, Exact)
    return float(verdict.value)  # type: ignore[arg-type]


def test_limits_leave_bounds_of_a_sheet_that_is_not_solved() -> None:
    state = State.start(PURPLE, X3, RECHECK)
    for limits in (Limits(seconds=0), Limits(nodes=100), Limits(cpu_seconds=0)):
        with pytest.raises(OutOfBudget):
            solve_sheet(PURPLE, X3, SCORE, RECHECK, limits=limits)
    fresh = dataclasses.replace(PURPLE, name="never solved")
    for ask in (solve, advise):
        result: Result[Any] = ask(State.start(fresh, X3, RECHECK), limits=Limits(nodes=100))
        assert isinstance(result.verdict, Bounds)
        assert result.verdict.low <= purple().value() <= result.verdict.high  # type: ignore[operator]
        assert "limit of nodes" in result.notes[0]
    with pytest.raises(IllegalPosition, match="another sheet"):
        solve(state, solution=solve_sheet(ZONES, X3, SCORE))


def test_advice_and_solutions_travel() -> None:
    solution = purple()
    advice = advise(State.resume(PURPLE, X3, LATE, RECHECK, Dice.parse("R5 G3 B2 W4 Y1")), solution=solution)
    for thing in (solution, advice):
        for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
            assert again == thing
            assert hash(again) == hash(thing)
    again = pickle.loads(pickle.dumps(solution))
    assert again.value(LATE) == solution.value(LATE)
    assert solution != purple(WIN)


# --- what an answer rests on --------------------------------------------------------------------------------------


def test_the_notes_of_a_solution() -> None:
    solution = solve_sheet(ZONES, Difficulty(3), WIN)
    sheet, zone, unreached = (
        "The sheet 'zones' is a reconstruction, not the printed one", "Box 3 is a zone and the question is not fresh",
        "No game from the start of this sheet reaches R2 box 3 marks 1",
    )
    assert [note[: len(sheet)] for note in solution.notes()] == [sheet]
    assert [note[: len(sheet)] for note in solution.notes(Place(2, 3, 1, True))] == [sheet]
    assert [note[:40] for note in solution.notes(Place(2, 3, 1))] == [sheet[:40], zone[:40], unreached[:40]]
    assert [note[:40] for note in solution.notes(Place(3, 3, 1))] == [sheet[:40], zone[:40]]
    assert [note[:40] for note in solution.notes(Place(2, 2, 0))] == [sheet[:40]]
    # Where Big Brother's eye does not look, no question needs to be fresh.
    below = solve_sheet(ZONES, Difficulty(2), WIN)
    assert [note[:20] for note in below.notes(Place(3, 4, 1))] == [sheet[:20]]


def test_what_rests_on_a_reconstruction_says_so() -> None:
    solution = open_solution(Sheet.load("reference"), Difficulty(1), WIN)
    data = solution.result().to_json()
    assert data["kind"] == "exact"
    assert "reconstruction" in data["notes"][0]
    assert data["sources"][0]["provenance"] == "reconstruction"
    assert data["sources"][1]["digest"] == load_structure(Rules()).digest
    measured = dataclasses.replace(Sheet.load("reference"), provenance="measured")
    assert solve_sheet(measured, Difficulty(1), WIN).notes() == ()
