"""What the native cores refuse when they are called directly, and how their searches end before their end."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from exactplay.cython_core.walk_the_dogs import MaxnSearcher, Searcher, best_additions, most_points
from exactplay.cython_core.winkeladvokat_dfpn import WinkeladvokatSearch
from exactplay.cython_core.winston84_kernel import set_flavour
from exactplay.cython_core.winston_dogs import Game
from exactplay.rules import winkeladvokat
from exactplay.rules.walk_the_dogs import State
from exactplay.solvers.walk_the_dogs.native import position
from exactplay.solvers.winkeladvokat.native import core_options, to_core

TWO = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=- turn=0"
THREE = "middle=SPOGDC lines=S/P/O hands=g1/g1/g2 deck=- turn=0"
UNKNOWN_ORDER = "middle=SPOGDC lines=S/P hands=g1,y/g1,r2 deck=?g1,g2 turn=0"


def at(text: str) -> Any:
    return position(State.parse(text))


def begun(text: str = TWO) -> Searcher:
    searcher = Searcher(1 << 16)
    searcher.begin(at(text), True)
    return searcher


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: best_additions(b"\x00", b"\x00" * 4, True), "at most three dogs"),
    (lambda: best_additions(b"\x00" * 64, b"\x00", True), "at most 63"),
    (lambda: most_points(b"\x00" * 5, b"\x00" * 5, True), "at most nine dogs of a breed"),
    (lambda: begun(THREE), "two players and a known order"),
    (lambda: begun(UNKNOWN_ORDER), "two players and a known order"),
    (lambda: begun().bounds(at(THREE), -9, 9), "not one of the game that begin"),
    (lambda: begun().bounds(at(TWO), 3, 3), "no value lies between 3 and 3"),
    (lambda: MaxnSearcher(True, 1 << 16).values(at(UNKNOWN_ORDER)), "known order of the pile"),
    (lambda: Game([1], 0, b"", 0), "1 hands; there are 2 to 6 players"),
    (lambda: Game([1, 1], 0, bytes(67), 0), "a pile of 67 cards; the game has 66"),
    (lambda: set_flavour(99), "no flavour 99"),
])
def test_refusals(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_max_n_hears_its_caller() -> None:
    start = at("middle=SPOGDCBSPOGDCBSPO lines=S/P/O hands=g1,g2,g3,r1/g1,g2,r2/g2,g3,y "
               "deck=g1,g2,g3,r1,r2,r3,y,g1,g2,g3,r1,r2,r3 turn=0")
    searcher = MaxnSearcher(True, 1 << 16)
    searcher.limit(seconds=0.0)
    assert searcher.values(start) is None

    def interrupt(nodes: int) -> None:
        raise KeyboardInterrupt

    searcher.limit(progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        searcher.values(start)


def question(size: int) -> tuple[WinkeladvokatSearch, Any, Callable[[], WinkeladvokatSearch]]:
    """A search of the first position of a board, the position, and how to make another search."""
    state = winkeladvokat.State.initial(size)
    values = [0] * 64
    for square, value in enumerate(state.board.values):
        values[8 * (square // size) + square % size] = value
    turn, articles, lawyers, supply, _ = to_core(state).fields()

    def search() -> WinkeladvokatSearch:
        return WinkeladvokatSearch(size, values, core_options(state.rules), 1.0)

    return search(), (turn, list(articles), list(lawyers), list(supply)), search


def test_winkeladvokat_stops_at_its_clock() -> None:
    search, asked, _ = question(7)
    answer, proof, disproof = search.prove(asked, 4, 10**9, 0.0)
    assert answer is None
    assert proof > 0
    assert disproof > 0
    assert search.nodes < 10_000


def test_winkeladvokat_tells_what_is_proven_and_hands_it_on() -> None:
    search, asked, another = question(6)
    assert search.numbers(asked, 3) is None
    assert search.prove(asked, 3, 10**9, 600.0)[0] is True
    assert search.numbers(asked, 3) == (0, 1 << 30)
    assert search.prove(asked, 4, 10**9, 600.0)[0] is False
    assert search.numbers(asked, 4) == (1 << 30, 0)
    assert search.entries(255) == b""
    other = another()
    other.add_entries(search.entries(0))
    assert other.bounds(asked) == search.bounds(asked) == (3, 3)
