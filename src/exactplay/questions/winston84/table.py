"""The coach at the table: where a game stands, what is due, and what a step has brought."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from exactplay.common.errors import BadText
from exactplay.questions.answers import footer
from exactplay.questions.face import Answer, Block, Data, Play, Table
from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.course import Course, read_decisions
from exactplay.questions.winston84.drawing import Trail, dice_line, sheet_lines
from exactplay.questions.winston84.narration import roll_in_words, round_in_words
from exactplay.questions.winston84.setting import Setting, about, read_roll
from exactplay.questions.winston84.words import describe, describe_plan, goal, show_percent, show_value
from exactplay.rules.contract import CHANCE
from exactplay.rules.winston84 import Decision, Objective, Place, Roll, State, opening_round
from exactplay.solvers.winston84 import Advice, Solution, open_solution

_SHOWN_DECISIONS = 5
Moves = Sequence[Decision | Roll]


def solution_of(state: State, objective: Objective) -> Solution:
    """The solved sheet of a game."""
    return open_solution(state.sheet, state.difficulty, objective, state.rules)


def course_of(states: Sequence[State], moves: Moves, objective: Objective) -> Course:
    """A game with its steps."""
    return Course.of(states, moves, objective)


def opened(state: State, objective: Any) -> Answer:
    """Which game this is, and what its values rest on."""
    objective = Objective.of(objective)
    result = solution_of(state, objective).result()
    data = {
        **about(Setting(state.sheet, state.difficulty, state.rules)), "objective": str(objective),
        **answers.origins(result),
    }
    title = f"{state.difficulty} on sheet {state.sheet.name}, playing for the greatest {goal(objective)}"
    return Answer(data, (title, *(line for line in footer(result) if not str(line).startswith("effort"))))


def turn(states: Sequence[State], moves: Moves, advice: Advice | None, objective: Any) -> Answer:
    """Where the game stands, with advice where a decision is due."""
    objective = Objective.of(objective)
    course, state = course_of(states, moves, objective), states[-1]
    solution = solution_of(state, objective)
    data = answers.turn(course, solution, advice)
    blocks: list[Block] = list(round_in_words(course)) if course.last_step_ended_a_round else []
    if state.round is None or not isinstance(state.at, Place):
        return Answer(data, (*blocks, *sheet_of(course)))
    if advice is None:
        if state.round == opening_round(state.sheet, state.difficulty, state.rules, state.at):
            value = show_value(solution.value(state.at), objective)
            blocks += [*sheet_of(course), f"R{state.at.round}: {value} before the roll ({_kind(state)})"]
        return Answer(data, (*blocks, *roll_in_words(course)))
    best = _value(advice, advice.best[0])
    before = show_value(advice.before_roll or 0.0, objective)
    blocks += [
        dice_line(state.round.dice), ((f"Best: {describe_plan(advice.plan)}", "bold"),),
        f"  {show_value(best, objective)} ({_kind(state)}); {before} before the roll",
    ]
    if len(advice.best) > 1:
        blocks.append(f"  equally good: {', '.join(map(str, advice.best))}")
    others = [decision for decision in advice.ranked() if decision not in advice.best]
    for decision in others[: _SHOWN_DECISIONS - 1]:
        loss = show_value(best - _value(advice, decision), objective)
        blocks.append(f"  {decision} ({describe(decision)}) loses {loss}")
    if len(others) >= _SHOWN_DECISIONS:
        blocks.append(f"  and {len(others) - _SHOWN_DECISIONS + 1} that lose more; why lists them")
    return Answer(data, tuple(blocks))


def prompt(states: Sequence[State], moves: Moves, advice: Advice | None, objective: Any) -> str:
    """What is asked for."""
    state = states[-1]
    if state.round is None or not isinstance(state.at, Place):
        return "Enter ends, undo takes the last step back: "
    if advice is None:
        return f"R{state.at.round} roll of {' '.join(colour.letter for colour in state.round.dice.to_roll)}: "
    return f"R{state.at.round} decision [{advice.plan[0]}]: "


def hint(states: Sequence[State], moves: Moves, advice: Advice, objective: Any) -> Answer:
    """Every decision with what speaks for and against it."""
    objective = Objective.of(objective)
    best = _value(advice, advice.best[0])
    rows = []
    for decision in advice.ranked():
        results = advice.distributions[decision]
        loses = "best" if decision in advice.best else show_value(best - _value(advice, decision), objective)
        rows.append((
            str(decision), show_value(_value(advice, decision), objective), loses, f"{mean(results):.2f}",
            show_percent(results[0]),
        ))
    likely = sorted(enumerate(advice.distributions[advice.plan[0]]), key=lambda entry: -entry[1])[:6]
    shown = ", ".join(f"{result} ({show_percent(share)})" for result, share in likely if share > 0)
    return Answer(advice.to_json(), (
        Table(("decision", "value", "loses", "mean result", "nothing marked"), tuple(rows), (1, 2, 3, 4)),
        f"results after {advice.plan[0]}, likeliest first: {shown}",
        f"Values are the {goal(objective)}, {_kind(states[-1])}.",
    ))


def sheet_of(course: Course) -> tuple[Block, ...]:
    """The sheet as it lies on the table."""
    state, played = course.state, course.played()
    begun = [state.at.round] if isinstance(state.at, Place) else []
    rounds = tuple(one.place.round for one in played) + tuple(begun)
    marks = state.at.marks if isinstance(state.at, Place) else played[-1].place.marks
    stops = tuple(dict.fromkeys(one.box for one in played if one.box))
    return sheet_lines(state.sheet, state.difficulty, Trail(stops, rounds, marks))


def _show_sheet(states: Sequence[State], moves: Moves) -> Answer:
    course = course_of(states, moves, Objective("score"))
    return Answer({"stops": answers.stops(course)}, sheet_of(course))


def read_moves(state: State, text: str) -> tuple[Decision | Roll, ...]:
    """A roll, or decisions with blanks between them; raises BadText and IllegalMove."""
    if state.round is None:
        raise BadText("the game is over; Enter ends, undo takes the last step back")
    if state.to_move == CHANCE:
        return (read_roll(text, state.round.dice.to_roll),)
    if re.fullmatch(r"[1-6\s]+", text):
        raise BadText("a decision is due, not a roll; write one such as R or P>G, Enter for the best, or undo")
    return tuple(read_decisions(text, state.round))


def setup(state: State) -> Data:
    """How a game began, with the sheet itself."""
    return Course(state, Objective("score")).setup


def begun(kept: Mapping[str, Any]) -> State:
    """The start of a kept game; raises BadText."""
    return Course.read_setup({"objective": "score", **kept})[0]


def mean(distribution: Sequence[float]) -> float:
    """The mean result of a distribution."""
    return sum(result * probability for result, probability in enumerate(distribution))


def _value(advice: Advice, decision: Decision) -> float:
    return float(advice.moves[decision].value)  # type: ignore[union-attr, arg-type]  # they are exact numbers


def _kind(state: State) -> str:
    """What may be said of every value: it is exact, and for which sheet."""
    return "exact, on a reconstructed sheet" if state.sheet.provenance == "reconstruction" else "exact"


PLAY = Play(
    seen=lambda states, moves, seat: states[-1],
    read_moves=read_moves,
    told=lambda before, move, after, seat: "",
    rolled=True,
    players=1,
    seats="0",
    coached=True,
    opened=opened,
    turn=turn,
    prompt=prompt,
    hint=hint,
    words={"sheet": ("draw the sheet", _show_sheet)},
    command="coach",
    setup=setup,
    begin=begun,
)
