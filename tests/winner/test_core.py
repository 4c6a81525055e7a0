"""The native core of Winner where random positions seldom lead: rare moves, limits, refusals."""
from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from exactplay.cython_core.winner_duel import Solver
from exactplay.rules.winner import Card, Move, Rules, State, deck, parse_cards
from exactplay.solvers.result import Exact
from exactplay.solvers.winner import codec, solve


def walk(state: State, moves: Sequence[str]) -> State:
    """The moves in both; what the core makes of them is what the reference does."""
    game = codec.game_of(state)
    for text in moves:
        move = Move.parse(text)
        state = state.play(move)
        game.play(*codec.move_words(move))
        assert codec.state_of(game, state.rules) == state
        assert [codec.move_of(*found) for found in game.moves()] == list(state.legal_moves())
    return state


def test_a_bomb_on_a_bomb_taken_into_hand_leaves_the_first() -> None:
    state = State.parse("5D 5C 5H 9S | 3D 3C 3H JD | 4D 4C 8D; turn 1; rules fours=into_hand")
    state = walk(state, ["3D 3C 3H", "pass", "5D 5C 5H", "pass", "fours 4D 4C"])
    assert str(state.current) == "3D 3C 3H"
    assert (state.owner, state.turn) == (2, 0)


def test_a_led_bomb_taken_into_hand_gives_the_lead() -> None:
    state = State.parse("5D 5C 5H 9S | 4D 4C 8D | JD; turn 0; rules fours=into_hand")
    state = walk(state, ["5D 5C 5H", "fours 4D 4C"])
    assert (state.current, state.owner, state.turn) == (None, None, 1)


def test_a_revolution_turns_the_order_and_a_second_one_turns_it_back() -> None:
    state = State.parse("7D 7C 7H 7S 2D | 5D 5C 5H 5S 9D | 9C 9H 9S KD; turn 0; rules revolution=true")
    state = walk(state, ["7D 7C 7H 7S"])
    assert state.reversed_order
    assert not walk(state, ["5D 5C 5H 5S"]).reversed_order


def both_searches(state: State) -> None:
    """The fast search and the general one, which share no move generator, give one answer."""
    for number, objective in enumerate(("win", "score")):
        found, _, _ = codec.game_of(state).solve(number, 10**9, 16)
        best = max(answer[0][0] for answer in found if answer is not None)
        shown = best if state.turn == 0 else -best
        assert solve(state, objective, table_mb=16).verdict == Exact(shown), state  # type: ignore[arg-type]


def two_hands(rng: random.Random, cards: list[Card], size: int, rules: Rules) -> State:
    rng.shuffle(cards)
    return State.start([tuple(cards[:size]), tuple(cards[size:2 * size])], 0, rules)


def played(state: State, kind: str, rng: random.Random) -> State | None:
    """After a random move of this kind; None where there is none that leaves a card."""
    held = len(state.hands[state.turn])
    moves = [move for move in state.legal_moves() if move.action == "play" and len(move.cards) < held]
    following = [after for after in map(state.play, moves) if after.current is not None and after.current.kind == kind]
    return rng.choice(following) if following else None


@pytest.mark.parametrize("kind", ["straight", "straight_flush", "large_bomb"])
@pytest.mark.parametrize("options", [{}, {"straight_suit_tiebreak": True}, {"bomb_variation": True}], ids=str)
def test_searches_agree_where_rows_and_bombs_are_answered(kind: str, options: dict[str, Any]) -> None:
    rng = random.Random(f"{kind} {options}")
    rules = Rules(end="first_out", **options)
    seen = 0
    while seen < 6:
        low = rng.randint(2, 7)
        if kind == "straight":
            cards = [card for card in deck(jokers=False) if low <= card.rank < low + 6 and card.suit < 3]
        elif kind == "straight_flush":
            cards = [card for card in deck(jokers=False) if low <= card.rank < low + 6 and card.suit < 2]
        else:
            cards = [card for card in deck(jokers=False) if card.rank in {1, low, low + 2}]
        answered = played(two_hands(rng, cards, 6, rules), kind, rng)
        if answered is not None:
            seen += 1
            both_searches(answered)


