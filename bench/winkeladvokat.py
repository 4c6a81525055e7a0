"""Winkeladvokat: the speed table; ``verify`` runs the long parity check, the whole endgames file and 100 games of MCTS."""
from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

from bench.timing import Report, cpu_seconds
from exactplay.cython_core.winkeladvokat import WinkeladvokatPosition
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, State, WinkeladvokatRules, perft
from exactplay.solvers.result import Exact
from exactplay.solvers.winkeladvokat import Duel, analyse, solve
from exactplay.solvers.winkeladvokat.duel import Budget
from exactplay.solvers.winkeladvokat.native import NativeState, from_move, to_core

DATA = Path(__file__).parent.parent / "tests" / "data"


def bench(arguments: list[str]) -> None:
    """The table of the issue. ``quick`` leaves out n = 7 and the hard endgames."""
    quick = "quick" in arguments
    report = Report("Winkeladvokat")
    start = to_core(State.initial())
    seconds = cpu_seconds(lambda: start.perft(5), repeats=3)
    reference = cpu_seconds(lambda: perft(State.initial(5), 3), repeats=1) / 12_872
    report.add(
        "perft 5 from the 8 x 8 start", seconds, "s", at_most=1.0, aim=0.3,
        baseline=("reference, time a path", reference / (seconds / 2_322_452_808)),
    )
    seconds = cpu_seconds(lambda: whole_game(6), repeats=3)
    report.add("n = 6 from the start, value", seconds, "s", at_most=0.5, aim=0.1, baseline=_minimax_ratio())
    if not quick:
        report.add("n = 7 from the start, value", cpu_seconds(lambda: whole_game(7), repeats=1), "s", at_most=120, aim=30)
    cases = [case for case in endgames() if not quick or case["seconds"] < 0.1]
    theirs = [case["seconds"] for case in cases]
    for what, work in (("value", endgame_value), ("value and every best move", check_endgame)):
        took = [cpu_seconds(lambda case=case, work=work: work(case), repeats=1) for case in cases]  # type: ignore[misc]
        for name, measure in (("median", statistics.median), ("maximum", max)):
            report.add(f"the endgames file, {what}, {name}", measure(took), "s", at_most=2 * measure(theirs))
    core = to_core(State.initial())
    seconds = cpu_seconds(lambda: core.random_games(20_000, 1, 0), repeats=3)
    plain = cpu_seconds(lambda: [_reference_game(random.Random(seed)) for seed in range(2)], repeats=1) / 2
    report.add(
        "random games to the end", 20_000 / seconds, "games/s", at_least=50_000,
        baseline=("reference", plain / (seconds / 20_000)),
    )
    report.print()


def verify(arguments: list[str]) -> None:
    """``verify winkeladvokat [parity N] [endgames] [match N]``; all of them by default."""
    if not arguments or "parity" in arguments:
        parity(_number(arguments, "parity", 100_000))
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


def endgame_value(case: dict[str, Any]) -> None:
    """The value of a case of the file, cold, without the list of best moves."""
    state = State.parse(case["position"])
    Duel(state.board, state.rules).gain(to_core(state), Budget())


def whole_game(size: int) -> int:
    """The value of a board from its first move, cold, without the list of best moves."""
    state = State.initial(size)
    return Duel(state.board, state.rules).gain(to_core(state), Budget())


def _minimax_ratio() -> tuple[str, float]:
    state = State.initial(4)
    fields = str(state).split(" ")
    core = to_core(State.parse(f"{fields[0]} b 2,2 0,0"))
    plain = cpu_seconds(lambda: _plain_minimax(core), repeats=1)
    duel = Duel(state.board, state.rules)
    searched = cpu_seconds(lambda: duel.gain(core, Budget()), repeats=1)
    return "plain minimax over the core, n = 4 with 2 Articles each", plain / searched


def _plain_minimax(at: WinkeladvokatPosition) -> int:
    turn, scores = at.fields()[0], at.scores()
    if at.finished():
        return scores[turn] - scores[1 - turn]
    return max(-_plain_minimax(at.play(*move)) for move in at.moves())


def _reference_game(rng: random.Random) -> State:
    state = State.initial()
    while state.to_move != OVER:
        state = state.play(rng.choice(state.legal_moves()))
    return state


def parity(positions: int) -> None:
    """Random games under every combination of options: moves, results, ends and scores, reference against core."""
    options = WinkeladvokatRules.options()
    rng = random.Random(2026)
    compared = 0
    while compared < positions:
        rules = WinkeladvokatRules.from_mapping({name: rng.choice(values) for name, values in options.items()})
        size, players = rng.choice([3, 4, 4, 5, 5, 6]), rng.choice([2, 2, 3, 4])
        fields = str(State.initial(size, players, rules)).split(" ")
        supply = ",".join([str(rng.choice([1, 3, 6, 15]))] * players)
        state = State.parse(f"{fields[0]} {fields[1]} {supply} {fields[3]}", rules)
        native = NativeState.of(state)
        for _ in range(60):
            moves = state.legal_moves()
            same = (native.to_move, str(native), native.legal_moves()) == (state.to_move, str(state), moves)
            if not same or (not moves and native.scores() != state.scores()):
                raise SystemExit(f"reference and core differ: {state} ({rules.describe()})")
            compared += 1
            if not moves:
                break
            move = rng.choice(moves)
            state, native = state.play(move), native.play(move)
    print(f"parity: {compared} positions agree")


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
                state = state.play(analyse(state, seconds=None, nodes=nodes).best[0])
            else:
                state = state.play(tree_search(state, playouts, rng))
        margin = state.scores()[engine] - state.scores()[1 - engine]
        won, lost, points = won + (margin > 0), lost + (margin < 0), points + margin
        print(f"\rgame {number + 1}: {won} won, {lost} lost", end="", flush=True)
    print(f"\nmatch: the engine won {won}, lost {lost} of {games}, {points / games:+.1f} points a game")


class _Node:
    __slots__ = ("at", "children", "moves", "total", "visits")

    def __init__(self, at: WinkeladvokatPosition, rng: random.Random) -> None:
        self.at, self.visits, self.total = at, 0, 0.0
        self.moves = at.moves()
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
            child = _Node(node.at.play(*move), rng)
            node.children.append(child)
            path.append(child)
            node = child
        mover = node.at.fields()[0]
        _, _, margin, _ = node.at.random_games(1, rng.getrandbits(63), mover)
        # A node's total is seen by the player who moved into it.
        worth = -math.tanh(margin / scale)
        for visited in reversed(path):
            visited.visits += 1
            visited.total += worth
            worth = -worth
    best = max(root.children, key=lambda n: n.visits)
    return next(move for move in state.legal_moves() if root.at.play(*from_move(move)).fields() == best.at.fields())
