"""Every position of a round of Winston 1984, walked once through the reference rules, and backward induction over them."""
from __future__ import annotations

import itertools
from array import array

import numpy as np
import numpy.typing as npt

from exactplay.certificates.format import Progress
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import Die, Round

Floats = npt.NDArray[np.float64]

_DECISION, _ROLL = -1, -2
_TELL_EVERY = 20_000  # positions


class RoundGraph:
    """The positions that the reference reaches from given rounds, each visited once.

    ``kind`` is the result of a finished round, else -1 where the player decides and -2 where dice are rolled; ``level``
    the longest way to the end. 1.7 million positions under the default rules, all rolls and all losses of a die taken
    together.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self.index: dict[tuple[tuple[Die, ...], bool], int] = {}
        self.kind = array("b")
        self.level = array("b")
        self.start = array("q", [0])
        self.successors = array("i")

    def visit(self, round: Round) -> int:
        """The index of a position, after all that can follow it."""
        key = (round.dice.six, round.must_give_up)
        known = self.index.get(key)
        if known is not None:
            return known
        to_move = round.to_move
        if to_move == OVER:
            kind, successors = round.result, []
        elif to_move == CHANCE:
            kind, successors = _ROLL, [self.visit(round.play(roll)) for roll, _ in round.chance_outcomes()]
        else:
            kind, successors = _DECISION, [self.visit(round.play(decision)) for decision in round.legal_moves()]
        position = len(self.kind)
        self.index[key] = position
        self.kind.append(kind)
        self.level.append(1 + max((self.level[i] for i in successors), default=-1))
        self.successors.extend(successors)
        self.start.append(len(self.successors))
        if self._progress is not None and position % _TELL_EVERY == 0:
            self._progress(f"{position:,} positions of a round walked")
        return position

    def values(self, utilities: Floats) -> Floats:
        """The value of every position, float64[n, k], for utilities of the results, float64[37, k]."""
        schedule = Schedule(self)
        return schedule.values(utilities)[schedule.place]


class Schedule:
    """Backward induction over a :class:`RoundGraph` as it stands: levels one after another, each at once."""

    def __init__(self, graph: RoundGraph) -> None:
        kind, level = np.array(graph.kind), np.array(graph.level)
        start, successors = np.array(graph.start), np.array(graph.successors, np.int64)
        # Positions that are evaluated together stand together: by level, decisions after rolls.
        order = np.lexsort((kind, level))
        #: where each position of the graph stands here
        self.place = np.empty(len(order), np.int64)
        self.place[order] = np.arange(len(order))
        ends = int((level == 0).sum())
        self._results = kind[order[:ends]].astype(np.int64)
        self._size = len(order)
        self._steps = []
        edges = np.flatnonzero(np.diff(level[order]) | np.diff(kind[order]) * (level[order][1:] > 0)) + 1
        bounds = [ends, *(edge for edge in edges.tolist() if edge > ends), len(order)]
        for begin, end in itertools.pairwise(bounds):
            here = order[begin:end]
            counts = start[here + 1] - start[here]
            first = np.cumsum(counts) - counts
            flat = np.repeat(start[here] - first, counts) + np.arange(counts.sum())
            self._steps.append((begin, end, kind[here[0]] == _ROLL, first, counts, self.place[successors[flat]]))

    def values(self, utilities: Floats) -> Floats:
        """The value of every position in this order, float64[n, k], for utilities of the results, float64[37, k]."""
        value = np.empty((self._size, utilities.shape[1]))
        value[: len(self._results)] = utilities[self._results]
        for begin, end, rolls, first, counts, after in self._steps:
            combine = np.add if rolls else np.maximum
            combined = combine.reduceat(value[after], first, axis=0)
            value[begin:end] = combined / counts[:, None] if rolls else combined
        return value

    def results(self, positions: list[int]) -> list[tuple[int, ...]]:
        """The results that can come about from each of some positions of the graph."""
        masks = np.empty(self._size, np.int64)
        masks[: len(self._results)] = 1 << self._results
        for begin, end, _, first, _, after in self._steps:
            masks[begin:end] = np.bitwise_or.reduceat(masks[after], first)
        return [tuple(r for r in range(37) if int(masks[self.place[position]]) >> r & 1) for position in positions]
