"""Exact answers where all hands are open: two players always, three and four when their cards are known."""
from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Literal, get_args

from exactplay.common.words import named
from exactplay.cython_core.winner.maxn import MaxN
from exactplay.cython_core.winner.position import Position, TooManyMoves
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.rules.contract import OVER, BadText, IllegalPosition
from exactplay.rules.winner import Move, Rules, State
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Bounds, Effort, Exact, Moves, Result, Value, Verdict
from exactplay.solvers.winner import bridge
from exactplay.solvers.winner.plays import count_plays

Objective = Literal["win", "score", "place"]
OBJECTIVES: Final[tuple[Objective, ...]] = get_args(Objective)

MOST_MOVES: Final = 100_000  # a position with more is not listed move by move
_LARGEST_HAND: Final = 42  # the fast search counts points up to 127, three a card
_Words = tuple[int, int, int]  # a move as the core has it
_Answer = tuple[tuple[int, ...], bool]  # a move's result, one number of the mover or one a seat; whether a tie decided it


def check_objective(rules: Rules, players: int, objective: Objective) -> None:
    """Refuse an objective that does not exist (:class:`BadOption`) or has no meaning under these rules."""
    named(objective, Objective, "objective")
    if objective == "score" and rules.end != "first_out":
        raise IllegalPosition("objective score needs rule option end=first_out: points are counted when the Winner is out")
    if objective == "place" and rules.end != "loser" and players > 2:
        raise IllegalPosition("objective place needs rule option end=loser: the hand goes on to the last place")


def solve(
    state: State, *, objective: Objective = "win", moves: Moves = "best", limits: Limits | None = None,
    progress: Progress | None = None,
) -> Result[Move]:
    """The exact value of a position with open hands.

    With two players the value is seat 0's: 1 or -1 (`win`), points minus the other's (`score`). With `place`, and with
    three or four players, it is a vector, one number a seat (`win`: 1 for the Winner), found by max^n: each seat
    maximises its own number, and among moves equal for the mover the first in text order is taken.

    The value and one best move come first. What the limits leave open is given as :class:`Bounds`. Raises
    :class:`BadOption`, and :class:`IllegalPosition` for an objective that the rules do not have.
    """
    if not isinstance(state, State):
        raise BadText("this position has hidden cards; to solve it every card must be known (advise weighs hidden ones)")
    check_objective(state.rules, state.players, objective)
    named(moves, Moves, "moves")
    budget = Budget(limits or Limits(), progress)
    question = _Question(state, objective, moves, budget)
    if is_settled(state, objective):
        return _settled(question)
    position = bridge.position_of(state)
    duel = _is_duel(state)
    try:
        listed = [] if duel and moves == "value" else position.moves(MOST_MOVES)
    except TooManyMoves:
        listed = []
    if duel:
        return _solve_duel(question, position, listed)
    return _solve_generally(question, position, listed) if listed else _crowded(question, position)


def is_settled(state: State, objective: Objective) -> bool:
    """Whether nothing is played for any more."""
    return state.to_move == OVER or (objective == "win" and bool(state.out))


@dataclasses.dataclass(frozen=True)
class _Question:
    state: State
    objective: Objective
    moves: Moves
    budget: Budget

    @property
    def is_vector(self) -> bool:
        """Whether values are one number a seat."""
        return self.objective == "place" or self.state.players > 2

    def result(
        self, verdict: Verdict, moves: dict[Move, Verdict], best: Iterable[Move], *, pv: tuple[Move, ...] = (),
        fill: float | None = None, notes: Iterable[str] = (),
    ) -> Result[Move]:
        state, budget = self.state, self.budget
        return Result(
            verdict=verdict, moves=moves, best=tuple(best), pv=pv, effort=Effort(budget.spent, budget.cpu_seconds, fill),
            rules=state.rules.describe(), notes=tuple(notes), viewpoint=None if self.is_vector else 0,
            mover=state.turn if state.to_move == OVER else state.to_move, players=state.players,
        )


def meaning(players: int, objective: Objective, seat: int) -> str:
    """What values mean that are a seat's; a note, for who sees an answer without the question."""
    if objective == "place":
        return f"Values are seat {seat}'s: its place, 0 for the Loser."
    if players > 2:
        return f"Values are seat {seat}'s: " + ("its points." if objective == "score" else "1 if it is first out.")
    if objective == "score":
        return f"Values are points of seat {seat} minus those of seat {1 - seat}."
    return f"Values are 1 if seat {seat} wins, -1 if seat {1 - seat} wins."


def _settled(question: _Question) -> Result[Move]:
    state = question.state
    winner = state.out[0]
    value: Value
    if question.objective == "win":
        value = tuple(int(seat == winner) for seat in range(state.players)) if question.is_vector else 1 - 2 * winner
    elif question.objective == "score":
        points = state.scores()
        value = points if question.is_vector else points[0] - points[1]
    else:
        value = _places(state, winner) if state.rules.end == "first_out" else state.scores()
    if state.to_move == OVER:
        return question.result(Exact(value), {}, (), notes=["The game is over."])
    moves = [next(state.iter_legal_moves())] if question.moves == "value" else state.legal_moves()
    notes = ["Who wins is settled; any move will do."]
    return question.result(Exact(value), {move: Exact(value) for move in moves}, moves, notes=notes)


