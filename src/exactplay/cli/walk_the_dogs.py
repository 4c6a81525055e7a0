"""``exactplay walk``: Walk the Dogs on the command line."""
from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from exactplay.cli import batch as batches
from exactplay.cli import common
from exactplay.cli.advice import print_advice
from exactplay.questions import walk_the_dogs as questions
from exactplay.rules.contract import CHANCE, OVER, BadText, quoted
from exactplay.rules.walk_the_dogs import (
    Move,
    Rules,
    State,
    View,
    deal,
    has_five,
    legal_objective,
    longest_run,
    mirrored,
    points,
)
from exactplay.rules.walk_the_dogs.state import Objective

app = typer.Typer()

PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="One line of text, a JSON object, or - to read it from stdin.")
]
ObjectiveOption = Annotated[str, typer.Option("--objective", help="points or outcome.")]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.01, help="Stop after so many CPU seconds.")]
SamplesOption = Annotated[int, typer.Option("--samples", min=2, help="At most so many sampled worlds.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of the sample.")]
MethodOption = Annotated[str, typer.Option("--method", help="auto, solve or play-out.")]
TableOption = Annotated[int, typer.Option("--table", min=1, max=1 << 16, help="Memory for the table of positions, MiB.")]


def read_text(position: str) -> str:
    """A position as it was given, or from stdin; raises :class:`BadText`."""
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig") if position == "-" else position
    except UnicodeDecodeError as error:
        raise BadText(f"stdin is not UTF-8 text: {error.reason}") from None
    if not text.strip():
        raise BadText("there is no position")
    return text.strip()


def read_position(position: str, rule: list[str] | None) -> State | View:
    """A position in either written form, with open or hidden hands."""
    rules = Rules.from_texts(rule or ())
    return questions.read_position(read_text(position), rules)


# ---------------------------------------------------------------- show and moves


@app.command()
def show(position: PositionArgument, json_: common.JsonFlag = False, rule: common.RuleOption = None) -> None:
    """Show a position: the dogs, the cards, the points, who is to act."""
    state = read_position(position, rule)
    if json_:
        common.print_json(questions.shown(state))
    elif isinstance(state, View):
        print_view(state)
    else:
        print_state(state, range(state.players))


def print_view(view: View) -> None:
    """Print what one player sees."""
    print_table(view, [
        " ".join(view.hand) or "no cards" if player == view.player else f"{size} hidden cards"
        for player, size in enumerate(view.sizes)
    ])
    print(f"unseen {len(view.unseen())} cards, of these {view.hidden_cards()} in hands; discards {len(view.discards)}")
    print(f"player {view.player} {'loses an end group' if view.phase == 'catch' else 'is to move'}")


def print_table(position: State | View, hands: list[str]) -> None:
    """Print the dogs, points and hands of a position, and how its rules differ."""
    print(f"middle  {position.middle or '(empty)'}  ({len(position.middle)} dogs, front first)")
    for player, (line, own, hand) in enumerate(zip(position.lines, position.bones, hands, strict=True)):
        bones = f", {own} bones" if own else ""
        print(
            f"player {player}  {line or '(no dogs)'}  {points(line, own)} points, longest run {longest_run(line)}{bones}; "
            f"{hand}"
        )
    if position.rules.changed():
        print(f"rules: {position.rules.describe()}")


def print_state(state: State, seen: Any) -> None:
    """Print the table and the hands that may be seen."""
    print_table(state, [
        " ".join(hand) or "no cards" if player in seen else f"{len(hand)} cards" for player, hand in enumerate(state.hands)
    ])
    order = "shuffled" if state.shuffled else "next " + (" ".join(state.deck[:8]) or "none")
    print(f"pile {len(state.deck)} cards ({order}), discards {len(state.discards)}")
    if state.to_move == OVER:
        print(describe_end(state))
    elif state.to_move == CHANCE:
        print(f"player {state.turn} draws a card")
    else:
        print(f"player {state.to_move} {'loses an end group' if state.phase == 'catch' else 'is to move'}")


def describe_end(state: State) -> str:
    """How a game ended."""
    winners = state.winners()
    names = " and ".join(f"player {player}" for player in winners)
    how = "five in a row" if has_five(state.lines[winners[0]]) else f"points {', '.join(map(str, state.points_now()))}"
    return f"over: {names} {'wins' if len(winners) == 1 else 'share'} ({how})"


