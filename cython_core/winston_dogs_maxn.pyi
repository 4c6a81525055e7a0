from collections.abc import Callable, Sequence

from typing_extensions import disjoint_base

from exactplay.cython_core.winston_dogs import Game

@disjoint_base
class MaxN:
    @property
    def nodes(self) -> int: ...
    @property
    def fill(self) -> float: ...
    def __new__(cls, root: Game, table_bytes: int = ..., look: Callable[[int], bool] | None = None) -> MaxN: ...
    def vector(self, path: Sequence[int] = (), depth: int = ..., nodes: int = ...) -> tuple[int, ...] | None: ...
