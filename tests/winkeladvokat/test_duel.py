"""What Winkeladvokat's two-player solver asks its search, and what it makes of the answers: with a search that we play."""
from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Board, Move, Rules, State
from exactplay.solvers.winkeladvokat import Duel, duel
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import Budget, OutOfBudget, OutOfMemory

DEFAULT = Rules()
SMALL = State.parse("2R/3/B2 b 1,1 0,0")
FINISHED = State.parse("2R/rb1/Bb1 b 1,1 0,0")
ENDLESS = Rules(empty_supply="moves_without_placing")
LAWYERS = State.parse("2R/1b1/B2 b 0,0 0,0", ENDLESS)
LIMIT = 1 << 62
INFINITE = 1 << 30


class Search:
    """In place of the core's search: each question costs what ``costs`` says of its k, and is answered if it may."""

    def __init__(self, gain: int = 3, costs: Callable[[int], int] = lambda k: 1, spent: tuple[int, int] = (50, 50)) -> None:
        self.gain, self.costs, self.spent = gain, costs, {0: spent}
        self.asked: list[tuple[int, int]] = []
        self.nodes, self.full, self.seconds = 1_000, False, 0.0
        self.known, self.fill = (-32_000, 32_000), 0.25

    def prove(self, position: Any, k: int, nodes: int, seconds: float) -> tuple[bool | None, int, int]:
        self.asked.append((k, nodes))
        assert len(self.asked) < 200, "questions without an end"
        self.seconds = seconds
        self.nodes += min(nodes, self.costs(k))
        if self.costs(k) > nodes:
            return None, *self.spent.get(k, self.spent[0])
        return (True, 0, INFINITE) if k <= self.gain else (False, INFINITE, 0)

    def bounds(self, position: Any) -> tuple[int, int]:
        return self.known

    def numbers(self, position: Any, k: int) -> tuple[int, int] | None:
        return 5, 5


def with_search(search: Search, state: State = SMALL) -> tuple[Any, Any]:
    made: Any = Duel(state.board, state.rules, 0.01)
    made.search = search
    return made, to_core(state)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.winkeladvokat.duel.time.process_time", lambda: 107.0)


# ---- budgets and the size of a game


def test_what_is_left_of_a_budget(clock: None) -> None:
    assert Budget().left() == (LIMIT, 1e9)
    assert Budget(nodes=5, used=3).left() == (2, 1e9)
    assert Budget(seconds=10.0, started=100.0, used=7).left() == (LIMIT, 3.0)
    assert Budget(nodes=4, seconds=8.0, started=100.0, used=3).left() == (1, 1.0)
    for spent in (Budget(nodes=3, used=3), Budget(seconds=7.0, started=100.0), Budget(nodes=9, seconds=6.5, started=100.0)):
        with pytest.raises(OutOfBudget):
            spent.left()


@pytest.mark.parametrize(("values", "captured", "widest"), [
    ((0, 2, 0, 2, 4, 2, 0, 2, 0), "one", 2 * 12 + 25), ((0, 2, 0, 2, 4, 2, 0, 2, 0), "square", 2 * 12 + 25 * 4),
    ((0,) * 9, "one", 25), ((0,) * 9, "square", 25),
    ((3_987, 0, 0, 0, 0, 0, 0, 0, 0), "one", 7_999), ((296, 4, 0, 0, 0, 0, 0, 0, 0), "square", 8_000),
])
def test_no_game_gains_more_than_its_board_has(values: tuple[int, ...], captured: Any, widest: int) -> None:
    made = Duel(Board(3, values), Rules(captured_value=captured), 0.01)
    assert made.widest == widest
    core = to_core(State.initial(board=Board(3, values)))
    assert made.bounds(core) == (-widest, widest)
    nothing = Budget(nodes=0)
    assert made.proves(core, -widest, nothing) is True
    assert made.proves(core, widest + 1, nothing) is False
    for k in (1 - widest, widest):
        with pytest.raises(OutOfBudget):
            made.proves(core, k, nothing)


