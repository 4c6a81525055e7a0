"""The page of Winkeladvokat in a real browser: set up, solve, play, with the mouse, the keyboard and on a phone."""
from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from exactplay.cli.record import Record
from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, Rules, State
from exactplay.solvers.winkeladvokat import solve
from tests.tools.browser import PHONE, Visit, overflow, serious_findings

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

PAGE = "winkeladvokat.html"
#: Blue can take twice with one Article, or stop after the first.
CHAIN = "R4/3r1/1br2/5/B4 b 20,20 0,0"


def opened(visit: Visit, position: str = "", **context: Any) -> Page:
    """The page with its board; with a position typed into it."""
    page = visit(PAGE, **context)
    page.locator("[data-square=a1]").wait_for()
    if position:
        typed(page, position)
    return page


def typed(page: Page, position: str) -> None:
    """Type a position and wait for the board to show it."""
    page.get_by_text("Position as text").click()
    page.get_by_label("Position", exact=True).fill(position)
    page.get_by_label("Position", exact=True).press("Enter")
    page.get_by_text("Position as text").click()
    shows(page, position)


def shows(page: Page, position: str) -> None:
    """Wait until the board shows a position, square by square."""
    ranks = [re.sub("[1-8]", lambda run: "." * int(run[0]), rank) for rank in position.split(" ")[0].split("/")]
    page.wait_for_function(
        """ranks => ranks.every((rank, row) => [...rank].every((piece, file) => {
            const square = document.querySelector(`[data-square=${"abcdefgh"[file]}${ranks.length - row}]`);
            return square && (square.dataset.piece ?? ".") === piece;
        })) && document.querySelectorAll("[data-square]").length === ranks.length ** 2""",
        arg=ranks,
    )


def text_of(page: Page) -> str:
    """The position in its text field."""
    return page.get_by_label("Position", exact=True).input_value()


def click(page: Page, *squares: str) -> None:
    """Choose squares one after the other, each when the board is ready for it."""
    for square in squares:
        page.locator(f"[data-square={square}]").click()
        settled(page)


def settled(page: Page) -> None:
    """Wait until the page shows what the server has answered."""
    page.locator("#app[aria-busy=false]").wait_for()


def lit(page: Page) -> set[str]:
    """The squares that light up."""
    return {str(square.get_attribute("data-square")) for square in page.locator("[data-square]:has(.lit)").all()}


def button(page: Page, name: str) -> Locator:
    """A button by its whole name."""
    return page.get_by_role("button", name=name, exact=True)


def test_an_endgame_is_set_up_solved_and_its_best_move_played(visit: Visit) -> None:
    page = opened(visit)
    page.get_by_text("New game").click()
    page.get_by_label("Board").select_option("4 × 4")
    shows(page, "3R/4/4/B3")
    button(page, "Set up").click()
    page.get_by_label("Blue Article", exact=True).check()
    click(page, "b2", "b3")
    page.get_by_label("Red Article", exact=True).check()
    click(page, "c2", "a2")
    page.get_by_label("Red Lawyer", exact=True).check()
    click(page, "d3")
    page.get_by_label("Clear", exact=True).check()
    click(page, "a2")
    page.get_by_label("Blue: Articles in supply").fill("5")
    page.get_by_label("Blue: Articles in supply").press("Tab")
    page.get_by_label("Red: points by captures").fill("2")
    page.get_by_label("Red: points by captures").press("Tab")
    page.locator("[name=turn]").select_option("Red")
    settled(page)
    position = "4/1b1R/1br1/B3 r 5,23 0,2"
    assert text_of(page) == position
    click(page, "d3")
    assert text_of(page) == position and "put him elsewhere" in page.locator("#problem").inner_text()
    button(page, "Set up").click()

    button(page, "Solve").click()
    answer = page.get_by_label("Answer")
    answer.locator(".proven").wait_for()
    truth = solve(State.parse(position))
    value = int(truth.verdict.value)  # type: ignore[union-attr, arg-type]
    assert answer.locator("output").inner_text() == f"{value:+d} (exact)".replace("-", "−")
    assert {str(move) for move in truth.best} == {
        str(row.get_attribute("data-move")) for row in answer.locator("tr.best [data-move]").all()
    }
    page.locator("svg.winkeladvokat g[data-move]").first.wait_for()
    arrows = [arrow.get_attribute("data-move") for arrow in page.locator("svg.winkeladvokat g[data-move]").all()]
    assert arrows == [str(move) for move in truth.pv[:3]]

    best = str(truth.best[0])
    button(page, f"Play {best}").click()
    after = str(State.parse(position).play(Move.parse(best)))
    shows(page, after)
    assert text_of(page) == after
    page.reload()
    shows(page, after)
    button(page, "Undo").click()
    shows(page, position)
    button(page, "Redo").click()
    shows(page, after)


