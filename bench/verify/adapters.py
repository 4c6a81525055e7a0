"""The adapters: speed (``bench``), the frameworks' long checks (``verify``), playthroughs (``rebuild``)."""
from __future__ import annotations

import contextlib
import io

import pyspiel
from pettingzoo.test import performance_benchmark, seed_test

from exactplay.adapters import open_spiel, pettingzoo
from exactplay.adapters.steps import TABLES


def verify(arguments: list[str]) -> None:
    """PettingZoo's performance benchmark (five seconds a game) and long seed test; many simulations of OpenSpiel."""
    for game in pettingzoo.GAMES:
        print(game)
        performance_benchmark(pettingzoo.env(game))
        seed_test(lambda game=game: pettingzoo.env(game), num_cycles=500)
    for game in TABLES:
        with contextlib.redirect_stdout(io.StringIO()):
            pyspiel.random_sim_test(open_spiel.load_game(game), num_sims=25, serialize=True, verbose=False, mask_test=True)
        print(f"{game}: 25 games of OpenSpiel's random_sim_test")
