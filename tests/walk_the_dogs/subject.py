"""Walk the Dogs in the contract battery."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Self

from exactplay.cython_core.walk_the_dogs.position import Position
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import CARDS, Move, Rules, State, View
from exactplay.solvers.walk_the_dogs.bridge import moves_of, position_of, state_of
from tests.shared.subject import Subject, random_move
from tests.walk_the_dogs.reference import drawn, small_state


class Native:
    """A position in the native core, behind the contract."""

    def __init__(self, at: Position, rules: Rules, shuffled: bool) -> None:
        self.at, self._rules, self._shuffled = at, rules, shuffled

    @classmethod
    def of(cls, state: State) -> Self:
        return cls(position_of(state), state.rules, state.shuffled)

    @property
    def to_move(self) -> int:
        return self.at.to_move

    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(moves_of(self.at))

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        draws = self.at.draws()
        total = sum(copies for _, copies in draws)
        return tuple(sorted((Move("turn up", card=CARDS[card]), Fraction(copies, total)) for card, copies in draws))

    def play(self, move: Move) -> Self:
        drawn = {Move("turn up", card=CARDS[card]): 5 | card << 3 for card, _ in self.at.draws()}
        codes = drawn if self.to_move == CHANCE else moves_of(self.at)
        return type(self)(self.at.play(codes[move]), self._rules, self._shuffled)

    def scores(self) -> tuple[int, ...]:
        return tuple(self.at.points())

    def __str__(self) -> str:
        return str(state_of(self.at, self._rules, self._shuffled))


def start(rng: random.Random, rules: Rules) -> State:
    """A new game, or one some way on; every third with a known order of the pile."""
    state = State.deal(rng, rng.choice([2, 2, 3, 4]), rules)
    for _ in range(rng.choice([0, 0, 30, 60])):
        if state.to_move == OVER:
            break
        state = state.play(random_move(rng, state))
    if rng.randrange(3) == 0 and state.to_move != OVER:
        pile = list(state.deck)
        rng.shuffle(pile)
        return State.at(
            state.middle, state.lines, state.hands, pile, state.turn, state.bones, state.discards, state.phase,
            state.chooser, state.passes, False, rules,
        )
    return state


def view(state: State) -> View | None:
    """What the player to move sees; a view takes the pile for a shuffled one, which may be drawn from anew."""
    return View.of(state) if state.shuffled or state.deck or not state.rules.advanced else None


def late(rng: random.Random) -> State:
    """Some dogs, two or three players, and a known order of the pile."""
    while True:
        state = drawn(small_state(rng, players=rng.choice([2, 2, 3])))
        if state.to_move >= 0:
            return state


def large(rng: random.Random) -> State:
    """A game that has just begun, with a known order of the pile."""
    state = State.deal(rng)
    return drawn(State.at(state.middle, state.lines, state.hands, rng.sample(state.deck, len(state.deck))))


SUBJECT = Subject(
    game="walk_the_dogs",
    start=start,
    native=Native.of,
    view=view,
    score_range=lambda state: (0, 63 * 8 + 15),
    late=late,
    large=large,
    arguments={"line": lambda: "SS", "dogs": lambda: "SPO"},
)
