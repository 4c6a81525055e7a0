"""Winston (dogs): what the rules page and the docstrings say, in literal examples."""
from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from exactplay.rules import winston_dogs
from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston_dogs import (
    COLOURS,
    NAMES,
    SKIP,
    Card,
    Dog,
    Move,
    Rules,
    State,
    View,
    Witness,
    parse_cards,
    show_cards,
    unseen_cards,
)
from exactplay.solvers.winston_dogs.bridge import to_position

HANDS = ["Bb", "Kh"]


def after(text: str, *moves: str) -> str:
    state = State.parse(text)
    for move in moves:
        state = state.play(Move.parse(move))
    return str(state)


# Cards and moves


def test_what_the_package_offers() -> None:
    assert winston_dogs.__all__ == [
        "BODIES", "COLOURS", "HAND_SIZE", "HEADS", "NAMES", "SKIP", "Card", "Dog", "Move", "Rules", "State", "View",
        "Witness", "all_cards", "award", "final_scores", "parse_cards", "show_cards", "size_points", "unseen_cards",
        "winners",
    ]
    assert all(hasattr(winston_dogs, name) for name in winston_dogs.__all__)


def test_the_colours_and_their_names() -> None:
    assert COLOURS == "BKGWOS"
    assert NAMES == {"B": "brown", "K": "black", "G": "grey", "W": "white", "O": "orange", "S": "spotted"}
    assert Rules.game == "winston_dogs"


def test_cards_and_dogs_have_one_spelling_and_are_read_in_any_case() -> None:
    assert parse_cards("kH - Bb") == (Card("K", True), Card("B", False))
    assert show_cards(parse_cards("kH bB")) == "Kh Bb"
    assert [Dog.parse(text) for text in ("Bh", "kB", "sHbB")] == [
        ("B", Dog(True, 0)), ("K", Dog(False, 1)), ("S", Dog(True, 2)),
    ]
    assert [dog.complete for dog in (Dog(True, 1), Dog(True, 2), Dog(False, 8))] == [False, True, False]


def test_moves_are_ordered_as_their_texts() -> None:
    texts = ["Bb", "Bb Bb", "Bh", "skip", "under Bh"]
    assert [str(move) for move in sorted(map(Move.parse, reversed(texts)))] == texts
    assert not SKIP < SKIP


@pytest.mark.parametrize(("text", "message"), [
    ("", "an empty move"), ("under Bh Kh", "'under Bh Kh': exactly one card"), ("under", "'under': exactly one card"),
    ("Bb Bq", "'Bq' is no card; write a colour of B K G W O S and h or b"),
])
def test_bad_moves_are_named(text: str, message: str) -> None:
    with pytest.raises(BadText, match=message):
        Move.parse(text)


# Turns


def test_a_deal_of_too_few() -> None:
    with pytest.raises(IllegalPosition, match="1 players; the game is for 2 to 6"):
        State.deal(1, random.Random(0))


def test_the_fields_that_are_left_out() -> None:
    line = "hands Bb | Kh; table -; pile -; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; skips 0"
    assert str(State.parse("hands Bb | Kh")) == str(State((parse_cards("Bb"), parse_cards("Kh")))) == line
    assert State.parse(line).chance_outcomes() == ()


FIRST = (
    "hands Bb Bb Bh Kh Ob | Gb; table Kb Gh Wb; pile Sb Ob Wh Wb; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0"
    "; skips 1"
)


