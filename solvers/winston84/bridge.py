"""Between rounds of the rules and positions of the core, whose words cython_core/winston84/position.pxd describes."""
from __future__ import annotations

import functools
from typing import Final

from exactplay.cython_core.winston84.position import Position
from exactplay.rules.winston84 import Colour, Decision, Dice, Die, Round, Rules, Status

ROUND_OPTIONS: Final = ("room101_is_placed", "white_needs_change", "purple_alone_ok")  # by bit of the core's options

_ROLLED = 7
_SECURITY_BIT = 1 << 42
_GIVE_UP_BIT = 512


def options_word(rules: Rules) -> int:
    """The options that matter within a round, for the core."""
    return sum(1 << bit for bit, name in enumerate(ROUND_OPTIONS) if getattr(rules, name))


def position_of(round: Round) -> Position:
    """A round, for the core."""
    code = _SECURITY_BIT if round.must_give_up else 0
    for colour, die in zip(Colour, round.dice.six, strict=True):
        if die.status is Status.AVAILABLE:
            code |= (die.value or _ROLLED) << 3 * colour
        elif die.status is Status.PLACED:
            code |= die.value << 18 + 3 * colour
        elif die.status is Status.ROOM101:
            code |= die.value << 36 | colour << 39
    return Position(code, options_word(round.rules))


def round_of(position: Position, rules: Rules) -> Round:
    """A round, from the core."""
    dice, code = [], position.code
    confined, in_room101 = Colour(code >> 39 & 7), code >> 36 & 7
    for colour in Colour:
        available, placed = code >> 3 * colour & 7, code >> 18 + 3 * colour & 7
        if available:
            dice.append(Die(Status.AVAILABLE, available % _ROLLED))
        elif placed:
            dice.append(Die(Status.PLACED, placed))
        elif in_room101 and colour is confined:
            dice.append(Die(Status.ROOM101, in_room101))
        else:
            dice.append(Die(Status.REMOVED, 0))
    return Round(rules, Dice(tuple(dice)), bool(code & _SECURITY_BIT))


@functools.cache
def decision_of(word: int) -> Decision:
    """The decision that a word of the core stands for."""
    targets = tuple(colour for colour in Colour if word >> 3 + colour & 1)
    return Decision(Colour(word & 7), targets, bool(word & _GIVE_UP_BIT))


def word_of(decision: Decision) -> int:
    """The core's word of a decision."""
    return decision.die | sum(8 << target for target in decision.targets) | (_GIVE_UP_BIT if decision.give_up else 0)
