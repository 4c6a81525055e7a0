"""Winkeladvokat: the long parity check, the whole endgames file, games against Monte Carlo tree search."""
from __future__ import annotations

import json
import math
import random
from typing import Any

from bench import DATA
from bench.verify.parity import parity
from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.winkeladvokat import advise, solve
from exactplay.solvers.winkeladvokat.bridge import from_move, to_core


def verify(arguments: list[str]) -> None:
    """``verify winkeladvokat [parity N] [endgames] [match N]``; all of them by default."""
    if not arguments or "parity" in arguments:
        parity("winkeladvokat", _number(arguments, "parity", 3_000))
    if not arguments or "endgames" in arguments:
        for case in endgames():
            check_endgame(case)
        print(f"endgames: all {len(endgames())} values and sets of best moves agree")
    if not arguments or "match" in arguments:
        match(_number(arguments, "match", 100))


def _number(arguments: list[str], word: str, default: int) -> int:
    following = arguments[arguments.index(word) + 1 :][:1] if word in arguments else []
    return int(following[0]) if following and following[0].isdigit() else default


def endgames() -> list[dict[str, Any]]:
    """The endgames file."""
    return [json.loads(line) for line in (DATA / "winkeladvokat-endgames.jsonl").read_text().splitlines()]


def check_endgame(case: dict[str, Any]) -> None:
    """Solve a case of the file, cold, and compare value and best moves."""
    result = solve(State.parse(case["position"]))
    if result.verdict != Exact(case["value"]) or [str(move) for move in result.best] != sorted(case["best"]):
        raise SystemExit(f"wrong: {case['position']} is {result.verdict}, best {result.best}")


def match(games: int, playouts: int = 1_000, nodes: int = 20_000) -> None:
    """The engine (so many nodes a move) against Monte Carlo tree search, colours alternating, first moves at random."""
    won = lost = 0
    points = 0
    for number in range(games):
        rng = random.Random(number // 2)
        state = State.initial()
        for _ in range(2):
            state = state.play(rng.choice(state.legal_moves()))
        engine = number % 2
        while state.to_move != OVER:
            if state.turn == engine:
                state = state.play(advise(state, limits=Limits(nodes=nodes)).best[0])
            else:
                state = state.play(tree_search(state, playouts, rng))
        margin = state.scores()[engine] - state.scores()[1 - engine]
        won, lost, points = won + (margin > 0), lost + (margin < 0), points + margin
        print(f"\rgame {number + 1}: {won} won, {lost} lost", end="", flush=True)
    print(f"\nmatch: the engine won {won}, lost {lost} of {games}, {points / games:+.1f} points a game")


class _Node:
    __slots__ = ("at", "children", "moves", "total", "visits")

    def __init__(self, at: Position, rng: random.Random) -> None:
        self.at, self.visits, self.total = at, 0, 0.0
        self.moves = at.legal_moves()
        rng.shuffle(self.moves)
        self.children: list[_Node] = []


def tree_search(state: State, playouts: int, rng: random.Random, exploration: float = 1.4, scale: float = 30.0) -> Move:
    """UCT over the core: one random game a leaf, the margin squashed to -1 .. 1; the most visited move."""
    root = _Node(to_core(state), rng)
    for _ in range(playouts):
        path, node = [root], root
        while not node.moves and node.children:
            log = math.log(node.visits)
            node = max(node.children, key=lambda n: n.total / n.visits + exploration * math.sqrt(log / n.visits))
            path.append(node)
        if node.moves:
            move = node.moves.pop()
            child = _Node(node.at.play(move), rng)
            node.children.append(child)
            path.append(child)
            node = child
        mover = node.at.turn
        _, _, margin, _ = node.at.random_games(1, rng.getrandbits(63), mover)
        # A node's total is seen by the player who moved into it.
        worth = -math.tanh(margin / scale)
        for visited in reversed(path):
            visited.visits += 1
            visited.total += worth
            worth = -worth
    best = max(root.children, key=lambda n: n.visits)
    return next(move for move in state.legal_moves() if root.at.play(from_move(move)).key() == best.at.key())
