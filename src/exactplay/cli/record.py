"""A game in progress on disk: how it began and every move since, so that it can be undone, resumed and replayed."""
from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Self

from exactplay.common.errors import BadText, told
from exactplay.common.files import read_text, user_folder, write_whole
from exactplay.common.plain import read_object

LARGEST = 50_000_000  # bytes


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
        folder = user_folder("state")
        if folder is None:
            raise BadText("there is no home folder to keep the game in; name a file with --file")
        return folder / f"{game}.json"

    @classmethod
    def load(cls, path: Path, game: str) -> Self:
        """Read a record; raises :class:`BadText` where the file is not one of this game."""
        try:
            data = read_object(read_text(path, LARGEST))
            moves, setup = data["moves"], data["setup"]
            well_formed = isinstance(setup, dict) and isinstance(moves, list) and all(isinstance(m, str) for m in moves)
            right_game = data["game"] == game
        except (BadText, KeyError):
            well_formed = right_game = False
        if not (well_formed and right_game):
            raise BadText(f"{path} is not a saved game of {game}; delete it or name another file")
        return cls(path, game, setup, moves)

    def save(self) -> None:
        """Write the record, whole or not at all. Called after every move, so an interruption loses nothing."""
        if self.path.parent == user_folder("state"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"game": self.game, "setup": self.setup, "moves": self.moves}
        write_whole(self.path, json.dumps(data, indent=1).encode())

    def copy_to(self, path: Path) -> None:
        """Save the game in another file as well; raises OSError."""
        type(self)(path, self.game, self.setup, self.moves).save()

    def damaged(self, error: Exception) -> BadText:
        """What is said of a record that does not fit together."""
        return BadText(f"{self.path} is damaged ({told(error)}); delete it or name another file")
