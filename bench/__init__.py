"""Benchmarks, long checks and the making of files that are kept; see CONTRIBUTING.md."""
from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