@pytest.mark.parametrize(("text", "moves", "line"), [
    # Complete: one head, two bodies. The first dog brings bone and poo. He draws up to five from the top of the pile.
    (FIRST, ["Bb Bb Bh"],
     "hands Kh Ob Ob Sb Wh | Gb; table Kb Gh Wb; pile Wb; turn 1; longest 2; shortest 2; bone 0; poo 0; points 3 0; "
     "skips 0"),
    # Too short a pile: he draws what there is.
    (FIRST.replace("pile Sb Ob Wh Wb", "pile Sb"), ["Bb Bb Bh Kh"],
     "hands Ob Sb | Gb; table Khb Gh Wb; pile -; turn 1; longest 2; shortest 2; bone 0; poo 0; points 3 0; skips 0"),
    # As long as the longest takes the bone, as short as the shortest the poo; between them neither.
    ("hands Bb Bb | Bh; table Bh; longest 4; shortest 2; bone 1; poo 1; points 0 13", ["Bb Bb"],
     "hands - | Bh; table -; pile -; turn 1; longest 4; shortest 2; bone 1; poo 0; points 3 13; skips 0"),
    ("hands Bb Bb | Bh; table Bhb; longest 3; shortest 2; bone 1; poo 1; points 0 9", ["Bb Bb"],
     "hands - | Bh; table -; pile -; turn 1; longest 3; shortest 2; bone 0; poo 1; points 6 9; skips 0"),
    ("hands Bb Bb | Bh; table Bhb; longest 4; shortest 2; bone 1; poo 1; points 0 13", ["Bb Bb"],
     "hands - | Bh; table -; pile -; turn 1; longest 4; shortest 2; bone 1; poo 1; points 6 13; skips 0"),
    # The only card of a hand may be played alone; the seat after the last is the first.
    ("hands Kb | Bb; turn 1", ["Bb"],
     "hands Kb | -; table Bb; pile -; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; skips 0"),
    # Stuck: the head goes under the pile, the top card to the hand; no skip.
    ("hands - | Bh Gh; table Bh Gh; pile Ob Sb; turn 1; skips 1", ["under Gh"],
     "hands - | Bh Ob; table Bh Gh; pile Sb Gh; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; skips 0; "
     "stuck Gh>Ob"),
    # Stuck with an empty pile, and without cards: skips, counted.
    ("hands Bh Bh | - | Gb; table Bh", ["skip", "skip"],
     "hands Bh Bh | - | Gb; table Bh; pile -; turn 2; longest 0; shortest 0; bone -; poo -; points 0 0 0; skips 2"),
    # A turn of cards ends a run of stuck turns.
    ("hands Bh Bh | Gb Gb; table Bh; pile Ob Sb", ["under Bh", "Gb Gb"],
     "hands Bh Ob | Bh Sb; table Bh Gbb; pile -; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; skips 0"),
])
def test_whole_turns(text: str, moves: list[str], line: str) -> None:
    assert after(text, *moves) == line


def test_a_single_playable_card_is_no_turn() -> None:
    """With two cards or more in hand; and two heads of one colour are one card to play."""
    assert show_moves("hands Gb Kh | Bb; table Kh; pile Bb") == ["under Kh"]
    assert show_moves("hands Gh Gh | Bb; pile Bb") == ["under Gh"]  # no head whose dog has one: any card
    assert show_moves("hands Gb Gh Gh | Bb; pile Bb") == ["Gb Gh"]
    assert show_moves("hands Gb | Bb") == ["Gb"]
    assert show_moves("hands Gb Kh Bh | Bb; table Bh Kh; pile Bb") == ["under Bh", "under Kh"]
    # A body never goes while such a head is held.
    assert show_moves("hands Gb Kh | Bb; table Gh Kh; pile Bb") == ["under Kh"]
    assert show_moves("hands Kh | Bb; table Kh") == ["skip"]


def show_moves(text: str) -> list[str]:
    return [str(move) for move in State.parse(text).legal_moves()]


@pytest.mark.parametrize(("text", "over"), [
    ("hands - | -; pile Bb", True),  # no player holds a card
    ("hands Bh | Kh; table Bh Kh; skips 1", False),
    ("hands Bh | Kh; table Bh Kh; skips 2", True),  # every player in turn had to skip
])
def test_the_end(text: str, over: bool) -> None:
    state = State.parse(text)
    assert (state.to_move == OVER) == over
    assert bool(state.legal_moves()) != over


def test_bone_and_poo_in_the_final_scores() -> None:
    ended = State.parse("hands - | - | -; longest 4; shortest 2; bone 2; poo 0; points 3 6 10")
    assert ended.scores() == (-3, 6, 16)
    with pytest.raises(IllegalPosition, match="the game is not over"):
        State.parse("hands Bb | Kh").scores()


