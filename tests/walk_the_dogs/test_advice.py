"""Advice in Walk the Dogs in full: worlds, spans, kinds of answers, notes, and what happens at limits."""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from exactplay.rules.contract import IllegalPosition
from exactplay.rules.walk_the_dogs import View
from exactplay.solvers.hidden import Advice
from exactplay.solvers.walk_the_dogs import HiddenWorlds, advice, advise, play
from exactplay.solvers.walk_the_dogs.play import TwoPlayers


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

#: words of each note, in its order
POINTS, OUTCOME = "the player's own points minus the other's", "the player's: 1 he wins, 0 shared, -1"
VECTORS, SHARES = "the player's own points; five in a row is 1000", "the player's share of 12"
EQUAL, TIES, PAST = "counts as equally likely", "max^n takes the one that is worse", "past the known order of the pile"
FUSION, PLAYED, SAMPLED = "strategy fusion", "each world is played out 4 times", "Sampled worlds: "
CLOSE = "Not distinguished from the best"
TWO, THREE = "middle=SPOPS lines=SS/PGP hands=g1,r1/#2", "middle=SPOPS lines=SS/PGP/OS hands=g1,r1/#1/#1"
NINE = "g1 r1 r2 r3 y y le dc bo"


def check_notes(answer: Advice[Any], *words: str) -> None:
    assert len(answer.notes) == len(words), answer.notes
    for note, part in zip(answer.notes, words, strict=True):
        assert part in note


@pytest.mark.parametrize(("text", "unseen", "asked", "kind", "moves", "worlds", "notes"), [
    # No choice is left that a hidden card could change.
    (
        "middle=SP lines=SS/PG hands=g1,r2/#1", "g1 r2 r1 y", {}, "exact expectation",
        {"g1:SSS": 4, "r2:PSSS": 8, "r2:SPSS": 4}, 12, (POINTS, EQUAL),
    ),
    (
        "middle=SP lines=SS/PG hands=#2/g1,r2 turn=1", "g1 r1 y", {"objective": "outcome"}, "exact expectation",
        {"g1:PGS": -1, "g1:SPG": -1, "r2:PGPS": -1, "r2:PGSP": -1, "r2:PPGS": 1, "r2:PSPG": -1, "r2:SPPG": 1}, 3,
        (OUTCOME, EQUAL),
    ),
    (
        "middle=SP lines=SS/PG/P hands=g1,r1/#1/#1", "g1 r1 r2 y", {"method": "solve"}, "exact expectation",
        {"g1:SSS": 9, "r1:PSS": 5}, 24, (VECTORS, EQUAL, TIES),
    ),
    (
        "middle=S lines=SS/PG/P/O hands=g1,r1/#1/#1/#1", "g1 r1 r2 y", {}, "exact expectation",
        {"g1:SSS": 9, "r1:SSS": 9}, 1, (VECTORS, EQUAL, TIES),
    ),
    (
        "middle=SP lines=SS/PG hands=g1,r2/#1", "g1 r2 r1 y", {"enumerate_at_most": 12}, "exact expectation",
        {"g1:SSS": 4, "r2:PSSS": 8, "r2:SPSS": 4}, 12, (POINTS, EQUAL),
    ),
    # Some is left.
    (
        "middle=SPS lines=SS/PG hands=g1,r2/#2", "g1 r1 r2 y", {}, "enumerated average",
        {"g1:SSS": 3, "r2:PSSS": 7, "r2:SPSS": 3}, 12, (POINTS, EQUAL, FUSION),
    ),
    (
        "middle=SP lines=GG/DC hands=g1,r1/#1", "g1 le r2 bo", {"objective": "outcome"}, "enumerated average",
        {"g1:GGS": 1 / 9, "r1:GGP": 1 / 9}, 18, (OUTCOME, EQUAL, PAST, FUSION),
    ),
    (
        "middle=PSO lines=SSSS/PG/OS hands=g1,r1/#1/#1", "g1 r1 r2 le dc bo", {"objective": "outcome"},
        "enumerated average", {"g1:PSSSS": 1 / 2, "r1:OSSSS": 1 / 3}, 288, (SHARES, EQUAL, TIES, PAST, FUSION),
    ),
    # Samples.
    (
        TWO, NINE, {"samples": 6, "seed": 3}, "estimate", {"g1:SSS": -0.5, "r1:SSS": -2}, 6,
        (POINTS, EQUAL, PAST, FUSION, f"{SAMPLED}6, the same for all moves, seed 3", CLOSE),
    ),
    (
        TWO, NINE, {"samples": 6, "seed": 3, "method": "play out"}, "estimate",
        {"g1:SSS": -1 / 24, "r1:SSS": 1 + 19 / 24}, 6, (POINTS, EQUAL, PLAYED, f"{SAMPLED}6"),
    ),
    (
        THREE, NINE, {"samples": 6, "seed": 4, "method": "solve", "objective": "outcome"}, "estimate",
        {"g1:SSS": 5, "r1:SSS": 3}, 6, (SHARES, EQUAL, TIES, PAST, FUSION, f"{SAMPLED}6", CLOSE),
    ),
    # Played out is no expectation, even where there is but one world.
    (
        "middle=SP lines=SS/PG hands=r2/#1", "g1 r1 y", {"samples": 3, "seed": 1, "method": "play out"}, "estimate",
        {"r2:PSSS": 8, "r2:SPSS": 4}, 3, (POINTS, EQUAL, PLAYED, f"{SAMPLED}3", CLOSE),
    ),
    # Five dogs are too many for max^n, four are not.
    (
        THREE, NINE, {"samples": 6, "seed": 4, "objective": "outcome"}, "estimate", {"g1:SSS": 7.75, "r1:SSS": 5}, 6,
        (SHARES, EQUAL, PLAYED, f"{SAMPLED}6", CLOSE),
    ),
    (
        THREE.replace("SPOPS", "SPOP"), NINE, {"samples": 6, "seed": 4}, "estimate", {"g1:SSS": 7.5, "r1:PSS": 29 / 6},
        6, (VECTORS, EQUAL, TIES, PAST, FUSION, f"{SAMPLED}6", CLOSE),
    ),
])
def test_advice_in_full(
    text: str, unseen: str, asked: dict[str, Any], kind: str, moves: dict[str, float], worlds: int, notes: tuple[str, ...]
) -> None:
    told: list[int] = []
    answer = advise(seen(text, unseen), **asked, progress=told.append)
    assert {verdict.kind for verdict in answer.moves.values()} == {kind}
    assert {str(move): interval.mean for move, interval in answer.intervals.items()} == pytest.approx(moves)
    assert [str(move) for move in answer.best] == [move for move, mean in moves.items() if mean == max(moves.values())]
    assert (answer.worlds, told) == (worlds, list(range(1, worlds + 1)))
    assert answer.enumerated == (kind != "estimate")
    assert answer.seed == (asked["seed"] if kind == "estimate" else None)
    check_notes(answer, *notes)


