"""Winner: how a combination is spelled card by card, without listing the combinations.

A hand can hold hundreds of millions of straights. They have few shapes though: a kind, its ranks and how many cards of
each. A :class:`Shape` knows which next card still leads to a legal combination.
"""
from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Final

from exactplay.adapters.steps.base import Menu, Spelled, Word, Words
from exactplay.rules.winner import PASS, Card, Cards, Combination, Move, Rules, State, beats, deck
from exactplay.rules.winner.cards import BLACK_JOKER, NATURAL, RANKS, RED_JOKER
from exactplay.rules.winner.combinations import Kind
from exactplay.rules.winner.state import FOUR

CARDS: Final = tuple(sorted(set(deck())))
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
FOURS, ACTION_PASS, DONE = len(CARDS), len(CARDS) + 1, len(CARDS) + 2

_ANY: Final = frozenset(range(4))


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

    def next_cards(self, hand: Counter[Card], chosen: Cards) -> set[Card]:
        """The cards with which a spelling that fits this shape may go on; empty when it is complete or does not fit."""
        if len(chosen) >= len(self.ranks) or self.ranks[:len(chosen)] != tuple(card.rank for card in chosen):
            return set()
        left = hand - Counter(chosen)
        if not self._fits(chosen):
            return set()
        last = chosen[-1] if chosen else None
        return {
            card for card in left
            if card.rank == self.ranks[len(chosen)] and (last is None or card >= last)
            and self._can_end(left, (*chosen, card))
        }

    def _fits(self, chosen: Cards) -> bool:
        if self.flush is not None and any(card.suit != self.flush for card in chosen):
            return False
        highest = max((card.suit for card in chosen if card.rank == self.top), default=self.least)
        complete = len(chosen) >= len(self.ranks) or self.ranks[len(chosen)] != self.top
        return highest >= self.least or not complete

    def is_made_by(self, chosen: Cards) -> bool:
        """Whether these cards are one of its combinations."""
        return (
            self.ranks == tuple(card.rank for card in chosen) and self._fits(chosen)
            and not (self.mixed and len({card.suit for card in chosen}) == 1)
        )

    def _can_end(self, left: Counter[Card], chosen: Cards) -> bool:
        """Whether cards that are left beside the last of ``chosen`` complete the shape."""
        *before, last = chosen
        rest = left - Counter([last])
        wanted = Counter(self.ranks[len(chosen):])
        suits: list[set[int]] = [{card.suit} for card in chosen]
        for rank, number in wanted.items():
            usable = [
                card.suit for card in rest.elements()
                if card.rank == rank and (rank != last.rank or card >= last)
                and (self.flush is None or card.suit == self.flush)
            ]
            if len(usable) < number:
                return False
            if rank == self.top:
                high = [suit for suit in usable if suit >= self.least]
                if not high:
                    return False
                usable = high if number == 1 else usable
            suits.append(set(usable))
        if not self._fits(chosen):
            return False
        return not self.mixed or len(set.union(*suits)) > 1


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

    def there(ranks: Word) -> bool:
        return all(count[rank] >= number for rank, number in Counter(ranks).items())

    for rank in sorted(count):
        suit = least("single", 1, rank, 1 if rank >= BLACK_JOKER else 4)
        if suit is not None:
            yield Shape((rank,), rank, suit)
    plain = [rank for rank in range(len(RANKS)) if count[rank] >= 2]
    same: tuple[tuple[int, Kind, int], ...] = ((2, "pair", 4), (3, "bomb", 1), (4, "large_bomb", 1))
    for rank, (number, kind, suits) in itertools.product(plain, same):
        suit = least(kind, 1, rank, suits)
        if suit is not None and there((rank,) * number):
            yield Shape((rank,) * number, rank, suit)
    for high, low in itertools.permutations(plain, 2):
        ranks = tuple(sorted((high, high, high, low, low)))
        if there(ranks) and least("full_house", 2, high) is not None:
            yield Shape(ranks)
    if least("joker_pair", 1, 0) is not None and there((BLACK_JOKER, RED_JOKER)):
        yield Shape((BLACK_JOKER, RED_JOKER))
    rows: tuple[tuple[int, Kind, int], ...] = ((2, "pair_straight", 2), (3, "triple_straight", 2), (1, "straight", 5))
    for each, kind, shortest in rows:
        for length in range(shortest, len(RANKS) + 1):
            # All thirteen ranks are one row, with the Ace high.
            for place in range(1 if length < len(RANKS) else 2, 16 - length):
                row = NATURAL[place - 1:place - 1 + length]
                ranks = tuple(sorted(row * each))
                if not there(ranks):
                    continue
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

    ``others`` are the spellings of what is no combination: fours on a bomb, a pass.
    """

    def __init__(
        self, hand: Counter[Card], left: list[Shape], chosen: Cards = (), others: list[tuple[Word, Move]] | None = None
    ) -> None:
        self._hand, self._shapes, self._chosen, self._others = hand, left, chosen, others or []
        self._next = {NUMBER[card] for shape in left for card in shape.next_cards(hand, chosen)}
        self.complete = bool(chosen) and any(shape.is_made_by(chosen) for shape in left)

    @property
    def actions(self) -> Word:
        """The legal actions, sorted."""
        done = {DONE} if self.complete else set()
        return tuple(sorted(self._next | done | {word[0] for word, _ in self._others}))

    def pick(self, action: int) -> Menu | Spelled:
        """The menu after one of them, or the move that it completes."""
        if action == DONE:
            return Spelled(Move("play", self._chosen))
        if action in (FOURS, ACTION_PASS):
            return Words(self._others).pick(action)
        chosen = (*self._chosen, CARDS[action])
        ranks = tuple(card.rank for card in chosen)
        following = CardByCard(self._hand, [shape for shape in self._shapes if shape.ranks[:len(ranks)] == ranks], chosen)
        if following.complete and not following._next:
            return Spelled(Move("play", chosen))
        return following


def menu(state: State) -> Menu:
    """The spellings of the legal moves of a position."""
    hand = state.hands[state.to_move]
    exchange = state.exchange
    if exchange is not None:
        if exchange.offered:
            return Words([((NUMBER[card],), Move("take", (card,))) for card in sorted(set(exchange.offered))])
        return Words([_spelled("offer", cards) for cards in _choices(hand, 2)])
    others: list[tuple[Word, Move]] = []
    if state.current is not None:
        others.append(((ACTION_PASS,), PASS))
        needed = {"bomb": 2, "large_bomb": 3}.get(state.current.kind)
        if needed and state.rules.fours != "off":
            fours = tuple(card for card in hand if card.rank == FOUR)
            spelled = [_spelled("fours", cards) for cards in _choices(fours, needed)]
            others += [((FOURS, *word), move) for word, move in spelled]
    fitting = list(shapes(hand, state.current, state.rules, state.reversed_order))
    return CardByCard(Counter(hand), fitting, others=others)


def _choices(cards: Cards, number: int) -> list[Cards]:
    return sorted(set(itertools.combinations(cards, number)))


def _spelled(action: str, cards: Cards) -> tuple[Word, Move]:
    return tuple(NUMBER[card] for card in cards), Move(action, cards)  # type: ignore[arg-type]
