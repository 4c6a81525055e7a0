"""Winston 1984: solving a sheet, and what the optimal policy brings about."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.setting import Setting
from exactplay.rules.winston84 import Difficulty, Objective, Place, Rules, Sheet
from exactplay.solvers import winston84 as solvers
from exactplay.web.worker import Tell

#: Seconds between two reports.
EVERY = 0.1


class _Steps:
    """Progress over several pieces of work, told as ``done`` out of ``total`` pieces."""

    def __init__(self, tell: Tell, pieces: int) -> None:
        self._tell, self._pieces, self._piece, self._last = tell, pieces, 0, 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            self._tell.progress(done=self._piece + done / max(total, 1), total=self._pieces)

    def next(self) -> None:
        """One piece is done."""
        self._piece += 1


def solve(
    tell: Tell, *, sheet: Sheet, rules: Rules, levels: Sequence[Difficulty], objectives: Sequence[Objective]
) -> dict[str, Any]:
    """Solve a sheet and keep its tables, so that every later question about it is answered at once."""
    steps = _Steps(tell, len(levels) * len(objectives))
    values: dict[Difficulty, list[float]] = {}
    for level in levels:
        values[level] = []
        for objective in objectives:
            solution = solvers.open_solution(sheet, level, objective, rules, progress=steps)
            values[level].append(solution.value())
            steps.next()
    return answers.new_games(sheet, objectives, values, solution.result())


def distribution(tell: Tell, *, setting: Setting, objective: Objective, place: Place) -> dict[str, Any]:
    """The exact distribution of the final score from a place on."""
    steps = _Steps(tell, 2)
    solution = solvers.open_solution(setting.sheet, setting.difficulty, objective, setting.rules, progress=steps)
    steps.next()
    found = solvers.outlook(solution, place, progress=steps)
    return answers.distribution(setting, objective, place, found, solution.result(place))


def trade_off(tell: Tell, *, setting: Setting, points: int) -> dict[str, Any]:
    """Policies between the safest and the one that scores most."""
    front = solvers.trade_off(setting.sheet, setting.difficulty, setting.rules, points=points, progress=_Steps(tell, 1))
    solution = solvers.open_solution(setting.sheet, setting.difficulty, Objective("score"), setting.rules)
    return answers.trade_off(setting, front, solution.result())
