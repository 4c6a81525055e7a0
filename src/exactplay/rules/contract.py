"""What every game of the house offers: the shape of a State, of a Move and of a Rules object.

A State is a frozen value. Whoever is to act is ``to_move``: a player (0, 1, ...), :data:`CHANCE` or :data:`OVER`.
Everything that depends on a rule option asks the state's ``rules``.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final, Literal, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints

Form = Literal["svg", "html"]

CHANCE: Final = -1
OVER: Final = -2


class IllegalPosition(ValueError):
    """A position that the game cannot have; the text says what is wrong and what would be right."""


class IllegalMove(ValueError):
    """A move that the rules do not allow in this position."""


class BadText(ValueError):
    """Text that is not of the form it should have: a move, a position, a card, a sheet, an option."""


def quoted(value: object) -> str:
    """A value as an error message shows it: printable, on one line, and cut off where it is long."""
    text = repr(value[:61] if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:57] + "..."


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
    """A position of a game; frozen, hashable, equal when every field is equal."""

    @property
    def to_move(self) -> int:
        """The player to act, :data:`CHANCE` or :data:`OVER`."""

    def legal_moves(self) -> tuple[M, ...]:
        """The decisions of the player to move: sorted, no duplicates; empty at CHANCE and OVER."""

    def chance_outcomes(self) -> tuple[tuple[M, Fraction], ...]:
        """The outcomes of a chance node with their exact probabilities, which sum to 1; empty elsewhere."""

    def play(self, move: M) -> Self:
        """The state after a decision or a chance outcome; raises :class:`IllegalMove`."""

    def scores(self) -> tuple[int, ...]:
        """The score of each player; only when the game is OVER."""

    def __str__(self) -> str:
        """One line of text that :meth:`parse` reads back, every field included."""

    def __hash__(self) -> int: ...


@dataclasses.dataclass(frozen=True, slots=True)
class RulesBase:
    """The options of one game as typed fields (``bool``, ``int`` or ``Literal``), with the defaults of its rules page.

    A game derives a frozen dataclass from it and checks combinations in ``__post_init__``.
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
        """Build from ``{"name": value}``; raises :class:`BadText` for a name or value that the game does not have."""
        known = cls.options()
        for name, value in options.items():
            if name not in known:
                raise BadText(f"rule option {quoted(name)} is unknown; {cls.game} has {', '.join(known) or 'none'}")
            # `True in (0, 1)` holds in Python, so the type is compared as well.
            if not any(value == allowed and type(value) is type(allowed) for allowed in known[name]):
                choices = ", ".join(_spell(allowed) for allowed in known[name])
                given = _spell(value) if isinstance(value, bool) else quoted(value)
                raise BadText(f"rule option {name} is {given}; it must be one of {choices}")
        return cls(**options)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """Build from texts such as ``"room101_is_placed=true"``; raises :class:`BadText`."""
        return cls.from_mapping(cls.chosen(texts))

    @classmethod
    def chosen(cls, texts: Iterable[str]) -> dict[str, Any]:
        """The options that such texts name, defaults among them; raises :class:`BadText`."""
        chosen: dict[str, Any] = {}
        known = cls.options()
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                raise BadText(f"rule option {quoted(text)} has no '='; write NAME=VALUE")
            if name.strip() in chosen:
                raise BadText(f"rule option {quoted(name.strip())} is given twice; give it once")
            by_spelling = {_spell(allowed): allowed for allowed in known.get(name.strip(), ())}
            chosen[name.strip()] = by_spelling.get(value.strip().lower(), value.strip())
        return chosen

    def changed(self) -> dict[str, Any]:
        """The options that differ from the default."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    def describe(self) -> str:
        """One line: what differs from the default."""
        return ", ".join(f"{name}={_spell(value)}" for name, value in self.changed().items()) or "default rules"


@functools.cache
def _options_of(rules: type[RulesBase]) -> dict[str, tuple[Any, ...]]:
    hints = get_type_hints(rules)
    listed: dict[str, tuple[Any, ...]] = {}
    for field in dataclasses.fields(rules):
        hint = hints[field.name]
        allowed = get_args(hint) if get_origin(hint) is Literal else (False, True)
        listed[field.name] = (field.default, *(value for value in allowed if value != field.default))
    return listed


def _spell(value: object) -> str:
    """An option's value as texts name it."""
    return str(value).lower()
