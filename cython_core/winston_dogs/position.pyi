from collections.abc import Sequence
from typing import final

import numpy as np
import numpy.typing as npt

@final
class Position:
    stuck: tuple[tuple[int, int], ...]
    @property
    def hands(self) -> tuple[int, ...]: ...
    @property
    def table(self) -> int: ...
    @property
    def pile(self) -> bytes: ...
    @property
    def turn(self) -> int: ...
    @property
    def points(self) -> tuple[int, ...]: ...
    @property
    def holders(self) -> tuple[int, int, int, int]: ...
    @property
    def skips(self) -> int: ...
    def __new__(
        cls,
        hands: Sequence[int],
        table: int = 0,
        pile: bytes = b"",
        turn: int = 0,
        longest: int = 0,
        shortest: int = 0,
        bone: int = -1,
        poo: int = -1,
        points: Sequence[int] | None = None,
        skips: int = 0,
        stuck: tuple[tuple[int, int], ...] = (),
    ) -> Position: ...
    @property
    def to_move(self) -> int: ...
    def legal_moves(self) -> tuple[int, ...]: ...
    def play(self, move: int) -> Position: ...
    def scores(self) -> tuple[int, ...]: ...

def random_games(start: Position, seed: int, scores: npt.NDArray[np.int16]) -> int: ...
