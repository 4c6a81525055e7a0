"""The whole suite against a core that watches itself: bounds checks, address and undefined-behaviour sanitizers.

``python -m bench verify sanitizers [PYTEST ARGUMENTS]`` copies the tree to a temporary folder, builds the core there with
EXACTPLAY_DEBUG=1 (gcc), sees that each of :data:`FAULTS` is reported, runs the tests, and prints every report that names
the core: also those of command lines, servers and their jobs, whatever becomes of what they print.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from bench import ROOT

#: Tests of time limits, which the slower core exceeds.
SLOW: list[str] = []

#: a fault -> what is said about it
FAULTS = {
    "heap": "heap-buffer-overflow",
    "array": "out of bounds for type",
    "overflow": "signed integer overflow",
    "cast": "outside the range of representable values",
    "view": "Out of bounds on buffer access",
    "leak": "Direct leak of",
}

#: A module of the core that commits them.
_FAULTY = '''
from libc.stdlib cimport free, malloc

cdef int[4] TABLE


cdef int of_view(int[:] view, int place) noexcept nogil:
    return view[place]


def commit(str fault, int[:] view, int four, int largest, double huge):
    cdef int* block = <int*> malloc(4 * sizeof(int))
    block[0] = largest
    if fault == "heap":
        block[0] = (&view[0])[four]
    elif fault == "array":
        block[0] = TABLE[four]
    elif fault == "overflow":
        block[0] = largest + four
    elif fault == "cast":
        block[0] = <int> huge
    elif fault == "view":
        block[0] = of_view(view, four)
    value = block[0]
    if fault != "leak":
        free(block)
    return value
'''
_COMMIT = """
import array, sys
from exactplay.cython_core import faulty
faulty.commit(sys.argv[1], array.array("i", [0, 1, 2, 3]), 4, 2**31 - 1, 1e300)
"""

#: Cython can only tell of an exception in a kernel that is `noexcept`: this keeps what pytest does not hear of.
_HOOK = """
import os, sys, traceback

def keep(ignored):
    sys.__unraisablehook__(ignored)
    with open(os.path.join(os.environ["EXACTPLAY_REPORTS"], f"ignored.{os.getpid()}"), "a", encoding="utf-8") as stream:
        print("ignored in", ignored.object, file=stream)
        traceback.print_exception(ignored.exc_value, file=stream)

if "EXACTPLAY_REPORTS" in os.environ:
    sys.unraisablehook = keep
"""


def build(folder: Path) -> tuple[Path, str]:
    """Copy the tree and build the core in the copy; return the copy and a Python that imports it."""
    copy = folder / "exactplay"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.so")
    shutil.copytree(ROOT, copy, symlinks=True, ignore=ignored)
    (copy / "cython_core" / "faulty.pyx").write_text(_FAULTY, encoding="utf-8")
    venv.create(folder / "venv", symlinks=True)
    python = str(folder / "venv" / "bin" / "python")
    packages = next((folder / "venv" / "lib").glob("*/site-packages"))
    (packages / "sanitizers_hook.py").write_text(_HOOK, encoding="utf-8")
    installed = [entry for entry in sys.path if entry.endswith("site-packages")]
    (packages / "sanitizers.pth").write_text("\n".join([*installed, "import sanitizers_hook"]), encoding="utf-8")
    install = ["-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "-e"]
    subprocess.run([python, *install, copy], env={**os.environ, "EXACTPLAY_DEBUG": "1"}, check=True)
    return copy, python


def environment(folder: Path) -> dict[str, str]:
    """The environment in which a Python loads that core; reports go to files in ``folder / "reports"``."""
    def library(name: str) -> str:
        command = ["gcc", f"-print-file-name={name}"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    # exitcode is that of a process with leaks: Python itself has some. A fault aborts, and handle_abort makes a report of
    # those that libubsan only writes to stderr.
    options = f"exitcode=0:abort_on_error=1:log_path={reports / 'report'}"
    changed = {
        # Without libstdc++ beside it, the C++ exceptions of other packages end the process.
        "LD_PRELOAD": f"{library('libasan.so')} {library('libstdc++.so.6')}",
        "ASAN_OPTIONS": f"{options}:allocator_may_return_null=1:handle_abort=1",
        "UBSAN_OPTIONS": f"{options}:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "EXACTPLAY_REPORTS": str(reports),
    }
    if chromium := os.environ.get("EXACTPLAY_CHROMIUM") or shutil.which("chromium"):
        plain = folder / "chromium"
        plain.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec "{chromium}" "$@"\n', encoding="utf-8")
        plain.chmod(0o755)
        changed["EXACTPLAY_CHROMIUM"] = str(plain)
    return {**os.environ, **changed}


def findings(folder: Path) -> list[str]:
    """Take the reports out of the folder; of leaks those that name the core, for Python and other packages have some."""
    found = []
    for path in sorted((folder / "reports").iterdir()):
        text = path.read_text(encoding="utf-8", errors="replace")
        path.unlink()
        if "detected memory leaks" in text:
            found += [leak for leak in text.split("\n\n") if "cython_core" in leak]
        else:
            found.append(text)
    return found


def noticed(fault: str, folder: Path, python: str, variables: dict[str, str]) -> bool:
    """Whether a fault is reported as what it is when a process commits it."""
    command = [python, "-c", _COMMIT, fault]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    reports = findings(folder)
    return any("faulty" in report for report in reports) and FAULTS[fault] in "\n".join([done.stderr, *reports])


def verify(arguments: list[str]) -> None:
    """Build, see the faults reported, run the tests, print the findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy, python = build(folder)
        variables = environment(folder)
        for fault in FAULTS:
            if not noticed(fault, folder, python, variables):
                raise SystemExit(f"a fault goes unnoticed: {fault}")
        print(f"faults noticed: {', '.join(FAULTS)}", flush=True)
        # A process of its own, which xdist replaces: a fault fails one test and the others run.
        pytest = ["-m", "pytest", "-q", "-n", "1", "-o", "timeout=3000", "-o", "faulthandler_timeout=0"]
        left_out = [f"--deselect={test}" for test in SLOW]
        status = subprocess.run([python, *pytest, *left_out, *arguments], cwd=copy, env=variables, check=False).returncode
        found = findings(folder)
    for report in found:
        print(report, end="\n\n")
    print(f"{len(found)} findings, {sum(os.times()[2:4]):.0f} CPU seconds with the build")
    if found or status:
        raise SystemExit(1)
