"""Walk the Dogs in small steps: the card, then dog by dog which end it goes to; chance lines up, deals and draws."""
from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections import Counter
from typing import Any, ClassVar, Final

from exactplay.adapters.steps.base import (
    CardTable,
    Chance,
    Features,
    Position,
    Word,
    count,
    rotated,
)
from exactplay.common.words import named
from exactplay.rules.contract import CHANCE, RulesBase
from exactplay.rules.walk_the_dogs import (
    BREEDS,
    CARDS,
    DECK,
    HAND_CARDS,
    PUT_ASIDE,
    Move,
    Rules,
    State,
    take,
)
from exactplay.rules.walk_the_dogs.pieces import BONE_POINTS, DOGS_PER_BREED
from exactplay.rules.walk_the_dogs.state import FULL_HAND, Objective

_PLAYED: Final = tuple(card for card in HAND_CARDS if card != "le")
_LEASH: Final = len(_PLAYED)
_ADD: Final = _LEASH + 8
_LOSE: Final = _ADD + 2 * len(BREEDS)
_DRAW, _PASS = _LOSE + 2, _LOSE + 3
_ENDS: Final = ("front", "back")
_DOGS: Final = DOGS_PER_BREED * len(BREEDS)
#: a dealt game is far shorter; one set up by hand with leashes alone can go round in a circle and is cut off
_LONGEST: Final = 1_000


