"""Winston (dogs): the reference rules on the cases, positions and views as text, and the native game beside it."""
from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from exactplay.rules.winston_dogs.position import read_fields
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.cython_core.winston_dogs.position import random_games
from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston_dogs import (
    COLOURS,
    Card,
    Dog,
    Move,
    Rules,
    State,
    View,
    Witness,
    all_cards,
    award,
    final_scores,
    parse_cards,
    show_cards,
    size_points,
    unseen_cards,
    winners,
)
from exactplay.solvers.winston_dogs.bridge import from_position, to_position
from tests import DATA
from tests.winston_dogs.subject import Native, dealt, set_up, start

CASES = [json.loads(line) for line in (DATA / "winston-dogs-cases.jsonl").read_text().splitlines()]


def cases(*kinds: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] in kinds]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


def one_seat(given: dict[str, Any]) -> State:
    """The position of a case that tells one hand only; the other seats hold nothing, but for one card that is no matter."""
    seat = given.get("seat", 0)
    hands = [given["hand"] if place == seat else "" for place in range(3)]
    names = ("table", "pile", "longest", "shortest", "bone", "poo")
    return State.from_json({"hands": hands, "turn": seat, **{name: given[name] for name in names if name in given}})


def dogs_left(state: State) -> dict[str, list[int]]:
    return {colour: [int(dog.head), dog.bodies] for colour, dog in zip(COLOURS, state.table, strict=True) if dog}


def test_every_kind_of_case_has_a_test() -> None:
    here = {"legal_turns", "moves_when_stuck", "turn", "under", "bone_poo", "final", "over", "game", "unseen"}
    solved = {"solve", "maxn"}  # test_winston_dogs_solver.py
    assert {case["kind"] for case in CASES} == here | solved
    assert len(CASES) == 149


@cases("legal_turns", "moves_when_stuck")
def test_legal_turns(case: dict[str, Any]) -> None:
    state = one_seat(case["input"])
    for moves in (state.legal_moves(), Native.of(state).legal_moves()):
        listed = [str(move) for move in moves if move.action == "play" or case["kind"] == "moves_when_stuck"]
        assert listed == case["expect"]


