"""Advice in Walk the Dogs in full: worlds, spans, kinds of answers, notes, and what happens at limits."""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from exactplay.rules.contract import IllegalPosition
from exactplay.rules.walk_the_dogs import View
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice
from exactplay.solvers.limits import Limits
from exactplay.solvers.walk_the_dogs import HiddenWorlds, advise, fold_mirrors


def seen(text: str, unseen: str) -> View:
    """A view in which all cards but these lie in the discards, on the table or in his hand."""
    view = View.parse(f"{text} discards=-")
    left = Counter(view.rules.deck())
    left.subtract((*view.hand, *unseen.split(), *["bo"] * sum(view.bones)))
    return replace(view, discards=tuple(left.elements()))


# ---------------------------------------------------------------- the worlds


@pytest.mark.parametrize(("text", "unseen", "worlds", "deals", "piles"), [
    # Two draws at most of a pile of bones and others.
    ("middle=SS lines=-/PPS hands=-/#2 bones=2/2", "g1 r1 r2 r3 r3 r3 le bo", 2880, 15120, {5, 6}),
    ("middle=P lines=P/SGP/G hands=-/#1/#2 bones=1/2/2", "g1 g1 g3 r2 r3 y", 102, 360, {1}),
    # The own cards hold leashes, so that more than the dogs may be drawn.
    ("middle=S lines=-/OPSP hands=r2,le,le/#2 bones=3/2", "g2 g3 r1 r3 le", 60, 60, {3}),
    # Every move ends the game.
    ("middle=S lines=PS/S hands=r1/#1 bones=3/2", "g1 g3 g3 r2 le", 1, 1, {4}),
])
def test_how_many_worlds_there_are(text: str, unseen: str, worlds: int, deals: int, piles: set[int]) -> None:
    listed = list(HiddenWorlds(seen(text, unseen)).weighted())
    assert len(listed) == worlds
    assert sum(weight for _, weight in listed) == deals
    assert {len(world.deck) for world, _ in listed} == piles


@pytest.mark.parametrize(("text", "unseen", "past"), [
    ("middle=OPP lines=O/PPPO/SSO hands=le/#2/#2 bones=0/1/4", "g2 g2 g3 g3 g3 r1 r1 r2 r2 r3 r3 r3 y le dc", True),
    ("middle=SSP lines=S/PG hands=g1/#1", "g1 g2 bo", True),
    ("middle=SSP lines=S/PG hands=g1/#1", "g1 g2 g3 bo", False),
    ("middle=BP lines=OOGG/GO hands=r2,r3,le/#1 bones=1/2", "g1 g2 r1 r2 r2 r3 y y le bo bo", False),
    ("middle=BP lines=GOB/GP/O hands=r2,y/#2/#1 bones=1/1/3", "g1 g1 g2 g3 r1 r2 y le le dc", False),
    (
        "middle=OP lines=OPS/PGOSS/O/S hands=-/#2/#2/#1 bones=1/2/0/0",
        "g1 g1 g2 g3 g3 g3 g3 g3 r1 r2 r2 r3 r3 r3 y y le le bo bo", False,
    ),
    ("middle=G lines=SB/- hands=g1,r1/#2 bones=2/2", "g3 y bo", False),
    ("middle=S lines=SB/- hands=g1,r1/#2 advanced=true", "g1 " * 5 + "g2 " * 6 + "g3 " * 6, True),
])
def test_whether_some_world_may_run_past_its_pile(text: str, unseen: str, past: bool) -> None:
    assert HiddenWorlds(seen(text, unseen)).may_run_past() == past


