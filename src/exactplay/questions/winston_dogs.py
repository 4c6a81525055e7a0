"""What can be asked of Winston, the dog cards."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactplay.common.plain import read_object
from exactplay.questions.face import Block, Data, GameFace, Option, Play, to_move
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winston_dogs import COLOURS, NAMES, Card, Move, Rules, State, View, Witness, show_cards, winners
from exactplay.rules.winston_dogs.text import read_text
from exactplay.rules.winston_dogs.view import HIDDEN
from exactplay.solvers.result import Result
from exactplay.solvers.winston_dogs import OBJECTIVES, advise, solve

Position = State | View


def read(given: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
    """A position in either form: a View where cards are hidden. Raises BadText, BadOption and IllegalPosition."""
    position = given["position"]
    if isinstance(position, str):
        text = position.strip()
        if not text:
            raise BadText("there is no position; write one such as 'hands Bb Bh | Kh Kb; table Khb; turn 0'")
        position = read_object(text) if text.startswith("{") else read_text(text)
    # What is shown beside the fields (see below) does no harm.
    fields = {name: value for name, value in position.items() if name not in ("to_move", "text")}
    hidden = {"unseen", "collected"} & fields.keys() or HIDDEN in f"{fields.get('hands')}{fields.get('pile')}"
    return (View if hidden else State).from_json(fields, options)


def deal(rules: Rules, seed: int, *, players: int = 2) -> State:
    """A shuffled start."""
    return State.deal(random.Random(seed), players)


def shown(position: Position) -> Data:
    """A position as plain data, and who is on turn."""
    world = position.some_world() if isinstance(position, View) else position
    return {**position.to_json(), "to_move": to_move(world), "text": str(position)}


def picture(position: Position, seat: int | None = None) -> tuple[Block, ...]:
    """What can be seen, line by line; the hand of ``seat`` is marked as the reader's."""
    over = isinstance(position, State) and position.to_move == OVER
    if isinstance(position, State) and seat is not None and not over:
        position = View.of(position, seat)
    state = position.known if isinstance(position, View) else position
    lines = []
    for colour, dog in zip(COLOURS, state.table, strict=True):
        if dog:
            head = "with a head" if dog.head else "no head yet"
            lines.append(f"table  {dog.show(colour):8} {NAMES[colour]}, {head}, {_count(dog.bodies, 'body', 'bodies')}")
    if not lines:
        lines.append("table  no dogs")
    for other, hand in enumerate(state.hands):
        hidden = position.hidden[other] if isinstance(position, View) else 0
        cards = (show_cards(hand) + f" {HIDDEN}" * hidden).strip() or "no cards"
        held = [name for name, holder in (("bone", state.bone), ("poo", state.poo)) if holder == other]
        name = "you   " if other == seat else f"seat {other}"
        turn = "  <- on turn" if other == state.turn and not over else ""
        lines.append(f"{name} {cards:22} {', '.join([_count(state.points[other], 'point'), *held])}{turn}")
    if isinstance(position, View):
        below = f", at the bottom {show_cards(state.pile)}" if state.pile else ""
        lines.append(f"pile   {_count(position.pile_size, 'card')}{below}; unseen: {_counted(position.unseen)}")
    else:
        lines.append(f"pile   {_count(len(state.pile), 'card')}" + (f": {show_cards(state.pile)}" if state.pile else ""))
    if state.longest:
        lines.append(f"dogs   longest {state.longest}, shortest {state.shortest}")
    if over:
        scores = state.scores()
        best = winners(scores)
        names = " and ".join(f"seat {other}" for other in best)
        lines.append(f"over: {names} {'wins' if len(best) == 1 else 'share'}, scores {' : '.join(map(str, scores))}")
    return tuple(lines)


def _counted(cards: Iterable[Card]) -> str:
    """``8 Bb, 2 Bh``."""
    return ", ".join(f"{number} {card}" for card, number in sorted(Counter(cards).items())) or "none"


def _count(number: int, one: str, many: str = "") -> str:
    """``1 body`` or ``2 bodies``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


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


def value_of(result: Result[Move], objective: str) -> str:
    """Whose value of what a result is."""
    seat = result.viewpoint
    if seat is None:
        return "scores, a number a seat"
    return f"seat {seat}'s score" + (f" less seat {1 - seat}'s" if result.players == 2 else "")


def seen(states: Sequence[State], moves: Sequence[Move], seat: int) -> Position:
    """What a seat knows after the moves: his hand, the table, and the cards that all saw go under the pile."""
    if states[-1].to_move == OVER:
        return states[-1]
    witness = Witness.start(states[0].players)
    for state, move in zip(states, moves, strict=False):
        witness = witness.after(state, move)
    return witness.view(states[-1], seat)


def told(before: State, move: Move, after: State, seat: int) -> str:
    """A move as the table sees it."""
    who = "you" if before.turn == seat else f"seat {before.turn}"
    return f"{who}: {move}  {describe(before, move)}".rstrip()


def _certify(state: State, **options: Any) -> Any:
    from exactplay.solvers.winston_dogs.certificate import certify

    return certify(state, **options)


FACE = GameFace(
    name="winston_dogs",
    command="dogs",
    title="Winston, the dog cards",
    summary="Winston, the dog cards, for two to six players.",
    rules=Rules,
    state=State,
    view=View,
    move=Move,
    example="hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0",
    players=(2, 6),
    objectives=OBJECTIVES,
    setting=(
        Option(
            "position", "text", "A position in one line, such as 'hands Bb Bh | Kh Kb; table Khb; turn 0', or a JSON "
            "object; hidden cards are written ?, with 'unseen CARDS' or 'collected DOGS' to say which they may be.",
            argument=True, needed=True, metavar="POSITION",
        ),
    ),
    read=read,
    shown=shown,
    picture=picture,
    describe=describe,
    value_of=value_of,
    solve=solve,
    advise=advise,
    advise_options=(
        Option("turns", "whole", "Search each world so many turns deep, not to its end.", low=1, high=60),
    ),
    deal=deal,
    deal_options=(Option("players", "whole", "Number of seats.", default=2, low=2, high=6),),
    certify=_certify,
    play=Play(seen=seen, read_moves=lambda state, text: (Move.parse(text),), told=told, think=2.0, players=2),
)
