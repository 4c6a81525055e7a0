"""What optimal play of Winston 1984 brings about: outlooks, trade-offs, simulations, and forecasts within a round."""
from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import math
import pickle
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.rules.contract import CHANCE, OVER, BadOption, IllegalPosition
from exactplay.rules.winston84 import (
    LOST,
    Colour,
    Detour,
    Dice,
    Die,
    Difficulty,
    End,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    State,
    Status,
    after_round,
    first_place,
)
from exactplay.solvers.limits import Limits, OutOfBudget, Report
from exactplay.solvers.winston84 import (
    Forecast,
    Outlook,
    advise,
    open_forecast,
    open_solution,
    outer,
    outlook,
    second_objective,
    simulate,
    solve_sheet,
    trade_off,
)
from exactplay.solvers.winston84.bridge import position_of
from exactplay.solvers.winston84.outer import OuterTable
from exactplay.solvers.winston84.sheets import board_of
from exactplay.solvers.winston84.structure import RESULTS, Floats, load_structure, opening
from tests.winston84.cases import LATE, PURPLE, RECHECK, REFERENCE, SCORE, TINY, WIN, X3, ZONES, purple, sheet_of

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


def test_an_outlook() -> None:
    ahead = outlook(purple(), LATE)
    assert ahead.scores == pytest.approx(BY_SCORE, rel=1e-12) and list(ahead.scores) == sorted(ahead.scores)
    assert ahead.lost == pytest.approx(0.2718125074725446, rel=1e-12)
    assert ahead.win_probability == pytest.approx(1 - ahead.lost, rel=1e-12)
    assert ahead.expected_score == pytest.approx(purple().value(LATE), rel=1e-12)
    whole = outlook(purple())
    assert whole.expected_score == pytest.approx(purple().value(), rel=1e-12)
    assert outlook(purple(AT_LEAST), LATE).scores[111] == pytest.approx(0.048071918574196314, rel=1e-12)
    with pytest.raises(IllegalPosition, match="box is 10"):
        outlook(purple(), Place(2, 10))
    with pytest.raises(OutOfBudget):
        outlook(purple(), limits=Limits(nodes=100))


def test_what_breaks_ties() -> None:
    assert [second_objective(objective) for objective in (SCORE, WIN, AT_LEAST)] == [WIN, SCORE, SCORE]


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


# --- trade-offs ---------------------------------------------------------------------------------------------------


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
    said: list[Report] = []
    front = trade_off(BOLD, X3, RECHECK, points=points, progress=said.append)
    # Each point is told as it is found.
    told = {report.counts["score"]: report.counts["points"] for report in said if "score" in report.counts}
    assert sorted(told) == [point.score for point in front]
    assert sorted(told.values()) == list(range(1, len(front) + 1))
    assert {report.total for report in said} == {points}
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
    front = trade_off(sheet, X3, RECHECK)
    assert [dataclasses.astuple(found) for found in front] == [pytest.approx(end, rel=1e-12) for end in ends]


def test_a_trade_off_has_default_rules_and_two_ends() -> None:
    sheet = dataclasses.replace(PURPLE, route="PP", detour=Detour(after=2, skip=0, boxes="P"), golden_country=(-9, -500))
    front = trade_off(sheet, X3, points=2)
    assert front == trade_off(sheet, X3, Rules(), points=2) != trade_off(sheet, X3, RECHECK, points=2)
    with pytest.raises(BadOption, match="points"):
        trade_off(PURPLE, X3, points=1)
    with pytest.raises(OutOfBudget):
        trade_off(BOLD, X3, RECHECK, limits=Limits(nodes=1000))


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


# --- simulations --------------------------------------------------------------------------------------------------


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
    monkeypatch.setattr(outer, "user_folder", lambda kind: tmp_path)
    ahead = outlook(solve_sheet(sheet, X3, objective, RECHECK))
    found = simulate(sheet, X3, 6_000, 1, objective, RECHECK)
    assert len(found.histogram) > 4
    for score, chance in {0: ahead.lost, **ahead.scores}.items():
        deviation = math.sqrt(chance * (1 - chance) / 6_000)
        assert found.histogram.get(score, 0) / 6_000 == pytest.approx(chance, abs=6 * deviation + 1e-4)


