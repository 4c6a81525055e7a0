"""The parts of the solvers of Walk the Dogs: answers in full, limits, certificates, and what the steps between do."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from exactplay.certificates import check_content
from exactplay.rules.walk_the_dogs import Move, State
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Bounds, Exact, Result, Verdict
from exactplay.solvers.walk_the_dogs import fold_mirrors, solve
from exactplay.solvers.walk_the_dogs.bridge import position_of
from exactplay.solvers.walk_the_dogs.certificate import certify
from exactplay.solvers.walk_the_dogs.exact import drawn

# ---------------------------------------------------------------- open hands

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


@pytest.mark.parametrize(("text", "asked", "expected"), [
    (THREE, {}, (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -3, "r1:SSO": -3}, "+bo +g1 g1:SSS +y r3:OPP")),
    (
        THREE, {"moves": "best"},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": (-1000, -3), "r1:SSO": (-1000, -3)}, "+bo +g1 g1:SSS +y r3:OPP"),
    ),
    (
        THREE, {"objective": "outcome"},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -1, "r1:SSO": -1}, "+bo +g1 g1:SSS +y r3:OPP"),
    ),
    (
        THREE, {"objective": "outcome", "moves": "best"},
        (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": (-1, 0), "r1:SSO": (-1, 0)}, "+bo +g1 g1:SSS +y r3:OPP"),
    ),
    (FIVE, {}, (-1000, "r1:PPPPP", {"g1:GPPPP": -1, "g1:PPPPG": -1, "r1:PPPPP": -1000}, "r1:PPPPP")),
    (
        FIVE, {"moves": "best"},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1, 1000), "g1:PPPPG": (-1, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"),
    ),
    (
        FIVE, {"objective": "outcome"},
        (-1, "g1:GPPPP g1:PPPPG r1:PPPPP", {"g1:GPPPP": -1, "g1:PPPPG": -1, "r1:PPPPP": -1},
         "g1:GPPPP +g1 g1:OSSSS +r1 r1:GPPPPP"),
    ),
    (
        "middle=OPS lines=SSSS/PPP hands=g1/r1,g1 deck=g2 turn=1 phase=play advanced=true", {},
        (0, "draw", {"draw": 0, "g1:OPPP": 6, "g1:PPPO": 6, "r1:PPPS": 6, "r1:SPPP": 6},
         "draw +g2 g1:OSSSS g1:PPPP pass g2:PPPPS"),
    ),
    # A move that is worse by one point has its bound only.
    (
        "middle=B lines=-/OOG hands=r3,le/- deck=r2,dc,y,g3,y,bo,g1,r2,bo", {"moves": "best"},
        (-1, "le.1b:G", {"le.1b:G": -1, "le.1f:O": (-1000, -2), "r2:B": -4, "r3:B": -4}, "+r2 le.1b:G +dc +y y:B"),
    ),
    (
        "middle=PSS lines=PP/SSPSPP hands=-/- deck=g1,dc,y,le,r1,r2,dc,le turn=1 bones=1/1", {"moves": "best"},
        (-3, "g1:PSSPSPP", {"g1:PSSPSPP": -3, "g1:SSPSPPP": (-2, 1000)}, "+g1 g1:PSSPSPP +dc +y y:SS"),
    ),
    # Every move loses.
    *(
        (f"middle=SDP lines={lines} hands=g1/g1 deck=y,y phase=play turn={turn}", {"moves": moves, "objective": of},
         (value, "g1:PGS g1:SPG", {"g1:PGS": value, "g1:SPG": value}, "g1:PGS +y g1:DDDDD"))
        for lines, turn, sign in (("PG/DDDD", 0, -1), ("DDDD/PG", 1, 1))
        for of, value in (("points", 1000 * sign), ("outcome", sign))
        for moves in ("all", "best")
    ),
    # A limit: no bound, a bound on one side, and a value that moves with bounds may reach as well.
    (
        THREE, {"limits": Limits(nodes=0)},
        ((-1000, 1000), "g1:SSS r1:OSS r1:SSO", dict.fromkeys(("g1:SSS", "r1:OSS", "r1:SSO"), (-1000, 1000)), "+bo +g1"),
    ),
    (
        THREE, {"limits": Limits(nodes=2)},
        ((1, 1000), "g1:SSS", {"g1:SSS": (1, 1000), "r1:OSS": (-1000, 1000), "r1:SSO": (-1000, 1000)}, "+bo +g1"),
    ),
    (
        FIVE, {"limits": Limits(nodes=0)},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1000, 1000), "g1:PPPPG": (-1000, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"),
    ),
    (
        FIVE, {"objective": "outcome", "limits": Limits(nodes=0)},
        (-1, "r1:PPPPP", {"g1:GPPPP": (-1, 1), "g1:PPPPG": (-1, 1), "r1:PPPPP": -1}, "r1:PPPPP"),
    ),
    (
        FIVE, {"moves": "best", "limits": Limits(nodes=2)},
        (-1000, "r1:PPPPP", {"g1:GPPPP": (-1000, 1000), "g1:PPPPG": (-1000, 1000), "r1:PPPPP": -1000}, "r1:PPPPP"),
    ),
    # A limit that leaves too little for the line of play.
    (THREE, {"limits": Limits(nodes=5)}, (1, "g1:SSS", {"g1:SSS": 1, "r1:OSS": -3, "r1:SSO": -3}, "+bo +g1")),
    # Three players.
    (
        "middle=BP lines=SSBSSO/O/O hands=r1,le/g2,le/- deck=bo,dc turn=1", {},
        (((6, 5, 0), (6, 7, 0)), "le.0b:O le.0f:B g2:BP g2:PB",
         {"le.0b:O": (6, 5, 0), "le.0f:B": ((6, 5, 0), (6, 7, 0)), "g2:BP": (6, 5, 0), "g2:PB": (6, 5, 0)},
         "+bo +dc le.0b:O pass le.1f:BSSO g2:BP"),
    ),
    (
        "middle=O lines=-/GSO/PS hands=g1,y/g2/g1,le deck=dc,bo,y turn=2", {},
        ((4, 1, 4), "lose:front", {"lose:back": ((3, 1, 2), (4, 2, 2)), "lose:front": (4, 1, 4)},
         "+dc lose:front lose:back +bo +y le.1b:SS g1:O"),
    ),
    (
        "middle=O lines=-/GSO/PS hands=g1,y/g2/g1,le deck=dc,bo,y turn=2", {"objective": "outcome"},
        ((0, 0, 12), "lose:front", {"lose:back": (12, 0, 0), "lose:front": (0, 0, 12)},
         "+dc lose:front lose:back +bo +y le.1b:SS g1:O"),
    ),
    (
        "middle=S lines=S/-/PPS hands=le/g2,r1/g2,g2 deck=bo,dc,y,y", {},
        (((1, 3, 0), (1, 4, 1)), "le.2f:S y:S", {"le.2f:S": (1, 4, 0), "y:S": (1, 3, 1)}, "+bo +dc +y le.2f:S +y g2:S"),
    ),
    (
        "middle=S lines=PG/SG/GS hands=r1,le/-/g1,g1 deck=dc,r1,r2 bones=0/1/1", {"objective": "outcome"},
        (((0, 6, 0), (0, 12, 6)), "lose:back lose:front",
         {"lose:back": ((0, 6, 0), (0, 12, 6)), "lose:front": ((0, 6, 0), (0, 12, 6))},
         "+dc lose:back lose:back lose:back +r1 le.1f:PS +r2 r2:S"),
    ),
    # The mover gets 12 whatever others do, though the draw alone could bring him nothing.
    (
        "middle=S lines=SSSS/SSS/S hands=g1,y/g1,g2/r2 deck=le,r1,r2,g3 turn=1 bones=0/1/1 advanced=true",
        {"objective": "outcome"},
        (((0, 12, 0), (12, 12, 0)), "draw g1:SSSS g2:SSSS",
         {"draw": ((12, 0, 0), (12, 12, 0)), "g1:SSSS": (0, 12, 0), "g2:SSSS": (0, 12, 0)}, "g1:SSSS"),
    ),
])
def test_the_answer_in_full(text: str, asked: dict[str, Any], expected: tuple[Any, ...]) -> None:
    state = State.parse(text)
    result = solve(state, **{"moves": "all", **asked})
    assert found(result) == expected
    cards = " ".join(map(str, drawn(position_of(state))[1]))
    assert (f"The draw comes first: {cards}; the values are" in " ".join(result.notes)) == bool(cards)


@pytest.mark.parametrize(("text", "points", "outcome"), [
    ("middle=- lines=SS/PG hands=g1,g2/r3 deck=?y turn=1 three_in_any_order=false", 2, 1),
    ("middle=- lines=S/PG hands=g1,g2/r3 deck=y advanced=true", -1, -1),
    ("middle=- lines=SS/PG/O hands=g1/r3/- deck=?y turn=2 advanced=true", (4, 2, 1), (12, 0, 0)),
])
def test_a_game_that_is_over_has_its_value(text: str, points: Any, outcome: Any) -> None:
    state = State.parse(text)
    assert (solve(state).verdict, solve(state, objective="outcome").verdict) == (Exact(points), Exact(outcome))


def test_a_small_table_ends_a_search_of_three_players() -> None:
    state = State.parse(EIGHT_DOGS)
    truth, result = solve(state), solve(state, limits=Limits(memory_mb=0.06))
    assert truth.verdict == Exact((16, 9, 11))
    assert (result.verdict, result.best, result.pv) == (Bounds(None, None), (), (Move.parse("+g1"),))
    assert "nothing is proven about the moves without a value" in " ".join(result.notes)
    assert all(verdict in (truth.moves[move], Bounds(None, None)) for move, verdict in result.moves.items())


def test_mirrored_moves_are_folded() -> None:
    state = State.parse("middle=OSB lines=PPPP/SSSS hands=r1/g1,r1 deck=- phase=play turn=1 three_in_any_order=false")
    result = solve(state, objective="outcome")
    folded = fold_mirrors(result)
    assert found(folded)[:3] == (-1, "g1:OSSSS r1:BSSSS", {"g1:OSSSS": -1, "r1:BSSSS": -1})
    assert replace(folded, moves=result.moves, best=result.best) == result


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize(("text", "points", "outcome"), [
    (f"middle=SPOS lines={lines} hands=g1,g2/r3,y deck=le,y,g1,g3,r1,r2 turn={turn}", *values)
    for lines, turn, values in [
        ("SS/PG", 0, (6, 1)), ("SS/PG", 1, (0, 0)), ("S/PPG", 0, (-2, -1)), ("SSSP/PP", 1, (6, 1)),
    ]
])
def test_certificates_prove_points_and_outcome(text: str, points: int, outcome: int) -> None:
    state = State.parse(text)
    for certificate, value in ((certify(state), points), (certify(state, objective="outcome"), outcome)):
        checked: Any = check_content(certificate)
        assert (checked.low, checked.high) == (value, value)
    assert certify(state).about["objective"] == "points"
