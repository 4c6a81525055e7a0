"""The rules page of Walk the Dogs line by line: single steps, both written forms in full, and what each error names."""
from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from exactplay.rules.contract import CHANCE, OVER, BadOption, BadText, IllegalPosition
from exactplay.rules.walk_the_dogs import (
    BREEDS,
    CARDS,
    Move,
    Rules,
    State,
    View,
)

FORM = "a position is written like middle=SPO lines=SS/- hands=g1,g2/r3 deck=bo,le turn=0"


# ---------------------------------------------------------------- the pieces


def test_the_box() -> None:
    assert BREEDS == "SPOGBDC"
    assert CARDS == ("g1", "g2", "g3", "r1", "r2", "r3", "y", "le", "bo", "dc")
    assert Counter(Rules().deck()) == dict(zip(CARDS, [6] * 7 + [3, 5, 3], strict=True))
    assert list(dict.fromkeys(Rules().deck())) == list(CARDS)
    assert Counter(Rules(special_cards=False).deck()) == dict.fromkeys(CARDS[:7], 6)


# ---------------------------------------------------------------- options and moves


@pytest.mark.parametrize(("text", "move"), [
    ("g2:PSSO", Move("play", card="g2", line="PSSO")),
    ("r3:S", Move("play", card="r3", line="S")),
    ("y:S", Move("play", card="y", line="S")),
    ("le.0f:SSO", Move("leash", card="le", victim=0, end="front", line="SSO")),
    ("le.3b:S", Move("leash", card="le", victim=3, end="back", line="S")),
    ("lose:front", Move("lose", end="front")),
    ("lose:back", Move("lose", end="back")),
    ("draw", Move("draw")),
    ("pass", Move("pass")),
    ("+dc", Move("turn up", card="dc")),
])
def test_moves_as_text(text: str, move: Move) -> None:
    assert Move.parse(text) == move
    assert str(move) == text


@pytest.mark.parametrize("text", [
    "le.1f", "le.1f:", "le.12f:S", "le.4f:S", "le.xf:S", "le.Xf:S", "xx.1f:S", "le.1x:S", "le:S", "g1", "g1:", "bo:S",
    "dc:S",
    "lose:middle", "win:front", "lose", "x", "+", "-g1", "+g4", "draw:", "Pass",
])
def test_texts_that_are_no_move(text: str) -> None:
    with pytest.raises(BadText) as error:
        Move.parse(text)
    assert str(error.value) == (
        f"move {text!r} is none; moves are like g2:PSSO, le.1f:SSO, lose:front, draw, pass, +g2"
    )


@pytest.mark.parametrize("text", ["g1:S:S", "le.1f:S:S"])
def test_a_move_with_a_dog_of_no_breed(text: str) -> None:
    with pytest.raises(BadText, match=r"^the line of move 'S:S' holds ':'; the breeds are S P O G B D C$"):
        Move.parse(text)


# ---------------------------------------------------------------- a turn


def parsed(text: str) -> State:
    return State.parse(text)


