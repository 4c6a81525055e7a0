"""Lines of the native core that no test runs.

``python -m bench verify coverage [--record] [PYTEST ARGUMENTS]`` builds the core in a temporary copy with Cython's line
tracing, runs the tests there (:data:`TESTS` if no arguments are given), and prints for each source file how many of its
lines ran, and the others. Ends with 1 if a test fails or, of :data:`TESTS`, a function has more lines that did not run than
explained.txt allows it. ``--record`` writes that file anew.

Cython puts a trace point before every line that does something. Who ran past one is counted by gcc's own instrumentation,
not by coverage.py: that costs a factor of 3 and not 100, sees code that runs without the GIL, in threads and in other
processes as it sees the rest, and the lines of C headers too. Needs gcc and gcov (9 or newer).
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench import ROOT

CORE = "cython_core"
RECORD = Path(__file__).parent / "explained.txt"
#: those of rules, cores and solvers; what they leave to others is seldom the core's
LEFT_OUT = ("cli", "web", "browser", "render", "adapters", "notebooks", "docs")
TESTS = ["tests", "-k", " and ".join(f"not {word}" for word in LEFT_OUT)]
_HEAD = (
    "Lines of the core that the tests do not run: a package, a function, how many. Lines that only run where memory is\n"
    "short are not counted. Written by `bench verify coverage --record`; the reasons are a person's.\n"
)
#: of a line, or of the line that it depends on: it runs where memory is short
_NO_MEMORY = re.compile(r"NULL|MemoryError|memory|failed|map_(put|init)\(|\bpush\(")
_FUNCTION = re.compile(r"\s*(?:static|inline|cdef|cpdef|def|class)\b.*?(\w+)\s*(?:\(|:$)")
_LEFT_BEHIND = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.so", "*.pyd", "*.egg-info")
_SOURCE = re.compile(r' */\* "(.*)":\d+$')
_POINT = re.compile(r" *__Pyx_TraceLine\((\d+),")

#: file, below the core's folder -> line number -> how often it ran
Counts = dict[str, Counter[int]]


def points(lines: list[str]) -> Iterator[tuple[int, str, int]]:
    """The trace points in a C file that Cython made: its line there, the file it speaks of, the line in that file."""
    name = ""
    for number, line in enumerate(lines, 1):
        if found := _SOURCE.match(line):
            name = found[1].rpartition(f"{CORE}/")[2]
        elif found := _POINT.match(line):
            yield number, name, int(found[1])


def counts(root: Path) -> Counts:
    """How often each line of the core ran, in the build and its tests of this folder."""
    core = root / CORE
    headers = {header.relative_to(core).as_posix() for header in core.rglob("*.h")}
    out: Counts = {}
    for made in sorted(core.rglob("*.c")):
        notes, = root.glob(f"build/temp*/{CORE}/{made.relative_to(core).with_suffix('.gcno')}")
        command = ["gcov", "--json-format", "--stdout", str(notes)]
        told = subprocess.run(command, capture_output=True, check=True, cwd=root).stdout
        ran: dict[str, Counter[int]] = {}
        for file in json.loads(told)["files"]:
            lines = ran.setdefault(file["file"].rpartition(f"{CORE}/")[2], Counter())
            for line in file["lines"]:
                lines[line["line_number"]] += line["count"]
        here = made.relative_to(core).as_posix()
        for number, name, line_number in points(made.read_text(encoding="utf-8").splitlines()):
            if (core / name).suffix in {".pyx", ".pxd", ".pxi"}:  # and not the "(tree fragment)" of Cython's own
                out.setdefault(name, Counter())[line_number] += ran[here][number]
        for header in headers & ran.keys():
            out.setdefault(header, Counter()).update(ran[header])
    return out


def build(root: Path) -> None:
    """Build the core in this folder, traced and counted, without optimisation, which would move lines."""
    flags = "-O0 -fprofile-update=atomic --coverage"
    wanted = {**os.environ, "EXACTPLAY_TRACE": "1", "EXACTPLAY_CFLAGS": flags, "LDFLAGS": "--coverage"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "-i"]
    subprocess.run(command, check=True, cwd=root, env=wanted, stdout=subprocess.DEVNULL)


def explained(text: str) -> dict[str, tuple[int, str]]:
    """What a record allows: a function -> how many of its lines need not run, and why."""
    allowed, why = {}, ""
    for line in text.splitlines():
        if line.startswith("# "):
            why = line[2:]
        elif found := re.fullmatch(r"(\S+ \S+): (\d+)", line):
            allowed[found[1]] = int(found[2]), why
    return allowed


def recorded(missed: Counter[str], allowed: dict[str, tuple[int, str]]) -> str:
    """A record of the lines that did not run."""
    by_reason: dict[str, list[str]] = {}
    for name, number in sorted(missed.items()):
        why = allowed.get(name, (0, "? not explained"))[1]
        by_reason.setdefault(why, []).append(f"{name}: {number}")
    return _HEAD + "".join(f"\n# {why}\n" + "\n".join(names) + "\n" for why, names in sorted(by_reason.items()))


def report(counted: Counts, core: Path) -> Counter[str]:
    """Print the shares and the lines that did not run; how many they are in each function, but for want of memory."""
    missed: Counter[str] = Counter()
    total = ran = short = 0
    for name in sorted(counted):
        text = (core / name).read_text(encoding="utf-8").splitlines()
        left = [number for number, count in sorted(counted[name].items()) if not count]
        lines = len(counted[name])
        total, ran = total + lines, ran + lines - len(left)
        print(f"{name:40} {lines:5} lines, {lines - len(left):5} ran, {100 * (1 - len(left) / lines):5.1f} %")
        for number in left:
            line, above = text[number - 1].strip(), _above(text, number)
            if _NO_MEMORY.search(line) or _NO_MEMORY.search(above):
                short += 1
                continue
            where = f"{name.partition('/')[0]} {_function(text, number)}"
            missed[where] += 1
            print(f"{number:8}  {where}: {above} / {line}")
    print(f"{ran:,} of {total:,} lines ran ({100 * ran / total:.1f} %); {short} of the others only where memory is short")
    return missed


def _above(text: list[str], number: int) -> str:
    """The nearest line above that is less indented."""
    inner = _indent(text[number - 1])
    return next((line.strip() for line in reversed(text[: number - 1]) if line.strip() and _indent(line) < inner), "")


def _function(text: list[str], number: int) -> str:
    """The function that a line stands in."""
    inner = _indent(text[number - 1]) or 1
    for line in reversed(text[: number - 1]):
        found = _FUNCTION.match(line)
        if found and _indent(line) < inner:
            return found[1]
    return "-"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def verify(arguments: list[str]) -> None:
    """Build a traced copy, run tests in it, print the lines that none of them ran."""
    if missing := [tool for tool in ("gcc", "gcov") if not shutil.which(tool)]:
        raise SystemExit(f"exactplay: coverage of the core needs {' and '.join(missing)}")
    chosen = [word for word in arguments if word != "--record"]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "exactplay"
        shutil.copytree(ROOT, root, symlinks=True, ignore=_LEFT_BEHIND)
        build(root)
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "timeout=3000"]
        copy_first = {**os.environ, "PYTHONPATH": "src"}
        tests = subprocess.run([*run, *(chosen or TESTS)], check=False, cwd=root, env=copy_first)
        missed = report(counts(root), root / CORE)
    allowed = explained(RECORD.read_text(encoding="utf-8"))
    if "--record" in arguments:
        RECORD.write_text(recorded(missed, allowed), encoding="utf-8")
    over = {where: number for where, number in missed.items() if number > allowed.get(where, (0, ""))[0]}
    print(f"{len(over)} functions have more lines that did not run than is explained: {', '.join(over) or '-'}")
    if tests.returncode or (over and not chosen):
        raise SystemExit(1)
