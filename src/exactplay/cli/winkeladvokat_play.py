"""``exactplay winkeladvokat play``: against the engine or two people; undo, save, resume, a time for each move."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from exactplay.cli.common import JsonFlag, RuleOption, describe_os_error, print_json
from exactplay.cli.record import Record
from exactplay.cli.winkeladvokat_board import draw
from exactplay.questions.winkeladvokat import describe
from exactplay.rules.contract import OVER, BadText, IllegalMove, IllegalPosition, quoted
from exactplay.rules.winkeladvokat import ARTICLES, COLOURS, Board, Move, State, Rules
from exactplay.solvers.winkeladvokat import analyse

GAME = "winkeladvokat"
HELP = "a move such as a1-a4-d4 or c3xc5xe5; moves, hint, undo, save FILE, help, quit (the game is kept after every move)"

Side = Literal["b", "r", "y", "g", "all"]


class Table:
    """A game in progress: its record, the states since its beginning, and who is played by the engine."""

    def __init__(self, record: Record, json: bool, seconds: float) -> None:
        self.record, self.json, self.seconds = record, json, seconds
        try:
            setup = record.setup
            rules = Rules.from_mapping(setup["rules"])
            board = Board(setup["size"], tuple(setup["values"]))
            self.states = [State.parse(setup["position"], rules, board)]
            self.people = check_people(setup["people"])
            for text in record.moves:
                self.states.append(self.states[-1].play(Move.parse(text)))
        except (KeyError, TypeError, AttributeError, BadText, IllegalMove, IllegalPosition) as error:
            raise BadText(f"{record.path} is not a saved game of {GAME} that can be played on: {error}") from None

    @property
    def state(self) -> State:
        """The position on the table."""
        return self.states[-1]

    def show(self, **more: Any) -> None:
        """Print the position, as a drawing or as a line of JSON."""
        if self.json:
            print_json({**describe(self.state), **more})
        else:
            draw(self.state)

    def say(self, text: str, **data: Any) -> None:
        """Print a message."""
        if self.json:
            print_json({"message": text, **data})
        else:
            print(text)

    def play(self, move: Move) -> None:
        """Play a move and keep it; raises IllegalMove."""
        after = self.state.play(move)
        self.record.moves.append(str(move))
        self.states.append(after)
        self.record.save()
        self.show(played=str(move))

    def undo(self) -> None:
        """Take back to the last decision of a person."""
        while len(self.states) > 1:
            self.states.pop()
            self.record.moves.pop()
            if self.is_person(self.state.turn):
                break
        self.record.save()
        self.show()

    def is_person(self, player: int) -> bool:
        """Whether a person plays this colour."""
        return self.people == "all" or ARTICLES[player] in self.people

    def engine_move(self) -> None:
        """The engine thinks and plays, and says how sure it is."""
        result = analyse(self.state, seconds=self.seconds)
        self.say(
            f"{COLOURS[self.state.turn]} plays {result.best[0]}: {result.verdict}", move=str(result.best[0]),
            kind=result.verdict.kind, seconds=result.effort.seconds,
        )
        self.play(result.best[0])

    def obey(self, text: str) -> bool:
        """Carry out one line of a person; False to leave."""
        command, _, rest = text.strip().partition(" ")
        if command in ("quit", "q", "exit"):
            return False
        if command == "undo":
            self.undo()
        elif command == "moves":
            self.say(" ".join(str(move) for move in self.state.legal_moves()))
        elif command == "hint":
            result = analyse(self.state, seconds=self.seconds)
            self.say(f"{' '.join(str(move) for move in result.best)}: {result.verdict}", kind=result.verdict.kind)
        elif command == "save" and rest:
            try:
                Record(Path(rest), GAME, self.record.setup, list(self.record.moves)).save()
                self.say(f"saved to {rest}")
            except OSError as error:
                self.say(f"not saved: {describe_os_error(error)}")
        elif command in ("help", "?", "save"):
            self.say(HELP)
        elif command:
            try:
                self.play(Move.parse(text.strip()))
            except (BadText, IllegalMove) as error:
                self.say(f"{error}; type help for what can be typed")
        return True


def check_people(people: object) -> str:
    """The colours that people play, or all; raises :class:`BadText`."""
    if people != "all" and (not isinstance(people, str) or not people or set(people) - set(ARTICLES)):
        raise BadText(f"people are {quoted(people)}; write the letters of the colours they play (b, r, y, g) or all")
    return str(people)


def play(
    position: Annotated[str | None, typer.Argument(metavar="POSITION", help="Begin here instead of at the start.")] = None,
    people: Annotated[str | None, typer.Option("--people", help="Colours of people, such as b or by, or all (b).")] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="CPU seconds of the engine for a move.")] = 2.0,
    file: Annotated[Path | None, typer.Option("--file", help="Keep the game here; it is resumed if it is there.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew even if an unfinished game is kept.")] = False,
    size: Annotated[int | None, typer.Option("--size", help="Squares along an edge, 3 to 8 (8).")] = None,
    players: Annotated[int | None, typer.Option("--players", help="2, 3 or 4 players (2).")] = None,
    rule: RuleOption = None,
    board: Annotated[Path | None, typer.Option("--board", metavar="FILE", help="Own numbers, as for show.")] = None,
    json: JsonFlag = False,
) -> None:
    """Play against the engine or with people at one keyboard; undo, save and resume."""
    from exactplay.cli.winkeladvokat import read_state

    people = None if people is None else check_people(people)
    path = file or Record.default_path(GAME)
    if path.exists() and not new and position is None:
        table = Table(Record.load(path, GAME), json, seconds)
        if (name := _differs(table, people, size, players, rule, board)) is not None:
            raise BadText(f"the game kept in {path} has another {name}; leave it out to play on, or begin anew with --new")
        table.say(f"resumed from {path} after {len(table.record.moves)} moves; --new begins anew")
    else:
        state = read_state(position or "start", rule, board, size, players)
        setup = {
            "position": str(state), "rules": state.rules.changed(), "size": state.size, "values": list(state.board.values),
            "people": people or "b",
        }
        table = Table(Record(path, GAME, setup), json, seconds)
        table.record.save()
    table.show()
    while table.state.to_move != OVER:
        if not table.is_person(table.state.turn):
            table.engine_move()
            continue
        try:
            if not table.obey(input("" if json else f"{COLOURS[table.state.turn]}> ")):
                break
        except EOFError:
            break
    if table.state.to_move != OVER:
        table.say(f"kept in {path}")


def _differs(
    table: Table, people: str | None, size: int | None, players: int | None, rule: list[str] | None, board: Path | None
) -> str | None:
    """The first option given that does not fit the game on the table."""
    state = table.states[0]
    if people not in (None, table.people):
        return "--people"
    if size not in (None, state.size):
        return "--size"
    if players not in (None, state.players):
        return "--players"
    if rule and Rules.from_texts(rule) != state.rules:
        return "--rule"
    if board and Board.from_toml(board.read_text(encoding="utf-8")) != state.board:
        return "--board"
    return None
