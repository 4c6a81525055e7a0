"""Positions of Walk the Dogs, their moves and draws, and their two written forms.

The draw pile either has a known order (each draw is then a chance node with one outcome) or is shuffled. Where the order
is known and the pile runs out, no more cards are drawn; a shuffled pile is replaced by the shuffled discards.
"""
from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Literal, Self

from exactplay.common.words import named, whole
from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalMove, IllegalPosition, Shown, quoted
from exactplay.rules.walk_the_dogs import pieces
from exactplay.rules.walk_the_dogs.moves import Move
from exactplay.rules.walk_the_dogs.options import Rules
from exactplay.rules.walk_the_dogs.text import Phase, read_fields, read_hand, read_words, written

Objective = Literal["points", "outcome"]
FULL_HAND: Final = 4


@dataclasses.dataclass(frozen=True, slots=True)
class State(Shown):
    """A position with all cards open.

    ``turn`` is the player whose turn it is, ``chooser`` who picks a group for the dog catcher (in phase ``catch`` only;
    the players between ``turn`` and him have already lost theirs). ``deck`` is in drawing order, or sorted where it is
    ``shuffled``. ``passes`` counts the passes in a row. Build one with :meth:`at`, :meth:`from_json`, :meth:`parse` or
    :meth:`deal`: these check it and begin the turn.
    """

    middle: str
    lines: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    turn: int
    bones: tuple[int, ...]
    discards: tuple[str, ...]
    phase: Phase
    chooser: int
    passes: int
    shuffled: bool
    rules: Rules

    # ---------------------------------------------------------------- building

    @classmethod
    def at(
        cls, middle: str, lines: Iterable[str], hands: Iterable[Iterable[str]], deck: Iterable[str] = (), turn: int = 0,
        bones: Iterable[int] | None = None, discards: Iterable[str] = (), phase: Phase | None = None, chooser: int = -1,
        passes: int = 0, shuffled: bool = False, rules: Rules | None = None,
    ) -> Self:
        """A checked position; without ``phase`` the turn begins. Raises :class:`IllegalPosition`."""
        lines = tuple(lines)
        state = cls(
            middle, lines, tuple(pieces.in_order(tuple(hand)) for hand in hands),
            pieces.in_order(tuple(deck)) if shuffled else tuple(deck), whole(turn, "turn"),
            (0,) * len(lines) if bones is None else tuple(whole(own, "bones") for own in bones),
            pieces.in_order(tuple(discards)), phase or "play", whole(chooser, "chooser"), whole(passes, "passes"),
            shuffled, Rules() if rules is None else rules,
        )
        state._check()
        if state.to_move == OVER:
            return dataclasses.replace(state, phase="play", chooser=-1)
        if (phase is None and not state.rules.advanced) or phase == "draw":
            return state._draw()
        return state

    def _check(self) -> None:
        players = len(self.lines)
        if not 2 <= players <= 4:
            raise IllegalPosition(f"there are {players} lines of dogs; the game has 2 to 4 players")
        for name, entries in (("hands", self.hands), ("bones", self.bones)):
            if len(entries) != players:
                raise IllegalPosition(f"{name} has {len(entries)} entries; {players} lines need {players}")
        for dog, number in sorted(Counter(self.middle + "".join(self.lines)).items()):
            if number > pieces.DOGS_PER_BREED:
                raise IllegalPosition(f"there are {number} dogs of breed {dog}; the box has {pieces.DOGS_PER_BREED}")
        if not 0 <= self.turn < players:
            raise IllegalPosition(f"turn is {quoted(self.turn)}; it must be a player, 0 to {players - 1}")
        if not 0 <= self.passes <= players:
            raise IllegalPosition(f"passes is {quoted(self.passes)}; it must be 0 to {players}")
        if any(not 0 <= own <= pieces.DECK["bo"] for own in self.bones):
            raise IllegalPosition(f"bones are {quoted(self.bones)}; each must be 0 to {pieces.DECK['bo']}")
        for player, hand in enumerate(self.hands):
            for card in pieces.PUT_ASIDE:
                if card in hand:
                    raise IllegalPosition(f"hand {player} holds {card}, which is put aside when drawn and never held")
            if len(hand) > len(self.rules.deck()) or (self.rules.advanced and len(hand) > FULL_HAND):
                most = FULL_HAND if self.rules.advanced else len(self.rules.deck())
                raise IllegalPosition(f"hand {player} holds {len(hand)} cards; at most {most}")
        everything = [*self.deck, *self.discards, *(card for hand in self.hands for card in hand)]
        # How many there are of one card is not checked: positions of other boxes are fine.
        if len(everything) > len(self.rules.deck()):
            raise IllegalPosition(f"there are {len(everything)} cards; the box has {len(self.rules.deck())}")
        if not self.rules.special_cards and any(card in pieces.SPECIAL for card in everything):
            raise IllegalPosition("special_cards is false, so there is no le, bo or dc card")
        if len([line for line in self.lines if pieces.has_five(line)]) > 1:
            raise IllegalPosition("two lines have five in a row; the game ends with the first")
        if (self.phase == "catch") != (self.chooser >= 0):
            raise IllegalPosition("phase catch, and no other, names the player who chooses a group to lose")
        if self.phase == "catch" and (
            self.chooser >= players or len(pieces.catches(self.lines[self.chooser])) < 2
        ):
            raise IllegalPosition(f"player {self.chooser} has no two equal end groups to choose from")

    # ---------------------------------------------------------------- the contract

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.lines)

    @property
    def to_move(self) -> int:
        """The player to act, CHANCE or OVER (rulebook "End of the Game")."""
        if not self.middle or self.passes >= self.players or any(pieces.has_five(line) for line in self.lines):
            return OVER
        return {"draw": CHANCE, "catch": self.chooser, "play": self.turn}[self.phase]

    def legal_moves(self) -> tuple[Move, ...]:
        """The decisions of the player to move: sorted, no duplicates; empty at CHANCE and OVER."""
        if self.to_move < 0:
            return ()
        if self.phase == "catch":
            return tuple(Move("lose", end=end) for end in sorted(pieces.catches(self.lines[self.chooser])))
        moves = self._plays()
        if self.rules.advanced and self._can_draw() and (not moves or len(self.hands[self.turn]) < FULL_HAND):
            moves.add(Move("draw"))
        return tuple(sorted(moves or {Move("pass")}))

    def iter_legal_moves(self) -> Iterator[Move]:
        """The same; there are never many."""
        return iter(self.legal_moves())

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """The cards that may be drawn; where the order of the pile is known, its top card."""
        if self.to_move != CHANCE:
            return ()
        pile = Counter(self.deck if self.shuffled else self.deck[:1])
        return tuple(
            (Move("turn up", card=card), Fraction(copies, pile.total())) for card, copies in sorted(pile.items())
        )

    def play(self, move: Move) -> Self:
        """The state after a decision or a draw; raises :class:`IllegalMove`."""
        legal = {card for card, _ in self.chance_outcomes()} or set(self.legal_moves())
        if move not in legal:
            some = ", ".join(str(one) for one in sorted(legal)[:4]) or "none: the game is over"
            raise IllegalMove(f"move {move} is not legal here; legal are {some}{', ...' if len(legal) > 4 else ''}")
        return self.after(move)

    def after(self, move: Move) -> Self:
        """The state after a move that is known to be legal."""
        match move.kind:
            case "turn up":
                return self._turn_up(move.card)
            case "lose":
                left = pieces.catches(self.lines[self.chooser])[move.end]
                return self._with_line(self.chooser, left)._catch((self.chooser - self.turn) % self.players + 1)
            case "draw":
                return dataclasses.replace(self, passes=0)._draw()
            case "pass":
                return dataclasses.replace(self, passes=self.passes + 1)._next_turn()
            case "leash":
                other = self.lines[move.victim]
                after = self._with_line(move.victim, other[1:] if move.end == "front" else other[:-1])
            case _:
                after = dataclasses.replace(self, middle=pieces.take(self.middle, move.card)[1])
        hand = list(self.hands[self.turn])
        hand.remove(move.card)
        return dataclasses.replace(
            after._with_line(self.turn, move.line)._with_hand(self.turn, hand),
            discards=pieces.in_order((*self.discards, move.card)), passes=0,
        )._next_turn()

    def scores(self) -> tuple[int, ...]:
        """The points of each player; only when the game is OVER."""
        if self.to_move != OVER:
            raise IllegalPosition("the game is not over, so nobody has a score yet")
        return self.points_now()

    # ---------------------------------------------------------------- more about a position

    def points_now(self) -> tuple[int, ...]:
        """The points that each player's line and bones are worth as they stand."""
        return tuple(pieces.points(line, own) for line, own in zip(self.lines, self.bones, strict=True))

    def winners(self) -> tuple[int, ...]:
        """Who wins as it stands: several share."""
        return pieces.winners(self.lines, self.bones)

    def utilities(self, objective: Objective) -> tuple[int, ...]:
        """What the end is worth to each player.

        Two players: ``outcome`` 1, 0 or -1, ``points`` own minus other's. More: ``outcome`` shares 12 among the winners,
        ``points`` are each one's own. Five in a row counts 1000, and -1000 for everyone else.
        """
        named(objective, Objective, "objective")
        winners = self.winners()
        if objective == "outcome":
            if self.players == 2:
                return (0, 0) if len(winners) == 2 else tuple(1 if p in winners else -1 for p in range(2))
            return tuple(12 // len(winners) if p in winners else 0 for p in range(self.players))
        if any(pieces.has_five(line) for line in self.lines):
            return tuple(1000 if p in winners else -1000 for p in range(self.players))
        own = self.points_now()
        return (own[0] - own[1], own[1] - own[0]) if self.players == 2 else own

    # ---------------------------------------------------------------- the turn

    def _can_draw(self) -> bool:
        # Catchers alone make no pile: whoever drew one would have to draw again, without end.
        return bool(self.deck) or (self.shuffled and any(card != "dc" for card in self.discards))

    def _begin_turn(self) -> Self:
        if self.rules.advanced:
            return dataclasses.replace(self, phase="play", chooser=-1)
        return self._draw()

    def _next_turn(self) -> Self:
        if self.to_move == OVER:
            return self
        return dataclasses.replace(self, turn=(self.turn + 1) % self.players)._begin_turn()

    def _draw(self) -> Self:
        """Rulebook "Draw a Card": the pile is about to be drawn from, or nothing is left to draw."""
        if not self._can_draw():
            if self.rules.advanced:
                return self._next_turn()
            return dataclasses.replace(self, phase="play", chooser=-1)
        if self.deck:
            return dataclasses.replace(self, phase="draw", chooser=-1)
        return dataclasses.replace(self, phase="draw", chooser=-1, deck=self.discards, discards=())

    def _turn_up(self, card: str) -> Self:
        deck = list(self.deck)
        deck.remove(card)
        state = dataclasses.replace(self, deck=tuple(deck))
        if card == "bo":
            gets = pieces.bone_goes_to([len(line) for line in self.lines], self.turn)
            bones = tuple(own + (player == gets) for player, own in enumerate(self.bones))
            return dataclasses.replace(state, bones=bones)._draw()
        if card == "dc":
            return dataclasses.replace(state, discards=pieces.in_order((*self.discards, card)))._catch(0)
        state = state._with_hand(self.turn, [*self.hands[self.turn], card])
        if self.rules.advanced:
            return state._next_turn()
        return dataclasses.replace(state, phase="play", chooser=-1)

    def _catch(self, done: int) -> Self:
        """Rulebook "Dog Catcher Cards": clockwise from the drawer, after ``done`` players, each loses an end group."""
        state = self
        for step in range(done, self.players):
            player = (self.turn + step) % self.players
            left = pieces.catches(state.lines[player])
            if len(left) > 1:
                return dataclasses.replace(state, phase="catch", chooser=player)
            state = state._with_line(player, *left.values())
        return state._draw()

    def _plays(self) -> set[Move]:
        """Rulebook "Play a Card" and "Build Your Own Line"."""
        line = self.lines[self.turn]
        moves = set()
        for card in set(self.hands[self.turn]):
            if card != "le":
                taken, _ = pieces.take(self.middle, card)
                for grown in pieces.arrangements(line, taken, self.rules.three_in_any_order):
                    moves.add(Move("play", card=card, line=grown))
                continue
            for victim, other in enumerate(self.lines):
                if victim != self.turn and other:
                    # The only dog of a line is at both ends; it is taken from the front.
                    for end, dog in (("front", other[0]), ("back", other[-1]))[: len(other)]:
                        for grown in pieces.arrangements(line, dog):
                            moves.add(Move("leash", card="le", victim=victim, end=end, line=grown))
        return moves

    def _with_line(self, player: int, line: str) -> Self:
        return dataclasses.replace(self, lines=(*self.lines[:player], line, *self.lines[player + 1:]))

    def _with_hand(self, player: int, hand: list[str]) -> Self:
        hands = (*self.hands[:player], pieces.in_order(hand), *self.hands[player + 1:])
        return dataclasses.replace(self, hands=hands)

    # ---------------------------------------------------------------- written forms

    def to_json(self) -> dict[str, Any]:
        """The position as plain data, in the form that :meth:`from_json` reads."""
        data: dict[str, Any] = {
            "middle": self.middle, "lines": list(self.lines), "hands": [" ".join(hand) for hand in self.hands],
            "deck": " ".join(self.deck), "turn": self.turn, "bones": list(self.bones),
        }
        if self.shuffled:
            data["shuffled"] = True
        if self.discards:
            data["discards"] = " ".join(self.discards)
        data["phase"] = f"catch {self.chooser}" if self.phase == "catch" else self.phase
        if self.passes:
            data["passes"] = self.passes
        if self.rules.changed():
            data["options"] = self.rules.changed()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read ``{"middle": "SPO", "lines": ["SS", ""], "hands": ["g1 g2", "r3"], "deck": "bo le", "turn": 0, ...}``.

        Without ``phase`` the turn begins (a card is drawn, or in the advanced game the player decides). Rule ``options``
        override those of the position. Raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`.
        """
        fields = read_fields(data, options)
        hands = [read_hand(hand, "a hand") for hand in fields.pop("hands")]
        shuffled = data.get("shuffled", False)
        if not isinstance(shuffled, bool):
            raise BadText(f"shuffled is {quoted(shuffled)}; it must be true or false")
        return cls.at(hands=hands, deck=read_hand(data.get("deck", ""), "deck"), shuffled=shuffled, **fields)

    def __str__(self) -> str:
        return written(self.to_json())

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the one-line form, words ``name=value`` with rule options beside them; see :meth:`from_json`.

        ``middle``, ``lines`` and ``hands`` must be there.
        """
        return cls.from_json(read_words(text), options)

    @classmethod
    def deal(cls, rng: random.Random, players: int = 2, rules: Rules | None = None) -> Self:
        """A new game: all 63 dogs in a random line, two cards each (rulebook "Setup"), player 0 to begin."""
        rules = Rules() if rules is None else rules
        whole(players, "players", 2, 4)
        dogs = list(pieces.BREEDS * pieces.DOGS_PER_BREED)
        rng.shuffle(dogs)
        pile = list(rules.deck())
        rng.shuffle(pile)
        # Bones and catchers dealt are replaced and shuffled back: the hands get the first other cards.
        dealt = [card for card in pile if card not in pieces.PUT_ASIDE][: 2 * players]
        for card in dealt:
            pile.remove(card)
        hands = [dealt[2 * player : 2 * player + 2] for player in range(players)]
        return cls.at("".join(dogs), [""] * players, hands, pile, shuffled=True, rules=rules)