@pytest.mark.parametrize(("before", "moves", "after"), [
    # Green from the front, red from the back, yellow one of each; the next player then draws.
    ("middle=SPO lines=GB/- hands=g2,y/r1 deck=r1 phase=play", ["g2:PSGB"],
     "middle=O lines=PSGB/- hands=y/r1 deck=r1 turn=1 phase=draw bones=0/0 discards=g2"),
    ("middle=SPO lines=GB/- hands=g1/g1,r2 deck=r1 phase=play turn=1 discards=y", ["r2:OP"],
     "middle=S lines=GB/OP hands=g1/g1 deck=r1 turn=0 phase=draw bones=0/0 discards=r2,y"),
    ("middle=SPO lines=GB/- hands=y/- deck=r1 phase=play", ["y:SGBO"],
     "middle=P lines=SGBO/- hands=-/- deck=r1 turn=1 phase=draw bones=0/0 discards=y"),
    # A leash takes the front or the back dog of another line and leaves the middle line alone.
    ("middle=SPO lines=GB/-/DC hands=le/-/- deck=r1 phase=play", ["le.2f:GBD"],
     "middle=SPO lines=GBD/-/C hands=-/-/- deck=r1 turn=1 phase=draw bones=0/0/0 discards=le"),
    ("middle=SPO lines=GB/-/DC hands=le/-/- deck=r1 phase=play", ["le.2b:CGB"],
     "middle=SPO lines=CGB/-/D hands=-/-/- deck=r1 turn=1 phase=draw bones=0/0/0 discards=le"),
    # A card drawn stays in the hand; bones and catchers do not, and the drawer draws again.
    ("middle=SPO lines=G/- hands=r1/- deck=g1,r1", ["+g1"],
     "middle=SPO lines=G/- hands=g1,r1/- deck=r1 turn=0 phase=play bones=0/0"),
    ("middle=SPO lines=G/- hands=r1/- deck=bo,r1 bones=0/2", ["+bo"],
     "middle=SPO lines=G/- hands=r1/- deck=r1 turn=0 phase=draw bones=0/3"),
    ("middle=SPO lines=G/S/D hands=-/-/- deck=bo,r1 turn=1", ["+bo"],
     "middle=SPO lines=G/S/D hands=-/-/- deck=r1 turn=1 phase=draw bones=0/1/0"),
    ("middle=SPO lines=G/-/D hands=-/-/- deck=bo turn=2", ["+bo"],
     "middle=SPO lines=G/-/D hands=-/-/- deck=- turn=2 phase=play bones=0/1/0"),
    ("middle=SPO lines=GGB/DC hands=-/- deck=dc,r1 discards=y", ["+dc"],
     "middle=SPO lines=B/DC hands=-/- deck=r1 turn=0 phase=catch1 bones=0/0 discards=y,dc"),
    ("middle=SPO lines=GGB/DC hands=-/- deck=dc,r1", ["+dc", "lose:front"],
     "middle=SPO lines=B/C hands=-/- deck=r1 turn=0 phase=draw bones=0/0 discards=dc"),
    ("middle=SPO lines=GB/DC/- hands=-/-/- deck=dc turn=1", ["+dc", "lose:back", "lose:front"],
     "middle=SPO lines=B/D/- hands=-/-/- deck=- turn=1 phase=play bones=0/0/0 discards=dc"),
    ("middle=SPO lines=GB/DC/SP hands=-/-/- deck=dc,r1 turn=1", ["+dc", "lose:back"],
     "middle=SPO lines=GB/D/SP hands=-/-/- deck=r1 turn=1 phase=catch2 bones=0/0/0 discards=dc"),
    # Passes are counted until somebody plays; in the advanced game drawing, too, ends the row.
    ("middle=SPO lines=G/-/- hands=-/-/g1", ["pass", "pass"],
     "middle=SPO lines=G/-/- hands=-/-/g1 deck=- turn=2 phase=play bones=0/0/0 passes=2"),
    ("middle=SPO lines=G/-/- hands=-/-/g1", ["pass", "pass", "g1:S", "pass"],
     "middle=PO lines=G/-/S hands=-/-/- deck=- turn=1 phase=play bones=0/0/0 discards=g1 passes=1"),
    ("middle=SPO lines=G/- hands=-/- deck=g1,g2 passes=1 advanced=true", ["draw"],
     "middle=SPO lines=G/- hands=-/- deck=g1,g2 turn=0 phase=draw bones=0/0 advanced=true"),
    ("middle=SPO lines=G/- hands=-/- deck=g1,g2 advanced=true", ["draw", "+g1"],
     "middle=SPO lines=G/- hands=g1/- deck=g2 turn=1 phase=play bones=0/0 advanced=true"),
    # A special card drawn is replaced, then the turn ends: also where nothing is left to replace it.
    ("middle=SPO lines=G/- hands=-/- deck=bo advanced=true", ["draw", "+bo"],
     "middle=SPO lines=G/- hands=-/- deck=- turn=1 phase=play bones=0/1 advanced=true"),
    ("middle=SPO lines=G/SP hands=-/- deck=dc advanced=true", ["draw", "+dc", "lose:front"],
     "middle=SPO lines=-/P hands=-/- deck=- turn=1 phase=play bones=0/0 discards=dc advanced=true"),
    # The end: the last dogs of the middle line, five in a row, a whole round of passes.
    ("middle=SP lines=G/- hands=g2/g1 deck=r1 phase=play", ["g2:SPG"],
     "middle=- lines=SPG/- hands=-/g1 deck=r1 turn=0 phase=play bones=0/0 discards=g2"),
    ("middle=SP lines=SSSS/- hands=g1/g1 deck=r1 phase=play", ["g1:SSSSS"],
     "middle=P lines=SSSSS/- hands=-/g1 deck=r1 turn=0 phase=play bones=0/0 discards=g1"),
    ("middle=SP lines=G/- hands=-/-", ["pass", "pass"],
     "middle=SP lines=G/- hands=-/- deck=- turn=1 phase=play bones=0/0 passes=2"),
    # An empty pile is replaced by the shuffled discards, only where its order is not known.
    ("middle=SPO lines=G/- hands=g1/- deck=? discards=r1,bo phase=play", ["g1:SG"],
     "middle=PO lines=SG/- hands=-/- deck=?g1,r1,bo turn=1 phase=draw bones=0/0"),
    ("middle=SPO lines=G/- hands=g1/- discards=r1,bo phase=play", ["g1:SG"],
     "middle=PO lines=SG/- hands=-/- deck=- turn=1 phase=play bones=0/0 discards=g1,r1,bo"),
    ("middle=SPO lines=G/- hands=g1/- deck=?g1,dc discards=r1", ["+dc"],
     "middle=SPO lines=-/- hands=g1/- deck=?g1 turn=0 phase=draw bones=0/0 discards=r1,dc"),
])
def test_steps(before: str, moves: list[str], after: str) -> None:
    state = parsed(before)
    for text in moves:
        state = state.play(Move.parse(text))
    assert str(state) == after
    assert parsed(after) == state