def test_a_move_is_chosen_step_by_step(visit: Visit) -> None:
    page = opened(visit, CHAIN)
    assert lit(page) == {"a1", "b3"}
    click(page, "a1")
    assert lit(page) == {"a2", "a4", "b1", "c1", "d1", "e1"}
    click(page, "b1")
    assert lit(page) == {"b2"}
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    settled(page)
    assert lit(page) == {"a1", "b3"}
    click(page, "b3", "d3")
    assert lit(page) == {"d5"} and button(page, "Stop here").is_enabled()
    click(page, "b5")
    assert "b5 cannot be chosen" in page.locator("#problem").inner_text()
    click(page, "d3")
    shows(page, "R4/3r1/3b1/5/B4")
    button(page, "Undo").click()
    shows(page, CHAIN)
    click(page, "b3", "d3", "d5")
    shows(page, "R2b1/5/5/5/B4")
    assert text_of(page) == "R2b1/5/5/5/B4 r 20,20 2,0"


def test_the_last_squares_of_a_move_show_its_exact_value(visit: Visit) -> None:
    page = opened(visit, CHAIN)
    page.locator("[name=moves]").select_option("all moves")
    button(page, "Solve").click()
    page.get_by_label("Answer").locator(".proven").wait_for()
    click(page, "a1", "a4")
    worth = solve(State.parse(CHAIN), moves="all").moves
    shown = {square: str(page.locator(f"[data-square={square}]").get_attribute("aria-label")) for square in ("b4", "c4")}
    for square, label in shown.items():
        value = worth[Move.parse(f"a1-a4-{square}")].value  # type: ignore[union-attr]
        assert label.endswith(f"lit up, {value:+d}".replace("-", "−").replace("+0", "0"))
    assert "Bold numbers are exact values" in page.locator(".hint").inner_text()


def test_a_position_with_very_many_moves_lists_few(visit: Visit) -> None:
    page = opened(visit, "7R/8/8/8/8/8/8/B7 b 25,25 0,0")
    page.get_by_label("Seconds", exact=True).fill("0.5")
    button(page, "Analyse").click()
    page.get_by_label("Answer").get_by_text("Best guess, not proven").wait_for()
    page.get_by_role("button", name=re.compile("^Play ")).wait_for()
    assert "proven bounds" in page.get_by_label("Answer").locator("output").inner_text()
    assert page.get_by_label("Answer").get_by_text("best", exact=True).count() == 0
    assert page.locator("table.moves tr").count() == 40
    click(page, "a1", "a7")
    assert page.locator("table.moves tr").count() == 7


def test_a_solve_is_cancelled_and_a_full_pool_refuses(visit: Visit) -> None:
    page = opened(visit, "7R/8/8/8/8/8/8/B7 b 25,25 0,0", expect={429})
    button(page, "Solve").click()
    work = page.get_by_label("Work in progress")
    page.get_by_label("Answer").locator("output").get_by_text("proven bound").wait_for()
    button(page, "Cancel").click()
    work.wait_for(state="detached")
    assert "Cancelled" in page.locator("#problem").inner_text()
    assert "between" in page.get_by_label("Answer").locator("output").inner_text()

    jobs = []
    for size in (7, 8):
        reply = page.request.post("/api/winkeladvokat/solve", data={"size": size, "players": 2, "seconds": 500 + size})
        assert reply.status == 202
        jobs.append(reply.json()["id"])
    button(page, "Solve").click()
    page.get_by_text("try again later").wait_for()
    assert button(page, "Solve").is_enabled()
    for job in jobs:
        page.request.delete(f"/api/jobs/{job}")


