"""The solver of Winston 1984 against golden values, brute force, a linear program, exact fractions and simulation."""
from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ortools.linear_solver import pywraplp

from bench.verify.winston84 import all_rolls, brute_force, family_of, rolled_round
from exactplay.certificates.round_graph import RoundGraph
from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalPosition
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Detour,
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
    first_place,
)
from exactplay.solvers.result import Exact
from exactplay.solvers.winston84 import advise, advise_round, open_solution, outlook, simulate, solve_sheet, trade_off
from exactplay.solvers.winston84.outer import OuterTable, Solution
from exactplay.solvers.winston84.sheets import Board
from exactplay.solvers.winston84.structure import RESULTS, data_path, load_structure
from tests import DATA

GOLDEN = json.loads((DATA / "winston84-golden.json").read_text())
CASES = [json.loads(line) for line in (DATA / "winston84-cases.jsonl").read_text().splitlines()]
SCORE, WIN = Objective("score"), Objective("win")


def sheet_of(name: str) -> Sheet:
    return Sheet.load("reference" if name == "reference-sheet.toml" else DATA / name)


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


@functools.cache
def solution_for(file: str, level: int, objective: str, rules: Rules) -> Solution:
    return open_solution(sheet_of(file), Difficulty(level), Objective.parse(objective), rules)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['type']} {case['dice']}")
def test_cases(case: dict[str, Any]) -> None:
    rules = Rules.from_mapping(case["options"])
    if case["type"] == "inner":
        advice = advise_round(Round(rules, Dice.parse(case["dice"])), case["u"])
    else:
        solution = solution_for(case["sheet"], case["difficulty"], case["objective"], rules)
        place = Place(case["round"], case["box"], case["marks"], case["fresh"])
        advice = advise(State.resume(solution.sheet, solution.difficulty, place, rules, Dice.parse(case["dice"])), solution)
        assert advice.before_roll == pytest.approx(case["before_roll"], rel=1e-10, abs=1e-12)
    values = {str(decision): verdict.value for decision, verdict in advice.moves.items()}
    assert values == pytest.approx(case["decisions"], rel=1e-10, abs=1e-9)
    assert {str(decision) for decision in advice.best} == set(case["best"])
    assert isinstance(advice.verdict, Exact)
    assert advice.verdict.value == pytest.approx(case["value"], rel=1e-10, abs=1e-9)
    assert advice.plan[0] == advice.best[0]
    for decision, distribution in advice.distributions.items():
        assert distribution.sum() == pytest.approx(1, abs=1e-12)
        if case["type"] == "inner":
            assert distribution @ case["u"] == pytest.approx(values[str(decision)], rel=1e-10, abs=1e-9)


# ------------------------------------------------------------------ brute force over the reference


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


#: Every box is Purple's zone, so that with these rules every round after the first lacks Purple: 54,703 raw positions,
#: few enough for exact fractions and for a linear program.
PURPLE = Sheet(
    name="purple", provenance="measured", route="P" * 9, detour=Detour(after=9, skip=0, boxes="P"),
    golden_country=(5, 1, 7, 3), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)
PURPLE_RULES = Rules(failed_round_rechecks_zone=True)
PURPLE_START = Place(7, 4, 1, True)


@functools.cache
def without_purple() -> tuple[RoundGraph, list[int]]:
    """Every position of the reference without Purple, and those of the 7,776 rolls."""
    graph = RoundGraph()
    return graph, [graph.visit(rolled_round(Rules(), 6, roll)) for roll in all_rolls(6)]


def purple_places() -> list[Place]:
    after = [after_round(PURPLE, Difficulty(3), PURPLE_RULES, PURPLE_START, r) for r in range(RESULTS)]
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
        after = {r: after_round(PURPLE, Difficulty(3), PURPLE_RULES, place, r) for r in range(RESULTS)}
        return {r: Fraction(a.score) if isinstance(a, End) else known[a] for r, a in after.items()}

    last = {place: mean(worth(place, {})) for place in purple_places()}
    exact = mean(worth(PURPLE_START, last))
    assert exact.denominator > 6**5
    found = solve_sheet(PURPLE, Difficulty(3), SCORE, PURPLE_RULES).value(PURPLE_START)
    assert found == pytest.approx(float(exact), rel=1e-14)