def test_a_repetition_is_one_of_hands_pile_and_turn() -> None:
    """Seat 1 holds nothing and only skips; after two stuck turns of each other seat all is as it was."""
    state = State.parse("hands Bh | - | Kh; table Bh Kh; pile Bh Kh")
    lines = []
    while state.to_move != OVER and len(lines) < 9:
        lines.append(f"{' '.join(map(str, state.hands[0]))}, {show_cards(state.pile)}, {state.turn}")
        state = state.play(state.legal_moves()[0])
    assert lines == ["Bh, Bh Kh, 0", "Bh, Kh Bh, 1", "Bh, Kh Bh, 2"]
    assert (state.turn, str(state).partition("stuck ")[2]) == (0, "Bh>Bh Kh>Kh")
    assert state.scores() == (0, 0, 0)


def test_stuck_turns_are_undone_one_by_one() -> None:
    state = State.parse("hands Bh Gh | - | Kh Oh; table Bh Kh Gh Oh; pile Wh Sh Gh Kh; turn 0; stuck Gh>Bh Kh>Oh")
    assert [(" | ".join(map(show_cards, hands)), show_cards(pile), turn) for hands, pile, turn in state._earlier()] == [
        ("Bh Gh |  | Kh Kh", "Oh Wh Sh Gh", 2), ("Gh Gh |  | Kh Kh", "Bh Oh Wh Sh", 0),
    ]


@pytest.mark.parametrize("stuck", ["Gh>Ob", "Kh>Wb", "Kh>Kh"])
def test_stuck_turns_that_cannot_have_been(stuck: str) -> None:
    """The card drawn must be in the hand of him who was on turn, the card put under at the bottom of the pile."""
    with pytest.raises(IllegalPosition) as caught:
        State.parse(f"hands Ob | Wb; pile Sb Kh; turn 1; stuck {stuck}")
    under, drawn = stuck.split(">")
    assert str(caught.value) == (
        f"stuck: seat 0 cannot have put {under} under the pile and drawn {drawn}: "
        f"{drawn} must be in his hand and {under} in its place in the pile"
    )
    with pytest.raises(IllegalPosition, match="stuck: seat 0"):
        State.parse("hands Ob | Wb; turn 1; stuck Kh>Ob")


def test_stuck_turns_of_nobody() -> None:
    """Nobody holds a card, so nobody can have drawn one: refused, not searched for without end."""
    line = "hands - | -; pile Kh; stuck Kh>Ob"
    with pytest.raises(IllegalPosition, match="stuck: seat 0 cannot have put Kh under"):
        State.parse(line)
    with pytest.raises(ValueError, match="stuck: seat 0 cannot have put kind 5 under the pile and drawn kind 6"):
        to_position(State(((), ()), pile=parse_cards("Kh"), stuck=(parse_cards("Kh Ob"),)))  # type: ignore[arg-type]


@pytest.mark.parametrize("pile", ["Kh Bh", ""])
def test_the_core_refuses_stuck_turns_that_cannot_have_been(pile: str) -> None:
    with pytest.raises(ValueError, match="stuck: seat 1 cannot have put kind 5 under the pile and drawn kind 6"):
        to_position(replace(State.parse("hands Bb | Ob; pile Kh; stuck Kh>Ob"), pile=parse_cards(pile)))


@pytest.mark.parametrize(("hand", "message"), [
    ("Bb Kb Gb", "'skip' is not legal here; legal: Bb Gb, Bb Gb Kb, Bb Kb, Gb Kb"),
    ("Bb Bb Kb Kb", "legal: Bb Bb, Bb Bb Kb, Bb Bb Kb Kb, Bb Kb, Bb Kb Kb, Kb Kb"),
    ("Bb Bb Bb Bb Kb", "legal: Bb Bb, Bb Bb Bb, Bb Bb Bb Bb, Bb Bb Bb Bb Kb, Bb Bb Bb Kb, Bb Bb Kb and 1 more"),
])
def test_illegal_moves_list_up_to_six_legal_ones(hand: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=f"{message}$"):
        State((parse_cards(hand), ())).play(SKIP)


# Positions that cannot be, and text


