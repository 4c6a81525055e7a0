"""Winston (dogs): speed of search and random games, and the long checks."""
from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np

from bench.timing import Report, cpu_seconds
from exactplay.cython_core.winston_dogs import random_games
from exactplay.cython_core.winston_dogs_search import Searcher
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from exactplay.solvers.winston_dogs import solve
from exactplay.solvers.winston_dogs.bridge import from_position, from_move, to_position, to_move

SECONDS = 5.0
TABLE_BYTES = 1 << 30


def position(pile: int, seed: int) -> State:
    """Two hands of five and a known pile of that many cards, reached from a random deal by random moves."""
    rng = random.Random(seed)
    while True:
        state = State.deal(2, rng)
        while state.to_move != OVER and len(state.pile) > pile:
            state = state.play(rng.choice(state.legal_moves()))
        if state.to_move != OVER and len(state.pile) == pile:
            return state


def untouched(pile: int, seed: int) -> State:
    """The start of a game with a pile of that many cards, the rest of the 66 out of play."""
    state = State.deal(2, random.Random(seed))
    return replace(state, pile=state.pile[:pile])


def bench(arguments: list[str]) -> None:
    """The speed table; a number as argument is how many positions each row of the search takes (4)."""
    number = int(arguments[0]) if arguments else 4
    report = Report("Winston (dogs)")
    for pile, at_least in ((24, number), (32, None), (40, None)):
        for name, make in (("in mid-game", position), ("untouched", untouched)):
            solved, slowest, nodes, spent = 0, 0.0, 0, 0.0
            for seed in range(number):
                result = solve(make(pile, seed), every_move=False, seconds=10.0, table_bytes=TABLE_BYTES)
                solved += result.exact and result.effort.seconds <= SECONDS
                slowest = max(slowest, result.effort.seconds)
                nodes, spent = nodes + result.effort.nodes, spent + result.effort.seconds
            what = f"hands of five, known pile of {pile}, {name}: solved, best turns too, within {SECONDS:g} CPU-s"
            report.add(f"{what} (slowest {slowest:.2f})", solved, f"of {number}", at_least=at_least)
            report.add(f"  nodes a second, {name}", nodes / spent / 1e6, "million/s")
    _random_games(report)
    report.print()


def _random_games(report: Report) -> None:
    state = State.deal(2, random.Random(1))
    game, scores = to_position(state), np.zeros((50_000, 2), np.int16)
    rate = len(scores) / cpu_seconds(lambda: random_games(game, 1, scores))
    rng = random.Random(2)

    def reference() -> None:
        for _ in range(20):
            _play_out(replace(state, pile=tuple(rng.sample(state.pile, len(state.pile)))), rng)

    slow = 20 / cpu_seconds(reference)
    report.add("random games to the end, native", rate, "games/s", at_least=20_000)
    ratio = rate / slow
    report.add("random games, native against reference", ratio, "times", at_least=100, baseline=("reference", ratio))


def _play_out(state: State, rng: random.Random) -> None:
    while state.to_move != OVER:
        state = state.play(rng.choice(state.legal_moves()))


def verify(arguments: list[str]) -> None:
    """Parity of reference and core in random games, and searches that must agree: ``verify [GAMES [SEARCHES]]``."""
    games = int(arguments[0]) if arguments else 20_000
    searches = int(arguments[1]) if len(arguments) > 1 else 40
    rng, plies, start = random.Random(1), 0, time.process_time()
    for number in range(games):
        state = State.deal(2 + number % 5, rng)
        game = to_position(state)
        while state.to_move != OVER:
            moves = state.legal_moves()
            assert [to_move(word) for word in game.moves()] == list(moves), str(state)
            move = rng.choice(moves)
            state, game = state.play(move), game.play(from_move(move))
            assert from_position(game) == state, str(state)
            plies += 1
        assert game.over(), str(state)
        assert game.scores() == state.scores(), str(state)
        if number % 1_000 == 999:
            print(f"{number + 1} games, {plies} turns agree, {time.process_time() - start:.0f} CPU s", flush=True)
    print(f"parity: {games} games, {plies} turns: reference and core agree at every step")
    _tables_agree(rng, searches)


def _tables_agree(rng: random.Random, searches: int) -> None:
    """The value does not depend on the size of the table, the first guess or the order of the seats."""
    for number in range(searches):
        state = position(14, rng.randrange(1 << 30))
        value = Searcher(to_position(state), 1 << 26).value()
        assert value[0] == value[1]
        for table_bytes, guess in ((1 << 16, 0), (1 << 12, value[0] + 7), (1 << 26, -50)):
            assert Searcher(to_position(state), table_bytes).value((), guess) == value, str(state)
        swapped = replace(
            state, hands=state.hands[::-1], points=state.points[::-1], turn=1 - state.turn,
            bone=None if state.bone is None else 1 - state.bone, poo=None if state.poo is None else 1 - state.poo,
        )
        assert Searcher(to_position(swapped), 1 << 26).value() == (-value[0], -value[0]), str(state)
        if number % 10 == 9:
            print(f"{number + 1} of {searches} searches agree under other tables, guesses and seats", flush=True)
