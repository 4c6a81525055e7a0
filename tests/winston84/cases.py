"""Sheets and questions for the tests of Winston 1984."""
from __future__ import annotations

import json
from typing import Any

from exactplay.rules.winston84 import Detour, Sheet
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
