"""Lines of the native core that no test runs.

``python -m bench verify coverage [PYTEST ARGUMENTS]`` builds the core in a temporary copy with Cython's line tracing, runs
the tests there (:data:`TESTS` if no arguments are given), and prints for each source file how many of its lines ran, and
the text of the others. Ends with 1 if a test fails or, of :data:`TESTS`, one of them is not in explained.txt.

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
#: those of rules, cores and solvers; what they leave to others is seldom the core's
TESTS = [
    f"tests/test_{name}.py"
    for name in (
        "contract", "core_limits", "hidden", "walk_the_dogs", "walk_the_dogs_solver", "winkeladvokat",
        "winkeladvokat_solver", "winner", "winner_core", "winner_follow", "winner_solver", "winston84", "winston84_core",
        "winston84_forecast", "winston84_solver", "winston_dogs", "winston_dogs_rules", "winston_dogs_solver",
    )
]
#: whose limit of 2 CPU seconds the slower core exceeds
SLOW = "tests/test_walk_the_dogs_solver.py::test_a_limit_strikes_within_a_world"
_LEFT_BEHIND = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "*.so", "*.pyd", "*.egg-info")
_SOURCE = re.compile(r' */\* "(.*)":\d+$')
_POINT = re.compile(r" *__Pyx_TraceLine\((\d+),")

#: file name -> line number -> how often it ran
Counts = dict[str, Counter[int]]


def points(lines: list[str]) -> Iterator[tuple[int, str, int]]:
    """The trace points in a C file that Cython made: its line there, the file it speaks of, the line in that file."""
    name = ""
    for number, line in enumerate(lines, 1):
        if found := _SOURCE.match(line):
            name = Path(found[1]).name
        elif found := _POINT.match(line):
            yield number, name, int(found[1])


def counts(root: Path) -> Counts:
    """How often each line of the core ran, in the build and its tests of this folder."""
    core = root / CORE
    out: Counts = {}
    for made in sorted(core.glob("*.c")):
        notes, = root.glob(f"build/temp*/{CORE}/{made.stem}.gcno")
        command = ["gcov", "--json-format", "--stdout", str(notes)]
        told = subprocess.run(command, capture_output=True, check=True, cwd=root).stdout
        ran: dict[str, Counter[int]] = {}
        for file in json.loads(told)["files"]:
            lines = ran.setdefault(Path(file["file"]).name, Counter())
            for line in file["lines"]:
                lines[line["line_number"]] += line["count"]
        for number, name, line_number in points(made.read_text(encoding="utf-8").splitlines()):
            if (core / name).suffix in {".pyx", ".pxd", ".pxi"}:  # and not the "(tree fragment)" of Cython's own
                out.setdefault(name, Counter())[line_number] += ran[made.name][number]
        for header in sorted(core.glob("*.h")):
            if header.name in ran:
                out.setdefault(header.name, Counter()).update(ran[header.name])
    return out


def build(root: Path) -> None:
    """Build the core in this folder, traced and counted, without optimisation, which would move lines."""
    flags = "-O0 -fprofile-update=atomic --coverage"
    wanted = {**os.environ, "EXACTPLAY_TRACE": "1", "EXACTPLAY_CFLAGS": flags, "LDFLAGS": "--coverage"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "-i"]
    subprocess.run(command, check=True, cwd=root, env=wanted, stdout=subprocess.DEVNULL)


def explained() -> dict[tuple[str, str], str]:
    """The reasons of explained.txt, by file and line behind the line that it depends on."""
    reasons, why = {}, ""
    for line in (Path(__file__).parent / "explained.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            why = line[2:].partition(":")[0]
        elif why and line:
            name, _, where = line.partition(": ")
            reasons[name, where] = why
    return reasons


def report(counted: Counts, core: Path) -> int:
    """Print the shares and the lines that did not run; return how many of these nobody explained.

    A line below an explained one, and no less indented, belongs to it.
    """
    reasons = explained()
    open_lines = total = ran = 0
    for name in sorted(counted):
        text = (core / name).read_text(encoding="utf-8").splitlines()
        missed = [number for number, count in sorted(counted[name].items()) if not count]
        lines = len(counted[name])
        total, ran = total + lines, ran + lines - len(missed)
        print(f"{name:30} {lines:5} lines, {lines - len(missed):5} ran, {100 * (1 - len(missed) / lines):5.1f} %")
        above, reason = 0, ""
        for number in missed:
            words = text[number - 1].strip()
            belongs = number == above + 1 and _indent(text[number - 1]) >= _indent(text[above - 1])
            where = f"{_above(text, number)} / {words}"
            reason = reasons.get((name, where)) or (reason if belongs else "")
            open_lines += not reason
            print(f"{number:8}  {where}" + (f"   [{reason}]" if reason else ""))
            above = number
    print(f"{ran:,} of {total:,} lines ran ({100 * ran / total:.1f} %); {open_lines} of the others are not explained")
    return open_lines


def _above(text: list[str], number: int) -> str:
    """The nearest line above that is less indented: it tells one `return 0` from another."""
    inner = _indent(text[number - 1])
    return next((line.strip() for line in reversed(text[: number - 1]) if line.strip() and _indent(line) < inner), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def verify(arguments: list[str]) -> None:
    """Build a traced copy, run tests in it, print the lines that none of them ran."""
    if missing := [tool for tool in ("gcc", "gcov") if not shutil.which(tool)]:
        raise SystemExit(f"exactplay: coverage of the core needs {' and '.join(missing)}")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "exactplay"
        shutil.copytree(ROOT, root, symlinks=True, ignore=_LEFT_BEHIND)
        build(root)
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "timeout=3000", f"--deselect={SLOW}"]
        copy_first = {**os.environ, "PYTHONPATH": "src"}
        tests = subprocess.run([*run, *(arguments or TESTS)], check=False, cwd=root, env=copy_first)
        left = report(counts(root), root / CORE)
    if tests.returncode or (left and not arguments):
        raise SystemExit(1)
