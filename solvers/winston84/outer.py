"""The outer game: what every place on the sheet is worth before its roll, for an objective."""
from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactplay.common.files import user_folder
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Decision,
    Difficulty,
    Objective,
    Place,
    Rules,
    Sheet,
    check_place,
    first_place,
)
from exactplay.solvers import tables
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Effort, Exact, Result, Source
from exactplay.solvers.winston84.sheets import Board, Terminal, board_of
from exactplay.solvers.winston84.structure import (
    CODE_VERSION,
    LANES,
    RESULTS,
    Floats,
    Structure,
    data_path,
    load_structure,
)

States = npt.NDArray[np.int64]  # one row a state: box, marks, fresh


@dataclass(frozen=True)
class Layer:
    """The states of one round that begin with one family of rolls, and where their results lead."""

    round: int
    family: int
    states: States

    def index(self) -> tuple[Any, ...]:
        """The index of the states in a table of ``Board.shape``."""
        return (self.round, *self.states.T)


def distinct_rows(rows: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Each row of an array (n, k) once, and for each of its n rows the number of that; rows are the same if their bits are.

    ``numpy.unique`` along an axis compares by Python code of numpy's, which makes a TypeError of Ctrl-C, and takes
    seven times as long.
    """
    rows = np.ascontiguousarray(rows)
    whole = rows.view(f"V{rows.itemsize * rows.shape[1]}")[:, 0]
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return rows[first], which


class OuterTable:
    """Values of outer states, float64 of ``board.shape``; what nothing has asked for is NaN.

    ``fill(place)`` computes everything that can be reached from a place. The value of a state depends on nothing but the
    question, so the bits are the same for any number of threads and any order of filling.
    """

    def __init__(self, board: Board, worth: Terminal, structure: Structure, values: Floats | None = None) -> None:
        self.board = board
        self.structure = structure
        self.terminal = board.terminal(worth)
        self.values = np.full(board.shape, np.nan) if values is None else np.array(values)

    def fill(self, place: Place, budget: Budget | None = None) -> int:
        """Compute every state that is reachable from a place and not known yet; return how many these were.

        Ctrl-C and :class:`OutOfBudget` leave the table as far as it got, and every number in it right.
        """
        if not np.isnan(self.values[self.board.index(place)]):
            return 0  # what it rests on is known as well
        layers = self.layers(place, unknown_in=self.values)
        total, done = sum(len(layer.states) for layer in layers), 0
        budget = budget or Budget(Limits())
        threads = budget.limits.threads
        with ThreadPoolExecutor(threads) as pool:
            for layer in reversed(layers):
                if len(layer.states) > budget.nodes_left:
                    raise OutOfBudget("nodes")
                utilities = self.utilities(layer)
                # States that see the same utilities are evaluated once; one that sees a constant needs no evaluation.
                supported = utilities[:, list(self.structure.support[layer.family])]
                distinct, which = distinct_rows(supported)
                rows = np.zeros((len(distinct), RESULTS))
                rows[:, list(self.structure.support[layer.family])] = distinct
                means = distinct[:, 0].copy()
                open_ = np.flatnonzero((distinct != distinct[:, :1]).any(axis=1))
                batches = [open_[i : i + LANES] for i in range(0, len(open_), LANES)]

                def evaluate(batch: States, rows: Floats = rows, family: int = layer.family) -> Floats:
                    padded = np.zeros((RESULTS, LANES))
                    padded[:, : len(batch)] = rows[batch].T
                    evaluated: Floats = self.structure.evaluators()[family].evaluate(padded)
                    return evaluated[: len(batch)]

                answers = pool.map(evaluate, batches) if threads > 1 else map(evaluate, batches)
                for batch, answer in zip(batches, answers, strict=True):
                    means[batch] = answer
                    budget.check()
                self.values[layer.index()] = means[which]
                done += len(which)
                budget.spend(len(which))
                budget.tell({"places": done}, total)
        return total

    def layers(self, place: Place, *, unknown_in: Floats | None = None) -> list[Layer]:
        """The states that can be reached from a place, itself included, by round and family of rolls, in playing order.

        ``unknown_in``: a table of values; only what is NaN there, and what is reached through it.
        """
        board = self.board
        reached = np.zeros(board.shape, bool)
        reached[board.index(place)] = True
        layers = []
        for round in range(place.round, LAST_ROUND + 1):
            if unknown_in is not None:
                reached[round] &= np.isnan(unknown_in[round])
            for layer in self.by_family(round, reached[round]):
                layers.append(layer)
                if round == LAST_ROUND:
                    continue
                for r in self.structure.support[layer.family]:
                    box, marks, fresh, golden = self.after(layer.states, r)
                    on = golden == 0
                    reached[round + 1, box[on], marks[on], fresh[on]] = True
        return layers

    def by_family(self, round: int, chosen: npt.NDArray[np.bool_]) -> Iterator[Layer]:
        """The states of a round that are true in ``chosen``, of shape ``board.shape[1:]``, by family of rolls."""
        states = np.argwhere(chosen)
        families = np.where(states[:, 2], self.board.fresh_family[states[:, 0]], 0)
        for family in np.unique(families):
            yield Layer(round, int(family), states[families == family])

    def layer_of(self, place: Place) -> Layer:
        """A place as a layer of its own."""
        _, box, marks, fresh = self.board.index(place)
        return Layer(place.round, self.board.family(box, place.fresh), np.array([[box, marks, fresh]]))

    def after(self, states: States, result: int) -> tuple[States, States, States, States]:
        """(box, marks, fresh, Golden Country boxes) of each state after a round with a result."""
        board, box = self.board, states[:, 0]
        marks = np.minimum(states[:, 1] + board.mark[box, result], board.max_marks)
        return board.target[box, result], marks, board.fresh[box, result], board.golden[box, result]

    def utilities(self, layer: Layer, values: Floats | None = None, terminal: Floats | None = None) -> Floats:
        """What each result is worth in each state of a layer, float64[n, 37]; 0 where it cannot occur.

        ``values`` and ``terminal``: those of another quantity than the one of the table, in the same form.
        """
        values = self.values if values is None else values
        terminal = self.terminal if terminal is None else terminal
        utilities = np.zeros((len(layer.states), RESULTS))
        for r in self.structure.support[layer.family]:
            box, marks, fresh, golden = self.after(layer.states, r)
            won = golden > 0
            if layer.round == LAST_ROUND:
                goes_on: Any = terminal[layer.round, 0, 0]
            else:
                goes_on = values[layer.round + 1, box, marks, fresh]
            # A game is scored with the marks from before the round that wins it.
            utilities[:, r] = np.where(won, terminal[layer.round, golden, layer.states[:, 1]], goes_on)
        return utilities + 0.0


class Solution:
    """The solved outer game of a sheet, a difficulty, an objective and rules.

    Places that cannot be reached from the start of a game are computed when they are asked for.
    """

    def __init__(self, table: OuterTable, objective: Objective) -> None:
        self.table = table
        self.objective = objective
        self._from_start = np.isfinite(table.values)

    @property
    def sheet(self) -> Sheet:
        """The sheet."""
        return self.table.board.sheet

    @property
    def difficulty(self) -> Difficulty:
        """The difficulty."""
        return self.table.board.difficulty

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.table.board.rules

    def probe_value(self, place: Place) -> float:
        """The value of a place that has been computed; raises IllegalPosition for any other."""
        value = self.get_value(place)
        if value is None:
            raise IllegalPosition(f"{place} has not been computed; call value() to have it computed")
        return value

    def get_value(self, place: Place, default: float | None = None) -> float | None:
        """The value of a place, or the default where it has not been computed."""
        value = float(self.table.values[self.table.board.index(self._checked(place))])
        return default if np.isnan(value) else value

    def value(self, place: Place | None = None) -> float:
        """The value before the roll at a place (None: the start of the game), computed if need be."""
        place = self._checked(first_place(self.difficulty) if place is None else place)
        self.table.fill(place)
        return self.probe_value(place)

    def utility(self, place: Place) -> Floats:
        """What each result of the round is worth at a place, float64[37]."""
        place = self._checked(place)
        self.table.fill(place)
        row: Floats = self.table.utilities(self.table.layer_of(place))[0]
        return row

    @property
    def about(self) -> dict[str, Any]:
        """What must match for a table file to be one of this solution."""
        return _about(self.sheet, self.difficulty, self.objective, self.rules)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The data that every value rests on."""
        return (Source(f"sheet {self.sheet.name}", self.sheet.provenance, self.sheet.digest), self.table.structure.source)

    def notes(self, place: Place | None = None) -> tuple[str, ...]:
        """What a reader of a value must know: whole sentences about the sheet, and about the place where one is given."""
        notes = []
        if self.sheet.provenance == "reconstruction":
            notes.append(
                f"The sheet {self.sheet.name!r} is a reconstruction, not the printed one: "
                "the values hold for it and not for the sheet in the box."
            )
        if place is None:
            return tuple(notes)
        board = self.table.board
        if self.difficulty.big_brothers_eye and not place.fresh and board.family(place.box, True):
            notes.append(
                f"Box {place.box} is a zone and the question is not fresh: "
                "right only if the last round marked no box, for else Big Brother's eye costs a die now."
            )
        if not self._from_start[board.index(place)]:
            notes.append(
                f"No game from the start of this sheet reaches {place}; the value is that of play from there on."
            )
        return tuple(notes)

    def result(self, place: Place | None = None) -> Result[Decision]:
        """The value before the roll at a place (None: the start of the game), with what it rests on."""
        start = time.process_time()
        place = self._checked(first_place(self.difficulty) if place is None else place)
        value = self.value(place)
        states = int(np.isfinite(self.table.values).sum())
        effort = Effort(nodes=states, seconds=time.process_time() - start)
        return Result(
            Exact(value), effort=effort, rules=self.rules.describe(), sources=self.sources, notes=self.notes(place),
            players=1,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self.about == other.about

    def __hash__(self) -> int:
        return hash(json.dumps(self.about, sort_keys=True))

    def __reduce__(self) -> tuple[Any, ...]:
        # The compiled structure and what threads keep of it are found again; only the values travel.
        return _from_arrays, (_to_arrays(self), self.sheet, self.difficulty, self.objective, self.rules)

    def _checked(self, place: Place) -> Place:
        return check_place(self.sheet, self.difficulty, place)


def solve_sheet(
    sheet: Sheet,
    difficulty: Difficulty,
    objective: Objective | str,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve the whole game from its start; limits and progress count its places. Raises :class:`OutOfBudget`."""
    objective, rules = Objective.of(objective), rules or Rules()
    table = OuterTable(board_of(sheet, difficulty, rules), objective.utility, load_structure(rules))
    table.fill(first_place(difficulty), Budget(limits or Limits(), progress))
    return Solution(table, objective)


def open_solution(
    sheet: Sheet,
    difficulty: Difficulty,
    objective: Objective | str,
    rules: Rules | None = None,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution:
    """As :func:`solve_sheet`, but taken from the shipped tables or the user's cache where they hold it, else put there."""
    objective, rules = Objective.of(objective), rules or Rules()
    found = find_solution(sheet, difficulty, objective, rules)
    if found is not None:
        return found
    solution = solve_sheet(sheet, difficulty, objective, rules, limits=limits, progress=progress)
    path, about = _kept(sheet, difficulty, objective, rules)
    if path is not None:
        tables.keep(path, _KIND, about, _to_arrays(solution))
    return solution


def find_solution(
    sheet: Sheet, difficulty: Difficulty, objective: Objective | str, rules: Rules | None = None
) -> Solution | None:
    """The solved game where a shipped table or the user's cache holds it, else None: nothing is solved."""
    objective, rules = Objective.of(objective), rules or Rules()
    path, about = _kept(sheet, difficulty, objective, rules)
    for table in (data_path(f"winston84-x{difficulty.level}-{objective.kind}.table"), path):
        if table is None:
            continue
        with contextlib.suppress(OSError, tables.BadTable):
            return _from_arrays(tables.read(table, _KIND, about), sheet, difficulty, objective, rules)
    return None


def _kept(sheet: Sheet, difficulty: Difficulty, objective: Objective, rules: Rules) -> tuple[Path | None, dict[str, Any]]:
    """Where the user's cache keeps a table (None: nowhere), and what must stand in its header."""
    about = _about(sheet, difficulty, objective, rules)
    return cache_path(f"winston84-x{difficulty.level}-{objective.kind}", about), about


def cache_path(name: str, about: Mapping[str, Any]) -> Path | None:
    """Where the user's cache keeps a table about something; None where he has no home folder."""
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
    folder = user_folder("cache")
    return None if folder is None else folder / f"{name}-{digest[:16]}.table"


def write_solution(solution: Solution, path: Path) -> None:
    """Write a solved table as a file; the same solution gives the same bytes."""
    tables.write(path, _KIND, solution.about | {"start value": solution.value()}, _to_arrays(solution))


_KIND = "winston84 outer table"


def _about(sheet: Sheet, difficulty: Difficulty, objective: Objective, rules: Rules) -> dict[str, Any]:
    return {
        "sheet": sheet.digest,
        "difficulty": difficulty.level,
        "objective": str(objective),
        "rules": rules.describe(),
        "code": CODE_VERSION,
    }


def _to_arrays(solution: Solution) -> tables.Arrays:
    values = solution.table.values.reshape(-1)
    known = np.flatnonzero(np.isfinite(values))
    return {"state": known.astype(np.uint32), "value": values[known]}


def _from_arrays(
    arrays: tables.Arrays, sheet: Sheet, difficulty: Difficulty, objective: Objective, rules: Rules
) -> Solution:
    board = board_of(sheet, difficulty, rules)
    values = np.full(board.shape, np.nan)
    values.reshape(-1)[arrays["state"]] = arrays["value"]
    return Solution(OuterTable(board, objective.utility, load_structure(rules), values), objective)
