"""Proofs of bounds in two-player games with open positions: one move for the prover, an answer to every reply.

That a player, the prover, gets at least some value is proven by a strategy of his. A proof lists it in the order of a
depth-first walk from the position asked about; the rules, not the file, say what the moves are:

- a position that the rules alone decide (:meth:`Question.bounds`), the end of the game above all: nothing is listed;
- a position that was proven before in the same walk: nothing;
- the prover to move: the number of his move in the sorted list of legal moves, from 0; the walk goes on after it;
- his opponent to move: the number of legal moves, so that a reply left out is noticed where it is missing; the walk goes
  on after each of them in order.

Numbers are varints: seven bits a byte, the lowest first, the eighth bit set on all bytes but the last. As a position
counts as proven only after everything below it, and a list ends, a walk that comes to its end is a proof: also where
positions can come back. The writers walk with the same function, so the two cannot disagree about the order.
"""
from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from exactplay.certificates.format import BadCertificate, Certificate, Progress, WrongCertificate
from exactplay.common.errors import quoted
from exactplay.rules.contract import OVER, State

S = TypeVar("S", bound=State[Any])

AT_LEAST: Final = "at least"
AT_MOST: Final = "at most"

_TELL_EVERY: Final = 500  # positions
_LONGEST_LINE: Final = 12  # moves that an error shows
_LARGEST_NUMBER: Final = 1 << 32
_LARGEST_VALUE: Final = 10**15
#: steps of one proof; a reader has to keep the positions in memory
MOST_STEPS: Final = 4_000_000
_UNKNOWN: Final = (-math.inf, math.inf)


@dataclasses.dataclass(frozen=True, slots=True)
class Question(abc.ABC, Generic[S]):
    """A position of a two-player game and whose value is asked for: that of player ``first``.

    What one player gets the other loses: the value of the other is the negative.
    """

    game: ClassVar[str] = ""

    root: S

    @property
    def first(self) -> int:
        """The player whose value is meant."""
        return 0

    @abc.abstractmethod
    def worth(self, state: S) -> int:
        """What the end of a game is worth to the first player."""

    @abc.abstractmethod
    def about(self) -> dict[str, Any]:
        """The question as plain data for a header; :meth:`of` reads it back."""

    @classmethod
    @abc.abstractmethod
    def of(cls, certificate: Certificate) -> Self:
        """The question of a certificate; raises a ValueError where it is none."""

    @abc.abstractmethod
    def __str__(self) -> str:
        """The question in one line for a reader, and whose value is meant."""

    def moves(self, state: S) -> Sequence[Any]:
        """The legal moves, sorted by text; raises :class:`Fails` where they are more than a reader can hold."""
        moves: Sequence[Any] = state.legal_moves()
        return moves

    def after(self, state: S, move: Any) -> S:
        """The position after a legal move."""
        return state.play(move)

    def bounds(self, state: S) -> tuple[float, float]:
        """What the rules alone say about the value to the first player: at least and at most; exact at the end."""
        if state.to_move == OVER:
            worth = self.worth(state)
            return worth, worth
        return _UNKNOWN


class Answers(Protocol):
    """What a walk asks for: the prover's moves, and whether every reply is answered. Read from a proof, or found."""

    def choice(self, state: Any, moves: Sequence[Any]) -> int:
        """The number of the prover's move."""

    def replies(self, state: Any, number: int) -> None:
        """Hear that a position has so many replies, which all come next."""


class Fails(Exception):
    """A step of a proof that is wrong, in words; the walk knows where it is."""


@dataclasses.dataclass(frozen=True, slots=True)
class Walked:
    """How much a proof was: different ``positions`` proven, prover's ``moves`` and ``replies`` played, ``ends`` met."""

    positions: int
    moves: int
    replies: int
    ends: int

    def __str__(self) -> str:
        return f"{self.positions:,} positions, {self.moves:,} moves, {self.replies:,} replies, {self.ends:,} ends"


def walk(
    question: Question[S], prover: int, least: int, answers: Answers, progress: Progress | None = None
) -> Walked:
    """Walk through a proof that a player gets at least ``least``; raises :class:`WrongCertificate`."""
    proven: set[S] = set()
    sign = 1 if prover == question.first else -1
    moves_played = replies_played = ends = 0
    # One entry a position on the way from the root: the position, the moves still to follow, the move being followed.
    path: list[tuple[S, Iterator[Any], list[Any]]] = []
    state: S | None = question.root
    try:
        while True:
            if state is not None and state not in proven:
                low, high = question.bounds(state)
                if (low if sign == 1 else -high) >= least:
                    ends += 1
                elif state.to_move == OVER:
                    bound = f"at least {least}" if sign == 1 else f"at most {-least}"
                    raise Fails(f"the game ends with {question.worth(state)}, not with {bound}")
                else:
                    moves = question.moves(state)
                    if not moves:
                        # Else every reply would be answered, as there are none.
                        raise Fails("the game goes on, and there is no legal move")
                    if state.to_move == prover:
                        number = answers.choice(state, moves)
                        if not 0 <= number < len(moves):
                            raise Fails(f"it plays move number {number}, and there are {len(moves)} legal moves")
                        moves = moves[number : number + 1]
                        moves_played += 1
                    else:
                        answers.replies(state, len(moves))
                        replies_played += len(moves)
                    path.append((state, iter(moves), []))
            if not path:
                break
            state = None
            at, left, followed = path[-1]
            for move in left:
                followed[:] = [move]
                state = question.after(at, move)
                break
            else:
                proven.add(at)
                path.pop()
                if progress is not None and len(proven) % _TELL_EVERY == 0:
                    progress(f"{len(proven):,} positions proven")
    except Fails as failure:
        line = [str(move) for _, _, followed in path for move in followed]
        missing = [f"{len(line) - _LONGEST_LINE} moves"] if len(line) > _LONGEST_LINE else []
        where = f"after {' / '.join([*missing, *line[-_LONGEST_LINE:]])}" if line else "at the beginning"
        raise WrongCertificate(f"{where}: {failure} (position {state})") from None
    return Walked(len(proven), moves_played, replies_played, ends)


