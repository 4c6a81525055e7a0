"""Reference and native core through whole random games, by what each game brings to the contract battery."""
from __future__ import annotations

import itertools
import random
import time
from importlib import import_module

from exactplay.rules.contract import OVER
from tests.shared.subject import random_move


def parity(game: str, games: int, seed: int = 1) -> None:
    """So many games, every combination of options in turn; ends with a line that names the position where they differ."""
    subject = import_module(f"tests.{game}.subject").SUBJECT
    settings = itertools.cycle(subject.all_settings())
    rng, plies, start = random.Random(seed), 0, time.process_time()
    for number in range(games):
        rules = next(settings)
        state = subject.start(rng, rules)
        native = subject.native(state)
        while True:
            same = (
                native.to_move == state.to_move and str(native) == str(state)
                and tuple(native.legal_moves()) == state.legal_moves()
                and tuple(native.chance_outcomes()) == state.chance_outcomes()
            )
            over = state.to_move == OVER
            if not same or (over and tuple(native.scores()) != state.scores()):
                raise SystemExit(f"game {number} of seed {seed}: reference and core differ at {state} ({rules.describe()})")
            if over:
                break
            move = random_move(rng, state)
            state, native, plies = state.play(move), native.play(move), plies + 1
        if number % 1_000 == 999:
            print(f"parity: {number + 1} games, {plies} plies, {time.process_time() - start:.0f} CPU s", flush=True)
    print(f"parity: {games} games, {plies} plies: reference and core agree at every one")
