"""Advice for a player who does not see all cards."""
from __future__ import annotations

import dataclasses
import itertools
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from exactplay.cython_core.winston_dogs_maxn import MaxN
from exactplay.cython_core.winston_dogs_search import Searcher
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winston_dogs import COLOURS, Card, Move, View, size_points
from exactplay.rules.winston_dogs.moves import playable_turns
from exactplay.solvers import hidden
from exactplay.solvers.result import Bounds, Exact, Result, Verdict
from exactplay.solvers.winston_dogs.core import from_move, to_game
from exactplay.solvers.winston_dogs.exact import MAXN_NOTE, Clock, first_guess, solve

World = tuple[tuple[Card, ...], ...]

#: cards in hands and pile up to which every world is played to its end: with two players, and with more
EXACT_CARDS: Final = {2: 28, 3: 20}
HORIZON: Final = {2: 6, 3: 3}  # turns searched beyond that
_TOO_LONG: Final = "in this world too many stuck turns in succession are possible for it to be solved"
CHOICES_NOTE: Final = "Every deal of the unseen cards counts as equally likely, whatever the others' play so far may tell."
STUCK_NOTE: Final = (
    "A player was stuck, so some of these worlds may be impossible or less likely than others; the average counts all "
    "deals alike."
)
OUT_OF_TIME_NOTE: Final = "The time did not suffice to play the worlds to their ends."
_WORTHWHILE: Final = 16  # worlds; where the time does not suffice to solve so many, they are too large
_TABLE_BYTES: Final = 1 << 23
_EXACT_DEPTH: Final = 63


def advise(
    view: View,
    *,
    turns: int | None = None,
    samples: int = 400,
    seconds: float | None = 20.0,
    seed: int = 0,
    enumerate_at_most: int = hidden.ENUMERATE_AT_MOST,
    progress: Callable[[int], None] | None = None,
) -> Result[Move]:
    """The value of every move for the player on turn: his score less the other's, or his score with three or more.

    Where every hidden card follows from what all have seen, the answer is that of :func:`solve`. With two players and a
    pile of one or two cards it is the exact expectation, unless somebody is or was stuck. Else it is the
    average over the worlds, all of them or a sample (``samples``, ``seconds`` of CPU time, ``seed``), each world solved
    with its cards seen. ``turns`` cuts every world after so many turns and counts it by a rule of thumb;
    None does so where the worlds are too large to be solved, and so does time that is too short for that.
    Raises :class:`IllegalPosition`.
    """
    start = time.process_time()
    view.check()
    players, player = len(view.known.hands), view.known.turn
    groups = (*view.hidden, view.top)
    stuck = not playable_turns(view.known.hands[player], view.known.table)
    # Whoever plays draws two cards or more: the order of a pile of two does not matter then.
    shown = view.pile_size <= 1 or (view.pile_size == 2 and not stuck)
    deals = hidden.Deals(view.unseen, groups, frozenset() if shown else frozenset({players}))
    if view.some_world().to_move == OVER:
        raise IllegalPosition("the game is over, so there is no move to advise")
    holders = sum(bool(hand) or more > 0 for hand, more in zip(view.known.hands, view.hidden, strict=True))
    if view.top == 0 and holders <= 2 and sum(map(bool, view.hidden)) <= 1:
        # Both holders of cards, of whom one is on turn, know the pile and, by what is missing, each other's hand.
        return for_mover(solve(view.some_world(), seconds=seconds), player)
    few = min(players, 3)
    cards = sum(groups) + sum(map(len, view.known.hands)) + len(view.known.pile)
    depth = turns if turns is not None else _EXACT_DEPTH if cards <= EXACT_CARDS[few] else HORIZON[few]

    share = len(list(itertools.islice(deals.weighted(), _WORTHWHILE)))

    def average(depth: int) -> hidden.Advice[Move]:
        left = None if seconds is None else start + seconds - time.process_time()

        def values(world: World) -> Mapping[Move, int]:
            if seconds is None or depth <= HORIZON[few]:
                return world_values(view, world, depth)
            return world_values(view, world, depth, min(seconds / share, start + seconds - time.process_time()))

        return hidden.advise(
            deals,
            values,
            span=span(view),
            # Under a hidden card of the pile lie all those that stuck players put there.
            fusion=not (players == 2 and shown and not view.known.pile and depth == _EXACT_DEPTH),
            # A world that was cut short has no exact value: its average is an estimate, never an enumerated average.
            enumerate_at_most=enumerate_at_most if depth == _EXACT_DEPTH else 0,
            samples=samples,
            seconds=left,
            seed=seed,
            progress=progress,
        )

    hurried = False
    try:
        advice = average(depth)
    except hidden.OutOfTime:
        depth, hurried = HORIZON[few], True
        advice = average(depth)
    notes = [*advice.notes, CHOICES_NOTE]
    if hurried:
        notes.append(OUT_OF_TIME_NOTE)
    if view.known.pile:
        notes.append(STUCK_NOTE)
    if players > 2:
        notes.append(MAXN_NOTE)
    if depth != _EXACT_DEPTH:
        notes.append(
            f"Each world was searched {depth} turns deep and then counted by a rule of thumb (points, bone, poo, the "
            "dogs that could be taken at once): a guide, and the intervals cover the sampling only."
        )
    return dataclasses.replace(advice, notes=tuple(notes))


