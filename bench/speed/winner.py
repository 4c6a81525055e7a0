"""Speed of Winner.

``python -m bench winner [deals]``: `deals` whole deals (default 20) are tried for up to 60 CPU seconds each.
"""
from __future__ import annotations

import random
import time

from bench.speed.timing import Report, cpu_seconds
from exactplay.cython_core.winner.fewest_plays import FewestPlays
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.rules.contract import OVER
from exactplay.rules.winner import State, deck
from exactplay.solvers.winner import bridge, fewest_plays

_TABLE_BYTES = 2048 << 20
_UNITS = {"score": 81, "win": 1}


def deals(cards: int, number: int, first: int = 0) -> list[State]:
    """First positions of two hands; the same for every run. The table uses seeds from 0 on, tuning from 100 on."""
    found = []
    for seed in range(first, first + number):
        pack = list(deck())
        random.Random(1000 + seed).shuffle(pack)
        found.append(State.start([tuple(pack[:cards]), tuple(pack[cards:2 * cards])], 0))
    return found


def _solve(state: State, objective: str, seconds: float) -> tuple[int | None, float, int]:
    """The value for seat 0, who leads (None: not within the limit), CPU seconds, positions made."""
    position = bridge.position_of(state)
    search = ProofSearch(position, objective == "score", _TABLE_BYTES)
    start = time.process_time()
    made = 0
    low, high = -_UNITS[objective], _UNITS[objective]
    while low < high:
        middle = 1 if low < 1 <= high else (low + high + 1) // 2
        answer = search.at_least(position, middle, 2**62, lambda _: time.process_time() - start > seconds)
        made += search.made
        if answer is None:
            return None, time.process_time() - start, made
        if answer:
            low = middle
        else:
            high = middle - 1 or -1
    return low, time.process_time() - start, made


def bench(arguments: list[str]) -> None:
    """Print the table."""
    whole = int(arguments[0]) if arguments else 20
    report = Report("Winner (Zheng Shangyou)")
    _fewest_plays(report)
    _random_games(report)
    rates: list[float] = []
    for what, objective, cards, number, seconds, needed in (
        ("win, 18 cards each", "win", 18, 6, 10.0, 6), ("score, 16 cards each", "score", 16, 8, 10.0, 8),
        ("score, 18 cards each (aim)", "score", 18, 6, 10.0, None), ("win, 22 cards each (aim)", "win", 22, 6, 10.0, None),
        ("win, 27 cards each", "win", 27, whole, 60.0, max(1, whole * 8 // 20)),
    ):
        solved, spent = 0, []
        for index, state in enumerate(deals(cards, number)):
            value, used, made = _solve(state, objective, seconds)
            solved += value is not None
            spent.append(used)
            if used > 0.5:
                rates.append(made / used)
            print(f"  {what}, deal {index}: value {value}, {used:.2f} CPU s, {made:,} positions", flush=True)
        report.add(f"{what}: solved of {number} within {seconds:g} CPU-s each (worst {max(spent):.1f} s)", solved, "deals",
                   at_least=needed)
    if rates:
        report.add("positions made a second, median of the longer searches", sorted(rates)[len(rates) // 2], "/s",
                   at_least=3e6)
    report.print()


def _fewest_plays(report: Report) -> None:
    hands = [state.hands[0] for state in deals(27, 100)]
    cold = []
    for hand in hands:
        counter, words = FewestPlays(), bridge.words(hand)
        cold.append(cpu_seconds(lambda counter=counter, words=words: counter.count(*words), 1))  # type: ignore[misc]
    cards = hands[0]
    second = cpu_seconds(lambda: fewest_plays(cards, solver="cp-sat"), 3)
    mean = sum(cold) / len(cold)
    report.add("fewest plays of 27 cards, cold, mean of 100", 1e3 * mean, "ms", at_most=1.0,
               baseline=("CP-SAT", second / mean))
    report.add("fewest plays of 27 cards, cold, worst of 100", 1e3 * max(cold), "ms", at_most=1.0)


def _random_games(report: Report) -> None:
    for players in (2, 3, 4):
        state = State.deal(random.Random(players), players)
        position = bridge.position_of(state)
        seconds = cpu_seconds(lambda at=position: at.random_games(2_000, 1), 2) / 2_000  # type: ignore[misc]
        slow = cpu_seconds(lambda state=state: _reference_game(state, random.Random(5)), 1)  # type: ignore[misc]
        report.add(f"random games to the end, whole deal, {players} players", 1 / seconds, "/s", at_least=20_000,
                   baseline=("the reference", slow / seconds))


def _reference_game(state: State, rng: random.Random) -> None:
    while state.to_move != OVER:
        state = state.play(rng.choice(state.legal_moves()))
