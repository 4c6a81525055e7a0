"""Solver of Winner, part by part: partitions, the words of the core, certificates."""
from __future__ import annotations

import itertools
import time
from collections import Counter
from typing import Any, get_args

import pytest

import exactplay.certificates.proof
import exactplay.solvers.winner
from exactplay.certificates import winner as winner_certificates
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winner import Card, Combination, Move, State, classify, parse_cards
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.winner import certificate, codec, fewest_plays, plays, solve


def combination(text: str) -> Combination:
    found = classify(parse_cards(text))
    assert found is not None
    return found


def test_what_the_solver_offers() -> None:
    assert exactplay.solvers.winner.__all__ == [
        "OBJECTIVES", "Objective", "Partition", "With", "advise", "count_plays", "fewest_plays", "solve",
    ]
    # The command line and the pages offer what these types allow.
    assert get_args(exactplay.solvers.winner.Objective) == exactplay.solvers.winner.OBJECTIVES == ("win", "score", "place")
    assert get_args(exactplay.solvers.winner.With) == ("native", "cp-sat")


# --- fewest plays ----------------------------------------------------------------------------------------------------

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
    assert plays.count_plays(cards) == found.plays == fewest_plays(cards, solver="cp-sat").plays


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


def test_what_a_partition_says_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((5.0, 5.5, 7.0, 8.0))
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    hand = parse_cards("3D 3C 4D")
    parts = (combination("3D 3C"), combination("4D"))
    assert fewest_plays(hand) == plays.Partition(2, parts, 0.5, "native")
    assert fewest_plays(hand, solver="cp-sat") == plays.Partition(2, parts, 1.0, "cp-sat")


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


# --- the words of the core -------------------------------------------------------------------------------------------


def test_cards_and_moves_as_words() -> None:
    cards = parse_cards("3C 3C 4D RJ RJ BJ 2S")
    assert codec.words(cards) == (1 << 1 | 1 << 4 | 1 << 51 | 1 << 52 | 1 << 53, 1 << 1 | 1 << 53)
    assert codec.cards(codec.words(cards)) == tuple(sorted(cards))
    for number, text in enumerate(("3D 3C", "fours 4D 4C", "pass", "offer 3D 4D", "take 3D")):
        move = Move.parse(text)
        assert codec.move_words(move) == (number, *codec.words(move.cards))
        assert codec.move_of(*codec.move_words(move)) == move


@pytest.mark.parametrize(("text", "words"), [
    ("3C", (2, 0, 1, 1, 0, 1)),
    ("3D 3C", (3, 0, 2, 1, 0, 1)),
    ("3D 3C 4D 4C", (51, 0, 3, 2, 3, 0)),
    ("3D 3C 3H 4D 4C 4H", (119, 0, 4, 2, 3, 0)),
    ("3D 3C 3H 4D 4C", (55, 0, 5, 2, 0, 0)),
    ("3D 4D 5D 6D 7C", (0x21111, 0, 6, 5, 3, 1)),
    ("4D 4D 4C", (48, 16, 7, 1, 1, 0)),
    ("3D 3C 3H 3S", (15, 0, 8, 1, 0, 0)),
    ("3D 4D 5D 6D 7D", (0x11111, 0, 9, 5, 3, 0)),
    ("BJ RJ", (3 << 52, 0, 10, 1, 0, 0)),
])
def test_combinations_as_words(text: str, words: tuple[int, ...]) -> None:
    assert codec.combination_words(combination(text)) == words


@pytest.mark.parametrize(("text", "words"), [
    ("fours=off", (0, False, False, False, False)),
    ("fours=own end=first_out", (1, True, False, False, False)),
    ("fours=into_hand straight_suit_tiebreak=true", (2, False, True, False, False)),
    ("bomb_variation=true", (1, False, False, True, False)),
    ("revolution=true", (1, False, False, False, True)),
])
def test_rules_as_words(text: str, words: tuple[int, ...]) -> None:
    rules = State.parse(f"3D | 4D; turn 0; rules {text}").rules
    assert codec.rule_words(rules) == words


