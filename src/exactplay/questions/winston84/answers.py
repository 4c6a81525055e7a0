"""Answers about Winston: Nineteen Eighty-Four as plain data."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from exactplay.questions.winston84.course import Course
from exactplay.questions.winston84.setting import Setting, about, about_sheet
from exactplay.rules.winston84 import Dice, Difficulty, Objective, Place, Sheet
from exactplay.solvers.result import Estimate, Result
from exactplay.solvers.winston84 import Advice, Outlook, Simulation, Solution, TradeOff

LEVELS = tuple(Difficulty(level) for level in range(1, 6))
OBJECTIVES = (Objective("win"), Objective("score"))


def origins(result: Result[Any]) -> dict[str, Any]:
    """What an answer rests on."""
    data = result.to_json()
    return {key: data[key] for key in ("rules", "sources", "notes")}


def new_games(
    sheet: Sheet, objectives: Sequence[Objective], values: Mapping[Difficulty, Sequence[float]], result: Result[Any]
) -> dict[str, Any]:
    """What a new game is worth by difficulty, one value an objective."""
    names = [str(objective) for objective in objectives]
    by_level = {level.level: dict(zip(names, row, strict=True)) for level, row in values.items()}
    return {"kind": "exact", **about_sheet(sheet), "values": by_level, **origins(result)}


def value(setting: Setting, objective: Objective, place: Place, result: Result[Any]) -> dict[str, Any]:
    """What a place is worth before its roll."""
    return {
        "kind": "exact", "value": result.to_json()["value"], **about(setting), "objective": str(objective),
        "place": str(place), **origins(result),
    }


def advised(setting: Setting, objective: Objective, place: Place, dice: Dice, advice: Advice) -> dict[str, Any]:
    """What each decision is worth, and which are best."""
    return {**about(setting), "objective": str(objective), "place": str(place), "dice": str(dice), **advice.to_json()}


def distribution(
    setting: Setting, objective: Objective, place: Place, found: Outlook, result: Result[Any]
) -> dict[str, Any]:
    """The distribution of the final score from a place on."""
    return {
        "kind": "exact", **about(setting), "objective": str(objective), "place": str(place), **outlook(found),
        **origins(result),
    }


def outlook(found: Outlook) -> dict[str, Any]:
    """A distribution of final scores."""
    return {
        "lost": found.lost, "win_probability": found.win_probability, "expected_score": found.expected_score,
        "scores": found.scores,
    }


def forecast(solution: Solution, course: Course, now: Outlook, after: Outlook | None) -> dict[str, Any]:
    """The distribution of the final score as a game stands, and after a decision."""
    setting = Setting(solution.sheet, solution.difficulty, solution.rules)
    return {
        "kind": "exact", **about(setting), "objective": str(solution.objective), "game": str(course.state),
        "now": outlook(now), "after": None if after is None else outlook(after), **origins(solution.result()),
    }


def trade_off(setting: Setting, front: Sequence[TradeOff], result: Result[Any]) -> dict[str, Any]:
    """Policies between the safest and the one that scores most."""
    points = [dataclasses.asdict(point) for point in front]
    return {"kind": "exact", **about(setting), "points": points, **origins(result)}


def simulation(
    setting: Setting, policy: str, games: int, seed: int, simulated: Simulation, result: Result[Any]
) -> dict[str, Any]:
    """The mean of whole games at random dice."""
    return {
        "kind": Estimate.kind, **about(setting), "policy": policy, "games": games, "seed": seed,
        "score": dataclasses.asdict(simulated.score), "win": dataclasses.asdict(simulated.win),
        "histogram": simulated.histogram, **origins(result),
    }


def turn(course: Course, solution: Solution, advice: Advice | None) -> dict[str, Any]:
    """Where a game stands and what is due: a roll, a decision (then with advice) or nothing any more."""
    game = course.state
    data: dict[str, Any] = {"game": str(game), "provenance": game.sheet.provenance}
    if game.round is None or not isinstance(game.at, Place):
        return {**data, "waiting_for": "end", "score": game.scores()[0]}
    if advice is None:
        letters = [colour.letter for colour in game.round.dice.to_roll]
        return {**data, "waiting_for": "roll", "dice": letters, "kind": "exact", "before_roll": solution.value(game.at)}
    return {**data, "waiting_for": "decision", **advice.to_json()}


def stops(course: Course) -> list[dict[str, int]]:
    """The last box that each round marked."""
    return [{"round": one.place.round, "box": one.box} for one in course.played()]
