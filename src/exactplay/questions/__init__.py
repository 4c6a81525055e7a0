"""What can be asked of each game, for every face: :data:`FACES` names the modules, :func:`face_of` imports one."""
from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactplay.questions.face import GameFace

@dataclasses.dataclass(frozen=True, slots=True)
class About:
    """What is known of a game before it is imported: its module, a line of help, and a command to try."""

    module: str
    help: str
    example: str


#: command -> what is known of its game; only what is asked about is imported
COMMANDS: dict[str, About] = {
    "winston84": About(
        "winston84", "Winston: Nineteen Eighty-Four, the dice and the route sheet.",
        'winston84 advise --difficulty 3 --roll "R5 G3 B2 W4 Y1 P6"',
    ),
    "winkeladvokat": About(
        "winkeladvokat", "Winkeladvokat: solve, analyse, play.",
        'winkeladvokat solve "3R/1r2/1b2/B3 b 2,2 0,0"',
    ),
    "winner": About(
        "winner", "Winner (Zheng Shangyou): exact play, fewest plays, advice with hidden hands.",
        'winner advise "5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2"',
    ),
    "dogs": About(
        "winston_dogs", "Winston, the dog cards.",
        'dogs solve "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0"',
    ),
    "walk": About(
        "walk_the_dogs", "Walk the Dogs (2 to 4 players).",
        'walk solve "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3"',
    ),
}


def face_of(command: str) -> GameFace:
    """The face of a game, by its command or by the name of its packages."""
    name = COMMANDS[command].module if command in COMMANDS else command
    return import_module(f"exactplay.questions.{name}").FACE  # type: ignore[no-any-return]


def faces() -> tuple[GameFace, ...]:
    """All of them."""
    return tuple(face_of(command) for command in COMMANDS)
