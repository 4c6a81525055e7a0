"""What every game of the house offers: the shape of its State, Move, Rules and View.

A State is a frozen value. Whoever is to act is ``to_move``: a player (0, 1, ...), :data:`CHANCE` or :data:`OVER`.
Everything that depends on a rule option asks the state's ``rules``. A text or a JSON form says everything: rules that
differ from the default, numbers of an own board, earlier positions that matter. What the asker says beside a position
(``options``) overrides what the position says.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final, Literal, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints

from exactplay.common.errors import BadOption, BadText, IllegalMove, IllegalPosition, quoted
from exactplay.common.words import one_of, spelled

__all__ = [
    "CHANCE", "OVER", "BadOption", "BadText", "Form", "IllegalMove", "IllegalPosition", "Move", "RulesBase", "Shown",
    "State", "View", "quoted", "show_with",
]

Form = Literal["svg", "html"]

CHANCE: Final = -1
OVER: Final = -2


class Shown:
    """A value that a notebook shows as more than text, once a face has said how (:func:`show_with`)."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _show(self, "svg")

    def _repr_html_(self) -> str | None:
        return _show(self, "html")


def show_with(show: Callable[[object, Form], str | None]) -> None:
    """Let notebooks show every :class:`Shown` as what ``show(value, form)`` makes of it; None: not in that form.

    Drawings belong to a face, which may import the rules, while the rules may not import a face.
    """
    global _show
    _show = show


_show: Callable[[object, Form], str | None] = lambda value, form: None  # noqa: E731


class Move(Protocol):
    """A decision of a player, or an outcome of chance. A frozen value with a text form of its own."""

    def __str__(self) -> str: ...

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Read the text form; raises :class:`BadText`."""


M = TypeVar("M", bound=Move)


class State(Protocol[M]):
    """A position of a game with every card known; frozen, hashable, picklable, equal when every field is equal."""

    @property
    def rules(self) -> Any:
        """The game's rule options."""

    @property
    def players(self) -> int:
        """How many seats there are."""

    @property
    def to_move(self) -> int:
        """The player to act, :data:`CHANCE` or :data:`OVER`."""

    def legal_moves(self) -> tuple[M, ...]:
        """The decisions of the player to move: sorted, no duplicates; empty at CHANCE and OVER."""

    def iter_legal_moves(self) -> Iterator[M]:
        """The same moves one by one, in any order, for positions that have millions."""

    def chance_outcomes(self) -> tuple[tuple[M, Fraction], ...]:
        """The outcomes of a chance node with their exact probabilities, which sum to 1; empty elsewhere."""

    def play(self, move: M) -> Self:
        """The state after a decision or a chance outcome; raises :class:`IllegalMove`."""

    def scores(self) -> tuple[int, ...]:
        """The score of each player; only when the game is OVER."""

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the text form, under rule ``options`` that override its own; raises BadText, BadOption, IllegalPosition."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read the JSON form, likewise."""

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads back, every field included."""

    def __str__(self) -> str:
        """One line of text that :meth:`parse` reads back, every field included."""

    def __hash__(self) -> int: ...


S = TypeVar("S", covariant=True)


class View(Protocol[S]):
    """What one player sees of a State: a frozen value with the same text and JSON forms, hidden cards as such."""

    @property
    def seat(self) -> int:
        """Who sees it."""

    @property
    def rules(self) -> Any:
        """The game's rule options."""

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> Self:
        """Read the text form."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Self:
        """Read the JSON form."""

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads back."""

    def __str__(self) -> str:
        """One line of text that :meth:`parse` reads back."""

    def some_world(self) -> S:
        """A State that fits; its legal moves are those of every State that fits."""


@dataclasses.dataclass(frozen=True, slots=True)
class RulesBase:
    """The options of one game as typed fields (``bool``, ``int`` or ``Literal``), with the defaults of its rules page.

    A game derives a frozen dataclass from it; one that forbids combinations overrides ``__post_init__`` and calls
    ``RulesBase.__post_init__(self)`` first.
    """

    game: ClassVar[str]
    #: option name -> one sentence: what its values mean
    explained: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def options(cls) -> dict[str, tuple[Any, ...]]:
        """The values that each option may have, the default first. ``int`` options list their allowed values."""
        return dict(_options_of(cls))  # type: ignore[arg-type]  # mypy takes a class for unhashable

    @classmethod
    def from_mapping(cls, options: Mapping[str, Any]) -> Self:
        """Build from ``{"name": value}``; raises :class:`BadOption` for a name or value that the game does not have."""
        return cls(**cls.checked(options))

    @classmethod
    def checked(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options, each with a name and a value that the game has; raises :class:`BadOption`."""
        known = cls.options()
        for name in options:
            if name not in known:
                raise BadOption(f"rule option {quoted(name)} is unknown; {cls.game} has {', '.join(known) or 'none'}")
        return {name: one_of(value, known[name], f"rule option {name}") for name, value in options.items()}

    def __post_init__(self) -> None:
        # The constructor is a public way in as well.
        self.checked({field.name: getattr(self, field.name) for field in dataclasses.fields(self)})

    def with_options(self, options: Mapping[str, Any] | None) -> Self:
        """These rules with some options changed; raises :class:`BadOption`."""
        return self if not options else type(self).from_mapping({**self.changed(), **options})

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """Build from texts such as ``"room101_is_placed=true"``; raises :class:`BadOption`."""
        return cls.from_mapping(cls.chosen(texts))

    @classmethod
    def chosen(cls, texts: Iterable[str]) -> dict[str, Any]:
        """The options that such texts name, defaults among them; raises :class:`BadOption`."""
        chosen: dict[str, Any] = {}
        known = cls.options()
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                raise BadOption(f"rule option {quoted(text)} has no '='; write NAME=VALUE")
            if name.strip() in chosen:
                raise BadOption(f"rule option {quoted(name.strip())} is given twice; give it once")
            by_spelling = {spelled(allowed): allowed for allowed in known.get(name.strip(), ())}
            chosen[name.strip()] = by_spelling.get(value.strip().lower(), value.strip())
        return cls.checked(chosen)

    def changed(self) -> dict[str, Any]:
        """The options that differ from the default."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    def describe(self) -> str:
        """One line: what differs from the default."""
        return ", ".join(f"{name}={spelled(value)}" for name, value in self.changed().items()) or "default rules"


@functools.cache
def _options_of(rules: type[RulesBase]) -> dict[str, tuple[Any, ...]]:
    hints = get_type_hints(rules)
    listed: dict[str, tuple[Any, ...]] = {}
    for field in dataclasses.fields(rules):
        hint = hints[field.name]
        allowed = get_args(hint) if get_origin(hint) is Literal else (False, True)
        listed[field.name] = (field.default, *(value for value in allowed if value != field.default))
    return listed
