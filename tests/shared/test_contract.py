"""The contract of rules/contract.py: one battery for every game, in the reference and in the native core."""
from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactplay.rules.contract import CHANCE, OVER, BadOption, BadText, IllegalMove, IllegalPosition
from tests.shared.subject import Subject, random_move, subjects

SUBJECTS = [subject for subject in subjects() if hasattr(subject.package, 'Rules')]
SETTINGS = [(subject, rules) for subject in SUBJECTS for rules in subject.settings()]
REFUSALS = (BadOption, BadText, IllegalPosition)
SEEDS = st.integers(0, 2**32)

every_setting = pytest.mark.parametrize(
    ("subject", "rules"), SETTINGS, ids=[f"{subject.game}: {rules.describe()}" for subject, rules in SETTINGS]
)
every_game = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.game)
with_hidden_cards = pytest.mark.parametrize(
    ("subject", "rules"), [pair for pair in SETTINGS if pair[0].view is not None],
    ids=[f"{subject.game}: {rules.describe()}" for subject, rules in SETTINGS if subject.view is not None],
)


@every_setting
@settings(max_examples=4)
@given(seed=SEEDS)
def test_states_keep_the_contract(subject: Subject, rules: Any, seed: int) -> None:
    rng = random.Random(seed)
    start = subject.start(rng, rules)
    assert start.rules == rules
    low, high = subject.score_range(start)
    for state in subject.walk(rng, start):
        moves = state.legal_moves()
        assert list(moves) == sorted(set(moves))
        assert sorted(state.iter_legal_moves()) == list(moves)
        outcomes = state.chance_outcomes()
        assert all(isinstance(p, Fraction) and p > 0 for _, p in outcomes)
        assert len({move for move, _ in outcomes}) == len(outcomes)
        assert sum(p for _, p in outcomes) == (state.to_move == CHANCE)
        assert bool(moves) == (state.to_move in range(state.players))
        for move in [*moves, *(move for move, _ in outcomes[:50])]:
            assert type(move).parse(str(move)) == move
        said_twice(state)
    assert state.to_move == OVER
    assert len(state.scores()) == state.players
    assert all(low <= score <= high for score in state.scores())


