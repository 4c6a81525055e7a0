"""Winner: how a combination is spelled card by card, without listing the combinations.

A hand can hold hundreds of millions of straights. They have few shapes though: a kind, its ranks and how many cards of
each. A :class:`Shape` knows which next card still leads to a legal combination.
"""
from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from exactplay.adapters.steps.base import Menu, Spelled, Word, Words
from exactplay.rules.winner import PASS, Card, Cards, Combination, Move, Rules, State, beats, deck
from exactplay.rules.winner.combinations import Kind
from exactplay.rules.winner.pieces import BLACK_JOKER, FOUR, NATURAL, RANKS, RED_JOKER

CARDS: Final = tuple(sorted(set(deck())))
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
FOURS, ACTION_PASS, DONE = len(CARDS), len(CARDS) + 1, len(CARDS) + 2

Suits = Mapping[int, Sequence[int]]


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """Combinations that differ only in the suits of their cards.

    ``ranks`` holds the rank of each card in ascending order. Of rank ``top`` the highest card has suit ``least`` or more.
    A ``flush`` suit is that of every card; ``mixed`` combinations have two suits at least (both are for single cards of
    each rank).
    """

    ranks: Word
    top: int = -1
    least: int = 0
    flush: int | None = None
    mixed: bool = False

    def next_suits(self, left: Suits, chosen: Cards) -> set[int]:
        """The suits with which a spelling that fits this shape may go on, by a card of the next of its ranks.

        ``left`` holds the suits of each rank that are still in hand.
        """
        rank = self.ranks[len(chosen)]
        low = chosen[-1].suit if chosen and chosen[-1].rank == rank else 0
        return {
            suit for suit in left[rank]
            if suit >= low and (self.flush is None or suit == self.flush)
            and self._can_end(left, (*chosen, Card(rank, suit)))
        }

    def _is_high_enough(self, chosen: Cards) -> bool:
        return max((card.suit for card in chosen if card.rank == self.top), default=self.least) >= self.least

    def _can_end(self, left: Suits, chosen: Cards) -> bool:
        """Whether cards in hand, none below the last of ``chosen``, complete the shape. (That one is still in ``left``.)"""
        last = chosen[-1]
        wanted = Counter(self.ranks[len(chosen):])
        if self.top not in wanted and not self._is_high_enough(chosen):
            return False
        suits = {card.suit for card in chosen}
        for rank, number in wanted.items():
            usable = list(left[rank])
            if rank == last.rank:
                usable.remove(last.suit)
                usable = [suit for suit in usable if suit >= last.suit]
            if self.flush is not None:
                usable = [suit for suit in usable if suit == self.flush]
            if rank == self.top and max(usable, default=-1) < self.least:
                return False
            if len(usable) < number:
                return False
            suits |= {suit for suit in usable if suit >= self.least} if rank == self.top and number == 1 else set(usable)
        return not self.mixed or len(suits) > 1


def shapes(hand: Cards, current: Combination | None, rules: Rules, reversed_order: bool) -> Iterator[Shape]:
    """The shapes of the combinations of a hand, or of those that beat ``current``."""
    count = Counter(card.rank for card in hand)

    def least(kind: Kind, length: int, height: int, suits: int = 1) -> int | None:
        """The lowest suit with which such a combination is legal."""
        if current is None:
            return 0
        for suit in range(suits):
            if beats(Combination(kind, (), length, height, suit), current, rules, reversed_order=reversed_order):
                return suit
        return None

    for rank in sorted(count):
        suit = least("single", 1, rank, 1 if rank >= BLACK_JOKER else 4)
        if suit is not None:
            yield Shape((rank,), rank, suit)
    plain = [rank for rank in range(len(RANKS)) if count[rank] >= 2]
    same: tuple[tuple[int, Kind, int], ...] = ((2, "pair", 4), (3, "bomb", 1), (4, "large_bomb", 1))
    for rank, (number, kind, suits) in itertools.product(plain, same):
        suit = least(kind, 1, rank, suits)
        if suit is not None and count[rank] >= number:
            yield Shape((rank,) * number, rank, suit)
    triples = [rank for rank in plain if count[rank] >= 3 and least("full_house", 2, rank) is not None]
    for high, low in itertools.product(triples, plain):
        if high != low:
            yield Shape(tuple(sorted((high, high, high, low, low))))
    if count[BLACK_JOKER] and count[RED_JOKER] and least("joker_pair", 1, 0) is not None:
        yield Shape((BLACK_JOKER, RED_JOKER))
    rows: tuple[tuple[int, Kind, int], ...] = ((2, "pair_straight", 2), (3, "triple_straight", 2), (1, "straight", 5))
    for each, kind, shortest in rows:
        for length in range(shortest, len(RANKS) + 1):
            # All thirteen ranks are one row, with the Ace high.
            for place in range(1 if length < len(RANKS) else 2, 16 - length):
                row = NATURAL[place - 1:place - 1 + length]
                if any(count[rank] < each for rank in row):
                    continue
                ranks = tuple(sorted(row * each))
                if each > 1:
                    if least(kind, length, place) is not None:
                        yield Shape(ranks)
                    continue
                top = row[-1]
                suit = least("straight", length, place, 4)
                if suit is not None:
                    yield Shape(ranks, top, suit, mixed=True)
                suit = least("straight_flush", length, place, 4)
                for flush in range(4) if suit is not None else ():
                    assert suit is not None
                    if flush >= suit and all(Card(rank, flush) in hand for rank in row):
                        yield Shape(ranks, flush=flush)


