"""Exact play with open hands and a known order of the pile: alpha-beta for two, max^n for three and four."""
from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from exactplay.common.words import named
from exactplay.cython_core.walk_the_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.walk_the_dogs.maxn import MaxN
from exactplay.cython_core.walk_the_dogs.position import Position
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition
from exactplay.rules.walk_the_dogs import HAND_CARDS, PUT_ASIDE, Move, Objective, State, mirrored, take
from exactplay.rules.walk_the_dogs.state import FULL_HAND
from exactplay.solvers.limits import Budget, Limits, Progress
from exactplay.solvers.result import Bounds, Effort, Exact, Moves, Result, Verdict
from exactplay.solvers.walk_the_dogs.bridge import move_of, moves_of, position_of

RAN_OUT: Final = (
    "Some line of play may run past the known order of the pile; from there on no more cards are drawn, "
    "though in the game any discards would be shuffled."
)
_VALUES: Final = {
    ("points", 2): "1000 or -1000 is five in a row for player 0 or player 1.",
    ("outcome", 2): "1: player 0 wins, 0: shared, -1: player 1 wins.",
    ("points", 3): "Five in a row is 1000, and -1000 for everyone else.",
    ("outcome", 3): "Shares of 12, which the winners share.",
}
_TIES: Final = (
    "A player who is indifferent between moves may decide what the others get; between the bounds lies every value that "
    "some way of breaking such ties gives."
)
_FIVE: Final = 20_000


def solve(
    state: State,
    *,
    objective: Objective = "points",
    moves: Moves = "best",
    limits: Limits = Limits(),  # noqa: B008  # a frozen value
    progress: Progress | None = None,
) -> Result[Move]:
    """The value of a position under best play with open hands, of its moves, and a line of best play.

    A draw that is due comes first. Of two players, values are player 0's; of more, each value holds one entry a player
    (max^n, which values every move whatever is asked). Where a limit, or the table of three and four players, ends the
    search, bounds are what it proved. Raises :class:`IllegalPosition` where the order of the pile is not known.
    """
    named(objective, Objective, "objective")
    named(moves, Moves, "moves")
    budget = Budget(limits, progress)
    if state.to_move == OVER:
        values = state.utilities(objective)
        verdict = Exact(values[0] if state.players == 2 else values)
        return _result(state, budget, verdict, notes=("The game is over.",))
    if state.shuffled:
        raise IllegalPosition("the order of the pile is not known; ask for advice, or give the pile in drawing order")
    if state.players > 2:
        return _solve_many(state, objective, budget)
    return TwoPlayers(limits.table_bytes).solve(state, objective, moves, budget)


def _result(state: State, budget: Budget, verdict: Verdict, **more: Any) -> Result[Move]:
    mover = more.pop("mover", max(state.to_move, 0))
    effort = Effort(budget.spent, budget.cpu_seconds, more.pop("fill", None))
    return Result(
        verdict, effort=effort, rules=state.rules.describe(), viewpoint=0 if state.players == 2 else None, mover=mover,
        players=state.players, **more,
    )


def _notes(state: State, objective: Objective, cards: tuple[Move, ...]) -> list[str]:
    """What every answer about a position says."""
    notes = [_VALUES[objective, min(state.players, 3)]]
    if cards:
        notes.append(f"The draw comes first: {' '.join(map(str, cards))}; the values are those of the moves after it.")
    if may_run_past(state):
        notes.append(RAN_OUT)
    return notes


def drawn(at: Position) -> tuple[Position, tuple[Move, ...]]:
    """Play the draws that are due from a pile of known order; the position after them and the cards."""
    cards = []
    while at.to_move == CHANCE:
        code = 5 | at.draws()[0][0] << 3
        cards.append(move_of(at, code))
        at = at.play(code)
    return at, tuple(cards)


