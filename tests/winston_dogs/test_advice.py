"""Winston (dogs): advice under hidden cards against full game trees and brute force, which worlds, and how deep."""
from __future__ import annotations

import itertools
import random
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winston_dogs import HAND_SIZE, Move, State, View, Witness
from exactplay.solvers.hidden import FUSION, Advice
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import EnumeratedAverage, Estimate, Exact, ExactExpectation
from exactplay.solvers.winston_dogs import advise, solve
from exactplay.solvers.winston_dogs.advice import (
    CHOICES_NOTE,
    ONE_WORLD_NOTE,
    OUT_OF_TIME_NOTE,
    STUCK_NOTE,
    span,
    world_values,
)
from exactplay.solvers.winston_dogs.exact import MAXN_NOTE
from tests.winston_dogs.cases import TooLarge, minimax
from tests.winston_dogs.subject import set_up

FREE = Limits()
PAIR = "hands Kb Kb Gh | ? ? ?; table Khb Gb; pile ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12"
STUCK = "hands Bh Bh Kh Kh Gh | ? ?; table Bh Kh Gh"


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
        advice = advise(view, limits=FREE)
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
            advice = advise(view, limits=FREE)
            assert isinstance(advice, Advice)
            assert isinstance(advice.verdict, ExactExpectation)
            assert advice.worlds <= 21
            seen.add(advice.worlds)
    assert 21 in seen or max(seen) >= 15


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
        truth = advise(view, limits=FREE)
        assert isinstance(truth, Advice)
        assert truth.enumerated
        sampled = advise(view, turns=40, limits=Limits(samples=60), seed=number)
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
        advice = advise(view, limits=FREE)
        assert isinstance(advice.verdict, EnumeratedAverage)
        for move, verdict in advice.moves.items():
            assert isinstance(verdict, EnumeratedAverage)
            assert verdict.value == pytest.approx(float(sums[move] / len(deals)), abs=1e-12)
        done += 1


def test_a_deep_enough_search_by_turns_is_the_exact_one() -> None:
    for seed in range(10):
        view = hidden_position(random.Random(seed), 2, 3, 3)
        cards = iter(view.unseen)
        world = tuple(tuple(itertools.islice(cards, size)) for size in (*view.hidden, view.top))
        assert world_values(view, world, 50) == world_values(view, world)


@pytest.mark.parametrize("known", [0, 5])
def test_advice_keeps_to_its_time(known: int) -> None:
    """Twenty cards of three players are too many to be solved in that time; five of the pile known makes worlds few."""
    state = State.deal(random.Random(6), 3)
    state = replace(state, pile=state.pile[:5])
    start = time.monotonic()
    advice = advise(Witness(known, ((), (), ())).view(state), limits=Limits(seconds=0.6))
    assert time.monotonic() - start < 2.5
    assert isinstance(advice, Advice)
    assert isinstance(advice.verdict, Estimate)
    assert advice.worlds > 10
    assert OUT_OF_TIME_NOTE in advice.notes
    assert any("turns deep" in note for note in advice.notes)


def test_three_players_get_their_own_score() -> None:
    rng = random.Random(4)
    state = State.deal(rng, 3)
    while len(state.pile) > 0:
        state = state.play(rng.choice(state.legal_moves()))
    advice = advise(Witness.start(3).view(state), limits=Limits(samples=30))
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
        advice = advise(view, limits=FREE)
        assert isinstance(advice, Advice)
        means = [interval.mean for interval in advice.intervals.values()]
        assert max(means) - min(means) <= span(view)


# Whole answers


@pytest.mark.parametrize(("text", "means"), [
    (PAIR, {"Gh Kb": -6.6, "Gh Kb Kb": 3.6, "Kb Kb": 9}),
    ("hands ? ? ? | Kb Kb Gh; turn 1; table Khb Gb; pile ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12",
     {"Gh Kb": 6.6, "Gh Kb Kb": 9.6, "Kb Kb": 15}),
])
def test_an_exact_expectation_in_full(text: str, means: dict[str, float]) -> None:
    advice = advise(View.parse(f"{text}; unseen Bb Gb Gb Sh Wb"))
    assert advice.moves == {Move.parse(move): ExactExpectation(pytest.approx(mean), 7) for move, mean in means.items()}  # type: ignore[arg-type]
    assert list(map(str, advice.best)) == ["Kb Kb"]
    assert advice.notes == (CHOICES_NOTE,)


def test_advice_of_three_in_full() -> None:
    text = "hands ? ? | Bb Gb Kb | ?; turn 1; table Bb Gb; pile ?; longest 3; shortest 3; bone 1; poo 1; points 9 12 3"
    advice = advise(View.parse(f"{text}; unseen Bb Gb Gb Sh"))
    assert set(advice.moves.values()) == {EnumeratedAverage(12, 7)}
    assert advice.notes == (FUSION, CHOICES_NOTE, MAXN_NOTE)


def test_a_shortened_search_in_full() -> None:
    view = View.parse(f"{PAIR}; unseen Bb Gb Gb Sh Wb")
    advice = advise(view, turns=1, limits=Limits(samples=9), seed=4)
    assert isinstance(advice, Advice)
    assert isinstance(advice.verdict, Estimate)
    sampled = "Sampled worlds: 9, the same for all moves, seed 4; intervals are at 95 %."
    assert (advice.worlds, advice.enumerated, advice.seed) == (9, False, 4)
    assert advice.notes[:2] == (FUSION, sampled)
    assert advice.notes[-2] == CHOICES_NOTE
    assert "1 turns deep" in advice.notes[-1]