@pytest.mark.parametrize(("text", "moves"), [
    ("middle=SPO lines=S/- hands=g1/- phase=play", "g1:SS"),
    ("middle=SPO lines=G/- hands=g1,g1,r1/- phase=play", "g1:GS g1:SG r1:GO r1:OG"),
    ("middle=SPO lines=-/- hands=g2/- phase=play", "g2:PS g2:SP"),
    # A leash: from either end of every other line; the only dog of a line is taken from the front.
    ("middle=SPO lines=-/GB/D hands=le/-/- phase=play", "le.1b:B le.1f:G le.2f:D"),
    ("middle=SPO lines=GB/-/D hands=le/-/le phase=play turn=2", "le.0b:BD le.0b:DB le.0f:DG le.0f:GD"),
    ("middle=SPO lines=GB/- hands=le/- phase=play", "pass"),
    ("middle=SPO lines=GB/- hands=le,g1/- phase=play", "g1:GBS g1:SGB"),
    ("middle=SPO lines=SP/GB hands=-/- phase=catch1", "lose:back lose:front"),
    # In the advanced game one may draw with three cards, not with four; with nothing to play one must.
    ("middle=SPO lines=-/- hands=g1,g1,g1/- deck=g1 advanced=true", "draw g1:S"),
    ("middle=SPO lines=-/- hands=g1,g1,g1,g1/- deck=g1 advanced=true", "g1:S"),
    ("middle=SPO lines=-/- hands=g1/- advanced=true", "g1:S"),
    ("middle=SPO lines=-/- hands=le,le,le,le/- deck=g1 advanced=true", "draw"),
    ("middle=SPO lines=-/- hands=le,le,le,le/- advanced=true", "pass"),
    # Catchers alone make no pile.
    ("middle=SPO lines=-/- hands=g1/- deck=? discards=dc,dc advanced=true", "g1:S"),
    ("middle=SPO lines=-/- hands=g1/- deck=? discards=bo,dc advanced=true", "draw g1:S"),
    ("middle=SPO lines=-/- hands=g1/- discards=g1 advanced=true", "g1:S"),
    # Nobody moves at a draw and after the end.
    ("middle=SPO lines=-/- hands=g1/- deck=g1", ""),
    ("middle=- lines=-/- hands=g1/- phase=play", ""),
])
def test_moves_of_a_position(text: str, moves: str) -> None:
    assert [str(move) for move in parsed(text).legal_moves()] == moves.split()


