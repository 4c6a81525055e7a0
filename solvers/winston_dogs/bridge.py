"""Between the rules' values and the packed words of the native core."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from exactplay.cython_core.winston_dogs.position import Position
from exactplay.rules.winston_dogs import COLOURS, SKIP, Card, Dog, Move, State

KINDS: Final = tuple(sorted(Card(colour, head) for colour in COLOURS for head in (False, True)))
_KIND: Final = {card: kind for kind, card in enumerate(KINDS)}
_UNDER: Final = 1 << 63


def pack(cards: Iterable[Card]) -> int:
    """A multiset of cards as a word of the core."""
    return sum(1 << 4 * _KIND[card] for card in cards)


def unpack(word: int) -> tuple[Card, ...]:
    """The sorted cards of a word."""
    return tuple(card for kind, card in enumerate(KINDS) for _ in range(word >> 4 * kind & 15))


@lru_cache(maxsize=50_000)
def to_move(word: int) -> Move:
    """The move that a word of the core stands for."""
    if word == 0:
        return SKIP
    return Move("under" if word & _UNDER else "play", unpack(word & ~_UNDER))


def from_move(move: Move) -> int:
    """The word of a move."""
    return pack(move.cards) | (_UNDER if move.action == "under" else 0)


def to_position(state: State) -> Position:
    """The native form of a state."""
    table = [Card(colour, head) for colour, dog in zip(COLOURS, state.table, strict=True)
             for head in (True, False) for _ in range(int(dog.head) if head else dog.bodies)]
    return Position(
        [pack(hand) for hand in state.hands],
        pack(table),
        bytes(_KIND[card] for card in state.pile),
        state.turn,
        state.longest,
        state.shortest,
        -1 if state.bone is None else state.bone,
        -1 if state.poo is None else state.poo,
        state.points,
        state.skips,
        tuple((_KIND[under], _KIND[drawn]) for under, drawn in state.stuck),
    )


def from_position(position: Position) -> State:
    """The position of a native position."""
    longest, shortest, bone, poo = position.holders
    dogs = Counter(unpack(position.table))
    return State(
        tuple(unpack(hand) for hand in position.hands),
        tuple(Dog(dogs[Card(colour, True)] > 0, dogs[Card(colour, False)]) for colour in COLOURS),
        tuple(KINDS[kind] for kind in position.pile),
        position.turn,
        longest,
        shortest,
        None if bone < 0 else bone,
        None if poo < 0 else poo,
        position.points,
        position.skips,
        tuple((KINDS[under], KINDS[drawn]) for under, drawn in position.stuck),
    )
