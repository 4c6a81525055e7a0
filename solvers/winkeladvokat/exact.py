"""``solve``: the exact value of a position with all its moves, or proven bounds where a limit comes first."""
from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Final, Literal

from exactplay.common.words import named
from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.rules.contract import OVER, BadOption
from exactplay.rules.winkeladvokat import COLOURS, Move, State
from exactplay.solvers.limits import DEFAULT_MEMORY_MB, Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import OVER_NOTE, Bounds, Effort, Exact, Moves, Result, Verdict
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import Duel, Option, OutOfMemory, margin
from exactplay.solvers.winkeladvokat.maxn import MaxN, Memory, Paranoid, successors

Objective = Literal["margin"]
OBJECTIVES: Final[tuple[Objective, ...]] = ("margin",)

#: CPU seconds between two checkpoints of a long search.
CHECKPOINT_EVERY = 300.0

GUESS_NOTE = "The best move is a guess: the nearest to a proof of the value that is thought likely."

MEMORY_NOTE = "The search ended at its limit of memory (--memory, megabytes): give it more."

TIE_NOTE = "Among moves equal for the player to move the first in the order of texts is taken; the scores rest on that."


def solve(
    state: State, *, objective: Objective = "margin", moves: Moves = "best", limits: Limits | None = None,
    progress: Progress | None = None, checkpoint: Path | str | None = None, duel: Duel | None = None,
) -> Result[Move]:
    """The value of a position: the player to move's final score less his opponent's, under best play of both.

    ``moves="value"`` asks for the value and one best move, ``"best"`` for every best move with an upper bound of each other
    one, ``"all"`` for the value of each. Where a limit ends the search the answer is the proven bounds, as are those that
    ``progress`` hears; Ctrl-C is raised. With ``checkpoint`` the table is written to that file from time to time and at the
    end, and read from it at the beginning. ``duel`` is a table to go on with, of the same board and rules.

    With three or four players the value is the vector of scores by max^n, on small positions only.
    Raises :class:`BadOption`, :class:`BadText` for another question's checkpoint, and ValueError for numbers too large.
    """
    named(objective, Objective, "objective")
    named(moves, Moves, "moves")
    core = to_core(state)
    limits = limits or Limits()
    budget = Budget(limits, progress)
    if state.players > 2 and checkpoint:
        raise BadOption("checkpoint is for two players; positions of three and four players are solved without one")
    if core.to_move == OVER:
        value = margin(core, state.turn) if state.players == 2 else core.scores()
        return about(state, Result(Exact(value), notes=(OVER_NOTE,)))
    if state.players > 2:
        return about(state, _solve_many(state, core, budget))
    duel = duel or Duel(state.board, state.rules, limits.memory_mb or DEFAULT_MEMORY_MB)
    file = None if checkpoint is None else Path(checkpoint)
    before = duel.load(file, state) if file and file.exists() else 0
    saved, lost = time.process_time(), ""

    def keep() -> None:
        nonlocal lost
        assert file is not None
        try:
            duel.save(file, state, before)
            lost = ""
        except OSError as error:
            # What the search has found is worth more than that it could be gone on with.
            lost = f"The checkpoint {file} could not be written ({error.strerror}): an older one there still holds."

    def listen() -> None:
        nonlocal saved
        proof, disproof = duel.search.numbers_now
        counts = {"nodes": before + duel.search.nodes, "proof_number": proof, "disproof_number": disproof}
        budget.tell(counts, partial=lambda: proven(state, duel))
        if file and time.process_time() - saved > CHECKPOINT_EVERY:
            keep()
            saved = time.process_time()

    try:
        with duel.asked_by(budget, listen):
            result = _solve_duel(duel, core, budget, moves)
    finally:
        if file:
            keep()
    return about(state, dataclasses.replace(result, notes=(*result.notes, lost) if lost else result.notes))


def about(state: State, result: Result[Move]) -> Result[Move]:
    """An answer with whose it is, and under which rules."""
    return dataclasses.replace(
        result, viewpoint=state.turn if state.players == 2 else None, mover=state.turn, players=state.players,
        rules=state.rules.describe(),
    )


