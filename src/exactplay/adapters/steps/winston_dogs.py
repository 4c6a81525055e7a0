"""Winston (dogs) in small steps: a turn is spelled card by card; chance deals and draws one card at a time."""
from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from typing import Any, ClassVar, Final

from exactplay.adapters.steps.base import (
    CardTable,
    Chance,
    Features,
    Position,
    Word,
    count,
    margins,
    rotated,
)
from exactplay.rules.contract import RulesBase
from exactplay.rules.winston_dogs import (
    BODIES,
    COLOURS,
    HAND_SIZE,
    HEADS,
    PLAYERS,
    Move,
    Rules,
    State,
    View,
    Witness,
    all_cards,
    final_scores,
    show_cards,
    size_points,
)

CARDS: Final = tuple(sorted(set(all_cards())))
_NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
_UNDER, _SKIP, _DONE = len(CARDS), 2 * len(CARDS), 2 * len(CARDS) + 1
_BOX: Final = tuple(HEADS if card.head else BODIES for card in CARDS)
_MOST_POINTS: Final = len(COLOURS) * size_points(BODIES) + 6
#: turns of players who are stuck are bounded by this; a longer game (set up by hand) is cut off
_LONGEST: Final = 1_200


@dataclasses.dataclass(frozen=True)
class Seen:
    """A position with what all players saw of cards that no longer lie open."""

    state: State
    witness: Witness

    @property
    def to_move(self) -> int:
        """As the position's."""
        return self.state.to_move

    def legal_moves(self) -> tuple[Move, ...]:
        """As the position's."""
        return self.state.legal_moves()


