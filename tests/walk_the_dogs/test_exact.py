"""The solvers of Walk the Dogs against the data file and against slow programs that share no code with them."""
from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from exactplay.rules.contract import OVER, BadText, IllegalPosition
from exactplay.rules.walk_the_dogs import (
    BREEDS,
    Move,
    Objective,
    Rules,
    State,
    View,
    arrangements,
    has_five,
    mirrored,
    points,
)
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice
from exactplay.solvers.limits import Budget, Limits, Report
from exactplay.solvers.result import Bounds, EnumeratedAverage, Estimate, Exact, ExactExpectation, Result
from exactplay.solvers.walk_the_dogs import (
    HiddenWorlds,
    advise,
    best_addition,
    fold_mirrors,
    most_points,
    solve,
)
from exactplay.solvers.walk_the_dogs.exact import RAN_OUT, TwoPlayers, may_run_past
from tests.walk_the_dogs.reference import (
    case_move,
    case_state,
    cases,
    drawn,
    labelled_worlds,
    maxn,
    minimax,
    small_state,
    small_view,
    state_near_five,
    tree_value,
    words_of,
)


def by_id(case: Any) -> str:
    return str(case["id"])
OBJECTIVES: tuple[Objective, ...] = ("points", "outcome")


# ---------------------------------------------------------------- adding dogs


@pytest.mark.parametrize("case", cases("best_arrangement"), ids=by_id)
def test_best_addition(case: Any) -> None:
    any_order = Rules.from_mapping(case["input"].get("options", {})).three_in_any_order
    found = best_addition(case["input"]["line"], case["input"]["dogs"], any_order=any_order)
    assert found.to_json() == case["expect"]


@pytest.mark.parametrize("case", cases("best_points"), ids=by_id)
def test_most_points(case: Any) -> None:
    assert most_points(case["input"]["line"], case["input"]["dogs"]) == case["expect"]


def random_line(rng: random.Random, longest: int, breeds: int) -> str:
    return "".join(rng.choice(BREEDS[:breeds]) for _ in range(rng.randint(0, longest)))


@pytest.mark.parametrize("any_order", [True, False])
def test_adding_equals_brute_force(any_order: bool) -> None:
    rng = random.Random(1)
    for _ in range(300):
        breeds = rng.randint(1, 4)
        line, dogs = random_line(rng, 5, breeds), random_line(rng, 3, breeds)
        lines = arrangements(line, dogs, any_order)
        best = max((has_five(made), points(made)) for made in lines)
        found = best_addition(line, dogs, any_order=any_order)
        assert found.lines == tuple(sorted({mirrored(m) for m in lines if (has_five(m), points(m)) == best}))
        assert (found.points, found.five_possible) == (best[1], best[0])
        more = dogs + random_line(rng, 3 if any_order else 5, breeds)
        if any((line + more).count(breed) > 9 for breed in BREEDS):
            continue
        assert most_points(line, more, any_order=any_order) == max(map(points, arrangements(line, more, any_order)))


def test_dogs_are_added_in_any_order_unless_it_is_said() -> None:
    assert (best_addition("PS", "OSP").points, best_addition("PS", "OSP", any_order=False).points) == (9, 7)
    assert (most_points("PS", "OSP"), most_points("PS", "OSP", any_order=False)) == (9, 7)


def test_adding_refuses_what_no_box_holds() -> None:
    with pytest.raises(BadText, match="10 dogs of breed S"):
        most_points("SSSSS", "SSSSS")
    with pytest.raises(BadText, match="'X' is unknown"):
        best_addition("X", "S")
    with pytest.raises(BadText, match="at most three"):
        best_addition("S", "SPOG")


# ---------------------------------------------------------------- two players


@pytest.mark.parametrize("case", cases("solve"), ids=by_id)
def test_solve(case: Any) -> None:
    state, objective, expect = case_state(case), case["input"]["objective"], case["expect"]
    result = solve(state, objective=objective, moves="all")
    assert result.verdict == Exact(expect["value"])
    at = drawn(state)
    assert set(result.moves) == set(at.legal_moves())
    if "best" in expect:
        folded = fold_mirrors(result)
        found = [case_move(at, replace(move, line=mirrored(move.line))) for move in folded.best]
        assert sorted(found) == sorted(words_of(entry) for entry in expect["best"])
        assert len(folded.moves) == expect["plays"]
    for move in result.pv:
        state = state.play(move)
    assert state.to_move == OVER
    assert state.utilities(objective)[0] == expect["value"]


