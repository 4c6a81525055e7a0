"""Walk the Dogs: cards, lines of dogs, positions, and what one player sees of a position."""
from exactplay.rules.walk_the_dogs.moves import Move
from exactplay.rules.walk_the_dogs.options import Rules
from exactplay.rules.walk_the_dogs.pieces import (
    BREEDS,
    CARDS,
    DECK,
    HAND_CARDS,
    PUT_ASIDE,
    arrangements,
    bone_goes_to,
    catches,
    has_five,
    longest_run,
    mirrored,
    points,
    take,
    winners,
)
from exactplay.rules.walk_the_dogs.state import Objective, State
from exactplay.rules.walk_the_dogs.view import View

__all__ = [
    "BREEDS",
    "CARDS",
    "DECK",
    "HAND_CARDS",
    "PUT_ASIDE",
    "Move",
    "Objective",
    "Rules",
    "State",
    "View",
    "arrangements",
    "bone_goes_to",
    "catches",
    "has_five",
    "longest_run",
    "mirrored",
    "points",
    "take",
    "winners",
]
