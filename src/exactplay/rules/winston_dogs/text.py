"""The text and JSON forms of a position: one line to a mapping, a mapping to the fields of a State, and back.

The mapping holds plain data or texts, so that one reader serves both forms.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from exactplay.common.words import whole
from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winston_dogs.options import Rules
from exactplay.rules.winston_dogs.pieces import COLOURS, Card, Dog, Hands, parse_cards, show_cards

if TYPE_CHECKING:
    from exactplay.rules.winston_dogs.state import State


def data_of(state: State) -> dict[str, Any]:
    """The plain data that :func:`read_fields` reads."""
    data: dict[str, Any] = {
        "hands": [show_cards(hand) for hand in state.hands],
        "table": {
            colour: [int(dog.head), dog.bodies] for colour, dog in zip(COLOURS, state.table, strict=True) if dog
        },
        "pile": show_cards(state.pile),
        "turn": state.turn, "longest": state.longest, "shortest": state.shortest, "bone": state.bone, "poo": state.poo,
        "points": list(state.points), "skips": state.skips,
    }
    if state.stuck:
        # Bh>Ob Kh>Sb: Bh went under the pile and Ob was drawn, then Kh and Sb.
        data["stuck"] = " ".join(f"{under}>{drawn}" for under, drawn in state.stuck)
    return data


def text_of(data: Mapping[str, Any]) -> str:
    """Plain data as the line that :func:`read_text` reads."""
    dogs = " ".join(Dog(bool(head), bodies).show(colour) for colour, (head, bodies) in data["table"].items())
    texts = {
        **data,
        "hands": " | ".join(hand or "-" for hand in data["hands"]),
        "table": dogs,
        "points": " ".join(map(str, data["points"])),
    }
    return "; ".join(f"{name} {'-' if value in (None, '') else value}" for name, value in texts.items())


def read_text(text: str) -> dict[str, str]:
    """``"hands Bh | Kb; turn 1"`` as a mapping; raises :class:`BadText`."""
    fields: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if not name:
            raise BadText("an empty field; write NAME VALUE with ';' between, such as 'hands Bb Bh | Kh; turn 0'")
        if name in fields:
            raise BadText(f"field {quoted(name)} stands twice")
        fields[name] = value.strip()
    return fields


def read_fields(
    data: Mapping[str, Any], options: Mapping[str, Any] | None = None, known: Sequence[str] = ()
) -> dict[str, Any]:
    """The arguments of :class:`State` from texts or plain data; ``known`` are names that someone else reads.

    Raises :class:`BadText` and :class:`BadOption`.
    """
    Rules.from_mapping(options or {})
    readers: dict[str, Callable[[Any], Any]] = {
        "hands": _read_hands, "table": _read_table, "pile": _read_pile,
        "bone": partial(_read_holder, "bone"), "poo": partial(_read_holder, "poo"),
        "points": _read_points, "stuck": _read_stuck,
        **{name: partial(read_number, name) for name in ("turn", "longest", "shortest", "skips")},
    }
    for name in data:
        if name not in readers and name not in known:
            raise BadText(f"field {quoted(name)} is unknown; a position has {', '.join(readers)}")
    if "hands" not in data:
        raise BadText("field 'hands' is missing; it lists the cards of every seat, such as 'Bb Bh | Kh'")
    return {name: readers[name](value) for name, value in data.items() if name in readers}


def read_number(name: str, value: Any) -> int:
    """A whole number from 0 up, as number or text; raises :class:`BadText` or :class:`BadOption`."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}", value):
        return int(value)
    return whole(value, name, 0, 10**6 - 1)


def read_hands(value: Any) -> list[str]:
    """The text of each hand; raises :class:`BadText`."""
    hands = value.split("|") if isinstance(value, str) else value
    if not isinstance(hands, list):
        raise BadText(f"hands is {quoted(value)}; it must be a list with one text of cards a seat")
    return [read_cards("a hand", hand) for hand in hands]


def read_cards(name: str, value: Any) -> str:
    """A text of cards, not yet looked into; raises :class:`BadText`."""
    if not isinstance(value, str):
        raise BadText(f"{name} is {quoted(value)}; it must be text such as 'Bh Kb'")
    return value


def _read_hands(value: Any) -> Hands:
    return tuple(tuple(sorted(parse_cards(hand))) for hand in read_hands(value))


def _read_pile(value: Any) -> tuple[Card, ...]:
    return parse_cards(read_cards("pile", value))


def _read_table(value: Any) -> tuple[Dog, ...]:
    dogs: dict[str, Dog] = {}
    if isinstance(value, str):
        pairs = [Dog.parse(word) for word in value.split() if word != "-"]
    elif isinstance(value, Mapping):
        pairs = [_read_dog(colour, pair) for colour, pair in value.items()]
    else:
        raise BadText(f"table is {quoted(value)}; it must be an object such as {{'B': [1, 0]}}, colour to [heads, bodies]")
    for colour, dog in pairs:
        if colour in dogs:
            raise BadText(f"table has two dogs of colour {colour}; there is at most one")
        dogs[colour] = dog
    return tuple(dogs.get(colour, Dog()) for colour in COLOURS)


def _read_dog(colour: Any, pair: Any) -> tuple[str, Dog]:
    if str(colour).upper() not in tuple(COLOURS):
        raise BadText(f"table has a dog of colour {quoted(colour)}; the colours are {' '.join(COLOURS)}")
    if not isinstance(pair, list) or len(pair) != 2 or (heads := read_number(f"table {colour}", pair[0])) > 1:
        raise BadText(f"table {colour} is {quoted(pair)}; it must be [heads, bodies] with 0 or 1 head, such as [1, 0]")
    return str(colour).upper(), Dog(heads == 1, read_number(f"table {colour}", pair[1]))


def _read_holder(name: str, value: Any) -> int | None:
    return None if value in (None, "-") else read_number(name, value)


def _read_points(value: Any) -> tuple[int, ...]:
    numbers = value.split() if isinstance(value, str) else value
    if not isinstance(numbers, list):
        raise BadText(f"points is {quoted(value)}; it must be a list with one number a seat")
    return tuple(read_number("points", number) for number in numbers)


def _read_stuck(value: Any) -> tuple[tuple[Card, Card], ...]:
    pairs = []
    for word in read_cards("stuck", value).split():
        under, arrow, drawn = word.partition(">")
        if not arrow:
            raise BadText(f"stuck {quoted(word)}: write the card put under the pile > the card drawn, such as Bh>Ob")
        pairs.append((Card.parse(under), Card.parse(drawn)))
    return tuple(pairs)
