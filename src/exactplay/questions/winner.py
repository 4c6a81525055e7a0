"""Questions about Winner."""
from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypeVar

from exactplay.questions.reading import read_object
from exactplay.rules.contract import BadText
from exactplay.rules.winner import Rules, State, View
from exactplay.solvers.winner import Partition

Position = TypeVar("Position", State, View)


def read(position: str | Mapping[str, Any], options: Mapping[str, Any], kind: type[Position]) -> Position:
    """A position with open hands, or what one seat sees of it, in either form; ``options`` come on top of its own."""
    if isinstance(position, str) and position.lstrip().startswith("{"):
        position = read_object(position)
    found = kind.parse(position) if isinstance(position, str) else kind.from_json(without_objective(position))
    if not options:
        return found
    # Read again, for the position must hold under these options.
    data = found.to_json()
    return kind.from_json({**data, "options": {**data["options"], **options}})


def without_objective(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a position; a question may stand among them."""
    return {name: value for name, value in data.items() if name != "objective"}


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
