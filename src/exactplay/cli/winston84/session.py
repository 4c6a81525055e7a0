"""A game at the table: its record on disk, replayed into states, and what the reading of a player's line needs."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from exactplay.cli.record import Record
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winston84 import (
    COLOURS,
    Decision,
    Difficulty,
    Game,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    parse_move,
)

GAME = "winston84"


@dataclasses.dataclass(frozen=True, slots=True)
class Played:
    """A round that is over: the place it went out from and the dice as they lay at its end."""

    place: Place
    round: Round

    @property
    def box(self) -> int:
        """The last box marked; past the route those of the Golden Country count on."""
        return self.place.box + self.round.result


class Session:
    """One game in progress. Every change is on disk before the method that made it returns."""

    def __init__(self, record: Record, start: Game, objective: Objective) -> None:
        self.record = record
        self.objective = objective
        self._states = [start]
        for number, text in enumerate(record.moves, 1):
            try:
                self._states.append(self.game.play(parse_move(text)))
            except ValueError as error:
                raise BadText(
                    f"{record.path}: step {number} ({text!r}) does not fit ({error}); delete the file or begin with --new"
                ) from None

    @classmethod
    def begin(cls, path: Path, sheet: Sheet, difficulty: Difficulty, rules: Rules, objective: Objective) -> Self:
        """A new game; the record takes the place of the one that stood there."""
        setup: dict[str, Any] = {
            "sheet": sheet.to_toml(), "difficulty": difficulty.level, "rules": rules.changed(), "objective": str(objective)
        }
        session = cls(Record(path, GAME, setup), Game.start(sheet, difficulty, rules), objective)
        session.record.save()
        return session

    @classmethod
    def resume(cls, path: Path) -> Self:
        """The game of a record; raises BadText where the file holds none."""
        record = Record.load(path, GAME)
        try:
            setup = record.setup
            if not all(isinstance(setup.get(key), str) for key in ("sheet", "objective")):
                raise BadText("sheet and objective must be text")
            start = Game.start(
                Sheet.from_toml(setup["sheet"]), Difficulty(setup["difficulty"]), Rules.from_mapping(setup["rules"])
            )
            objective = Objective.parse(setup["objective"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadText(f"{path}: the saved game is damaged ({error}); delete it or begin with --new") from None
        return cls(record, start, objective)

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._states[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.to_move == OVER

    def aim(self, objective: Objective) -> None:
        """Go on for another objective."""
        self.objective = objective
        self.record.setup["objective"] = str(objective)
        self.record.save()

    def play(self, moves: Sequence[Decision | Roll]) -> None:
        """Play some steps, all or none; raises IllegalMove."""
        states = [self.game]
        for move in moves:
            states.append(states[-1].play(move))
        self._states += states[1:]
        self.record.moves += [str(move) for move in moves]
        self.record.save()

    def undo(self) -> str | None:
        """Take the last step back and return its text; None at the start of the game."""
        if not self.record.moves:
            return None
        self._states.pop()
        text = self.record.moves.pop()
        self.record.save()
        return text

    def played(self) -> list[Played]:
        """The rounds that are over."""
        rounds = []
        for before, after, text in zip(self._states, self._states[1:], self.record.moves, strict=False):
            if before.at != after.at and isinstance(before.at, Place) and before.round is not None:
                rounds.append(Played(before.at, before.round.play(parse_move(text))))
        return rounds

    @property
    def last_step_ended_a_round(self) -> bool:
        """Whether the step that led here was the last one of its round."""
        return len(self._states) > 1 and self._states[-2].at != self.game.at


def read_decisions(text: str, round: Round) -> list[Decision]:
    """Read one decision or several with blanks between them; raises BadText or IllegalMove.

    Short forms: the signs may be missing (``GBW``), and so may the targets or the ``-`` where only one decision with that
    die is possible.
    """
    decisions = []
    for word in text.split():
        decision = _match(word.upper(), round) or Decision.parse(word)
        decisions.append(decision)
        round = round.play(decision)
    return decisions


def _match(word: str, round: Round) -> Decision | None:
    letters = [letter for letter in word if letter in COLOURS]
    if set(word) - set(COLOURS + ":>-") or not letters:
        return None
    die, targets = letters[0], sorted(letters[1:], key=COLOURS.index)
    of_this_die = [decision for decision in round.legal_moves() if decision.die.letter == die]
    for decision in of_this_die:
        if not decision.give_up and [target.letter for target in decision.targets] == targets:
            return decision
    return of_this_die[0] if len(of_this_die) == 1 and not targets else None
