"""Exact values of two-player positions by proof-number search, driven over "still gains at least k"."""
from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from exactplay.common.files import write_whole
from exactplay.common.words import real
from exactplay.cython_core.winkeladvokat.position import Position
from exactplay.cython_core.winkeladvokat.proof_search import ProofSearch
from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winkeladvokat import Board, Move, Rules, State
from exactplay.solvers.limits import DEFAULT_MEMORY_MB, Budget, Limits, OutOfBudget
from exactplay.solvers.winkeladvokat.bridge import setting_of, to_move

#: The table's bounds are 16-bit numbers, and a question may be three times as far from 0 as a gain.
MOST_GAIN = 8_000

#: The proof number of what is refuted, the disproof number of what is proven.
INFINITE = 1 << 30

#: Megabytes that a table may be given. With less the answers that a search rests on do not stay in it.
LEAST_MEMORY = 0.01
MOST_MEMORY = 1_000_000

#: The first question about a position: does the player to move gain anything?
FIRST_QUESTION = 1

#: Nodes of a first look, which only has to say where the value may be (later looks get this part of the present effort),
#: and the ratio of proof to disproof number below which "yes" counts as likely: the longer the look, the smaller.
GLANCE = 500
GLANCE_PART = 200
LEANING = 0.4

#: The effort from which on both ends are asked as well, so that a long search has bounds to show.
NARROW_FROM = 5_000_000

#: Positions below which 16 nodes and more were searched go into a checkpoint: a small part of the table, most of the work.
LEAST_EFFORT_SAVED = 16

#: Positions asked about whose bounds are kept beside the table.
MOST_ASKED = 50_000


CONTRADICTION = "what the table has proven contradicts itself: the checkpoint that it was read from is wrong"


class OutOfMemory(OutOfBudget):
    """The limit of memory was reached before the question was answered."""

    def __init__(self) -> None:
        super().__init__("memory")


class InUse(RuntimeError):
    """A second thread asked a table that another one is asking."""


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """A legal move of a position, or several that lead to one position: the gain it brings and what comes after."""

    moves: tuple[Move, ...]
    gain: int
    after: Position


