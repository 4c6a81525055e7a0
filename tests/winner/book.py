"""Winner by the book: plain minimax over the reference, and positions small enough for it."""
from __future__ import annotations

import random
from typing import Any

from exactplay.rules.contract import OVER
from exactplay.rules.winner import Rules, State, deck
from exactplay.solvers.winner import Objective


class Minimax:
    """Max^n by the book, with two players plain minimax: no table but a dictionary of whole states."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._known: dict[State, tuple[int, ...]] = {}

    def settled(self, state: State) -> bool:
        return state.to_move == OVER or (self.objective == "win" and bool(state.out))

    def vector(self, state: State) -> tuple[int, ...]:
        if self.settled(state):
            if self.objective == "win":
                return tuple(int(seat == state.out[0]) for seat in range(state.players))
            if self.objective == "place":
                order = [*state.out, *(seat for seat, hand in enumerate(state.hands) if hand)]
                return tuple(state.players - 1 - order.index(seat) for seat in range(state.players))
            return state.scores()
        if state not in self._known:
            # max() keeps the first of equals: moves come in text order.
            children = [self.vector(state.play(move)) for move in state.legal_moves()]
            self._known[state] = max(children, key=lambda vector: vector[state.to_move])
        return self._known[state]

    def shown(self, state: State) -> int | tuple[int, ...]:
        vector = self.vector(state)
        if state.players > 2 or self.objective == "place":
            return vector
        return vector[0] - vector[1]


def small_position(rng: random.Random, rules: Rules, players: int) -> State | None:
    """Small hands (of two players up to five cards each) from few ranks or few suits, some moves into the hand."""
    ranks = set(rng.sample(range(13), rng.randint(3, 13)))
    if rng.random() < 0.4:
        low = rng.randint(0, 7)
        ranks = {low, low + 1, low + 2, low + 3, low + 4, 1}
    cards = [card for card in deck(jokers=rules.jokers, decks=rules.decks)
             if (rng.random() < 0.5 if card.is_joker else card.rank in ranks)]
    if rng.random() < 0.25:
        cards = [card for card in cards if card.suit < 2]
    rng.shuffle(cards)
    sizes = [rng.randint(2, {2: 5, 3: 3, 4: 2}[players]) for _ in range(players)]
    if players == 2 and sum(sizes) > 8:
        sizes = [4, 4]
    if sum(sizes) > len(cards):
        return None
    starts = [sum(sizes[:seat]) for seat in range(players)]
    hands = [tuple(cards[start:start + size]) for start, size in zip(starts, sizes, strict=True)]
    exchange = (0, 1) if rules.exchange and rng.random() < 0.3 else None
    state = State.start(hands, rng.randrange(players), rules, exchange=exchange)
    for _ in range(rng.choice([0, 0, 0, 1, 2, 3])):
        after = state.play(rng.choice(state.legal_moves()))
        if after.to_move == OVER or after.out:
            break
        state = after
    return state


def random_rules(rng: random.Random, end: str) -> Rules:
    options: dict[str, Any] = {
        name: rng.choice(values) if rng.random() < 0.4 else values[0] for name, values in Rules.options().items()
    }
    options["end"] = end
    if options["revolution"]:
        options["bomb_variation"] = False
    return Rules.from_mapping(options)
