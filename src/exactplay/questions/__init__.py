"""What can be asked of each game, for every face: :data:`FACES` names the modules, :func:`face_of` imports one."""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactplay.questions.face import GameFace

#: command -> (module, one line of help); only what is asked about is imported
COMMANDS: dict[str, tuple[str, str]] = {
    "winston84": ("winston84", "Winston: Nineteen Eighty-Four, the dice and the route sheet."),
    "winkeladvokat": ("winkeladvokat", "Winkeladvokat: solve, analyse, play."),
    "winner": ("winner", "Winner (Zheng Shangyou): exact play, fewest plays, advice with hidden hands."),
    "dogs": ("winston_dogs", "Winston, the dog cards."),
    "walk": ("walk_the_dogs", "Walk the Dogs (2 to 4 players)."),
}


def face_of(command: str) -> GameFace:
    """The face of a game, by its command or by the name of its packages."""
    name = COMMANDS[command][0] if command in COMMANDS else command
    return import_module(f"exactplay.questions.{name}").FACE  # type: ignore[no-any-return]


def faces() -> tuple[GameFace, ...]:
    """All of them."""
    return tuple(face_of(command) for command in COMMANDS)
