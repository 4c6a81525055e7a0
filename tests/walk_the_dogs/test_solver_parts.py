"""The parts of the solvers of Walk the Dogs: answers in full, limits, certificates, and what the steps between do."""
from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from exactplay.certificates import check_content
from exactplay.rules.contract import IllegalMove, IllegalPosition
from exactplay.rules.walk_the_dogs import Move, State
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.result import Bounds, Exact, Result, Verdict
from exactplay.solvers.walk_the_dogs import fold_mirrors, solve
from exactplay.solvers.walk_the_dogs.certificate import certify
from exactplay.solvers.walk_the_dogs.native import NativeState, position
from exactplay.solvers.walk_the_dogs.play import TwoPlayers, drawn, may_run_past

#: an example of the documentation
SIX_DOGS = "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3"


def test_the_core_keeps_every_field_of_a_position() -> None:
    for state in (
        State.parse(f"{SIX_DOGS} turn=1 passes=1 bones=2/1 discards=g1,dc advanced=true"),
        State.parse("middle=SP lines=SS/PG/OGB hands=g1/r3,y/le deck=?bo,r2 phase=catch2 turn=1 discards=dc"),
    ):
        assert NativeState.of(state).state() == state


def test_the_core_names_a_move_that_is_not_legal() -> None:
    with pytest.raises(IllegalMove, match="g1:SSS is not legal"):
        NativeState.of(State.parse(SIX_DOGS)).play(Move.parse("g1:SSS"))


# ---------------------------------------------------------------- open hands

#: words of each note, in its order
DREW, PAST, TIES = "The draw comes first: ", "may run past the known order", "A player who is indifferent"
GUESS, UNSURE = "the best moves are a guess", "moves whose bounds include the value may be as good"
POINTS, OUTCOME = "Values are player 0's points minus player 1's; 1000", "Values are player 0's: 1 he wins"
VECTORS, SHARES = "Values are the points of each player in turn;", "Values are the shares of the players in turn: 12"
THREE = "middle=SPO lines=SS/P hands=g1,r1/r3 deck=bo,g1,y"
#: player 1 moves, and the dogs are added in the order taken
FIVE = "middle=GOP lines=SSSS/PPPP hands=r1/r1,g1 deck=g1,r1,g3 turn=1 phase=play three_in_any_order=false"
LARGE = "middle=SPOOPSDDGBSPOGBDCSPOG lines=SSOP/PGDDC hands=g1,y/r2,r3 deck=g1,g2,g3,r1,r2,r3,y,g1,g2,g3,r1"

EIGHT_DOGS = "middle=SPOGSPBB lines=SS/PG/OB hands=g1,y/r2,g3/r1,r3 deck=g1,g2,g3,r1,r2,r3,y,g1,g2,g3,r1,r2,r3,y"


def brief(verdict: Verdict) -> Any:
    """A value, or a pair of bounds."""
    return verdict.value if isinstance(verdict, Exact) else (verdict.low, verdict.high)  # type: ignore[union-attr]


def found(result: Result[Move]) -> tuple[Any, ...]:
    moves = {str(move): brief(verdict) for move, verdict in result.moves.items()}
    return brief(result.verdict), " ".join(map(str, result.best)), moves, " ".join(map(str, result.pv))