@pytest.mark.parametrize(("text", "to_move"), [
    ("middle=SPO lines=-/- hands=g1/- deck=g1", CHANCE),
    ("middle=SPO lines=-/- hands=g1/-", 0),
    ("middle=SPO lines=-/- hands=g1/- turn=1", 1),
    ("middle=SPO lines=SP/- hands=g1/- turn=1 phase=catch0", 0),
    ("middle=SPO lines=SP/- hands=g1/- passes=1", 0),
    ("middle=SPO lines=SP/- hands=g1/- passes=2", OVER),
    ("middle=SPO lines=SP/PPPPP hands=g1/- deck=g1", OVER),
    ("middle=- lines=SP/- hands=g1/- deck=g1", OVER),
])
def test_who_is_to_move(text: str, to_move: int) -> None:
    assert parsed(text).to_move == to_move


def test_the_phase_of_a_finished_game_is_always_the_same() -> None:
    for phase in ("draw", "play", "catch0"):
        state = parsed(f"middle=- lines=SP/- hands=g1/- deck=g1 phase={phase}")
        assert (state.phase, state.chooser) == ("play", -1)


def test_cards_that_may_be_drawn() -> None:
    known = parsed("middle=SPO lines=-/- hands=g1/- deck=r1,g1,g1")
    assert known.chance_outcomes() == ((Move("turn up", card="r1"), Fraction(1)),)
    shuffled = parsed("middle=SPO lines=-/- hands=g1/- deck=?r1,g1,g1")
    assert shuffled.chance_outcomes() == (
        (Move("turn up", card="g1"), Fraction(2, 3)), (Move("turn up", card="r1"), Fraction(1, 3)),
    )
    assert parsed("middle=SPO lines=-/- hands=g1/- deck=r1,g1,g1 phase=play").chance_outcomes() == ()


@pytest.mark.parametrize(("text", "outcome", "gained"), [
    ("middle=- lines=SS/P hands=-/- bones=0/2", (-1, 1), (-3, 3)),
    ("middle=- lines=SSP/P hands=-/- bones=0/1", (1, -1), (1, -1)),
    ("middle=- lines=SP/PO hands=-/-", (0, 0), (0, 0)),
    ("middle=S lines=SPO/PPPPP hands=-/- bones=5/0", (-1, 1), (-1000, 1000)),
    ("middle=- lines=SS/P/O hands=-/-/-", (12, 0, 0), (4, 1, 1)),
    ("middle=- lines=SS/P/OO hands=-/-/- bones=0/1/0", (6, 0, 6), (4, 4, 4)),
    ("middle=- lines=S/P/O hands=-/-/-", (4, 4, 4), (1, 1, 1)),
    ("middle=S lines=SSSSS/P/O/- hands=-/-/-/-", (12, 0, 0, 0), (1000, -1000, -1000, -1000)),
])
def test_what_the_end_is_worth(text: str, outcome: tuple[int, ...], gained: tuple[int, ...]) -> None:
    state = parsed(text)
    assert state.utilities("outcome") == outcome
    assert state.utilities("points") == gained
    assert {type(share) for share in state.utilities("outcome")} == {int}


