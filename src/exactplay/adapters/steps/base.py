"""Games as walks of small steps: what is due at a position, and the numbers by which it is named.

A move of a game may be one of millions (a straight and the suits of its cards); learners and tree searches want a short
fixed list. So a move is *spelled*: as one action or as several in a row by the same player. Chance takes small steps too,
one die or card at a time. Everything else is the reference rules'.
"""
from __future__ import annotations

import dataclasses
import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from exactplay.common.files import read_text
from exactplay.common.words import one_of, whole
from exactplay.rules.contract import CHANCE, OVER, BadOption, IllegalMove, IllegalPosition, RulesBase, quoted

Word = tuple[int, ...]
Features = dict[str, NDArray[np.float32]]


class Menu(Protocol):
    """What may come next in the spelling of a move."""

    @property
    def actions(self) -> Word:
        """The legal actions, sorted."""

    def pick(self, action: int) -> Menu | Spelled:
        """The menu after one of them, or the move that it completes."""

    def spelling(self, move: Any) -> Word:
        """The actions of a legal move from here on, perhaps with one behind that is not asked for; () for other moves."""


@dataclasses.dataclass(frozen=True, slots=True)
class Spelled:
    """A move whose spelling is complete."""

    move: Any


class Words:
    """A menu given by the spelling of every legal move.

    A spelling that begins another one ends in ``done``; an end without an alternative is not asked for.
    """

    def __init__(self, words: Iterable[tuple[Word, Any]], done: int = -1, depth: int = 0) -> None:
        self._words, self._done, self._depth = list(words), done, depth
        self._actions = tuple(sorted({word[depth] for word, _ in self._words}))

    @property
    def actions(self) -> Word:
        """The legal actions, sorted."""
        return self._actions

    def pick(self, action: int) -> Menu | Spelled:
        """The menu after one of them, or the move that it completes."""
        depth = self._depth + 1
        left = [(word, move) for word, move in self._words if word[self._depth] == action]
        if len(left) == 1 and left[0][0][depth:] in ((), (self._done,)):
            return Spelled(left[0][1])
        return Words(left, self._done, depth)

    def spelling(self, move: Any) -> Word:
        """The actions of a legal move from here on; () for other moves."""
        return next((word[self._depth:] for word, other in self._words if other == move), ())


@dataclasses.dataclass(frozen=True)
class Position:
    """A place in a game at which one small step is due, or the end. An immutable value: copies of it are itself."""

    table: Table
    state: Any

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # What is cached stays behind.
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    @property
    def to_act(self) -> int:
        """The seat whose decision is due, CHANCE or OVER."""
        return OVER

    @property
    def actions(self) -> Word:
        """The legal actions of the seat to act, sorted; empty at CHANCE and OVER."""
        return ()

    def outcomes(self) -> tuple[tuple[int, Fraction], ...]:
        """The outcomes of chance with their probabilities; empty elsewhere."""
        return ()

    def step(self, action: int) -> Position:
        """The position after an action or an outcome; raises :class:`IllegalMove`, and BadOption for no whole number."""
        raise IllegalMove(f"action {whole(action, 'action')} is not possible: the game is over")

    @property
    def word(self) -> Word:
        """What the seat to act has spelled of his move."""
        return ()

    def spell(self, move: Any) -> Word:
        """The actions that spell a legal move from here on, one after the other; raises :class:`IllegalMove`."""
        raise IllegalMove(f"{move} is not possible: nobody is to move")

    def label(self, action: int) -> str:
        """What an action or outcome is called; unique among those of a position. Raises :class:`BadOption`."""
        return self.table.actions[whole(action, "action", 0, len(self.table.actions) - 1)]

    def seen_by(self, action: int) -> int | None:
        """The only seat that sees which step is taken; None: all do."""
        return None


@dataclasses.dataclass(frozen=True)
class Over(Position):
    """The game is over."""


@dataclasses.dataclass(frozen=True)
class Deciding(Position):
    """A player spells his move."""

    word: Word = ()  # a field here, empty at other positions

    @property
    def to_act(self) -> int:
        return self.table.seat(self.state)

    @functools.cached_property
    def menu(self) -> Menu:
        """What may come next."""
        menu = self.table.menu(self.state)
        for action in self.word:
            following = menu.pick(action)
            assert not isinstance(following, Spelled)
            menu = following
        return menu

    @property
    def actions(self) -> Word:
        return self.menu.actions

    def step(self, action: int) -> Position:
        action = whole(action, "action")
        if action not in self.actions:
            raise IllegalMove(f"action {action} is not legal here; legal are {_listed(self.actions)}")
        following = self.menu.pick(action)
        if isinstance(following, Spelled):
            return self.table.play(self.state, following.move)
        return deciding(self.table, self.state, following, (*self.word, action))

    def spell(self, move: Any) -> Word:
        menu, spelled = self.menu, []
        for action in menu.spelling(move):
            if action not in menu.actions:
                break
            spelled.append(action)
            following = menu.pick(action)
            if isinstance(following, Spelled):
                if following.move == move:
                    return tuple(spelled)
                break
            menu = following
        raise IllegalMove(f"{move} is not legal here")


