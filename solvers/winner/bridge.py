"""Between positions of the rules and those of the core: words of card bits, moves, positions."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from exactplay.cython_core.winner.position import Position
from exactplay.rules.winner import Card, Cards, Combination, Exchange, Kind, Move, Rules, State, classify, deck
from exactplay.rules.winner.moves import Action

Words = tuple[int, int]

_CARDS: Final = (*deck(jokers=False), Card(13), Card(14))  # by bit
_BIT: Final = {card: 1 << bit for bit, card in enumerate(_CARDS)}
_KINDS: Final = ("", *get_args(Kind))  # in the order of the core, which has 0 for no combination
_ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
_FOURS: Final = ("off", "own", "into_hand")


def words(cards: Iterable[Card]) -> Words:
    """The two words of a set of cards: those there at least once, those there twice."""
    once = twice = 0
    for card in cards:
        bit = _BIT[card]
        twice |= once & bit
        once |= bit
    return once, twice


def cards(pair: Words) -> Cards:
    """The sorted cards of two words."""
    once, twice = pair
    found = []
    while once:
        bit = once & -once
        card = _CARDS[bit.bit_length() - 1]
        found += [card, card] if twice & bit else [card]
        once ^= bit
    return tuple(found)


def move_words(move: Move) -> tuple[int, int, int]:
    """A move as (action, a, b)."""
    return (_ACTIONS.index(move.action), *words(move.cards))


def move_of(action: int, a: int, b: int) -> Move:
    """The move of (action, a, b)."""
    return Move(_ACTIONS[action], cards((a, b)))


def combination_words(combination: Combination) -> tuple[int, int, int, int, int, int]:
    """A combination as (a, b, kind, length, height, suit)."""
    kind = _KINDS.index(combination.kind)
    return (*words(combination.cards), kind, combination.length, combination.height, combination.suit)


def rule_words(rules: Rules) -> tuple[int, bool, bool, bool, bool]:
    """The options that the core's play depends on."""
    return (
        _FOURS.index(rules.fours), rules.end == "first_out", rules.straight_suit_tiebreak, rules.bomb_variation,
        rules.revolution,
    )


def position_of(state: State) -> Position:
    """A position, for the core."""
    exchange = state.exchange
    return Position(
        [words(hand) for hand in state.hands],
        state.turn,
        [combination_words(combination) for combination in state.stack],
        -1 if state.owner is None else state.owner,
        sum(played << seat for seat, played in enumerate(state.played)),
        list(state.out),
        state.reversed_order,
        None if exchange is None else (exchange.winner, exchange.loser, *words(exchange.offered)),
        rule_words(state.rules),
    )


def state_of(position: Position, rules: Rules) -> State:
    """A position, from the core."""
    hands, turn, stack, owner, played, out, reversed_order, exchange = position.fields()
    combinations = [classify(cards((a, b))) for a, b, *_ in stack]
    return State(
        rules=rules,
        hands=tuple(cards(hand) for hand in hands),
        turn=turn,
        stack=tuple(combination for combination in combinations if combination is not None),
        owner=None if owner < 0 else owner,
        played=tuple(bool(played >> seat & 1) for seat in range(len(hands))),
        out=tuple(out),
        reversed_order=reversed_order,
        exchange=None if exchange is None else Exchange(exchange[0], exchange[1], cards(exchange[2:])),
    )
