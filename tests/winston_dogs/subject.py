"""Winston (dogs) in the contract battery, and the positions that its other tests share."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from exactplay.cython_core.winston_dogs.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import BODIES, COLOURS, HAND_SIZE, HEADS, Dog, Move, State, View, all_cards
from exactplay.solvers.winston_dogs.bridge import from_move, from_position, to_move, to_position
from tests.shared.subject import Subject


class Native:
    """The native position behind the contract."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.to_move, self.scores = position.to_move, position.scores

    @classmethod
    def of(cls, state: State) -> Native:
        return cls(to_position(state))

    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(map(to_move, self.position.legal_moves()))

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        return ()

    def play(self, move: Move) -> Native:
        return Native(self.position.play(from_move(move)))

    def __str__(self) -> str:
        return str(from_position(self.position))


def dealt(rng: random.Random, players: int | None = None) -> State:
    """The start of a game, its first moves already played at random."""
    state = State.deal(rng, players or rng.randint(2, 6))
    for _ in range(rng.choice([0, 0, 5, 15])):
        if state.to_move != OVER:
            state = state.play(rng.choice(state.legal_moves()))
    return state


def set_up(
    rng: random.Random, players: int | None = None, *, hand: int = HAND_SIZE, pile: int = 6, heads: float = 0.5,
    full_hands: bool = False,
) -> State:
    """A position set up by hand: hands up to ``hand`` cards, many heads, a table that blocks them, maybe a short pile."""
    players = players or rng.randint(2, 4)
    deck = list(all_cards())
    rng.shuffle(deck)
    table = []
    for colour in COLOURS:
        kind = rng.random()
        dog = Dog(True, rng.randint(0, 1)) if kind < heads else Dog(False, rng.choice([0, 0, 1, 2, 3]))
        table.append(dog)
        for card in [card for card in deck if card.colour == colour and card.head][:int(dog.head)]:
            deck.remove(card)
        for card in [card for card in deck if card.colour == colour and not card.head][:dog.bodies]:
            deck.remove(card)
    # Heads first more often than they would come, so that stuck hands and repeated positions occur.
    deck.sort(key=lambda card: rng.random() * (0.4 if card.head and heads > 0.6 else 1))
    hands = []
    for _ in range(players):
        size = hand if full_hands else rng.randint(0, hand)
        hands.append(tuple(deck[:size]))
        del deck[:size]
    number = rng.randint(0, pile)
    longest = rng.choice([0, 2, 3, 4, 6])
    bone, poo = (rng.randrange(players) if longest else None for _ in range(2))
    return State(
        tuple(hands), tuple(table), tuple(deck[:number]), rng.randrange(players), longest,
        rng.randint(2, longest) if longest else 0, bone, poo, tuple(rng.randint(0, 40) for _ in range(players)),
    ).check()


def start(rng: random.Random, rules: Any) -> State:
    if rng.random() < 0.5:
        return dealt(rng)
    return set_up(rng, hand=rng.choice([2, 3, 5, 5]), heads=rng.choice([0.4, 0.9]))


def score_range(state: State) -> tuple[int, int]:
    # All bodies of a colour in one dog, every colour; the poo; points held before a set-up position.
    most = len(COLOURS) * BODIES * (BODIES + 1) // 2 + 6 + max(state.points)
    assert HEADS == 3
    return -6, most


SUBJECT = Subject(
    game="winston_dogs", start=start, native=Native.of, score_range=score_range, view=View.of,
)
