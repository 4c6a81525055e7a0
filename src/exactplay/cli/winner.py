"""``exactplay winner``: show, moves, deal, plays, solve, advise, play and batch."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from exactplay.cli import batch as batch_run
from exactplay.cli.advice import print_advice
from exactplay.cli.common import JsonFlag, RuleOption, print_footer, print_json
from exactplay.questions import winner as questions
from exactplay.questions.reading import read_object
from exactplay.rules.contract import OVER, BadText, quoted
from exactplay.rules.winner import Move, Rules, State, View, parse_cards, show_cards
from exactplay.solvers.result import Exact, Result
from exactplay.solvers.winner import OBJECTIVES, Objective, With, advise, fewest_plays, solve

app = typer.Typer(help="Winner (Zheng Shangyou), a climbing game for two to four players.")

PositionArgument = Annotated[str, typer.Argument(
    metavar="POSITION",
    help="A position in one line, such as '3D 4D | 5D; turn 0', or a JSON object; '-' reads it from stdin.",
)]
ObjectiveOption = Annotated[Objective, typer.Option(help="What is played for.")]
SecondsOption = Annotated[float | None, typer.Option(min=0, help="CPU seconds at most; then bounds, or fewer worlds.")]
SeedOption = Annotated[int, typer.Option(help="Seed of what is random.")]
_SHOWN = 25


def _text(position: str) -> str:
    return sys.stdin.read().strip() if position == "-" else position


def _view(position: str, rule: list[str] | None) -> View:
    """The position of an argument, hidden cards allowed, under the options of the command line."""
    return questions.read_view(_text(position), Rules.chosen(rule or []))


def read_state(position: str, rule: list[str] | None) -> State:
    """The position of an argument with open hands, under the options of the command line."""
    return questions.read_state(_text(position), Rules.chosen(rule or []))


@app.command()
def deal(
    players: Annotated[int, typer.Option(min=2, max=4, help="Number of seats.")] = 2,
    cards: Annotated[int | None, typer.Option(min=1, help="Deal each seat this many cards only.")] = None,
    seed: SeedOption = 0, rule: RuleOption = None, json_: JsonFlag = False,
) -> None:
    """Deal at random and print the position in one line."""
    state = questions.deal(players, cards, seed, Rules.from_texts(rule or []))
    print_json(state.to_json()) if json_ else print(state)


@app.command()
def show(position: PositionArgument, rule: RuleOption = None, json_: JsonFlag = False) -> None:
    """Show a position; hidden hands may be written as ?N."""
    view = _view(position, rule)
    if json_:
        print_json(questions.shown(view))
        return
    print("\n".join(_picture(view, None)))
    print(f"text: {view}")


def _picture(view: View, me: int | None) -> list[str]:
    """The lines that describe a position to a player."""
    state = view.known
    lines = []
    for seat, (hand, hidden) in enumerate(zip(state.hands, view.hidden, strict=True)):
        name = f"seat {seat}" + (" (you)" if seat == me else "")
        number = len(hand) + hidden
        known = " ".join([*map(str, hand), *([f"and {hidden} hidden" if hand else f"{hidden} hidden"] if hidden else [])])
        lines.append(f"{name}: {number} card{'s' if number != 1 else ''}: {known}" if number else f"{name}: out")
    if state.current is not None:
        below = " > ".join(map(str, state.stack[:-1]))
        kind = state.current.kind.replace("_", " ")
        lines.append(f"on the table: {state.current} ({kind}) by seat {state.owner}" + (f", on {below}" if below else ""))
    if state.reversed_order:
        lines.append("the order of ranks is reversed")
    if state.exchange is not None:
        lines.append(f"exchange: seat {state.exchange.winner} offers two cards to seat {state.exchange.loser}"
                     + (f": {show_cards(state.exchange.offered)}" if state.exchange.offered else ""))
    if state.to_move == OVER:
        lines.append(f"over; scores {' '.join(map(str, state.scores()))}")
    else:
        lines.append(f"seat {state.to_move} is to {'move' if state.current or state.exchange else 'lead'}")
    if state.rules.changed():
        lines.append(f"rules: {state.rules.describe()}")
    return lines


@app.command()
def moves(position: PositionArgument, rule: RuleOption = None, json_: JsonFlag = False) -> None:
    """List the legal moves of the player to act (his own hand must be known)."""
    listed = [str(move) for move in _view(position, rule).known.legal_moves()]
    if json_:
        print_json(listed)
    else:
        print("\n".join(listed) or "none: the hand is over")


@app.command()
def plays(
    hand: Annotated[str, typer.Argument(help="Cards, such as '3D 3C 4H'.")],
    with_: Annotated[With, typer.Option("--with", help="The solver: cp-sat is an independent second one.")] = "native",
    json_: JsonFlag = False,
) -> None:
    """The fewest combinations that shed a hand, and which."""
    try:
        partition = fewest_plays(parse_cards(hand), solver=with_)
    except ImportError:
        raise BadText("--with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'") from None
    if json_:
        print_json(questions.split(partition))
    else:
        print(partition)


@app.command(name="solve")
def solve_command(
    position: PositionArgument, objective: ObjectiveOption = "win",
    seconds: SecondsOption = None,
    value_only: Annotated[bool, typer.Option("--value-only", help="The value, one best move, a line of play.")] = False,
    table_mb: Annotated[int, typer.Option(min=1, max=1 << 20, help="Size of the table in MiB.")] = 1024,
    rule: RuleOption = None, json_: JsonFlag = False,
) -> None:
    """The exact value of a position with open hands, with the value of every legal move.

    With two players values are seat 0's; else one number a seat. What a limit leaves open is given as proven bounds.
    """
    state = read_state(position, rule)
    result = solve(
        state, objective, every_move=not value_only, seconds=seconds, table_mb=table_mb, progress=_meter(),
    )
    _clear_meter()
    if json_:
        print_json(result.to_json())
    else:
        _print_solution(state, result, objective)


def _meter() -> Any:
    """Progress on stderr, for a reader only."""
    if not sys.stderr.isatty():
        return None

    def tell(nodes: int, seconds: float) -> None:
        print(f"\r{nodes / 1e6:.1f} M nodes, {seconds:.0f} s", end="", file=sys.stderr, flush=True)

    return tell


def _clear_meter() -> None:
    if sys.stderr.isatty():
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


def _print_solution(state: State, result: Result[Move], objective: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"{objective}: [bold]{result.verdict}[/bold]", soft_wrap=True)
    seat = state.to_move

    def own(move: Move) -> float:
        verdict = result.moves[move]
        value = verdict.value if isinstance(verdict, Exact) else None
        if value is None:
            return float("-inf")
        if isinstance(value, tuple):
            return float(value[seat])
        return float(value if seat == 0 else -value)

    ranked = sorted(result.moves, key=lambda move: (move not in result.best, -own(move)))
    table = Table(box=None, pad_edge=False)
    table.add_column(f"move of seat {seat}")
    table.add_column("value", justify="right")
    table.add_column("")
    for move in ranked[:_SHOWN]:
        table.add_row(str(move), str(result.moves[move]).removesuffix(" (exact)"), "best" if move in result.best else "")
    console.print(table)
    if len(ranked) > _SHOWN:
        print(f"and {len(ranked) - _SHOWN} more moves; --json lists them all")
    if result.pv:
        console.print("line of play: " + " / ".join(map(str, result.pv)), soft_wrap=True)
    print(f"effort: {result.effort.nodes} nodes, {result.effort.seconds:.2f} CPU seconds")
    print_footer(result)


@app.command(name="advise")
def advise_command(
    position: PositionArgument, objective: ObjectiveOption = "win",
    seconds: SecondsOption = 10.0,
    samples: Annotated[int, typer.Option(min=2, help="Worlds at most, where there are too many to visit all.")] = 400,
    seed: SeedOption = 0, rule: RuleOption = None, json_: JsonFlag = False,
) -> None:
    """What to play without seeing the other hands (written ?N): averages over the worlds that fit.

    Name the cards that are out of play as 'spent CARDS'; left out, unseen cards may be out of play too.
    """
    view = _view(position, rule)
    advice = advise(view, objective, samples=samples, seconds=seconds, seed=seed)
    if json_:
        print_json(advice.to_json())
    else:
        print_advice(advice, f"{objective}, seat {view.known.to_move}")


@app.command()
def batch(
    file: Annotated[Path, typer.Argument(help="JSON lines or lines of text, one position or hand each; '-' is stdin.")],
    out: Annotated[Path | None, typer.Option(help="Write answers here; an interrupted run is resumed.")] = None,
    objective: ObjectiveOption = "win",
    seconds: SecondsOption = None, seed: SeedOption = 0,
) -> None:
    """Answer many questions: a position is solved, one with hidden hands advised on, {"hand": CARDS} split into plays.

    A JSON object may name its own "objective"; a test case's "input" is found in it.
    """

    def answer(line: str) -> dict[str, Any]:
        data = read_object(line) if line.lstrip().startswith("{") else None
        if data is not None and isinstance(data.get("input"), dict):
            data = data["input"]
        if data is not None and "hand" in data and "hands" not in data:
            if not isinstance(data["hand"], str):
                raise BadText("hand must be a text of cards")
            return questions.split(fewest_plays(parse_cards(data["hand"])))
        asked = objective if data is None else data.get("objective", objective)
        asked = "score" if asked == "diff" else asked
        if asked not in OBJECTIVES:
            raise BadText(f"objective {quoted(asked)} is unknown; it must be one of {', '.join(OBJECTIVES)}")
        view = questions.read_view(line if data is None else data, {})
        if any(view.hidden):
            return advise(view, asked, seconds=10.0 if seconds is None else seconds, seed=seed).to_json()
        return solve(view.known, asked, seconds=seconds).to_json()

    batch_run.run(file, answer, out, objective)


@app.command()
def play(
    position: Annotated[str | None, typer.Argument(metavar="POSITION", help="Begin here instead of a deal.")] = None,
    players: Annotated[int, typer.Option(min=2, max=4, help="Number of seats.")] = 3,
    cards: Annotated[int | None, typer.Option(min=1, help="Deal each seat this many cards only.")] = None,
    seat: Annotated[int, typer.Option(min=0, max=3, help="Your seat.")] = 0,
    seconds: Annotated[float, typer.Option(min=0.1, help="CPU seconds the advisor may take for a move.")] = 3.0,
    file: Annotated[Path | None, typer.Option(help="Where the game is kept; default: the user's state folder.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Start afresh even if an unfinished game is kept there.")] = False,
    seed: SeedOption = 0, objective: ObjectiveOption = "win", rule: RuleOption = None,
) -> None:
    """Play against the advisor; the game is saved after every move and resumed by the same command."""
    from exactplay.cli.winner_play import Table, start_or_resume

    record = start_or_resume(
        file, new or position is not None,
        lambda: read_state(position, rule) if position is not None else questions.deal(
            players, cards, seed, Rules.from_texts(rule or [])),
        seat,
    )
    Table(record, objective, seconds, seed, _picture).run()
