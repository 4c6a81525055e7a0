"""What one player knows: his own hand, how many cards the others hold, and what has been played."""
from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from exactplay.rules.contract import BadText, IllegalPosition, Shown
from exactplay.rules.winner.cards import Cards, deck, parse_cards, show_cards
from exactplay.rules.winner.state import State
from exactplay.rules.winner.text import read_text, read_texts

_HIDDEN = re.compile(r"\?([0-9]{1,3})")


@dataclasses.dataclass(frozen=True, slots=True)
class View(Shown):
    """A position seen by the player to act.

    ``known`` is the position with the cards that he knows of every hand, ``hidden`` the number of further cards in each.
    ``spent`` are the cards out of play (played and gone), or None where nobody kept count: then unseen cards may lie there.
    """

    known: State
    hidden: tuple[int, ...]
    spent: Cards | None

    @classmethod
    def of(cls, state: State) -> Self:
        """What the player to act sees of a position: all that no hand and no table holds has been played."""
        seat = state.to_move
        known = [hand if other == seat else () for other, hand in enumerate(state.hands)]
        if state.exchange is not None and seat != state.exchange.winner:
            known[state.exchange.winner] = tuple(sorted(state.exchange.offered))
        hands = tuple(known)
        hidden = tuple(len(hand) - len(seen) for hand, seen in zip(state.hands, hands, strict=True))
        dealt = Counter(deck(jokers=state.rules.jokers, decks=state.rules.decks))
        dealt.subtract(card for hand in state.hands for card in hand)
        dealt.subtract(_table(state))
        return cls(dataclasses.replace(state, hands=hands), hidden, tuple(sorted(dealt.elements())))

    @property
    def unseen(self) -> Cards:
        """The cards that may be in hidden hands (or out of play, if ``spent`` is None), sorted."""
        rules = self.known.rules
        cards = Counter(deck(jokers=rules.jokers, decks=rules.decks))
        cards.subtract(card for hand in self.known.hands for card in hand)
        cards.subtract(_table(self.known))
        cards.subtract(self.spent or ())
        return tuple(sorted(cards.elements()))

    def world(self, dealt: Sequence[Cards]) -> State:
        """The position in which each seat holds the cards dealt to it beside the known ones."""
        hands = tuple(
            tuple(sorted((*hand, *cards))) for hand, cards in zip(self.known.hands, dealt, strict=True)
        )
        return dataclasses.replace(self.known, hands=hands)

    def check(self) -> None:
        """Raise :class:`IllegalPosition` unless some world fits."""
        self._check_spent()
        exchange = self.known.exchange
        if exchange is not None and Counter(exchange.offered) - Counter(self.known.hands[exchange.winner]):
            raise IllegalPosition("the cards that the Winner offers are seen; name them in his hand")
        unseen = self.unseen
        wanted = sum(self.hidden)
        if len(unseen) < wanted or (self.spent is not None and len(unseen) > wanted):
            raise IllegalPosition(
                f"{len(unseen)} cards are unseen, but the hidden hands hold {wanted}; name the cards that are out of "
                "play with 'spent', or leave 'spent' out altogether if they are not known"
            )
        world, rest = [], list(unseen)
        for number in self.hidden:
            world.append(tuple(rest[:number]))
            rest = rest[number:]
        state = self.world(world)
        state.check()
        if state.to_move >= 0 and self.hidden[state.to_move]:
            raise IllegalPosition(f"seat {state.to_move} is to act, and his own hand must be known")

    def _check_spent(self) -> None:
        """A card that is spent lies nowhere else."""
        rules = self.known.rules
        dealt = Counter(deck(jokers=rules.jokers, decks=rules.decks))
        seen = Counter(card for cards in (*self.known.hands, _table(self.known), self.spent or ()) for card in cards)
        for card in sorted(set(self.spent or ())):
            if seen[card] > dealt[card]:
                raise IllegalPosition(
                    f"card {card} is spent, but with hands and table it is there {seen[card]} times; these rules have "
                    f"{dealt[card]}"
                )

    def __str__(self) -> str:
        """One line in the form of a position's, with ``?5`` for five hidden cards and ``spent`` for those gone."""
        first, *parts = str(self.known).split("; ")
        hands = [
            " ".join(([] if text == "-" and number else [text]) + ([f"?{number}"] if number else []))
            for text, number in zip(first.split(" | "), self.hidden, strict=True)
        ]
        spent = [] if self.spent is None else [f"spent {show_cards(self.spent)}".strip()]
        return "; ".join([" | ".join(hands), *parts, *spent])

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read the text form; raises :class:`BadText` or :class:`IllegalPosition`."""
        return cls.from_json(read_text(text))

    def to_json(self) -> dict[str, Any]:
        """The view as plain data, in the form that :meth:`from_json` reads."""
        data = self.known.to_json()
        data["hands"] = [
            f"{hand} ?{number}".strip() if number else hand
            for hand, number in zip(data["hands"], self.hidden, strict=True)
        ]
        return data if self.spent is None else {**data, "spent": show_cards(self.spent)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a view: a position's plain data whose ``hands`` may hold ``?N`` for N hidden cards, with ``spent`` beside
        them; raises :class:`BadText` or :class:`IllegalPosition`."""
        spent_text = data.get("spent")
        if spent_text is not None and not isinstance(spent_text, str):
            raise BadText("spent must be a text of cards")
        spent = None if spent_text is None else parse_cards(spent_text)
        texts = read_texts(data.get("hands"), "hands")
        hidden = tuple(sum(int(number) for number in _HIDDEN.findall(text)) for text in texts)
        known_texts = [_HIDDEN.sub(" ", text) for text in texts]
        plain = {name: value for name, value in data.items() if name != "spent"}
        known = State.read_unchecked({**plain, "hands": known_texts}, hidden)
        view = cls(known, hidden, spent)
        view.check()
        return view


def _table(state: State) -> Cards:
    return tuple(card for combination in state.stack for card in combination.cards)
