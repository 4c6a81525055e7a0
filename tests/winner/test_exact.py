"""Solver of Winner: the shared cases, plain minimax over the reference, CP-SAT, tables, limits, hidden hands."""
from __future__ import annotations

import functools
import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from exactplay.cython_core.winner_duel import Solver
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winner import Move, Rules, State, View, deck, parse_cards
from exactplay.solvers.hidden import Deals
from exactplay.solvers.result import Bounds, EnumeratedAverage, Estimate, Exact, ExactExpectation
from exactplay.solvers.winner import Objective, advise, codec, fewest_plays, solve
from tests.winner.cases import name, of_kind


def question(case: dict[str, Any]) -> tuple[State, Objective]:
    data = dict(case["input"])
    objective = data.pop("objective")
    return State.from_json(data), "score" if objective == "diff" else objective


@pytest.mark.parametrize("case", of_kind("solve"), ids=name)
def test_solve_cases(case: dict[str, Any]) -> None:
    result = solve(*question(case), table_mb=16)
    assert result.verdict == Exact(case["expect"]["value"])
    if "best" in case["expect"]:
        assert [str(move) for move in result.best] == case["expect"]["best"]


@pytest.mark.parametrize("case", of_kind("maxn"), ids=name)
def test_maxn_cases(case: dict[str, Any]) -> None:
    result = solve(*question(case), table_mb=16)
    assert result.verdict == Exact(tuple(case["expect"]["vector"]))


@pytest.mark.parametrize("case", of_kind("min_plays"), ids=name)
def test_fewest_plays_cases(case: dict[str, Any]) -> None:
    hand = parse_cards(case["input"]["hand"])
    partition = fewest_plays(hand)
    assert partition.plays == len(partition.combinations) == case["expect"]
    assert tuple(sorted(card for part in partition.combinations for card in part.cards)) == hand


@pytest.mark.parametrize("decks", [1, 2])
def test_fewest_plays_and_cp_sat_agree(decks: int) -> None:
    rng = random.Random(decks)
    for _ in range(25):
        ranks = set(rng.sample(range(15), rng.randint(3, 15)))
        cards = [card for card in deck(decks=decks) if card.rank in ranks]
        hand = tuple(rng.sample(cards, min(len(cards), rng.randint(1, 27))))
        second = fewest_plays(hand, solver="cp-sat")
        assert fewest_plays(hand).plays == second.plays == len(second.combinations)
        assert sorted(card for part in second.combinations for card in part.cards) == sorted(hand)


# --- plain minimax over the reference --------------------------------------------------------------------------------