def test_simulation_is_reproducible() -> None:
    sheet = sheet_of("tiny-sheet.toml")
    for policy in (SCORE, "random", "greedy"):
        first, again, other = (simulate(sheet, Difficulty(3), 500, seed, policy) for seed in (5, 5, 6))
        assert first == again
        assert first.histogram != other.histogram
        assert sum(first.histogram.values()) == 500
    for games, seed in ((1, 1), (10**10, 1), (5, -1), (5, 2**64), (5.0, 1)):
        with pytest.raises(BadOption):
            simulate(sheet, Difficulty(3), games, seed, SCORE)  # type: ignore[arg-type]
    with pytest.raises(OutOfBudget):
        simulate(sheet, Difficulty(3), 500, 1, SCORE, limits=Limits(seconds=0))


@pytest.mark.parametrize("policy", ["ramdom", "", None, 3, "at-least"])
def test_a_policy_that_there_is_not_is_refused(policy: Any) -> None:
    with pytest.raises(BadOption, match="policy"):
        simulate(TINY, X3, 500, 1, policy)


def test_a_policy_is_named_as_an_objective_is() -> None:
    assert simulate(TINY, X3, 500, 1, "score") == simulate(TINY, X3, 500, 1, SCORE)


# --- forecasts ----------------------------------------------------------------------------------------------------


OBJECTIVES = [Objective("score"), Objective("win"), Objective("at-least", 600)]


@functools.cache
def forecast_of(sheet: Sheet, level: int, objective: Objective) -> Forecast:
    return Forecast(open_solution(sheet, Difficulty(level), objective))


def mean(outlook: Outlook, objective: Objective) -> float:
    return (
        sum(objective.utility(True, score) * chance for score, chance in outlook.scores.items())
        + objective.utility(False, 0) * outlook.lost
    )


def as_dict(outlook: Outlook) -> dict[int | None, float]:
    chances: dict[int | None, float] = {None: outlook.lost}
    return chances | dict(outlook.scores.items())


def mixed(parts: list[tuple[float, Outlook]]) -> dict[int | None, float]:
    total: Counter[int | None] = Counter()
    for weight, part in parts:
        for score, chance in as_dict(part).items():
            total[score] += weight * chance  # type: ignore[assignment]
    return dict(total)