def test_all_fields_as_text_and_as_data() -> None:
    line = (
        "hands Ob Bh | Wb | Gh; table Bhb Kbbb Sh; pile Sb Kh Bh; turn 1; longest 5; shortest 2; bone 0; poo 2; "
        "points 15 0 3; skips 0; stuck Bh>Ob"
    )
    data = {
        "hands": ["Bh Ob", "Wb", "Gh"], "table": {"B": [1, 1], "K": [0, 3], "S": [1, 0]}, "pile": "Sb Kh Bh", "turn": 1,
        "longest": 5, "shortest": 2, "bone": 0, "poo": 2, "points": [15, 0, 3], "skips": 0, "stuck": "Bh>Ob",
    }
    state = State.parse(line)
    assert state.to_json() == data
    assert State.from_json(data) == state
    assert str(state) == line.replace("Ob Bh |", "Bh Ob |")
    assert list(state.to_json()) == list(data)
    first = State.parse("hands Bb | -")
    assert first.to_json() == {
        "hands": ["Bb", ""], "table": {}, "pile": "", "turn": 0, "longest": 0, "shortest": 0, "bone": None, "poo": None,
        "points": [0, 0], "skips": 0,
    }
    assert State.from_json(first.to_json()) == first


@pytest.mark.parametrize("text", [
    "hands Bb | - | - | - | - | -; table -; turn 5",
    "hands Bh Bh Bb Bb Bb | Bb Bb Bb Bb; table Bhb; pile -",  # three heads and eight bodies of a colour, five in a hand
    "hands Bb | Kh; points 216 0; longest 8; shortest 8; bone 1; poo 0; skips 2",
    "hands Bb | Kh; longest 2; shortest 2; bone 0; poo 1",
    "hands Bb | Kh;turn  1 ; bone -",
])
def test_positions_at_the_bounds(text: str) -> None:
    state = State.parse(text)
    assert state.check() is state


@pytest.mark.parametrize(("changes", "message"), [
    ({"hands": ((),) * 7}, "7 hands; the game is for 2 to 6 players"),
    ({"hands": ((),) * 1}, "1 hands; the game is for 2 to 6 players"),
    ({"hands": ((), parse_cards("Bb Bb Bb Bb Bb Bb"))}, "seat 1 holds 6 cards; a hand has at most 5"),
    ({"table": (Dog(),) * 5}, "the table has 5 dogs; it needs one, or an empty one, for each of BKGWOS"),
    ({"table": (Dog(False, 8), *(Dog(),) * 5)}, "Bb is there 9 times; the game has 8 of it"),
    ({"pile": parse_cards("Kh Kh Kh")}, "Kh is there 4 times; the game has 3 of it"),
    ({"table": (*(Dog(),) * 5, Dog(False, -1))}, "Sb is there -1 times"),
    ({"table": (*(Dog(),) * 5, Dog(True, 2))}, "dog Shbb is complete"),
    ({"turn": 2}, "turn is 2; with 2 players it must be 0 to 1"),
    ({"turn": -1}, "turn is -1; with 2 players"),
    ({"points": (1, 2, 3)}, r"points are \(1, 2, 3\); one number from 0 up is needed for each of 2 players"),
    ({"points": (0, -1)}, r"points are \(0, -1\); one number from 0 up"),
    ({"points": (0, 217)}, r"points are \(0, 217\); all dogs of the game together bring 216"),
    ({"skips": 3}, "skips is 3; it must be 0 to 2, the number of players"),
    ({"skips": -1}, "skips is -1"),
    ({"longest": 9, "shortest": 2, "bone": 0, "poo": 0}, "longest 9 and shortest 2; they must be 2 to 8"),
    ({"longest": 2, "shortest": 1, "bone": 0, "poo": 0}, "longest 2 and shortest 1; they must be 2 to 8"),
    ({"longest": 2, "shortest": 3, "bone": 0, "poo": 0}, "longest 2 and shortest 3; they must be 2 to 8"),
    ({"longest": 2, "bone": 0, "poo": 0}, "longest 2 and shortest 0; they must be 2 to 8"),
    ({"shortest": 2, "bone": 0, "poo": 0}, "longest 0 and shortest 2; they must be 2 to 8"),
    ({"longest": 2, "shortest": 2, "bone": 2, "poo": 0}, "bone is held by seat 2; the seats are 0 to 1"),
    ({"longest": 2, "shortest": 2, "bone": 0, "poo": -1}, "poo is held by seat -1; the seats are 0 to 1"),
    ({"longest": 2, "shortest": 2, "poo": 0}, "bone must have a holder exactly when a dog was collected"),
    ({"longest": 2, "shortest": 2, "bone": 0}, "poo must have a holder exactly when a dog was collected"),
    ({"bone": 0}, "bone must have a holder exactly when a dog was collected"),
])
def test_positions_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    state = State((parse_cards("Bb"), parse_cards("Kh")))
    with pytest.raises(IllegalPosition, match=message):
        replace(state, **changes).check()


