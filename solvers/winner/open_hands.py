"""Exact answers where all hands are open: two players always, three and four when their cards are known."""
from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Literal

from exactplay.cython_core.winner import Game
from exactplay.cython_core.winner_duel import Solver
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winner import Move, Rules, State
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.result import Bounds, Effort, Exact, Result, Value, Verdict
from exactplay.solvers.winner import codec

Objective = Literal["win", "score", "place"]
OBJECTIVES: tuple[Objective, ...] = ("win", "score", "place")
_Answer = tuple[tuple[int, ...], bool]  # a move's result, one number of the mover or one a seat; whether a tie decided it
_NO_LIMIT = 2**63
_LARGEST_HAND = 42  # the fast search counts points up to 127, three a card


class OutOfBudget(Exception):
    """A limit of nodes or time has ended a search."""


def check_objective(rules: Rules, players: int, objective: Objective) -> None:
    """Raise :class:`IllegalPosition` where an objective has no meaning under these rules."""
    if objective == "score" and rules.end != "first_out":
        raise IllegalPosition("objective score needs rule option end=first_out: points are counted when the Winner is out")
    if objective == "place" and rules.end != "loser" and players > 2:
        raise IllegalPosition("objective place needs rule option end=loser: the hand goes on to the last place")


def solve(
    state: State, *, objective: Objective = "win", moves: str = "best", limits: Limits | None = None,
    progress: Progress | None = None,
) -> Result[Move]:
    """The exact value of a position with open hands.

    With two players the value is seat 0's: 1 or -1 (`win`), points minus the other's (`score`). With `place`, and with
    three or four players, it is a vector, one number a seat (`win`: 1 for the Winner), found by max^n: each seat
    maximises its own number, and among moves equal for the mover the first in text order is taken.

    ``every_move=False`` looks only for the value, one best move and the line of play. ``nodes`` and ``seconds`` (CPU) end
    the search early; what is not proven by then is given as :class:`Bounds`. ``progress`` hears nodes and seconds.
    Raises :class:`IllegalPosition` for a hand that is over or an objective that the rules do not have.
    """
    limits = limits or Limits()
    every_move = moves != "value"
    nodes, seconds, table_mb = limits.nodes, limits.seconds, max(1, limits.table_bytes >> 20)
    check_objective(state.rules, state.players, objective)
    if state.to_move == OVER or (objective == "win" and state.out):
        raise IllegalPosition("the hand is over; there is nothing to solve")
    budget = _Budget(nodes, seconds, None)
    if _is_duel(state):
        return _solve_duel(state, objective, every_move, table_mb, budget)
    return _solve_generally(state, objective, table_mb, budget)


class _Budget:
    """Nodes and CPU seconds that a whole answer may cost."""

    def __init__(self, nodes: int | None, seconds: float | None, progress: Callable[[int, float], None] | None) -> None:
        self._nodes, self._seconds, self._progress = nodes, seconds, progress
        self._start = time.process_time()
        self.spent = 0

    @property
    def seconds(self) -> float:
        return time.process_time() - self._start

    @property
    def left(self) -> int:
        """Nodes that may still be spent; none when the time is over, which a kernel looks at only now and then."""
        if self._seconds is not None and self.seconds > self._seconds:
            return 0
        return _NO_LIMIT if self._nodes is None else max(0, self._nodes - self.spent)

    def is_over(self, nodes: int) -> bool:
        """What a kernel asks now and then."""
        if self._progress is not None:
            self._progress(self.spent + nodes, self.seconds)
        return self._seconds is not None and self.seconds > self._seconds


def _is_duel(state: State) -> bool:
    """Whether the fast search supports a position."""
    rules = state.rules
    holders = [hand for hand in state.hands if hand]
    # Of a game of three or four only the last two play a duel: before, a third hand may still come in. What a seat that is
    # out has played is no duel yet either: when both pass, the next seat after him leads, not the last to pass.
    owned = state.owner is None or bool(state.hands[state.owner])
    return (
        len(holders) == 2 and owned and rules.decks == 1 and rules.fours != "into_hand" and not rules.revolution
        and state.exchange is None and max(map(len, holders)) <= _LARGEST_HAND
    )


