"""``exactplay winkeladvokat``: show, moves, solve, analyse, perft, batch; ``play`` is in winkeladvokat_play."""
from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from exactplay.cli import batch as batches
from exactplay.cli import winkeladvokat_play
from exactplay.cli.common import INTERRUPTED as INTERRUPTED_CODE
from exactplay.cli.common import JsonFlag, RuleOption, print_json, print_result, ranked
from exactplay.cli.winkeladvokat_board import draw
from exactplay.questions import winkeladvokat as questions
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winkeladvokat import COLOURS, Board, Move, State, Rules
from exactplay.solvers.result import Result
from exactplay.solvers.winkeladvokat import INTERRUPTED, Duel, Moves, analyse, divide, perft, solve

app = typer.Typer()

PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="Board, to move, supply, captured in quotes; or 'start'.")
]
BoardOption = Annotated[
    Path | None, typer.Option("--board", metavar="FILE", help="Own numbers: TOML, values = [[...], ...], top rank first.")
]
SizeOption = Annotated[int | None, typer.Option("--size", help="Squares along an edge of 'start', 3 to 8 (8).")]
PlayersOption = Annotated[int | None, typer.Option("--players", help="2, 3 or 4 players of 'start' (2).")]
NodesOption = Annotated[int | None, typer.Option("--nodes", min=1, help="Stop after so many nodes.")]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.0, help="Stop after so many CPU seconds.")]
MemoryOption = Annotated[float, typer.Option("--memory", min=0.01, help="Megabytes of the transposition table.")]
CheckpointOption = Annotated[
    Path | None, typer.Option("--checkpoint", metavar="FILE", help="Save to FILE from time to time and go on from it.")
]
MovesOption = Annotated[
    Moves, typer.Option("--moves", help="To prove: value and one best move, every best move, or the value of all moves.")
]


def read_state(
    position: str, rule: list[str] | None, board: Path | None, size: int | None = None, players: int | None = None
) -> State:
    """The position that the options of a command name; raises ValueError in one line."""
    rules = Rules.from_texts(rule or [])
    numbers = Board.load(board) if board else None
    state = questions.read_state(position, rules, numbers, 8 if size is None else size, 2 if players is None else players)
    if size not in (None, state.size):
        what = "board" if numbers else "position"
        raise BadText(f"--size {size} does not fit the {what}, which has {state.size} squares along an edge")
    if players not in (None, state.players):
        raise BadText(f"--players {players} does not fit the position, which has {state.players} players")
    return state


@app.command()
def show(
    position: PositionArgument = "start", rule: RuleOption = None, board: BoardOption = None, size: SizeOption = None,
    players: PlayersOption = None, json: JsonFlag = False,
) -> None:
    """Draw a position with the numbers on its squares."""
    state = read_state(position, rule, board, size, players)
    if json:
        print_json(questions.describe(state))
    else:
        draw(state)


@app.command()
def moves(
    position: PositionArgument = "start", rule: RuleOption = None, board: BoardOption = None, size: SizeOption = None,
    players: PlayersOption = None, json: JsonFlag = False,
) -> None:
    """List the legal moves."""
    state = read_state(position, rule, board, size, players)
    data = questions.listed(state)
    if json:
        print_json(data)
    else:
        print("\n".join(data["moves"]) if data["moves"] else "The game is over.")


@app.command("solve")
def solve_command(
    position: PositionArgument = "start", rule: RuleOption = None, board: BoardOption = None, size: SizeOption = None,
    players: PlayersOption = None, moves: MovesOption = "best", nodes: NodesOption = None, seconds: SecondsOption = None,
    memory: MemoryOption = 512.0,
    checkpoint: CheckpointOption = None,
    json: JsonFlag = False,
) -> None:
    """The exact value and every best move; proven bounds where a limit or Ctrl-C comes first."""
    state = read_state(position, rule, board, size, players)
    result = solve(
        state, moves=moves, nodes=nodes, seconds=seconds, megabytes=memory, checkpoint=checkpoint, progress=_progress
    )
    _clear_progress()
    _print(result, state, json)


