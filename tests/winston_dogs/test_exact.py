"""Winston (dogs): the solvers against the cases, plain minimax over the reference, and full game trees of hidden cards."""
from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winston_dogs import COLOURS, HAND_SIZE, Move, State, View, Witness
from exactplay.solvers.hidden import FUSION, Advice
from exactplay.solvers.result import Bounds, EnumeratedAverage, Estimate, Exact, ExactExpectation
from exactplay.solvers.winston_dogs import advise, solve
from exactplay.solvers.winston_dogs.advice import CHOICES_NOTE, OUT_OF_TIME_NOTE, STUCK_NOTE, span, world_values
from exactplay.solvers.winston_dogs.bridge import from_move, to_position
from exactplay.solvers.winston_dogs.exact import EVERY_MOVE_NOTE
from tests import DATA
from tests.winston_dogs.subject import dealt, set_up

CASES = [json.loads(line) for line in (DATA / "winston-dogs-cases.jsonl").read_text().splitlines()]
SMALL_TABLE = 1 << 20


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [c for c in CASES if c["kind"] == kind], ids=lambda case: case["id"])


class TooLarge(Exception):
    """A position that plain minimax should not be asked for."""


def minimax(state: State, memo: dict[State, int], most: int = 30_000) -> int:
    """Seat 0's final score less seat 1's, over the reference and nothing else."""
    if state.to_move == OVER:
        first, second = state.scores()
        return first - second
    if state not in memo:
        if len(memo) > most:
            raise TooLarge
        values = [minimax(state.play(move), memo, most) for move in state.legal_moves()]
        memo[state] = max(values) if state.turn == 0 else min(values)
    return memo[state]


def plain_maxn(state: State, memo: dict[State, tuple[int, ...]], most: int = 30_000) -> tuple[int, ...]:
    if state.to_move == OVER:
        return state.scores()
    if state not in memo:
        if len(memo) > most:
            raise TooLarge
        memo[state] = max(
            # max keeps the first of equals: the first move in text order
            (plain_maxn(state.play(move), memo, most) for move in state.legal_moves()), key=lambda v: v[state.turn]
        )
    return memo[state]


def small_positions(seed: int, number: int, players: int | None, **sizes: Any) -> list[State]:
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < number:
        chosen = {name: rng.choice(values) for name, values in sizes.items()}
        state = set_up(rng, players or rng.choice([2, 3, 4]), **chosen)
        if state.to_move != OVER:
            found.append(state)
    return found


# Cases


@cases("solve")
def test_solve(case: dict[str, Any]) -> None:
    state = State.from_json(case["input"])
    result = solve(state, table_bytes=SMALL_TABLE)
    assert result.verdict == Exact(case["expect"]["value"])
    if "best" in case["expect"]:
        assert [str(move) for move in result.best] == case["expect"]["best"]
    quick = solve(state, every_move=False, table_bytes=SMALL_TABLE)
    assert (quick.verdict, quick.best) == (result.verdict, result.best)
    check_line(state, result.pv, result.verdict.value)


@cases("maxn")
def test_maxn(case: dict[str, Any]) -> None:
    state = State.from_json(case["input"])
    result = solve(state, table_bytes=1 << 22)
    assert result.verdict == Exact(tuple(case["expect"]["vector"]))
    for move in result.pv:
        state = state.play(move)
    assert state.scores() == result.verdict.value
    assert any("first in text order" in note for note in result.notes)


def check_line(state: State, line: tuple[Move, ...], value: Any) -> None:
    for move in line:
        state = state.play(move)
    first, second = state.scores()
    assert first - second == value


# Plain minimax


