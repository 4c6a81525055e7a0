"""Walk the Dogs in the contract battery."""
from __future__ import annotations

import random
from typing import Any

from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import Rules, State, View, deal
from exactplay.solvers.walk_the_dogs.native import NativeState
from tests.shared.subject import Subject


def start(rng: random.Random, rules: Rules) -> State:
    """A new game, or one some way on; every third with a known order of the pile."""
    state = deal(rng, rng.choice([2, 2, 3, 4]), rules)
    for _ in range(rng.choice([0, 0, 30, 60])):
        if state.to_move == OVER:
            break
        state = state.play(random_step(rng, state))
    if rng.randrange(3) == 0 and state.to_move != OVER:
        pile = list(state.deck)
        rng.shuffle(pile)
        return State.at(
            state.middle, state.lines, state.hands, pile, state.turn, state.bones, state.discards, state.phase,
            state.chooser, state.passes, False, rules,
        )
    return state


def random_step(rng: random.Random, state: Any) -> Any:
    """A random decision or draw."""
    if state.to_move == CHANCE:
        outcomes = state.chance_outcomes()
        return rng.choices([move for move, _ in outcomes], [float(p) for _, p in outcomes])[0]
    return rng.choice(state.legal_moves())


SUBJECT = Subject(
    game="walk_the_dogs",
    start=start,
    native=NativeState.of,
    view=View.of,
    score_range=lambda state: (0, 63 * 8 + 15),
)
