"""What happens in a game at the table, told in sentences."""
from __future__ import annotations

from exactplay.questions.winston84.course import Course, Played
from exactplay.questions.winston84.words import names
from exactplay.rules.winston84 import COLOURS, Colour, End, Place, opening_round


def roll_in_words(course: Course) -> list[str]:
    """What is to be rolled, and which die is missing and why."""
    game = course.state
    if game.round is None or not isinstance(game.at, Place):
        return []
    opening = opening_round(game.sheet, game.difficulty, game.rules, game.at)
    to_roll = game.round.dice.to_roll
    if game.round != opening:
        return [f"Roll {names(to_roll)} again."]
    lines = []
    if len(to_roll) < 6:
        missing = [colour for colour in Colour if colour not in to_roll]
        lines.append(f"Big Brother's eye: {names(missing)} stays out of this round.")
    if opening.must_give_up:
        lines.append("Big Brother's eye: roll all six dice, then give up a highest one.")
    return [*lines, f"Roll {names(to_roll)}."]


def round_in_words(course: Course) -> list[str]:
    """How the last round ended and what it brings about."""
    game, last = course.state, course.played()[-1]
    result, place = last.round.result, last.place
    if last.round.failed:
        lines = [f"R{place.round} failed, as no die that is left can be placed: nothing is marked."]
    elif result == 0:
        lines = [f"R{place.round}: result 0, nothing is marked."]
    else:
        lines = [f"R{place.round}: result {result}, {_marked(course, last)}."]
    if isinstance(game.at, Place) and game.at.marks > place.marks:
        box = game.sheet.route_for(game.difficulty.level)[game.at.box - 1]
        zone = f"a {Colour(COLOURS.index(box)).label} Control Zone" if box in COLOURS else "Maximum Security"
        lines.append(f"Box {game.at.box} is {zone}: mark Big Brother box {game.at.marks}.")
    if course.over:
        lines.append(score_in_words(course))
    return lines


def _marked(course: Course, last: Played) -> str:
    route = course.state.sheet.route_for(course.state.difficulty.level)
    first, box = last.place.box + 1, last.box
    boxes = f"mark box {first}" if first == box else f"mark boxes {first} to {min(box, len(route))}"
    if box <= len(route):
        return boxes
    golden = min(box - len(route), len(course.state.sheet.golden_country))
    to_golden = f"mark {golden} of the Golden Country"
    return f"{boxes}, then {to_golden}" if first <= len(route) else to_golden


def score_in_words(course: Course) -> str:
    """How a finished game ended."""
    game, last = course.state, course.played()[-1]
    if not (isinstance(game.at, End) and game.at.won):
        return f"R{last.place.round} is over without the Golden Country: the game is lost and scores 0."
    sheet, place = game.sheet, last.place
    boxes = min(last.box - len(sheet.route_for(game.difficulty.level)), len(sheet.golden_country))
    golden = sheet.golden_country[boxes - 1]
    big_brother = sheet.big_brother[min(place.marks, len(sheet.big_brother) - 1)]
    return (
        f"You reached the Golden Country in R{place.round}: Golden Country {golden} + Big Brother {big_brother} + "
        f"Rounds {sheet.rounds[place.round]}, times {game.difficulty.multiplier}: {game.at.score} points."
    )
