"""What the optimal policy brings about: the exact distribution of results and of final scores, and trade-offs."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactplay.common.words import whole
from exactplay.rules.contract import Shown
from exactplay.rules.winston84 import LAST_ROUND, Difficulty, Objective, Place, Rules, Sheet, check_place, first_place
from exactplay.solvers import tables
from exactplay.solvers.limits import Budget, Limits, Progress, Report
from exactplay.solvers.winston84.outer import Layer, OuterTable, Solution, distinct_rows
from exactplay.solvers.winston84.sheets import Terminal, board_of
from exactplay.solvers.winston84.structure import RESULTS, Floats, load_structure


@dataclass(frozen=True)
class Outlook(Shown):
    """What to expect from a place on, exactly: the probability of each final score of a won game, and of losing.

    Among optimal decisions the policy takes those that are better for the second objective: the win probability where the
    score is the objective, the expected score elsewhere.
    """

    scores: dict[int, float]
    lost: float

    @property
    def win_probability(self) -> float:
        """The probability to reach the Golden Country."""
        return sum(self.scores.values())

    @property
    def expected_score(self) -> float:
        """The expected final score; a lost game counts 0."""
        return sum(score * probability for score, probability in self.scores.items())


def second_objective(objective: Objective) -> Objective:
    """What decides between decisions that are equal for an objective."""
    return Objective("win") if objective.kind == "score" else Objective("score")


class Policy:
    """The optimal policy of a table, ties broken by a second quantity, wherever :meth:`fill` has been.

    ``second`` holds the expected second quantity, in the form of the table's values; what nothing has asked for is NaN.
    """

    def __init__(self, table: OuterTable, second: Terminal) -> None:
        self.table = table
        self.terminal = table.board.terminal(second)
        self.second = np.full(table.board.shape, np.nan)
        self._row = np.zeros(table.board.shape, np.int64)  # of a state in _results
        self._results = np.zeros((0, RESULTS))  # how probable each result is

    def fill(self, place: Place, budget: Budget | None = None) -> None:
        """Fix the choices of every state that is reachable from a place and not known yet.

        Ctrl-C and OutOfBudget leave it as far as it got, and every number in it right.
        """
        budget = budget or Budget(Limits())
        self.table.fill(place, budget)
        layers = self.table.layers(place, unknown_in=self.second)
        total, done = sum(len(layer.states) for layer in layers), 0
        for layer in reversed(layers):
            follow = self.table.structure.evaluators()[layer.family].follow
            both = np.hstack([self.table.utilities(layer), self.table.utilities(layer, self.second, self.terminal)])
            distinct, which = distinct_rows(both)
            answers = []
            for row in distinct:
                budget.check()
                answers.append(follow(row[:RESULTS].copy(), row[RESULTS:].copy()))
            self._row[layer.index()] = len(self._results) + which
            self._results = np.vstack([self._results, *(probabilities for _, probabilities in answers)])
            self.second[layer.index()] = np.array([expected for expected, _ in answers])[which]
            done += len(which)
            budget.spend(len(which))
            budget.tell({"places": done}, total)

    def to_arrays(self) -> tables.Arrays:
        """All choices that are fixed, as the arrays of a table file."""
        known = np.flatnonzero(np.isfinite(self.second))
        return {
            "state": known.astype(np.uint32),
            "second": self.second.reshape(-1)[known],
            "row": self._row.reshape(-1)[known].astype(np.uint32),
            "results": self._results,
        }

    def load(self, arrays: tables.Arrays) -> None:
        """Take over what :meth:`to_arrays` gave, in place of what is known."""
        self.second[:] = np.nan
        self.second.reshape(-1)[arrays["state"]] = arrays["second"]
        self._row.reshape(-1)[arrays["state"]] = arrays["row"]
        self._results = np.array(arrays["results"])

    def value(self, place: Place) -> float:
        """The expected second quantity from a place on."""
        self.fill(place)
        return float(self.second[self.table.board.index(place)])

    def outlook(self, place: Place) -> Outlook:
        """The exact distribution of the final score from a place on."""
        self.fill(place)
        forward = _Forward(self.table, 1)
        forward.on[self.table.board.index(place)[1:]] = 1.0
        return self._to_the_end(forward, place.round)[0]

    def outlooks(self, place: Place, results: Floats) -> list[Outlook]:
        """The same from the end of the round at a place, for each row of probabilities of its results, float64[n, 37]."""
        self.fill(place)
        forward = _Forward(self.table, len(results))
        forward.advance(self.table.layer_of(place), np.ones((1, len(results))), results.T[None])
        return self._to_the_end(forward, place.round + 1)

    def second_utility(self, place: Place) -> Floats:
        """What each result of the round is worth at a place in the second quantity, float64[37]."""
        self.fill(place)
        row: Floats = self.table.utilities(self.table.layer_of(place), self.second, self.terminal)[0]
        return row

    def _to_the_end(self, forward: _Forward, round: int) -> list[Outlook]:
        for at in range(round, LAST_ROUND + 1):
            mass, forward.on = forward.on, np.zeros_like(forward.on)
            for layer in self.table.by_family(at, np.asarray(mass.any(axis=-1))):
                index = layer.index()
                forward.advance(layer, mass[index[1:]], self._results[self._row[index]][:, :, None])
        return forward.outlooks()


class _Forward:
    """Probabilities that are carried forward through the rounds, ``n`` distributions side by side in the last axis.

    ``on``: of the states before the next round; ``won``: of wins by round, Golden Country boxes and marks; ``lost``.
    """

    def __init__(self, table: OuterTable, n: int) -> None:
        board = table.board
        self.table = table
        self.on = np.zeros((*board.shape[1:], n))
        self.won = np.zeros((LAST_ROUND + 1, len(board.sheet.golden_country) + 1, board.max_marks + 1, n))
        self.lost = np.zeros(n)

    def advance(self, layer: Layer, mass: Floats, results: Floats) -> None:
        """One round: ``mass`` float64[states, n]; ``results`` how probable each result is, float64[states, 37, n or 1]."""
        for r in self.table.structure.support[layer.family]:
            box, marks, fresh, golden = self.table.after(layer.states, r)
            share = mass * results[:, r]
            home, away = golden > 0, golden == 0
            np.add.at(self.won[layer.round], (golden[home], layer.states[home, 1]), share[home])
            if layer.round == LAST_ROUND:
                self.lost += share[away].sum(axis=0)
            else:
                np.add.at(self.on, (box[away], marks[away], fresh[away]), share[away])

    def outlooks(self) -> list[Outlook]:
        """What the wins and losses come to."""
        board = self.table.board
        wins = [
            (board.score(round, golden, marks), self.won[round, golden, marks])
            for round, golden, marks in np.argwhere(self.won.any(axis=-1)).tolist()
        ]
        found = []
        for i, lost in enumerate(self.lost.tolist()):
            scores: dict[int, float] = {}
            for score, parts in wins:
                if parts[i] > 0:
                    scores[score] = scores.get(score, 0.0) + float(parts[i])
            found.append(Outlook(dict(sorted(scores.items())), lost))
        return found


def outlook(
    solution: Solution, place: Place | None = None, *, limits: Limits | None = None, progress: Progress | None = None
) -> Outlook:
    """What the optimal policy brings about from a place on (None: from the start); limits and progress count places.

    Raises :class:`OutOfBudget`.
    """
    place = check_place(solution.sheet, solution.difficulty, place or first_place(solution.difficulty))
    policy = Policy(solution.table, second_objective(solution.objective).utility)
    policy.fill(place, Budget(limits or Limits(), progress))
    return policy.outlook(place)


@dataclass(frozen=True)
class TradeOff:
    """A policy that no other beats in both: its expected score and its win probability.

    It is optimal for (1 - weight) x score + weight x win x scale, where scale is the optimal expected score over the
    optimal win probability.
    """

    score: float
    win: float
    weight: float


def trade_off(
    sheet: Sheet,
    difficulty: Difficulty,
    rules: Rules | None = None,
    *,
    points: int = 9,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> list[TradeOff]:
    """The trade-off between expected score and win probability: supported points of the Pareto front, by rising score.

    The ends are the win-optimal policy that scores most and the score-optimal one that wins most. Between them the widest
    gap is split by the weight that values both its ends equally, until there are ``points`` points or no more to find.
    A report tells each point as it is found, and between them how far the next one is. Raises :class:`OutOfBudget`.
    """
    points = whole(points, "points", 2)
    front: list[TradeOff] = []

    def tell(within: Report | None = None) -> None:
        if progress is not None:
            last = {"score": front[-1].score, "per cent won": 100 * front[-1].win} if front else {}
            progress(Report({"points": len(front), **last, **(within.counts if within else {})}, points))

    for point in _supported(sheet, difficulty, rules or Rules(), points, Budget(limits or Limits(), tell)):
        front.append(point)
        tell()
    return sorted(front, key=lambda point: point.score)


def _supported(sheet: Sheet, difficulty: Difficulty, rules: Rules, points: int, budget: Budget) -> Iterator[TradeOff]:
    """The points of the trade-off as they are found: its ends, then what splits the widest gap."""
    board, structure, place = board_of(sheet, difficulty, rules), load_structure(rules), first_place(difficulty)
    score, win = Objective("score").utility, Objective("win").utility

    def optimum(weight: float, scale: float) -> TradeOff:
        def mixed(won: bool, points_: int) -> float:
            return (1 - weight) * points_ + weight * scale * won

        # The mixed value and one of its parts give the other part; a second pass would cost as much as the first.
        table = OuterTable(board, win if weight == 1 else mixed, structure)
        policy = Policy(table, score if weight == 1 else win)
        policy.fill(place, budget)
        second, value = policy.value(place), float(table.values[board.index(place)])
        if weight == 1:
            return TradeOff(second, value, 1.0)
        return TradeOff((value - weight * scale * second) / (1 - weight), second, weight)

    safest = optimum(1.0, 0.0)
    yield safest
    boldest = optimum(0.0, 0.0)
    if boldest.score <= 0 and safest.score == boldest.score:
        return
    yield boldest
    if boldest.score <= 0:
        return
    scale = boldest.score / safest.win
    open_gaps, found = [(safest, boldest)], 2
    while open_gaps and found < points:
        gap = max(open_gaps, key=lambda ends: (ends[1].score - ends[0].score) / boldest.score + ends[0].win - ends[1].win)
        open_gaps.remove(gap)
        gain, loss = gap[1].score - gap[0].score, (gap[0].win - gap[1].win) * scale
        if min(gain, loss) <= 1e-9 * boldest.score:
            continue
        between = optimum(gain / (gain + loss), scale)
        # Above the line between the ends, or on it: then the front has no corner in between.
        above = (between.score - gap[0].score) / gain + (between.win - gap[0].win) * scale / loss
        if above <= 1e-9 or not gap[0].score < between.score < gap[1].score:
            continue
        yield between
        found += 1
        open_gaps += [(gap[0], between), (between, gap[1])]
