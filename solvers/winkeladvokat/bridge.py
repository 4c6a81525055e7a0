"""The bridge between a State of the rules and a position of the native core."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

from exactplay.cython_core.winkeladvokat import WinkeladvokatPosition
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import ARTICLES, EMPTY, LAWYERS, Board, Move, Rules, State

#: The core computes with 32-bit differences of scores.
MOST_POINTS = 1_000_000


def core_square(square: int, size: int) -> int:
    """The core numbers the squares of every board as on 8 x 8."""
    return square // size * 8 + square % size


def to_core(state: State) -> WinkeladvokatPosition:
    """The same position in the core; raises ValueError where its numbers are too large for it."""
    size, rules, players = state.size, state.rules, state.players
    values = [0] * 64
    for square, value in enumerate(state.board.values):
        values[core_square(square, size)] = value
    if sum(values) > MOST_POINTS or max(state.captured) > MOST_POINTS:
        raise ValueError(f"the numbers on the board (their sum) and the captured points must be at most {MOST_POINTS}")
    articles = [
        sum(1 << core_square(square, size) for square, piece in enumerate(state.squares) if piece == ARTICLES[player])
        for player in range(players)
    ]
    return WinkeladvokatPosition(
        size, state.turn, articles, _lawyers(state), state.supply, state.captured, values, core_options(rules),
        [_code(State.parse(text, rules.changed(), state.board)) for text in state.earlier],
    )


def core_options(rules: Rules) -> tuple[bool, bool, bool, bool, int]:
    """The options in the order of the core."""
    return (
        rules.end_check == "on_turn", rules.blocked_when == "no_step", rules.empty_supply == "moves_without_placing",
        rules.captured_value == "square", ("orthogonal", "diagonal", "both").index(rules.capture_directions),
    )


def to_move(capture: bool, squares: tuple[int, ...]) -> Move:
    """A move of the core as a Move of the rules."""
    names = tuple("abcdefgh"[square & 7] + str(square // 8 + 1) for square in squares)
    return Move("capture" if capture else "detour", names)


def from_move(move: Move) -> tuple[bool, tuple[int, ...]]:
    """A Move of the rules as the core has it."""
    return move.kind == "capture", tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in move.squares)


def from_core(core: WinkeladvokatPosition, board: Board, rules: Rules) -> State:
    """The same position in the rules."""
    turn, articles, lawyers, supply, captured = core.fields()
    bare = [EMPTY] * board.size**2
    for player, bits in enumerate(articles):
        for square in range(board.size**2):
            if bits >> core_square(square, board.size) & 1:
                bare[square] = ARTICLES[player]

    def placed(lawyers: Sequence[int], turn: int) -> State:
        squares = list(bare)
        for player, lawyer in enumerate(lawyers):
            squares[lawyer // 8 * board.size + lawyer % 8] = LAWYERS[player]
        return State("".join(squares), turn, tuple(supply), tuple(captured), board, rules)

    # Of earlier positions that count only the Lawyers and the turn differ.
    places = range(6 * len(lawyers) - 6, -1, -6)
    earlier = [placed([code >> place & 63 for place in places], code >> 6 * len(lawyers)) for code in core.earlier()]
    return dataclasses.replace(placed(lawyers, turn), earlier=tuple(state.placement for state in earlier))


@dataclasses.dataclass(frozen=True, slots=True)
class NativeState:
    """The contract of a State over the native core."""

    core: WinkeladvokatPosition
    board: Board
    rules: Rules

    @classmethod
    def of(cls, state: State) -> NativeState:
        """The same position."""
        return cls(to_core(state), state.board, state.rules)

    @property
    def to_move(self) -> int:
        """The player to move, or OVER."""
        return OVER if self.core.finished() else self.core.fields()[0]

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, sorted by text."""
        return tuple(sorted(to_move(*move) for move in self.core.moves()))

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """Nothing: chance has no part in this game."""
        return ()

    def play(self, move: Move) -> NativeState:
        """The position after a legal move."""
        return NativeState(self.core.play(*from_move(move)), self.board, self.rules)

    def scores(self) -> tuple[int, ...]:
        """The score of each player."""
        return tuple(self.core.scores())

    def __str__(self) -> str:
        return str(from_core(self.core, self.board, self.rules))


def _lawyers(state: State) -> list[int]:
    return [core_square(state.squares.index(LAWYERS[player]), state.size) for player in range(state.players)]


def _code(state: State) -> int:
    code = state.turn
    for lawyer in _lawyers(state):
        code = code << 6 | lawyer
    return code
