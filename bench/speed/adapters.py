"""The adapters: speed (``bench``), the frameworks' long checks (``verify``), playthroughs (``rebuild``)."""
from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from exactplay.adapters import open_spiel, pettingzoo
from exactplay.adapters.gymnasium import Winston84Env
from exactplay.adapters.steps import TABLES, settled, table
from exactplay.rules.contract import OVER


def bench(arguments: list[str]) -> None:
    """Random games: decisions a second (chance is not counted), process CPU time, in each of the frameworks."""
    seconds = float(arguments[0]) if arguments else 2.0
    print("| game | steps alone | OpenSpiel | Gymnasium or PettingZoo |\n| --- | ---: | ---: | ---: |")
    for game in TABLES:
        figures = [_rate(run, game, seconds) for run in (_steps, _open_spiel, _environment)]
        print(f"| {game} | " + " | ".join(f"{figure:,.0f}" for figure in figures) + " |", flush=True)


def _rate(run: Callable[[str, np.random.Generator], int], game: str, seconds: float) -> float:
    rng = np.random.default_rng(1)
    decisions, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        decisions += run(game, rng)
    return decisions / (time.process_time() - start)


def _steps(game: str, rng: np.random.Generator) -> int:
    position, decisions = settled(table(game).begin(), rng), 0
    while position.to_act != OVER:
        position = settled(position.step(int(rng.choice(position.actions))), rng)
        decisions += 1
    return decisions


def _open_spiel(game: str, rng: np.random.Generator) -> int:
    state, decisions = open_spiel.load_game(game).new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            decisions += 1
    return decisions


def _environment(game: str, rng: np.random.Generator) -> int:
    decisions = 0
    seed = int(rng.integers(2**31))
    if game == "winston84":
        single = Winston84Env()
        _, info = single.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = single.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            decisions += 1
        return decisions
    env = pettingzoo.env(game)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        decisions += not (over or cut)
    return decisions
