"""From round to round: places on a sheet, marking, zones, the end (rulebook: "A Game Round", step 5; "End of the Game")."""
from __future__ import annotations

import dataclasses
import re
from typing import Final, Self

from exactplay.common.words import whole
from exactplay.rules.contract import BadText, IllegalPosition, quoted
from exactplay.rules.winston84.difficulty import Difficulty
from exactplay.rules.winston84.options import Rules
from exactplay.rules.winston84.pieces import COLOURS, Colour
from exactplay.rules.winston84.round import Round
from exactplay.rules.winston84.sheet import MAXIMUM_SECURITY, PLAIN, Sheet

LAST_ROUND: Final = 8

_MOST_BOXES_A_ROUND = 36  # six dice of at most 6
_PLACE = re.compile(r"R([0-9]{1,6}) box ([0-9]{1,6}) marks ([0-9]{1,6})( fresh)?")


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Where the pencil stands before the roll of a round.

    ``round`` is the round about to be played, ``box`` the last box marked (0: none yet), ``marks`` the Big Brother boxes
    marked. ``fresh``: the last round ended on the zone that ``box`` is, so that Big Brother's eye costs a die now.
    """

    round: int
    box: int = 0
    marks: int = 0
    fresh: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``R5 box 17 marks 1 fresh``; raises :class:`BadText`."""
        match = _PLACE.fullmatch(" ".join(text.split()))
        if match is None:
            raise BadText(f"place {quoted(text)}: write R5 box 17 marks 1, then fresh if the last round ended on a zone")
        return cls(int(match[1]), int(match[2]), int(match[3]), match[4] is not None)

    def __str__(self) -> str:
        return f"R{self.round} box {self.box} marks {self.marks}" + (" fresh" if self.fresh else "")


@dataclasses.dataclass(frozen=True, slots=True)
class End:
    """A finished game and its final score; a lost game scores 0."""

    won: bool
    score: int


LOST: Final = End(won=False, score=0)


def first_place(difficulty: Difficulty) -> Place:
    """Where a game begins."""
    return Place(difficulty.first_round)


def check_place(sheet: Sheet, difficulty: Difficulty, place: Place) -> Place:
    """The place as a game would have it; raises :class:`IllegalPosition` for one that the sheet cannot produce.

    ``fresh`` is dropped where it means nothing: on a plain box, at the start and without Big Brother's eye. It may stand
    with 0 marks, because a question about the probability to win need not count them.
    """
    place = Place(
        whole(place.round, "round"), whole(place.box, "box"), whole(place.marks, "marks"), fresh=place.fresh
    )
    route = sheet.route_for(difficulty.level)
    first, boxes = difficulty.first_round, len(route)
    if not first <= place.round <= LAST_ROUND:
        raise IllegalPosition(f"round is {place.round}; at {difficulty} it must be {first} to {LAST_ROUND}")
    if not 0 <= place.box <= boxes:
        raise IllegalPosition(
            f"box is {place.box}; at {difficulty} the route has boxes 1 to {boxes}, and 0 means none marked yet"
        )
    played = place.round - first
    if place.box > played * _MOST_BOXES_A_ROUND:
        raise IllegalPosition(
            f"box {place.box} cannot be marked before R{place.round}: {_rounds(played)} played, each of at most "
            f"{_MOST_BOXES_A_ROUND} boxes"
        )
    if not 0 <= place.marks <= played:
        raise IllegalPosition(
            f"{place.marks} Big Brother marks before R{place.round}: {_rounds(played)} played, each of at most one mark"
        )
    if place.marks and not route[: place.box].strip(PLAIN):
        raise IllegalPosition(f"{place.marks} Big Brother marks at box {place.box}, but no zone lies on the way to it")
    costs_a_die = difficulty.big_brothers_eye and _is_zone(route, place.box)
    return dataclasses.replace(place, fresh=bool(place.fresh) and costs_a_die)


def opening_round(sheet: Sheet, difficulty: Difficulty, rules: Rules, place: Place) -> Round:
    """The round about to be played at a place, before its roll: with what Big Brother's eye costs."""
    if not place.fresh:
        return Round.start(rules)
    zone = sheet.route_for(difficulty.level)[place.box - 1]
    if zone == MAXIMUM_SECURITY:
        return Round.start(rules, must_give_up=True)
    return Round.start(rules, removed=Colour(COLOURS.index(zone)))


def after_round(sheet: Sheet, difficulty: Difficulty, rules: Rules, place: Place, result: int) -> Place | End:
    """Mark the boxes of a round's result and look at where that leads; a failed round has result 0."""
    route = sheet.route_for(difficulty.level)
    box = place.box + result
    golden_country = box - len(route)
    if golden_country > 0:
        return End(True, difficulty.multiplier * sheet.points(place.round, golden_country, place.marks))
    if place.round == LAST_ROUND:
        return LOST
    triggered = _is_zone(route, box) and (result > 0 or rules.failed_round_rechecks_zone)
    return Place(place.round + 1, box, place.marks + triggered, triggered and difficulty.big_brothers_eye)


def _is_zone(route: str, box: int) -> bool:
    return box > 0 and route[box - 1] != PLAIN


def _rounds(count: int) -> str:
    return "one round was" if count == 1 else f"{count or 'no'} rounds were"
