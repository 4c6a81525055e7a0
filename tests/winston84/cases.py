"""Sheets and questions for the tests of Winston 1984."""
from __future__ import annotations

import functools
import json
from typing import Any

from exactplay.rules.winston84 import Detour, Difficulty, Objective, Place, Rules, Sheet
from exactplay.solvers.winston84 import Solution, open_solution, solve_sheet
from tests import DATA

CASES: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "winston84-cases.jsonl").read_text().splitlines()]
GOLDEN: dict[str, Any] = json.loads((DATA / "winston84-golden.json").read_text())
REFERENCE = Sheet.load("reference")
TINY = Sheet.load(DATA / "tiny-sheet.toml")

#: every score tells its round, its Golden Country boxes and its Big Brother marks: hundreds less one, ones, tens
TELLING = Sheet(
    name="telling | scores |", provenance="measured", route="Ro." * 10, detour=Detour(after=0, skip=0, boxes="."),
    golden_country=(1, 2, 3), big_brother=(0, 10, 20, 30, 40, 50, 60, 70, 80, 90),
    rounds=(100, 200, 300, 400, 500, 600, 700, 800, 900),
)

SCORE, WIN = Objective("score"), Objective("win")
X3 = Difficulty(3)
RECHECK = Rules(failed_round_rechecks_zone=True)

#: Every box is Purple's zone, so that under RECHECK every round after the first lacks Purple: few places, quick ones, and
#: few enough raw positions (54,703) for exact fractions and a linear program.
PURPLE = Sheet(
    name="purple", provenance="measured", route="P" * 9, detour=Detour(after=9, skip=0, boxes="P"),
    golden_country=(5, 1, 7, 3), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)
LATE = Place(7, 4, 1, True)

ZONES = Sheet(
    name="zones", provenance="reconstruction", route="R.oPG", detour=Detour(after=2, skip=1, boxes="BW"),
    golden_country=(5, 1, 7), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)


def sheet_of(name: str) -> Sheet:
    return REFERENCE if name == "reference-sheet.toml" else Sheet.load(DATA / name)


@functools.cache
def solution_for(sheet: str, level: int, objective: str, rules: Rules) -> Solution:
    return open_solution(sheet_of(sheet), Difficulty(level), objective, rules)


def purple(objective: Objective = SCORE) -> Solution:
    return solve_sheet(PURPLE, X3, objective, RECHECK)
