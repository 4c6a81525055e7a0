"""The bridge between a State of the rules and a position of the native core."""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from fractions import Fraction

from exactplay.cython_core.winkeladvokat.position import Position, Setting
from exactplay.rules.winkeladvokat import ARTICLES, EMPTY, LAWYERS, Board, Move, Rules, State

#: A move in the core: whether it is a capture, and its squares.
CoreMove = tuple[bool, tuple[int, ...]]

#: The core computes with 32-bit differences of scores.
MOST_POINTS = 1_000_000


def core_square(square: int, size: int) -> int:
    """The core numbers the squares of every board as on 8 x 8."""
    return square // size * 8 + square % size


def to_core(state: State) -> Position:
    """The same position in the core; raises ValueError where its numbers are too large for it."""
    size, players = state.size, state.players
    if sum(state.board.values) > MOST_POINTS or max(state.captured) > MOST_POINTS:
        raise ValueError(f"the numbers on the board (their sum) and the captured points must be at most {MOST_POINTS}")
    articles = [
        sum(1 << core_square(square, size) for square, piece in enumerate(state.squares) if piece == ARTICLES[player])
        for player in range(players)
    ]
    return Position(
        setting_of(state.board, state.rules, players), state.turn, articles, _lawyers(state), state.supply, state.captured,
        [_code(State.parse(text, state.rules.changed(), state.board)) for text in state.earlier],
    )


@functools.lru_cache(maxsize=64)
def setting_of(board: Board, rules: Rules, players: int) -> Setting:
    """The board's numbers and the options, as the core has them."""
    values = [0] * 64
    for square, value in enumerate(board.values):
        values[core_square(square, board.size)] = value
    return Setting(
        board.size, players, values, on_turn=rules.end_check == "on_turn", no_step=rules.blocked_when == "no_step",
        without_placing=rules.empty_supply == "moves_without_placing", square_points=rules.captured_value == "square",
        directions=("orthogonal", "diagonal", "both").index(rules.capture_directions),
    )


def to_move(move: CoreMove) -> Move:
    """A move of the core as a Move of the rules."""
    capture, squares = move
    names = tuple("abcdefgh"[square & 7] + str(square // 8 + 1) for square in squares)
    return Move("capture" if capture else "detour", names)


def from_move(move: Move) -> CoreMove:
    """A Move of the rules as the core has it."""
    return move.kind == "capture", tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in move.squares)


def from_core(core: Position, board: Board, rules: Rules) -> State:
    """The same position in the rules."""
    bare = [EMPTY] * board.size**2
    for player, bits in enumerate(core.articles):
        for square in range(board.size**2):
            if bits >> core_square(square, board.size) & 1:
                bare[square] = ARTICLES[player]

    def placed(lawyers: Sequence[int], turn: int) -> State:
        squares = list(bare)
        for player, lawyer in enumerate(lawyers):
            squares[lawyer // 8 * board.size + lawyer % 8] = LAWYERS[player]
        return State("".join(squares), turn, core.supply, core.captured, board, rules)

    # Of earlier positions that count only the Lawyers and the turn differ.
    places = range(6 * len(core.lawyers) - 6, -1, -6)
    earlier = [placed([code >> place & 63 for place in places], code >> 6 * len(core.lawyers)) for code in core.earlier]
    return dataclasses.replace(placed(core.lawyers, core.turn), earlier=tuple(state.placement for state in earlier))


@dataclasses.dataclass(frozen=True, slots=True)
class NativeState:
    """The contract of a State over the native core."""

    core: Position
    board: Board
    rules: Rules

    @classmethod
    def of(cls, state: State) -> NativeState:
        """The same position."""
        return cls(to_core(state), state.board, state.rules)

    @property
    def to_move(self) -> int:
        """The player to move, or OVER."""
        return self.core.to_move

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, sorted by text."""
        return tuple(to_move(move) for move in self.core.legal_moves())

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """Nothing: chance has no part in this game."""
        return ()

    def play(self, move: Move) -> NativeState:
        """The position after a legal move."""
        return NativeState(self.core.play(from_move(move)), self.board, self.rules)

    def scores(self) -> tuple[int, ...]:
        """The score of each player."""
        return self.core.scores()

    def __str__(self) -> str:
        return str(from_core(self.core, self.board, self.rules))


def _lawyers(state: State) -> list[int]:
    return [core_square(state.squares.index(LAWYERS[player]), state.size) for player in range(state.players)]


def _code(state: State) -> int:
    code = state.turn
    for lawyer in _lawyers(state):
        code = code << 6 | lawyer
    return code
