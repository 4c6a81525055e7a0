"""The rules of Winner, sentence by sentence: what combinations are, what beats what, and how a hand goes."""
from __future__ import annotations

import itertools
import random
import re
from typing import get_args

import pytest

from exactplay.rules.contract import OVER, IllegalMove, IllegalPosition
from exactplay.rules.winner import (
    Combination,
    Move,
    Rules,
    State,
    beats,
    classify,
    combinations,
    deal_sizes,
    deck,
    parse_cards,
    score,
    show_cards,
)
from exactplay.rules.winner.combinations import Kind

#: cards, kind, number of ranks, rank (0 for a Three) or place in the natural order, suit that may decide
KINDS = [
    ("2S", "single", 1, 12, 3),
    ("BJ", "single", 1, 13, 0),
    ("RJ", "single", 1, 14, 0),
    ("3C 3H", "pair", 1, 0, 2),
    ("3D 3D", "pair", 1, 0, 0),
    ("3D 3C 3H", "bomb", 1, 0, 0),
    ("AC AH AS", "bomb", 1, 11, 0),
    ("4D 4C 4H 4S", "large_bomb", 1, 1, 0),
    ("BJ RJ", "joker_pair", 1, 0, 0),
    ("3D 3C 3H 4C 4S", "full_house", 2, 0, 0),
    ("3D 3C 4D 4C 4H", "full_house", 2, 1, 0),
    ("3D 3C 4D 4C", "pair_straight", 2, 3, 0),
    ("AD AC 2D 2C", "pair_straight", 2, 1, 0),
    ("KD KC AD AC", "pair_straight", 2, 13, 0),
    ("QD QC KD KC AD AC", "pair_straight", 3, 12, 0),
    ("3D 3C 3H 4D 4C 4H", "triple_straight", 2, 3, 0),
    ("AD 2C 3H 4S 5D", "straight", 5, 1, 0),
    ("2D 3C 4H 5S 6H", "straight", 5, 2, 2),
    ("TC JC QH KS AH", "straight", 5, 10, 2),
    ("3D 4D 5D 6D 7C 8D", "straight", 6, 3, 0),
    ("AC 2C 3C 4C 5C", "straight_flush", 5, 1, 1),
    ("9S TS JS QS KS AS", "straight_flush", 6, 9, 3),
    ("AH 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD", "straight", 13, 2, 2),
    ("AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KH", "straight", 13, 2, 0),
    ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "straight_flush", 13, 2, 3),
    ("AH 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD", "straight", 12, 1, 0),
]


def test_the_table_has_every_kind() -> None:
    assert {kind for _, kind, *_ in KINDS} == set(get_args(Kind))


def the(text: str) -> Combination:
    combination = classify(parse_cards(text))
    assert combination is not None
    return combination


@pytest.mark.parametrize(("text", "kind", "length", "height", "suit"), KINDS, ids=[row[0] for row in KINDS])
def test_every_kind(text: str, kind: str, length: int, height: int, suit: int) -> None:
    cards = parse_cards(text)
    found = classify(cards[::-1])
    assert found == classify(cards)
    assert found is not None
    assert (found.kind, found.cards, found.length, found.height, found.suit) == (kind, cards, length, height, suit)
    assert str(found) == show_cards(cards)


@pytest.mark.parametrize("text", [
    "", "BJ BJ", "RJ RJ", "BJ RJ RJ", "3D BJ", "3D 3C BJ", "3D 4D 5D 6D BJ", "BJ BJ RJ RJ 3D", "3D 3C 3H BJ RJ",
    "3D 3D 3C 3C 3H", "3D 4D", "3D 4D 5D 6D", "3D 3C 4D", "3D 3C 5D 5C", "KD KC AD AC 2D 2C", "QD KD AD 2D 3D",
    "3D 3C 3H 5D 5C 5H", "3D 3C 3H 4D", "3D 3C 3H 4D 4C 4H 4S", "3D 3C 3H 3S 4D 4C 4H 4S", "3D 4D 5D 6D 8D",
    "3D 3C 4D 4C 5D 5C 6D", "3D 3C 3H 3S 4D",
])
def test_no_combination(text: str) -> None:
    assert classify(parse_cards(text)) is None