@app.command()
def moves(position: PositionArgument, json_: common.JsonFlag = False, rule: common.RuleOption = None) -> None:
    """List the legal moves, or the cards that may be drawn."""
    state = questions.some_world(read_position(position, rule))
    if json_:
        common.print_json(questions.listed(state))
        return
    for move in state.legal_moves():
        print(f"{move!s}  {questions.describe(state, move)}")
    for move, probability in state.chance_outcomes():
        print(f"{move!s}  with probability {probability}")
    if state.to_move == OVER:
        print(describe_end(state))


# ---------------------------------------------------------------- solve, advise, arrange


@app.command()
def solve(
    position: PositionArgument, objective: ObjectiveOption = "points", seconds: SecondsOption = None,
    table: TableOption = 256,
    best_only: Annotated[bool, typer.Option("--best-only", help="No exact values for moves that are not best.")] = False,
    json_: common.JsonFlag = False, rule: common.RuleOption = None,
) -> None:
    """Solve a position with open hands and a known order of the pile; a draw that is due comes first."""
    from exactplay.solvers.walk_the_dogs import fold_mirrors
    from exactplay.solvers.walk_the_dogs import solve as solve_state

    state = questions.opened(read_position(position, rule))
    result = solve_state(
        state, legal_objective(objective), all_moves=not best_only, seconds=seconds, table_bytes=table << 20,
        progress=show_progress("positions"),
    )
    clear_progress()
    if json_:
        common.print_json(result.to_json())
        return
    whose = "each player's {}" if state.players > 2 else "player 0's {}" + " less player 1's" * (objective == "points")
    after = state
    while after.to_move == CHANCE:
        after = after.play(after.chance_outcomes()[0][0])
    common.print_result(
        fold_mirrors(result), f"{whose.format(objective)}, player {state.turn}'s turn", mover=max(after.to_move, 0)
    )
    print(f"{result.effort.nodes} positions in {result.effort.seconds:.2f} CPU s; of mirror images one is shown")


@app.command()
def advise(
    position: PositionArgument, objective: ObjectiveOption = "outcome", seconds: SecondsOption = 10.0,
    samples: SamplesOption = 400, seed: SeedOption = 0, method: MethodOption = "auto",
    json_: common.JsonFlag = False, rule: common.RuleOption = None,
) -> None:
    """Advise a player who sees only his own hand; write the others' hands as #2 (two cards), or 2 in JSON."""
    from exactplay.solvers.walk_the_dogs import advise as advise_view

    chosen = questions.legal_method(method)
    view = questions.as_view(read_position(position, rule))
    advice = advise_view(
        view, legal_objective(objective), method=chosen, samples=samples, seconds=seconds, seed=seed,
        progress=show_progress("worlds"),
    )
    clear_progress()
    if json_:
        common.print_json(advice.to_json())
        return
    print_advice(advice, f"{objective}, player {view.player} to move")
    table = view.world([()] * (len(view.lines) - 1), ())
    for move in advice.best[:3]:
        print(f"{move!s} means: {questions.describe(table, move)}")


@app.command()
def arrange(
    line: Annotated[str, typer.Argument(help="The line of dogs, front first; - for none.")],
    dogs: Annotated[str, typer.Argument(help="The dogs to add, in the order taken.")],
    in_order: Annotated[bool, typer.Option("--in-order", help="Add them in this order.")] = False,
    with_: Annotated[str | None, typer.Option("--with", help="cp-sat: check the points with OR-Tools.")] = None,
    json_: common.JsonFlag = False,
) -> None:
    """Find the best way to add the dogs of one card, or for more than three the most points they can make."""
    from exactplay.solvers import walk_the_dogs as solvers

    if with_ not in (None, "cp-sat"):
        raise BadText(f"--with is {quoted(with_)}; it must be cp-sat")
    line = "" if line == "-" else line
    answer = questions.arranged(line, dogs, not in_order)
    if with_ is not None:
        try:
            answer["cp_sat"] = solvers.most_points_cp_sat(line, dogs, any_order=not in_order)
        except ImportError:
            raise BadText("--with cp-sat needs OR-Tools: pip install 'exactplay[cp-sat]'") from None
        except RuntimeError as error:
            answer |= {"cp_sat": None, "notes": [str(error)]}
    if json_:
        common.print_json(answer)
        return
    print(f"most points: {answer['most_points']} (exact)")
    if "notes" in answer:
        print(f"note: {answer['notes'][0]}")
    elif "cp_sat" in answer:
        print(f"CP-SAT, independently: {answer['cp_sat']}")
    if "lines" in answer:
        five = ", five in a row" if answer["five_possible"] else ""
        print(f"best lines ({answer['points']} points{five}), one of each mirror pair: {' '.join(answer['lines'])}")


