"""Advice to a player who sees his own hand only: the worlds that he cannot tell apart, each solved or played out."""
from __future__ import annotations

import dataclasses
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from exactplay.common.words import named, whole
from exactplay.cython_core.walk_the_dogs.maxn import MaxN
from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.walk_the_dogs import BREEDS, PUT_ASIDE, Move, Objective, State, View, take
from exactplay.rules.walk_the_dogs.pieces import FIVE, runs
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice, Deals, Interval
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Number, Result
from exactplay.solvers.walk_the_dogs.bridge import moves_of, position_of
from exactplay.solvers.walk_the_dogs.exact import RAN_OUT, TwoPlayers, representatives, solve

Method = Literal["auto", "solve", "play-out"]
#: one world of the automatic choice may cost so many nodes; else the worlds are played out
NODES_PER_WORLD: Final = 60_000
GAMES_PER_WORLD: Final = 4
#: from here on max^n of a world with three or four players takes too long
MAXN_DOGS: Final = 4
_TABLE_BYTES: Final = 64 << 20
_PLAYED_OUT: Final = (
    "Too long to solve: each world is played out {games} times after each move, everyone taking the most points at once "
    "(five in a row first), with all cards of that world in place. The values are means of these games, not of best play."
)
_VIEW: Final = {
    ("points", 2): "Values are the player's own points minus the other's; 1000 or -1000 is five in a row.",
    ("outcome", 2): "Values are the player's: 1 he wins, 0 shared, -1 the other wins.",
    ("points", 3): "Values are the player's own points; five in a row is 1000, and -1000 for everyone else.",
    ("outcome", 3): "Values are the player's share of 12, which the winners share.",
}
_LOW: Final = (
    "Where another player is indifferent between moves, max^n takes the one that is worse for the player who asks."
)
_CHOICES: Final = "Every deal of the unseen cards counts as equally likely, whatever the others' play so far may tell."