def agree_with_minimax(state: State, table_bytes: int) -> bool:
    memo: dict[State, int] = {}
    try:
        value = minimax(state, memo)
        values = {move: minimax(state.play(move), memo) for move in state.legal_moves()}
    except TooLarge:
        return False
    result = solve(state, table_bytes=table_bytes)
    assert result.verdict == Exact(value), str(state)
    assert result.moves == {move: Exact(known) for move, known in values.items()}, str(state)
    assert result.best == tuple(move for move, known in values.items() if known == value), str(state)
    quick = solve(state, every_move=False, table_bytes=table_bytes)
    assert (quick.verdict, quick.best) == (result.verdict, result.best), str(state)
    below = Bounds(None, value - 1) if state.turn == 0 else Bounds(value + 1, None)
    for move, verdict in quick.moves.items():
        assert verdict == (Exact(value) if values[move] == value else below), str(state)
    check_line(state, result.pv, value)
    return True


def test_300_small_positions_against_minimax() -> None:
    """Small hands beside a pile too, where positions may repeat in many ways."""
    states = small_positions(1, 300, 2, hand=[2, 3, 3, 4], pile=[0, 2, 3, 4], heads=[0.3, 0.9])
    assert sum(agree_with_minimax(state, SMALL_TABLE) for state in states) >= 295
    assert sum(state.legal_moves()[0].action != "play" for state in states) > 20


def test_full_hands_against_minimax() -> None:
    states = small_positions(2, 14, 2, hand=[4, 5], pile=[0, 1, 2, 3], heads=[0.4, 0.9], full_hands=[True])
    assert sum(agree_with_minimax(state, SMALL_TABLE) for state in states) >= 8


def test_tables_of_few_entries_give_the_same() -> None:
    """Entries are overwritten all the time; a value taken from one after that would be another position's."""
    for state in small_positions(3, 150, 2, hand=[4, 5], pile=[4, 6, 8], heads=[0.3, 0.6], full_hands=[True]):
        game = to_position(state)
        expected = AlphaBeta(game, 1 << 22).value()
        assert expected[0] == expected[1]
        for table_bytes in (0, 128, 256, 512, 1024):
            assert AlphaBeta(game, table_bytes).value() == expected, (str(state), table_bytes)


def test_real_games_with_few_cards_left_against_minimax() -> None:
    rng, done = random.Random(4), 0
    while done < 12:
        state = State.deal(2, rng)
        while state.to_move != OVER and len(state.pile) + sum(map(len, state.hands)) > 9:
            state = state.play(rng.choice(state.legal_moves()))
        if state.to_move != OVER:
            done += agree_with_minimax(state, SMALL_TABLE)


def test_maxn_against_plain_maxn() -> None:
    done = 0
    for state in small_positions(5, 150, None, hand=[2, 3], pile=[0, 2, 3], heads=[0.3, 0.9]):
        memo: dict[State, tuple[int, ...]] = {}
        try:
            vector = plain_maxn(state, memo)
            vectors = {move: plain_maxn(state.play(move), memo) for move in state.legal_moves()}
        except TooLarge:
            continue
        search = MaxN(to_position(state), SMALL_TABLE)
        assert search.vector() == vector, str(state)
        assert {move: search.vector([from_move(move)]) for move in vectors} == vectors
        assert MaxN(to_position(state), 0).vector() == vector
        if len(state.hands) > 2:
            result = solve(state, table_bytes=SMALL_TABLE)
            assert result.verdict == Exact(vector)
            assert result.moves == {move: Exact(known) for move, known in vectors.items()}
        done += 1
    assert done >= 140


def test_an_earlier_run_of_stuck_turns_counts() -> None:
    """A position in the middle of a run: what stood before it may not come again."""
    states, checked = small_positions(6, 200, 2, hand=[2, 3], pile=[2, 3], heads=[1.0]), 0
    for state in states:
        for _ in range(3):
            if state.to_move != OVER and state.legal_moves()[0].action == "under":
                state = state.play(state.legal_moves()[-1])
        if state.stuck and state.to_move != OVER and state.hands[state.turn]:
            checked += agree_with_minimax(state, SMALL_TABLE)
    assert checked >= 20


