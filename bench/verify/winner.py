"""Long checks of Winner: ``python -m bench verify winner [games]``.

Parity of 20,000 random games under every option, the fast search against the general one, the native count of plays against
CP-SAT.
"""
from __future__ import annotations

import random

from bench.verify.parity import parity
from exactplay.cython_core.winner.maxn import MaxN
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.rules.winner import Rules, State, deck
from exactplay.solvers.winner import bridge, count_plays, fewest_plays


def verify(arguments: list[str]) -> None:
    """Long checks; an AssertionError names the position."""
    games = int(arguments[0]) if arguments else 20_000
    parity("winner", games)
    _verify_searches(max(50, games // 20))
    _verify_plays(max(20, games // 100))


def _some_state(rng: random.Random, rules: Rules, most: int) -> State:
    """Two hands of a few ranks, so that there are many combinations."""
    ranks = {1, 13, 14} | set(rng.sample(range(13), rng.randint(4, 13)))
    pack = [card for card in deck() if card.rank in ranks]
    rng.shuffle(pack)
    first, second = (rng.randint(2, most) for _ in range(2))
    return State.start((tuple(pack[:first]), tuple(pack[first : first + second])), rng.randrange(2), rules)


def _verify_searches(positions: int) -> None:
    """The fast search, with all its equivalences, against the general one, which has none."""
    for seed in range(positions):
        rng = random.Random(seed)
        rules = Rules(
            end="first_out", fours=rng.choice(["own", "off"]), straight_suit_tiebreak=rng.random() < 0.3,
            bomb_variation=rng.random() < 0.3,
        )
        state = _some_state(rng, rules, 10)
        position = bridge.position_of(state)
        for number, score in enumerate((False, True)):
            search = ProofSearch(position, score, 16 << 20)
            found = MaxN(number, 256 << 20).values(position, 10**12)
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
