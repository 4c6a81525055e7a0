"""Winner seen from one seat: what is known after the moves that were seen is what the whole position shows."""
from __future__ import annotations

import random

import pytest

from exactplay.questions.winner import deal, known
from exactplay.rules.contract import OVER, IllegalMove
from exactplay.rules.winner import Move, Rules, View

RULES = [
    Rules(), Rules(end="first_out", fours="off"), Rules(revolution=True, straight_suit_tiebreak=True), Rules(jokers=False),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_followed_game_is_seen_as_the_whole_one(rules: Rules) -> None:
    rng = random.Random(5)
    turns = 0
    for seed in range(12):
        state = deal(rules, seed, players=3 + seed % 2, cards=9)
        seat, view = state.to_move, View.of(state)
        states, moves = [state], list[Move]()
        while state.to_move != OVER:
            if state.to_move == seat:
                assert view == View.of(state)
                assert known(states, moves, seat) == (view if sum(map(bool, state.hands)) > 2 else state)
                turns += 1
            move = rng.choice(state.legal_moves())
            state, view = state.play(move), view.followed(move)
            states, moves = [*states, state], [*moves, move]
            assert view.seat == seat or seat in state.out
            assert [len(hand) + hidden for hand, hidden in zip(view.known.hands, view.hidden, strict=True)] == [
                len(hand) for hand in state.hands
            ]
    assert turns > 40


def test_cards_taken_from_a_bomb_stay_known() -> None:
    view = View.parse("5D 5C 5H 7D | ?3 | ?3; turn 0; rules fours=into_hand")
    for move in ("5D 5C 5H", "fours 4D 4C"):
        view = view.followed(Move.parse(move))
    assert str(view).startswith("7D | 5D 5C 5H ?1 | ?3; turn 1")


def test_what_cannot_have_been_played_is_refused() -> None:
    view = View.parse("5D 9C | ?2 | ?2; turn 0; on 3C by 2")
    after = view.followed(Move.parse("9C"))
    for move in ("5D", "TD TC TH", "9C"):
        with pytest.raises(IllegalMove, match="seat 1 cannot have played"):
            after.followed(Move.parse(move))
    with pytest.raises(IllegalMove, match="does not beat"):
        after.followed(Move.parse("3D"))