@pytest.mark.parametrize(("data", "message"), [
    ({"turn": 0}, "field 'hands' is missing"),
    ({"hands": HANDS, "colour": 1},
     "field 'colour' is unknown; a position has hands, table, pile, bone, poo, points, stuck, turn, longest, "
     "shortest, skips"),
    ({"hands": 3}, "hands is 3; it must be a list"),
    ({"hands": ["Bb", 3]}, "a hand is 3; it must be text"),
    ({"hands": HANDS, "pile": 3}, "pile is 3; it must be text"),
    ({"hands": HANDS, "stuck": 3}, "stuck is 3; it must be text"),
    ({"hands": HANDS, "stuck": "Gh"}, "stuck 'Gh': write the card put under"),
    ({"hands": HANDS, "stuck": "Gh>Kh>Bb"}, "'Kh>Bb' is no card"),
    ({"hands": HANDS, "points": 3}, "points is 3; it must be a list"),
    ({"hands": HANDS, "points": [1, "x"]}, "points is 'x'; it must be a whole number"),
    ({"hands": HANDS, "bone": "x"}, "bone is 'x'; it must be a whole number"),
    ({"hands": HANDS, "poo": -1}, "poo is -1; it must be a whole number"),
    ({"hands": HANDS, "turn": "x"}, "turn is 'x'; it must be a whole number"),
    ({"hands": HANDS, "longest": True}, "longest is True; it must be a whole number"),
    ({"hands": HANDS, "shortest": 10**6}, "shortest is 1000000; it must be a whole number"),
    ({"hands": HANDS, "skips": "1000000"}, "skips is '1000000'; it must be a whole number"),
    ({"hands": HANDS, "skips": 1.0}, "skips is 1.0; it must be a whole number"),
    ({"hands": HANDS, "skips": 999_999}, "skips is 999999; it must be 0 to 2"),
    ({"hands": HANDS, "skips": "999999"}, "skips is 999999; it must be 0 to 2"),
    ({"hands": HANDS, "table": 3}, r"table is 3; it must be an object such as \{'B': \[1, 0\]\}"),
    ({"hands": HANDS, "table": "Bh Kb bb"}, "table has two dogs of colour B"),
    ({"hands": HANDS, "table": {"K": [1, 0], "k": [1, 0]}}, "table has two dogs of colour K"),
    ({"hands": HANDS, "table": {"BK": [1, 0]}}, "table has a dog of colour 'BK'; the colours are B K G W O S"),
    ({"hands": HANDS, "table": {3: [1, 0]}}, "table has a dog of colour 3; the colours are"),
    ({"hands": HANDS, "table": {"B": [2, 0]}}, r"table B is \[2, 0\]; it must be \[heads, bodies\]"),
    ({"hands": HANDS, "table": {"B": [1]}}, r"table B is \[1\]; it must be \[heads, bodies\]"),
    ({"hands": HANDS, "table": {"B": [1, 0, 0]}}, r"table B is \[1, 0, 0\]; it must be"),
    ({"hands": HANDS, "table": {"B": "10"}}, "table B is '10'; it must be"),
    ({"hands": HANDS, "table": {"B": ["x", 0]}}, "table B is 'x'; it must be a whole number"),
    ({"hands": HANDS, "table": {"B": [0, "x"]}}, "table B is 'x'; it must be a whole number"),
])
def test_bad_data_is_named(data: dict[str, Any], message: str) -> None:
    with pytest.raises((BadText, IllegalPosition), match=message):
        State.from_json(data)


