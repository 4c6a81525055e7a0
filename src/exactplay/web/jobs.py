"""The pool in which long questions are answered: one process a job, so that a job can be ended at any moment.

Everything here runs in the event loop, except :meth:`Pool._work`, one thread a running job, which waits for its process.
"""
from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import multiprocessing
import secrets
import signal
import threading
import time
from collections.abc import AsyncIterator
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any, Literal

from exactplay.questions import COMMANDS
from exactplay.web.settings import Settings
from exactplay.web.worker import Task, run

#: Seconds between two signs of life on a stream of events.
KEEP_ALIVE = 15.0

#: A process gets this many times its CPU seconds on the clock, as processors may be shared.
CLOCK = 4.0

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Data = dict[str, Any]


class Full(Exception):
    """No more jobs are taken now."""


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """What a job is to answer. Two questions are the same where ``game``, ``ask`` and ``about`` are."""

    game: str
    ask: str
    about: Data
    task: Task

    @property
    def key(self) -> str:
        """The same text for the same question."""
        return json.dumps([self.game, self.ask, self.about], sort_keys=True)


class Job:
    """One question on its way to an answer."""

    def __init__(self, question: Question) -> None:
        self.id = secrets.token_hex(8)
        self.question = question
        self.status: Status = "waiting"
        self.progress: Data | None = None
        self.partial: Data | None = None
        self.result: Data | None = None
        self.error: str | None = None
        self.begun: float | None = None
        self.ended: float | None = None
        self.listeners = 0
        self.lease: asyncio.TimerHandle | None = None
        self.process: multiprocessing.process.BaseProcess | None = None
        self._changed = asyncio.Event()

    @property
    def over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in ("done", "failed", "cancelled")

    def snapshot(self) -> Data:
        """The job as plain data."""
        until = self.ended or time.monotonic()
        return {
            "id": self.id, "game": self.question.game, "ask": self.question.ask, "about": self.question.about,
            "status": self.status, "seconds": round(until - self.begun, 3) if self.begun else 0.0,
            "progress": self.progress, "partial": self.partial, "result": self.result, "error": self.error,
        }

    def change(self) -> None:
        """Wake whoever waits for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def changes(self) -> AsyncIterator[Data | None]:
        """The snapshot now and after each change until the job is over; None is a sign of life."""
        while True:
            changed = self._changed
            yield self.snapshot()
            if self.over:
                return
            while True:
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE)
                    break
                except TimeoutError:
                    yield None


class Pool:
    """At most so many jobs at a time, and so many more that wait."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._jobs: dict[str, Job] = {}
        self._by_key: dict[str, Job] = {}
        self._closed = False
        # Copies of one process that has everything imported begin within some milliseconds.
        self._context: ForkServerContext | SpawnContext = multiprocessing.get_context("spawn")
        if "forkserver" in multiprocessing.get_all_start_methods():
            self._context = multiprocessing.get_context("forkserver")
            games = [f"exactplay.questions.{about.module}" for about in COMMANDS.values()]
            self._context.set_forkserver_preload([*games, "exactplay.web.tasks", "exactplay.__main__"])

    def warm(self) -> None:
        """Have everything imported before the first job comes; returns at once."""
        if isinstance(self._context, ForkServerContext):
            from multiprocessing.forkserver import ensure_running  # Windows lacks what it imports

            ensure_running()

    def jobs(self) -> list[Job]:
        """All jobs that are known, oldest first."""
        return list(self._jobs.values())

    def get(self, id: str) -> Job | None:
        """A job by its id."""
        return self._jobs.get(id)

    def ask(self, question: Question) -> Job:
        """The job of a question: the one that is at it or has answered it, else a new one; raises :class:`Full`."""
        known = self._by_key.get(question.key)
        if known is not None and known.status not in ("failed", "cancelled"):
            self._renew(known)
            return known
        if self._closed:
            raise Full("the server is stopping")
        open_jobs = sum(not job.over for job in self._jobs.values())
        if open_jobs >= self._settings.workers + self._settings.waiting:
            raise Full(f"all {self._settings.workers} workers are busy and {self._settings.waiting} questions wait; "
                       "try again later or cancel one")
        job = Job(question)
        self._jobs[job.id] = self._by_key[question.key] = job
        self._renew(job)
        self._start_next()
        return job

    def cancel(self, job: Job, why: str = "cancelled") -> None:
        """End a job now; what it had found stays in ``partial``."""
        if not job.over:
            self._end(job, "cancelled", error=why)

    async def listen(self, job: Job) -> AsyncIterator[Data | None]:
        """As ``job.changes()``, counted as a listener; the job ends a little after the last one has gone."""
        job.listeners += 1
        if job.lease is not None:
            job.lease.cancel()
        try:
            async for snapshot in job.changes():
                yield snapshot
        finally:
            job.listeners -= 1
            self._renew(job)

    def touch(self, job: Job) -> None:
        """Somebody has asked how the job is: that is a sign of interest."""
        self._renew(job)

    def close(self) -> None:
        """End every job, and take no more."""
        self._closed = True
        for job in self.jobs():
            self.cancel(job, "the server was stopped")

    # ------------------------------------------------------------------ the course of a job

    def _renew(self, job: Job) -> None:
        if job.lease is not None:
            job.lease.cancel()
        if not job.over and not job.listeners:
            loop = asyncio.get_running_loop()
            job.lease = loop.call_later(self._settings.grace, self.cancel, job, "nobody was listening any more")

    def _start_next(self) -> None:
        running = sum(job.status == "running" for job in self._jobs.values())
        waiting = [job for job in self._jobs.values() if job.status == "waiting"]
        for job in waiting[: max(0, self._settings.workers - running)]:
            job.status, job.begun = "running", time.monotonic()
            threading.Thread(target=self._work, args=(job, asyncio.get_running_loop()), daemon=True).start()
            job.change()

    def _work(self, job: Job, loop: asyncio.AbstractEventLoop) -> None:
        """Start the process of a job, pass on what it says, see it end. Runs in a thread of its own."""

        def tell(kind: str, data: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed: the server is stopping
                loop.call_soon_threadsafe(self._hear, job, kind, data)

        settings = self._settings
        limit = settings.seconds + settings.slack
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=run, args=(theirs, job.question.task, limit, settings.megabytes), daemon=True
        )
        try:
            process.start()
        except Exception as error:
            tell("error", f"no process could be started ({error})")
            return
        finally:
            theirs.close()
        job.process = process
        if job.over:
            process.kill()
        # On the clock as well: a process that waits for something uses no processor time.
        deadline = time.monotonic() + CLOCK * limit
        answered = False
        with ours, contextlib.suppress(EOFError, OSError):
            while not answered and ours.poll(max(0.0, deadline - time.monotonic())):
                kind, data = ours.recv()
                answered = kind in ("result", "error")
                tell(kind, data)
        if answered:
            process.join(5.0)
        process.kill()
        process.join()
        if not answered:
            tell("error", self._why_it_died(process.exitcode))
        process.close()

    def _why_it_died(self, code: int | None) -> str:
        if code in (-getattr(signal, "SIGXCPU", 0), -getattr(signal, "SIGKILL", 0)):
            return f"this takes longer than the {self._settings.seconds:g} CPU seconds that a job may take"
        return "the solver's process ended without an answer"

    def _hear(self, job: Job, kind: str, data: Any) -> None:
        if job.over:
            return
        if kind == "progress":
            job.progress = data
            job.change()
        elif kind == "partial":
            job.partial = data
            job.change()
        elif kind == "result":
            self._end(job, "done", result=data)
        else:
            self._end(job, "failed", error=data)

    def _end(self, job: Job, status: Status, *, result: Data | None = None, error: str | None = None) -> None:
        job.status, job.result, job.error, job.ended = status, result, error, time.monotonic()
        if job.lease is not None:
            job.lease.cancel()
        if job.process is not None and status == "cancelled":
            with contextlib.suppress(ValueError):  # closed already
                job.process.kill()
        job.change()
        self._forget()
        self._start_next()

    def _forget(self) -> None:
        over = [job for job in self._jobs.values() if job.over]
        for job in over[: max(0, len(over) - self._settings.kept)]:
            del self._jobs[job.id]
            if self._by_key.get(job.question.key) is job:
                del self._by_key[job.question.key]
