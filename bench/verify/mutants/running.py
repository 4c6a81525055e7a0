"""Running the tests on mutants: most by changing the functions of a process that has imported and collected everything.

One process imports and collects the tests once and records which functions each test calls. For each mutant it forks, puts
the changed code into the living functions, and runs those tests. That is what a new import would give unless the change
lies outside of functions, or in one that the import itself calls: there a process of its own imports the changed source.
"""
from __future__ import annotations

import gc
import importlib.util
import inspect
import io
import os
import pickle
import resource
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import accumulate
from math import inf
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from bench import ROOT
from bench.verify.mutants.making import Mutant

#: a function of a source file: path, qualified name, first line
Key = tuple[str, str, int]

#: how often a silent process is looked at, in seconds
POLL = 0.5

#: CPU seconds of recorded tests for one mutant; where the slower ones after them would kill it, it counts as a survivor
MOST = 12.0


def a_child(work: Callable[[Callable[[Any], None]], Any], may: Callable[[Any], float] | None = None) -> Iterator[Any]:
    """What a forked process says and, last, what its work returns; nothing more comes if it dies.

    ``may`` gives the CPU seconds that it and its own children may use after each of its words; beyond that they are killed.
    (A limit set by the system would do so, too, but under one Linux tells CPU time in ticks; tests of limits need more.)
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            if may:
                os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            with os.fdopen(writing, "wb", buffering=0) as pipe:

                def say(word: Any) -> None:
                    pipe.write(pickle.dumps(word))

                say(work(say))
        finally:
            os._exit(0)
    os.close(writing)
    if may:
        with suppress(ProcessLookupError, PermissionError):  # the child does so itself; whoever comes first
            os.setpgid(child, child)
    try:
        yield from _words(reading, child, may)
    finally:
        os.close(reading)
        if may:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _words(reading: int, child: int, may: Callable[[Any], float] | None) -> Iterator[Any]:
    heard, allowed, until, waited = b"", may(None) if may else inf, inf, 0
    while True:
        if may and not select.select([reading], [], [], POLL)[0]:
            # What it used is only asked once it makes us wait. One that waits itself uses nothing: hence the other bound.
            used, waited = _used(child), waited + 1
            until = min(until, used + allowed)
            if used > until or waited * POLL > 60 + 20 * allowed:
                return
            continue
        if not (more := os.read(reading, 1 << 16)):
            return
        heard += more
        while heard:
            stream = io.BytesIO(heard)
            try:
                word = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                break
            heard = heard[stream.tell() :]
            allowed, until, waited = may(word) if may else inf, inf, 0
            yield word


def _used(group: int) -> float:
    """CPU seconds of the processes of a group, and of their children that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15])) if int(fields[2]) == group else 0
    return ticks / os.sysconf("SC_CLK_TCK")


class Plugin:
    """Gives the collected tests to a function instead of running them."""

    def __init__(self, work: Callable[[pytest.Session], None]) -> None:
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """The first failure counts, not the smallest; and the same examples for every mutant."""
        settings.register_profile("mutants", settings.get_profile("exactplay-ci"), phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's."""
        self.work(session)
        return True


def pytest_says(tests: list[str], work: Callable[[pytest.Session], None]) -> str | None:
    """Collect the tests and do the work with them; what is wrong if they cannot be collected."""
    # Failures are never read: assertions need not explain themselves. A recorded test is slow, a busy machine slower still.
    options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "-o", "timeout=3000"]
    status = pytest.main([*tests, *options], [Plugin(work)])
    return None if status in (0, 1) else f"pytest ends with {status!r}"


