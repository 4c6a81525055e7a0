"""A position and its rules, to be read beside the rulebook ("Playing the Game", "End of the Game").

A square is an index ``rank * n + file`` with a1 = 0; its name is ``"a1"`` and so on.
"""
from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Self

from exactplay.common.words import whole
from exactplay.rules.contract import OVER, IllegalMove, IllegalPosition, Shown
from exactplay.rules.winkeladvokat.moves import Move
from exactplay.rules.winkeladvokat.options import ORTHOGONAL, Rules
from exactplay.rules.winkeladvokat.pieces import ARTICLES, COLOURS, EMPTY, LAWYERS, Board, full_supply, square_name
from exactplay.rules.winkeladvokat.text import Fields, read_json, read_position, show_placement, show_position

DEFAULT = Rules()


@dataclasses.dataclass(frozen=True, slots=True)
class State(Shown):
    """A position.

    ``squares`` holds a character a square as in the position text, ``.`` for an empty one. ``earlier`` is kept only with
    ``moves_without_placing``: the texts of the positions since the last Article was placed or captured, this one left
    out. (None of the positions before those can come back: Articles in supply and on the board only ever leave.)
    """

    squares: str
    turn: int
    supply: tuple[int, ...]
    captured: tuple[int, ...]
    board: Board
    rules: Rules = DEFAULT
    earlier: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        players = self.players
        if players not in (2, 3, 4):
            raise IllegalPosition(f"the supply has {players} numbers; there are 2, 3 or 4 players")
        if len(self.captured) != players:
            raise IllegalPosition(
                f"the captured points have {len(self.captured)} numbers and the supply has {players}; write one a player"
            )
        if not 0 <= self.turn < players:
            raise IllegalPosition(f"{COLOURS[self.turn]} is to move and does not play: there are {players} players")
        for player, colour in enumerate(COLOURS):
            lawyers, articles = self.squares.count(LAWYERS[player]), self.squares.count(ARTICLES[player])
            if player >= players:
                if lawyers or articles:
                    raise IllegalPosition(f"{colour} stands on the board and does not play: there are {players} players")
                continue
            if lawyers != 1:
                raise IllegalPosition(f"{colour} has {lawyers} Lawyers ({LAWYERS[player]}) on the board and must have one")
            for name, number in (("supply", self.supply[player]), ("captured points", self.captured[player])):
                if number < 0:
                    raise IllegalPosition(f"the {name} of {colour} cannot be {number}; it must be 0 or more")
            if articles + self.supply[player] > full_supply(players):
                raise IllegalPosition(
                    f"{colour} has {articles} Articles on the board and {self.supply[player]} in supply; "
                    f"together there are at most {full_supply(players)} with {players} players"
                )

    @classmethod
    def initial(
        cls, size: int = 8, players: int = 2, rules: Rules = DEFAULT, board: Board | None = None
    ) -> Self:
        """The position before the first move ("Setup")."""
        board, players = board or Board.rings(size), whole(players, "players", 2, 4)
        last = board.size - 1
        corners = [0, last * board.size, last * board.size + last, last]
        if players == 2:
            corners = [0, corners[2] if rules.start_corners == "opposite" else corners[1]]
        squares = [EMPTY] * board.size**2
        for player in range(players):
            squares[corners[player]] = LAWYERS[player]
        return cls("".join(squares), 0, (full_supply(players),) * players, (0,) * players, board, rules)

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None, board: Board | None = None) -> Self:
        """Read the text form; ``options`` and ``board`` override what it says of rules and numbers.

        Raises :class:`BadText`, :class:`BadOption` and :class:`IllegalPosition`.
        """
        return cls._read(read_position(text), options, board)

    @classmethod
    def from_json(
        cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None, board: Board | None = None
    ) -> Self:
        """Read the JSON form, ``{"position", "values", "earlier", "options"}``, likewise."""
        return cls._read(read_json(data), options, board)

    @classmethod
    def _read(cls, fields: Fields, options: Mapping[str, Any] | None, board: Board | None) -> Self:
        rules = Rules.from_mapping({**fields.options, **(options or {})})
        numbers = board or fields.board or Board.rings(fields.size)
        if numbers.size != fields.size:
            raise IllegalPosition(f"the position has {fields.size} ranks and the board of numbers {numbers.size}")
        remembers = rules.empty_supply == "moves_without_placing"
        if fields.earlier and not remembers:
            raise IllegalPosition("earlier positions count with empty_supply=moves_without_placing only; leave them out")
        earlier = tuple(cls(*before, numbers, rules).placement for before in fields.earlier)
        return cls(*fields.placement, numbers, rules, earlier)

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads back."""
        return {
            "position": self.placement, "values": self.board.ranks(), "earlier": list(self.earlier),
            "options": self.rules.changed(),
        }

    @property
    def placement(self) -> str:
        """The four fields of the text: board, to move, supply, captured."""
        return show_placement(self.squares, self.size, self.turn, self.supply, self.captured)

    def __str__(self) -> str:
        board = None if self.board == Board.rings(self.size) else self.board
        return show_position(self.placement, board, self.earlier, self.rules)

    @property
    def size(self) -> int:
        """The number of squares along an edge."""
        return self.board.size

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.supply)

    @property
    def to_move(self) -> int:
        """The player to move, or OVER."""
        return OVER if self._finished() else self.turn

    def legal_moves(self) -> tuple[Move, ...]:
        """Every detour and every capture of the player to move ("Playing the Game"), sorted by text; empty when OVER."""
        return () if self._finished() else tuple(self._moves())

    def iter_legal_moves(self) -> Iterator[Move]:
        """The same moves one by one, in no order: captures on a crowded board can be millions."""
        if not self._finished():
            yield from (Move(kind, self._names(path)) for kind, path in self._paths())

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """Nothing: chance has no part in this game."""
        return ()

    def play(self, move: Move) -> Self:
        """The position after a move; raises :class:`IllegalMove`."""
        if move not in self.iter_legal_moves():
            reason = "the game is over" if self._finished() else f"it is not a legal move of {COLOURS[self.turn]}"
            raise IllegalMove(f"{move} cannot be played: {reason} in {self}")
        return self.after(move)

    def after(self, move: Move) -> Self:
        """The position after a move that is known to be legal."""
        path = [self._square(name) for name in move.squares]
        squares, supply, captured = list(self.squares), list(self.supply), list(self.captured)
        piece, squares[path[0]] = squares[path[0]], EMPTY
        squares[path[-1]] = piece
        placed = move.kind == "detour" and supply[self.turn] > 0
        if placed:
            squares[path[1]] = ARTICLES[self.turn]
            supply[self.turn] -= 1
        if move.kind == "capture":
            for start, landing in itertools.pairwise(path):
                jumped = (start + landing) // 2
                squares[jumped] = EMPTY
                captured[self.turn] += 1 if self.rules.captured_value == "one" else self.board.values[jumped]
        remembers = self.rules.empty_supply == "moves_without_placing" and move.kind == "detour" and not placed
        return dataclasses.replace(
            self, squares="".join(squares), turn=(self.turn + 1) % self.players, supply=tuple(supply),
            captured=tuple(captured), earlier=(*self.earlier, self.placement) if remembers else (),
        )

    def scores(self) -> tuple[int, ...]:
        """Squares held and points captured, a number a player ("Scoring")."""
        return tuple(
            points + sum(value for piece, value in zip(self.squares, self.board.values, strict=True) if piece == article)
            for points, article in zip(self.captured, ARTICLES, strict=False)
        )

    def blocked(self, player: int) -> bool:
        """Whether a player can no longer move his Lawyer, in the sense of the options ("End of the Game")."""
        if self.supply[player] == 0 and self.rules.empty_supply == "blocks":
            return True
        start = self.squares.index(LAWYERS[player])
        if self.rules.blocked_when == "no_step":
            return not any(next(self._slide(start, step), None) is not None for step in ORTHOGONAL)
        return next(self._detours(player), None) is None

    def _finished(self) -> bool:
        if self.earlier.count(self.placement) >= 2:
            return True
        watched = range(self.players) if self.rules.end_check == "immediate" else [self.turn]
        return any(self.blocked(player) for player in watched) or next(self._paths(), None) is None

    def _moves(self) -> list[Move]:
        return sorted(Move(kind, self._names(path)) for kind, path in self._paths())

    def _paths(self) -> Iterator[tuple[Literal["detour", "capture"], Sequence[int]]]:
        if self.supply[self.turn] > 0 or self.rules.empty_supply != "blocks":
            yield from (("detour", path) for path in self._detours(self.turn))
        for start, piece in enumerate(self.squares):
            if piece == ARTICLES[self.turn]:
                yield from (("capture", path) for path in self._captures(start))

    def _detours(self, player: int) -> Iterator[tuple[int, int, int]]:
        """The Lawyer slides to the detour square, turns at a right angle and slides on ("Moving the Lawyers")."""
        start = self.squares.index(LAWYERS[player])
        for step in ORTHOGONAL:
            for corner in self._slide(start, step):
                for turned in ((step[1], step[0]), (-step[1], -step[0])):
                    for stop in self._slide(corner, turned):
                        yield start, corner, stop

    def _slide(self, start: int, step: tuple[int, int]) -> Iterator[int]:
        """The empty squares from ``start`` in one direction up to the first obstacle."""
        square = self._step(start, step)
        while square is not None and self.squares[square] == EMPTY:
            yield square
            square = self._step(square, step)

    def _captures(self, start: int) -> Iterator[tuple[int, ...]]:
        """Every path of jumps of the Article on ``start``, each prefix of a longer one included ("Taking an Article")."""
        opposing = set(ARTICLES[: self.players]) - {self.squares[start]}
        paths: list[tuple[tuple[int, ...], frozenset[int]]] = [((start,), frozenset())]
        while paths:
            path, jumped = paths.pop()
            for step in self.rules.jump_directions():
                over = self._step(path[-1], step)
                landing = None if over is None else self._step(over, step)
                if over is None or landing is None or over in jumped or self.squares[over] not in opposing:
                    continue
                if self.squares[landing] == EMPTY or landing == start or landing in jumped:
                    longer = (*path, landing)
                    yield longer
                    paths.append((longer, jumped | {over}))

    def _step(self, square: int, step: tuple[int, int]) -> int | None:
        file, rank = square % self.size + step[0], square // self.size + step[1]
        return rank * self.size + file if 0 <= file < self.size and 0 <= rank < self.size else None

    def _names(self, path: Sequence[int]) -> tuple[str, ...]:
        return tuple(square_name(square, self.size) for square in path)

    def _square(self, name: str) -> int:
        return (int(name[1]) - 1) * self.size + "abcdefgh".index(name[0])


def perft(state: State, depth: int, distinct: bool = False) -> int:
    """The number of paths of ``depth`` plies; with ``distinct``, moves that lead to one position are counted once."""
    if depth == 0:
        return 1
    after: list[State] | set[State] = [state.play(move) for move in state.legal_moves()]
    return sum(perft(successor, depth - 1, distinct) for successor in (set(after) if distinct else after))
