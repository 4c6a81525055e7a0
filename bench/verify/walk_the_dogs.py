"""Walk the Dogs: the long checks of ``python -m bench verify walk_the_dogs``."""
from __future__ import annotations

import random
import time

from bench.verify.parity import parity
from exactplay.rules.walk_the_dogs import Objective, State
from exactplay.solvers.limits import Budget, Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.walk_the_dogs import most_points, most_points_cp_sat
from exactplay.solvers.walk_the_dogs.exact import TwoPlayers

OBJECTIVES: tuple[Objective, ...] = ("points", "outcome")


def verify(arguments: list[str]) -> None:
    """Parity of reference and core over whole random games, and small positions against plain minimax.

    ``verify walk_the_dogs GAMES POSITIONS SEED``, 20000, 3000 and 1 if not given.
    """
    games, positions, seed = (int(word) for word in [*arguments, *("20000", "3000", "1")[len(arguments):]])
    parity("walk_the_dogs", games, seed)
    verify_minimax(positions, seed)
    verify_adding(positions, seed)


def verify_minimax(positions: int, seed: int) -> None:
    """Small random positions: the value of every move and the best moves equal plain minimax over the reference."""
    from tests.walk_the_dogs.reference import drawn, minimax, small_state, state_near_five

    rng = random.Random(seed)
    solver = TwoPlayers(1 << 24)
    start = time.process_time()
    for number in range(positions):
        state = state_near_five(rng) if number % 3 == 0 else small_state(rng, most_dogs=rng.choice([1, 2, 3, 3, 4]))
        known: dict[State, dict[str, int]] = {}
        at = drawn(state)
        values = {move: minimax(at.after(move), known) for move in at.legal_moves()}
        for objective in OBJECTIVES:
            best = (max if at.to_move == 0 else min)(one[objective] for one in values.values())
            every, only, some = (
                solver.solve(state, objective, moves, Budget(Limits())) for moves in ("all", "best", "value")
            )
            ties = {move for move, one in values.items() if one[objective] == best}
            right = (
                every.verdict == only.verdict == some.verdict == Exact(best)
                and every.moves == {move: Exact(one[objective]) for move, one in values.items()}
                and set(every.best) == set(only.best) == ties and set() < set(some.best) <= ties
            )
            if not right:
                raise SystemExit(f"position {number} of seed {seed}, {objective}: not minimax at {state}")
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
