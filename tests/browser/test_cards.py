"""The pages of the three card games in a real browser: advice, setting up, solving, playing, keeping."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tools.browser import PHONE, Visit, overflow, serious_findings

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What is out of play in a hand of Winner where three cards each are not seen: 3D 4D TH QC QD KH.
SPENT = " ".join(
    rank + suit for rank in "3456789TJQKA2" for suit in "DCHS"
    if rank + suit not in ["5D", "9C", "JS", "AD", "3C", "3D", "4D", "TH", "QC", "QD", "KH"]
) + " BJ RJ"
GAMES = ("winner", "winston_dogs", "walk_the_dogs")
#: Small positions with every card known, seat 0 to move, and what their last move leaves.
OPEN = {
    "winner": "3D 9C JS | 4D 5H | 6S TD; turn 0",
    "winston_dogs": "hands Gb Gb Ob Sb | Bb Bb Gh; table Kb Wbb Ob Sbbb; longest 4; shortest 2; bone 0; poo 1; "
    "points 37 21",
    "walk_the_dogs": "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=r2,y,g1,g3",
}
#: What one seat sees.
SEEN = {
    "winner": "5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2",
    "winston_dogs": "hands Kb Kb Gh | ? ? ?; table Khb Gb; pile ? ?; longest 3; shortest 3; bone 1; poo 1; points 9 12; "
    "unseen Bb Gb Gb Sh Wb",
    "walk_the_dogs": "middle=SPOOPSDD lines=SSOP/PGDDC hands=g1,y,r2/#2 bones=0/1 discards=g1,g2,g3,g3,r1,r1,r3,y,y,le,dc",
}


def read_position(page: Page, text: str) -> None:
    """Give a position as text."""
    page.locator("textarea[name=position]").fill(text)
    page.locator("textarea[name=position]").press("Tab")
    page.locator("section[aria-label=Table] > xp-drawing svg").wait_for()


def open_game(page: Page, game: str) -> None:
    """A small game against the advisor, who plays all seats but 0 unless another is chosen."""
    page.locator("input[name=think]").fill("0.1")
    page.locator("input[name=think]").press("Tab")
    read_position(page, OPEN[game])


def my_turn(page: Page) -> bool:
    """Wait until the seat at the screen is to act; False when the game is over."""
    page.locator("#turn", has_text=re.compile(r"\(you\) is to act|The game is over")).wait_for()
    return "over" not in page.locator("#turn").inner_text()


def play_any(page: Page) -> None:
    """The first move of the list."""
    from playwright.sync_api import expect

    moves = page.locator("details:has(ul.moves)")
    if moves.get_attribute("open") is None:
        moves.locator("summary").click()
    played = page.locator("summary", has_text="Moves so far")
    before = played.inner_text() if played.count() else ""
    moves.locator("button[data-move]").first.click()
    expect(played).not_to_have_text(before)


@pytest.mark.parametrize(("game", "kind"), [
    ("winner", "estimate: mean and standard error"),
    ("winston_dogs", r"^9 \(exact expectation over 7 worlds\)"),
    ("walk_the_dogs", "estimate: mean and standard error"),
])
def test_advice_is_read_with_its_kind(visit: Visit, game: str, kind: str) -> None:
    page = visit(f"{game}.html")
    read_position(page, SEEN[game])
    page.locator("input[name=seconds]").fill("3")
    page.get_by_role("button", name="Advise").click()
    answer = page.locator("section.result")
    answer.wait_for()
    assert re.search(kind, answer.locator("output").inner_text())
    rows = answer.locator("ol.answers li")
    legal = int(page.locator("summary", has_text="Legal moves").inner_text().split()[-1])
    assert rows.count() == legal
    assert rows.first.locator(".tag").inner_text() == "best"
    if "estimate" in kind:
        assert "±" in rows.nth(1).locator(".number").inner_text()
        assert rows.first.locator("path.error").count() == 1
        assert "95 %" in answer.inner_text()
    if game == "winner":
        assert "strategy fusion" in answer.inner_text()
    if game != "winner":
        # Cards would be drawn that nobody here sees, so that the move is not played: its cards are picked.
        rows.first.get_by_role("button").click()
        assert page.locator('button.card[aria-pressed="true"]').count() >= 1


def test_a_game_of_winner_at_the_table_is_followed(visit: Visit) -> None:
    page = visit("winner.html", expect={422})
    read_position(page, "5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2; spent " + SPENT)
    page.locator('button.card[data-card="9C"]').click()
    page.get_by_role("button", name="Play 9C").click()
    page.get_by_text("What did seat 1 play?").wait_for()
    table = page.locator("section[aria-label=Table]")
    table.locator('fieldset button.card[data-card="3D"]').click()
    table.locator('fieldset [data-play="3D"]').click()
    page.locator("#problem", has_text="does not beat").wait_for()
    table.locator('fieldset button.card[data-card="3D"]').click()
    table.locator('fieldset button.card[data-card="TH"]').click()
    table.locator('fieldset [data-play="TH"]').click()
    page.get_by_text("What did seat 2 play?").wait_for()
    table.locator('fieldset [data-play="pass"]').click()
    page.locator("#turn", has_text="Seat 0 is to act").wait_for()
    known = page.locator("textarea[name=position]").input_value()
    assert known.startswith("5D JS AD | ?2 | ?3; turn 0; on TH by 1")
    assert " 9C" in known.partition("spent")[2]
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("What did seat 2 play?").wait_for()


def put(page: Page, zone: str, *pieces: str) -> None:
    """Click pieces of the palette into a place."""
    page.locator(f'input[name=zone][value="{zone}"]').check()
    for piece in pieces:
        page.locator(f'.palette [data-card="{piece}"]').click()


def use(page: Page) -> None:
    """Take the position that was set up, and look at it with open hands."""
    page.get_by_role("button", name="Use this position").click()
    page.locator("section[aria-label=Table] > xp-drawing svg").wait_for()


def hidden(page: Page, zone: str, number: int) -> None:
    """Set how many cards of a hand are hidden."""
    box = page.locator(".zone", has=page.locator(f'input[value="{zone}"]')).get_by_label("hidden")
    box.fill(str(number))
    box.press("Tab")


def solved(page: Page) -> str:
    """Solve, and read the value."""
    page.get_by_role("button", name="Solve").click()
    page.locator("section.result").wait_for()
    return page.locator("section.result output").inner_text()


def test_a_hand_of_winner_is_clicked_together_and_solved(visit: Visit) -> None:
    from exactplay.rules.winner import State
    from exactplay.solvers.winner import solve

    page = visit("winner.html", expect={422})
    page.get_by_role("button", name="Set up a position").click()
    page.locator(".setup").get_by_label("Players").select_option("2")
    put(page, "hand0", "3D", "5D", "5C", "9C", "KS")
    page.get_by_role("button", name="Take King of spades away").click()
    hidden(page, "hand1", 0)
    put(page, "hand1", "4S", "6D", "6C")
    assert page.locator('.palette [data-card="3D"]').is_disabled()
    use(page)
    text = "3D 5D 5C 9C | 4S 6D 6C; turn 0"
    assert page.locator("textarea[name=position]").input_value() == text
    wanted = solve(State.parse(text))
    assert solved(page) == str(wanted.verdict)
    assert page.locator("li.best button").evaluate_all("them => them.map((one) => one.dataset.move)") == [
        str(move) for move in wanted.best
    ]
    page.get_by_role("button", name="Fewest plays").click()
    page.get_by_text("Fewest plays: 3 (exact)").wait_for()


def test_a_table_of_winston_is_clicked_together_and_solved(visit: Visit) -> None:
    from exactplay.rules.winston_dogs import State
    from exactplay.solvers.winston_dogs import solve

    page = visit("winston_dogs.html", expect={422})
    page.get_by_role("button", name="Set up a position").click()
    put(page, "hand0", "Bh", "Bb", "Kb")
    hidden(page, "hand1", 0)
    put(page, "hand1", "Kh", "Kb")
    put(page, "table", "Bb", "Kb")
    page.get_by_label("the pile is hidden").uncheck()
    put(page, "pile", "Gb")
    use(page)
    state = State.parse("hands Bb Bh Kb | Kb Kh; table Bb Kb; pile Gb; turn 0")
    assert page.locator("textarea[name=position]").input_value() == str(state)
    assert solved(page) == str(solve(state).verdict)


def test_lines_of_dogs_are_clicked_together_and_solved(visit: Visit) -> None:
    from exactplay.rules.walk_the_dogs import State
    from exactplay.solvers.walk_the_dogs import solve

    page = visit("walk_the_dogs.html", expect={422})
    page.get_by_role("button", name="Set up a position").click()
    put(page, "middle", *"SPPS")
    put(page, "line0", *"SS")
    put(page, "hand0", "g1", "r2")
    put(page, "hand1", "g1", "r1")
    use(page)
    state = State.parse("middle=SPPS lines=SS/- hands=g1,r2/g1,r1 phase=play")
    page.locator("select[name=objective]").select_option("points")
    assert solved(page) == str(solve(state, objective="points").verdict)
    page.locator("summary", has_text="Arrange").click()
    page.locator("input[name=arrange-line]").fill("POSOPSS")
    page.locator("input[name=arrange-dogs]").fill("SP")
    page.get_by_role("button", name="Arrange").click()
    page.get_by_text("17 (exact)").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_the_advisor_to_its_end(visit: Visit, game: str) -> None:
    page = visit(f"{game}.html")
    open_game(page, game)
    moves = 0
    while my_turn(page):
        if game != "winner":  # where two hold cards each knows the other's in Winner
            theirs = page.locator("section[aria-label=Table] svg [data-card]")
            assert set(theirs.evaluate_all("cards => cards.map((card) => card.dataset.card)")) <= {"?"}
        play_any(page)
        moves += 1
        assert moves < 30
    assert moves
    assert "The game is over" in page.locator("#turn").inner_text()
    assert serious_findings(page) == []


def test_the_others_hands_stay_covered(visit: Visit) -> None:
    page = visit("winner.html")
    open_game(page, "winner")
    my_turn(page)
    table = page.locator("section[aria-label=Table]")
    assert table.locator("svg [data-card='?']").count() == 4
    assert page.locator("[data-card='4D'], [data-card='TD']").count() == 0
    assert "4D" not in table.inner_html()
    assert page.get_by_role("button", name="Solve").count() == 0


def test_undo_reload_link_and_record(visit: Visit, tmp_path: Path) -> None:
    from exactplay.cli.record import Record
    from exactplay.rules.winner import Move, State

    page = visit("winner.html")
    open_game(page, "winner")
    my_turn(page)
    start = page.locator("textarea[name=position]").input_value()
    page.locator('button.card[data-card="3D"]').click()
    page.get_by_role("button", name="Play 3D").click()
    page.locator("summary", has_text="Moves so far: 3").wait_for()
    my_turn(page)
    later = page.locator("textarea[name=position]").input_value()
    assert later != start
    page.reload()
    my_turn(page)
    assert page.locator("textarea[name=position]").input_value() == later
    link = page.url
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download").click()
    kept = tmp_path / "game.json"
    downloading.value.save_as(kept)
    record = Record.load(kept, "winner")
    state = State.from_json(record.setup["position"])
    for move in record.moves:
        state = state.play(Move.parse(move))
    assert state.to_move == int(record.setup["people"]) == 0
    page.get_by_role("button", name="Undo").click()
    page.locator("summary", has_text="Moves so far").wait_for(state="detached")
    assert page.locator("textarea[name=position]").input_value() == start
    page.locator("input[name=record]").set_input_files(kept)
    page.locator("summary", has_text="Moves so far: 3").wait_for()
    my_turn(page)
    assert page.locator("textarea[name=position]").input_value() == later
    # A game that the command line keeps says its rules in the position's text.
    kept.write_text(json.dumps({"game": "winner", "moves": ["3D"], "setup": {
        "position": "3D 9C JS | 4D 5H | 6S TD; turn 0; rules end=first_out", "people": "0", "objective": "win"}}))
    page.locator("input[name=record]").set_input_files(kept)
    page.get_by_text("Rules: end first_out").wait_for()
    my_turn(page)
    stranger = visit(link.split("/", 3)[3])
    my_turn(stranger)
    assert stranger.locator("textarea[name=position]").input_value() == later
    kept.write_text(json.dumps({"game": "chess"}))
    page.locator("input[name=record]").set_input_files(kept)
    page.locator("#problem", has_text="is not a saved game").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_in_mid_game(visit: Visit, game: str) -> None:
    page = visit(f"{game}.html", viewport=PHONE, color_scheme="dark", expect={422})
    page.locator("input[name=think]").fill("0.1")
    page.get_by_role("button", name="New game").click()
    assert my_turn(page)
    play_any(page)
    assert my_turn(page)
    assert overflow(page) <= 0
    box = page.locator("button.card").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    assert serious_findings(page) == []
    page.get_by_role("button", name="Set up a position").click()
    page.locator(".judged.good, .judged", has_text="osition").first.wait_for()
    assert overflow(page) <= 0
    assert serious_findings(page) == []


def test_the_keyboard_alone(visit: Visit) -> None:
    page = visit("winston_dogs.html")

    def tab_to(what: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.locator(f"{what}:focus").count():
                return
        raise AssertionError(f"Tab does not reach {what}")

    tab_to("textarea[name=position]")
    page.keyboard.type(OPEN["winston_dogs"])
    tab_to("select[name=seat]")
    page.keyboard.press("Home")
    page.locator("#turn", has_text="Seat 0 is to act").wait_for()
    for _ in range(2):
        tab_to('button.card[data-card="Gb"][aria-pressed="false"]')
        page.keyboard.press("Space")
    page.locator('button[data-play="Gb Gb"]').wait_for()
    tab_to('button[data-play="Gb Gb"]')
    page.keyboard.press("Enter")
    page.locator("#turn", has_text="Seat 1 is to act").wait_for()
    assert page.locator("#turn:focus").count() == 1


def test_a_long_solve_is_cancelled(visit: Visit) -> None:
    from exactplay.questions.winner import deal
    from exactplay.rules.winner import Rules

    page = visit("winner.html")
    read_position(page, str(deal(Rules(end="first_out"), 3, players=2, cards=22)))
    page.locator("select[name=seat]").select_option("")
    page.locator("select[name=objective]").select_option("score")
    page.locator("#turn", has_text="(you)").wait_for(state="detached")
    page.get_by_role("button", name="Solve").click()
    page.locator("section.job", has_text="nodes").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.locator("section.job").wait_for(state="detached")
    assert "cancelled" in page.locator("#problem").inner_text()
    assert page.get_by_role("button", name="Solve").is_enabled()
