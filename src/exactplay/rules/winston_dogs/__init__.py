"""Winston, the dog cards (rulebook ``winston-dogs``): what the game is.

:mod:`.cards` holds cards, dogs and moves, :mod:`.position` the state of a game whose cards all lie open to the program,
:mod:`.view` what one player knows of it. The rulebook has no variants, so :class:`Rules` has no options.
"""
from exactplay.rules.winston_dogs.cards import (
    BODIES,
    COLOURS,
    HAND_SIZE,
    HEADS,
    NAMES,
    SKIP,
    Card,
    Dog,
    Move,
    all_cards,
    final_scores,
    parse_cards,
    show_cards,
    size_points,
    winners,
)
from exactplay.rules.winston_dogs.position import Rules, State, award
from exactplay.rules.winston_dogs.view import View, Witness, unseen_cards

__all__ = [
    "BODIES", "COLOURS", "HAND_SIZE", "HEADS", "NAMES", "SKIP", "Card", "Dog", "Move", "Rules", "State", "View", "Witness",
    "all_cards", "award", "final_scores", "parse_cards", "show_cards", "size_points", "unseen_cards", "winners",
]