def check_notes(notes: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert len(notes) == len(words), notes
    for note, part in zip(notes, words, strict=True):
        assert part in note


@pytest.mark.parametrize(("text", "asked", "expected", "notes"), [
    (THREE, {}, (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -3, "r1:SSO": -3}, "+bo +g1 g1:SSS +y r3:OPP"), (POINTS, DREW)),
    (
        THREE, {"all_moves": False},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": (-1000, -3), "r1:SSO": (-1000, -3)}, "+bo +g1 g1:SSS +y r3:OPP"),
        (POINTS, DREW),
    ),
    (
        THREE, {"objective": "outcome"},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -1, "r1:SSO": -1}, "+bo +g1 g1:SSS +y r3:OPP"), (OUTCOME, DREW),
    ),
    (
        THREE, {"objective": "outcome", "all_moves": False},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": (-1, 0), "r1:SSO": (-1, 0)}, "+bo +g1 g1:SSS +y r3:OPP"), (OUTCOME, DREW),
    ),
    (FIVE, {}, (-1000, "r1:PPPPP", {"g1:GPPPP": -1, "g1:PPPPG": -1, "r1:PPPPP": -1000}, "r1:PPPPP"), (POINTS,)),
    (
        FIVE, {"all_moves": False},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1, 1000), "g1:PPPPG": (-1, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"), (POINTS,),
    ),
    (
        FIVE, {"objective": "outcome"},
        (-1, "g1:GPPPP g1:PPPPG r1:PPPPP", {"g1:GPPPP": -1, "g1:PPPPG": -1, "r1:PPPPP": -1},
         "g1:GPPPP +g1 g1:OSSSS +r1 r1:GPPPPP"), (OUTCOME,),
    ),
    (
        "middle=OPS lines=SSSS/PPP hands=g1/r1,g1 deck=g2 turn=1 phase=play advanced=true", {},
        (0, "draw", {"draw": 0, "g1:OPPP": 6, "g1:PPPO": 6, "r1:PPPS": 6, "r1:SPPP": 6},
         "draw +g2 g1:OSSSS g1:PPPP pass g2:PPPPS"), (POINTS, PAST),
    ),
    # A move that is worse by one point has its bound only.
    (
        "middle=B lines=-/OOG hands=r3,le/- deck=r2,dc,y,g3,y,bo,g1,r2,bo", {"all_moves": False},
        (-1, "le.1b:G", {"le.1b:G": -1, "le.1f:O": (-1000, -2), "r2:B": -4, "r3:B": -4}, "+r2 le.1b:G +dc +y y:B"),
        (POINTS, DREW),
    ),
    (
        "middle=PSS lines=PP/SSPSPP hands=-/- deck=g1,dc,y,le,r1,r2,dc,le turn=1 bones=1/1", {"all_moves": False},
        (-3, "g1:PSSPSPP", {"g1:PSSPSPP": -3, "g1:SSPSPPP": (-2, 1000)}, "+g1 g1:PSSPSPP +dc +y y:SS"), (POINTS, DREW),
    ),
    # Every move loses.
    *(
        (f"middle=SDP lines={lines} hands=g1/g1 deck=y,y phase=play turn={turn}", {"all_moves": all_moves, "objective": of},
         (value, "g1:PGS g1:SPG", {"g1:PGS": value, "g1:SPG": value}, "g1:PGS +y g1:DDDDD"), (words,))
        for lines, turn, sign in (("PG/DDDD", 0, -1), ("DDDD/PG", 1, 1))
        for of, words, value in (("points", POINTS, 1000 * sign), ("outcome", OUTCOME, sign))
        for all_moves in (True, False)
    ),
    # A limit: no bound, a bound on one side, and a value that moves with bounds may reach as well.
    (
        THREE, {"nodes": 0},
        ((-1000, 1000), "g1:SSS r1:OSS r1:SSO", dict.fromkeys(("g1:SSS", "r1:OSS", "r1:SSO"), (-1000, 1000)), "+bo +g1"),
        (POINTS, DREW, GUESS),
    ),
    (
        THREE, {"nodes": 2},
        ((1, 1000), "g1:SSS", {"g1:SSS": (1, 1000), "r1:OSS": (-1000, 1000), "r1:SSO": (-1000, 1000)}, "+bo +g1"),
        (POINTS, DREW, GUESS),
    ),
    (
        FIVE, {"nodes": 0},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1000, 1000), "g1:PPPPG": (-1000, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"),
        (POINTS, UNSURE),
    ),
    (
        FIVE, {"objective": "outcome", "nodes": 0},
        (-1, "r1:PPPPP", {"g1:GPPPP": (-1, 1), "g1:PPPPG": (-1, 1), "r1:PPPPP": -1}, "r1:PPPPP"), (OUTCOME, UNSURE),
    ),
    (
        FIVE, {"all_moves": False, "nodes": 2},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1000, 1000), "g1:PPPPG": (-1000, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"),
        (POINTS, UNSURE),
    ),
    # A limit that leaves too little for the line of play.
    (THREE, {"nodes": 5}, (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -3, "r1:SSO": -3}, "+bo +g1"), (POINTS, DREW)),
    # Three players.
    (
        "middle=BP lines=SSBSSO/O/O hands=r1,le/g2,le/- deck=bo,dc turn=1", {},
        (((6, 5, 0), (6, 7, 0)), "le.0b:O le.0f:B g2:BP g2:PB",
         {"le.0b:O": (6, 5, 0), "le.0f:B": ((6, 5, 0), (6, 7, 0)), "g2:BP": (6, 5, 0), "g2:PB": (6, 5, 0)},
         "+bo +dc le.0b:O pass le.1f:BSSO g2:BP"),
        (VECTORS, DREW, TIES, PAST),
    ),
    (
        "middle=O lines=-/GSO/PS hands=g1,y/g2/g1,le deck=dc,bo,y turn=2", {},
        ((4, 1, 4), "lose:front", {"lose:back": ((3, 1, 2), (4, 2, 2)), "lose:front": (4, 1, 4)},
         "+dc lose:front lose:back +bo +y le.1b:SS g1:O"),
        (VECTORS, DREW, TIES, PAST),
    ),
    (
        "middle=O lines=-/GSO/PS hands=g1,y/g2/g1,le deck=dc,bo,y turn=2", {"objective": "outcome"},
        ((0, 0, 12), "lose:front", {"lose:back": (12, 0, 0), "lose:front": (0, 0, 12)},
         "+dc lose:front lose:back +bo +y le.1b:SS g1:O"),
        (SHARES, DREW, PAST),
    ),
    (
        "middle=S lines=S/-/PPS hands=le/g2,r1/g2,g2 deck=bo,dc,y,y", {},
        (((1, 3, 0), (1, 4, 1)), "le.2f:S y:S", {"le.2f:S": (1, 4, 0), "y:S": (1, 3, 1)}, "+bo +dc +y le.2f:S +y g2:S"),
        (VECTORS, DREW, TIES),
    ),
    (
        "middle=S lines=PG/SG/GS hands=r1,le/-/g1,g1 deck=dc,r1,r2 bones=0/1/1", {"objective": "outcome"},
        (((0, 6, 0), (0, 12, 6)), "lose:back lose:front",
         {"lose:back": ((0, 6, 0), (0, 12, 6)), "lose:front": ((0, 6, 0), (0, 12, 6))},
         "+dc lose:back lose:back lose:back +r1 le.1f:PS +r2 r2:S"),
        (SHARES, DREW, TIES),
    ),
    # The mover gets 12 whatever others do, though the draw alone could bring him nothing.
    (
        "middle=S lines=SSSS/SSS/S hands=g1,y/g1,g2/r2 deck=le,r1,r2,g3 turn=1 bones=0/1/1 advanced=true",
        {"objective": "outcome"},
        (((0, 12, 0), (12, 12, 0)), "draw g1:SSSS g2:SSSS",
         {"draw": ((12, 0, 0), (12, 12, 0)), "g1:SSSS": (0, 12, 0), "g2:SSSS": (0, 12, 0)}, "g1:SSSS"),
        (SHARES, TIES, PAST),
    ),
])
def test_the_answer_in_full(text: str, asked: dict[str, Any], expected: tuple[Any, ...], notes: tuple[str, ...]) -> None:
    state = State.parse(text)
    result = solve(state, **asked)
    assert found(result) == expected
    check_notes(result.notes, notes)
    cards = " ".join(map(str, drawn(position(state))[1]))
    assert (f"{DREW}{cards}; the values are" in " ".join(result.notes)) == bool(cards)
    assert result.rules == state.rules.describe()


