"""Winston (dogs): the long checks."""
from __future__ import annotations

import random
from dataclasses import replace

from bench.verify.parity import parity
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.winston_dogs import solve


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
    parity("winston_dogs", int(arguments[0]) if arguments else 20_000)
    searches = int(arguments[1]) if len(arguments) > 1 else 40
    rng = random.Random(1)
    for number in range(searches):
        _tables_agree(position(14, rng.randrange(1 << 30)))
        if number % 10 == 9:
            print(f"{number + 1} of {searches} searches agree under other tables and seats", flush=True)


def _tables_agree(state: State) -> None:
    """The value does not depend on the size of the table or the order of the seats."""
    swapped = replace(
        state, hands=state.hands[::-1], points=state.points[::-1], turn=1 - state.turn,
        bone=None if state.bone is None else 1 - state.bone, poo=None if state.poo is None else 1 - state.poo,
    )
    value = _value(state, 64)
    for megabytes in (0.01, 0.1, 512):
        assert _value(state, megabytes) == value, str(state)
    assert _value(swapped, 64) == -value, str(state)


def _value(state: State, megabytes: float) -> int:
    verdict = solve(state, moves="value", limits=Limits(memory_mb=megabytes)).pov(0).verdict
    assert isinstance(verdict, Exact)
    assert isinstance(verdict.value, int)
    return verdict.value
