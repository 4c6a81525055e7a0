"""A sheet at a difficulty as arrays: where each result leads from each box, and what a finished game is worth."""
from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from exactplay.rules.winston84 import (
    COLOURS,
    LAST_ROUND,
    MAXIMUM_SECURITY,
    PLAIN,
    Difficulty,
    Place,
    Rules,
    Sheet,
    after_round,
)
from exactplay.solvers.winston84.structure import RESULTS, SECURITY

Terminal = Callable[[bool, int], float]  # what a finished game is worth: won or not, and its score


class Board:
    """The outer game of a sheet at a difficulty.

    An outer state is (round, box, marks, fresh). Marks past the end of the Big Brother track count as its last entry, so
    ``marks`` is kept at most ``max_marks``. Where result r leads from a box: ``target[box, r]`` is the box reached,
    ``golden[box, r]`` the number of Golden Country boxes marked (0: not there yet), ``mark[box, r]`` and ``fresh[box, r]``
    whether a Big Brother box is marked and whether Big Brother's eye sees it. All come from ``after_round`` of the rules.
    """

    def __init__(self, sheet: Sheet, difficulty: Difficulty, rules: Rules) -> None:
        self.sheet, self.difficulty, self.rules = sheet, difficulty, rules
        self.route = sheet.route_for(difficulty.level)
        self.first_round = difficulty.first_round
        boxes = len(self.route) + 1
        self.max_marks = min(len(sheet.big_brother) - 1, LAST_ROUND - self.first_round + 1)
        # rounds x boxes x marks x fresh; rounds are counted from R0 for every difficulty
        self.shape = (LAST_ROUND + 1, boxes, self.max_marks + 1, 2)
        self.target = np.zeros((boxes, RESULTS), np.int64)
        self.mark = np.zeros((boxes, RESULTS), np.int64)
        self.fresh = np.zeros((boxes, RESULTS), np.int64)
        self.golden = np.zeros((boxes, RESULTS), np.int64)
        for box in range(boxes):
            for r in range(RESULTS):
                after = after_round(sheet, difficulty, rules, Place(self.first_round, box), r)
                if isinstance(after, Place):
                    self.target[box, r], self.mark[box, r], self.fresh[box, r] = after.box, after.marks, after.fresh
                else:
                    self.golden[box, r] = min(box + r - len(self.route), len(sheet.golden_country))
        # the family of rolls when the box is fresh; a box that is not is played with all six dice
        self.fresh_family = np.array([0, *(_family(zone) for zone in self.route)])

    def family(self, box: int, fresh: bool) -> int:
        """The family of rolls with which a round begins."""
        return int(self.fresh_family[box]) if fresh else 0

    def terminal(self, worth: Terminal) -> npt.NDArray[np.float64]:
        """What a game won in a round is worth, by [round, Golden Country boxes, marks]; entry [:, 0] is a lost game."""
        table = np.full((LAST_ROUND + 1, len(self.sheet.golden_country) + 1, self.max_marks + 1), float(worth(False, 0)))
        for round in range(self.first_round, LAST_ROUND + 1):
            for golden in range(1, table.shape[1]):
                for marks in range(self.max_marks + 1):
                    table[round, golden, marks] = worth(True, self.score(round, golden, marks))
        return table

    def score(self, round: int, golden: int, marks: int) -> int:
        """The final score of a won game."""
        return self.difficulty.multiplier * self.sheet.points(round, golden, marks)

    def index(self, place: Place) -> tuple[int, int, int, int]:
        """Where a place stands in a table of ``shape``."""
        return place.round, place.box, min(place.marks, self.max_marks), int(place.fresh)


@functools.lru_cache(maxsize=64)
def board_of(sheet: Sheet, difficulty: Difficulty, rules: Rules) -> Board:
    """The board of a sheet, made once."""
    return Board(sheet, difficulty, rules)


def _family(zone: str) -> int:
    if zone == PLAIN:
        return 0
    return SECURITY if zone == MAXIMUM_SECURITY else 1 + COLOURS.index(zone)
