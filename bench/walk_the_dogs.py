"""Walk the Dogs: the speed rows, and the long checks of ``python -m bench verify walk_the_dogs``."""
from __future__ import annotations

import itertools
import random
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.timing import Report, cpu_seconds
from exactplay.cython_core.walk_the_dogs import random_games
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import BREEDS, PUT_ASIDE, Rules, State, deal, has_five
from exactplay.rules.walk_the_dogs.state import Objective
from exactplay.solvers.result import Exact
from exactplay.solvers.walk_the_dogs import best_addition, most_points, most_points_cp_sat
from exactplay.solvers.walk_the_dogs.native import NativeState
from exactplay.solvers.walk_the_dogs.play import TwoPlayers

TABLE = 2 << 30
DECK = 30
OBJECTIVES: tuple[Objective, ...] = ("points", "outcome")


def large_state(rng: random.Random, dogs: int, deck: int = DECK) -> State:
    """So many dogs in the middle, up to eight in each line, two cards each, a known pile: all at random."""
    bag = list(BREEDS * 9)
    rng.shuffle(bag)
    middle = "".join(bag.pop() for _ in range(dogs))
    lines: list[str] = []
    while len(lines) < 2:
        line = "".join(rng.sample(bag, rng.randint(0, 8)))
        if not has_five(line):
            lines.append(line)
            for dog in line:
                bag.remove(dog)
    pile = list(Rules().deck())
    rng.shuffle(pile)
    hands = []
    for _ in range(2):
        hand = [card for card in pile if card not in PUT_ASIDE][:2]
        for card in hand:
            pile.remove(card)
        hands.append(hand)
    return State.at(middle, lines, hands, pile[:deck])


def reference_games(players: int, games: int) -> None:
    """Play random games in the reference."""
    rng = random.Random(1)
    for _ in range(games):
        state = deal(rng, players)
        while state.to_move != OVER:
            # after, not play: the core does not check again that a move of its own list is legal either.
            state = state.after(random_step(rng, state))


def random_step(rng: random.Random, state: Any) -> Any:
    """A random decision or draw."""
    if state.to_move == CHANCE:
        outcomes = state.chance_outcomes()
        return rng.choices([move for move, _ in outcomes], [float(p) for _, p in outcomes])[0]
    return rng.choice(state.legal_moves())


def bench(arguments: list[str]) -> None:
    """The table of the issue; ``bench walk_the_dogs 20`` takes 20 positions a row in place of 5."""
    number = int(arguments[0]) if arguments else 5
    report = Report("Walk the Dogs")
    solver = TwoPlayers(TABLE)
    for dogs, limit, aim in ((18, 5.0, None), (22, 5.0, 5)):
        for what, all_moves in (("value and best moves", False), ("value of every move", True)):
            for objective in OBJECTIVES:
                rng = random.Random(dogs)
                solved, times, nodes = 0, [], 0
                for _ in range(number):
                    result = solver.solve(
                        large_state(rng, dogs), objective, all_moves=all_moves, seconds=limit
                    )
                    solved += result.effort.seconds <= limit and isinstance(result.verdict, Exact) and (
                        not all_moves or all(isinstance(verdict, Exact) for verdict in result.moves.values())
                    )
                    times.append(result.effort.seconds)
                    nodes += result.effort.nodes
                report.add(
                    f"{dogs} dogs, deck of {DECK}, {objective}, {what}: within {limit:g} CPU-s (mean "
                    f"{sum(times) / number:.2f}, worst {max(times):.2f}, {nodes / sum(times) / 1e6:.2f} M nodes/s)",
                    solved, f"of {number}", at_least=number if dogs == 18 and not all_moves else None,
                    aim=aim if aim is None else float(number),
                )
    for players in (2, 4):
        games = 20_000
        native = games / cpu_seconds(partial(random_games, players, True, False, True, games, 1), 3)
        reference = 40 / cpu_seconds(partial(reference_games, players, 40), 1)
        report.add(
            f"random games of {players} to the end", native, "games/s", at_least=20_000,
            baseline=("reference", native / reference),
        )
    more = "".join(random.Random(1).sample(BREEDS * 2, 8))
    fast = cpu_seconds(lambda: [most_points("SPOS", more) for _ in range(1000)], 3) / 1000
    slow = cpu_seconds(lambda: most_points_cp_sat("SPOS", more), 1)
    report.add("most points of a line with eight more dogs", fast * 1e6, "us", baseline=("CP-SAT", slow / fast))
    adding = cpu_seconds(lambda: [best_addition("SPOS", "SPO") for _ in range(1000)], 3) / 1000
    report.add("best addition of three dogs", adding * 1e6, "us")
    report.print()


