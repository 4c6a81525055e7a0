"""The parts of the solvers of Walk the Dogs: answers in full, limits, certificates, and what the steps between do."""
from __future__ import annotations

from typing import Any

import pytest

from exactplay.certificates import check_content
from exactplay.rules.contract import IllegalMove
from exactplay.rules.walk_the_dogs import Move, State
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.walk_the_dogs.certificate import certify
from exactplay.solvers.walk_the_dogs.native import NativeState
from exactplay.solvers.walk_the_dogs.play import TwoPlayers

#: an example of the documentation
SIX_DOGS = "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3"


def test_the_core_names_a_move_that_is_not_legal() -> None:
    with pytest.raises(IllegalMove, match="g1:SSS is not legal"):
        NativeState.of(State.parse(SIX_DOGS)).play(Move.parse("g1:SSS"))


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
