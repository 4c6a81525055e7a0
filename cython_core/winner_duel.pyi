from collections.abc import Callable
from typing import final

_Table = tuple[int, int, int, int] | None

@final
class Solver:
    def __new__(cls, fours: bool, tiebreak: bool, bomb_variation: bool, table_mb: int) -> Solver: ...
    def clear(self) -> None: ...
    def at_least(
        self,
        hand0: int,
        hand1: int,
        turn: int,
        table: _Table,
        played: int,
        score: bool,
        threshold: int,
        limit: int,
        callback: Callable[[int], bool] | None = None,
    ) -> bool | None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def made(self) -> int: ...
    @property
    def fill(self) -> float: ...
    def candidates(self, me: int, other: int, table: _Table) -> list[tuple[int, int]]: ...
    def fewest_plays(self, a: int, b: int) -> int: ...
