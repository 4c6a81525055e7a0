"""A learner to begin with: Winston 1984 by Monte Carlo control, measured against the exact optimum.

``python -m bench learner [GAMES [SEED]]`` trains on the Gymnasium environment and prints the table of docs/adapters.md.

It learns what a round will bring, from the dice right after a decision and before others are rolled again (an
*afterstate*). The estimate is a sum of weights: one for the states of the six dice, one for the states and values of each
pair of dice. It plays the decision with the highest estimate, now and then another one; when the round is over, the
weights of all its afterstates move towards its result. It never looks further than the round. The rules it knows only
through the environment: a position is an immutable value, so each decision can be tried.
"""
from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exactplay.adapters.gymnasium import Winston84Env
from exactplay.adapters.steps.winston84 import DECISIONS
from exactplay.rules.contract import OVER
from exactplay.rules.winston84 import Difficulty, Objective, Round
from exactplay.solvers.winston84 import open_solution

Key = tuple[NDArray[np.int64], int] | None

_PAIRS = np.array(list(itertools.combinations(range(6), 2)))
_ALL = np.arange(len(_PAIRS))
_DIE = 4 * 7  # states of a die times its values, none included
_FOURS = 4 ** np.arange(6)
_EXPLORE = 0.02


class Estimates:
    """Weights whose sum is the result expected after a decision: one for the dice's states, one for each pair of dice."""

    def __init__(self) -> None:
        self.games = 0
        self._pairs = np.zeros((len(_PAIRS), _DIE * _DIE))
        self._states = np.full(4**6, 8.0)

    def __call__(self, round: Round) -> tuple[float, Key]:
        """The estimate for an afterstate, and its weights; a round that is over has its result."""
        if round.to_move == OVER:
            return float(round.result), None
        dice = np.array(round.dice.six)
        one = dice[:, 0] * 7 + dice[:, 1]
        state = int(dice[:, 0] @ _FOURS)
        pairs = one[_PAIRS[:, 0]] * _DIE + one[_PAIRS[:, 1]]
        return float(self._pairs[_ALL, pairs].sum() + self._states[state]), (pairs, state)

    def learn(self, key: Key, result: int, rate: float) -> None:
        """Move an estimate towards a result."""
        assert key is not None
        pairs, state = key
        step = rate * (result - self._pairs[_ALL, pairs].sum() - self._states[state]) / (len(_PAIRS) + 1)
        self._pairs[_ALL, pairs] += step
        self._states[state] += step


def play(env: Winston84Env, estimates: Estimates, explore: float, rate: float, seed: int | None = None) -> float:
    """A game by the estimates, which learn unless the rate is 0; returns the final score."""
    env.reset(seed=seed)
    passed: list[Key] = []
    over, score = False, 0.0
    while not over:
        game = env.position.state
        rated = {}
        for action in env.position.actions:
            following = game.round.play(DECISIONS[action])
            rated[action] = (*estimates(following), following)
        if explore and env.np_random.random() < explore:
            action = int(env.np_random.choice(list(rated)))
        else:
            action = max(rated, key=lambda one: rated[one][0])
        _, score, over, _, _ = env.step(action)
        _, key, following = rated[action]
        passed.append(key)
        if following.to_move == OVER or over or env.position.state.at != game.at:
            # A round that goes on after the decision and then is over has failed in Green's roll.
            result = following.result if following.to_move == OVER else 0
            for one in passed if rate else ():
                if one is not None:
                    estimates.learn(one, result, rate)
            passed = []
    return score


@dataclass
class Measured:
    """Mean final score of games played without learning, its standard error, and the share of games won."""

    mean: float
    error: float
    won: float


def measure(env: Winston84Env, estimates: Estimates, games: int, seed: int) -> Measured:
    """Play games with seeds of their own."""
    scores = np.array([play(env, estimates, 0.0, 0.0, seed + game) for game in range(games)])
    return Measured(float(scores.mean()), float(scores.std(ddof=1) / games**0.5), float((scores > 0).mean()))


def train(env: Winston84Env, games: int, seed: int, estimates: Estimates | None = None) -> Estimates:
    """Learn from so many games, beginning anew or going on; the more games were learned from, the smaller the steps."""
    estimates = estimates or Estimates()
    for game in range(games):
        play(env, estimates, _EXPLORE, max(0.1, 0.5 / (1 + estimates.games / 2_000)), seed + game)
        estimates.games += 1
    return estimates


def exact_optimum() -> float:
    """The expected final score under best play at x1 on the reference sheet."""
    env = Winston84Env()
    return open_solution(env.table.on_sheet, Difficulty(1), Objective.parse("score")).value()


def bench(arguments: list[str]) -> None:
    """Train, measure, and print how far from the exact optimum it got."""
    games = int(arguments[0]) if arguments else 8_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    env = Winston84Env()
    exact = exact_optimum()
    estimates, learned, spent = Estimates(), 0, 0.0
    print("| games learned from | CPU seconds | mean score | standard error | won | share of the optimum |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for number in (0, games // 16, games // 4, games):
        start = time.process_time()
        train(env, number - learned, seed + learned, estimates)
        spent, learned = spent + time.process_time() - start, number
        measured = measure(env, estimates, 500, seed=10_000_000)
        print(
            f"| {number:,} | {spent:.0f} | {measured.mean:.1f} | {measured.error:.1f} | {measured.won:.1%} | "
            f"{measured.mean / exact:.1%} |", flush=True,
        )
    print(f"| exact optimum | | {exact:.2f} | 0 | | 100% |")