@pytest.mark.parametrize(("text", "points", "outcome"), [
    ("middle=- lines=SS/PG hands=g1,g2/r3 deck=?y turn=1 three_in_any_order=false", 2, 1),
    ("middle=- lines=S/PG hands=g1,g2/r3 deck=y advanced=true", -1, -1),
    ("middle=- lines=SS/PG/O hands=g1/r3/- deck=?y turn=2 advanced=true", (4, 2, 1), (12, 0, 0)),
])
def test_a_game_that_is_over_has_its_value(text: str, points: Any, outcome: Any) -> None:
    state = State.parse(text)
    assert solve(state) == Result(Exact(points), rules=state.rules.describe())
    assert solve(state, "outcome") == Result(Exact(outcome), rules=state.rules.describe())


def test_what_an_answer_cost() -> None:
    """Of one searcher that keeps its table, too."""
    solver, state = TwoPlayers(1 << 16), State.parse(SIX_DOGS)
    for _ in range(2):
        start = time.process_time()
        effort = solver.solve(state, "points").effort
        assert 0 <= effort.seconds <= time.process_time() - start
        assert effort.nodes == 68
        fill = effort.table_fill or 0.0
        assert 0.002 < fill < 0.1
    assert solve(state).effort.table_fill == pytest.approx(fill / (1 << 12))
    assert solve(state, table_bytes=1 << 16).effort.table_fill == fill
    start = time.process_time()
    effort = solve(State.parse(EIGHT_DOGS)).effort
    assert 0 < effort.seconds <= time.process_time() - start
    assert (effort.nodes, effort.table_fill) == (3174, None)


