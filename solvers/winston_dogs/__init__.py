"""Winston (dogs): answers. :func:`solve` for positions with every card known, :func:`advise` for a player's view."""
from exactplay.solvers.winston_dogs.advice import advise
from exactplay.solvers.winston_dogs.exact import OBJECTIVES, Objective, solve

__all__ = ["OBJECTIVES", "Objective", "advise", "solve"]
