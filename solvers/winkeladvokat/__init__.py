"""Winkeladvokat: exact values, proven bounds, best guesses."""
from __future__ import annotations

from exactplay.solvers.winkeladvokat.counting import Count, divide, perft
from exactplay.solvers.winkeladvokat.guess import analyse
from exactplay.solvers.winkeladvokat.solving import Progress, solve

__all__ = ["Count", "Progress", "analyse", "divide", "perft", "solve"]