#: what beats what by its own kind, and never the other way round
HIGHER = [
    ("3D", "3C"), ("3S", "4D"), ("AS", "2D"), ("2S", "BJ"), ("BJ", "RJ"),
    ("3D 3H", "3C 3S"), ("3H 3S", "4D 4C"), ("AD AC", "2D 2C"),
    ("3D 3C 3H", "4D 4C 4H"), ("AD AC AH", "2D 2C 2H"), ("3D 3C 3H 3S", "2D 2C 2H 2S"),
    ("3D 3C 3H 2D 2C", "4D 4C 4H 3D 3S"),
    ("AD AC 2D 2C", "2D 2C 3D 3C"), ("QD QC KD KC", "KD KC AD AC"), ("AD AC AH 2D 2C 2H", "2D 2C 2H 3D 3C 3H"),
    ("AD 2C 3H 4S 5D", "2D 3C 4H 5S 6D"), ("9D TC JH QS KD", "TD JC QH KS AD"), ("AD 2D 3D 4D 5D", "2D 3D 4D 5D 6D"),
]
#: equal for each other
EQUAL = [
    ("3D", "3D"), ("3D 3S", "3C 3S"), ("3D 3C 4D 4C", "3H 3S 4H 4S"), ("3D 4C 5H 6S 7D", "3C 4H 5S 6D 7C"),
    ("3D 4D 5D 6D 7D", "3C 4C 5C 6C 7C"), ("4D 4D 4C 3D 3C", "4D 4D 4C 3H 3S"),
]
#: of kinds or lengths that cannot answer each other
STRANGE = [
    ("3D", "4D 4C"), ("3D 3C", "4D 4C 4H"), ("3D 3C 4D 4C", "5D 5C 6D 6C 7D 7C"), ("3D 3C 3H 4D 4C", "5D 5C 6D 6C"),
    ("3D 4C 5H 6S 7D", "4D 5C 6H 7S 8D 9D"), ("3D 4D 5D 6D 7D", "4D 5D 6D 7D 8D 9D"), ("3D 3C 3H", "4D 4C 4H 3D 3C"),
    ("3D 3C 3H 4D 4C 4H", "5D 5C 6D 6C 7D 7C"), ("2S", "3D 3C 3H"),
]


def test_what_beats_what_by_its_own_kind() -> None:
    rules = Rules()
    for low, high in HIGHER:
        assert beats(the(high), the(low), rules), (low, high)
        assert not beats(the(low), the(high), rules), (low, high)
    for one, other in EQUAL + STRANGE:
        assert not beats(the(one), the(other), rules), (one, other)
        assert not beats(the(other), the(one), rules), (one, other)


def test_large_bombs_straight_flushes_and_the_joker_pair_beat_other_kinds() -> None:
    large, flush, jokers = "3D 3C 3H 3S", "AD 2D 3D 4D 5D", "BJ RJ"
    others = ["RJ", "2H 2S", "2D 2C 2H", "AD AC AH KD KC", "KD KC AD AC", "KD KC KH AD AC AH", "TC JC QH KS AH"]
    order = [others, [large], [flush], [jokers]]
    for rules in (Rules(), Rules(revolution=True), Rules(straight_suit_tiebreak=True)):
        for turned in (False, True):
            for lower, upper in itertools.combinations(order, 2):
                for low, high in itertools.product(lower, upper):
                    assert beats(the(high), the(low), rules, reversed_order=turned), (low, high)
                    assert not beats(the(low), the(high), rules, reversed_order=turned), (low, high)
    assert not beats(the(jokers), the(jokers), Rules())


