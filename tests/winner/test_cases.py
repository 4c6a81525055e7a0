"""The rules of Winner: the shared cases, the options, texts, and the core beside the reference on whole deals."""
from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import OVER, BadOption
from exactplay.rules.winner import (
    Move,
    Rules,
    State,
    View,
    beats,
    classify,
    combinations,
    deal_sizes,
    deck,
    parse_cards,
    score,
    show_cards,
)
from exactplay.solvers.winner import bridge
from tests.winner.cases import CASES, name, of_kind
from tests.winner.subject import SUBJECT, start


def rules_of(question: dict[str, Any]) -> Rules:
    return Rules.from_mapping(question.get("options") or {})


def test_every_kind_of_case_has_a_test() -> None:
    here = {"classify", "beats", "moves", "flow", "score", "deal", "options", "exchange"}
    assert {case["kind"] for case in CASES} == here | {"min_plays", "solve", "maxn"}


@pytest.mark.parametrize("case", of_kind("classify"), ids=name)
def test_classify(case: dict[str, Any]) -> None:
    combination = classify(parse_cards(case["input"]["cards"]))
    expected = case["expect"]
    if expected is None:
        assert combination is None
        return
    assert combination is not None
    assert combination.kind == expected["kind"]
    if "length" in expected:
        assert (combination.length, combination.height) == (expected["length"], expected["place"])
    if "rank" in expected:
        assert "3456789TJQKA2"[combination.height] == expected["rank"]


@pytest.mark.parametrize("case", of_kind("beats"), ids=name)
def test_beats(case: dict[str, Any]) -> None:
    new, current = (classify(parse_cards(case["input"][which])) for which in ("new", "current"))
    assert new is not None
    assert current is not None
    reversed_order = case["input"].get("reversed", False)
    assert beats(new, current, rules_of(case["input"]), reversed_order=reversed_order) == case["expect"]


@pytest.mark.parametrize("case", of_kind("moves"), ids=name)
@pytest.mark.parametrize("native", [False, True], ids=["reference", "native"])
def test_moves(case: dict[str, Any], native: bool) -> None:
    question = case["input"]
    current = question["current"] and classify(parse_cards(question["current"]))
    state = State(
        rules_of(question), (parse_cards(question["hand"]), parse_cards("3D")), 0, (current,) if current else (),
        1 if current else None, (True, True), (), question.get("reversed", False),
    )
    moves = [bridge.move_of(*move) for move in bridge.position_of(state).moves()] if native else state.legal_moves()
    assert [str(move) for move in moves] == case["expect"]


@pytest.mark.parametrize("case", of_kind("flow"), ids=name)
def test_flow(case: dict[str, Any]) -> None:
    question, expected = case["input"], case["expect"]
    state = State.start([parse_cards(hand) for hand in question["hands"]], question["leader"], rules_of(question))
    position = bridge.position_of(state)
    for text in question["plays"]:
        state = state.play(Move.parse(text))
        position = position.play(*bridge.move_words(Move.parse(text)))
    assert bridge.state_of(position, state.rules) == state
    assert (state.to_move == OVER) == expected["over"]
    assert [show_cards(hand) for hand in state.hands] == expected["hands"]
    assert list(state.out) == expected["out"]
    assert state.reversed_order == expected["reversed"]
    if not expected["over"]:
        assert state.turn == expected["turn"]
        assert state.owner == expected["owner"]
        assert (state.current and str(state.current)) == expected["current"]


@pytest.mark.parametrize("case", of_kind("score"), ids=name)
def test_score(case: dict[str, Any]) -> None:
    question = case["input"]
    assert list(score(question["left"], question["winner"], question["played_any"])) == case["expect"]


@pytest.mark.parametrize("case", of_kind("deal"), ids=name)
def test_deal(case: dict[str, Any]) -> None:
    players, rules = case["input"]["players"], rules_of(case["input"])
    assert deal_sizes(players, rules) == case["expect"]
    state = State.deal(random.Random(1), players, rules)
    assert [len(hand) for hand in state.hands] == case["expect"]
    assert sorted(card for hand in state.hands for card in hand) == list(deck(jokers=rules.jokers, decks=rules.decks))


