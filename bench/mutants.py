"""Mutation testing of the rules: is there a test that fails when a line of them is wrong?

``python -m bench verify mutants MODULE [NUMBER] [SEED]`` takes the mutants that mutmut makes of a module of
``exactplay.rules`` (all, or a random NUMBER of them), and runs the quick tests of that module on each in a process of its
own. It prints the share that some test killed, and every survivor. Not mutated are texts with a blank in them: the words of
messages. mutmut's own runner is not used because it needs the sources where an editable installation does not have them.
"""
from __future__ import annotations

import difflib
import importlib.util
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: module of exactplay.rules -> the arguments of pytest for the tests that shall kill its mutants, the quickest run first
TESTS: dict[str, list[list[str]]] = {
    "contract": [["tests/test_rules_base.py"]],
    "winkeladvokat": [
        ["tests/test_winkeladvokat.py"], ["tests/test_contract.py", "-k", "winkeladvokat"],
    ],
}


def mutants(path: Path) -> list[Callable[[], str]]:
    """What gives the source of a module with one place changed, for each mutant."""
    import libcst
    from mutmut.mutation.file_mutation import create_mutations

    module, found, *_ = create_mutations(str(path), path.read_text(encoding="utf-8"))
    listed: list[Callable[[], str]] = []
    for mutation in found:
        words = libcst.Module([]).code_for_node(mutation.original_node)
        is_text = isinstance(mutation.original_node, libcst.BaseString | libcst.FormattedStringText)
        if not (is_text and " " in words):
            listed.append(partial(_changed, module, mutation.original_node, mutation.mutated_node))
    return listed


def _changed(module: Any, original: Any, mutated: Any) -> str:
    return str(module.deep_replace(original, mutated).code)


class Changed:
    """Imports a module from another source than its file's, and all others as ever."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        """The module itself; None for every other."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """As ever."""

    def exec_module(self, module: Any) -> None:
        """Run the changed source."""
        code: CodeType = compile(self.source, str(self.path), "exec")
        exec(code, vars(module))


def killed(name: str, path: Path, source: str, seconds: int) -> bool:
    """Whether some test fails, or needs more CPU seconds than it may, where the module has this source."""
    import pytest

    child = os.fork()
    if not child:
        # Nothing of exactplay has been imported so far; the tools have, which is what takes time.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        sys.meta_path.insert(0, Changed(f"exactplay.rules.{name}", path, source))  # type: ignore[arg-type]
        status = 1
        try:
            # Of Hypothesis, which was imported before pytest could rewrite it, pytest warns, and a warning is an error.
            options = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
            runs = ([*run, *options] for run in TESTS[name])
            status = int(any(pytest.main(run) for run in runs))
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return status != 0


def verify(arguments: list[str]) -> None:
    """Print the share of mutants that the tests kill, and the survivors."""
    import hypothesis  # noqa: F401  # before the fork
    import numpy as np  # noqa: F401

    if not arguments or arguments[0] not in TESTS:
        print(f"usage: python -m bench verify mutants MODULE [NUMBER] [SEED]; modules: {', '.join(TESTS)}", file=sys.stderr)
        raise SystemExit(2)
    os.chdir(ROOT)
    name = arguments[0]
    path = ROOT / "src" / "exactplay" / "rules" / f"{name}.py"
    original = path.read_text(encoding="utf-8")
    before = time.process_time() + sum(os.times()[2:4])
    if killed(name, path, original, 600):
        raise SystemExit("the tests fail without any mutant")
    limit = int(5 * (time.process_time() + sum(os.times()[2:4]) - before)) + 10
    chosen = mutants(path)
    total = len(chosen)
    if len(arguments) > 1:
        chosen = random.Random(int(arguments[2]) if len(arguments) > 2 else 0).sample(chosen, min(total, int(arguments[1])))
    survivors = 0
    for number, change in enumerate(chosen, 1):
        source = change()
        if not killed(name, path, source, limit):
            survivors += 1
            lines = difflib.unified_diff(original.splitlines(), source.splitlines(), n=0, lineterm="")
            print(f"SURVIVES {number}", *list(lines)[2:], sep="\n", flush=True)
    done = len(chosen)
    print(f"{name}: {done - survivors} of {done} mutants killed ({100 * (1 - survivors / done):.1f} %), of {total} in all")