def test_bomb_variation() -> None:
    rules = Rules(bomb_variation=True)
    large, flush, jokers = the("3D 3C 3H 3S"), the("AD 2D 3D 4D 5D"), the("BJ RJ")
    assert beats(large, flush, rules)
    assert not beats(flush, large, rules)
    assert not beats(jokers, large, rules)
    assert beats(jokers, flush, rules)
    assert not beats(large, jokers, rules)  # it ends its trick at once
    assert beats(the("4D 4C 4H 4S"), large, rules)
    assert not beats(large, the("4D 4C 4H 4S"), rules)
    assert beats(large, the("3D"), rules)
    assert beats(the("4D"), the("3D"), rules)
    assert not beats(the("4D"), large, rules)


def test_suits_decide_between_straights_if_an_option_says_so() -> None:
    rules = Rules(straight_suit_tiebreak=True)
    for low, high in (
        ("3D 4C 5H 6S 7D", "3C 4H 5S 6D 7C"), ("3D 4D 5D 6D 7D", "3C 4C 5C 6C 7C"), ("AS 2C 3C 4C 5D", "AC 2H 3H 4H 5C"),
    ):
        assert beats(the(high), the(low), rules)
        assert not beats(the(low), the(high), rules)
    assert beats(the("4D 5C 6H 7S 8D"), the("3C 4H 5S 6D 7S"), rules)
    assert not beats(the("3H 3S 4H 4S"), the("3D 3C 4D 4C"), rules)


def test_a_revolution_turns_ranks_round_but_not_jokers_suits_and_straights() -> None:
    rules = Rules(revolution=True)

    def on(new: str, current: str) -> bool:
        return beats(the(new), the(current), rules, reversed_order=True)

    for low, high in (
        ("4D", "3D"), ("2S", "3D"), ("4D 4C", "3D 3C"), ("4D 4C 4H", "3D 3C 3H"), ("2D 2C 2H 2S", "AD AC AH AS"),
        ("4D 4C 4H 3D 3C", "3D 3C 3H 4D 4C"), ("3D", "BJ"), ("3D", "RJ"), ("BJ", "RJ"), ("3D", "3C"), ("3D 3H", "3C 3S"),
        ("AD AC 2D 2C", "2D 2C 3D 3C"), ("3D 3C 3H 4D 4C 4H", "4D 4C 4H 5D 5C 5H"), ("3D 4C 5H 6S 7D", "4D 5C 6H 7S 8D"),
        ("3D 4D 5D 6D 7D", "4D 5D 6D 7D 8D"),
    ):
        assert on(high, low), (low, high)
        assert not on(low, high), (low, high)


HAND = "3D 3C 3H 3S 4D 4C 5D 6D 7D 8C BJ RJ"


def listed(found: object) -> list[str]:
    return sorted(map(str, found))  # type: ignore[call-overload]


@pytest.mark.parametrize(("current", "rules", "turned", "expected"), [
    ("8D", Rules(), False, ["3D 3C 3H 3S", "3D 4D 5D 6D 7D", "8C", "BJ", "BJ RJ", "RJ"]),
    ("6C", None, True,
     ["3D", "3C", "3H", "3S", "4D", "4C", "5D", "BJ", "RJ", "3D 3C 3H 3S", "3D 4D 5D 6D 7D", "BJ RJ"]),
    ("3D 4D 5D 6D 7C 8D", None, False, ["3D 3C 3H 3S", "3D 4D 5D 6D 7D", "BJ RJ"]),
    ("2D 3D 4D 5D 6D", Rules(bomb_variation=True), False, ["3D 3C 3H 3S", "3D 4D 5D 6D 7D", "BJ RJ"]),
    ("2D 3D 4D 5D 6D", Rules(), False, ["3D 4D 5D 6D 7D", "BJ RJ"]),
    ("BJ RJ", Rules(), False, []),
])
def test_what_a_hand_can_answer(current: str, rules: Rules | None, turned: bool, expected: list[str]) -> None:
    found = list(combinations(parse_cards(HAND), the(current), rules, reversed_order=turned))
    assert listed(found) == sorted(expected)
    assert found == [classify(combination.cards) for combination in found]


def test_what_triple_straights_answer_and_that_ranks_are_as_usual_unless_told() -> None:
    hand = parse_cards("4D 4C 4H 5D 5C 5H")
    assert listed(combinations(hand, the("3D 3C 3H 4D 4C 4S"))) == ["4D 4C 4H 5D 5C 5H"]
    assert listed(combinations(hand, the("4S"), Rules())) == ["5C", "5D", "5H"]


