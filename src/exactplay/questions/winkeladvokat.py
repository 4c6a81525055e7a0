"""Questions about Winkeladvokat."""
from __future__ import annotations

from typing import Any

from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import COLOURS, Board, Move, State, WinkeladvokatRules
from exactplay.solvers.result import Result

START = "start"


def read_state(text: str, rules: WinkeladvokatRules, board: Board | None = None, size: int = 8, players: int = 2) -> State:
    """A position from its text, or the first one of a board, or of so many squares along an edge."""
    if text == START:
        return State.initial(board.size if board else size, players, rules, board)
    return State.parse(text, rules, board)


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


def listed(state: State) -> dict[str, Any]:
    """A position and its legal moves."""
    return {**describe(state), "moves": [str(move) for move in state.legal_moves()]}


def answered(state: State, result: Result[Move]) -> dict[str, Any]:
    """An answer about a position."""
    return {"position": str(state), **result.to_json()}