@pytest.mark.parametrize(("text", "unseen", "points", "outcome"), [
    # 2 * (7 a dog + 14 a leash + 3 a bone, and 16 for each of at most so many groups that a catcher can take)
    (
        "middle=S lines=OPSO/POPO hands=g3,r3,le/#2 bones=0/3",
        "g1 g1 g2 g2 g2 g2 g3 g3 g3 g3 g3 r1 r1 r1 r2 r3 r3 r3 r3 r3 y y y y le bo bo dc",
        2 * (7 + 2 * 14 + 2 * 3 + 16 * 9), 2,
    ),
    (
        "middle=SPP lines=SSPSP/PSSP hands=-/#1 bones=3/1", "g1 g1 g2 g2 g3 g3 g3 r1 r1 r2 r3 r3 y y y le bo",
        2 * (3 * 7 + 14 + 3), 2,
    ),
    # Five in a row is out of reach by one dog, and within it.
    ("middle=PPOOOS lines=-/POOP/-/O hands=g3,r2/#1/#1/#2 bones=1/1/1/2", "g2 g2 r1 r2 r3 y", 2 * 6 * 7, 12),
    ("middle=PPOOOS lines=-/OOP/-/O hands=g3,r2/#1/#1/#2 bones=1/1/1/2", "g2 g2 r1 r2 r3 y", 2000, 12),
    ("middle=DDDD lines=S/P hands=g2,g1/#1", "g1 g2 g3", 2 * 4 * 7, 2),
    # Two leashes and a catcher reach no deeper than four groups: not the three dalmatians.
    ("middle=DD lines=SPSPDDDSPSP/O hands=le,g1/#1", "le dc g1 g2 g3", 2 * (2 * 7 + 2 * 14 + 16 * 14), 2),
    ("middle=DD lines=SPSDDDSPSP/O hands=le,g1/#1", "le dc g1 g2 g3", 2000, 2),
    # A leash brings dogs of other lines together.
    ("middle=DD lines=DD/OD hands=le,g1/#1", "g1 g2 g3", 2000, 2),
    ("middle=DD lines=DD/OD hands=g2,g1/#1", "g1 g2 g3", 2 * 2 * 7, 2),
])
def test_how_far_two_values_of_a_move_can_be_apart(text: str, unseen: str, points: int, outcome: int) -> None:
    worlds = HiddenWorlds(seen(text, unseen))
    assert worlds.span("points") == points
    assert worlds.span("outcome") == outcome


# ---------------------------------------------------------------- answers

TWO, THREE = "middle=SPOPS lines=SS/PGP hands=g1,r1/#2", "middle=SPOPS lines=SS/PGP/OS hands=g1,r1/#1/#1"
NINE = "g1 r1 r2 r3 y y le dc bo"