def same(one: dict[int | None, float], other: dict[int | None, float]) -> bool:
    return all(one.get(key, 0) == pytest.approx(other.get(key, 0), abs=1e-11) for key in {*one, *other})


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@pytest.mark.parametrize("level", [2, 3])
def test_the_mean_of_every_distribution_is_the_value(level: int, objective: Objective) -> None:
    forecast = forecast_of(REFERENCE, level, objective)
    rng = random.Random(level)
    for place in (Place(5, 60, 1), Place(6, 91, 2), Place(7, 108, 1, True), Place(8, 110, 0)):
        assert mean(forecast.before_roll(place), objective) == pytest.approx(forecast.solution.value(place), rel=1e-9)
        game = State.resume(REFERENCE, Difficulty(level), place)
        while game.to_move == CHANCE:
            game = game.play(rng.choice(game.chance_outcomes())[0])
        advice = advise(game, solution=forecast.solution)
        after = forecast.after(game)
        assert list(after) == list(game.legal_moves())
        for decision, ahead in after.items():
            assert sum(ahead.scores.values()) + ahead.lost == pytest.approx(1, abs=1e-12)
            value = advice.moves[decision].value  # type: ignore[union-attr]
            assert mean(ahead, objective) == pytest.approx(value, rel=1e-9, abs=1e-12)
        # Of the best decisions the one is followed that is better for the second objective.
        second = second_objective(objective)
        followed = max((after[decision] for decision in advice.best), key=lambda outlook: mean(outlook, second))
        assert mean(forecast.now(game), second) == pytest.approx(mean(followed, second), rel=1e-9)
        assert mean(forecast.now(game), objective) == pytest.approx(mean(followed, objective), rel=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_a_re_roll_is_the_average_over_its_outcomes(objective: Objective) -> None:
    forecast = forecast_of(REFERENCE, 2, objective)
    game = State.resume(REFERENCE, Difficulty(2), Place(7, 105, 1), dice=Dice.parse("R? Gp2 W4 Y? P6 B1"))
    parts = [(float(chance), forecast.now(game.play(roll))) for roll, chance in game.chance_outcomes()]
    assert len(parts) == 36
    assert same(as_dict(forecast.now(game)), mixed(parts))
    assert forecast.after(game) == {}


@pytest.mark.parametrize(("place", "taken"), [
    (Place(8, 30, 1, fresh=True), Colour.PURPLE), (Place(7, 24, 1, fresh=True), Colour.GREEN), (Place(8, 25, 0), None),
], ids=str)
def test_before_the_roll_stands_the_average_over_every_roll(place: Place, taken: Colour | None) -> None:
    """Before a round and within it other code answers. Big Brother's eye takes a die where the place is fresh.

    Decisions that are equal for both objectives may be told apart differently, so only the means have to agree.
    """
    objective, second = Objective("win"), Objective("score")
    forecast = forecast_of(TINY, 3, objective)
    adviser = Adviser(
        load_structure(Rules()).shared, 0, forecast.solution.utility(place), forecast._policy.second_utility(place)
    )
    total = np.zeros(RESULTS)
    faces: list[Iterable[int]] = [range(1, 7) if colour is not taken else (0,) for colour in Colour]
    for roll in itertools.product(*faces):
        dice = Dice(tuple(Die(Status.AVAILABLE if face else Status.REMOVED, face) for face in roll))
        total += adviser.distribution(position_of(Round(Rules(), dice)))
    [averaged] = forecast._policy.outlooks(place, total[None] / total.sum())
    assert total.sum() == pytest.approx(6 ** (6 if taken is None else 5))
    ahead = forecast.before_roll(place)
    assert mean(ahead, objective) == pytest.approx(mean(averaged, objective), rel=1e-11)
    assert mean(ahead, second) == pytest.approx(mean(averaged, second), rel=1e-11)
    assert all(ahead.scores.get(score, 0) == pytest.approx(chance, abs=2e-3) for score, chance in averaged.scores.items())


def by_the_reference(game: State, objective: Objective, after: dict[Place, Outlook]) -> dict[int | None, float]:
    """Backward induction over the reference's rounds: by value, among equal ones by the second value."""
    second = second_objective(objective)

    @functools.cache
    def best(at: State) -> tuple[float, float, tuple[tuple[int | None, float], ...]]:
        if isinstance(at.at, End):
            end = None if at.at == LOST else at.at.score
            return objective.utility(at.at.won, at.at.score), second.utility(at.at.won, at.at.score), ((end, 1.0),)
        if at.at != game.at:
            outlook = after[at.at]
            return mean(outlook, objective), mean(outlook, second), tuple(as_dict(outlook).items())
        if at.to_move == CHANCE:
            found = [(float(chance), best(at.play(roll))) for roll, chance in at.chance_outcomes()]
            spread: Counter[int | None] = Counter()
            for chance, (_, _, part) in found:
                for score, share in part:
                    spread[score] += chance * share  # type: ignore[assignment]
            return (
                sum(chance * value for chance, (value, _, _) in found),
                sum(chance * value for chance, (_, value, _) in found),
                tuple(spread.items()),
            )
        options = [best(at.play(decision)) for decision in at.legal_moves()]
        top = max(value for value, _, _ in options)
        return max(
            (option for option in options if option[0] >= top - 1e-11 * abs(top)), key=lambda option: option[1],
        )

    return dict(best(game)[2])


@pytest.mark.parametrize("objective", [Objective("score"), Objective("win"), Objective("at-least", 200)], ids=str)
@pytest.mark.parametrize(("place", "dice"), [
    (Place(8, 33, 1), "R5 Gp2 B2 W4 Y? P?"),
    (Place(8, 30, 0), "R5 G1 Bp2 Y4 P6"),
    (Place(8, 25, 2), "Rp1 G1 W4 Bp1 Y3"),
    (Place(7, 22, 1), "R5 G1 Bp2 Y4 P6"),
    (Place(7, 30, 0), "R3 Gp2 B1 W? Yx5 P?"),
], ids=str)
def test_brute_force_over_the_reference(place: Place, dice: str, objective: Objective) -> None:
    forecast = forecast_of(TINY, 2, objective)
    game = State.resume(TINY, Difficulty(2), place, dice=Dice.parse(dice))
    following = {after_round(TINY, Difficulty(2), Rules(), place, result) for result in range(RESULTS)}
    after = {at: forecast.before_roll(at) for at in following if isinstance(at, Place)}
    assert same(as_dict(forecast.now(game)), by_the_reference(game, objective, after))
    for decision, ahead in forecast.after(game).items():
        assert same(as_dict(ahead), by_the_reference(game.play(decision), objective, after))


def test_playing_out_by_advice_gives_the_distribution() -> None:
    """Simulation with the advice of every position: it shares only the value of a decision with the forecast."""
    objective = Objective("score")
    forecast, rng = forecast_of(TINY, 2, objective), random.Random(4)
    start = State.resume(TINY, Difficulty(2), Place(8, 20, 1), dice=Dice.parse("R5 G2 B2 W4 Y6 P3"))
    ahead, games = forecast.now(start), 600
    results: Counter[int] = Counter()
    for _ in range(games):
        game = start
        while game.to_move != OVER:
            if game.to_move == CHANCE:
                game = game.play(rng.choice(game.chance_outcomes())[0])
            else:
                game = game.play(advise(game, solution=forecast.solution).best[0])
        results[game.scores()[0]] += 1
    chances = {0: ahead.lost, **ahead.scores}
    assert set(results) <= set(chances)
    for score, chance in chances.items():
        error = (chance * (1 - chance) / games) ** 0.5
        assert results[score] / games == pytest.approx(chance, abs=4.5 * error + 1e-9)


def test_a_forecast_is_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_folder", lambda kind: tmp_path)
    solution = open_solution(TINY, Difficulty(3), Objective("score"))
    monkeypatch.setattr("exactplay.solvers.limits.REPORT_EVERY", 0.0)
    said: list[Report] = []
    first = open_forecast(solution, progress=said.append)
    assert said[-1].counts["places"] == said[-1].total
    assert list(tmp_path.glob("*-forecast-*.table"))
    again = open_forecast(solution, progress=lambda report: pytest.fail("made twice"))
    plain = Forecast(solution)
    for place in (Place(1), Place(3, 20, 1), Place(8, 35, 0, True)):
        assert first.before_roll(place) == again.before_roll(place)
        assert same(as_dict(plain.before_roll(place)), as_dict(again.before_roll(place)))


def test_what_has_no_forecast_is_refused() -> None:
    forecast = forecast_of(TINY, 2, Objective("score"))
    game = State.start(TINY, Difficulty(2))
    over = State(game.rules, game.sheet, game.difficulty, LOST, None)
    with pytest.raises(IllegalPosition, match="the game is over"):
        forecast.now(over)
    with pytest.raises(IllegalPosition, match="another sheet"):
        forecast.after(State.start(TINY, Difficulty(3)))
    with pytest.raises(IllegalPosition, match="box is 99"):
        forecast.before_roll(Place(3, 99))
    assert forecast.now(game) == forecast.before_roll(Place(1))


def test_where_every_decision_wins_the_score_decides() -> None:
    sure, dice = Forecast(purple(WIN)), Dice.parse("R2 G6 B2 W5 Y4")
    at_home = State.resume(PURPLE, X3, Place(8, 9, 1, True), RECHECK, dice)
    points = [sure.after(at_home)[decision].expected_score for decision in advise(at_home, solution=sure.solution).best]
    assert sorted(points) == [72, 84, 84]
    assert sure.now(at_home).expected_score == 84


def test_forecasts_travel() -> None:
    forecast = Forecast(purple())
    ahead = forecast.before_roll(LATE)
    for again in (pickle.loads(pickle.dumps(forecast)), copy.copy(forecast), copy.deepcopy(forecast)):
        assert again == forecast
        assert again.before_roll(LATE) == ahead
