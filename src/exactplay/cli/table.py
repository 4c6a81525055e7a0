"""The table at which a game is played: one loop for all games, on the screen or as JSON lines."""
from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from exactplay.cli.record import Record
from exactplay.cli.screen import Meter, print_answer, print_blocks
from exactplay.common.errors import BadOption, BadText, one_line, quoted, told
from exactplay.common.plain import to_line
from exactplay.questions.answers import answered, joined
from exactplay.questions.face import Answer, Block, Data, GameFace, Play, drawn, to_move
from exactplay.questions.face import Table as Rows
from exactplay.rules.contract import CHANCE, OVER
from exactplay.solvers.limits import Limits

_LISTED: Final = 200  # moves
_HINTED: Final = 6
_OTHER_WORDS: Final = {"q": "quit", "exit": "quit", "u": "undo", "h": "help", "?": "help", "advice": "hint"}
_HELP: Final = {
    "moves": "list the moves; the number of one plays it",
    "hint": "what the advisor would play",
    "why": "every move, with what it is worth and what it does",
    "undo": "take back to the last decision of a person",
    "show": "show once more how the game stands",
    "save FILE": "keep a copy of the game in a file",
    "resume FILE": "go on with a game that was saved",
    "help": "this list",
    "quit": "leave; the game is kept, and the same command goes on with it",
}


