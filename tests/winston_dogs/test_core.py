"""Winston (dogs): what the native position and the searches refuse, hear and keep; parity is in the contract battery."""
from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.cython_core.winston_dogs.position import Position, random_games
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import Move, State, parse_cards
from exactplay.solvers.winston_dogs.bridge import KINDS, from_move, from_position, pack, to_move, to_position, unpack
from tests.winston_dogs.cases import small_positions
from tests.winston_dogs.subject import dealt


def test_the_words_of_the_core() -> None:
    assert [str(kind) for kind in KINDS] == ["Bb", "Bh", "Gb", "Gh", "Kb", "Kh", "Ob", "Oh", "Sb", "Sh", "Wb", "Wh"]
    assert pack(KINDS) == 0x1111_1111_1111
    assert unpack(0xF_0000_0000_0002) == (KINDS[0], KINDS[0])
    assert unpack(0x8000_0000_0003) == (*[KINDS[0]] * 3, *[KINDS[11]] * 8)
    for text, word in (("Bb Bb Wh", 0x1000_0000_0002), ("under Bh", 1 << 63 | 0x10), ("skip", 0)):
        assert from_move(Move.parse(text)) == word
        assert to_move(word) == Move.parse(text)


@pytest.mark.parametrize(("text", "holders"), [
    ("hands Bb Wh | - | Kh; table Bhb Kbbb; pile Gb Ob; turn 2; longest 5; shortest 3; bone 0; poo 1; points 4 7 9",
     (5, 3, 0, 1)),
    ("hands Bb | Kh; table Oh; pile Gb; turn 1; longest 5; shortest 3; bone 1; poo 0; points 4 7", (5, 3, 1, 0)),
    ("hands Bb | Kh; skips 1", (0, 0, -1, -1)),
    ("hands Bh Ob | Kh Sb; table Bh Kh Gh; pile Gh Bh; stuck Gh>Ob Bh>Sb", (0, 0, -1, -1)),
])
def test_a_position_in_the_core_and_back(text: str, holders: tuple[int, ...]) -> None:
    state = State.parse(text)
    game = to_position(state)
    assert game.hands == tuple(map(pack, state.hands))
    assert unpack(game.table) == tuple(sorted(
        card for card in KINDS for dog in [state.dog(card.colour)] for _ in range(dog.head if card.head else dog.bodies)
    ))
    assert (game.turn, game.holders, game.points, game.skips) == (state.turn, holders, state.points, state.skips)
    assert from_position(game) == state


@pytest.mark.parametrize("pile", ["Kh Bh", ""])
def test_the_core_refuses_stuck_turns_that_cannot_have_been(pile: str) -> None:
    with pytest.raises(ValueError, match="stuck: seat 1 cannot have put kind 5 under the pile and drawn kind 6"):
        to_position(replace(State.parse("hands Bb | Ob; pile Kh; stuck Kh>Ob"), pile=parse_cards(pile)))


def test_random_games_natively() -> None:
    """Fair play gives both sides the same; the scores are those of a distribution that the reference has too."""
    state = State.deal(random.Random(3))
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


def test_tables_of_few_entries_give_the_same() -> None:
    """Entries are overwritten all the time; a value taken from one after that would be another position's."""
    for state in small_positions(3, 150, 2, hand=[4, 5], pile=[4, 6, 8], heads=[0.3, 0.6], full_hands=[True]):
        game = to_position(state)
        expected = AlphaBeta(game, 1 << 22).value()
        assert expected[0] == expected[1]
        for table_bytes in (0, 128, 256, 512, 1024):
            assert AlphaBeta(game, table_bytes).value() == expected, (str(state), table_bytes)


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: AlphaBeta(to_position(dealt(random.Random(1), 3))), "for 2 players, not 3"),
    (lambda: Position([1], 0, b"", 0), "1 hands; there are 2 to 6 players"),
    (lambda: Position([1, 1], 0, bytes(67), 0), "a pile of 67 cards; the game has 66"),
])
def test_refusals(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


@pytest.mark.parametrize(("kind", "ask", "players"), [(AlphaBeta, "value", 2), (MaxN, "vector", 4)])
def test_a_search_hears_its_caller(kind: Any, ask: str, players: int) -> None:
    """What poll raises ends the search, and so does True; a second user is refused; then it goes on."""
    position = to_position(State.deal(random.Random(3), players))
    said: list[Any] = [LookupError, True]

    def poll(nodes: int) -> bool:
        with pytest.raises(RuntimeError, match="at work already"):
            getattr(search, ask)()
        answer = said.pop(0)
        if answer is LookupError:
            raise LookupError("from the callback")
        return bool(answer)

    search = kind(position, 1 << 20, poll)
    with pytest.raises(LookupError, match="from the callback"):
        getattr(search, ask)()
    answer = getattr(search, ask)()
    assert answer is None or answer[0] < answer[1]
    assert said == []
    assert 0 < search.fill < 1


def test_searches_fit_a_thread_with_a_small_stack() -> None:
    done: list[Any] = []

    def run() -> None:
        two, six = (to_position(State.deal(random.Random(1), players)) for players in (2, 6))
        done.append(AlphaBeta(two, 1 << 20).value(nodes=200_000))
        done.append(MaxN(six, 1 << 20).vector(nodes=200_000))

    before = threading.stack_size(128 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(done) == 2
