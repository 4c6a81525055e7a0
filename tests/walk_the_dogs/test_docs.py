"""The examples in docs/walk_the_dogs.md are what the commands print."""
from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys

import pytest

from tests import DOCS

PAGE = DOCS / "walk_the_dogs.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of an installed wheel")


def test_the_commands_print_what_the_page_shows() -> None:
    examples = re.findall(
        r"(?m)^    \$ (?:echo '(.*)' \| )?exactplay (walk .*)\n((?:    (?!\$ ).*\n)+)", PAGE.read_text(encoding="utf-8")
    )
    assert len(examples) == 4
    for given, arguments, shown in examples:
        if "cp-sat" in arguments:
            pytest.importorskip("ortools")
        finished = subprocess.run(
            [sys.executable, "-m", "exactplay", *shlex.split(arguments)], input=given, capture_output=True, text=True,
            check=True, timeout=120,
        )
        printed = "\n".join(line.rstrip() for line in finished.stdout.splitlines())
        # Dots on the page stand for what is left out.
        parts = "".join(line[4:] for line in shown.splitlines(keepends=True)).strip().split("...")
        assert re.match(".*".join(map(re.escape, parts)), printed, re.DOTALL), printed


def test_the_session_is_real() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
