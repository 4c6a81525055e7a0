"""Winston (dogs): the long checks."""
from __future__ import annotations

import random
import time
from dataclasses import replace

from exactplay.cython_core.winston_dogs_search import Searcher
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from exactplay.solvers.winston_dogs.bridge import from_move, from_position, to_move, to_position


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
    rng, plies, start = random.Random(1), 0, time.process_time()
    for number in range(games):
        state = State.deal(rng, 2 + number % 5)
        game = to_position(state)
        while state.to_move != OVER:
            moves = state.legal_moves()
            assert [to_move(word) for word in game.moves()] == list(moves), str(state)
            move = rng.choice(moves)
            state, game = state.play(move), game.play(from_move(move))
            assert from_position(game) == state, str(state)
            plies += 1
        assert game.over(), str(state)
        assert game.scores() == state.scores(), str(state)
        if number % 1_000 == 999:
            print(f"{number + 1} games, {plies} turns agree, {time.process_time() - start:.0f} CPU s", flush=True)
    print(f"parity: {games} games, {plies} turns: reference and core agree at every step")
    _tables_agree(rng, searches)


def _tables_agree(rng: random.Random, searches: int) -> None:
    """The value does not depend on the size of the table, the first guess or the order of the seats."""
    for number in range(searches):
        state = position(14, rng.randrange(1 << 30))
        value = Searcher(to_position(state), 1 << 26).value()
        assert value[0] == value[1]
        for table_bytes, guess in ((1 << 16, 0), (1 << 12, value[0] + 7), (1 << 26, -50)):
            assert Searcher(to_position(state), table_bytes).value((), guess) == value, str(state)
        swapped = replace(
            state, hands=state.hands[::-1], points=state.points[::-1], turn=1 - state.turn,
            bone=None if state.bone is None else 1 - state.bone, poo=None if state.poo is None else 1 - state.poo,
        )
        assert Searcher(to_position(swapped), 1 << 26).value() == (-value[0], -value[0]), str(state)
        if number % 10 == 9:
            print(f"{number + 1} of {searches} searches agree under other tables, guesses and seats", flush=True)
