"""Winner in words: the text and plain data of positions, moves and views, written out, and what refuses to be read."""
from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from exactplay.rules.contract import BadOption, BadText, IllegalPosition
from exactplay.rules.winner import (
    PASS,
    Card,
    Combination,
    Exchange,
    Move,
    Rules,
    State,
    View,
    classify,
    deck,
    parse_cards,
    show_cards,
)
from exactplay.rules.winner.moves import Action

MIDDLE = "3D 4D | 5D 6D | -; turn 1; on 8D > 9C by 0; idle 1; out 2; reversed; rules fours=into_hand revolution=true"
MIDDLE_JSON = {
    "hands": ["3D 4D", "5D 6D", ""], "turn": 1, "current": "9C", "stack": ["8D", "9C"], "owner": 0,
    "played_any": [True, False, True], "out": [2], "reversed": True, "exchange": None,
    "options": {"fours": "into_hand", "revolution": True},
}
OFFER = "3D 4D | 5D 6D; turn 0; idle 0 1; exchange 1 0 offer 5D 6D; rules exchange=true"
OFFER_JSON = {
    "hands": ["3D 4D", "5D 6D"], "turn": 0, "current": None, "stack": [], "owner": None, "played_any": [False, False],
    "out": [], "reversed": False, "exchange": {"winner": 1, "loser": 0, "offer": "5D 6D"}, "options": {"exchange": True},
}
PARTS = "turn, on, idle, out, reversed, exchange, spent, rules"
FIELDS = "hands, turn, leader, current, stack, owner, played_any, out, reversed, exchange, options"


def the(text: str) -> Combination:
    combination = classify(parse_cards(text))
    assert combination is not None
    return combination


def test_cards_in_their_order() -> None:
    names = [f"{rank}{suit}" for rank in "3456789TJQKA2" for suit in "DCHS"]
    assert show_cards(deck()) == " ".join([*names, "BJ", "RJ"])
    assert show_cards(deck(jokers=False)) == " ".join(names)
    assert show_cards(deck(jokers=False, decks=2)) == " ".join(name for name in names for _ in range(2))
    assert [Card.parse(f" {name.lower()} ") for name in names] == list(deck(jokers=False))
    assert (Card.parse("bj"), Card.parse("RJ")) == (Card(13, 0), Card(14, 0))
    assert [card.is_joker for card in parse_cards("RJ BJ 2S")] == [False, True, True]


@pytest.mark.parametrize("text", ["3", "3DD", "D3", "1D", "3X", "XJ", "10D"])
def test_no_card(text: str) -> None:
    line = f"'{text}' is no card; write a rank of 3456789TJQKA2 and a suit of DCHS, such as TC, or BJ or RJ"
    with pytest.raises(BadText, match=f"^{line}$"):
        Card.parse(text)


@pytest.mark.parametrize(("text", "move"), [
    ("4D 3C 3D", Move("play", parse_cards("3D 3C 4D"))),
    ("fours 4D 4C", Move("fours", parse_cards("4D 4C"))),
    ("pass", PASS),
    ("offer 3D KS", Move("offer", parse_cards("3D KS"))),
    ("take 3D", Move("take", parse_cards("3D"))),
])
def test_moves_have_one_text(text: str, move: Move) -> None:
    assert Move.parse(text) == Move.parse(f" {text.upper()} ") == move
    assert Move.parse(str(move)) == move
    assert str(move) == (text if move.action != "play" else "3D 3C 4D")


def test_moves_order_by_text() -> None:
    assert sorted([PASS, Move.parse("3D"), Move.parse("fours 4D 4C"), Move.parse("2D")]) == [
        Move.parse(text) for text in ("2D", "3D", "fours 4D 4C", "pass")
    ]
    assert not Move.parse("pass") > PASS


def test_every_action_has_a_text() -> None:
    texts = ("3D", "fours 4D 4C", "pass", "offer 3D 4D", "take 3D")
    assert {Move.parse(text).action for text in texts} == set(get_args(Action))