class CardByCard:
    """The menu of a player who leads or answers: combinations card by card in ascending order, and ``others``.

    ``left`` are the cards in hand beside the ``chosen`` ones; ``others`` spell what is no combination: fours on a bomb, a
    pass.
    """

    def __init__(
        self, left: Cards, fitting: list[Shape], chosen: Cards = (), others: Sequence[Move] = ()
    ) -> None:
        self._left, self._chosen, self._others = left, chosen, others
        suits: defaultdict[int, list[int]] = defaultdict(list)
        for card in left:
            suits[card.rank].append(card.suit)
        #: by action, the shapes with which it goes on
        self._going_on: defaultdict[int, list[Shape]] = defaultdict(list)
        complete = False
        for shape in fitting:
            if len(shape.ranks) == len(chosen):
                complete = True
                continue
            for suit in shape.next_suits(suits, chosen):
                self._going_on[NUMBER[Card(shape.ranks[len(chosen)], suit)]].append(shape)
        done = {DONE} if complete else set()
        self._actions = tuple(sorted(self._going_on.keys() | done | {spelling(move)[0] for move in self._others}))

    @property
    def actions(self) -> Word:
        """The legal actions, sorted."""
        return self._actions

    def pick(self, action: int) -> Menu | Spelled:
        """The menu after one of them, or the move that it completes."""
        if action == DONE:
            return Spelled(Move("play", self._chosen))
        if action in (FOURS, ACTION_PASS):
            return _words(self._others).pick(action)
        left = list(self._left)
        left.remove(CARDS[action])
        following = CardByCard(tuple(left), self._going_on[action], (*self._chosen, CARDS[action]))
        if following.actions == (DONE,):
            return following.pick(DONE)
        return following

    def spelling(self, move: Any) -> Word:
        """The actions of a legal move from here on; of other moves what leads nowhere."""
        return spelling(move)[len(self._chosen):] if isinstance(move, Move) else ()


def spelling(move: Move) -> Word:
    """The actions of a move; behind a combination stands ``done``, which is not asked for where it could not go on."""
    numbers = tuple(sorted(NUMBER[card] for card in move.cards))
    return {"pass": (ACTION_PASS,), "fours": (FOURS, *numbers), "play": (*numbers, DONE)}.get(move.action, numbers)


def menu(state: State) -> Menu:
    """The spellings of the legal moves of a position."""
    hand = state.hands[state.to_move]
    exchange = state.exchange
    if exchange is not None:
        if exchange.offered:
            return _words([Move("take", (card,)) for card in sorted(set(exchange.offered))])
        return _words([Move("offer", cards) for cards in _choices(hand, 2)])
    others: list[Move] = []
    if state.current is not None:
        others.append(PASS)
        needed = {"bomb": 2, "large_bomb": 3}.get(state.current.kind)
        if needed and state.rules.fours != "off":
            fours = tuple(card for card in hand if card.rank == FOUR)
            others += [Move("fours", cards) for cards in _choices(fours, needed)]
    fitting = list(shapes(hand, state.current, state.rules, state.reversed_order))
    return CardByCard(hand, fitting, others=others)


def _choices(cards: Cards, number: int) -> list[Cards]:
    return sorted(set(itertools.combinations(cards, number)))


def _words(moves: Iterable[Move]) -> Words:
    return Words([(spelling(move), move) for move in moves])
