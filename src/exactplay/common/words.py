"""Closed sets of names, and numbers: checked once, where they come in. Every function raises :class:`BadOption`."""
from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any, TypeVar, get_args

from exactplay.common.errors import BadOption, quoted

T = TypeVar("T")

#: the largest whole number that any option may be; it fits the core's 64-bit counters
LARGEST = 2**62


def spelled(value: object) -> str:
    """A value as texts and messages write it: ``true``, ``2``, ``own``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def one_of(value: object, choices: Iterable[T], what: str) -> T:
    """``value`` if it is one of ``choices``, compared by type as well, as ``True == 1`` in Python."""
    listed = tuple(choices)
    for choice in listed:
        if type(value) is type(choice) and value == choice:
            return choice
    names = ", ".join(map(spelled, listed))
    given = spelled(value) if isinstance(value, bool) else quoted(value)
    raise BadOption(f"{what} is {given}; it must be {'one of ' if len(listed) > 1 else ''}{names}")


def named(value: object, literal: Any, what: str) -> Any:
    """``value`` if it is one of the names of a ``Literal`` type."""
    return one_of(value, get_args(literal), what)


def whole(value: object, what: str, low: int | None = None, high: int = LARGEST) -> int:
    """A whole number from ``low`` to ``high``, of any integer type; no bool and no text."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise BadOption(f"{what} is {quoted(value)}; it must be a whole number") from None
    return int(_within(number, what, low, high))


def real(value: object, what: str, low: float | None = None, high: float = math.inf) -> float:
    """A finite number from ``low`` to ``high``; no bool and no text."""
    try:
        if isinstance(value, bool | str):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise BadOption(f"{what} is {quoted(value)}; it must be a number") from None
    if not math.isfinite(number):
        raise BadOption(f"{what} is {quoted(value)}; it must be a finite number")
    return float(_within(number, what, low, high))


def _within(number: float, what: str, low: float | None, high: float) -> float:
    if low is not None and number < low:
        raise BadOption(f"{what} is {quoted(number)}; it must be {low} or more")
    if number > high:
        raise BadOption(f"{what} is {quoted(number)}; it must be {high} or less")
    return number