@dataclasses.dataclass(frozen=True)
class WinstonDogs(CardTable):
    """``hands``: ``hidden`` (hands and pile are unknown; what is drawn is up to chance) or ``open`` (all see every hand and
    the order of the pile); ``start``: a position, which then decides ``players``.

    Actions 0 to 11 play a card (in the order Bb Bh Gb Gh Kb Kh Ob Oh Sb Sh Wb Wh), 12 to 23 put one under the pile, 24 is
    the skip, 25 ends the turn. Returns: with two players own score less the other's, else one's own score.
    """

    game: ClassVar[str] = "winston_dogs"
    title: ClassVar[str] = "Winston (dogs)"
    rules_class: ClassVar[type[RulesBase]] = Rules
    state_class: ClassVar[type[State]] = State
    most_seats: ClassVar[int] = PLAYERS[-1]
    actions: ClassVar[tuple[str, ...]] = (*map(str, CARDS), *(f"under {card}" for card in CARDS), "skip", "done")

    @property
    def outcomes(self) -> int:
        return 0 if self.first and self.hands == "open" else len(CARDS)

    @property
    def total(self) -> float | None:
        return 0.0 if self.seats == 2 else None

    @property
    def bounds(self) -> tuple[float, float]:
        held = max(self.first.points) if self.first else 0
        return (-(held + _MOST_POINTS + 6.0) if self.seats == 2 else -6.0), held + _MOST_POINTS + 6.0

    @property
    def longest(self) -> int:
        return _LONGEST

    @property
    def most_outcomes(self) -> int:
        return len(all_cards()) + (_LONGEST if self.hidden else 0) if self.outcomes else 0

    def begin(self) -> Position:
        if self.first is not None:
            return self.at(Seen(self.first, Witness.start(self.seats)))
        wanted = HAND_SIZE * self.players if self.hidden else sum(_BOX)
        return Chance(self, None, "deal", _BOX, wanted)

    @property
    def done(self) -> int:
        return _DONE

    def spelling(self, state: Any, move: Any) -> Word:
        if move.action == "skip":
            return (_SKIP,)
        numbers = sorted(_NUMBER[card] for card in move.cards)
        return (_UNDER + numbers[0],) if move.action == "under" else (*numbers, _DONE)

    def play(self, state: Any, move: Any) -> Position:
        if self.hidden and (drawn := _unseen_draws(state, move)):
            top = Counter(state.state.pile[:len(state.state.pile) - state.witness.bottom])
            return Chance(self, state, "draw", tuple(top[card] for card in CARDS), drawn, pending=move)
        return self._played(state, move)

    def _played(self, seen: Seen, move: Move) -> Position:
        return self.at(Seen(seen.state.play(move), seen.witness.after(seen.state, move)))

    def resume(self, chance: Chance) -> Position:
        cards = [CARDS[outcome] for outcome in chance.drawn]
        left = tuple(card for card, count in zip(CARDS, chance.counts, strict=True) for _ in range(count))
        if chance.purpose == "deal":
            dealt, rest = cards[:HAND_SIZE * self.players], cards[HAND_SIZE * self.players:]
            hands = tuple(tuple(dealt[seat::self.players]) for seat in range(self.players))
            return self.at(Seen(State(hands, pile=(*rest, *left)), Witness.start(self.players)))
        seen = chance.state
        bottom = seen.state.pile[len(seen.state.pile) - seen.witness.bottom:]
        state = dataclasses.replace(seen.state, pile=(*cards, *left, *bottom))
        return self._played(Seen(state, seen.witness), chance.pending)

    def outcome_label(self, chance: Chance, outcome: int) -> str:
        if chance.purpose == "draw":
            return f"draw {CARDS[outcome]}"
        pile = len(chance.drawn) >= HAND_SIZE * self.players
        return f"{CARDS[outcome]} to {'the pile' if pile else f'seat {len(chance.drawn) % self.players}'}"

    def outcome_seen_by(self, chance: Chance, outcome: int) -> int | None:
        if not self.hidden:
            return None
        return chance.state.state.turn if chance.purpose == "draw" else len(chance.drawn) % self.players

    def returns(self, state: Any) -> tuple[float, ...]:
        now: State = state.state
        return margins(final_scores(now.points, now.bone, now.poo))

    def public(self, position: Position) -> str:
        if position.state is None:
            return "the cards are dealt"
        state, witness = position.state.state, position.state.witness
        if not self.hidden:
            text = str(state)
        else:
            hidden = tuple(len(hand) - len(held) for hand, held in zip(state.hands, witness.held, strict=True))
            top = len(state.pile) - witness.bottom
            unseen = Counter(state.pile[:top])
            for hand, held in zip(state.hands, witness.held, strict=True):
                unseen += Counter(hand) - Counter(held)
            known = dataclasses.replace(state, hands=witness.held, pile=state.pile[top:], stuck=())
            text = str(View(known, hidden, top, tuple(sorted(unseen.elements()))))
        return "; ".join([text, *(["played " + " ".join(map(position.label, position.word))] if position.word else [])])

    def hand(self, state: Any, seat: int) -> str:
        return show_cards(state.state.hands[seat])

    @functools.cached_property
    def layout(self) -> dict[str, tuple[int, ...]]:
        seats = self.seats
        shapes: dict[str, tuple[int, ...]] = {
            "hand": (len(CARDS),), "played": (len(CARDS),), "table": (len(COLOURS), 2), "to_move": (seats,),
            "bone": (seats,), "poo": (seats,), "sizes": (2,), "points": (seats,), "cards": (seats,), "pile": (1,),
            "unseen": (len(CARDS),), "held": (seats, len(CARDS)),
        }
        return shapes if self.hidden else {**shapes, "next": (HAND_SIZE, len(CARDS))}

    def describe(self, position: Position, seat: int, into: Features) -> None:
        state, witness = position.state.state, position.state.witness
        count(into["hand"], (_NUMBER[card] for card in state.hands[seat]), 1 / BODIES)
        count(into["played"], position.word, 1 / BODIES)
        for row, dog in enumerate(state.table):
            into["table"][row] = dog.head, dog.bodies / BODIES
        into["to_move"][(state.turn - seat) % self.seats] = 1
        for name, holder in (("bone", state.bone), ("poo", state.poo)):
            if holder is not None:
                into[name][(holder - seat) % self.seats] = 1
        into["sizes"][:] = state.longest / BODIES, state.shortest / BODIES
        into["points"][:] = rotated([own / self.bounds[1] for own in state.points], seat)
        into["cards"][:] = rotated([len(hand) / HAND_SIZE for hand in state.hands], seat)
        into["pile"][0] = len(state.pile) / sum(_BOX)
        shown = witness.held if self.hidden else state.hands
        for place, cards in enumerate(rotated(shown, seat)):
            count(into["held"][place], (_NUMBER[card] for card in cards), 1 / BODIES)
        others = (card for other in range(self.seats) if other != seat for card in state.hands[other])
        count(into["unseen"], (_NUMBER[card] for card in (*state.pile, *others)), 1 / BODIES)
        if not self.hidden:
            for place, card in enumerate(state.pile[:HAND_SIZE]):
                into["next"][place, _NUMBER[card]] = 1


def _unseen_draws(seen: Seen, move: Move) -> int:
    """How many cards that nobody knows a turn draws."""
    state = seen.state
    wanted = 0
    if move.action == "under":
        wanted = 1
    elif move.action == "play":
        wanted = HAND_SIZE - len(state.hands[state.turn]) + len(move.cards)
    return min(wanted, len(state.pile) - seen.witness.bottom)
