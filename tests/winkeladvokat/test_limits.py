"""The core where games seldom lead: limits, Ctrl-C, small stacks, long endings, tables handed on."""
from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest

from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.cython_core.winkeladvokat.proof_search import ProofSearch
from exactplay.rules.winkeladvokat import Rules, State
from exactplay.solvers.winkeladvokat.bridge import setting_of, to_core, to_move
from tests.winkeladvokat.subject import SUBJECT

ALL = 10**9


def question(size: int) -> tuple[ProofSearch, Position]:
    """A search of a board, and its first position."""
    state = State.initial(size)
    return ProofSearch(setting_of(state.board, state.rules, 2), 2**20), to_core(state)


def test_a_search_stops_at_its_nodes_or_when_its_poll_says_so() -> None:
    search, asked = question(7)
    answer, proof, disproof = search.prove(asked, 4, 3_000)
    assert answer is None
    assert min(proof, disproof) > 0
    assert search.nodes <= 3_000
    search.poll = lambda nodes: nodes > 5_000
    assert search.prove(asked, 4, ALL)[0] is None
    assert search.nodes < 20_000


def test_what_a_poll_raises_leaves_the_search() -> None:
    search, asked = question(7)

    def interrupt(nodes: int) -> bool:
        raise KeyboardInterrupt

    search.poll = interrupt
    with pytest.raises(KeyboardInterrupt):
        search.prove(asked, 4, ALL)


def test_a_search_tells_what_is_proven_and_hands_it_on() -> None:
    search, asked = question(6)
    assert search.numbers(asked, 3) is None
    assert search.prove(asked, 3, ALL)[0] is True
    assert search.numbers(asked, 3) == (0, 1 << 30)
    assert search.prove(asked, 4, ALL)[0] is False
    assert search.numbers(asked, 4) == (1 << 30, 0)
    assert search.entries(255) == b""
    other, _ = question(6)
    assert other.add_entries(search.entries(0))
    assert other.bounds(asked) == search.bounds(asked) == (3, 3)


@pytest.mark.parametrize("change", [
    {20: 5, 21: 0, 22: 4, 23: 0},  # at least 5, at most 4
    {19: 0xFF},  # a Lawyer outside the board
    {0: 0xFF, 8: 0xFF},  # Articles of both on one square
])
def test_entries_that_no_search_can_have_made_are_refused(change: dict[int, int]) -> None:
    search, asked = question(6)
    search.prove(asked, 3, ALL)
    entries = bytearray(search.entries(0))
    for place, byte in change.items():
        entries[place] = byte
    other, _ = question(6)
    assert not other.add_entries(bytes(entries))
    assert not other.add_entries(bytes(entries[:-1]))
    assert other.fill == 0


def test_counting_and_playing_hear_ctrl_c() -> None:
    program = (
        "import signal, threading\n"
        "from exactplay.rules.winkeladvokat import State\n"
        "from exactplay.solvers.winkeladvokat.bridge import to_core\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "at = to_core(State.initial())\n"
        "for work in (lambda: at.perft(9), lambda: at.random_games(10**9, 1, 0)):\n"
        "    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        "    try:\n"
        "        work()\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert finished.stdout == "interrupted\n" * 2


def test_every_kernel_fits_a_small_stack() -> None:
    program = (
        "import threading\n"
        "from exactplay.rules.winkeladvokat import Rules, State\n"
        "from exactplay.solvers.limits import Limits\n"
        "from exactplay.solvers.winkeladvokat import advise, solve\n"
        "from exactplay.solvers.winkeladvokat.bridge import to_core\n"
        "endless = State.parse('b3R/1r3/2b2/3r1/B4 b 0,0 3,0; rules empty_supply=moves_without_placing')\n"
        "def work():\n"
        "    print(solve(State.initial(6), moves='value').verdict)\n"
        "    advise(State.initial(8), limits=Limits(nodes=100_000))\n"
        "    solve(endless)\n"
        "    to_core(State.initial()).perft(4)\n"
        "threading.stack_size(128 * 1024)\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert finished.stdout == "3 (exact)\n"


def test_games_without_articles_are_played_to_their_end() -> None:
    """Nothing is placed or captured, so every game ends by repetition with the scores of its beginning."""
    state = State.parse("b3R/5/2b2/5/B4 b 0,0 3,0", {"empty_supply": "moves_without_placing"})
    at = to_core(state)
    games, plies, total, squares = at.random_games(50, 1, 0)
    margin = state.scores()[0] - state.scores()[1]
    assert margin > 0
    assert (games, total, squares) == (50, 50 * margin, 50 * margin**2)
    assert plies > 50 * 4
    assert at.play(at.legal_moves()[0]).earlier == (at.code,)


@pytest.mark.parametrize("seed", range(6))
def test_successors_are_the_positions_after_each_move(seed: int) -> None:
    rng = random.Random(seed)
    rules = Rules(
        empty_supply=rng.choice(["blocks", "moves_without_placing"]),
        capture_directions=rng.choice(["orthogonal", "diagonal", "both"]),
        captured_value=rng.choice(["one", "square"]),
    )
    for state in itertools.islice(SUBJECT.walk(rng, SUBJECT.start(rng, rules)), 60):
        at = to_core(state)
        found = {to_move(move): after for moves, after in at.successors() for move in moves}
        assert tuple(sorted(found)) == state.legal_moves()
        keys = [after.key() for _, after in at.successors()]
        assert len(set(keys)) == len(keys)
        for move, after in found.items():
            assert after.key() == to_core(state.after(move)).key()
