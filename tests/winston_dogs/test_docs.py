"""The examples in docs/winston_dogs.md are what the commands print; and a share of the long checks."""
from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from bench.verify import winston_dogs as bench
from tests import DOCS

PAGE = DOCS / "winston_dogs.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of an installed wheel")
def test_the_examples_are_real() -> None:
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    examples = re.findall(r"(?m)^\$ exactplay dogs (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks))
    assert len(examples) == 3
    for arguments, shown in examples:
        finished = subprocess.run(
            [sys.executable, "-m", "exactplay", "dogs", *shlex.split(arguments)], capture_output=True, text=True,
            check=True, timeout=120,
        )
        lines = [line.rstrip() for line in finished.stdout.splitlines() if "CPU s" not in line]
        assert lines == shown.splitlines()


def test_a_share_of_the_long_checks(capsys: pytest.CaptureFixture[str]) -> None:
    bench.verify(["60", "2"])
    assert "reference and core agree at every step" in capsys.readouterr().out
