"""The fewest plays of a hand of Winner, natively and by CP-SAT."""
from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from typing import Any

import pytest

from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winner import Card, classify, deck, parse_cards
from exactplay.solvers.winner import count_plays, fewest_plays
from tests.winner.cases import name, of_kind

plays = sys.modules["exactplay.solvers.winner.plays"]


@pytest.mark.parametrize("case", of_kind("min_plays"), ids=name)
def test_fewest_plays_cases(case: dict[str, Any]) -> None:
    hand = parse_cards(case["input"]["hand"])
    partition = fewest_plays(hand)
    assert partition.plays == len(partition.combinations) == case["expect"]
    assert tuple(sorted(card for part in partition.combinations for card in part.cards)) == hand


@pytest.mark.parametrize("decks", [1, 2])
def test_fewest_plays_and_cp_sat_agree(decks: int) -> None:
    rng = random.Random(decks)
    for _ in range(25):
        ranks = set(rng.sample(range(15), rng.randint(3, 15)))
        cards = [card for card in deck(decks=decks) if card.rank in ranks]
        hand = tuple(rng.sample(cards, min(len(cards), rng.randint(1, 27))))
        second = fewest_plays(hand, solver="cp-sat")
        assert fewest_plays(hand).plays == second.plays == len(second.combinations)
        assert sorted(card for part in second.combinations for card in part.cards) == sorted(hand)


PARTITIONS = [
    ("-", "0 plays (exact): "),
    ("3D", "1 play (exact): 3D"),
    ("BJ RJ", "1 play (exact): BJ RJ"),
    ("BJ BJ RJ RJ", "2 plays (exact): BJ RJ | BJ RJ"),
    ("BJ BJ RJ", "2 plays (exact): BJ RJ | BJ"),
    ("3D 3D 3C 3C 3H", "2 plays (exact): 3D 3D 3C 3C | 3H"),
    ("QD KC AD 2C 3D", "5 plays (exact): 3D | QD | KC | AD | 2C"),
    ("AD 2C 3D 4H 5S 9C", "2 plays (exact): 3D 4H 5S AD 2C | 9C"),
    ("3D 3C 4D 4C 5H 6H 7H 8S 9S TD TC TH QD QC",
     "3 plays (exact): 5H 6H 7H 8S 9S | 3D 3C 4D 4C | TD TC TH QD QC"),
    ("KD KC KH AS AC AH 7D", "2 plays (exact): KD KC KH AC AH AS | 7D"),
    ("3D 4C 5H 6S 7D 8C 9H TS JD QC KH AS 2D", "1 play (exact): 3D 4C 5H 6S 7D 8C 9H TS JD QC KH AS 2D"),
]


@pytest.mark.parametrize(("hand", "shown"), PARTITIONS)
def test_partitions_in_words(hand: str, shown: str) -> None:
    cards = () if hand == "-" else parse_cards(hand)
    found = fewest_plays(cards[::-1])
    assert str(found) == shown
    assert count_plays(cards) == found.plays == fewest_plays(cards, solver="cp-sat").plays


def test_every_shape_is_found_and_no_other() -> None:
    """By trying all numbers of cards of some ranks around the Ace, and what the rules call a combination."""
    most = {11: 2, 12: 3, 0: 3, 1: 4, 2: 1, 3: 2, 9: 1, 10: 1, 13: 1, 14: 1}  # A 2 3 4 5 6 Q K and the jokers
    allowed = set()
    for numbers in itertools.product(*(range(most[rank] + 1) for rank in most)):
        held = zip(most, numbers, strict=True)
        cards = [Card(rank, 0 if rank > 12 else suit) for rank, number in held for suit in range(number)]
        if cards and classify(tuple(cards)) is not None:
            allowed.add(frozenset(Counter(card.rank for card in cards).items()))
    found = list(plays._shapes(Counter(most)))
    assert {frozenset(shape) for shape in found} == allowed
    assert len(found) == len(allowed)


def test_shapes_come_with_the_largest_kinds_first() -> None:
    held = Counter({0: 4, 1: 2, 13: 1, 14: 1})  # 3 3 3 3 4 4 and both jokers
    assert list(plays._shapes(held)) == [
        ((0, 2), (1, 2)), ((0, 3), (1, 2)), ((0, 4),), ((0, 3),), ((0, 2),), ((1, 2),), ((0, 1),), ((1, 1),),
        ((13, 1), (14, 1)), ((13, 1),), ((14, 1),),
    ]
    assert list(plays._shapes(Counter({13: 1}))) == [((13, 1),)]
    assert list(plays._shapes(Counter({14: 1}))) == [((14, 1),)]


def test_three_of_a_card_are_refused_and_two_are_not() -> None:
    assert fewest_plays(parse_cards("3D 3D")).plays == 1
    with pytest.raises(IllegalPosition, match="two decks have two of each"):
        fewest_plays(parse_cards("3D 3D 3D"))


def test_cp_sat_is_asked_in_one_thread_and_believed_only_with_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    from ortools.sat.python import cp_model

    threads = []

    def solved(self: Any, model: Any) -> Any:
        threads.append(self.parameters.num_workers)
        return cp_model.FEASIBLE

    monkeypatch.setattr(cp_model.CpSolver, "solve", solved)
    with pytest.raises(RuntimeError, match="did not prove"):
        fewest_plays(parse_cards("3D 3C 4D"), solver="cp-sat")
    assert threads == [1]
    assert fewest_plays(parse_cards("3D 3C 4D")).plays == 2  # without it
