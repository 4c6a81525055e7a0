"""Winston 1984, solved: the outer table, advice within a round, what the optimal policy brings about, simulation."""
from exactplay.solvers.winston84.advice import Advice, advise, advise_round
from exactplay.solvers.winston84.exact import solve
from exactplay.solvers.winston84.forecast import Forecast, open_forecast
from exactplay.solvers.winston84.outer import Solution, find_solution, open_solution, solve_sheet
from exactplay.solvers.winston84.policy import Outlook, TradeOff, outlook, second_objective, trade_off
from exactplay.solvers.winston84.simulation import MOST_GAMES, Simulation, simulate

__all__ = [
    "MOST_GAMES",
    "Advice",
    "Forecast",
    "Outlook",
    "Simulation",
    "Solution",
    "TradeOff",
    "advise",
    "advise_round",
    "find_solution",
    "open_forecast",
    "open_solution",
    "outlook",
    "second_objective",
    "simulate",
    "solve",
    "solve_sheet",
    "trade_off",
]
