"""Policies, trade-offs, simulations, forecasts and advice of Winston 1984 on sheets of a few boxes."""
from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactplay.rules.contract import BadText, IllegalPosition
from exactplay.rules.winston84 import (
    Decision,
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
    first_place,
)
from exactplay.solvers import tables
from exactplay.solvers.result import Exact, Source
from exactplay.solvers.winston84 import (
    MOST_GAMES,
    Forecast,
    advise,
    advise_round,
    open_forecast,
    outer,
    outlook,
    second_objective,
    simulate,
    simulation,
    solve_sheet,
    trade_off,
)
from exactplay.solvers.winston84.outer import OuterTable
from exactplay.solvers.winston84.policy import Policy
from exactplay.solvers.winston84.sheets import board_of
from exactplay.solvers.winston84.structure import RESULTS, Floats, load_structure, opening
from tests.winston84.test_solver_parts import DIGEST, LATE, PURPLE, RECHECK, SCORE, WIN, X3, ZONES, purple

#: Seventy-five boxes of Purple's zone: seldom home in eight rounds, so that points and wins are two aims.
FAR = dataclasses.replace(
    PURPLE, route="P" * 75, detour=Detour(after=75, skip=0, boxes="P"), rounds=(90, 80, 70, 60, 50, 40, 30, 20, 10),
)
FIFTY_FIVE = dataclasses.replace(FAR, route="P" * 55, detour=Detour(after=55, skip=0, boxes="P"))
AT_LEAST = Objective("at-least", 100)
#: the game of LATE: winning in R7 gives 81 or 75 points, in R8 111 and more, as one mark more is 15 points more
BY_SCORE = {
    69: 0.011876524157902763, 75: 0.01539875781130925, 81: 0.04529249542752626, 87: 0.06608653406492912,
    111: 0.039725178557344615, 117: 0.23664261364581943, 123: 0.11261792982074972, 129: 0.20054745904187976,
}


# ------------------------------------------------------------------ policies


def test_an_outlook() -> None:
    ahead = outlook(purple(), LATE)
    assert ahead.scores == pytest.approx(BY_SCORE, rel=1e-12) and list(ahead.scores) == sorted(ahead.scores)
    assert ahead.lost == pytest.approx(0.2718125074725446, rel=1e-12)
    assert ahead.win_probability == pytest.approx(1 - ahead.lost, rel=1e-12)
    assert ahead.expected_score == pytest.approx(purple().value(LATE), rel=1e-12)
    said: list[Any] = []
    whole = outlook(purple(), progress=lambda *counts: said.append(counts))
    assert said[-1] == (170, 170) and said == sorted(said) and len({total for _, total in said}) == 1
    assert whole.expected_score == pytest.approx(purple().value(), rel=1e-12)
    assert outlook(purple(AT_LEAST), LATE).scores[111] == pytest.approx(0.048071918574196314, rel=1e-12)
    with pytest.raises(IllegalPosition, match="box is 10"):
        outlook(purple(), Place(2, 10))


def test_what_breaks_ties() -> None:
    assert [second_objective(objective) for objective in (SCORE, WIN, AT_LEAST)] == [WIN, SCORE, SCORE]


def test_a_policy_and_its_arrays() -> None:
    solution, said = purple(), []
    policy = Policy(solution.table, WIN.utility)
    assert np.isnan(policy.second).all() and policy.second.shape == solution.table.board.shape
    policy.fill(LATE, lambda *counts: said.append(counts))
    assert said == [(6, 7), (7, 7)]
    policy.fill(LATE, lambda *counts: pytest.fail("nothing to do"))
    assert np.isfinite(policy.second).sum() == 7
    arrays = policy.to_arrays()
    index = [np.ravel_multi_index(solution.table.board.index(place), solution.table.board.shape) for place in (
        LATE, *(Place(8, box, 2, True) for box in range(4, 10)))]
    assert arrays["state"].tolist() == index and arrays["state"].dtype == arrays["row"].dtype == np.uint32
    # The last round is worked out first.
    assert arrays["row"].tolist() == [6, 0, 1, 2, 3, 4, 5] and arrays["results"].shape == (7, RESULTS)
    assert arrays["second"][0] == pytest.approx(0.7281874925274556, rel=1e-12)
    assert arrays["results"].sum(axis=1) == pytest.approx(np.ones(7), rel=1e-12)
    assert list(arrays) == ["state", "second", "row", "results"]
    other = Policy(solution.table, WIN.utility)
    other.fill(Place(3, 2, 1, True))
    other.load(arrays)
    assert np.isfinite(other.second).sum() == 7 and other.value(LATE) == policy.value(LATE) == arrays["second"][0]
    assert other.outlook(LATE) == policy.outlook(LATE)
    # What was taken over can be gone on with.
    before = other.outlook(Place(6, 4, 0, True))
    assert before == policy.outlook(Place(6, 4, 0, True))
    assert before.expected_score == pytest.approx(solution.value(Place(6, 4, 0, True)), rel=1e-12)


