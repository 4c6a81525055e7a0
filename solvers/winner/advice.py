"""Advice for a player who does not see all hands: averages over the worlds that fit what he knows."""
from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import Any, Final

from exactplay.cython_core.winner.position import TooManyMoves
from exactplay.rules.winner import Card, Cards, Move, State, View
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice, Deals
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Result
from exactplay.solvers.winner import bridge
from exactplay.solvers.winner.exact import (
    OBJECTIVES,
    Objective,
    check_objective,
    general_search,
    is_settled,
    meaning,
    promising,
    solve,
)

World = tuple[Cards, ...]
_NODES_A_WORLD: Final = 150_000  # a world that needs more is played out instead
_TABLE_A_WORLD: Final = 16 << 20
_WORLDS_IN_TIME: Final = 20  # worlds so large that fewer could be solved in the time given are played out
_GAMES_A_MOVE: Final = 4
_MOST_MOVES: Final = 1_000  # of a hand with more, only these are played out:
_PROMISING: Final = 200
_PLAYOUTS: Final = (
    f"The worlds are too large to solve: in each, every move was played out {_GAMES_A_MOVE} times with all seats moving at "
    "random. That tells strong moves from weak ones; it proves nothing."
)
_CHOSEN: Final = f"There are more than {_MOST_MOVES:,} legal moves: the {_PROMISING} most promising were compared."
_TIES: Final = (
    "In each world, among moves equal for their mover the first in text order is taken (max^n); values rest on that."
)


def advise(
    view: View | State, *, objective: Objective = "win", limits: Limits | None = None, seed: int = 0,
    progress: Progress | None = None, enumerate_at_most: int = hidden.ENUMERATE_AT_MOST,
) -> Result[Move]:
    """The average over the possible worlds of what each move of the player to act gets him.

    Values are his own: 1 for winning and 0 for not (`win`), his points, of two players minus the other's (`score`), his
    place counted from the last (`place`). In each world all hands are open and play is max^n from there, ties broken as
    :func:`solve` does; where worlds are too large for that, moves are compared by random play to the end, and the answer
    says so. Where only one world fits, the answer is that of :func:`solve`, the value and one best move first.

    ``limits`` are 10 seconds where none are given. Raises :class:`BadOption` and :class:`IllegalPosition`.
    """
    limits = limits or Limits(seconds=10.0)
    if isinstance(view, State):
        view = View(view, (0,) * view.players, None)
    view.check()
    state = view.known
    check_objective(state.rules, state.players, objective)
    unseen = view.unseen
    deals = Deals(unseen, (*view.hidden, len(unseen) - sum(view.hidden)))
    # What lies out of play makes no difference.
    world = view.known if not any(view.hidden) else view.some_world() if is_settled(state, objective) else None
    if world is None and (only := hidden.only_world(deals)) is not None:
        world = view.world(only[:-1])
    if world is not None:
        result = solve(world, objective=objective, limits=limits, progress=progress)
        notes = [note for note in result.notes if note != meaning(state.players, objective, 0)]
        own = meaning(state.players, objective, result.mover)
        return dataclasses.replace(result.pov(result.mover), notes=(own, *notes) if result.moves else result.notes)
    return _Asking(view, objective, deals, Budget(limits, progress, what="worlds"), seed).advice(enumerate_at_most)


class _TooLarge(Exception):
    """A world cannot be solved within its limit."""


class _Asking:
    """A question while it is answered."""

    def __init__(self, view: View, objective: Objective, deals: Deals[Card], budget: Budget, seed: int) -> None:
        self._view, self._objective, self._deals, self._budget, self._seed = view, objective, deals, budget, seed
        self._mover = view.known.to_move
        # Between two the score is the difference of their points, as everywhere.
        self._against_one = objective == "score" and view.known.players == 2
        self._streams = itertools.count(seed << 32)
        self._chosen = False

    def advice(self, enumerate_at_most: int) -> Advice[Move]:
        """By solving the worlds, or else by playing them out."""
        try:
            worlds = [world for world, _ in itertools.islice(self._deals.weighted(), enumerate_at_most + 1)]
            # Of a sample nobody has seen whether every world is without a choice.
            sampled = len(worlds) > enumerate_at_most
            open_choice = sampled or any(_leaves_a_choice(self._state(world), self._objective) for world in worlds)
            advice = self._average(self._solved, open_choice, enumerate_at_most)
            notes = [*advice.notes] + ([_TIES] if self._view.known.players > 2 and open_choice else [])
        except (_TooLarge, OutOfBudget):
            # Random play is a sample even where the worlds are few.
            advice = self._average(self._played_out, False, 0)
            notes = [_PLAYOUTS, *([_CHOSEN] if self._chosen else []), *advice.notes]
        points = "his points minus the other's" if self._against_one else "his points"
        goal = {"win": "the chance to be first out", "score": points, "place": "his place, 0 for the Loser"}
        notes.append(f"Values are seat {self._mover}'s: {goal[self._objective]}.")
        return dataclasses.replace(advice, notes=tuple(notes))

    def _average(self, values: Any, fusion: bool, enumerated: int) -> Advice[Move]:
        return hidden.advise(
            self._deals, values, budget=self._budget, span=_span(self._view, self._objective), seat=self._mover,
            players=self._view.known.players, seed=self._seed, fusion=fusion, enumerate_at_most=enumerated,
            rules=self._view.rules.describe(),
        )

    def _state(self, world: World) -> State:
        return self._view.world(world[:-1])

    def _solved(self, world: World) -> Mapping[Move, int]:
        """What each move gets in a world; raises _TooLarge or OutOfBudget."""
        position = bridge.position_of(self._state(world))
        given = self._budget.limits.seconds
        part = self._budget.within(
            nodes=_NODES_A_WORLD, seconds=None if given is None else given / _WORLDS_IN_TIME
        )
        search = general_search(self._objective, _TABLE_A_WORLD)
        found = search.values(position, part.nodes_left, part.poll)
        self._budget.spend(search.nodes)
        if not found or None in found:
            self._budget.check()
            raise _TooLarge
        return {
            bridge.move_of(*words): self._own(answer[0])
            for words, answer in zip(position.moves(), found, strict=True) if answer is not None
        }

    def _own(self, vector: tuple[int, ...]) -> int:
        """The mover's own value, from what the core answers."""
        if len(vector) > 1:
            return vector[self._mover]
        # Of the last two the first out has place 1, the other 0; so has who wins.
        return vector[0] if self._objective == "score" else int(vector[0] > 0)

    def _played_out(self, world: World) -> Mapping[Move, float]:
        state = self._state(world)
        position = bridge.position_of(state)
        try:
            moves = [bridge.move_of(*words) for words in position.moves(_MOST_MOVES)]
        except TooManyMoves:
            moves, self._chosen = sorted(promising(state, position, _PROMISING)), True
        # One stream of chance for all moves of a world, so that they are compared under like conditions.
        stream = next(self._streams)
        values = {}
        for move in moves:
            after = position.play(*bridge.move_words(move))
            _, totals = after.random_games(_GAMES_A_MOVE, stream, OBJECTIVES.index(self._objective))
            other = totals[1 - self._mover] if self._against_one else 0
            values[move] = (totals[self._mover] - other) / _GAMES_A_MOVE
        return values


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
    for move in state.iter_legal_moves():
        after = state.play(move)
        while not is_settled(after, objective):
            moves = list(itertools.islice(after.iter_legal_moves(), 2))
            if len(moves) > 1:
                return True
            after = after.play(moves[0])
    return False
