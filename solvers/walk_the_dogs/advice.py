"""Advice to a player who sees his own hand only: the worlds that he cannot tell apart, each solved or played out."""
from __future__ import annotations

import dataclasses
import itertools
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from exactplay.rules.contract import OVER, IllegalPosition
from exactplay.rules.walk_the_dogs import BREEDS, PUT_ASIDE, Move, State, View, take
from exactplay.rules.walk_the_dogs.pieces import FIVE, runs
from exactplay.rules.walk_the_dogs.state import Objective
from exactplay.solvers import hidden
from exactplay.solvers.hidden import Advice, Deals, Interval
from exactplay.solvers.result import Number
from exactplay.solvers.walk_the_dogs.native import moves_of, position
from exactplay.solvers.walk_the_dogs.play import RAN_OUT, TwoPlayers, maxn_searcher, representatives

Method = Literal["auto", "solve", "play out"]
#: one world of the automatic choice may cost so many nodes; else the worlds are played out
NODES_PER_WORLD: Final = 60_000
GAMES_PER_WORLD: Final = 4
#: from here on max^n of a world with three or four players takes too long
MAXN_DOGS: Final = 4
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


class _TooLong(Exception):
    """A limit struck within a world."""


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
        return tuple(size for player, size in enumerate(self.view.sizes) if player != self.view.player)

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
    view: View, objective: Objective = "points", *, method: Method = "auto", samples: int = 400,
    enumerate_at_most: int = hidden.ENUMERATE_AT_MOST, seconds: float | None = None, seed: int = 0,
    table_bytes: int = 64 << 20, progress: Callable[[int], None] | None = None,
) -> Advice[Move]:
    """The average value of every move of the player who sees ``view``, over the worlds he cannot tell apart.

    Moves that differ only in the direction of the own line are one. ``solve`` values each world exactly, ``play out`` by
    games of a greedy rule, ``auto`` solves where a first world allows it. Where ``seconds`` or the table do not suffice to
    solve the worlds, a sample is taken, or they are played out, as the notes say. See
    :func:`exactplay.solvers.hidden.advise` for the other arguments.

    Raises :class:`IllegalPosition` where the player is not to move or a world is impossible.
    """
    start = time.process_time()
    worlds = HiddenWorlds(view)
    trial = worlds.sample(random.Random(seed))
    if trial.to_move != view.player:
        over = trial.to_move == OVER
        raise IllegalPosition("the game is over" if over else f"player {view.player} is not to move here")
    two = len(view.lines) == 2
    searcher = TwoPlayers(table_bytes)
    solving = method == "solve"
    if method == "auto":
        solving = (
            searcher.values(trial, objective, NODES_PER_WORLD) is not None if two else len(view.middle) <= MAXN_DOGS
        )
    notes = [_VIEW[objective, min(len(view.lines), 3)], _CHOICES]
    rng = random.Random(seed)

    def searched(world: State) -> Mapping[Move, Number]:
        return _folded(searcher.values(world, objective, seconds=left()))

    def lowest(world: State) -> Mapping[Move, Number]:
        return {move: low for move, (low, _) in _maxn_values(world, objective, table_bytes, left()).items()}

    def played_out(world: State) -> Mapping[Move, Number]:
        return _played_out(world, objective, rng.getrandbits(63))

    values: Callable[[State], Mapping[Move, Number]]
    if solving:
        listed = list(itertools.islice(worlds.weighted(), enumerate_at_most + 1))
        enumerating = len(listed) <= enumerate_at_most
        fusion = not enumerating or not all(_settled(world) for world, _ in listed)
        values = searched if two else lowest
        if not two:
            notes.append(_LOW)
    else:
        # Games that are played out are no enumeration, however few the worlds are.
        enumerate_at_most, enumerating, fusion = 0, False, False
        values = played_out
        notes.append(_PLAYED_OUT.format(games=GAMES_PER_WORLD))
    span = worlds.span(objective)
    rows: list[Mapping[Move, Number]] = []

    def left() -> float | None:
        # Of worlds enumerated in part, and of a single one sampled, nothing follows: half the time is for another way.
        share = 1 if len(rows) >= 2 and not enumerating else 0.5
        return None if seconds is None else max(0.0, start + share * seconds - time.process_time())

    def kept(world: State) -> Mapping[Move, Number]:
        rows.append(values(world))
        return rows[-1]

    def average(of: Callable[[State], Mapping[Move, Number]], at_most: int, samples: int) -> Advice[Move]:
        return hidden.advise(
            worlds, of, span=span, fusion=fusion, enumerate_at_most=at_most, samples=samples, seconds=seconds, seed=seed,
            progress=progress,
        )

    try:
        advice = average(kept, enumerate_at_most, samples)
    except _TooLong:
        if enumerating or len(rows) < 2:
            return advise(
                view, objective, method="solve" if enumerating else "play out", samples=samples, enumerate_at_most=0,
                seconds=None if seconds is None else max(0.0, start + seconds - time.process_time()), seed=seed,
                table_bytes=table_bytes, progress=progress,
            )
        done = iter(rows)
        advice = average(lambda _: next(done), 0, len(rows))
    low, high = (-math.inf, math.inf) if objective == "points" else (-1, 1) if two else (0, 12)
    if solving and fusion and worlds.may_run_past():
        notes.append(RAN_OUT)
    return dataclasses.replace(
        advice, notes=(*notes, *advice.notes), rules=view.rules.describe(),
        intervals={move: _clipped(interval, low, high) for move, interval in advice.intervals.items()},
    )


def _folded(values: Mapping[Move, Number] | None) -> dict[Move, Number]:
    """One of each pair of moves that differ only in the direction of the own line."""
    if values is None:
        raise _TooLong
    return {move: values[move] for move, same in representatives(values).items() if move == same}


def _clipped(interval: Interval, low: float, high: float) -> Interval:
    """The interval within the values that there are."""
    return Interval(interval.mean, max(low, interval.low), min(high, interval.high))


def _settled(world: State) -> bool:
    """Whether after every move nobody has a choice left to which hidden cards could matter.

    The only choice that may be left ends the game: it changes nobody else's line, or makes five in a row. So no tie
    matters either.
    """
    at = position(world)
    return all(at.play(code).settled() for code in at.moves())


def _maxn_values(
    world: State, objective: Objective, table_bytes: int, seconds: float | None
) -> dict[Move, tuple[int, int]]:
    """The low and high value of every move for the player to move."""
    searcher = maxn_searcher(objective, table_bytes)
    searcher.limit(seconds)
    at = position(world)
    codes = moves_of(at)
    values = {}
    for move in set(representatives(codes).values()):
        found = searcher.values(at.play(codes[move]))
        if found is None:
            raise _TooLong
        values[move] = found[0][world.to_move], found[1][world.to_move]
    return values


def _played_out(world: State, objective: Objective, seed: int) -> dict[Move, float]:
    at = position(world)
    codes = moves_of(at)
    moves = list(dict.fromkeys(representatives(codes).values()))
    means = at.play_out([codes[move] for move in moves], GAMES_PER_WORLD, seed, objective == "points")
    return dict(zip(moves, means[:, world.to_move].tolist(), strict=True))
