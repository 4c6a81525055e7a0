"""The exact distribution of the final score within a round: means, identities, brute force over the reference, play."""
from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition
from exactplay.rules.winston84 import (
    LOST,
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
    State,
    Status,
    after_round,
)
from exactplay.solvers.winston84 import Forecast, Outlook, advise, open_forecast, open_solution
from exactplay.solvers.winston84.policy import second_objective
from exactplay.solvers.winston84.bridge import position_of
from exactplay.solvers.winston84.structure import RESULTS, load_structure
from tests import DATA

REFERENCE = Sheet.load("reference")
TINY = Sheet.load(DATA / "tiny-sheet.toml")
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
    for weight, outlook in parts:
        for score, chance in as_dict(outlook).items():
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
        advice = advise(game, forecast.solution)
        after = forecast.after(game)
        assert list(after) == list(game.legal_moves())
        for decision, outlook in after.items():
            assert sum(outlook.scores.values()) + outlook.lost == pytest.approx(1, abs=1e-12)
            value = advice.moves[decision].value  # type: ignore[union-attr]
            assert mean(outlook, objective) == pytest.approx(value, rel=1e-9, abs=1e-12)
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
    for decision, outlook in forecast.after(game).items():
        assert same(as_dict(outlook), by_the_reference(game.play(decision), objective, after))


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
                game = game.play(advise(game, forecast.solution).result.best[0])
        results[game.scores()[0]] += 1
    chances = {0: ahead.lost, **ahead.scores}
    assert set(results) <= set(chances)
    for score, chance in chances.items():
        error = (chance * (1 - chance) / games) ** 0.5
        assert results[score] / games == pytest.approx(chance, abs=4.5 * error + 1e-9)


def test_a_forecast_is_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.winston84.outer.user_cache_path", lambda *_, **__: tmp_path)
    solution = open_solution(TINY, Difficulty(3), Objective("score"))
    made: list[tuple[int, int]] = []
    first = open_forecast(solution, progress=lambda done, total: made.append((done, total)))
    assert made[-1][0] == made[-1][1] > 100
    assert list(tmp_path.glob("*-forecast-*.table"))
    again = open_forecast(solution, progress=lambda done, total: pytest.fail("made twice"))
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
