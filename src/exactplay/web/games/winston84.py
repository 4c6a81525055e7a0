"""``/api/winston84``: places, dice and whole games on a sheet that is given as text."""
from __future__ import annotations

import dataclasses
import functools
import threading
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from exactplay.questions.winston84 import FACE, answers, sheets
from exactplay.questions.winston84.course import Course, begin, read_decisions
from exactplay.questions.winston84.narration import roll_in_words, round_in_words
from exactplay.questions.winston84.setting import Setting, read_roll
from exactplay.questions.winston84.words import describe
from exactplay.render.winston84 import Trail, scores
from exactplay.render.winston84 import sheet as drawn_sheet
from exactplay.rules.contract import CHANCE, BadText, IllegalMove
from exactplay.rules.winston84 import Colour, Decision, Difficulty, Objective, Place, Rules, Sheet, State
from exactplay.rules.winston84.sheet import REFERENCE
from exactplay.solvers.winston84 import Forecast, Solution, advise, find_solution, open_forecast
from exactplay.web import tasks
from exactplay.web.jobs import Question
from exactplay.web.models import (
    BUSY,
    DRAWN,
    Asked,
    Choices,
    Chosen,
    Data,
    Drawing,
    JobState,
    MoveText,
    Problem,
    rule_options,
)
from exactplay.web.stream import ThePool, accepted

router = APIRouter()

SheetText = Annotated[
    str, Field(max_length=100_000, description="'reference', the shipped reconstruction, or the TOML text of a sheet.")
]
ObjectiveText = Annotated[str, Field(max_length=40, description="What is maximised: score, win or at-least:T.")]
Level = Annotated[int, Field(ge=1, le=5)]

UNSOLVED: dict[int | str, dict[str, Any]] = {
    409: {"model": Problem, "description": "This game has not been solved yet: POST it to solve first."},
}


class Setup(Asked):
    """Which game."""

    sheet: SheetText = REFERENCE
    difficulty: Level = 1
    rules: Chosen = Field({})

    def setting(self) -> Setting:
        """Sheet, difficulty and rules; raises ValueError."""
        return Setting(read_sheet(self.sheet), Difficulty(self.difficulty), Rules.from_mapping(self.rules))


class AtPlace(Setup):
    """Where in a game, before the roll."""

    objective: ObjectiveText = "score"
    round: int | None = Field(None, ge=0, le=8, description="The round about to be played; none: the first.")
    box: int = Field(0, ge=0, le=2000, description="The last box marked; 0: none yet.")
    marks: int = Field(0, ge=0, le=20, description="Big Brother boxes marked.")
    fresh: bool = Field(False, description="The last round ended on this very zone.")

    def state(self, dice: str | None = None) -> State:
        """The game at this place; raises ValueError."""
        given = {
            "sheet": read_sheet(self.sheet), "difficulty": str(self.difficulty), "box": self.box, "marks": self.marks,
            "round": None if self.round is None else str(self.round), "fresh": self.fresh, "roll": dice,
        }
        state: State = FACE.read(given, self.rules)
        return state


class AtDice(AtPlace):
    """Where in a round."""

    dice: str = Field(max_length=60, description="'R5 G3 B2 W4 Y1 P6', p after the letter for a placed die, or 532416.")

    def state(self, dice: str | None = None) -> State:
        """The game with these dice; raises ValueError."""
        return super().state(self.dice)


class Record(Setup):
    """A game from its start: the steps are rolls and decisions, as a downloaded record has them."""

    objective: ObjectiveText = "score"
    start: Annotated[str, StringConstraints(max_length=60)] | None = Field(
        None, description="Where a game was joined in its middle, such as 'R5 box 17 marks 1 fresh'; none: at its start."
    )
    steps: list[MoveText] = Field([], max_length=200)
    step: Annotated[str, StringConstraints(max_length=60)] | None = Field(
        None, description="What to play next, after the steps: a roll such as 532416, or a decision such as P>G."
    )

    def course(self) -> Course:
        """The game after the steps; raises ValueError."""
        setting = self.setting()
        start = begin(setting.sheet, setting.difficulty, setting.rules, self.start)
        course = Course(start, Objective.parse(self.objective), self.steps)
        if self.step is not None:
            _play(course, self.step)
        return course


class Draw(Record):
    """How to draw a game."""

    highlight: list[Annotated[str, StringConstraints(max_length=1)]] = Field([], max_length=6, description="Dice: R to P.")
    interactive: bool = Field(False, description="Whether dice and boxes are buttons.")
    narrow: bool = Field(False, description="For a narrow screen: half as many boxes a row.")
    dice: bool = Field(True, description="Whether the spaces for the dice are shown, and the dice.")


class Compare(Record):
    """What to compare."""

    decision: MoveText | None = Field(None, description="A legal decision, to see the distribution after it.")
    narrow: bool = Field(False, description="A drawing for a narrow screen.")


