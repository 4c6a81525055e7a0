"""The commands that ask one question: ``values``, ``value``, ``advise``, ``round``."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from exactplay.cli.common import JsonFlag, RuleOption, print_footer, print_json, print_result
from exactplay.cli.winston84.options import (
    BoxOption,
    DifficultyOption,
    FreshOption,
    MarksOption,
    ObjectiveOption,
    RoundOption,
    SheetOption,
)
from exactplay.cli.winston84.progress import open_solved
from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.answers import LEVELS, OBJECTIVES
from exactplay.questions.winston84.setting import Setting, ignored_fresh, read_dice, read_utility
from exactplay.questions.winston84.words import describe_plan, goal, show_percent
from exactplay.rules.winston84 import Dice, Difficulty, State, Objective, Round, Rules, Sheet
from exactplay.solvers.winston84 import advise as advise_game
from exactplay.solvers.winston84 import advise_round


def values(sheet: SheetOption = "reference", rule: RuleOption = None, as_json: JsonFlag = False) -> None:
    """The best win probability and the best expected score of a new game, for each difficulty."""
    answer_for_new_games(Sheet.load(sheet), Rules.from_texts(rule or []), LEVELS, OBJECTIVES, as_json=as_json)


def answer_for_new_games(
    sheet: Sheet,
    rules: Rules,
    levels: Iterable[Difficulty],
    objectives: Sequence[Objective],
    *,
    threads: int = 1,
    as_json: bool = False,
) -> None:
    """Print what a new game is worth, by difficulty and objective, solving what has not been solved yet."""
    table: dict[Difficulty, list[float]] = {}
    for level in levels:
        solutions = [open_solved(sheet, level, objective, rules, threads) for objective in objectives]
        table[level] = [solution.value() for solution in solutions]
    result = solutions[0].result()
    if as_json:
        print_json(answers.new_games(sheet, objectives, table, result))
        return
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    shown.add_column("difficulty")
    for objective in objectives:
        shown.add_column(goal(objective), justify="right")
    for level, row in table.items():
        cells = [
            f"{value:.6f}" if objective.kind == "score" else f"{100 * value:.6f} %"
            for objective, value in zip(objectives, row, strict=True)
        ]
        shown.add_row(str(level), *cells)
    print(f"a new game on sheet {sheet.name} under best play for each column (exact)")
    Console(highlight=False).print(shown)
    print_footer(result)


def value(
    sheet: SheetOption = "reference",
    difficulty: DifficultyOption = "1",
    objective: ObjectiveOption = "score",
    round: RoundOption = None,
    box: BoxOption = 0,
    marks: MarksOption = 0,
    fresh: FreshOption = False,
    rule: RuleOption = None,
    as_json: JsonFlag = False,
) -> None:
    """The value of a place on the sheet before the roll, under best play."""
    setting, aim = Setting.read(sheet, difficulty, rule), Objective.parse(objective)
    place = setting.place(round, box, marks, fresh)
    result = open_solved(setting.sheet, setting.difficulty, aim, setting.rules).result(place)
    result = dataclasses.replace(result, notes=result.notes + ignored_fresh(fresh, place))
    if as_json:
        print_json(answers.value(setting, aim, place, result))
    else:
        print(f"{setting}, {place}, before the roll")
        print_result(result, goal(aim))


def advise(
    roll: Annotated[
        str,
        typer.Option(
            "--roll", "--dice", metavar="DICE",
            help="'R5 G3 B2 W4 Y1 P6', p after the letter for a placed die, x for the one in Room 101; or 532416.",
        ),
    ],
    sheet: SheetOption = "reference",
    difficulty: DifficultyOption = "1",
    objective: ObjectiveOption = "score",
    round: RoundOption = None,
    box: BoxOption = 0,
    marks: MarksOption = 0,
    fresh: FreshOption = False,
    rule: RuleOption = None,
    as_json: JsonFlag = False,
) -> None:
    """The value of every decision with these dice, the best ones, and the plan up to the next roll."""
    setting, aim = Setting.read(sheet, difficulty, rule), Objective.parse(objective)
    place = setting.place(round, box, marks, fresh)
    dice = read_dice(roll, setting, place)
    game = State.resume(setting.sheet, setting.difficulty, place, setting.rules, dice)
    advice = advise_game(game, solution=open_solved(setting.sheet, setting.difficulty, aim, setting.rules))
    result = dataclasses.replace(advice.result, notes=advice.notes + ignored_fresh(fresh, place), pv=())
    if as_json:
        print_json(answers.advised(setting, aim, place, dice, result))
    else:
        print(f"{setting}, {place}, dice {dice}")
        print(f"before the roll: {advice.before_roll:.10g}")
        print(f"best: {describe_plan(advice.plan)}")
        print_result(result, goal(aim), moves_label="decision")


def round(
    dice: Annotated[str, typer.Option("--dice", "--roll", metavar="DICE", help="Dice text; a die not named is removed.")],
    utility: Annotated[
        str, typer.Option("--utility", metavar="U0,U1,...,U36", help="What each result from 0 to 36 is worth.")
    ],
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Maximum Security: a highest die is given up now.")
    ] = False,
    rule: RuleOption = None,
    as_json: JsonFlag = False,
) -> None:
    """One round on its own, for any utility of its result."""
    asked = Round(Rules.from_texts(rule or []), Dice.parse(dice), give_up).check()
    advice = advise_round(asked, read_utility(utility))
    if as_json:
        answer = advice.to_json()
        del answer["before_roll"]
        print_json({"dice": str(asked.dice), **answer})
    else:
        print(f"dice {asked.dice}")
        print(f"best: {describe_plan(advice.plan)}")
        best = advice.distributions[advice.plan[0]]
        print(f"after it: mean result {mean(best):.4f}, nothing marked with {show_percent(float(best[0]))}")
        print_result(dataclasses.replace(advice.result, pv=()), "expected utility", moves_label="decision")


def mean(distribution: Any) -> float:
    """The mean result of a distribution, float64[37]."""
    return float(sum(result * probability for result, probability in enumerate(distribution)))
