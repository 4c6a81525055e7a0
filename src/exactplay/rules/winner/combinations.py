"""Combinations, what they are and what beats what (rulebook, sections Valid Combinations and Variations)."""
from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, Literal

from exactplay.rules.winner.options import Rules
from exactplay.rules.winner.pieces import BLACK_JOKER, NATURAL, RANKS, Cards, show_cards

Kind = Literal[
    "single", "pair", "pair_straight", "triple_straight", "full_house", "straight", "bomb", "large_bomb",
    "straight_flush", "joker_pair",
]


@dataclasses.dataclass(frozen=True, slots=True)
class Combination:
    """Cards that may be played together.

    ``cards`` are sorted; ``length`` is the number of ranks; ``height`` is what its own kind compares by first: the rank
    in climbing order (of the triple of a full house), or the place of the lowest card in the natural order; ``suit`` is
    what may decide between equal heights: of the single, of the pair's higher card, of a straight's highest card.
    """

    kind: Kind
    cards: Cards
    length: int
    height: int
    suit: int

    def __str__(self) -> str:
        return show_cards(self.cards)


def classify(cards: Cards) -> Combination | None:
    """The combination that exactly these cards make, or None. No set of cards makes two."""
    cards = tuple(sorted(cards))
    ranks = Counter(card.rank for card in cards)
    if len(cards) == 1:
        return Combination("single", cards, 1, cards[0].rank, cards[0].suit)
    if any(card.is_joker for card in cards):
        both = len(cards) == 2 and set(ranks) == {BLACK_JOKER, BLACK_JOKER + 1}
        return Combination("joker_pair", cards, 1, 0, 0) if both else None
    if len(ranks) == 1 and 2 <= len(cards) <= 4:
        kinds: tuple[Kind, ...] = ("pair", "bomb", "large_bomb")
        return Combination(kinds[len(cards) - 2], cards, 1, cards[0].rank, cards[-1].suit if len(cards) == 2 else 0)
    if sorted(ranks.values()) == [2, 3]:
        triple = next(rank for rank, number in ranks.items() if number == 3)
        return Combination("full_house", cards, 2, triple, 0)
    place = _place(frozenset(ranks))
    if place is None or len(set(ranks.values())) != 1:
        return None
    length, each = len(ranks), ranks[cards[0].rank]
    if each in (2, 3) and length >= 2:
        return Combination("pair_straight" if each == 2 else "triple_straight", cards, length, place, 0)
    if each == 1 and length >= 5:
        highest = next(card for card in cards if card.rank == NATURAL[place - 1 + length - 1])
        flush = len({card.suit for card in cards}) == 1
        return Combination("straight_flush" if flush else "straight", cards, length, place, highest.suit)
    return None


def _place(ranks: frozenset[int]) -> int | None:
    """The place of the lowest of consecutive ranks; all thirteen are place 2 (Ace high)."""
    length = len(ranks)
    for place in range(15 - length, 0, -1):
        if ranks == set(NATURAL[place - 1:place - 1 + length]):
            return place
    return None


def beats(new: Combination, current: Combination, rules: Rules, *, reversed_order: bool = False) -> bool:
    """Whether ``new`` may be played on ``current``. ``reversed_order``: a revolution has turned the ranks round."""
    if current.kind == "joker_pair":
        return False
    if rules.bomb_variation and "large_bomb" in (new.kind, current.kind) and new.kind != current.kind:
        return new.kind == "large_bomb"
    if new.kind == current.kind:
        return new.length == current.length and _height(new, rules, reversed_order) > _height(
            current, rules, reversed_order
        )
    if new.kind in ("joker_pair", "straight_flush"):
        return True
    return new.kind == "large_bomb" and current.kind != "straight_flush"


def _height(combination: Combination, rules: Rules, reversed_order: bool) -> tuple[int, int]:
    height, suit = combination.height, combination.suit
    if combination.kind in ("straight", "straight_flush"):
        return height, suit if rules.straight_suit_tiebreak else 0
    turned = combination.kind not in ("pair_straight", "triple_straight") and height < BLACK_JOKER
    return (len(RANKS) - 1 - height if reversed_order and turned else height), suit