def test_a_board_on_which_too_much_could_be_gained_is_refused() -> None:
    with pytest.raises(ValueError, match="could change the score by 8001, and the most is 8000"):
        Duel(Board(3, (3_988, 0, 0, 0, 0, 0, 0, 0, 0)), DEFAULT, 0.01)


def test_what_the_table_of_the_core_is_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Any, ...]] = []
    monkeypatch.setattr(duel, "WinkeladvokatSearch", lambda *arguments: made.append(arguments))
    board = Board(3, (1, 2, 3, 4, 5, 6, 7, 8, 9))
    Duel(board, Rules(blocked_when="no_step", capture_directions="both"))
    Duel(board, DEFAULT, 1_000_000)
    values = [1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 7, 8, 9, *[0] * 45]
    no = False
    assert made == [(3, values, (no, True, no, no, 2), 512.0), (3, values, (no, no, no, no, 0), 1_000_000)]
    with pytest.raises(ValueError, match=r"memory is 1000001 megabytes; it must be at least 0\.01 and at most 1000000"):
        Duel(board, DEFAULT, 1_000_001)


def test_a_new_table_has_been_asked_nothing() -> None:
    made = Duel(SMALL.board, DEFAULT, 0.01)
    assert (made.proof, made.disproof, made.likely) == (1, 1, 1)
    assert (made.board, made.rules) == (SMALL.board, DEFAULT)


# ---- one question


def test_a_finished_game_gains_nothing() -> None:
    made, core = with_search(Search(), FINISHED)
    assert [made.proves(core, k, Budget(nodes=0)) for k in (-1, 0, 1)] == [True, True, False]
    assert made.bounds(core) == (0, 0)


def test_a_question_is_asked_within_what_is_left_and_charged(clock: None) -> None:
    search = Search(gain=3, costs=lambda k: 20)
    made, core = with_search(search)
    budget = Budget(nodes=100, seconds=10.0, started=100.0, used=10)
    assert made.proves(core, 3, budget) is True
    assert (made.proof, made.disproof) == (0, INFINITE)
    assert made.proves(core, 4, budget, 25) is False
    assert (made.proof, made.disproof) == (INFINITE, 0)
    assert made.proves(core, 5, budget) is False
    assert search.asked == [(3, 90), (4, 25)]  # at least 5 follows from the second
    assert (search.seconds, budget.used) == (3.0, 50)


def test_what_is_proven_is_not_asked_again() -> None:
    made, core = with_search(Search(gain=3))
    for k in (1, 3, 6, 4):
        made.proves(core, k, Budget())
    assert made.bounds(core) == (3, 3)
    made.search = Search()
    for k, proof in ((3, (0, INFINITE)), (4, (INFINITE, 0)), (-9, (0, INFINITE)), (2, (0, INFINITE)), (9, (INFINITE, 0))):
        assert made.proves(core, k, Budget(nodes=0)) is (k <= 3)
        assert (made.proof, made.disproof) == proof
    assert made.search.asked == []


def test_proof_numbers_of_what_is_known_are_those_of_the_core() -> None:
    made, core = Duel(SMALL.board, DEFAULT, 0.02), to_core(SMALL)
    for budget in (Budget(), Budget(nodes=0)):
        assert made.proves(core, -20, budget) is True
        assert (made.proof, made.disproof) == (0, INFINITE)
        assert made.proves(core, 20, budget) is False
        assert (made.proof, made.disproof) == (INFINITE, 0)


def test_an_answer_narrows_what_was_known_and_never_widens_it() -> None:
    made, core = with_search(Search(gain=3))
    made.proves(core, 2, Budget())
    assert made.bounds(core) == (2, 49)
    made.proves(core, 9, Budget())
    assert made.bounds(core) == (2, 8)
    made.search.known = (1, 7)
    assert made.bounds(core) == (2, 7)
    made.search.known = (3, 32_000)
    assert made.bounds(core) == (3, 8)


