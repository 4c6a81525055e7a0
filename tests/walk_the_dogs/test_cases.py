"""The rules of Walk the Dogs: the cases of the data file, the rulebook's examples, written forms, errors, parity."""
from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.cython_core.walk_the_dogs.position import random_games
from exactplay.rules.contract import CHANCE, OVER, IllegalMove, IllegalPosition
from exactplay.rules.walk_the_dogs import (
    Move,
    Rules,
    State,
    View,
    arrangements,
    bone_goes_to,
    catches,
    has_five,
    mirrored,
    points,
    take,
    winners,
)
from tests.shared.subject import random_move as random_step
from tests.walk_the_dogs.reference import case_move, case_state, cases, small_state, words_of
from tests.walk_the_dogs.subject import Native


def by_id(case: Any) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", cases("take"), ids=by_id)
def test_take(case: Any) -> None:
    assert take(case["input"]["middle"], case["input"]["card"]) == (case["expect"]["taken"], case["expect"]["left"])


@pytest.mark.parametrize("case", cases("add"), ids=by_id)
def test_add(case: Any) -> None:
    any_order = Rules.from_mapping(case["input"].get("options", {})).three_in_any_order
    lines = arrangements(case["input"]["line"], case["input"]["dogs"], any_order)
    assert list(lines) == case["expect"]["lines"]
    assert len({mirrored(line) for line in lines}) == case["expect"]["count_up_to_mirror"]
    assert any(has_five(line) for line in lines) == case["expect"]["five_possible"]


@pytest.mark.parametrize("case", cases("points"), ids=by_id)
def test_points(case: Any) -> None:
    assert points(case["input"]["line"], case["input"]["bones"]) == case["expect"]


@pytest.mark.parametrize("case", cases("outcome"), ids=by_id)
def test_outcome(case: Any) -> None:
    lines, bones = case["input"]["lines"], case["input"]["bones"]
    assert [points(line, own) for line, own in zip(lines, bones, strict=True)] == case["expect"]["points"]
    assert list(winners(lines, bones)) == case["expect"]["winners"]


@pytest.mark.parametrize("case", cases("bone"), ids=by_id)
def test_bone(case: Any) -> None:
    assert bone_goes_to(case["input"]["dogs"], case["input"]["drawer"]) == case["expect"]


@pytest.mark.parametrize("case", cases("catch"), ids=by_id)
def test_catch(case: Any) -> None:
    assert sorted(catches(case["input"]["line"]).values()) == case["expect"]


@pytest.mark.parametrize("case", cases("plays"), ids=by_id)
@pytest.mark.parametrize("native", [False, True])
def test_plays(case: Any, native: bool) -> None:
    state = case_state(case, phase="play")
    moves = Native.of(state).legal_moves() if native else state.legal_moves()
    found = [case_move(state, move) for move in moves if move.kind != "pass"]
    assert sorted(found) == sorted(words_of(entry) for entry in case["expect"])
    assert bool(found) != (moves == (Move("pass"),))


@pytest.mark.parametrize("case", cases("draw"), ids=by_id)
@pytest.mark.parametrize("native", [False, True])
def test_draw(case: Any, native: bool) -> None:
    first = case_state(case, middle="C")
    ends: list[Any] = []

    def follow(state: Any) -> None:
        moves = [card for card, _ in state.chance_outcomes()]
        plain = State.parse(str(state))
        if plain.phase == "catch":
            moves = state.legal_moves()
        if not moves:
            ends.append(plain)
        for move in moves:
            follow(state.play(move))

    follow(Native.of(first) if native else first)
    drawer = case["input"]["turn"]
    for state in ends:
        held = Counter(state.hands[drawer]) - Counter(first.hands[drawer])
        assert list(held) == [card for card in [case["expect"]["card"]] if card]
        assert list(state.bones) == case["expect"]["bones"]
        assert " ".join(state.deck) == case["expect"]["deck"]
    assert sorted(list(state.lines) for state in ends) == sorted(case["expect"]["lines"])


def test_catcher_choices_go_clockwise_from_the_drawer_and_are_seen() -> None:
    state = State.at("SPO", ["SP", "PO", "GB"], [["g1"]] * 3, ["dc", "g1"], turn=1)
    state = state.play(Move.parse("+dc"))
    order = []
    while state.phase == "catch":
        order.append(state.to_move)
        state = state.play(Move("lose", end="back"))
    assert order == [1, 2, 0]
    assert state.lines == ("S", "P", "G")


def test_empty_pile_is_replaced_by_the_shuffled_discards() -> None:
    state = State.at("SPO", ["", ""], [["g1"], ["g1"]], (), 0, discards=["r1", "r2", "r2"], shuffled=True)
    assert state.deck == ("r1", "r2", "r2")
    assert state.discards == ()
    assert {str(card): str(p) for card, p in state.chance_outcomes()} == {"+r1": "1/3", "+r2": "2/3"}