@pytest.mark.parametrize(("players", "rules"), [(2, Rules()), (3, Rules(advanced=True)), (4, Rules(special_cards=False))])
def test_a_new_game(players: int, rules: Rules) -> None:
    state = State.deal(random.Random(5), players, rules)
    assert Counter(state.middle) == dict.fromkeys(BREEDS, 9)
    assert state.middle != BREEDS * 9
    assert state.lines == ("",) * players
    assert [len(hand) for hand in state.hands] == [2] * players
    assert sorted([*state.deck, *(card for hand in state.hands for card in hand)]) == sorted(rules.deck())
    assert (state.turn, state.passes, state.bones, state.discards) == (0, 0, (0,) * players, ())
    assert (state.shuffled, state.rules) == (True, rules)
    assert state.to_move == (0 if rules.advanced else CHANCE)


# ---------------------------------------------------------------- positions and their written forms

FULL = State(
    middle="SPO", lines=("GGB", "DC", ""), hands=(("g1", "r2"), ("le",), ()), deck=("g3", "y"), turn=1, bones=(1, 0, 2),
    discards=("g1", "dc"), phase="catch", chooser=1, passes=1, shuffled=True,
    rules=Rules(advanced=True, three_in_any_order=False),
)
FULL_JSON = {
    "middle": "SPO", "lines": ["GGB", "DC", ""], "hands": ["g1 r2", "le", ""], "deck": "g3 y", "turn": 1,
    "bones": [1, 0, 2], "shuffled": True, "discards": "g1 dc", "phase": "catch 1", "passes": 1,
    "options": {"advanced": True, "three_in_any_order": False},
}
FULL_TEXT = (
    "middle=SPO lines=GGB/DC/- hands=g1,r2/le/- deck=?g3,y turn=1 phase=catch1 bones=1/0/2 discards=g1,dc passes=1 "
    "advanced=true three_in_any_order=false"
)
PLAIN = State(
    middle="SPO", lines=("SS", ""), hands=(("g1",), ()), deck=(), turn=0, bones=(0, 0), discards=(), phase="play",
    chooser=-1, passes=0, shuffled=False, rules=Rules(),
)
PLAIN_JSON = {
    "middle": "SPO", "lines": ["SS", ""], "hands": ["g1", ""], "deck": "", "turn": 0, "bones": [0, 0], "phase": "play",
}
PLAIN_TEXT = "middle=SPO lines=SS/- hands=g1/- deck=- turn=0 phase=play bones=0/0"


def test_what_a_position_may_leave_out() -> None:
    assert State.at("SPO", ["SS", ""], [["g1"], []]) == PLAIN
    assert State.from_json({"middle": "SPO", "lines": ["SS", ""], "hands": ["g1", ""]}) == PLAIN
    assert State.parse("middle=SPO lines=SS/- hands=g1/-") == PLAIN
    assert State.from_json({**PLAIN_JSON, "lines": ["SS", "-"], "hands": ["g1", "-"], "deck": "-"}) == PLAIN


def test_without_a_phase_the_turn_begins() -> None:
    start = {"middle": "SPO", "lines": ["SS", ""], "hands": ["g1", ""], "deck": "r1"}
    assert State.from_json(start).phase == "draw"
    assert State.from_json({**start, "phase": "play"}).phase == "play"
    assert State.from_json(start, Rules(advanced=True).changed()).phase == "play"
    assert State.from_json({**start, "phase": "draw"}, Rules(advanced=True).changed()).phase == "draw"


def test_cards_are_kept_in_the_order_of_the_box_but_for_a_known_pile() -> None:
    text = "middle=SPO lines=SS/- hands=y,r1/- discards=dc,g1 phase=play deck={}le,g3"
    state = parsed(text.format(""))
    assert (state.hands[0], state.discards, state.deck) == (("r1", "y"), ("g1", "dc"), ("le", "g3"))
    assert parsed(text.format("?")).deck == ("g3", "le")


