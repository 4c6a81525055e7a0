"""Positions, play and scoring (rulebook, sections Dealing and Playing, End Game, Scoring)."""
from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Self, TypeVar

from exactplay.rules.contract import OVER, IllegalMove, IllegalPosition, Shown, quoted
from exactplay.rules.winner.combinations import Combination, beats, classify, combinations
from exactplay.rules.winner.moves import PASS, Exchange, Move
from exactplay.rules.winner.options import Rules
from exactplay.rules.winner.pieces import FOUR, Cards, deck, show_cards
from exactplay.rules.winner.text import data_of, read_fields, read_text, text_of

MAX_PLAYERS: Final = 4

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True)
class State(Shown):
    """A position.

    ``hands`` are sorted; ``turn`` is the seat to act (while an exchange is open: the seat that leads after it). ``stack``
    is empty when he leads; else its last entry is the current combination, which belongs to ``owner``. Below it stand,
    bottom first, what was beaten in this trick, kept only with ``fours=into_hand``. ``played`` flags the seats that have
    played a card in this hand; ``out`` are the seats without cards in the order in which they went out;
    ``reversed_order`` says that a revolution has turned the ranks round.
    """

    rules: Rules
    hands: tuple[Cards, ...]
    turn: int
    stack: tuple[Combination, ...] = ()
    owner: int | None = None
    played: tuple[bool, ...] = ()
    out: tuple[int, ...] = ()
    reversed_order: bool = False
    exchange: Exchange | None = None

    @classmethod
    def start(
        cls, hands: Sequence[Cards], leader: int, rules: Rules | None = None, *, exchange: tuple[int, int] | None = None
    ) -> Self:
        """The first position of a hand; ``exchange`` names the seats of the last hand's Winner and Loser."""
        sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
        opened = None if exchange is None else Exchange(*exchange)
        state = cls(rules or Rules(), sorted_hands, leader, played=(False,) * len(hands), exchange=opened)
        state.check()
        return state

    @classmethod
    def deal(cls, rng: random.Random, players: int, rules: Rules | None = None) -> Self:
        """Deal the whole deck at random and draw who leads (the trick card)."""
        rules = rules or Rules()
        cards = list(deck(jokers=rules.jokers, decks=rules.decks))
        rng.shuffle(cards)
        sizes = deal_sizes(players, rules)
        starts = [sum(sizes[:seat]) for seat in range(players)]
        hands = [tuple(cards[start:start + size]) for start, size in zip(starts, sizes, strict=True)]
        return cls.start(hands, rng.randrange(players), rules)

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def current(self) -> Combination | None:
        """What has to be beaten; None for the leader of a trick."""
        return self.stack[-1] if self.stack else None

    @property
    def to_move(self) -> int:
        """The seat to act, or OVER."""
        if self.exchange is not None:
            return self.exchange.loser if self.exchange.offered else self.exchange.winner
        return OVER if self._is_over else self.turn

    @property
    def _is_over(self) -> bool:
        return len(self.out) >= (1 if self.rules.end == "first_out" else self.players - 1)

    def legal_moves(self) -> tuple[Move, ...]:
        """What the player to act may do, sorted by text."""
        return tuple(sorted(self.iter_legal_moves()))

    def has_more_moves_than(self, number: int) -> bool:
        """Whether the player to act has more moves."""
        return next(itertools.islice(self.iter_legal_moves(), number, None), None) is not None

    def iter_legal_moves(self) -> Iterator[Move]:
        """The same moves one by one, in no order: the straights of a huge hand are millions."""
        seat = self.to_move
        if seat == OVER:
            return
        hand = self.hands[seat]
        if self.exchange is not None:
            if self.exchange.offered:
                yield from (Move("take", (card,)) for card in set(self.exchange.offered))
            else:
                yield from (Move("offer", cards) for cards in _choices(hand, 2))
            return
        for combination in combinations(hand, self.current, self.rules, reversed_order=self.reversed_order):
            yield Move("play", combination.cards)
        if self.current is not None:
            yield from (Move("fours", cards) for cards in self._fours(hand, self.current))
            yield PASS

    def _fours(self, hand: Cards, current: Combination) -> set[Cards]:
        """Double o' Four on a bomb, Triple o' Four on a large bomb."""
        needed = {"bomb": 2, "large_bomb": 3}.get(current.kind)
        if needed is None or self.rules.fours == "off":
            return set()
        return _choices(tuple(card for card in hand if card.rank == FOUR), needed)

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """None: the deal lies before the first position."""
        return ()

    def play(self, move: Move) -> Self:
        """The position after a move; raises :class:`IllegalMove`."""
        if self.to_move == OVER:
            raise IllegalMove("the hand is over; no move is left")
        if self.exchange is not None:
            return self._exchange_step(self.exchange, move)
        if move.action == "pass":
            return self._pass()
        if move.action == "fours":
            return self._use_fours(move)
        if move.action == "play":
            return self._play_combination(move)
        raise IllegalMove(f"{move} belongs to an exchange, and none is open")

    def _exchange_step(self, exchange: Exchange, move: Move) -> Self:
        """End Game: the Loser gives his highest card and takes one of two cards of the Winner's choosing."""
        giver, taker = exchange.winner, exchange.loser
        if not exchange.offered:
            if move.action != "offer" or len(move.cards) != 2 or not _holds(self.hands[giver], move.cards):
                raise IllegalMove(f"{move}: seat {giver} must offer two cards of his hand, such as 'offer 3D 4D'")
            return dataclasses.replace(self, exchange=dataclasses.replace(exchange, offered=move.cards))
        if move.action != "take" or len(move.cards) != 1 or move.cards[0] not in exchange.offered:
            raise IllegalMove(f"{move}: seat {taker} must take one of {show_cards(exchange.offered)}")
        gift = max(self.hands[taker])
        hands = list(self.hands)
        hands[giver] = tuple(sorted([*_without(hands[giver], move.cards), gift]))
        hands[taker] = tuple(sorted([*_without(hands[taker], (gift,)), *move.cards]))
        return dataclasses.replace(self, hands=tuple(hands), exchange=None)

    def _pass(self) -> Self:
        if self.current is None:
            raise IllegalMove("the leader of a trick may not pass")
        following = self._next_holder(self.turn, self.hands)
        if self._passes_owner(following):
            return self._lead()
        return dataclasses.replace(self, turn=following)

    def _lead(self) -> Self:
        """The state after the trick: its last player leads, or whoever has cards after him."""
        assert self.owner is not None
        leader = self.owner if self.hands[self.owner] else self._next_holder(self.owner, self.hands)
        return dataclasses.replace(self, turn=leader, stack=(), owner=None)

    def _play_combination(self, move: Move) -> Self:
        seat, current = self.turn, self.current
        combination = classify(move.cards)
        if combination is None:
            raise IllegalMove(f"{move} is no combination")
        if not _holds(self.hands[seat], move.cards):
            raise IllegalMove(f"{move} is not in the hand of seat {seat}: {show_cards(self.hands[seat])}")
        if current is not None and not beats(combination, current, self.rules, reversed_order=self.reversed_order):
            raise IllegalMove(f"{move} does not beat {current}; beat it or pass")
        below = self.stack if self.rules.fours == "into_hand" else ()
        turns_round = self.rules.revolution and combination.kind == "large_bomb"
        return self._after_spending(
            move.cards, (*below, combination), reversed_order=self.reversed_order != turns_round,
            trick_over=combination.kind == "joker_pair",
        )

    def _use_fours(self, move: Move) -> Self:
        seat, current = self.turn, self.current
        if current is None or move.cards not in self._fours(self.hands[seat], current):
            raise IllegalMove(f"{move}: that needs two fours in hand on a bomb, or three on a large bomb")
        if self.rules.fours == "own":
            return self._after_spending(move.cards, self.stack)
        hand = tuple(sorted([*_without(self.hands[seat], move.cards), *current.cards]))
        hands = _replace(self.hands, seat, hand)
        played = _replace(self.played, seat, True)
        stack = self.stack[:-1]
        turn = self._next_holder(seat, hands) if stack else seat
        owner = seat if stack else None
        return dataclasses.replace(self, hands=hands, played=played, stack=stack, owner=owner, turn=turn)

    def _after_spending(
        self, cards: Cards, stack: tuple[Combination, ...], *, reversed_order: bool | None = None,
        trick_over: bool = False,
    ) -> Self:
        seat = self.turn
        hands = _replace(self.hands, seat, _without(self.hands[seat], cards))
        out = self.out if hands[seat] else (*self.out, seat)
        after = dataclasses.replace(
            self, hands=hands, played=_replace(self.played, seat, True), out=out, stack=stack, owner=seat,
            reversed_order=self.reversed_order if reversed_order is None else reversed_order,
        )
        if after._is_over:
            return dataclasses.replace(after, stack=(), owner=None)
        if trick_over:
            return after._lead()
        return dataclasses.replace(after, turn=self._next_holder(seat, hands))

    def _next_holder(self, seat: int, hands: tuple[Cards, ...]) -> int:
        """The next seat clockwise that holds cards."""
        seats = ((seat + step) % self.players for step in range(1, self.players + 1))
        return next(other for other in seats if hands[other])

    def _passes_owner(self, following: int) -> bool:
        """Whether the turn, going on from ``turn`` to ``following``, comes to the owner's seat or past it."""
        assert self.owner is not None
        to_owner = (self.owner - self.turn) % self.players
        step = (following - self.turn) % self.players or self.players
        return step >= to_owner

    def scores(self) -> tuple[int, ...]:
        """At the end: points by the Scoring section (``end=first_out``), else the place (most for the first out, 0 for
        the Loser)."""
        if self.to_move != OVER:
            raise ValueError("the hand is not over; scores are known at its end")
        if self.rules.end == "first_out":
            return score([len(hand) for hand in self.hands], self.out[0], self.played)
        places = [0] * self.players
        for place, seat in enumerate(self.out):
            places[seat] = self.players - 1 - place
        return tuple(places)

    def __str__(self) -> str:
        """One line, such as ``3D 4D | 5D 6D; turn 1; on 3C by 0; idle 1``."""
        return text_of(self)

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the text form, as :func:`~.text.read_text` describes it, under rule ``options`` that override its own;
        raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`."""
        return cls.from_json(read_text(text), options)

    def to_json(self) -> dict[str, Any]:
        """The position as plain data, in the form that :meth:`from_json` reads."""
        return data_of(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read plain data, as :func:`~.text.read_fields` describes it, under rule ``options`` that override its own;
        raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`."""
        state = cls(**read_fields(data, options))
        state.check()
        return state

    def check(self) -> None:
        """Raise :class:`IllegalPosition` unless this position can be."""
        if not 2 <= self.players <= MAX_PLAYERS:
            raise IllegalPosition(f"{self.players} hands; Winner has 2 to 4 players")
        self._check_cards()
        empty = {seat for seat, hand in enumerate(self.hands) if not hand}
        if sorted(self.out) != sorted(empty):
            raise IllegalPosition(f"out lists the seats {quoted(list(self.out))}, but without cards are {sorted(empty)}")
        if self.reversed_order and not self.rules.revolution:
            raise IllegalPosition("the order is reversed, but rule option revolution is off")
        if any(not self.played[seat] for seat in self.out):
            raise IllegalPosition("a seat that is out has played cards")
        if len(empty) == self.players:
            raise IllegalPosition("nobody holds a card; one player at least does")
        if self.exchange is not None:
            self._check_exchange(self.exchange)
        elif not self._is_over and not self.hands[self.turn]:
            raise IllegalPosition(f"it is the turn of seat {self.turn}, who holds no cards")
        self._check_table()

    def _check_cards(self) -> None:
        dealt = Counter(deck(jokers=self.rules.jokers, decks=self.rules.decks))
        seen = Counter(card for hand in self.hands for card in hand)
        seen.update(card for combination in self.stack for card in combination.cards)
        for card, number in sorted(seen.items()):
            if number > dealt[card]:
                raise IllegalPosition(f"card {card} is there {number} times; these rules have {dealt[card]}")

    def _check_exchange(self, exchange: Exchange) -> None:
        if not self.rules.exchange:
            raise IllegalPosition("an exchange is open, but rule option exchange is off")
        if exchange.winner == exchange.loser or self.stack or any(self.played) or self.out:
            raise IllegalPosition("an exchange is between two seats and before the first play")
        if len(self.hands[exchange.winner]) < 2 or len(exchange.offered) not in (0, 2):
            raise IllegalPosition("the Winner offers two cards")
        if not _holds(self.hands[exchange.winner], exchange.offered):
            raise IllegalPosition(f"the Winner offers {quoted(show_cards(exchange.offered))}, which he does not hold")

    def _check_table(self) -> None:
        if (self.owner is None) != (not self.stack):
            raise IllegalPosition("a combination on the table needs its owner, and an owner needs one")
        if self.owner is None or self.current is None:
            return
        if self._is_over:
            raise IllegalPosition("the hand is over; nothing lies on the table")
        if self.owner == self.turn:
            raise IllegalPosition(f"seat {self.turn} cannot answer himself; the owner of the table is another seat")
        if not self.played[self.owner]:
            raise IllegalPosition(f"seat {self.owner} owns what is on the table, so he has played a card")
        if self.current.kind == "joker_pair":
            raise IllegalPosition("the joker pair ends its trick at once; nothing lies on the table after it")
        if len(self.stack) > 1:
            if self.rules.fours != "into_hand":
                raise IllegalPosition("what was beaten in a trick is kept only with fours=into_hand")
            orders = (False, True) if self.rules.revolution else (False,)
            for lower, upper in zip(self.stack, self.stack[1:], strict=False):
                if not any(beats(upper, lower, self.rules, reversed_order=turned) for turned in orders):
                    raise IllegalPosition(f"{upper} in the trick does not beat {lower} below it")


def score(left: Sequence[int], winner: int, played: Sequence[bool]) -> tuple[int, ...]:
    """The points of a hand that ends when ``winner`` is out; ``left`` are the cards that each seat holds (Scoring)."""
    players = len(left)
    double, triple = (12, 17) if players == 3 else (10, None)
    points = []
    for cards, any_card in zip(left, played, strict=True):
        each = 2 if cards >= double else 1
        if not any_card or (triple is not None and cards >= triple):
            each = 3
        points.append(-each * cards)
    points[winner] = -sum(points[seat] for seat in range(players) if seat != winner)
    return tuple(points)


def deal_sizes(players: int, rules: Rules | None = None) -> list[int]:
    """How many cards each seat is dealt; seat 0 is dealt first, and what is left over goes round from there."""
    if not 2 <= players <= MAX_PLAYERS:
        raise IllegalPosition(f"{players} players; Winner has 2 to 4")
    rules = rules or Rules()
    cards = len(deck(jokers=rules.jokers, decks=rules.decks))
    return [cards // players + (seat < cards % players) for seat in range(players)]


def _holds(hand: Cards, cards: Cards) -> bool:
    return not Counter(cards) - Counter(hand)


def _without(hand: Cards, cards: Cards) -> Cards:
    return tuple(sorted((Counter(hand) - Counter(cards)).elements()))


def _choices(cards: Cards, number: int) -> set[Cards]:
    """Every choice of one or more cards, equal choices once."""
    smaller: set[Cards] = {()}
    for _ in range(number):
        smaller = {tuple(sorted((*chosen, card))) for chosen in smaller for card in set(_without(cards, chosen))}
    return smaller


def _replace(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1:])
