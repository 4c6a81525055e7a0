"""Winkeladvokat: exact values, proven bounds, best guesses."""
from exactplay.solvers.winkeladvokat.advice import advise
from exactplay.solvers.winkeladvokat.counting import Count, divide, perft
from exactplay.solvers.winkeladvokat.duel import Duel, InUse
from exactplay.solvers.winkeladvokat.exact import OBJECTIVES, Objective, proven, solve

__all__ = ["OBJECTIVES", "Count", "Duel", "InUse", "Objective", "advise", "divide", "perft", "proven", "solve"]