def test_an_earlier_run_of_stuck_turns_counts_in_maxn() -> None:
    checked = 0
    for state in small_positions(6, 200, 3, hand=[2], pile=[2, 3], heads=[1.0]):
        for _ in range(2):
            if state.to_move != OVER and state.legal_moves()[0].action == "under":
                state = state.play(state.legal_moves()[-1])
        if state.stuck and state.to_move != OVER and state.hands[state.turn]:
            assert MaxN(to_position(state), SMALL_TABLE).vector() == plain_maxn(state, {}), str(state)
            checked += 1
    assert checked >= 20


@pytest.mark.parametrize("hands", [
    "Bh Gh Kh Oh | Bh Gh Kh Oh", "Sh Wh Kh Oh | - | Bh Gh Kh Oh Wh", "Bh Gh Kh Oh | Bh Gh Kh Oh; turn 1",
])
def test_where_all_are_stuck_for_ever_nothing_more_is_scored(hands: str) -> None:
    """Every dog has its head, every card left is a head: however it is played, it ends by repetition with what is held."""
    held = Counter(card for hand in hands.split(";")[0].split("|") for card in hand.split() if card != "-")
    left = Counter({f"{colour}h": 2 for colour in COLOURS})
    pile = " ".join(sorted((left - held).elements()))
    points = " ".join(["10", "4", "1"][: hands.count("|") + 1])
    state = State.parse(f"hands {hands}; table Bhb Gh Kh Oh Sh Wh; pile {pile}; points {points}")
    rng, ends = random.Random(1), set()
    for _ in range(5):
        game = state
        while game.to_move != OVER:
            game = game.play(rng.choice(game.legal_moves()))
        ends.add(game.scores())
    scores, = ends
    assert MaxN(to_position(state), SMALL_TABLE).vector() == scores
    value: int | tuple[int, ...] = scores[0] - scores[1] if len(scores) == 2 else scores
    result = solve(state, table_bytes=SMALL_TABLE)
    assert result.verdict == Exact(value)
    assert set(result.moves.values()) == {Exact(value)}


# Limits


def test_a_limit_gives_bounds_that_hold() -> None:
    state = next(s for s in (dealt(random.Random(seed), 2) for seed in range(100)) if 20 <= len(s.pile) <= 44)
    while len(state.pile) > 12:
        state = state.play(state.legal_moves()[0])
    exact = solve(state)
    assert isinstance(exact.verdict, Exact)
    value = exact.verdict.value
    assert isinstance(value, int)
    seen = set()
    for nodes in (1, 50, 500, 2_000, 8_000, 20_000):
        result = solve(state, nodes=nodes)
        seen.add(result.verdict.kind)
        if isinstance(result.verdict, Bounds):
            low, high = result.verdict.low, result.verdict.high
            assert not isinstance(low, tuple)
            assert not isinstance(high, tuple)
            assert (low is None or low <= value) and (high is None or value <= high)
            assert len(result.best) == 1
            assert any("limit" in note for note in result.notes)
        else:
            assert result.verdict == exact.verdict
    assert "bounds" in seen
    assert solve(state, seconds=1e-9).verdict.kind == "bounds"


def test_a_limit_of_maxn_claims_nothing() -> None:
    state = dealt(random.Random(3), 4)
    result = solve(state, nodes=1_000)
    assert result.verdict == Bounds(None, None)
    assert set(result.moves.values()) == {Bounds(None, None)}


def test_a_limit_of_maxn_holds() -> None:
    state = State.deal(3, random.Random(1))
    state = replace(state, pile=state.pile[:17])
    result = solve(state, seconds=0.5)
    assert result.verdict == Bounds(None, None)
    assert result.effort.seconds < 2


def test_limits_beyond_any_search() -> None:
    two, three = State.parse("hands Bb | Kb"), State.parse("hands Bb Gb | Kb Kh | Ob Oh")
    assert solve(two, nodes=10**20).exact
    # Six cards need no table of 2**50 bytes.
    assert solve(three, table_bytes=1 << 50).exact
    with pytest.raises(ValueError, match="no memory for a table of"):
        solve(State.deal(3, random.Random(1)), table_bytes=1 << 60)