@pytest.mark.parametrize("wrong, why", [
    ("2R/3/3 b 3,3 0,0", "Blue has 0 Lawyers"),
    ("2R/3/B2 b 3,3", "four fields"),
    ("2R/3/B2 g 3,3 0,0", "Green is to move"),
])
def test_a_wrong_position_is_refused_in_one_line(visit: Visit, wrong: str, why: str) -> None:
    page = opened(visit, expect={422})
    click(page, "a1", "a3", "d3")
    before = page.url
    page.get_by_text("Position as text").click()
    page.get_by_label("Position", exact=True).fill(wrong)
    page.get_by_label("Position", exact=True).press("Enter")
    page.locator("#problem").get_by_text(why).wait_for()
    assert text_of(page) == wrong, "what was typed can be put right"
    assert page.url == before
    shows(page, "7R/8/8/8/8/b2B4/8/8")


def test_a_game_against_the_engine(visit: Visit, tmp_path: Path) -> None:
    page = opened(visit, "3R/4/4/B3 b 25,25 0,0")
    page.locator("[name=seat-r]").select_option("engine")
    page.get_by_label("Seconds a move").fill("0.1")
    page.get_by_label("Seconds a move").press("Tab")
    state = State.parse(text_of(page))
    plies = 0
    while state.to_move != OVER:
        assert state.turn == 0
        move = state.legal_moves()[0]
        click(page, *move.squares)
        if button(page, "Stop here").is_enabled():
            button(page, "Stop here").click()
        state, plies = state.play(move), plies + 1
        if state.to_move != OVER:
            said = page.get_by_text(re.compile("^Red played .* Value for Red: .*(exact|proven bounds)"))
            page.get_by_text(f"Moves played: {plies + 1}").wait_for()
            reply = Move.parse(said.inner_text().split()[2].rstrip("."))
            state, plies = state.play(reply), plies + 1
        shows(page, str(state))
    page.get_by_text(f"Moves played: {plies}").wait_for()
    assert "The game is over" in page.locator(".hint").inner_text()
    page.reload()
    shows(page, str(state))

    page.get_by_text("Position as text").click()
    with page.expect_download() as loading:
        button(page, "Download game").click()
    record = json.loads(loading.value.path().read_text(encoding="utf-8"))
    assert record["setup"]["people"] == "b" and len(record["moves"]) == plies
    kept = tmp_path / "game.json"
    kept.write_text(json.dumps(record), encoding="utf-8")
    saved = Record.load(kept, "winkeladvokat")
    again = State.parse(saved.setup["position"])
    for text in saved.moves:
        again = again.play(Move.parse(text))
    assert again == state

    other = visit(PAGE)
    other.locator("[data-square=f6]").wait_for()
    other.get_by_text("Position as text").click()
    other.get_by_label("Open a game").set_input_files(kept)
    shows(other, str(state))
    button(other, "Undo").click()
    other.get_by_text(f"Moves played: {(plies - 1) // 2 * 2}").wait_for()


def test_the_engine_plays_three_of_four(visit: Visit) -> None:
    page = opened(visit)
    page.get_by_text("New game").click()
    page.get_by_label("Board").select_option("4 × 4")
    page.locator("[name=players]").select_option("4")
    shows(page, "R2Y/4/4/B2G")
    for colour in "ryg":
        page.locator(f"[name=seat-{colour}]").select_option("engine")
        settled(page)
    page.get_by_label("Seconds a move").fill("0.1")
    page.get_by_label("Seconds a move").press("Tab")
    click(page, "a1", "b1", "b2")
    page.get_by_text("Moves played: 4").wait_for()
    assert text_of(page).split(" ")[1] == "b"
    button(page, "Undo").click()
    shows(page, "R2Y/4/4/B2G")
    button(page, "Redo").click()
    page.get_by_text("Moves played: 4").wait_for()
    assert not button(page, "Redo").is_enabled()


