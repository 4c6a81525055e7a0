"""Winston (dogs): what the solvers pass to the core and to each other, and every field of an answer."""
from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

import exactplay.solvers.winston_dogs as solvers
from exactplay.certificates import Certificate, check_content
from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winston_dogs import Move, State
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.result import Bounds, Exact, Result
from exactplay.solvers.winston_dogs import exact, solve
from exactplay.solvers.winston_dogs.bridge import KINDS, from_move, from_position, pack, to_move, to_position, unpack
from exactplay.solvers.winston_dogs.certificate import certify
from exactplay.solvers.winston_dogs.exact import EVERY_MOVE_NOTE, LIMIT_NOTE, MAXN_NOTE, Clock, enough_bytes
from tests.winston_dogs.test_exact import agree_with_minimax

FIRST = "hands Gb Gb Ob Sb | Bb Bb Gh; table Kb Wbb Ob Sbbb; longest 4; shortest 2; bone 0; poo 1; points 37 21"
SECOND = "hands Bb Gb Gb | Bb Gh Kb; table Bhb Kb Gbb; turn 1; longest 4; shortest 2; bone 0; poo 1; points 7 5"
THREE = "hands Bb Gb | Bh Kb Kh | Gh Ob; table Bb Kb; turn 1; longest 3; shortest 2; bone 0; poo 2; points 3 4 5"
PILE = (
    "hands Bh Kb Kb Kh Sb | Bb Gb Kh Wb Wh; table Gh Wb Obb Sb; pile Sh Sb; turn 0; longest 6; shortest 2; bone 1; poo 1; "
    "points 31 55; skips 0"
)


def texts(result: Result[Move]) -> dict[str, Any]:
    return {str(move): verdict.value if isinstance(verdict, Exact) else verdict for move, verdict in result.moves.items()}


# Words of the core


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


def test_the_package_offers_two_functions() -> None:
    assert solvers.__all__ == ["advise", "solve"]
    assert solvers.solve is solve


# Calls of the core


class Calls:
    """Stands for Searcher or MaxN: passes all on and keeps what it was asked, or answers as scripted."""

    def __init__(self, kind: Any, answers: Iterator[Any] | None = None) -> None:
        self.kind, self.answers = kind, answers
        self.made: list[tuple[Any, ...]] = []
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, game: Game, table_bytes: int, look: Callable[[int], bool]) -> Calls:
        self.made.append((from_position(game), table_bytes, look))
        self.core = self.kind(game, 1 << 16, look)
        return self

    @property
    def nodes(self) -> int:
        return int(self.core.nodes)

    @property
    def fill(self) -> float:
        return 0.25

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(*arguments: Any, **more: Any) -> Any:
            self.asked.append((name, self.nodes, arguments, more))
            return next(self.answers) if self.answers else getattr(self.core, name)(*arguments, **more)

        return ask


@pytest.fixture
def spied(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Calls]:
    def spy(answers: Sequence[Any] | None = None) -> Calls:
        calls = Calls(Searcher, None if answers is None else iter(answers))
        monkeypatch.setattr(exact, "Searcher", calls)
        return calls

    return spy


