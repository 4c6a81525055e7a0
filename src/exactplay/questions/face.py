"""What can be asked of a game, as data: one :class:`GameFace` a game.

The command line, the web application and the batch are built from it. An :class:`Ask` is one thing that can be asked, under
one name and with the same options everywhere; its answer is plain data for a program and blocks of text for a reader.
"""
from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from exactplay.common.words import one_of, real, spelled, whole
from exactplay.rules.contract import CHANCE, OVER, BadOption, RulesBase, quoted
from exactplay.solvers.limits import DEFAULT_MEMORY_MB, Limits, Progress, Report

Data = dict[str, Any]

#: text in one style of a terminal (rich's names), as part of a line
Span = tuple[str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Rows for a reader; ``right`` names the columns that are aligned to the right."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()


#: a line of text, a line of styled spans, or a table
Block = str | tuple[Span, ...] | Table


@dataclasses.dataclass(frozen=True, slots=True)
class Answer:
    """An answer: ``data`` for programs, ``blocks`` for a reader. ``code``: the exit code of the command."""

    data: Any
    blocks: tuple[Block, ...]
    code: int = 0


Kind = Literal["text", "whole", "real", "flag", "texts", "file"]


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """An option of an ask: ``--name`` on the command line, ``name`` in a batch and in the web API.

    ``argument``: on the command line it stands without a name, as a word in its place. ``needed``: there is no default.
    ``default`` None is "not given". ``choices`` closes the set. ``short`` is a one-letter name, ``aliases`` are more long
    ones.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    choices: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    argument: bool = False
    needed: bool = False
    short: str | None = None
    aliases: tuple[str, ...] = ()
    metavar: str | None = None

    def check(self, value: Any) -> Any:
        """The value as the ask takes it; raises :class:`BadOption`."""
        if value is None:
            if self.needed:
                raise BadOption(f"{self.name} is missing: {self.help}")
            return self.default
        match self.kind:
            case "whole":
                bounds = {} if self.high is None else {"high": int(self.high)}
                return whole(value, self.name, None if self.low is None else int(self.low), **bounds)
            case "real":
                return real(value, self.name, self.low, *(() if self.high is None else (self.high,)))
            case "flag":
                return one_of(value, (False, True), self.name)
            case "texts":
                if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
                    raise BadOption(f"{self.name} is {quoted(value)}; it must be a list of texts")
                return tuple(value)
        if self.choices is not None:
            return one_of(value, self.choices, self.name)
        if self.kind == "file":
            return str(value)
        if not isinstance(value, str):
            raise BadOption(f"{self.name} is {quoted(value)}; it must be text")
        return value


def options_given(options: Sequence[Option], given: Mapping[str, Any]) -> Data:
    """All options with their values, defaults filled in; raises :class:`BadOption` for a name that is unknown."""
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise BadOption(f"{quoted(name)} is unknown here; there are {', '.join(sorted(known)) or 'no options'}")
    return {option.name: option.check(given.get(option.name)) for option in options}


@dataclasses.dataclass(frozen=True, slots=True)
class Ask:
    """One thing that can be asked of a game.

    ``answer(position, progress, **options)`` where the ask is ``about`` a position, else ``answer(progress, **options)``.
    ``ruled``: an ask that is about no position takes the rule options as ``rules``. ``long``: it may take longer than a
    moment, so the web application makes it a job. ``faces``: where it can be asked.
    """

    name: str
    help: str
    answer: Callable[..., Answer]
    options: tuple[Option, ...] = ()
    about: bool = True
    ruled: bool = False
    long: bool = False
    faces: frozenset[str] = frozenset({"cli", "web", "batch"})


# ---------------------------------------------------------------- options that mean the same in every game

SECONDS = Option("seconds", "real", "Seconds on the clock; then what was proven or sampled by then.", low=0.0, high=1e9)
CPU_SECONDS = Option("cpu_seconds", "real", "CPU seconds, for benchmarks.", low=0.0, high=1e9)
NODES = Option("nodes", "whole", "Positions searched at the most.", low=1)
MEMORY = Option("memory", "real", "Megabytes of tables.", default=DEFAULT_MEMORY_MB, low=0.001, high=2**20)
THREADS = Option(
    "threads", "whole", "At most so many threads; the values are the same for any number.", default=1, low=1, high=1024
)
SAMPLES = Option("samples", "whole", "Hidden worlds drawn at the most.", low=2, high=10**9)
SEED = Option("seed", "whole", "The same seed draws the same.", low=0, high=2**62)
MOVES = Option(
    "moves", "text", "What to prove: the value and one best move, every best move, or the value of all moves.",
    default="best", choices=("value", "best", "all"),
)
SOLVING = (MOVES, SECONDS, NODES, MEMORY, THREADS)
ADVISING = (dataclasses.replace(SECONDS, default=10.0), SAMPLES, MEMORY, THREADS, dataclasses.replace(SEED, default=0))


def limits_of(options: Data) -> Limits:
    """Take the limits out of the options of an ask."""
    names = {"seconds": "seconds", "cpu_seconds": "cpu_seconds", "nodes": "nodes", "memory": "memory_mb",
             "threads": "threads", "samples": "samples"}
    found = {limit: options.pop(name) for name, limit in names.items() if name in options}
    return Limits(**{name: value for name, value in found.items() if value is not None})


# ---------------------------------------------------------------- a game

Position = Any  # a State, or a View where cards are hidden


@dataclasses.dataclass(frozen=True, slots=True)
class GameFace:
    """A game as it is asked about.

    ``name`` is that of its packages, ``command`` that of its commands. ``setting`` are the options that make up a position:
    the position's own text or JSON first, then what else may be said of it. ``read(given, options)`` makes a position of
    them under rule ``options`` that override its own. ``shown(position)`` is its plain data, ``picture(position, seat)``
    its drawing for a terminal as that seat sees it (None: as it is), ``describe(state, move)`` what a move does, in a few
    words.
    ``own`` are the asks that only this game has, or has in another way; the common ones are in
    :mod:`exactplay.questions.asks`. ``value_of(result, objective)`` says in words whose value of what a result is.
    ``folded(result)`` leaves one of moves that a reader takes for the same, ``question(line)`` reads a line of a batch that
    is in a form of the game's own.
    """

    name: str
    command: str
    title: str
    summary: str
    rules: type[RulesBase]
    state: type[Any]
    move: Any
    example: str
    players: tuple[int, int]
    objectives: tuple[str, ...]
    setting: tuple[Option, ...]
    read: Callable[[Mapping[str, Any], Mapping[str, Any]], Position]
    shown: Callable[[Position], Data]
    picture: Callable[[Position, int | None], tuple[Block, ...]]
    describe: Callable[[Any, Any], str]
    value_of: Callable[[Any, str], str]
    solve: Callable[..., Any]
    advise: Callable[..., Any]
    view: type[Any] | None = None
    solve_options: tuple[Option, ...] = ()
    advise_options: tuple[Option, ...] = ()
    deal: Callable[..., Any] | None = None
    deal_options: tuple[Option, ...] = ()
    certify: Callable[..., Any] | None = None
    certify_options: tuple[Option, ...] = ()
    own: tuple[Ask, ...] = ()
    play: Play | None = None
    folded: Callable[[Any], Any] | None = None
    question: Callable[[str], Data] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Play:
    """How a game is played at the table.

    ``seen(states, moves, seat)`` is what a seat knows after the moves (the last state where nothing is hidden).
    ``read_moves(state, text)`` reads what a person typed. ``told(before, move, after, seat)`` says what was seen to happen.
    ``rolled``: a person tells what chance brings; else it is drawn. ``think`` seconds are the advisor's for a move, and
    ``players`` is how many play if nothing is said. ``seats`` holds the letter of each seat, ``people`` those of the seats
    that people play if nothing is said.

    ``listed(state)`` are the moves that a person is shown at each turn, by number. ``coached``: advice comes unasked, and
    an empty line takes it. ``opened(state, objective)`` is said first, ``turn(states, moves, advice, objective)`` where the
    game stands, ``prompt`` (likewise) asks for the next line, ``hint(states, moves, advice, objective)`` is the whole
    advice; ``words`` is what else may be typed: a word -> (its help, what answers it). ``command`` is the name of the
    command; ``setup(state)`` and ``begin(setup)`` write and read the start of a kept game, where its text does not do.
    """

    seen: Callable[[Sequence[Any], Sequence[Any], int], Position]
    read_moves: Callable[[Any, str], tuple[Any, ...]]
    told: Callable[[Any, Any, Any, int], str]
    rolled: bool = False
    think: float = 2.0
    players: int = 2
    seats: str = "0123456789"
    people: str = "0"
    listed: Callable[[Any], Sequence[Any]] | None = None
    coached: bool = False
    opened: Callable[[Any, Any], Answer] | None = None
    turn: Callable[[Sequence[Any], Sequence[Any], Any, Any], Answer] | None = None
    prompt: Callable[[Sequence[Any], Sequence[Any], Any, Any], str] | None = None
    hint: Callable[[Sequence[Any], Sequence[Any], Any, Any], Answer] | None = None
    words: Mapping[str, tuple[str, Callable[..., Answer]]] = dataclasses.field(default_factory=dict)
    command: str = "play"
    setup: Callable[[Any], Data] | None = None
    begin: Callable[[Data], Any] | None = None


def drawn(state: Any, rng: random.Random) -> Any:
    """One outcome of a chance node, at its probability."""
    outcomes = state.chance_outcomes()
    return rng.choices([move for move, _ in outcomes], [float(probability) for _, probability in outcomes])[0]


def to_move(state: Any) -> int | str:
    """Whose turn it is, as JSON says it."""
    seat: int = state.to_move
    return {CHANCE: "chance", OVER: "over"}.get(seat, seat)


__all__ = [
    "ADVISING", "CPU_SECONDS", "MEMORY", "MOVES", "NODES", "SAMPLES", "SECONDS", "SEED", "SOLVING", "THREADS", "Answer",
    "Ask", "Block", "Data", "GameFace", "Option", "Play", "Position", "Progress", "Report", "Span", "Table", "drawn",
    "limits_of", "options_given", "spelled", "to_move",
]
