"""Winston: Nineteen Eighty-Four for the contract battery."""
from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from subjects import Subject

from exactplay.rules.winston84 import (
    LAST_ROUND,
    Detour,
    Difficulty,
    End,
    Game,
    Place,
    Rules,
    Sheet,
    check_place,
    parse_move,
)

SHEETS = [
    Sheet.load("reference"),
    Sheet.load(Path(__file__).parent / "data" / "tiny-sheet.toml"),
    Sheet(
        name="zones | everywhere",
        provenance="measured",
        route="RoGBoWYPo" * 3,
        detour=Detour(after=27, skip=0, boxes="o"),
        golden_country=(-7,),
        big_brother=(0, 40, -15),
        rounds=(1, -2, 3, -4, 5, -6, 7, -8, 9),
    ),
]


def start(rng: random.Random, rules: Rules) -> Game:
    """A game before the roll of some round, mostly a late one: the roll of six dice has 46,656 outcomes."""
    sheet, difficulty = rng.choice(SHEETS), Difficulty(rng.randint(1, 5))
    round = rng.choice([difficulty.first_round, 6, *[LAST_ROUND - 1] * 3, *[LAST_ROUND] * 4])
    played = round - difficulty.first_round
    route = sheet.route_for(difficulty.level)
    # Up to the first zone no Big Brother box can have been marked.
    box = rng.randint(0, min(len(route), 23 * played))
    marks = rng.randint(0, played) if route[:box].strip(".") else 0
    place = check_place(sheet, difficulty, Place(round, box, marks, fresh=rng.random() < 0.7))
    return Game.resume(sheet, difficulty, place, rules)


def parse(text: str, state: Game) -> Game:
    return Game.parse(text, state.sheet)


def score_range(state: Game) -> tuple[int, int]:
    """Bounds from the extremes of the three tracks, a lost game included."""
    if isinstance(state.at, End):
        return (state.at.score, state.at.score)
    tracks = (state.sheet.golden_country, state.sheet.big_brother, state.sheet.rounds)
    multiplier = state.difficulty.multiplier
    return (min(0, multiplier * sum(map(min, tracks))), max(0, multiplier * sum(map(max, tracks))))


def native(state: Game) -> Any:
    pytest.skip("winston84 has no native core yet")


SUBJECT = Subject("winston84", Rules, start, parse, parse_move, native, score_range)