@pytest.mark.parametrize(("text", "message"), [
    ("hands Bb | Kh; turn 0; turn 1", "field 'turn' stands twice"), ("hands Bb | Kh; ", "an empty field"),
    ("hands Bb | Kh; table X", "'X' is no dog; write a colour"), ("hands Bb | Kh; table B", "'B' is no dog"),
])
def test_bad_text_is_named(text: str, message: str) -> None:
    with pytest.raises(BadText, match=message):
        State.parse(text)


def test_the_table_as_text() -> None:
    assert State.from_json({"hands": HANDS, "table": "- kB - Sh"}).to_json()["table"] == {"K": [0, 1], "S": [1, 0]}
    state = State.from_json({"hands": HANDS, "table": {"s": [0, 3], "B": ["1", "0"], "K": [0, 0]}, "poo": "-",
                             "bone": None})
    assert state.to_json()["table"] == {"B": [1, 0], "S": [0, 3]}
    assert [str(state.dog(colour)) for colour in "BS"] == [str(Dog(True, 0)), str(Dog(False, 3))]


# What a player knows


def test_a_view_as_text_and_as_data() -> None:
    line = (
        "hands ? ? Bh | Gb Kh | -; table Bh Kbb; pile ? Ob; turn 1; longest 5; shortest 2; bone 0; poo 2; points 15 0 3; "
        "skips 1; unseen Bb Bb Wh"
    )
    data = {
        "hands": ["? ? Bh", "Gb Kh", ""], "table": {"B": [1, 0], "K": [0, 2]}, "pile": "? Ob", "turn": 1, "longest": 5,
        "shortest": 2, "bone": 0, "poo": 2, "points": [15, 0, 3], "skips": 1, "unseen": "Bb Bb Wh",
    }
    view = View.parse(line.replace("Bb Bb Wh", "Wh Bb Bb"))
    assert (str(view), view.to_json()) == (line, data)
    assert View.from_json(data) == view
    assert (view.hidden, view.top, view.pile_size) == ((2, 0, 0), 1, 2)
    assert show_cards(view.known.pile) == "Ob"
    assert str(view.some_world()) == (
        "hands Bb Bb Bh | Gb Kh | -; table Bh Kbb; pile Wh Ob; turn 1; longest 5; shortest 2; bone 0; poo 2; "
        "points 15 0 3; skips 1"
    )
    world = view.world([parse_cards("Wh Bb"), (), (), parse_cards("Bb")])
    assert (show_cards(world.hands[0]), show_cards(world.pile)) == ("Bb Bh Wh", "Bb Ob")
    bare = View.parse("hands Bb | -; unseen -")
    assert str(bare).endswith("hands Bb | -; table -; pile -; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; "
                              "skips 0; unseen -")
    assert (bare.to_json()["hands"], bare.to_json()["pile"], bare.to_json()["unseen"]) == (["Bb", ""], "", "")


def view_data(**fields: Any) -> dict[str, Any]:
    return {"hands": ["Bb", "? ?"], "unseen": "Kb Kb", **fields}


