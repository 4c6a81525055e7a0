"""``analyse``: a best guess for positions too large to solve, with proven bounds beside it."""
from __future__ import annotations


def analyse() -> None:
    """To come."""
