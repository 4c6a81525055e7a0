"""The five games as walks of small steps: the common ground of the adapters, without any framework.

:func:`table` sets a game up, :meth:`~.base.Table.begin` gives its first :class:`~.base.Position`, and each position says
who is to act, what is legal and what comes after it.
"""
from __future__ import annotations

from typing import Any, Final

from exactplay.adapters.steps.base import Chance, Deciding, Over, Position, Table, settled
from exactplay.adapters.steps.walk_the_dogs import WalkTheDogs
from exactplay.adapters.steps.winkeladvokat import Winkeladvokat
from exactplay.adapters.steps.winner import Winner
from exactplay.adapters.steps.winston84 import Winston84
from exactplay.adapters.steps.winston_dogs import WinstonDogs
from exactplay.common.words import one_of

TABLES: Final[dict[str, type[Table]]] = {
    kind.game: kind for kind in (Winston84, Winkeladvokat, Winner, WinstonDogs, WalkTheDogs)
}

__all__ = ["TABLES", "Chance", "Deciding", "Over", "Position", "Table", "settled", "table"]


def table(game: str, **options: Any) -> Table:
    """A game by its name, with settings and rule options; raises BadOption, BadText, IllegalPosition or OSError."""
    return TABLES[one_of(game, TABLES, "game")].of(options)