@pytest.mark.parametrize(("data", "message"), [
    (view_data(turn=1), "seat 1 is on turn, so the cards of his hand must be given"),
    (view_data(unseen="Gb Kb Bb", pile="? ?"),
     r"2 hidden cards in hands and 2 in the pile, but 3 cards are unseen \('Bb Gb Kb'\)"),
    (view_data(hands=["Bb", "? ? ? Gb Gb Gb"], unseen="Kb Kb Kb"), "seat 1 holds 6 cards; a hand has at most 5"),
    (view_data(hands=["Bb", "? Kb"], unseen="Gb", pile="Kh", stuck="Kh>Kb"),
     "stuck is for positions with every card known"),
    (view_data(unseen="Bb Bb", table={"B": [0, 6]}), "Bb is there 9 times"),
    ({"unseen": ""}, "field 'hands' is missing or no list of texts"),
    (view_data(hands=["Bb", 3]), "field 'hands' is missing or no list of texts"),
    (view_data(hands={"Bb": 1}), "field 'hands' is missing or no list of texts"),
    (view_data(pile=3), "pile is 3; it must be text such as"),
    (view_data(pile="? Kb ?"), r"pile '\? Kb \?': hidden cards lie on top"),
    (view_data(turn=2), "turn is 2; with 2 players it must be 0 to 1"),
    (view_data(unseen=3), "unseen is 3; it must be text such as 'Bh Kb'"),
    (view_data(colour=3), "field 'colour' is unknown"),
    (view_data(collected="B2"), "hidden cards need one of 'unseen'"),
    ({"hands": ["Bb", "? ?"]}, "hidden cards need one of 'unseen'"),
    ({"hands": ["Bb", "?"], "collected": 5}, "collected has 5; a dog is a colour of B K G W O S and its bodies"),
    ({"hands": ["Bb", "?"], "collected": [[3, 4]]}, r"collected has \[3, 4\]; a dog is"),
    ({"hands": ["Bb", "?"], "collected": [["B"]]}, r"collected has \['B'\]; a dog is"),
    ({"hands": ["Bb", "?"], "collected": [["B", 4, 4]]}, r"collected has \['B', 4, 4\]; a dog is"),
    ({"hands": ["Bb", "?"], "collected": ["B4"]}, r"collected has 'B4'; a dog is"),
    ({"hands": ["Bb", "?"], "collected": [["BK", 4]]}, r"collected has \['BK', 4\]; a dog is"),
    ({"hands": ["Bb", "?"], "collected": "K2 B"}, "bodies of a collected dog is ''; it must be a whole number"),
    ({"hands": ["Bb", "?"], "collected": "K2 B1"}, "collected has a dog of 1 bodies; one that was taken has 2 or more"),
    ({"hands": ["Bb", "?"], "collected": "K3 B2"}, "longest 0 and shortest 0, but of the dogs collected they are 3 and 2"),
    ({"hands": ["Bb", "?"], "collected": "K3 B2", "longest": 3, "shortest": 2, "points": [3, 5]},
     r"points are \(3, 5\), together 8; the dogs collected bring 9"),
    ({"hands": ["Bb", "?"], "collected": "B5 B3"}, "Bb was seen 1 times more than the game has it"),
    ({"hands": ["Bb", "?"], "table": "Bh", "collected": "B2 B2 B2"}, "Bh was seen 1 times more than the game has it"),
])
def test_bad_views_are_named(data: dict[str, Any], message: str) -> None:
    with pytest.raises((BadText, IllegalPosition), match=message):
        View.from_json(data)


@pytest.mark.parametrize("collected", ["k2 B3 B4 -", [["k", 2], ["B", "3"], ["B", 4]]])
@pytest.mark.parametrize("points", [[19, 0], [10, 9], [0, 0]])
def test_what_the_collected_dogs_leave_unseen(collected: Any, points: list[int]) -> None:
    """Points of 0 are those of a game counted from here on; else they are those of the dogs."""
    view = View.from_json({
        "hands": ["Bb", "? Kb"], "table": {"K": [1, 0]}, "pile": "? " * 49 + "Kb", "collected": collected,
        "longest": 4, "shortest": 2, "bone": 0, "poo": 1, "points": points,
    })
    whole = {colour: f" {colour}b" * 8 + f" {colour}h" * 3 for colour in "GOSW"}
    assert show_cards(view.unseen) == f"Bh{whole['G']} Kb Kb Kb Kb Kh{whole['O']}{whole['S']}{whole['W']}"


def test_unseen_cards_are_those_that_nobody_shows() -> None:
    table = [Dog(True, 1), Dog(False, 7), *[Dog()] * 4]
    unseen = unseen_cards(parse_cards("Bb Kh"), table, [("G", 8), ("W", 8), ("O", 8), ("S", 8)], parse_cards("Bb Sh"))
    assert show_cards(unseen) == "Bb Bb Bb Bb Bb Bh Bh Gh Gh Kb Kh Kh Oh Oh Sh Wh Wh"


