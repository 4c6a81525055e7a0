"""Advice for a player who does not see all hands: averages over the worlds that fit what he knows."""
from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Mapping

from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winner import Cards, Move, State, View
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice, Deals
from exactplay.solvers.limits import Limits, Progress
from exactplay.solvers.winner import codec
from exactplay.solvers.winner.open_hands import OBJECTIVES, Objective, check_objective

World = tuple[Cards, ...]
_NODES_A_WORLD = 150_000  # a world that needs more is played out instead
_MB_A_WORLD = 16
_GAMES_A_MOVE = 4
_PLAYOUTS = (
    f"The worlds are too large to solve: in each, every move was played out {_GAMES_A_MOVE} times with all seats moving at "
    "random. That tells strong moves from weak ones; it proves nothing."
)
_TIES = "In each world, among moves equal for their mover the first in text order is taken (max^n); values rest on that."


def advise(
    view: View, *, objective: Objective = "win", limits: Limits | None = None, seed: int = 0,
    enumerate_at_most: int = hidden.ENUMERATE_AT_MOST, progress: Progress | None = None,
) -> Advice[Move]:
    """The average over the possible worlds of what each move of the player to act gets him.

    Values are his own: 1 for winning and 0 for not (`win`), his points, of two players minus the other's (`score`), his
    place counted from the last (`place`). In each world all hands are open and play is max^n from there, ties broken as
    :func:`solve` does; where worlds are too large for that, moves are compared by random play to the end, and the answer
    says so. The other arguments are those of :func:`exactplay.solvers.hidden.advise`. Raises :class:`IllegalPosition`.
    """
    start = time.process_time()
    limits = limits or Limits(seconds=10.0)
    samples, seconds = limits.samples or 400, limits.seconds
    view.check()
    check_objective(view.known.rules, view.known.players, objective)
    mover = view.known.to_move
    if mover == OVER or (objective == "win" and view.known.out):
        raise IllegalPosition("the hand is over; there is nothing to advise")
    unseen = view.unseen
    rest = len(unseen) - sum(view.hidden)
    deals = Deals(unseen, (*view.hidden, rest))
    number = OBJECTIVES.index(objective)

    def state_of(world: World) -> State:
        return view.world(world[:-1])

    def solved(world: World) -> Mapping[Move, int]:
        state = state_of(world)
        game = codec.game_of(state)
        found, _, _ = game.solve(number, _NODES_A_WORLD, _MB_A_WORLD)
        values = {}
        for move, answer in zip(game.moves(), found, strict=True):
            if answer is None:
                raise _TooLarge
            values[codec.move_of(*move)] = _own(state, objective, answer[0])
        return values

    def played_out(world: World) -> Mapping[Move, float]:
        game = codec.game_of(state_of(world))
        # One stream of chance for all moves of a world, so that they are compared under like conditions.
        stream = next(streams)
        values = {}
        for move in game.moves():
            game.play(*move)
            _, totals = game.random_games(_GAMES_A_MOVE, stream, number)
            game.undo()
            values[codec.move_of(*move)] = (totals[mover] - (totals[1 - mover] if against_one else 0)) / _GAMES_A_MOVE
        return values

    streams = itertools.count(seed << 32)
    # Between two the score is the difference of their points, as everywhere.
    against_one = objective == "score" and view.known.players == 2

    def average(values: Callable[[World], Mapping[Move, float]], fusion: bool, enumerated: int) -> Advice[Move]:
        return hidden.advise(
            deals, values, span=_span(view, objective), fusion=fusion, enumerate_at_most=enumerated,
            samples=samples, seconds=seconds, seed=seed,
        )

    try:
        worlds = [world for world, _ in itertools.islice(deals.weighted(), enumerate_at_most + 1)]
        # Of a sample nobody has seen whether every world is without a choice.
        sampled = len(worlds) > enumerate_at_most
        open_choice = sampled or any(_leaves_a_choice(state_of(world), objective) for world in worlds)
        advice = average(solved, open_choice, enumerate_at_most)
        notes = [*advice.notes] + ([_TIES] if view.known.players > 2 and open_choice else [])
    except _TooLarge:
        # Random play is a sample even where the worlds are few.
        advice = average(played_out, False, 0)
        notes = [_PLAYOUTS, *advice.notes]
    points = "his points minus the other's" if against_one else "his points"
    goal = {"win": "the chance to be first out", "score": points, "place": "his place, 0 for the Loser"}[objective]
    notes.append(f"Values are seat {mover}'s: {goal}.")
    # What was tried in vain, worlds too large to solve, was time as well.
    effort = dataclasses.replace(advice.effort, seconds=time.process_time() - start)
    return dataclasses.replace(advice, rules=view.known.rules.describe(), notes=tuple(notes), effort=effort)


class _TooLarge(Exception):
    """A world cannot be solved within its limit."""


def _own(state: State, objective: Objective, vector: tuple[int, ...]) -> int:
    """The mover's own value, from what the core answers."""
    if len(vector) > 1:
        return vector[state.to_move]
    # Of the last two the first out has place 1, the other 0; so has who wins.
    return vector[0] if objective == "score" else int(vector[0] > 0)


def _span(view: View, objective: Objective) -> int:
    """The largest difference of two values."""
    if objective == "win":
        return 1
    players = view.known.players
    if objective == "place":
        return players - 1
    cards = sum(len(hand) for hand in view.known.hands) + sum(view.hidden)
    return 3 * cards * (2 if players == 2 else 1)


def _leaves_a_choice(state: State, objective: Objective) -> bool:
    """Whether after some move somebody still has a choice."""
    for move in state.legal_moves():
        after = state.play(move)
        while after.to_move != OVER and not (objective == "win" and after.out):
            moves = after.legal_moves()
            if len(moves) > 1:
                return True
            after = after.play(moves[0])
    return False
