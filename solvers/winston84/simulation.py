"""Whole games played at random dice in native code."""
from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactplay.common.words import whole
from exactplay.rules.contract import BadOption, quoted
from exactplay.rules.winston84 import LAST_ROUND, Difficulty, Objective, Rules, Sheet, first_place
from exactplay.solvers.limits import Budget, Limits, Progress
from exactplay.solvers.result import Estimate, Source
from exactplay.solvers.winston84.outer import Layer, Solution, open_solution
from exactplay.solvers.winston84.policy import Policy, second_objective
from exactplay.solvers.winston84.structure import RESULTS, opening, rolls_of

SimulatedPolicy = Objective | str
Results = npt.NDArray[np.int32]

MOST_GAMES = 10**9
_AT_ONCE = 1_000_000  # games; they take about 100 bytes each


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
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play whole games. The same seed gives the same games. Raises :class:`OutOfBudget`, where ``limits`` end it early.

    policy: an objective or its name (optimal play for it; among equals what is better for the second one), ``"random"``
    (uniformly among the legal decisions) or ``"greedy"`` (every round for its greatest mean result).
    """
    games, seed = whole(games, "games", 2, MOST_GAMES), whole(seed, "seed", 0, 2**64 - 1)
    if policy not in ("random", "greedy"):
        try:
            policy = Objective.of(policy)
        except BadOption:
            raise BadOption(
                f"policy is {quoted(policy)}; it must be score, win or at-least:900 (optimal for it), greedy or random"
            ) from None
    objective = policy if isinstance(policy, Objective) else "score"
    solution = open_solution(sheet, difficulty, objective, rules, limits=limits, progress=progress)
    budget = Budget(limits or Limits(), progress)
    table = _Table(solution, policy, seed, budget)
    histogram: Counter[int] = Counter()
    wins = done = 0
    while done < games:
        scores, won = table.play(min(_AT_ONCE, games - done))
        values, counts = np.unique(scores, return_counts=True)
        histogram.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        wins += int(won.sum())
        done += len(scores)
        budget.tell({"games": done}, games)
    return Simulation(
        _estimate(histogram),
        _estimate(Counter({1: wins, 0: games - wins})),
        dict(sorted(histogram.items())),
        seed,
        solution.sources,
        solution.notes(),
    )


class _Table:
    """Games of one policy, all played together round by round."""

    def __init__(self, solution: Solution, policy: SimulatedPolicy, seed: int, budget: Budget) -> None:
        self.table = solution.table
        self.policy = policy
        self.budget = budget
        self.first = first_place(solution.difficulty)
        self.rng = np.random.default_rng(seed)
        self.generator = self.rng.integers(2**64, size=1, dtype=np.uint64)
        board = self.table.board
        self.final = board.terminal(Objective("score").utility)
        # What decides between equal decisions: the second quantity from every place on, and of finished games.
        self.second = self.terminal = None
        if isinstance(policy, Objective):
            worth = second_objective(policy).utility
            followed = Policy(self.table, worth)
            followed.fill(self.first, budget)
            self.second = followed.second
            self.terminal = board.terminal(worth)

    def play(self, games: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """The final score of each game, and whether it was won."""
        board = self.table.board
        states = np.tile(np.array(board.index(self.first)[1:]), (games, 1))
        playing = np.arange(games)
        scores, won = np.zeros(games, np.int64), np.zeros(games, bool)
        for round in range(self.first.round, LAST_ROUND + 1):
            here = states[playing]
            families = np.where(here[:, 2], board.fresh_family[here[:, 0]], 0)
            for family in np.unique(families):
                self.budget.check()
                mine = playing[families == family]
                numbers = np.ravel_multi_index(tuple(states[mine].T), board.shape[1:])
                distinct, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
                alike = np.column_stack(np.unravel_index(distinct, board.shape[1:]))
                mine = mine[np.argsort(which, kind="stable")]
                results = self.rounds(Layer(round, int(family), alike), counts)
                box, marks, golden = states[mine, 0], states[mine, 1], board.golden[states[mine, 0], results]
                home = golden > 0
                won[mine[home]] = True
                scores[mine[home]] = self.final[round, golden[home], marks[home]]
                states[mine, 1] = np.minimum(marks + board.mark[box, results], board.max_marks)
                states[mine, 2] = board.fresh[box, results]
                states[mine, 0] = board.target[box, results]
            playing = playing[~won[playing]]
        return scores, won

    def rounds(self, layer: Layer, counts: npt.NDArray[np.int64]) -> Results:
        """Play the rounds of a layer, ``counts[i]`` games standing in its state i: results in the order of the states."""
        structure, total = self.table.structure, int(counts.sum())
        if self.policy == "random":
            return opening(layer.family, structure.options).random_rounds(total, self.generator)
        evaluator = structure.evaluators()[layer.family]
        results = self.rng.integers(rolls_of(layer.family), size=total, dtype=np.int32)
        if self.second is None or self.terminal is None:
            evaluator.follow(np.arange(float(RESULTS)), np.zeros(RESULTS))
            evaluator.play(results, self.generator)
            return results
        utilities = self.table.utilities(layer)
        seconds = self.table.utilities(layer, self.second, self.terminal)
        position = 0
        for utility, second, count in zip(utilities, seconds, counts.tolist(), strict=True):
            self.budget.check()
            evaluator.follow(utility, second)
            evaluator.play(results[position : position + count], self.generator)
            position += count
        return results


def _estimate(histogram: Counter[int]) -> Estimate:
    """The mean of integers, in exact sums."""
    n = histogram.total()
    total = sum(value * count for value, count in histogram.items())
    squares = sum(value * value * count for value, count in histogram.items())
    variance = (n * squares - total * total) / (n * (n - 1))
    return Estimate(total / n, math.sqrt(variance / n), n)