def check_against_minimax(state: State, solver: TwoPlayers) -> None:
    known: dict[State, dict[str, int]] = {}
    value = minimax(state, known)
    at = drawn(state)
    values = {move: minimax(at.play(move), known) for move in at.legal_moves()}
    for objective in OBJECTIVES:
        result, only, one = (
            solver.solve(state, objective, asked, Budget(Limits())) for asked in ("all", "best", "value")
        )
        assert result.verdict == only.verdict == one.verdict == Exact(value[objective]), str(state)
        assert result.moves == {move: Exact(own[objective]) for move, own in values.items()}, str(state)
        best = {move for move, own in values.items() if own[objective] == value[objective]}
        assert set(result.best) == set(only.best) == best, str(state)
        assert set() < set(one.best) <= best, str(state)
        for some in (only, one):
            for move, verdict in some.moves.items():
                if isinstance(verdict, Bounds):
                    assert verdict.low <= values[move][objective] <= verdict.high, str(state)  # type: ignore[operator]


def test_300_small_positions_equal_plain_minimax() -> None:
    """Value, the value of every move and the set of best moves, both objectives, under every option."""
    rng = random.Random(3)
    solver = TwoPlayers(1 << 20)
    for _ in range(300):
        check_against_minimax(small_state(rng, most_dogs=rng.choice([2, 2, 3])), solver)


def test_positions_near_five_in_a_row_equal_plain_minimax() -> None:
    rng = random.Random(13)
    solver = TwoPlayers(1 << 20)
    for _ in range(120):
        check_against_minimax(state_near_five(rng), solver)


def test_larger_positions_equal_plain_minimax() -> None:
    rng = random.Random(4)
    solver = TwoPlayers(1 << 24)
    for _ in range(12):
        check_against_minimax(small_state(rng, most_dogs=6, rules=Rules(three_in_any_order=False), deck=16), solver)


def middle_state(rng: random.Random, dogs: int, rules: Rules) -> State:
    """A position too large for minimax."""
    state = State.deal(rng, 2, rules)
    pile = list(state.deck)
    rng.shuffle(pile)
    return State.at(
        state.middle[:dogs], [state.middle[dogs : dogs + 3], state.middle[-4:]], state.hands, pile, rng.randrange(2),
        rules=rules,
    )


@pytest.mark.parametrize("rules", [Rules(), Rules(advanced=True), Rules(three_in_any_order=False)], ids=Rules.describe)
def test_the_same_whatever_the_table_and_the_way_of_asking(rules: Rules) -> None:
    """Cold and warm, tiny and large table; best move only; lines mirrored; players swapped."""
    rng = random.Random(5)
    warm = TwoPlayers(1 << 26)
    for _ in range(4):
        state = middle_state(rng, 7 if rules.advanced else 10, rules)
        if any(has_five(line) for line in state.lines):
            continue
        for objective in OBJECTIVES:
            def ask(asked: State, objective: Objective = objective) -> Result[Move]:
                return warm.solve(asked, objective, "all", Budget(Limits()))

            result = ask(state)
            assert isinstance(result.verdict, Exact)
            tiny = solve(state, objective=objective, moves="all", limits=Limits(memory_mb=0.001))
            assert ask(state).moves == tiny.moves == result.moves
            assert tiny.best == result.best
            only = solve(state, objective=objective)
            assert (only.verdict, only.best) == (result.verdict, result.best)
            agree(only, result)
            turned = replace(state, lines=(state.lines[0][::-1], state.lines[1]))
            assert ask(turned).verdict == result.verdict
            swapped = replace(state, lines=state.lines[::-1], hands=state.hands[::-1], turn=1 - state.turn)
            assert ask(swapped).verdict == Exact(-result.verdict.value)  # type: ignore[operator]