def test_rows_of_all_ranks_and_equal_cards_are_listed_once() -> None:
    row = "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KH"
    long = [found for found in combinations(parse_cards(row)) if found.length >= 12]
    without = [row.replace(card, "") for card in ("KH", "AD", "2D")]
    assert listed(long) == listed(the(text) for text in (row, *without))
    double = [str(found) for found in combinations(parse_cards("3D 3D 3C"))]
    assert listed(double) == ["3C", "3D", "3D 3C", "3D 3D", "3D 3D 3C"]
    assert listed(combinations(parse_cards("BJ BJ RJ"))) == ["BJ", "BJ RJ", "RJ"]


# --- a hand ------------------------------------------------------------------------------------------------------------

FOURS = "3D 3C 3H 9D | 4D 4C 4H KD | 8D 8C 8H QD; turn 0; rules fours="


def after(text: str, *moves: str) -> State:
    state = State.parse(text)
    for move in moves:
        state = state.play(Move.parse(move))
    return state


@pytest.mark.parametrize(("start", "moves", "expected"), [
    # A pass binds nobody later in the trick, and the one who played last leads the next.
    ("3D 9D TD | 4D JD | 5D QD; turn 0", ("3D", "pass", "5D", "9D", "JD"), "TD | 4D | QD; turn 2; on JD by 1"),
    ("3D 9D TD | 4D JD | 5D QD; turn 0", ("3D", "pass", "5D", "pass", "pass"), "9D TD | 4D JD | QD; turn 2"),
    ("3D 9D TD | 4D JD | 5D QD; turn 0", ("3D", "pass"), "9D TD | 4D JD | 5D QD; turn 2; on 3D by 0"),
    # Who is out neither passes nor leads; the next who holds cards leads.
    ("3D | 4D JD | 5D QD; turn 0", ("3D",), "- | 4D JD | 5D QD; turn 1; on 3D by 0; out 0"),
    ("3D | 4D JD | 5D QD; turn 0", ("3D", "pass", "pass"), "- | 4D JD | 5D QD; turn 1; out 0"),
    ("3D 9D | JD | 5D QD | 7D 8D; turn 1", ("JD", "pass", "pass", "pass"), "3D 9D | - | 5D QD | 7D 8D; turn 2; out 1"),
    ("3D 9D | JD | 5D QD | 7D 8D; turn 0; idle 1", ("3D", "JD", "QD", "pass", "pass"),
     "9D | - | 5D | 7D 8D; turn 2; out 1"),
    ("3D 9D | JD | 5D QD | 7D 8D; turn 1", ("JD", "pass", "pass"), "3D 9D | - | 5D QD | 7D 8D; turn 0; on JD by 1; out 1"),
    # The joker pair ends its trick at once.
    ("BJ RJ 3D | 4D | 5D; turn 0; idle 0", ("BJ RJ",), "3D | 4D | 5D; turn 0"),
    ("BJ RJ | 4D | 5D; turn 0", ("BJ RJ",), "- | 4D | 5D; turn 1; out 0"),
    ("3D 9D | BJ RJ 4D | 5D; turn 0", ("3D", "BJ RJ"), "9D | 4D | 5D; turn 1"),
    # The hand ends when one player holds cards, or with the first who is out.
    ("3D | 4D JD; turn 0", ("3D",), "- | 4D JD; turn 0; out 0"),
    ("3D | 4D JD | 5D; turn 0; rules end=first_out", ("3D",), "- | 4D JD | 5D; turn 0; out 0; rules end=first_out"),
    ("- | 4D | 5D 6D; turn 1; out 0", ("4D",), "- | - | 5D 6D; turn 1; out 0 1"),
    # Fours: the bomb belongs to who spends them.
    (FOURS + "own", ("3D 3C 3H", "fours 4D 4C"), "9D | 4H KD | 8D 8C 8H QD; turn 2; on 3D 3C 3H by 1"),
    (FOURS + "own", ("3D 3C 3H", "fours 4D 4C", "pass", "pass"), "9D | 4H KD | 8D 8C 8H QD; turn 1"),
    # Taken into the hand: what the bomb beat is his, or he leads.
    (FOURS + "into_hand", ("3D 3C 3H", "fours 4D 4C"),
     "9D | 3D 3C 3H 4H KD | 8D 8C 8H QD; turn 1; rules fours=into_hand"),
    ("8D 8C 8H 9D | 4D 4C KD | 3D 3C 3H QD; turn 2; idle 1; rules fours=into_hand",
     ("3D 3C 3H", "8D 8C 8H", "fours 4D 4C"),
     "9D | 8D 8C 8H KD | QD; turn 2; on 3D 3C 3H by 1; rules fours=into_hand"),
    ("8D 8C 8H 9D | 4D 4C | 3D 3C 3H QD; turn 2; idle 1; rules fours=into_hand",
     ("3D 3C 3H", "8D 8C 8H", "fours 4D 4C", "pass", "pass"),
     "9D | 8D 8C 8H | QD; turn 1; rules fours=into_hand"),
    # A revolution and one more.
    ("7D 7C 7H 7S 2D | 5D 5C 5H 5S 9D; turn 0; rules revolution=true", ("7D 7C 7H 7S",),
     "2D | 5D 5C 5H 5S 9D; turn 1; on 7D 7C 7H 7S by 0; reversed; rules revolution=true"),
    ("7D 7C 7H 7S 2D | 5D 5C 5H 5S 9D; turn 0; rules revolution=true", ("7D 7C 7H 7S", "5D 5C 5H 5S"),
     "2D | 9D; turn 0; on 5D 5C 5H 5S by 1; rules revolution=true"),
    ("7D 7C 7H 2D | 9D; turn 0; reversed; rules revolution=true", ("7D 7C 7H", "pass"),
     "2D | 9D; turn 0; reversed; rules revolution=true"),
    ("7D 7C 7H 7S 2D | 9D; turn 0", ("7D 7C 7H 7S",), "2D | 9D; turn 1; on 7D 7C 7H 7S by 0"),
    # The Loser takes one of two cards and gives his highest; then the hand begins.
    ("3D 4D 9D | 5D 6D KD; turn 0; idle 0 1; exchange 1 0; rules exchange=true", ("offer 5D 6D",),
     "3D 4D 9D | 5D 6D KD; turn 0; idle 0 1; exchange 1 0 offer 5D 6D; rules exchange=true"),
    ("3D 4D 9D | 5D 6D KD; turn 0; idle 0 1; exchange 1 0; rules exchange=true", ("offer 5D KD", "take KD"),
     "3D 4D KD | 5D 6D 9D; turn 0; idle 0 1; rules exchange=true"),
])
def test_how_a_hand_goes(start: str, moves: tuple[str, ...], expected: str) -> None:
    state = after(start, *moves)
    assert str(state) == expected
    assert State.parse(expected) == state


