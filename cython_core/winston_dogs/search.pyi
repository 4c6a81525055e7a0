from collections.abc import Callable
from typing import Self

from exactplay.cython_core.winston_dogs.position import Position

class Search:
    @property
    def nodes(self) -> int: ...
    @property
    def fill(self) -> float: ...
    def __new__(cls, root: Position, table_bytes: int = ..., poll: Callable[[int], bool] | None = None) -> Self: ...
