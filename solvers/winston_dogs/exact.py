"""Exact play with every card known: two players by search, more by max^n."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from exactplay.common.words import named
from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.rules.contract import OVER, BadOption
from exactplay.rules.winston_dogs import Move, State
from exactplay.solvers.limits import Budget, Limits, Progress
from exactplay.solvers.result import Bounds, Effort, Exact, Moves, Result, Verdict
from exactplay.solvers.winston_dogs.bridge import from_move, to_position

Objective = Literal["score"]
OBJECTIVES: Final[tuple[Objective, ...]] = get_args(Objective)

#: depths of the searches by a rule of thumb that find a first guess (measured: a tenth fewer nodes than without)
_GUESS_DEPTHS: Final = (2, 4)
_GRACE: Final = 20_000  # nodes
_LEAST_BYTES: Final = 1 << 20
_BYTES_A_SECOND: Final = 1 << 28  # of a table, more than a search fills
_MOST: Final = 500  # no score reaches it

MAXN_NOTE: Final = (
    "Every player is taken to maximise his own score alone; of moves equal for him the first in text order is taken, "
    "and the scores of the others often rest on that."
)
LIMIT_NOTE: Final = "The limit was reached before the end of the search; best is only the move that looked best."
OPEN_NOTE: Final = "The limit was reached before every move was valued; the value itself is exact."


def solve(
    state: State,
    *,
    objective: Objective = "score",
    moves: Moves = "best",
    limits: Limits = Limits(),  # noqa: B008  # a frozen value
    progress: Progress | None = None,
) -> Result[Move]:
    """The value of a position whose cards are all known, points already held included.

    Two players: the final score of seat 0 less that of seat 1 under best play, whoever is on turn. More: the final score
    of each seat under max^n, which values every move whatever is asked. Where a limit ends the search, the verdicts that
    it left open are :class:`Bounds`. Raises :class:`IllegalPosition`, and :class:`BadOption` also where there is no memory
    for the table.
    """
    named(objective, Objective, "objective")
    named(moves, Moves, "moves")
    state.check()
    budget = Budget(limits, progress)
    two = state.players == 2
    if state.to_move == OVER:
        scores = state.scores()
        return _result(state, budget, None, Exact(scores[0] - scores[1] if two else scores), notes=("The game is over.",))
    table_bytes = min(limits.table_bytes, enough_bytes(state, limits))
    try:
        search = (AlphaBeta if two else MaxN)(to_position(state), table_bytes, budget.poll)
    except MemoryError:
        raise BadOption(f"there is no memory for a table of {table_bytes / 2**20:g} MiB; allow it less") from None
    if isinstance(search, AlphaBeta):
        return _solve_two(state, moves, search, budget)
    return _solve_more(state, search, budget)


def enough_bytes(state: State, limits: Limits) -> int:
    """A table that a search of these cards hardly fills in its time: a large one costs time to clear.

    Measured: half a bit a card; max^n prunes nothing and visits more: a bit a card.
    """
    cards = len(state.pile) + sum(map(len, state.hands))
    enough = 1 << (10 + cards // 2 if state.players == 2 else 12 + cards)
    times = [seconds for seconds in (limits.seconds, limits.cpu_seconds) if seconds is not None]
    return min(enough, _LEAST_BYTES + int(min(times) * _BYTES_A_SECOND)) if times else enough


def nodes_left(search: AlphaBeta | MaxN, budget: Budget) -> int:
    """The nodes that a search may still visit; none when the time is over."""
    return 0 if budget.struck else max(0, budget.nodes_left - search.nodes)


def first_guess(search: AlphaBeta) -> int:
    """A value that is near, by shallow searches."""
    guess = 0
    for depth in _GUESS_DEPTHS:
        guess = search.value((), guess, depth)[0]
    return guess


def _solve_two(state: State, asked: Moves, search: AlphaBeta, budget: Budget) -> Result[Move]:
    moves = state.legal_moves()
    guess = first_guess(search)
    low, high = search.value((), guess, nodes=nodes_left(search, budget))
    if low != high:
        shallow = {move: search.value([from_move(move)], guess, _GUESS_DEPTHS[-1])[0] for move in moves}
        best = (max if state.turn == 0 else min)(moves, key=shallow.__getitem__)
        unknown: dict[Move, Verdict] = dict.fromkeys(moves, Bounds(None, None))
        return _result(state, budget, search, _bounds(low, high), unknown, (best,), notes=(LIMIT_NOTE,))
    verdicts: dict[Move, Verdict] = {}
    for move in moves:
        # Even when the time is over the table still knows the move that proved the value.
        nodes = max(nodes_left(search, budget), _GRACE)
        if asked == "all":
            verdicts[move] = _bounds(*search.value([from_move(move)], low, nodes=nodes))
        elif asked == "value" and Exact(low) in verdicts.values():
            verdicts[move] = Bounds(None, None)
        else:
            verdicts[move] = _compared(search, state, [from_move(move)], low, nodes)
    best_moves = tuple(move for move, verdict in verdicts.items() if verdict == Exact(low))
    undecided = Bounds(None, None) in verdicts.values() and asked != "value"
    return _result(
        state, budget, search, Exact(low), verdicts, best_moves, _line(search, state, low, budget),
        notes=(OPEN_NOTE,) if undecided else (),
    )


def _compared(search: AlphaBeta, state: State, path: Sequence[int], value: int, nodes: int) -> Verdict:
    """Whether a move keeps the value of its position, or the bound that proves that it does not."""
    # Seat 0 looks for moves that reach the value, seat 1 for moves that keep it from being exceeded.
    reached = search.reaches(value + state.turn, path, nodes)
    if reached is None:
        return Bounds(None, None)
    if reached == (state.turn == 0):
        return Exact(value)
    return Bounds(None, value - 1) if state.turn == 0 else Bounds(value + 1, None)


def _bounds(low: int, high: int) -> Verdict:
    """Exact where the bounds meet; a bound beyond any score proves nothing."""
    if low == high:
        return Exact(low)
    return Bounds(low if low > -_MOST else None, high if high < _MOST else None)


def _line(search: AlphaBeta, state: State, value: int, budget: Budget) -> tuple[Move, ...]:
    """Best play of both to the end: at every step the first move, in text order, that keeps the value."""
    line: list[Move] = []
    path: list[int] = []
    while state.to_move != OVER:
        for move in state.legal_moves():
            step = [*path, from_move(move)]
            verdict = _compared(search, state, step, value, nodes_left(search, budget))
            if verdict == Bounds(None, None):
                return tuple(line)
            if verdict == Exact(value):
                line.append(move)
                path, state = step, state.play(move)
                break
        else:
            raise AssertionError(f"no move keeps the value {value} in {state}")
    return tuple(line)


def _solve_more(state: State, search: MaxN, budget: Budget) -> Result[Move]:
    moves = state.legal_moves()
    vectors = {move: search.vector([from_move(move)], nodes=nodes_left(search, budget)) for move in moves}
    verdicts: dict[Move, Verdict] = {
        move: Bounds(None, None) if vector is None else Exact(vector) for move, vector in vectors.items()
    }
    solved = {move: vector for move, vector in vectors.items() if vector is not None}
    if len(solved) < len(moves):
        shallow = {move: search.vector([from_move(move)], _GUESS_DEPTHS[0]) for move in moves}
        best = max(moves, key=lambda move: (shallow[move] or state.points)[state.turn])
        return _result(state, budget, search, Bounds(None, None), verdicts, (best,), notes=(LIMIT_NOTE, MAXN_NOTE))
    top = max(vector[state.turn] for vector in solved.values())
    best_moves = tuple(move for move, vector in solved.items() if vector[state.turn] == top)
    line = _line_of_more(search, state, best_moves[0], budget)
    return _result(state, budget, search, Exact(solved[best_moves[0]]), verdicts, best_moves, line, notes=(MAXN_NOTE,))


def _line_of_more(search: MaxN, state: State, first: Move, budget: Budget) -> tuple[Move, ...]:
    line, path = [first], [from_move(first)]
    state = state.play(first)
    while state.to_move != OVER:
        own: dict[Move, int] = {}
        for move in state.legal_moves():
            vector = search.vector([*path, from_move(move)], nodes=nodes_left(search, budget))
            if vector is None:
                return tuple(line)
            own[move] = vector[state.turn]
        best = max(own, key=own.__getitem__)
        line.append(best)
        path.append(from_move(best))
        state = state.play(best)
    return tuple(line)


def _result(
    state: State, budget: Budget, search: AlphaBeta | MaxN | None, verdict: Verdict,
    moves: dict[Move, Verdict] | None = None, best: tuple[Move, ...] = (), pv: tuple[Move, ...] = (),
    *, notes: tuple[str, ...] = (),
) -> Result[Move]:
    """An answer, and whose: of two players seat 0's, of more a number a seat."""
    return Result(
        verdict, moves or {}, best, pv, notes=notes,
        effort=Effort() if search is None else Effort(search.nodes, budget.cpu_seconds, search.fill),
        viewpoint=0 if state.players == 2 else None, mover=state.turn, players=state.players,
    )