@dataclasses.dataclass(frozen=True)
class WalkTheDogs(CardTable):
    """``hands``: ``hidden`` or ``open``; ``objective``: ``points`` or ``outcome``, as the solver has them; ``start``: a
    position, which then decides ``players``, and whether the order of the pile is known.

    Actions: 0 to 6 a card ``g1 g2 g3 r1 r2 r3 y``; 7 to 14 a leash on the front or back dog of seats 0 to 3; 15 to 28 a dog
    to the front or back of one's line (breeds S P O G B D C); 29, 30 lose the front or back group; 31 draw; 32 pass.
    """

    game: ClassVar[str] = "walk_the_dogs"
    title: ClassVar[str] = "Walk the Dogs"
    rules_class: ClassVar[type[RulesBase]] = Rules
    state_class: ClassVar[type[State]] = State
    actions: ClassVar[tuple[str, ...]] = (
        *_PLAYED,
        *(f"leash {end} of {seat}" for seat in range(4) for end in _ENDS),
        *(f"{breed} to the {end}" for breed in BREEDS for end in _ENDS),
        *(f"lose {end}" for end in _ENDS), "draw", "pass",
    )

    objective: Objective = "points"

    def __post_init__(self) -> None:
        super().__post_init__()
        named(self.objective, Objective, "objective")

    @property
    def outcomes(self) -> int:
        return 0 if self.first and not self.first.shuffled else len(CARDS)

    @property
    def total(self) -> float | None:
        if self.seats == 2:
            return 0.0
        return 12.0 if self.objective == "outcome" else None

    @property
    def bounds(self) -> tuple[float, float]:
        if self.objective == "outcome":
            return (-1.0, 1.0) if self.seats == 2 else (0.0, 12.0)
        return -1000.0, 1000.0

    @property
    def longest(self) -> int:
        return _LONGEST

    @property
    def most_outcomes(self) -> int:
        return _DOGS + 2 * self.seats + _LONGEST if self.outcomes else 0

    def begin(self) -> Position:
        if self.first is not None:
            return self.at(self.first)
        return Chance(self, None, "line", (DOGS_PER_BREED,) * len(BREEDS), _DOGS)

    def at(self, state: Any) -> Position:
        while state.to_move == CHANCE and not state.shuffled:
            state = state.play(state.chance_outcomes()[0][0])
        if state.to_move != CHANCE:
            return super().at(state)
        pile = Counter(state.deck)
        return Chance(self, state, "draw", tuple(pile[card] for card in CARDS), 1)

    def spelling(self, state: Any, move: Any) -> Word:
        if move.kind == "lose":
            return (_LOSE + _ENDS.index(move.end),)
        if move.kind == "play":
            head, dogs = _PLAYED.index(move.card), take(state.middle, move.card)[0]
        elif move.kind == "leash":
            head = _LEASH + 2 * move.victim + _ENDS.index(move.end)
            dogs = state.lines[move.victim][:1] if move.end == "front" else state.lines[move.victim][-1:]
        else:
            return (_DRAW if move.kind == "draw" else _PASS,)
        return head, *_adding(state.lines[state.turn], dogs, state.rules.three_in_any_order)[move.line]

    def play(self, state: Any, move: Any) -> Position:
        return self.at(state.after(move))

    def resume(self, chance: Chance) -> Position:
        if chance.purpose == "line":
            line = "".join(BREEDS[outcome] for outcome in chance.drawn)
            deck = Counter(self.rules.deck())
            counts = tuple(0 if card in PUT_ASIDE else deck[card] for card in CARDS)
            return Chance(self, None, "hand", counts, 2 * self.players, pending=line)
        cards = [CARDS[outcome] for outcome in chance.drawn]
        if chance.purpose == "draw":
            return self.at(chance.state.after(Move("turn up", card=cards[0])))
        deck = Counter(self.rules.deck()) - Counter(cards)
        hands = [cards[seat::self.players] for seat in range(self.players)]
        lines = [""] * self.players
        return self.at(State.at(chance.pending, lines, hands, deck.elements(), shuffled=True, rules=self.rules))

    def outcome_label(self, chance: Chance, outcome: int) -> str:
        if chance.purpose == "line":
            return f"line up {BREEDS[outcome]}"
        to = chance.state.turn if chance.state else len(chance.drawn) % self.players
        return f"{CARDS[outcome]} to seat {to}"

    def outcome_seen_by(self, chance: Chance, outcome: int) -> int | None:
        if not self.hidden or chance.purpose == "line" or CARDS[outcome] in PUT_ASIDE:
            return None
        return chance.state.turn if chance.state else len(chance.drawn) % self.players

    def returns(self, state: Any) -> tuple[float, ...]:
        return tuple(float(utility) for utility in state.utilities(self.objective))

    def public(self, position: Position) -> str:
        state = position.state
        if state is None:
            return "the game is set up"
        text = str(state)
        if self.hidden:
            sizes = "/".join(f"#{len(hand)}" for hand in state.hands)
            text = re.sub(r" hands=\S*", f" hands={sizes}", re.sub(r" deck=\?\S*", f" deck={len(state.deck)}", text))
        return " ".join([text, *(f"[{position.label(action)}]" for action in position.word)])

    def hand(self, state: Any, seat: int) -> str:
        return " ".join(state.hands[seat])

    @functools.cached_property
    def layout(self) -> dict[str, tuple[int, ...]]:
        seats, breeds = self.seats, len(BREEDS)
        return {
            "hand": (len(HAND_CARDS),), "spelled": (len(self.actions),), "front": (6, breeds), "back": (6, breeds),
            "middle": (breeds,), "ends": (seats, 2, 5, breeds), "lines": (seats, breeds), "points": (seats,),
            "bones": (seats,), "cards": (seats,), "to_act": (seats,), "phase": (2,), "discards": (len(CARDS),),
            "hands": (seats, len(HAND_CARDS)),
        }

    def describe(self, position: Position, seat: int, into: Features) -> None:
        state: State = position.state
        for card in state.hands[seat]:
            into["hand"][HAND_CARDS.index(card)] += 1 / DECK[card]
        count(into["spelled"], position.word, 1 / 3)
        for name, line in (("front", state.middle), ("back", state.middle[::-1])):
            _write(into[name], line)
        count(into["middle"], map(BREEDS.index, state.middle), 1 / DOGS_PER_BREED)
        for place, own in enumerate(rotated(state.lines, seat)):
            _write(into["ends"][place, 0], own)
            _write(into["ends"][place, 1], own[::-1])
            count(into["lines"][place], map(BREEDS.index, own), 1 / DOGS_PER_BREED)
        most = _DOGS * 5 + BONE_POINTS * DECK["bo"]
        into["points"][:] = rotated([min(1.0, points / most) for points in state.points_now()], seat)
        into["bones"][:] = rotated([own / DECK["bo"] for own in state.bones], seat)
        into["cards"][:] = rotated([min(1.0, len(hand) / FULL_HAND) for hand in state.hands], seat)
        acting = state.to_move if state.to_move >= 0 else state.turn
        into["to_act"][(acting - seat) % self.seats] = 1
        into["phase"][:] = state.phase == "catch", state.passes / self.seats
        for card in state.discards:
            into["discards"][CARDS.index(card)] += 1 / DECK[card]
        if not self.hidden:
            for place, hand in enumerate(rotated(state.hands, seat)):
                for card in hand:
                    into["hands"][place, HAND_CARDS.index(card)] += 1 / DECK[card]


@functools.lru_cache(maxsize=64)
def _adding(line: str, dogs: str, any_order: bool) -> dict[str, Word]:
    """Every line that adding the dogs can make -> the first of the ways to spell it."""
    ways: dict[str, Word] = {}
    for order in set(itertools.permutations(dogs)) if any_order else [tuple(dogs)]:
        for ends in itertools.product((0, 1), repeat=len(order)):
            grown = line
            for dog, end in zip(order, ends, strict=True):
                grown = grown + dog if end else dog + grown
            word = tuple(_ADD + 2 * BREEDS.index(dog) + end for dog, end in zip(order, ends, strict=True))
            ways[grown] = min(word, ways.get(grown, word))
    return ways


def _write(into: Any, line: str) -> None:
    for place, breed in enumerate(line[:len(into)]):
        into[place, BREEDS.index(breed)] = 1