class Minimax:
    """Max^n by the book, with two players plain minimax: no table but a dictionary of whole states."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._known: dict[State, tuple[int, ...]] = {}

    def settled(self, state: State) -> bool:
        return state.to_move == OVER or (self.objective == "win" and bool(state.out))

    def vector(self, state: State) -> tuple[int, ...]:
        if self.settled(state):
            if self.objective == "win":
                return tuple(int(seat == state.out[0]) for seat in range(state.players))
            if self.objective == "place":
                order = [*state.out, *(seat for seat, hand in enumerate(state.hands) if hand)]
                return tuple(state.players - 1 - order.index(seat) for seat in range(state.players))
            return state.scores()
        if state not in self._known:
            # max() keeps the first of equals: moves come in text order.
            children = [self.vector(state.play(move)) for move in state.legal_moves()]
            self._known[state] = max(children, key=lambda vector: vector[state.to_move])
        return self._known[state]

    def shown(self, state: State) -> int | tuple[int, ...]:
        vector = self.vector(state)
        if state.players > 2 or self.objective == "place":
            return vector
        return vector[0] - vector[1]


def small_position(rng: random.Random, rules: Rules, players: int) -> State | None:
    """Small hands (of two players up to five cards each) from few ranks or few suits, some moves into the hand."""
    ranks = set(rng.sample(range(13), rng.randint(3, 13)))
    if rng.random() < 0.4:
        low = rng.randint(0, 7)
        ranks = {low, low + 1, low + 2, low + 3, low + 4, 1}
    cards = [card for card in deck(jokers=rules.jokers, decks=rules.decks)
             if (rng.random() < 0.5 if card.is_joker else card.rank in ranks)]
    if rng.random() < 0.25:
        cards = [card for card in cards if card.suit < 2]
    rng.shuffle(cards)
    sizes = [rng.randint(2, {2: 5, 3: 3, 4: 2}[players]) for _ in range(players)]
    if players == 2 and sum(sizes) > 8:
        sizes = [4, 4]
    if sum(sizes) > len(cards):
        return None
    starts = [sum(sizes[:seat]) for seat in range(players)]
    hands = [tuple(cards[start:start + size]) for start, size in zip(starts, sizes, strict=True)]
    exchange = (0, 1) if rules.exchange and rng.random() < 0.3 else None
    state = State.start(hands, rng.randrange(players), rules, exchange=exchange)
    for _ in range(rng.choice([0, 0, 0, 1, 2, 3])):
        after = state.play(rng.choice(state.legal_moves()))
        if after.to_move == OVER or after.out:
            break
        state = after
    return state


def random_rules(rng: random.Random, end: str) -> Rules:
    options: dict[str, Any] = {
        name: rng.choice(values) if rng.random() < 0.4 else values[0] for name, values in Rules.options().items()
    }
    options["end"] = end
    if options["revolution"]:
        options["bomb_variation"] = False
    return Rules.from_mapping(options)


@pytest.mark.parametrize("objective", ["win", "score", "place"])
@pytest.mark.parametrize("part", range(10), ids=lambda part: f"part{part}")
def test_value_and_best_moves_equal_plain_minimax(part: int, objective: Objective) -> None:
    """100 positions an objective, 300 in all; two to four players, every option."""
    rng = random.Random(f"minimax {objective} {part}")
    seen = 0
    while seen < 10:
        state = small_position(
            rng, random_rules(rng, "loser" if objective == "place" else "first_out"), rng.choice([2, 2, 2, 2, 3, 4]),
        )
        if state is None:
            continue
        seen += 1
        book = Minimax(objective)
        result = solve(state, objective, table_mb=4)
        mover = state.to_move
        values = {move: book.vector(state.play(move)) for move in state.legal_moves()}
        top = max(vector[mover] for vector in values.values())
        assert result.verdict == Exact(book.shown(state)), state
        assert result.best == tuple(move for move, vector in values.items() if vector[mover] == top), state
        assert result.moves == {move: Exact(book.shown(state.play(move))) for move in values}, state
        line = state
        for move in result.pv:
            line = line.play(move)
        assert book.settled(line), state
        assert book.shown(line) == book.shown(state), state


# --- the fast search itself ------------------------------------------------------------------------------------------


def deal(seed: int, cards: int, rules: Rules | None = None) -> State:
    pack = list(deck())
    random.Random(seed).shuffle(pack)
    return State.start([tuple(pack[:cards]), tuple(pack[cards:2 * cards])], 0, rules or Rules(end="first_out"))


@pytest.mark.parametrize("objective", ["win", "score"])
def test_cold_warm_and_tiny_tables_give_one_answer(objective: Objective) -> None:
    for seed in range(6):
        state = deal(seed, 10)
        large, tiny = solve(state, objective, table_mb=64), solve(state, objective, table_mb=1)
        assert large.verdict == tiny.verdict
        assert large.moves == tiny.moves
        assert large.best == tiny.best
        brief = solve(state, objective, table_mb=64, every_move=False)
        assert brief.verdict == large.verdict
        assert brief.best[0] in large.best


def ask(solver: Solver, state: State, score: bool, threshold: int, limit: int = 10**12, callback: Any = None) -> Any:
    first, second = (codec.words(hand)[0] for hand in state.hands)
    return solver.at_least(first, second, state.turn, None, 0, score, threshold, limit, callback)


def test_a_warm_table_that_served_other_questions_gives_the_same_answers() -> None:
    warm = Solver(True, False, False, 8)
    for seed in range(12):
        state = deal(seed, 9)
        for score, threshold in itertools.product((False, True), (1, 3, -4)):
            cold = Solver(True, False, False, 8)
            assert ask(warm, state, score, threshold) == ask(cold, state, score, threshold)


@pytest.mark.parametrize("score, threshold", [(False, 1), (True, 3)])
def test_a_table_that_forgets_nearly_everything_ends_with_the_same_answer(score: bool, threshold: int) -> None:
    answers = set()
    for seed in range(6):
        state = deal(seed, 9)
        truth = ask(Solver(True, False, False, 16), state, score, threshold)
        assert ask(Solver(True, False, False, 0), state, score, threshold, 3_000_000) is truth
        answers.add(truth)
    assert answers == {False, True}
    # Where that would take an age, the limit still ends it.
    assert ask(Solver(True, False, False, 0), deal(3, 27), score, threshold, 20_000) is None


def test_an_aborted_search_leaves_nothing_wrong_behind() -> None:
    for seed in range(6):
        state = deal(seed, 12)
        truth = ask(Solver(True, False, False, 16), state, True, 1)
        solver = Solver(True, False, False, 16)
        limit, answer = 50, None
        while answer is None:
            answer = ask(solver, state, True, 1, limit)
            limit *= 2
        assert answer == truth


def test_the_caller_can_end_a_search() -> None:
    calls = []

    def over(nodes: int) -> bool:
        calls.append(nodes)
        return True

    assert ask(Solver(True, False, False, 64), deal(3, 27), False, 1, callback=over) is None
    assert len(calls) == 1

    def interrupt(nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(Solver(True, False, False, 64), deal(3, 27), False, 1, callback=interrupt)


@pytest.mark.parametrize("objective", ["win", "score"])
def test_bounds_when_a_limit_ends_it_hold_the_truth(objective: Objective) -> None:
    state = deal(2, 12)
    truth = solve(state, objective)
    assert isinstance(truth.verdict, Exact)
    for nodes in (1, 10, 100, 1_000):
        result = solve(state, objective, nodes=nodes)
        if isinstance(result.verdict, Bounds):
            low, high = result.verdict.low, result.verdict.high
            assert low is not None
            assert high is not None
            assert isinstance(truth.verdict.value, int)
            assert low <= truth.verdict.value <= high
            assert any("limit" in note for note in result.notes)
        for move, verdict in result.moves.items():
            exact = truth.moves[move]
            assert isinstance(exact, Exact)
            if isinstance(verdict, Bounds):
                assert verdict.low is not None
                assert verdict.high is not None
                assert verdict.low <= exact.value <= verdict.high  # type: ignore[operator]
            else:
                assert verdict == exact


def test_what_a_seat_that_is_out_has_played_belongs_to_nobody() -> None:
    """Both pass on it, and the seat after its owner leads, not the last that passed."""
    rng = random.Random(5)
    met = 0
    while met < 40:
        state = small_position(rng, Rules(end="loser", fours=rng.choice(["own", "off"])), rng.choice([3, 4]))
        while state is not None and state.to_move != OVER and not (
            sum(map(bool, state.hands)) == 2 and state.owner in state.out
        ):
            state = state.play(rng.choice(state.legal_moves()))
        if state is None or state.to_move == OVER:
            continue
        met += 1
        book = Minimax("place")
        result = solve(state, "place", table_mb=4)
        assert result.verdict == Exact(book.shown(state)), state
        assert result.moves == {move: Exact(book.shown(state.play(move))) for move in state.legal_moves()}, state
    result = solve(State.parse("- | 5D 7D | 3D 4D 4C; turn 1; on 9D by 0; out 0"), "place")
    assert result.verdict == Exact((2, 1, 0))


def test_hands_larger_than_any_deal_keep_their_value() -> None:
    pack = deck()
    for cards in (30, 42, 43, 50):
        state = State.start([(pack[-1],), pack[:cards]], 0, Rules(end="first_out"))
        assert solve(state, "score", table_mb=4).verdict == Exact(6 * cards)


def test_a_limit_of_time_holds_between_short_questions() -> None:
    result = solve(deal(1, 13), "score", seconds=0)
    assert isinstance(result.verdict, Bounds)
    assert result.effort.nodes == 0


@pytest.mark.parametrize("rule", [{}, {"revolution": True}])
def test_a_best_move_that_is_a_guess_is_called_one(rule: dict[str, Any]) -> None:
    """Also where the limit came after the proof of the value."""
    state = State.from_json({"hands": ["JH QS RJ", "QD"], "turn": 0, "options": rule})
    best = {str(move) for move in solve(state, "win").best}
    for nodes in range(40):
        result = solve(state, "win", nodes=nodes)
        if {str(move) for move in result.best} != best:
            assert any("limit" in note and "guess" in note for note in result.notes), nodes


def test_one_winning_move_proves_the_value_of_the_general_search() -> None:
    state = State.parse("JH QS RJ | QD 3D 3C 4D 4C 5D; turn 0; rules revolution=true")
    assert any(
        isinstance(result.verdict, Exact) and Bounds(None, None) in result.moves.values()
        for result in (solve(state, "win", nodes=nodes) for nodes in range(1, 60))
    )
    for nodes in range(60):
        assert solve(state, "win", nodes=nodes).verdict in (Bounds(-1, 1), Bounds(None, None), Exact(1))


def test_bounds_of_places_are_one_pair_a_seat() -> None:
    state = State.parse("4D 5D 9H | 3D 6D 9C | -; turn 0; out 2")
    verdict = solve(state, "place", nodes=0).verdict
    assert verdict == Bounds((0, 0, 2), (1, 1, 2))


def test_limits_of_the_general_search() -> None:
    pack = list(deck())
    random.Random(4).shuffle(pack)
    state = State.start([tuple(pack[:9]), tuple(pack[9:18]), tuple(pack[18:27])], 0, Rules(end="first_out"))
    result = solve(state, "score", nodes=2_000, table_mb=4)
    assert result.verdict == Bounds(None, None)
    assert any("limit" in note for note in result.notes)


def test_swapping_the_seats_changes_the_sign() -> None:
    for seed in range(10):
        state = deal(seed, 9)
        mirrored = State.start(state.hands[::-1], 1 - state.turn, state.rules)
        for objective in ("win", "score"):
            first = solve(state, objective, every_move=False).verdict
            second = solve(mirrored, objective, every_move=False).verdict
            assert isinstance(first, Exact)
            assert isinstance(second, Exact)
            assert first.value == -second.value  # type: ignore[operator]


def test_the_general_and_the_fast_search_agree() -> None:
    """Hands too large for the reference, with and without something on the table."""
    rng = random.Random(17)
    for _ in range(60):
        rules = Rules(
            end="first_out", fours=rng.choice(["own", "off"]), straight_suit_tiebreak=rng.random() < 0.3,
            bomb_variation=rng.random() < 0.3,
        )
        state = small_position(rng, rules, 2)
        if state is None:
            continue
        for number, objective in enumerate(("win", "score")):
            found, _, _ = codec.game_of(state).solve(number, 10**9, 16)
            best = max(answer[0][0] for answer in found if answer is not None)
            shown = best if state.turn == 0 else -best
            assert solve(state, objective).verdict == Exact(shown)  # type: ignore[arg-type]


def test_objectives_need_their_rules() -> None:
    with pytest.raises(IllegalPosition, match="end=first_out"):
        solve(State.parse("3D | 5D; turn 0"), "score")
    with pytest.raises(IllegalPosition, match="end=loser"):
        solve(State.parse("3D | 5D | 6D; turn 0; rules end=first_out"), "place")
    with pytest.raises(IllegalPosition, match="over"):
        solve(State.parse("- | 5D; turn 1; out 0"), "win")


def test_max_n_says_whether_it_rests_on_ties() -> None:
    tied = solve(State.parse("3D 7D | 4D 9C | 5D TC; turn 0; rules end=first_out"), "score")
    assert any("text order" in note or "No tie" in note for note in tied.notes)


# --- hidden hands ----------------------------------------------------------------------------------------------------


def hidden_position(seed: int, sizes: tuple[int, ...], end: str = "first_out", ranks: int = 13) -> State:
    pack = [card for card in deck() if card.rank < ranks or card.is_joker]
    rng = random.Random(seed)
    rng.shuffle(pack)
    starts = [sum(sizes[:seat]) for seat in range(len(sizes))]
    hands = [tuple(pack[start:start + size]) for start, size in zip(starts, sizes, strict=True)]
    return State.start(hands, 0, Rules.from_mapping({"end": end}))


def by_the_book(state: State, objective: Objective) -> dict[Move, Fraction]:
    """The mean over all worlds, each by plain max^n over the reference."""
    view = View.of(state)
    worlds = [view.world(world) for world, weight in Deals(view.unseen, view.hidden).weighted() for _ in range(weight)]
    totals: dict[Move, Fraction] = {}
    for move in state.legal_moves():
        total = sum(Minimax(objective).vector(world.play(move))[state.to_move] for world in worlds)
        totals[move] = Fraction(total, len(worlds))
    return totals


@pytest.mark.parametrize("seed", range(6))
def test_enumerated_average_equals_the_book(seed: int) -> None:
    objective: Objective = "score" if seed % 2 else "place"
    state = hidden_position(seed, (3, 2, 2), "first_out" if seed % 2 else "loser")
    advice = advise(View.of(state), objective)
    assert isinstance(advice.verdict, EnumeratedAverage)
    assert advice.worlds == 6
    book = by_the_book(state, objective)
    assert {move: interval.mean for move, interval in advice.intervals.items()} == pytest.approx(
        {move: float(mean) for move, mean in book.items()})
    assert set(advice.best) == {move for move, mean in book.items() if mean == max(book.values())}
    assert any("strategy fusion" in note for note in advice.notes)


def test_exact_expectation_equals_the_full_game_tree() -> None:
    """A few dozen tiny positions in which nobody has a choice after the first move."""
    seen = 0
    for seed in range(400):
        rng = random.Random(seed)
        mine = rng.sample([card for card in deck() if card.rank < 6], 2)
        others = rng.sample([card for card in deck() if card.rank < 6 and card not in mine], 2)
        state = State.start([tuple(mine), (others[0],), (others[1],)], 0, Rules(end="first_out"))
        advice = advise(View.of(state), "score")
        if not isinstance(advice.verdict, ExactExpectation):
            continue
        seen += 1
        tree = {
            move: sum((expected(world.play(move)) for world in two_worlds(state)), Fraction(0)) / 2
            for move in state.legal_moves()
        }
        assert {move: interval.mean for move, interval in advice.intervals.items()} == {
            move: float(value) for move, value in tree.items()}, state
        if seen == 36:
            return
    pytest.fail(f"only {seen} such positions")


def two_worlds(state: State) -> list[State]:
    first, second = state.hands[1], state.hands[2]
    return [State.start([state.hands[0], *hands], 0, state.rules) for hands in ((first, second), (second, first))]


@functools.cache
def expected(state: State) -> Fraction:
    """Seat 0's points in a tree without choices."""
    if state.to_move == OVER:
        return Fraction(state.scores()[0])
    (move,) = state.legal_moves()
    return expected(state.play(move))


