from collections.abc import Sequence
from typing import final

_Combination = tuple[int, int, int, int, int, int]
_Exchange = tuple[int, int, int, int] | None

class TooManyMoves(Exception): ...

@final
class Position:
    def __init__(
        self,
        hands: Sequence[tuple[int, int]],
        turn: int,
        stack: Sequence[_Combination],
        owner: int,
        played: int,
        out: Sequence[int],
        reversed_order: bool,
        exchange: _Exchange,
        rules: tuple[int, bool, bool, bool, bool],
    ) -> None: ...
    @property
    def to_move(self) -> int: ...
    def moves(self, most: int = ..., *, one_a_shape: bool = False) -> list[tuple[int, int, int]]: ...
    def play(self, action: int, a: int, b: int) -> Position: ...
    def scores(self) -> tuple[int, ...]: ...
    def fields(
        self,
    ) -> tuple[list[tuple[int, int]], int, list[_Combination], int, int, list[int], bool, _Exchange]: ...
    def random_games(self, games: int, seed: int, objective: int = -1) -> tuple[int, list[int]]: ...
