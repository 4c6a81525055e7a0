"""Winner (Zheng Shangyou): fewest plays, exact play with open hands, advice with hidden ones."""
from __future__ import annotations

from exactplay.solvers.winner.advice import advise
from exactplay.solvers.winner.exact import OBJECTIVES, Objective, solve
from exactplay.solvers.winner.plays import Partition, With, count_plays, fewest_plays

__all__ = ["OBJECTIVES", "Objective", "Partition", "With", "advise", "count_plays", "fewest_plays", "solve"]
