"""``exactplay dogs``: Winston, the dog cards, on the command line."""
from __future__ import annotations

import dataclasses
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from exactplay.cli import batch as batches
from exactplay.cli import common
from exactplay.cli.advice import print_advice
from exactplay.cli.record import Record
from exactplay.questions import winston_dogs as questions
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winston_dogs import COLOURS, NAMES, Card, Move, State, View, Witness, show_cards, winners
from exactplay.rules.winston_dogs.view import HIDDEN
from exactplay.solvers.result import Exact, Result

app = typer.Typer()

PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="One line of text, a JSON object, or - to read it from stdin.")
]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.01, help="Stop after so many CPU seconds.")]
NodesOption = Annotated[int | None, typer.Option("--nodes", min=1, help="Stop after so many nodes.")]
TableOption = Annotated[int, typer.Option("--table", min=1, max=1 << 16, help="Memory for the table of positions, MiB.")]
SamplesOption = Annotated[int, typer.Option("--samples", min=2, help="At most so many sampled worlds.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of the sample.")]
TurnsOption = Annotated[
    int | None, typer.Option("--turns", min=1, max=60, help="Search each world so many turns deep, not to its end.")
]


def read_position(position: str) -> State | View:
    """A position in either written form, or from stdin."""
    try:
        text = sys.stdin.read() if position == "-" else position
        text.encode()  # what could not be decoded may stand in it as lone surrogates
    except UnicodeError:
        raise BadText("the position is not UTF-8 text") from None
    return questions.read_position(text)


# Show and moves


@app.command()
def show(position: PositionArgument, json_: common.JsonFlag = False) -> None:
    """Show a position: hands, dogs on the table, pile, points, bone and poo."""
    state = read_position(position)
    if json_:
        common.print_json(questions.shown(state))
    else:
        print_position(state)


def print_position(position: State | View, own: int | None = None) -> None:
    """Print what can be seen; with ``own`` the hand of that seat is marked as the reader's."""
    state = position.known if isinstance(position, View) else position
    over = isinstance(position, State) and position.to_move == OVER
    for colour, dog in zip(COLOURS, state.table, strict=True):
        if dog:
            head = "with a head" if dog.head else "no head yet"
            print(f"table  {dog.show(colour):8} {NAMES[colour]}, {head}, {count(dog.bodies, 'body', 'bodies')}")
    if not any(state.table):
        print("table  no dogs")
    for seat, hand in enumerate(state.hands):
        hidden = position.hidden[seat] if isinstance(position, View) else 0
        cards = show_cards(hand) + f" {HIDDEN}" * hidden
        held = [name for name, holder in (("bone", state.bone), ("poo", state.poo)) if holder == seat]
        name = "you   " if seat == own else f"seat {seat}"
        turn = "  <- on turn" if seat == state.turn and not over else ""
        print(f"{name} {cards.strip() or 'no cards':22} {', '.join([count(state.points[seat], 'point'), *held])}{turn}")
    if isinstance(position, View):
        below = f", at the bottom {show_cards(state.pile)}" if state.pile else ""
        print(f"pile   {count(position.pile_size, 'card')}{below}; unseen: {show_counts(position.unseen)}")
    else:
        print(f"pile   {count(len(state.pile), 'card')}" + (f": {show_cards(state.pile)}" if state.pile else ""))
    if state.longest:
        print(f"dogs   longest {state.longest}, shortest {state.shortest}")
    if over:
        print(describe_end(state))


def show_counts(cards: tuple[Card, ...]) -> str:
    """``8 Bb, 2 Bh``."""
    return ", ".join(f"{number} {card}" for card, number in sorted(Counter(cards).items())) or "none"