# ---------------------------------------------------------------- batch


@app.command()
def batch(
    file: Annotated[Path, typer.Argument(help="Questions, one a line, as text or JSON; - is stdin.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the answers there; an interrupted run resumes.")] = None,
    seconds: SecondsOption = None, table: TableOption = 256, samples: SamplesOption = 400, seed: SeedOption = 0,
    method: MethodOption = "auto", rule: common.RuleOption = None,
) -> None:
    """Answer one question a line: a position, with "ask" (solve, advise, moves or arrange) and "objective".

    Without "ask" a position with hidden hands is advised on, any other is solved.
    """
    from exactplay.solvers import walk_the_dogs as solvers

    rules, chosen = Rules.from_texts(rule or ()), questions.legal_method(method)

    def answer(text: str) -> dict[str, Any]:
        data = questions.read_data(text.strip())
        ask = data.pop("ask", None)
        if ask == "arrange":
            return answer_arrange(data, rules)
        if ask not in (None, "solve", "advise", "moves"):
            raise BadText(f"ask is {quoted(ask)}; it must be solve, advise, moves or arrange")
        objective = data.pop("objective", None)
        position = questions.position_of(data, rules)
        if ask == "moves":
            return {"moves": [str(move) for move in questions.some_world(position).legal_moves()]}
        if ask == "advise" or (ask is None and isinstance(position, View)):
            return solvers.advise(
                questions.as_view(position), legal_objective(objective or "outcome"), method=chosen, samples=samples,
                seconds=seconds, seed=seed, table_bytes=table << 20,
            ).to_json()
        return solvers.solve(
            questions.opened(position), legal_objective(objective or "points"), seconds=seconds, table_bytes=table << 20
        ).to_json()

    batches.run(file, answer, out, f"{rules.describe()} {method}")


