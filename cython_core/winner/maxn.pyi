from collections.abc import Callable
from typing import final

from exactplay.cython_core.winner.position import Position

@final
class MaxN:
    def __new__(cls, objective: int, table_bytes: int) -> MaxN: ...
    @property
    def nodes(self) -> int: ...
    @property
    def fill(self) -> float: ...
    @property
    def crowded(self) -> bool: ...
    def values(
        self, position: Position, nodes: int, poll: Callable[[int], bool] | None = None
    ) -> list[tuple[tuple[int, ...], bool] | None]: ...