def said_twice(value: Any) -> None:
    """A value's text, JSON, pickle and copy say all of it, with nothing else given."""
    text = str(value)
    assert text.isprintable()
    plain = json.loads(json.dumps(value.to_json()))
    kind = type(value)
    for again in (kind.parse(text), kind.from_json(plain), pickle.loads(pickle.dumps(value)), copy.copy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert str(again) == text


@every_setting
@settings(max_examples=6)
@given(seed=SEEDS)
def test_reference_and_native_agree_at_every_step(subject: Subject, rules: Any, seed: int) -> None:
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
    pytest.fail(f"no end after {subject.max_plies} plies")


@every_setting
@settings(max_examples=3)
@given(seed=SEEDS)
def test_illegal_moves_are_refused(subject: Subject, rules: Any, seed: int) -> None:
    rng = random.Random(seed)
    states = list(subject.walk(rng, subject.start(rng, rules)))
    others = {move for state in states for move in state.legal_moves()}
    for state in states[:20]:
        if state.to_move != CHANCE:
            for move in sorted(others - set(state.legal_moves()))[:5]:
                with pytest.raises(IllegalMove):
                    state.play(move)


@with_hidden_cards
@settings(max_examples=4)
@given(seed=SEEDS)
def test_views_keep_the_contract(subject: Subject, rules: Any, seed: int) -> None:
    assert subject.view is not None
    rng = random.Random(seed)
    for state in subject.walk(rng, subject.start(rng, rules)):
        if state.to_move < 0:
            continue
        view = subject.view(state)
        if view is None:
            continue
        assert view.seat == state.to_move
        assert view.rules == rules
        said_twice(view)
        world = view.some_world()
        assert world.to_move == state.to_move
        assert world.legal_moves() == state.legal_moves()


@every_setting
@settings(max_examples=2)
@given(seed=SEEDS)
def test_what_the_asker_says_overrides_what_a_position_says(subject: Subject, rules: Any, seed: int) -> None:
    rng = random.Random(seed)
    state = subject.start(rng, rules)
    for name, values in subject.rules.options().items():
        for value in values:
            for read, source in ((type(state).parse, str(state)), (type(state).from_json, state.to_json())):
                try:
                    under = read(source, {name: value})
                except REFUSALS:
                    continue  # the options, or the position and its new rules, do not go together
                assert getattr(under.rules, name) == value
                if getattr(rules, name) == value:
                    assert under == state


@every_game
def test_only_what_exists_is_an_option(subject: Subject) -> None:
    state = subject.start(random.Random(1), subject.rules())
    known = subject.rules.options()
    wrong: list[dict[str, Any]] = [{"no_such_option": True}, *subject.refused]
    odd: tuple[Any, ...] = (None, 1, True, 1.0, 99, "", "no such value", [], object())
    wrong += [{name: value} for name, values in known.items() for value in odd
              if not any(type(value) is type(allowed) and value == allowed for allowed in values)]
    for options in wrong:
        if "no_such_option" not in options:
            with pytest.raises(BadOption):
                subject.rules(**options)
        for refuse in (
            lambda given: subject.rules.from_mapping(given),
            lambda given: type(state).parse(str(state), given),
            lambda given: type(state).from_json(state.to_json(), given),
        ):
            with pytest.raises(BadOption) as refusal:
                refuse(options)
            assert str(refusal.value).isprintable()


def readers(subject: Subject, seed: int) -> Iterator[tuple[Any, str]]:
    """What reads a text, and a text that it reads."""
    state = subject.start(random.Random(seed), subject.rules())
    yield type(state), str(state)
    view = None if subject.view is None or state.to_move < 0 else subject.view(state)
    if view is not None:
        yield type(view), str(view)
    for move in [*state.legal_moves(), *(move for move, _ in state.chance_outcomes()[:1])][:2]:
        yield type(move), str(move)


@settings(max_examples=60)
@given(noise=st.text(max_size=40), cut=st.integers(0, 200), seed=st.integers(0, 2**16))
@every_game
def test_damaged_text_is_refused_in_one_line(subject: Subject, noise: str, cut: int, seed: int) -> None:
    for kind, text in readers(subject, seed):
        for damaged in (noise, text[:cut] + noise + text[cut:], text[:cut]):
            read_or_refused(kind, kind.parse, damaged)


def read_or_refused(kind: Any, read: Any, given: Any) -> Any:
    try:
        value = read(given)
    except REFUSALS as error:
        assert str(error)
        assert "\n" not in str(error)
        return None
    assert kind.parse(str(value)) == value
    return value


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every entry of plain data, with the way to it."""
    entries = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key), value
        yield from leaves(value, (*path, key))


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(data)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


ODD = (None, True, -1, 10**30, 1.5, float("nan"), "x", "", [], {}, [[]], "\ud800")


@every_game
@settings(max_examples=5)
@given(seed=SEEDS)
def test_json_is_checked_entry_by_entry(subject: Subject, seed: int) -> None:
    rng = random.Random(seed)
    state = rng.choice(list(subject.walk(rng, subject.start(rng, subject.rules())))[:200])
    view = None if subject.view is None or state.to_move < 0 else subject.view(state)
    for value in [state] if view is None else [state, view]:
        kind, plain = type(value), json.loads(json.dumps(value.to_json()))
        for path, entry in leaves(plain):
            for odd in rng.sample(ODD, 3):
                read_or_refused(kind, kind.from_json, replaced(plain, path, odd))
            if type(entry) is int:
                assert kind.from_json(replaced(plain, path, np.int64(entry))) == value
                # true is no number, whatever Python says.
                again = read_or_refused(kind, kind.from_json, replaced(plain, path, True))
                assert again is None or again == kind.from_json(plain)
        read_or_refused(kind, kind.from_json, {**plain, "no such entry": 1})
