"""A game of Winner at the terminal: the person at one seat, the advisor at the others."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from exactplay.cli.advice import print_advice
from exactplay.cli.record import Record
from exactplay.rules.contract import OVER, BadText, IllegalMove
from exactplay.rules.winner import Move, State, View
from exactplay.solvers.winner import Objective, advise, solve

_HELP = (
    "Type a move: cards such as '3D 3C', 'fours 4D 4C' or 'pass'. Or: moves (list them), advice (what the advisor would "
    "play), undo (take your last move back), quit (the game is kept), help."
)


def start_or_resume(file: Path | None, new: bool, first: Callable[[], State], seat: int) -> Record:
    """The record of the unfinished game in a file, or of a new one that starts with ``first()``."""
    path = file or Record.default_path("winner")
    if path.exists() and not new:
        record = Record.load(path, "winner")
        _replay(record)
        print(f"resuming the game in {path}; --new starts another")
        return record
    state = first()
    if seat >= state.players:
        raise BadText(f"--seat is {seat}; there are seats 0 to {state.players - 1}")
    record = Record(path, "winner", {"position": state.to_json(), "seat": seat})
    record.save()
    return record


def _replay(record: Record) -> State:
    """The state that a record has come to; raises BadText where it does not fit together."""
    try:
        seat = record.setup["seat"]
        state = State.from_json(record.setup["position"])
        for text in record.moves:
            state = state.play(Move.parse(text))
        if not isinstance(seat, int) or not 0 <= seat < state.players:
            raise BadText("no such seat")
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise BadText(f"{record.path} does not hold a game that can be resumed ({error}); --new starts another") from None
    return state


class Table:
    """The loop of a game."""

    def __init__(
        self, record: Record, objective: Objective, seconds: float, seed: int,
        picture: Callable[[View, int | None], list[str]],
    ) -> None:
        self._record, self._objective, self._seconds, self._seed = record, objective, seconds, seed
        self._picture = picture
        self._me: int = record.setup["seat"]
        self._state = _replay(record)

    def run(self) -> None:
        """Play until the hand is over or the person leaves."""
        print(_HELP)
        while self._state.to_move != OVER:
            if self._state.to_move == self._me:
                if not self._ask():
                    print(f"the game is kept in {self._record.path}; the same command resumes it")
                    return
            else:
                seat = self._state.to_move
                move = self._advised()
                self._play(move)
                print(f"seat {seat}: {move}")
        print("\n".join(self._picture(_open(self._state), self._me)))
        self._record.path.unlink(missing_ok=True)

    def _ask(self) -> bool:
        """One word of the person; False when he leaves."""
        print("\n".join(self._picture(self._seen(), self._me)))
        try:
            words = input("> ").strip()
        except EOFError:
            print()
            return False
        match words.lower():
            case "":
                pass
            case "help" | "?":
                print(_HELP)
            case "quit" | "q" | "exit":
                return False
            case "moves":
                print("\n".join(map(str, self._state.legal_moves())))
            case "undo":
                self._undo()
            case "advice":
                self._advice()
            case _:
                try:
                    self._play(Move.parse(words))
                except (BadText, IllegalMove) as error:
                    print(error)
        return True

    def _play(self, move: Move) -> None:
        self._state = self._state.play(move)
        self._record.moves.append(str(move))
        self._record.save()

    def _undo(self) -> None:
        """Back to the person's last decision."""
        moves = self._record.moves
        state = State.from_json(self._record.setup["position"])
        mine = None
        for number, text in enumerate(moves):
            if state.to_move == self._me:
                mine = number
            state = state.play(Move.parse(text))
        if mine is None:
            print("there is no move of yours to take back")
            return
        del moves[mine:]
        self._record.save()
        self._state = _replay(self._record)

    def _seen(self) -> View:
        return _open(self._state) if self._is_open() else View.of(self._state)

    def _is_open(self) -> bool:
        """Whether each of the players left knows what the other holds."""
        return sum(bool(hand) for hand in self._state.hands) == 2

    def _advised(self) -> Move:
        if self._is_open() and not (self._objective == "win" and self._state.out):
            return solve(self._state, self._objective, every_move=False, seconds=self._seconds).best[0]
        if self._objective == "win" and self._state.out:
            return self._state.legal_moves()[0]
        advice = advise(View.of(self._state), self._objective, seconds=self._seconds, seed=self._seed)
        return advice.best[0]

    def _advice(self) -> None:
        if self._objective == "win" and self._state.out:
            print("who wins is settled; any move will do")
        elif self._is_open():
            result = solve(self._state, self._objective, every_move=False, seconds=self._seconds)
            print(f"{result.best[0]}: {result.verdict}")
            for note in result.notes:
                print(f"note: {note}")
        else:
            advice = advise(View.of(self._state), self._objective, seconds=self._seconds, seed=self._seed)
            print_advice(advice, f"{self._objective}, seat {self._me}", shown=8)


def _open(state: State) -> View:
    return View(state, (0,) * state.players, None)