@pytest.mark.parametrize("text", ["", "fours", "offer", "pass 3D"])
def test_no_move(text: str) -> None:
    with pytest.raises(BadText, match=f"^'{text}' is no move; write cards such as '3D 3C', or 'fours 4D 4C', or 'pass'$"):
        Move.parse(text)
    with pytest.raises(BadText, match=r"^'PLAY' is no card"):
        Move.parse("PLAY 3D")


def test_options() -> None:
    assert Rules.options() == {
        "jokers": (True, False), "decks": (1, 2), "fours": ("own", "off", "into_hand"), "end": ("loser", "first_out"),
        "straight_suit_tiebreak": (False, True), "bomb_variation": (False, True), "revolution": (False, True),
        "exchange": (False, True),
    }
    assert Rules.explained.keys() == Rules.options().keys()
    with pytest.raises(BadOption, match=r"'x' is unknown; winner has jokers, decks"):
        Rules.from_mapping({"x": 1})
    with pytest.raises(BadOption, match=r"decks is 3; it must be one of 1, 2"):
        Rules(decks=3)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match=r"^rule options revolution and bomb_variation exclude each other"):
        Rules(revolution=True, bomb_variation=True)


def test_a_position_as_text_and_as_plain_data() -> None:
    rules = Rules(fours="into_hand", revolution=True)
    state = State(
        rules, (parse_cards("3D 4D"), parse_cards("5D 6D"), ()), 1, (the("8D"), the("9C")), 0, (True, False, True), (2,),
        reversed_order=True,
    )
    assert str(state) == MIDDLE
    assert state.to_json() == MIDDLE_JSON
    assert State.parse(MIDDLE) == State.from_json(MIDDLE_JSON) == state
    assert state.current == the("9C")


def test_an_exchange_as_text_and_as_plain_data() -> None:
    hands = (parse_cards("3D 4D"), parse_cards("5D 6D"))
    state = State(
        Rules(exchange=True), hands, 0, played=(False, False), exchange=Exchange(1, 0, parse_cards("5D 6D")),
    )
    assert str(state) == OFFER
    assert state.to_json() == OFFER_JSON
    assert State.parse(OFFER) == State.from_json(OFFER_JSON) == state
    opened = State.start(hands, 0, Rules(exchange=True), exchange=(1, 0))
    assert opened == State.parse("3D 4D | 5D 6D; turn 0; idle 0 1; exchange 1 0; rules exchange=true")
    assert str(opened) == "3D 4D | 5D 6D; turn 0; idle 0 1; exchange 1 0; rules exchange=true"
    assert State.from_json({**OFFER_JSON, "exchange": {"winner": 1, "loser": 0}}) == opened


def test_a_first_position() -> None:
    state = State.start([parse_cards("4D 3D"), parse_cards("5D")], 1)
    assert str(state) == "3D 4D | 5D; turn 1; idle 0 1"
    assert state == State(Rules(), (parse_cards("3D 4D"), parse_cards("5D")), 1, (), None, (False, False), (), False, None)
    assert State(Rules(), state.hands, 1) == State(Rules(), state.hands, 1, (), None, (), (), False, None)
    assert State.start([parse_cards("5D"), parse_cards("4D")], 0, Rules(decks=2)).rules == Rules(decks=2)


def test_texts_in_another_order_and_spacing() -> None:
    plain = State.parse("6D 5D|-|3D;rules end=loser ;out  1; idle 2;on 4C 4D by 0 ;turn 2")
    assert str(plain) == "5D 6D | - | 3D; turn 2; on 4D 4C by 0; idle 2; out 1"
    assert State.parse("3D | 5D; turn 0; idle 0 1").played == (False, False)


