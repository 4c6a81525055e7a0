"""A position of Winkeladvokat drawn in the terminal, and as plain data."""
from __future__ import annotations

from typing import Any

from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import ARTICLES, COLOURS, LAWYERS, State

STYLES = ("blue", "red", "yellow", "green")


def describe(state: State) -> dict[str, Any]:
    """A position as plain data: text, whose turn, supplies, points, and the result when it is over."""
    over = state.to_move == OVER
    scores = state.scores()
    ranks = [state.board.values[start : start + state.size] for start in range(0, state.size**2, state.size)]
    data: dict[str, Any] = {
        "position": str(state), "to_move": None if over else COLOURS[state.turn], "over": over,
        "supply": list(state.supply), "captured": list(state.captured), "scores": list(scores),
        "values": [list(rank) for rank in reversed(ranks)], "rules": state.rules.describe(),
    }
    if over:
        winners = [colour for colour, score in zip(COLOURS, scores, strict=False) if score == max(scores)]
        data["result"] = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
    return data


def draw(state: State) -> None:
    """Print the board: Lawyers B R Y G, Articles b r y g, each square with its number."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    width = max(len(str(value)) for value in state.board.values) + 2
    table = Table(show_header=False, show_lines=True, pad_edge=False, padding=0)
    for rank in reversed(range(state.size)):
        cells = [Text(f" {rank + 1} ")]
        for file in range(state.size):
            square = rank * state.size + file
            piece, value = state.squares[square], str(state.board.values[square])
            cell = Text(f"{value:>{width - 1}} ", style="dim")
            for player, style in enumerate(STYLES):
                if piece == LAWYERS[player]:
                    cell = Text(f"{piece}{value:>{width - 2}} ", style=f"bold reverse {style}")
                elif piece == ARTICLES[player]:
                    cell = Text(f"{piece}{value:>{width - 2}} ", style=f"bold {style}")
            cells.append(cell)
        table.add_row(*cells)
    table.add_row("", *("abcdefgh"[file].center(width) for file in range(state.size)))
    console.print(table)
    data = describe(state)
    for player, colour in enumerate(COLOURS[: state.players]):
        mark = ">" if state.to_move == player else " "
        score, supply, captured = state.scores()[player], state.supply[player], state.captured[player]
        print(f"{mark} {colour:6}  score {score:3}  supply {supply:2}  captured {captured:2}")
    print(f"The game is over: {data['result']}." if data["over"] else f"{data['to_move']} to move.")