class Duel:
    """A transposition table for one board and one set of options, and the questions that it answers.

    Everything proven stays proven: a later question, with another limit, goes on from there. One thread at a time may ask
    (``with duel.asked_by(budget)``); a second one is refused with :class:`InUse`.
    """

    def __init__(self, board: Board, rules: Rules, megabytes: float = DEFAULT_MEMORY_MB) -> None:
        self.board, self.rules = board, rules
        megabytes = real(megabytes, "memory", LEAST_MEMORY, MOST_MEMORY)
        self._lock = threading.Lock()
        #: No game gains or loses more: every square may change from the opponent to the player, and every opposing Article
        #: (25 at most) may be captured.
        self.widest = 2 * sum(board.values) + 25 * (max(1, *board.values) if rules.captured_value == "square" else 1)
        if self.widest > MOST_GAIN:
            raise ValueError(
                f"the numbers on this board are too large for the solver: a game could change the score by {self.widest}, "
                f"and the most is {MOST_GAIN}"
            )
        self.proof = self.disproof = 1  # of the last question
        self.likely = FIRST_QUESTION  # the last k of which "yes" was likely
        self.endless_gains: dict[tuple[object, ...], int] = {}
        #: What has been proven of the positions asked about themselves: a small table may lose it again.
        self.asked: dict[bytes, tuple[int, int]] = {}
        self.search = ProofSearch(setting_of(board, rules, 2), int(megabytes * 2**20))

    @contextlib.contextmanager
    def asked_by(self, budget: Budget, listen: Callable[[], None] | None = None) -> Iterator[None]:
        """Ask within a budget; ``listen`` is called as often as the search polls."""
        if not self._lock.acquire(blocking=False):
            raise InUse("this table is being asked by another thread; give each thread a Duel of its own")
        before = self.search.poll

        def poll(nodes: int) -> bool:
            if listen is not None:
                listen()
            return budget.struck_by(nodes)

        self.search.poll = poll
        try:
            yield
        finally:
            self.search.poll = before
            self._lock.release()

    def proves(self, at: Position, k: int, budget: Budget, at_most: int | None = None) -> bool | None:
        """Whether the player to move still gains at least k; None where ``at_most`` nodes did not tell."""
        if at.to_move == OVER:
            return k <= 0
        if k <= -self.widest:
            return True
        if k > self.widest:
            return False
        if self._endless(at):
            return self._endless_gain(at, budget) >= k
        low, high = self._asked(at)
        if low >= k or high < k:
            self.proof, self.disproof = (0, INFINITE) if low >= k else (INFINITE, 0)
            return low >= k
        budget.check()
        nodes, before = budget.nodes_left, self.search.nodes
        try:
            answer, self.proof, self.disproof = self.search.prove(at, k, min(nodes, at_most or nodes))
        finally:
            budget.spend(self.search.nodes - before)
        if answer is not None:
            self._keep(at, (max(low, k), high) if answer else (low, min(high, k - 1)))
        if answer is None and self.search.full:
            raise OutOfMemory
        if answer is None:
            budget.check()
        return answer

    def bounds(self, at: Position) -> tuple[int, int]:
        """What is proven so far: the least and the most that the player to move still gains."""
        if at.to_move == OVER:
            return 0, 0
        if self._endless(at):
            gain = self.endless_gains.get(_history(at))
            return (-self.widest, self.widest) if gain is None else (gain, gain)
        low, high = self._asked(at)
        table_low, table_high = self.search.bounds(at)
        low, high = max(low, table_low), min(high, table_high)
        if low > high:
            raise BadText(CONTRADICTION)
        return low, high

    def _asked(self, at: Position) -> tuple[int, int]:
        return self.asked.get(at.pieces(), (-self.widest, self.widest))

    def _keep(self, at: Position, bounds: tuple[int, int]) -> None:
        key = at.pieces()
        self.asked.pop(key, None)
        self.asked[key] = bounds
        if len(self.asked) > MOST_ASKED:
            del self.asked[next(iter(self.asked))]

    def gain(self, at: Position, budget: Budget) -> int:
        """The exact gain of the player to move; raises :class:`OutOfBudget`.

        Find the k where "at least k" turns from likely to unlikely, then step from there by 1. The questions next to the
        value are the ones that must be answered; those a few steps off cost nearly as much and are not asked.
        """
        k, effort = FIRST_QUESTION, 100_000
        while True:
            k = self._most_doubtful(at, k, budget, max(GLANCE, effort // GLANCE_PART))
            low, high = self.bounds(at)
            if low == high:
                return low
            if self.proves(at, k, budget, effort) is None:
                if effort >= NARROW_FROM:
                    self._narrow(at, budget, effort // 32)
                effort *= 8

    def _most_doubtful(self, at: Position, first: int, budget: Budget, glance: int) -> int:
        leaning = LEANING * (GLANCE / glance) ** 0.5
        low, high = self.bounds(at)
        k, step = min(max(first, low + 1), high), 1
        up = down = False
        while low < high and not (up and down):
            # Away from the first question in growing steps, until the leaning turns.
            answer = self.proves(at, k, budget, glance)
            if self.proof < leaning * self.disproof if answer is None else answer:
                low, up, k = k, True, min(k + step, high)
            else:
                high, down, k = k - 1, True, max(k - step, low + 1)
            step *= 2
        while low < high:
            k = (low + high + 1) // 2
            answer = self.proves(at, k, budget, glance)
            if self.proof < leaning * self.disproof if answer is None else answer:
                low = k
            else:
                high = k - 1
        self.likely = low
        low, high = max(low, self.bounds(at)[0]), self.bounds(at)[1]
        return min(low + 1, high)

    def _narrow(self, at: Position, budget: Budget, effort: int) -> None:
        """Ask from both ends of what is proven, no single question for more than ``effort`` nodes.

        The step doubles while the answers go one way: far from the value they cost next to nothing.
        """
        for upwards in (True, False):
            step = 1
            while True:
                low, high = self.bounds(at)
                if low >= high:
                    return
                k = min(low + step, high) if upwards else max(high + 1 - step, low + 1)
                answer = self.proves(at, k, budget, effort)
                if answer is upwards:
                    step *= 2
                elif step > 1:
                    step = 1
                elif answer is None:
                    break

    def options(self, at: Position) -> list[Option]:
        """The legal moves, those that lead to one position together, in the order of their first texts."""
        before = margin(at, at.turn)
        return [
            Option(tuple(map(to_move, moves)), margin(after, at.turn) - before, after) for moves, after in at.successors()
        ]

    def holds(self, option: Option, least: int, budget: Budget, at_most: int | None = None) -> bool | None:
        """Whether a move brings its player at least ``least`` in the end; None where ``at_most`` nodes did not tell."""
        answer = self.proves(option.after, option.gain - least + 1, budget, at_most)
        return None if answer is None else not answer

    def effort_to_prove(self, option: Option, least: int) -> float:
        """How far a move is from being proven to bring ``least``: 0 proven, infinity refuted."""
        try:
            # The search sees the plainest cases without leaving a trace of them in the table: one node finds them again.
            answer = self.holds(option, least, Budget(Limits(nodes=8)), 2)
        except OutOfBudget:
            answer = None
        if answer is not None or self._endless(option.after):
            return 0.0 if answer else math.inf
        numbers = self.search.numbers(option.after, option.gain - least + 1)
        return math.inf if numbers is None else float(numbers[1])

    def line(self, at: Position, gain: int, first: Option | None, budget: Budget) -> list[Move]:
        """A principal variation from a position whose exact gain is known, as far as the budget goes."""
        moves: list[Move] = []
        try:
            while at.to_move != OVER:
                chosen = first or self.a_best(at, gain, budget)
                first = None
                moves.append(chosen.moves[0])
                gain, at = chosen.gain - gain, chosen.after
        except OutOfBudget:
            pass
        return moves

    def a_best(self, at: Position, gain: int, budget: Budget) -> Option:
        """A move that reaches the exact gain of a position; raises :class:`OutOfBudget`."""
        options = self.options(at)
        for option in options:
            # What the table knows costs nothing.
            if option.gain - self.bounds(option.after)[1] >= gain:
                return option
        effort = 16
        while True:
            refuted = 0
            for option in options:
                answer = self.holds(option, gain, budget, effort)
                if answer:
                    return option
                refuted += answer is False
            if refuted == len(options):
                raise BadText(CONTRADICTION)
            effort *= 4

    def _endless(self, at: Position) -> bool:
        return self.rules.empty_supply == "moves_without_placing" and not any(at.supply)

    def _endless_gain(self, at: Position, budget: Budget) -> int:
        # Positions can come back here, so the ones already seen twice are part of the question.
        key = _history(at)
        if key not in self.endless_gains:
            budget.check()
            before, earlier = self.search.nodes, at.earlier
            try:
                seen_twice = sorted({code for code in earlier if earlier.count(code) > 1})
                gain = self.search.endless(at, seen_twice, budget.nodes_left)
            finally:
                budget.spend(self.search.nodes - before)
            if gain is None:
                raise OutOfMemory if self.search.full else OutOfBudget(budget.struck or "nodes")
            self.endless_gains[key] = gain
        return self.endless_gains[key]

    # ---- checkpoints

    def save(self, path: Path, state: State, nodes_before: int = 0) -> None:
        """Write what is known of the positions that cost some nodes, whole or not at all.

        ``nodes_before`` were spent before the table was read from a checkpoint.
        """
        entries = self.search.entries(LEAST_EFFORT_SAVED)
        nodes = nodes_before + self.search.nodes
        header = {**self._identity(state), "sha256": sha256(entries).hexdigest(), "nodes": nodes}
        write_whole(path, json.dumps(header).encode() + b"\n" + entries)

    def load(self, path: Path, state: State) -> int:
        """Go on from a checkpoint; the nodes spent before it. Raises :class:`BadText` where it is another question's."""
        with path.open("rb") as stream:
            first, entries = stream.readline(), stream.read()
        try:
            header = json.loads(first)
            digest, nodes = header.pop("sha256"), int(header.pop("nodes"))
        except (ValueError, OverflowError, KeyError, AttributeError, TypeError, RecursionError):
            raise BadText(f"{path} is not a checkpoint of Winkeladvokat; delete it or name another file") from None
        if header != self._identity(state):
            raise BadText(f"{path} is the checkpoint of another position, board or set of rules; name another file")
        if digest != sha256(entries).hexdigest():
            raise BadText(f"{path} is damaged: its checksum does not fit; delete it and begin anew")
        if not self.search.add_entries(entries):
            raise BadText(f"{path} contradicts itself: it is no search's checkpoint; delete it and begin anew")
        return nodes

    def _identity(self, state: State) -> dict[str, object]:
        return {
            "format": "exactplay winkeladvokat checkpoint 1", "position": state.placement, "rules": self.rules.describe(),
            "values": list(self.board.values),
        }


def _history(at: Position) -> tuple[object, ...]:
    return at.pieces(), at.earlier


def margin(at: Position, player: int) -> int:
    """The score of a player less his opponent's."""
    scores = at.scores()
    return scores[player] - scores[1 - player]