class Reader:
    """The answers of a proof in a certificate."""

    def __init__(self, content: bytes) -> None:
        self._numbers = _numbers(content)
        self._steps = 0

    def choice(self, state: Any, moves: Sequence[Any]) -> int:
        """The next number; raises :class:`Fails` where none is left."""
        return self._next()

    def replies(self, state: Any, number: int) -> None:
        """Compare; raises :class:`Fails`."""
        answered = self._next()
        if answered != number:
            raise Fails(f"it answers {answered} replies, and there are {number} legal moves")

    def require_end(self) -> None:
        """Raise :class:`WrongCertificate` where something is left over."""
        if next(self._numbers, None) is not None:
            raise WrongCertificate("it goes on after its last position")

    def _next(self) -> int:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Fails(f"it has more than {MOST_STEPS:,} steps, which this exactplay does not follow")
        number = next(self._numbers, None)
        if number is None:
            raise Fails("it ends before every reply is answered")
        return number


class Recorder:
    """Finds the prover's moves and writes the proof down; ``choose`` gives the number of a move that proves the bound."""

    def __init__(self, choose: Callable[[Any, Sequence[Any]], int]) -> None:
        self._choose = choose
        self.content = bytearray()
        self.steps = 0

    def choice(self, state: Any, moves: Sequence[Any]) -> int:
        """Ask for the move and write its number."""
        number = self._choose(state, moves)
        self._write(number)
        return number

    def replies(self, state: Any, number: int) -> None:
        """Write the number of replies."""
        self._write(number)

    def _write(self, number: int) -> None:
        self.steps += 1
        while number >= 128:
            self.content.append(number & 127 | 128)
            number >>= 7
        self.content.append(number)


def _numbers(content: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if number >= _LARGEST_NUMBER or (shift > 7 and not byte):
            raise Fails("it holds a number that no writer writes")
        if byte < 128:
            yield number
            number = shift = 0
    if shift:
        raise Fails("its last number is cut off")


@dataclasses.dataclass(frozen=True, slots=True)
class Checked:
    """What a proof has shown: the value of a question lies between ``low`` and ``high``; ``walked`` is by section."""

    question: Question[Any]
    low: int
    high: int
    walked: dict[str, Walked]

    @property
    def proven(self) -> bool:
        """Whether all of it was checked: always, as the walk goes everywhere."""
        return True

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "game": self.question.game, **self.question.about(), "low": self.low, "high": self.high,
            "checked": {name: dataclasses.asdict(walked) for name, walked in self.walked.items()},
        }

    def lines(self) -> list[str]:
        """The same for a reader."""
        value = f"{self.low} (exact)" if self.low == self.high else f"between {self.low} and {self.high}"
        shown_bounds = [(AT_LEAST, self.low), (AT_MOST, self.high)]
        parts = [
            f"{name} {bound}: " + (f"proven by {self.walked[name]}" if name in self.walked else "so by the rules alone")
            for name, bound in shown_bounds
        ]
        return [f"{self.question}: {value}", *parts]


def certificate_of(question: Question[Any], low: int, high: int, proofs: dict[str, bytes]) -> Certificate:
    """A certificate that the value of a question lies between ``low`` and ``high``."""
    return Certificate(question.game, {**question.about(), "low": low, "high": high}, proofs)


def sides(question: Question[Any], low: int, high: int) -> Iterator[tuple[str, int, int]]:
    """The proofs that a certificate needs: section, prover, and what he gets at least."""
    least, most = question.bounds(question.root)
    if least < low:
        yield AT_LEAST, question.first, low
    if most > high:
        yield AT_MOST, 1 - question.first, -high


def check_proof(kind: type[Question[Any]], certificate: Certificate, progress: Progress | None = None) -> Checked:
    """Check a certificate move by move; raises :class:`BadCertificate` or :class:`WrongCertificate`."""
    low, high = certificate.field("low", int), certificate.field("high", int)
    if max(abs(low), abs(high)) > _LARGEST_VALUE:
        raise BadCertificate("its bounds are further from 0 than any game of ours goes")
    if low > high:
        raise BadCertificate(f"at least {low} and at most {high}: no value is both")
    question = kind.of(certificate)
    certificate.require_fields("low", "high", *question.about())
    needed = list(sides(question, low, high))
    names = [name for name, _, _ in needed]
    if sorted(certificate.sections) != sorted(names):
        raise BadCertificate(
            f"it has the proofs {quoted(sorted(certificate.sections))}, and what it says needs {sorted(names)}"
        )
    walked = {}
    for name, prover, least in needed:
        reader = Reader(certificate.sections[name])
        try:
            walked[name] = walk(question, prover, least, reader, progress)
            reader.require_end()
        except (WrongCertificate, Fails) as error:
            bound = low if name == AT_LEAST else high
            raise WrongCertificate(f"the proof of '{name} {bound}' fails: {error}") from None
    return Checked(question, low, high, walked)