@pytest.mark.parametrize(("nodes", "at_most", "full", "error"), [
    (100, 30, False, None), (100, 100, False, OutOfBudget), (100, None, False, OutOfBudget), (100, 101, False, OutOfBudget),
    (100, 30, True, OutOfMemory), (100, None, True, OutOfMemory),
])
def test_a_question_without_an_answer(nodes: int, at_most: int | None, full: bool, error: type[Exception] | None) -> None:
    search = Search(costs=lambda k: 1_000, spent=(7, 11))
    search.full = full
    made, core = with_search(search)
    budget = Budget(nodes=nodes)
    if error is None:
        assert made.proves(core, 1, budget, at_most) is None
    else:
        with pytest.raises(OutOfBudget) as caught:
            made.proves(core, 1, budget, at_most)
        assert caught.type is error
    assert search.asked == [(1, min(nodes, at_most or nodes))]
    assert budget.used == search.asked[0][1]
    assert (made.proof, made.disproof) == (7, 11)
    assert made.bounds(core) == (-49, 49)


def test_the_clock_is_looked_at_where_a_question_had_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    made, core = with_search(Search(costs=lambda k: 1_000))
    times = iter([0.5, 1.5])
    monkeypatch.setattr("exactplay.solvers.winkeladvokat.duel.time.process_time", lambda: next(times))
    with pytest.raises(OutOfBudget):
        made.proves(core, 1, Budget(seconds=1.0, started=0.0), 10)


def test_nodes_are_charged_even_where_the_search_is_interrupted() -> None:
    class Interrupted(Search):
        def prove(self, position: Any, k: int, nodes: int, seconds: float) -> tuple[bool | None, int, int]:
            super().prove(position, k, nodes, seconds)
            raise KeyboardInterrupt

        def endless(self, position: Any, seen_twice: list[int], nodes: int, seconds: float) -> int:
            self.nodes += 5
            raise KeyboardInterrupt

    for state, nodes in ((SMALL, 1), (LAWYERS, 5)):
        made, core = with_search(Interrupted(), state)
        budget = Budget(used=2)
        with pytest.raises(KeyboardInterrupt):
            made.proves(core, 1, budget)
        assert budget.used == 2 + nodes


def test_of_the_positions_asked_about_the_latest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel, "MOST_ASKED", 2)
    made, _ = with_search(Search(gain=0))
    first, second, third = (option.after for option in made.options(to_core(State.initial(4)))[:3])
    for at, k in ((first, 0), (second, 0), (first, 1), (third, 0)):
        made.proves(at, k, Budget())
    assert [made.bounds(at) for at in (first, second, third)] == [(0, 0), (-49, 49), (0, 49)]


# ---- positions that can come back


class Endless(Search):
    answer: int | None = 4

    def __init__(self) -> None:
        super().__init__()
        self.seen_twice: list[list[int]] = []

    def endless(self, position: Any, seen_twice: list[int], nodes: int, seconds: float) -> int | None:
        self.seen_twice.append(seen_twice)
        self.asked.append((0, nodes))
        self.seconds = seconds
        self.nodes += 6
        return self.answer


def test_a_position_that_can_come_back_is_valued_once(clock: None) -> None:
    search = Endless()
    made, core = with_search(search, LAWYERS)
    assert made.bounds(core) == (-made.widest, made.widest)
    budget = Budget(nodes=50, seconds=9.0, started=100.0)
    assert [made.proves(core, k, budget) for k in (3, 4, 5)] == [True, True, False]
    assert (search.asked, search.seconds, budget.used) == ([(0, 50)], 2.0, 6)
    assert made.bounds(core) == (4, 4)


def test_while_there_is_something_to_place_no_position_comes_back() -> None:
    for supply in ("1,0", "0,1"):
        search = Endless()
        made, core = with_search(search, State.parse(f"2R/1b1/B2 {'b' if supply == '1,0' else 'r'} {supply} 0,0", ENDLESS))
        assert made.proves(core, 3, Budget()) is True
        assert (search.asked, search.seen_twice) == ([(3, LIMIT)], [])