#: the kinds that can beat another kind
_BEATS_OTHERS: Final[tuple[Kind, ...]] = ("large_bomb", "straight_flush", "joker_pair")


def combinations(
    hand: Cards, current: Combination | None = None, rules: Rules | None = None, *, reversed_order: bool = False
) -> Iterator[Combination]:
    """Every combination of a hand, each once; with ``current`` only those that beat it. In no particular order."""
    if current is None:
        for generate in _GENERATORS.values():
            yield from generate(hand)
        return
    for kind in {current.kind, *_BEATS_OTHERS}:
        for combination in _GENERATORS[kind](hand):
            if beats(combination, current, rules or Rules(), reversed_order=reversed_order):
                yield combination


def _as_kind(kind: Kind, choices: Iterator[Cards]) -> Iterator[Combination]:
    for cards in choices:
        combination = classify(cards)
        if combination is not None and combination.kind == kind:
            yield combination


def _subsets(hand: Cards, size: int) -> dict[int, list[Cards]]:
    """By plain rank: every choice of ``size`` cards of that rank, equal choices once; ranks without a choice left out."""
    chosen: dict[int, list[Cards]] = {}
    for rank in range(len(RANKS)):
        held = [card for card in hand if card.rank == rank]
        sets = sorted(set(itertools.combinations(held, size)))
        if sets:
            chosen[rank] = sets
    return chosen


def _runs(hand: Cards, each: int, shortest: int) -> Iterator[Cards]:
    """Every choice of ``each`` cards of every rank of a row of at least ``shortest`` ranks in the natural order."""
    subsets = _subsets(hand, each)
    for length in range(shortest, len(subsets) + 1):
        # All thirteen ranks are one row, not two.
        for place in range(1 if length < len(RANKS) else 2, 16 - length):
            row = NATURAL[place - 1:place - 1 + length]
            if all(rank in subsets for rank in row):
                for parts in itertools.product(*(subsets[rank] for rank in row)):
                    yield tuple(itertools.chain.from_iterable(parts))


def _full_houses(hand: Cards) -> Iterator[Cards]:
    pairs, triples = _subsets(hand, 2), _subsets(hand, 3)
    for (high, threes), (low, twos) in itertools.product(triples.items(), pairs.items()):
        if high != low:
            for three, two in itertools.product(threes, twos):
                yield three + two


def _same_rank(hand: Cards, size: int) -> Iterator[Cards]:
    for sets in _subsets(hand, size).values():
        yield from sets


def _joker_pairs(hand: Cards) -> Iterator[Cards]:
    jokers = {card for card in hand if card.is_joker}
    if len(jokers) == 2:
        yield tuple(jokers)


def _flushes(hand: Cards) -> Iterator[Cards]:
    for suit in range(4):
        yield from _runs(tuple(card for card in hand if card.suit == suit and not card.is_joker), 1, 5)


_GENERATORS: Final[dict[Kind, Callable[[Cards], Iterator[Combination]]]] = {
    "single": lambda hand: _as_kind("single", ((card,) for card in sorted(set(hand)))),
    "pair": lambda hand: _as_kind("pair", _same_rank(hand, 2)),
    "bomb": lambda hand: _as_kind("bomb", _same_rank(hand, 3)),
    "large_bomb": lambda hand: _as_kind("large_bomb", _same_rank(hand, 4)),
    "full_house": lambda hand: _as_kind("full_house", _full_houses(hand)),
    "pair_straight": lambda hand: _as_kind("pair_straight", _runs(hand, 2, 2)),
    "triple_straight": lambda hand: _as_kind("triple_straight", _runs(hand, 3, 2)),
    "straight": lambda hand: _as_kind("straight", _runs(hand, 1, 5)),
    "straight_flush": lambda hand: _as_kind("straight_flush", _flushes(hand)),
    "joker_pair": lambda hand: _as_kind("joker_pair", _joker_pairs(hand)),
}
