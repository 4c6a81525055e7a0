from typing import final

import numpy as np
import numpy.typing as npt

from exactplay.cython_core.winston84.position import Position

@final
class RawInduction:
    def __new__(cls, options: int, utility: npt.NDArray[np.float64]) -> RawInduction: ...
    @property
    def states(self) -> int: ...
    def value(self, position: Position) -> float: ...
    def mean(self) -> float: ...