def test_what_a_policy_brings_about_from_the_end_of_a_round() -> None:
    solution = purple()
    policy = Policy(solution.table, WIN.utility)
    ahead = policy.outlooks(LATE, np.eye(RESULTS)[[0, 5, 6, 9, 17]])
    for found, box in zip(ahead, (4, 9), strict=False):
        after = outlook(solution, Place(8, box, 2, True))
        assert found.scores == pytest.approx(after.scores, rel=1e-12) and found.lost == pytest.approx(after.lost, rel=1e-12)
    # Golden Country boxes count 5, 1, 7 and 3, R7 2, a mark 20 points.
    assert [(found.scores, found.lost) for found in ahead[2:]] == [({81: 1.0}, 0), ({75: 1.0}, 0), ({75: 1.0}, 0)]
    last = policy.outlooks(Place(8, 4, 1, True), np.array([[0.5, 0, 0, 0, 0, 0, 0.25, 0, 0, 0.25, *[0] * 27]]))
    assert [(found.scores, found.lost) for found in last] == [({72: 0.25, 78: 0.25}, 0.5)]
    second = policy.second_utility(LATE)
    wins = [policy.value(Place(8, box, 2, True)) for box in range(4, 10)]
    assert second.tolist() == [*wins, *[1.0] * 12, *[0.0] * 19] and len(set(wins)) == 6


# ------------------------------------------------------------------ trade-offs