@pytest.mark.parametrize(("data", "text"), [
    ({"hands": ["3D", "5D"], "leader": 1}, "3D | 5D; turn 1"),
    ({"hands": ["3D", "5D"], "turn": "1", "leader": "1", "options": None}, "3D | 5D; turn 1"),
    ({"hands": ["3D", "5D"], "turn": 0, "current": "4C 4D"}, "3D | 5D; turn 0; on 4D 4C by 1"),
    ({"hands": ["3D", "5D"], "turn": 1, "stack": ["4C 4D"], "current": "4D 4C"}, "3D | 5D; turn 1; on 4D 4C by 0"),
    ({"hands": ["3D", "5D"], "turn": 1, "stack": None, "current": "", "owner": None}, "3D | 5D; turn 1"),
    ({"hands": ["", "3D", "", "5D"], "turn": 1}, "- | 3D | - | 5D; turn 1; out 0 2"),
    ({"hands": ["", "3D", "", "5D"], "turn": 1, "out": [2, 0]}, "- | 3D | - | 5D; turn 1; out 2 0"),
    ({"hands": ["3D", "5D"], "turn": 1, "played_any": [True, False]}, "3D | 5D; turn 1; idle 1"),
])
def test_plain_data_may_leave_out_what_is_clear(data: dict[str, Any], text: str) -> None:
    assert str(State.from_json(data)) == text


