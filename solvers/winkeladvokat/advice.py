"""``advise``: a best guess for positions too large to solve, with proven bounds beside it, until it is exact."""
from __future__ import annotations

import dataclasses
import math
import time

from exactplay.common.words import named, whole
from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers.limits import DEFAULT_MEMORY_MB, Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Bounds, Estimate, Exact, Result, Verdict
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import Duel, Option, margin
from exactplay.solvers.winkeladvokat.exact import GUESS_NOTE, Objective, about, effort_of, solve, verdict_of
from exactplay.solvers.winkeladvokat.maxn import successors

#: Seconds of the first round; each later one takes half as long again.
FIRST_ROUND = 0.25

#: Part of a round that goes into random games; the rest into proofs.
SAMPLING = 0.2

GAMES_AT_ONCE = 64

NODES_A_SECOND = 300_000

SAMPLE_NOTE = "A move's estimate is the mean margin of random games after it, which says little about best play."

class _Samples:
    """Random games after one move: their margins for the player who makes it."""

    def __init__(self, after: Position, player: int, seed: int) -> None:
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


def advise(
    state: State, *, objective: Objective = "margin", limits: Limits | None = None, seed: int = 1,
    progress: Progress | None = None, duel: Duel | None = None,
) -> Result[Move]:
    """The best guess when the limits are spent, with proven bounds of the value; exact as soon as it is solved.

    ``progress`` hears each answer so far. Without a limit of time the same ``nodes`` give the same answer. ``limits`` is
    ten seconds on the clock where it is not given. Raises :class:`BadOption`.
    """
    named(objective, Objective, "objective")
    whole(seed, "seed", 0)
    core = to_core(state)
    limits = limits or Limits(seconds=10.0)
    if core.to_move == OVER:
        return solve(state)
    if state.players > 2:
        return _advise_many(state, core, limits, seed, progress)
    duel = duel or Duel(state.board, state.rules, limits.memory_mb or DEFAULT_MEMORY_MB)
    budget = Budget(limits, progress)
    timed = limits.seconds is not None or limits.cpu_seconds is not None
    with duel.asked_by(budget):
        options = duel.options(core)
    samples = [_Samples(option.after, state.turn, seed) for option in options]
    length = FIRST_ROUND
    while True:
        for sample in samples:
            sample.add(GAMES_AT_ONCE)
        # With nodes as the only limit a round is measured in nodes, so that it can be repeated exactly.
        part = budget.within(seconds=length) if timed else budget.within(nodes=int(length * NODES_A_SECOND))
        with duel.asked_by(part):
            try:
                duel.gain(core, part)
            except OutOfBudget:
                pass
            finally:
                budget.spend(part.spent)
        answer = _answer(state, duel, core, options, samples, budget)
        budget.tell({"nodes": budget.spent}, partial=lambda: answer)  # noqa: B023  # it is called at once
        if answer.exact:
            solved = solve(state, limits=budget.within().limits, duel=duel)
            budget.spend(solved.effort.nodes)
            return dataclasses.replace(solved, effort=effort_of(budget, duel))
        if budget.struck:
            return answer
        if timed:
            _sample(samples, length * SAMPLING, budget)
        length *= 1.5


def _sample(samples: list[_Samples], seconds: float, budget: Budget) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not budget.struck:
        for sample in samples:
            sample.add(GAMES_AT_ONCE)


def _answer(
    state: State, duel: Duel, core: Position, options: list[Option], samples: list[_Samples], budget: Budget
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
    return about(state, Result(
        verdict, dict(sorted(moves.items())), options[best].moves[:1], (), effort_of(budget, duel),
        notes=(GUESS_NOTE, SAMPLE_NOTE, f"Random games from seed {samples[0].seed}."),
    ))


def _advise_many(
    state: State, core: Position, limits: Limits, seed: int, progress: Progress | None
) -> Result[Move]:
    budget = Budget(limits, progress)
    half = None if limits.seconds is None else limits.seconds / 2
    solved = solve(state, limits=budget.within(nodes=limits.nodes or 100_000, seconds=half).limits, progress=progress)
    if solved.exact:
        return solved
    found = [(alike, _Samples(after, state.turn, seed)) for alike, after in successors(core)]
    for _, sample in found:
        sample.add(GAMES_AT_ONCE)
    if half is not None:
        _sample([sample for _, sample in found], half, budget)
    samples = {move: sample for alike, sample in found for move in alike}
    best = max(samples, key=lambda move: samples[move].mean)
    guess = "Not solved: the best move is a guess, the best mean margin of random games."
    moves: dict[Move, Verdict] = {move: sample.estimate() for move, sample in sorted(samples.items())}
    notes = (guess, SAMPLE_NOTE, f"Random games from seed {seed}.")
    result = Result(samples[best].estimate(), moves, (best,), (), solved.effort, notes=notes)
    # A mean margin of the player to move, not a vector of scores.
    return dataclasses.replace(about(state, result), viewpoint=state.turn)
