"""What one player sees of a position: his hand, everything on the table, the number of cards of the others."""
from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from exactplay.common.words import whole
from exactplay.rules.contract import OVER, BadOption, BadText, IllegalPosition, Shown, quoted
from exactplay.rules.walk_the_dogs import pieces
from exactplay.rules.walk_the_dogs.options import Rules
from exactplay.rules.walk_the_dogs.state import FULL_HAND, State
from exactplay.rules.walk_the_dogs.text import FIELDS, Phase, read_fields, read_hand, read_words, written


@dataclasses.dataclass(frozen=True, slots=True)
class View(Shown):
    """A position as its player to move sees it.

    ``hand`` is his, ``sizes`` the number of cards in every hand. What he sees nowhere lies in the other hands and in the
    draw pile; bones and dog catchers are never held, so these are in the pile.
    """

    seat: int
    middle: str
    lines: tuple[str, ...]
    hand: tuple[str, ...]
    sizes: tuple[int, ...]
    turn: int
    bones: tuple[int, ...]
    discards: tuple[str, ...]
    phase: Phase
    chooser: int
    passes: int
    rules: Rules

    @classmethod
    def of(cls, state: State, seat: int | None = None) -> Self:
        """What a player (who is to move, if not named) sees of a state."""
        who = state.to_move if seat is None else seat
        if not 0 <= who < state.players:
            raise _nobody("the game is over" if who == OVER else "a card is about to be drawn")
        return cls(
            who, state.middle, state.lines, state.hands[who], tuple(len(hand) for hand in state.hands), state.turn,
            state.bones, state.discards, state.phase, state.chooser, state.passes, state.rules,
        )

    def unseen(self) -> tuple[str, ...]:
        """The cards that the player sees nowhere; raises :class:`IllegalPosition` where he sees more than the box has."""
        seen = Counter(self.hand) + Counter(self.discards) + Counter({"bo": sum(self.bones)})
        box = Counter(self.rules.deck())
        for card, number in sorted(seen.items()):
            if number > box[card]:
                raise IllegalPosition(f"{number} cards {card} are seen; the box has {box[card]}")
        unseen = pieces.in_order(tuple((box - seen).elements()))
        if self.rules.advanced and max(self.sizes) > FULL_HAND:
            raise IllegalPosition(f"a hidden hand has {max(self.sizes)} cards; at most {FULL_HAND}")
        hidden = self.hidden_cards()
        if hidden > sum(card not in pieces.PUT_ASIDE for card in unseen):
            raise IllegalPosition(f"{hidden} hidden cards in hands are more than the cards unseen")
        return unseen

    def hidden_cards(self) -> int:
        """How many cards the other players hold."""
        return sum(self.sizes) - self.sizes[self.seat]

    def world(self, hands: Sequence[Sequence[str]], pile: Sequence[str]) -> State:
        """The state in which the others, in the order of play from player 0 on, hold these cards, and the pile is this."""
        others = iter(hands)
        held = [self.hand if player == self.seat else next(others) for player in range(len(self.lines))]
        return State.at(
            self.middle, self.lines, held, pile, self.turn, self.bones, self.discards, self.phase, self.chooser,
            self.passes, rules=self.rules,
        )

    def some_world(self) -> State:
        """A position that fits: its legal moves are those of every position of a game with a shuffled pile that fits."""
        rest = [card for card in self.unseen() if card not in pieces.PUT_ASIDE]
        hands = []
        for player, size in enumerate(self.sizes):
            if player != self.seat:
                hands.append(rest[:size])
                rest = rest[size:]
        aside = [card for card in self.unseen() if card in pieces.PUT_ASIDE]
        return dataclasses.replace(self.world(hands, ()), deck=pieces.in_order((*rest, *aside)), shuffled=True)

    def to_json(self) -> dict[str, Any]:
        """The view as plain data: like a state's, with the number of cards in place of each hidden hand, and no deck."""
        hands = [" ".join(self.hand) if player == self.seat else size for player, size in enumerate(self.sizes)]
        data: dict[str, Any] = {
            "middle": self.middle, "lines": list(self.lines), "hands": hands, "turn": self.turn,
            "bones": list(self.bones), "discards": " ".join(self.discards),
            "phase": f"catch {self.chooser}" if self.phase == "catch" else self.phase,
        }
        if self.passes:
            data["passes"] = self.passes
        if self.rules.changed():
            data["options"] = self.rules.changed()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read ``{"middle": "SPO", "lines": ["SS", ""], "hands": ["g1 g2 le", 2], "turn": 0, "discards": "g1 r3"}``.

        Without ``phase`` the player has drawn and is about to play. Rule ``options`` override those of the view. Raises
        :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`.
        """
        fields = read_fields(data, options, set(FIELDS) - {"deck", "shuffled"})
        fields["phase"] = fields["phase"] or "play"
        if fields["phase"] == "draw":
            raise _nobody("a card is about to be drawn")
        hands = fields.pop("hands")
        own = [player for player, hand in enumerate(hands) if isinstance(hand, str)]
        if len(own) != 1:
            raise BadText(f"{len(own)} hands are written out; in a view one is, and a number stands for each other")
        hand = read_hand(hands[own[0]], "the hand")
        try:
            sizes = tuple(len(hand) if isinstance(entry, str) else whole(entry, "a hand", 0, 53) for entry in hands)
        except BadOption:
            raise BadText(f"hands are {quoted(hands)}; a hidden hand is its number of cards") from None
        # The state with the hidden hands empty carries every check but that of the card counts.
        shown = State.at(hands=[hand if player == own[0] else () for player in range(len(sizes))], **fields)
        if shown.to_move != own[0]:
            raise IllegalPosition(f"the hand written out is player {own[0]}'s, who is not to move here")
        view = dataclasses.replace(cls.of(shown), sizes=sizes)
        view.unseen()
        return view

    def __str__(self) -> str:
        return written(self.to_json())

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the one-line form, in which ``#2`` is a hidden hand of two; see :meth:`from_json`."""
        return cls.from_json(read_words(text), options)


def _nobody(why: str) -> IllegalPosition:
    return IllegalPosition(f"{why}, so nobody is to move; a view belongs to the player to move")
