"""Tests: a room a game, ``shared`` for what all games have in common, ``tools`` for what looks at pages."""
from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
DOCS = ROOT / "docs"