def test_positions_seen_twice_are_part_of_the_question() -> None:
    state = State.parse("3R/4/4/B3 b 0,0 0,0", ENDLESS)
    search = Endless()
    made, _ = with_search(search, state)
    made.proves(to_core(state), 1, Budget())
    codes = []
    for text in ("a1-a2-b2", "d4-d3-c3", "b2-b1-a1", "c3-d3-d4", "a1-a2-b2", "d4-d3-c3"):
        codes.append(to_core(state).code())
        state = state.play(Move.parse(text))
    made.proves(to_core(state), 1, Budget())
    assert search.seen_twice == [[], sorted(codes[:2])]


@pytest.mark.parametrize(("full", "error"), [(False, OutOfBudget), (True, OutOfMemory)])
def test_a_position_that_can_come_back_and_is_not_answered(full: bool, error: type[Exception]) -> None:
    search = Endless()
    search.answer, search.full = None, full
    made, core = with_search(search, LAWYERS)
    with pytest.raises(OutOfBudget) as caught:
        made.proves(core, 1, Budget())
    assert caught.type is error
    assert made.bounds(core) == (-made.widest, made.widest)


# ---- which questions find the value


def in_short(asked: Sequence[tuple[int, int]]) -> str:
    """Questions as "nodes: k k k", those with as many nodes together."""
    parts: list[str] = []
    for k, nodes in asked:
        if parts and parts[-1].startswith(f"{nodes}:"):
            parts[-1] += f" {k}"
        else:
            parts.append(f"{nodes}: {k}")
    return "; ".join(parts)


HARD = {8: 10**7, 9: 10**8, 10: 10**8, 11: 10**7, 7: 10**6, 12: 10**6}


@pytest.mark.parametrize(("gain", "known", "costs", "spent", "asked"), [
    # The value is found in growing steps away from 1, then by halves.
    (3, None, {}, {}, "500: 1 2 4 3"),
    (-6, None, {}, {}, "500: 1 0 -2 -6 -4 -5"),
    # What is known is not asked.
    (3, (3, 3), {}, {}, ""),
    (3, (2, 32_000), {}, {}, "500: 3 4"),
    (-3, (-9, 0), {}, {}, "500: 0 -1 -3 -2"),
    (-5, (-5, 32_000), {}, {}, "500: 1 0 -2 -4"),
    (5, (-32_000, 7), {}, {}, "500: 1 2 4 7 5 6"),
    # Without an answer the ratio of proof and disproof number counts: below 0.4 after 500 nodes, less after more.
    (3, None, {3: 10**6, 4: 10**6}, {3: (39, 100), 4: (40, 100)},
     "500: 1 2 4 3; 100000: 4; 4000: 4 3; 800000: 3; 32000: 3; 6400000: 3; 32000: 4; 6400000: 4"),
    (3, None, {3: 10**5, 4: 10**5}, {3: (40, 100), 4: (90, 100)}, "500: 1 2 4 3; 100000: 3; 500: 4; 100000: 4"),
    (3, None, {2: 10**4, 3: 10**7, 4: 5 * 10**7}, {2: (1, 100), 3: (14, 100), 4: (15, 100)},
     "500: 1 2 4 8 6 5; 100000: 4; 4000: 4 3; 800000: 4; 32000: 4 3 2; 6400000: 3; 200000: 3 4; 256000: 3; 51200000: 3; "
     "256000: 4; 51200000: 4"),
    # After a long search both ends are asked as well, in steps that double while they are answered.
    (9, None, {k: HARD.get(k, 600) for k in range(-90, 90)},
     {k: (1, 100) if k <= 8 else (90, 100) for k in range(-90, 90)},
     "500: 1 2 4 8 16 12 10 9; 100000: 9; 4000: 9 8; 800000: 9; 32000: 9 8; 6400000: 9; "
     "200000: -48 -46 -42 -34 -18 14 -17 -15 -11 -3 13 -2 0 4 12 5 7 6 8 7 12; 256000: 9 8; 51200000: 9; "
     "1600000: 7 9 8 12 10 11; 2048000: 9 8; 409600000: 8; 2048000: 9; 409600000: 9; 2048000: 10; 409600000: 10"),
])
def test_the_questions_that_find_a_value(
    gain: int, known: tuple[int, int] | None, costs: dict[int, int], spent: dict[int, tuple[int, int]], asked: str
) -> None:
    search = Search(gain, lambda k: costs.get(k, 1))
    search.spent |= spent
    search.known = known or search.known
    made, core = with_search(search)
    budget = Budget()
    assert made.gain(core, budget) == gain
    assert in_short(search.asked) == asked
    assert budget.used == search.nodes - 1_000
    assert made.likely == gain


