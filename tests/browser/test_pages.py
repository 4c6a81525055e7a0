"""Every page in a real browser: it opens, fits a phone, keeps to itself, and shuts nobody out."""
from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.tools.browser import PHONE, Visit, overflow, serious_findings

PAGES = ("", "winston84.html", "winkeladvokat.html", "winner.html", "winston_dogs.html", "walk_the_dogs.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_open_to_all(visit: Visit, path: str, scheme: str) -> None:
    page = visit(path, viewport=PHONE, color_scheme=scheme)
    page.wait_for_load_state("networkidle")
    assert page.locator("h1").count() == 1
    assert not page.locator("#problem").is_visible() or not page.locator("#problem").inner_text()
    assert serious_findings(page) == []
    assert overflow(page) <= 0


def test_what_is_served_is_small() -> None:
    pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")
    from exactplay.web.pages import STATIC

    files = [file for file in Path(str(STATIC)).rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 300_000
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < 100_000
