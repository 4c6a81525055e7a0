"""Winston: Nineteen Eighty-Four: six dice, a route sheet, and what the player may do with them."""
from exactplay.rules.winston84.difficulty import Difficulty
from exactplay.rules.winston84.journey import (
    LAST_ROUND,
    LOST,
    End,
    Place,
    after_round,
    check_place,
    first_place,
    opening_round,
)
from exactplay.rules.winston84.moves import Decision, Move, Roll
from exactplay.rules.winston84.objective import Objective
from exactplay.rules.winston84.options import Rules
from exactplay.rules.winston84.pieces import COLOURS, Colour, Dice, Die, Status
from exactplay.rules.winston84.round import Round
from exactplay.rules.winston84.sheet import BOXES, MAXIMUM_SECURITY, PLAIN, Detour, Sheet
from exactplay.rules.winston84.state import State

__all__ = [
    "BOXES",
    "COLOURS",
    "LAST_ROUND",
    "LOST",
    "MAXIMUM_SECURITY",
    "PLAIN",
    "Colour",
    "Decision",
    "Detour",
    "Dice",
    "Die",
    "Difficulty",
    "End",
    "Move",
    "Objective",
    "Place",
    "Roll",
    "Round",
    "Rules",
    "Sheet",
    "State",
    "Status",
    "after_round",
    "check_place",
    "first_place",
    "opening_round",
]
