"""Writing proofs for certificates: the shared part of each game's ``certificate`` module."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from exactplay.certificates.format import Certificate
from exactplay.certificates.proof import MOST_STEPS, Question, Recorder, certificate_of, sides, walk
from exactplay.rules.contract import OVER
from exactplay.solvers.limits import Budget, Limits, OutOfBudget, Progress
from exactplay.solvers.result import Exact, Result


class NotProven(ValueError):
    """A question whose value could not be found within the limits, so that there is nothing to certify."""


class Prover(Protocol):
    """A game's solver, as writing a proof asks it; both may raise OutOfBudget."""

    def value(self, state: Any, limits: Limits) -> Result[Any]:
        """The answer about the position that the certificate is for."""

    def choose(self, state: Any, moves: Sequence[Any], least: int, limits: Limits) -> int:
        """The number of a move that proves that the player to move gets at least so much; raises :class:`NotProven`."""


def certify(
    question: Question[Any], prover: Prover, limits: Limits | None = None, progress: Progress | None = None
) -> Certificate:
    """The certificate of a question's value. Raises :class:`NotProven` where the limits do not suffice."""
    budget = Budget(limits or Limits(), progress, what="steps")

    def proof(player: int, least: int) -> bytes:
        def chosen(state: Any, moves: Sequence[Any]) -> int:
            if recorder.steps > MOST_STEPS:
                steps = f"its proof has more than {MOST_STEPS:,} steps, which no check follows"
                raise NotProven(f"{steps}; take a later position")
            budget.check()
            budget.tell({"steps": recorder.steps})
            return prover.choose(state, moves, least, budget.within().limits)

        recorder = Recorder(chosen)
        walk(question, player, least, recorder)
        return bytes(recorder.content)

    try:
        value = _value_of(prover.value(question.root, budget.within().limits))
        proofs = {name: proof(player, least) for name, player, least in sides(question, value, value)}
    except OutOfBudget as struck:
        raise NotProven(f"no proof within the limit of {struck.limit}; allow more, or take a later position") from None
    return certificate_of(question, value, value, proofs)


def _value_of(result: Result[Any]) -> int:
    if not isinstance(result.verdict, Exact) or not isinstance(result.verdict.value, int):
        raise NotProven(f"the value is not known: {result.verdict}; allow more time, or take a later position")
    return result.verdict.value


class BySolving:
    """Proves by asking for the value of positions: ``solve(state, moves, limits)`` is the game's own ``solve``.

    ``moves`` says what is asked of the prover's positions: the value of all moves, of which the one that keeps the proof
    small is taken, or one best move, where the values of all take too long.
    """

    def __init__(
        self, question: Question[Any], solve: Callable[[Any, Any, Limits], Result[Any]], moves: Any = "all"
    ) -> None:
        self._question, self._solve, self._moves = question, solve, moves

    def value(self, state: Any, limits: Limits) -> Result[Any]:
        """As :meth:`Prover.value`."""
        return self._solve(state, "value", limits).pov(self._question.first)

    def choose(self, state: Any, moves: Sequence[Any], least: int, limits: Limits) -> int:
        """As :meth:`Prover.choose`."""
        number = deciding(self._question, state, moves, least)
        if number is not None:
            return number
        result = self._solve(state, self._moves, limits).pov(self._question.first)
        return easiest(self._question, state, moves, least, {
            move: verdict.value for move, verdict in result.moves.items()
            if isinstance(verdict, Exact) and isinstance(verdict.value, int)
        })


def deciding(question: Question[Any], state: Any, moves: Sequence[Any], least: int) -> int | None:
    """The number of a move after which the rules alone give the player to move so much, if there is one."""
    sign = 1 if state.to_move == question.first else -1
    for number, move in enumerate(moves):
        low, high = question.bounds(question.after(state, move))
        if (low if sign == 1 else -high) >= least:
            return number
    return None


def easiest(question: Question[Any], state: Any, moves: Sequence[Any], least: int, values: Mapping[Any, int]) -> int:
    """The number of the move with few replies among those whose value, to the first player, proves the bound.

    Measured on positions of every game, this keeps proofs small. Raises :class:`NotProven`.
    """
    sign = 1 if state.to_move == question.first else -1

    def replies(move: Any) -> int:
        after = question.after(state, move)
        return len(after.legal_moves()) if after.to_move not in (state.to_move, OVER) else 1

    good = [
        (replies(move), number) for number, move in enumerate(moves) if move in values and sign * values[move] >= least
    ]
    if not good:
        raise NotProven(f"no move of {state} was proven to reach {sign * least}; allow more time")
    return min(good)[1]
