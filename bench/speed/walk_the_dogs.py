"""Walk the Dogs: speed."""
from __future__ import annotations

import random
from functools import partial

from bench.speed.timing import Report, cpu_seconds
from bench.verify.walk_the_dogs import OBJECTIVES
from exactplay.cython_core.walk_the_dogs.position import random_games
from exactplay.rules.contract import OVER
from exactplay.rules.walk_the_dogs import BREEDS, PUT_ASIDE, Rules, State, has_five
from exactplay.solvers.limits import Budget, Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.walk_the_dogs import best_addition, most_points, most_points_cp_sat
from exactplay.solvers.walk_the_dogs.exact import TwoPlayers
from tests.shared.subject import random_move

TABLE = 2 << 30
DECK = 30


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
        state = State.deal(rng, players)
        while state.to_move != OVER:
            # after, not play: the core does not check again that a move of its own list is legal either.
            state = state.after(random_move(rng, state))


def bench(arguments: list[str]) -> None:
    """The table of the issue; ``bench walk_the_dogs 20`` takes 20 positions a row in place of 5."""
    number = int(arguments[0]) if arguments else 5
    report = Report("Walk the Dogs")
    solver = TwoPlayers(TABLE)
    for dogs, limit, aim in ((18, 5.0, None), (22, 5.0, 5)):
        for what, moves in (("value and best moves", "best"), ("value of every move", "all")):
            for objective in OBJECTIVES:
                rng = random.Random(dogs)
                solved, times, nodes = 0, [], 0
                for _ in range(number):
                    budget = Budget(Limits(cpu_seconds=limit))
                    result = solver.solve(large_state(rng, dogs), objective, moves, budget)
                    solved += result.effort.seconds <= limit and isinstance(result.verdict, Exact) and (
                        moves == "best" or all(isinstance(verdict, Exact) for verdict in result.moves.values())
                    )
                    times.append(result.effort.seconds)
                    nodes += result.effort.nodes
                report.add(
                    f"{dogs} dogs, deck of {DECK}, {objective}, {what}: within {limit:g} CPU-s (mean "
                    f"{sum(times) / number:.2f}, worst {max(times):.2f}, {nodes / sum(times) / 1e6:.2f} M nodes/s)",
                    solved, f"of {number}", at_least=number if dogs == 18 and moves == "best" else None,
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
