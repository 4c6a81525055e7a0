"""The conversation with the coach in docs/winston84.md is real; the examples are in tests/shared/test_docs.py."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import DOCS

PAGE = DOCS / "winston84.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of an installed wheel")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))


def command(folder: Path, arguments: list[str], typed: str = "") -> str:
    home = {name: str(folder / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA")}
    finished = subprocess.run(
        [sys.executable, "-m", "exactplay", "winston84", *arguments],
        input=typed, capture_output=True, text=True, cwd=folder, env={**os.environ, **home}, check=False, timeout=120,
    )
    return "".join(line.rstrip() + "\n" for line in finished.stdout.splitlines())


def test_the_conversation_with_the_coach_is_real(tmp_path: Path) -> None:
    (conversation,) = blocks("text")
    prompt = r"(?m)^(R\d (?:roll of [RGBWYP ]+|decision \[[^\]]+\]):)(.*)\n"
    typed = [line.strip() for _, line in re.findall(prompt, conversation)]
    said = command(tmp_path, ["coach", "-d", "3", "--file", "game.json"], "\n".join(typed) + "\n")
    assert typed[-1] == "quit"
    # What is typed into a pipe is printed after its prompt, as nobody has seen it being typed.
    assert said == conversation
