"""The compiled structure of a round: shipped for the default rules, compiled on demand and kept in the cache otherwise."""
from __future__ import annotations

import contextlib
import functools
import hashlib
import threading
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from exactplay.common.files import user_folder
from exactplay.cython_core.winston84.compiler import Compiler
from exactplay.cython_core.winston84.kernel import Family, Security
from exactplay.cython_core.winston84.position import Position
from exactplay.rules.contract import BadText
from exactplay.rules.winston84 import Colour, Round, Rules
from exactplay.solvers import tables
from exactplay.solvers.result import Source
from exactplay.solvers.winston84.bridge import ROUND_OPTIONS, options_word, position_of

RESULTS = 37  # results 0..36
LANES = 8  # utility vectors that the kernel evaluates at once
SECURITY = 7  # family index: 0 all six dice, 1..6 without the die of colour index - 1, 7 Maximum Security
CODE_VERSION = 1  # raise it when the compiled structure changes

SHIPPED = "winston84-round.table"  # the structure under the default rules, in the package's data folder

_LARGEST_UTILITY = 1e100
_KIND = "winston84 structure of a round"

Floats = npt.NDArray[np.float64]


class Structure:
    """Every roll of the eight families under one setting of the options. Immutable; safe to share between threads."""

    def __init__(self, options: int, arrays: tables.Arrays) -> None:
        self.options = options
        self.arrays = arrays
        self.shared = {name.removeprefix("shared."): a for name, a in arrays.items() if name.startswith("shared.")}
        by_family = [
            {name.removeprefix(f"{i}."): a for name, a in arrays.items() if name.startswith(f"{i}.")} for i in range(7)
        ]
        self._by_family = by_family
        self._own = threading.local()
        masks = [int(np.bitwise_or.reduce(family["masks"])) for family in by_family]
        masks.append(functools.reduce(int.__or__, masks[1:]))
        # What outcomes can bring about is a subset of what the masks of a family name.
        self.support = tuple(tuple(r for r in range(RESULTS) if mask >> r & 1) for mask in masks)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 over all arrays, hexadecimal."""
        digest = hashlib.sha256()
        for name in sorted(self.arrays):
            digest.update(name.encode() + np.ascontiguousarray(self.arrays[name]).tobytes())
        return digest.hexdigest()

    @property
    def source(self) -> Source:
        """The structure as something that an answer rests on."""
        return Source("structure of a round", "computed", self.digest)

    def evaluators(self) -> list[Any]:
        """The evaluators of the eight families, this thread's own."""
        if not hasattr(self._own, "evaluators"):
            families = [Family(arrays) for arrays in self._by_family]
            self._own.evaluators = [*families, Security(families[1:])]
        return cast(list[Any], self._own.evaluators)


def compile_structure(rules: Rules) -> Structure:
    """Build the structure from nothing: about two seconds."""
    options = options_word(rules)
    compiler = Compiler(options)
    arrays: tables.Arrays = {}
    for family in range(7):
        arrays |= {f"{family}.{name}": array for name, array in compiler.add_family(family - 1).items()}
    arrays |= {f"shared.{name}": array for name, array in compiler.tables().items()}
    return Structure(options, arrays)


def data_path(name: str) -> Path:
    """A data file that ships with the package."""
    return Path(str(resources.files("exactplay") / "data" / name))


def write_structure(structure: Structure, path: Path) -> None:
    """Write a structure as a table file; the same structure gives the same bytes."""
    tables.write(path, _KIND, _about(structure.options), structure.arrays)


@functools.lru_cache(maxsize=16)
def _load(options: int) -> Structure:
    if options == 0:
        with contextlib.suppress(OSError, tables.BadTable):
            return Structure(0, tables.read(data_path(SHIPPED), _KIND, _about(0)))
    folder = user_folder("cache")
    path = None if folder is None else folder / f"winston84-round-{options}.table"
    return Structure(options, cached(path, _KIND, _about(options), lambda: compile_structure(_rules_of(options)).arrays))


def load_structure(rules: Rules) -> Structure:
    """The structure under the given rules: shipped, from the user's cache, or compiled and put there."""
    return _load(options_word(rules))


def cached(path: Path | None, kind: str, about: dict[str, Any], make: Callable[[], tables.Arrays]) -> tables.Arrays:
    """The table at ``path``; where it is missing, damaged or out of date it is made and written, if the folder allows."""
    if path is None:
        return make()
    try:
        return tables.read(path, kind, about)
    except (OSError, tables.BadTable):
        arrays = make()
    tables.keep(path, kind, about, arrays)
    return arrays


def _about(options: int) -> dict[str, Any]:
    return {"options": options, "code": CODE_VERSION}


def _rules_of(options: int) -> Rules:
    return Rules(**{name: bool(options >> bit & 1) for bit, name in enumerate(ROUND_OPTIONS)})


def opening(family: int, options: int = 0) -> Position:
    """A round before its roll, in the core."""
    removed = Colour(family - 1) if 0 < family < SECURITY else None
    return Position(position_of(Round.start(Rules(), removed, must_give_up=family == SECURITY)).code, options)


def rolls_of(family: int) -> int:
    """How many rolls a family has."""
    return 46_656 if family in (0, SECURITY) else 7_776


def utility_row(utility: Iterable[float]) -> Floats:
    """A utility vector by result, float64[37]; raises BadText unless it has 37 numbers of at most 1e100 in size."""
    try:
        row = np.array(list(utility), np.float64)
    except (OverflowError, TypeError, ValueError):
        row = np.empty(0)
    # The bound keeps sums of weighted utilities finite.
    if row.shape != (RESULTS,) or not (np.abs(row) <= _LARGEST_UTILITY).all():
        raise BadText(
            f"a utility vector has {RESULTS} numbers from -1e100 to 1e100, one for each result from 0 to 36; "
            "this one does not"
        )
    return row + 0.0  # no negative zero: which of two zeros a maximum returns depends on the flavour