@pytest.mark.parametrize(("text", "unseen", "worlds", "exact"), [
    # One card on the pile is drawn by whoever plays; of two, a player who plays draws both.
    ("hands Bb Gb | ?; pile ?", "Kb Ob", 2, True),
    ("hands Bb Gb | ?; pile ? ?", "Kb Ob Sb", 3, True),
    ("hands Bb Gb | ?; pile ? ? ?", "Kb Ob Sb Wb", 24, False),
    (f"{STUCK}; pile ?", "Kb Ob Sb", 3, True),
    (f"{STUCK}; pile ? ?", "Kb Ob Sb Wb", 12, False),
    # Under a hidden card lie those of stuck players.
    (f"{STUCK}; pile ? Gh", "Kb Ob Sb", 3, False),
    ("hands Bb Gb | ?; pile ? Gh", "Kb Ob", 2, False),
    ("hands Bb Gb | ? | ?; pile ?", "Kb Ob Sb", 6, False),
    ("hands Bb Gb | ? | ?; pile ? ? ?", "Kb Ob Sb Wb Sh", 120, False),
])
def test_the_worlds(text: str, unseen: str, worlds: int, exact: bool) -> None:
    view = View.parse(f"{text}; unseen {unseen}")
    advice = advise(view, limits=FREE)
    assert isinstance(advice, Advice)
    assert (advice.worlds, advice.enumerated) == (worlds, True)
    assert isinstance(advice.verdict, ExactExpectation if exact else EnumeratedAverage)
    assert advice.notes == (
        *([] if exact else [FUSION]), CHOICES_NOTE, *([STUCK_NOTE] if view.known.pile else []),
        *([MAXN_NOTE] if view.players > 2 else []),
    )


@pytest.mark.parametrize(("text", "notes"), [
    ("hands Bb Gb | ?; unseen Kb", ()),
    ("hands Bb Gb | Kb; unseen -", ()),
    ("hands Bb Gb | ? ?; pile Ob; unseen Kb Sb", ()),
    ("hands ? | Bb Gb; turn 1; points 9 3; unseen Kb", ()),
    ("hands Bb Gb | - | ?; unseen Kb", (MAXN_NOTE,)),
    # The third knows as little of the second's hand as he does of ours.
    ("hands Bb Gb | Kb | ?; unseen Ob", (MAXN_NOTE, ONE_WORLD_NOTE)),
    ("hands Bb Gb | Kb | Ob; unseen -", (MAXN_NOTE, ONE_WORLD_NOTE)),
    # Hidden cards that are all alike lie in one way only.
    ("hands Bb Gb | ?; pile ?; unseen Kb Kb", (ONE_WORLD_NOTE,)),
])
def test_where_one_world_fits_the_answer_is_the_exact_one(text: str, notes: tuple[str, ...]) -> None:
    view = View.parse(text)
    solved = solve(view.some_world(), moves="all").pov(view.seat)
    assert advise(view) == replace(solved, notes=notes)
    assert solved.exact


@pytest.mark.parametrize("text", [
    "hands Bb Gb | ?; pile ?; unseen Kb Ob", "hands Bb Gb | ? | ?; unseen Kb Ob",
    "hands - | ? ? | ?; table Bh; unseen Kb Ob Sb",
])
def test_where_more_worlds_fit_it_is_not(text: str) -> None:
    assert isinstance(advise(View.parse(text)), Advice)


def test_what_has_no_advice() -> None:
    with pytest.raises(IllegalPosition, match=r"^the game is over, so there is no move to advise$"):
        advise(View.parse("hands - | -; unseen -"))
    view = View.parse("hands Bb Gb | ?; pile ?; unseen Kb Ob")
    with pytest.raises(IllegalPosition, match="the two numbers must be equal"):
        advise(replace(view, top=2))


def cards(number: int) -> str:
    return " ".join((["Bb"] * 8 + ["Gb"] * 8 + ["Kb"] * 8 + ["Ob"] * 8 + ["Sb"] * 8)[:number])


@pytest.mark.parametrize(("hands", "more", "depth"), [
    # Up to 28 cards of two players, 20 of more; own, hidden, and those of the pile.
    ("Wb Wb Wb Wb Wh | ? ? ? ? ?", 17, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ?", 18, 6),
    ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? ?", 6, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? ?", 7, 3),
    ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? | ?", 6, 63), ("Wb Wb Wb Wb Wh | ? ? ? ? ? | ? ? | ?", 7, 3),
])
def test_how_deep_a_world_is_searched(hands: str, more: int, depth: int) -> None:
    # The pile lies on one card that a stuck player put there.
    unseen = cards(hands.count("?") + more)
    view = View.parse(f"hands {hands}; pile {'? ' * more}Sh; unseen {unseen}")
    notes = advise(view, limits=Limits(seconds=1.0, samples=2)).notes
    cut = [note for note in notes if "turns deep" in note]
    if depth == 63:
        assert not cut or OUT_OF_TIME_NOTE in notes
    else:
        assert f"searched {depth} turns deep" in cut[0]
        assert OUT_OF_TIME_NOTE not in notes
    assert any("5 turns deep" in note for note in advise(view, turns=5, limits=Limits(samples=2)).notes)


@pytest.mark.parametrize(("text", "most"), [
    # Three black bodies with the head that lies there, three grey ones with the head in hand.
    (f"{PAIR}; unseen Bb Gb Gb Sh Wb", 6 + 6),
    ("hands Bb Bb | ?; table Bh; unseen Bb", 6), ("hands Bb Bb | ?; unseen Bh", 3), ("hands Bb Bb | ?; unseen Kh", 0),
    ("hands Bb Bb | ?; pile Bh Bb Gh Gb; unseen Kb", 6 + 1), ("hands - | Bb Bh | ?; table Gbbb; unseen Gh", 1 + 6),
])
def test_the_span(text: str, most: int) -> None:
    assert span(View.parse(text)) == 2 * (most + 12)