class Solve(Asked):
    """What to solve of a sheet."""

    sheet: SheetText = REFERENCE
    difficulty: list[Level] = Field([1, 2, 3, 4, 5], min_length=1, max_length=5)
    objective: list[ObjectiveText] = Field(["win", "score"], min_length=1, max_length=4)
    rules: Chosen = Field({})


class TradeOff(Setup):
    """How many policies to look for."""

    points: int = Field(9, ge=2, le=33)


class MoreChoices(Choices):
    """What can be chosen before a game."""

    sheets: list[str]
    difficulties: list[int]


@functools.lru_cache(maxsize=64)
def read_sheet(text: str) -> Sheet:
    """The shipped sheet by its name, or one from its text; never a file. Raises ValueError."""
    return Sheet.load(REFERENCE) if text == REFERENCE else Sheet.from_toml(text)


def solved(setting: Setting, objective: Objective) -> Solution:
    """The tables of a game; raises HTTPException where they have not been made yet."""
    try:
        return _solved(setting, objective)
    except LookupError:
        raise HTTPException(
            409, f"{setting} with objective {objective} has not been solved yet; solve it first"
        ) from None


@functools.lru_cache(maxsize=64)
def _solved(setting: Setting, objective: Objective) -> Solution:
    solution = find_solution(setting.sheet, setting.difficulty, objective, setting.rules)
    if solution is None:
        raise LookupError  # not kept by the cache
    return solution


def forecast_of(solution: Solution) -> Forecast:
    """The forecasts of a game; whoever comes while they are opened waits, so that they are computed once."""
    with _OPENING:
        return _open_forecast(solution)


_OPENING = threading.Lock()
_open_forecast = functools.lru_cache(maxsize=8)(open_forecast)


@router.get("/rules")
def rules() -> MoreChoices:
    """The rule options, and what else can be chosen."""
    return MoreChoices(
        options=rule_options(Rules), sheets=[REFERENCE], difficulties=[level.level for level in answers.LEVELS],
        objectives=["score", "win", "at-least:T"],
    )


@router.post("/sheet")
def sheet(asked: Setup) -> Data:
    """A sheet as it is played at a difficulty, its boxes counted, and what to look at again; ``toml`` is its file."""
    read = read_sheet(asked.sheet)
    shown = sheets.described(read, Difficulty(asked.difficulty))
    return {
        **shown, "detour": dataclasses.asdict(read.detour), "toml": read.to_toml(), "counted": sheets.survey(read),
        "doubts": sheets.doubts(read),
    }


@router.post("/parse")
def parse(asked: AtDice) -> Data:
    """The dice and the place in their own text forms, and the decisions that are legal now."""
    state = asked.state()
    return {**FACE.shown(state), **_legal(state)}


@router.post("/value", responses=UNSOLVED)
def value(asked: AtPlace) -> Data:
    """What a place is worth before the roll: ``exactplay winston84 value --json``."""
    state, objective = asked.state(), Objective.parse(asked.objective)
    setting, place = setting_of(state), place_of(state)
    return answers.value(setting, objective, place, solved(setting, objective).result(place))


@router.post("/advise", responses=UNSOLVED)
def advise_now(asked: AtDice) -> Data:
    """The value of every decision with these dice: ``exactplay winston84 advise --json``."""
    state, objective = asked.state(), Objective.parse(asked.objective)
    setting = setting_of(state)
    advice = advise(state, solution=solved(setting, objective))
    assert state.round is not None
    return answers.advised(setting, objective, place_of(state), state.round.dice, advice)


@router.post("/play", responses=UNSOLVED)
def play(asked: Record) -> Data:
    """A game after its steps, and one more if it is given: what is due, with advice where that is a decision.

    ``turn`` is what ``exactplay winston84 coach --json`` prints; ``record`` the steps in their own text form, with what a
    saved game of the coach has; ``words`` tells the last step, ``stops`` the last box that each round marked, ``lying`` how
    each die lies (value 0: to be rolled), ``plan`` the decisions of ``turn.plan`` in words.
    """
    course = asked.course()
    game = course.state
    solution = solved(asked.setting(), course.objective)
    advice = advise(game, solution=solution) if game.to_move == 0 else None
    words = round_in_words(course) if course.last_step_ended_a_round else []
    place = game.at if isinstance(game.at, Place) else course.played()[-1].place
    return {
        "turn": answers.turn(course, solution, advice), "record": {
            "game": "winston84", "setup": course.setup, "moves": course.steps,
        },
        "words": words + (roll_in_words(course) if game.to_move == CHANCE else []),
        "stops": answers.stops(course), "place": dataclasses.asdict(place),
        "dice": str(game.round.dice) if game.round and game.to_move != CHANCE else None,
        "lying": _lying(game), "plan": [describe(decision) for decision in advice.plan] if advice else [], **_legal(game),
    }