@cases("turn", "under")
def test_a_turn(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expect"]
    state = one_seat(given)
    move = Move.parse(given["play"] if case["kind"] == "turn" else f"under {given['card']}")
    after = state.play(move)
    assert str(Native.of(state).play(move)) == str(after)
    seat = state.turn
    assert show_cards(after.hands[seat]) == expected["hand"]
    assert show_cards(after.pile) == expected["pile"]
    if case["kind"] == "turn":
        assert dogs_left(after) == expected["table"]
        assert after.points[seat] == expected["points"] == sum(size_points(size) for _, size in expected["dogs"])
        for colour, _ in expected["dogs"]:
            assert not after.dog(colour)
        for name in ("longest", "shortest", "bone", "poo"):
            assert getattr(after, name) == expected[name]


@cases("bone_poo")
def test_bone_and_poo(case: dict[str, Any]) -> None:
    for order in (1, -1):  # several dogs of one turn count in any order
        holders: tuple[int, int, int | None, int | None] = (0, 0, None, None)
        for seat, sizes in case["input"]["turns"]:
            for size in sizes[::order]:
                holders = award(seat, size, *holders)
        assert dict(zip(("longest", "shortest", "bone", "poo"), holders, strict=True)) == case["expect"]


@cases("final")
def test_final_scores(case: dict[str, Any]) -> None:
    given = case["input"]
    points = [sum(map(size_points, dogs)) for dogs in given["dogs"]]
    scores = final_scores(points, given["bone"], given["poo"])
    assert list(scores) == case["expect"]["scores"]
    assert list(winners(scores)) == case["expect"]["winners"]


@cases("over")
def test_over(case: dict[str, Any]) -> None:
    # Not through from_json: one case has four heads of a colour, which the check refuses.
    state = State(**read_fields(case["input"]))
    assert (state.to_move == OVER) == case["expect"]
    assert to_position(state).over() == case["expect"]


@cases("game")
def test_game(case: dict[str, Any]) -> None:
    given = dict(case["input"])
    plays = given.pop("plays")
    state = State.from_json(given)
    native = Native.of(state)
    for text in plays:
        state, native = state.play(Move.parse(text)), native.play(Move.parse(text))
    expected = case["expect"]
    assert (state.to_move == OVER) == expected["over"]
    assert list(state.scores()) == list(native.scores()) == expected["scores"]
    assert (state.bone, state.poo) == (expected["bone"], expected["poo"])


@cases("unseen")
def test_unseen(case: dict[str, Any]) -> None:
    given = case["input"]
    table = State.from_json({"hands": ["", ""], "table": given["table"]}).table
    collected = [(colour, bodies) for colour, bodies in given["collected"]]
    unseen = unseen_cards(parse_cards(given["own"]), table, collected, parse_cards(" ".join(given["seen_under_pile"])))
    assert {str(card): number for card, number in Counter(unseen).items()} == case["expect"]


@cases("solve", "maxn", "game")
def test_positions_of_the_cases_round_trip(case: dict[str, Any]) -> None:
    state = State.from_json({name: value for name, value in case["input"].items() if name != "plays"})
    assert State.parse(str(state)) == state == State.from_json(state.to_json())
    assert from_position(to_position(state)) == state


def test_the_deal() -> None:
    for players in range(2, 7):
        state = State.deal(players, random.Random(players))
        assert [len(hand) for hand in state.hands] == [5] * players
        assert Counter([*state.pile, *(card for hand in state.hands for card in hand)]) == Counter(all_cards())
        assert state.check() == state
    assert len(all_cards()) == 66
    with pytest.raises(IllegalPosition, match="7 players"):
        State.deal(7, random.Random(0))


def test_there_are_no_options() -> None:
    assert Rules.options() == {}
    assert Rules().describe() == "default rules"


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_cards_are_kept_and_points_add_up(seed: int) -> None:
    """66 cards all the time, those of collected dogs included; points are those of the dogs."""
    rng = random.Random(seed)
    state = State.deal(rng.randint(2, 6), rng)
    plies = 0
    while state.to_move != OVER:
        plies += 1
        assert plies < 200, "a game has no end"
        before, move = state, rng.choice(state.legal_moves())
        state = before.play(move)
        own = before.turn
        grown = {
            colour: Dog(
                dog.head or Card(colour, True) in move.cards, dog.bodies + move.cards.count(Card(colour, False))
            )
            for colour, dog in zip(COLOURS, before.table, strict=True)
            if move.action == "play" or dog
        }
        taken = [dog.bodies for dog in grown.values() if dog.complete]
        assert state.points[own] - before.points[own] == sum(n * (n + 1) // 2 for n in taken)
        cards = [len(s.pile) + sum(map(len, s.hands)) + sum(d.bodies + d.head for d in s.table) for s in (before, state)]
        assert cards[0] - cards[1] == sum(n + 1 for n in taken)
        if len(state.pile):
            assert all(len(hand) == 5 for hand in state.hands)


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_native_game_beside_the_reference(seed: int) -> None:
    """Set-up positions with small hands, blocked heads and repetitions, at every step; all 66 cards also in the battery."""
    rng = random.Random(seed)
    state = start(rng, Rules())
    native = Native.of(state)
    for _ in range(400):
        assert (str(native), native.to_move, native.legal_moves()) == (str(state), state.to_move, state.legal_moves())
        assert from_position(native.game) == state
        if state.to_move == OVER:
            assert native.scores() == state.scores()
            break
        move = rng.choice(state.legal_moves())
        state, native = state.play(move), native.play(move)


def test_a_repeated_position_ends_the_game() -> None:
    """Two players who hold nothing but heads of dogs with heads, and a pile of such."""
    state = State.parse("hands Bh Kh | Gh Kh; table Bh Kh Gh; pile Bh Gh; turn 0")
    seen, plies = set(), 0
    while state.to_move != OVER and plies < 99:
        seen.add((state.hands, state.pile, state.turn))
        state = state.play(state.legal_moves()[0])
        plies += 1
        assert State.parse(str(state)) == state
        assert Native.of(state).to_move == state.to_move
    assert (state.hands, state.pile, state.turn) in seen
    assert plies == len(seen)
    assert state.scores() == (0, 0)
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play(Move.parse("under Bh"))


def test_repetition_is_never_met_in_real_games() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        state = State.deal(rng.randint(2, 6), rng)
        while state.to_move != OVER:
            state = state.play(rng.choice(state.legal_moves()))
        assert not any(state.hands) or (not state.pile and state.skips == len(state.hands))


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_views_round_trip_and_hold_the_truth(seed: int) -> None:
    rng = random.Random(seed)
    state = State.deal(rng.randint(2, 6), rng)
    witness = Witness.start(len(state.hands))
    for _ in range(rng.randint(0, 40)):
        if state.to_move == OVER:
            break
        move = rng.choice(state.legal_moves())
        state, witness = state.play(move), witness.after(state, move)
    view = witness.view(state)
    assert View.parse(str(view)) == view == View.from_json(view.to_json())
    assert "\n" not in str(view)
    dealt_cards = []
    for seat, hand in enumerate(state.hands):
        rest = Counter(hand)
        rest.subtract(view.known.hands[seat])
        assert min(rest.values(), default=0) >= 0  # what is said to be known is there
        dealt_cards.append(tuple(sorted(rest.elements())))
    assert [len(cards) for cards in dealt_cards] == list(view.hidden)
    truth = view.world([*dealt_cards, state.pile[:view.top]])
    assert (truth.hands, truth.pile) == (state.hands, state.pile)
    assert view.known.hands[state.turn] == state.hands[state.turn]
    if len(state.hands) == 2 and not state.pile:
        assert Counter(view.unseen) + Counter(view.known.hands[1 - state.turn]) == Counter(state.hands[1 - state.turn])


def test_a_card_put_under_the_pile_stays_known() -> None:
    state = State.parse("hands Bh Bh Kh Kh Gb | Bb Wb Wb Ob Ob; table Bh Khb; pile Ob Sb; turn 0")
    witness = Witness.start(2)
    move = Move.parse("under Bh")
    state, witness = state.play(move), witness.after(state, move)
    view = witness.view(state)
    assert str(view).startswith("hands ? ? ? ? ? | Bb Ob Ob Wb Wb; table Bh Khb; pile ? Bh;")
    move = Move.parse("Ob Ob")
    state, witness = state.play(move), witness.after(state, move)
    # He drew both cards of the pile, so all know that he holds Bh; it is written behind the hidden ones.
    assert str(witness.view(state)).startswith("hands Bh Gb Kh Kh Ob | ? ? ? ? Bh; table Bh Khb Obb; pile -;")


def test_collected_dogs_tell_what_is_unseen() -> None:
    case = next(case for case in CASES if case["id"] == "D0178")["input"]
    view = View.from_json({
        "hands": [case["own"], "? ? ? ? ?"], "table": case["table"], "collected": case["collected"],
        "longest": 6, "shortest": 2, "bone": 0, "poo": 1,
    })
    assert show_cards(view.unseen) == "Bb Ob Oh Oh Sb"
    line = str(view).replace("unseen Bb Ob Oh Oh Sb", "collected B4 B2 K2 K2 K2 G3 G2 G2 W6 W2 O4 S6")
    assert View.parse(line) == view


@pytest.mark.parametrize(("text", "message"), [
    ("hands Bx | Kh", "'Bx' is no card"),
    ("hands Bb | \u212ah", "is no card"),  # the Kelvin sign, which looks like a K and is one to a careless comparison
    ("hands Bb | Kh; table \u212ab", "is no dog"),
    ("hands Bb", "1 hands"),
    ("hands Bb Bb Bb Bb Bb Bb | Kh", "seat 0 holds 6 cards"),
    ("hands Bh Bh | Bh; table Bh", "Bh is there 4 times"),
    ("hands Bb | Kh; table Bhbb", "dog Bhbb is complete"),
    ("hands Bb | Kh; table Bh Bb", "two dogs of colour B"),
    ("hands Bb | Kh; table Bhh", "'Bhh' is no dog"),
    ("hands Bb | Kh; turn 2", "turn is 2"),
    ("hands Bb | Kh; turn x", "turn is 'x'"),
    ("hands Bb | Kh; longest 3; shortest 2; bone 0", "poo must have a holder"),
    ("hands Bb | Kh; longest 2; shortest 3; bone 0; poo 0", "the shortest not above the longest"),
    ("hands Bb | Kh; points 1", "points are"),
    ("hands Bb | Kh; points 217 0", "all dogs of the game together bring 216"),
    ("hands Bb | Kh; skips 3", "skips is 3"),
    ("hands Bb | Kh; pile Kh; stuck Gh>Bb", "cannot have put Gh"),
    ("hands Bb | Kh; pile Kh; stuck Gh", "such as Bh>Ob"),
    ("hands Bb | Kh; colour B", "field 'colour' is unknown"),
    ("hands Bb | Kh; turn 0; turn 1", "stands twice"),
    ("turn 0", "'hands' is missing"),
    ("", "an empty field"),
])
def test_bad_positions_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises((BadText, IllegalPosition)) as caught:
        State.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "message"), [
    ("hands ? ? | Bb; unseen Bb Kb", "seat 0 is on turn"),
    ("hands Bb | ? ?; unseen Bb Kb Gb", "2 hidden cards in hands and 0 in the pile, but 3"),
    ("hands Bb | ? ?; pile Bb ?; unseen Bb Kb Gb", "hidden cards lie on top"),
    ("hands Bb | ? ?", "one of 'unseen'"),
    ("hands Bb | ? ?; unseen Bb Kb; collected B4", "one of 'unseen'"),
    ("hands Bb | ? ?; collected X4", "collected has ['X', '4']"),
    ("hands Bb | ?; collected B5 B4", "Bb was seen 2 times more"),
    ("hands Bb | ?; turn 5; unseen Bb", "turn is 5"),
    ("hands Bb | ?; collected B3 K4", "longest 0 and shortest 0, but of the dogs collected they are 4 and 3"),
    ("hands Bb | ?; collected -; longest 4; shortest 3; bone 0; poo 0", "of the dogs collected they are 0 and 0"),
    ("hands Bb | ?; collected b1", "a dog of 1 bodies"),
    ("hands Bb | ?; collected b3 K4; longest 4; shortest 3; bone 0; poo 0; points 9 9", "the dogs collected bring 16"),
])
def test_bad_views_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises((BadText, IllegalPosition)) as caught:
        View.parse(text)
    assert message in str(caught.value)


