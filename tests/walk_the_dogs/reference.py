"""Slow and sure: plain minimax, max^n and game trees over the reference rules, and small random positions for them."""
from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import BREEDS, PUT_ASIDE, Move, Objective, Rules, State, View, has_five, take
from tests import DATA

CASES = [
    json.loads(line)
    for line in (DATA / "walk-the-dogs-cases.jsonl").read_text(encoding="utf-8").splitlines()
]


def cases(*kinds: str) -> list[Any]:
    return [case for case in CASES if case["kind"] in kinds]


def case_state(case: dict[str, Any], **more: Any) -> State:
    return State.from_json({name: value for name, value in {**case["input"], **more}.items() if name != "objective"})


def case_move(state: State, move: Move) -> tuple[str, ...]:
    """A move in the words of the cases."""
    if move.kind == "play":
        return move.card, take(state.middle, move.card)[0], move.line
    return move.card, f"{move.victim} {move.end}", move.line


def words_of(entry: dict[str, str]) -> tuple[str, ...]:
    return entry["card"], entry.get("taken", entry.get("from", "")), entry["line"]


def some_rules(rng: random.Random) -> Rules:
    return Rules(
        special_cards=rng.random() < 0.85, advanced=rng.random() < 0.25, three_in_any_order=rng.random() < 0.75
    )


def small_state(
    rng: random.Random, most_dogs: int = 3, players: int = 2, rules: Rules | None = None, deck: int = 9
) -> State:
    """A random small position with a known order of the pile, many special cards and few breeds."""
    while True:
        chosen = some_rules(rng) if rules is None else rules
        bag = list(BREEDS[: rng.randint(1, 5)] * 9)
        rng.shuffle(bag)
        middle = "".join(bag.pop() for _ in range(rng.randint(1, most_dogs)))
        lines = ["".join(bag.pop() for _ in range(min(len(bag), rng.randint(0, 6)))) for _ in range(players)]
        if any(has_five(line) for line in lines):
            continue
        pile = list(chosen.deck())
        if rng.random() < 0.6:
            pile = [card for card in pile if card in ("le", "bo", "dc") or rng.random() < 0.3]
        rng.shuffle(pile)
        hands = []
        for _ in range(players):
            hand = [card for card in pile if card not in PUT_ASIDE][: rng.choice([0, 1, 2, 2, 2, 2, 2, 2])]
            for card in hand:
                pile.remove(card)
            hands.append(hand)
        bones = [rng.randint(0, 1) for _ in range(players)]
        state = State.at(
            middle, lines, hands, pile[: rng.randint(0, deck)], rng.randrange(players), bones, rules=chosen
        )
        if state.to_move != OVER:
            return state


def state_near_five(rng: random.Random) -> State:
    """A random small position of two or three breeds, in which five in a row is often near."""
    while True:
        breeds = rng.choice(["SP", "SPO"])
        middle = "".join(rng.choice(breeds) for _ in range(rng.randint(2, 4)))
        lines = [
            "".join(rng.choice("S" * rng.randint(1, 4) + breeds) for _ in range(rng.randint(0, 5))) for _ in range(2)
        ]
        rules = Rules(advanced=rng.random() < 0.2)
        pile = [card for card in rules.deck() if card in ("le", "bo", "dc") or rng.random() < 0.6]
        rng.shuffle(pile)
        hands = []
        for _ in range(2):
            hand = [card for card in pile if card not in PUT_ASIDE][:2]
            for card in hand:
                pile.remove(card)
            hands.append(hand)
        if max(Counter(middle + "".join(lines)).values()) <= 9 and not all(has_five(line) for line in lines):
            state = State.at(middle, lines, hands, pile[: rng.randint(0, 8)], rng.randrange(2), rules=rules)
            if state.to_move != OVER:
                return state