P = "middle=SPO lines=SS/- hands=g1/g1 "


@pytest.mark.parametrize(("text", "message"), [
    ("lines=SS/- hands=g1/g1", f"the position has no 'middle'; {FORM}"),
    ("middle=S hands=g1/g1", f"the position has no 'lines'; {FORM}"),
    ("middle=S lines=SS/-", f"the position has no 'hands'; {FORM}"),
    ("middle=S lines=- hands=-", "there are 1 lines of dogs; the game has 2 to 4 players"),
    ("middle=S lines=-/-/-/-/- hands=-/-/-/-/-", "there are 5 lines of dogs; the game has 2 to 4 players"),
    ("middle=S lines=-/- hands=-", "hands has 1 entries; 2 lines need 2"),
    ("middle=S lines=-/- hands=-/- bones=1", "bones has 1 entries; 2 lines need 2"),
    ("middle=SSPPPPP lines=PPPPP/- hands=-/-", "there are 10 dogs of breed P; the box has 9"),
    (P + "turn=2", "turn is 2; it must be a player, 0 to 1"),
    (P + "passes=3", "passes is 3; it must be 0 to 2"),
    (P + "bones=0/6", "bones are (0, 6); each must be 0 to 5"),
    ("middle=SPO lines=SS/- hands=g1/g1,bo", "hand 1 holds bo, which is put aside when drawn and never held"),
    ("middle=SPO lines=SS/- hands=dc/g1", "hand 0 holds dc, which is put aside when drawn and never held"),
    ("middle=SPO lines=SS/- hands=g1/g1,g1,g1,g1,g1 advanced=true", "hand 1 holds 5 cards; at most 4"),
    ("middle=SPO lines=SS/- hands=g1/" + ",".join(["g1"] * 54), "hand 1 holds 54 cards; at most 53"),
    ("middle=SPO lines=SS/- hands=g1/" + ",".join(["g1"] * 43) + " special_cards=false",
     "hand 1 holds 43 cards; at most 42"),
    (P + "deck=" + ",".join(["g1"] * 50) + " discards=g1,g1", "there are 54 cards; the box has 53"),
    (P + "special_cards=false deck=le", "special_cards is false, so there is no le, bo or dc card"),
    (P + "special_cards=false discards=dc", "special_cards is false, so there is no le, bo or dc card"),
    ("middle=SPO lines=SS/- hands=g1/le special_cards=false", "special_cards is false, so there is no le, bo or dc card"),
    ("middle=SPO lines=PPPPP/SSSSS hands=g1/g1", "two lines have five in a row; the game ends with the first"),
    (P + "phase=catch0", "player 0 has no two equal end groups to choose from"),
    (P + "phase=catch2", "player 2 has no two equal end groups to choose from"),
    (P + "phase=catch", "phase is 'catch '; it must be draw, play or catch and a player"),
    (P + "phase=catchx", "the player of phase catch is 'x'; it must be a number"),
    (P + "phase=-", "phase is '-'; it must be draw, play or catch and a player"),
    (P + "phase=play1", "phase is 'play1'; it must be draw, play or catch and a player"),
    (P + "turn=1000", "turn is '1000'; it must be a number"),
    (P + "turn=0=1", "turn is '0=1'; it must be a number"),
    (P + "turn=", "turn is ''; it must be a number"),
    (P + "turn=\u0661", "turn is '\u0661'; it must be a number"),
    (P + "passes=x", "passes is 'x'; it must be a number"),
    (P + "bones=0/x", "bones is 'x'; it must be a number"),
    ("middle=SPO lines=SS/- hands=g1/#x", "a hidden hand is 'x'; it must be a number"),
    ("middle=SPO lines=SS/- hands=g1/#2", "a hand is 2; it must be cards in a text such as 'g1 le'"),
    (P + "advanced=maybe", "rule option advanced is 'maybe'; it must be one of false, true"),
    (P + "advanced=true advanced=true", f"'advanced' stands there twice; {FORM}"),
    (P + "turn=0 turn=1", f"'turn' stands there twice; {FORM}"),
    (P + "turn", f"'turn' has no '='; {FORM}"),
    (P + "colour=red", "field 'colour' is unknown; a position has bones, deck, discards, hands, lines, middle, options, "
                       "passes, phase, shuffled, turn"),
    ("middle=SPX lines=SS/- hands=g1/g1", "middle 'SPX' holds 'X'; the breeds are S P O G B D C"),
    ("middle=SPO lines=XS/- hands=g1/g1", "line 'XS' holds 'X'; the breeds are S P O G B D C"),
])
def test_what_is_wrong_with_a_position(text: str, message: str) -> None:
    with pytest.raises((BadOption, BadText, IllegalPosition)) as error:
        State.parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(("phase", "chooser"), [("catch", -1), ("play", 0), ("draw", 1)])