@pytest.mark.parametrize(("text", "line"), [
    ("3D | 5D; turn 0; ", f"'' is no part of a position; after the hands it may have {PARTS}"),
    ("3D | 5D; turn 0; turn 1", "the position says 'turn' twice"),
    ("3D | 5D", "a position needs 'turn SEAT', such as 'turn 0'"),
    ("3D | 5D; turn", "a position needs 'turn SEAT', such as 'turn 0'"),
    ("3D | 5D; turn 0 1", "a position needs 'turn SEAT', such as 'turn 0'"),
    ("3D | 5D; turn 2", "2 is no seat; seats are 0 to 1"),
    ("3D | 5D; turn 0; idle 3", "3 is no seat; seats are 0 to 1"),
    ("3D | 5D; turn 0; out 4", "4 is no seat; seats are 0 to 1"),
    ("3D | 5D; turn 0; on 4D by 5", "5 is no seat; seats are 0 to 1"),
    ("3D | 5D; turn 0; exchange 6 1", "6 is no seat; seats are 0 to 1"),
    ("3D | 5D; turn 0; reversed 1", "'reversed' stands alone"),
    ("3D | 5D; turn 0; on", "'on' needs cards and an owner, such as 'on 3D 3C by 1'"),
    ("3D | 5D; turn 0; on 4D of 1", "'on' needs cards and an owner, such as 'on 3D 3C by 1'"),
    ("3D | 5D; turn 0; exchange 0", "'exchange' needs the seats of the Winner and the Loser, such as 'exchange 2 0'"),
    ("3D | 5D; turn 0; exchange 0 1 3D",
     "'exchange' needs the seats of the Winner and the Loser, such as 'exchange 2 0'"),
    ("3D | 5D; turn 0; spent 3D", f"'spent' is no field of a position; it may have {FIELDS}"),
    ("3D; turn 0", "1 hands; Winner has 2 to 4 players"),
    ("3D | 4D | 5D | 6D | 7D; turn 0", "5 hands; Winner has 2 to 4 players"),
    ("3D 3D | 5D; turn 0", "card 3D is there 2 times; these rules have 1"),
    ("3D | 5D; turn 0; on 5D by 1", "card 5D is there 2 times; these rules have 1"),
    ("3D | 5D 5D 5D; turn 0; rules decks=2", "card 5D is there 3 times; these rules have 2"),
    ("3D | RJ; turn 0; rules jokers=false", "card RJ is there 1 times; these rules have 0"),
    ("- | 5D | 6D; turn 1; out 1", "out lists the seats [1], but without cards are [0]"),
    ("3D | 5D; turn 0; reversed", "the order is reversed, but rule option revolution is off"),
    ("- | 5D | 6D; turn 1; idle 0; out 0", "a seat that is out has played cards"),
    ("- | -; turn 0; out 0 1", "nobody holds a card; one player at least does"),
    ("- | 5D | 6D; turn 0; out 0", "it is the turn of seat 0, who holds no cards"),
    ("3D 4D | 5D; turn 0; idle 0 1; exchange 0 1", "an exchange is open, but rule option exchange is off"),
    ("3D 4D | 5D; turn 0; idle 0 1; exchange 1 1; rules exchange=true",
     "an exchange is between two seats and before the first play"),
    ("3D 4D | 5D; turn 0; idle 0; exchange 0 1; rules exchange=true",
     "an exchange is between two seats and before the first play"),
    ("3D 4D | 5D; turn 0; idle 0 1; on 6D by 1; exchange 0 1; rules exchange=true",
     "an exchange is between two seats and before the first play"),
    ("3D 4D | 5D | 6D; turn 0; idle 0 1 2; exchange 1 0; rules exchange=true", "the Winner offers two cards"),
    ("3D 4D | 5D; turn 0; idle 0 1; exchange 0 1 offer 3D; rules exchange=true", "the Winner offers two cards"),
    ("3D 4D 6D | 5D; turn 0; idle 0 1; exchange 0 1 offer 3D 4D 6D; rules exchange=true", "the Winner offers two cards"),
    ("3D 4D | 5D 6D; turn 0; idle 0 1; exchange 0 1 offer 3D 6D; rules exchange=true",
     "the Winner offers '3D 6D', which he does not hold"),
    ("3D | 5D; turn 0; on 4D by 0", "seat 0 cannot answer himself; the owner of the table is another seat"),
    ("3D | 5D; turn 0; on 4D 6D by 1", "'4D 6D' on the table is no combination"),
    ("3D | 5D; turn 0; on by 1", "'' on the table is no combination"),
    ("3D | 5D; turn 0; on BJ RJ by 1", "the joker pair ends its trick at once; nothing lies on the table after it"),
    ("3D | 5D; turn 0; on 4D by 1; idle 1", "seat 1 owns what is on the table, so he has played a card"),
    ("- | 5D; turn 0; on 4D by 1; out 0", "the hand is over; nothing lies on the table"),
    ("- | 5D | 6D; turn 1; on 4D by 0; out 0; rules end=first_out", "the hand is over; nothing lies on the table"),
    ("3D | 5D; turn 0; on 4D > 6D by 1", "what was beaten in a trick is kept only with fours=into_hand"),
    ("3D | 5D; turn 0; on 6D > 4D by 1; rules fours=into_hand", "4D in the trick does not beat 6D below it"),
    ("3D | 5D; turn 0; on 4D > 6D > 6C 7C by 1; rules fours=into_hand", "'6C 7C' on the table is no combination"),
    ("3D | 5D; turn 0; on 4D > 6D > 6C 6H by 1; rules fours=into_hand", "6C 6H in the trick does not beat 6D below it"),
    ("3D | 5D; turn 0; rules jokers=maybe", "rule option jokers is 'maybe'; it must be one of true, false"),
])
def test_a_text_that_cannot_be_says_why(text: str, line: str) -> None:
    with pytest.raises((BadOption, BadText, IllegalPosition), match=f"^{re.escape(line)}$"):
        State.parse(text)


