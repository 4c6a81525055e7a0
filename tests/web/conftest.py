"""A real server for the tests of the web application, and the command line beside it."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx

from exactplay.cli import main
from exactplay.web.settings import Settings
from tests.web.server import running


@pytest.fixture(scope="package")
def client() -> Iterator[httpx.Client]:
    """A client of a server with room for one long question and one that waits."""
    with running(Settings(workers=1, waiting=1, grace=30.0, megabytes=1024)) as url, httpx.Client(
        base_url=url, timeout=60.0
    ) as client:
        yield client


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a command: its JSON, or the line that it ends with."""

    def run(*words: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["exactplay", *words])
        code = main()
        shown = capsys.readouterr()
        return shown.err.strip().removeprefix("exactplay: ") if code else json.loads(shown.out)

    return run
