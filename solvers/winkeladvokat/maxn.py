"""Three and four players, on small positions: max^n, and what one player can force against all others together."""
from __future__ import annotations

from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move
from exactplay.solvers.limits import Budget
from exactplay.solvers.winkeladvokat.bridge import to_move
from exactplay.solvers.winkeladvokat.duel import OutOfMemory

Key = tuple[object, ...]

#: What a position kept with its value is charged, without the positions before it; rounded up from an estimate.
BYTES_A_POSITION = 1_000

#: One more for each of the earlier positions that are part of a position.
BYTES_AN_EARLIER_ONE = 40


class Memory:
    """What the positions kept may still take."""

    def __init__(self, table_bytes: int) -> None:
        self.left = table_bytes

    def take(self, at: Position) -> None:
        """Room for one position; raises OutOfMemory."""
        self.left -= BYTES_A_POSITION + BYTES_AN_EARLIER_ONE * len(at.earlier)
        if self.left < 0:
            raise OutOfMemory


class MaxN:
    """The vector of scores when everyone plays for his own score; a tie goes to the first move in the order of texts."""

    def __init__(self, budget: Budget, memory: Memory) -> None:
        self.budget, self.memory = budget, memory
        self.known: dict[Key, tuple[int, ...]] = {}

    def value(self, at: Position) -> tuple[int, ...]:
        """The vector of final scores; raises OutOfBudget."""
        if at.to_move == OVER:
            return at.scores()
        key = at.key()
        if key not in self.known:
            self.budget.poll()
            self.budget.check()
            self.memory.take(at)
            self.budget.spend(1)
            turn = at.turn
            best: tuple[int, ...] | None = None
            for _, after in at.successors():
                value = self.value(after)
                if best is None or value[turn] > best[turn]:
                    best = value
            assert best is not None
            self.known[key] = best
        return self.known[key]


class Paranoid:
    """The margin (own score less the best other) that one player can force when all others play against him."""

    def __init__(self, player: int, budget: Budget, memory: Memory) -> None:
        self.player, self.budget, self.memory = player, budget, memory
        self.known: dict[Key, int] = {}

    def value(self, at: Position) -> int:
        """The margin under best play of both sides; raises OutOfBudget."""
        if at.to_move == OVER:
            return margin(at.scores(), self.player)
        key = at.key()
        if key not in self.known:
            self.budget.poll()
            self.budget.check()
            self.memory.take(at)
            self.budget.spend(1)
            values = [self.value(after) for _, after in at.successors()]
            self.known[key] = max(values) if at.turn == self.player else min(values)
        return self.known[key]


def margin(scores: tuple[int, ...], player: int) -> int:
    """A player's score less the best score of the others."""
    return scores[player] - max(score for other, score in enumerate(scores) if other != player)


def successors(at: Position) -> list[tuple[list[Move], Position]]:
    """The positions that can come next, each with all moves that lead to it, in the order of the first texts."""
    return [([to_move(move) for move in alike], after) for alike, after in at.successors()]
