from collections.abc import Callable
from typing import Self

from typing_extensions import disjoint_base

from exactplay.cython_core.winston_dogs.position import Position

@disjoint_base
class Search:
    @property
    def nodes(self) -> int: ...
    def __new__(cls, root: Position, table_bytes: int = ..., poll: Callable[[int], bool] | None = None) -> Self: ...
