"""Exact play with open hands and a known order of the pile: alpha-beta for two, max^n for three and four."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from exactplay.cython_core.walk_the_dogs import MaxnSearcher, Position, Searcher
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition
from exactplay.rules.walk_the_dogs import HAND_CARDS, PUT_ASIDE, Move, State, mirrored, take
from exactplay.rules.walk_the_dogs.state import FULL_HAND, Objective
from exactplay.solvers.result import Bounds, Effort, Exact, Result, Verdict
from exactplay.solvers.walk_the_dogs.native import move_of, moves_of, position

#: memory for the table of positions
TABLE_BYTES: Final = 256 << 20
RAN_OUT: Final = (
    "Some line of play may run past the known order of the pile; from there on no more cards are drawn, "
    "though in the game any discards would be shuffled."
)
VIEWPOINT: Final = {
    "points": "Values are player 0's points minus player 1's; 1000 or -1000 is five in a row for player 0 or player 1.",
    "outcome": "Values are player 0's: 1 he wins, 0 shared, -1 player 1 wins.",
}
_VECTORS: Final = {
    "points": "Values are the points of each player in turn; five in a row is 1000, and -1000 for everyone else.",
    "outcome": "Values are the shares of the players in turn: 12, shared among the winners.",
}
_TIES: Final = (
    "A player who is indifferent between moves may decide what the others get; between the bounds lies every value that "
    "some way of breaking such ties gives."
)
_FIVE: Final = 20_000
Progress = Callable[[int], None]


def solve(
    state: State, objective: Objective = "points", *, all_moves: bool = True, table_bytes: int = TABLE_BYTES,
    nodes: int | None = None, seconds: float | None = None, progress: Progress | None = None,
) -> Result[Move]:
    """The value of a position under best play with open hands, of every legal move, and a line of best play.

    A draw that is due comes first. Of two players, values are player 0's; of more, each value holds one entry a player
    (max^n). With ``all_moves=False`` the moves that are not best get the bound that proves it. Where a limit (``nodes``,
    CPU ``seconds``, or the table for three and four) ends the search, bounds are what it proved. ``progress`` hears the
    nodes visited. Raises :class:`IllegalPosition` where the order of the pile is not known.
    """
    if state.shuffled and state.to_move != OVER:
        raise IllegalPosition("the order of the pile is not known; ask for advice, or give the pile in drawing order")
    if state.players > 2:
        return _solve_many(state, objective, table_bytes, seconds, progress)
    return TwoPlayers(table_bytes).solve(
        state, objective, all_moves=all_moves, nodes=nodes, seconds=seconds, progress=progress
    )


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

    def __init__(self, table_bytes: int = TABLE_BYTES) -> None:
        self._searcher = Searcher(table_bytes)
        self._guess = 0

    def solve(
        self, state: State, objective: Objective, *, all_moves: bool = True, nodes: int | None = None,
        seconds: float | None = None, progress: Progress | None = None,
    ) -> Result[Move]:
        """See :func:`solve`."""
        start, before = time.process_time(), self._searcher.nodes
        root = position(state)
        if state.to_move == OVER:
            return Result(Exact(state.utilities(objective)[0]), rules=state.rules.describe())
        self._begin(root, objective)
        self._searcher.limit(nodes, seconds, progress)
        at, cards = drawn(root)
        moves, children = _children(at)
        values = self._values(children, 1 if at.to_move == 0 else -1, objective, all_moves)
        verdict, best, unsure = _choose(values, at.to_move)
        pv = (*cards, *self._line(at, verdict.value, objective)) if isinstance(verdict, Exact) else cards
        notes = [VIEWPOINT[objective]]
        if cards:
            notes.append(f"The draw comes first: {' '.join(map(str, cards))}; the values are those of the moves after it.")
        if may_run_past(state):
            notes.append(RAN_OUT)
        if isinstance(verdict, Bounds):
            notes.append("A limit ended the search; the bounds are proven, the best moves are a guess.")
        elif unsure:
            notes.append("A limit ended the search; moves whose bounds include the value may be as good as the best.")
        return Result(
            verdict, {move: values[same] for move, same in moves.items()},
            tuple(move for move, same in moves.items() if same in best), pv,
            Effort(self._searcher.nodes - before, time.process_time() - start, self._searcher.table_fill),
            state.rules.describe(), notes=tuple(notes),
        )

    def values(
        self, state: State, objective: Objective, nodes: int | None = None, seconds: float | None = None
    ) -> dict[Move, int] | None:
        """The exact value of every legal move for the player to move; None where a limit struck."""
        root = position(state)
        self._begin(root, objective)
        self._searcher.limit(nodes, seconds)
        moves, children = _children(root)
        sign = 1 if root.to_move == 0 else -1
        verdicts = self._values(children, sign, objective, True)
        found = {same: verdict.value for same, verdict in verdicts.items() if isinstance(verdict, Exact)}
        if len(found) < len(children):
            return None
        return {move: sign * int(found[same]) for move, same in moves.items()}  # type: ignore[arg-type]  # no vectors

    def _begin(self, root: Position, objective: Objective) -> None:
        try:
            self._searcher.begin(root, objective == "points")
        except ValueError as error:
            raise IllegalPosition(str(error)) from None

    def _values(
        self, children: Mapping[Move, Position], sign: int, objective: Objective, all_moves: bool
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
            child = children[move]
            # Proving that a move is no better than the best is much cheaper than its value.
            low, high = measure(child, None if best is None or all_moves else sign * best, sign)
            if low == high:
                values[move] = Exact(low)
                best = low * sign if best is None else max(best, low * sign)
            else:
                values[move] = Bounds(low, high)
        return values

    def _points(self, child: Position, rival: int | None, sign: int) -> tuple[int, int]:
        """Bounds of the value for player 0, exact unless it is worse for the mover than ``rival``."""
        if rival is not None and rival != -1000 * sign:
            window = (rival - 1, rival) if sign > 0 else (rival, rival + 1)
            found = self._searcher.bounds(child, *window)
            if found is None:
                return -1000, 1000
            low, high = map(_from_search, found)
            if high < rival if sign > 0 else low > rival:
                return low, high
        return self._converge(child)

    def _converge(self, child: Position) -> tuple[int, int]:
        """The value by null windows that close in on it, from the last value found on (MTD-f)."""
        guess, low, high = self._guess, -_FIVE, _FIVE
        while low < high:
            edge = max(guess, low + 1)
            found = self._searcher.bounds(child, edge - 1, edge)
            if found is None:
                return _from_search(low), _from_search(high)
            if found[0] >= edge:
                low = guess = found[0]
            else:
                high = guess = found[1]
        self._guess = guess
        return _from_search(low), _from_search(high)

    def _outcome(self, child: Position, rival: int | None, sign: int) -> tuple[int, int]:
        """Bounds of the outcome for player 0 by two null windows, exact unless it is worse for the mover than ``rival``."""
        low, high = -1, 1
        for zero, one in ((0, 1), (-1, 0)) if sign > 0 else ((-1, 0), (0, 1)):
            if not low < one <= high or (rival == sign and rival not in (low, high)):
                break
            found = self._searcher.bounds(child, zero, one)
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
        found = self._searcher.bounds(child, *window)
        return found is not None and (found[0] >= value if sign > 0 else found[1] <= value)


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


def maxn_searcher(objective: Objective, table_bytes: int = TABLE_BYTES) -> MaxnSearcher:
    """A max^n searcher; its table serves one order of the pile."""
    return MaxnSearcher(objective == "points", table_bytes)


def _solve_many(
    state: State, objective: Objective, table_bytes: int, seconds: float | None, progress: Progress | None
) -> Result[Move]:
    start = time.process_time()
    if state.to_move == OVER:
        return Result(Exact(state.utilities(objective)), rules=state.rules.describe())
    searcher = maxn_searcher(objective, table_bytes)
    searcher.limit(seconds, progress)
    at, cards = drawn(position(state))
    moves, children = _children(at)
    who = at.to_move
    found = {same: searcher.values(child) for same, child in children.items()}
    notes = [_VECTORS[objective]]
    if cards:
        notes.append(f"The draw comes first: {' '.join(map(str, cards))}; the values are those of the moves after it.")
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
    if may_run_past(state):
        notes.append(RAN_OUT)
    return Result(
        verdict, {move: verdicts[same] for move, same in moves.items()},
        tuple(move for move, same in moves.items() if same in best), tuple(pv),
        Effort(searcher.nodes, time.process_time() - start), state.rules.describe(), notes=tuple(notes),
    )


def _line_of_many(searcher: MaxnSearcher, at: Position) -> list[Move]:
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
