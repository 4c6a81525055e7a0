"""A whole game (rulebook: "A Game Round", "End of the Game", "Final Scoring")."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Self

from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition, Shown, quoted
from exactplay.rules.winston84.difficulty import Difficulty
from exactplay.rules.winston84.journey import (
    LOST,
    End,
    Place,
    after_round,
    check_place,
    first_place,
    opening_round,
)
from exactplay.rules.winston84.moves import Decision, Roll
from exactplay.rules.winston84.options import Rules
from exactplay.rules.winston84.pieces import (
    BLUE,
    PLACED,
    RED,
    REMOVED,
    ROOM101,
    YELLOW,
    Dice,
    spelled,
)
from exactplay.rules.winston84.round import Round
from exactplay.rules.winston84.sheet import Sheet

_FORM: Final = "LEVEL | PLACE | DICE | RULES | SHEET, with x3, R5 box 17 marks 1 and R5 G3 B2 W4 Y1 P6 for the first three"
_WON = re.compile(r"won (-?[0-9]{1,15})")


@dataclasses.dataclass(frozen=True, slots=True)
class State(Shown):
    """A game on a sheet: the place from which the round goes out, and the round; or the end and no round."""

    rules: Rules
    sheet: Sheet
    difficulty: Difficulty
    at: Place | End
    round: Round | None

    @classmethod
    def start(cls, sheet: Sheet, difficulty: Difficulty, rules: Rules | None = None) -> Self:
        """A new game before its first roll."""
        return cls.resume(sheet, difficulty, first_place(difficulty), rules)

    @classmethod
    def resume(
        cls, sheet: Sheet, difficulty: Difficulty, place: Place, rules: Rules | None = None, dice: Dice | None = None
    ) -> Self:
        """A game before the roll at a place, or with the dice as they lie in its round; raises IllegalPosition."""
        rules = rules or Rules()
        place = check_place(sheet, difficulty, place)
        before = opening_round(sheet, difficulty, rules, place)
        if dice is None:
            return cls(rules, sheet, difficulty, place, before)
        begun = dice.having(PLACED) or dice.having(ROOM101) or dice.having(REMOVED)
        round = Round(rules, dice, before.must_give_up and not begun).check()
        _check_dice(before, round)
        return cls(rules, sheet, difficulty, place, round)

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the text form; ``options`` override its rules, and its sheet is found by its digest (:meth:`Sheet.known`).

        Raises :class:`BadText`, also where the sheet is not known, :class:`BadOption` and :class:`IllegalPosition`.
        """
        parts = [part.strip() for part in text.split("|", 4)]
        if not text.isprintable() or len(parts) < 5 or not parts[0].lower().startswith("x"):
            raise BadText(f"game {quoted(text)}: write {_FORM}")
        level, at, dice, rules, named = parts
        sheet = Sheet.known(named.partition(" ")[0])
        if sheet is None:
            raise BadText(f"the game was written for the sheet {quoted(named)}, which is unknown here; name its file first")
        difficulty = Difficulty.parse(level)
        chosen = Rules.parse(rules).with_options(options)
        if dice != "-":
            return cls.resume(sheet, difficulty, Place.parse(at), chosen, Dice.parse(dice))
        return cls(chosen, sheet, difficulty, _parse_end(at, sheet, difficulty), None)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read the JSON form, ``{"game": text, "sheet": the sheet's file}``, likewise."""
        for name, value in data.items():
            if name not in ("game", "sheet"):
                raise BadText(f"field {quoted(name)} is unknown; a game has game and sheet")
            if not isinstance(value, str):
                raise BadText(f"field {name} is {quoted(value)}; it must be text")
        if "game" not in data:
            raise BadText("the field game is missing")
        if "sheet" in data:
            sheet = Sheet.from_toml(data["sheet"])
            if not data["game"].split("|", 4)[-1].strip().startswith(sheet.short_digest):
                raise BadText("the sheet is another one than the game was written for")
        return cls.parse(data["game"], options)

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads back, the sheet's file included."""
        return {"game": str(self), "sheet": self.sheet.to_toml()}

    @property
    def players(self) -> int:
        """One: it is a solitaire game."""
        return 1

    def __str__(self) -> str:
        at = str(self.at) if isinstance(self.at, Place) else f"won {self.at.score}" if self.at.won else "lost"
        dice = str(self.round.dice) if self.round else "-"
        return " | ".join([str(self.difficulty), at, dice, self.rules.describe(), _sheet_text(self.sheet)])

    @property
    def to_move(self) -> int:
        """0 while the player decides, CHANCE before a roll, OVER."""
        return self.round.to_move if self.round else OVER

    def legal_moves(self) -> tuple[Decision, ...]:
        """The decisions of the round."""
        return self.round.legal_moves() if self.round else ()

    def iter_legal_moves(self) -> Iterator[Decision]:
        """The same one by one."""
        return iter(self.legal_moves())

    def chance_outcomes(self) -> tuple[tuple[Roll, Fraction], ...]:
        """Every roll of the dice that are to be rolled: 46,656 at the start of a round with six dice."""
        return self.round.chance_outcomes() if self.round else ()

    def play(self, move: Decision | Roll) -> Self:
        """The game after a decision or a roll, also through the end of the round; raises :class:`IllegalMove`."""
        if self.round is None or isinstance(self.at, End):
            raise IllegalMove(f"{move} is not possible: the game is over")
        round = self.round.play(move)
        if round.to_move != OVER:
            return dataclasses.replace(self, round=round)
        at = after_round(self.sheet, self.difficulty, self.rules, self.at, round.result)
        following = opening_round(self.sheet, self.difficulty, self.rules, at) if isinstance(at, Place) else None
        return dataclasses.replace(self, at=at, round=following)

    def scores(self) -> tuple[int, ...]:
        """The final score; only when the game is over."""
        if isinstance(self.at, Place):
            raise IllegalPosition("the game is not over")
        return (self.at.score,)


def _check_dice(before: Round, round: Round) -> None:
    """Refuse dice that no course of the round leaves as they are: what a forgotten p, x or die at the table looks like."""
    dice = round.dice
    placed, confined, removed = dice.having(PLACED), dice.having(ROOM101), dice.having(REMOVED)
    lost_before = before.dice.having(REMOVED)
    if not set(lost_before) <= set(removed):
        raise IllegalPosition(f"{spelled(lost_before)} cannot be in play: the last round ended on its Control Zone")
    blue_took_one = BLUE in placed + confined
    given_up = before.must_give_up and not round.must_give_up
    accounted = len(lost_before) + blue_took_one + given_up
    if len(removed) != accounted:
        raise IllegalPosition(
            f"{spelled(removed) or 'no die'} removed (a die not named is removed), but this round must lack {accounted}: "
            "one for the zone on which the last round ended, if Big Brother's eye saw it, and one when Blue is placed"
        )
    if YELLOW in placed and not confined:
        raise IllegalPosition("Yellow is placed but no die is in Room 101; mark the die that it sent there, such as Rx4")
    if confined and YELLOW not in placed + confined:
        raise IllegalPosition(f"{spelled(confined)} is in Room 101 but Yellow is not placed; only Yellow sends a die there")
    if confined == (YELLOW,) and dice[YELLOW].value != 5:
        raise IllegalPosition(f"Yellow is in Room 101 with {dice[YELLOW].value}; it goes there only with 5")
    company = placed + confined if round.rules.room101_is_placed else placed
    if RED in placed and len(company) == 1:
        raise IllegalPosition("Red is placed but no other die is; Red cannot be the first")
    if dice.to_roll and not placed and dice != before.dice:
        raise IllegalPosition(f"the round begins with {before.dice}; a die is given up after the roll")
    if round.to_move == OVER:
        raise IllegalPosition(f"the round is over with {dice}; give the place before the next roll instead")


def _parse_end(text: str, sheet: Sheet, difficulty: Difficulty) -> End:
    if text == "lost":
        return LOST
    match = _WON.fullmatch(text)
    if match is None:
        raise BadText(f"end of the game {quoted(text)}: write lost or won SCORE")
    score = int(match[1])
    possible = {
        difficulty.multiplier * sheet.points(round, boxes, marks)
        for round in range(difficulty.first_round, len(sheet.rounds))
        for boxes in range(1, len(sheet.golden_country) + 1)
        for marks in range(round - difficulty.first_round + 1)
    }
    if score not in possible:
        raise IllegalPosition(f"no game won at {difficulty} on this sheet scores {score}")
    return End(True, score)


def _sheet_text(sheet: Sheet) -> str:
    return f"{sheet.short_digest} {sheet.name}"
