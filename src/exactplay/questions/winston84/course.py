"""A game from its start: every step since, so that it can be undone, replayed and told."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winston84 import (
    COLOURS,
    Decision,
    Difficulty,
    Move,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    State,
    first_place,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Played:
    """A round that is over: the place it went out from and the dice as they lay at its end."""

    place: Place
    round: Round

    @property
    def box(self) -> int:
        """The last box marked; past the route those of the Golden Country count on."""
        return self.place.box + self.round.result


class Course:
    """A game and the texts of its steps; raises :class:`BadText` for a step that does not fit."""

    def __init__(self, start: State, objective: Objective, steps: Iterable[str] = ()) -> None:
        self.objective = objective
        self.steps: list[str] = []
        self._states = [start]
        for number, text in enumerate(steps, 1):
            try:
                self._states.append(self.state.play(Move.parse(text)))
            except ValueError as error:
                raise BadText(f"step {number} ({text[:40]!r}) does not fit ({error})") from None
            self.steps.append(text)

    @classmethod
    def of(cls, states: Sequence[State], moves: Sequence[Decision | Roll], objective: Objective) -> Self:
        """A game whose states are known already."""
        course = cls(states[0], objective)
        course._states, course.steps = list(states), [str(move) for move in moves]
        return course

    @staticmethod
    def read_setup(setup: Mapping[str, Any]) -> tuple[State, Objective]:
        """The start and the objective that a record's setup describes; raises BadText."""
        try:
            if not all(isinstance(setup.get(key), str) for key in ("sheet", "objective")):
                raise BadText("sheet and objective must be text")
            sheet, difficulty = Sheet.from_toml(setup["sheet"]), Difficulty(setup["difficulty"])
            return (
                begin(sheet, difficulty, Rules.from_mapping(setup["rules"]), setup.get("place")),
                Objective.parse(setup["objective"]),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadText(f"the saved game is damaged ({error})") from None

    @classmethod
    def from_record(cls, setup: Mapping[str, Any], moves: Iterable[str]) -> Self:
        """The game of a record; raises BadText."""
        return cls(*cls.read_setup(setup), moves)

    @property
    def setup(self) -> dict[str, Any]:
        """What :meth:`from_record` begins with; ``place`` where the game was joined in its middle."""
        start = self._states[0]
        joined = {} if start.at == first_place(start.difficulty) else {"place": str(start.at)}
        return {
            "sheet": start.sheet.to_toml(), "difficulty": start.difficulty.level, "rules": start.rules.changed(),
            "objective": str(self.objective), **joined,
        }

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._states[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.to_move == OVER

    def play(self, moves: Sequence[Decision | Roll]) -> None:
        """Play some steps, all or none; raises IllegalMove."""
        states = [self.state]
        for move in moves:
            states.append(states[-1].play(move))
        self._states += states[1:]
        self.steps += [str(move) for move in moves]

    def undo(self) -> str | None:
        """Take the last step back and return its text; None at the start of the game."""
        if not self.steps:
            return None
        self._states.pop()
        return self.steps.pop()

    @property
    def start(self) -> Place:
        """Where the first step went out from."""
        place = self._states[0].at
        assert isinstance(place, Place)
        return place

    def played(self) -> list[Played]:
        """The rounds that are over."""
        rounds = []
        for before, after, text in zip(self._states, self._states[1:], self.steps, strict=False):
            if before.at != after.at and isinstance(before.at, Place) and before.round is not None:
                rounds.append(Played(before.at, before.round.play(Move.parse(text))))
        return rounds

    @property
    def last_step_ended_a_round(self) -> bool:
        """Whether the step that led here was the last one of its round."""
        return len(self._states) > 1 and self._states[-2].at != self.state.at


def begin(sheet: Sheet, difficulty: Difficulty, rules: Rules, place: str | None = None) -> State:
    """A game from its start, or joined before the roll at a place (``R5 box 17 marks 1``); raises ValueError."""
    if place is None:
        return State.start(sheet, difficulty, rules)
    if not isinstance(place, str):
        raise BadText(f"place is {str(place)[:20]!r}; it must be text")
    return State.resume(sheet, difficulty, Place.parse(place), rules)


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