def test_only_a_catcher_has_a_chooser(phase: Any, chooser: int) -> None:
    message = "^phase catch, and no other, names the player who chooses a group to lose$"
    with pytest.raises(IllegalPosition, match=message):
        State.at("SPO", ["SP", "SP"], [[], []], ["g1"], phase=phase, chooser=chooser)


# ---------------------------------------------------------------- views

VIEW = View(
    seat=1, middle="SPO", lines=("GGB", "DC", ""), hand=("g1", "le"), sizes=(2, 2, 4), turn=1, bones=(1, 0, 2),
    discards=("g1", "dc"), phase="catch", chooser=1, passes=1, rules=Rules(advanced=True),
)
VIEW_JSON: dict[str, Any] = {
    "middle": "SPO", "lines": ["GGB", "DC", ""], "hands": [2, "g1 le", 4], "turn": 1, "bones": [1, 0, 2],
    "discards": "g1 dc", "phase": "catch 1", "passes": 1, "options": {"advanced": True},
}
VIEW_TEXT = (
    "middle=SPO lines=GGB/DC/- hands=#2/g1,le/#4 turn=1 phase=catch1 bones=1/0/2 discards=g1,dc passes=1 advanced=true"
)
PLAIN_VIEW = View(
    seat=0, middle="SPO", lines=("SS", ""), hand=(), sizes=(0, 0), turn=0, bones=(0, 0), discards=(), phase="play",
    chooser=-1, passes=0, rules=Rules(),
)
PLAIN_VIEW_JSON = {
    "middle": "SPO", "lines": ["SS", ""], "hands": ["", 0], "turn": 0, "bones": [0, 0], "discards": "", "phase": "play",
}
PLAIN_VIEW_TEXT = "middle=SPO lines=SS/- hands=-/#0 turn=0 phase=play bones=0/0 discards=-"


def test_what_a_player_sees() -> None:
    state = State.parse(
        "middle=SPO lines=GGB/DC/- hands=g2,r2/g1,le/g1,g1,g1,g1 deck=?g3,y turn=1 phase=catch1 bones=1/0/2 "
        "discards=g1,dc passes=1 advanced=true"
    )
    assert View.of(state) == View.of(state, 1) == VIEW
    other = View.of(state, 0)
    assert (other.seat, other.hand, other.sizes) == (0, ("g2", "r2"), (2, 2, 4))
    assert View.of(state, 2).hand == ("g1",) * 4
    assert (VIEW.hidden_cards(), other.hidden_cards()) == (6, 6)
    assert Counter(VIEW.unseen()) == {
        "g1": 4, "g2": 6, "g3": 6, "r1": 6, "r2": 6, "r3": 6, "y": 6, "le": 2, "bo": 2, "dc": 2,
    }
    assert list(dict.fromkeys(VIEW.unseen())) == list(CARDS)


