"""Reading and writing positions: one line of words ``name=value``, and the same fields as JSON."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, get_args

from exactplay.common.words import spelled, whole
from exactplay.rules.contract import BadOption, BadText, quoted
from exactplay.rules.walk_the_dogs import pieces
from exactplay.rules.walk_the_dogs.options import Rules

Phase = Literal["draw", "catch", "play"]
EXAMPLE: Final = "middle=SPO lines=SS/- hands=g1,g2/r3 deck=bo,le turn=0"
#: the fields of a position with open or hidden hands, in the order of its text; ``options`` are the rules'
FIELDS: Final = ("middle", "lines", "hands", "deck", "turn", "phase", "bones", "discards", "passes", "shuffled", "options")


def written(data: Mapping[str, Any]) -> str:
    """The one-line form of a position's plain data."""
    words = []
    for name in FIELDS[:-2]:
        if name not in data:
            continue
        value = data[name]
        match name:
            case "lines":
                value = "/".join(line or "-" for line in value)
            case "hands":
                value = "/".join(f"#{hand}" if isinstance(hand, int) else _commas(hand) for hand in value)
            case "deck":
                value = "?" * data.get("shuffled", False) + _commas(value)
            case "discards":
                value = _commas(value)
            case "bones":
                value = "/".join(map(str, value))
            case "phase":
                value = value.replace(" ", "")
            case "middle":
                value = value or "-"
        words.append(f"{name}={value}")
    words += [f"{name}={spelled(value)}" for name, value in data.get("options", {}).items()]
    return " ".join(words)


def _commas(cards: str) -> str:
    return ",".join(cards.split()) or "-"


def read_words(text: str) -> dict[str, Any]:
    """The words of a one-line form as the fields of the JSON form; raises :class:`BadText`."""
    data: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in data or name in options:
            wrong = f"{quoted(name)} stands there twice" if equals else f"{quoted(word)} has no '='"
            raise BadText(f"{wrong}; a position is written like {EXAMPLE}")
        if name in Rules.options():
            options |= Rules.chosen([word])
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


def read_fields(
    data: Mapping[str, Any], options: Mapping[str, Any] | None, known: Iterable[str] = FIELDS
) -> dict[str, Any]:
    """The fields of a position's JSON form as the arguments of ``State.at``, hands as they stand there.

    Raises :class:`BadText` and :class:`BadOption`.
    """
    for name in ("middle", "lines", "hands"):
        if name not in data:
            raise BadText(f"the position has no {quoted(name)}; a position is written like {EXAMPLE}")
    for name in data:
        if name not in known:
            raise BadText(f"field {quoted(name)} is unknown; a position has {', '.join(sorted(known))}")
    rules = data.get("options", {})
    if not isinstance(rules, Mapping):
        raise _misshapen("options", rules)
    phase, chooser = read_phase(data.get("phase"))
    return {
        "middle": pieces.read_dogs(_text(data, "middle"), "middle"),
        "lines": [pieces.read_dogs(line, "line") for line in _texts(data, "lines")],
        "hands": list(_list(data, "hands")),
        "turn": _number(data.get("turn", 0), "turn"),
        "bones": [_number(own, "bones") for own in _list(data, "bones")] if "bones" in data else None,
        "discards": read_hand(data.get("discards", ""), "discards"),
        "phase": phase,
        "chooser": chooser,
        "passes": _number(data.get("passes", 0), "passes"),
        "rules": Rules.from_mapping(rules).with_options(options),
    }


def read_hand(value: object, what: str) -> tuple[str, ...]:
    """Cards in a text; raises :class:`BadText`."""
    if not isinstance(value, str):
        raise BadText(f"{what} is {quoted(value)}; it must be cards in a text such as 'g1 le'")
    return pieces.read_cards("" if value == "-" else value)


def read_phase(text: object) -> tuple[Phase | None, int]:
    """``"draw"``, ``"play"`` or ``"catch 1"`` (player 1 chooses); raises :class:`BadText`."""
    if text is None:
        return None, -1
    if isinstance(text, str):
        name, _, player = text.partition(" ")
        for phase in get_args(Phase):
            if name == phase and (bool(player) == (phase == "catch")):
                return phase, read_number(player, "the player of phase catch") if player else -1
    raise BadText(f"phase is {quoted(text)}; it must be draw, play or catch and a player")


def _number(value: object, name: str) -> int:
    try:
        return whole(value, name)
    except BadOption as error:
        raise BadText(str(error)) from None


def _text(data: Mapping[str, Any], name: str) -> str:
    if not isinstance(data[name], str):
        raise _misshapen(name, data[name])
    return str(data[name])


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    if not isinstance(data[name], list | tuple):
        raise _misshapen(name, data[name])
    return list(data[name])


def _texts(data: Mapping[str, Any], name: str) -> list[str]:
    listed = _list(data, name)
    if not all(isinstance(entry, str) for entry in listed):
        raise _misshapen(name, listed)
    return listed


def _misshapen(name: str, value: object) -> BadText:
    return BadText(f"field {quoted(name)} is {quoted(value)}, which is not of its form; see docs/walk_the_dogs.md")
