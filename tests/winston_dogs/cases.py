"""The data file of the dog cards, and plain searches over the reference to hold answers against."""
from __future__ import annotations

import json
import random
from typing import Any

import pytest

from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import State
from tests import DATA
from tests.winston_dogs.subject import set_up

CASES = [json.loads(line) for line in (DATA / "winston-dogs-cases.jsonl").read_text().splitlines()]


def cases(*kinds: str) -> pytest.MarkDecorator:
    """A test of every case of these kinds."""
    chosen = [case for case in CASES if case["kind"] in kinds]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


class TooLarge(Exception):
    """A position that plain minimax should not be asked for."""


def minimax(state: State, memo: dict[State, int], most: int = 30_000) -> int:
    """Seat 0's final score less seat 1's, over the reference and nothing else."""
    if state.to_move == OVER:
        first, second = state.scores()
        return first - second
    if state not in memo:
        if len(memo) > most:
            raise TooLarge
        values = [minimax(state.play(move), memo, most) for move in state.legal_moves()]
        memo[state] = max(values) if state.turn == 0 else min(values)
    return memo[state]


def plain_maxn(state: State, memo: dict[State, tuple[int, ...]], most: int = 30_000) -> tuple[int, ...]:
    if state.to_move == OVER:
        return state.scores()
    if state not in memo:
        if len(memo) > most:
            raise TooLarge
        memo[state] = max(
            # max keeps the first of equals: the first move in text order
            (plain_maxn(state.play(move), memo, most) for move in state.legal_moves()), key=lambda v: v[state.turn]
        )
    return memo[state]


def small_positions(seed: int, number: int, players: int | None, **sizes: Any) -> list[State]:
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < number:
        chosen = {name: rng.choice(values) for name, values in sizes.items()}
        state = set_up(rng, players or rng.choice([2, 3, 4]), **chosen)
        if state.to_move != OVER:
            found.append(state)
    return found
