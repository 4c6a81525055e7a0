"""Winner in small steps: a combination is spelled card by card; chance deals one card at a time and names the leader."""
from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from typing import Any, ClassVar

from exactplay.adapters.steps.base import (
    CardTable,
    Chance,
    Features,
    Menu,
    Position,
    Word,
    count,
    margins,
    rotated,
)
from exactplay.adapters.steps.winner_menu import CARDS, NUMBER, menu, spelling
from exactplay.common.words import one_of
from exactplay.rules.contract import RulesBase
from exactplay.rules.winner import Rules, State, View, deal_sizes, deck, show_cards
from exactplay.solvers.winner.exact import OBJECTIVES, check_objective


@dataclasses.dataclass(frozen=True)
class Winner(CardTable):
    """``hands``: ``hidden`` or ``open``; ``objective``: ``win``, ``score`` (with end=first_out) or ``place``, as the solver
    has them; ``start``: a position, which then decides ``players`` and the rules. (Option ``exchange`` has an effect only
    there: a first hand has no exchange.)

    Actions: 0 to 53 a card, from 3D 3C 3H 3S 4D ... to 2S BJ RJ, always in this order within a move; 54 begins the use of
    fours on a bomb; 55 is the pass; 56 ends a combination that could go on.
    """

    game: ClassVar[str] = "winner"
    title: ClassVar[str] = "Winner (Zheng Shangyou)"
    rules_class: ClassVar[type[RulesBase]] = Rules
    state_class: ClassVar[type[State]] = State
    actions: ClassVar[tuple[str, ...]] = (*map(str, CARDS), "fours", "pass", "done")

    objective: str = "win"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self.objective, OBJECTIVES, "objective")
        check_objective(self._rules, self.seats, self.objective)  # type: ignore[arg-type]  # it is one of them

    @property
    def _rules(self) -> Rules:
        return self.first.rules if self.first else self.rules  # type: ignore[no-any-return]

    @property
    def outcomes(self) -> int:
        return 0 if self.first else len(CARDS)

    @property
    def total(self) -> float | None:
        if self.objective == "place":
            return self.seats * (self.seats - 1) / 2
        return 0.0 if self.objective == "score" or self.seats == 2 else 1.0

    @functools.cached_property
    def bounds(self) -> tuple[float, float]:
        if self.objective == "win":
            return (-1.0, 1.0) if self.seats == 2 else (0.0, 1.0)
        if self.objective == "place":
            return 0.0, self.seats - 1.0
        # Three points a card at the most; the bombs taken into hand come on top of the cards dealt.
        most = 3.0 * self._most_cards
        return (-2 * most, 2 * most) if self.seats == 2 else (-most, most)

    @property
    def _most_cards(self) -> int:
        return self._cards + (4 * 2 * self._rules.decks if self._rules.fours == "into_hand" else 0)

    @property
    def _cards(self) -> int:
        if self.first is None:
            return len(deck(jokers=self.rules.jokers, decks=self.rules.decks))
        return sum(map(len, self.first.hands)) + sum(len(combination.cards) for combination in self.first.stack)

    @property
    def longest(self) -> int:
        # Per card played: itself, "fours" or "done", and the passes of the others; an exchange has three steps.
        return (self.seats + 2) * self._most_cards + self.seats + 3

    @property
    def most_outcomes(self) -> int:
        return 0 if self.first else self._cards + 1

    def begin(self) -> Position:
        if self.first is not None:
            return self.at(self.first)
        dealt = Counter(deck(jokers=self.rules.jokers, decks=self.rules.decks))
        return Chance(self, None, "deal", tuple(dealt[card] for card in CARDS), self._cards)

    def menu(self, state: Any) -> Menu:
        return menu(state)

    def spelling(self, state: Any, move: Any) -> Word:
        return spelling(move)

    def resume(self, chance: Chance) -> Position:
        if chance.purpose == "deal":
            return Chance(self, None, "leader", (1,) * self.players, 1, pending=chance.drawn)
        cards = [CARDS[outcome] for outcome in chance.pending]
        hands = [tuple(cards[seat::self.players]) for seat in range(self.players)]
        assert [len(hand) for hand in hands] == deal_sizes(self.players, self.rules)
        return self.at(State.start(hands, chance.drawn[0], self.rules))

    def outcome_label(self, chance: Chance, outcome: int) -> str:
        if chance.purpose == "leader":
            return f"seat {outcome} leads"
        return f"{CARDS[outcome]} to seat {len(chance.drawn) % self.players}"

    def outcome_seen_by(self, chance: Chance, outcome: int) -> int | None:
        return len(chance.drawn) % self.players if self.hidden and chance.purpose == "deal" else None

    def returns(self, state: Any) -> tuple[float, ...]:
        seats = range(self.seats)
        if self.objective == "score":
            return margins(state.scores() if state.out else (0,) * self.seats)
        if self.objective == "place":
            places = {seat: self.seats - 1.0 - place for place, seat in enumerate(state.out)}
            # Before the end, those who still hold cards share the places that are left.
            shared = (self.seats - len(places) - 1) / 2
            return tuple(places.get(seat, shared) for seat in seats)
        lost = -1.0 if self.seats == 2 else 0.0
        if not state.out:
            return ((1.0 + lost * (self.seats - 1)) / self.seats,) * self.seats
        return tuple(1.0 if state.out[0] == seat else lost for seat in seats)

    def public(self, position: Position) -> str:
        state = position.state
        if state is None:
            return "the cards are dealt"
        text = str(state) if not self.hidden else str(self._seen(state))
        return "; ".join([text, *(["spelled " + " ".join(map(position.label, position.word))] if position.word else [])])

    def _seen(self, state: State) -> View:
        nothing = dataclasses.replace(state, hands=((),) * state.players)
        return View(nothing, tuple(map(len, state.hands)), tuple(sorted(self._gone(state).elements())))

    def _gone(self, state: State) -> Counter[Any]:
        """The cards of the pack that are in no hand and not on the table: seen when they were played."""
        gone = Counter(deck(jokers=self._rules.jokers, decks=self._rules.decks))
        gone.subtract(card for hand in state.hands for card in hand)
        gone.subtract(card for combination in state.stack for card in combination.cards)
        return gone

    def hand(self, state: Any, seat: int) -> str:
        return show_cards(state.hands[seat])

    @functools.cached_property
    def layout(self) -> dict[str, tuple[int, ...]]:
        seats = self.seats
        return {
            "hand": (len(CARDS),), "spelled": (len(self.actions),), "current": (len(CARDS),), "gone": (len(CARDS),),
            "cards": (seats,), "played": (seats,), "out": (seats,), "to_move": (seats,), "owner": (seats,),
            "reversed": (1,), "offered": (len(CARDS),), "hands": (seats, len(CARDS)),
        }

    def describe(self, position: Position, seat: int, into: Features) -> None:
        state: State = position.state
        decks = self._rules.decks
        offered = state.exchange.offered if state.exchange else ()
        current = state.current.cards if state.current else ()
        shown = (("hand", state.hands[seat]), ("current", current), ("gone", self._gone(state).elements()),
                 ("offered", offered))
        for name, cards in shown:
            count(into[name], (NUMBER[card] for card in cards), 1 / decks)
        count(into["spelled"], position.word, 1 / decks)
        into["cards"][:] = rotated([len(hand) / self._most_cards for hand in state.hands], seat)
        into["played"][:] = rotated(state.played, seat)
        for place, other in enumerate(rotated(range(self.seats), seat)):
            into["out"][place] = other in state.out
            into["to_move"][place] = other == state.to_move
            into["owner"][place] = other == state.owner
            if not self.hidden:
                count(into["hands"][place], (NUMBER[card] for card in state.hands[other]), 1 / decks)
        into["reversed"][0] = state.reversed_order
