"""The text and JSON forms of a position: one line to plain data, plain data to the fields of a State, and back."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from exactplay.common.words import whole
from exactplay.rules.contract import BadOption, BadText, IllegalPosition, quoted
from exactplay.rules.winner.combinations import Combination, classify
from exactplay.rules.winner.moves import Exchange
from exactplay.rules.winner.options import Rules
from exactplay.rules.winner.pieces import parse_cards, show_cards

if TYPE_CHECKING:
    from exactplay.rules.winner.state import State

_FIELDS: Final = (
    "hands", "turn", "leader", "current", "stack", "owner", "played_any", "out", "reversed", "exchange", "options",
)
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


def read_fields(
    data: Mapping[str, Any], options: Mapping[str, Any] | None = None, hidden: Sequence[int] = ()
) -> dict[str, Any]:
    """The fields of a State from its plain data; raises :class:`BadText`, :class:`BadOption` or :class:`IllegalPosition`.

    ``hands`` (texts of cards) and ``turn`` are needed. ``current`` with ``owner``, or ``stack`` (bottom first), is what
    lies on the table; with two players the owner may be left out. ``played_any`` is true for all seats when left out;
    ``out`` the seats without cards in seat order. Rule ``options`` override those that the data names. ``hidden`` are the
    cards that a seat holds beside its hand.
    """
    unknown = sorted(data.keys() - set(_FIELDS))
    if unknown:
        raise BadText(f"{quoted(unknown[0])} is no field of a position; it may have {', '.join(_FIELDS)}")
    hands = [parse_cards(hand) for hand in read_texts(data.get("hands"), "hands")]
    players = len(hands)
    if not 2 <= players <= 4:
        raise IllegalPosition(f"{players} hands; Winner has 2 to 4 players")
    own = data.get("options") or {}
    if not isinstance(own, Mapping):
        raise BadText("options must be an object of NAME: value")
    stack = _read_stack(data)
    turn = _read_turn(data, players)
    owner = data.get("owner")
    if owner is None and stack and players == 2:
        owner = 1 - turn
    flags = data.get("played_any")
    if flags is None:
        flags = [True] * players
    if not (isinstance(flags, list) and len(flags) == players and all(isinstance(flag, bool) for flag in flags)):
        raise BadText(f"played_any must be a list of {players} times true or false")
    counts = [len(hand) + more for hand, more in zip(hands, hidden or (0,) * players, strict=True)]
    out = data.get("out") or [seat for seat, number in enumerate(counts) if not number]
    if not isinstance(out, list):
        raise BadText("out must be a list of seats")
    reversed_order = data.get("reversed", False)
    if not isinstance(reversed_order, bool):
        raise BadText("reversed must be true or false")
    return {
        "rules": Rules.from_mapping({**own, **(options or {})}),
        "hands": tuple(hands),
        "turn": turn,
        "stack": stack,
        "owner": None if owner is None else read_seat(owner, players),
        "played": tuple(flags),
        "out": tuple(read_seat(seat, players) for seat in out),
        "reversed_order": reversed_order,
        "exchange": _read_exchange(data.get("exchange"), players),
    }


def _read_stack(data: Mapping[str, Any]) -> tuple[Combination, ...]:
    texts = read_texts(data.get("stack") or [], "stack")
    current = data.get("current")
    if current is not None and not isinstance(current, str):
        raise BadText("current must be a text of cards or null")
    if current and not texts:
        texts = [current]
    if current and parse_cards(current) != parse_cards(texts[-1]):
        raise BadText(f"current is {quoted(current)}, but the last in stack is {quoted(texts[-1])}; give one of them")
    stack = []
    for text in texts:
        combination = classify(parse_cards(text))
        if combination is None:
            raise IllegalPosition(f"{quoted(text.strip())} on the table is no combination")
        stack.append(combination)
    return tuple(stack)


def _read_turn(data: Mapping[str, Any], players: int) -> int:
    named = [data[name] for name in ("turn", "leader") if data.get(name) is not None]
    if not named:
        raise BadText("turn, the seat to act, is missing")
    if named[0] != named[-1]:
        raise BadText(f"turn is {quoted(named[0])}, but leader is {quoted(named[-1])}; give one of them")
    return read_seat(named[0], players)


def _read_exchange(value: object, players: int) -> Exchange | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not {"winner", "loser"} <= value.keys() <= {"winner", "loser", "offer"}:
        raise BadText("exchange must be an object with winner and loser, and offer once it is made")
    offer = value.get("offer", "")
    if not isinstance(offer, str):
        raise BadText("offer must be a text of two cards")
    return Exchange(read_seat(value["winner"], players), read_seat(value["loser"], players), parse_cards(offer))


def read_seat(value: object, players: int) -> int:
    """A seat number, given as a whole number or as its digits; raises :class:`BadText`."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}", value.strip()):
        value = int(value)
    try:
        return whole(value, "seat", 0, players - 1)
    except BadOption:
        raise BadText(f"{quoted(value)} is no seat; seats are 0 to {players - 1}") from None


def read_texts(value: object, name: str) -> list[str]:
    """A list of texts; raises :class:`BadText` with the field's name."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadText(f"{name} must be a list of texts of cards, such as [\"3D 4D\", \"5S\"]")
    return value


def text_of(state: State) -> str:
    """The line that :func:`read_text` reads."""
    parts = [" | ".join(show_cards(hand) or "-" for hand in state.hands), f"turn {state.turn}"]
    if state.stack:
        parts.append(f"on {' > '.join(map(str, state.stack))} by {state.owner}")
    idle = [str(seat) for seat, played in enumerate(state.played) if not played]
    if idle:
        parts.append("idle " + " ".join(idle))
    if state.out:
        parts.append("out " + " ".join(map(str, state.out)))
    if state.reversed_order:
        parts.append("reversed")
    if state.exchange is not None:
        offer = f" offer {show_cards(state.exchange.offered)}" if state.exchange.offered else ""
        parts.append(f"exchange {state.exchange.winner} {state.exchange.loser}{offer}")
    if state.rules.changed():
        parts.append("rules " + state.rules.describe().replace(",", ""))
    return "; ".join(parts)


def data_of(state: State) -> dict[str, Any]:
    """The plain data that :func:`read_fields` reads."""
    exchange = state.exchange
    return {
        "hands": [show_cards(hand) for hand in state.hands],
        "turn": state.turn,
        "current": None if state.current is None else str(state.current),
        "stack": [str(combination) for combination in state.stack],
        "owner": state.owner,
        "played_any": list(state.played),
        "out": list(state.out),
        "reversed": state.reversed_order,
        "exchange": None if exchange is None else {
            "winner": exchange.winner, "loser": exchange.loser, "offer": show_cards(exchange.offered),
        },
        "options": state.rules.changed(),
    }