def agree(result: Result[Move], truth: Result[Move]) -> None:
    """What is proven of the moves is true."""
    for move, verdict in result.moves.items():
        exact = truth.moves[move].value  # type: ignore[union-attr]
        if isinstance(verdict, Bounds):
            assert verdict.low <= exact <= verdict.high  # type: ignore[operator]
        else:
            assert verdict == Exact(exact)


def test_a_limit_gives_bounds_that_hold() -> None:
    rng = random.Random(6)
    struck = 0
    for _ in range(6):
        state = middle_state(rng, 11, Rules())
        truth = solve(state, moves="all")
        for nodes in (1_100, 4_000):
            result = solve(state, moves="all", limits=Limits(nodes=nodes))
            if result.exact:
                assert result.verdict == truth.verdict
                continue
            struck += 1
            assert isinstance(result.verdict, Bounds)
            value = truth.verdict.value  # type: ignore[union-attr]
            assert result.verdict.low <= value <= result.verdict.high  # type: ignore[operator]
            assert any("limit" in note for note in result.notes)
            agree(result, truth)
    assert struck


def test_an_interrupted_search_raises_and_the_next_one_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.solvers.limits.REPORT_EVERY", 0.0)
    state = middle_state(random.Random(7), 12, Rules())
    solver = TwoPlayers(1 << 24)

    def interrupt(_: Report) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.solve(state, "points", "all", Budget(Limits(), interrupt))
    seen: list[Report] = []
    result = solver.solve(state, "points", "all", Budget(Limits(), seen.append))
    assert result.verdict == solve(state).verdict
    assert seen


def test_solve_refuses_a_shuffled_pile_and_other_boxes() -> None:
    with pytest.raises(IllegalPosition, match="order of the pile is not known"):
        solve(State.deal(random.Random(1)))
    with pytest.raises(IllegalPosition, match="six leash and dog catcher"):
        solve(State.at("SP", ["S", ""], [["le"], ["le"]], ["dc"] * 5))


# ---------------------------------------------------------------- three and four players


@pytest.mark.parametrize("case", cases("maxn"), ids=by_id)
def test_maxn(case: Any) -> None:
    state, objective = case_state(case), case["input"]["objective"]
    result = solve(state, objective=objective)
    assert result.verdict == Exact(tuple(case["expect"]["vector"]))
    for move in result.pv:
        state = state.play(move)
    assert state.utilities(objective) == tuple(case["expect"]["vector"])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_maxn_holds_whatever_breaks_the_ties(objective: Objective) -> None:
    rng = random.Random(8)
    unique = 0
    for number in range(50):
        state = small_state(rng, most_dogs=2, players=3 + number % 2, deck=8)
        verdict = solve(state, objective=objective).verdict
        for _ in range(3):
            vector = maxn(state, objective, rng, {})
            if isinstance(verdict, Exact):
                assert verdict.value == vector, str(state)
            else:
                assert isinstance(verdict, Bounds)
                ends: Any = zip(verdict.low, vector, verdict.high, strict=True)  # type: ignore[arg-type,misc]
                assert all(low <= value <= high for low, value, high in ends), str(state)
        unique += isinstance(verdict, Exact)
    assert 15 <= unique <= 49  # both kinds occur


# ---------------------------------------------------------------- hidden cards


