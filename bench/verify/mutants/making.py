"""The mutants of a module, what each is called, and which survivors are explained.

A mutant is called by its package, its function and what is changed there: ``rules.winner View.of: max => min``. So the name
stays while lines and functions move within a package. Of several that are called alike, the second one ends with ``#2``.
"""
from __future__ import annotations

import re
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from bench import ROOT

PACKAGE = ROOT / "src" / "exactplay"  # solvers/ stands there as a symlink; Python names the files by it
RECORD = Path(__file__).parent / "survivors.txt"
_HEAD = "Mutants that no test can kill, under the reasons why. Written by `bench verify mutants MODULE --record`.\n"


@dataclass(frozen=True, eq=False)
class Mutant:
    """A module (its dotted name below ``exactplay``) with one place changed."""

    module: str
    path: Path
    name: str
    source: Callable[[], str]


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


def mutants(modules: dict[str, Path]) -> list[Mutant]:
    """All mutants that mutmut makes of some modules, but for those that no test can see (:func:`_unseen`)."""
    from mutmut.mutation.file_mutation import create_mutations

    listed, counted = [], Counter[str]()
    for module, path in modules.items():
        package = ".".join(module.split(".")[:2])
        tree, found, *_ = create_mutations(str(path), path.read_text(encoding="utf-8"))
        places = dict(_places(tree, ()))
        for mutation in found:
            before, after = mutation.original_node, mutation.mutated_node
            if id(before) in places and _kept(_code(before)) != _kept(_code(after)):
                name = f"{package} {places[id(before)]}: {change(_code(before), _code(after))}"
                counted[name] += 1
                called = name if counted[name] == 1 else f"{name} #{counted[name]}"
                listed.append(Mutant(module, path, called, partial(_changed, tree, before, after)))
    return listed


def _places(node: Any, above: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Every node of a module that a test can see, by its id, and the function or class that it stands in."""
    import libcst

    if _unseen(node):
        return
    yield id(node), ".".join(above) or "-"
    inner = (*above, node.name.value) if isinstance(node, libcst.FunctionDef | libcst.ClassDef) else above
    for child in node.children:
        yield from _places(child, inner)


def _unseen(node: Any) -> bool:
    """The words of messages; ``strict=`` of a zip, which guards against faults elsewhere; what only mypy reads."""
    import libcst

    if isinstance(node, libcst.BaseString | libcst.FormattedStringText):
        return " " in _code(node)
    if isinstance(node, libcst.Arg):
        return node.keyword is not None and node.keyword.value == "strict"
    if isinstance(node, libcst.Assign) and _code(node.targets[0].target) == "__all__":
        return True  # ruff sees it
    if isinstance(node, libcst.Assign | libcst.AnnAssign) and node.value is not None:
        return _code(node.value).startswith(("TypeVar(", "tuple[", "list[", "dict[", "Callable["))
    return isinstance(node, libcst.Call) and _code(node.func) == "cast"


def _kept(code: str) -> str:
    """Code without what no test sees in it."""
    return re.sub(r",\s*strict=\w+|,\s*(?=\))", "", code)


def change(before: str, after: str) -> str:
    """Two pieces of code as the words that differ: ``x and y`` and ``x or y`` as ``and => or``."""
    old, new = _words(before), _words(after)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    shown = [" ".join(words) for words in (old, new)]
    return " => ".join(text if len(text) <= 50 else f"{text[:47]}..." for text in shown)


def _words(code: str) -> list[str]:
    try:
        words = (token.string.strip() for token in tokenize.generate_tokens(StringIO(code.strip()).readline))
        return [word for word in words if word]
    except (tokenize.TokenError, IndentationError):
        return code.split()


def _code(node: Any) -> str:
    import libcst

    return libcst.Module([]).code_for_node(node)


def _changed(tree: Any, original: Any, mutated: Any) -> str:
    return str(tree.deep_replace(original, mutated).code)


def explained(text: str | None = None) -> dict[str, str]:
    """The survivors of a record (the one that is kept), each with its reason."""
    reasons, why = {}, ""
    for line in (RECORD.read_text(encoding="utf-8") if text is None else text).splitlines()[1:]:
        if line.startswith("# "):
            why = line[2:]
        elif line:
            reasons[line] = why
    return reasons


def recorded(reasons: dict[str, str]) -> str:
    """A record of survivors, by reason."""
    by_reason: dict[str, list[str]] = {}
    for name, why in sorted(reasons.items()):
        by_reason.setdefault(why, []).append(name)
    return _HEAD + "".join(f"\n# {why}\n" + "\n".join(names) + "\n" for why, names in sorted(by_reason.items()))


def renewed(known: dict[str, str], ran: Iterable[Mutant], survived: set[str]) -> dict[str, str]:
    """The reasons after a run: what was killed or is no mutant any more goes, what survived without one has none yet."""
    names = {mutant.name for mutant in ran}
    packages = {name.partition(" ")[0] for name in names}
    kept = {name: why for name, why in known.items() if name in survived or name.partition(" ")[0] not in packages}
    return kept | {name: known.get(name, "? not explained") for name in survived}
