"""Writing proofs for certificates: the shared part of each game's ``certificate`` module."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from exactplay.certificates.format import Certificate, Progress
from exactplay.certificates.proof import MOST_STEPS, Question, Recorder, certificate_of, sides, walk
from exactplay.rules.contract import OVER
from exactplay.solvers.result import Exact, Result

#: the number of a move that proves that the player to move gets at least so much: of a state, its moves, and what
Choose = Callable[[Any, Sequence[Any], int], int]


class NotProven(ValueError):
    """A question whose value could not be found within the limits, so that there is nothing to certify."""


class Deadline:
    """CPU seconds that finding a value and its proof may take together; None is no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds, self._start = seconds, time.process_time()

    @property
    def left(self) -> float | None:
        """CPU seconds left; raises :class:`NotProven` where none are."""
        if self._seconds is None:
            return None
        left = self._seconds - (time.process_time() - self._start)
        if left <= 0:
            raise self.missed
        return left

    @property
    def missed(self) -> NotProven:
        """The error that says so."""
        return NotProven(f"no proof within {self._seconds:g} CPU seconds; allow more, or take a later position")


def certify(
    question: Question[Any], value: int, choose: Choose, progress: Progress | None = None
) -> Certificate:
    """The certificate that a question has a value; ``choose`` knows the prover's moves."""
    proofs = {
        name: _proof(question, prover, least, choose, progress) for name, prover, least in sides(question, value, value)
    }
    return certificate_of(question, value, value, proofs)


def _proof(question: Question[Any], prover: int, least: int, choose: Choose, progress: Progress | None) -> bytes:
    def chosen(state: Any, moves: Sequence[Any]) -> int:
        if recorder.steps > MOST_STEPS:
            raise NotProven(f"its proof has more than {MOST_STEPS:,} steps, which no check follows; take a later position")
        return choose(state, moves, least)

    recorder = Recorder(chosen)
    walk(question, prover, least, recorder, progress)
    return bytes(recorder.content)


def value_of(result: Result[Any]) -> int:
    """The value of an exact result; raises :class:`NotProven` for any other."""
    if not isinstance(result.verdict, Exact) or not isinstance(result.verdict.value, int):
        raise NotProven(f"the value is not known: {result.verdict}; allow more time, or take a later position")
    return result.verdict.value


def chooser(question: Question[Any], values: Callable[[Any], Mapping[Any, int]]) -> Choose:
    """Choose by the values of all moves, which are those to the first player.

    Of the moves that prove the bound one that decides the game at once is best, then one with few replies: measured on
    positions of every game, this keeps proofs small.
    """

    def choose(state: Any, moves: Sequence[Any], least: int) -> int:
        sign = 1 if state.to_move == question.first else -1
        known = values(state)
        good: list[tuple[int, int]] = []
        for number, move in enumerate(moves):
            if move not in known or sign * known[move] < least:
                continue
            after = question.after(state, move)
            low, high = question.bounds(after)
            if after.to_move == OVER or (low if sign == 1 else -high) >= least:
                return number
            good.append((len(after.legal_moves()) if after.to_move != state.to_move else 1, number))
        if not good:
            raise NotProven(f"no move of {state} was proven to reach {sign * least}; allow more time")
        return min(good)[1]

    return choose
