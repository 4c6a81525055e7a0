"""Winkeladvokat in small steps: a detour is one action, a capture one a jump, then ``stop`` where it could go on."""
from __future__ import annotations

import dataclasses
import functools
import itertools
from typing import Any, ClassVar, Final

from exactplay.adapters.steps.base import (
    Features,
    Over,
    Position,
    Table,
    Word,
    content_of,
    deciding,
    margins,
    rotated,
)
from exactplay.rules.contract import RulesBase
from exactplay.rules.winkeladvokat import (
    ARTICLES,
    DIAGONAL,
    LAWYERS,
    ORTHOGONAL,
    Board,
    Rules,
    State,
    full_supply,
    square_name,
)

_DIRECTIONS: Final = ORTHOGONAL + DIAGONAL
#: decisions beyond those that place or take an Article; only moves that place nothing can need them
_IDLE: Final = 1_000


@dataclasses.dataclass(frozen=True)
class Winkeladvokat(Table):
    """``board``: a TOML file with the numbers, or its text, or nothing for the default ones; ``start``: a position, which
    then decides ``players`` and ``size``.

    On n x n squares action ``2n * c + t`` is the detour that turns on square c (a1 is 0, then along the ranks): with t
    below n it ends on rank t + 1 of the corner's file, from n on it ends on file t - n of its rank. Behind them come eight
    jumps from each square, and last ``stop``. Returns: with two players own score less the other's, else one's own score.
    """

    game: ClassVar[str] = "winkeladvokat"
    title: ClassVar[str] = "Winkeladvokat"
    rules_class: ClassVar[type[RulesBase]] = Rules
    private: ClassVar[tuple[str, ...]] = ()
    outcomes: ClassVar[int] = 0

    rules: Rules
    players: int = 2
    size: int = 8
    board: str = ""
    start: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", content_of(self.board))
        self.first  # noqa: B018  # raises for what cannot be played

    @functools.cached_property
    def first(self) -> State:
        """The position before the first move."""
        numbers = Board.from_toml(self.board) if self.board else None
        if self.start:
            return State.parse(self.start, self.rules.changed(), numbers)
        return State.initial(self.size, self.players, self.rules, numbers)

    @property
    def seats(self) -> int:
        return self.first.players

    @functools.cached_property
    def actions(self) -> tuple[str, ...]:
        n = self.first.size
        names = [square_name(square, n) for square in range(n * n)]
        detours = [
            f"turn {names[corner]} to {names[self._stop(corner, place)]}"
            for corner in range(n * n) for place in range(2 * n)
        ]
        # Directions with a jump off the board have a number all the same.
        jumps = [f"jump {name} {'-0+'[file + 1]}{'-0+'[rank + 1]}" for name in names for file, rank in _DIRECTIONS]
        return (*detours, *jumps, "stop")

    def _stop(self, corner: int, place: int) -> int:
        n = self.first.size
        return place * n + corner % n if place < n else corner // n * n + place - n

    @property
    def total(self) -> float | None:
        return 0.0 if self.seats == 2 else None

    @functools.cached_property
    def bounds(self) -> tuple[float, float]:
        first = self.first
        each = 1 if self.rules.captured_value == "one" else max(first.board.values)
        highest = max(first.captured) + sum(first.board.values) + each * full_supply(self.seats) * (self.seats - 1)
        return float(-highest if self.seats == 2 else 0), float(highest)

    @functools.cached_property
    def longest(self) -> int:
        supply = sum(self.first.supply)
        articles = supply + sum(piece in ARTICLES for piece in self.first.squares)
        idle = _IDLE if self.rules.empty_supply == "moves_without_placing" else 0
        return supply + 2 * articles + idle + 1

    @property
    def most_outcomes(self) -> int:
        return 0

    def begin(self) -> Position:
        return self.at(self.first)

    def at(self, state: Any) -> Position:
        # The moves cost more than all the rest, so they are asked for once: none are left at the end.
        moves = state.legal_moves()
        return deciding(self, state, self.words(state, moves)) if moves else Over(self, state)

    def seat(self, state: Any) -> int:
        return int(state.turn)

    @property
    def done(self) -> int:
        return len(self.actions) - 1

    def spelling(self, state: Any, move: Any) -> Word:
        n = self.first.size
        path = [("abcdefgh".index(name[0]), int(name[1]) - 1) for name in move.squares]
        if move.kind == "detour":
            (file, rank), (to_file, to_rank) = path[1:]
            return (2 * n * (rank * n + file) + (to_rank if to_file == file else n + to_file),)
        jumps = []
        for (file, rank), (to_file, to_rank) in itertools.pairwise(path):
            direction = _DIRECTIONS.index(((to_file - file) // 2, (to_rank - rank) // 2))
            jumps.append(2 * n**3 + 8 * (rank * n + file) + direction)
        return (*jumps, self.done)

    def returns(self, state: Any) -> tuple[float, ...]:
        return margins(state.scores())

    def public(self, position: Position) -> str:
        return " ".join([str(position.state), *(f"[{position.label(action)}]" for action in position.word)])

    @functools.cached_property
    def layout(self) -> dict[str, tuple[int, ...]]:
        n = self.first.size
        return {
            "lawyers": (self.seats, n, n), "articles": (self.seats, n, n), "jumping": (n, n), "to_move": (self.seats,),
            "supply": (self.seats,), "captured": (self.seats,),
        }

    def describe(self, position: Position, seat: int, into: Features) -> None:
        state, n = position.state, self.first.size
        for square, piece in enumerate(state.squares):
            for pieces, name in ((LAWYERS, "lawyers"), (ARTICLES, "articles")):
                if piece in pieces:
                    into[name][(pieces.index(piece) - seat) % self.seats, square // n, square % n] = 1
        for action in position.word:
            square = (action - 2 * n**3) // 8
            into["jumping"][square // n, square % n] = 1
        into["to_move"][(state.turn - seat) % self.seats] = 1
        into["supply"][:] = rotated([own / full_supply(self.seats) for own in state.supply], seat)
        most = max(1.0, self.bounds[1])
        into["captured"][:] = rotated([own / most for own in state.captured], seat)