def may_run_past(state: State) -> bool:
    """Whether some line of play could want a card when the pile of known order has none left: if in doubt, yes.

    The game is longest when everyone plays the card that takes the fewest dogs; a leash takes none from the middle.
    """
    cost = {card: len(take(state.middle, card)[0]) if card != "le" else 0 for card in HAND_CARDS}
    dogs = len(state.middle)
    pile = [cost[card] for card in state.deck if card not in PUT_ASIDE]
    hands = [[cost[card] for card in hand] for hand in state.hands]
    if state.rules.advanced:
        # A turn that does not draw plays a card, so the draws fill the hands and make up for what is played.
        leashes = sum(cards.count(0) for cards in (pile, *hands))
        return len(pile) <= sum(FULL_HAND - len(hand) for hand in hands) + dogs - 1 + leashes
    player, due = state.turn, state.phase != "play"
    while dogs > 0:
        if due and not pile:
            return True
        if due:
            hands[player].append(pile.pop(0))
        if any(hands[player]):
            least = min(hands[player])
            hands[player].remove(least)
            dogs -= least
        # Else he passes, or plays a leash, which he keeps here as if he had passed.
        player, due = (player + 1) % state.players, True
    return False


def representatives(moves: Iterable[Move]) -> dict[Move, Move]:
    """Every move with the first of those that differ from it at most in the direction of the own line.

    These are worth the same, for nothing in the game tells the front of a line from its back.
    """
    first: dict[Move, Move] = {}
    return {move: first.setdefault(replace(move, line=mirrored(move.line)), move) for move in sorted(moves)}


def fold_mirrors(result: Result[Move]) -> Result[Move]:
    """The result with one of each pair of moves that differ only in the direction of the own line."""
    first = set(representatives(result.moves).values())
    return replace(
        result, moves={move: verdict for move, verdict in result.moves.items() if move in first},
        best=tuple(move for move in result.best if move in first),
    )


