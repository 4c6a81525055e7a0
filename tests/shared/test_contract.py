"""One battery for every game, in the reference and in the native core."""
from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalMove, IllegalPosition
from tests import ROOT
from tests.shared.subject import Subject

SUBJECTS: list[Subject] = [
    import_module(f"tests.{path.parent.name}.subject").SUBJECT for path in sorted(ROOT.glob("tests/*/subject.py"))
    if path.parent.name != "shared"
]
SETTINGS = [(subject, rules) for subject in SUBJECTS for rules in subject.settings()]
Side = Callable[[Any], Any]


@pytest.fixture(params=["reference", "native"], scope="module")
def side(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=SETTINGS, scope="module", ids=lambda pair: f"{pair[0].game}: {pair[1].describe()}")
def setting(request: pytest.FixtureRequest) -> tuple[Subject, Any]:
    return request.param  # type: ignore[no-any-return]


def walk(subject: Subject, rules: Any, seed: int, side: str) -> Any:
    """Yield the states of one random game."""
    rng = random.Random(seed)
    state = subject.start(rng, rules)
    if side == "native":
        state = subject.native(state)
    for _ in range(subject.max_plies):
        yield state
        if state.to_move == OVER:
            return
        state = state.play(random_move(rng, state))
    pytest.fail(f"{subject.game}: no end after {subject.max_plies} plies")


def random_move(rng: random.Random, state: Any) -> Any:
    if state.to_move == CHANCE:
        outcomes = state.chance_outcomes()
        return rng.choices([move for move, _ in outcomes], [float(p) for _, p in outcomes])[0]
    return rng.choice(state.legal_moves())


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_moves_are_sorted_and_unique(setting: tuple[Subject, Any], side: str, seed: int) -> None:
    for state in walk(*setting, seed, side):
        moves = list(state.legal_moves())
        assert moves == sorted(set(moves))
        assert bool(moves) == (state.to_move >= 0)


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_chance_outcomes_sum_to_one(setting: tuple[Subject, Any], side: str, seed: int) -> None:
    for state in walk(*setting, seed, side):
        outcomes = state.chance_outcomes()
        if state.to_move == CHANCE:
            assert sum(p for _, p in outcomes) == 1
            assert all(isinstance(p, Fraction) and p > 0 for _, p in outcomes)
            assert len({move for move, _ in outcomes}) == len(outcomes)
        else:
            assert not outcomes


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_text_round_trip_in_mid_game(setting: tuple[Subject, Any], seed: int) -> None:
    subject, rules = setting
    for state in walk(subject, rules, seed, "reference"):
        text = str(state)
        assert "\n" not in text
        again = subject.parse(text, state)
        assert again == state
        assert hash(again) == hash(state)
        assert str(again) == text
        assert pickle.loads(pickle.dumps(state)) == state
        for move in [*state.legal_moves(), *(m for m, _ in state.chance_outcomes()[:50])]:
            assert subject.parse_move(str(move)) == move


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_reference_and_native_agree_at_every_step(setting: tuple[Subject, Any], seed: int) -> None:
    subject, rules = setting
    rng = random.Random(seed)
    state = subject.start(rng, rules)
    native = subject.native(state)
    for _ in range(subject.max_plies):
        assert native.to_move == state.to_move
        assert str(native) == str(state)
        assert tuple(native.legal_moves()) == state.legal_moves()
        assert tuple(native.chance_outcomes()) == state.chance_outcomes()
        if state.to_move == OVER:
            assert tuple(native.scores()) == state.scores()
            return
        move = random_move(rng, state)
        state, native = state.play(move), native.play(move)


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_scores_within_bounds(setting: tuple[Subject, Any], side: str, seed: int) -> None:
    subject, rules = setting
    low, high = subject.score_range(subject.start(random.Random(seed), rules))
    *_, last = walk(subject, rules, seed, side)
    assert all(low <= score <= high for score in last.scores())


@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_illegal_moves_are_refused(setting: tuple[Subject, Any], seed: int) -> None:
    subject, rules = setting
    states = list(walk(subject, rules, seed, "reference"))
    others = {move for state in states for move in state.legal_moves()}
    for state in states[:20]:
        if state.to_move == CHANCE:
            continue
        for move in sorted(others - set(state.legal_moves()))[:5]:
            with pytest.raises(IllegalMove):
                state.play(move)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.game)
def test_refused_options(subject: Subject) -> None:
    for refusal in subject.refused:
        with pytest.raises(ValueError, match=r".+"):
            subject.rules.from_mapping(refusal)
    with pytest.raises(BadText):
        subject.rules.from_mapping({"no_such_option": True})


@settings(max_examples=60)
@given(noise=st.text(max_size=40), cut=st.integers(0, 200), seed=st.integers(0, 2**16))
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.game)
def test_damaged_text_is_refused_in_one_line(subject: Subject, noise: str, cut: int, seed: int) -> None:
    """Whatever stands in a position text, the answer is a state or one line of a named error."""
    state = subject.start(random.Random(seed), subject.rules())
    text = str(state)
    for damaged in (noise, text[:cut] + noise + text[cut:], text[:cut]):
        try:
            again = subject.parse(damaged, state)
        except (BadText, IllegalPosition) as error:
            assert str(error)
            assert "\n" not in str(error)
        else:
            assert subject.parse(str(again), state) == again
        try:
            subject.parse_move(damaged)
        except BadText as error:
            assert "\n" not in str(error)