# --- two players -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Duel:
    """Questions to the fast search about the positions of one game. Values are those of the first holder, in `win` 1 or
    -1, in `score` what the loser loses, for the other negative."""

    solver: Solver
    seats: tuple[int, int]
    score: bool
    budget: _Budget

    def at_least(self, game: Game, threshold: int) -> bool:
        """Whether the first holder gets ``threshold`` or more; raises :class:`OutOfBudget`."""
        hands, turn, stack, _, played, out, *_ = game.fields()
        if game.to_move == OVER:
            winner = next(seat for seat in out if seat in self.seats)
            loss = abs(game.scores()[winner]) if self.score else 1
            return (loss if winner == self.seats[0] else -loss) >= threshold
        if self.budget.left == 0:
            raise OutOfBudget
        first, second = self.seats
        answer = self.solver.at_least(
            hands[first][0], hands[second][0], self.seats.index(turn), stack[-1][2:] if stack else None,
            (played >> first & 1) | (played >> second & 1) << 1, self.score, threshold, self.budget.left,
            self.budget.is_over,
        )
        self.budget.spent += self.solver.nodes
        if answer is None:
            raise OutOfBudget
        return answer

    def keeps(self, game: Game, value: int, maximises: bool) -> bool:
        """Whether the first holder (who ``maximises``) or the second has left himself no worse than ``value``."""
        return self.at_least(game, value if maximises else value + 1) == maximises

    def narrow(self, game: Game, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Ever closer bounds, the last ones equal."""
        while low < high:
            # Who wins comes first: it decides most of the tree. No hand is a draw, so 0 does not occur.
            middle = 1 if low < 1 <= high else (low + high + 1) // 2
            if self.at_least(game, middle):
                low = middle
            else:
                high = middle - 1 or -1
            yield low, high

    def ordered(self, game: Game) -> list[tuple[int, int, int]]:
        """The candidate moves of a position, promising ones first."""
        hands, turn, stack, *_ = game.fields()
        first, second = self.seats
        me, other = (first, second) if turn == first else (second, first)
        mine = hands[me][0]

        def promise(move: tuple[int, int]) -> tuple[int, int]:
            return 10 * self.solver.fewest_plays(mine & ~move[1], 0) - 12 * move[1].bit_count(), move[1]

        found = self.solver.candidates(mine, hands[other][0], stack[-1][2:] if stack else None)
        return [(action, cards, 0) for action, cards in sorted(found, key=promise)]


def _solve_duel(state: State, objective: Objective, every_move: bool, table_mb: int, budget: _Budget) -> Result[Move]:
    rules = state.rules
    solver = Solver(rules.fours == "own", rules.straight_suit_tiebreak, rules.bomb_variation, table_mb)
    first, second = (seat for seat, hand in enumerate(state.hands) if hand)
    duel = _Duel(solver, (first, second), objective == "score", budget)
    game = codec.game_of(state)
    worst, best = (-3 * len(state.hands[first]), 3 * len(state.hands[second])) if duel.score else (-1, 1)
    low, high = worst, best
    values: dict[Move, tuple[int, int]] = {}
    proven: list[Move] = []
    pv: tuple[Move, ...] = ()
    maximises = state.to_move == first
    try:
        for bounds in duel.narrow(game, worst, best):
            low, high = bounds
        moves = game.moves() if every_move else duel.ordered(game)
        for action, a, b in moves:
            move = codec.move_of(action, a, b)
            game.play(action, a, b)
            # Is it as good as the best? Only where every move counts is the rest of the way asked for.
            if duel.keeps(game, low, maximises):
                values[move] = low, low
                proven.append(move)
            else:
                values[move] = (worst, low - 1 or -1) if maximises else (low + 1 or 1, best)
                if every_move:
                    for bounds in duel.narrow(game, *values[move]):
                        values[move] = bounds
            game.undo()
            if proven and not every_move:
                break
        pv = _line(duel, codec.game_of(state), low, proven)
    except OutOfBudget:
        pass

    def verdict(bounds: tuple[int, int]) -> Verdict:
        return _duel_verdict(state, objective, (first, second), bounds)

    game = codec.game_of(state)
    unknown = (worst, high) if maximises else (low, best)
    if every_move:
        for words in game.moves():
            values.setdefault(codec.move_of(*words), unknown)
    # What was asked for is known: of every move, or one best move.
    settled = bool(proven) and not (every_move and any(bounds[0] != bounds[1] for bounds in values.values()))
    if not proven:
        # A guess, but no move that is proven to be worse than another.
        guesses = ((move, values.get(move, unknown)) for move in (codec.move_of(*words) for words in duel.ordered(game)))
        guess = next(move for move, (least, most) in guesses if least <= high and low <= most)
        proven = [guess]
        values.setdefault(guess, unknown)
    return Result(
        verdict=verdict((low, high)),
        moves={move: verdict(bounds) for move, bounds in sorted(values.items())},
        best=tuple(sorted(proven)),
        pv=pv,
        effort=Effort(budget.spent, budget.seconds, solver.fill),
        rules=rules.describe(),
        notes=_duel_notes(state, objective, low == high, settled),
    )


def _duel_verdict(state: State, objective: Objective, seats: tuple[int, int], bounds: tuple[int, int]) -> Verdict:
    """Bounds of the first holder's result in the units that are shown."""
    if objective == "score":
        # The Winner gets what the other loses, so their difference is twice that.
        bounds = 2 * bounds[0], 2 * bounds[1]
    if objective != "place":
        return Exact(bounds[0]) if bounds[0] == bounds[1] else Bounds(*bounds)
    if bounds[0] != bounds[1]:
        either = _places(state, seats[0]), _places(state, seats[1])
        return Bounds(tuple(map(min, *either)), tuple(map(max, *either)))
    return Exact(_places(state, seats[0] if bounds[0] > 0 else seats[1]))


def _places(state: State, next_out: int) -> tuple[int, ...]:
    order = [*state.out, next_out]
    return tuple(state.players - 1 - order.index(seat) if seat in order else 0 for seat in range(state.players))


def _duel_notes(state: State, objective: Objective, solved: bool, settled: bool) -> tuple[str, ...]:
    notes = []
    if objective != "place":
        points = "points of seat 0 minus those of seat 1" if objective == "score" else "1 if seat 0 wins, -1 if seat 1 wins"
        notes.append(f"Values are {points}; seat {state.to_move} is to move.")
    if not solved:
        notes.append("A limit ended the search: bounds are proven, the best move is a guess.")
    elif not settled:
        notes.append(
            "A limit ended the search: the value is proven. A move with bounds may be as good as the best; a best move "
            "with bounds is a guess."
        )
    return tuple(notes)


def _line(duel: _Duel, game: Game, value: int, first: list[Move]) -> tuple[Move, ...]:
    """A line of play in which every move keeps the value; it ends early where the budget does."""
    line = [first[0]]
    game.play(*codec.move_words(first[0]))
    try:
        while game.to_move != OVER:
            maximises = game.to_move == duel.seats[0]
            chosen = next(move for move in duel.ordered(game) if _keeps(duel, game, move, value, maximises))
            game.play(*chosen)
            line.append(codec.move_of(*chosen))
    except OutOfBudget:
        pass
    return tuple(line)


def _keeps(duel: _Duel, game: Game, move: tuple[int, int, int], value: int, maximises: bool) -> bool:
    game.play(*move)
    try:
        return duel.keeps(game, value, maximises)
    finally:
        game.undo()


# --- every option, any number of hands -------------------------------------------------------------------------------


def _search(game: Game, objective: Objective, table_mb: int, budget: _Budget) -> tuple[list[_Answer | None], float]:
    """What the core answers for each move, and how full its table is."""
    found, spent, fill = game.solve(OBJECTIVES.index(objective), budget.left, table_mb, budget.is_over)
    budget.spent += spent
    return found, fill


def _solve_generally(state: State, objective: Objective, table_mb: int, budget: _Budget) -> Result[Move]:
    game = codec.game_of(state)
    mover = state.to_move
    two = sum(bool(hand) for hand in state.hands) == 2
    found, fill = _search(game, objective, table_mb, budget)
    moves = [codec.move_of(*move) for move in game.moves()]
    known: dict[Move, Value] = {}
    own: dict[Move, int] = {}
    for move, answer in zip(moves, found, strict=True):
        if answer is not None:
            vector, _ = answer
            own[move] = vector[0] if two else vector[mover]
            known[move] = _general_value(state, objective, vector[0]) if two else vector
    solved = len(known) == len(moves)
    top = max(own.values(), default=0)
    if solved or (own if objective == "score" else top > 0):
        best = tuple(move for move in moves if own.get(move) == top)
    else:
        # A guess, but no move that is known to lose: the others can be no worse.
        best = (next(move for move in moves if move not in own),)
    unknown: Verdict = Bounds(None, None)
    verdict = Exact(known[best[0]]) if solved else _general_bounds(objective, mover, top) if own and two else unknown
    if two:
        notes = list(_duel_notes(state, objective, isinstance(verdict, Exact), solved))
    else:
        notes = [f"Values are one number a seat (max^n); seat {mover} is to move."]
        # The first best move may be proven alone; the vector of the position rests on all moves.
        tied = any(answer[1] for answer in found if answer is not None) or len({known[m] for m in best if m in known}) > 1
        notes.append(
            "The vector rests on the rule that among moves equal for the mover the first in text order is taken."
            if tied else "No tie between different vectors was met: the vector does not rest on how ties are broken."
        )
        if not solved:
            notes.append("A limit ended the search: what it did not reach is unknown.")
    return Result(
        verdict=verdict,
        moves={move: Exact(known[move]) if move in known else unknown for move in moves},
        best=best,
        pv=_general_line(state, objective, best[0], table_mb, budget) if solved else (),
        effort=Effort(budget.spent, budget.seconds, fill),
        rules=state.rules.describe(),
        notes=tuple(notes),
    )


def _general_value(state: State, objective: Objective, own: int) -> Value:
    """A result of the seat to move, where two hold cards, in the units that are shown."""
    if objective == "place":
        seats = [seat for seat, hand in enumerate(state.hands) if hand]
        other = next(seat for seat in seats if seat != state.to_move)
        return _places(state, state.to_move if own > 0 else other)
    return own if state.to_move == 0 else -own


def _general_bounds(objective: Objective, mover: int, top: int) -> Verdict:
    """What the best of some moves proves where two hold cards: ``top`` is the mover's own result of it."""
    if objective == "place":
        return Bounds(None, None)
    low, high = (-1, 1) if objective == "win" else (None, None)
    if mover == 0:
        low = top
    else:
        high = -top
    return Exact(low) if low is not None and low == high else Bounds(low, high)


def _general_line(
    state: State, objective: Objective, move: Move, table_mb: int, budget: _Budget
) -> tuple[Move, ...]:
    """The line of first best moves."""
    line = [move]
    state = state.play(move)
    while state.to_move != OVER and not (objective == "win" and state.out):
        game = codec.game_of(state)
        found, _ = _search(game, objective, table_mb, budget)
        if any(answer is None for answer in found):
            break
        two = sum(bool(hand) for hand in state.hands) == 2
        own = [answer[0][0] if two else answer[0][state.to_move] for answer in found if answer is not None]
        move = codec.move_of(*game.moves()[own.index(max(own))])
        line.append(move)
        state = state.play(move)
    return tuple(line)
