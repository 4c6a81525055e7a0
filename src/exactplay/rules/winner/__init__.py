"""Winner (Zheng Shangyou): cards, combinations, play and scoring, with every option of its rules.

Source: the rulebook "Winner (card game)"; each module names its sections.
"""
from __future__ import annotations

from exactplay.rules.winner.combinations import Combination, Kind, beats, classify, combinations
from exactplay.rules.winner.moves import PASS, Exchange, Move
from exactplay.rules.winner.options import Rules
from exactplay.rules.winner.pieces import Card, Cards, deck, parse_cards, show_cards
from exactplay.rules.winner.state import State, deal_sizes, score
from exactplay.rules.winner.view import View

__all__ = [
    "PASS",
    "Card",
    "Cards",
    "Combination",
    "Exchange",
    "Kind",
    "Move",
    "Rules",
    "State",
    "View",
    "beats",
    "classify",
    "combinations",
    "deal_sizes",
    "deck",
    "parse_cards",
    "score",
    "show_cards",
]
