from collections.abc import Sequence
from typing import final

from exactplay.cython_core.winston_dogs.search import Search

@final
class MaxN(Search):
    @property
    def fill(self) -> float: ...
    def vector(self, path: Sequence[int] = (), depth: int = ..., nodes: int = ...) -> tuple[int, ...] | None: ...