def count(number: int, one: str, many: str = "") -> str:
    """``1 body`` or ``2 bodies``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def describe_end(state: State) -> str:
    """How a game ended."""
    scores = state.scores()
    best = winners(scores)
    names = " and ".join(f"seat {seat}" for seat in best)
    return f"over: {names} {'wins' if len(best) == 1 else 'share'}, scores {' : '.join(map(str, scores))}"


@app.command()
def moves(position: PositionArgument, json_: common.JsonFlag = False) -> None:
    """List the legal turns of the player on turn."""
    state = questions.some_world(read_position(position))
    if json_:
        common.print_json({"moves": [str(move) for move in state.legal_moves()]})
        return
    for move in state.legal_moves():
        print(f"{move!s:16} {questions.describe(state, move)}".rstrip())
    if state.to_move == OVER:
        print(describe_end(state))


# Solve and advise


@app.command()
def solve(
    position: PositionArgument, seconds: SecondsOption = None, nodes: NodesOption = None, table: TableOption = 256,
    best_only: Annotated[bool, typer.Option("--best-only", help="No exact values for moves that are not best.")] = False,
    json_: common.JsonFlag = False,
) -> None:
    """Solve a position with every card known: two players exactly, more by max^n."""
    from exactplay.solvers.winston_dogs import solve as solve_state

    state = questions.opened(read_position(position))
    with Progress("nodes") as tell:
        result = solve_state(
            state, every_move=not best_only, seconds=seconds, nodes=nodes, table_bytes=table << 20, progress=tell
        )
    if json_:
        common.print_json(result.to_json())
        return
    print_solution(result, state)


def print_solution(result: Result[Move], state: State) -> None:
    """Print an answer with the moves in the order of the player on turn: his best first."""
    what = "seat 0's score less seat 1's" if len(state.hands) == 2 else "scores"
    # Each list of moves is sorted by the reader's own interest, which for seat 1 of two is the lowest value.
    print(f"{what}: {result.verdict}")
    width = max((len(str(move)) for move in result.moves), default=0)
    ranked = sorted(result.moves, key=lambda move: (move not in result.best, -_interest(result, move, state.turn), move))
    for move in ranked:
        mark = "  best" if move in result.best else ""
        print(f"  {move!s:{width}}  {str(result.moves[move]).removesuffix(' (exact)')}{mark}")
    if result.pv:
        print("line of best play: " + " / ".join(map(str, result.pv)))
    common.print_footer(result)
    print(f"{result.effort.nodes} nodes in {result.effort.seconds:.2f} CPU s")


def _interest(result: Result[Move], move: Move, seat: int) -> float:
    verdict = result.moves[move]
    if not isinstance(verdict, Exact):
        return float("-inf")
    if isinstance(verdict.value, tuple):
        return verdict.value[seat]
    return verdict.value if seat == 0 else -verdict.value


@app.command()
def advise(
    position: PositionArgument, seconds: SecondsOption = 20.0, samples: SamplesOption = 400, seed: SeedOption = 0,
    turns: TurnsOption = None, json_: common.JsonFlag = False,
) -> None:
    """Advise the player on turn, who sees only his hand and the table; hidden cards are written ?."""
    from exactplay.solvers.winston_dogs import advise as advise_view

    view = questions.as_view(read_position(position))
    with Progress("worlds") as tell:
        result = advise_view(view, turns=turns, samples=samples, seconds=seconds, seed=seed, progress=tell)
    if json_:
        common.print_json(result.to_json())
        return
    print_answer(result, view)


def print_answer(result: Result[Move], view: View, shown: int = 12) -> None:
    """Print advice of any kind."""
    from exactplay.solvers.hidden import Advice

    seat, players = view.known.turn, len(view.known.hands)
    what = f"seat {seat}'s score" + (" less the other's" if players == 2 else "")
    if isinstance(result, Advice):
        print_advice(result, what, shown=shown)
        return
    # Values between two are already those of the seat to move; more players have one number each.
    common.print_result(
        dataclasses.replace(result, pv=()), f"{what}, every card follows from what was seen",
        mover=0 if players == 2 else seat,
    )


class Progress:
    """Tell a terminal how far a long run is, and take it off again; silent where stderr is no terminal."""

    def __init__(self, what: str) -> None:
        self._what, self._last = what, time.monotonic()

    def __enter__(self) -> Callable[[int], None] | None:
        return self._tell if sys.stderr.isatty() else None

    def __exit__(self, *_: object) -> None:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _tell(self, number: int) -> None:
        if time.monotonic() - self._last > 0.2:
            self._last = time.monotonic()
            print(f"\r{number} {self._what}", end="", file=sys.stderr, flush=True)


# Batch


@app.command()
def batch(
    file: Annotated[Path, typer.Argument(help="Positions, one a line, as text or JSON; - is stdin.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the answers there; a run resumes.")] = None,
    seconds: SecondsOption = None, table: TableOption = 256, samples: SamplesOption = 400, seed: SeedOption = 0,
) -> None:
    """Answer one position a line: solved where every card is known, advised where some are hidden; JSON lines out."""
    from exactplay.solvers import winston_dogs as solvers

    def answer(line: str) -> dict[str, Any]:
        position = read_position(line)
        if isinstance(position, View):
            return solvers.advise(position, seconds=seconds, samples=samples, seed=seed).to_json()
        return solvers.solve(position, seconds=seconds, table_bytes=table << 20).to_json()

    batches.run(file, answer, out)


# Play


@app.command()
def play(
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=6, help="How many play, 2 if not given; you are seat 0.")
    ] = None,
    think: Annotated[float, typer.Option("--think", min=0.01, help="CPU seconds of the advisor for a move.")] = 2.0,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Of the shuffling.")] = None,
    start: Annotated[str | None, typer.Option("--start", help="Begin from this position, every card given.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="Where the game is kept.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew even if an unfinished game is kept.")] = False,
) -> None:
    """Play against the advisor, who sees his own cards only. An unfinished game is kept and taken up again."""
    path = file or Record.default_path("winston-dogs")
    if start is not None and (players is not None or seed is not None):
        raise BadText("--start gives hands and pile; leave --players and --seed away")
    if path.exists() and not new:
        if (players, seed, start) != (None, None, None):
            raise BadText(f"{path} keeps an unfinished game; give --new to begin another with these options")
        record = Record.load(path, "winston-dogs")
        print(f"taking up the game kept in {path} (--new begins another)")
    else:
        rng = random.Random(random.SystemRandom().randrange(1 << 32) if seed is None else seed)
        first = State.deal(players or 2, rng) if start is None else questions.opened(read_position(start))
        record = Record(path, "winston-dogs", {"start": str(first)})
        record.save()
    Table(record, think).run()


class Table:
    """A game at the table: the user is seat 0, the advisor plays the others."""

    def __init__(self, record: Record, think: float) -> None:
        self._record, self._think = record, think
        try:
            start = State.parse(record.setup["start"])
            self._past = [(start, Witness.start(len(start.hands)))]
            for text in record.moves:
                self._advance(Move.parse(text))
        except (KeyError, AttributeError, ValueError) as error:
            raise BadText(f"{record.path} is damaged ({error}); delete it or name another file") from None

    def run(self) -> None:
        """Play until the end, or until the user leaves."""
        while (state := self._past[-1][0]).to_move != OVER:
            if state.turn == 0:
                if not self._ask(state):
                    print(f"kept in {self._record.path}; exactplay dogs play takes it up")
                    return
            else:
                legal = state.legal_moves()
                self._do(legal[0] if len(legal) == 1 else self._advice().best[0])
        print()
        print_position(state, 0)
        self._record.path.unlink(missing_ok=True)

    def _advance(self, move: Move) -> None:
        state, witness = self._past[-1]
        self._past.append((state.play(move), witness.after(state, move)))

    def _do(self, move: Move) -> None:
        state = self._past[-1][0]
        self._advance(move)
        self._record.moves.append(str(move))
        self._record.save()
        print(f"{'you' if state.turn == 0 else f'seat {state.turn}'}: {move}  {questions.describe(state, move)}".rstrip())

    def _view(self) -> View:
        state, witness = self._past[-1]
        return witness.view(state)

    def _advice(self) -> Result[Move]:
        from exactplay.solvers.winston_dogs import advise as advise_view

        return advise_view(self._view(), seconds=self._think, seed=len(self._past))

    def _ask(self, state: State) -> bool:
        """Let the user move; False where he leaves."""
        legal = state.legal_moves()
        print()
        print_position(self._view(), 0)
        if legal[0].action != "play":
            print(f"you are stuck: {', '.join(map(str, legal))}")
        while True:
            print("your move (cards such as Bb Bh; moves, hint, undo, quit)? ", end="", flush=True)
            line = sys.stdin.readline()
            word = line.strip().lower()
            if not line or word in ("quit", "q"):
                print()
                return False
            if word == "moves":
                for move in legal:
                    print(f"  {move!s:16} {questions.describe(state, move)}".rstrip())
            elif word == "hint":
                print_answer(self._advice(), self._view(), 6)
            elif word == "undo":
                if self._undo():
                    return True
                print("there is no move of yours to take back")
            elif word:
                try:
                    self._do(Move.parse(line))
                except ValueError as error:
                    print(error)
                    continue
                return True

    def _undo(self) -> bool:
        for place in range(len(self._past) - 2, -1, -1):
            if self._past[place][0].turn == 0:
                del self._past[place + 1:]
                del self._record.moves[place:]
                self._record.save()
                return True
        return False
