from typing import Any, final

import numpy as np
import numpy.typing as npt

from exactplay.cython_core.winston84.position import Position

@final
class Adviser:
    def __new__(
        cls,
        tables: dict[str, npt.NDArray[Any]],
        options: int,
        utility: npt.NDArray[np.float64],
        second: npt.NDArray[np.float64] | None = None,
    ) -> Adviser: ...
    @property
    def states(self) -> int: ...
    def decisions(self, position: Position) -> list[tuple[int, float]]: ...
    def value(self, position: Position) -> float: ...
    def distribution(self, position: Position) -> npt.NDArray[np.float64]: ...
