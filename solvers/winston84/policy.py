"""What the optimal policy brings about: the exact distribution of results and of final scores, and trade-offs."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactplay.rules.contract import BadText, Shown
from exactplay.rules.winston84 import LAST_ROUND, Difficulty, Objective, Place, Rules, Sheet, check_place, first_place
from exactplay.solvers.winston84.outer import OuterTable, Progress, Solution
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
    """The optimal policy of a table, ties broken by a second quantity, from a place on.

    ``results[i]`` holds, for each state of ``layers[i]``, the probability of each result, float64[n, 37]; ``second`` the
    expected second quantity, in the form of the table's values.
    """

    def __init__(
        self, table: OuterTable, second: Terminal, place: Place, progress: Progress | None = None
    ) -> None:
        table.fill(place)
        self.table = table
        self.place = place
        self.layers = table.layers(place)
        self.second = np.full(table.board.shape, np.nan)
        terminal = table.board.terminal(second)
        total, done = sum(len(layer.states) for layer in self.layers), 0
        following: list[Floats] = []
        for layer in reversed(self.layers):
            follow = table.structure.evaluators()[layer.family].follow
            both = np.hstack([table.utilities(layer), table.utilities(layer, self.second, terminal)])
            distinct, which = np.unique(both, axis=0, return_inverse=True)
            answers = [follow(row[:RESULTS].copy(), row[RESULTS:].copy()) for row in distinct]
            self.second[layer.index()] = np.array([expected for expected, _ in answers])[which]
            following.append(np.array([probabilities for _, probabilities in answers])[which])
            done += len(which)
            if progress is not None:
                progress(done, total)
        self.results = following[::-1]

    def outlook(self) -> Outlook:
        """The exact distribution of the final score."""
        table, board = self.table, self.table.board
        probability = np.zeros(board.shape)
        probability[board.index(self.place)] = 1.0
        won = np.zeros((LAST_ROUND + 1, len(board.sheet.golden_country) + 1, board.max_marks + 1))
        lost = 0.0
        for layer, results in zip(self.layers, self.results, strict=True):
            mass = probability[layer.index()]
            for r in table.structure.support[layer.family]:
                box, marks, fresh, golden = table.after(layer.states, r)
                share = mass * results[:, r]
                home = golden > 0
                np.add.at(won[layer.round], (golden[home], layer.states[home, 1]), share[home])
                on = ~home
                if layer.round == LAST_ROUND:
                    lost += float(share[on].sum())
                else:
                    np.add.at(probability[layer.round + 1], (box[on], marks[on], fresh[on]), share[on])
        scores: dict[int, float] = {}
        for (round, golden, marks), part in np.ndenumerate(won):
            if part > 0:
                score = board.score(round, golden, marks)
                scores[score] = scores.get(score, 0.0) + float(part)
        return Outlook(dict(sorted(scores.items())), lost)


def outlook(solution: Solution, place: Place | None = None, *, progress: Progress | None = None) -> Outlook:
    """What the optimal policy brings about from a place on (None: from the start); progress counts outer states."""
    place = check_place(solution.sheet, solution.difficulty, place or first_place(solution.difficulty))
    return Policy(solution.table, second_objective(solution.objective).utility, place, progress).outlook()


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
    progress: Progress | None = None,
) -> list[TradeOff]:
    """The trade-off between expected score and win probability: supported points of the Pareto front, by rising score.

    The ends are the win-optimal policy that scores most and the score-optimal one that wins most. Between them the widest
    gap is split by the weight that values both its ends equally, until there are ``points`` points or no more to find.
    Progress counts points.
    """
    if points < 2:
        raise BadText(f"a trade-off of {points} points; it has at least its two ends")
    rules = rules or Rules()
    board, structure, place = board_of(sheet, difficulty, rules), load_structure(rules), first_place(difficulty)
    score, win = Objective("score").utility, Objective("win").utility

    def optimum(weight: float, scale: float) -> TradeOff:
        def mixed(won: bool, points_: int) -> float:
            return (1 - weight) * points_ + weight * scale * won

        # The mixed value and one of its parts give the other part; a second pass would cost as much as the first.
        table = OuterTable(board, win if weight == 1 else mixed, structure)
        policy = Policy(table, score if weight == 1 else win, place)
        second, value = float(policy.second[board.index(place)]), float(table.values[board.index(place)])
        if weight == 1:
            return TradeOff(second, value, 1.0)
        return TradeOff((value - weight * scale * second) / (1 - weight), second, weight)

    safest, boldest = optimum(1.0, 0.0), optimum(0.0, 0.0)
    front = [safest, boldest]
    if safest.win <= 0 or boldest.score <= 0:
        return front[:1] if safest.score == boldest.score else front
    scale = boldest.score / safest.win
    open_gaps = [(safest, boldest)]
    while open_gaps and len(front) < points:
        if progress is not None:
            progress(len(front), points)
        gap = max(open_gaps, key=lambda ends: (ends[1].score - ends[0].score) / boldest.score + ends[0].win - ends[1].win)
        open_gaps.remove(gap)
        gain, loss = gap[1].score - gap[0].score, (gap[0].win - gap[1].win) * scale
        if gain <= 1e-9 * abs(boldest.score) or loss <= 1e-9 * abs(boldest.score):
            continue
        found = optimum(gain / (gain + loss), scale)
        # Above the line between the ends, or on it: then the front has no corner in between.
        above = (found.score - gap[0].score) / gain + (found.win - gap[0].win) * scale / loss
        if above <= 1e-9 or not gap[0].score < found.score < gap[1].score:
            continue
        front.append(found)
        open_gaps += [(gap[0], found), (found, gap[1])]
    return sorted(front, key=lambda point: point.score)
