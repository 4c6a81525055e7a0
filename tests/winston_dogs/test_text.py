"""Winston (dogs): positions, views and moves as text and as data, and what is said of bad ones."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from exactplay.rules.contract import BadOption, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston_dogs import SKIP, Card, Dog, Move, State, View, parse_cards, show_cards, unseen_cards
from exactplay.solvers.winston_dogs.bridge import from_position, to_position
from tests.winston_dogs.cases import CASES, cases

HANDS = ["Bb", "Kh"]
REFUSALS = (BadText, BadOption, IllegalPosition)


@cases("solve", "maxn", "game")
def test_positions_of_the_cases_round_trip(case: dict[str, Any]) -> None:
    state = State.from_json({name: value for name, value in case["input"].items() if name != "plays"})
    assert State.parse(str(state)) == state == State.from_json(state.to_json())
    assert from_position(to_position(state)) == state


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


def test_moves_are_read_in_any_order_and_case() -> None:
    assert Move.parse("kb BH bb") == Move.parse("Bb Bh Kb")
    assert str(Move.parse("UNDER bh")) == "under Bh"


def test_the_fields_that_are_left_out() -> None:
    line = "hands Bb | Kh; table -; pile -; turn 0; longest 0; shortest 0; bone -; poo -; points 0 0; skips 0"
    assert str(State.parse("hands Bb | Kh")) == str(State((parse_cards("Bb"), parse_cards("Kh")))) == line
    assert State.parse(line).chance_outcomes() == ()


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
    ({"hands": HANDS, "poo": -1}, "poo is -1; it must be 0 or more"),
    ({"hands": HANDS, "turn": "x"}, "turn is 'x'; it must be a whole number"),
    ({"hands": HANDS, "longest": True}, "longest is True; it must be a whole number"),
    ({"hands": HANDS, "shortest": 10**6}, "shortest is 1000000; it must be 999999 or less"),
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
    with pytest.raises(REFUSALS, match=message):
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
    ({"unseen": ""}, "hands is None; it must be a list"),
    (view_data(hands=["Bb", 3]), "a hand is 3; it must be text"),
    (view_data(hands={"Bb": 1}), "it must be a list with one text"),
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
    with pytest.raises(REFUSALS, match=message):
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


def test_collected_dogs_tell_what_is_unseen() -> None:
    case = next(case for case in CASES if case["id"] == "D0178")["input"]
    view = View.from_json({
        "hands": [case["own"], "? ? ? ? ?"], "table": case["table"], "collected": case["collected"],
        "longest": 6, "shortest": 2, "bone": 0, "poo": 1,
    })
    assert show_cards(view.unseen) == "Bb Ob Oh Oh Sb"
    line = str(view).replace("unseen Bb Ob Oh Oh Sb", "collected B4 B2 K2 K2 K2 G3 G2 G2 W6 W2 O4 S6")
    assert View.parse(line) == view


LONG = "x" * 100_000


@pytest.mark.parametrize("data", [
    {"hands": [LONG, "Kh"]}, {"hands": LONG}, {"hands": ["Bb", "Kh"], LONG: 1}, {"hands": ["Bb", "Kh"], "turn": LONG},
    {"hands": ["Bb", "Kh"], "table": LONG}, {"hands": ["Bb", "Kh"], "table": {LONG: [1, 1]}},
    {"hands": ["Bb", "Kh"], "table": {"B": LONG}}, {"hands": ["Bb", "Kh"], "table": [LONG]},
    {"hands": ["Bb", "Kh"], "points": LONG}, {"hands": ["Bb", "Kh"], "stuck": LONG},
    {"hands": ["Bb", "Kh"], "pile": [LONG]},
    {"hands": ["Bb", "?"], "unseen": [LONG]}, {"hands": ["Bb", "?"], "collected": LONG},
    {"hands": ["Bb", "?"], "pile": [LONG]},
    {"hands": ["Bb", "?"], "pile": "Bb ? " * 1_000}, {"hands": ["Bb", "?"], "collected": [LONG]},
    {"hands": ["Bb", "Kh"], "table": "Bh" + "b" * 1_000}, {"hands": ["Bb", "?"], "unseen": "Bb " * 1_000},
    {"hands": ["Bb", "Kh"], "points": [0] * 1_000}, {"hands": ["Bb", "Kh"], "turn": 10**1_000},
])
def test_long_input_is_not_echoed(data: dict[str, Any]) -> None:
    with pytest.raises(REFUSALS) as caught:
        (View if "?" in data["hands"] else State).from_json(data)
    assert len(str(caught.value)) < 300


def test_long_moves_are_not_echoed() -> None:
    for text in (LONG, "under " + LONG, "under " * 1_000):
        with pytest.raises(BadText) as caught:
            Move.parse(text)
        assert len(str(caught.value)) < 300
    with pytest.raises(IllegalMove) as illegal:
        State.parse("hands Bb | Kh").play(Move.parse("Bb " * 1_000))
    assert len(str(illegal.value)) < 300