def test_intervals_of_samples_cover_the_enumerated_average() -> None:
    """In 90 to 99 of 100 positions, as the house wants it."""
    covered = 0
    for seed in range(100):
        view = View.of(hidden_position(seed, (2, 3, 3), ranks=7))
        truth = advise(view, "score")
        assert truth.enumerated
        sampled = advise(view, "score", enumerate_at_most=0, samples=60, seconds=None, seed=seed)
        assert isinstance(sampled.verdict, Estimate)
        move = min(truth.moves)
        interval = sampled.intervals[move]
        covered += interval.low <= truth.intervals[move].mean <= interval.high
    assert 90 <= covered <= 99


def test_worlds_too_large_to_solve_are_played_out_and_say_so() -> None:
    state = State.deal(random.Random(2), 3, Rules(end="first_out"))
    advice = advise(View.of(state), "win", samples=20, seconds=None)
    assert isinstance(advice.verdict, Estimate)
    assert any("played out" in note and "proves nothing" in note for note in advice.notes)
    again = advise(View.of(state), "win", samples=20, seconds=None)
    assert again.moves == advice.moves


def test_the_score_against_one_other_is_the_difference_solved_or_played_out() -> None:
    unseen = advise(View.parse("3D | ?2; turn 0; rules end=first_out"), "score", samples=20)
    assert isinstance(unseen.verdict, Estimate)
    assert unseen.verdict.mean == 4
    assert any("minus the other's" in note for note in unseen.notes)
    # Nothing is lower than 3D, so seat 0 never plays it and always loses one point, in worlds too large to solve.
    played = advise(View.parse("3D | ?20; turn 0; on 5D by 1; rules end=first_out"), "score", samples=20, seconds=None)
    assert any("played out" in note for note in played.notes)
    assert isinstance(played.verdict, Estimate)
    assert played.verdict.mean == -2
