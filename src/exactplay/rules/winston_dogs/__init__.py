"""Winston, the dog cards (rulebook ``winston-dogs``): what the game is.

:mod:`.pieces` holds cards, dogs and what they score, :mod:`.moves` the turns, :mod:`.state` a game whose cards all lie
open to the program, :mod:`.view` what one player knows of it, :mod:`.text` how both are written. The rulebook has no
variants, so :class:`Rules` has no options.
"""
from exactplay.rules.winston_dogs.moves import SKIP, Move
from exactplay.rules.winston_dogs.options import Rules
from exactplay.rules.winston_dogs.pieces import (
    BODIES,
    COLOURS,
    HAND_SIZE,
    HEADS,
    NAMES,
    PLAYERS,
    Card,
    Dog,
    all_cards,
    award,
    final_scores,
    parse_cards,
    show_cards,
    size_points,
    winners,
)
from exactplay.rules.winston_dogs.state import State
from exactplay.rules.winston_dogs.view import View, Witness, unseen_cards

__all__ = [
    "BODIES", "COLOURS", "HAND_SIZE", "HEADS", "NAMES", "PLAYERS", "SKIP", "Card", "Dog", "Move", "Rules", "State", "View",
    "Witness", "all_cards", "award", "final_scores", "parse_cards", "show_cards", "size_points", "unseen_cards", "winners",
]
