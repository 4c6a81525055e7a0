"""Ctrl-C at any moment, a full disk, a folder that nobody may write to: what is on disk stays whole, the next run right.

``python -m bench verify interrupts [MOMENTS] [SEED]`` runs each of :func:`works` in a process of its own, sends SIGINT at
so many random moments of its CPU time, and runs it again where it left off. Then each runs where nothing can be written.

A moment counts only if it fell into the work itself, which the stack tells when SIGINT is sent: not while Python and its
modules are being loaded, not while the answer is printed. The others are checked as well, and drawn again.
"""
from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench import DATA, ROOT

MOMENTS = 50
SLOWEST = 1.5  # CPU seconds from SIGINT to the end of the process, its start included
#: What takes a solver of cards one to three seconds.
CARD_GAMES = {
    "winner": [
        "4H 4S 5S 6D 6S 7H 8D 8C 8H 9D JS KC KS 2S RJ | 3D 3C 6C 7C 8S 9C TD JD JH QD AD AS 2D 2C 2H; turn 1; idle 0 1",
        "--rule", "end=first_out", "--objective", "score", "--memory", "64", "--moves", "all",
    ],
    "dogs": [
        "hands Gh Kb Kb Ob Wb | Bb Gb Gb Wb Wh; table -; turn 0; pile Sh Bb Kb Bh Bb Bb Ob Ob Bh Wh Kb Gh Sb Gb Kb Sb Gb "
        "Oh Ob Wb Gb Oh Sb Sh Wb Sb Ob Wb Ob Sb Gh Sh Ob Gb Wh Wb Sb Bb",
    ],
    "walk": [
        "middle=BCSOODPBDOPDPGGBBPBPSCSB lines=-/- hands=g2,g3/r3,le turn=0 phase=draw bones=0/0 "
        "deck=g1,g3,dc,g2,r1,r3,dc,g1,bo,g3,g3,r3,y,r2,dc,r1,le,y,g3,r2,y,r1,bo,y",
    ],
}

#: Runs a command line. Argument 1 is the CPU time in seconds after which SIGINT comes (0: never), 2 the largest file, 3
#: what the stack says while the work is done, 4 the file that tells what was seen: whether SIGINT came into the work, or
#: else from when to when (CPU seconds on the same clock) the work was done.
_PROGRAM = """
import os, signal, sys, time
from exactplay.__main__ import main
seconds, largest, within, seen = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
del sys.argv[1:5]
start = time.process_time()
said = []

def working(frame):
    stack = []
    while frame is not None:
        stack.append(f"{frame.f_code.co_filename}:{frame.f_code.co_name}")
        frame = frame.f_back
    return any(within in place for place in stack) and not any("importlib" in place for place in stack)

def look(_, frame):
    if working(frame):
        said.append(time.process_time() - start)

def interrupt(_, frame):
    said.append("inside" if working(frame) else "outside")
    os.kill(os.getpid(), signal.SIGINT)

if largest:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGPROF, interrupt if seconds else look)
signal.setitimer(signal.ITIMER_PROF, seconds or 0.002, 0 if seconds else 0.002)
try:
    main()
finally:
    # The work is done, and Python takes its handlers away before it ends.
    signal.setitimer(signal.ITIMER_PROF, 0)
    with open(seen, "w") as stream:
        print(*said[:1], *said[1:][-1:], file=stream)
"""


class Wrong(AssertionError):
    """What an interruption must not do."""