def test_catchers_alone_make_no_pile() -> None:
    state = State.at("SPO", ["SS", ""], [["g1"], ["g1"]], ["dc"], 0, shuffled=True)
    state = state.play(Move.parse("+dc"))
    assert (state.phase, state.to_move, state.discards) == ("play", 0, ("dc",))


def test_a_round_of_passes_ends_the_game() -> None:
    state = State.at("SPO", ["S", ""], [["le"], []], ())
    for player in (0, 1):
        assert state.to_move == player
        assert state.legal_moves() == (Move("pass"),)
        state = state.play(Move("pass"))
    assert state.to_move == OVER
    assert state.scores() == (1, 0)


def test_advanced_turns() -> None:
    rules = Rules(advanced=True)
    state = State.at("SPO", ["", ""], [["le"], ["g1"]], ["bo", "g2"], rules=rules)
    assert state.legal_moves() == (Move("draw"),)  # no dog to leash, so he must draw
    state = state.play(Move("draw")).play(Move.parse("+bo"))
    assert state.to_move == CHANCE  # the bone is replaced
    state = state.play(Move.parse("+g2"))
    assert (state.turn, state.hands[0], state.to_move) == (1, ("g2", "le"), 1)
    full = State.at("SPO", ["", ""], [["g1", "g1", "g1", "y"], []], ["g2"], rules=rules)
    assert Move("draw") not in full.legal_moves()
    empty = State.at("SPO", ["", ""], [[], ["g1"]], [], rules=rules)
    assert empty.legal_moves() == (Move("pass"),)


def test_view_hides_what_the_player_cannot_see() -> None:
    view = View.of(State.deal(random.Random(1)).play(Move.parse("+g1")))
    assert "deck" not in view.to_json()
    assert [type(hand) for hand in view.to_json()["hands"]] == [str, int]


def test_illegal_move_names_legal_ones() -> None:
    state = State.at("SPO", ["", ""], [["g1"], ["g1"]], ())
    with pytest.raises(IllegalMove, match="legal are g1:S"):
        state.play(Move.parse("g2:SP"))
    with pytest.raises(IllegalPosition, match="not over"):
        state.scores()


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_native_follows_small_positions_with_many_special_cards(seed: int) -> None:
    """Beside the battery: catchers, bones and leashes at every turn, known order, two to four players."""
    rng = random.Random(seed)
    state = small_state(rng, most_dogs=8, players=rng.randint(2, 4), deck=30)
    native = Native.of(state)
    while True:
        assert str(native) == str(state)
        assert native.legal_moves() == state.legal_moves()
        assert native.chance_outcomes() == state.chance_outcomes()
        assert native.to_move == state.to_move
        assert native.scores() == state.points_now()
        if state.to_move == OVER:
            return
        move = random_step(rng, state)
        state, native = state.play(move), native.play(move)


@pytest.mark.parametrize("any_order", [True, False])
def test_five_in_a_row_behind_a_later_dog_of_the_same_card(any_order: bool) -> None:
    state = State.at("SP", ["SSSS", "P"], [["g2"], ["g1"]], (), rules=Rules(three_in_any_order=any_order))
    move = Move.parse("g2:SSSSSP")
    for after in (state.play(move), Native.of(state).play(move)):
        assert after.to_move == OVER
    assert state.play(move).winners() == (0,)


@pytest.mark.parametrize("players", [2, 4])
def test_random_games_in_the_core_are_those_of_the_rules(players: int) -> None:
    """The mean points of random games agree within five standard errors."""
    rng = random.Random(players)
    totals = []
    for _ in range(150):
        state = State.deal(rng, players)
        while state.to_move != OVER:
            state = state.play(random_step(rng, state))
        totals.append(sum(state.scores()) / players)
    mean = sum(totals) / len(totals)
    spread = (sum((total - mean) ** 2 for total in totals) / (len(totals) - 1) / len(totals)) ** 0.5
    sums = random_games(players, True, False, True, 20_000, 7)
    assert sums[-1] == 20_000
    assert abs(sums[:players].sum() / players / 20_000 - mean) < 5 * spread


@pytest.mark.parametrize("text", [
    "middle=SPO lines=SS/PG hands=g1,g2,g3/#5 advanced=true",
    "middle=SPO lines=SS/PG hands=g1/r3 discards=" + ",".join(["g1"] * 52),
])
def test_more_cards_than_a_hand_or_the_box_can_hold(text: str) -> None:
    with pytest.raises(IllegalPosition, match=r"at most 4|the box has 53"):
        (View if "#" in text else State).parse(text)
