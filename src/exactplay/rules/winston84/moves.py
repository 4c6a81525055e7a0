"""The decisions of a round, its rolls, and their text forms."""
from __future__ import annotations

import dataclasses
import functools
import itertools
from fractions import Fraction
from typing import Self

from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winston84.pieces import (
    AVAILABLE,
    BLUE,
    GREEN,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    Colour,
    Dice,
)


class Move:
    """A decision of the player or a roll of the dice."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Decision | Roll:
        """Read a decision or a roll; a roll is what has a face in it. Raises :class:`BadText`."""
        return Roll.parse(text) if any(character in "0123456789" for character in text) else Decision.parse(text)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Decision(Move):
    """A die placed with its effect's choice, or a die given up at Maximum Security.

    ``targets`` (in colour order) are the dice that Green rolls again, or the one die that Blue removes, White changes or
    Purple flips; empty for Red, Yellow, Purple alone and a die given up. Texts: ``R``, ``G:BW``, ``B>W``, ``W>P``, ``Y``,
    ``P>G``, ``P``, ``-R``.
    """

    die: Colour
    targets: tuple[Colour, ...] = ()
    give_up: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a text of either case, Green's dice in any order; raises :class:`BadText`."""
        compact = "".join(text.split())
        if compact.startswith("-"):
            return cls(_colour(compact[1:], text), give_up=True)
        die, sign, named = _colour(compact[:1], text), compact[1:2], compact[2:]
        targets = tuple(sorted(_colour(letter, text) for letter in named))
        if die in targets or len(set(targets)) < len(targets):
            raise BadText(f"decision {quoted(text)} names a die twice; {_FORMS[die]}")
        well_formed = {
            RED: not sign,
            GREEN: sign == ":" and bool(targets),
            BLUE: sign == ">" and len(targets) == 1,
            WHITE: sign == ">" and len(targets) == 1,
            YELLOW: not sign,
            PURPLE: not sign or (sign == ">" and len(targets) == 1),
        }
        if not well_formed[die]:
            raise BadText(f"decision {quoted(text)}: {_FORMS[die]}")
        return cls(die, targets)

    def __str__(self) -> str:
        if self.give_up:
            return f"-{self.die.letter}"
        sign = ":" if self.die is GREEN else ">" if self.targets else ""
        return self.die.letter + sign + "".join(colour.letter for colour in self.targets)


_FORMS = {
    RED: "Red is written R",
    GREEN: "Green is written with the dice it rolls again, such as G:BW",
    BLUE: "Blue is written with the die it removes, such as B>W",
    WHITE: "White is written with the die it changes, such as W>P",
    YELLOW: "Yellow is written Y",
    PURPLE: "Purple is written with the other die it flips, such as P>G, or P alone",
}

# A round has 55 different decisions; an exhaustive walk asks for them hundreds of millions of times.
decision = functools.cache(Decision)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Roll(Move):
    """An outcome of chance: the dice that were rolled, in colour order, and the face that each shows. Text: ``R5 G3``."""

    colours: tuple[Colour, ...]
    faces: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read available dice in the form of :meth:`Dice.parse`; raises :class:`BadText`."""
        dice = Dice.parse(text)
        rolled = dice.having(AVAILABLE)
        if dice.to_roll or any(die.value for die in dice.six if die.status is not AVAILABLE):
            raise BadText(f"roll {quoted(text)}: a roll names each rolled die with its face, such as R5 G3")
        return cls(rolled, tuple(dice[colour].value for colour in rolled))

    def __str__(self) -> str:
        return " ".join(f"{colour.letter}{face}" for colour, face in zip(self.colours, self.faces, strict=True))


@functools.cache
def rolls(colours: tuple[Colour, ...]) -> tuple[tuple[Roll, Fraction], ...]:
    """All ways in which some dice can fall, each with its probability: 46,656 for all six."""
    probability = Fraction(1, 6 ** len(colours))
    return tuple((Roll(colours, faces), probability) for faces in itertools.product(range(1, 7), repeat=len(colours)))


def _colour(letter: str, text: str) -> Colour:
    try:
        return Colour.of(letter)
    except BadText:
        raise BadText(
            f"decision {quoted(text)}: {quoted(letter)} is no colour; write R, G:BW, B>W, W>P, Y, P>G, P or -R"
        ) from None