@dataclasses.dataclass(frozen=True)
class Work:
    """A command of some length: its arguments, its answer in short, and whether a file that it left can be read.

    ``readable`` is None where nothing is kept: then the next run is not looked at. ``within`` is a part of what one line
    of the stack, ``FILE:FUNCTION``, is while the work is done.
    """

    name: str
    arguments: Callable[[Path, Path], list[str]]  # given a folder for its questions and one for what it writes
    answer: Callable[[Path, str], Any]
    readable: Callable[[Path], bool] | None
    within: str = "/exactplay/solvers/"


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a process ended, its CPU seconds, and what it says of the time when it worked."""

    code: int
    out: str
    err: str
    seconds: float
    seen: list[str]


def run(work: Work, folder: Path, *, interrupt: float = 0.0, largest: int = 0, place: Path | None = None) -> Ended:
    """Run a work in a folder; it writes there or to another place."""
    place = place or folder
    home = {name: str(place / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    with tempfile.NamedTemporaryFile("r") as seen:
        before = os.times()
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, f"{interrupt:.6f}", str(largest), work.within, seen.name,
             *work.arguments(folder, place)],
            capture_output=True, text=True, check=False, env={**os.environ, **home}, cwd=ROOT, timeout=600,
        )
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return Ended(done.returncode, done.stdout, done.stderr, spent, seen.read().split())


def works() -> Iterator[Work]:
    """The commands, the quick ones first."""
    endgames = [json.loads(line) for line in (DATA / "winkeladvokat-endgames.jsonl").read_text("utf-8").splitlines()]
    tiny = str(DATA / "tiny-sheet.toml")

    def values(folder: Path, out: str) -> Any:
        return json.loads(out)["values"]

    def tables(folder: Path) -> bool:
        return all(map(_whole_table, folder.glob("home/**/*.table")))

    ask = ["winston84", "solve", "--sheet", tiny, "--json"]
    yield Work("winston84 solve, ten tables in the cache", lambda folder, place: ask, values, tables)
    hard = next(game["position"] for game in endgames if game["nodes"] > 250_000)

    def solved(folder: Path, out: str) -> Any:
        answer = json.loads(out)
        return answer["kind"], answer["value"], answer["best"]

    yield Work(
        "winkeladvokat solve --checkpoint",
        lambda folder, place: ["winkeladvokat", "solve", hard, "--json", "--checkpoint", str(place / "checkpoint")],
        solved, lambda folder: _whole_checkpoint(folder / "checkpoint"),
    )
    some = [game["position"] for game in endgames if game["nodes"] < 3000]

    def batch(folder: Path, place: Path) -> list[str]:
        (folder / "questions").write_text("\n".join(some), encoding="utf-8")
        return ["winkeladvokat", "batch", str(folder / "questions"), "--out", str(place / "answers")]

    def answers(folder: Path, out: str) -> Any:
        lines = (folder / "answers").read_text(encoding="utf-8").splitlines()
        return [(answer["position"], answer["value"]) for answer in map(json.loads, lines)]

    yield Work(
        "winkeladvokat batch --out", batch, answers, lambda folder: _whole_lines(folder / "answers.partial"),
        "/cli/batch.py:",
    )
    option = [*ask, "--rule", "purple_alone_ok=true", "-d1"]
    yield Work(
        "winston84 solve, compiling a round's structure", lambda folder, place: option, values, tables, ":compile_structure"
    )
    for name, question in CARD_GAMES.items():
        arguments = [name, "solve", *question, "--json"]
        yield Work(f"{name} solve", lambda folder, place, arguments=arguments: arguments, solved, None)


def _whole_table(path: Path) -> bool:
    from exactplay.solvers import tables

    header = path.read_bytes()[48:]
    about = json.loads(header[: int.from_bytes(path.read_bytes()[8:16], "little")])
    return bool(tables.read(path, about["kind"], about["about"]))


def _whole_checkpoint(path: Path) -> bool:
    from exactplay.rules.winkeladvokat import State
    from exactplay.solvers.winkeladvokat.duel import Duel

    if not path.exists():
        return True
    header = json.loads(path.read_bytes().split(b"\n", 1)[0])
    state = State.parse(header["position"])
    return Duel(state.board, state.rules, 16.0).load(path, state) >= 0


def _whole_lines(path: Path) -> bool:
    # The last line may have been cut off; batch begins with it again.
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1] if path.exists() else []
    return all("value" in json.loads(line.partition(" ")[2]) for line in lines)


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n") if path.exists() else 0


@dataclasses.dataclass(frozen=True)
class Stopped:
    """How an interrupted run ended, whether the work was going on just then, and the CPU seconds that it took to end."""

    how: str
    inside: bool
    after: float


def interrupted(work: Work, folder: Path, wanted: Any, seconds: float) -> Stopped:
    """Interrupt a work after so many CPU seconds, look at what it leaves, run it again: how the first run ended."""
    first = run(work, folder, interrupt=seconds)
    where = f"{work.name}, interrupted after {seconds:.3f} CPU s"
    if first.code not in (0, 130):
        raise Wrong(f"{where}: exit code {first.code}: {first.err}")
    told = first.err.strip()
    if first.code == 130 and told != "exactplay: interrupted" and not (not told and '"kind"' in first.out):
        raise Wrong(f"{where}: neither one line nor an answer: {first.err!r}")
    inside = first.seen == ["inside"]
    if inside and first.code == 0:
        raise Wrong(f"{where}: goes on as if nothing had happened")
    if first.seconds - seconds > SLOWEST:
        raise Wrong(f"{where}: ends only {first.seconds - seconds:.1f} CPU s later")
    how = "finished before" if first.code == 0 else "gave bounds" if first.out else "interrupted"
    stopped = Stopped(how, inside, first.seconds - seconds if first.code else 0.0)
    if left := [path.name for path in folder.glob("**/.*") if path.is_file()]:
        raise Wrong(f"{where}: leaves {left}")
    if work.readable is None:
        return stopped
    if not work.readable(folder):
        raise Wrong(f"{where}: what it left on disk cannot be read")
    kept = _lines(folder / "answers.partial")
    again = run(work, folder, interrupt=seconds / 2) if kept > 1 else None
    if again is not None and again.code == 130:
        # Ctrl-C while the answers of the first run are taken over must not lose them.
        after = _lines(folder / "answers.partial")
        if after < kept - 1:
            raise Wrong(f"{where} and once more: {kept - 1} answers became {after - 1}")
    last = run(work, folder)
    if last.code or work.answer(folder, last.out) != wanted:
        raise Wrong(f"{where}: the next run answers otherwise ({last.code}, {last.err!r})")
    return stopped


def nothing_can_be_written(work: Work, wanted: Any, folder: Path, place: Path, *, largest: int = 0) -> str:
    """Run a work where it cannot write: an answer that is right and a remark, or one line of error."""
    done = run(work, folder, largest=largest, place=place)
    lines = done.err.strip().splitlines()
    if done.code not in (0, 2) or len(lines) > 1:
        raise Wrong(f"{work.name}: exit code {done.code} and {done.err!r} where nothing can be written")
    if not lines and "could not be written" not in done.out:
        raise Wrong(f"{work.name}: does not say that nothing can be written")
    if done.code == 0 and work.answer(folder, done.out) != wanted:
        raise Wrong(f"{work.name}: another answer where nothing can be written")
    return f"exit code {done.code}, {lines[0] if lines else 'a note beside the answer'}"


@contextlib.contextmanager
def closed_places(folder: Path) -> Iterator[dict[str, tuple[Path, int]]]:
    """Places where nothing can be written, and the largest file allowed there: file systems where we may mount some."""
    (folder / "file").write_text("no folder", encoding="utf-8")
    (folder / "small").mkdir()
    places = {"a file for a folder": (folder / "file", 0), "a limit of 100 bytes a file": (folder / "small", 100)}
    with contextlib.ExitStack() as stack:
        for title, options in (("a read-only file system", "ro"), ("a full disk", "size=16k")):
            mounted = folder / title.replace(" ", "-")
            mounted.mkdir()
            mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(mounted)]
            if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
                print(f"{title} is left out: only root can mount one")
                continue
            stack.callback(subprocess.run, ["umount", str(mounted)], check=True)
            if "size" in options:
                with contextlib.suppress(OSError), (mounted / "all-of-it").open("wb") as stream:
                    while True:
                        stream.write(bytes(1024))
                        stream.flush()
            places[title] = (mounted, 0)
        yield places


def measured(work: Work, folder: Path) -> tuple[Any, tuple[float, float]]:
    """The answer that nobody interrupts, and from when to when, in CPU seconds, the work was done."""
    done = run(work, folder)
    if done.code:
        raise Wrong(f"{work.name}: {done.err}")
    begin, end = map(float, done.seen)
    return work.answer(folder, done.out), (begin, end)


def verify(arguments: list[str]) -> None:
    """Interrupt each work at random moments, then let it run where nothing can be written; WORD: works so named only."""
    moments = int(arguments[0]) if arguments else MOMENTS
    rng = random.Random(int(arguments[1]) if len(arguments) > 1 else 0)
    wrong = 0
    for work in works():
        if not all(word in work.name for word in arguments[2:]):
            continue
        with tempfile.TemporaryDirectory() as name:
            wanted, (begin, end) = measured(work, Path(name))
        counted: Counter[str] = Counter()
        inside, latest = 0, 0.0
        while inside < moments and counted.total() < 3 * moments:
            with tempfile.TemporaryDirectory() as name:
                try:
                    stopped = interrupted(work, Path(name), wanted, rng.uniform(begin, end))
                except Wrong as error:
                    counted["WRONG"] += 1
                    print(f"WRONG {error}", flush=True)
                    continue
            inside, latest = inside + stopped.inside, max(latest, stopped.after)
            counted[f"{'inside' if stopped.inside else 'outside'} the work, {stopped.how}"] += 1
        wrong += counted["WRONG"] + (inside < moments)
        print(f"{work.name}, at work from {begin:.2f} to {end:.2f} CPU s: {inside} of {counted.total()} moments inside; "
              f"{dict(counted)}; ended at most {latest:.2f} CPU s later", flush=True)
        if work.readable is None:
            continue
        with tempfile.TemporaryDirectory() as name, closed_places(Path(name)) as places:
            for title, (place, largest) in places.items():
                try:
                    told = nothing_can_be_written(work, wanted, Path(name), place, largest=largest)
                    print(f"{work.name}, {title}: {told}", flush=True)
                except Wrong as error:
                    wrong += 1
                    print(f"WRONG {title}: {error}", flush=True)
    if wrong:
        raise SystemExit(1)