@pytest.fixture
def spied_maxn(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Calls]:
    def spy(answers: Sequence[Any] | None = None) -> Calls:
        calls = Calls(MaxN, None if answers is None else iter(answers))
        monkeypatch.setattr(exact, "MaxN", calls)
        return calls

    return spy


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """CPU seconds as the test sets them."""
    clock = [7.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    return clock


# Two players


def test_the_notes() -> None:
    for note, words in ((MAXN_NOTE, "maximise his own score alone"), (EVERY_MOVE_NOTE, "has to value every move"),
                        (LIMIT_NOTE, "limit was reached before the end")):
        assert words in note


@pytest.mark.parametrize(("text", "value", "moves", "best", "line"), [
    (FIRST, 25, {"Gb Gb": 25, "Gb Gb Ob": 25, "Gb Gb Ob Sb": 25, "Gb Gb Sb": 25, "Gb Ob": 19, "Gb Ob Sb": 19, "Gb Sb": 19,
                 "Ob Sb": 19},
     ["Gb Gb", "Gb Gb Ob", "Gb Gb Ob Sb", "Gb Gb Sb"], ["Gb Gb", "Bb Bb", "Ob Sb", "Gh"]),
    (SECOND, 5, {"Bb Gh": 8, "Bb Gh Kb": 8, "Bb Kb": 5, "Gh Kb": 8}, ["Bb Kb"], ["Bb Kb", "Bb Gb", "Gh", "Gb"]),
])
def test_an_answer_in_full(text: str, value: int, moves: dict[str, int], best: list[str], line: list[str]) -> None:
    state = State.parse(text)
    assert agree_with_minimax(state, 1 << 12)
    result = solve(state)
    assert result == Result(
        Exact(value), {Move.parse(move): Exact(worth) for move, worth in moves.items()}, tuple(map(Move.parse, best)),
        tuple(map(Move.parse, line)), result.effort,
    )
    assert 0 < result.effort.nodes < 200
    assert 0 <= result.effort.seconds < 1
    assert result.effort.table_fill is not None
    assert 0 < result.effort.table_fill < 0.5
    quick = solve(state, every_move=False)
    below: Any = Bounds(None, value - 1) if state.turn == 0 else Bounds(value + 1, None)
    assert texts(quick) == {move: value if move in best else below for move in moves}
    assert replace(quick, moves={}, effort=result.effort) == replace(result, moves={})


@pytest.mark.parametrize(("limit", "every_move"), [(100_000, True), (100_000, False), (200, True), (200, False)])
def test_what_the_search_is_asked(limit: int, every_move: bool, spied: Callable[..., Calls], now: list[float]) -> None:
    state, heard = State.parse(SECOND), list[int]()
    calls = spied()
    result = solve(state, every_move=every_move, nodes=limit, seconds=5, table_bytes=1 << 12, progress=heard.append)
    (game, table_bytes, look), = calls.made
    assert (game, table_bytes) == (state, 1 << 12)
    moves = [[from_move(move)] for move in state.legal_moves()]
    guesses, root, valued = calls.asked[:2], calls.asked[2], calls.asked[3 : 3 + len(moves)]
    # The first guess begins at nothing; each search goes on from what the one before found.
    found = AlphaBeta(to_position(state), 1 << 16).value((), 0, 2)[0]
    assert [(name, *rest) for name, _, *rest in guesses] == [("value", ((), 0, 2), {}), ("value", ((), found, 4), {})]
    guess = AlphaBeta(to_position(state), 1 << 16).value((), found, 4)[0]
    assert root == ("value", root[1], ((), guess), {"nodes": limit - root[1]})
    left = [max(limit - spent, 20_000) for _, spent, *_ in valued]
    if every_move:
        assert [call[2:] for call in valued] == [((path, 5), {"nodes": n}) for path, n in zip(moves, left, strict=True)]
    else:
        assert [call[2:] for call in valued] == [((6, path, n), {}) for path, n in zip(moves, left, strict=True)]
    assert all(arguments[2] == limit - spent for _, spent, arguments, _ in calls.asked[3 + len(moves) :])
    assert [len(arguments[1]) for _, _, arguments, _ in calls.asked[3 + len(moves) :]][-1] == len(result.pv) == 4
    now[0] += 3
    assert (look(42), look(43), heard[-2:]) == (False, False, [42, 43])
    now[0] += 3
    assert look(44)
    assert (result.effort.nodes, result.effort.seconds, result.effort.table_fill) == (calls.nodes, 0, 0.25)


def test_a_large_table_is_never_more_than_a_search_needs(spied: Callable[..., Calls]) -> None:
    assert [enough_bytes(State.parse(text)) for text in (FIRST, PILE, THREE)] == [1 << 13, 1 << 16, 1 << 19]
    calls = spied()
    solve(State.parse(FIRST))
    solve(State.parse(FIRST), table_bytes=1 << 20)
    solve(State.parse(FIRST), table_bytes=100)
    solve(State.deal(2, random.Random(1)), nodes=1)
    assert [table_bytes for _, table_bytes, _ in calls.made] == [1 << 13, 1 << 13, 100, 1 << 28]


def test_a_table_without_memory_says_how_large_it_was() -> None:
    state = State.deal(3, random.Random(1))
    with pytest.raises(ValueError, match=r"^there is no memory for a table of 1\.09951e\+12 MiB; allow it less$"):
        solve(state, table_bytes=1 << 60)


@pytest.mark.parametrize(("text", "best"), [(FIRST, "Gb Gb"), (SECOND, "Bb Kb"), (PILE, "Bh Kh")])
def test_a_limit_leaves_the_move_that_looks_best(text: str, best: str, spied: Callable[..., Calls]) -> None:
    state = State.parse(text)
    calls = spied()
    result = solve(state, nodes=0)
    unknown = Bounds(None, None)
    assert result == Result(
        unknown, dict.fromkeys(state.legal_moves(), unknown), (Move.parse(best),), effort=result.effort, notes=(LIMIT_NOTE,)
    )
    assert result.effort.nodes == calls.nodes
    guess = calls.asked[2][2][1]
    assert [call[2:] for call in calls.asked[3:]] == [(([from_move(m)], guess, 4), {}) for m in state.legal_moves()]
    # What looks best is what four turns from each move on bring.
    searcher = AlphaBeta(to_position(state), 1 << 16)
    shallow = {move: searcher.value([from_move(move)], guess, 4)[0] for move in state.legal_moves()}
    assert shallow[Move.parse(best)] == (max if state.turn == 0 else min)(shallow.values())


@pytest.mark.parametrize(("answer", "verdict"), [
    ((-20, 499), Bounds(-20, 499)), ((-499, 30), Bounds(-499, 30)), ((-600, 3), Bounds(None, 3)),
    ((3, 600), Bounds(3, None)),
])
def test_bounds_beyond_any_score_prove_nothing(
    answer: tuple[int, int], verdict: Bounds, spied: Callable[..., Calls]
) -> None:
    spied([(0, 0), (0, 0), answer, *[(1, 1)] * 4])
    assert solve(State.parse(SECOND), nodes=1).verdict == verdict
    spied([(0, 0), (0, 0), (5, 5), (5, 5), answer, (5, 5), (6, 6), None])
    result = solve(State.parse(SECOND), nodes=1)
    assert texts(result) == {"Bb Gh": 5, "Bb Gh Kb": verdict, "Bb Kb": 5, "Gh Kb": 6}
    assert (result.verdict, list(map(str, result.best)), result.pv, result.notes) == (Exact(5), ["Bb Gh", "Bb Kb"], (), ())


def test_a_move_that_the_limit_leaves_open_is_noted(spied: Callable[..., Calls]) -> None:
    note = "The limit was reached before every move was valued; the value itself is exact."
    spied([(0, 0), (0, 0), (5, 5), (5, 5), (-600, 600), (5, 5), (6, 6), None])
    assert solve(State.parse(SECOND), nodes=1).notes == (note,)
    spied([(0, 0), (0, 0), (5, 5), True, None, False, None, None])
    result = solve(State.parse(SECOND), nodes=1, every_move=False)
    unknown = Bounds(None, None)
    assert texts(result) == {"Bb Gh": Bounds(6, None), "Bb Gh Kb": unknown, "Bb Kb": 5, "Gh Kb": unknown}
    assert result.notes == (note,)


def test_a_limit_may_cut_the_line_short() -> None:
    state = State.parse(SECOND)
    spent = next(n for n in range(200) if solve(state, nodes=n).exact)
    result = solve(state, nodes=spent)
    assert (result.verdict, result.pv, result.notes) == (Exact(5), (), ())
    lengths = [len(solve(state, nodes=n).pv) for n in range(spent, 200, 5)]
    assert lengths == sorted(lengths)
    assert lengths[-1] == 4


def test_a_line_that_loses_the_value_is_a_fault(spied: Callable[..., Calls]) -> None:
    spied([(0, 0), (0, 0), *[(5, 5)] * 5, *[True] * 4])
    with pytest.raises(AssertionError, match="no move keeps the value 5 in hands Bb Gb Gb"):
        solve(State.parse(SECOND))


def test_a_clock() -> None:
    heard: list[int] = []
    clock = Clock(10, None, heard.append)
    assert [clock.left(nodes) for nodes in (0, 9, 10, 11)] == [10, 1, 0, 0]
    assert not clock.look(5)
    assert heard == [5]
    assert Clock(None, None, None).left(8) == Clock(10**30, None, None).left(8) == (1 << 62) - 8
    assert Clock(None, -1.0, None).left(8) == 0
    assert Clock(None, -1.0, None).look(8)


# More players


def test_an_answer_of_maxn_in_full(spied_maxn: Callable[..., Calls], now: list[float]) -> None:
    state = State.parse(THREE)
    vectors = {"Bh Kb": (12, 1, 5), "Bh Kb Kh": (6, 7, 5), "Bh Kh": (12, 1, 5), "Kb Kh": (9, 4, 5)}
    best, line = Move.parse("Bh Kb Kh"), tuple(map(Move.parse, ("Bh Kb Kh", "Gh Ob", "Bb Gb")))
    expected = Result(
        Exact((6, 7, 5)), {Move.parse(move): Exact(vector) for move, vector in vectors.items()}, (best,), line,
        notes=(MAXN_NOTE,),
    )
    calls = spied_maxn()
    heard: list[int] = []
    result = solve(state, nodes=1_000, seconds=5, table_bytes=1 << 12, progress=heard.append)
    assert replace(result, effort=expected.effort) == expected
    assert (result.effort.nodes, result.effort.seconds, result.effort.table_fill) == (calls.nodes, 0, 0.25)
    (game, table_bytes, look), = calls.made
    assert (game, table_bytes, look(3), heard) == (state, 1 << 12, False, [3])
    paths = [[from_move(move)] for move in state.legal_moves()]
    assert [arguments for _, _, arguments, _ in calls.asked[: len(paths)]] == [(path,) for path in paths]
    assert all(more == {"nodes": 1_000 - spent} for _, spent, _, more in calls.asked)
    quick = solve(state, every_move=False)
    assert quick == replace(expected, effort=quick.effort, notes=(MAXN_NOTE, EVERY_MOVE_NOTE))


def test_of_equal_moves_the_line_of_maxn_has_the_first() -> None:
    state = State.parse("hands Bb Gb Kb | Bb Gb Ob | Kb Ob Sb; table Bb; points 1 2 3")
    result = solve(state)
    assert list(map(str, result.pv)) == ["Bb Gb", "Bb Gb", "Kb Ob", "Kb", "Ob", "Sb"]
    assert list(map(str, result.best)) == ["Bb Gb", "Bb Gb Kb", "Bb Kb", "Gb Kb"]
    assert set(result.moves.values()) == {Exact((1, 2, 3))}


@pytest.mark.parametrize(("scripted", "best"), [
    ([(0, 9, 0), (0, 9, 0), (0, 3, 9), (9, 4, 0)], "Bh Kb"),
    ([(9, 1, 9), (9, 2, 0), None, (9, 0, 9)], "Bh Kh"),
])
def test_a_limit_of_maxn_leaves_the_move_that_looks_best(
    scripted: list[Any], best: str, spied_maxn: Callable[..., Calls]
) -> None:
    state = State.parse(THREE)
    unknown = Bounds(None, None)
    calls = spied_maxn([(1, 2, 3), None, None, (4, 5, 6), *scripted])
    result = solve(state, nodes=5, every_move=False)
    # Where even the quick look gives nothing the points held count: 4.
    assert result == Result(
        unknown,
        dict(zip(state.legal_moves(), (Exact((1, 2, 3)), unknown, unknown, Exact((4, 5, 6))), strict=True)),
        (Move.parse(best),), effort=result.effort, notes=(LIMIT_NOTE, MAXN_NOTE, EVERY_MOVE_NOTE),
    )
    assert (result.effort.nodes, result.effort.table_fill) == (calls.nodes, 0.25)
    assert [call[2:] for call in calls.asked[4:]] == [(([from_move(move)], 2), {}) for move in state.legal_moves()]


def test_a_limit_may_cut_the_line_of_maxn_short(spied_maxn: Callable[..., Calls]) -> None:
    spied_maxn([*[(1, 2, 3)] * 4, (3, 2, 1), None])
    result = solve(State.parse(THREE), nodes=5)
    assert (result.verdict, list(map(str, result.pv))) == (Exact((1, 2, 3)), ["Bh Kb", "Gh Ob"])


# Certificates


def test_a_certificate_of_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    state, heard, asked = State.parse(PILE), list[str](), list[dict[str, Any]]()
    monkeypatch.setattr("exactplay.certificates.proof._TELL_EVERY", 1)

    def spy(at: State, **more: Any) -> Result[Move]:
        asked.append(more)
        result = solve(at, **more)
        # A move that was not valued in time is none to choose.
        valued = {move: verdict if move in result.best else Bounds(None, None) for move, verdict in result.moves.items()}
        return replace(result, moves=valued)

    monkeypatch.setattr("exactplay.solvers.winston_dogs.certificate.solve", spy)
    certificate = certify(state, seconds=1000, table_bytes=1 << 14, progress=heard.append)
    assert isinstance(certificate, Certificate)
    assert certificate.about == {"position": str(state), "low": -18, "high": -18}
    checked = check_content(certificate)
    assert "-18 (exact)" in checked.lines()[0]
    assert heard[0] == "1 positions proven"
    assert asked[0]["every_move"] is False
    assert len(asked) > 5
    for number, more in enumerate(asked):
        assert more.keys() == ({"seconds", "table_bytes"} if number else {"seconds", "table_bytes", "every_move"})
        assert more["table_bytes"] == 1 << 14
        assert 900 < more["seconds"] < 1000


def test_no_certificate_without_time_or_of_an_illegal_position() -> None:
    with pytest.raises(NotProven, match="no proof within 1e-09 CPU seconds"):
        certify(State.parse(PILE), seconds=1e-9)
    state = State.parse("hands Bb | Kb")
    with pytest.raises(IllegalPosition, match="longest"):
        certify(replace(state, longest=1))
