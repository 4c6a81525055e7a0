"""What an answer may cost, how far it is, and how it is stopped: once for all games."""
from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from exactplay.common.words import real, whole

if TYPE_CHECKING:
    from exactplay.solvers.result import Result

NO_LIMIT: Final = 2**62  # nodes
DEFAULT_MEMORY_MB: Final = 512.0
REPORT_EVERY: Final = 0.2  # seconds between two reports


class OutOfBudget(Exception):
    """A limit has ended the work; what was proven by then stands. ``limit`` names it."""

    def __init__(self, limit: str = "nodes") -> None:
        super().__init__(f"the limit of {limit} was reached")
        self.limit = limit


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """What an answer may cost; None: no limit. Raises :class:`BadOption`.

    ``nodes``: positions searched. ``seconds``: on the clock, for a person who waits. ``cpu_seconds``: processor time of the
    calling thread, for benchmarks. ``memory_mb``: megabytes of tables (None: :data:`DEFAULT_MEMORY_MB`). ``threads``: at
    most so many at work. ``samples``: hidden worlds drawn at the most.
    """

    nodes: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    memory_mb: float | None = None
    threads: int = 1
    samples: int | None = None

    def __post_init__(self) -> None:
        for name, check, low, high in _CHECKS:
            value = getattr(self, name)
            if value is not None or name == "threads":
                object.__setattr__(self, name, check(value, name, low, high))

    @property
    def table_bytes(self) -> int:
        """Bytes that tables may take together."""
        return int((DEFAULT_MEMORY_MB if self.memory_mb is None else self.memory_mb) * 2**20)

    def to_json(self) -> dict[str, Any]:
        """The limits that are set."""
        return {name: value for name, value in dataclasses.asdict(self).items() if value is not None}


_CHECKS: Final[tuple[tuple[str, Callable[..., float], float, float], ...]] = (
    ("nodes", whole, 0, NO_LIMIT),
    ("seconds", real, 0.0, 1e9),
    ("cpu_seconds", real, 0.0, 1e9),
    ("memory_mb", real, 0.001, 2**20),
    ("threads", whole, 1, 1024),
    ("samples", whole, 2, 10**9),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """How far the work is.

    ``counts``: named numbers that grow (``nodes``, ``worlds``). ``total``: what the first of them grows to, where that is
    known. ``partial``: what the answer would be if the work ended now.
    """

    counts: Mapping[str, float]
    total: float | None = None
    partial: Result[Any] | None = None


Progress = Callable[[Report], None]


class Budget:
    """The limits of one question while it is answered.

    A kernel calls ``poll(nodes)`` now and then, which hears Ctrl-C, tells the progress and returns True to stop it.
    ``spend(nodes)`` books what a kernel used. ``check()`` raises :class:`OutOfBudget`.
    """

    def __init__(self, limits: Limits, progress: Progress | None = None, *, what: str = "nodes") -> None:
        self.limits, self._progress, self._what = limits, progress, what
        self._clock, self._cpu = time.monotonic(), time.thread_time()
        self._told = self._clock
        self.spent = 0

    @property
    def elapsed(self) -> float:
        """Seconds on the clock."""
        return time.monotonic() - self._clock

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of this thread."""
        return time.thread_time() - self._cpu

    @property
    def nodes_left(self) -> int:
        """Nodes that may still be searched."""
        return NO_LIMIT if self.limits.nodes is None else max(0, self.limits.nodes - self.spent)

    @property
    def seconds_left(self) -> float | None:
        """Seconds on the clock that are left; None: no limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.elapsed)

    @property
    def struck(self) -> str | None:
        """The limit that has been reached, by its name; None: none."""
        limits = self.limits
        if limits.nodes is not None and self.spent >= limits.nodes:
            return "nodes"
        if limits.seconds is not None and self.elapsed >= limits.seconds:
            return "seconds"
        if limits.cpu_seconds is not None and self.cpu_seconds >= limits.cpu_seconds:
            return "cpu_seconds"
        return None

    def check(self) -> None:
        """Raise :class:`OutOfBudget` where a limit has been reached."""
        if (limit := self.struck) is not None:
            raise OutOfBudget(limit)

    def struck_by(self, nodes: int) -> bool:
        """Whether a kernel that has searched so many nodes, not booked yet, has to stop."""
        return self.struck is not None or nodes >= self.nodes_left

    def spend(self, nodes: int) -> None:
        """Book nodes that were searched."""
        self.spent += nodes

    def poll(self, nodes: int = 0) -> bool:
        """Whether to stop; ``nodes`` are those of the running kernel, which are booked later."""
        self.tell({self._what: self.spent + nodes})
        return self.struck is not None

    def tell(
        self, counts: Mapping[str, float], total: float | None = None, partial: Callable[[], Result[Any]] | None = None
    ) -> None:
        """Report how far the work is, some times a second; ``partial`` is only called where a report is due."""
        now = time.monotonic()
        if self._progress is not None and now - self._told >= REPORT_EVERY:
            self._told = now
            self._progress(Report(counts, total, None if partial is None else partial()))

    def within(self, *, nodes: int | None = None, seconds: float | None = None) -> Budget:
        """A part of this budget: no more than is left of it, and no more than this. Tells no progress of its own."""
        left = self.limits
        lowest = [limit for limit in (seconds, self.seconds_left) if limit is not None]
        cpu = None if left.cpu_seconds is None else max(0.0, left.cpu_seconds - self.cpu_seconds)
        fewest = [limit for limit in (nodes, None if left.nodes is None else self.nodes_left) if limit is not None]
        return Budget(dataclasses.replace(
            left, nodes=min(fewest, default=None), seconds=min(lowest, default=None), cpu_seconds=cpu,
        ))