@pytest.mark.parametrize("case", of_kind("options"), ids=name)
def test_options(case: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="exclude"):
        rules_of(case["input"])


@pytest.mark.parametrize("case", of_kind("exchange"), ids=name)
def test_exchange(case: dict[str, Any]) -> None:
    question = case["input"]
    hands = [parse_cards(question["winner"]), parse_cards(question["loser"])]
    state = State.start(hands, 0, Rules(exchange=True), exchange=(0, 1))
    assert state.to_move == 0
    state = state.play(Move.parse("offer " + question["offer"]))
    assert state.to_move == 1
    state = state.play(Move.parse("take " + question["takes"]))
    assert show_cards(state.hands[0]) == case["expect"]["winner"]
    assert show_cards(state.hands[1]) == case["expect"]["loser"]
    assert state.to_move == 0


def test_worked_example_of_the_rulebook() -> None:
    assert score([0, 3, 11, 8], 0, [True] * 4) == (33, -3, -22, -8)


def test_combinations_are_those_sets_of_cards_that_classify_knows() -> None:
    """All subsets of a hand, the slow and sure way."""
    for text in (
        "3D 3C 3H 3S 4D 4C 5H 5S BJ RJ", "AD 2C 3H 4S 5D 6D 6C 7D", "TD JD QD KD AD AC 2D 2S 9D",
        "KD KC KH AD AC AH 2D 2C 2H", "AD AC AH 2D 2C 2H 2S 3D 3C",
    ):
        hand = parse_cards(text)
        subsets = [
            tuple(card for bit, card in enumerate(hand) if chosen >> bit & 1) for chosen in range(1, 1 << len(hand))
        ]
        slow = {cards for cards in subsets if classify(cards) is not None}
        listed = [combination.cards for combination in combinations(hand)]
        assert len(listed) == len(set(listed))
        assert set(listed) == slow


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), which=st.sampled_from(SUBJECT.all_settings()))
def test_json_and_view_round_trip_and_parity_under_every_combination_of_options(seed: int, which: Rules) -> None:
    rng = random.Random(seed)
    state = start(rng, which)
    position = bridge.position_of(state)
    while state.to_move != OVER:
        assert State.from_json(state.to_json()) == state
        view = View.of(state)
        assert View.parse(str(view)) == view
        assert View.from_json(view.to_json()) == view
        moves = state.legal_moves()
        assert [bridge.move_of(*move) for move in position.moves()] == list(moves)
        move = rng.choice(moves)
        position = position.play(*bridge.move_words(move))
        state = state.play(move)
        assert bridge.state_of(position, which) == state
    assert position.scores() == state.scores()


def test_whole_deals_have_the_same_moves_in_both() -> None:
    for players, seed in ((4, 2),):
        state = State.deal(random.Random(seed), players)
        assert [bridge.move_of(*move) for move in bridge.position_of(state).moves()] == list(state.legal_moves())


def test_random_games_of_the_core_agree_with_games_of_the_reference_on_average() -> None:
    """The mean length over many games, within five standard errors."""
    state = State.start([parse_cards("3D 4D 4C 9S"), parse_cards("3C 5D 5C KS"), parse_cards("7D 7C 7H 8S")], 0)
    lengths = []
    rng = random.Random(7)
    for _ in range(400):
        after, plies = state, 0
        while after.to_move != OVER:
            after = after.play(rng.choice(after.legal_moves()))
            plies += 1
        lengths.append(plies)
    mean = sum(lengths) / len(lengths)
    error = (sum((length - mean) ** 2 for length in lengths) / len(lengths) ** 2) ** 0.5
    plies, scores = bridge.position_of(state).random_games(20_000, 5)
    assert abs(plies / 20_000 - mean) < 5 * error
    assert sum(scores) == 20_000 * 3  # places 2, 1 and 0
