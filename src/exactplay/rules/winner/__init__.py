"""Winner (Zheng Shangyou): cards, combinations, play and scoring, with every option of its rules.

Source: the rulebook "Winner (card game)"; each module names its sections.
"""
from __future__ import annotations

from exactplay.rules.winner.cards import Card, Cards, deck, parse_cards, show_cards
from exactplay.rules.winner.combinations import Combination, Rules, beats, classify, combinations
from exactplay.rules.winner.state import PASS, Exchange, Move, State, deal_sizes, score
from exactplay.rules.winner.view import View

__all__ = [
    "PASS",
    "Card",
    "Cards",
    "Combination",
    "Exchange",
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
