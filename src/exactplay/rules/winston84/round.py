"""One round on its own: the game inside the game (rulebook: "Placing the Dice", "Dice Overview")."""
from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Self

from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalMove, IllegalPosition, quoted
from exactplay.rules.winston84.moves import Decision, Roll, decision, rolls
from exactplay.rules.winston84.options import Rules
from exactplay.rules.winston84.pieces import (
    AVAILABLE,
    BLUE,
    GONE,
    GREEN,
    PLACED,
    RED,
    REMOVED,
    ROOM101,
    UNROLLED,
    WHITE,
    YELLOW,
    Colour,
    Dice,
    Die,
    spelled,
)

Targets = tuple[Colour, ...]

GIVE_UP_TEXT: Final = "give up the highest"

_COLOURS: Final = tuple(Colour)
_NO_TARGET: Final[tuple[Targets, ...]] = ((),)
_AVAILABLE: Final = tuple(Die(AVAILABLE, value) for value in range(7))
_PLACED: Final = tuple(Die(PLACED, value) for value in range(7))
_ROOM101: Final = tuple(Die(ROOM101, value) for value in range(7))


@dataclasses.dataclass(frozen=True, slots=True)
class Round:
    """The dice of one round and what the player may still do with them.

    ``must_give_up``: the last round ended on Maximum Security with Big Brother's eye; the player gives up a highest die
    right after the roll. The constructor trusts its caller, because exhaustive walks build millions of rounds;
    :meth:`parse` and :meth:`check` do not.
    """

    rules: Rules
    dice: Dice
    must_give_up: bool = False

    @classmethod
    def start(cls, rules: Rules, removed: Colour | None = None, *, must_give_up: bool = False) -> Self:
        """A round before its roll; ``removed`` is the die lost to a Control Zone."""
        return cls(rules, Dice.before_the_roll(removed), must_give_up)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``DICE | RULES`` or ``DICE | give up the highest | RULES``; raises BadText or IllegalPosition."""
        dice, *middle, rules = [part.strip() for part in text.split("|")] if "|" in text else [text, "default rules"]
        if not text.isprintable() or middle not in ([], [GIVE_UP_TEXT]):
            raise BadText(f"round {quoted(text)}: write DICE | RULES or DICE | {GIVE_UP_TEXT} | RULES")
        return cls(Rules.parse(rules), Dice.parse(dice), must_give_up=bool(middle)).check()

    def check(self) -> Self:
        """This round, if it can be played on; raises :class:`IllegalPosition`.

        Any dice may be missing, and nobody asks in which order the placed ones were placed.
        """
        dice = self.dice
        confined, to_roll, green = dice.having(ROOM101), dice.to_roll, dice[GREEN]
        if dice.having(REMOVED) == _COLOURS:
            raise IllegalPosition("all dice are removed; a round has at least one die")
        if len(confined) > 1:
            raise IllegalPosition(f"{spelled(confined)} are in Room 101; at most one die can be")
        if confined and dice[YELLOW].status is AVAILABLE:
            raise IllegalPosition(f"{spelled(confined)} is in Room 101 but Yellow, who sends dice there, is not placed")
        if self.must_give_up and len(dice.having(AVAILABLE)) < 6:
            raise IllegalPosition("the highest die is given up right after the roll of six, but not all six are available")
        is_first_roll = to_roll and len(to_roll) + len(dice.having(REMOVED)) == 6
        is_green_roll = to_roll and green.status is PLACED and len(to_roll) == green.value
        if to_roll and not (is_first_roll or is_green_roll):
            raise IllegalPosition(
                f"{spelled(to_roll)} about to be rolled; all dice are at the start, or as many as a placed Green shows"
            )
        return self

    def __str__(self) -> str:
        return " | ".join([str(self.dice), *([GIVE_UP_TEXT] if self.must_give_up else []), self.rules.describe()])

    @property
    def to_move(self) -> int:
        """0 while the player decides, CHANCE while dice are to be rolled, OVER."""
        if UNROLLED in self.dice.six:
            return CHANCE
        if self.must_give_up:
            return 0
        six = self.dice.six
        return 0 if any(six[colour].status is AVAILABLE and self._choices(colour) for colour in _COLOURS) else OVER

    def legal_moves(self) -> tuple[Decision, ...]:
        """Every placeable die with every choice of its effect; at Maximum Security the highest dice."""
        six = self.dice.six
        if UNROLLED in six:
            return ()
        if self.must_give_up:
            return tuple(decision(colour, (), True) for colour in self._highest())
        return tuple(
            [
                decision(colour, targets)
                for colour in _COLOURS
                if six[colour].status is AVAILABLE
                for targets in self._choices(colour)
            ]
        )

    def chance_outcomes(self) -> tuple[tuple[Roll, Fraction], ...]:
        """Every way in which the dice that are to be rolled can fall."""
        return rolls(self.dice.to_roll) if UNROLLED in self.dice.six else ()

    def play(self, move: Decision | Roll) -> Self:
        """The round after a decision or a roll; raises :class:`IllegalMove`."""
        six = list(self.dice.six)
        if isinstance(move, Roll):
            self._require_roll(move)
            for colour, face in zip(move.colours, move.faces, strict=True):
                six[colour] = _AVAILABLE[face]
            return self._next(six, self.must_give_up)
        if self.must_give_up or move.give_up:
            if not (self.must_give_up and move.give_up and move in self.legal_moves()):
                raise self._illegal(move)
            six[move.die] = GONE
            return self._next(six)
        if UNROLLED in six or six[move.die].status is not AVAILABLE or move.targets not in self._choices(move.die):
            raise self._illegal(move)
        self._apply(move.die, move.targets, six)
        return self._next(six)

    @property
    def failed(self) -> bool:
        """Whether the round ended with available dice of which none could be placed; only when it is over."""
        self._require_over()
        return any(die.status is AVAILABLE for die in self.dice.six)

    @property
    def result(self) -> int:
        """Placed dice minus Room 101, at least 0; 0 for a failed round; only when the round is over."""
        if self.failed:
            return 0
        sign = {PLACED: 1, ROOM101: -1, REMOVED: 0}
        return max(0, sum(sign[die.status] * die.value for die in self.dice.six))

    def scores(self) -> tuple[int, ...]:
        """The result."""
        return (self.result,)

    def _choices(self, colour: Colour) -> Iterable[Targets]:
        """What the player may pick for the effect of an available die, in order; nothing if it is not placeable."""
        six = self.dice.six
        value = six[colour].value
        if colour is RED:
            return _NO_TARGET if self._counting_for_red() else ()
        if colour is GREEN:
            available = [other for other in _COLOURS if other is not GREEN and six[other].status is AVAILABLE]
            return tuple(itertools.combinations(available, value))
        if colour is YELLOW:
            named = _COLOURS[value - 1]
            return _NO_TARGET if named is YELLOW or six[named].status is PLACED else ()
        in_play = [
            other
            for other in _COLOURS
            if other is not colour and (six[other].status is AVAILABLE or six[other].status is PLACED)
        ]
        if colour is BLUE:
            return [(other,) for other in in_play if other is not YELLOW and six[other].value > value]
        if colour is WHITE:
            repeating = [six[other].value for other in in_play]
            if self.rules.room101_is_placed:
                repeating += [die.value for die in six if die.status is ROOM101]
            return [
                (other,)
                for other in in_play
                if repeating.count(six[other].value) >= 2
                and not (self.rules.white_needs_change and six[other].value == value)
            ]
        alone = _NO_TARGET if self.rules.purple_alone_ok or not in_play else ()
        return [*alone, *[(other,) for other in in_play]]

    def _apply(self, colour: Colour, targets: Targets, six: list[Die]) -> None:
        """Place a die and carry out its effect."""
        value = six[colour].value
        six[colour] = _PLACED[value]
        if colour is RED:
            six[RED] = _PLACED[min(self._counting_for_red())]
        elif colour is GREEN:
            for target in targets:
                six[target] = UNROLLED
        elif colour is BLUE:
            six[targets[0]] = GONE
        elif colour is WHITE:
            six[targets[0]] = Die(six[targets[0]].status, value)
        elif colour is YELLOW:
            confined = _COLOURS[value - 1]
            six[confined] = _ROOM101[six[confined].value]
        else:
            for flipped in (colour, *targets):
                six[flipped] = Die(six[flipped].status, 7 - six[flipped].value)

    def _counting_for_red(self) -> list[int]:
        """The values of the dice among which Red seeks the lowest; Red itself is not placed yet."""
        room101_counts = self.rules.room101_is_placed
        return [
            die.value for die in self.dice.six if die.status is PLACED or (room101_counts and die.status is ROOM101)
        ]

    def _highest(self) -> list[Colour]:
        highest = max(die.value for die in self.dice.six)
        return [colour for colour in _COLOURS if self.dice.six[colour].value == highest]

    def _next(self, six: list[Die], must_give_up: bool = False) -> Self:
        return type(self)(self.rules, Dice(tuple(six)), must_give_up)

    def _require_roll(self, move: Roll) -> None:
        to_roll = self.dice.to_roll
        if not to_roll:
            raise IllegalMove(f"{move} is a roll, but no die is to be rolled now")
        if move.colours != to_roll or len(move.faces) != len(to_roll) or not all(1 <= face <= 6 for face in move.faces):
            faces = ", ".join(f"{colour.letter} {face}" for colour, face in zip(move.colours, move.faces, strict=False))
            raise IllegalMove(f"the roll has {faces}; it must have {spelled(to_roll)}, each with a face from 1 to 6")

    def _illegal(self, move: Decision) -> IllegalMove:
        if UNROLLED in self.dice.six:
            return IllegalMove(f"{move} is not possible before {spelled(self.dice.to_roll)} are rolled")
        legal = " ".join(str(one) for one in self.legal_moves()) or "nothing, as the round is over"
        return IllegalMove(f"{move} is not possible with {self.dice}; possible: {legal}")

    def _require_over(self) -> None:
        if self.to_move != OVER:
            raise IllegalPosition(f"the round is not over: {self.dice}")