def test_the_linear_program_of_a_small_outer_game() -> None:
    """Least values that no decision can beat, over every raw position of the reference in every place at once."""
    graph, rolls = without_purple()
    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    place_value = {place: solver.NumVar(-infinity, infinity, str(place)) for place in [*purple_places(), PURPLE_START]}
    for place, root in place_value.items():
        variables = [solver.NumVar(-infinity, infinity, "") for _ in graph.kind]
        mean = solver.Constraint(0, 0)
        mean.SetCoefficient(root, -len(rolls))
        for index, count in Counter(rolls).items():
            mean.SetCoefficient(variables[index], count)
        for i, kind in enumerate(graph.kind):
            following = Counter(graph.successors[graph.start[i] : graph.start[i + 1]])
            if kind >= 0:
                after = after_round(PURPLE, Difficulty(3), PURPLE_RULES, place, kind)
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
    solution = solve_sheet(PURPLE, Difficulty(3), SCORE, PURPLE_RULES)
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
                game = game.play(advise(game, solution=solution).result.best[-1])
        scores.append(game.scores()[0])
    error = float(np.std(scores, ddof=1)) / len(scores) ** 0.5
    assert 0 < error < 60
    assert float(np.mean(scores)) == pytest.approx(solution.value(start), abs=4 * error)


# ------------------------------------------------------------------ the table


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("recheck", [False, True])
def test_the_arrays_of_a_sheet_are_the_rules(level: int, recheck: bool) -> None:
    sheet, difficulty, rules = sheet_of("tiny-sheet.toml"), Difficulty(level), Rules(failed_round_rechecks_zone=recheck)
    board = Board(sheet, difficulty, rules)
    rng = random.Random(level)
    for _ in range(4000):
        round, box = rng.randint(difficulty.first_round, LAST_ROUND), rng.randrange(board.shape[1])
        marks, r = rng.randint(0, 9), rng.randrange(RESULTS)
        after = after_round(sheet, difficulty, rules, Place(round, box, marks), r)
        golden = int(board.golden[box, r])
        if golden:
            assert after == End(True, board.score(round, golden, min(marks, board.max_marks)))
        elif round == LAST_ROUND:
            assert after == End(False, 0)
        else:
            fresh = bool(board.fresh[box, r])
            assert after == Place(round + 1, int(board.target[box, r]), marks + int(board.mark[box, r]), fresh)


def test_what_cannot_be_reached_stays_poisoned() -> None:
    sheet, difficulty, rules = sheet_of("tiny-sheet.toml"), Difficulty(5), Rules()
    solution = solve_sheet(sheet, difficulty, SCORE)
    board, support = solution.table.board, solution.table.structure.support
    reached, frontier = set(), {first_place(difficulty)}
    while frontier:
        reached |= frontier
        following = {
            after_round(sheet, difficulty, rules, place, r)
            for place in frontier
            for r in support[family_of(sheet, difficulty, place)]
        }
        frontier = {place for place in following if isinstance(place, Place)} - reached
    expected = np.zeros(board.shape, bool)
    for place in reached:
        expected[board.index(place)] = True
    assert (np.isfinite(solution.table.values) == expected).all()
    # Poison what lies beyond: the start value must not feel it.
    poisoned = OuterTable(board, SCORE.utility, solution.table.structure)
    poisoned.fill(first_place(difficulty))
    assert (poisoned.values[expected] == solution.table.values[expected]).all()


def test_an_unreached_place_is_computed_when_asked_for() -> None:
    solution = solve_sheet(sheet_of("tiny-sheet.toml"), Difficulty(5), WIN)
    place = Place(5, 6, 0, fresh=True)  # fresh on a zone without its mark: no game from the start gets there
    assert solution.get_value(place) is None
    assert solution.get_value(place, -1.0) == -1.0
    with pytest.raises(IllegalPosition, match="not been computed"):
        solution.probe_value(place)
    value = solution.value(place)
    assert solution.probe_value(place) == value
    fresh_table = OuterTable(solution.table.board, WIN.utility, solution.table.structure)
    fresh_table.fill(place)
    assert fresh_table.values[solution.table.board.index(place)] == value


