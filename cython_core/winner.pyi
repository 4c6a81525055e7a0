from collections.abc import Callable, Sequence
from typing import final

_Combination = tuple[int, int, int, int, int, int]
_Exchange = tuple[int, int, int, int] | None

@final
class Game:
    def __new__(
        cls,
        hands: Sequence[tuple[int, int]],
        turn: int,
        stack: Sequence[_Combination],
        owner: int,
        played: int,
        out: Sequence[int],
        reversed_order: bool,
        exchange: _Exchange,
        rules: tuple[int, bool, bool, bool, bool],
    ) -> Game: ...
    @property
    def to_move(self) -> int: ...
    def moves(self) -> list[tuple[int, int, int]]: ...
    def play(self, action: int, a: int, b: int) -> None: ...
    def undo(self) -> None: ...
    def scores(self) -> tuple[int, ...]: ...
    def fields(
        self,
    ) -> tuple[list[tuple[int, int]], int, list[_Combination], int, int, list[int], bool, _Exchange]: ...
    def random_games(self, games: int, seed: int, objective: int = -1) -> tuple[int, list[int]]: ...
    def solve(
        self, objective: int, limit: int, table_mb: int, callback: Callable[[int], bool] | None = None
    ) -> tuple[list[tuple[tuple[int, ...], bool] | None], int, float]: ...