def test_parts_that_do_not_fit_are_not_cut_to_fit() -> None:
    hands = (parse_cards("Bb"), parse_cards("Kh"))
    short = State(hands, table=(Dog(),) * 5)
    for use in (str, State.to_json, lambda state: state.play(Move.parse("Bb"))):
        with pytest.raises(ValueError, match="zip"):
            use(short)
    for do in (str, View.to_json, View.some_world):
        with pytest.raises(ValueError, match="zip"):
            do(View(State(hands), (0,), 0, ()))
    with pytest.raises(ValueError, match="zip"):
        unseen_cards((), short.table, [])


@pytest.mark.parametrize(("text", "story"), [
    # Nobody knows the cards that seats 0 and 1 drew. Of the cards put under the pile the first is drawn by seat 2 with four
    # others, the second by seat 0, where it can be read off.
    ("hands Bh Kh | Gh Kh Kb | Bb Bb Bb; table Bh Kh Gh; pile Ob Sb Sb Wb Wb Wb", [
        ("under Kh", 1, " |  | ", "? ? | Gh Kb Kh | ? ? ?", "? ? ? ? ? Kh", "Bb Bb Bb Bh Ob Sb Sb Wb Wb Wb"),
        ("under Gh", 2, " |  | ", "? ? | ? ? ? | Bb Bb Bb", "? ? ? ? Kh Gh", "Bh Kb Kh Ob Sb Sb Wb Wb Wb"),
        ("Bb Bb Bb", 1, " |  | Kh", "Bh Ob | ? ? ? | ? ? ? ? Kh", "Gh", "Kb Kh Sb Sb Wb Wb Wb"),
        ("Bh Ob", 0, "Gh |  | Kh", "Gh | Kb Kh Sb | ? ? ? ? Kh", "-", "Sb Wb Wb Wb"),
    ]),
    # All are stuck and draw what the one before put there; who shows the like of a card known to be his may have shown it.
    ("hands Bh Bh | Gh Gh | Oh; table Bh Gh Oh; pile Oh", [
        ("under Bh", 1, " |  | ", "? ? | Gh Gh | ?", "Bh", "Bh Oh Oh"),
        ("under Gh", 1, " | Bh | ", "? ? | ? Bh | Oh", "Gh", "Bh Gh Oh"),
        ("under Oh", 1, " | Bh | Gh", "Bh Oh | ? Bh | Gh", "Oh", "Gh"),
        ("under Bh", 1, "Oh | Bh | Gh", "? Oh | Bh Gh | Gh", "Bh", "Oh"),
        ("under Bh", 1, "Oh | Bh | Gh", "? Oh | ? Bh | Gh", "Bh", "Gh Oh"),
    ]),
    # A skip tells nothing.
    ("hands Bh Bh | Gb Gb Kb Kb; table Bh; pile Ob", [
        ("under Bh", 1, " | ", "? ? | Gb Gb Kb Kb", "Bh", "Bh Ob"),
        ("Gb Gb Kb", 0, " | Bh", "Bh Ob | ? Bh", "-", "Kb"),
        ("skip", 0, " | Bh", "? ? | Bh Kb", "-", "Bh Ob"),
        ("skip", 0, " | Bh", "Bh Ob | ? Bh", "-", "Kb"),
    ]),
])
def test_what_all_saw(text: str, story: list[tuple[str, int, str, str, str, str]]) -> None:
    """A card put under the pile is known in its place, then in the hand of him who draws it, until he plays its like."""
    state = State.parse(text)
    witness = Witness.start(len(state.hands))
    assert witness == Witness(0, ((),) * len(state.hands))
    for move_text, bottom, held, hands, pile, unseen in story:
        move = Move.parse(move_text)
        state, witness = state.play(move), witness.after(state, move)
        view = witness.view(state)
        assert (witness.bottom, " | ".join(map(show_cards, witness.held))) == (bottom, held)
        fields = dict(part.split(" ", 1) for part in str(view).split("; "))
        assert (fields["hands"], fields["pile"], fields["unseen"]) == (hands, pile, unseen)
        assert view.known.stuck == ()
