"""Whole games played at random dice in native code."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from exactplay.cython_core.winston84 import random_rounds
from exactplay.rules.contract import BadText
from exactplay.rules.winston84 import LAST_ROUND, Difficulty, Objective, Rules, Sheet, first_place
from exactplay.solvers.result import Estimate, Source
from exactplay.solvers.winston84.outer import Layer, Progress, Solution, open_solution
from exactplay.solvers.winston84.policy import Policy, second_objective
from exactplay.solvers.winston84.structure import RESULTS, code_before_roll, rolls_of

SimulatedPolicy = Objective | Literal["random", "greedy"]
Results = npt.NDArray[np.int32]
PlayRounds = Callable[[Layer, npt.NDArray[np.int64]], Results]  # a layer, and how many games stand in each of its states


@dataclass(frozen=True)
class Simulation:
    """The outcome of simulated games. ``histogram``: how many games ended with each final score; lost ones count 0."""

    score: Estimate
    win: Estimate
    histogram: dict[int, int]
    seed: int
    sources: tuple[Source, ...]
    notes: tuple[str, ...]


def simulate(
    sheet: Sheet,
    difficulty: Difficulty,
    games: int,
    seed: int,
    policy: SimulatedPolicy,
    rules: Rules | None = None,
    *,
    progress: Progress | None = None,
) -> Simulation:
    """Play whole games. The same seed gives the same games. Progress counts rounds.

    policy: an objective (optimal play for it; among equals what is better for the second objective), ``"random"``
    (uniformly among the legal decisions) or ``"greedy"`` (every round for its greatest mean result).
    """
    if games < 1:
        raise BadText(f"{games} games; at least 1 must be played")
    if not 0 <= seed < 2**64:
        raise BadText(f"seed {seed}; it must be from 0 to 2**64 - 1")
    rules = rules or Rules()
    solution = open_solution(sheet, difficulty, policy if isinstance(policy, Objective) else Objective("score"), rules)
    scores, won = _play(solution, policy, games, seed, progress)
    values, counts = np.unique(scores, return_counts=True)
    return Simulation(
        _estimate(scores.astype(np.float64)),
        _estimate(won.astype(np.float64)),
        {int(value): int(count) for value, count in zip(values, counts, strict=True)},
        seed,
        solution.sources,
        solution.notes,
    )


def _play(
    solution: Solution, policy: SimulatedPolicy, games: int, seed: int, progress: Progress | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The final score of each game, and whether it was won: all games together, round by round."""
    table = solution.table
    board = table.board
    rng = np.random.default_rng(seed)
    generator = np.array([rng.integers(2**64, dtype=np.uint64)], np.uint64)
    play_rounds = _rounds(solution, policy, rng, generator)
    final = board.terminal(Objective("score").utility).astype(np.int64)
    first = first_place(solution.difficulty)
    states = np.tile(np.array(board.index(first)[1:]), (games, 1))
    playing = np.arange(games)
    scores, won = np.zeros(games, np.int64), np.zeros(games, bool)
    for round in range(first.round, LAST_ROUND + 1):
        here = states[playing]
        families = np.where(here[:, 2], board.fresh_family[here[:, 0]], 0)
        for family in np.unique(families):
            mine = playing[families == family]
            distinct, which, counts = np.unique(states[mine], axis=0, return_inverse=True, return_counts=True)
            mine = mine[np.argsort(which, kind="stable")]
            results = play_rounds(Layer(round, int(family), distinct), counts)
            box, marks, golden = states[mine, 0], states[mine, 1], board.golden[states[mine, 0], results]
            home = golden > 0
            won[mine[home]] = True
            scores[mine[home]] = final[round, golden[home], marks[home]]
            states[mine, 1] = np.minimum(marks + board.mark[box, results], board.max_marks)
            states[mine, 2] = board.fresh[box, results]
            states[mine, 0] = board.target[box, results]
        playing = playing[~won[playing]]
        if progress is not None:
            progress(round - first.round + 1, LAST_ROUND - first.round + 1)
    return scores, won


def _rounds(
    solution: Solution, policy: SimulatedPolicy, rng: np.random.Generator, generator: npt.NDArray[np.uint64]
) -> PlayRounds:
    """How the rounds of a layer are played: their results, game by game in the order of the states."""
    table = solution.table
    board, options = table.board, table.structure.options

    def uniform(layer: Layer, counts: npt.NDArray[np.int64]) -> Results:
        return random_rounds(np.full(counts.sum(), code_before_roll(layer.family), np.uint64), options, generator)

    def chosen(layer: Layer, counts: npt.NDArray[np.int64]) -> Results:
        evaluator = table.structure.evaluators()[layer.family]
        results = rng.integers(rolls_of(layer.family), size=int(counts.sum()), dtype=np.int32)
        if second is None or terminal is None:
            evaluator.follow(np.arange(float(RESULTS)), np.zeros(RESULTS))
            evaluator.play(results, generator)
            return results
        position = 0
        rows = zip(table.utilities(layer), table.utilities(layer, second, terminal), counts.tolist(), strict=True)
        for utility, second_utility, count in rows:
            evaluator.follow(utility, second_utility)
            evaluator.play(results[position : position + count], generator)
            position += count
        return results

    if policy == "random":
        return uniform
    second = terminal = None
    if isinstance(policy, Objective):
        worth = second_objective(policy).utility
        second, terminal = Policy(table, worth, first_place(solution.difficulty)).second, board.terminal(worth)
    return chosen


def _estimate(samples: npt.NDArray[np.float64]) -> Estimate:
    n = len(samples)
    error = float(samples.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(float(samples.mean()), error, n)
