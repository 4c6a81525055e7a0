"""Winston 1984: the tables that ship."""
from __future__ import annotations

import filecmp
import tempfile
from pathlib import Path

from exactplay.common.files import write_whole
from exactplay.rules.winston84 import (
    Difficulty,
    Objective,
    Rules,
    Sheet,
)
from exactplay.solvers.winston84 import solve_sheet
from exactplay.solvers.winston84.outer import write_solution
from exactplay.solvers.winston84.structure import (
    SHIPPED,
    compile_structure,
    data_path,
    write_structure,
)


def rebuild(arguments: list[str]) -> None:
    """Make the shipped tables; with ``--check`` only say whether the shipped ones are the same bit for bit."""
    with tempfile.TemporaryDirectory() as folder:
        write_structure(compile_structure(Rules()), Path(folder) / SHIPPED)
        sheet = Sheet.load("reference")
        for level in range(1, 6):
            for objective in ("score", "win"):
                solution = solve_sheet(sheet, Difficulty(level), Objective.parse(objective))
                write_solution(solution, Path(folder) / f"winston84-x{level}-{objective}.table")
        differing = [
            made.name
            for made in sorted(Path(folder).iterdir())
            if not data_path(made.name).exists() or not filecmp.cmp(made, data_path(made.name), shallow=False)
        ]
        if "--check" in arguments:
            print(f"differing: {', '.join(differing)}" if differing else "the shipped tables are bit for bit these")
            raise SystemExit(1 if differing else 0)
        for name in differing:
            write_whole(data_path(name), (Path(folder) / name).read_bytes())
        print(f"{len(differing)} files written to {data_path('')}")
