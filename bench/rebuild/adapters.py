"""The adapters: speed (``bench``), the frameworks' long checks (``verify``), playthroughs (``rebuild``)."""
from __future__ import annotations

from importlib.metadata import version

from open_spiel.python.algorithms.generate_playthrough import playthrough

from bench import DATA
from exactplay.adapters import open_spiel
from exactplay.adapters.steps import TABLES

PLAYTHROUGHS = DATA / "playthroughs"
#: which version of OpenSpiel wrote them: another one may print other lines
VERSION = PLAYTHROUGHS / "open_spiel.version"
_SEED = 1984


def rebuild(arguments: list[str]) -> None:
    """Write the playthrough of each game with OpenSpiel's generate_playthrough."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for game in TABLES:
        (PLAYTHROUGHS / f"{game}.txt").write_text(play_through(game), encoding="utf-8")
    VERSION.write_text(version("open_spiel") + "\n", encoding="utf-8")


def play_through(game: str) -> str:
    """The playthrough of a game with a fixed seed."""
    return str(playthrough(open_spiel.game_string(game), action_sequence=[], seed=_SEED))