@pytest.mark.parametrize(("start", "moves"), [
    ("3D 4D 4C BJ | 5D; turn 0", ["3D", "4C", "4C 4D", "4D", "BJ"]),
    ("3D 4D 4C BJ | 5D; turn 0; on 3C by 1", ["4C", "4D", "BJ", "pass"]),
    ("3D 4D 4C 4H | 5D; turn 0; on 6D 6C 6H by 1", ["fours 4C 4H", "fours 4D 4C", "fours 4D 4H", "pass"]),
    ("3D 4D 4C 4H | 5D; turn 0; on 6D 6C 6H 6S by 1", ["fours 4D 4C 4H", "pass"]),
    ("3D 4D 4C 4H | 5D; turn 0; on 6D 6C by 1", ["pass"]),
    ("3D 4D 4C 4H | 5D; turn 0; on 6D 6C 6H by 1; rules fours=off", ["pass"]),
    ("3D 4D | 5D; turn 0; on 6D 6C 6H by 1", ["pass"]),
    ("3D 4D 4D 4C | 5D; turn 0; on 6D 6C 6H by 1; rules decks=2", ["fours 4D 4C", "fours 4D 4D", "pass"]),
    ("3D 2D | 5D; turn 0; on 4D by 1; reversed; rules revolution=true", ["3D", "pass"]),
    ("3D 3D 4D | 5D 6D; turn 1; idle 0 1; exchange 0 1; rules exchange=true decks=2", ["offer 3D 3D", "offer 3D 4D"]),
    ("3D 3D 4D | 5D 6D; turn 1; idle 0 1; exchange 0 1 offer 3D 4D; rules exchange=true decks=2", ["take 3D", "take 4D"]),
    ("3D 3D 4D | 5D 6D; turn 1; idle 0 1; exchange 0 1 offer 3D 3D; rules exchange=true decks=2", ["take 3D"]),
    ("- | 4D; turn 1; out 0", []),
    ("3C 4H 5S 6D 7C KD | 8D; turn 0; on 3D 4C 5H 6S 7D by 1", ["pass"]),
    ("3C 4H 5S 6D 7C KD | 8D; turn 0; on 3D 4C 5H 6S 7D by 1; rules straight_suit_tiebreak=true",
     ["3C 4H 5S 6D 7C", "pass"]),
    ("BJ RJ KD | 8D; turn 0; on 4D 4C 4H 4S by 1; rules bomb_variation=true", ["pass"]),
])
def test_the_moves_of_a_position(start: str, moves: list[str]) -> None:
    state = State.parse(start)
    expected = [str(Move.parse(move)) for move in moves]
    assert [str(move) for move in state.legal_moves()] == sorted(expected)
    assert [state.has_more_moves_than(number) for number in range(len(moves) + 2)] == [True] * len(moves) + [False] * 2
    assert state.chance_outcomes() == ()