@pytest.mark.parametrize("text", [
    "- | 5D | 6D; turn 1; on 4D by 0; out 0",  # the owner is out, the trick goes on
    "- | 5D; turn 1; out 0",  # over: whose turn it would be does not matter
    "- | 5D; turn 0; out 0",
    "3D | 5D; turn 0; on 4D > 6D by 1; rules fours=into_hand",
    "3D | 5D; turn 0; on 4D > 6D > 8D by 1; rules fours=into_hand",
    "3D | 5D; turn 0; on 6D > 4D by 1; rules fours=into_hand revolution=true",
    "3D | 5D; turn 0; on 4D > 6D by 1; reversed; rules fours=into_hand revolution=true",
    "3D 3D | 5D; turn 0; rules decks=2",
    "3D 4D | 5D; turn 0; idle 0 1; exchange 0 1; rules exchange=true",
])
def test_what_can_be_is_read(text: str) -> None:
    assert str(State.parse(text)) == text


@pytest.mark.parametrize(("change", "line"), [
    ({"who": 1, "zoo": 2}, f"'who' is no field of a position; it may have {FIELDS}"),
    ({"hands": None}, 'hands must be a list of texts of cards, such as ["3D 4D", "5S"]'),
    ({"hands": ["3D", 5]}, 'hands must be a list of texts of cards, such as ["3D 4D", "5S"]'),
    ({"stack": "4D"}, 'stack must be a list of texts of cards, such as ["3D 4D", "5S"]'),
    ({"hands": ["3D"]}, "1 hands; Winner has 2 to 4 players"),
    ({"options": [1]}, "options must be an object of NAME: value"),
    ({"current": 4}, "current must be a text of cards or null"),
    ({"current": "4D", "stack": ["6D", "7D"]}, "current is '4D', but the last in stack is '7D'; give one of them"),
    ({"turn": None}, "turn, the seat to act, is missing"),
    ({"turn": 0, "leader": 1}, "turn is 0, but leader is 1; give one of them"),
    ({"turn": True}, "True is no seat; seats are 0 to 1"),
    ({"turn": 1.0}, "1.0 is no seat; seats are 0 to 1"),
    ({"turn": -1}, "-1 is no seat; seats are 0 to 1"),
    ({"turn": 2}, "2 is no seat; seats are 0 to 1"),
    ({"turn": "0001"}, "'0001' is no seat; seats are 0 to 1"),
    ({"turn": "x1"}, "'x1' is no seat; seats are 0 to 1"),
    ({"played_any": [True]}, "played_any must be a list of 2 times true or false"),
    ({"played_any": [True, 1]}, "played_any must be a list of 2 times true or false"),
    ({"played_any": "ab"}, "played_any must be a list of 2 times true or false"),
    ({"played_any": (True, True)}, "played_any must be a list of 2 times true or false"),
    ({"out": "1"}, "out must be a list of seats"),
    ({"out": [2]}, "2 is no seat; seats are 0 to 1"),
    ({"reversed": 1}, "reversed must be true or false"),
    ({"stack": ["4D", " 4D 6D "], "owner": 1}, "'4D 6D' on the table is no combination"),
    ({"owner": 1}, "a combination on the table needs its owner, and an owner needs one"),
    ({"hands": ["3D", "5D", "6D"], "stack": ["4D"]}, "a combination on the table needs its owner, and an owner needs one"),
    ({"stack": ["4D"], "owner": 2}, "2 is no seat; seats are 0 to 1"),
    ({"exchange": 1}, "exchange must be an object with winner and loser, and offer once it is made"),
    ({"exchange": {"winner": 1}}, "exchange must be an object with winner and loser, and offer once it is made"),
    ({"exchange": {"loser": 1}}, "exchange must be an object with winner and loser, and offer once it is made"),
    ({"exchange": {"winner": 1, "loser": 0, "x": 1}},
     "exchange must be an object with winner and loser, and offer once it is made"),
    ({"exchange": {"winner": 1, "loser": 0, "offer": ["3D"]}}, "offer must be a text of two cards"),
    ({"exchange": {"winner": 2, "loser": 0}}, "2 is no seat; seats are 0 to 1"),
    ({"exchange": {"winner": 0, "loser": 3}}, "3 is no seat; seats are 0 to 1"),
    ({"current": "4D", "stack": ["6D", "7D", "8D"]}, "current is '4D', but the last in stack is '8D'; give one of them"),
])
def test_plain_data_that_cannot_be_says_why(change: dict[str, Any], line: str) -> None:
    with pytest.raises((BadOption, BadText, IllegalPosition), match=f"^{re.escape(line)}$"):
        State.from_json({"hands": ["3D", "5D"], "turn": 0, **change})