def world_values(
    view: View, world: World, depth: int = _EXACT_DEPTH, seconds: float | None = None
) -> dict[Move, int]:
    """The value of every move for the player on turn in one world, searched ``depth`` turns deep or to the end.

    Raises :class:`hidden.OutOfTime` where ``seconds`` of CPU time do not suffice.
    """
    clock = Clock(None, seconds, None)

    def failure() -> Exception:
        return hidden.OutOfTime() if clock.over else IllegalPosition(f"{state}: {_TOO_LONG}")

    deep = max(depth - 1, 0) if depth < _EXACT_DEPTH else depth
    state = view.world(world)
    moves = state.legal_moves()
    seat = state.turn
    values: dict[Move, int] = {}
    if len(state.hands) > 2:
        search = MaxN(to_game(state), _TABLE_BYTES, clock.look)
        for move in moves:
            vector = search.vector([from_move(move)], deep, clock.left(search.nodes))
            if vector is None:
                raise failure()
            values[move] = vector[seat]
        return values
    searcher = Searcher(to_game(state), _TABLE_BYTES, clock.look)
    guess = first_guess(searcher)
    for move in moves:
        low, high = searcher.value([from_move(move)], guess, deep, clock.left(searcher.nodes))
        if low != high:
            raise failure()
        values[move] = low if seat == 0 else -low
        guess = low
    return values


def span(view: View) -> int:
    """The largest difference that two values of the position can have."""
    cards = Counter((*view.unseen, *view.known.pile, *(card for hand in view.known.hands for card in hand)))
    most = 0
    for colour, dog in zip(COLOURS, view.known.table, strict=True):
        if dog.head or cards[Card(colour, True)]:
            most += size_points(dog.bodies + cards[Card(colour, False)])
    return 2 * (most + 12)


def for_mover(result: Result[Move], player: int) -> Result[Move]:
    """A two-player answer seen by the player on turn: his score less the other's."""
    if player == 0:
        return result
    moves = {move: _negated(verdict) for move, verdict in result.moves.items()}
    return dataclasses.replace(result, verdict=_negated(result.verdict), moves=moves)


def _negated(verdict: Verdict) -> Verdict:
    if isinstance(verdict, Exact) and not isinstance(verdict.value, tuple):
        return Exact(-verdict.value)
    if isinstance(verdict, Bounds) and not isinstance(verdict.low, tuple) and not isinstance(verdict.high, tuple):
        low, high = verdict.low, verdict.high
        return Bounds(None if high is None else -high, None if low is None else -low)
    return verdict
