"""Winston (dogs): what the faces read, show and tell."""
from __future__ import annotations

import json
import random
from typing import Any

import pytest

from exactplay.questions.winston_dogs import FACE
from exactplay.rules.contract import OVER, BadOption, BadText
from exactplay.rules.winston_dogs import Move, State, View
from exactplay.solvers.limits import Limits
from tests.winston_dogs.cases import CASES

OPEN = "hands Bb Gb Gb Kh Wb | Bb Gb Gh Kb Oh; table Bhb Kb Gbb; turn 0; longest 4; shortest 2; bone 0; poo 1"
HIDDEN = "hands Bb Bb Kh | ? ? ?; table Bhb Kb; pile ?; unseen Kb Bh Gb Kb; turn 0; longest 4; shortest 2; bone 0; poo 1"


def read(position: Any) -> Any:
    return FACE.read({"position": position}, {})


def test_positions_are_read_in_every_form() -> None:
    for text, kind in ((OPEN, State), (HIDDEN, View), (FACE.example, State)):
        position = read(text)
        assert type(position) is kind
        shown = FACE.shown(position)
        # What is shown can be read again as it is.
        assert position == read(str(position)) == read(shown) == read(json.dumps(shown))
        assert shown["to_move"] == 0
    assert read(OPEN.split(";")[0] + "; collected -; pile " + "? " * 56).top == 56
    assert FACE.shown(read("hands - | -"))["to_move"] == "over"


@pytest.mark.parametrize(("text", "message"), [
    ("", "there is no position"), ("{", "not JSON"), ("hands Bx | Kh", "'Bx' is no card"),
])
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(BadText, match=message):
        read(text)
    with pytest.raises(BadOption, match="has none"):
        FACE.read({"position": OPEN}, {"jokers": True})


def test_the_picture() -> None:
    lines = FACE.picture(read(OPEN), None)
    assert lines == (
        "table  Bhb      brown, with a head, 1 body", "table  Kb       black, no head yet, 1 body",
        "table  Gbb      grey, no head yet, 2 bodies",
        "seat 0 Bb Gb Gb Kh Wb         0 points, bone  <- on turn", "seat 1 Bb Gb Gh Kb Oh         0 points, poo",
        "pile   0 cards", "dogs   longest 4, shortest 2",
    )
    # A seat sees its own hand only; a view what it holds.
    assert "seat 1 ? ? ? ? ?              0 points, poo" in FACE.picture(read(OPEN), 0)
    assert "you    Bb Gb Gh Kb Oh         0 points, poo" in FACE.picture(read(OPEN), 1)
    assert "pile   1 card; unseen: 1 Bh, 1 Gb, 2 Kb" in FACE.picture(read(HIDDEN), None)
    assert FACE.picture(read("hands - | -; points 10 4"), 0)[-1] == "over: seat 0 wins, scores 10 : 4"
    assert FACE.picture(read("hands - | -; points 4 4"), None)[-1] == "over: seat 0 and seat 1 share, scores 4 : 4"


@pytest.mark.parametrize(("text", "move", "words"), [
    (OPEN, "Bb Gb Gb Kh", "takes brown, +3, the poo"), (OPEN, "Gb Gb", ""),
    ("hands Bh Bh Kh Kh Gb | Ob Ob; table Bh Khb; pile Ob", "under Bh", "goes under the pile, one card is drawn"),
    ("hands Bh Bh | Ob Ob; table Bh", "skip", "no card can be played"),
])
def test_moves_in_words(text: str, move: str, words: str) -> None:
    state = read(text)
    assert FACE.describe(state, Move.parse(move)) == words


def test_a_deal_is_that_of_its_seed() -> None:
    assert FACE.deal is not None
    assert FACE.deal(FACE.rules(), 5, players=4) == State.deal(random.Random(5), 4)


def test_whose_value_an_answer_is() -> None:
    two = read(OPEN)
    result = FACE.solve(two)
    assert FACE.value_of(result, "score") == "seat 0's score less seat 1's"
    assert FACE.value_of(result.pov(1), "score") == "seat 1's score less seat 0's"
    three = State.from_json(next(case["input"] for case in CASES if case["kind"] == "maxn"))
    assert FACE.value_of(FACE.solve(three), "score") == "scores, a number a seat"
    assert FACE.value_of(FACE.advise(three, limits=Limits(samples=2)), "score") == f"seat {three.turn}'s score"


def test_what_a_seat_knows_and_is_told_at_the_table() -> None:
    assert FACE.play is not None
    states, moves = [State.parse("hands Bh Bh Kh Kh Gb | Bb Wb Wb Ob Ob; table Bh Khb; pile Ob Sb; turn 0")], []
    for text in ("under Bh", "Ob Ob"):
        (move,) = FACE.play.read_moves(states[-1], text)
        moves.append(move)
        states.append(states[-1].play(move))
    assert FACE.play.told(states[0], moves[0], states[1], 0) == "you: under Bh  goes under the pile, one card is drawn"
    assert FACE.play.told(states[1], moves[1], states[2], 0) == "seat 1: Ob Ob"
    # He drew both cards of the pile, so all know that he holds Bh.
    assert str(FACE.play.seen(states, moves, 0)).startswith("hands Bh Gb Kh Kh Ob | ? ? ? ? Bh; table Bh Khb Obb; pile -;")
    assert FACE.play.seen(states, moves, 1).known.hands == ((), states[2].hands[1])
    while states[-1].to_move != OVER:
        moves.append(states[-1].legal_moves()[0])
        states.append(states[-1].play(moves[-1]))
    assert FACE.play.seen(states, moves, 1) == states[-1]


def test_a_certificate_is_made_of_the_value() -> None:
    assert FACE.certify is not None
    state = State.from_json(next(case["input"] for case in CASES if case["kind"] == "solve"))
    certificate = FACE.certify(state, limits=Limits(seconds=30))
    assert certificate.about["low"] == certificate.about["high"] == FACE.solve(state).verdict.value