def test_the_same_bits_for_any_number_of_threads() -> None:
    sheet = sheet_of("reference-sheet.toml")
    one, two = (solve_sheet(sheet, Difficulty(3), SCORE, threads=threads).table.values for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_the_shipped_tables_are_the_solution() -> None:
    sheet = Sheet.load("reference")
    for level in (1, 5):
        for objective in (SCORE, WIN):
            opened = open_solution(sheet, Difficulty(level), objective)
            solved = solve_sheet(sheet, Difficulty(level), objective)
            assert opened.table.values.tobytes() == solved.table.values.tobytes()
    assert len(list(data_path("").glob("winston84-x*.table"))) == 10


def test_a_table_is_kept_in_the_cache_and_renewed_when_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_cache_path", lambda *_, **__: tmp_path / "new")
    sheet, objective = sheet_of("tiny-sheet.toml"), Objective("at-least", 700)
    value = open_solution(sheet, Difficulty(2), objective).value()
    (table,) = (tmp_path / "new").iterdir()
    with monkeypatch.context() as patched:
        patched.setattr("exactplay.solvers.winston84.outer.solve", None)
        assert open_solution(sheet, Difficulty(2), objective).value() == value
    table.write_bytes(table.read_bytes()[:-10])
    assert open_solution(sheet, Difficulty(2), objective).value() == value
    # Points of another sheet are another question.
    other = dataclasses.replace(sheet, golden_country=(900, 900, 900, 900))
    assert open_solution(other, Difficulty(2), objective).value() != value


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("no folder")
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_cache_path", lambda *_, **__: blocker / "cache")
    assert open_solution(sheet_of("tiny-sheet.toml"), Difficulty(2), WIN).value() == pytest.approx(1)


def test_progress_counts_every_state() -> None:
    seen: list[tuple[int, int]] = []
    solve_sheet(sheet_of("tiny-sheet.toml"), Difficulty(3), WIN, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 100
    assert seen == sorted(seen)


# ------------------------------------------------------------------ what the optimal policy brings about


@pytest.mark.parametrize("objective", [SCORE, WIN, Objective("at-least", 900)], ids=str)
def test_the_exact_distribution_of_the_final_score(objective: Objective) -> None:
    sheet, difficulty = Sheet.load("reference"), Difficulty(4)
    solution = solve_sheet(sheet, difficulty, objective)
    ahead = outlook(solution)
    assert sum(ahead.scores.values()) + ahead.lost == pytest.approx(1, abs=1e-12)
    mean = sum(objective.utility(True, score) * p for score, p in ahead.scores.items())
    assert mean + objective.utility(False, 0) * ahead.lost == pytest.approx(solution.value(), rel=1e-10)
    played = simulate(sheet, difficulty, 60_000, 4, objective)
    assert played.score.mean == pytest.approx(ahead.expected_score, abs=4 * played.score.standard_error)
    assert played.win.mean == pytest.approx(ahead.win_probability, abs=4 * played.win.standard_error)
    assert set(played.histogram) <= {0, *ahead.scores}


def test_no_policy_is_better_than_the_optimal_one_at_its_objective() -> None:
    sheet, difficulty = Sheet.load("reference"), Difficulty(2)
    by_score, by_win = (outlook(solve_sheet(sheet, difficulty, objective)) for objective in (SCORE, WIN))
    assert by_score.expected_score > by_win.expected_score
    assert by_win.win_probability > by_score.win_probability
    greedy = simulate(sheet, difficulty, 20_000, 1, "greedy")
    assert greedy.score.mean < by_score.expected_score - 4 * greedy.score.standard_error
    uniform = simulate(sheet, difficulty, 20_000, 1, "random")
    assert uniform.win.mean < greedy.win.mean


def test_the_trade_off_is_a_concave_front() -> None:
    sheet, difficulty = sheet_of("tiny-sheet.toml"), Difficulty(2)
    short = dataclasses.replace(sheet, route="." * 120, detour=Detour(after=1, skip=0, boxes="."))
    front = trade_off(short, difficulty, points=5)
    assert len(front) >= 3
    assert front[0].win == pytest.approx(solve_sheet(short, difficulty, WIN).value(), rel=1e-12)
    assert front[-1].score == pytest.approx(solve_sheet(short, difficulty, SCORE).value(), rel=1e-12)
    slopes = []
    for left, right in itertools.pairwise(front):
        assert left.score < right.score
        assert left.win > right.win
        slopes.append((right.win - left.win) / (right.score - left.score))
    assert slopes == sorted(slopes, reverse=True)
    with pytest.raises(BadText, match="two ends"):
        trade_off(short, difficulty, points=1)


def test_simulation_is_reproducible() -> None:
    sheet = sheet_of("tiny-sheet.toml")
    for policy in (SCORE, "random", "greedy"):
        first, again, other = (simulate(sheet, Difficulty(3), 500, seed, policy) for seed in (5, 5, 6))  # type: ignore[arg-type]
        assert first == again
        assert first.histogram != other.histogram
        assert sum(first.histogram.values()) == 500
    for games, seed in ((1, 1), (10**10, 1), (5, -1)):
        with pytest.raises(BadText):
            simulate(sheet, Difficulty(3), games, seed, SCORE)


# ------------------------------------------------------------------ advice


def test_advice_is_refused_where_nothing_is_to_be_decided() -> None:
    sheet = Sheet.load("reference")
    solution = open_solution(sheet, Difficulty(3), SCORE)
    with pytest.raises(IllegalPosition, match="about to be rolled"):
        advise(State.start(sheet, Difficulty(3)), solution)
    with pytest.raises(IllegalPosition, match="another sheet, difficulty or rules"):
        advise(State.start(sheet, Difficulty(2)), solution)
    with pytest.raises(IllegalPosition, match="over"):
        advise_round(Round(Rules(), Dice.parse("Rp2 Gp2")), [0.0] * RESULTS)
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
        here = advise(game, solution=solution).result
        assert here.best[0] == decision
        assert isinstance(here.verdict, Exact)
        assert here.verdict.value == pytest.approx(top.value, rel=1e-12)
        game = game.play(decision)
    assert game.to_move in (CHANCE, OVER) or isinstance(game.at, Place)


@pytest.mark.parametrize("extreme", [-1e12, 1e15, -1e100])
def test_a_utility_that_plays_no_part_does_not_blur_ties(extreme: float) -> None:
    """Result 0 is never steered for, result 36 never comes: their size must not make other decisions equal."""
    utility = [float(r) for r in range(RESULTS)]
    utility[0 if extreme < 0 else 36] = extreme
    advice = advise_round(Round(Rules(), Dice.parse("R2 G6 B1 W6 Y2 P3")), utility)
    assert [str(decision) for decision in advice.best] == ["B>G", "W>Y"]
    assert advice.plan[0] == advice.best[0]


def test_places_that_look_wrong_are_pointed_out() -> None:
    solution = open_solution(Sheet.load("reference"), Difficulty(3), SCORE)
    assert len(solution.notes(Place(3, 17, 1))) == 1
    assert "No game from the start" in solution.notes(Place(2, 17, 1))[-1]
    assert any("not fresh" in note for note in solution.notes(Place(3, 12, 1)))
    assert not any("not fresh" in note for note in solution.notes(Place(3, 12, 1, True)))


def test_what_rests_on_a_reconstruction_says_so() -> None:
    solution = open_solution(Sheet.load("reference"), Difficulty(1), WIN)
    data = solution.result().to_json()
    assert data["kind"] == "exact"
    assert "reconstruction" in data["notes"][0]
    assert data["sources"][0]["provenance"] == "reconstruction"
    assert data["sources"][1]["digest"] == load_structure(Rules()).digest
    measured = dataclasses.replace(Sheet.load("reference"), provenance="measured")
    assert solve_sheet(measured, Difficulty(1), WIN).notes() == ()