def deciding(table: Table, state: Any, menu: Menu, word: Word = ()) -> Deciding:
    """A decision whose menu is known already."""
    position = Deciding(table, state, word)
    position.__dict__["menu"] = menu
    return position


@dataclasses.dataclass(frozen=True)
class Chance(Position):
    """Things turn up one by one: cards of a pack, faces of dice.

    ``counts`` says how many there are of each outcome; what turns up is gone unless ``put_back``. When ``wanted`` of them
    are ``drawn``, the table goes on; ``pending`` is a move that waits for them.
    """

    purpose: str
    counts: Word
    wanted: int
    drawn: Word = ()
    put_back: bool = False
    pending: Any = None

    @property
    def to_act(self) -> int:
        return CHANCE

    def outcomes(self) -> tuple[tuple[int, Fraction], ...]:
        total = sum(self.counts)
        return tuple((outcome, Fraction(count, total)) for outcome, count in enumerate(self.counts) if count)

    def step(self, action: int) -> Position:
        action = whole(action, "outcome")
        if not 0 <= action < len(self.counts) or not self.counts[action]:
            raise IllegalMove(f"outcome {action} is not possible here")
        counts = list(self.counts)
        if not self.put_back:
            counts[action] -= 1
        after = dataclasses.replace(self, counts=tuple(counts), drawn=(*self.drawn, action))
        return self.table.resume(after) if len(after.drawn) == self.wanted else after

    def label(self, action: int) -> str:
        return self.table.outcome_label(self, whole(action, "outcome", 0, len(self.counts) - 1))

    def seen_by(self, action: int) -> int | None:
        return self.table.outcome_seen_by(self, action)