def test_searches_agree_where_the_suit_of_the_highest_card_counts() -> None:
    rules = "rules straight_suit_tiebreak=true end=first_out"
    both_searches(State.parse(f"3D 4C 5H 6S 7D 7H 9C | 3H 4D 5C 6H 7C 7S 9S; turn 0; {rules}"))


def test_a_whole_suit_is_one_row_of_thirteen_at_most() -> None:
    """From the Ace low to the King, and from the Two to the Ace high, but no row of fourteen."""
    suit = tuple(card for card in deck(jokers=False) if card.suit == 2)
    state = State.start([suit, parse_cards("3D 4D")], 0, Rules(end="first_out"))
    legal = {codec.move_words(move)[1] for move in state.legal_moves()}
    listed = Solver(True, False, False, 1).candidates(*(codec.words(hand)[0] for hand in state.hands), None)
    assert codec.words(suit)[0] in {cards for _, cards in listed}
    assert {cards for _, cards in listed} <= legal


def test_what_a_watched_search_settled_is_what_a_fresh_one_says() -> None:
    pack = list(deck())
    random.Random(0).shuffle(pack)
    hands = codec.words(pack[:11])[0], codec.words(pack[11:22])[0]
    solver = Solver(True, False, False, 16)
    rows = np.zeros((40, 4), np.uint64)
    solver.watch(rows)
    solver.at_least(*hands, 0, None, 0, False, 1, 10**9)
    solver.clear()
    assert solver.fill == 0
    rows = rows[:solver.watched]
    assert len(rows) > 10
    won = solver.traits(rows, np.zeros((len(rows), 32), np.float32))
    for (first, second, packed, _), mover_won in zip(rows.tolist(), won, strict=True):
        turn, kind, *place = (packed >> shift & 255 for shift in (0, 8, 16, 24, 32))
        table = (kind, *place) if kind else None
        first_won = Solver(True, False, False, 1).at_least(first, second, turn, table, 0, False, 1, 10**9)
        assert mover_won == (first_won == (turn == 0))


@pytest.mark.parametrize("players", [2, 3])
def test_the_caller_can_end_the_general_search(players: int) -> None:
    pack = list(deck())
    random.Random(4).shuffle(pack)
    hands = [tuple(pack[9 * seat:9 * seat + 9]) for seat in range(players)]
    game = codec.game_of(State.start(hands, 0, Rules(end="first_out", revolution=True)))
    heard: list[int] = []

    def over(nodes: int) -> bool:
        heard.append(nodes)
        return True

    values, nodes, _ = game.solve(1, 10**12, 1, over)
    assert None in values
    assert len(heard) == 1  # and not again while the moves on the stack are left
    assert heard[0] <= nodes < heard[0] + 100

    def interrupt(nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game.solve(1, 10**12, 1, interrupt)


def test_refusals() -> None:
    state = State.parse("3D 5D | 4D | 6D; turn 0")
    game = codec.game_of(state)
    with pytest.raises(ValueError, match="not a legal move"):
        game.play(*codec.move_words(Move.parse("4D")))
    with pytest.raises(IndexError, match="no move to take back"):
        game.undo()
    with pytest.raises(ValueError, match="not over"):
        game.scores()
    out = walk(State.parse("3D | 4D | 6D; turn 0"), ["3D"])
    with pytest.raises(ValueError, match="who wins is settled"):
        codec.game_of(out).solve(0, 10**6, 1)
    with pytest.raises(ValueError, match="2 to 4 hands"):
        type(game)([(1, 0)], 0, [], -1, 0, [], False, None, codec.rule_words(state.rules))
