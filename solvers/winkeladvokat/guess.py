"""``analyse``: a best guess for positions too large to solve, with proven bounds beside it, until it is exact."""
from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable

from exactplay.cython_core.winkeladvokat import WinkeladvokatPosition
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers.result import Bounds, Estimate, Exact, Result, Verdict
from exactplay.solvers.winkeladvokat.duel import Budget, Duel, Option, OutOfBudget, margin
from exactplay.solvers.winkeladvokat.many import successors
from exactplay.solvers.winkeladvokat.native import to_core
from exactplay.solvers.winkeladvokat.solving import GUESS_NOTE, INTERRUPTED, effort_of, solve, verdict_of

#: CPU seconds of the first round; each later one takes half as long again.
FIRST_ROUND = 0.25

#: Part of a round that goes into random games; the rest into proofs.
SAMPLING = 0.2

GAMES_AT_ONCE = 64

NODES_A_SECOND = 300_000

SAMPLE_NOTE = "A move's estimate is the mean margin of random games after it, which says little about best play."

Update = Callable[[Result[Move]], None]


class _Samples:
    """Random games after one move: their margins for the player who makes it."""

    def __init__(self, after: WinkeladvokatPosition, player: int, seed: int) -> None:
        self.after, self.player, self.seed = after, player, seed
        self.games, self.total, self.squares = 0, 0.0, 0.0

    def add(self, games: int) -> None:
        played, _, total, squares = self.after.random_games(games, self.seed + self.games, self.player)
        self.games, self.total, self.squares = self.games + played, self.total + total, self.squares + squares

    @property
    def mean(self) -> float:
        return self.total / self.games if self.games else -math.inf

    def estimate(self) -> Estimate:
        variance = max(0.0, self.squares / self.games - self.mean**2)
        return Estimate(self.mean, math.sqrt(variance / self.games), self.games)


def analyse(
    state: State, *, seconds: float | None = 10.0, nodes: int | None = None, megabytes: float = 512.0, seed: int = 1,
    update: Update | None = None, duel: Duel | None = None,
) -> Result[Move]:
    """The best guess after some CPU seconds (or nodes), with proven bounds of the value; exact as soon as it is solved.

    ``update`` is told each intermediate answer. Ctrl-C ends the analysis with the last one. The same ``nodes`` without
    ``seconds`` give the same answer.
    """
    core = to_core(state)
    if core.finished():
        return solve(state)
    if state.players > 2:
        return _analyse_many(state, core, seconds, nodes, megabytes, seed)
    duel = duel or Duel(state.board, state.rules, megabytes)
    budget = Budget(nodes, seconds)
    options = duel.options(core)
    samples = [_Samples(option.after, state.turn, seed) for option in options]
    length = FIRST_ROUND
    try:
        while True:
            for sample in samples:
                sample.add(GAMES_AT_ONCE)
            _one_round(duel, core, budget, length)
            answer = _answer(state, duel, core, options, samples, budget)
            if answer.exact:
                solved = solve(state, nodes=_rest(budget)[0], seconds=_rest(budget)[1], duel=duel)
                budget.used += solved.effort.nodes
                return dataclasses.replace(solved, effort=effort_of(budget, duel))
            if update:
                update(answer)
            budget.left()
            if seconds is not None:
                _sample(samples, length * SAMPLING)
            length *= 1.5
    except OutOfBudget:
        return _answer(state, duel, core, options, samples, budget)
    except KeyboardInterrupt:
        answer = _answer(state, duel, core, options, samples, budget)
        return dataclasses.replace(answer, notes=(INTERRUPTED, *answer.notes))


def _one_round(duel: Duel, core: WinkeladvokatPosition, budget: Budget, length: float) -> None:
    nodes, seconds = budget.left()
    # With nodes as the only limit a round is measured in nodes, so that it can be repeated exactly.
    timed = budget.seconds is not None
    part = Budget(nodes, min(seconds, length)) if timed else Budget(min(nodes, int(length * NODES_A_SECOND)), None)
    try:
        duel.gain(core, part)
    except OutOfBudget:
        pass
    finally:
        budget.used += part.used


def _sample(samples: list[_Samples], seconds: float) -> None:
    if not math.isfinite(seconds):
        return
    end = time.process_time() + seconds
    while time.process_time() < end:
        for sample in samples:
            sample.add(GAMES_AT_ONCE)


def _rest(budget: Budget) -> tuple[int | None, float | None]:
    try:
        nodes, seconds = budget.left()
    except OutOfBudget:
        return 1, 0.01
    return (None if budget.nodes is None else nodes), (None if budget.seconds is None else seconds)


def _answer(
    state: State, duel: Duel, core: WinkeladvokatPosition, options: list[Option], samples: list[_Samples], budget: Budget
) -> Result[Move]:
    now = margin(core, state.turn)
    low, high = duel.bounds(core)
    moves: dict[Move, Verdict] = {}
    for option, sample in zip(options, samples, strict=True):
        verdict = verdict_of(duel, option, now)
        for move in option.moves:
            moves[move] = verdict if isinstance(verdict, Exact) or not sample.games else sample.estimate()
    best = min(
        range(len(options)), key=lambda i: (duel.effort_to_prove(options[i], duel.likely), -samples[i].mean)
    )
    verdict = Exact(now + low) if low == high else Bounds(now + low, now + high)
    return Result(
        verdict, dict(sorted(moves.items())), options[best].moves[:1], (), effort_of(budget, duel), state.rules.describe(),
        notes=(GUESS_NOTE, SAMPLE_NOTE, f"Random games from seed {samples[0].seed}."),
    )


def _analyse_many(
    state: State, core: WinkeladvokatPosition, seconds: float | None, nodes: int | None, megabytes: float, seed: int
) -> Result[Move]:
    part = None if seconds is None else seconds / 2
    solved = solve(state, nodes=nodes or 100_000, seconds=part, megabytes=megabytes)
    if solved.exact:
        return solved
    found = [(alike, _Samples(after, state.turn, seed)) for alike, after in successors(core)]
    for _, sample in found:
        sample.add(GAMES_AT_ONCE)
    interrupted = INTERRUPTED in solved.notes
    if part is not None and not interrupted:
        try:
            _sample([sample for _, sample in found], part)
        except KeyboardInterrupt:
            interrupted = True
    samples = {move: sample for alike, sample in found for move in alike}
    best = max(samples, key=lambda move: samples[move].mean)
    guess = "Not solved: the best move is a guess, the best mean margin of random games."
    notes = (*([INTERRUPTED] if interrupted else []), guess, SAMPLE_NOTE, f"Random games from seed {seed}.")
    moves: dict[Move, Verdict] = {move: sample.estimate() for move, sample in sorted(samples.items())}
    return Result(samples[best].estimate(), moves, (best,), (), solved.effort, state.rules.describe(), notes=notes)
