"""A game at the table that is kept on disk."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from exactplay.cli.record import Record
from exactplay.questions.winston84.course import Course
from exactplay.rules.contract import BadText
from exactplay.rules.winston84 import Decision, Difficulty, State, Objective, Roll, Rules, Sheet

GAME = "winston84"


class Session(Course):
    """One game in progress. Every change is on disk before the method that made it returns."""

    def __init__(self, record: Record, start: State, objective: Objective) -> None:
        self.record = record
        try:
            super().__init__(start, objective, record.moves)
        except BadText as error:
            raise BadText(f"{record.path}: {error}; delete the file or begin with --new") from None
        record.moves = self.steps

    @classmethod
    def begin(cls, path: Path, sheet: Sheet, difficulty: Difficulty, rules: Rules, objective: Objective) -> Self:
        """A new game; the record takes the place of the one that stood there."""
        session = cls(Record(path, GAME, {}), State.start(sheet, difficulty, rules), objective)
        session.record.setup = session.setup
        session.record.save()
        return session

    @classmethod
    def resume(cls, path: Path) -> Self:
        """The game of a record; raises BadText where the file holds none."""
        record = Record.load(path, GAME)
        try:
            start, objective = cls.read_setup(record.setup)
        except BadText as error:
            raise BadText(f"{path}: {error}; delete it or begin with --new") from None
        return cls(record, start, objective)

    def aim(self, objective: Objective) -> None:
        """Go on for another objective."""
        self.objective = objective
        self.record.setup["objective"] = str(objective)
        self.record.save()

    def play(self, moves: Sequence[Decision | Roll]) -> None:
        """Play some steps, all or none; raises IllegalMove."""
        super().play(moves)
        self.record.save()

    def undo(self) -> str | None:
        """Take the last step back and return its text; None at the start of the game."""
        text = super().undo()
        if text is not None:
            self.record.save()
        return text