def test_a_position_that_was_built_is_checked_too() -> None:
    for hands in ([parse_cards("3D")], [parse_cards(card) for card in ("3D", "4D", "5D", "6D", "7D")]):
        with pytest.raises(IllegalPosition, match=f"^{len(hands)} hands; Winner has 2 to 4 players$"):
            State.start(hands, 0)


# --- views -------------------------------------------------------------------------------------------------------------

VIEW = "3D KS | 5D 6D ?1 | ?2 | -; turn 0; on 4D by 2; out 3"


def test_a_view_as_text_and_as_plain_data() -> None:
    known = State(
        Rules(), (parse_cards("3D KS"), parse_cards("5D 6D"), (), ()), 0, (the("4D"),), 2, (True,) * 4, (3,),
    )
    view = View(known, (0, 1, 2, 0), None)
    assert str(view) == VIEW
    data = known.to_json()
    assert view.to_json() == {**data, "hands": ["3D KS", "5D 6D ?1", "?2", ""]}
    assert View.parse(VIEW) == View.from_json(view.to_json()) == view
    assert View.parse("3D KS | ?1 6D 5D | ?1 ?1 | -; turn 0; on 4D by 2; out 3") == view


def test_a_view_that_knows_what_is_gone() -> None:
    rest = [card for card in deck() if card not in parse_cards("3D KS 4D")]
    known = State(Rules(), (parse_cards("3D KS"), ()), 0, (the("4D"),), 1, (True, True))
    for number in (51, 48):
        spent = tuple(rest[number:])
        text = f"3D KS | ?{number}; turn 0; on 4D by 1; spent {show_cards(spent)}".strip()
        view = View.parse(text)
        assert view == View(known, (0, number), spent)
        assert str(view) == text
        assert view.to_json() == {**known.to_json(), "hands": ["3D KS", f"?{number}"], "spent": show_cards(spent)}
        assert View.from_json(view.to_json()) == view
        assert view.unseen == tuple(rest[:number])
        assert view.world([(), tuple(rest[:number][::-1])]).hands == (parse_cards("3D KS"), tuple(rest[:number]))
    assert View.parse("3D KS | ?2; turn 0; on 4D by 1").unseen == tuple(rest)


def test_what_the_player_to_act_sees() -> None:
    state = State.parse(
        "3D 4D | 5D 6D KD | 7D; turn 1; on 8D > 9C by 0; reversed; rules fours=into_hand revolution=true jokers=false"
    )
    view = View.of(state)
    assert view.hidden == (2, 0, 1)
    assert view.known == State(
        state.rules, ((), parse_cards("5D 6D KD"), ()), 1, state.stack, 0, state.played, (), True
    )
    gone = set(deck(jokers=False)) - set(parse_cards("3D 4D 5D 6D KD 7D 8D 9C"))
    assert view.spent == tuple(sorted(gone))
    assert view.unseen == parse_cards("3D 4D 7D")


def test_the_loser_sees_what_the_winner_offers() -> None:
    start = "3D 9D | 5D 6D KD | 7D 8D; turn 0; idle 0 1 2; exchange 1 0"
    state = State.parse(f"{start} offer KD 5D; rules exchange=true")
    view = View.of(state)
    assert (view.known.hands, view.hidden) == ((parse_cards("3D 9D"), parse_cards("5D KD"), ()), (0, 1, 2))
    assert view.unseen == parse_cards("6D 7D 8D")
    assert View.parse(str(view)) == View.from_json(view.to_json()) == view
    view = View.of(State.parse(f"{start}; rules exchange=true"))
    assert (view.known.hands, view.hidden) == (((), parse_cards("5D 6D KD"), ()), (2, 0, 2))
    assert View.parse(str(view)) == view