def test_colours_are_read_in_any_case() -> None:
    text = "hands Bb | ?; table {}; collected {}; pile" + " ?" * 55 + "; longest 3; shortest 3; bone 0; poo 0"
    small, large = View.parse(text.format("kh", "b3 g3")), View.parse(text.format("Kh", "B3 G3"))
    assert small == large
    assert State.from_json({"hands": ["Bb", "Kh"], "table": {"b": [1, 1]}}).dog("B") == Dog(True, 1)
    for table in ({"B": [1.0, 1]}, {"B": [True, 1]}, {"B": [2, 1]}, {"B": [1, 1], "b": [1, 1]}, {"": [1, 1]}):
        with pytest.raises(BadText, match="table"):
            State.from_json({"hands": ["Bb", "Kh"], "table": table})


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
    with pytest.raises((BadText, IllegalPosition)) as caught:
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


@pytest.mark.parametrize("text", ["", "under", "under Bh Kh", "Bb Bq", "skip now"])
def test_bad_moves(text: str) -> None:
    with pytest.raises(BadText):
        Move.parse(text)


def test_moves_are_read_in_any_order_and_case() -> None:
    assert Move.parse("kb BH bb") == Move.parse("Bb Bh Kb")
    assert str(Move.parse("UNDER bh")) == "under Bh"