@pytest.mark.parametrize(("text", "objective", "low", "high"), [
    ("middle=SPS lines=SS/PG hands=g1,r2/#2", "points", 7 - 14.0837155, 7 + 14.0837155),
    ("middle=SPS lines=SS/PG hands=g1,r2/#2", "outcome", 0.3293469, 1),
    ("middle=SPS lines=-/PPPP hands=g1,r2/#2", "outcome", -1, -0.3293469),
    ("middle=SP lines=SS/PG/P hands=g1,r1/#1/#1", "outcome", 7.9760813, 12),
    ("middle=SP lines=O/PPPP/P hands=g1,r1/#1/#1", "outcome", 0, 4.0239187),
])
def test_intervals_end_at_the_best_and_worst_outcome(text: str, objective: Any, low: float, high: float) -> None:
    answer = advise(seen(text, "g1 r1 r2 y"), objective, enumerate_at_most=0, samples=10)
    interval = answer.intervals[answer.best[0]]
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_advice_names_the_rules_and_refuses_who_is_not_to_move() -> None:
    view = seen("middle=SP lines=SS/PG hands=g1,r2/#1 three_in_any_order=false", "g1 r2 r1 y")
    assert advise(view).rules == "three_in_any_order=false"
    with pytest.raises(IllegalPosition, match="the game is over"):
        advise(replace(view, middle=""))
    with pytest.raises(IllegalPosition, match="player 1 is not to move here"):
        advise(replace(view, player=1))


def test_few_worlds_are_enumerated_and_else_400_sampled() -> None:
    view = seen("middle=SPOP lines=SS/PGP hands=g1,r1/#1", "g1 r1 r2 r3 y bo")
    worlds = sum(1 for _ in HiddenWorlds(view).weighted())
    assert worlds == 480
    assert advise(view).worlds == 480
    assert advise(view, enumerate_at_most=480).enumerated
    assert not advise(view, enumerate_at_most=479, samples=3).enumerated
    # Its two moves are worth the same, so that no sample tells them apart.
    view = seen("middle=SPS lines=SS/PG/P hands=g1,r1/#1/#1", "g1 r1 r2 y")
    sampled = advise(view, enumerate_at_most=0)
    assert (sampled.worlds, sampled.seed) == (400, 0)
    again = advise(view, "points", method="auto", seed=0, samples=400, enumerate_at_most=0)
    assert again == replace(sampled, effort=again.effort)


# ---------------------------------------------------------------- limits

EIGHT = "middle=SPOGSPBB lines=SS/PG/OB hands=g1,y,r2/#2/#2"
LARGE = "middle=SPOOPSDDGBSPOGBDCSPOG lines=SSOP/PGDDC hands=g1,y,r2/#2"


@pytest.mark.parametrize("text", [EIGHT, LARGE.replace("SPOGBDCSPOG", "")])
def test_worlds_are_played_out_where_time_does_not_suffice_for_one(text: str) -> None:
    answer = advise(View.parse(text), method="solve", seconds=0, enumerate_at_most=0, samples=20)
    assert answer.worlds == 2
    assert PLAYED in answer.notes[2]


