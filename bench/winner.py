"""Speed of Winner: the table of the issue; and its long checks.

``python -m bench winner [deals]``: `deals` whole deals (default 20) are tried for up to 60 CPU seconds each.
``python -m bench verify winner [games]``: parity of 20,000 random games under every option, the fast search against the
general one, the native count of plays against CP-SAT.
"""
from __future__ import annotations

import random
import time

from bench.timing import Report, cpu_seconds
from exactplay.cython_core.winner.fewest_plays import FewestPlays
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.rules.contract import OVER
from exactplay.rules.winner import Card, Rules, State, deck
from exactplay.solvers.winner import bridge, count_plays, fewest_plays
from exactplay.solvers.winner.exact import general_search

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


def verify(arguments: list[str]) -> None:
    """Long checks; an AssertionError names the position."""
    games = int(arguments[0]) if arguments else 20_000
    _verify_parity(games)
    _verify_searches(max(50, games // 20))
    _verify_plays(max(20, games // 100))


def _some_rules(rng: random.Random) -> Rules:
    chosen = {name: rng.choice(values) for name, values in Rules.options().items()}
    if chosen["revolution"]:
        chosen["bomb_variation"] = False
    return Rules.from_mapping(chosen)


def _some_state(rng: random.Random, rules: Rules, players: int, most: int) -> State:
    ranks = {1, 13, 14} | set(rng.sample(range(13), rng.randint(4, 13)))
    pack = [card for card in deck(jokers=rules.jokers, decks=rules.decks) if card.rank in ranks]
    rng.shuffle(pack)
    most = min(most, len(pack) // players)
    hands: list[tuple[Card, ...]] = []
    for _ in range(players):
        size = rng.randint(2, most)
        hands.append(tuple(pack[:size]))
        pack = pack[size:]
    exchange = (0, 1) if rules.exchange and rng.random() < 0.5 else None
    return State.start(hands, rng.randrange(players), rules, exchange=exchange)


def _verify_parity(games: int) -> None:
    plies = 0
    for seed in range(games):
        rng = random.Random(seed)
        rules = _some_rules(rng)
        state = _some_state(rng, rules, rng.randint(2, 4), 8)
        position = bridge.position_of(state)
        while state.to_move != OVER:
            moves = state.legal_moves()
            assert tuple(bridge.move_of(*move) for move in position.moves()) == moves, state
            move = rng.choice(moves)
            state = state.play(move)
            position = position.play(*bridge.move_words(move))
            assert bridge.state_of(position, rules) == state
            plies += 1
        assert position.scores() == state.scores(), state
        if seed % 1_000 == 999:
            print(f"parity: {seed + 1} games, {plies} plies", flush=True)


def _verify_searches(positions: int) -> None:
    """The fast search, with all its equivalences, against the general one, which has none."""
    for seed in range(positions):
        rng = random.Random(seed)
        rules = Rules(
            end="first_out", fours=rng.choice(["own", "off"]), straight_suit_tiebreak=rng.random() < 0.3,
            bomb_variation=rng.random() < 0.3,
        )
        state = _some_state(rng, rules, 2, 10)
        position = bridge.position_of(state)
        for objective in ("win", "score"):
            score = objective == "score"
            search = ProofSearch(position, score, 16 << 20)
            found = general_search(objective, 256 << 20).values(position, 10**12)
            best = max(answer[0][0] for answer in found if answer is not None) * (1 if state.turn == 0 else -1)
            value = best // 2 if score else best
            for threshold in (value, value + 1):
                if threshold:
                    answer = search.at_least(position, threshold, 2**62)
                    assert answer == (value >= threshold), (state, score, threshold)
        if seed % 100 == 99:
            print(f"searches: {seed + 1} positions", flush=True)


def _verify_plays(hands: int) -> None:
    for seed in range(hands):
        rng = random.Random(seed)
        hand = tuple(rng.sample(deck(decks=rng.choice([1, 2])), rng.randint(1, 27)))
        assert count_plays(hand) == fewest_plays(hand, solver="cp-sat").plays, hand
    print(f"fewest plays: {hands} hands", flush=True)
