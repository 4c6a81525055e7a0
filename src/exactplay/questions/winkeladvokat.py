"""What can be asked of Winkeladvokat."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exactplay.common.plain import read_object
from exactplay.questions.answers import answered
from exactplay.questions.face import (
    ADVISING,
    Answer,
    Ask,
    Block,
    Data,
    GameFace,
    Option,
    Play,
    Progress,
    Span,
    limits_of,
)
from exactplay.rules.contract import OVER, BadOption
from exactplay.rules.winkeladvokat import ARTICLES, COLOURS, LAWYERS, Board, Move, Rules, State
from exactplay.solvers.result import Result
from exactplay.solvers.winkeladvokat import OBJECTIVES, advise, divide, perft, solve

START = "start"
STYLES = ("blue", "red", "yellow", "green")


def read(given: Mapping[str, Any], options: Mapping[str, Any]) -> State:
    """A position in either form, or the first one of a board; raises ValueErrors of one line."""
    position, size, players = (given.get(name) for name in ("position", "size", "players"))
    board = _board(given.get("board"), given.get("values"))
    if position in (None, START):
        rules = Rules.from_mapping(options)
        state = State.initial(board.size if board else size or 8, players or 2, rules, board)
    else:
        if isinstance(position, str) and position.lstrip().startswith("{"):
            position = read_object(position)
        if isinstance(position, str):
            state = State.parse(position, options, board)
        else:
            # What is shown beside the fields (see below) does no harm.
            fields = {name: position[name] for name in ("position", "values", "earlier", "options") if name in position}
            state = State.from_json(fields, options, board)
    if size not in (None, state.size):
        raise BadOption(f"size {size} does not fit the position, which has {state.size} squares along an edge")
    if players not in (None, state.players):
        raise BadOption(f"players {players} does not fit the position, which has {state.players} players")
    return state


def _board(file: str | None, values: Sequence[Sequence[int]] | None) -> Board | None:
    if file is not None:
        return Board.load(Path(file))
    return None if values is None else Board.from_ranks(values)


def shown(state: State) -> Data:
    """A position as plain data: text, whose turn, supplies, points, and the result when it is over."""
    over = state.to_move == OVER
    data: Data = {
        **state.to_json(), "position": str(state), "text": str(state), "to_move": None if over else COLOURS[state.turn],
        "over": over, "supply": list(state.supply), "captured": list(state.captured), "scores": list(state.scores()),
        "rules": state.rules.describe(),
    }
    if over:
        data["result"] = outcome(state)
    return data


def outcome(state: State) -> str:
    """Who has won a finished game."""
    scores = state.scores()
    winners = [colour for colour, score in zip(COLOURS, scores, strict=False) if score == max(scores)]
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"


def picture(state: State, seat: int | None = None) -> tuple[Block, ...]:
    """The board, Lawyers B R Y G and Articles b r y g before the number of their square, and the state of the game."""
    width = max(len(str(value)) for value in state.board.values) + 2
    edge = "   +" + ("-" * width + "+") * state.size
    blocks: list[Block] = [edge]
    for rank in reversed(range(state.size)):
        spans: list[Span] = [(f" {rank + 1} |", "")]
        for file in range(state.size):
            square = rank * state.size + file
            spans += [_cell(state.squares[square], state.board.values[square], width), ("|", "")]
        blocks += [tuple(spans), edge]
    blocks.append("    " + " ".join("abcdefgh"[file].center(width) for file in range(state.size)))
    for player, colour in enumerate(COLOURS[: state.players]):
        mark = ">" if state.to_move == player else " "
        score, supply, captured = state.scores()[player], state.supply[player], state.captured[player]
        blocks.append(f"{mark} {colour:6}  score {score:3}  supply {supply:2}  captured {captured:2}")
    over = state.to_move == OVER
    blocks.append(f"The game is over: {outcome(state)}." if over else f"{COLOURS[state.turn]} to move.")
    return tuple(blocks)


def _cell(piece: str, value: int, width: int) -> Span:
    for player, style in enumerate(STYLES):
        if piece in (LAWYERS[player], ARTICLES[player]):
            return f"{piece}{value:>{width - 2}} ", f"bold {'reverse ' if piece == LAWYERS[player] else ''}{style}"
    return f"{value:>{width - 1}} ", "dim"


def describe(state: State, move: Move) -> str:
    """What a move does, in a few words."""
    if move.kind == "capture":
        jumps = len(move.squares) - 1
        return f"captures {jumps} Article{'s' if jumps > 1 else ''}"
    return f"an Article on {move.squares[1]}" if state.supply[state.turn] else "no Article is left to place"


def value_of(result: Result[Move], objective: str) -> str:
    """Whose value of what a result is."""
    if result.viewpoint is None:
        return "scores"
    colour = COLOURS[result.viewpoint]
    return f"{colour} to move, value" if result.players == 2 else f"{colour}'s margin over the best of the others"


def _analyse(state: State, progress: Progress | None, **options: Any) -> Answer:
    result = advise(state, limits=limits_of(options), seed=options["seed"], progress=progress)
    return answered(FACE, state, result, "margin")


def _perft(state: State, progress: Progress | None, *, depth: int, by_move: bool) -> Answer:
    count = perft(state, depth)
    data: Data = {"position": str(state), "depth": depth, **count._asdict()}
    lines = [f"paths {count.paths}, distinct {count.distinct}"]
    if by_move:
        data["divide"] = {str(move): paths for move, paths in divide(state, depth).items()}
        lines = [*(f"{move}: {paths}" for move, paths in data["divide"].items()), *lines]
    return Answer(data, tuple(lines))


def _certify(state: State, *, objective: str = "margin", **options: Any) -> Any:
    from exactplay.solvers.winkeladvokat.certificate import certify

    return certify(state, **options)


def told(before: State, move: Move, after: State, seat: int) -> str:
    """A move as the table sees it."""
    return f"{COLOURS[before.turn]} plays {move}"


FACE = GameFace(
    name="winkeladvokat",
    command="winkeladvokat",
    title="Winkeladvokat",
    summary="Winkeladvokat: solve, analyse, play.",
    rules=Rules,
    state=State,
    move=Move,
    example="7R/8/8/8/8/8/8/B7 b 25,25 0,0",
    players=(2, 4),
    objectives=OBJECTIVES,
    setting=(
        Option(
            "position", "text", "Board, to move, supply, captured in quotes, such as '7R/8/8/8/8/8/8/B7 b 25,25 0,0'; or "
            "'start'.", default=START, argument=True, metavar="POSITION",
        ),
        Option("board", "file", "Own numbers: TOML, values = [[...], ...], top rank first.", metavar="FILE"),
        Option("size", "whole", "Squares along an edge of 'start', 3 to 8 (8).", low=3, high=8),
        Option("players", "whole", "2, 3 or 4 players of 'start' (2).", low=2, high=4),
    ),
    read=read,
    shown=shown,
    picture=picture,
    describe=describe,
    value_of=value_of,
    solve=solve,
    solve_options=(
        Option("checkpoint", "file", "Save to FILE from time to time and go on from it.", metavar="FILE"),
    ),
    advise=advise,
    certify=_certify,
    own=(
        Ask(
            "analyse", "The best guess with proven bounds, exact once it is solved: for positions too large to solve.",
            _analyse, tuple(option for option in ADVISING if option.name != "samples"), long=True,
        ),
        Ask(
            "perft", "Count the paths of so many plies, and those to different positions at each step.", _perft,
            (
                Option("depth", "whole", "Plies.", low=0, high=1000, argument=True, needed=True, metavar="N"),
                Option("by_move", "flag", "The paths after each first move as well.", default=False, aliases=("divide",)),
            ),
            faces=frozenset({"cli", "batch"}),
        ),
    ),
    play=Play(seen=lambda states, moves, seat: states[-1], read_moves=lambda state, text: (Move.parse(text.strip()),),
              told=told, seats=ARTICLES, people="b"),
)
