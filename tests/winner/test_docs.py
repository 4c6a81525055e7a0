"""The examples in docs/winner.md are what the commands print."""
from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from tests import DOCS

PAGE = DOCS / "winner.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of an installed wheel")
def test_the_examples_are_real() -> None:
    """Examples that show an answer: every line shown is printed, in this order; ``...`` stands for lines left out."""
    examples = re.findall(r"(?m)^\$ exactplay winner (.*)\n((?:(?!\$ |```).*\n)+)", PAGE.read_text(encoding="utf-8"))
    assert len(examples) == 3
    for arguments, shown in examples:
        done = subprocess.run(
            [sys.executable, "-m", "exactplay", "winner", *shlex.split(arguments)], capture_output=True, text=True,
            check=True, timeout=120,
        )
        printed = iter([line.rstrip() for line in done.stdout.splitlines()])
        for line in shown.splitlines():
            assert line == "..." or line.rstrip() in printed, line