class TwoPlayers:
    """A searcher for two players that keeps its table between positions."""

    def __init__(self, table_bytes: int) -> None:
        self._searcher = AlphaBeta(table_bytes)
        self._guess = 0
        self._budget = Budget(Limits())

    def solve(self, state: State, objective: Objective, asked: Moves, budget: Budget) -> Result[Move]:
        """See :func:`solve`; the position is not over."""
        with _spending(self._begin(position_of(state), objective, budget), budget):
            at, cards = drawn(position_of(state))
            moves, children = _children(at)
            values = self._values(children, 1 if at.to_move == 0 else -1, objective, asked)
            verdict, best, unsure = _choose(values, at.to_move)
            pv = (*cards, *self._line(at, verdict.value, objective)) if isinstance(verdict, Exact) else cards
        notes = _notes(state, objective, cards)
        if isinstance(verdict, Bounds):
            notes.append("A limit ended the search; the bounds are proven, the best moves are a guess.")
        elif unsure and asked != "value":
            notes.append("A limit ended the search; moves whose bounds include the value may be as good as the best.")
        return _result(
            state, budget, verdict, moves={move: values[same] for move, same in moves.items()},
            best=tuple(move for move, same in moves.items() if same in best), pv=pv, notes=tuple(notes), mover=at.to_move,
            fill=self._searcher.table_fill,
        )

    def values(self, state: State, objective: Objective, budget: Budget) -> dict[Move, int] | None:
        """The exact value of every legal move for the player to move; None where a limit struck."""
        root = position_of(state)
        with _spending(self._begin(root, objective, budget), budget):
            moves, children = _children(root)
            sign = 1 if root.to_move == 0 else -1
            verdicts = self._values(children, sign, objective, "all")
        found = {same: verdict.value for same, verdict in verdicts.items() if isinstance(verdict, Exact)}
        if len(found) < len(children):
            return None
        return {move: sign * int(found[same]) for move, same in moves.items()}  # type: ignore[arg-type]  # no vectors

    def _begin(self, root: Position, objective: Objective, budget: Budget) -> AlphaBeta:
        try:
            self._searcher.begin(root, objective == "points")
        except ValueError as error:
            raise IllegalPosition(str(error)) from None
        self._budget = budget
        self._searcher.limit(budget.nodes_left, budget.poll)
        return self._searcher

    def _bounds(self, at: Position, low: int, high: int) -> tuple[int, int] | None:
        """Bounds of a value for player 0; None where a limit has struck (that of nodes the searcher keeps itself)."""
        over = self._budget.struck not in (None, "nodes")
        return None if over else self._searcher.bounds(at, low, high)

    def _values(
        self, children: Mapping[Move, Position], sign: int, objective: Objective, asked: Moves
    ) -> dict[Move, Exact | Bounds]:
        """The verdicts of the moves; ``sign`` is 1 where player 0 moves."""
        measure = self._points if objective == "points" else self._outcome
        values: dict[Move, Exact | Bounds] = {}
        best: int | None = None

        def lead(move: Move) -> int:
            own, other = children[move].points()
            return sign * (own - other)

        # The most points first: the sooner the best is found, the cheaper are the others.
        for move in sorted(children, key=lead, reverse=True):
            # Proving that a move is no better than the best is much cheaper than its value.
            rival = None if best is None or asked == "all" else sign * best
            low, high = measure(children[move], rival, sign, asked == "value")
            if low == high:
                values[move] = Exact(low)
                best = low * sign if best is None else max(best, low * sign)
            else:
                values[move] = Bounds(low, high)
        return values

    def _points(self, child: Position, rival: int | None, sign: int, ties: bool) -> tuple[int, int]:
        """Bounds of the value for player 0; exact unless the mover likes ``rival`` better, or, with ``ties``, as much."""
        if rival is not None:
            least = sign * rival + ties  # of the values that the mover asks about
            if least > 1000:
                return -1000, 1000
            if least > -1000:
                found = self._bounds(child, *((least - 1, least) if sign > 0 else (-least, 1 - least)))
                if found is None:
                    return -1000, 1000
                low, high = map(_from_search, found)
                if high < least if sign > 0 else low > -least:
                    return low, high
        return self._converge(child)

    def _converge(self, child: Position) -> tuple[int, int]:
        """The value by null windows that close in on it, from the last value found on (MTD-f)."""
        guess, low, high = self._guess, -_FIVE, _FIVE
        while low < high:
            edge = max(guess, low + 1)
            found = self._bounds(child, edge - 1, edge)
            if found is None:
                return _from_search(low), _from_search(high)
            if found[0] >= edge:
                low = guess = found[0]
            else:
                high = guess = found[1]
        self._guess = guess
        return _from_search(low), _from_search(high)

    def _outcome(self, child: Position, rival: int | None, sign: int, ties: bool) -> tuple[int, int]:
        """Likewise of the outcome, by two null windows."""
        low, high = -1, 1
        if ties and rival == sign:
            return low, high  # nothing is better than winning
        for zero, one in ((0, 1), (-1, 0)) if sign > 0 else ((-1, 0), (0, 1)):
            enough = (ties and rival == 0 and 0 in (low, high)) or (rival == sign and rival not in (low, high))
            if not low < one <= high or enough:
                break
            found = self._bounds(child, zero, one)
            if found is None:
                return low, high
            if found[0] >= one:
                low = one
            else:
                high = zero
        return low, high

    def _line(self, at: Position, value: Any, objective: Objective) -> tuple[Move, ...]:
        """A line of best play to the end, draws included."""
        line: list[Move] = []
        while at.to_move >= 0:
            sign = 1 if at.to_move == 0 else -1
            for move, code in moves_of(at).items():
                child, cards = drawn(at.play(code))
                if self._keeps(child, value, sign, objective):
                    line += [move, *cards]
                    at = child
                    break
            else:  # a limit struck
                break
        return tuple(line)

    def _keeps(self, child: Position, value: int, sign: int, objective: Objective) -> bool:
        if value == -sign * (1000 if objective == "points" else 1):
            return True  # all moves lose
        window = (value - 1, value) if sign > 0 else (value, value + 1)
        found = self._bounds(child, *window)
        return found is not None and (found[0] >= value if sign > 0 else found[1] <= value)


