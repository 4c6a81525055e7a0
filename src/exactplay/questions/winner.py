"""What can be asked of Winner."""
from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from exactplay.common.plain import read_object
from exactplay.questions.face import Answer, Ask, Block, Data, GameFace, Option, Play, Progress
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winner import Move, Rules, State, View, classify, parse_cards, show_cards
from exactplay.solvers.hidden import Advice
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Result
from exactplay.solvers.winner import OBJECTIVES, Objective, Partition, advise, fewest_plays, solve

Position = State | View


def read(given: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
    """A position in either form, under rule ``options`` that override its own: a View where cards are hidden."""
    position = given["position"]
    if isinstance(position, str) and position.lstrip().startswith("{"):
        position = read_object(position)
    if isinstance(position, str):
        view = View.parse(position, options)
    else:
        # The objective asked for may stand beside the fields, and the text that is shown with them.
        fields = {name: value for name, value in position.items() if name not in ("objective", "text")}
        view = View.from_json(fields, options)
    return view if any(view.hidden) else view.known


def deal(rules: Rules, seed: int, *, players: int = 2, cards: int | None = None) -> State:
    """A random deal, of all cards or of so many a seat."""
    state = State.deal(random.Random(seed), players, rules)
    if cards is None:
        return state
    if cards > len(min(state.hands, key=len)):
        raise BadText(f"cards is {cards}; a seat is dealt {len(min(state.hands, key=len))} at most")
    rng = random.Random(seed)
    return State.start([tuple(rng.sample(hand, cards)) for hand in state.hands], state.turn, rules)


def shown(position: Position) -> Data:
    """What is seen of a position."""
    return position.to_json() | {"text": str(position)}


def picture(position: Position, seat: int | None = None) -> tuple[Block, ...]:
    """The lines that describe a position to a player."""
    view = position if isinstance(position, View) else _seen(position, seat)
    state = view.known
    lines = []
    for other, (hand, hidden) in enumerate(zip(state.hands, view.hidden, strict=True)):
        name = f"seat {other}" + (" (you)" if other == seat else "")
        number = len(hand) + hidden
        known = " ".join([*map(str, hand), *([f"and {hidden} hidden" if hand else f"{hidden} hidden"] if hidden else [])])
        lines.append(f"{name}: {number} card{'s' if number != 1 else ''}: {known}" if number else f"{name}: out")
    if state.current is not None:
        below = " > ".join(map(str, state.stack[:-1]))
        kind = state.current.kind.replace("_", " ")
        lines.append(f"on the table: {state.current} ({kind}) by seat {state.owner}" + (f", on {below}" if below else ""))
    if state.reversed_order:
        lines.append("the order of ranks is reversed")
    if state.exchange is not None:
        lines.append(f"exchange: seat {state.exchange.winner} offers two cards to seat {state.exchange.loser}"
                     + (f": {show_cards(state.exchange.offered)}" if state.exchange.offered else ""))
    if state.to_move == OVER:
        lines.append(f"over; scores {' '.join(map(str, state.scores()))}")
    else:
        lines.append(f"seat {state.to_move} is to {'move' if state.current or state.exchange else 'lead'}")
    if state.rules.changed():
        lines.append(f"rules: {state.rules.describe()}")
    return tuple(lines)


def _seen(state: State, seat: int | None) -> View:
    """What a seat sees; of the last two that hold cards each knows the other's."""
    if seat is None or sum(map(bool, state.hands)) <= 2:
        return View(state, (0,) * state.players, None)
    return View.of(state, seat)


def known(states: Sequence[State], moves: Sequence[Move], seat: int) -> Position:
    """What a seat knows after the moves, cards that others took into their hands among it."""
    if sum(map(bool, states[-1].hands)) <= 2:
        return states[-1]
    # An exchange comes first, and cannot be followed from one seat.
    first = next(number for number, state in enumerate(states) if state.exchange is None or state is states[-1])
    view = View.of(states[first], seat)
    for move in moves[first:]:
        view = view.followed(move)
    return view


def describe(state: Any, move: Move) -> str:
    """What a move is, in a few words."""
    match move.action:
        case "play":
            made = classify(move.cards)
            return made.kind.replace("_", " ") if made else ""
        case "fours":
            return "takes the bomb into his hand" if state.rules.fours == "into_hand" else "makes the bomb his own"
        case "offer":
            return "of which the Loser takes one"
    return ""


def value_of(result: Result[Move], objective: str) -> str:
    """Whose value of what a result is."""
    seat = result.viewpoint
    if seat is None:
        return {"win": "1 for the Winner", "score": "points"}.get(objective, "places, 0 for the Loser") + ", seat by seat"
    if objective == "place":
        return f"the place of seat {seat}, 0 for the Loser"
    if objective == "score":
        return f"points of seat {seat}" + (f" minus those of seat {1 - seat}" if result.players == 2 else "")
    if isinstance(result, Advice):
        return f"the chance of seat {seat} to be first out"
    return f"1 if seat {seat} wins, {f'-1 if seat {1 - seat} wins' if result.players == 2 else 'else 0'}"


def split(partition: Partition) -> Data:
    """The fewest combinations that shed a hand."""
    return {
        "kind": "exact", "value": partition.plays, "partition": [str(part) for part in partition.combinations],
        "solver": partition.solver, "seconds": partition.seconds,
    }


def _plays(progress: Progress | None, *, hand: str, **options: Any) -> Answer:
    try:
        partition = fewest_plays(parse_cards(hand), solver=options["with"])
    except ImportError:
        raise BadText("--with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'") from None
    return Answer(split(partition), (str(partition),))


def _certify(state: State, *, objective: Objective = "win", limits: Limits | None = None, progress: Any = None) -> Any:
    from exactplay.solvers.winner.certificate import certify

    return certify(state, objective=objective, limits=limits or Limits(), progress=progress)


FACE = GameFace(
    name="winner",
    command="winner",
    title="Winner (Zheng Shangyou)",
    summary="Winner (Zheng Shangyou), a climbing game for two to four players.",
    rules=Rules,
    state=State,
    view=View,
    move=Move,
    example="3D 4D 8H | 5D 6D; turn 0",
    players=(2, 4),
    objectives=OBJECTIVES,
    setting=(
        Option(
            "position", "text", "A position in one line, such as '3D 4D | 5D; turn 0', or a JSON object; hidden cards: ?N.",
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
    deal=deal,
    deal_options=(
        Option("players", "whole", "Number of seats.", default=2, low=2, high=4),
        Option("cards", "whole", "Deal each seat this many cards only.", low=1, high=54),
    ),
    certify=_certify,
    own=(
        Ask(
            "plays", "The fewest combinations that shed a hand, and which.", _plays, about=False, long=True, options=(
                Option("hand", "text", "Cards, such as '3D 3C 4H'.", argument=True, needed=True, metavar="CARDS"),
                Option("with", "text", "The solver: cp-sat is an independent second one.", default="native",
                       choices=("native", "cp-sat")),
            ),
        ),
    ),
    play=Play(
        seen=known,
        read_moves=lambda state, text: (Move.parse(text),),
        told=lambda before, move, after, seat: f"seat {before.to_move}: {move}",
        think=3.0,
        players=3,
    ),
)