@pytest.mark.parametrize(("text", "fields"), [
    ("3D 4D | 5D 6D | 7D 8D; turn 1; on 3C by 0; idle 1 2; rules fours=off end=first_out",
     ([(0x11, 0), (0x1100, 0), (0x110000, 0)], 1, [(2, 0, 1, 1, 0, 1)], 0, 0b001, [], False, None)),
    ("- | 5D 6D | 7D 8D | -; turn 1; on 3C by 0; out 3 0",
     ([(0, 0), (0x1100, 0), (0x110000, 0), (0, 0)], 1, [(2, 0, 1, 1, 0, 1)], 0, 0b1111, [3, 0], False, None)),
    ("7D 7D | 5D | 6D 8D; turn 2; on 3D 3C 3H > 5H 5S 5C by 1; reversed; rules decks=2 fours=into_hand revolution=true",
     ([(1 << 16, 1 << 16), (1 << 8, 0), (0x101000, 0)], 2, [(7, 0, 7, 1, 0, 0), (0xE00, 0, 7, 1, 2, 0)], 1, 0b111, [], True,
      None)),
    ("3D 4D | 3C KS | 4C 6C; turn 2; idle 0 1 2; exchange 2 0; rules exchange=true",
     ([(0x11, 0), (2 | 1 << 43, 0), (0x2020, 0)], 2, [], -1, 0, [], False, (2, 0, 0, 0))),
    ("3D 4D | 3C KS | 4C 6C; turn 1; idle 0 1 2; exchange 1 2 offer 3C KS; rules exchange=true",
     ([(0x11, 0), (2 | 1 << 43, 0), (0x2020, 0)], 1, [], -1, 0, [], False, (1, 2, 2 | 1 << 43, 0))),
])
def test_positions_there_and_back(text: str, fields: tuple[Any, ...]) -> None:
    state = State.parse(text)
    game = codec.game_of(state)
    assert game.fields() == fields
    assert codec.state_of(game, state.rules) == state
    assert game.to_move == state.to_move


# --- certificates ----------------------------------------------------------------------------------------------------


def test_a_certificate_is_asked_for_within_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def spied(*arguments: Any, **options: Any) -> Any:
        asked.append(options)
        return solve(*arguments, **options)

    monkeypatch.setattr(certificate, "solve", spied)
    monkeypatch.setattr(exactplay.certificates.proof, "_TELL_EVERY", 1)
    heard: list[str] = []
    state = State.parse("4D 5C 9H | 3D 5D TH; turn 0; rules end=first_out")
    made = certificate.certify(state, "score", seconds=50, table_mb=3, progress=heard.append)
    question = winner_certificates.WinnerQuestion.of(made)
    assert (question.root, question.objective) == (state, "score")
    assert made.about["low"] == made.about["high"] == 2
    first, *later = asked
    assert (first["every_move"], first["table_mb"]) == (False, 3)
    assert later
    assert all("every_move" not in options and options["table_mb"] == 1 for options in later)
    assert 40 < min(options["seconds"] for options in asked) <= first["seconds"] <= 50
    assert heard[0] == "1 positions proven"
    asked.clear()
    assert certificate.certify(state).about["objective"] == "win"
    assert asked[0]["table_mb"] == 256
    assert all(options["seconds"] is None for options in asked)
    with pytest.raises(NotProven, match="within 1e-09 CPU seconds"):
        certificate.certify(state, seconds=1e-9)


def test_moves_whose_values_are_not_known_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit within a later question leaves bounds; they are no values."""

    def limited(state: State, *arguments: Any, every_move: bool = True, **options: Any) -> Any:
        return solve(state, *arguments, every_move=every_move, nodes=0 if every_move else None)

    monkeypatch.setattr(certificate, "solve", limited)
    with pytest.raises(NotProven, match="allow more time"):
        certificate.certify(State.parse("4D 5C 9H | 3D 5D TH; turn 0; rules end=first_out"))