@pytest.mark.parametrize(("gain", "hard", "asked"), [
    (3, None, "-48 -46 -42 -34 -18 14 -17 -15 -11 -3 13 -2 0 4 1 3"), (-48, None, "-48 -46 -47"),
    (48, None, "-48 -46 -42 -34 -18 14 49 15 17 21 29 45 48"),
    (9, 9, "-48 -46 -42 -34 -18 14 -17 -15 -11 -3 13 -2 0 4 12 5 7 11 8 10 9 9"),
    (3, 4, "-48 -46 -42 -34 -18 14 -17 -15 -11 -3 13 -2 0 4 1 3 7 4 6 4 5 4 4"),
])
def test_narrowing_ends_where_it_finds_the_value_or_no_more_answers(gain: int, hard: int | None, asked: str) -> None:
    search = Search(gain)
    search.costs = lambda k: 1 if search.asked[-1][1] == 200_000 and k != hard else 10**8
    made, core = with_search(search)
    assert made.gain(core, Budget()) == gain
    told = in_short(search.asked).split("; ")
    assert [part for part in told if part.startswith("200000: ")] == [f"200000: {asked}"]


# ---- moves


def test_moves_that_lead_to_one_position_are_one_option() -> None:
    state = State.parse("4R/2r2/1r1r1/1br2/B4 b 2,2 0,0")
    made, core = with_search(Search(), state)
    options = [(" ".join(map(str, option.moves)), option.gain) for option in made.options(core)]
    assert options == [
        ("a1-a4-b4", 2), ("a1-a5-b5", 0), ("a1-a5-c5", 0), ("a1-a5-d5", 0), ("a1-d1-d2", 2), ("a1-e1-e2", 0),
        ("a1-e1-e3", 0), ("a1-e1-e4", 0), ("b2xb4", 5), ("b2xb4xd4", 10), ("b2xb4xd4xd2", 15),
        ("b2xb4xd4xd2xb2 b2xd2xd4xb4xb2", 20), ("b2xd2", 5), ("b2xd2xd4", 10), ("b2xd2xd4xb4", 15),
    ]
    for option in made.options(core):
        assert option.after.fields() == to_core(state.play(option.moves[-1])).fields()


def test_captures_with_the_same_ends_that_take_others_are_other_options() -> None:
    state = State.parse(
        "7R/2b5/1rr2r2/6r1/rr1rr3/8/8/B3rr2 b 9,9 0,0", Rules(capture_directions="both")
    )
    made, core = with_search(Search(), state)
    options = made.options(core)
    assert [{state.play(move) for move in option.moves} for option in options] == [
        {state.play(option.moves[0])} for option in options
    ]
    assert len(options) == len({state.play(move) for move in state.legal_moves()})


def test_a_move_holds_where_the_opponent_gains_too_little() -> None:
    search = Search(gain=3, costs=lambda k: 40)
    made, core = with_search(search, State.initial(4))
    option = dataclasses.replace(made.options(core)[0], gain=5)
    budget = Budget()
    # The opponent gains 3: the move brings 2.
    assert made.holds(option, 2, budget, 39) is None
    assert made.holds(option, 2, budget) is True
    assert made.holds(option, 3, budget) is False
    assert search.asked == [(4, 39), (4, LIMIT), (3, LIMIT)]