def _solve_duel(duel: Duel, core: Position, budget: Budget, wanted: Moves) -> Result[Move]:
    now = margin(core, core.turn)
    options = duel.options(core)
    notes: list[str] = []
    best: list[Option] = []
    line: list[Move] = []
    gain: int | None = None
    # Kept beside the table, which may give up the entry of one move while others are searched.
    gains: dict[int, int] = {}
    asked_all = False
    try:
        gain = duel.gain(core, budget)
        if wanted == "value":
            best.append(duel.a_best(core, gain, budget))
            notes.append("Only one best move was asked for; others may be as good.")
        else:
            best += [option for option in options if duel.holds(option, gain, budget)]
        asked_all = True
        if wanted == "all":
            for index, option in enumerate(options):
                gains[index] = option.gain - duel.gain(option.after, budget)
        line = duel.line(core, gain, best[0], budget)
    except OutOfMemory:
        notes.append(MEMORY_NOTE)
    except OutOfBudget:
        notes.append("The search ended at its limit.")
    value = None if gain is None else now + gain
    if gain is not None:
        proven_best = {option.moves for option in best}
        gains |= {index: gain for index, option in enumerate(options) if option.moves in proven_best}
    moves = dict(sorted(
        (move, Exact(now + gains[index]) if index in gains else verdict_of(duel, option, now, value))
        for index, option in enumerate(options) for move in option.moves
    ))
    if gain is None:
        low, high = duel.bounds(core)
        chosen = min(options, key=lambda option: duel.effort_to_prove(option, duel.likely))
        notes.append(GUESS_NOTE)
        verdict = Bounds(now + low, now + high)
        return Result(verdict, moves, chosen.moves[:1], (), effort_of(budget, duel), notes=tuple(notes))
    if not asked_all:
        efforts = [duel.effort_to_prove(option, gain) for option in options]
        best = [option for option, effort in zip(options, efforts, strict=True) if effort == min(efforts)]
        if min(efforts) > 0:
            best = best[:1]
            notes.append(GUESS_NOTE)
        notes.append("The value is proven; whether other moves reach it is not known of all.")
    found = tuple(sorted(move for option in best for move in option.moves))
    return Result(Exact(now + gain), moves, found, tuple(line), effort_of(budget, duel), notes=tuple(notes))


def proven(state: State, duel: Duel) -> Result[Move]:
    """The bounds of a two-player position that are proven so far, while a search of ``duel`` goes on."""
    core = to_core(state)
    now = margin(core, state.turn)
    low, high = duel.bounds(core)
    verdict = Exact(now + low) if low == high else Bounds(now + low, now + high)
    return about(state, Result(verdict, effort=Effort(duel.search.nodes, table_fill=duel.search.fill)))


def verdict_of(duel: Duel, option: Option, now: int, value: int | None = None) -> Verdict:
    """What is proven about a move, ``now`` being the margin before it; no move is worth more than the position's value."""
    low, high = duel.bounds(option.after)
    least = None if high == duel.widest else now + option.gain - high
    most = None if low == -duel.widest else now + option.gain - low
    if value is not None:
        most = value if most is None else min(most, value)
    return Exact(least) if least is not None and least == most else Bounds(least, most)


def effort_of(budget: Budget, duel: Duel | None = None) -> Effort:
    """What an answer has cost so far."""
    return Effort(budget.spent, budget.cpu_seconds, duel.search.fill if duel else None)


def _solve_many(state: State, core: Position, budget: Budget) -> Result[Move]:
    turn = state.turn
    memory = Memory(budget.limits.table_bytes)
    solver = MaxN(budget, memory)
    try:
        moves: dict[Move, Verdict] = {}
        for alike, after in successors(core):
            moves |= dict.fromkeys(alike, Exact(solver.value(after)))
        value = solver.value(core)
        forced = Paranoid(turn, budget, memory).value(core)
    except OutOfMemory:
        return Result(Bounds(None, None), effort=effort_of(budget), notes=(MEMORY_NOTE,))
    except (OutOfBudget, RecursionError):
        note = "Not solved within the limits; positions of three and four players must be small."
        return Result(Bounds(None, None), effort=effort_of(budget), notes=(note,))
    moves = dict(sorted(moves.items()))
    best = tuple(move for move, verdict in moves.items() if _own(verdict, turn) == value[turn])
    line: list[Move] = []
    at = core
    while at.to_move != OVER:
        player = at.turn
        alike, at = max(successors(at), key=lambda pair: solver.value(pair[1])[player])
        line.append(alike[0])
    paranoid = f"Against all others together {COLOURS[turn]} can force a margin of {forced} over the best of them."
    notes = (TIE_NOTE, paranoid)
    return Result(Exact(value), moves, best, tuple(line), effort_of(budget), notes=notes)


def _own(verdict: Verdict, player: int) -> int | float:
    assert isinstance(verdict, Exact) and isinstance(verdict.value, tuple)
    return verdict.value[player]
