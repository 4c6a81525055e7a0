"""Three and four players, on small positions: max^n, and what one player can force against all others together."""
from __future__ import annotations

from exactplay.cython_core.winkeladvokat import WinkeladvokatPosition
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

    def take(self, at: WinkeladvokatPosition) -> None:
        """Room for one position; raises OutOfMemory."""
        self.left -= BYTES_A_POSITION + BYTES_AN_EARLIER_ONE * len(at.earlier())
        if self.left < 0:
            raise OutOfMemory


class MaxN:
    """The vector of scores when everyone plays for his own score; a tie goes to the first move in the order of texts."""

    def __init__(self, budget: Budget, memory: Memory) -> None:
        self.budget, self.memory = budget, memory
        self.known: dict[Key, tuple[int, ...]] = {}

    def value(self, at: WinkeladvokatPosition) -> tuple[int, ...]:
        """The vector of final scores; raises OutOfBudget."""
        if at.finished():
            return tuple(at.scores())
        key = _key(at)
        if key not in self.known:
            self.budget.poll()
            self.budget.check()
            self.memory.take(at)
            self.budget.spend(1)
            turn = at.fields()[0]
            best: tuple[int, ...] | None = None
            for _, after in successors(at):
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

    def value(self, at: WinkeladvokatPosition) -> int:
        """The margin under best play of both sides; raises OutOfBudget."""
        if at.finished():
            return margin(tuple(at.scores()), self.player)
        key = _key(at)
        if key not in self.known:
            self.budget.poll()
            self.budget.check()
            self.memory.take(at)
            self.budget.spend(1)
            values = [self.value(after) for _, after in successors(at)]
            self.known[key] = max(values) if at.fields()[0] == self.player else min(values)
        return self.known[key]


def margin(scores: tuple[int, ...], player: int) -> int:
    """A player's score less the best score of the others."""
    return scores[player] - max(score for other, score in enumerate(scores) if other != player)


def successors(at: WinkeladvokatPosition) -> list[tuple[list[Move], WinkeladvokatPosition]]:
    """The positions that can come next, each with all moves that lead to it, in the order of the first texts."""
    found: dict[Key, tuple[list[Move], WinkeladvokatPosition]] = {}
    for move, (capture, squares) in sorted((to_move(*move), move) for move in at.moves()):
        after = at.play(capture, squares)
        found.setdefault(_key(after), ([], after))[0].append(move)
    return list(found.values())


def _key(at: WinkeladvokatPosition) -> Key:
    # With moves_without_placing the earlier positions that can come back are part of the position.
    turn, articles, lawyers, supply, captured = at.fields()
    return turn, *articles, *lawyers, *supply, *captured, *sorted(at.earlier())
