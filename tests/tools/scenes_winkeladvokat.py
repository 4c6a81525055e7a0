"""What is done on the page of Winkeladvokat before a picture is taken: ``SCENES`` of a name, a page and a function."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = "winkeladvokat.html"
ENDGAME = "r1b1r3/rbbb2bb/R1r1bb1b/2r3b1/1b1b1b1B/r1r1b2b/rr1r2r1/r2r1r2 b 7,8 3,3"
CHAIN = "R4/3r1/1br2/5/B4 b 20,20 0,0"


def settled(page: Page) -> None:
    """Wait until the page shows what the server has answered."""
    page.locator("#app[aria-busy=false]").wait_for()


def typed(page: Page, position: str) -> None:
    """A position as text."""
    page.get_by_text("Position as text").click()
    page.get_by_label("Position", exact=True).fill(position)
    page.get_by_label("Position", exact=True).press("Enter")
    page.get_by_text("Position as text").click()
    settled(page)


def first(page: Page) -> None:
    """The page as it opens."""
    settled(page)


def solved(page: Page) -> None:
    """An endgame with its value and the arrows of the principal variation."""
    typed(page, ENDGAME)
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(".proven").wait_for()
    settled(page)


def jumping(page: Page) -> None:
    """In the middle of a capture that can go on, with the values of its moves."""
    typed(page, CHAIN)
    page.locator("[name=moves]").select_option("all moves")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(".proven").wait_for()
    for square in ("b3", "d3"):
        settled(page)
        page.locator(f"[data-square={square}]").click()
    settled(page)


def analysing(page: Page) -> None:
    """A large board while it is analysed: bounds and a guess."""
    settled(page)
    page.get_by_role("button", name="Analyse").click()
    page.locator(".guess").wait_for()
    settled(page)


def setting_up(page: Page) -> None:
    """Four players, a position being set up."""
    settled(page)
    page.get_by_text("New game").click()
    page.locator("[name=players]").select_option("4")
    settled(page)
    page.get_by_role("button", name="Set up").click()
    page.get_by_label("Yellow Article", exact=True).check()
    for square in ("c3", "d6"):
        page.locator(f"[data-square={square}]").click()
        settled(page)


SCENES: list[tuple[str, str, Callable[[Page], None]]] = [
    ("winkeladvokat", PAGE, first),
    ("winkeladvokat-solved", PAGE, solved),
    ("winkeladvokat-jumping", PAGE, jumping),
    ("winkeladvokat-analysing", PAGE, analysing),
    ("winkeladvokat-set-up", PAGE, setting_up),
]