def test_own_numbers_and_other_rules(visit: Visit) -> None:
    page = opened(visit, "3R/4/4/B3 b 25,25 0,0")
    button(page, "Set up").click()
    page.get_by_label("Number to write on squares").fill("100")
    page.get_by_label("Number to write on squares").press("Tab")
    assert page.get_by_label("Number", exact=True).is_checked()
    click(page, "c2")
    assert page.locator("[data-square=c2]").get_attribute("aria-label") == "c2, 100 points"
    button(page, "Set up").click()
    page.get_by_text("Rules: default").click()
    page.locator("[name=capture_directions]").select_option("both")
    page.get_by_text("Rules: capture directions both").wait_for()
    settled(page)
    button(page, "Solve").click()
    page.get_by_label("Answer").locator(".proven").wait_for()
    state = State.parse(text_of(page))
    assert state.rules == Rules(capture_directions="both") and state.board.values[1 * 4 + 2] == 100
    truth = solve(state)
    value = int(truth.verdict.value)  # type: ignore[union-attr, arg-type]
    assert page.get_by_label("Answer").locator("output").inner_text() == f"{value:+d} (exact)".replace("-", "−")
    page.reload()
    page.locator("[data-square=c2][aria-label='c2, 100 points']").wait_for()
    page.get_by_text("Rules: capture directions both").wait_for()

    page.get_by_text("New game").click()
    page.get_by_label("Board").select_option("3 × 3")
    page.get_by_text("Rules: capture directions both").click()
    page.locator("[name=start_corners]").select_option("adjacent")
    shows(page, "R2/3/B2")
    button(page, "Undo").click()
    shows(page, "2R/3/B2")


def test_a_damaged_link_says_so_and_begins_anew(visit: Visit) -> None:
    state = json.dumps({"position": "2R/3/B2 b 3,3 0,0", "played": ["a1-a3-c3"], "seconds": "soon"})
    page = visit(f"{PAGE}#{base64.urlsafe_b64encode(state.encode()).decode().rstrip('=')}", expect={422})
    page.locator("#problem").get_by_text("a1-a3-c3 cannot be played").wait_for()
    shows(page, "7R/8/8/8/8/8/8/B7")


def test_a_link_shows_the_same_game(visit: Visit) -> None:
    page = opened(visit, "4R/5/5/5/B4 b 25,25 0,0")
    click(page, "a1", "a3", "c3")
    shows(page, "4R/5/b1B2/5/5")
    other = visit(page.url.rpartition("/")[2])
    shows(other, "4R/5/b1B2/5/5")
    button(other, "Undo").click()
    shows(other, "4R/5/5/5/B4")


def test_the_keyboard_alone_is_enough(visit: Visit) -> None:
    page = opened(visit, "4R/5/5/5/B4 b 25,25 0,0")
    page.locator("nav a").last.focus()
    page.keyboard.press("Tab")
    focused = "document.activeElement.dataset.square"
    assert page.evaluate(focused) == "a5"
    for key in ["ArrowDown"] * 4:
        page.keyboard.press(key)
    assert page.evaluate(focused) == "a1"
    page.keyboard.press("Enter")
    page.locator("[data-square=a3] .lit").wait_for()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.locator("[data-square=c3] .lit").wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-square=b1] .lit").wait_for()
    assert page.evaluate(focused) == "a3"
    page.keyboard.press("Enter")
    page.locator("[data-square=c3] .lit").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shows(page, "4R/5/b1B2/5/5")
    assert page.evaluate(focused) == "c3"
    assert page.locator("[data-square=c3]").get_attribute("aria-label") == "c3, 8 points, Blue Lawyer"

    for _ in range(20):
        if page.evaluate("document.activeElement.textContent") == "Set up":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_label("Blue Article", exact=True).wait_for()
    while page.evaluate(focused) is None:
        page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == "c3"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    shows(page, "4R/5/b1Br1/5/5")
    page.keyboard.press("b")
    shows(page, "4R/5/b1Bb1/5/5")
    page.keyboard.press("Delete")
    shows(page, "4R/5/b1B2/5/5")
    assert page.evaluate(focused) == "d3"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_holds_it_and_nobody_is_shut_out(visit: Visit, scheme: str) -> None:
    page = opened(visit, CHAIN, viewport=PHONE, color_scheme=scheme, has_touch=True)
    page.locator("[data-square=b3]").tap()
    page.locator("[data-square=d3] .lit").wait_for()
    assert overflow(page) <= 0
    page.keyboard.press("Escape")
    button(page, "Solve").click()
    page.get_by_label("Answer").locator(".proven").wait_for()
    for summary in page.locator("details > summary").all():
        summary.click()
    button(page, "Set up").click()
    page.get_by_label("Blue Article", exact=True).wait_for()
    assert overflow(page) <= 0
    assert serious_findings(page) == []
    width = page.locator("[data-square=a1]").bounding_box()
    assert width is not None and width["width"] >= 24