def answer_arrange(data: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """The answer to ``{"line": "SS", "dogs": "SPO", "options": {...}}``; raises :class:`BadText`."""

    for name, value in data.items():
        kind = {"line": str, "dogs": str, "options": dict}.get(name)
        if kind is None:
            raise BadText(f"field {quoted(name)} is unknown; arrange has line, dogs and options")
        if not isinstance(value, kind):
            raise BadText(f"field {quoted(name)} is {quoted(value)}, which is not of its form; see docs/walk_the_dogs.md")
    line, dogs = data.get("line", ""), data.get("dogs", "")
    any_order = Rules.from_mapping({**rules.changed(), **data.get("options", {})}).three_in_any_order
    return questions.arranged(line, dogs, any_order)


# ---------------------------------------------------------------- play


@app.command()
def play(
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=4, help="How many play, 2 if not said; you are player 0.")
    ] = None,
    objective: ObjectiveOption = "outcome",
    think: Annotated[float, typer.Option("--think", min=0.01, help="CPU seconds of the advisor for a move.")] = 2.0,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Of the shuffling.")] = None,
    start: Annotated[str | None, typer.Option("--start", help="Begin from this position, every card given.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="Where the game is kept.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew even if an unfinished game is kept.")] = False,
    rule: common.RuleOption = None,
) -> None:
    """Play against the advisor, who sees his own cards only. An unfinished game is kept and taken up again."""
    from exactplay.cli.record import Record

    path = file or Record.default_path("walk-the-dogs")
    aim = legal_objective(objective)
    if path.exists() and not new:
        for name, value in (("players", players), ("seed", seed), ("start", start), ("rule", rule or None)):
            if value is not None:
                raise BadText(f"--{name} is for a new game, but one is kept in {path}; --new begins another")
        record = Record.load(path, "walk-the-dogs")
        print(f"taking up the game kept in {path} (--new begins another)")
    else:
        chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
        if start is None:
            first = deal(random.Random(chosen), players or 2, Rules.from_texts(rule or ()))
        else:
            first = questions.opened(read_position(start, rule))
            if players not in (None, first.players):
                raise BadText(f"--players is {players}, but the position of --start has {first.players}")
        record = Record(path, "walk-the-dogs", {"seed": chosen, "start": str(first)})
        record.save()
    Table(record, aim, think).run()


class Table:
    """A game at the table: the user is player 0, the advisor plays the others."""

    def __init__(self, record: Any, objective: Objective, think: float) -> None:
        self._record, self._objective, self._think = record, objective, think
        try:
            self._states = [State.parse(record.setup["start"])]
            self._seed = int(record.setup["seed"])
            for text in record.moves:
                self._states.append(self._states[-1].play(Move.parse(text)))
        except (KeyError, TypeError, AttributeError, OverflowError, ValueError) as error:
            raise BadText(f"{record.path} is damaged ({error}); delete it or name another file") from None

    def run(self) -> None:
        """Play until the end, or until the user leaves."""
        print_state(self._states[-1], (0,))
        while self._states[-1].to_move != OVER:
            state = self._states[-1]
            if state.to_move == CHANCE:
                self._draw(state)
            elif state.to_move == 0:
                if not self._ask(state):
                    print(f"kept in {self._record.path}; exactplay walk play takes it up")
                    return
            else:
                self._answer(state)
        print_state(self._states[-1], range(self._states[-1].players))
        self._record.path.unlink(missing_ok=True)

    def _do(self, move: Move) -> None:
        self._states.append(self._states[-1].play(move))
        self._record.moves.append(str(move))
        self._record.save()

    def _draw(self, state: State) -> None:
        # By seed and place in the game: a game taken up again goes on as it would have.
        rng = random.Random(f"{self._seed} {len(self._states)}")
        outcomes = state.chance_outcomes()
        move = rng.choices([card for card, _ in outcomes], [float(p) for _, p in outcomes])[0]
        seen = state.turn == 0 or move.card in ("bo", "dc")
        who = "you draw" if state.turn == 0 else f"player {state.turn} draws"
        self._do(move)
        print(f"{who} {move.card if seen else 'a card'}" + {
            "bo": ": a bone for the player with the fewest dogs",
            "dc": ": the dog catcher takes the longer end group of every line",
        }.get(move.card, ""))

    def _answer(self, state: State) -> None:
        moves = state.legal_moves()
        move = moves[0] if len(moves) == 1 else self._advice(state).best[0]
        print(f"player {state.to_move}: {move}  {questions.describe(state, move)}")
        self._do(move)

    def _advice(self, state: State) -> Any:
        from exactplay.solvers.walk_the_dogs import advise as advise_view

        return advise_view(View.of(state), self._objective, seconds=self._think, samples=200, seed=len(self._states))

    def _ask(self, state: State) -> bool:
        """Let the user move; False where he leaves."""
        shown: list[Move] = []
        for move in state.legal_moves():
            if all((move.card, move.victim, move.end, mirrored(move.line)) != (
                other.card, other.victim, other.end, mirrored(other.line)
            ) for other in shown):
                shown.append(move)
        shown.sort(key=lambda move: (move.card, -points(move.line)))
        print()
        print_state(state, (0,))
        for number, move in enumerate(shown, 1):
            print(f"{number:3}  {move!s}  {questions.describe(state, move)}")
        while True:
            print("your move (number or text; hint, undo, quit)? ", end="", flush=True)
            line = sys.stdin.readline()
            word = line.strip()
            if not line or word in ("quit", "q"):
                print()
                return False
            if word == "hint":
                print_advice(self._advice(state), f"{self._objective}, you are to move", shown=6)
                continue
            if word == "undo":
                if self._undo():
                    return True
                print("there is no move of yours to take back")
                continue
            try:
                chosen = shown[int(word) - 1] if word.isdecimal() and 0 < int(word) <= len(shown) else Move.parse(word)
                self._do(chosen)
            except ValueError as error:
                print(error)
                continue
            return True

    def _undo(self) -> bool:
        for place in range(len(self._states) - 2, -1, -1):
            if self._states[place].to_move == 0:
                del self._states[place + 1:]
                del self._record.moves[place:]
                self._record.save()
                return True
        return False


def show_progress(what: str) -> Any:
    """A callback that tells a terminal how far a long run is; None where stderr is none."""
    if not sys.stderr.isatty():
        return None
    import time

    last = [time.monotonic()]

    def tell(number: int) -> None:
        if time.monotonic() - last[0] > 0.2:
            last[0] = time.monotonic()
            print(f"\r{number} {what}", end="", file=sys.stderr, flush=True)

    return tell


def clear_progress() -> None:
    """Take the progress off the terminal."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