@pytest.mark.parametrize(("middle", "lines", "turn", "objective", "all_moves", "nodes"), [
    ("SPOOPSDDGB", "SSOP/PGDDC", 0, "points", True, 197),
    ("SPOOPSDDGB", "SSOP/PGDDC", 0, "points", False, 149),
    ("SPOOPSDDGB", "SSOP/PGDDC", 1, "points", False, 334),
    ("SPOOPSDDGB", "SSOP/PGDDC", 1, "outcome", False, 154),
    ("SPOOPSDD", "SSOPP/SPGDDC", 1, "points", True, 132),
    ("SPOOPSDD", "SSOPP/SPGDDC", 1, "points", False, 64),
    ("SDDGB", "SSS/DDD", 0, "points", False, 10),
    ("SDDGB", "SSS/DDD", 0, "outcome", True, 11),
    ("SDDGB", "SSS/DDD", 1, "outcome", False, 25),
])
def test_how_many_positions_each_way_of_asking_visits(
    middle: str, lines: str, turn: int, objective: Any, all_moves: bool, nodes: int
) -> None:
    """A proof that a move is not better is cheaper than its value; where the core searches otherwise these change."""
    hands = "r1,g3/r2,r3" if len(middle) == 5 else "g1,y/r2,r3"
    text = f"middle={middle} lines={lines} hands={hands} deck=g1,g2,g3,r1,r2,r3,y,g1,g2,g3,r1 turn={turn}"
    assert solve(State.parse(text), objective, all_moves=all_moves).effort.nodes == nodes


def test_a_search_tells_its_progress_and_ends_in_time() -> None:
    told: list[int] = []
    state = State.parse(LARGE)
    assert isinstance(solve(state, seconds=0, progress=told.append).verdict, Bounds)
    assert told[0] == 1000
    playing = State.parse(f"{LARGE} phase=play")
    assert TwoPlayers().values(playing, "points", seconds=0) is None
    assert TwoPlayers().values(playing, "points", nodes=500) is None


@pytest.mark.parametrize(("limit", "unknown"), [({"seconds": 0}, 1), ({"table_bytes": 1 << 16}, 2)])
def test_a_limit_of_three_players(limit: dict[str, Any], unknown: int) -> None:
    told: list[int] = []
    state = State.parse(EIGHT_DOGS)
    truth, result = solve(state), solve(state, progress=told.append, **limit)
    assert truth.verdict == Exact((16, 9, 11))
    assert told == [1000]
    assert (result.verdict, result.best, result.pv) == (Bounds(None, None), (), (Move.parse("+g1"),))
    check_notes(result.notes, (VECTORS, DREW, "nothing is proven about the moves without a value"))
    missing = [verdict for verdict in result.moves.values() if verdict == Bounds(None, None)]
    assert len(missing) == unknown
    assert all(verdict in (truth.moves[move], Bounds(None, None)) for move, verdict in result.moves.items())


def test_values_of_all_moves_are_those_of_the_mover() -> None:
    first, second = Move.parse("r1:PPPPP"), Move.parse("g1:GPPPP")
    solver, state = TwoPlayers(), State.parse(FIVE)
    assert solver.values(state, "points") == {first: 1000, second: 1, replace(second, line="PPPPG"): 1}
    assert solver.values(state, "outcome") == {first: 1, second: 1, replace(second, line="PPPPG"): 1}
    first, second = Move.parse("g1:SSS"), Move.parse("r1:OSS")
    state = State.parse("middle=SPO lines=SS/P hands=g1,r1/r3 deck=y phase=play")
    assert solver.values(state, "points") == {first: 4, second: 0, replace(second, line="SSO"): 0}
    with pytest.raises(IllegalPosition, match="six leash and dog catcher"):
        solver.values(State.parse("middle=SP lines=S/- hands=le/le deck=dc,dc,dc,dc,dc phase=play"), "points")


def test_mirrored_moves_are_folded() -> None:
    state = State.parse("middle=OSB lines=PPPP/SSSS hands=r1/g1,r1 deck=- phase=play turn=1 three_in_any_order=false")
    result = solve(state, "outcome")
    folded = fold_mirrors(result)
    assert found(folded)[:3] == (-1, "g1:OSSSS r1:BSSSS", {"g1:OSSSS": -1, "r1:BSSSS": -1})
    assert replace(folded, moves=result.moves, best=result.best) == result


