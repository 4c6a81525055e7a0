"""Winkeladvokat: the reference rules, written to be read beside the rulebook ("Playing the Game", "End of the Game").

A square is an index ``rank * n + file`` with a1 = 0; its name is ``"a1"`` and so on. The numbers on the squares are a
:class:`Board`, the options :class:`WinkeladvokatRules`, a position a frozen :class:`State`.
"""
from __future__ import annotations

import dataclasses
import functools
import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Final, Literal, Self

from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition, RulesBase, Shown, quoted

COLOURS: Final = ("Blue", "Red", "Yellow", "Green")
LAWYERS: Final = "BRYG"
ARTICLES: Final = "bryg"
EMPTY: Final = "."
SIZES: Final = range(3, 9)
ORTHOGONAL: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
_LARGEST_FILE: Final = 10**6  # bytes of a board's file
DIAGONAL: Final = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def full_supply(players: int) -> int:
    """The Articles that each player begins with ("Components", "Setup")."""
    return 25 if players == 2 else 15


@dataclasses.dataclass(frozen=True, slots=True)
class WinkeladvokatRules(RulesBase):
    """What the rulebook leaves open, as options."""

    game: ClassVar[str] = "winkeladvokat"
    explained: ClassVar[Mapping[str, str]] = {
        "end_check": "Whether the game ends as soon as any player is blocked, or only when the player about to move is.",
        "blocked_when": "Blocked is who has no detour left, or only who has all four neighbouring squares taken.",
        "empty_supply": "An empty supply blocks its player, or his Lawyer moves on without placing an Article.",
        "capture_directions": "The directions in which an Article may jump.",
        "captured_value": "What a captured Article is worth: one point, or the number on its square.",
        "start_corners": "Where the two Lawyers begin.",
    }

    end_check: Literal["immediate", "on_turn"] = "immediate"
    blocked_when: Literal["no_detour", "no_step"] = "no_detour"
    empty_supply: Literal["blocks", "moves_without_placing"] = "blocks"
    capture_directions: Literal["orthogonal", "diagonal", "both"] = "orthogonal"
    captured_value: Literal["one", "square"] = "one"
    start_corners: Literal["opposite", "adjacent"] = "opposite"

    def jump_directions(self) -> tuple[tuple[int, int], ...]:
        """The directions in which an Article may jump, as steps of file and rank."""
        return {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "both": ORTHOGONAL + DIAGONAL}[self.capture_directions]


