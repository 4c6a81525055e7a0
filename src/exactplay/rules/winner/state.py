"""Positions, play and scoring (rulebook, sections Dealing and Playing, End Game, Scoring)."""
from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, Self, TypeVar, get_args

from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition, Shown, quoted
from exactplay.rules.winner.cards import RANKS, Cards, deck, parse_cards, show_cards
from exactplay.rules.winner.combinations import Combination, Rules, beats, classify, combinations
from exactplay.rules.winner.text import read_seat, read_text, read_texts

FOUR: Final = RANKS.index("4")
MAX_PLAYERS: Final = 4
_FIELDS: Final = (
    "hands", "turn", "leader", "current", "stack", "owner", "played_any", "out", "reversed", "exchange", "options",
)

T = TypeVar("T")
Action = Literal["play", "fours", "pass", "offer", "take"]
_ACTIONS: Final[tuple[Action, ...]] = get_args(Action)


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """What a player does: ``play`` a combination, use ``fours`` on a bomb, ``pass``; in an exchange ``offer`` two cards or
    ``take`` one. Moves order by their text."""

    action: Action
    cards: Cards = ()

    def __str__(self) -> str:
        words = [] if self.action == "play" else [self.action]
        return " ".join([*words, *map(str, self.cards)])

    def __lt__(self, other: Move, /) -> bool:
        return str(self) < str(other)

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read ``3D 3C``, ``fours 4D 4C``, ``pass``, ``offer 3D KS`` or ``take 3D``; raises :class:`BadText`."""
        words = text.split()
        action: Action = "play"
        if words and words[0].lower() in _ACTIONS[1:]:
            action = next(known for known in _ACTIONS if known == words[0].lower())
            words = words[1:]
        if (action == "pass") != (not words):
            raise BadText(f"{quoted(text)} is no move; write cards such as '3D 3C', or 'fours 4D 4C', or 'pass'")
        return cls(action, parse_cards(" ".join(words)))


PASS: Final = Move("pass")


@dataclasses.dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange before a hand: the seats of the last hand's Winner and Loser, and the two cards once offered."""

    winner: int
    loser: int
    offered: Cards = ()


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
        return tuple(sorted(self._moves()))

    def has_more_moves_than(self, number: int) -> bool:
        """Whether the player to move has more; found out one by one, as straights from a huge hand can be millions."""
        return next(itertools.islice(self._moves(), number, None), None) is not None

    def _moves(self) -> Iterator[Move]:
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

    # --- text and JSON forms -----------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """One line, such as ``3D 4D | 5D 6D; turn 1; on 3C by 0; idle 1``."""
        parts = [" | ".join(show_cards(hand) or "-" for hand in self.hands), f"turn {self.turn}"]
        if self.stack:
            parts.append(f"on {' > '.join(map(str, self.stack))} by {self.owner}")
        idle = [str(seat) for seat, played in enumerate(self.played) if not played]
        if idle:
            parts.append("idle " + " ".join(idle))
        if self.out:
            parts.append("out " + " ".join(map(str, self.out)))
        if self.reversed_order:
            parts.append("reversed")
        if self.exchange is not None:
            offer = f" offer {show_cards(self.exchange.offered)}" if self.exchange.offered else ""
            parts.append(f"exchange {self.exchange.winner} {self.exchange.loser}{offer}")
        if self.rules.changed():
            parts.append("rules " + self.rules.describe().replace(",", ""))
        return "; ".join(parts)

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read the text form, as :func:`~.text.read_text` describes it; raises :class:`BadText` or
        :class:`IllegalPosition`."""
        return cls.from_json(read_text(text))

    def to_json(self) -> dict[str, Any]:
        """The position as plain data, in the form that :meth:`from_json` reads."""
        return {
            "hands": [show_cards(hand) for hand in self.hands],
            "turn": self.turn,
            "current": None if self.current is None else str(self.current),
            "stack": [str(combination) for combination in self.stack],
            "owner": self.owner,
            "played_any": list(self.played),
            "out": list(self.out),
            "reversed": self.reversed_order,
            "exchange": None if self.exchange is None else {
                "winner": self.exchange.winner, "loser": self.exchange.loser, "offer": show_cards(self.exchange.offered),
            },
            "options": self.rules.changed(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a position from plain data; raises :class:`BadText` or :class:`IllegalPosition`.

        ``hands`` (texts of cards) and ``turn`` are needed. ``current`` with ``owner``, or ``stack`` (bottom first), is
        what lies on the table; with two players the owner may be left out. ``played_any`` is true for all seats when
        left out; ``out`` the seats without cards in seat order. ``options`` are the rules' options.
        """
        state = cls.read_unchecked(data)
        state.check()
        return state

    @classmethod
    def read_unchecked(cls, data: Mapping[str, Any], hidden: Sequence[int] = ()) -> Self:
        """As :meth:`from_json`, but only the form is checked; ``hidden`` are the cards a seat holds beside ``hands``."""
        unknown = sorted(data.keys() - set(_FIELDS))
        if unknown:
            raise BadText(f"{quoted(unknown[0])} is no field of a position; it may have {', '.join(_FIELDS)}")
        hands = read_texts(data.get("hands"), "hands")
        players = len(hands)
        if not 2 <= players <= MAX_PLAYERS:
            raise IllegalPosition(f"{players} hands; Winner has 2 to 4 players")
        options = data.get("options") or {}
        if not isinstance(options, Mapping):
            raise BadText("options must be an object of NAME: value")
        stack_texts = read_texts(data.get("stack") or [], "stack")
        current = data.get("current")
        if current is not None and not isinstance(current, str):
            raise BadText("current must be a text of cards or null")
        if current and not stack_texts:
            stack_texts = [current]
        if current and parse_cards(current) != parse_cards(stack_texts[-1]):
            last = quoted(stack_texts[-1])
            raise BadText(f"current is {quoted(current)}, but the last in stack is {last}; give one of them")
        named = [data[name] for name in ("turn", "leader") if data.get(name) is not None]
        if not named:
            raise BadText("turn, the seat to act, is missing")
        if named[0] != named[-1]:
            raise BadText(f"turn is {quoted(named[0])}, but leader is {quoted(named[-1])}; give one of them")
        turn = read_seat(named[0], players)
        owner = data.get("owner")
        if owner is None and stack_texts and players == 2:
            owner = 1 - turn
        parsed = [parse_cards(hand) for hand in hands]
        flags = data.get("played_any")
        if flags is None:
            flags = [True] * players
        if not (isinstance(flags, list) and len(flags) == players and all(isinstance(flag, bool) for flag in flags)):
            raise BadText(f"played_any must be a list of {players} times true or false")
        counts = [len(hand) + more for hand, more in zip(parsed, hidden or (0,) * players, strict=True)]
        out = data.get("out") or [seat for seat, number in enumerate(counts) if not number]
        if not isinstance(out, list):
            raise BadText("out must be a list of seats")
        reversed_order = data.get("reversed", False)
        if not isinstance(reversed_order, bool):
            raise BadText("reversed must be true or false")
        stack = []
        for text in stack_texts:
            combination = classify(parse_cards(text))
            if combination is None:
                raise IllegalPosition(f"{quoted(text.strip())} on the table is no combination")
            stack.append(combination)
        return cls(
            rules=Rules.from_mapping(options),
            hands=tuple(parsed),
            turn=turn,
            stack=tuple(stack),
            owner=None if owner is None else read_seat(owner, players),
            played=tuple(flags),
            out=tuple(read_seat(seat, players) for seat in out),
            reversed_order=reversed_order,
            exchange=_read_exchange(data.get("exchange"), players),
        )

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


def _read_exchange(value: object, players: int) -> Exchange | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not {"winner", "loser"} <= value.keys() <= {"winner", "loser", "offer"}:
        raise BadText("exchange must be an object with winner and loser, and offer once it is made")
    offer = value.get("offer", "")
    if not isinstance(offer, str):
        raise BadText("offer must be a text of two cards")
    return Exchange(read_seat(value["winner"], players), read_seat(value["loser"], players), parse_cards(offer))
