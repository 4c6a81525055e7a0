"""Positions of Walk the Dogs, their moves and draws, and their two written forms.

The draw pile either has a known order (each draw is then a chance node with one outcome) or is shuffled. Where the order
is known and the pile runs out, no more cards are drawn; a shuffled pile is replaced by the shuffled discards.
"""
from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final, Literal, Self, get_args

from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalMove, IllegalPosition, RulesBase, Shown, quoted
from exactplay.rules.walk_the_dogs import pieces

Phase = Literal["draw", "catch", "play"]
Kind = Literal["play", "leash", "lose", "draw", "pass", "turn up"]
Objective = Literal["outcome", "points"]
FULL_HAND: Final = 4
_PHASES: Final = get_args(Phase)


@dataclasses.dataclass(frozen=True, slots=True)
class Rules(RulesBase):
    """The options of Walk the Dogs; the defaults are the rules page's."""

    game: ClassVar[str] = "walk-the-dogs"
    explained: ClassVar[Mapping[str, str]] = {
        "special_cards": "Leash, bone and dog catcher cards are in the pile; without them it is the Simple Rules.",
        "advanced": "On a turn either draw or play, with four cards at most (the rulebook's Advanced Rules).",
        "three_in_any_order": "The dogs of one card may be added in any order, not only in the order taken.",
    }
    special_cards: bool = True
    advanced: bool = False
    three_in_any_order: bool = True

    def deck(self) -> tuple[str, ...]:
        """Every card of the game, in the order of the box."""
        left_out = () if self.special_cards else pieces.SPECIAL
        return tuple(card for card, copies in pieces.DECK.items() for _ in range(copies) if card not in left_out)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Move:
    """A decision, or the card that chance turns up.

    ========== =============== =======================================================================
    kind       text            meaning
    ========== =============== =======================================================================
    play       ``g2:PSSO``     play a green, red or yellow card; the player's own line afterwards
    leash      ``le.1f:SSO``   take the front (``f``) or back (``b``) dog of player 1; own line afterwards
    lose       ``lose:front``  of two equal end groups, lose this one to the dog catcher
    draw       ``draw``        advanced rules: draw a card
    pass       ``pass``        no playable card
    turn up    ``+g2``         the card drawn (an outcome of chance)
    ========== =============== =======================================================================
    """

    kind: Kind
    card: str = ""
    victim: int = -1
    end: str = ""
    line: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "play":
                return f"{self.card}:{self.line}"
            case "leash":
                return f"le.{self.victim}{self.end[0]}:{self.line}"
            case "lose":
                return f"lose:{self.end}"
            case "turn up":
                return f"+{self.card}"
        return self.kind

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read the text form; raises :class:`BadText`."""
        ends = {"f": "front", "b": "back"}
        head, colon, tail = text.partition(":")
        if text == "draw":
            return cls("draw")
        if text == "pass":
            return cls("pass")
        if text[:1] == "+" and text[1:] in pieces.DECK:
            return cls("turn up", card=text[1:])
        if head == "lose" and tail in ends.values():
            return cls("lose", end=tail)
        if colon and tail:
            if head in pieces.HAND_CARDS and head != "le":
                return cls("play", card=head, line=pieces.read_dogs(tail, "the line of move"))
            if len(head) == 5 and head[:3] == "le." and head[3] in "0123" and head[4] in ends:
                line = pieces.read_dogs(tail, "the line of move")
                return cls("leash", card="le", victim=int(head[3]), end=ends[head[4]], line=line)
        raise BadText(f"move {quoted(text)} is none; moves are like g2:PSSO, le.1f:SSO, lose:front, draw, pass, +g2")


@dataclasses.dataclass(frozen=True, slots=True)
class State(Shown):
    """A position with all cards open.

    ``turn`` is the player whose turn it is, ``chooser`` who picks a group for the dog catcher (in phase ``catch`` only;
    the players between ``turn`` and him have already lost theirs). ``deck`` is in drawing order, or sorted where it is
    ``shuffled``. ``passes`` counts the passes in a row. Build one with :meth:`at`, :meth:`from_json`, :meth:`parse` or
    :func:`deal`: these check it and begin the turn.
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
            pieces.in_order(tuple(deck)) if shuffled else tuple(deck), turn,
            (0,) * len(lines) if bones is None else tuple(bones), pieces.in_order(tuple(discards)),
            phase or "play", chooser, passes, shuffled, Rules() if rules is None else rules,
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
    def from_json(cls, data: Mapping[str, Any], rules: Rules | None = None) -> Self:
        """Read ``{"middle": "SPO", "lines": ["SS", ""], "hands": ["g1 g2", "r3"], "deck": "bo le", "turn": 0, ...}``.

        Without ``phase`` the turn begins (a card is drawn, or in the advanced game the player decides). ``options``
        go before ``rules``. Raises :class:`BadText` or :class:`IllegalPosition`.
        """
        fields = read_fields(data, cls.to_json(_EXAMPLE).keys() | {"shuffled", "discards", "passes", "options"})
        phase, chooser = read_phase(fields.get("phase"))
        return cls.at(
            pieces.read_dogs(fields["middle"], "middle"), [pieces.read_dogs(line, "line") for line in fields["lines"]],
            [pieces.read_cards(text_of(hand, "a hand")) for hand in fields["hands"]],
            pieces.read_cards(text_of(fields.get("deck", ""), "deck")), fields.get("turn", 0), fields.get("bones"),
            pieces.read_cards(text_of(fields.get("discards", ""), "discards")), phase, chooser, fields.get("passes", 0),
            fields.get("shuffled", False), read_rules(fields, rules),
        )

    def __str__(self) -> str:
        words = [
            f"middle={self.middle or '-'}", "lines=" + "/".join(line or "-" for line in self.lines),
            "hands=" + "/".join(",".join(hand) or "-" for hand in self.hands),
            "deck=" + "?" * self.shuffled + (",".join(self.deck) or "-"), f"turn={self.turn}",
            "phase=" + (f"catch{self.chooser}" if self.phase == "catch" else self.phase),
            "bones=" + "/".join(map(str, self.bones)),
        ]
        if self.discards:
            words.append("discards=" + ",".join(self.discards))
        if self.passes:
            words.append(f"passes={self.passes}")
        words += [f"{name}={str(value).lower()}" for name, value in self.rules.changed().items()]
        return " ".join(words)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Self:
        """Read the one-line form: words ``name=value``; raises :class:`BadText` or :class:`IllegalPosition`.

        ``middle``, ``lines`` and ``hands`` must be there; rule options stand beside them and go before ``rules``.
        """
        return cls.from_json(read_words(text), rules)