@pytest.mark.parametrize(("costs", "numbers", "effort"), [
    (1, None, [0.0, float("inf")]), (3, (5, 8), [8.0, 8.0]), (3, None, [float("inf")] * 2),
])
def test_how_far_a_move_is_from_being_proven(costs: int, numbers: tuple[int, int] | None, effort: list[float]) -> None:
    looked_up: list[int] = []

    class Numbers(Search):
        def numbers(self, position: Any, k: int) -> tuple[int, int] | None:
            looked_up.append(k)
            return numbers

    made, core = with_search(Numbers(gain=3, costs=lambda k: costs), State.initial(4))
    option = dataclasses.replace(made.options(core)[0], gain=5)
    assert [made.effort_to_prove(option, least) for least in (2, 3)] == effort
    assert made.search.asked == [(4, 2), (3, 2)]
    assert looked_up == ([4, 3] if costs == 3 else [])
    if costs == 3:
        made.search.full = True
        assert made.effort_to_prove(option, 2) == effort[0]


def test_how_far_a_move_is_where_positions_can_come_back() -> None:
    search = Endless()
    made, core = with_search(search, LAWYERS)
    option = dataclasses.replace(made.options(core)[0], gain=5)
    assert [made.effort_to_prove(option, least) for least in (1, 2)] == [0.0, float("inf")]
    assert search.asked == [(0, 8)]
    search.answer = None
    made.endless_gains.clear()
    assert made.effort_to_prove(option, 1) == float("inf")


def test_a_best_move_is_looked_for_with_growing_effort() -> None:
    search = Search(gain=-1, costs=lambda k: 100)
    made, core = with_search(search, State.initial(4))
    options = made.options(core)
    gains = [option.gain for option in options]
    target = max(gains) + 1
    found = made.a_best(core, target, Budget())
    assert found.gain == max(gains)
    before = gains.index(max(gains)) + 1
    asked = [gain - target + 1 for gain in gains]
    whole = [(k, nodes) for nodes in (16, 64) for k in asked]
    assert search.asked == whole + [(k, 256) for k in asked[:before]]
    # It is in the table now, and the moves before it are not asked again.
    search.asked.clear()
    assert made.a_best(core, target, Budget(nodes=0)).moves == found.moves
    with pytest.raises(OutOfBudget):
        made.a_best(core, target + 1, Budget(nodes=99))


def test_a_principal_variation_ends_with_the_game_or_the_budget() -> None:
    state = State.initial(4)
    made = Duel(state.board, state.rules, 1)
    core = to_core(state)
    gain = made.gain(core, Budget())
    line = made.line(core, gain, None, Budget())
    first = next(option for option in made.options(core) if option.moves[0] == line[0])
    assert made.line(core, gain, first, Budget()) == line
    at = state
    for move in line:
        at = at.play(move)
    assert at.to_move == OVER
    assert at.scores()[0] - at.scores()[1] == gain
    other, core = with_search(Search(costs=lambda k: 100), state)
    assert other.line(core, 2, None, Budget(nodes=5)) == []
    assert other.line(core, 2, first, Budget(nodes=5)) == line[:1]


# ---- checkpoints


def test_a_checkpoint_says_what_it_is_of_and_holds_what_took_some_search(tmp_path: Path) -> None:
    state = State.initial(4, rules=Rules(end_check="on_turn"))
    made = Duel(state.board, state.rules, 1)
    made.gain(to_core(state), Budget())
    file = tmp_path / "four.checkpoint"
    made.save(file, state, 40)
    header, entries = file.read_bytes().split(b"\n", 1)
    assert json.loads(header) == {
        "format": "exactplay winkeladvokat checkpoint 1", "position": "3R/4/4/B3 b 25,25 0,0", "rules": "end_check=on_turn",
        "values": [0, 2, 2, 0, 2, 4, 4, 2, 2, 4, 4, 2, 0, 2, 2, 0], "sha256": sha256(entries).hexdigest(),
        "nodes": 40 + made.search.nodes,
    }
    assert entries == made.search.entries(16) != made.search.entries(15)
    made.save(file, state)
    nodes = made.search.nodes
    later = Duel(state.board, state.rules, 1)
    assert later.load(file, state) == nodes
    assert sorted(later.search.entries(0)) == sorted(entries)
