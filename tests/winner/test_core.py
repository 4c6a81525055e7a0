"""The native core of Winner where random positions seldom lead: rare moves, limits, refusals."""
from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from exactplay.cython_core.winner.maxn import MaxN
from exactplay.cython_core.winner.position import Position, TooManyMoves
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.rules.winner import Card, Move, Rules, State, deck, parse_cards
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.winner import bridge, solve


def walk(state: State, moves: Sequence[str]) -> State:
    """The moves in both; what the core makes of them is what the reference does."""
    position = bridge.position_of(state)
    for text in moves:
        move = Move.parse(text)
        state = state.play(move)
        position = position.play(*bridge.move_words(move))
        assert bridge.state_of(position, state.rules) == state
        assert [bridge.move_of(*found) for found in position.moves()] == list(state.legal_moves())
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
        found = MaxN(number, 16 << 20).values(bridge.position_of(state), 10**9)
        best = max(answer[0][0] for answer in found if answer is not None)
        shown = best if state.turn == 0 else -best
        assert solve(state, objective=objective, limits=Limits(memory_mb=16)).verdict == Exact(shown), state  # type: ignore[arg-type]


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
    position = bridge.position_of(state)
    legal = {bridge.move_words(move) for move in state.legal_moves()}
    listed = ProofSearch(position, False, 0).candidates(position)
    assert bridge.words(suit)[0] in {cards for _, cards, _ in listed}
    assert set(listed) <= legal


def deal(seed: int, cards: int, players: int = 2, rules: Rules | None = None) -> Position:
    pack = list(deck())
    random.Random(seed).shuffle(pack)
    hands = [tuple(pack[cards * seat:cards * seat + cards]) for seat in range(players)]
    return bridge.position_of(State.start(hands, 0, rules or Rules(end="first_out")))


def ask(position: Position, score: bool, threshold: int, nodes: int = 10**12, table: int = 8 << 20) -> bool | None:
    return ProofSearch(position, score, table).at_least(position, threshold, nodes)


def test_what_a_watched_search_settled_is_what_a_fresh_one_says() -> None:
    position = deal(0, 11)
    search = ProofSearch(position, False, 16 << 20)
    rows = np.zeros((40, 4), np.uint64)
    search.watch(rows)
    search.at_least(position, 1, 10**9)
    rows = rows[:search.watched]
    assert len(rows) > 10
    won = search.traits(rows, np.zeros((len(rows), 32), np.float32))
    rules = bridge.rule_words(Rules(end="first_out"))
    for (first, second, packed, _), mover_won in zip(rows.tolist(), won, strict=True):
        turn, kind, *place = (packed >> shift & 255 for shift in (0, 8, 16, 24, 32))
        length, height, suit = place
        table = [(0, 0, kind, length, height, suit)] if kind else []
        met = Position([(first, 0), (second, 0)], turn, table, 1 - turn if kind else -1, 3, [], False, None, rules)
        assert mover_won == (ask(met, False, 1) == (turn == 0))


def test_a_warm_table_that_served_other_questions_gives_the_same_answers() -> None:
    for seed, score in itertools.product(range(12), (False, True)):
        position = deal(seed, 9)
        warm = ProofSearch(position, score, 8 << 20)
        for threshold in (1, 3, -4):
            assert warm.at_least(position, threshold, 10**12) == ask(position, score, threshold)


@pytest.mark.parametrize(("score", "threshold"), [(False, 1), (True, 3)])
def test_a_table_that_forgets_nearly_everything_ends_with_the_same_answer(score: bool, threshold: int) -> None:
    answers = set()
    for seed in range(6):
        truth = ask(deal(seed, 9), score, threshold)
        assert ask(deal(seed, 9), score, threshold, 3_000_000, table=0) is truth
        answers.add(truth)
    assert answers == {False, True}
    # Where that would take an age, the limit still ends it.
    assert ask(deal(3, 27), score, threshold, 20_000, table=0) is None


def test_an_aborted_search_leaves_nothing_wrong_behind() -> None:
    for seed in range(6):
        position = deal(seed, 12)
        search = ProofSearch(position, True, 16 << 20)
        limit, answer = 50, None
        while answer is None:
            answer = search.at_least(position, 1, limit)
            limit *= 2
        assert answer == ask(position, True, 1)


Search = Callable[[Callable[[int], bool]], Any]


def _fast(poll: Callable[[int], bool]) -> Any:
    position = deal(3, 27)
    return ProofSearch(position, False, 64 << 20).at_least(position, 1, 10**12, poll)


