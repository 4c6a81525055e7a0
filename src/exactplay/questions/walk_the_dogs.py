"""Questions about Walk the Dogs."""
from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal

from exactplay.questions.reading import read_object
from exactplay.rules.contract import CHANCE, OVER, BadText, quoted
from exactplay.rules.walk_the_dogs import Move, Rules, State, View, has_five, points, take
from exactplay.rules.walk_the_dogs.state import read_words


def read_data(text: str) -> dict[str, Any]:
    """The fields of either written form."""
    text = text.strip()
    if not text:
        raise BadText("there is no position")
    return read_object(text) if text.startswith("{") else read_words(text)


def position_of(data: Mapping[str, Any], rules: Rules) -> State | View:
    """A position with open hands, or, where a hand is a number of cards, what one player sees."""
    hands = data.get("hands")
    hidden = isinstance(hands, list) and not all(isinstance(hand, str) for hand in hands)
    return View.from_json(data, rules) if hidden else State.from_json(data, rules)


def read_position(position: str | Mapping[str, Any], rules: Rules) -> State | View:
    """A position in either written form, with open or hidden hands."""
    return position_of(read_data(position) if isinstance(position, str) else position, rules)


def opened(position: State | View) -> State:
    """A position with every card known; raises :class:`BadText` for any other."""
    if isinstance(position, View):
        raise BadText("this position has hidden hands, and here every card must be known: use advise")
    return position


def some_world(position: State | View) -> State:
    """A state that the position allows; the legal moves are the same in every one."""
    from exactplay.solvers.walk_the_dogs import HiddenWorlds

    return HiddenWorlds(position).sample(random.Random(0)) if isinstance(position, View) else position


def as_view(position: State | View) -> View:
    """What the player to move sees."""
    return position if isinstance(position, View) else View.of(position)


def shown(position: State | View) -> dict[str, Any]:
    """A position as plain data, the points now, and who is to act."""
    if isinstance(position, View):
        now = [points(line, own) for line, own in zip(position.lines, position.bones, strict=True)]
        return {**position.to_json(), "to_move": position.player, "points": now, "text": str(position)}
    return {
        **position.to_json(), "to_move": {OVER: "over", CHANCE: "chance"}.get(position.to_move, position.to_move),
        "points": list(position.points_now()), "text": str(position),
    }


def listed(state: State) -> dict[str, Any]:
    """The legal moves, or the cards that may be drawn."""
    return {
        "moves": [str(move) for move in state.legal_moves()],
        "chance": {str(move): str(probability) for move, probability in state.chance_outcomes()},
    }


def describe(state: State, move: Move) -> str:
    """What a move does, in a few words."""
    if move.kind in ("play", "leash"):
        own = state.lines[state.turn]
        if move.kind == "play":
            what = f"takes {take(state.middle, move.card)[0]}"
        else:
            dog = state.lines[move.victim][0 if move.end == "front" else -1]
            what = f"takes {dog} from player {move.victim}'s {move.end}"
        five = ", five in a row" if has_five(move.line) else ""
        return f"{what}, {points(move.line) - points(own):+d} points{five}"
    return {
        "lose": f"the {move.end} group leaves the game", "draw": "draw a card", "pass": "no playable card",
        "turn up": "the card drawn",
    }[move.kind]


def legal_method(text: str) -> Literal["auto", "solve", "play out"]:
    """``auto``, ``solve`` or ``play-out``; raises :class:`BadText`."""
    match text:
        case "auto" | "solve":
            return text
        case "play-out":
            return "play out"
    raise BadText(f"method is {quoted(text)}; it must be auto, solve or play-out")


def arranged(line: str, dogs: str, any_order: bool) -> dict[str, Any]:
    """The best way to add the dogs of one card, or for more than three the most points that they can make."""
    from exactplay.solvers import walk_the_dogs as solvers

    most = solvers.most_points(line, dogs, any_order=any_order)
    best = solvers.best_addition(line, dogs, any_order=any_order).to_json() if len(dogs) <= 3 else {}
    return {"kind": "exact", "most_points": most, **best}
