"""Ctrl-C at any moment, a full disk, a folder that nobody may write to: what is on disk stays whole, the next run right.

``python -m bench verify interrupts [MOMENTS] [SEED]`` runs each of :func:`works` in a process of its own, sends SIGINT at
so many random moments of its CPU time, and runs it again where it left off. Then each runs where nothing can be written.
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

MOMENTS = 50
ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"

#: Runs a command line; argument 1 is the CPU time in seconds after which SIGINT comes (0: never), 2 the largest file.
_PROGRAM = """
import os, signal, sys
from exactplay.__main__ import main
seconds, largest = float(sys.argv[1]), int(sys.argv[2])
del sys.argv[1:3]
if largest:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
if seconds:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    signal.setitimer(signal.ITIMER_PROF, seconds)
try:
    main()
finally:
    # The work is done, and Python takes its handlers away before it ends.
    signal.setitimer(signal.ITIMER_PROF, 0)
"""


class Wrong(AssertionError):
    """What an interruption must not do."""


@dataclasses.dataclass(frozen=True)
class Work:
    """A command of some length: its arguments, its answer in short, and whether a file that it left can be read."""

    name: str
    arguments: Callable[[Path, Path], list[str]]  # given a folder for its questions and one for what it writes
    answer: Callable[[Path, str], Any]
    readable: Callable[[Path], bool]


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a process ended, and its CPU seconds."""

    code: int
    out: str
    err: str
    seconds: float


def run(work: Work, folder: Path, *, interrupt: float = 0.0, largest: int = 0, place: Path | None = None) -> Ended:
    """Run a work in a folder; it writes there or to another place."""
    place = place or folder
    home = {name: str(place / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, f"{interrupt:.6f}", str(largest), *work.arguments(folder, place)],
        capture_output=True, text=True, check=False, env={**os.environ, **home}, cwd=ROOT, timeout=600,
    )
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Ended(done.returncode, done.stdout, done.stderr, spent)


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
    hard = next(game["position"] for game in endgames if game["nodes"] > 20_000)

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

    yield Work("winkeladvokat batch --out", batch, answers, lambda folder: _whole_lines(folder / "answers.partial"))
    option = [*ask, "--rule", "purple_alone_ok=true", "-d1"]
    yield Work("winston84 solve, a round's structure in the cache", lambda folder, place: option, values, tables)


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
    return all("value" in json.loads(line) for line in lines)


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n") if path.exists() else 0


def interrupted(work: Work, folder: Path, wanted: Any, seconds: float) -> str:
    """Interrupt a work after so many CPU seconds, look at what it leaves, run it again: how the first run ended."""
    first = run(work, folder, interrupt=seconds)
    where = f"{work.name}, interrupted after {seconds:.3f} CPU s"
    if first.code not in (0, 130):
        raise Wrong(f"{where}: exit code {first.code}: {first.err}")
    told = first.err.strip()
    if first.code == 130 and told != "exactplay: interrupted" and not (not told and '"kind"' in first.out):
        raise Wrong(f"{where}: neither one line nor an answer: {first.err!r}")
    if not work.readable(folder):
        raise Wrong(f"{where}: what it left on disk cannot be read")
    if left := [path.name for path in folder.glob("**/.*") if path.is_file()]:
        raise Wrong(f"{where}: leaves {left}")
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
    return "finished before" if first.code == 0 else "gave bounds" if first.out else "interrupted"


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


def measured(work: Work, folder: Path) -> tuple[Any, float]:
    """The answer of a work that nobody interrupts, and its CPU seconds."""
    done = run(work, folder)
    if done.code:
        raise Wrong(f"{work.name}: {done.err}")
    return work.answer(folder, done.out), done.seconds


def verify(arguments: list[str]) -> None:
    """Interrupt each work at random moments, then let it run where nothing can be written."""
    moments = int(arguments[0]) if arguments else MOMENTS
    rng = random.Random(int(arguments[1]) if len(arguments) > 1 else 0)
    wrong = 0
    for work in works():
        with tempfile.TemporaryDirectory() as name:
            wanted, seconds = measured(work, Path(name))
        counted: Counter[str] = Counter()
        for _ in range(moments):
            with tempfile.TemporaryDirectory() as name:
                try:
                    counted[interrupted(work, Path(name), wanted, rng.uniform(0.001, seconds))] += 1
                except Wrong as error:
                    wrong += 1
                    print(f"WRONG {error}", flush=True)
        print(f"{work.name}: {seconds:.2f} CPU s; {moments} moments: {dict(counted)}", flush=True)
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