@pytest.mark.parametrize(("start", "move", "line"), [
    ("- | 4D; turn 1; out 0", "4D", "the hand is over; no move is left"),
    ("3D | 5D; turn 0", "pass", "the leader of a trick may not pass"),
    ("3D | 5D; turn 0", "offer 3D", "offer 3D belongs to an exchange, and none is open"),
    ("3D | 5D; turn 0", "take 3D", "take 3D belongs to an exchange, and none is open"),
    ("3D 4C | 5D; turn 0", "3D 4C", "3D 4C is no combination"),
    ("3D 4C | 5D; turn 0", "5D", "5D is not in the hand of seat 0: 3D 4C"),
    ("3D 4C | 5D; turn 0", "3D 3C", "3D 3C is not in the hand of seat 0: 3D 4C"),
    ("3D 4C | 5D; turn 0; on 4D by 1", "3D", "3D does not beat 4D; beat it or pass"),
    ("3D 5C | 5D; turn 0; on 4D by 1; reversed; rules revolution=true", "5C", "5C does not beat 4D; beat it or pass"),
    ("4D 4C | 5D; turn 0", "fours 4D 4C",
     "fours 4D 4C: that needs two fours in hand on a bomb, or three on a large bomb"),
    ("4D 4C | 5D; turn 0; on 6D 6C 6H 6S by 1", "fours 4D 4C",
     "fours 4D 4C: that needs two fours in hand on a bomb, or three on a large bomb"),
    ("4D 5C | 5D; turn 0; on 6D 6C 6H by 1", "fours 4D 5C",
     "fours 4D 5C: that needs two fours in hand on a bomb, or three on a large bomb"),
    *(("3D 4D | 5D 6D 7D; turn 0; idle 0 1; exchange 1 0; rules exchange=true", move,
       f"{move}: seat 1 must offer two cards of his hand, such as 'offer 3D 4D'")
      for move in ("5D", "pass", "take 5D", "offer 5D", "offer 5D 6D 7D", "offer 3D 5D")),
    *(("3D 4D | 5D 6D 7D; turn 0; idle 0 1; exchange 1 0 offer 5D 6D; rules exchange=true", move,
       f"{move}: seat 0 must take one of 5D 6D") for move in ("5D", "pass", "offer 5D 6D", "take 5D 6D", "take 7D")),
])
def test_moves_that_the_rules_refuse(start: str, move: str, line: str) -> None:
    state = State.parse(start)
    assert Move.parse(move) not in state.legal_moves()
    with pytest.raises(IllegalMove, match=f"^{re.escape(line)}$"):
        state.play(Move.parse(move))