@pytest.mark.parametrize(("text", "why"), [
    ("middle=- lines=-/- hands=-/-", "the game is over"), (
        "middle=SPO lines=SS/- hands=g1,g2/r3 deck=bo,le turn=0 phase=draw bones=0/0", "a card is about to be drawn",
    ),
])
def test_nobody_sees_where_nobody_is_to_move(text: str, why: str) -> None:
    with pytest.raises(IllegalPosition) as error:
        View.of(State.parse(text))
    assert str(error.value) == f"{why}, so nobody is to move; a view belongs to the player to move"


def test_a_world_of_a_view() -> None:
    assert VIEW.world([["g2", "r2"], ["g1", "g1", "g1", "g1"]], ["y", "g3"]) == State.parse(
        "middle=SPO lines=GGB/DC/- hands=g2,r2/g1,le/g1,g1,g1,g1 deck=y,g3 turn=1 phase=catch1 bones=1/0/2 "
        "discards=g1,dc passes=1 advanced=true"
    )


V = "middle=SPO lines=SS/- "


@pytest.mark.parametrize(("text", "message"), [
    (V + "hands=#2/#2", "0 hands are written out; in a view one is, and a number stands for each other"),
    (V + "hands=g1/g1", "2 hands are written out; in a view one is, and a number stands for each other"),
    (V + "hands=g1/#54", "hands are ['g1', 54]; a hidden hand is its number of cards"),
    (V + "hands=g1/#2 turn=1", "the hand written out is player 0's, who is not to move here"),
    (V + "hands=#2/g1", "the hand written out is player 1's, who is not to move here"),
    (V + "hands=g1,g1,g1,g1,g1/#2 discards=g1,g1", "7 cards g1 are seen; the box has 6"),
    (V + "hands=g1/#2 bones=2/4", "6 cards bo are seen; the box has 5"),
    (V + "hands=g1/#2 bones=2/0 special_cards=false", "2 cards bo are seen; the box has 0"),
    (V + "hands=g1/#5 advanced=true", "a hidden hand has 5 cards; at most 4"),
    (V + "hands=g1/#45", "45 hidden cards in hands are more than the cards unseen"),
    (V + "hands=g1/#2 phase=draw",
     "a card is about to be drawn, so nobody is to move; a view belongs to the player to move"),
    (V + "hands=SS/#2 phase=sleep", "phase is 'sleep'; it must be draw, play or catch and a player"),
    (V + "hands=g4/#2", "card 'g4' is unknown; the cards are g1 g2 g3 r1 r2 r3 y le bo dc"),
    (V + "hands=g1/#2 deck=g1", "field 'deck' is unknown; a position has bones, discards, hands, lines, middle, options, "
                                "passes, phase, turn"),
    ("middle=SPX lines=SS/- hands=g1/#1", "middle 'SPX' holds 'X'; the breeds are S P O G B D C"),
    ("middle=SPO lines=XS/- hands=g1/#1", "line 'XS' holds 'X'; the breeds are S P O G B D C"),
    ("middle=SPO hands=g1/#1", f"the position has no 'lines'; {FORM}"),
])
def test_what_is_wrong_with_a_view(text: str, message: str) -> None:
    with pytest.raises((BadOption, BadText, IllegalPosition)) as error:
        View.parse(text)
    assert str(error.value) == message


def test_a_draw_that_is_due_with_nothing_to_draw_is_none() -> None:
    assert parsed("middle=SPO lines=S/P hands=g1,y/g1,r2 deck=- phase=draw").phase == "play"


def test_nobody_is_choosing_once_the_catcher_has_gone_and_the_pile_is_new() -> None:
    state = parsed("middle=SPO lines=S/P hands=g1,y/g1,r2 deck=?dc discards=r1 phase=draw")
    state = state.play(Move.parse("+dc"))
    while state.phase == "catch":
        state = state.play(state.legal_moves()[0])
    assert (state.phase, state.chooser) == ("draw", -1)
    assert state == State.parse(str(state))
