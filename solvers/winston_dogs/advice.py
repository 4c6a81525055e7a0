"""Advice for a player who does not see all cards."""
from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Final

from exactplay.common.words import named, whole
from exactplay.cython_core.winston_dogs.alpha_beta import AlphaBeta
from exactplay.cython_core.winston_dogs.maxn import MaxN
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.winston_dogs import COLOURS, Card, Move, State, View, size_points
from exactplay.rules.winston_dogs.moves import playable_turns
from exactplay.solvers import hidden
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Result
from exactplay.solvers.winston_dogs.bridge import from_move, to_position
from exactplay.solvers.winston_dogs.exact import MAXN_NOTE, Objective, first_guess, nodes_left, solve

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
ONE_WORLD_NOTE: Final = "All cards follow from what was seen; the others are taken to know them as well."
_WORTHWHILE: Final = 16  # worlds; where the time does not suffice to solve so many, they are too large
_TABLE_BYTES: Final = 1 << 22
_EXACT_DEPTH: Final = 63


def advise(
    view: View | State,
    *,
    objective: Objective = "score",
    turns: int | None = None,
    limits: Limits = Limits(seconds=10.0),  # noqa: B008  # a frozen value
    seed: int = 0,
    progress: Progress | None = None,
) -> Result[Move]:
    """The value of every move for the player on turn: his score less the other's, or his score with three or more.

    Where every hidden card follows from what was seen, the answer is that of :func:`solve`. With two players and a
    pile of one or two cards it is the exact expectation, unless somebody is or was stuck. Else it is the
    average over the worlds, all of them or a sample, each world solved with its cards seen. ``turns`` cuts every world
    after so many turns and counts it by a rule of thumb; None does so where the worlds are too large to be solved, and so
    do limits that are too small for that. Of a :class:`State` the player sees his hand and the table.
    Raises :class:`IllegalPosition` and :class:`BadOption`.
    """
    named(objective, Objective, "objective")
    if turns is not None:
        turns = whole(turns, "turns", 1, _EXACT_DEPTH)
    seed = whole(seed, "seed", 0)
    if isinstance(view, State):
        view = View.of(view)
    view.check()
    if view.some_world().to_move == OVER:
        raise IllegalPosition("the game is over, so there is no move to advise")
    players, player = view.players, view.seat
    groups = (*view.hidden, view.top)
    stuck = not playable_turns(view.known.hands[player], view.known.table)
    # Whoever plays draws two cards or more: the order of a pile of two does not matter then.
    shown = view.pile_size <= 1 or (view.pile_size == 2 and not stuck)
    deals = hidden.Deals(view.unseen, groups, frozenset() if shown else frozenset({players}))
    if (world := hidden.only_world(deals)) is not None:
        answer = solve(view.world(world), moves="all", limits=limits, progress=progress).pov(player)
        holders = sum(bool(hand) or more > 0 for hand, more in zip(view.known.hands, view.hidden, strict=True))
        # Of two holders of cards, one of whom is on turn, each knows the other's hand by what is missing.
        known_to_all = view.top == 0 and holders <= 2
        return answer if known_to_all else dataclasses.replace(answer, notes=(*answer.notes, ONE_WORLD_NOTE))
    few = min(players, 3)
    cards = sum(groups) + sum(map(len, view.known.hands)) + len(view.known.pile)
    depth = turns if turns is not None else _EXACT_DEPTH if cards <= EXACT_CARDS[few] else HORIZON[few]
    budget = Budget(limits, progress, what="worlds")
    share = len(list(itertools.islice(deals.weighted(), _WORTHWHILE)))

    def average(depth: int) -> hidden.Advice[Move]:
        def values(world: World) -> Mapping[Move, int]:
            # A quick valuation is not hurried.
            part = Budget(Limits()) if depth <= HORIZON[few] else _part(budget, share)
            return world_values(view, world, depth, part)

        return hidden.advise(
            deals,
            values,
            budget=budget,
            span=span(view),
            seat=player,
            players=players,
            seed=seed,
            # Under a hidden card of the pile lie all those that stuck players put there.
            fusion=not (players == 2 and shown and not view.known.pile and depth == _EXACT_DEPTH),
            # A world that was cut short has no exact value: its average is an estimate, never an enumerated average.
            enumerate_at_most=hidden.ENUMERATE_AT_MOST if depth == _EXACT_DEPTH else 0,
        )

    hurried = False
    try:
        advice = average(depth)
    except OutOfBudget:
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


def _part(budget: Budget, share: int) -> Budget:
    """What one world may cost, if ``share`` worlds are to be solved."""
    limits = budget.limits
    seconds = limits.seconds if limits.cpu_seconds is None else limits.cpu_seconds
    return budget.within(
        nodes=None if limits.nodes is None else limits.nodes // share,
        seconds=None if seconds is None else seconds / share,
    )


def world_values(
    view: View, world: World, depth: int = _EXACT_DEPTH, budget: Budget | None = None
) -> dict[Move, int]:
    """The value of every move for the player on turn in one world, searched ``depth`` turns deep or to the end.

    Raises :class:`OutOfBudget`, and :class:`IllegalPosition` where the world cannot be solved.
    """
    budget = budget or Budget(Limits())
    deep = max(depth - 1, 0) if depth < _EXACT_DEPTH else depth
    state = view.world(world)
    two = state.players == 2
    search = (AlphaBeta if two else MaxN)(to_position(state), min(_TABLE_BYTES, budget.limits.table_bytes), budget.poll)
    guess = first_guess(search) if isinstance(search, AlphaBeta) else 0
    values: dict[Move, int] = {}
    for move in state.legal_moves():
        path, nodes = [from_move(move)], nodes_left(search, budget)
        if isinstance(search, AlphaBeta):
            low, high = search.value(path, guess, deep, nodes)
            found, guess = low == high, low
            values[move] = low if state.turn == 0 else -low
        else:
            vector = search.vector(path, deep, nodes)
            found = vector is not None
            values[move] = vector[state.turn] if vector else 0
        if not found:
            if not nodes_left(search, budget):
                raise OutOfBudget(budget.struck or "nodes")
            raise IllegalPosition(f"{state}: {_TOO_LONG}")
    return values


def span(view: View) -> int:
    """The largest difference that two values of the position can have."""
    cards = Counter((*view.unseen, *view.known.pile, *(card for hand in view.known.hands for card in hand)))
    most = 0
    for colour, dog in zip(COLOURS, view.known.table, strict=True):
        if dog.head or cards[Card(colour, True)]:
            most += size_points(dog.bodies + cards[Card(colour, False)])
    return 2 * (most + 12)
