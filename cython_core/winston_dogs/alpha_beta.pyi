from collections.abc import Sequence
from typing import final

from exactplay.cython_core.winston_dogs.search import Search

@final
class AlphaBeta(Search):
    @property
    def fill(self) -> float: ...
    def value(self, path: Sequence[int] = (), guess: int = 0, depth: int = ..., nodes: int = ...) -> tuple[int, int]: ...
    def reaches(self, bound: int, path: Sequence[int] = (), nodes: int = ...) -> bool | None: ...