@router.post("/draw", response_class=Drawing, responses=DRAWN)
def draw(asked: Draw) -> Drawing:
    """The sheet as it lies on the table after the steps, with the dice."""
    course = asked.course()
    game = course.state
    dice = game.round.dice if game.round else None
    marks = game.at.marks if isinstance(game.at, Place) else course.played()[-1].place.marks
    # Of the rounds before a game was joined only the last box is known.
    unseen = (course.start.box,) * (course.start.round - game.difficulty.first_round)
    trail = Trail(unseen + tuple(stop["box"] for stop in answers.stops(course)), marks)
    return Drawing(drawn_sheet(
        game.sheet, game.difficulty, at=game.at, trail=trail, dice=dice, spaces=asked.dice, highlight=set(asked.highlight),
        interactive=asked.interactive, narrow=asked.narrow,
    ))


@router.post("/forecast", responses=UNSOLVED)
def forecast(asked: Compare) -> Data:
    """The exact distribution of the final score from here on, after a decision if one is given, and both as a drawing."""
    course = asked.course()
    solution = solved(asked.setting(), course.objective)
    seen = forecast_of(solution)
    now, after = seen.now(course.state), None
    if asked.decision is not None:
        decision = Decision.parse(asked.decision)
        if decision not in course.state.legal_moves():
            raise IllegalMove(f"{decision} is not possible now")
        after = seen.after(course.state)[decision]
    return answers.forecast(solution, course, now, after) | {
        "svg": scores(now, after, narrow=asked.narrow)
    }


@router.post("/solve", status_code=202, response_model=JobState, responses=BUSY)
async def solve(asked: Solve, pool: ThePool) -> JSONResponse:
    """A job that solves a sheet and keeps its tables; its result is that of ``exactplay winston84 solve --json``."""
    read, rules = await run_in_threadpool(read_sheet, asked.sheet), Rules.from_mapping(asked.rules)
    levels = [str(Difficulty(level).level) for level in dict.fromkeys(asked.difficulty)]
    objectives = [str(Objective.parse(text)) for text in dict.fromkeys(asked.objective)]
    about = {"sheet": read.digest, "rules": rules.changed(), "difficulty": levels, "objective": objectives}
    return _job(pool, "solve", about, sheet=read, rules=rules, difficulty=levels, objective=objectives, threads=1)


@router.post("/distribution", status_code=202, response_model=JobState, responses=BUSY)
async def distribution(asked: AtPlace, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winston84 distribution --json``."""
    state, objective = await run_in_threadpool(asked.state), str(Objective.parse(asked.objective))
    about = _about(setting_of(state)) | {"objective": objective, "place": str(place_of(state))}
    return _job(pool, "distribution", about, state, objective=objective)


@router.post("/trade-off", status_code=202, response_model=JobState, responses=BUSY)
async def trade_off(asked: TradeOff, pool: ThePool) -> JSONResponse:
    """A job; its result is that of ``exactplay winston84 trade-off --json``."""
    setting = await run_in_threadpool(asked.setting)
    return _job(
        pool, "trade-off", _about(setting) | {"points": asked.points}, sheet=setting.sheet, rules=setting.rules,
        difficulty=str(setting.difficulty.level), points=asked.points,
    )


def _job(pool: ThePool, ask: str, about: Data, position: State | None = None, **options: Any) -> JSONResponse:
    task = partial(tasks.answer, game="winston84", ask=ask, position=position, options=options)
    return accepted(pool, Question("winston84", ask, about, task))


def setting_of(state: State) -> Setting:
    """Sheet, difficulty and rules of a game."""
    return Setting(state.sheet, state.difficulty, state.rules)


def place_of(state: State) -> Place:
    """Where a game that is not over stands."""
    assert isinstance(state.at, Place)
    return state.at


def _play(course: Course, step: str) -> None:
    round = course.state.round
    if round is None:
        raise BadText("the game is over")
    if course.state.to_move == CHANCE:
        course.play([read_roll(step, round.dice.to_roll)])
    else:
        course.play(read_decisions(step, round))


def _legal(game: State) -> Data:
    return {"legal": [{"decision": str(decision), "words": describe(decision)} for decision in game.legal_moves()]}


def _lying(game: State) -> list[Data]:
    """The six dice in the order of their spaces; nothing once the game is over."""
    if game.round is None:
        return []
    dice = game.round.dice
    return [
        {"die": colour.letter, "name": colour.label, "value": die.value, "status": die.status.name.lower()}
        for colour, die in zip(Colour, dice.six, strict=True)
    ]


def _about(setting: Setting) -> Data:
    return {
        "sheet": setting.sheet.digest, "difficulty": setting.difficulty.level, "rules": setting.rules.changed(),
    }