class Table(ABC):
    """One game with its options, ready to be played in small steps.

    A subclass is a frozen dataclass: ``rules`` and the settings beside them, each with its default. Arrays of
    :meth:`features` hold numbers from 0 to 1. Seats in them count from the observer on: first himself, then clockwise.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    game: ClassVar[str]
    title: ClassVar[str]
    rules_class: ClassVar[type[RulesBase]]
    most_seats: ClassVar[int] = 4
    #: the features that only their owner sees
    private: ClassVar[tuple[str, ...]] = ("hand",)

    @classmethod
    def settings(cls) -> dict[str, Any]:
        """The settings and their defaults, without the rule options."""
        return {field.name: field.default for field in dataclasses.fields(cls) if field.name != "rules"}

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Build from settings and rule options in one mapping; raises BadOption, BadText or IllegalPosition."""
        settings, known = cls.settings(), cls.rules_class.options()
        for name in options:
            if name not in settings and name not in known:
                raise BadOption(f"option {quoted(name)} is unknown; {cls.game} has {', '.join([*settings, *known])}")
        rules = cls.rules_class.from_mapping({name: value for name, value in options.items() if name in known})
        given = {name: _like(settings[name], value, name) for name, value in options.items() if name in settings}
        return cls(rules=rules, **given)  # type: ignore[call-arg]  # every subclass has the field

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    # What kind of game it is

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many players there are."""

    @property
    @abstractmethod
    def actions(self) -> Sequence[str]:
        """The names of the actions; an action is an index into them."""

    @property
    @abstractmethod
    def outcomes(self) -> int:
        """The most outcomes that a step of chance has; 0 where there is no chance."""

    @property
    def hidden(self) -> bool:
        """Whether players hold something that others do not see."""
        return False

    @property
    @abstractmethod
    def total(self) -> float | None:
        """What the returns of all seats add up to; None: to nothing in particular."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """No return is below or above."""

    @property
    @abstractmethod
    def longest(self) -> int:
        """The most decisions that a game takes; a longer one, where rules allow it, is cut off there."""

    @property
    @abstractmethod
    def most_outcomes(self) -> int:
        """The most steps of chance in a game."""

    # The course of a game

    @abstractmethod
    def begin(self) -> Position:
        """The first position."""

    @abstractmethod
    def spelling(self, state: Any, move: Any) -> Word:
        """The actions of a legal move, with ``done`` behind what may go on."""

    @property
    def done(self) -> int:
        """The action that ends a spelling; -1 where none is needed."""
        return -1

    def menu(self, state: Any) -> Menu:
        """The spellings of the legal moves."""
        return self.words(state, state.legal_moves())

    def words(self, state: Any, moves: Iterable[Any]) -> Words:
        """The menu of moves."""
        return Words([(self.spelling(state, move), move) for move in moves], self.done)

    def at(self, state: Any) -> Position:
        """The position at which a state begins."""
        return Over(self, state) if self.seat(state) == OVER else Deciding(self, state)

    def play(self, state: Any, move: Any) -> Position:
        """The position after a whole move."""
        return self.at(state.play(move))

    def seat(self, state: Any) -> int:
        """Whose decision is due."""
        return int(state.to_move)

    def resume(self, chance: Chance) -> Position:
        """The position after the last step of chance in a row."""
        raise NotImplementedError

    def outcome_label(self, chance: Chance, outcome: int) -> str:
        """What an outcome is called."""
        raise NotImplementedError

    def outcome_seen_by(self, chance: Chance, outcome: int) -> int | None:
        """The only seat that sees an outcome; None: all do."""
        return None

    @abstractmethod
    def returns(self, state: Any) -> tuple[float, ...]:
        """What the end is worth to each seat; before the end, what it would be worth as things stand."""

    # What is seen

    @abstractmethod
    def public(self, position: Position) -> str:
        """What everybody sees of a position, as one line."""

    def held(self, position: Position, seat: int) -> str:
        """What only a seat sees; empty where nothing is hidden."""
        return ""

    @property
    @abstractmethod
    def layout(self) -> dict[str, tuple[int, ...]]:
        """The shapes of :meth:`features`, in order."""

    @abstractmethod
    def describe(self, position: Position, seat: int, into: Features) -> None:
        """Write what a seat sees into zeroed arrays of the :attr:`layout`."""

    def features(self, position: Position, seat: int) -> Features:
        """What a seat sees as arrays of numbers from 0 to 1."""
        arrays = {name: np.zeros(shape, np.float32) for name, shape in self.layout.items()}
        if position.state is not None:
            self.describe(position, seat, arrays)
        return arrays

    @property
    def width(self) -> int:
        """The length of :meth:`vector`."""
        return sum(int(np.prod(shape)) for shape in self.layout.values())

    def vector(self, position: Position, seat: int) -> NDArray[np.float32]:
        """The features one behind the other."""
        return np.concatenate([array.ravel() for array in self.features(position, seat).values()])

    def mask(self, position: Position, seat: int) -> NDArray[np.int8]:
        """1 for each action that is legal for a seat now, 0 for the others."""
        mask = np.zeros(len(self.actions), np.int8)
        if position.to_act == seat:
            mask[list(position.actions)] = 1
        return mask


def settled(position: Position, rng: np.random.Generator) -> Position:
    """The position once chance has taken all the steps that are due."""
    while isinstance(position, Chance):
        counts = np.array(position.counts)
        position = position.step(int(rng.choice(len(counts), p=counts / counts.sum())))
    return position


def rotated(values: Sequence[Any], seat: int) -> list[Any]:
    """Values by seat, from a seat on clockwise."""
    return [*values[seat:], *values[:seat]]


def margins(scores: Iterable[int]) -> tuple[float, ...]:
    """Of two players each one's score less the other's; of more, the scores themselves."""
    own = tuple(map(float, scores))
    return (own[0] - own[1], own[1] - own[0]) if len(own) == 2 else own


def count(into: NDArray[np.float32], places: Iterable[int], each: float) -> None:
    """Add ``each`` at every one of the places."""
    for place in places:
        into[place] += each


def content_of(file: str, shipped: str = "") -> str:
    """The text of a file that a setting names, or the setting itself where it is the text, or what is ``shipped``.

    A table holds texts, not paths: so it is the same table in another folder, and after the file has changed.
    """
    return file if file == shipped or "=" in file or "\n" in file else read_text(file)


@dataclasses.dataclass(frozen=True)
class CardTable(Table):
    """A game whose hands are ``hidden``, or ``open`` to all, and which is dealt unless a ``start`` is given."""

    state_class: ClassVar[type[Any]]
    fewest_seats: ClassVar[int] = 2

    rules: Any
    players: int = 2
    hands: str = "hidden"
    start: str = ""

    def __post_init__(self) -> None:
        one_of(self.hands, ("hidden", "open"), "hands")
        if not self.start and not self.fewest_seats <= self.players <= self.most_seats:
            raise IllegalPosition(f"{self.players} players; the game is for {self.fewest_seats} to {self.most_seats}")
        self.first  # noqa: B018  # raises for what cannot be played

    @functools.cached_property
    def first(self) -> Any:
        """The position to start from, or None where the game is to be dealt."""
        return self.state_class.parse(self.start, self.rules.changed()) if self.start else None

    @property
    def seats(self) -> int:
        return int(self.first.players) if self.first else self.players

    @property
    def hidden(self) -> bool:
        return self.hands == "hidden"

    def held(self, position: Position, seat: int) -> str:
        return self.hand(position.state, seat) if self.hidden and position.state is not None else ""

    @abstractmethod
    def hand(self, state: Any, seat: int) -> str:
        """The cards in a seat's hand as text."""


def _like(usual: Any, value: Any, name: str) -> Any:
    """A setting of the kind that its default has."""
    if isinstance(usual, bool):
        return one_of(value, (False, True), f"option {name}")
    if isinstance(usual, int):
        return whole(value, f"option {name}")
    if not isinstance(value, str):
        raise BadOption(f"option {name} is {quoted(value)}; it must be text")
    return value


def _listed(actions: Word) -> str:
    shown = ", ".join(map(str, actions[:8]))
    return f"{shown} and {len(actions) - 8} more" if len(actions) > 8 else shown