@pytest.mark.parametrize("rules", [Rules(), Rules(jokers=False), Rules(decks=2), Rules(decks=2, jokers=False)], ids=str)
def test_all_that_no_hand_and_no_table_holds_is_spent(rules: Rules) -> None:
    view = View.of(State(rules, (parse_cards("3D"), parse_cards("5D")), 0, (the("4D 4C"),), 1, (True, True)))
    left = list(deck(jokers=rules.jokers, decks=rules.decks))
    for card in parse_cards("3D 4D 4C 5D"):
        left.remove(card)
    assert view.spent == tuple(left)
    assert view.unseen == parse_cards("5D")
    with pytest.raises(ValueError, match="argument"):
        view.world([()])


@pytest.mark.parametrize(("text", "line"), [
    ("3D | ?54; turn 0", "53 cards are unseen, but the hidden hands hold 54;"),
    ("3D | ?52; turn 0; spent", "53 cards are unseen, but the hidden hands hold 52;"),
    ("3D | ?2; turn 0; on 4D by 1; spent 3D",
     "card 3D is spent, but with hands and table it is there 2 times; these rules have 1"),
    ("3D | ?2; turn 0; on 4D by 1; spent 4D",
     "card 4D is spent, but with hands and table it is there 2 times; these rules have 1"),
    ("3D | ?2; turn 0; spent 5C 5C", "card 5C is spent, but with hands and table it is there 2 times; these rules have 1"),
    ("3D | ?2; turn 0; spent 5C 5C 5C; rules decks=2",
     "card 5C is spent, but with hands and table it is there 3 times; these rules have 2"),
    ("3D | ?2; turn 0; spent RJ; rules jokers=false",
     "card RJ is spent, but with hands and table it is there 1 times; these rules have 0"),
    ("3D 4D | ?53; turn 0; idle 0 1; exchange 1 0 offer 5D 6D; rules exchange=true",
     "the cards that the Winner offers are seen; name them in his hand"),
    ("3D 4D | 5D ?51; turn 0; idle 0 1; exchange 1 0 offer 5D 6D; rules exchange=true",
     "the cards that the Winner offers are seen; name them in his hand"),
    ("3D | ?2; turn 1", "seat 1 is to act, and his own hand must be known"),
    ("?2 | 3D; turn 0", "seat 0 is to act, and his own hand must be known"),
    ("3D | ?2; turn 0; reversed", "the order is reversed, but rule option revolution is off"),
])
def test_a_view_that_cannot_be_says_why(text: str, line: str) -> None:
    with pytest.raises(IllegalPosition, match=f"^{re.escape(line)}"):
        View.parse(text)


def test_plain_data_of_a_view_that_cannot_be() -> None:
    with pytest.raises(BadText, match=r"^spent must be a text of cards$"):
        View.from_json({"hands": ["3D", "?2"], "turn": 0, "spent": ["4D"]})
    with pytest.raises(BadText, match=r"^hands must be a list"):
        View.from_json({"hands": "3D", "turn": 0})
    with pytest.raises(BadText, match=r"^'x' is no field"):
        View.from_json({"hands": ["3D", "?2"], "turn": 0, "x": 1})


def test_views_of_every_card_and_of_the_end() -> None:
    for text in (
        "3D | ?53; turn 0", "3D | ?53; turn 0; spent", "3D | ?51; turn 0; rules jokers=false",
        "3D 3D | ?106; turn 0; rules decks=2", "?2 | -; turn 1; out 1", "- | ?2; turn 0; out 0",
        "3D | 5D ?1; turn 0", "3D | 5D ?1 | 5C ?2; turn 0",
    ):
        assert str(View.parse(text)) == text
