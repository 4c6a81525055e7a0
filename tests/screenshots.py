"""Pictures of all pages in use, to be looked at: ``python tests/screenshots.py FOLDER [WORD ...]``.

Writes ``NAME-phone-light.png``, ``NAME-desk-dark.png`` and so on, of the scenes whose names hold one of the words.
A scene is a name, a page, and what is done on it; add those of a page to ``SCENES``.
"""
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser import DESK, PHONE
from playwright.sync_api import Page, sync_playwright
from web_server import running


def nothing(page: Page) -> None:
    """The page as it opens."""


def rolled_1984(page: Page) -> None:
    """A first roll with its advice and the chart."""
    page.get_by_role("spinbutton", name="Red").focus()
    page.keyboard.type("532416")
    page.locator("#due.advice").wait_for()
    page.locator(".chart:not(.stale) svg").wait_for(timeout=90_000)


def again_1984(page: Page) -> None:
    """Dice to be rolled again."""
    rolled_1984(page)
    page.locator("#due.advice").click()
    page.get_by_text("again.").wait_for()
    page.locator(".chart:not(.stale) svg").wait_for(timeout=90_000)


def joined_1984(page: Page) -> None:
    """The form of a game that is joined in its middle."""
    page.get_by_role("button", name="New game").click()
    page.get_by_role("radio", name="x3").check()
    page.get_by_role("radio", name="In its middle").check()
    page.get_by_role("combobox", name="Next round").select_option("R5")
    page.locator('[data-box="62"]').click()


def resumed_1984(page: Page) -> None:
    """A game in its fifth round, with a roll."""
    joined_1984(page)
    page.get_by_role("button", name="Start this game").click()
    rolled_1984(page)


def edited_1984(page: Page) -> None:
    """The sheet editor."""
    page.get_by_role("button", name="Own sheet").click()
    page.locator('[data-box="62"]').first.wait_for()


SCENES: list[tuple[str, str, Callable[[Page], None]]] = [
    ("games", "", nothing),
    ("winston84-new", "winston84.html", nothing),
    ("winston84-roll", "winston84.html", rolled_1984),
    ("winston84-again", "winston84.html", again_1984),
    ("winston84-setup", "winston84.html", joined_1984),
    ("winston84-middle", "winston84.html", resumed_1984),
    ("winston84-sheet", "winston84.html", edited_1984),
    ("winkeladvokat", "winkeladvokat.html", nothing),
    ("winner", "winner.html", nothing),
    ("winston_dogs", "winston_dogs.html", nothing),
    ("walk_the_dogs", "walk_the_dogs.html", nothing),
]


def main(folder: Path, chosen: list[str]) -> None:
    """Make the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("EXACTPLAY_CHROMIUM") or shutil.which("chromium")
    with running() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, path, scene in SCENES:
            if chosen and not any(word in name for word in chosen):
                continue
            for device, viewport in (("phone", PHONE), ("desk", DESK)):
                for scheme in ("light", "dark"):
                    options: dict[str, Any] = {"viewport": viewport, "color_scheme": scheme}
                    context = browser.new_context(base_url=address, **options)
                    page = context.new_page()
                    page.goto(f"/{path}")
                    page.wait_for_load_state("networkidle")
                    scene(page)
                    page.wait_for_load_state("networkidle", timeout=90_000)
                    page.screenshot(path=folder / f"{name}-{device}-{scheme}.png", full_page=True)
                    context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