def _general(players: int) -> Search:
    position = deal(4, 9, players, Rules(end="first_out", revolution=True))
    return lambda poll: MaxN(1, 1 << 20).values(position, 10**12, poll)


@pytest.mark.parametrize("search", [_fast, _general(2), _general(3)], ids=["fast", "two hands", "three hands"])
def test_the_caller_can_end_a_search(search: Search) -> None:
    heard: list[int] = []

    def over(nodes: int) -> bool:
        heard.append(nodes)
        return True

    found = search(over)
    assert found is None or None in found
    assert len(heard) == 1  # and not again while the moves on the way are left

    def interrupt(nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(interrupt)


@pytest.mark.parametrize("search", [_fast, _general(2), _general(3)], ids=["fast", "two hands", "three hands"])
def test_a_search_needs_little_stack(search: Search) -> None:
    before = threading.stack_size(128 << 10)
    try:
        polls = iter(range(8))
        thread = threading.Thread(target=lambda: search(lambda _: next(polls, None) is None))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)


def test_two_threads_do_not_share_a_search() -> None:
    position = deal(3, 27)
    search = ProofSearch(position, False, 64 << 20)

    def meet(_: int) -> bool:
        with pytest.raises(RuntimeError, match="another thread"):
            search.at_least(position, 1, 10)
        return True

    assert search.at_least(position, 1, 10**12, meet) is None
    assert search.at_least(deal(3, 4), 1, 10**6) is not None


def test_a_list_of_moves_has_a_most() -> None:
    """A hand of 54 cards of two decks has billions of straights."""
    state = State.deal(random.Random(2), 2, Rules(decks=2))
    position = bridge.position_of(state)
    with pytest.raises(TooManyMoves):
        position.moves(1_000)
    few = position.moves(100_000, one_a_shape=True)
    assert len(few) < 2_000
    for words in few:
        assert position.play(*words).to_move == 1 - state.turn
    assert MaxN(0, 1 << 20).values(position, 10**9) == []
    assert position.random_games(2, 1)[0] > 0


@pytest.mark.parametrize("text", [
    "3D 4D | 5D 6D | 7D 8D; turn 1; on 3C by 0; idle 1 2; rules fours=off end=first_out",
    "- | 5D 6D | 7D 8D | -; turn 1; on 3C by 0; out 3 0",
    "7D 7D | 5D | 6D 8D; turn 2; on 3D 3C 3H > 5C 5H 5S by 1; reversed; rules decks=2 fours=into_hand revolution=true",
    "3D 4D | 3C KS | 4C 6C; turn 2; idle 0 1 2; exchange 2 0; rules exchange=true",
    "3D 4D | 3C KS | 4C 6C; turn 1; idle 0 1 2; exchange 1 2 offer 3C KS; rules exchange=true",
])
def test_positions_there_and_back(text: str) -> None:
    state = State.parse(text)
    position = bridge.position_of(state)
    assert str(bridge.state_of(position, state.rules)) == text
    assert position.to_move == state.to_move


def test_moves_there_and_back() -> None:
    for text in ("3D 3C", "fours 4D 4C", "pass", "offer 3D 4D", "take 3D", "3C 3C 4D RJ RJ BJ 2S"):
        assert bridge.move_of(*bridge.move_words(Move.parse(text))) == Move.parse(text)


def test_refusals() -> None:
    state = State.parse("3D 5D | 4D | 6D; turn 0")
    position = bridge.position_of(state)
    for text in ("4D", "pass", "3D 5D", "take 3D"):
        with pytest.raises(ValueError, match="not a legal move"):
            position.play(*bridge.move_words(Move.parse(text)))
    with pytest.raises(ValueError, match="not over"):
        position.scores()
    out = walk(State.parse("3D | 4D | 6D; turn 0"), ["3D"])
    with pytest.raises(ValueError, match="settled"):
        MaxN(0, 1 << 20).values(bridge.position_of(out), 10**6)
    with pytest.raises(ValueError, match="2 to 4 hands"):
        Position([(1, 0)], 0, [], -1, 0, [], False, None, bridge.rule_words(state.rules))
    for refused in ("3D | 4D | 6D; turn 0", "3D 3D | 5D; turn 0; rules decks=2", "3D | 4D; turn 0; rules revolution=true"):
        with pytest.raises(ValueError, match=r"two seats|twice"):
            ProofSearch(bridge.position_of(State.parse(refused)), False, 0)