def test_worlds_and_their_weights() -> None:
    """Every deal of single cards, by permutations, cut after the last card that can be drawn."""
    rng = random.Random(9)
    for number in range(12):
        view = small_view(rng, players=2 + number % 2, unseen=6)
        slow = labelled_worlds(view)
        listed: Counter[State] = Counter()
        for world, weight in HiddenWorlds(view).weighted():
            assert world not in listed
            listed[world] = weight
        total, fast_total = slow.total(), sum(listed.values())
        for world, weight in listed.items():
            hands = tuple(
                tuple(sorted(hand)) for player, hand in enumerate(world.hands) if player != view.seat
            )
            alike = sum(
                count for (held, pile), count in slow.items()
                if (len(listed) == 1 or held == hands) and pile[: len(world.deck)] == world.deck
            )
            if len(listed) > 1:
                assert Fraction(alike, total) == Fraction(weight, fast_total)
        rounds = Counter(HiddenWorlds(view).sample(rng).hands for _ in range(50))
        assert all(len(hand) == size for hands in rounds for hand, size in zip(hands, view.sizes, strict=True))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_exact_expectation_is_that_of_the_full_game_tree(objective: Objective, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no choice under hidden cards is left: every deal and every draw, by hand over the reference."""
    monkeypatch.setattr(hidden, "ENUMERATE_AT_MOST", 2_000)
    rng = random.Random(10)
    found = certain = 0
    for number in range(200):
        if found == 24:
            break
        view = small_view(rng, players=2 + number % 2, most_dogs=2, unseen=5, leashes=number % 8 == 0)
        advice = fold_mirrors(advise(view, objective=objective, method="solve", limits=Limits(samples=2)))
        if not isinstance(advice.verdict, ExactExpectation) and (not isinstance(advice.verdict, Exact) or certain == 8):
            continue
        found += isinstance(advice.verdict, ExactExpectation)
        certain += isinstance(advice.verdict, Exact)
        hands: Counter[Any] = Counter()
        for (held, pile), count in labelled_worlds(view).items():
            hands[held, tuple(sorted(pile))] += count
        for move, verdict in advice.moves.items():
            value = Fraction(0)
            for (held, pile), count in hands.items():
                world = view.world(held, pile)
                shuffled = State.at(
                    world.middle, world.lines, world.hands, world.deck, world.turn, world.bones, world.discards,
                    world.phase, world.chooser, world.passes, True, world.rules,
                )
                value += count * tree_value(shuffled.play(move), objective, view.seat)
            expected = float(value / hands.total())
            assert verdict.value == pytest.approx(expected, abs=1e-12)  # type: ignore[union-attr]
    assert found == 24
    assert certain


def test_enumerated_average_is_that_of_minimax_in_every_world() -> None:
    rng = random.Random(11)
    found = 0
    while found < 12:
        view = small_view(rng, most_dogs=2, unseen=5)
        advice = advise(view, method="solve", limits=Limits(samples=2))
        if not isinstance(advice.verdict, EnumeratedAverage):
            continue
        found += 1
        totals: Counter[Move] = Counter()
        worlds = list(HiddenWorlds(view).weighted())
        for world, weight in worlds:
            known: dict[State, dict[str, int]] = {}
            for move in advice.moves:
                totals[move] += weight * minimax(world.play(move), known)["points"]
        weights = sum(weight for _, weight in worlds)
        for move, verdict in advice.moves.items():
            assert verdict.value == pytest.approx(totals[move] / weights, abs=1e-9)  # type: ignore[union-attr]


def test_intervals_of_sampled_averages_cover_the_enumerated_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 small hidden positions, the 95 % interval of one move's average covers in 90 to 99.

    The move is one whose value differs between worlds: a constant is covered always and would show nothing.
    """
    monkeypatch.setattr(hidden, "ENUMERATE_AT_MOST", 0)
    rng = random.Random(12)
    covered = positions = 0
    solver = TwoPlayers(1 << 20)
    while positions < 100:
        view = small_view(rng, unseen=6)
        worlds = list(HiddenWorlds(view).weighted())
        total = sum(weight for _, weight in worlds)
        spread: dict[Move, Counter[int]] = {}
        for world, weight in worlds:
            for move, value in (solver.values(world, "points", Budget(Limits())) or {}).items():
                spread.setdefault(move, Counter())[value] += weight
        moves = [move for move, values in spread.items() if max(values.values()) < 0.7 * total]
        if not moves:
            continue
        sampled = advise(view, method="solve", limits=Limits(samples=150), seed=positions)
        assert isinstance(sampled, Advice)
        move = rng.choice([move for move in moves if move in sampled.moves])
        assert isinstance(sampled.moves[move], Estimate)
        positions += 1
        truth = sum(value * weight for value, weight in spread[move].items()) / total
        covered += sampled.intervals[move].low <= truth <= sampled.intervals[move].high
    assert 90 <= covered <= 99


def test_advice_says_what_it_rests_on() -> None:
    view = View.of(State.deal(random.Random(2)).play(Move.parse("+g2")))
    advice = advise(view, objective="outcome", limits=Limits(samples=20), seed=4)
    assert isinstance(advice.verdict, Estimate)
    notes = " ".join(advice.notes)
    assert "played out" in notes
    assert "strategy fusion" not in notes
    assert "seed 4" in notes
    assert advise(view, objective="outcome", limits=Limits(samples=20), seed=4).moves == advice.moves
    small = View.parse("middle=SPOOPS lines=SS/PG hands=g1,g2,r1/#2 discards=le,le,le,dc,dc")
    assert "strategy fusion" in " ".join(advise(small, limits=Limits(samples=20)).notes)


def test_advice_for_three_players_and_for_the_catcher() -> None:
    three = View.parse("middle=SPOS lines=SS/PG/O hands=g1,g2,r1/#2/#2 discards=le,le,le,dc,dc")
    advice = advise(three, limits=Limits(samples=20))
    assert "max^n" in " ".join(advice.notes)
    catcher = View.parse("middle=SPOS lines=SP/PG hands=g1,g2/#2 phase=catch0 discards=dc")
    assert set(advise(catcher, limits=Limits(samples=20)).moves) == {Move("lose", end="front"), Move("lose", end="back")}
    with pytest.raises(IllegalPosition, match="over"):
        advise(replace(three, middle=""))


def test_a_pile_of_nothing_but_a_bone_gives_no_exact_expectation() -> None:
    """After the bone the other player draws from the reshuffled discards."""
    copies = {"g1": 5, "g2": 4, "g3": 5, "r1": 6, "r2": 5, "r3": 6, "y": 6, "le": 3, "dc": 3}
    discards = ",".join(card for card, number in copies.items() for _ in range(number))
    view = View.parse(f"middle=SP lines=GB/DC hands=g1,g2,g3/#2 bones=2/2 discards={discards}")
    advice = advise(view)
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert RAN_OUT in advice.notes


def test_the_note_on_the_known_order_misses_no_line_of_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of play over the reference, watched where it wants a card."""
    rng = random.Random(21)
    states = [small_state(rng, most_dogs=4, players=2 + number % 2, deck=number % 6) for number in range(120)]
    wanted: list[State] = []
    draw = State._draw

    def watched(state: State) -> State:
        if not state.deck:
            wanted.append(state)
        return draw(state)

    monkeypatch.setattr(State, "_draw", watched)
    found: Counter[tuple[bool, bool]] = Counter()
    for state in states:
        wanted.clear()
        seen, todo = set(), [state]
        while todo and not wanted:
            at = todo.pop()
            if at not in seen and at.to_move != OVER:
                seen.add(at)
                if at.rules.advanced and not at.deck:
                    wanted.append(at)
                outcomes = [card for card, _ in at.chance_outcomes()] or at.legal_moves()
                todo += [at.after(move) for move in outcomes]
        found[bool(wanted), may_run_past(state)] += 1
        assert may_run_past(state) or not wanted, str(state)
    assert found[True, True] > 10
    assert found[False, False] > 10


@pytest.mark.parametrize("text", [
    "middle=SPOOPSDDGBSPOGBDCSPOGBDCC lines=SSOP/PGDDC hands=g1,y,r2/#2",
    "middle=SPOOPSDDGBSPOGBDC lines=SSOP/PGDDC/GB hands=g1,y,r2/#2/#2",
])
def test_a_limit_strikes_within_a_world(text: str) -> None:
    start = time.monotonic()
    advice = advise(View.parse(text), objective="outcome", method="solve", limits=Limits(seconds=0.6, memory_mb=64))
    assert time.monotonic() - start < 2
    assert isinstance(advice.verdict, Estimate)
    assert "played out" in " ".join(advice.notes)


def test_intervals_stay_among_the_possible_outcomes() -> None:
    view = View.parse("middle=SPOOPSDDGB lines=SSOP/PGDDC hands=g1,y,r2/#2")
    advice = advise(view, objective="outcome", limits=Limits(samples=2), method="play-out")
    assert isinstance(advice, Advice)
    for interval in advice.intervals.values():
        assert -1 <= interval.low <= interval.mean <= interval.high <= 1
