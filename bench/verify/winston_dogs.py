"""Winston (dogs): the long checks."""
from __future__ import annotations

import random
from dataclasses import replace

from bench.verify.parity import parity
from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from exactplay.solvers.winston_dogs.bridge import to_position


def position(pile: int, seed: int) -> State:
    """Two hands of five and a known pile of that many cards, reached from a random deal by random moves."""
    rng = random.Random(seed)
    while True:
        state = State.deal(rng)
        while state.to_move != OVER and len(state.pile) > pile:
            state = state.play(rng.choice(state.legal_moves()))
        if state.to_move != OVER and len(state.pile) == pile:
            return state


def verify(arguments: list[str]) -> None:
    """Parity of reference and core in random games, and searches that must agree: ``verify [GAMES [SEARCHES]]``."""
    games = int(arguments[0]) if arguments else 20_000
    searches = int(arguments[1]) if len(arguments) > 1 else 40
    parity("winston_dogs", games)
    _tables_agree(random.Random(1), searches)


def _tables_agree(rng: random.Random, searches: int) -> None:
    """The value does not depend on the size of the table, the first guess or the order of the seats."""
    for number in range(searches):
        state = position(14, rng.randrange(1 << 30))
        value = AlphaBeta(to_position(state), 1 << 26).value()
        assert value[0] == value[1]
        for table_bytes, guess in ((1 << 16, 0), (1 << 12, value[0] + 7), (1 << 26, -50)):
            assert AlphaBeta(to_position(state), table_bytes).value((), guess) == value, str(state)
        swapped = replace(
            state, hands=state.hands[::-1], points=state.points[::-1], turn=1 - state.turn,
            bone=None if state.bone is None else 1 - state.bone, poo=None if state.poo is None else 1 - state.poo,
        )
        assert AlphaBeta(to_position(swapped), 1 << 26).value() == (-value[0], -value[0]), str(state)
        if number % 10 == 9:
            print(f"{number + 1} of {searches} searches agree under other tables, guesses and seats", flush=True)
