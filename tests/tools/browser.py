"""Fixtures of the tests in a real browser: a server, Chromium, and pages in which nothing may go wrong unnoticed."""
from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
#: axe-core's words for findings that keep people out.
SERIOUS = ("serious", "critical")

Visit = Callable[..., "Page"]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a server with room for one long question and one that waits."""
    pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")
    from exactplay.web.settings import Settings
    from tests.web.server import running

    with running(Settings(workers=1, waiting=1, grace=2.0)) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or the one named by EXACTPLAY_CHROMIUM; where EXACTPLAY_BROWSER=required it may not be missing."""
    required = os.environ.get("EXACTPLAY_BROWSER") == "required"
    program = os.environ.get("EXACTPLAY_CHROMIUM") or shutil.which("chromium")
    if program is None:
        (pytest.fail if required else pytest.skip)("no chromium on the path (apt install chromium, or EXACTPLAY_CHROMIUM)")
    if not required:
        pytest.importorskip("playwright", reason="Playwright is not installed")
    from playwright.sync_api import sync_playwright

    # Ended with the module: while Playwright runs, its event loop keeps other tests of this thread from having their own.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(site: str, chromium: Browser) -> Iterator[Visit]:
    """``visit("winner.html", **context)`` opens a page as a new visitor; errors in its console fail the test at its end.

    A refusal that a test wants is logged by the browser as a failed request: name its status with ``expect={422}``.
    """
    contexts = []
    troubles: list[str] = []
    allowed: set[int] = set()

    def visit(path: str, *, expect: set[int] | None = None, **context: Any) -> Page:
        allowed.update(expect or ())
        visitor = chromium.new_context(**{"viewport": DESK, "base_url": site, **context})
        contexts.append(visitor)
        page = visitor.new_page()
        page.set_default_timeout(20_000)

        def said(message: Any) -> None:
            refused = any(f"status of {status} " in message.text for status in allowed)
            if message.type in ("error", "warning") and not refused:
                troubles.append(f"{path}: {message.text}")

        page.on("console", said)
        page.on("pageerror", lambda error: troubles.append(f"{path}: {error}"))
        page.on("request", lambda request: None if request.url.startswith((site, "blob:", "data:")) else troubles.append(
            f"{path} asked elsewhere: {request.url}"))
        page.goto(f"/{path}")
        return page

    yield visit
    for one in contexts:
        one.close()
    assert not troubles, troubles


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """One serious complaint of axe-core."""

    rule: str
    where: tuple[str, ...]


def serious_findings(page: Page) -> list[Finding]:
    """What axe-core finds on the page as it stands."""
    from axe_playwright_python.sync_playwright import Axe

    return [
        Finding(found["id"], tuple(str(node["target"]) for node in found["nodes"]))
        for found in Axe().run(page).response["violations"] if found["impact"] in SERIOUS
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide
