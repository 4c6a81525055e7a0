"""Exact play with every card known: two players by search, more by max^n."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from exactplay.cython_core.winston_dogs_maxn import MaxN
from exactplay.cython_core.winston_dogs_search import Searcher
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import Move, State
from exactplay.solvers.result import Bounds, Effort, Exact, Result, Verdict
from exactplay.solvers.winston_dogs.core import from_move, to_game

TABLE_BYTES: Final = 1 << 28
NO_LIMIT: Final = 1 << 62
#: depths of the searches by a rule of thumb that find a first guess (measured: a tenth fewer nodes than without)
_GUESS_DEPTHS: Final = (2, 4)
_GRACE: Final = 20_000  # nodes

MAXN_NOTE: Final = (
    "Every player is taken to maximise his own score alone; of moves equal for him the first in text order is taken, "
    "and the scores of the others often rest on that."
)
EVERY_MOVE_NOTE: Final = "Max^n has to value every move, so it does for more than two players whatever was asked."
LIMIT_NOTE: Final = "The limit was reached before the end of the search; best is only the move that looked best."

Progress = Callable[[int], None]


class Clock:
    """Ends a search when its CPU time or its nodes are spent, and passes on its progress."""

    def __init__(self, nodes: int | None, seconds: float | None, progress: Progress | None) -> None:
        self.start = time.process_time()
        self._nodes = NO_LIMIT if nodes is None else min(nodes, NO_LIMIT)
        self._seconds, self._progress = seconds, progress

    @property
    def spent(self) -> float:
        """CPU seconds so far."""
        return time.process_time() - self.start

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self._seconds is not None and self.spent > self._seconds

    def look(self, nodes: int) -> bool:
        """Called by the core with its nodes; true ends the search."""
        if self._progress is not None:
            self._progress(nodes)
        return self.over

    def left(self, nodes: int) -> int:
        """The nodes that may still be visited; none when the time is over."""
        return 0 if self.over else max(0, self._nodes - nodes)


def solve(
    state: State,
    *,
    every_move: bool = True,
    nodes: int | None = None,
    seconds: float | None = None,
    table_bytes: int = TABLE_BYTES,
    progress: Progress | None = None,
) -> Result[Move]:
    """The value of a position whose cards are all known, points already held included.

    Two players: the final score of seat 0 less that of seat 1 under best play, whoever is on turn. More: the final score
    of each seat under max^n. Every legal move has its value; with ``every_move=False`` (two players) the moves below
    the best get only the bound that proves them to be below. ``table_bytes`` bounds the table. ``nodes`` and ``seconds``
    (of CPU time) are limits: where one ends the search, the verdicts that it left open are :class:`Bounds`.
    ``progress`` hears the nodes visited.
    Raises :class:`IllegalPosition`, and :class:`ValueError` where there is no memory for the table.
    """
    state.check()
    if state.to_move == OVER:
        scores = state.scores()
        return Result(Exact(scores[0] - scores[1] if len(scores) == 2 else scores))
    clock = Clock(nodes, seconds, progress)
    table_bytes = min(table_bytes, enough_bytes(state))
    try:
        if len(state.hands) == 2:
            return _solve_two(state, every_move, table_bytes, clock)
        return _solve_more(state, every_move, table_bytes, clock)
    except MemoryError:
        raise ValueError(f"there is no memory for a table of {table_bytes / 2**20:g} MiB; allow it less") from None


def enough_bytes(state: State) -> int:
    """A table that a search of these cards hardly fills: a large one costs time to clear (measured: half a bit a card).

    Max^n prunes nothing and visits more: a bit a card.
    """
    cards = len(state.pile) + sum(map(len, state.hands))
    return 1 << (10 + cards // 2 if len(state.hands) == 2 else 12 + cards)


def first_guess(searcher: Searcher) -> int:
    """A value that is near, by shallow searches."""
    guess = 0
    for depth in _GUESS_DEPTHS:
        guess = searcher.value((), guess, depth)[0]
    return guess


def _solve_two(state: State, every_move: bool, table_bytes: int, clock: Clock) -> Result[Move]:
    searcher = Searcher(to_game(state), table_bytes, clock.look)
    moves = state.legal_moves()
    guess = first_guess(searcher)
    low, high = searcher.value((), guess, nodes=clock.left(searcher.nodes))
    if low != high:
        verdicts: dict[Move, Verdict] = {move: Bounds(None, None) for move in moves}
        shallow = {move: searcher.value([from_move(move)], guess, _GUESS_DEPTHS[-1])[0] for move in moves}
        best = (max if state.turn == 0 else min)(moves, key=shallow.__getitem__)
        return Result(
            _bounds(low, high), verdicts, (best,), effort=_effort(searcher, clock), notes=(LIMIT_NOTE,)
        )
    verdicts = {}
    for move in moves:
        path = [from_move(move)]
        # Even when the time is over the table still knows the move that proved the value.
        nodes = max(clock.left(searcher.nodes), _GRACE)
        if every_move:
            verdicts[move] = _bounds(*searcher.value(path, low, nodes=nodes))
            continue
        # Seat 0 looks for moves that reach the value, seat 1 for moves that keep it from being exceeded.
        reached = searcher.reaches(low + state.turn, path, nodes)
        if reached is None:
            verdicts[move] = Bounds(None, None)
        elif reached == (state.turn == 0):
            verdicts[move] = Exact(low)
        else:
            verdicts[move] = Bounds(None, low - 1) if state.turn == 0 else Bounds(low + 1, None)
    best_moves = tuple(move for move, verdict in verdicts.items() if verdict == Exact(low))
    undecided = any(isinstance(verdict, Bounds) and verdict.low is verdict.high is None for verdict in verdicts.values())
    return Result(
        Exact(low), verdicts, best_moves, _line(searcher, state, low, clock), _effort(searcher, clock),
        notes=("The limit was reached before every move was valued; the value itself is exact.",) if undecided else (),
    )


def _bounds(low: int, high: int) -> Verdict:
    """Exact where the bounds meet; a bound beyond any score proves nothing."""
    if low == high:
        return Exact(low)
    return Bounds(low if low > -500 else None, high if high < 500 else None)


def _line(searcher: Searcher, state: State, value: int, clock: Clock) -> tuple[Move, ...]:
    """Best play of both to the end: at every step the first move, in text order, that keeps the value."""
    line: list[Move] = []
    path: list[int] = []
    while state.to_move != OVER:
        for move in state.legal_moves():
            step = [*path, from_move(move)]
            reached = searcher.reaches(value + state.turn, step, clock.left(searcher.nodes))
            if reached is None:
                return tuple(line)
            if reached == (state.turn == 0):
                line.append(move)
                path, state = step, state.play(move)
                break
        else:
            raise AssertionError(f"no move keeps the value {value} in {state}")
    return tuple(line)


def _solve_more(state: State, every_move: bool, table_bytes: int, clock: Clock) -> Result[Move]:
    search = MaxN(to_game(state), table_bytes, clock.look)
    moves = state.legal_moves()
    vectors = {move: search.vector([from_move(move)], nodes=clock.left(search.nodes)) for move in moves}
    verdicts: dict[Move, Verdict] = {
        move: Bounds(None, None) if vector is None else Exact(vector) for move, vector in vectors.items()
    }
    solved = {move: vector for move, vector in vectors.items() if vector is not None}
    notes = (MAXN_NOTE,) if every_move else (MAXN_NOTE, EVERY_MOVE_NOTE)
    if len(solved) < len(moves):
        shallow = {move: search.vector([from_move(move)], _GUESS_DEPTHS[0]) for move in moves}
        best = max(moves, key=lambda move: (shallow[move] or state.points)[state.turn])
        return Result(Bounds(None, None), verdicts, (best,), effort=_effort(search, clock), notes=(LIMIT_NOTE, *notes))
    top = max(vector[state.turn] for vector in solved.values())
    best_moves = tuple(move for move, vector in solved.items() if vector[state.turn] == top)
    return Result(
        Exact(solved[best_moves[0]]), verdicts, best_moves, _line_of_more(search, state, best_moves[0], clock),
        _effort(search, clock), notes=notes,
    )


def _line_of_more(search: MaxN, state: State, first: Move, clock: Clock) -> tuple[Move, ...]:
    line, path = [first], [from_move(first)]
    state = state.play(first)
    while state.to_move != OVER:
        own: dict[Move, int] = {}
        for move in state.legal_moves():
            vector = search.vector([*path, from_move(move)], nodes=clock.left(search.nodes))
            if vector is None:
                return tuple(line)
            own[move] = vector[state.turn]
        best = max(own, key=own.__getitem__)
        line.append(best)
        path.append(from_move(best))
        state = state.play(best)
    return tuple(line)


def _effort(search: Searcher | MaxN, clock: Clock) -> Effort:
    return Effort(search.nodes, clock.spent, search.fill)