def _crowded(question: _Question, position: Position) -> Result[Move]:
    """A position whose moves are not even listed: a guess, by how few plays a move leaves."""
    guess = promising(question.state, position, 1)[0]
    notes = [f"There are more than {MOST_MOVES:,} legal moves, which are not searched: the move is a guess."]
    return question.result(Bounds(None, None), {guess: Bounds(None, None)}, [guess], notes=notes)


def promising(state: State, position: Position, number: int) -> list[Move]:
    """Of a position with too many moves so many that leave few plays, rows that differ in suits alone once."""
    try:
        found = [bridge.move_of(*words) for words in position.moves(MOST_MOVES, one_a_shape=True)]
    except TooManyMoves:
        return list(itertools.islice(state.iter_legal_moves(), number))
    hand = Counter(state.hands[state.to_move])
    # To count the plays of more cards than a deal gives from one deck takes long.
    counted = hand.total() <= 27

    def promise(move: Move) -> tuple[int, Move]:
        left = 10 * count_plays(tuple((hand - Counter(move.cards)).elements())) if counted else 0
        return left - 12 * len(move.cards), move

    return sorted(found, key=promise)[:number]


# --- two players -----------------------------------------------------------------------------------------------------


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


def _table_for(state: State) -> int:
    """Bytes of a table that few questions about these hands would fill; a large one costs time to clear."""
    cards = sum(map(len, state.hands))
    return 1 << (20 + max(0, cards - 16) // 2)


@dataclasses.dataclass
class _Duel:
    """Questions to the fast search about the positions of one game. Values are those of the first holder, in `win` 1 or
    -1, in `score` what the loser loses, for the other negative."""

    search: ProofSearch
    first: int
    budget: Budget

    def at_least(self, position: Position, threshold: int) -> bool:
        """Whether the first holder gets ``threshold`` or more; raises :class:`OutOfBudget`."""
        self.budget.check()
        answer = self.search.at_least(position, threshold, self.budget.nodes_left, self.budget.poll)
        self.budget.spend(self.search.nodes)
        if answer is None:
            raise OutOfBudget(self.budget.struck or "nodes")
        return answer

    def keeps(self, position: Position, move: _Words, value: int) -> bool:
        """Whether a move leaves its mover no worse than ``value``."""
        maximises = position.to_move == self.first
        return self.at_least(position.play(*move), value if maximises else value + 1) == maximises

    def narrow(self, position: Position, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Ever closer bounds, the last ones equal."""
        while low < high:
            # Who wins comes first: it decides most of the tree. No hand is a draw, so 0 does not occur.
            middle = 1 if low < 1 <= high else (low + high + 1) // 2
            if self.at_least(position, middle):
                low = middle
            else:
                high = middle - 1 or -1
            yield low, high

    def line(self, position: Position, move: _Words, value: int) -> Iterator[_Words]:
        """Moves that keep the value; it ends early where the budget does."""
        yield move
        position = position.play(*move)
        while position.to_move != OVER:
            try:
                move = next(words for words in self.search.candidates(position) if self.keeps(position, words, value))
            except OutOfBudget:
                return
            yield move
            position = position.play(*move)


def _solve_duel(question: _Question, position: Position, listed: list[_Words]) -> Result[Move]:
    state, objective, budget = question.state, question.objective, question.budget
    first, second = (seat for seat, hand in enumerate(state.hands) if hand)
    score = objective == "score"
    duel = _Duel(ProofSearch(position, score, min(budget.limits.table_bytes, _table_for(state))), first, budget)
    worst, best = (-3 * len(state.hands[first]), 3 * len(state.hands[second])) if score else (-1, 1)
    low, high = worst, best
    values: dict[_Words, tuple[int, int]] = {}
    proven: list[_Words] = []
    pv: tuple[_Words, ...] = ()
    maximises = state.to_move == first
    ordered = duel.search.candidates(position)
    shown = listed or ordered
    try:
        for bounds in duel.narrow(position, worst, best):
            low, high = bounds
        worse = (worst, low - 1 or -1) if maximises else (low + 1 or 1, best)
        for move in ordered:
            if duel.keeps(position, move, low):
                values[move] = low, low
                proven.append(move)
                break
            values[move] = worse
        pv = tuple(duel.line(position, proven[0], low))
        for move in () if question.moves == "value" else shown:
            if move not in values:
                values[move] = (low, low) if duel.keeps(position, move, low) else worse
                if values[move] == (low, low):
                    proven.append(move)
            # Only where every move counts is the rest of the way asked for.
            if question.moves == "all" and values[move] == worse:
                for bounds in duel.narrow(position.play(*move), *worse):
                    values[move] = bounds
    except OutOfBudget:
        pass
    unknown = (worst, high) if maximises else (low, best)
    asked = [] if question.moves == "value" else shown
    settled = bool(proven) and (question.moves == "value" or all(move in values for move in shown)) and not (
        question.moves == "all" and any(least != most for least, most in values.values())
    )
    if not proven:
        # A guess, but no move that is proven to be worse than another.
        proven = [next(move for move in ordered if move not in values)]
    for move in (*asked, *proven) if not settled else ():
        values.setdefault(move, unknown)

    def verdict(bounds: tuple[int, int]) -> Verdict:
        return _duel_verdict(state, objective, (first, second), bounds)

    notes = [] if question.is_vector else [meaning(2, objective, 0)]
    if low != high:
        notes.append("A limit ended the search: bounds are proven, the best move is a guess.")
    elif not settled:
        notes.append(
            "A limit ended the search: the value is proven. A move with bounds may be as good as the best; a best move "
            "with bounds is a guess."
        )
    if not listed and question.moves != "value":
        notes.append(f"There are more than {MOST_MOVES:,} legal moves: of those that are worth the same, one is named.")
    moves = {bridge.move_of(*move): verdict(bounds) for move, bounds in values.items()}
    return question.result(
        verdict((low, high)), dict(sorted(moves.items())), sorted(bridge.move_of(*move) for move in proven),
        pv=tuple(bridge.move_of(*move) for move in pv), fill=duel.search.fill, notes=notes,
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


# --- every option, any number of hands -------------------------------------------------------------------------------


@dataclasses.dataclass
class _General:
    """Questions to the search that knows every option."""

    search: MaxN
    objective: Objective
    budget: Budget

    def values(self, position: Position) -> list[_Answer | None]:
        """What is known of each move."""
        if self.budget.struck is not None:
            return []
        found = self.search.values(position, self.budget.nodes_left, self.budget.poll)
        self.budget.spend(self.search.nodes)
        return found

    def line(self, state: State, move: Move) -> Iterator[Move]:
        """The line of first best moves."""
        yield move
        state = state.play(move)
        while not is_settled(state, self.objective):
            position = bridge.position_of(state)
            answers = self.values(position)
            if not answers or None in answers:
                return
            own = [_own(state, answer) for answer in answers if answer is not None]
            move = bridge.move_of(*position.moves()[own.index(max(own))])
            yield move
            state = state.play(move)


def general_search(objective: Objective, table_bytes: int) -> MaxN:
    """The search that knows every option."""
    return MaxN(OBJECTIVES.index(objective), table_bytes)


def _own(state: State, answer: _Answer) -> int:
    """The mover's own number, of a move."""
    vector, _ = answer
    return vector[0] if len(vector) == 1 else vector[state.to_move]


def _solve_generally(question: _Question, position: Position, listed: list[_Words]) -> Result[Move]:
    state, objective, mover = question.state, question.objective, question.state.to_move
    two = sum(map(bool, state.hands)) == 2
    general = _General(general_search(objective, question.budget.limits.table_bytes), objective, question.budget)
    found = general.values(position)
    moves = [bridge.move_of(*move) for move in listed]
    known: dict[Move, Value] = {}
    own: dict[Move, int] = {}
    for move, answer in zip(moves, found, strict=False):
        if answer is not None:
            own[move] = _own(state, answer)
            known[move] = _general_value(state, objective, own[move]) if two else answer[0]
    solved = len(known) == len(moves)
    top = max(own.values(), default=0)
    if solved or (own if objective == "score" else top > 0):
        best = tuple(move for move in moves if own.get(move) == top)
    else:
        # A guess, but no move that is known to lose: the others can be no worse.
        guesses = (*promising(state, position, len(moves)), *moves)
        best = (next(move for move in guesses if move not in own),)
    unknown: Verdict = Bounds(None, None)
    verdict = Exact(known[best[0]]) if solved else _general_bounds(objective, mover, top) if own and two else unknown
    notes = [] if question.is_vector else [meaning(2, objective, 0)]
    if not two:
        notes.append("Of three and more seats each maximises its own number (max^n).")
        # The first best move may be proven alone; the vector of the position rests on all moves.
        tied = any(answer[1] for answer in found if answer is not None) or len({known[m] for m in best if m in known}) > 1
        notes.append(
            "The vector rests on the rule that among moves equal for the mover the first in text order is taken."
            if tied else "No tie between different vectors was met: the vector does not rest on how ties are broken."
        )
        if not solved:
            notes.append("A limit ended the search: what it did not reach is unknown.")
    elif not isinstance(verdict, Exact):
        notes.append("A limit ended the search: bounds are proven, the best move is a guess.")
    elif not solved:
        notes.append(
            "A limit ended the search: the value is proven. A move with bounds may be as good as the best; a best move "
            "with bounds is a guess."
        )
    if general.search.crowded:
        notes.append("A position on the way has more moves than are listed: more time would bring no more.")
    verdicts: dict[Move, Verdict] = {move: Exact(known[move]) if move in known else unknown for move in moves}
    return question.result(
        verdict, verdicts, best, pv=tuple(general.line(state, best[0])) if solved else (), fill=general.search.fill,
        notes=notes,
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