@contextlib.contextmanager
def _spending(searcher: AlphaBeta | MaxN, budget: Budget) -> Iterator[None]:
    """Book what the searcher visits on the budget."""
    before = searcher.nodes
    try:
        yield
    finally:
        budget.spend(searcher.nodes - before)


def _children(at: Position) -> tuple[dict[Move, Move], dict[Move, Position]]:
    """Every legal move with the move that stands for it up to mirror, and the positions after those, draws played."""
    codes = moves_of(at)
    moves = representatives(codes)
    return moves, {move: drawn(at.play(codes[move]))[0] for move, same in moves.items() if move == same}


def _choose(values: Mapping[Move, Exact | Bounds], who: int) -> tuple[Verdict, set[Move], bool]:
    """The value of a position of two from its moves', the moves that tie for best, and whether others may as well."""
    sign = 1 if who == 0 else -1
    ends = {}
    for move, one in values.items():
        both: Any = (one.value, one.value) if isinstance(one, Exact) else (one.low, one.high)
        ends[move] = sorted(sign * end for end in both)
    low, high = max(low for low, _ in ends.values()), max(high for _, high in ends.values())
    best = {move for move, (least, _) in ends.items() if least == low}
    unsure = any(least < low <= most for least, most in ends.values())
    if low == high:
        return Exact(sign * low), best, unsure
    return Bounds(*sorted((sign * low, sign * high))), best, unsure


def _from_search(value: int) -> int:
    """Points from a value of the search; what lies beyond five in a row is no bound there."""
    return 1000 if value >= _FIVE else -1000 if value <= -_FIVE else value


# ---------------------------------------------------------------- three and four players


def _solve_many(state: State, objective: Objective, budget: Budget) -> Result[Move]:
    searcher = MaxN(objective == "points", budget.limits.table_bytes)
    searcher.limit(budget.nodes_left, budget.poll)
    with _spending(searcher, budget):
        at, cards = drawn(position_of(state))
        moves, children = _children(at)
        who = at.to_move
        found = {same: None if budget.struck else searcher.values(child) for same, child in children.items()}
        notes = _notes(state, objective, cards)
        verdicts: dict[Move, Verdict] = {}
        for same, values in found.items():
            if values is None:
                verdicts[same] = Bounds(None, None)
            else:
                verdicts[same] = Exact(values[0]) if values[0] == values[1] else Bounds(*values)
        pv: list[Move] = list(cards)
        known = {same: values for same, values in found.items() if values is not None}
        verdict: Verdict = Bounds(None, None)
        best: set[Move] = set()
        if len(known) == len(found):
            most = max(low[who] for low, _ in known.values())
            best = {same for same, (_, high) in known.items() if high[who] >= most}
            low = tuple(most if p == who else min(known[same][0][p] for same in best) for p in range(state.players))
            high = tuple(max(known[same][1][p] for same in best) for p in range(state.players))
            verdict = Exact(low) if low == high else Bounds(low, high)
            pv += _line_of_many(searcher, at)
        else:
            notes.append("A limit ended the search; nothing is proven about the moves without a value.")
    if any(isinstance(one, Bounds) and one.low is not None for one in (*verdicts.values(), verdict)):
        notes.append(_TIES)
    return _result(
        state, budget, verdict, moves={move: verdicts[same] for move, same in moves.items()},
        best=tuple(move for move, same in moves.items() if same in best), pv=tuple(pv), notes=tuple(notes), mover=who,
    )


def _line_of_many(searcher: MaxN, at: Position) -> list[Move]:
    """A line in which everyone takes the first of his best moves."""
    line: list[Move] = []
    while at.to_move >= 0:
        who = at.to_move
        options = []
        for move, code in moves_of(at).items():
            child, cards = drawn(at.play(code))
            values = searcher.values(child)
            if values is None:
                return line
            options.append((values[0][who], move, child, cards))
        _, move, at, cards = max(options, key=lambda option: option[0])
        line += [move, *cards]
    return line
