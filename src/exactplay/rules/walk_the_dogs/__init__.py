"""Walk the Dogs: cards, lines of dogs, positions, and what one player sees of a position."""
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
from exactplay.rules.walk_the_dogs.state import Move, Rules, State, deal, legal_objective
from exactplay.rules.walk_the_dogs.view import View

__all__ = [
    "BREEDS",
    "CARDS",
    "DECK",
    "HAND_CARDS",
    "PUT_ASIDE",
    "Move",
    "Rules",
    "State",
    "View",
    "arrangements",
    "bone_goes_to",
    "catches",
    "deal",
    "has_five",
    "legal_objective",
    "longest_run",
    "mirrored",
    "points",
    "take",
    "winners",
]
