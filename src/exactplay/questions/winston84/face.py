"""What can be asked of Winston: Nineteen Eighty-Four, as data."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from exactplay.common.errors import BadOption, BadText, quoted
from exactplay.common.files import write_whole
from exactplay.common.plain import read_object
from exactplay.questions.answers import blocks_of, footer
from exactplay.questions.face import (
    ADVISING,
    SEED,
    THREADS,
    Answer,
    Ask,
    Block,
    Data,
    GameFace,
    Option,
    Progress,
    Report,
    Table,
    to_move,
)
from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.answers import LEVELS, OBJECTIVES
from exactplay.questions.winston84.course import Course
from exactplay.questions.winston84.drawing import dice_line, sheet_lines
from exactplay.questions.winston84.setting import (
    Setting,
    about,
    about_sheet,
    read_dice,
    read_round,
    read_utility,
)
from exactplay.questions.winston84.sheets import described, doubts, survey
from exactplay.questions.winston84.table import PLAY, mean, sheet_of
from exactplay.questions.winston84.words import describe, describe_plan, goal, show_percent
from exactplay.rules.contract import OVER
from exactplay.rules.winston84 import (
    COLOURS,
    Decision,
    Dice,
    Difficulty,
    Move,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    State,
    check_place,
    first_place,
)
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Result
from exactplay.solvers.winston84 import (
    MOST_GAMES,
    Solution,
    advise,
    advise_round,
    open_solution,
    outlook,
    simulate,
    solve,
    trade_off,
)

_SHOWN_SCORES: Final = 25

_HOW_TO: Final = """\
# A route sheet of Winston: Nineteen Eighty-Four. Replace everything below by what is printed on the sheet in the box, set
# provenance to "measured", then run: exactplay winston84 sheet check THIS_FILE
#
#   name            any name
#   provenance      "reconstruction" (guessed) or "measured" (read off a printed sheet)
#   notes           anything worth knowing, where the sheet came from
#   route           one character a box from the first to the last before the Golden Country:
#                   "." plain, "R G B W Y P" Control Zone of that colour, "o" Maximum Security
#   detour          by way of Mr. Charrington's house: the `skip` boxes after box number `after` are replaced by `boxes`
#   golden_country  points by number of Golden Country boxes marked, from 1 up; as many entries as it has boxes
#   big_brother     points by number of Big Brother boxes marked, from 0 up
#   rounds          points by the round in which the Golden Country was reached, from R0 up to R8: nine entries
"""

SHEET: Final = Option("sheet", "file", "A sheet's TOML file, or reference, the shipped one.", default="reference")
DIFFICULTY: Final = Option("difficulty", "text", "The difficulty level.", default="1", short="d", metavar="1..5")
OBJECTIVE: Final = Option("objective", "text", "score, win or at-least:T.", default="score", short="o", metavar="WHAT")
SETTING: Final = (
    Option("position", "text", "A game in one line, as show prints it, in place of what follows.", metavar="GAME"),
    SHEET,
    DIFFICULTY,
    Option("round", "text", "The round about to be played. (default: the first)", metavar="R"),
    Option("box", "whole", "The last box marked; 0: none yet.", default=0, low=0, high=10**6),
    Option("marks", "whole", "Big Brother boxes marked.", default=0, low=0, high=10**6),
    Option("fresh", "flag", "The last round ended on this very zone.", default=False),
    Option(
        "roll", "text", "'R5 G3 B2 W4 Y1 P6', p after the letter for a placed die, x for the one in Room 101; or 532416.",
        aliases=("dice",), metavar="DICE",
    ),
)


def read(given: Mapping[str, Any], options: Mapping[str, Any]) -> State:
    """A game at a place, before the roll or with the dice as they lie; raises ValueErrors of one line."""
    position = given.get("position")
    if position is not None:
        # The sheet is then known by its digest.
        sheet_given(given.get("sheet") or SHEET.default)
        if isinstance(position, str) and position.lstrip().startswith("{"):
            position = read_object(position)
        return State.parse(position, options) if isinstance(position, str) else State.from_json(position, options)
    setting = setting_of(given, options)
    number = given.get("round")
    round = first_place(setting.difficulty).round if number is None else read_round(number)
    place = Place(round, given.get("box") or 0, given.get("marks") or 0, bool(given.get("fresh")))
    fresh, place = place.fresh, check_place(setting.sheet, setting.difficulty, place)
    if fresh and not place.fresh:
        raise BadOption("fresh means nothing here (no zone, or no Big Brother's eye at this difficulty); leave it out")
    roll = given.get("roll")
    dice = None if roll is None else read_dice(roll, setting, place)
    return State.resume(setting.sheet, setting.difficulty, place, setting.rules, dice)


def setting_of(given: Mapping[str, Any], options: Mapping[str, Any] | Rules) -> Setting:
    """Sheet, difficulty and rules."""
    rules = options if isinstance(options, Rules) else Rules.from_mapping(options)
    sheet, difficulty = (given.get(option.name) or option.default for option in (SHEET, DIFFICULTY))
    return Setting(sheet_given(sheet), Difficulty.parse(difficulty), rules)


def sheet_given(sheet: str | Sheet) -> Sheet:
    """A sheet by the name of its file; the web application, which takes no path, gives the sheet itself."""
    return sheet if isinstance(sheet, Sheet) else Sheet.load(sheet)


def question(line: str) -> Data:
    """A line of a batch: ``{"type": "state", ...}`` asks as advise does, ``{"type": "inner", ...}`` as round does."""
    if not line.lstrip().startswith("{"):
        return {"position": line.strip()}
    # What an answered question of a reference file has besides is not read.
    data = {name: value for name, value in read_object(line).items()
            if name not in ("value", "best", "decisions", "before_roll")}
    kind = data.pop("type", None)
    if kind is None:
        return data
    if kind not in ("inner", "state"):
        raise BadText(f"type is {quoted(kind)}; it must be inner or state")
    if kind == "inner":
        utility = data.pop("u", None)
        if not isinstance(utility, list) or not all(type(entry) in (int, float) for entry in utility):
            raise BadText("u must be a list of 37 numbers, one for each result from 0 to 36")
        return {"ask": "round", **data, "utility": ",".join(map(repr, utility))}
    for name in ("difficulty", "round"):
        if name in data:
            if type(data[name]) is not int:
                raise BadText(f"{name} is {quoted(data[name])}; it must be a whole number")
            data[name] = str(data[name])
    if data.get("sheet") == "reference-sheet.toml" and not Path("reference-sheet.toml").exists():
        data["sheet"] = "reference"  # the shipped sheet by the name of its file
    return {"ask": "advise", **{"roll" if name == "dice" else name: value for name, value in data.items()}}


def shown(state: State) -> Data:
    """A game as plain data, what is due, and the decisions that are legal."""
    setting = Setting(state.sheet, state.difficulty, state.rules)
    return {
        **about(setting), "game": str(state), "text": str(state), "to_move": to_move(state),
        "place": str(state.at) if isinstance(state.at, Place) else None,
        "dice": str(state.round.dice) if state.round is not None else None,
        "score": state.scores()[0] if state.to_move == OVER else None, "rules": state.rules.describe(),
    }


def picture(state: State, seat: int | None = None) -> tuple[Block, ...]:
    """The sheet and the dice."""
    lines: list[Block] = [f"{Setting(state.sheet, state.difficulty, state.rules)}"]
    if state.round is None or not isinstance(state.at, Place):
        return (*lines, f"the game is over; score {state.scores()[0]}")
    return (*lines, str(state.at), *sheet_of(Course(state, Objective("score"))), dice_line(state.round.dice))


def value_of(result: Result[Any], objective: str) -> str:
    """What a value is."""
    return goal(Objective.of(objective))


def _describe(state: State, move: Decision | Roll) -> str:
    return describe(move) if isinstance(move, Decision) else ""


def _open(setting: Setting, objective: Objective, progress: Progress | None, threads: int = 1) -> Solution:
    return open_solution(
        setting.sheet, setting.difficulty, objective, setting.rules, limits=Limits(threads=threads), progress=progress
    )


def _at_a_place(state: State) -> tuple[Setting, Place]:
    if not isinstance(state.at, Place):
        raise BadText("the game is over; its score is known")
    return Setting(state.sheet, state.difficulty, state.rules), state.at


# ---------------------------------------------------------------- asks about a game


def _value(state: State, progress: Progress | None, *, objective: str) -> Answer:
    (setting, place), aim = _at_a_place(state), Objective.parse(objective)
    result = _open(setting, aim, progress).result(place)
    return Answer(
        answers.value(setting, aim, place, result),
        (f"{setting}, {place}, before the roll", *blocks_of(result, goal(aim))),
    )


def _advise(state: State, progress: Progress | None, *, objective: str, **_: Any) -> Answer:
    (setting, place), aim = _at_a_place(state), Objective.parse(objective)
    if state.round is None or state.to_move != 0:
        raise BadText("give the dice with --roll, such as 'R5 G3 B2 W4 Y1 P6': advice is about a roll")
    advice = advise(state, solution=_open(setting, aim, progress))
    dice = state.round.dice
    return Answer(answers.advised(setting, aim, place, dice, advice), (
        f"{setting}, {place}, dice {dice}",
        f"before the roll: {advice.before_roll:.10g}",
        f"best: {describe_plan(advice.plan)}",
        *blocks_of(dataclasses.replace(advice, pv=()), goal(aim), describe, None),
    ))


def _distribution(state: State, progress: Progress | None, *, objective: str) -> Answer:
    (setting, place), aim = _at_a_place(state), Objective.parse(objective)
    solution = _open(setting, aim, progress)
    found, result = outlook(solution, place, progress=progress), solution.result(place)
    # Scores lie close together on some sheets; ranges of them keep the table short.
    listed = sorted(found.scores, reverse=True)
    size = -(-len(listed) // _SHOWN_SCORES) or 1
    rows, so_far = [], 0.0
    for start in range(0, len(listed), size):
        part = listed[start : start + size]
        share = sum(found.scores[score] for score in part)
        so_far += share
        label = f"{part[-1]} to {part[0]}" if len(part) > 1 else str(part[0])
        rows.append((label, show_percent(share), show_percent(so_far)))
    rows.append(("lost", show_percent(found.lost), ""))
    return Answer(answers.distribution(setting, aim, place, found, result), (
        f"{setting}, {place}, playing for the greatest {goal(aim)} (exact)",
        f"expected score {found.expected_score:.6f}; won {show_percent(found.win_probability)}, "
        f"lost {show_percent(found.lost)}",
        Table(("final score", "probability", "this or more"), tuple(rows), (0, 1, 2)),
        *footer(result),
    ))


# ---------------------------------------------------------------- asks about a sheet


def _values(progress: Progress | None, *, rules: Rules, sheet: str) -> Answer:
    return _new_games(sheet_given(sheet), rules, LEVELS, OBJECTIVES, progress)


def _solve(
    progress: Progress | None, *, rules: Rules, sheet: str, difficulty: Sequence[str] | None,
    objective: Sequence[str] | None, threads: int,
) -> Answer:
    levels = [Difficulty.parse(text) for text in difficulty] if difficulty else LEVELS
    objectives = [Objective.parse(text) for text in objective] if objective else OBJECTIVES
    return _new_games(sheet_given(sheet), rules, levels, objectives, progress, threads)


def _as_part(progress: Progress | None, what: str, done: int, total: int) -> Progress | None:
    """A listener to one of several equal pieces of work, of which some are done."""
    if progress is None:
        return None

    def tell(report: Report) -> None:
        share = next(iter(report.counts.values()), 0) / report.total if report.total else 0
        progress(Report({what: done + share}, total))

    return tell


def _new_games(
    sheet: Sheet, rules: Rules, levels: Sequence[Difficulty], objectives: Sequence[Objective], progress: Progress | None,
    threads: int = 1,
) -> Answer:
    """What a new game is worth, by difficulty and objective, solving what has not been solved yet."""
    table: dict[Difficulty, list[float]] = {level: [] for level in levels}
    for level in levels:
        for aim in objectives:
            solved = sum(map(len, table.values()))
            told = _as_part(progress, "solutions", solved, len(levels) * len(objectives))
            solution = _open(Setting(sheet, level, rules), aim, told, threads)
            table[level].append(solution.value())
    result = solution.result()
    rows = tuple(
        (str(level), *(
            f"{value:.6f}" if aim.kind == "score" else f"{100 * value:.6f} %"
            for aim, value in zip(objectives, row, strict=True)
        )) for level, row in table.items()
    )
    return Answer(answers.new_games(sheet, objectives, table, result), (
        f"a new game on sheet {sheet.name} under best play for each column (exact)",
        Table(("difficulty", *map(goal, objectives)), rows, tuple(range(1, len(objectives) + 1))),
        *footer(result),
    ))


def _trade_off(progress: Progress | None, *, rules: Rules, sheet: str, difficulty: str, points: int) -> Answer:
    setting = setting_of({"sheet": sheet, "difficulty": difficulty}, rules)
    front = trade_off(setting.sheet, setting.difficulty, setting.rules, points=points, progress=progress)
    result = _open(setting, Objective("score"), progress).result()
    rows = tuple((f"{point.score:.4f}", f"{100 * point.win:.4f} %", f"{point.weight:.4f}") for point in front)
    return Answer(answers.trade_off(setting, front, result), (
        f"{setting}: no policy is better in both than one of these (exact)",
        Table(("expected score", "win probability", "weight on winning"), rows, (0, 1, 2)),
        *footer(result),
    ))


def _simulate(
    progress: Progress | None, *, rules: Rules, sheet: str, difficulty: str, policy: str, games: int, seed: int
) -> Answer:
    setting = setting_of({"sheet": sheet, "difficulty": difficulty}, rules)
    found = simulate(setting.sheet, setting.difficulty, games, seed, policy, setting.rules, progress=progress)
    result = _open(setting, Objective("score"), progress).result()
    return Answer(answers.simulation(setting, policy, games, seed, found, result), (
        f"{setting}, policy {policy}, seed {seed}",
        f"final score: {found.score}",
        f"won:         {found.win}",
        *footer(result),
    ))


def _round(progress: Progress | None, *, rules: Rules, dice: str, utility: str, give_up: bool) -> Answer:
    asked = Round(rules, Dice.parse(dice), give_up).check()
    advice = advise_round(asked, read_utility(utility))
    data = advice.to_json()
    del data["before_roll"]
    best = advice.distributions[advice.plan[0]]
    return Answer({"dice": str(asked.dice), **data}, (
        f"dice {asked.dice}",
        f"best: {describe_plan(advice.plan)}",
        f"after it: mean result {mean(best):.4f}, nothing marked with {show_percent(best[0])}",
        *blocks_of(dataclasses.replace(advice, pv=()), "expected utility", describe, None),
    ))


def _check_sheet(progress: Progress | None, *, sheet: str) -> Answer:
    read = sheet_given(sheet)
    facts, notes = survey(read), doubts(read)
    lines = [f"{read.name}: a sheet with provenance {read.provenance}, digest {read.digest[:12]}"]
    for title, key in (("route", "route"), ("with the detour", "with_detour")):
        zones = facts[key]["control_zones"]
        coloured = " ".join(f"{letter} {zones[letter]}" for letter in COLOURS)
        lines.append(f"{title}: {facts[key]['boxes']} boxes, Control Zones {coloured}, "
                     f"Maximum Security {facts[key]['maximum_security']}")
    return Answer({**about_sheet(read), "ok": True, **facts, "notes": notes}, (
        *lines,
        f"Golden Country: {' '.join(map(str, read.golden_country))}",
        f"Big Brother: {' '.join(map(str, read.big_brother))}",
        f"Rounds R0 to R8: {' '.join(map(str, read.rounds))}",
        *(f"note: {note}" for note in notes),
    ))


def _new_sheet(progress: Progress | None, *, file: str, name: str) -> Answer:
    path = Path(file)
    if path.exists():
        raise BadText(f"{file} exists; name a new file or delete it")
    reference = Sheet.load("reference")
    sheet = dataclasses.replace(
        reference, name=name, provenance="reconstruction",
        notes="Still the boxes and points of the shipped reconstruction: replace them.",
    )
    write_whole(path, (_HOW_TO + sheet.to_toml()).encode())
    return Answer({"file": file, "sheet": sheet.name, "provenance": sheet.provenance}, (
        f"{file} written: the shipped reconstruction. Replace its boxes and points by the printed ones, then:",
        f"exactplay winston84 sheet check {file}",
    ))


def _show_sheet(progress: Progress | None, *, sheet: str, difficulty: str) -> Answer:
    read, level = sheet_given(sheet), Difficulty.parse(difficulty)
    return Answer(described(read, level), (
        f"{read.name} at {level}, provenance {read.provenance}", *sheet_lines(read, level),
        *(f"note: {note}" for note in doubts(read)),
    ))


def _certify(state: State, *, objective: str, limits: Limits | None = None, progress: Progress | None = None) -> Any:
    from exactplay.solvers.winston84.certificate import certify

    return certify(state, objective=objective, limits=limits, progress=progress)


_CLI: Final = frozenset({"cli"})
_FILE: Final = dataclasses.replace(SHEET, argument=True)

FACE: Final = GameFace(
    name="winston84",
    command="winston84",
    title="Winston: Nineteen Eighty-Four",
    summary="Winston: Nineteen Eighty-Four, the dice and the route sheet.",
    rules=Rules,
    state=State,
    move=Move,
    example="x3 | R3 box 17 marks 1 | R5 G3 B2 W4 Y1 P6 | default rules | " + Sheet.load("reference").short_digest,
    players=(1, 1),
    objectives=("score", "win"),
    setting=SETTING,
    read=read,
    shown=shown,
    picture=picture,
    describe=_describe,
    value_of=value_of,
    solve=solve,
    solve_options=(OBJECTIVE,),
    advise=advise,
    advise_options=(OBJECTIVE,),
    certify=_certify,
    certify_options=(OBJECTIVE,),
    question=question,
    own=(
        Ask("values", "The best win probability and the best expected score of a new game, for each difficulty.", _values,
            (SHEET,), about=False, ruled=True, long=True),
        Ask("value", "The value of a place on the sheet before the roll, under best play.", _value, (OBJECTIVE,)),
        Ask("advise", "The value of every decision with these dice, the best ones, and the plan up to the next roll.",
            _advise, (OBJECTIVE, *ADVISING)),
        Ask("round", "One round on its own, for any utility of its result.", _round, (
            Option("dice", "text", "Dice text; a die not named is removed.", needed=True, aliases=("roll",)),
            Option("utility", "text", "What each result from 0 to 36 is worth.", needed=True, metavar="U0,U1,...,U36"),
            Option("give_up", "flag", "Maximum Security: a highest die is given up now.", default=False),
        ), about=False, ruled=True),
        Ask("solve", "Solve a sheet and keep its tables, so that every later question about it is answered at once.",
            _solve, (
                SHEET,
                Option("difficulty", "texts", "A difficulty level; repeatable. (default: all)", short="d", metavar="1..5"),
                Option("objective", "texts", "score, win, at-least:T; repeatable. (default: win, score)", short="o",
                       metavar="WHAT"),
                THREADS,
            ), about=False, ruled=True, long=True),
        Ask("distribution", "The exact distribution of the final score if an objective is played for optimally.",
            _distribution, (OBJECTIVE,), long=True),
        Ask("trade-off", "Policies between the safest and the one that scores most: what a little risk brings.", _trade_off,
            (SHEET, DIFFICULTY, Option("points", "whole", "At most so many policies.", default=9, low=2, high=1000)),
            about=False, ruled=True, long=True),
        Ask("simulate", "Play whole games at random dice and average them.", _simulate, (
            SHEET, DIFFICULTY,
            Option("policy", "text", "score, win or at-least:T (optimal for it), greedy or random.", default="score",
                   metavar="WHO"),
            Option("games", "whole", "How many games.", default=10_000, low=2, high=MOST_GAMES, short="n"),
            dataclasses.replace(SEED, help="The same seed gives the same games.", default=0),
        ), about=False, ruled=True, long=True, faces=frozenset({"cli", "batch"})),
        Ask("sheet check", "Read a sheet and say what stands in it; a wrong field is named with what would be right.",
            _check_sheet, (dataclasses.replace(_FILE, default=None, needed=True),), about=False, faces=_CLI),
        Ask("sheet new", "Write a sheet to fill in: the shipped reconstruction, with how each field is meant.",
            _new_sheet, (
                Option("file", "file", "The file to write.", argument=True, needed=True),
                Option("name", "text", "The sheet's name.", default="my sheet"),
            ), about=False, faces=_CLI),
        Ask("sheet show", "Draw a sheet as it is played at a difficulty.", _show_sheet, (_FILE, DIFFICULTY), about=False,
            faces=_CLI),
    ),
    play=PLAY,
)
