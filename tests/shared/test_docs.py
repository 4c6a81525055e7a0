"""What the pages of docs/ and the README show is what the commands print."""
from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests import DOCS

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is not part of an installed wheel")

EXAMPLE = re.compile(r"(?m)^( *)\$ (?:echo '(.*)' \| )?exactplay (.*)\n((?:\1(?!\$ |```).*\n)*)")
PAGES = sorted(page for page in DOCS.glob("*.md") if EXAMPLE.search(page.read_text(encoding="utf-8")))
SESSIONS = sorted(page for page in DOCS.glob("*.md") if ">>> " in page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_are_real(page: Path, tmp_path: Path) -> None:
    """The lines shown are printed in this order; a page may leave out some, and what an answer cost is never compared."""
    # What takes minutes is shown as plain text, and not run.
    text = re.sub(r"(?ms)^```text\n.*?^```$", "", page.read_text(encoding="utf-8"))
    for questions in re.findall(r"(?ms)^```json\n(.*?)^```$", text):
        (tmp_path / "questions.jsonl").write_text(questions, encoding="utf-8")
    home = {name: str(tmp_path / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA")}
    for indent, given, arguments, shown in EXAMPLE.findall(text):
        if "cp-sat" in arguments:
            pytest.importorskip("ortools")
        wanted = [line.removeprefix(indent).rstrip() for line in shown.splitlines() if "CPU s" not in line]
        if not wanted:
            continue  # shown without its answer
        done = subprocess.run(
            [sys.executable, "-m", "exactplay", *shlex.split(arguments, comments=True)], input=given, cwd=tmp_path,
            capture_output=True, text=True, env={**os.environ, **home}, check=False, timeout=120,
        )
        printed = [line.rstrip() for line in done.stdout.splitlines() if "CPU s" not in line]
        assert follows(printed, wanted), f"exactplay {arguments} prints:\n{done.stdout}{done.stderr}"


def follows(printed: list[str], wanted: list[str]) -> bool:
    """Whether the lines wanted are printed in this order; ``...`` in or for a line is any text."""
    patterns = [".*".join(map(re.escape, line.split("..."))) for line in wanted]
    rest = iter(printed)
    return all(any(re.fullmatch(pattern, line) for line in rest) for pattern in patterns if pattern != ".*")


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_the_sessions_are_real(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


