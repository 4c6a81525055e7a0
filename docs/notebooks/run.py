"""Execute the notebooks of this folder: ``python docs/notebooks/run.py`` writes their outputs, ``--check`` compares them.

Needs nbclient and ipykernel (the ``test`` extra). After a change of a notebook's cells, or of what they show, run it and
look at what changed.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

SECONDS_A_CELL = 120


def execute(path: Path) -> Any:
    """The notebook with fresh outputs, and without what differs from run to run."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=SECONDS_A_CELL, kernel_name="python3", record_timing=False).execute()
    notebook.metadata.pop("language_info", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:
                # Beside a drawing or a table the plain text adds nothing but the seconds that it took.
                del output["data"]["text/plain"]
    return notebook


def differences(stored: Any, fresh: Any) -> Iterator[str]:
    """One line for every cell whose outputs are not the stored ones."""
    for number, (before, now) in enumerate(zip(stored.cells, fresh.cells, strict=True), 1):
        if before.get("outputs") != now.get("outputs"):
            yield f"cell {number} does not print what is stored: {before.source.splitlines()[0]}"


def main(arguments: list[str]) -> int:
    """Run the notebooks named, or all; 1 if one differs from what is stored."""
    check = "--check" in arguments
    named = [Path(argument) for argument in arguments if argument != "--check"]
    found: list[str] = []
    for path in named or sorted(Path(__file__).parent.glob("*.ipynb")):
        fresh = execute(path)
        if check:
            found += [f"{path.name}: {line}" for line in differences(nbformat.read(path, as_version=4), fresh)]
        else:
            nbformat.write(fresh, path)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
