"""Walk the Dogs: the best way to add dogs, exact open-hand play, advice with hidden cards."""
from exactplay.solvers.walk_the_dogs.adding import Addition, best_addition, most_points, most_points_cp_sat
from exactplay.solvers.walk_the_dogs.advice import HiddenWorlds, Method, advise
from exactplay.solvers.walk_the_dogs.exact import fold_mirrors, representatives, solve

__all__ = [
    "Addition",
    "HiddenWorlds",
    "Method",
    "advise",
    "best_addition",
    "fold_mirrors",
    "most_points",
    "most_points_cp_sat",
    "representatives",
    "solve",
]
