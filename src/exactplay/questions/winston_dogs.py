"""Questions about Winston, the dog cards."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactplay.questions.reading import read_object
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winston_dogs import COLOURS, NAMES, Move, State, View, Witness
from exactplay.rules.winston_dogs.position import split_fields
from exactplay.rules.winston_dogs.view import HIDDEN


def read_position(position: str | Mapping[str, Any]) -> State | View:
    """A position in either written form; a :class:`View` where it has hidden cards. Raises :class:`BadText`."""
    if isinstance(position, str):
        text = position.strip()
        if not text:
            raise BadText("there is no position; write one such as 'hands Bb Bh | Kh Kb; table Khb; turn 0'")
        position = read_object(text) if text.startswith("{") else split_fields(text)
    hidden = "unseen" in position or "collected" in position or HIDDEN in f"{position.get('hands')}{position.get('pile')}"
    return View.from_json(position) if hidden else State.from_json(position)


def opened(position: State | View) -> State:
    """A position with every card known; raises :class:`BadText` for any other."""
    if isinstance(position, View):
        raise BadText("this position has hidden cards; to solve it every card must be known (advise weighs hidden ones)")
    return position


def as_view(position: State | View) -> View:
    """What the player on turn sees: of an open position his own hand and the table."""
    return position if isinstance(position, View) else Witness.start(len(position.hands)).view(position)


def some_world(position: State | View) -> State:
    """A state that the position allows; the legal moves are the same in every one."""
    return position.some_world() if isinstance(position, View) else position


def shown(position: State | View) -> dict[str, Any]:
    """A position as plain data, and who is on turn."""
    world = some_world(position)
    over = world.to_move == OVER
    return {**position.to_json(), "to_move": "over" if over else world.to_move, "text": str(position)}


def describe(state: State, move: Move) -> str:
    """What a move does, in a few words."""
    if move.action == "skip":
        return "no card can be played"
    if move.action == "under":
        return "goes under the pile, one card is drawn"
    after = state.play(move)
    gained = after.points[state.turn] - state.points[state.turn]
    if not gained:
        return ""
    taken = [
        colour for colour, before in zip(COLOURS, state.table, strict=True)
        if not after.dog(colour) and (before or any(card.colour == colour for card in move.cards))
    ]
    also = [
        f"the {name}" for name, old, new in (("bone", state.bone, after.bone), ("poo", state.poo, after.poo))
        if new == state.turn != old
    ]
    return ", ".join([f"takes {' and '.join(NAMES[colour] for colour in taken)}", f"{gained:+d}", *also])
