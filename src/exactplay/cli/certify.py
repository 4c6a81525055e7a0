"""``exactplay certify GAME ...``: write an exact answer down so that it can be checked without our core and solvers."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exactplay.certificates.format import Certificate
from exactplay.cli.common import JsonFlag, RuleOption, print_json, progress_in_words
from exactplay.rules.contract import BadText

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})

OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")]
PositionArgument = Annotated[str, typer.Argument(metavar="POSITION", help="As the game's own commands take it.")]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.01, help="CPU seconds at most.")]
ObjectiveOption = Annotated[str, typer.Option("--objective", "-o", metavar="WHAT", help="What is played for.")]


@app.command("winston84")
def winston84(
    out: OutOption,
    sheet: Annotated[str, typer.Option(metavar="FILE", help="A sheet's TOML file, or reference.")] = "reference",
    difficulty: Annotated[str, typer.Option("--difficulty", "-d", metavar="1..5", help="The difficulty level.")] = "1",
    objective: Annotated[
        str, typer.Option("--objective", "-o", metavar="WHAT", help="score, win or at-least:T.")
    ] = "score",
    round: Annotated[str | None, typer.Option("--round", metavar="R", help="The round about to be played.")] = None,
    box: Annotated[int, typer.Option("--box", metavar="N", help="The last box marked; 0: none yet.")] = 0,
    marks: Annotated[int, typer.Option("--marks", metavar="N", help="Big Brother boxes marked.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="The last round ended on this very zone.")] = False,
    rule: RuleOption = None, json_: JsonFlag = False,
) -> None:
    """What a new game, or a place on the sheet, is worth, with the value of every place that can follow."""
    from exactplay.cli.winston84.progress import open_solved
    from exactplay.questions.winston84.setting import Setting
    from exactplay.rules.winston84 import Objective
    from exactplay.solvers.winston84.certificate import certify

    setting = Setting.read(sheet, difficulty, rule)
    solution = open_solved(setting.sheet, setting.difficulty, Objective.parse(objective), setting.rules)
    _write(certify(solution, setting.place(round, box, marks, fresh)), out, json_)


@app.command("winkeladvokat")
def winkeladvokat(
    position: PositionArgument, out: OutOption, rule: RuleOption = None,
    board: Annotated[Path | None, typer.Option("--board", metavar="FILE", help="Own numbers, a TOML file.")] = None,
    size: Annotated[int | None, typer.Option("--size", help="Squares along an edge of 'start', 3 to 8 (8).")] = None,
    memory: Annotated[float, typer.Option("--memory", min=0.01, help="Megabytes of the table.")] = 512.0,
    seconds: SecondsOption = None, json_: JsonFlag = False,
) -> None:
    """The value of a position of two players."""
    from exactplay.cli.winkeladvokat import read_state
    from exactplay.solvers.winkeladvokat.certificate import certify

    state = read_state(position, rule, board, size)
    with progress_in_words() as tell:
        certificate = certify(state, seconds=seconds, megabytes=memory, progress=tell)
    _write(certificate, out, json_)


@app.command("winner")
def winner(
    position: PositionArgument, out: OutOption, objective: ObjectiveOption = "win", rule: RuleOption = None,
    seconds: SecondsOption = None, json_: JsonFlag = False,
) -> None:
    """The value of a position of two seats; --objective win or score."""
    from exactplay.cli.winner import read_state
    from exactplay.solvers.winner.certificate import certify

    if objective not in ("win", "score"):
        raise BadText(f"objective {objective[:40]!r}; certificates are for win and score")
    state = read_state(position, rule)
    with progress_in_words() as tell:
        certificate = certify(state, objective, seconds=seconds, progress=tell)  # type: ignore[arg-type]
    _write(certificate, out, json_)


@app.command("dogs")
def dogs(
    position: PositionArgument, out: OutOption, seconds: SecondsOption = None, json_: JsonFlag = False,
) -> None:
    """The value of a position of two players with every card known."""
    from exactplay.cli.winston_dogs import read_position
    from exactplay.questions.winston_dogs import opened
    from exactplay.solvers.winston_dogs.certificate import certify

    state = opened(read_position(position))
    with progress_in_words() as tell:
        certificate = certify(state, seconds=seconds, progress=tell)
    _write(certificate, out, json_)


@app.command("walk")
def walk(
    position: PositionArgument, out: OutOption, objective: ObjectiveOption = "points", rule: RuleOption = None,
    seconds: SecondsOption = None, json_: JsonFlag = False,
) -> None:
    """The value of a position of two players, open hands, known order of the pile; --objective points or outcome."""
    from exactplay.cli.walk_the_dogs import read_position
    from exactplay.questions.walk_the_dogs import opened
    from exactplay.rules.walk_the_dogs import legal_objective
    from exactplay.solvers.walk_the_dogs.certificate import certify

    state = opened(read_position(position, rule))
    with progress_in_words() as tell:
        certificate = certify(state, legal_objective(objective), seconds=seconds, progress=tell)
    _write(certificate, out, json_)


def _write(certificate: Certificate, out: Path, json: bool) -> None:
    if out.exists() and not out.is_file():
        raise BadText(f"--out {out} is no regular file; name a new file")
    size = certificate.write(out)
    about = certificate.about
    value = about["value"] if "value" in about else about["low"]
    if json:
        print_json({"file": str(out), "game": certificate.game, "value": value, "bytes": size})
    else:
        print(f"{out}: {certificate.game}, value {value}, {size:,} bytes")