def test_maxn_says_that_it_values_every_move() -> None:
    state = State.parse("hands Bb Gb | Kb Kh | Ob Oh")
    assert EVERY_MOVE_NOTE in solve(state, every_move=False).notes
    assert EVERY_MOVE_NOTE not in solve(state).notes


def test_solve_of_a_finished_game() -> None:
    assert solve(State.parse("hands - | -; points 10 4; longest 3; shortest 2; bone 1; poo 1")).verdict == Exact(6)
    assert solve(State.parse("hands - | - | -; points 10 4 2")).verdict == Exact((10, 4, 2))


def test_progress_and_interruption() -> None:
    state = State.deal(2, random.Random(1))
    heard: list[int] = []
    solve(state, seconds=1.0, progress=heard.append)
    assert heard == sorted(heard)
    assert heard
    # In a process of its own: a signal that came late would end the one that runs the tests.
    program = (
        "import random, signal, threading\n"
        "from exactplay.rules.winston_dogs import State\n"
        "from exactplay.solvers.winston_dogs import solve\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.7, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        "try:\n"
        "    solve(State.deal(2, random.Random(1)), seconds=60.0)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert finished.stdout == "interrupted\n"

    def complain(nodes: int) -> bool:
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        AlphaBeta(to_position(state), SMALL_TABLE, complain).value()
    with pytest.raises(LookupError, match="from the callback"):
        MaxN(to_position(dealt(random.Random(3), 4)), SMALL_TABLE, complain).vector()


def test_the_searcher_is_for_two() -> None:
    with pytest.raises(ValueError, match="not 3"):
        AlphaBeta(to_position(dealt(random.Random(1), 3)))


# Hidden cards


def hidden_position(rng: random.Random, pile: int, hand: int, other: int, heads: float = 0.4) -> View:
    """A small set-up position of two, seen by the player on turn."""
    while True:
        state = set_up(rng, 2, hand=hand, pile=0, heads=heads, full_hands=True)
        spare = set_up(rng, 2, hand=5, pile=0, heads=heads, full_hands=True).hands
        try:
            hands = [state.hands[0], state.hands[1]]
            hands[1 - state.turn] = hands[1 - state.turn][:other]
            found = State(
                (hands[0], hands[1]), state.table, (spare[0] + spare[1])[:pile], state.turn, state.longest, state.shortest,
                state.bone, state.poo, state.points,
            ).check()
        except IllegalPosition:
            continue
        if found.to_move != OVER:
            return Witness.start(2).view(found)


def full_tree(view: View) -> dict[Move, Fraction]:
    """The expectation of every move: first the move, then the draw as a chance node, then open play by minimax."""
    known, unseen = view.known, view.unseen
    seat, own = known.turn, known.hands[known.turn]
    expectations: dict[Move, Fraction] = {}
    for move in view.some_world().legal_moves():
        # What he draws: all the hidden cards of the pile, as the pile is that short.
        total, weight = Fraction(0), 0
        for drawn in itertools.combinations(range(len(unseen)), view.top):
            others = tuple(unseen[i] for i in range(len(unseen)) if i not in drawn)
            hands = (own, others) if seat == 0 else (others, own)
            state = replace(known, hands=hands, pile=tuple(unseen[i] for i in drawn))
            value = minimax(state.play(move), {}, 200_000)
            total += value if seat == 0 else -value
            weight += 1
        expectations[move] = total / weight
    return expectations


@pytest.mark.parametrize("pile", [1, 2])
def test_exact_expectation_is_that_of_the_full_game_tree(pile: int) -> None:
    rng = random.Random(pile)
    stuck = done = 0
    while done < 20:
        heads = 0.95 if done < 5 else 0.4
        view = hidden_position(rng, pile, rng.choice([2, 3, 4]), rng.choice([2, 3]), heads)
        if view.pile_size == 2 and view.some_world().legal_moves()[0].action != "play":
            continue  # then it is an average: see the next test
        try:
            expected = full_tree(view)
        except TooLarge:
            continue
        advice = advise(view)
        assert isinstance(advice, Advice)
        assert isinstance(advice.verdict, ExactExpectation)
        assert FUSION not in advice.notes
        for move, verdict in advice.moves.items():
            assert isinstance(verdict, ExactExpectation)
            assert verdict.value == pytest.approx(float(expected[move]), abs=1e-12)
        assert advice.best == tuple(m for m in expected if expected[m] == max(expected.values()))
        stuck += view.some_world().legal_moves()[0].action == "under"
        done += 1
    assert pile == 2 or stuck > 0


def test_full_hands_and_a_pile_of_two_are_21_deals() -> None:
    rng = random.Random(8)
    seen = set()
    for _ in range(30):
        view = hidden_position(rng, 2, 5, 5)
        if view.some_world().legal_moves()[0].action == "play":
            advice = advise(view)
            assert isinstance(advice, Advice)
            assert isinstance(advice.verdict, ExactExpectation)
            assert advice.worlds <= 21
            seen.add(advice.worlds)
    assert 21 in seen or max(seen) >= 15


def test_a_stuck_player_with_a_pile_of_two_gets_an_average_only() -> None:
    """He draws one card of two, so the next player chooses without knowing which one is left."""
    view = View.parse(
        "hands Bh Bh Kh Kh Gh | ? ? ? ? ?; table Bh Kh Gh; pile ? ?; turn 0; unseen Bb Kb Gb Wb Wh Ob Sb"
    )
    advice = advise(view)
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert FUSION in advice.notes


def test_an_empty_pile_of_two_players_is_exact() -> None:
    rng = random.Random(9)
    for _ in range(10):
        view = hidden_position(rng, 0, 4, 3)
        state = view.some_world()
        advice, solved = advise(view), solve(state)
        assert isinstance(advice.verdict, Exact)
        assert isinstance(solved.verdict, Exact)
        sign = 1 if state.turn == 0 else -1
        assert advice.verdict.value == sign * solved.verdict.value
        assert advice.best == solved.best


def test_a_player_without_cards_does_not_know_the_other_hands() -> None:
    text = "hands - | {} | {}; table Bh Gh Sb; longest 5; shortest 3; bone 1; poo 0; points 9 9 9; unseen Bh Bh Gb Gb Sh"
    advice = advise(View.parse(text.format("? ? ?", "? ?")))
    assert isinstance(advice, Advice)
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert advice.worlds > 1
    # With one hand left to another player there is nothing to guess.
    assert isinstance(advise(View.parse(text.format("-", "? ? ? ? ?"))).verdict, Exact)


def test_after_a_stuck_turn_nothing_is_called_exact() -> None:
    """The stuck player had no legal turn, which not every world allows."""
    state = State.parse(
        "hands Gb Gh Ob Wb | Gh Sb Wh Wh; table Ghb Whb Shb; pile Ob Kb; turn 1; longest 3; shortest 2; bone 0; poo 1; "
        "points 9 9"
    )
    move = Move.parse("under Gh")
    advice = advise(Witness.start(2).after(state, move).view(state.play(move)))
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert {CHOICES_NOTE, STUCK_NOTE} <= set(advice.notes)


def test_intervals_cover_the_enumerated_average() -> None:
    """100 small hidden positions where both can be computed; the interval of one move each, at 95 %."""
    rng, covered = random.Random(10), 0
    for number in range(100):
        view = hidden_position(rng, 3, rng.choice([3, 4]), rng.choice([2, 3]))
        truth = advise(view, seconds=None)
        assert isinstance(truth, Advice)
        assert truth.enumerated
        sampled = advise(view, samples=60, seed=number, seconds=None, enumerate_at_most=0)
        assert isinstance(sampled, Advice)
        assert isinstance(sampled.verdict, Estimate)
        move = rng.choice(sorted(truth.moves))
        assert sampled.intervals[move].low <= sampled.intervals[move].mean <= sampled.intervals[move].high
        covered += sampled.intervals[move].low <= truth.intervals[move].mean <= sampled.intervals[move].high
    assert 90 <= covered <= 99


def test_averages_are_those_of_the_worlds() -> None:
    """Every deal of single cards by brute force, each world by minimax."""
    rng, done = random.Random(11), 0
    while done < 5:
        view = hidden_position(rng, 3, 3, 2)
        sums = {move: Fraction(0) for move in view.some_world().legal_moves()}
        deals = list(itertools.permutations(view.unseen))
        worlds: dict[State, dict[Move, int]] = {}
        sizes = (*view.hidden, view.top)
        try:
            for deal in deals:
                cards = iter(deal)
                state = view.world([tuple(itertools.islice(cards, size)) for size in sizes])
                if state not in worlds:
                    worlds[state] = {move: minimax(state.play(move), {}) for move in sums}
                for move, value in worlds[state].items():
                    sums[move] += value if state.turn == 0 else -value
        except TooLarge:
            continue
        advice = advise(view, seconds=None)
        assert isinstance(advice.verdict, EnumeratedAverage)
        for move, verdict in advice.moves.items():
            assert isinstance(verdict, EnumeratedAverage)
            assert verdict.value == pytest.approx(float(sums[move] / len(deals)), abs=1e-12)
        done += 1


def test_a_shortened_search_is_an_estimate_and_says_so() -> None:
    state = State.deal(2, random.Random(2))
    view = Witness.start(2).view(state)
    advice = advise(view, samples=20, seconds=None)
    assert isinstance(advice.verdict, Estimate)
    assert any("turns deep" in note for note in advice.notes)
    small = hidden_position(random.Random(3), 3, 3, 3)
    cut = advise(small, turns=1, samples=20, seconds=None)
    assert isinstance(cut.verdict, Estimate)
    assert any("1 turns deep" in note for note in cut.notes)


def test_a_deep_enough_search_by_turns_is_the_exact_one() -> None:
    for seed in range(10):
        view = hidden_position(random.Random(seed), 2, 3, 3)
        cards = iter(view.unseen)
        world = tuple(tuple(itertools.islice(cards, size)) for size in (*view.hidden, view.top))
        assert world_values(view, world, 50) == world_values(view, world)


@pytest.mark.parametrize("known", [0, 5])
def test_advice_keeps_to_its_time(known: int) -> None:
    """Twenty cards of three players are too many to be solved in that time; five of the pile known makes worlds few."""
    state = State.deal(3, random.Random(6))
    state = replace(state, pile=state.pile[:5])
    start = time.process_time()
    advice = advise(Witness(known, ((), (), ())).view(state), seconds=0.6)
    assert time.process_time() - start < 2.5
    assert isinstance(advice, Advice)
    assert isinstance(advice.verdict, Estimate)
    assert advice.worlds > 10
    assert OUT_OF_TIME_NOTE in advice.notes
    assert any("turns deep" in note for note in advice.notes)


def test_three_players_get_their_own_score() -> None:
    rng = random.Random(4)
    state = State.deal(3, rng)
    while len(state.pile) > 0:
        state = state.play(rng.choice(state.legal_moves()))
    advice = advise(Witness.start(3).view(state), seconds=None, samples=30)
    assert isinstance(advice, Advice)
    assert any("his own score" in note for note in advice.notes)
    world = (*state.hands[:state.turn], (), *state.hands[state.turn + 1:], ())
    values = world_values(Witness.start(3).view(state), world)
    solved = solve(state)
    for move, value in values.items():
        verdict = solved.moves[move]
        assert isinstance(verdict, Exact)
        assert isinstance(verdict.value, tuple)
        assert verdict.value[state.turn] == value


def test_values_lie_within_the_span() -> None:
    for seed in range(20):
        view = hidden_position(random.Random(seed), 2, HAND_SIZE, 5)
        advice = advise(view)
        assert isinstance(advice, Advice)
        means = [interval.mean for interval in advice.intervals.values()]
        assert max(means) - min(means) <= span(view)


def test_advice_on_a_finished_game_is_refused() -> None:
    with pytest.raises(IllegalPosition, match="over"):
        advise(View.parse("hands - | -; unseen -"))
