"""The native core of Winston 1984 against the reference, and against itself in its several forms."""
from __future__ import annotations

import random

import numpy as np
import pytest

from bench.verify.winston84 import check_setting, random_utilities, rolled_round
from exactplay.certificates.round_graph import RoundGraph
from exactplay.cython_core.winston84.adviser import Adviser
from exactplay.cython_core.winston84.kernel import set_flavour
from exactplay.cython_core.winston84.raw_induction import RawInduction
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import Decision, Dice, Roll, Round, Rules
from exactplay.solvers.winston84.bridge import position_of
from exactplay.solvers.winston84.structure import (
    RESULTS,
    SECURITY,
    load_structure,
    opening,
)

#: the optimal mean result of one round by family of rolls, from an independent study
BEST_MEANS = [
    16.643413661, 10.4461596182, 10.260159465, 14.8080061157, 9.03608920134, 18.2793673276, 5.29831223327, 12.8516511942,
]


def test_best_mean_results() -> None:
    utilities = np.zeros((RESULTS, 8))
    utilities[:, 3] = np.arange(RESULTS)
    means = [float(evaluator.evaluate(utilities)[3]) for evaluator in load_structure(Rules()).evaluators()]
    assert means == pytest.approx(BEST_MEANS, rel=1e-10)


@pytest.mark.parametrize(
    "options",
    [{}, *({name: True} for name in Rules.options()), dict.fromkeys(Rules.options(), True)],
    ids=lambda options: ",".join(options) or "default",
)
def test_a_random_share_of_the_rolls_agrees_with_the_reference(options: dict[str, bool]) -> None:
    """All of them: python -m bench verify winston84."""
    rng = random.Random(",".join(options))
    # Green's face decides how much of the game a roll leads to; low ones keep this a share of it.
    families = {family: [low_green_roll(rng, family, 2 if family == 0 else 3)] for family in range(8)}
    positions, _, worst = check_setting(Rules(**options), families, seed=1, sample=2_000)
    assert positions > 3_000
    assert worst <= 1e-12


def low_green_roll(rng: random.Random, family: int, highest: int) -> int:
    while True:
        roll = rng.randrange(46_656 if family in (0, SECURITY) else 7_776)
        if rolled_round(Rules(), family, roll).dice.six[1].value <= highest:
            return roll


def test_the_check_of_parity_can_fail() -> None:
    """A reference with other rules than the core's is told apart by the same comparison."""
    rng, graph = random.Random(1), RoundGraph()
    rolls = [low_green_roll(rng, 0, 1) for _ in range(20)]
    where = [graph.visit(rolled_round(Rules(room101_is_placed=True), 0, roll)) for roll in rolls]
    utilities = random_utilities(np.random.default_rng(5))
    native = load_structure(Rules()).evaluators()[0].values(utilities)[rolls]
    assert np.abs(native - graph.values(utilities)[where]).max() > 1


def test_flavours_and_batches_give_the_same_bits() -> None:
    utilities = random_utilities(np.random.default_rng(2))
    alone = np.zeros_like(utilities)
    alone[:, 5] = utilities[:, 2]
    answers = []
    for level in (0, 1, 2):
        try:
            set_flavour(level)
        except ValueError:
            continue
        evaluators = load_structure(Rules()).evaluators()
        answers.append([evaluator.evaluate(utilities) for evaluator in evaluators])
        assert all(e.evaluate(alone)[5] == a[2] for e, a in zip(evaluators, answers[-1], strict=True))
    set_flavour()
    for other in answers[1:]:
        assert all((a == b).all() for a, b in zip(answers[0], other, strict=True))


def test_values_of_rolls_average_to_the_mean() -> None:
    utilities = random_utilities(np.random.default_rng(3))
    for evaluator in load_structure(Rules()).evaluators():
        assert evaluator.values(utilities).mean(axis=0) == pytest.approx(evaluator.evaluate(utilities), rel=1e-12, abs=1e-9)


def test_the_raw_induction_agrees() -> None:
    """It knows nothing of masks, nodes and dominance."""
    utility = random_utilities(np.random.default_rng(4))[:, 5].copy()
    utilities = np.zeros((RESULTS, 8))
    utilities[:, 0] = utility
    induction = RawInduction(0, utility)
    compiled = float(load_structure(Rules()).evaluators()[0].evaluate(utilities)[0])
    assert induction.mean() == pytest.approx(compiled, abs=1e-12)
    assert induction.states > 1_000_000


