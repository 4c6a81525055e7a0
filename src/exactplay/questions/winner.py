"""Questions about Winner."""
from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from exactplay.questions.reading import read_object
from exactplay.rules.contract import BadText
from exactplay.rules.winner import Move, Rules, State, View, classify
from exactplay.solvers.winner import Partition


def read_view(position: str | Mapping[str, Any], options: Mapping[str, Any]) -> View:
    """What one seat sees, in either form, hidden cards allowed; ``options`` come on top of the position's own."""
    if isinstance(position, str) and position.lstrip().startswith("{"):
        position = read_object(position)
    view = View.parse(position) if isinstance(position, str) else View.from_json(_without_remarks(position))
    if not options:
        return view
    # Read again, for the position must hold under these options.
    data = view.to_json()
    return View.from_json({**data, "options": {**data["options"], **options}})


def read_state(position: str | Mapping[str, Any], options: Mapping[str, Any]) -> State:
    """A position of which every card is known, in either form."""
    view = read_view(position, options)
    if any(view.hidden):
        raise BadText("this position has hidden cards; to solve it every card must be known (advise weighs hidden ones)")
    return view.known


def _without_remarks(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a position: without the objective asked for, and the text that is shown with it."""
    return {name: value for name, value in data.items() if name not in ("objective", "text")}


def deal(players: int, cards: int | None, seed: int, rules: Rules) -> State:
    """A random deal, of all cards or of so many a seat."""
    state = State.deal(random.Random(seed), players, rules)
    if cards is None:
        return state
    if cards > len(min(state.hands, key=len)):
        raise BadText(f"cards is {cards}; a seat is dealt {len(min(state.hands, key=len))} at most")
    rng = random.Random(seed)
    return State.start([tuple(rng.sample(hand, cards)) for hand in state.hands], state.turn, rules)


def shown(view: View) -> dict[str, Any]:
    """What is seen of a position."""
    return view.to_json() | {"text": str(view)}


def split(partition: Partition) -> dict[str, Any]:
    """The fewest combinations that shed a hand."""
    return {
        "kind": "exact", "value": partition.plays, "partition": [str(part) for part in partition.combinations],
        "solver": partition.solver, "seconds": partition.seconds,
    }


def describe(move: Move) -> str:
    """What a move is, in a few words."""
    match move.action:
        case "play":
            made = classify(move.cards)
            return made.kind.replace("_", " ") if made else ""
        case "fours":
            return "makes the bomb his own"
        case "offer":
            return "of which the Loser takes one"
    return ""