def verify(arguments: list[str]) -> None:
    """Parity of reference and core over whole random games, and small positions against plain minimax.

    ``verify walk_the_dogs GAMES POSITIONS SEED``, 20000, 3000 and 1 if not given.
    """
    games, positions, seed = (int(word) for word in [*arguments, *("20000", "3000", "1")[len(arguments):]])
    verify_parity(games, seed)
    verify_minimax(positions, seed)
    verify_adding(positions, seed)


def verify_parity(games: int, seed: int) -> None:
    """Whole random games in the reference and in the core, every option and number of players in turn, step by step."""
    rng = random.Random(seed)
    options = list(itertools.product(*Rules.options().values()))
    steps, start = 0, time.process_time()
    for number in range(games):
        rules = Rules(*options[number % len(options)])
        state = deal(rng, 2 + number // len(options) % 3, rules)
        if number % 5 == 0:
            pile = list(state.deck)
            rng.shuffle(pile)
            state = State.at(state.middle, state.lines, state.hands, pile, rules=rules)
        native = NativeState.of(state)
        while True:
            moves = state.legal_moves()
            if (
                native.to_move != state.to_move or native.legal_moves() != moves or str(native) != str(state)
                or native.chance_outcomes() != state.chance_outcomes() or native.scores() != state.points_now()
            ):
                raise SystemExit(f"game {number} of seed {seed}: the core differs at {state}")
            if state.to_move == OVER:
                break
            move = random_step(rng, state)
            state, native, steps = state.after(move), native.play(move), steps + 1
        if number % 500 == 499:
            print(f"parity: {number + 1} games, {steps} steps, {time.process_time() - start:.0f} CPU s", flush=True)
    print(f"parity: {games} games, {steps} steps: reference and core agree at every one")


def verify_minimax(positions: int, seed: int) -> None:
    """Small random positions: the value of every move and the best moves equal plain minimax over the reference."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from walk_the_dogs_reference import drawn, minimax, small_state, state_near_five

    rng = random.Random(seed)
    solver = TwoPlayers(1 << 24)
    start = time.process_time()
    for number in range(positions):
        state = state_near_five(rng) if number % 3 == 0 else small_state(rng, most_dogs=rng.choice([1, 2, 3, 3, 4]))
        known: dict[State, dict[str, int]] = {}
        at = drawn(state)
        values = {move: minimax(at.after(move), known) for move in at.legal_moves()}
        for objective in OBJECTIVES:
            result = solver.solve(state, objective)
            best = (max if at.to_move == 0 else min)(one[objective] for one in values.values())
            if (
                result.verdict != Exact(best)
                or result.moves != {move: Exact(one[objective]) for move, one in values.items()}
                or set(result.best) != {move for move, one in values.items() if one[objective] == best}
            ):
                raise SystemExit(f"position {number} of seed {seed}, {objective}: not minimax at {state}")
            only = solver.solve(state, objective, all_moves=False)
            if (only.verdict, only.best) != (result.verdict, result.best):
                raise SystemExit(f"position {number} of seed {seed}, {objective}: best moves differ at {state}")
        if number % 500 == 499:
            print(f"minimax: {number + 1} positions, {time.process_time() - start:.0f} CPU s", flush=True)
    print(f"minimax: {positions} positions, both objectives: every value and every set of best moves agree")


def verify_adding(lines: int, seed: int) -> None:
    """The most points of random lines with more dogs, against CP-SAT."""
    rng = random.Random(seed)
    for number in range(lines // 30):
        line = "".join(rng.choice("SPO") for _ in range(rng.randint(0, 5)))
        dogs = "".join(rng.choice("SPO") for _ in range(rng.randint(0, 7)))
        if any((line + dogs).count(dog) > 9 for dog in "SPO"):
            continue
        for any_order in (True, False):
            if most_points(line, dogs, any_order=any_order) != most_points_cp_sat(line, dogs, any_order=any_order):
                raise SystemExit(f"line {number} of seed {seed}: CP-SAT differs for {line} and {dogs}")
    print(f"adding: {lines // 30} lines, in any order and in order: CP-SAT agrees")