def test_what_the_optimal_policy_brings_about() -> None:
    rng = np.random.default_rng(6)
    utility, second = rng.integers(0, 3, RESULTS).astype(float), rng.random(RESULTS)
    utilities = np.zeros((RESULTS, 8))
    utilities[:, 0] = utility
    for evaluator in load_structure(Rules()).evaluators():
        expected_second, probability = evaluator.follow(utility, second)
        assert probability.sum() == pytest.approx(1, abs=1e-12)
        assert probability @ utility == pytest.approx(float(evaluator.evaluate(utilities)[0]), abs=1e-10)
        assert probability @ second == pytest.approx(expected_second, abs=1e-10)
        # With ties broken the other way the second utility can only get worse, the first stays.
        _, spiteful = evaluator.follow(utility, -second)
        assert spiteful @ utility == pytest.approx(probability @ utility, abs=1e-10)
        assert spiteful @ second <= probability @ second + 1e-12


def test_played_rolls_follow_the_distribution() -> None:
    utility = np.random.default_rng(7).random(RESULTS)
    rolls = np.random.default_rng(8)
    for family in (0, 3, SECURITY):
        evaluator = load_structure(Rules()).evaluators()[family]
        _, probability = evaluator.follow(utility, np.zeros(RESULTS))
        n = 200_000
        results = rolls.integers(7_776 if family == 3 else 46_656, size=n).astype(np.int32)
        evaluator.play(results, np.array([9], np.uint64))
        share = np.bincount(results, minlength=RESULTS) / n
        assert (np.abs(share - probability) <= 5 * np.sqrt(probability * (1 - probability) / n) + 1e-9).all()


def uniform_mean(round: Round, known: dict[Round, float]) -> float:
    """The mean result under uniformly random decisions, through the reference."""
    if round not in known:
        if round.to_move == OVER:
            known[round] = round.result
        else:
            moves: tuple[Decision | Roll, ...] = round.legal_moves() or tuple(roll for roll, _ in round.chance_outcomes())
            known[round] = sum(uniform_mean(round.play(move), known) for move in moves) / len(moves)
    return known[round]


def test_random_rounds_have_the_mean_of_the_reference() -> None:
    """Without Purple there are few enough positions to average over all of them."""
    known: dict[Round, float] = {}
    mean = sum(uniform_mean(rolled_round(Rules(), 6, roll), known) for roll in range(7_776)) / 7_776
    n = 400_000
    results = opening(6).random_rounds(n, np.array([3], np.uint64))
    assert results.mean() == pytest.approx(mean, abs=4 * results.std() / n**0.5)


def test_the_adviser_needs_no_compiled_node() -> None:
    """Positions that no roll leads to are valued by running through the faces."""
    shared = load_structure(Rules()).shared
    empty = shared | {"node_key": shared["node_key"][:0], "node_of_key": shared["node_of_key"][:0]}
    utility = np.random.default_rng(11).random(RESULTS)
    known, fallback = Adviser(shared, 0, utility), Adviser(empty, 0, utility)
    for text in ("R5 G3 B2 W4 Y1 P6", "R1 G4 B6 W6 Y5 P2", "Gp2 R? Y? B1 W3 Pp2"):
        code = position_of(Round(Rules(), Dice.parse(text)))
        assert fallback.value(code) == pytest.approx(known.value(code), abs=1e-13)
        assert fallback.distribution(code) == pytest.approx(known.distribution(code), abs=1e-13)


def test_an_odd_position_agrees_with_the_reference() -> None:
    """Only Yellow and Green left of the dice, or a placed die of a value that no rule could have given it."""
    utility = np.random.default_rng(12).random(RESULTS)
    adviser = Adviser(load_structure(Rules()).shared, 0, utility)
    for text in ("G1 Y3", "G2 Y3 R4", "Wp1 G1 Y4", "Yp6 G1 R2"):
        graph, round = RoundGraph(), Round(Rules(), Dice.parse(text))
        index = graph.visit(round)
        assert round.to_move != CHANCE
        assert adviser.value(position_of(round)) == pytest.approx(graph.values(utility[:, None])[index, 0], abs=1e-13)
