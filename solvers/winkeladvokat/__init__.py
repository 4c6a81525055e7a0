"""Winkeladvokat: exact values, proven bounds, best guesses."""
from __future__ import annotations

from exactplay.solvers.winkeladvokat.counting import Count, divide, perft
from exactplay.solvers.winkeladvokat.duel import Duel
from exactplay.solvers.winkeladvokat.guess import analyse
from exactplay.solvers.winkeladvokat.solving import INTERRUPTED, Moves, Progress, proven, solve

__all__ = ["INTERRUPTED", "Count", "Duel", "Moves", "Progress", "analyse", "divide", "perft", "proven", "solve"]
