"""Questions about Winner."""
from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from exactplay.questions.reading import read_object
from exactplay.rules.contract import BadText, IllegalMove
from exactplay.rules.winner import Cards, Move, Rules, State, View, classify
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


def followed(view: View, move: Move) -> View:
    """What a seat knows after a move that it saw, its own or another's from hidden cards.

    The view is not checked: another seat may be to act in it. Raises :class:`IllegalMove`.
    """
    known, mover = view.known, view.known.to_move
    if known.exchange is not None:
        raise IllegalMove("an exchange cannot be followed from one seat")
    shown = tuple((Counter(move.cards) - Counter(known.hands[mover])).elements()) if mover >= 0 else ()
    unseen = Counter(view.unseen)
    if len(shown) > view.hidden[mover] or Counter(shown) - unseen:
        raise IllegalMove(f"seat {mover} cannot have played {move}: the cards are seen elsewhere, or more than it holds")
    # Which cards the others hold makes no difference to a move that is given: any will do, and are taken out again.
    rest = (unseen - Counter(shown)).elements()
    hidden = tuple(number - (len(shown) if seat == mover else 0) for seat, number in enumerate(view.hidden))
    filled = [tuple(next(rest) for _ in range(number)) for number in hidden]
    after = view.world([(*cards, *(shown if seat == mover else ())) for seat, cards in enumerate(filled)]).play(move)
    hands = tuple(
        tuple(sorted((Counter(hand) - Counter(cards)).elements())) for hand, cards in zip(after.hands, filled, strict=True)
    )
    following = dataclasses.replace(after, hands=hands)
    gone = Counter((*shown, *_seen(known))) - Counter(_seen(following))
    spent = None if view.spent is None else tuple(sorted((*view.spent, *gone.elements())))
    return View(following, hidden, spent)


def _seen(state: State) -> Cards:
    """The cards of the hands as far as they are known, and of the table."""
    table = (card for combination in state.stack for card in combination.cards)
    return (*(card for hand in state.hands for card in hand), *table)


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
