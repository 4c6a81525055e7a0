"""The mutants of a module, and which survivors are explained."""
from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench import ROOT

PACKAGE = ROOT / "src" / "exactplay"  # solvers/ stands there as a symlink; Python names the files by it


@dataclass(frozen=True, eq=False)
class Mutant:
    """A module (its dotted name below ``exactplay``) with one place changed."""

    module: str
    path: Path
    source: Callable[[], str]

    def text(self) -> str:
        """What is changed, in one line: the module, the lines as they are, and as they become."""
        before, after = self.path.read_text(encoding="utf-8").splitlines(), self.source().splitlines()
        lines = list(difflib.unified_diff(before, after, n=0, lineterm=""))[2:]
        gone, new = (" / ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
        return f"{self.module}: {gone} => {new}"


def files(name: str) -> dict[str, Path]:
    """Each module of a module or package, by its dotted name below ``exactplay``, and its file; none if there is none."""
    if name.split(".")[0] not in ("rules", "solvers"):
        return {}
    base = PACKAGE.joinpath(*name.split("."))
    found = [base.with_suffix(".py")] if base.with_suffix(".py").is_file() else sorted(base.rglob("*.py"))
    modules = {}
    for path in found:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        modules[".".join(part for part in parts if part != "__init__")] = path
    return modules


def mutants(module: str, path: Path) -> list[Mutant]:
    """All mutants that mutmut makes of a file, but for texts with a blank in them: the words of messages."""
    import libcst
    from mutmut.mutation.file_mutation import create_mutations

    tree, found, *_ = create_mutations(str(path), path.read_text(encoding="utf-8"))
    listed = []
    for mutation in found:
        words = libcst.Module([]).code_for_node(mutation.original_node)
        is_text = isinstance(mutation.original_node, libcst.BaseString | libcst.FormattedStringText)
        if not (is_text and " " in words):
            listed.append(Mutant(module, path, partial(_changed, tree, mutation.original_node, mutation.mutated_node)))
    return listed


def _changed(tree: Any, original: Any, mutated: Any) -> str:
    return str(tree.deep_replace(original, mutated).code)


def listed(page: str) -> set[str]:
    """The mutants that a page lists as a run prints survivors."""
    return set(re.findall(r"^- `(.*)`$", page, flags=re.MULTILINE))


def explained() -> set[str]:
    """The survivors that the pages of docs/survivors list under their reasons."""
    pages = (ROOT / "docs" / "survivors").glob("*.md")
    return {text for page in pages for text in listed(page.read_text(encoding="utf-8"))}
