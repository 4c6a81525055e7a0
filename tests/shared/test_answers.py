"""One battery for the solvers of every game, asked as the faces ask them."""
from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import json
import pickle
import random
import time
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from exactplay.common.errors import BadOption
from exactplay.questions import face_of
from exactplay.questions.face import GameFace
from exactplay.rules.contract import OVER
from exactplay.solvers.limits import Limits, Report
from exactplay.solvers.result import Bounds, Exact, Result
from tests.shared.subject import Subject, subjects

Game = tuple[Subject, GameFace]
MOVES = ("value", "best", "all")


@pytest.fixture(params=subjects(), ids=lambda subject: subject.game, scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    return request.param, face_of(request.param.game)


def late(subject: Subject, seed: int, plies: int = 4) -> Any:
    """A position of the player to move, not many plies from its end."""
    rng = random.Random(seed)
    if subject.late is not None:
        return subject.late(rng)
    states = [state for state in subject.walk(rng, subject.start(rng, subject.rules())) if state.to_move >= 0]
    return states[max(0, len(states) - plies)]


def finished(subject: Subject, seed: int) -> Any:
    rng = random.Random(seed)
    *_, last = subject.walk(rng, subject.start(rng, subject.rules()))
    return last


@pytest.mark.parametrize("seed", range(6))
def test_what_is_asked_of_the_moves(game: Game, seed: int) -> None:
    subject, face = game
    state = late(subject, seed)
    legal = set(state.legal_moves())
    value, best, every = (face.solve(state, objective=face.objectives[0], moves=moves) for moves in MOVES)
    assert value.verdict == best.verdict == every.verdict
    for result in (value, best, every):
        well_formed(result, state)
        assert isinstance(result.verdict, Exact)
        assert result.best
        assert legal >= set(result.moves) >= set(result.best)
        # Of a vector the mover's entry ties; what the others get may differ.
        assert all(worth(result, move) == best_worth(result) for move in result.best)
        assert set(result.best) <= set(every.best)
    assert best.best == every.best
    assert all(isinstance(verdict, Exact) for verdict in every.moves.values())
    # What the mover does not take is worth no more to him.
    worths = {move: worth(every, move) for move in every.moves}
    assert {move for move, worth in worths.items() if worth == max(worths.values())} == set(every.best)
    for move, verdict in best.moves.items():
        if isinstance(verdict, Exact):
            assert verdict == every.moves[move]


def worth(result: Result[Any], move: Any) -> float:
    """What a move is worth to whoever makes it."""
    verdict = result.moves[move]
    assert isinstance(verdict, Exact)
    if isinstance(verdict.value, tuple):
        return verdict.value[result.mover]
    return verdict.value if result.viewpoint == result.mover else -verdict.value


def best_worth(result: Result[Any]) -> float:
    """The value of the position to whoever is to move."""
    return worth(dataclasses.replace(result, moves={None: result.verdict}), None)


def well_formed(result: Result[Any], state: Any) -> None:
    assert result.players == state.players
    assert result.mover == (state.to_move if state.to_move >= 0 else result.mover)
    assert result.viewpoint is None or result.viewpoint in range(result.players)
    assert result.rules == state.rules.describe()
    data = json.loads(json.dumps(result.to_json()))
    assert (data["viewpoint"], data["mover"]) == (result.viewpoint, result.mover)
    assert set(data["best"]) == set(map(str, result.best))
    assert sorted(result.ranked()) == sorted(result.moves)
    assert set(result.ranked()[: len(result.best)]) == set(result.best)
    for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert again == result
        assert hash(again) == hash(result)


def test_a_finished_position_is_answered_alike(game: Game) -> None:
    subject, face = game
    state = finished(subject, 1)
    assert state.to_move == OVER
    for moves in MOVES:
        result = face.solve(state, objective=face.objectives[0], moves=moves)
        well_formed(result, state)
        assert isinstance(result.verdict, Exact)
        assert (dict(result.moves), result.best, result.pv) == ({}, (), ())
        assert "The game is over." in result.notes


@pytest.mark.parametrize("limits", [Limits(nodes=0), Limits(nodes=1), Limits(seconds=0), Limits(cpu_seconds=0)], ids=str)
def test_what_a_limit_leaves_is_no_error(game: Game, limits: Limits) -> None:
    subject, face = game
    state = late(subject, 2)
    result = face.solve(state, objective=face.objectives[0], limits=limits)
    well_formed(result, state)
    assert isinstance(result.verdict, Exact | Bounds)


def test_seconds_hold(game: Game) -> None:
    subject, face = game
    state = large(subject)
    began = time.monotonic()
    well_formed(face.solve(state, objective=face.objectives[0], limits=Limits(seconds=0.3)), state)
    assert time.monotonic() - began < 1.5  # an idle machine takes 0.5


def large(subject: Subject) -> Any:
    """A position that takes long to solve, if the game has any."""
    rng = random.Random(4)
    if subject.large is not None:
        return subject.large(rng)
    return next(state for state in subject.walk(rng, subject.start(rng, subject.rules())) if state.to_move >= 0)


def test_ctrl_c_leaves_the_solver(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is heard from inside the search, so whatever it raises ends it."""
    subject, face = game
    monkeypatch.setattr("exactplay.solvers.limits.REPORT_EVERY", 0.0)
    told: list[Report] = []

    def interrupted(report: Report) -> None:
        told.append(report)
        raise KeyboardInterrupt

    began = time.monotonic()
    try:
        face.solve(large(subject), objective=face.objectives[0], limits=Limits(seconds=20), progress=interrupted)
    except KeyboardInterrupt:
        assert len(told) == 1
    assert time.monotonic() - began < 5


def test_advice_is_well_formed(game: Game) -> None:
    subject, face = game
    state = late(subject, 3)
    seen = state if subject.view is None else subject.view(state)
    first, again = (
        face.advise(seen, objective=face.objectives[0], limits=Limits(samples=10), seed=5) for _ in range(2)
    )
    well_formed(first, state)
    assert set(first.moves) <= set(state.legal_moves())
    assert first == again


def literals(hint: Any) -> bool:
    """Whether an annotation is a closed set of names, or one of several things it may be is."""
    if typing.get_origin(hint) is Literal:
        return all(isinstance(name, str) for name in typing.get_args(hint))
    return typing.get_origin(hint) in (typing.Union, types.UnionType) and any(map(literals, typing.get_args(hint)))


def named_parameters(subject: Subject) -> Iterator[tuple[str, Callable[..., Any], str]]:
    """Every public function, class and method of a game's solvers, with each parameter that is a closed set of names."""
    package = importlib.import_module(f"exactplay.solvers.{subject.game}")
    for name in package.__all__:
        thing = getattr(package, name)
        members = [(name, thing)] if inspect.isclass(thing) or inspect.isfunction(thing) else []
        if dataclasses.is_dataclass(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
            continue  # nobody asks these
        if inspect.isclass(thing):
            members += [(f"{name}.{made}", way) for made, way in inspect.getmembers(thing, inspect.ismethod)]
        for called, function in members:
            hints = typing.get_type_hints(function.__init__ if inspect.isclass(function) else function)
            for parameter in inspect.signature(function).parameters:
                if literals(hints.get(parameter)):
                    yield called, function, parameter


NAMED = [(subject, *found) for subject in subjects() for found in named_parameters(subject)]


@pytest.mark.parametrize(
    ("subject", "called", "function", "parameter"), NAMED,
    ids=[f"{subject.game}.{called}: {parameter}" for subject, called, _, parameter in NAMED],
)
def test_an_unknown_name_is_refused_at_once(
    subject: Subject, called: str, function: Callable[..., Any], parameter: str
) -> None:
    needed = {
        name: argument(subject, name) for name, known in inspect.signature(function).parameters.items()
        if known.default is known.empty and name != parameter
    }
    for wrong in ("no such name", "", True, 3):
        with pytest.raises(BadOption, match=parameter) as refusal:
            function(**needed, **{parameter: wrong})
        assert "\n" not in str(refusal.value)


def argument(subject: Subject, name: str) -> Any:
    if name in subject.arguments:
        return subject.arguments[name]()
    if name == "state":
        return late(subject, 1)
    if name in ("view", "view_or_state", "position", "seen"):
        return late(subject, 1) if subject.view is None else subject.view(late(subject, 1))
    pytest.fail(f"add {name!r} to the arguments of tests/{subject.game}/subject.py")
