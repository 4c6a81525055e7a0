"""Pictures of all pages in use, to be looked at: ``python -m tests.tools.screenshots FOLDER [WORD ...]``.

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

from playwright.sync_api import Page, sync_playwright

from tests.browser.test_cards import OPEN, SEEN, my_turn, read_position
from tests.tools.browser import DESK, PHONE
from tests.tools.scenes_winkeladvokat import SCENES as WINKELADVOKAT
from tests.web.server import running


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
    page.locator('[data-box="62"][role="button"]').click()


def resumed_1984(page: Page) -> None:
    """A game in its fifth round, with a roll."""
    joined_1984(page)
    page.get_by_role("button", name="Start this game").click()
    rolled_1984(page)


def edited_1984(page: Page) -> None:
    """The sheet editor."""
    page.get_by_role("button", name="Own sheet").click()
    page.locator('[data-box="62"][role="button"]').first.wait_for()


def dealt_cards(page: Page) -> None:
    """A game against the advisor as it begins."""
    page.get_by_role("button", name="New game").click()
    my_turn(page)


def advised_cards(page: Page) -> None:
    """Advice on hidden cards."""
    read_position(page, SEEN[page.url.rpartition("/")[2].partition(".")[0]])
    page.locator("input[name=seconds]").fill("3")
    page.get_by_role("button", name="Advise").click()
    page.locator("section.result").wait_for(timeout=90_000)


def solved_cards(page: Page) -> None:
    """An open position with its values."""
    read_position(page, OPEN[page.url.rpartition("/")[2].partition(".")[0]])
    page.locator("select[name=seat]").select_option("")
    page.get_by_role("button", name="Solve").click()
    page.locator("section.result").wait_for(timeout=90_000)


def set_up_cards(page: Page) -> None:
    """A position that is being set up, its first place filled from the palette."""
    page.get_by_role("button", name="Set up a position").click()
    for _ in range(4):
        page.locator(".palette button.card:not([disabled])").nth(3).click()
    page.locator(".judged.good").wait_for()


SCENES: list[tuple[str, str, Callable[[Page], None]]] = [
    ("games", "", nothing),
    ("winston84-new", "winston84.html", nothing),
    ("winston84-roll", "winston84.html", rolled_1984),
    ("winston84-again", "winston84.html", again_1984),
    ("winston84-setup", "winston84.html", joined_1984),
    ("winston84-middle", "winston84.html", resumed_1984),
    ("winston84-sheet", "winston84.html", edited_1984),
    *WINKELADVOKAT,
    ("winner", "winner.html", nothing),
    ("winner-dealt", "winner.html", dealt_cards),
    ("winner-advised", "winner.html", advised_cards),
    ("winner-solved", "winner.html", solved_cards),
    ("winner-setup", "winner.html", set_up_cards),
    ("winston_dogs", "winston_dogs.html", nothing),
    ("winston_dogs-dealt", "winston_dogs.html", dealt_cards),
    ("winston_dogs-advised", "winston_dogs.html", advised_cards),
    ("winston_dogs-solved", "winston_dogs.html", solved_cards),
    ("winston_dogs-setup", "winston_dogs.html", set_up_cards),
    ("walk_the_dogs", "walk_the_dogs.html", nothing),
    ("walk_the_dogs-dealt", "walk_the_dogs.html", dealt_cards),
    ("walk_the_dogs-advised", "walk_the_dogs.html", advised_cards),
    ("walk_the_dogs-solved", "walk_the_dogs.html", solved_cards),
    ("walk_the_dogs-setup", "walk_the_dogs.html", set_up_cards),
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