@pytest.mark.parametrize(("text", "unseen", "asked", "kind", "moves", "worlds", "said"), [
    # No choice is left that a hidden card could change.
    (
        "middle=SP lines=SS/PG hands=g1,r2/#1", "g1 r2 r1 y", {}, "exact expectation",
        {"g1:SSS": 4, "r2:PSSS": 8, "r2:SPSS": 4}, 12, "",
    ),
    (
        "middle=SP lines=SS/PG hands=#2/g1,r2 turn=1", "g1 r1 y", {"objective": "outcome"}, "exact expectation",
        {"g1:PGS": -1, "g1:SPG": -1, "r2:PGPS": -1, "r2:PGSP": -1, "r2:PPGS": 1, "r2:PSPG": -1, "r2:SPPG": 1}, 3,
        "",
    ),
    (
        "middle=SP lines=SS/PG/P hands=g1,r1/#1/#1", "g1 r1 r2 y", {"method": "solve"}, "exact expectation",
        {"g1:SSS": 9, "r1:PSS": 5}, 24, "worse for the player",
    ),
    (
        "middle=S lines=SS/PG/P/O hands=g1,r1/#1/#1/#1", "g1 r1 r2 y", {}, "exact",
        {"g1:SSS": 9, "r1:SSS": 9}, 1, "",
    ),
    (
        "middle=SP lines=SS/PG hands=g1,r2/#1", "g1 r2 r1 y", {}, "exact expectation",
        {"g1:SSS": 4, "r2:PSSS": 8, "r2:SPSS": 4}, 12, "",
    ),
    # Some is left.
    (
        "middle=SPS lines=SS/PG hands=g1,r2/#2", "g1 r1 r2 y", {}, "enumerated average",
        {"g1:SSS": 3, "r2:PSSS": 7, "r2:SPSS": 3}, 12, "strategy fusion",
    ),
    (
        "middle=SP lines=GG/DC hands=g1,r1/#1", "g1 le r2 bo", {"objective": "outcome"}, "enumerated average",
        {"g1:GGS": 1 / 9, "r1:GGP": 1 / 9}, 18, "past the known order",
    ),
    (
        "middle=PSO lines=SSSS/PG/OS hands=g1,r1/#1/#1", "g1 r1 r2 le dc bo", {"objective": "outcome"},
        "enumerated average", {"g1:PSSSS": 1 / 2, "r1:OSSSS": 1 / 3}, 288, "past the known order",
    ),
    # Samples.
    (
        TWO, NINE, {"samples": 6, "seed": 3}, "estimate", {"g1:SSS": -0.5, "r1:SSS": -2}, 6,
        "seed 3",
    ),
    (
        TWO, NINE, {"samples": 6, "seed": 3, "method": "play-out"}, "estimate",
        {"g1:SSS": -1 / 24, "r1:SSS": 1 + 19 / 24}, 6, "played out 4 times",
    ),
    (
        THREE, NINE, {"samples": 6, "seed": 4, "method": "solve", "objective": "outcome"}, "estimate",
        {"g1:SSS": 5, "r1:SSS": 3}, 6, "strategy fusion",
    ),
    # Played out is no expectation, even where there is but one world.
    (
        "middle=SP lines=SS/PG hands=r2/#1", "g1 r1 y", {"samples": 3, "seed": 1, "method": "play-out"}, "estimate",
        {"r2:PSSS": 8, "r2:SPSS": 4}, 3, "played out 4 times",
    ),
    # Five dogs are too many for max^n, four are not.
    (
        THREE, NINE, {"samples": 6, "seed": 4, "objective": "outcome"}, "estimate", {"g1:SSS": 7.75, "r1:SSS": 5}, 6,
        "played out 4 times",
    ),
    (
        THREE.replace("SPOPS", "SPOP"), NINE, {"samples": 6, "seed": 4}, "estimate", {"g1:SSS": 7.5, "r1:PSS": 29 / 6},
        6, "strategy fusion",
    ),
])
def test_advice_in_full(
    text: str, unseen: str, asked: dict[str, Any], kind: str, moves: dict[str, float], worlds: int, said: str
) -> None:
    asked = dict(asked)
    answer = fold_mirrors(advise(seen(text, unseen), limits=Limits(samples=asked.pop("samples", None)), **asked))
    assert {verdict.kind for verdict in answer.moves.values()} == {kind}
    best = [move for move, mean in moves.items() if mean == max(moves.values())]
    assert [str(move) for move in answer.best] == (best[:1] if kind == "estimate" else best)
    assert said in " ".join(answer.notes)
    if isinstance(answer, Advice):
        assert {str(move): interval.mean for move, interval in answer.intervals.items()} == pytest.approx(moves)
        assert (answer.worlds, answer.enumerated) == (worlds, kind != "estimate")
        assert answer.seed == (asked["seed"] if kind == "estimate" else None)
    else:
        assert {str(move): verdict.value for move, verdict in answer.moves.items()} == moves  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "objective", "low", "high"), [
    ("middle=SPS lines=SS/PG hands=g1,r2/#2", "points", 7 - 14.0837155, 7 + 14.0837155),
    ("middle=SPS lines=SS/PG hands=g1,r2/#2", "outcome", 0.3293469, 1),
    ("middle=SPS lines=-/PPPP hands=g1,r2/#2", "outcome", -1, -0.3293469),
    ("middle=SP lines=SS/PG/P hands=g1,r1/#1/#1", "outcome", 7.9760813, 12),
    ("middle=SP lines=O/PPPP/P hands=g1,r1/#1/#1", "outcome", 0, 4.0239187),
])
def test_intervals_end_at_the_best_and_worst_outcome(
    text: str, objective: Any, low: float, high: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "ENUMERATE_AT_MOST", 0)
    answer = advise(seen(text, "g1 r1 r2 y"), objective=objective, limits=Limits(samples=10))
    assert isinstance(answer, Advice)
    interval = answer.intervals[answer.best[0]]
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_advice_names_the_rules_and_refuses_who_is_not_to_move() -> None:
    view = seen("middle=SP lines=SS/PG hands=g1,r2/#1 three_in_any_order=false", "g1 r2 r1 y")
    assert advise(view).rules == "three_in_any_order=false"
    with pytest.raises(IllegalPosition, match="the game is over"):
        advise(replace(view, middle=""))
    with pytest.raises(IllegalPosition, match="player 1 is not to move here"):
        advise(replace(view, seat=1))


EIGHT = "middle=SPOGSPBB lines=SS/PG/OB hands=g1,y,r2/#2/#2"
LARGE = "middle=SPOOPSDDGBSPOGBDCSPOG lines=SSOP/PGDDC hands=g1,y,r2/#2"


@pytest.mark.parametrize("text", [EIGHT, LARGE.replace("SPOGBDCSPOG", "")])
@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=0), Limits(samples=2, memory_mb=0.06)], ids=str)
def test_worlds_are_played_out_where_the_limits_do_not_suffice_to_solve_them(text: str, limits: Limits) -> None:
    answer = advise(View.parse(text), method="solve", limits=limits)
    assert isinstance(answer, Advice)
    assert answer.worlds == 2
    if limits.memory_mb is None or text == EIGHT:
        assert "played out 4 times" in " ".join(answer.notes)