@dataclasses.dataclass(frozen=True, slots=True)
class Board:
    """The numbers printed on the squares, from a1 along the ranks: ``size * size`` whole numbers, none negative."""

    size: int
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise IllegalPosition(f"a board of {self.size} x {self.size} squares; the size must be 3 to 8")
        if len(self.values) != self.size**2:
            raise IllegalPosition(f"a board of size {self.size} needs {self.size**2} numbers, not {len(self.values)}")
        for square, value in enumerate(self.values):
            if type(value) is not int or value < 0:
                name = square_name(square, self.size)
                raise IllegalPosition(f"the number on {name} is {quoted(value)}; it must be a whole number of 0 or more")

    @classmethod
    def rings(cls, size: int) -> Self:
        """The default numbers: 2 on the outermost ring, doubling inwards, 0 on the four corners."""
        if size not in SIZES:
            raise IllegalPosition(f"a board of {size} x {size} squares; the size must be 3 to 8")
        last = size - 1
        values = [2 ** (min(f, r, last - f, last - r) + 1) for r in range(size) for f in range(size)]
        for corner in (0, last, size * last, size * last + last):
            values[corner] = 0
        return cls(size, tuple(values))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a board's file; raises :class:`BadText` or OSError."""
        with path.open("rb") as stream:
            content = stream.read(_LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise BadText(f"{path}: a board is a TOML file of at most {_LARGEST_FILE:,} bytes; this one is larger")
        try:
            return cls.from_toml(content.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise BadText(f"{path} is not UTF-8 text: {error.reason}") from None

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read ``values = [[...], ...]``, the rows of numbers from the top rank down; raises :class:`BadText`."""
        try:
            rows = tomllib.loads(text).get("values")
        except (ValueError, RecursionError) as error:
            raise BadText(f"the board is not TOML: {' '.join(str(error).split())}") from None
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise BadText("a board is 'values = [[...], ...]': one list of whole numbers a rank, the top rank first")
        return cls.from_ranks(rows)

    @classmethod
    def from_ranks(cls, ranks: Sequence[Sequence[int]]) -> Self:
        """One list of numbers a rank, the top rank first."""
        for rank, row in zip(range(len(ranks), 0, -1), ranks, strict=True):
            if len(row) != len(ranks):
                raise BadText(f"rank {rank} of the board has {len(row)} numbers; it must have {len(ranks)}")
        return cls(len(ranks), tuple(value for row in reversed(ranks) for value in row))


def square_name(square: int, size: int) -> str:
    """The name of a square: file letter and rank number."""
    return "abcdefgh"[square % size] + str(square // size + 1)


@functools.total_ordering
@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """A detour (from, detour square, to) or a capture (from, then each landing square); sorted by its text."""

    kind: Literal["detour", "capture"]
    squares: tuple[str, ...]

    def __str__(self) -> str:
        return ("-" if self.kind == "detour" else "x").join(self.squares)

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other) if isinstance(other, Move) else NotImplemented

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``a1-a4-d4`` or ``c3xc5xe5``; raises :class:`BadText`."""
        if re.fullmatch(r"[a-h][1-8](-[a-h][1-8]){2}", text):
            return cls("detour", tuple(text.split("-")))
        if re.fullmatch(r"[a-h][1-8](x[a-h][1-8])+", text):
            return cls("capture", tuple(text.split("x")))
        raise BadText(f"{quoted(text)} is not a move; write a detour as a1-a4-d4 (from, turn, to), a capture as c3xc5xe5")


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
    rules: WinkeladvokatRules = WinkeladvokatRules()
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
        cls, size: int = 8, players: int = 2, rules: WinkeladvokatRules = WinkeladvokatRules(), board: Board | None = None
    ) -> Self:
        """The position before the first move ("Setup")."""
        board = board or Board.rings(size)
        if players not in (2, 3, 4):
            raise IllegalPosition(f"{players} players; there are 2, 3 or 4")
        last = board.size - 1
        corners = [0, last * board.size, last * board.size + last, last]
        if players == 2:
            corners = [0, corners[2] if rules.start_corners == "opposite" else corners[1]]
        squares = [EMPTY] * board.size**2
        for player in range(players):
            squares[corners[player]] = LAWYERS[player]
        return cls("".join(squares), 0, (full_supply(players),) * players, (0,) * players, board, rules)

    @classmethod
    def parse(
        cls, text: str, rules: WinkeladvokatRules = WinkeladvokatRules(), board: Board | None = None,
        earlier: tuple[str, ...] = (),
    ) -> Self:
        """Read the four fields; raises :class:`BadText` for their form and :class:`IllegalPosition` for what they say."""
        fields = text.split(" ")
        if len(fields) != 4:
            raise BadText(
                "a position has four fields with one space between them: board, to move, supply, captured; "
                f"here are {len(fields)}"
            )
        squares, size = _read_squares(fields[0])
        if len(fields[1]) != 1 or fields[1] not in ARTICLES:
            raise BadText(f"the player to move is {quoted(fields[1])}; it must be b, r, y or g")
        if board is not None and board.size != size:
            raise IllegalPosition(f"the position has {size} ranks and the board of numbers {board.size}")
        supply, captured = _read_numbers("supply", fields[2]), _read_numbers("captured points", fields[3])
        return cls(squares, ARTICLES.index(fields[1]), supply, captured, board or Board.rings(size), rules, earlier)

    def __str__(self) -> str:
        ranks = [self.squares[start : start + self.size] for start in range(0, self.size**2, self.size)]
        texts = [re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks)]
        numbers = [",".join(map(str, numbers)) for numbers in (self.supply, self.captured)]
        return " ".join(["/".join(texts), ARTICLES[self.turn], *numbers])

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

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """Nothing: chance has no part in this game."""
        return ()

    def play(self, move: Move) -> Self:
        """The position after a move; raises :class:`IllegalMove`."""
        if move not in self.legal_moves():
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
            captured=tuple(captured), earlier=(*self.earlier, str(self)) if remembers else (),
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
        if self.earlier.count(str(self)) >= 2:
            return True
        watched = range(self.players) if self.rules.end_check == "immediate" else [self.turn]
        return any(self.blocked(player) for player in watched) or not self._moves()

    def has_more_moves_than(self, number: int) -> bool:
        """Whether the player to move has more; found out one by one, as captures on a crowded board can be millions."""
        return next(itertools.islice(self._paths(), number, None), None) is not None

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


def _read_squares(text: str) -> tuple[str, int]:
    ranks = text.split("/")
    size = len(ranks)
    if size not in SIZES:
        raise IllegalPosition(f"the board has {size} ranks; it must have 3 to 8, separated by '/'")
    rows: list[str] = []
    for number, rank in zip(range(size, 0, -1), ranks, strict=True):
        row = ""
        for character in rank:
            if character in "12345678":
                row += EMPTY * int(character)
            elif character in LAWYERS + ARTICLES:
                row += character
            else:
                raise BadText(
                    f"rank {number} has {quoted(character)}; allowed are B R Y G, b r y g and runs of empty squares 1 to 8"
                )
        if len(row) != size:
            raise IllegalPosition(f"rank {number} has {len(row)} squares; with {size} ranks it must have {size}")
        rows.append(row)
    return "".join(reversed(rows)), size


def _read_numbers(name: str, text: str) -> tuple[int, ...]:
    numbers = text.split(",")
    for number in numbers:
        if not re.fullmatch(r"-?[0-9]{1,9}", number):
            raise BadText(f"{quoted(number)} in the {name} is not a whole number of at most nine digits")
    return tuple(map(int, numbers))
