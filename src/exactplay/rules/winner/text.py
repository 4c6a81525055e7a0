"""The text and JSON forms of a position, from words to plain data."""
from __future__ import annotations

import re
from typing import Any, Final

from exactplay.rules.contract import BadText, quoted
from exactplay.rules.winner.combinations import Rules

_PARTS: Final = ("turn", "on", "idle", "out", "reversed", "exchange", "spent", "rules")


def read_text(text: str) -> dict[str, Any]:
    """The plain data of one line, in the form that ``from_json`` of a position reads; raises :class:`BadText`.

    Parts are divided by ``;``. The first holds the hands, divided by ``|``, ``-`` for an empty one, ``?5`` for five
    hidden cards. Then follow, in any order: ``turn SEAT``; ``on CARDS by SEAT`` (a trick's beaten combinations before it,
    divided by ``>``); ``idle SEATS`` that have played no card; ``out SEATS`` in their order; ``reversed``;
    ``exchange WINNER LOSER`` with ``offer CARDS``; ``spent CARDS`` (beside hidden cards only); ``rules NAME=VALUE ...``.
    """
    first, *others = text.split(";")
    parts: dict[str, list[str]] = {}
    for part in others:
        name, *words = part.split() or [""]
        if name not in _PARTS:
            raise BadText(f"{quoted(name)} is no part of a position; after the hands it may have {', '.join(_PARTS)}")
        if name in parts:
            raise BadText(f"the position says {quoted(name)} twice")
        parts[name] = words
    hands = [hand.replace("-", " ").strip() for hand in first.split("|")]
    players = len(hands)
    if len(parts.get("turn", [])) != 1:
        raise BadText("a position needs 'turn SEAT', such as 'turn 0'")
    if parts.get("reversed"):
        raise BadText("'reversed' stands alone")
    idle = {read_seat(word, players) for word in parts.get("idle", [])}
    data: dict[str, Any] = {
        "hands": hands,
        "turn": read_seat(parts["turn"][0], players),
        "played_any": [seat not in idle for seat in range(players)],
        "out": [read_seat(word, players) for word in parts.get("out", [])],
        "reversed": "reversed" in parts,
        "options": Rules.from_texts(parts.get("rules", [])).changed(),
    }
    if "on" in parts:
        *cards, by, seat = ["", "", *parts["on"]]
        if by != "by":
            raise BadText("'on' needs cards and an owner, such as 'on 3D 3C by 1'")
        data |= {"stack": " ".join(cards).split(">"), "owner": read_seat(seat, players)}
    if "exchange" in parts:
        words = parts["exchange"]
        if len(words) < 2 or words[2:3] not in ([], ["offer"]):
            raise BadText("'exchange' needs the seats of the Winner and the Loser, such as 'exchange 2 0'")
        winner, loser = (read_seat(word, players) for word in words[:2])
        data["exchange"] = {"winner": winner, "loser": loser, "offer": " ".join(words[3:])}
    if "spent" in parts:
        data["spent"] = " ".join(parts["spent"])
    return data


def read_seat(value: object, players: int) -> int:
    """A seat number, given as an int or as its digits; raises :class:`BadText`."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}", value.strip()):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < players:
        raise BadText(f"{quoted(value)} is no seat; seats are 0 to {players - 1}")
    return value


def read_texts(value: object, name: str) -> list[str]:
    """A list of texts; raises :class:`BadText` with the field's name."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadText(f"{name} must be a list of texts of cards, such as [\"3D 4D\", \"5S\"]")
    return value