def test_who_is_to_move() -> None:
    for text, seat in (
        ("3D 4D | 5D 6D; turn 1", 1),
        ("- | 5D 6D; turn 1; out 0", OVER),
        ("- | 5D 6D | 7D; turn 1; out 0", 1),
        ("- | 5D 6D | -; turn 1; out 2 0", OVER),
        ("- | 5D 6D | 7D; turn 1; out 0; rules end=first_out", OVER),
        ("3D 4D | 5D 6D | 7D 8D; turn 1; idle 0 1 2; exchange 2 0; rules exchange=true", 2),
        ("3D 4D | 5D 6D | 7D 8D; turn 1; idle 0 1 2; exchange 2 0 offer 7D 8D; rules exchange=true", 0),
    ):
        state = State.parse(text)
        assert state.to_move == seat
        assert state.players == text.split(";")[0].count("|") + 1


@pytest.mark.parametrize(("text", "scores"), [
    ("- | 5D 6D | - | -; turn 1; out 2 0 3", (2, 0, 3, 1)),
    ("- | 5D; turn 1; out 0", (1, 0)),
    ("- | 5D 6D | 7D | 8D; turn 1; out 0; idle 3; rules end=first_out", (6, -2, -1, -3)),
    ("3D | 5D 6D | -; turn 1; out 2; rules end=first_out", (-1, -2, 3)),
])
def test_scores_of_a_hand(text: str, scores: tuple[int, ...]) -> None:
    assert State.parse(text).scores() == scores


def test_no_scores_before_the_end() -> None:
    with pytest.raises(ValueError, match=r"^the hand is not over; scores are known at its end$"):
        State.parse("3D | 5D; turn 0").scores()


@pytest.mark.parametrize(("players", "left", "points"), [
    (4, 9, -9), (4, 10, -20), (4, 17, -34), (2, 9, -9), (2, 10, -20), (2, 17, -34),
    (3, 11, -11), (3, 12, -24), (3, 16, -32), (3, 17, -51), (3, 18, -54),
])
def test_points_by_cards_left(players: int, left: int, points: int) -> None:
    others = (1,) * (players - 2)
    assert score((*others, 0, left), players - 2, [True] * players) == (*(-1 for _ in others), len(others) - points, points)
    idle = score((*others, 0, left), players - 2, [True] * (players - 1) + [False])
    assert idle[-1] == -3 * left


def test_points_need_every_seat() -> None:
    with pytest.raises(ValueError, match="argument"):
        score([0, 1, 2], 0, [True, True])


def test_the_deal() -> None:
    assert deal_sizes(3) == [18, 18, 18]
    assert deal_sizes(4) == [14, 14, 13, 13]
    assert deal_sizes(4, Rules(jokers=False)) == [13] * 4
    assert deal_sizes(2, Rules(decks=2)) == [54, 54]
    for players in (1, 5):
        with pytest.raises(IllegalPosition, match=f"^{players} players; Winner has 2 to 4$"):
            deal_sizes(players)
    deals = [State.deal(random.Random(seed), 4) for seed in range(30)]
    assert {state.turn for state in deals} == {0, 1, 2, 3}
    assert len({state.hands for state in deals}) == 30
    for state in deals:
        assert [len(hand) for hand in state.hands] == [14, 14, 13, 13]
        assert sorted(card for hand in state.hands for card in hand) == list(deck())
        assert all(list(hand) == sorted(hand) for hand in state.hands)
        assert (state.rules, state.stack, state.owner, state.played) == (Rules(), (), None, (False,) * 4)
    rules = Rules(decks=2, end="first_out")
    assert State.deal(random.Random(1), 3, rules).rules == rules
