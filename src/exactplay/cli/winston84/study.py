"""The commands for whole games: ``solve``, ``distribution``, ``trade-off``, ``simulate``."""
from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer

from exactplay.cli.common import JsonFlag, RuleOption, print_footer, print_json
from exactplay.cli.winston84.ask import answer_for_new_games
from exactplay.cli.winston84.options import (
    BoxOption,
    DifficultyOption,
    FreshOption,
    MarksOption,
    ObjectiveOption,
    RoundOption,
    SheetOption,
)
from exactplay.cli.winston84.progress import bar, open_solved
from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.answers import LEVELS, OBJECTIVES
from exactplay.questions.winston84.setting import Setting, ignored_fresh, read_difficulty
from exactplay.questions.winston84.words import goal, show_percent
from exactplay.rules.contract import BadText
from exactplay.rules.winston84 import Objective, Rules, Sheet
from exactplay.solvers.winston84 import MOST_GAMES, outlook
from exactplay.solvers.winston84 import simulate as simulate_games
from exactplay.solvers.winston84 import trade_off as find_trade_off

_SHOWN_SCORES = 25


def solve(
    sheet: SheetOption = "reference",
    difficulty: Annotated[
        list[str] | None,
        typer.Option("--difficulty", "-d", metavar="1..5", help="A difficulty level; repeatable. (default: all)"),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option("--objective", "-o", metavar="WHAT", help="score, win, at-least:T; repeatable. (default: win, score)"),
    ] = None,
    rule: RuleOption = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="The values are the same for any number.")] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Solve a sheet and keep its tables, so that every later question about it is answered at once."""
    levels = [read_difficulty(text) for text in difficulty] if difficulty else LEVELS
    objectives = [Objective.parse(text) for text in objective] if objective else OBJECTIVES
    rules = Rules.from_texts(rule or [])
    answer_for_new_games(Sheet.load(sheet), rules, levels, objectives, threads=threads, as_json=as_json)


def distribution(
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
    """The exact distribution of the final score if an objective is played for optimally."""
    setting, aim = Setting.read(sheet, difficulty, rule), Objective.parse(objective)
    place = setting.place(round, box, marks, fresh)
    solution = open_solved(setting.sheet, setting.difficulty, aim, setting.rules)
    with bar("distribution") as report:
        found = outlook(solution, place, progress=report)
    result = solution.result(place)
    result = dataclasses.replace(result, notes=result.notes + ignored_fresh(fresh, place))
    if as_json:
        print_json(answers.distribution(setting, aim, place, found, result))
        return
    from rich.console import Console
    from rich.table import Table

    print(f"{setting}, {place}, playing for the greatest {goal(aim)} (exact)")
    print(f"expected score {found.expected_score:.6f}; won {show_percent(found.win_probability)}, "
          f"lost {show_percent(found.lost)}")
    # Scores lie close together on some sheets; ranges of them keep the table short.
    listed = sorted(found.scores, reverse=True)
    size = -(-len(listed) // _SHOWN_SCORES) or 1
    table = Table(box=None, pad_edge=False)
    for heading in ("final score", "probability", "this or more"):
        table.add_column(heading, justify="right")
    so_far = 0.0
    for start in range(0, len(listed), size):
        part = listed[start : start + size]
        share = sum(found.scores[score] for score in part)
        so_far += share
        label = f"{part[-1]} to {part[0]}" if len(part) > 1 else str(part[0])
        table.add_row(label, show_percent(share), show_percent(so_far))
    table.add_row("lost", show_percent(found.lost), "")
    Console(highlight=False).print(table)
    print_footer(result)


def trade_off(
    sheet: SheetOption = "reference",
    difficulty: DifficultyOption = "1",
    points: Annotated[int, typer.Option("--points", min=2, help="At most so many policies.")] = 9,
    rule: RuleOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Policies between the safest and the one that scores most: what a little risk brings."""
    setting = Setting.read(sheet, difficulty, rule)
    with bar("trade-off") as report:
        front = find_trade_off(setting.sheet, setting.difficulty, setting.rules, points=points, progress=report)
    result = open_solved(setting.sheet, setting.difficulty, Objective("score"), setting.rules).result()
    if as_json:
        print_json(answers.trade_off(setting, front, result))
        return
    from rich.console import Console
    from rich.table import Table

    print(f"{setting}: no policy is better in both than one of these (exact)")
    table = Table(box=None, pad_edge=False)
    for heading in ("expected score", "win probability", "weight on winning"):
        table.add_column(heading, justify="right")
    for point in front:
        table.add_row(f"{point.score:.4f}", f"{100 * point.win:.4f} %", f"{point.weight:.4f}")
    Console(highlight=False).print(table)
    print_footer(result)


def simulate(
    sheet: SheetOption = "reference",
    difficulty: DifficultyOption = "1",
    policy: Annotated[
        str, typer.Option("--policy", metavar="WHO", help="score, win or at-least:T (optimal for it), greedy or random.")
    ] = "score",
    games: Annotated[int, typer.Option("--games", "-n", min=2, max=MOST_GAMES, help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same games.")] = 0,
    rule: RuleOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Play whole games at random dice and average them."""
    setting = Setting.read(sheet, difficulty, rule)
    who: Any = policy
    if policy not in ("greedy", "random"):
        try:
            who = Objective.parse(policy)
        except BadText:
            raise BadText(
                f"policy {policy[:60]!r} is unknown; write score, win or at-least:900 (optimal for it), greedy or random"
            ) from None
    with bar("simulation") as report:
        simulated = simulate_games(setting.sheet, setting.difficulty, games, seed, who, setting.rules, progress=report)
    result = open_solved(setting.sheet, setting.difficulty, Objective("score"), setting.rules).result()
    if as_json:
        print_json(answers.simulation(setting, str(who), games, seed, simulated, result))
        return
    print(f"{setting}, policy {who}, seed {seed}")
    print(f"final score: {simulated.score}")
    print(f"won:         {simulated.win}")
    print_footer(result)