@app.command("analyse")
def analyse_command(
    position: PositionArgument = "start", rule: RuleOption = None, board: BoardOption = None, size: SizeOption = None,
    players: PlayersOption = None, seconds: Annotated[float, typer.Option(min=0.1, help="CPU seconds.")] = 10.0,
    memory: MemoryOption = 512.0,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="Seed of the random games.")] = 1,
    json: JsonFlag = False,
) -> None:
    """The best guess with proven bounds; exact as soon as it is solved. For positions too large for solve."""
    state = read_state(position, rule, board, size, players)

    def update(result: Result[Move]) -> None:
        if sys.stderr.isatty():
            text = f"{result.effort.seconds:6.1f} s  {result.verdict}  {result.best[0]}"
            print(f"\r{text:78}", end="", file=sys.stderr, flush=True)

    result = analyse(state, seconds=seconds, megabytes=memory, seed=seed, update=update)
    _clear_progress()
    _print(result, state, json)


@app.command("perft")
def perft_command(
    position: PositionArgument, depth: Annotated[int, typer.Argument(metavar="N", help="Plies.")], rule: RuleOption = None,
    board: BoardOption = None, size: SizeOption = None, players: PlayersOption = None,
    by_move: Annotated[bool, typer.Option("--divide", help="The paths after each first move as well.")] = False,
    json: JsonFlag = False,
) -> None:
    """Count the paths of N plies, and those to different positions at each step."""
    state = read_state(position, rule, board, size, players)
    count = perft(state, depth)
    parts = divide(state, depth) if by_move else None
    if json:
        data: dict[str, Any] = {"position": str(state), "depth": depth, **count._asdict()}
        if parts is not None:
            data["divide"] = {str(move): paths for move, paths in parts.items()}
        print_json(data)
        return
    for move, paths in (parts or {}).items():
        print(f"{move}: {paths}")
    print(f"paths {count.paths}, distinct {count.distinct}")


@app.command("batch")
def batch_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A position a line; '-' is stdin.")], rule: RuleOption = None,
    board: BoardOption = None, moves: MovesOption = "best", nodes: NodesOption = None, seconds: SecondsOption = None,
    memory: MemoryOption = 512.0,
    out: Annotated[Path | None, typer.Option("--out", help="Write here; an interrupted batch goes on from there.")] = None,
) -> None:
    """Solve a position a line; JSON lines out. The limits are those of one position."""
    duels: dict[int, Duel] = {}

    def answer(line: str) -> dict[str, Any]:
        state = read_state(line.strip(), rule, board)
        duel = None
        if state.players == 2:
            if state.size not in duels:
                duels.clear()  # one table at a time, so that the limit of memory holds
                duels[state.size] = Duel(state.board, state.rules, memory)
            duel = duels[state.size]
        result = solve(state, moves=moves, nodes=nodes, seconds=seconds, duel=duel, catch_interrupt=False)
        return questions.answered(state, result)

    rules = Rules.from_texts(rule or [])
    batches.run(file, answer, out, f"{rules.describe()} {board.read_bytes().hex() if board else ''}")


app.command("play")(winkeladvokat_play.play)


def _print(result: Result[Move], state: State, json: bool) -> None:
    if json:
        print_json(questions.answered(state, result))
    else:
        _print_for_a_reader(result, state)
    if INTERRUPTED in result.notes:
        raise typer.Exit(INTERRUPTED_CODE)


def _print_for_a_reader(result: Result[Move], state: State) -> None:
    if state.to_move == OVER:
        print(f"The game is over, {questions.describe(state)['result']}.")
    title = f"{COLOURS[state.turn]} to move, value" if state.players == 2 else "scores"
    # With two players values are the mover's; a vector is ordered by the mover's entry.
    mover = state.turn if state.players > 2 else 0
    # The full list of moves is for --json; a screen shows the best and the next ones.
    shown = ranked(result, mover)[:20]
    print_result(dataclasses.replace(result, moves={move: result.moves[move] for move in shown}), title, mover=mover)
    if len(result.moves) > len(shown):
        print(f"{len(result.moves) - len(shown)} more moves in --json")


def _progress(nodes: int, proof: int, disproof: int) -> None:
    if sys.stderr.isatty():
        text = f"{nodes:,} nodes, proof number {proof:,}, disproof number {disproof:,}"
        print(f"\r{text:78}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)

