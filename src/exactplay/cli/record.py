"""A game in progress on disk: how it began and every move since, so that it can be undone, resumed and replayed."""
from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Self

from platformdirs import user_state_path

from exactplay.cli.common import write_whole
from exactplay.rules.contract import BadText


@dataclasses.dataclass
class Record:
    """The record of one game. ``setup`` is what rebuilds its first state, ``moves`` the text of each move and roll."""

    path: Path
    game: str
    setup: dict[str, Any]
    moves: list[str] = dataclasses.field(default_factory=list)

    @classmethod
    def default_path(cls, game: str) -> Path:
        """Where the unfinished game of a kind is kept when the user names no file."""
        return user_state_path("exactplay", appauthor=False) / f"{game}.json"

    @classmethod
    def load(cls, path: Path, game: str) -> Self:
        """Read a record; raises :class:`BadText` where the file is not one of this game."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            moves, setup = data["moves"], data["setup"]
            well_formed = isinstance(setup, dict) and isinstance(moves, list) and all(isinstance(m, str) for m in moves)
            right_game = data["game"] == game
        except (ValueError, RecursionError, KeyError, TypeError):
            well_formed = right_game = False
        if not (well_formed and right_game):
            raise BadText(f"{path} is not a saved game of {game}; delete it or name another file")
        return cls(path, game, setup, moves)

    def save(self) -> None:
        """Write the record, whole or not at all. Called after every move, so an interruption loses nothing."""
        data = {"game": self.game, "setup": self.setup, "moves": self.moves}
        write_whole(self.path, json.dumps(data, indent=1, ensure_ascii=False).encode())