class Face(Protocol):
    """What the loop needs of whatever the players look at."""

    def answer(self, answer: Answer) -> None:
        """Show an answer."""

    def say(self, text: str, **data: Any) -> None:
        """Show a message."""

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""

    def ask(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""


class Screen:
    """For a reader."""

    def answer(self, answer: Answer) -> None:
        """Show an answer."""
        print_answer(answer, as_json=False)

    def say(self, text: str, **data: Any) -> None:
        """Show a message."""
        print(text)

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""
        print_blocks([((one_line(text), "red"),)])

    def ask(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""
        line = _next_line(prompt)
        if line is None:
            print()
        elif not sys.stdin.isatty():
            print(line)  # nobody has seen it being typed
        return line


class Lines:
    """For a program: an object a turn, and one for every message."""

    def answer(self, answer: Answer) -> None:
        """Show an answer."""
        print(to_line(answer.data), flush=True)

    def say(self, text: str, **data: Any) -> None:
        """Show a message."""
        print(to_line({"message": text, **data}), flush=True)

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""
        print(to_line({"error": one_line(text)}), flush=True)

    def ask(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""
        return _next_line("")


def _next_line(prompt: str) -> str | None:
    if sys.stdin is None:
        return None
    try:
        return input(prompt).removeprefix("\ufeff")
    except EOFError:
        return None


def people_of(play: Play, text: object, players: int) -> frozenset[int]:
    """The seats that people play; raises :class:`BadOption`."""
    letters = play.seats[:players]
    if text == "all":
        return frozenset(range(players))
    seats = {letter for letter in text if letter not in ", "} if isinstance(text, str) else set()
    if not seats or not seats <= set(letters):
        raise BadOption(f"people are {quoted(text)}; write the letters of their seats ({', '.join(letters)}) or all")
    return frozenset(letters.index(seat) for seat in seats)


class Table:
    """A game in progress: its record, the states since its beginning, who plays which seat, and the loop."""

    def __init__(self, face: GameFace, record: Record, shown: Face, limits: Limits, options: Data) -> None:
        assert face.play is not None
        self.face, self.play, self.shown = face, face.play, shown
        self._limits, self._options = limits, options
        self._objective = face.objectives[0]
        self._take(record)

    def _take(self, record: Record) -> None:
        """Sit down at the game of a record; raises :class:`BadText` where it does not fit together."""
        try:
            states = [self._first(record.setup)]
            moves: list[Any] = []
            for text in record.moves:
                moves.append(self.face.move.parse(text))
                states.append(states[-1].play(moves[-1]))
            # Games that were kept by an earlier version name the one seat of a person.
            people = record.setup.get("people", str(record.setup.get("seat", self.play.people)))
            self._people = people_of(self.play, people, states[0].players)
            seed = int(record.setup.get("seed", 0))
            objective = self._read_objective(record.setup.get("objective", self.face.objectives[0]))
        except (KeyError, TypeError, AttributeError, OverflowError, ValueError) as error:
            raise BadText(f"{record.path} is damaged ({told(error)}); delete it or name another file") from None
        self.record, self.states, self.moves, self._seed, self._objective = record, states, moves, seed, objective
        self._advice: tuple[int, Any] | None = None

    def _first(self, setup: Data) -> Any:
        if self.play.begin is not None:
            return self.play.begin(setup)
        position = setup["position"] if "position" in setup else setup["start"]
        return self.face.read({**{option.name: option.default for option in self.face.setting},
                               self.face.setting[0].name: position}, {})

    def _read_objective(self, text: Any) -> Any:
        from exactplay.questions.asks import asks_of

        option = next(option for option in asks_of(self.face)["advise"].options if option.name == "objective")
        return option.check(text)

    @property
    def state(self) -> Any:
        """The position on the table."""
        return self.states[-1]

    def aim(self, objective: Any) -> None:
        """Go on for another objective."""
        self._objective = self._read_objective(objective)
        self.record.setup["objective"] = str(objective)
        self.record.save()

    # ------------------------------------------------------------ the loop

    def run(self, *, resumed: bool) -> None:
        """Play until the game is left."""
        self._greet(resumed)
        while True:
            state = self.state
            if state.to_move != OVER and not self._is_asked(state):
                self._go_on(state)
            elif not self._turn():
                self.shown.say(f"The game is kept in {self.record.path}.")
                return

    def _greet(self, resumed: bool) -> None:
        path = str(self.record.path)
        if self.play.opened is not None:
            self.shown.answer(self.play.opened(self.states[0], self._objective))
        if resumed:
            self.shown.say(f"Resumed from {path} after {len(self.moves)} moves; --new begins another game.",
                           file=path, resumed=True)
        else:
            seed = "" if self.play.rolled else f" (--seed {self._seed} begins the same one)"
            self.shown.say(f"A new game, kept in {path}{seed}; help lists what may be typed.",
                           file=path, resumed=False, seed=self._seed)

    def _is_asked(self, state: Any) -> bool:
        """Whether a person says what comes next."""
        return self.play.rolled if state.to_move == CHANCE else state.to_move in self._people

    def _go_on(self, state: Any) -> None:
        """Chance draws, or the advisor plays."""
        if state.to_move == CHANCE:
            # By seed and place in the game: a game taken up again goes on as it would have.
            self._do([drawn(state, random.Random(f"{self._seed} {len(self.moves)}"))])
            return
        first_two = list(itertools.islice(state.iter_legal_moves(), 2))
        if len(first_two) == 1:
            self._do(first_two)
        else:
            advice = self.advice()
            self._do([advice.best[0]], kind=advice.verdict.kind)

    def _turn(self) -> bool:
        """Show how the game stands and obey until something was played; False where the game is left."""
        advice = self.advice() if self.play.coached and self.state.to_move >= 0 else None
        self.shown.answer(self._standing(advice))
        before, record = len(self.moves), self.record
        while len(self.moves) == before and self.record is record:
            line = self.shown.ask(self._prompt(advice))
            word, _, rest = (line or "").strip().partition(" ")
            word = _OTHER_WORDS.get(word.lower(), word.lower())
            if line is None or word == "quit" or (not word and self.state.to_move == OVER):
                return False
            try:
                self._obey(word, rest.strip(), line.strip(), advice)
            except (ValueError, OSError) as error:
                self.shown.error(told(error))
        return True

    def _obey(self, word: str, rest: str, line: str, advice: Any) -> None:
        """Carry out one line of a person; raises ValueError and OSError."""
        words: dict[str, Callable[[], None]] = {
            "help": self._help, "moves": self._list, "undo": self._undo,
            "hint": lambda: self._hint(full=False), "why": lambda: self._hint(full=True),
            "show": lambda: self.shown.answer(self._standing(advice)),
        }
        if word in self.play.words and not rest:
            self.shown.answer(self.play.words[word][1](self.states, self.moves))
        elif word in words and not rest:
            words[word]()
        elif word == "save" and rest:
            self.record.copy_to(Path(rest))
            self.shown.say(f"Saved in {rest}.", file=rest)
        elif word == "resume" and rest:
            self._take(Record.load(Path(rest), self.record.game))
            self._greet(resumed=True)
        elif word in ("save", "resume"):
            raise BadText(f"name the file: {word} FILE")
        elif self.state.to_move == OVER:
            raise BadText("the game is over; Enter ends, undo takes back")
        elif not line:
            if advice is not None:
                # Of several that are best, the one that the advice goes on with.
                self._do([(advice.pv or advice.best)[0]])
        else:
            self._do(self._read(line))

    def _read(self, line: str) -> Sequence[Any]:
        """What a person typed: the number of a move that is listed, or the move itself."""
        if line.isdecimal() and not self.play.rolled:
            listed = self._listed()
            if 0 < int(line) <= len(listed):
                return [listed[int(line) - 1]]
        return self.play.read_moves(self.state, line)

    def _do(self, moves: Sequence[Any], **data: Any) -> None:
        """Play some moves, all or none, keep them, and say what was seen of them; raises IllegalMove."""
        states = [self.state]
        for move in moves:
            states.append(states[-1].play(move))
        self.record.moves += map(str, moves)
        self.record.save()
        self.states += states[1:]
        self.moves += moves
        for before, move, after in zip(states, moves, states[1:], strict=False):
            # What chance brings may be for one pair of eyes only.
            played = {} if before.to_move == CHANCE and self.face.view is not None else {"played": str(move)}
            text = self.play.told(before, move, after, self._reader(before))
            if text:
                self.shown.say(text, by=to_move(before), **played, **data)

    def _reader(self, state: Any) -> int:
        """Whose eyes are on the screen: those of the one person, or of the person to move."""
        return state.to_move if state.to_move in self._people else min(self._people)

    # ------------------------------------------------------------ what may be typed

    def _seen(self) -> Any:
        """What the reader knows."""
        return self.play.seen(self.states, self.moves, self._reader(self.state))

    def advice(self) -> Any:
        """What the advisor makes of the position, asked once a turn."""
        if self._advice is None or self._advice[0] != len(self.moves):
            seen = self.play.seen(self.states, self.moves, self.state.to_move)
            with Meter() as meter:
                found = self.face.advise(
                    seen, objective=self._objective, limits=self._limits, seed=len(self.moves), progress=meter.tell,
                    **{name: value for name, value in self._options.items() if value is not None},
                )
            self._advice = (len(self.moves), found)
        return self._advice[1]

    def _standing(self, advice: Any) -> Answer:
        """Where the game stands, and what is due."""
        if self.play.turn is not None:
            return self.play.turn(self.states, self.moves, advice, self._objective)
        state, seen = self.state, self._seen()
        due = {CHANCE: "roll", OVER: "end"}.get(state.to_move, "move")
        blocks: list[Block] = ["", *self.face.picture(seen, self._reader(state))]
        if state.to_move >= 0 and self.play.listed is not None:
            blocks.append(self._numbered())
        return Answer({**self.face.shown(seen), "waiting_for": due}, tuple(blocks))

    def _prompt(self, advice: Any) -> str:
        if self.play.prompt is not None:
            return self.play.prompt(self.states, self.moves, advice, self._objective)
        if self.state.to_move == OVER:
            return "The game is over; Enter ends, undo takes back: "
        return f"{self.play.seats[self.state.to_move]}> " if self.state.to_move >= 0 else "> "

    def _listed(self) -> list[Any]:
        """The moves that are listed, numbered from 1."""
        if self.play.listed is not None:
            return list(self.play.listed(self.state))
        few = list(itertools.islice(self.state.iter_legal_moves(), _LISTED + 1))
        return sorted(few) if len(few) <= _LISTED else few[:_LISTED]

    def _numbered(self) -> Rows:
        rows = [(str(number), str(move), self.face.describe(self.state, move))
                for number, move in enumerate(self._listed(), 1)]
        return Rows((), tuple(rows), (0,))

    def _list(self) -> None:
        listed, blocks = self._listed(), []
        if listed:
            blocks.append(self._numbered())
        self.shown.answer(Answer({"moves": [str(move) for move in listed]}, tuple(blocks) or ("There is no move.",)))

    def _hint(self, *, full: bool) -> None:
        if self.state.to_move < 0:
            raise BadText("nothing is to be decided now")
        advice = self.advice()
        if self.play.hint is not None:
            self.shown.answer(self.play.hint(self.states, self.moves, advice, self._objective))
            return
        seen = self.play.seen(self.states, self.moves, self.state.to_move)
        self.shown.answer(answered(self.face, seen, advice, str(self._objective), shown=None if full else _HINTED))

    def _undo(self) -> None:
        """Back to the last decision of a person."""
        place = next((at for at in reversed(range(len(self.moves))) if self._is_asked(self.states[at])), None)
        if place is None:
            raise BadText("there is no move of yours to take back")
        taken = tuple(self.moves[place:])
        del self.states[place + 1 :], self.moves[place:], self.record.moves[place:]
        self.record.save()
        self._advice = None
        self.shown.say(f"Taken back: {joined(taken)}" if self.play.rolled or self.face.view is None else "Taken back.")

    def _help(self) -> None:
        words = {**_HELP, **{word: text for word, (text, _) in self.play.words.items()}}
        rows = tuple(words.items())
        self.shown.answer(Answer({"message": "; ".join(f"{word}: {text}" for word, text in rows)}, (
            "Type a move, or one of these:" if not self.play.rolled else "Type a roll, a move, or one of these:",
            Rows((), rows),
        )))
