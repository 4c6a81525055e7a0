"""The notebooks in docs show what they store: each is executed in a kernel of its own and compared output by output."""
from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import DOCS

FOLDER = DOCS / "notebooks"
pytestmark = [
    pytest.mark.skipif(not FOLDER.exists(), reason="the documentation is not part of an installed wheel"),
    # Looked for, not imported: it is only needed in the processes that the tests start.
    pytest.mark.skipif(find_spec("nbclient") is None, reason="nbclient is not installed"),
]
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), *map(str, arguments)], capture_output=True, text=True, timeout=250,
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_stores(path: Path) -> None:
    finished = run("--check", path)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    outputs = [out for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for out in cell.get("outputs", [])]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html"} <= kinds


def test_an_output_that_differs_is_reported(tmp_path: Path) -> None:
    cell = {
        "cell_type": "code", "id": "one", "source": "1 + 1", "metadata": {}, "execution_count": 1,
        "outputs": [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "3"}}],
    }
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    changed = tmp_path / "changed.ipynb"
    changed.write_text(json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
    finished = run("--check", changed)
    assert finished.returncode == 1
    assert finished.stdout == "changed.ipynb: cell 1 does not print what is stored: 1 + 1\n"
