"""A position of Winkeladvokat drawn in the terminal."""
from __future__ import annotations

from exactplay.questions.winkeladvokat import describe
from exactplay.rules.winkeladvokat import ARTICLES, COLOURS, LAWYERS, State

STYLES = ("blue", "red", "yellow", "green")


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