def run(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Whether a test passes."""
    failed = item.session.testsfailed
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return item.session.testsfailed == failed


def functions(code: CodeType) -> Iterator[CodeType]:
    """The functions and methods of a module's or a class's code, not those within them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & inspect.CO_OPTIMIZED:
                yield constant
            else:
                yield from functions(constant)


def without_functions(code: CodeType) -> CodeType:
    """A module's or a class's own code."""
    return code.replace(co_consts=tuple(
        (None if constant.co_flags & inspect.CO_OPTIMIZED else without_functions(constant))
        if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    ))


def key(code: CodeType) -> Key:
    """What tells one function from all others."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def changed(original: CodeType, mutated: CodeType) -> dict[Key, CodeType] | None:
    """The functions whose code is another; None if anything else is."""
    if without_functions(original) != without_functions(mutated):
        return None
    pairs = list(zip(functions(original), functions(mutated), strict=True))
    if any(old.co_freevars != new.co_freevars for old, new in pairs):
        return None
    return {key(old): new for old, new in pairs if old != new}


@dataclass
class Record:
    """One test: its place among those collected, CPU seconds, and the functions it calls."""

    number: int
    seconds: float
    calls: set[Key]
    kills: int = 0


def affordable(records: list[Record]) -> list[Record]:
    """The first tests, as far as they may take for one mutant."""
    together = accumulate(record.seconds for record in records)
    return [record for record, seconds in zip(records, together, strict=True) if seconds <= MOST]


@dataclass
class Runner:
    """Runs some tests (arguments of pytest) on mutants; ``folder`` is for its temporary files."""

    tests: list[str]
    folder: Path
    records: list[Record] = field(default_factory=list)

    def verdicts(self, mutants: list[Mutant]) -> Iterator[tuple[Mutant, bool]]:
        """Each mutant, and whether a test failed or needed far more CPU time than it may."""
        os.environ["CI"] = "1"
        before = _stamps()
        words = a_child(lambda say: self._collected(mutants, say))
        first = next(words, "pytest dies")
        if isinstance(first, str):
            raise SystemExit(f"the tests do not pass without any mutant: {first}")
        anew = []
        for number, (mutant, verdict) in enumerate(zip(mutants, words, strict=False)):
            self._progress("in place", number, len(mutants))
            if verdict is None:
                anew.append(mutant)
            else:
                yield mutant, verdict
        if anew and self._fresh(Mutant(anew[0].module, anew[0].path, "", partial(anew[0].path.read_text, "utf-8")), first):
            raise SystemExit("the tests do not pass with a module that is imported by the way of the mutants")
        for number, mutant in enumerate(anew):
            self._progress("imported anew", number, len(anew))
            verdict = self._fresh(mutant, first)
            if _stamps() != before:
                raise SystemExit("sources or tests have been edited during the run: its verdicts are worth nothing")
            yield mutant, verdict

    def _progress(self, what: str, number: int, of: int) -> None:
        if number % 100 == 0:
            print(f"{what}: {number} of {of}, {time.strftime('%H:%M:%S')}", file=sys.stderr, flush=True)

    # The process that has collected everything.

    def _collected(self, mutants: list[Mutant], say: Callable[[Any], None]) -> Any:
        paths = {str(mutant.path) for mutant in mutants}
        early: set[Key] = set()

        def work(session: pytest.Session) -> None:
            sys.settrace(None)
            told = next(a_child(lambda tell: self._record(session, paths)), "they die")
            if isinstance(told, str):
                say(told)
                return
            self.records = sorted(told, key=lambda record: record.seconds)
            names = [session.items[record.number].nodeid for record in affordable(self.records)]
            if (failing := self._fails(session, self.records, {}, [])) is not None:
                say(f"not in another order or within the limits of a mutant: {failing}")
                return
            say(names)
            living = [f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__code__.co_filename in paths]
            for mutant in mutants:
                say(self._fast(session, mutant, living, early))

        sys.settrace(_noting(paths, early))
        return pytest_says(self.tests, work)

    def _record(self, session: pytest.Session, paths: set[str]) -> list[Record] | str:
        records = []
        for number, item in enumerate(session.items):
            calls: set[Key] = set()
            sys.settrace(_noting(paths, calls))
            threading.settrace(_noting(paths, calls))
            before = _cpu()
            passed = run(item, session.items[number + 1] if number + 1 < len(session.items) else None)
            sys.settrace(None)
            if not passed:
                return item.nodeid
            records.append(Record(number, _cpu() - before, calls))
        return records

    def _fast(self, session: pytest.Session, mutant: Mutant, living: list[FunctionType], early: set[Key]) -> bool | None:
        """Whether a test fails in this process with the code of living functions replaced; None if that cannot tell."""
        path = str(mutant.path)
        changes = changed(*(compile(text, path, "exec") for text in (mutant.path.read_text("utf-8"), mutant.source())))
        if changes is None:
            return None
        chosen = [record for record in self.records if record.calls & changes.keys()]
        chosen.sort(key=lambda record: record.seconds - 0.2 * record.kills)
        killed = self._fails(session, affordable(chosen), changes, living) is not None
        return None if not killed and changes.keys() & early else killed

    def _fails(
        self, session: pytest.Session, chosen: list[Record], changes: dict[Key, CodeType], living: list[FunctionType],
    ) -> str | None:
        """The first of these tests that fails, in a forked process, with the code of functions changed; or that it dies."""
        items = [session.items[record.number] for record in chosen]

        def work(say: Callable[[Any], None]) -> int:
            self._bounds()
            for function in living:
                if key(function.__code__) in changes:
                    function.__code__ = changes[key(function.__code__)]
            for place, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True)):
                say(place)
                if not run(item, following):
                    return place
            return len(items)

        def may(place: int | None) -> float:
            return 60 if place in (None, len(items)) else 5 * chosen[place].seconds + 3

        # The last test that it began is the one that fails, or in which it dies or is killed.
        place = [0, *a_child(work, may)][-1]
        if place == len(items):
            return None
        chosen[place].kills += 1
        return str(items[place].nodeid)

    # A process for one mutant.

    def _fresh(self, mutant: Mutant, names: list[str]) -> bool:
        """Whether a test fails in a process that imports the changed source."""

        def work(say: Callable[[Any], None]) -> bool:
            self._bounds()
            sys.meta_path.insert(0, Changed(f"exactplay.{mutant.module}", mutant.path, mutant.source()))
            failed: list[str] = []

            def loop(session: pytest.Session) -> None:
                place = {name: number for number, name in enumerate(names)}
                items = [item for item in session.items if item.nodeid in place]
                items.sort(key=lambda item: place[item.nodeid])
                if len(items) < len(names):
                    failed.append("a test is gone")
                    return
                for item, following in zip(items, [*items[1:], None], strict=True):
                    if not run(item, following):
                        failed.append(item.nodeid)
                        return

            return pytest_says(self.tests, loop) is not None or bool(failed)

        words = list(a_child(work, lambda _: 60 + 5 * MOST))
        return not words or bool(words[-1])

    def _bounds(self) -> None:
        """For the process of one mutant: a limit of memory, and a cache of its own, which begins as that of the run."""
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30,) * 2)
        own = self.folder / "mutant"
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        if (cache := self.folder / "exactplay-tests").exists():
            # Files of the cache are replaced, never written into.
            shutil.copytree(cache, own / cache.name, copy_function=os.link)
        os.environ["TMPDIR"] = tempfile.tempdir = str(own)
        os.environ["XDG_CACHE_HOME"] = str(own / cache.name / "cache")


def _cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _stamps() -> dict[Path, int]:
    """When each Python file of the package and of the tests was last written."""
    found = [path for folder in ("src", "solvers", "tests") for path in (ROOT / folder).rglob("*.py")]
    return {path: path.stat().st_mtime_ns for path in found}


def _noting(paths: set[str], calls: set[Key]) -> Callable[[FrameType, str, Any], None]:
    def note(frame: FrameType, event: str, argument: Any) -> None:
        if frame.f_code.co_filename in paths:
            calls.add(key(frame.f_code))

    return note


class Changed:
    """Imports a module from another source than its file's, and all others as ever."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        """The module itself; None for every other."""
        if name != self.name:
            return None
        places = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self,  # type: ignore[arg-type]  # the typeshed wants its own base class
            submodule_search_locations=places,
        )

    def create_module(self, spec: ModuleSpec) -> None:
        """As ever."""

    def exec_module(self, module: Any) -> None:
        """Run the changed source."""
        exec(compile(self.source, str(self.path), "exec"), vars(module))
