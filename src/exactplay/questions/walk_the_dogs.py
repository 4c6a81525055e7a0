"""What can be asked of Walk the Dogs."""
from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from exactplay.common.plain import read_object
from exactplay.questions.face import Answer, Ask, Block, Data, GameFace, Option, Play, Progress, to_move
from exactplay.rules.contract import CHANCE, OVER, BadText
from exactplay.rules.walk_the_dogs import Move, Objective, Rules, State, View, has_five, longest_run, points, take
from exactplay.rules.walk_the_dogs.text import read_words
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Result
from exactplay.solvers.walk_the_dogs import Method, advise, fold_mirrors, representatives, solve

Position = State | View


def question(line: str) -> Data:
    """A position in either form, as fields; in a batch ``ask=`` and ``objective=`` stand beside them."""
    text = line.strip()
    if not text:
        raise BadText("there is no position")
    return read_object(text) if text.startswith("{") else read_words(text)


def read(given: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
    """A position with open hands, or a View where a hand is a number of cards. Raises BadText and IllegalPosition."""
    position = given["position"]
    fields = question(position) if isinstance(position, str) else position
    # What is shown beside the fields (see below) does no harm.
    fields = {name: value for name, value in fields.items() if name not in ("to_move", "points", "text")}
    hands = fields.get("hands")
    hidden = isinstance(hands, list) and not all(isinstance(hand, str) for hand in hands)
    return (View if hidden else State).from_json(fields, options)


def deal(rules: Rules, seed: int, *, players: int = 2) -> State:
    """A shuffled start."""
    return State.deal(random.Random(seed), players, rules)


def shown(position: Position) -> Data:
    """A position as plain data, the points now, and who is to act."""
    now = [points(line, own) for line, own in zip(position.lines, position.bones, strict=True)]
    mover = position.seat if isinstance(position, View) else to_move(position)
    return {**position.to_json(), "to_move": mover, "points": now, "text": str(position)}


def picture(position: Position, seat: int | None = None) -> tuple[Block, ...]:
    """What can be seen, line by line; of a position with open hands, the others' are hidden from ``seat``."""
    lines = [f"middle  {position.middle or '(empty)'}  ({len(position.middle)} dogs, front first)"]
    for player, (line, own) in enumerate(zip(position.lines, position.bones, strict=True)):
        if isinstance(position, View):
            hand = " ".join(position.hand) if player == position.seat else f"{position.sizes[player]} hidden cards"
        elif seat in (None, player) or position.to_move == OVER:
            hand = " ".join(position.hands[player])
        else:
            hand = f"{len(position.hands[player])} cards"
        bones = f", {own} bones" if own else ""
        lines.append(
            f"player {player}  {line or '(no dogs)'}  {points(line, own)} points, longest run {longest_run(line)}{bones}; "
            f"{hand or 'no cards'}"
        )
    if position.rules.changed():
        lines.append(f"rules: {position.rules.describe()}")
    if isinstance(position, View):
        hidden = f"of these {position.hidden_cards()} in hands"
        lines.append(f"unseen {len(position.unseen())} cards, {hidden}; discards {len(position.discards)}")
        mover = position.seat
    else:
        order = "shuffled" if position.shuffled or seat is not None else "next " + (" ".join(position.deck[:8]) or "none")
        lines.append(f"pile {len(position.deck)} cards ({order}), discards {len(position.discards)}")
        mover = position.to_move
    if mover == OVER and isinstance(position, State):
        lines.append(_ended(position))
    elif mover == CHANCE:
        lines.append(f"player {position.turn} draws a card")
    else:
        lines.append(f"player {mover} {'loses an end group' if position.phase == 'catch' else 'is to move'}")
    return tuple(lines)


def _ended(state: State) -> str:
    """How a game ended."""
    winners = state.winners()
    names = " and ".join(f"player {player}" for player in winners)
    how = "five in a row" if has_five(state.lines[winners[0]]) else f"points {', '.join(map(str, state.points_now()))}"
    return f"over: {names} {'wins' if len(winners) == 1 else 'share'} ({how})"


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


def value_of(result: Result[Move], objective: str) -> str:
    """Whose value of what a result is."""
    seat = result.viewpoint
    if seat is None:
        return f"{objective}, a number a player"
    return f"player {seat}'s {objective}" + (f" less player {1 - seat}'s" if result.players == 2 else "")


def seen(states: Sequence[State], moves: Sequence[Move], seat: int) -> Position:
    """What a seat knows after the moves."""
    return states[-1] if states[-1].to_move == OVER else View.of(states[-1], seat)


def listed(state: State) -> tuple[Move, ...]:
    """The moves that a person is shown: one of each pair of mirror images, by card, the most points first."""
    moves = dict.fromkeys(representatives(state.legal_moves()).values())
    return tuple(sorted(moves, key=lambda move: (move.card, -points(move.line))))


def told(before: State, move: Move, after: State, seat: int) -> str:
    """A move or a draw as the table sees it."""
    own = before.turn == seat
    if move.kind == "turn up":
        card = move.card if own or move.card in ("bo", "dc") else "a card"
        what = {
            "bo": ": a bone for the player with the fewest dogs",
            "dc": ": the dog catcher takes the longer end group of every line",
        }.get(move.card, "")
        return f"{'you draw' if own else f'player {before.turn} draws'} {card}{what}"
    mover = "you" if before.to_move == seat else f"player {before.to_move}"
    return f"{mover}: {move}  {describe(before, move)}"


def _arrange(
    progress: Progress | None, *, line: str, dogs: str, in_order: bool, **options: Any
) -> Answer:
    """The best way to add the dogs of one card, or for more than three the most points that they can make."""
    from exactplay.solvers.walk_the_dogs import best_addition, most_points, most_points_cp_sat

    line, any_order = "" if line == "-" else line, not in_order and options.get("rules", Rules()).three_in_any_order
    most = most_points(line, dogs, any_order=any_order)
    data: Data = {"kind": "exact", "most_points": most}
    blocks: list[Block] = [f"most points: {most} (exact)"]
    if len(dogs) <= 3:
        data |= best_addition(line, dogs, any_order=any_order).to_json()
        five = ", five in a row" if data["five_possible"] else ""
        best = f"best lines ({data['points']} points{five}), one of each mirror pair"
        blocks.append(f"{best}: {' '.join(data['lines'])}")
    if options["with"] == "cp-sat":
        try:
            data["cp_sat"] = most_points_cp_sat(line, dogs, any_order=any_order)
            blocks.insert(1, f"CP-SAT, independently: {data['cp_sat']}")
        except ImportError:
            raise BadText("--with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'") from None
        except RuntimeError as error:
            data |= {"cp_sat": None, "notes": [str(error)]}
            blocks.insert(1, f"note: {error}")
    return Answer(data, tuple(blocks))


def _certify(state: State, *, objective: Objective = "points", limits: Limits | None = None, progress: Any = None) -> Any:
    from exactplay.solvers.walk_the_dogs.certificate import certify

    return certify(state, objective=objective, limits=limits, progress=progress)


FACE = GameFace(
    name="walk_the_dogs",
    command="walk",
    title="Walk the Dogs",
    summary="Walk the Dogs, for two to four players.",
    rules=Rules,
    state=State,
    view=View,
    move=Move,
    example="middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3 turn=0",
    players=(2, 4),
    objectives=get_args(Objective),
    setting=(
        Option(
            "position", "text", "A position in one line of words name=value, or a JSON object; a hidden hand is #2 (two "
            "cards), or 2 in JSON, and deck=?CARDS a shuffled pile.",
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
        Option(
            "method", "text", "How worlds are valued: solved, played out, or solved where a first one allows it.",
            default="auto", choices=get_args(Method),
        ),
    ),
    deal=deal,
    deal_options=(Option("players", "whole", "Number of players.", default=2, low=2, high=4),),
    certify=_certify,
    own=(
        Ask(
            "arrange", "The best way to add the dogs of one card, or of more than three the most points they can make.",
            _arrange, about=False, ruled=True, options=(
                Option(
                    "line", "text", "The line of dogs, front first; - for none.", default="", argument=True, metavar="LINE",
                ),
                Option("dogs", "text", "The dogs to add, in the order taken.", argument=True, needed=True, metavar="DOGS"),
                Option("in_order", "flag", "Add them in this order.", default=False),
                Option("with", "text", "cp-sat: check the points with OR-Tools.", choices=("cp-sat",)),
            ),
        ),
    ),
    play=Play(seen=seen, read_moves=lambda state, text: (Move.parse(text),), told=told, listed=listed),
    folded=fold_mirrors,
    question=question,
)
