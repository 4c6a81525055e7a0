"""Winner in the contract battery."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, Self

from exactplay.cython_core.winner.position import Position
from exactplay.rules.contract import IllegalMove
from exactplay.rules.winner import Move, Rules, State, View, deck, parse_cards
from exactplay.solvers.winner import bridge
from tests.shared.subject import Subject


class NativeState:
    """A position of the core behind the contract."""

    def __init__(self, position: Position, rules: Rules) -> None:
        self._position, self._rules = position, rules

    @property
    def to_move(self) -> int:
        return self._position.to_move

    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(bridge.move_of(*move) for move in self._position.moves())

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        return ()

    def play(self, move: Move) -> Self:
        try:
            return type(self)(self._position.play(*bridge.move_words(move)), self._rules)
        except ValueError as error:
            raise IllegalMove(str(error)) from None

    def scores(self) -> tuple[int, ...]:
        return self._position.scores()

    def __str__(self) -> str:
        return str(bridge.state_of(self._position, self._rules))


def start(rng: random.Random, rules: Rules) -> State:
    """A small hand of two to four players from a few ranks, so that bombs, fours and rows are common."""
    players = rng.randint(2, 4)
    cards = list(deck(jokers=rules.jokers, decks=rules.decks))
    ranks = set(rng.sample(range(13), rng.randint(4, 13))) | {1, 13, 14}
    cards = [card for card in cards if card.rank in ranks]
    rng.shuffle(cards)
    hands = []
    for _ in range(players):
        size = rng.randint(3, 11 if players == 2 else 7)
        hands.append(tuple(cards[:size]))
        cards = cards[size:]
    hands = [hand for hand in hands if len(hand) > 1]
    seats = tuple(rng.sample(range(len(hands)), 2))
    exchange = (seats[0], seats[1]) if rules.exchange and rng.random() < 0.5 else None
    return State.start(hands, rng.randrange(len(hands)), rules, exchange=exchange)


def score_range(state: Any) -> tuple[int, int]:
    if state.rules.end == "loser":
        return 0, state.players - 1
    total = 3 * sum(len(hand) for hand in state.hands) + 3 * 16
    return -total, total


SUBJECT = Subject(
    game="winner",
    start=start,
    native=lambda state: NativeState(bridge.position_of(state), state.rules),
    view=View.of,
    score_range=score_range,
    arguments={"hand": lambda: parse_cards("3D 3C 4H")},
    refused=({"revolution": True, "bomb_variation": True},),
)
