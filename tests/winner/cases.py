"""The shared cases of Winner, by kind."""
from __future__ import annotations

import json
from typing import Any

from tests import DATA

_FILE = DATA / "winner-cases.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in _FILE.read_text().splitlines()]


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    chosen = [case for case in CASES if case["kind"] in kinds]
    assert chosen
    return chosen


def name(case: dict[str, Any]) -> str:
    return f"{case['id']} {case['note']}".strip()
