"""``coach``: a whole game at the table, from the first roll to the final score."""
from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from exactplay.cli.common import JsonFlag
from exactplay.cli.record import Record
from exactplay.cli.winston84.progress import open_solved
from exactplay.cli.winston84.session import GAME, Session
from exactplay.questions.winston84.course import read_decisions
from exactplay.questions.winston84.setting import read_difficulty, read_roll
from exactplay.rules.contract import CHANCE, BadText
from exactplay.rules.winston84 import Objective, Rules, Sheet
from exactplay.solvers.winston84 import Advice, Solution, advise

if TYPE_CHECKING:
    from exactplay.cli.winston84.faces import Face

HELP: Final = """\
a roll       its faces in the order asked for, such as 532416, or dice text such as R5 G3 B2 W4 Y1 P6
a decision   R, G:BW, B>W, W>P, Y, P>G, P, -R (given up); Enter takes the best; several with blanks between them
why          every decision: its value, what it loses against the best, and which results it leads to
sheet        draw the sheet
undo         take the last step back, roll or decision
quit         leave; the game is kept, and the same command goes on with it"""


def coach(
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="FILE", help="The sheet on the table. (default: reference)")
    ] = None,
    difficulty: Annotated[
        str | None, typer.Option("--difficulty", "-d", metavar="1..5", help="The difficulty level. (default: 1)")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option("--objective", "-o", metavar="WHAT", help="score, win or at-least:T. (default: score)"),
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", metavar="NAME=VALUE", help="Switch an option; repeatable.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Where the game is kept. (default: the user's own place)")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new game, whatever was kept.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Advise a whole game at the table. It is kept after every step, so it survives Ctrl-C and goes on where it was."""
    from exactplay.cli.winston84.faces import JsonLines, Screen

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # its import makes the input line editable
    face = JsonLines() if as_json else Screen()
    path = file or Record.default_path(GAME)
    session = None
    if path.exists():
        if new:
            Record.load(path, GAME)  # only a saved game is written over
        else:
            session = Session.resume(path)
    if session is not None and session.over:
        face.say(f"The game kept in {path} is over; a new one begins.")
        session = None
    resumed = session is not None
    if session is None:
        session = Session.begin(
            path,
            Sheet.load(sheet or "reference"),
            read_difficulty(difficulty or "1"),
            Rules.from_texts(rule or []),
            Objective.parse(objective or "score"),
        )
    else:
        _require_the_same(session, sheet, difficulty, rule)
        if objective is not None:
            session.aim(Objective.parse(objective))
    game = session.game
    solution = open_solved(game.sheet, game.difficulty, session.objective, game.rules)
    face.open(session, solution, resumed)
    try:
        _Table(session, solution, face).run()
    except KeyboardInterrupt:
        print(f"\nThe game is kept in {path}.", file=sys.stderr)
        raise


def _require_the_same(session: Session, sheet: str | None, difficulty: str | None, rule: list[str] | None) -> None:
    """Refuse options that speak of another game than the one that is kept."""
    game, path = session.game, session.record.path
    asked = [
        ("sheet", None if sheet is None else Sheet.load(sheet).digest, game.sheet.digest),
        ("difficulty", None if difficulty is None else read_difficulty(difficulty), game.difficulty),
        ("rules", None if rule is None else Rules.from_texts(rule), game.rules),
    ]
    for name, wanted, kept in asked:
        if wanted is not None and wanted != kept:
            raise BadText(
                f"the game kept in {path} has another {name} ({game.difficulty}, sheet {game.sheet.name}, "
                f"{game.rules.describe()}); go on without that option, or begin afresh with --new"
            )


class _Table:
    """The conversation: one line of the player after another until the game is left."""

    def __init__(self, session: Session, solution: Solution, face: Face) -> None:
        self.session, self.solution, self.face = session, solution, face

    def run(self) -> None:
        while True:
            advice = advise(self.session.game, solution=self.solution) if self.session.game.to_move == 0 else None
            self.face.turn(self.session, self.solution, advice)
            steps = len(self.session.record.moves)
            while len(self.session.record.moves) == steps:
                try:
                    line = self.face.ask(self.session, advice)
                except EOFError:
                    line = "quit"
                word = line.strip().lower()
                if word in ("quit", "q", "exit") or (not word and self.session.over):
                    self.face.say(f"The game is kept in {self.session.record.path}.")
                    return
                try:
                    self._act(word, line, advice)
                except ValueError as error:
                    self.face.error(" ".join(str(error).split()))

    def _act(self, word: str, line: str, advice: Advice | None) -> None:
        session = self.session
        round = session.game.round
        if word in ("help", "h", "?"):
            self.face.say(HELP)
        elif word == "sheet":
            self.face.sheet(session)
        elif word in ("undo", "u"):
            text = session.undo()
            self.face.say("Nothing to undo: the game begins here." if text is None else f"Taken back: {text}")
        elif word == "why":
            if advice is None:
                raise BadText("nothing is to be decided now; give the roll first" if round else "the game is over")
            self.face.why(advice, session)
        elif round is None:
            raise BadText("the game is over; Enter ends, undo takes the last step back")
        elif session.game.to_move == CHANCE:
            if not word:
                raise BadText("write the faces of the roll, or help")
            session.play([read_roll(line, round.dice.to_roll)])
        elif not word and advice is not None:
            session.play([advice.plan[0]])
        elif re.fullmatch(r"[1-6\s]+", word):
            raise BadText("a decision is due, not a roll; write one such as R or P>G, Enter for the best, or undo")
        else:
            session.play(read_decisions(line, round))
