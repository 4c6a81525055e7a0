"""Advice within a round: the value of every legal decision, the plan, and which results each decision leads to."""
from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactplay.cython_core.winston84 import play
from exactplay.cython_core.winston84_advice import Adviser
from exactplay.rules.contract import CHANCE, OVER, IllegalPosition, Shown
from exactplay.rules.winston84 import Decision, Game, Place, Round
from exactplay.solvers.result import Effort, Exact, Result
from exactplay.solvers.winston84.outer import Solution
from exactplay.solvers.winston84.structure import (
    Floats,
    Structure,
    code_of,
    decision_of,
    load_structure,
    rolls_dice,
    utility_row,
    word_of,
)

# Two decisions tie when their values differ by less than this part of the greater one: rounding is far below it, and
# different probabilities of a few rolls of dice are far above it.
TIE = 1e-11


@dataclass(frozen=True)
class Advice(Shown):
    """What to do now.

    ``result`` holds the value of every legal decision and all best ones. ``plan``: the decisions of one best line up to
    the next roll or the end of the round. ``distributions``: for each decision the probability of each result of the
    round, float64[37], if play goes on optimally (among equals the first in the order of the decisions, or the lowest
    result). ``before_roll``: the value of the place before the round's roll, where one was asked about a game.
    """

    result: Result[Decision]
    plan: tuple[Decision, ...]
    distributions: Mapping[Decision, Floats]
    before_roll: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As Result.to_json, with ``decisions`` in place of ``moves``, the plan, the distributions and ``before_roll``."""
        data = self.result.to_json()
        data["decisions"] = data.pop("moves")
        del data["pv"]
        data["plan"] = [str(decision) for decision in self.plan]
        data["results"] = {
            str(decision): {str(r): float(p) for r, p in enumerate(row) if p > 0}
            for decision, row in self.distributions.items()
        }
        data["before_roll"] = self.before_roll
        return data


def advise(game: Game, solution: Solution) -> Advice:
    """Advice for a game in which a decision is due; the solution is one of its sheet, difficulty and rules.

    Raises IllegalPosition where dice must be rolled first, where the game is over, or for another game's solution.
    """
    if (game.sheet.digest, game.difficulty, game.rules) != (solution.sheet.digest, solution.difficulty, solution.rules):
        raise IllegalPosition("the solution is one of another sheet, difficulty or rules than the game's")
    if game.round is None or not isinstance(game.at, Place):
        raise IllegalPosition("the game is over: there is nothing to decide")
    advice = _advise(game.round, solution.utility(game.at), solution.table.structure)
    result = dataclasses.replace(advice.result, sources=solution.sources, notes=solution.notes(game.at))
    return dataclasses.replace(advice, result=result, before_roll=solution.value(game.at))


def advise_round(round: Round, utility: Iterable[float]) -> Advice:
    """Advice for one round on its own: ``utility`` has 37 entries, what each result from 0 to 36 is worth."""
    return _advise(round.check(), utility_row(utility), load_structure(round.rules))


def _advise(round: Round, utility: Floats, structure: Structure) -> Advice:
    if round.to_move == CHANCE:
        raise IllegalPosition(f"dice are about to be rolled ({round.dice}); give their values first")
    if round.to_move == OVER:
        raise IllegalPosition(f"the round is over with {round.dice}: there is nothing to decide")
    start = time.process_time()
    adviser = Adviser(structure.shared, structure.options, utility)
    code = code_of(round)
    valued = _ranked(adviser, code)
    plan = tuple(_plan(adviser, code, structure.options))
    distributions = {
        decision: adviser.distribution(play(code, word_of(decision), structure.options)) for decision, _ in valued
    }
    result = Result(
        Exact(max(value for _, value in valued)),
        {decision: Exact(value) for decision, value in valued},
        _best(valued),
        plan,
        Effort(nodes=adviser.states, seconds=time.process_time() - start),
        round.rules.describe(),
        (structure.source,),
    )
    return Advice(result, plan, distributions)


def _ranked(adviser: Adviser, code: int) -> list[tuple[Decision, float]]:
    """Every legal decision and its value, in the order of the decisions."""
    return sorted((decision_of(word), value) for word, value in adviser.decisions(code))


def _best(valued: list[tuple[Decision, float]]) -> tuple[Decision, ...]:
    """All decisions that tie for best."""
    top = max(value for _, value in valued)
    return tuple(decision for decision, value in valued if value >= top - TIE * max(abs(top), abs(value)))


def _plan(adviser: Adviser, code: int, options: int) -> Iterator[Decision]:
    """The first best decisions from a position on, up to the next roll or the end of the round."""
    while not rolls_dice(code):
        valued = _ranked(adviser, code)
        if not valued:
            return
        decision = _best(valued)[0]
        yield decision
        code = play(code, word_of(decision), options)