def test_illegal_moves_say_what_is_legal() -> None:
    state = State.parse("hands Bh Kh Gb | Kb Kb; table Bh; turn 0")
    with pytest.raises(IllegalMove, match=r"'Bh Kh' is not legal here; legal: Gb Kh"):
        state.play(Move.parse("Bh Kh"))


def test_random_games_natively() -> None:
    """Fair play gives both sides the same; the scores are those of a distribution that the reference has too."""
    state = State.deal(2, random.Random(3))
    scores = np.zeros((4_000, 2), np.int16)
    plies = random_games(to_position(state), 1, scores)
    again = np.zeros_like(scores)
    assert random_games(to_position(state), 1, again) == plies
    assert (scores == again).all()
    rng, sampled, turns = random.Random(5), [], 0
    for _ in range(150):
        game = State(state.hands, pile=tuple(rng.sample(state.pile, len(state.pile))))
        while game.to_move != OVER:
            game = game.play(rng.choice(game.legal_moves()))
            turns += 1
        sampled.append(game.scores())
    for seat in range(2):
        mean, error = np.mean([s[seat] for s in sampled]), np.std([s[seat] for s in sampled]) / len(sampled) ** 0.5
        assert abs(mean - scores[:, seat].mean()) < 4 * error
    assert abs(turns / 150 - plies / 4_000) < 0.7


def test_random_games_refuse_what_they_do_not_support() -> None:
    state = State.parse("hands Bh Kh | Gh Kh; table Bh Kh Gh; pile Bh Gh; turn 0")
    with pytest.raises(ValueError, match="hands of four cards"):
        random_games(to_position(state), 1, np.zeros((1, 2), np.int16))
    with pytest.raises(ValueError, match="3 columns"):
        random_games(to_position(dealt(random.Random(1), 2)), 1, np.zeros((1, 3), np.int16))


def test_random_games_of_hands_stuck_for_ever_end() -> None:
    state = State.parse("hands Bh Bh Kh Kh | Gh Gh Wh Wh; table Bh Kh Gh Wh Oh; pile Oh Oh; turn 0")
    scores = np.ones((10, 2), np.int16)
    assert random_games(to_position(state), 1, scores) == 0
    assert not scores.any()


def test_set_up_positions_of_these_tests_are_legal() -> None:
    rng = random.Random(1)
    assert sum(set_up(rng).to_move == OVER for _ in range(50)) < 25
