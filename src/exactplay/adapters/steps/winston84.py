"""Winston 1984 in small steps: one action a decision, one step of chance a die."""
from __future__ import annotations

import dataclasses
import functools
import itertools
from typing import Any, ClassVar, Final

from exactplay.adapters.steps.base import (
    Chance,
    Features,
    Position,
    Table,
    Word,
    content_of,
)
from exactplay.rules.contract import CHANCE, BadText, RulesBase
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Colour,
    Decision,
    Dice,
    Difficulty,
    End,
    Objective,
    Place,
    Roll,
    Rules,
    Sheet,
    State,
    first_place,
)
from exactplay.rules.winston84.sheet import REFERENCE

_RED, _GREEN, _BLUE, _WHITE, _YELLOW, _PURPLE = Colour


def _decisions() -> tuple[Decision, ...]:
    """Every decision that the rules know, in order."""
    def others(die: Colour, *never: Colour) -> list[tuple[Colour, ...]]:
        return [(other,) for other in Colour if other not in (die, *never)]

    rerolled = [colour for colour in Colour if colour is not _GREEN]
    greens = itertools.chain.from_iterable(itertools.combinations(rerolled, n) for n in range(1, 6))
    targets: dict[Colour, list[tuple[Colour, ...]]] = {
        _RED: [()],
        _GREEN: list(greens),
        _BLUE: others(_BLUE, _YELLOW),
        _WHITE: others(_WHITE),
        _YELLOW: [()],
        _PURPLE: [(), *others(_PURPLE)],
    }
    placed = [Decision(die, choice) for die, choices in targets.items() for choice in choices]
    return (*sorted(placed), *(Decision(die, give_up=True) for die in Colour))


DECISIONS: Final = _decisions()
_NUMBER: Final = {decision: number for number, decision in enumerate(DECISIONS)}


@dataclasses.dataclass(frozen=True)
class Winston84(Table):
    """``sheet``: a file, or its text, or ``reference``; ``start``: a place such as ``R6 box 3 marks 0``, or one with dice,
    ``PLACE | DICE``.

    The return is what the objective makes of the end: the final score, or 1 or 0.
    """

    game: ClassVar[str] = "winston84"
    title: ClassVar[str] = "Winston: Nineteen Eighty-Four"
    rules_class: ClassVar[type[RulesBase]] = Rules
    private: ClassVar[tuple[str, ...]] = ()
    most_seats: ClassVar[int] = 1
    seats: ClassVar[int] = 1
    actions: ClassVar[tuple[str, ...]] = tuple(map(str, DECISIONS))
    outcomes: ClassVar[int] = 6

    rules: Rules
    sheet: str = REFERENCE
    difficulty: int = 1
    objective: str = "score"
    start: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sheet", content_of(self.sheet, REFERENCE))
        self.aim, self.first  # noqa: B018  # raises for what cannot be played

    @functools.cached_property
    def on_sheet(self) -> Sheet:
        """The route sheet."""
        return Sheet.load(REFERENCE) if self.sheet == REFERENCE else Sheet.from_toml(self.sheet)

    @functools.cached_property
    def aim(self) -> Objective:
        """The objective."""
        return Objective.parse(self.objective)

    @functools.cached_property
    def first(self) -> State:
        """The game before its first step."""
        difficulty = Difficulty(self.difficulty)
        if not self.start:
            return State.resume(self.on_sheet, difficulty, first_place(difficulty), self.rules)
        place, bar, dice = self.start.partition("|")
        if bar and not dice.strip():
            raise BadText(f"start {self.start[:60]!r} has no dice after the bar")
        return State.resume(
            self.on_sheet, difficulty, Place.parse(place), self.rules, Dice.parse(dice) if bar else None
        )

    @property
    def total(self) -> float | None:
        return None

    @functools.cached_property
    def bounds(self) -> tuple[float, float]:
        first = self.first.at
        assert isinstance(first, Place)
        sheet = self.on_sheet
        ends = [
            self.aim.utility(True, self.difficulty * sheet.points(round, boxes, first.marks + more))
            for round in range(first.round, LAST_ROUND + 1)
            for boxes in range(1, len(sheet.golden_country) + 1)
            for more in range(round - first.round + 1)
        ]
        lost = self.aim.utility(False, 0)
        return float(min(lost, *ends)), float(max(lost, *ends))

    @property
    def longest(self) -> int:
        return 7 * self._rounds  # a die given up, six placed

    @property
    def most_outcomes(self) -> int:
        return 11 * self._rounds  # six dice, five of them once more for Green

    @property
    def _rounds(self) -> int:
        assert isinstance(self.first.at, Place)
        return LAST_ROUND + 1 - self.first.at.round

    def begin(self) -> Position:
        return self.at(self.first)

    def at(self, state: Any) -> Position:
        if state.to_move != CHANCE:
            return super().at(state)
        return Chance(self, state, "roll", (1,) * 6, len(state.round.dice.to_roll), put_back=True)

    def spelling(self, state: Any, move: Any) -> Word:
        return (_NUMBER[move],)

    def resume(self, chance: Chance) -> Position:
        to_roll = chance.state.round.dice.to_roll
        return self.at(chance.state.play(Roll(to_roll, tuple(face + 1 for face in chance.drawn))))

    def outcome_label(self, chance: Chance, outcome: int) -> str:
        return f"{chance.state.round.dice.to_roll[len(chance.drawn)].letter}{outcome + 1}"

    def returns(self, state: Any) -> tuple[float, ...]:
        end = state.at
        return (float(self.aim.utility(end.won, end.score)) if isinstance(end, End) else 0.0,)

    def public(self, position: Position) -> str:
        rolled = "".join(f" {face + 1}" for face in position.drawn) if isinstance(position, Chance) else ""
        return " | ".join(str(position.state).split(" | ")[:3]) + (f" | rolled{rolled}" if rolled else "")

    @functools.cached_property
    def layout(self) -> dict[str, tuple[int, ...]]:
        return {"round": (LAST_ROUND + 1,), "box": (1,), "marks": (1,), "fresh": (1,), "status": (6, 4), "value": (6, 6)}

    def describe(self, position: Position, seat: int, into: Features) -> None:
        at, round = position.state.at, position.state.round
        if not isinstance(at, Place):
            return
        into["round"][at.round] = 1
        into["box"][0] = at.box / len(self.on_sheet.route_for(self.difficulty))
        into["marks"][0] = at.marks / (LAST_ROUND + 1)
        into["fresh"][0] = at.fresh
        for number, die in enumerate(round.dice.six):
            into["status"][number, die.status] = 1
            if die.value:
                into["value"][number, die.value - 1] = 1