def read_words(text: str) -> dict[str, Any]:
    """The words of a one-line form as the fields of the JSON form."""
    data: dict[str, Any] = {}
    options: dict[str, bool] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in data or name in options:
            wrong = f"{quoted(name)} stands there twice" if equals else f"{quoted(word)} has no '='"
            raise BadText(f"{wrong}; a position is written like {_EXAMPLE}")
        if name in Rules.options():
            if value not in ("true", "false"):
                raise BadText(f"rule option {name} is {quoted(value)}; it must be true or false")
            options[name] = value == "true"
        elif name == "lines":
            data[name] = ["" if part == "-" else part for part in value.split("/")]
        elif name == "hands":
            data[name] = [
                read_number(part[1:], "a hidden hand") if part.startswith("#") else "" if part == "-" else part
                for part in value.split("/")
            ]
        elif name == "deck" and value.startswith("?"):
            data["shuffled"], data["deck"] = True, value[1:]
        elif name == "bones":
            data[name] = [read_number(part, name) for part in value.split("/")]
        elif name in ("turn", "passes"):
            data[name] = read_number(value, name)
        elif name == "phase" and value[:5] == "catch":
            data[name] = f"catch {value[5:]}"
        else:
            data[name] = "" if value == "-" and name != "phase" else value
    if options:
        data["options"] = options
    return data


def read_number(text: str, what: str) -> int:
    """A small number; raises :class:`BadText`."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadText(f"{what} is {quoted(text)}; it must be a number")
    return int(text)


def read_fields(data: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """The fields of a position's JSON form with their types checked; raises :class:`BadText`."""
    for name in ("middle", "lines", "hands"):
        if name not in data:
            raise BadText(f"the position has no {quoted(name)}; a position is written like {_EXAMPLE}")
    for name, value in data.items():
        if name not in known:
            raise BadText(f"field {quoted(name)} is unknown; a position has {', '.join(sorted(known))}")
        right = {
            "middle": isinstance(value, str), "phase": isinstance(value, str), "shuffled": isinstance(value, bool),
            "turn": _is_number(value), "passes": _is_number(value), "options": isinstance(value, Mapping),
            "lines": isinstance(value, list) and all(isinstance(line, str) for line in value),
            "hands": isinstance(value, list),
            "bones": isinstance(value, list) and all(_is_number(own) for own in value),
        }.get(name, True)
        if not right:
            raise BadText(
                f"field {quoted(name)} is {quoted(value)}, which is not of its form; see docs/walk_the_dogs.md"
            )
    return dict(data)


def text_of(value: object, what: str) -> str:
    """A value that must be text; raises :class:`BadText`."""
    if not isinstance(value, str):
        raise BadText(f"{what} is {quoted(value)}; it must be cards in a text such as 'g1 le'")
    return "" if value == "-" else value


def read_phase(text: str | None) -> tuple[Phase | None, int]:
    """``"draw"``, ``"play"`` or ``"catch 1"`` (player 1 chooses); raises :class:`BadText`."""
    if text is None:
        return None, -1
    name, _, player = text.partition(" ")
    for phase in _PHASES:
        if name == phase and (bool(player) == (phase == "catch")):
            return phase, read_number(player, "the player of phase catch") if player else -1
    raise BadText(f"phase is {quoted(text)}; it must be draw, play or catch and a player")


def read_rules(fields: Mapping[str, Any], rules: Rules | None) -> Rules:
    """The rules of a position: its own options over the given ones."""
    given = {} if rules is None else rules.changed()
    return Rules.from_mapping({**given, **fields.get("options", {})})


def legal_objective(text: str) -> Objective:
    """``outcome`` or ``points``; raises :class:`BadText`."""
    for objective in get_args(Objective):
        if text == objective:
            return objective  # type: ignore[no-any-return]
    raise BadText(f"objective is {quoted(text)}; it must be outcome or points")


def deal(rng: random.Random, players: int = 2, rules: Rules | None = None) -> State:
    """A new game: all 63 dogs in a random line, two cards each (rulebook "Setup"), player 0 to begin."""
    rules = Rules() if rules is None else rules
    dogs = list(pieces.BREEDS * pieces.DOGS_PER_BREED)
    rng.shuffle(dogs)
    pile = list(rules.deck())
    rng.shuffle(pile)
    # Bones and catchers dealt are replaced and shuffled back: the hands get the first other cards.
    dealt = [card for card in pile if card not in pieces.PUT_ASIDE][: 2 * players]
    for card in dealt:
        pile.remove(card)
    hands = [dealt[2 * player : 2 * player + 2] for player in range(players)]
    return State.at("".join(dogs), [""] * players, hands, pile, shuffled=True, rules=rules)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_EXAMPLE: Final = State.at("SPO", ["SS", ""], [["g1", "g2"], ["r3"]], ["bo", "le"])