@pytest.mark.parametrize(("text", "past"), [
    ("middle=S lines=S/- hands=y/- deck=- phase=play", False),
    ("middle=O lines=P/O hands=r1,r1/y deck=- phase=play", False),
    ("middle=OS lines=PPS/OOGSO hands=r1/- deck=r3 turn=1 phase=draw", False),
    ("middle=SPS lines=PSP/S/SP/S hands=-/r1,r3/g1/g1,y deck=g3,r3 turn=3 special_cards=false", False),
    # A leash takes no dog of the middle; a bone in the pile fills no hand.
    ("middle=P lines=SSSP/PSPPSP hands=g3,r3/g1,r3 deck=le,bo turn=1", True),
    ("middle=P lines=SBGBB/- hands=r3,le/- deck=le,r1,g3 turn=1 bones=1/1", True),
    # Advanced turns draw until the hands are full and for every card played.
    ("middle=PS lines=SSOOPP/- hands=g2,g3/g2,r1 deck=bo,r1,y,g2,g1,y,r3,g3 advanced=true", False),
    ("middle=P lines=SPSPP/SSS hands=r2,r3/- deck=dc,r1,r1,g2,r3,r3,y,g3 turn=1 bones=1/0 advanced=true", False),
    ("middle=SS lines=SSS/SSSS hands=g3,le/y,y deck=bo,bo,r3,g3,r1,r3,y,le,g3 turn=1 bones=1/1 advanced=true", True),
    ("middle=GG lines=O/OOSGS hands=r1,y/g3,le deck=bo,g2,g1,y,le,r3,dc turn=1 bones=1/1 advanced=true", True),
    (
        "middle=S lines=SSSS/-/SSS/S hands=r2,r2/g1,r2/g3,y/g1,g3 deck=r3,y,g2,g2,g3,g2,y,r3 turn=2 special_cards=false"
        " advanced=true", True,
    ),
])
def test_whether_a_line_of_play_may_run_past_the_known_order(text: str, past: bool) -> None:
    assert may_run_past(State.parse(text)) == past


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize(("text", "points", "outcome"), [
    (f"middle=SPOS lines={lines} hands=g1,g2/r3,y deck=le,y,g1,g3,r1,r2 turn={turn}", *values)
    for lines, turn, values in [
        ("SS/PG", 0, (6, 1)), ("SS/PG", 1, (0, 0)), ("S/PPG", 0, (-2, -1)), ("SSSP/PP", 1, (6, 1)),
    ]
])
def test_certificates_prove_points_and_outcome(text: str, points: int, outcome: int) -> None:
    state = State.parse(text)
    for certificate, value in ((certify(state), points), (certify(state, "outcome"), outcome)):
        checked: Any = check_content(certificate)
        assert (checked.low, checked.high) == (value, value)
    assert certify(state).about["objective"] == "points"


def test_a_certificate_needs_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = State.parse(SIX_DOGS)
    with pytest.raises(NotProven, match="no proof within 0 CPU seconds"):
        certify(state, seconds=0)
    asked: list[tuple[Any, ...]] = []
    solve = TwoPlayers.solve

    def solving(self: TwoPlayers, *arguments: Any, **options: Any) -> Any:
        asked.append((*arguments, options))
        return solve(self, *arguments, **options)

    def values(self: TwoPlayers, *arguments: Any, **options: Any) -> None:
        asked.append((*arguments, options))

    monkeypatch.setattr(TwoPlayers, "solve", solving)
    monkeypatch.setattr(TwoPlayers, "values", values)
    with pytest.raises(NotProven, match="was proven to reach 0"):
        certify(state, seconds=50)
    assert [entry[1] for entry in asked] == ["points", "points"]
    assert all(40 < entry[2].pop("seconds") < 50 for entry in asked)
    # The value of the best move is all that is needed of the position itself.
    assert [entry[2] for entry in asked] == [{"all_moves": False}, {}]


def test_a_certificate_uses_the_table_that_it_may_and_tells_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.certificates.proof._TELL_EVERY", 5)
    state, told = State.parse(SIX_DOGS), list[str]()
    sizes: list[int] = []

    class Watched(TwoPlayers):
        def __init__(self, table_bytes: int) -> None:
            sizes.append(table_bytes)
            super().__init__(table_bytes)

    monkeypatch.setattr("exactplay.solvers.walk_the_dogs.certificate.TwoPlayers", Watched)
    certify(state, table_bytes=1 << 16, progress=told.append)
    certify(state)
    assert sizes == [1 << 16, 256 << 20]
    assert "5 positions proven" in told