#: late wins pay most
BOLD = dataclasses.replace(
    FAR, route="P" * 50, detour=Detour(after=50, skip=0, boxes="P"), rounds=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
FRONT = [
    (279.5585552985139, 0.6299503673211724, 1.0), (338.4924699805148, 0.6139556781480426, 0.6368763407238347),
    (361.9767271071209, 0.5846982966128894, 0.5446306914785303),
    (388.07816914723577, 0.5488960058322074, 0.514907644055867),
    (401.4325165486987, 0.5209057724503399, 0.0),
]


@pytest.mark.parametrize(("points", "which"), [(2, [0, 4]), (5, [0, 1, 2, 3, 4])])
def test_a_trade_off(points: int, which: list[int]) -> None:
    said: list[Any] = []
    front = trade_off(BOLD, X3, RECHECK, points=points, progress=lambda *counts: said.append(counts))
    assert said == [(number, points) for number in range(2, points)]
    for found, wanted in zip(front, [FRONT[i] for i in which], strict=True):
        assert dataclasses.astuple(found) == pytest.approx(wanted, rel=1e-7, abs=1e-12)


def test_every_point_of_a_trade_off_is_optimal_for_its_weight() -> None:
    best = {objective: solve_sheet(BOLD, X3, objective, RECHECK).value() for objective in (SCORE, WIN)}
    scale = best[SCORE] / best[WIN]
    for score, win, weight in FRONT:
        table = OuterTable(
            board_of(BOLD, X3, RECHECK), lambda won, points: (1 - weight) * points + weight * scale * won,  # noqa: B023
            load_structure(RECHECK),
        )
        table.fill(Place(1))
        assert table.values[1, 0, 0, 0] == pytest.approx((1 - weight) * score + weight * scale * win, rel=1e-12)


@pytest.mark.parametrize(("sheet", "ends"), [
    (dataclasses.replace(PURPLE, route="P" * 300), [(0.0, 0.0, 1.0)]),
    (dataclasses.replace(PURPLE, golden_country=(-500,)), [(-1386.0232593865048, 1.0, 1.0), (0.0, 0.0, 0.0)]),
], ids=["no win", "no win that pays"])
def test_a_trade_off_of_nothing(sheet: Sheet, ends: list[tuple[float, ...]]) -> None:
    front = trade_off(sheet, X3, RECHECK, progress=lambda *counts: pytest.fail("nothing to look for"))
    assert [dataclasses.astuple(found) for found in front] == [pytest.approx(end, rel=1e-12) for end in ends]


def test_a_trade_off_goes_where_the_gap_is_widest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Policies of which all is known: between some there is nothing, or too little to look for."""
    policies = [
        (10, 1.0), (20, 1 - 1e-12), (25, 0.95 + 1e-12), (30, 0.9), (37, 0.75), (39, 0.68), (40 - 1e-12, 0.63), (40, 0.62),
        (5, 0.9), (33, 0.7),
    ]
    tried: list[tuple[float, float]] = []

    def mean(worth: Any, policy: tuple[float, float]) -> float:
        score, win = policy
        return float(win * worth(True, score / win) + (1 - win) * worth(False, 0))

    class Table:
        def __init__(self, board: Any, worth: Any, structure: Any) -> None:
            assert board is board_of(PURPLE, X3, RECHECK) and structure is load_structure(RECHECK)
            self.best = max(policies, key=lambda policy: mean(worth, policy))
            self.values = {board.index(Place(1)): mean(worth, self.best)}
            tried.append(self.best)

    class BestPolicy:
        def __init__(self, table: Table, second: Any) -> None:
            self.second = mean(second, table.best)

        def value(self, place: Place) -> float:
            assert place == Place(1)
            return self.second

    monkeypatch.setattr("exactplay.solvers.winston84.policy.OuterTable", Table)
    monkeypatch.setattr("exactplay.solvers.winston84.policy.Policy", BestPolicy)
    said: list[Any] = []
    front = trade_off(PURPLE, X3, RECHECK, points=20, progress=lambda *counts: said.append(counts))
    assert [(found.score, found.win) for found in front] == [
        pytest.approx(wanted, rel=1e-9) for wanted in [policies[i] for i in (0, 1, 3, 4, 5, 6, 7)]
    ]
    assert [found.weight for found in front] == pytest.approx(
        [1, 20 / 24, 30 / 45.2, 10 / 21.2, 3 / 8.2, 1 / 3.4, 0], rel=1e-9)
    assert said == [(number, 20) for number in (2, 3, 4, 5, 5, 5, 5, 6, 6, 7, 7)]
    # Of these gaps two were too narrow to look into; the ends came first.
    assert tried[:6] == [policies[i] for i in (0, 7, 3, 1, 4, 2)] and len(tried) == 2 + len(said) - 2
    tried.clear()
    assert len(trade_off(PURPLE, X3, RECHECK, points=4)) == 4 == len(tried)
    said.clear()
    trade_off(PURPLE, X3, RECHECK, progress=lambda *counts: said.append(counts))
    assert said[0] == (2, 9)


def test_a_trade_off_of_few_points_is_one_all_the_same() -> None:
    sheet = dataclasses.replace(FAR, route="P" * 80, detour=Detour(after=80, skip=0, boxes="P"))
    front = trade_off(sheet, X3, RECHECK, points=3)
    assert len(front) == 3 and front[-1].score == pytest.approx(0.3905318458433534, rel=1e-9)


def test_a_trade_off_has_default_rules_and_two_ends() -> None:
    sheet = dataclasses.replace(PURPLE, route="PP", detour=Detour(after=2, skip=0, boxes="P"), golden_country=(-9, -500))
    front = trade_off(sheet, X3, points=2)
    assert front == trade_off(sheet, X3, Rules(), points=2) != trade_off(sheet, X3, RECHECK, points=2)
    with pytest.raises(BadText, match="1 points; it has at least its two ends"):
        trade_off(PURPLE, X3, points=1)


# ------------------------------------------------------------------ simulations


def played(sheet: Sheet, difficulty: Difficulty, rules: Rules, policy: str) -> dict[int, float]:
    """The chance of each final score by the rules, with the results that a policy brings about in each family of rolls."""
    board = board_of(sheet, difficulty, rules)

    @functools.cache
    def results(family: int) -> Floats:
        if policy == "greedy":
            spread: Floats = load_structure(rules).evaluators()[family].follow(np.arange(37.0), np.zeros(37))[1]
            return spread
        results = opening(family).random_rounds(60_000, np.array([8], np.uint64))
        return np.bincount(results, minlength=37) / len(results)

    at, ends = {first_place(difficulty): 1.0}, Counter[int]()
    while at:
        following = Counter[Place]()
        for place, chance in at.items():
            for result, share in enumerate(results(board.family(place.box, place.fresh)).tolist()):
                after = after_round(sheet, difficulty, rules, place, result)
                if isinstance(after, End):
                    ends[after.score] += chance * share
                elif share:
                    following[after] += chance * share
        at = dict(following)
    return dict(ends)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_simulated_games_end_as_they_should(policy: Any) -> None:
    sheet, difficulty = dataclasses.replace(ZONES, route="R.oPG.W" + "." * 6), Difficulty(5)
    chances, games = played(sheet, difficulty, RECHECK, policy), 20_000
    found = simulate(sheet, difficulty, games, 3, policy, RECHECK)
    assert list(found.histogram) == sorted(found.histogram) and set(found.histogram) <= set(chances)
    for score, chance in chances.items():
        deviation = math.sqrt(chance * (1 - chance) / games)
        assert found.histogram.get(score, 0) / games == pytest.approx(chance, abs=6 * deviation + 1e-4)
    assert found.score.mean == sum(score * number for score, number in found.histogram.items()) / games
    assert found.win.mean == pytest.approx(1 - found.histogram.get(0, 0) / games, abs=1e-12)


@pytest.mark.parametrize(("sheet", "objective"), [
    (FIFTY_FIVE, SCORE), (FIFTY_FIVE, AT_LEAST), (PURPLE, Objective("at-least", 120)),
], ids=["score", "seldom", "nearly always"])
def test_optimal_play_is_simulated_with_its_ties(
    sheet: Sheet, objective: Objective, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    ahead = outlook(solve_sheet(sheet, X3, objective, RECHECK))
    found = simulate(sheet, X3, 6_000, 1, objective, RECHECK)
    assert len(found.histogram) > 4
    for score, chance in {0: ahead.lost, **ahead.scores}.items():
        deviation = math.sqrt(chance * (1 - chance) / 6_000)
        assert found.histogram.get(score, 0) / 6_000 == pytest.approx(chance, abs=6 * deviation + 1e-4)


def test_what_a_simulation_tells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr(simulation, "_AT_ONCE", 70)
    said: list[Any] = []
    found = simulate(ZONES, X3, 200, 7, "greedy", progress=lambda *counts: said.append(counts))
    assert said == [(70, 200), (140, 200), (200, 200)]
    assert sum(found.histogram.values()) == 200 and (found.seed, found.score.samples, found.win.samples) == (7, 200, 200)
    assert found.sources == (
        Source("sheet zones", "reconstruction", ZONES.digest), Source("structure of a round", "computed", DIGEST),
    )
    assert len(found.notes) == 1 and "reconstruction" in found.notes[0]
    assert simulate(ZONES, X3, 200, 7, "greedy", Rules()) == found
    # Play that follows no objective needs no solution of its own.
    assert [path.name[:19] for path in tmp_path.iterdir()] == ["winston84-x3-score-"]


def test_a_seed_decides_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr(simulation, "_AT_ONCE", 70)
    policies: list[Any] = ["random", "greedy"]
    for policy in policies:
        found, again, other = (simulate(PURPLE, X3, 200, seed, policy, RECHECK) for seed in (7, 7, 8))
        assert found == again and found.histogram != other.histogram
        assert len(found.histogram) > 1 and {type(score) for score in found.histogram} == {int}
        assert found.win.mean == 1 - found.histogram.get(0, 0) / 200
    assert max(int(simulation._Table(purple(), "random", seed).generator[0]) for seed in range(20)) > 2**60


def test_the_mean_of_a_histogram() -> None:
    estimate = simulation._estimate(Counter({0: 1, 3: 2, 6: 1}))
    assert (estimate.mean, estimate.standard_error, estimate.samples) == (3.0, math.sqrt(6 / 4), 4)


def test_the_bounds_of_a_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_GAMES == 10**9
    monkeypatch.setattr(simulation, "MOST_GAMES", 30)
    for games, seed in ((2, 0), (30, 2**64 - 1)):
        assert simulate(PURPLE, X3, games, seed, "random").score.samples == games
    for games, seed, said in ((1, 0, "1 games"), (31, 0, "to 30"), (2, -1, "seed -1"), (2, 2**64, "seed 184467")):
        with pytest.raises(BadText, match=said):
            simulate(PURPLE, X3, games, seed, "random")


# ------------------------------------------------------------------ forecasts


def test_a_forecast_and_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "user_cache_path", lambda *_, **__: tmp_path)
    said: list[Any] = []
    solution = purple()
    first = open_forecast(solution, progress=lambda *counts: said.append(counts))
    assert said[-1] == (170, 170) and first.solution is solution
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("winston84-x3-score-forecast-") and path == outer.cache_path(
        "winston84-x3-score-forecast", solution.about)
    arrays = tables.read(path, "winston84 policy", solution.about)
    assert sorted(arrays) == ["results", "row", "second", "state"] and len(arrays["state"]) == 170
    again = open_forecast(solution, progress=lambda *counts: pytest.fail("made twice"))
    for forecast in (first, again, Forecast(solution)):
        assert forecast.before_roll(LATE).scores == pytest.approx(BY_SCORE, rel=1e-12)


def test_a_forecast_computes_what_it_needs_and_says_so() -> None:
    game = State.resume(PURPLE, X3, LATE, RECHECK, Dice.parse("R5 G3 B2 W4 Y1"))
    before = State.resume(PURPLE, X3, LATE, RECHECK)
    asked: list[tuple[Any, Any]] = [
        (Forecast.before_roll, LATE), (Forecast.now, game), (Forecast.after, game), (Forecast.now, before),
        (Forecast.after, before),
    ]
    for ask, about in asked:
        said: list[Any] = []
        ask(Forecast(purple()), about, progress=lambda *counts: said.append(counts))  # noqa: B023
        assert said == [(6, 7), (7, 7)]


def test_forecasts_within_a_round() -> None:
    solution = purple()
    forecast = Forecast(solution)
    game = State.resume(PURPLE, X3, LATE, RECHECK, Dice.parse("R5 G3 B2 W4 Y1"))
    advice = advise(game, solution=solution)
    after = forecast.after(game)
    assert list(after) == list(game.legal_moves()) == list(advice.moves) and len(after) > 5
    for decision, ahead in after.items():
        value = advice.moves[decision]
        assert isinstance(value, Exact) and ahead.expected_score == pytest.approx(value.value, rel=1e-12)
    assert isinstance(advice.verdict, Exact)
    assert forecast.now(game).expected_score == pytest.approx(advice.verdict.value, rel=1e-12)
    assert forecast.now(State.resume(PURPLE, X3, LATE, RECHECK)) == forecast.before_roll(LATE)
    # Where every decision wins the score decides.
    sure, dice = Forecast(purple(WIN)), Dice.parse("R2 G6 B2 W5 Y4")
    at_home = State.resume(PURPLE, X3, Place(8, 9, 1, True), RECHECK, dice)
    points = [sure.after(at_home)[decision].expected_score for decision in advise(at_home, sure.solution).result.best]
    assert sorted(points) == [72, 84, 84] and sure.now(at_home).expected_score == 84
    assert forecast.after(State.resume(PURPLE, X3, LATE, RECHECK)) == {}
    other_level = State.resume(PURPLE, Difficulty(5), LATE, RECHECK)
    for other in (State.resume(PURPLE, X3, LATE), other_level, State.resume(FAR, X3, LATE, RECHECK)):
        with pytest.raises(IllegalPosition, match="another sheet, difficulty or rules"):
            forecast.now(other)
        with pytest.raises(IllegalPosition, match="another sheet, difficulty or rules"):
            advise(other, solution=solution)
    over = State(RECHECK, PURPLE, X3, End(True, 75), None)
    for ask in (forecast.now, forecast.after, lambda game: advise(game, solution=solution)):
        with pytest.raises(IllegalPosition, match="the game is over"):
            ask(over)


# ------------------------------------------------------------------ advice


def test_the_advice_of_a_round_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.5])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    advice = advise_round(Round(Rules(), Dice.parse("R2 G6 B1 Wp6 Yp2 Px3")), [float(r) for r in range(RESULTS)])
    data = json.loads(json.dumps(advice.to_json()))
    assert data == {
        "kind": "exact", "value": 8.0, "best": ["R"], "nodes": 6, "seconds": 2.5, "table_fill": None,
        "rules": "default rules", "notes": [], "before_roll": None, "plan": ["R", "B>G"],
        "sources": [{"name": "structure of a round", "provenance": "computed", "digest": DIGEST}],
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
    assert alone.result.moves == advice.moves and alone.result.rules == RECHECK.describe()
    assert alone.result.sources == (load_structure(RECHECK).source,) and alone.before_roll is None


def test_a_round_that_no_rule_leads_to_is_refused() -> None:
    with pytest.raises(IllegalPosition):
        advise_round(Round(Rules(), Dice.parse("Rx4 Gx1 B2")), [0.0] * RESULTS)
    with pytest.raises(BadText, match="37 numbers"):
        advise_round(Round(Rules(), Dice.parse("R1 G2")), [0.0] * 36)


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
