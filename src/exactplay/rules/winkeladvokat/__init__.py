"""Winkeladvokat: the reference rules, written to be read beside the rulebook."""
from exactplay.rules.winkeladvokat.moves import Move
from exactplay.rules.winkeladvokat.options import DIAGONAL, ORTHOGONAL, Rules
from exactplay.rules.winkeladvokat.pieces import ARTICLES, COLOURS, EMPTY, LAWYERS, SIZES, Board, full_supply, square_name
from exactplay.rules.winkeladvokat.state import State, perft

__all__ = [
    "ARTICLES", "COLOURS", "DIAGONAL", "EMPTY", "LAWYERS", "ORTHOGONAL", "SIZES", "Board", "Move", "Rules", "State",
    "full_supply", "perft", "square_name",
]