@dataclasses.dataclass(frozen=True, slots=True)
class HiddenWorlds:
    """The states that a view allows: bones and catchers lie in the pile, all other unseen cards anywhere.

    Worlds that differ only in cards that cannot be drawn any more are one world.
    """

    view: View

    def weighted(self) -> Iterator[tuple[State, int]]:
        """Every world once, with the number of deals of single cards that it stands for."""
        plain, aside = self._unseen()
        others = self._sizes()
        draws = self._most_draws()
        if draws == 0:
            # Every move ends the game, so no hidden card matters.
            yield self.sample(random.Random(0)), 1
            return
        for groups, weight in Deals(plain, (*others, len(plain) - sum(others))).weighted():
            pile = Counter((*groups[-1], *aside))
            for drawn, ways in _piles(pile, pile.total(), draws):
                yield self.view.world(groups[:-1], drawn), weight * ways

    def sample(self, rng: random.Random) -> State:
        """One world, drawn with the probability of its weight."""
        plain, aside = self._unseen()
        others = self._sizes()
        *hands, rest = Deals(plain, (*others, len(plain) - sum(others))).sample(rng)
        pile = [*rest, *aside]
        rng.shuffle(pile)
        return self.view.world(hands, pile)

    def _unseen(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        unseen = self.view.unseen()
        return (
            tuple(card for card in unseen if card not in PUT_ASIDE), tuple(card for card in unseen if card in PUT_ASIDE)
        )

    def _sizes(self) -> tuple[int, ...]:
        return tuple(size for player, size in enumerate(self.view.sizes) if player != self.view.seat)

    def _most_draws(self) -> int:
        """At most so many cards come to hands from now on.

        Every turn takes a dog, but for leashes and for passes, which need a hand of nothing but leashes.
        """
        view = self.view
        if view.rules.advanced:
            return len(view.rules.deck())
        dogs = len(view.middle)
        if view.phase == "play" and view.hand and "le" not in view.hand:
            dogs -= min(len(take(view.middle, card)[0]) for card in view.hand)
        leashes = (*self._unseen()[0], *view.hand).count("le")
        return dogs + leashes * (1 + len(view.lines)) if dogs else 0

    def may_run_past(self) -> bool:
        """Whether in some world a card could be wanted when the pile has none left: if in doubt, yes."""
        return self._most_draws() > len(self._unseen()[0]) - sum(self._sizes())

    def span(self, objective: Objective) -> int:
        """The largest difference that two values of one move can have in two worlds."""
        view = self.view
        if objective == "outcome":
            return 2 if len(view.lines) == 2 else 12
        unseen = Counter(view.unseen())
        leashes = unseen["le"] + view.hand.count("le")
        # Nothing reaches deeper into a line than this many groups.
        depth = 1 + leashes + unseen["dc"]
        groups = [group for line in view.lines for group in (runs(line)[:depth] + runs(line)[-depth:])]
        for breed in BREEDS:
            longest = max((len(group) for group in groups if group[0] == breed), default=0)
            others = min(leashes, "".join(groups).count(breed))
            if longest + view.middle.count(breed) + others >= FIVE:
                return 2000
        # A dog brings a line of runs up to four at most 7 points, a leash takes as many, a catcher 16, a bone brings 3.
        change = 7 * len(view.middle) + 14 * leashes + 3 * unseen["bo"]
        catchers = len(view.rules.deck()) if unseen["dc"] else 0  # the discards may be shuffled again and again
        return 2 * (change + 16 * min(catchers, len("".join(view.lines)) + len(view.middle)))


def _piles(pile: Counter[str], left: int, draws: int) -> Iterator[tuple[list[str], int]]:
    """Every order of the pile up to its ``draws``-th card to a hand, with the number of orders of single cards."""
    if draws == 0 or left == 0:
        yield [], math.factorial(left)
        return
    for card in [card for card, copies in pile.items() if copies]:
        copies = pile[card]
        pile[card] -= 1
        for rest, ways in _piles(pile, left - 1, draws - (card not in PUT_ASIDE)):
            yield [card, *rest], copies * ways
        pile[card] += 1


def advise(
    view: View | State,
    *,
    objective: Objective = "points",
    method: Method = "auto",
    limits: Limits = Limits(seconds=10.0),  # noqa: B008  # a frozen value
    seed: int = 0,
    progress: Progress | None = None,
) -> Advice[Move] | Result[Move]:
    """The average value of every move of the player who sees ``view``, over the worlds he cannot tell apart.

    Moves that differ only in the direction of the own line are one. ``solve`` values each world exactly, ``play-out`` by
    games of a greedy rule, ``auto`` solves where a first world allows it; where the limits do not suffice to solve eight
    worlds, they are played out, as the notes say. Where only one world is possible, the answer is that of :func:`solve`.

    Raises :class:`IllegalPosition` where the player is not to move or a world is impossible.
    """
    named(objective, Objective, "objective")
    named(method, Method, "method")
    whole(seed, "seed", 0)
    budget = Budget(limits, progress)
    view = View.of(view) if isinstance(view, State) else view
    worlds = HiddenWorlds(view)
    trial = worlds.sample(random.Random(seed))
    if trial.to_move != view.seat:
        over = trial.to_move == OVER
        raise IllegalPosition("the game is over" if over else f"player {view.seat} is not to move here")
    only = hidden.only_world(worlds)
    # Where the pile may run out, what is drawn of the discards is open even so.
    if only is not None and not worlds.may_run_past() and method != "play-out":
        return solve(only, objective=objective, moves="all", limits=limits, progress=progress).pov(view.seat)
    players = trial.players
    searcher = TwoPlayers(min(_TABLE_BYTES, limits.table_bytes))
    if method == "auto":
        quick = players > 2 and len(view.middle) <= MAXN_DOGS
        if players == 2:
            quick = searcher.values(trial, objective, budget.within(nodes=NODES_PER_WORLD)) is not None
        method = "solve" if quick else "play-out"
    notes = (_VIEW[objective, min(players, 3)], _CHOICES)
    rng = random.Random(seed)

    def average(
        values: Callable[[State], Mapping[Move, Number]], fusion: bool, enumerate_at_most: int, notes: tuple[str, ...]
    ) -> Advice[Move]:
        advice = hidden.advise(
            worlds, values, budget=budget, span=worlds.span(objective), seat=view.seat, players=players, seed=seed,
            fusion=fusion, enumerate_at_most=enumerate_at_most, rules=view.rules.describe(), notes=notes,
        )
        low, high = (-math.inf, math.inf) if objective == "points" else (-1, 1) if players == 2 else (0, 12)
        clipped = {move: _clipped(interval, low, high) for move, interval in advice.intervals.items()}
        return dataclasses.replace(advice, intervals=clipped)

    if method == "solve":
        listed = list(itertools.islice(worlds.weighted(), hidden.ENUMERATE_AT_MOST + 1))
        fusion = len(listed) > hidden.ENUMERATE_AT_MOST or not all(_settled(world) for world, _ in listed)
        said = (*notes, *((_LOW,) if players > 2 else ()), *((RAN_OUT,) if fusion and worlds.may_run_past() else ()))
        # Of few worlds nothing follows: half of what may be spent is for another way.
        first, done = _half(budget), 0

        def solved(world: State) -> Mapping[Move, Number]:
            nonlocal done
            part = first if done < hidden.FEW else budget.within()
            if players == 2:
                found = searcher.values(world, objective, part)
            else:
                found = _maxn_values(world, objective, limits.table_bytes, part)
            if found is None:
                raise OutOfBudget
            done += 1
            return {move: found[move] for move, same in representatives(found).items() if move == same}

        try:
            return average(solved, fusion, hidden.ENUMERATE_AT_MOST, said)
        except OutOfBudget:
            pass
    # Games that are played out are no enumeration, however few the worlds are.
    said = (*notes, _PLAYED_OUT.format(games=GAMES_PER_WORLD))
    return average(lambda world: _played_out(world, objective, rng.getrandbits(63)), False, 0, said)


def _half(budget: Budget) -> Budget:
    """Half of what is left of a budget."""
    left = budget.within().limits
    return Budget(dataclasses.replace(
        left,
        nodes=None if left.nodes is None else left.nodes // 2,
        seconds=None if left.seconds is None else left.seconds / 2,
        cpu_seconds=None if left.cpu_seconds is None else left.cpu_seconds / 2,
    ))


def _clipped(interval: Interval, low: float, high: float) -> Interval:
    """The interval within the values that there are."""
    return Interval(interval.mean, max(low, interval.low), min(high, interval.high))


def _settled(world: State) -> bool:
    """Whether after every move nobody has a choice left to which hidden cards could matter.

    The only choice that may be left ends the game: it changes nobody else's line, or makes five in a row. So no tie
    matters either.
    """
    at = position_of(world)
    return all(at.play(code).settled() for code in at.moves())


def _maxn_values(world: State, objective: Objective, table_bytes: int, budget: Budget) -> dict[Move, int] | None:
    """The low value of every move for the player to move; None where a limit struck."""
    searcher = MaxN(objective == "points", table_bytes)
    searcher.limit(budget.nodes_left, budget.poll)
    at = position_of(world)
    codes = moves_of(at)
    values = {}
    for move in set(representatives(codes).values()):
        found = None if budget.struck else searcher.values(at.play(codes[move]))
        if found is None:
            return None
        values[move] = found[0][world.to_move]
    return values


def _played_out(world: State, objective: Objective, seed: int) -> dict[Move, float]:
    at = position_of(world)
    codes = moves_of(at)
    moves = list(dict.fromkeys(representatives(codes).values()))
    means = at.play_out([codes[move] for move in moves], GAMES_PER_WORLD, seed, objective == "points")
    return dict(zip(moves, means[:, world.to_move].tolist(), strict=True))
