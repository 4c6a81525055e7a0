"""A solver's result as an answer: one way to print it, whatever the game."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from exactplay.questions.face import Answer, Block, Data, GameFace, Table
from exactplay.rules.contract import CHANCE
from exactplay.solvers.hidden import Advice
from exactplay.solvers.result import Bounds, Result, Verdict

#: moves that a reader is shown; --json has them all
SHOWN = 20


def answered(
    face: GameFace, position: Any, result: Result[Any], objective: str, *, shown: int | None = SHOWN,
    head: Mapping[str, Any] | None = None,
) -> Answer:
    """A result about a position; ``shown`` is how many moves are listed for a reader (None: all)."""
    folded = face.folded(result) if face.folded is not None else result
    state = world_of(face, position)
    # The moves of an answer about a known draw are those after it.
    while state.to_move == CHANCE and len(outcomes := state.chance_outcomes()) == 1:
        state = state.play(outcomes[0][0])
    data: Data = {"position": str(position), "objective": objective, **(head or {}), **result.to_json()}
    return Answer(data, blocks_of(folded, face.value_of(result, objective), lambda move: face.describe(state, move), shown))


def blocks_of(
    result: Result[Any], what: str, describe: Callable[[Any], str] | None = None, shown: int | None = SHOWN
) -> tuple[Block, ...]:
    """A result for a reader: the value and its kind, the moves best first, a line of play, and what it all rests on."""
    ranked = result.ranked()
    listed = ranked if shown is None else ranked[:shown]
    blocks: list[Block]
    if isinstance(result, Advice):
        best = joined(result.best)
        blocks = [((f"{what}: best on average: ", ""), (best, "bold")), f"average {result.verdict}"]
    else:
        blocks = [((f"{what}: ", ""), (str(result.verdict), "bold"))]
    if listed:
        blocks.append(_table(result, listed, describe))
    if len(ranked) > len(listed):
        blocks.append(f"and {len(ranked) - len(listed):,} more moves; --json lists them all")
    if result.pv:
        blocks.append(f"line of play: {joined(result.pv)}")
    return (*blocks, *footer(result))


def footer(result: Result[Any]) -> tuple[Block, ...]:
    """What an answer rests on: rules, sources, notes; and what it cost."""
    lines = [] if result.rules == "default rules" else [f"rules: {result.rules}"]
    lines += [f"rests on {source.name} ({source.provenance}, {source.digest[:12]})" for source in result.sources]
    lines += [f"note: {note}" for note in result.notes]
    if result.effort.nodes:
        unit = "worlds" if isinstance(result, Advice) else "nodes"
        lines.append(f"effort: {result.effort.nodes:,} {unit}, {result.effort.seconds:.2f} CPU seconds")
    return tuple(lines)


def joined(moves: tuple[Any, ...]) -> str:
    """Moves in a line; those that have blanks in them need more than a blank between them."""
    texts = [str(move) for move in moves]
    return (" / " if any(" " in text for text in texts) else " ").join(texts)


def world_of(face: GameFace, position: Any) -> Any:
    """A state that the position allows; the legal moves are the same in every one."""
    return position.some_world() if face.view is not None and isinstance(position, face.view) else position


def _table(result: Result[Any], moves: tuple[Any, ...], describe: Callable[[Any], str] | None) -> Table:
    advice = result if isinstance(result, Advice) else None
    rows = []
    for move in moves:
        remark = "best" if move in result.best else ""
        if advice is None:
            row = [str(move), cell(result.moves[move]), remark]
        else:
            interval, behind = advice.intervals[move], advice.behind.get(move)
            spread = [] if advice.enumerated else [f"{interval.low:.4g} to {interval.high:.4g}"]
            remark = "not distinguished" if move in advice.undistinguished else remark
            row = [str(move), f"{interval.mean:.4g}", *spread, "" if behind is None else str(behind), remark]
        rows.append((*row, describe(move) if describe is not None else ""))
    if advice is None:
        headings = ("move", "value", "", "")
    else:
        headings = ("move", "average", *(() if advice.enumerated else ("95 % interval",)), "behind the best", "", "")
    return without_empty(Table(headings, tuple(rows), (1,)))


def cell(verdict: Verdict) -> str:
    """A verdict in a table: an exact value is a plain number, of bounds those that were proven are named."""
    match verdict:
        case Bounds(None, None):
            return "unknown"
        case Bounds(None, high):
            return f"at most {high}"
        case Bounds(low, None):
            return f"at least {low}"
    return str(verdict).removesuffix(" (exact)").removesuffix(" (proven bounds)")


def without_empty(table: Table) -> Table:
    """A table without the columns that say nothing."""
    kept = [any(row[column] for row in table.rows) or bool(heading) for column, heading in enumerate(table.headings)]
    return Table(
        tuple(itertools.compress(table.headings, kept)),
        tuple(tuple(itertools.compress(row, kept)) for row in table.rows),
        tuple(sum(kept[:column]) for column in table.right if kept[column]),
    )