def minimax(state: State, known: dict[State, dict[str, int]]) -> dict[str, int]:
    """The values for player 0, by objective, of a game of two with a known order of the pile."""
    if state not in known:
        if state.to_move == OVER:
            value = {"points": state.utilities("points")[0], "outcome": state.utilities("outcome")[0]}
        elif state.to_move == CHANCE:
            value = minimax(state.after(state.chance_outcomes()[0][0]), known)
        else:
            values = [minimax(state.after(move), known) for move in state.legal_moves()]
            choose = max if state.to_move == 0 else min
            value = {objective: choose(one[objective] for one in values) for objective in ("points", "outcome")}
        known[state] = value
    return known[state]


def maxn(state: State, objective: Objective, rng: random.Random, known: dict[State, tuple[int, ...]]) -> tuple[int, ...]:
    """Max^n with ties broken at random."""
    if state not in known:
        if state.to_move == OVER:
            value = state.utilities(objective)
        elif state.to_move == CHANCE:
            value = maxn(state.play(state.chance_outcomes()[0][0]), objective, rng, known)
        else:
            values = [maxn(state.after(move), objective, rng, known) for move in state.legal_moves()]
            most = max(value[state.to_move] for value in values)
            value = rng.choice([value for value in values if value[state.to_move] == most])
        known[state] = value
    return known[state]


def drawn(state: State) -> State:
    """Play the draws that are due."""
    while state.to_move == CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    return state


def small_view(
    rng: random.Random, players: int = 2, most_dogs: int = 3, unseen: int = 7, leashes: bool = True
) -> View:
    """What the player to move sees of a small position in which most cards lie in the discards."""
    rules = Rules(three_in_any_order=rng.random() < 0.8)
    while True:
        bag = list(BREEDS[: rng.randint(2, 5)] * 9)
        rng.shuffle(bag)
        middle = "".join(bag.pop() for _ in range(rng.randint(1, most_dogs)))
        lines = ["".join(bag.pop() for _ in range(min(len(bag), rng.randint(0, 5)))) for _ in range(players)]
        if any(has_five(line) for line in lines):
            continue
        pile = [card for card in rules.deck() if leashes or card != "le"]
        rng.shuffle(pile)
        hidden = [pile.pop() for _ in range(rng.randint(players + 1, unseen))]
        hand = [card for card in pile if card not in PUT_ASIDE][: rng.randint(1, 3)]
        for card in hand:
            pile.remove(card)
        if sum(card not in PUT_ASIDE for card in hidden) < 2 * (players - 1):
            continue
        sizes = [len(hand)] + [rng.randint(1, 2) for _ in range(players - 1)]
        # Bones that are not hidden lie before the players.
        bones = [0] * players
        for card in [card for card in pile if card == "bo"]:
            pile.remove(card)
            bones[rng.randrange(players)] += 1
        pile += [] if leashes else ["le"] * 3
        state = State.at(
            middle, lines, [hand, *[["g1"] * size for size in sizes[1:]]], (), 0, bones, pile, "play", rules=rules
        )
        if state.to_move == 0:
            return View.of(state)


def labelled_worlds(view: View) -> Counter[tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]]:
    """Every deal of the unseen cards as single cards: hands of the others, pile; the slow and sure way."""
    unseen = view.unseen()
    sizes = [size for player, size in enumerate(view.sizes) if player != view.seat]
    counted: Counter[Any] = Counter()
    for order in itertools.permutations(range(len(unseen))):
        cards = [unseen[index] for index in order]
        held = cards[: sum(sizes)]
        if any(card in PUT_ASIDE for card in held):
            continue
        at = iter(held)
        hands = tuple(tuple(sorted(itertools.islice(at, size))) for size in sizes)
        counted[hands, tuple(cards[sum(sizes):])] += 1
    return counted


def tree_value(state: State, objective: Objective, player: int) -> Fraction:
    """The expectation for a player over a whole game tree with a shuffled pile, everyone seeing all hands."""
    if state.to_move == OVER:
        return Fraction(state.utilities(objective)[player])
    if state.to_move == CHANCE:
        return sum(
            (p * tree_value(state.play(card), objective, player) for card, p in state.chance_outcomes()), Fraction(0)
        )
    who = state.to_move
    options = [state.play(move) for move in state.legal_moves()]
    best = max(options, key=lambda option: tree_value(option, objective, who))
    return tree_value(best, objective, player)