@pytest.mark.parametrize(("text", "table_bytes"), [(EIGHT, 1 << 16), (EIGHT, None), (LARGE, 1 << 16), (LARGE, None)])
def test_the_memory_for_the_table_is_passed_on(
    text: str, table_bytes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    plain = play.maxn_searcher

    def maxn(objective: Any, size: int) -> Any:
        asked.append((objective, size))
        return plain(objective, size)

    class Watched(TwoPlayers):
        def __init__(self, size: int) -> None:
            asked.append(size)
            super().__init__(size)

        def values(self, *arguments: Any, **options: Any) -> Any:
            # The world that decides is drawn with the seed.
            assert arguments[0] == HiddenWorlds(View.parse(text)).sample(random.Random(0))
            asked.append((*arguments[1:], options))
            return None

    monkeypatch.setattr(advice, "maxn_searcher", maxn)
    monkeypatch.setattr(advice, "TwoPlayers", Watched)
    more: Any = {} if table_bytes is None else {"table_bytes": table_bytes}
    size = table_bytes or 64 << 20
    answer = advise(View.parse(text), samples=3, method="solve" if text == EIGHT else "auto", enumerate_at_most=0, **more)
    if text == EIGHT:
        # A small table does not suffice for one world; then worlds are played out.
        assert asked == ([size, ("points", size), size] if table_bytes else [size, *[("points", size)] * 3])
        assert (PLAYED in answer.notes[2]) == bool(table_bytes)
    else:
        assert asked == [size, ("points", 60_000, {})]
        assert PLAYED in answer.notes[2]


@pytest.mark.parametrize(("enumerate_at_most", "solved", "method"), [
    (1000, 5, "solve"), (0, 1, "play out"), (0, 0, "play out"),
])
def test_the_second_way_is_asked_the_same(
    enumerate_at_most: int, solved: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = seen("middle=SPS lines=SS/PG hands=g1,r2/#2", "g1 r1 r2 y")
    asked: list[Any] = []
    count = [0]
    plain = TwoPlayers.values

    def values(self: TwoPlayers, *arguments: Any, **limits: Any) -> Any:
        count[0] += 1
        return plain(self, *arguments, **limits) if count[0] <= solved else None

    second: Any = "the second answer"

    def again(*arguments: Any, **options: Any) -> Any:
        asked.append((arguments, options))
        return second

    monkeypatch.setattr(TwoPlayers, "values", values)
    monkeypatch.setattr(advice, "advise", again)
    told: list[int] = []
    more: Any = {
        "samples": 7, "seed": 5, "table_bytes": 1 << 20, "progress": told.append, "enumerate_at_most": enumerate_at_most,
    }
    for seconds in (None, 50):
        asked.clear()
        count[0] = 0
        assert advise(view, "outcome", method="solve", seconds=seconds, **more) is second
        ((arguments, options),) = asked
        left = options.pop("seconds")
        assert left is None if seconds is None else 40 < left < 50
        assert arguments == (view, "outcome")
        assert options == {**more, "enumerate_at_most": 0, "method": method}


@pytest.mark.parametrize("text", ["middle=SPS lines=SS/PG hands=g1,r2/#2", "middle=SP lines=SS/PG hands=r2/#2"])
def test_two_worlds_solved_are_a_sample(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is but one world."""
    view = seen(text, "g1 r1 r2 y")
    count = [0]
    plain = TwoPlayers.values

    def values(self: TwoPlayers, *arguments: Any, **limits: Any) -> Any:
        count[0] += 1
        return plain(self, *arguments, **limits) if count[0] <= 2 else None

    expected = advise(view, method="solve", enumerate_at_most=0, samples=2)
    monkeypatch.setattr(TwoPlayers, "values", values)
    answer = advise(view, method="solve", enumerate_at_most=0, samples=9)
    assert answer == replace(expected, effort=answer.effort)
    assert (answer.worlds, answer.enumerated) == (2, False)


def test_a_world_may_take_half_of_the_time_where_nothing_follows_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """While worlds are enumerated, and for the first two of a sample; then all that is left."""
    view = seen("middle=SPS lines=SS/PG hands=g1,r2/#2", "g1 r1 r2 y")
    allowed: list[float] = []
    plain = TwoPlayers.values

    def values(self: TwoPlayers, *arguments: Any, **limits: Any) -> Any:
        allowed.append(limits["seconds"])
        return plain(self, *arguments, **limits)

    monkeypatch.setattr(TwoPlayers, "values", values)
    advise(view, method="solve", seconds=1000)
    assert len(allowed) == 12
    assert all(400 < seconds <= 500 for seconds in allowed)
    allowed.clear()
    advise(view, method="solve", seconds=1000, enumerate_at_most=0, samples=5)
    assert [round(seconds, -2) for seconds in allowed] == [500, 500, 1000, 1000, 1000]
