"""Winston (dogs): the reference rules on the cases and in literal examples of the rules page."""
from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import OVER, IllegalMove, IllegalPosition
from exactplay.rules.winston_dogs import (
    COLOURS,
    SKIP,
    Card,
    Dog,
    Move,
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
from exactplay.rules.winston_dogs.text import read_fields
from tests.winston_dogs.cases import CASES, cases
from tests.winston_dogs.subject import Native


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
    assert (Native.of(state).to_move == OVER) == case["expect"]


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


def test_the_deal() -> None:
    for players in range(2, 7):
        state = State.deal(random.Random(players), players)
        assert [len(hand) for hand in state.hands] == [5] * players
        assert Counter([*state.pile, *(card for hand in state.hands for card in hand)]) == Counter(all_cards())
        assert state.check() == state
    assert len(all_cards()) == 66
    with pytest.raises(IllegalPosition, match="7 players"):
        State.deal(random.Random(0), 7)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_cards_are_kept_and_points_add_up(seed: int) -> None:
    """66 cards all the time, those of collected dogs included; points are those of the dogs."""
    rng = random.Random(seed)
    state = State.deal(rng, rng.randint(2, 6))
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


# Turns


def after(text: str, *moves: str) -> str:
    state = State.parse(text)
    for move in moves:
        state = state.play(Move.parse(move))
    return str(state)


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


@pytest.mark.parametrize(("hand", "message"), [
    ("Bb Kb Gb", "'skip' is not legal here; legal: Bb Gb, Bb Gb Kb, Bb Kb, Gb Kb"),
    ("Bb Bb Kb Kb", "legal: Bb Bb, Bb Bb Kb, Bb Bb Kb Kb, Bb Kb, Bb Kb Kb, Kb Kb"),
    ("Bb Bb Bb Bb Kb", "legal: Bb Bb, Bb Bb Bb, Bb Bb Bb Bb, Bb Bb Bb Bb Kb, Bb Bb Bb Kb, Bb Bb Kb and 1 more"),
])
def test_illegal_moves_list_up_to_six_legal_ones(hand: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=f"{message}$"):
        State((parse_cards(hand), ())).play(SKIP)


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


# Repeated positions


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


def test_a_repetition_is_one_of_hands_pile_and_turn() -> None:
    """Seat 1 holds nothing and only skips; after two stuck turns of each other seat all is as it was."""
    state = State.parse("hands Bh | - | Kh; table Bh Kh; pile Bh Kh")
    lines: list[str] = []
    while state.to_move != OVER and len(lines) < 9:
        lines.append(f"{' '.join(map(str, state.hands[0]))}, {show_cards(state.pile)}, {state.turn}")
        state = state.play(state.legal_moves()[0])
    assert lines == ["Bh, Bh Kh, 0", "Bh, Kh Bh, 1", "Bh, Kh Bh, 2"]
    assert (state.turn, str(state).partition("stuck ")[2]) == (0, "Bh>Bh Kh>Kh")
    assert state.scores() == (0, 0, 0)


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


def test_repetition_is_never_met_in_real_games() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        state = State.deal(rng, rng.randint(2, 6))
        while state.to_move != OVER:
            state = state.play(rng.choice(state.legal_moves()))
        assert not any(state.hands) or (not state.pile and state.skips == len(state.hands))


# What all saw


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


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_views_round_trip_and_hold_the_truth(seed: int) -> None:
    rng = random.Random(seed)
    state = State.deal(rng, rng.randint(2, 6))
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
