from typing import Any, final

import numpy as np
import numpy.typing as npt

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
    def decisions(self, code: int) -> list[tuple[int, float]]: ...
    def value(self, code: int) -> float: ...
    def distribution(self, code: int) -> npt.NDArray[np.float64]: ...
