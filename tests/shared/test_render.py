"""Drawings: well formed, escaped, complete, the same in what they show as the position; reconstructions always marked."""
from __future__ import annotations

import itertools
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactplay import GAMES, render
from exactplay.render import charts, svg, walk_the_dogs, winkeladvokat, winner, winston84, winston_dogs
from exactplay.rules import winkeladvokat as winkel
from exactplay.rules import winner as climbing
from exactplay.rules import winston84 as w84
from exactplay.rules import winston_dogs as dogs
from exactplay.rules.contract import OVER, IllegalMove
from exactplay.solvers.hidden import Advice, Interval
from exactplay.solvers.result import (
    Bounds,
    EnumeratedAverage,
    Estimate,
    Exact,
    ExactExpectation,
    Result,
    Source,
    Verdict,
)
from exactplay.solvers.winston84 import Outlook

SVG = "{http://www.w3.org/2000/svg}"
REFERENCE = w84.Sheet.load("reference")
NASTY = "<&\"'> \x00\x1b ]]> </svg><script>"


def read(text: str) -> ElementTree.Element:
    """The drawing as XML, after the checks that every drawing must pass."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text
    assert re.fullmatch(r"0 0 [0-9.]+ [0-9.]+", root.get("viewBox", ""))
    assert root.get("role") in ("img", "group")
    for part in root.iter():
        assert part.tag not in (f"{SVG}script", f"{SVG}style", f"{SVG}image", f"{SVG}use", f"{SVG}foreignObject")
        for name, value in part.attrib.items():
            assert name not in ("id", "style", "href")
            assert not name.startswith("on")
            assert "url(" not in value
            assert not re.search(r"(?<!\w)(None|nan|inf)(?!\w)", value) or name.startswith(("data-", "aria-"))
        # Every colour that is painted has its class, so that a page can change it.
        for paint in ("fill", "stroke"):
            if part.get(paint, "none") != "none":
                named = [c[2:] for c in part.get("class", "").split() if c.startswith(f"{paint[0]}-")]
                assert [svg.PALETTE[name][0] for name in named] == [part.get(paint)]
    return root


def found(root: ElementTree.Element, kind: str) -> list[str]:
    """The values of a data attribute, in the order of the drawing."""
    return [part.attrib[f"data-{kind}"] for part in root.iter() if f"data-{kind}" in part.attrib]


def random_states(game: str, seeds: range, steps: int) -> Any:
    subject = import_module(f"tests.{game}.subject").SUBJECT
    for seed in seeds:
        rng = random.Random(seed)
        state = subject.start(rng, rng.choice(subject.settings()))
        yield from itertools.islice(subject.walk(rng, state), steps)


@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_random_games_draws(game: str) -> None:
    over, sizes = 0, []
    for state in random_states(game, range(6), 60):
        plain, buttons = read(state._repr_svg_()), read(render.draw(state, interactive=True))
        assert plain.get("role") == "img"
        assert buttons.get("role") == "group"
        for kind in ("die", "box", "square", "card", "dog", "piece"):
            assert found(plain, kind) == found(buttons, kind)
        pressed = [part for part in buttons.iter() if part.get("role") == "button"]
        assert all(part.get("tabindex") == "-1" and part.get("aria-label") for part in pressed)
        assert not any(part.get("role") == "button" for part in plain.iter())
        assert state._repr_html_() is None
        over += state.to_move == OVER
        sizes.append(len(state._repr_svg_()))
    assert over
    assert sum(sizes) / len(sizes) < 25_000
    assert max(sizes) < 36_000  # a sheet on which every box is a zone


# ------------------------------------------------------------------ escaping


@given(st.text())
def test_any_text_can_be_drawn(text: str) -> None:
    root = ElementTree.fromstring(svg.element("g", svg.element("text", text), text, data_name=text))
    kept = svg._NOT_XML.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")
    assert (root[0].text or "") == kept
    assert (root.get("data-name") or "").split() == kept.split()


@pytest.mark.parametrize("level", [1, 5])
def test_narrow_drawings_show_the_same_on_half_the_width(level: int) -> None:
    trail, dice = winston84.Trail((8, 17, 30), 2), w84.Dice.parse("R5 G3 B2 W4 Y1 P6")
    where: dict[str, Any] = {"at": w84.Place(4, 30, 2), "trail": trail, "dice": dice}
    wide, narrow = (
        read(winston84.sheet(REFERENCE, w84.Difficulty(level), narrow=half, interactive=True, **where))
        for half in (False, True)
    )
    for kind in ("box", "detour", "golden", "brother", "round", "die", "marked", "provenance"):
        assert found(wide, kind) == found(narrow, kind), kind
    assert float(narrow.attrib["width"]) <= 360 < float(wide.attrib["width"])
    bare = read(winston84.sheet(REFERENCE, w84.Difficulty(level), narrow=True, spaces=False, **where))
    assert not found(bare, "die") and float(bare.attrib["height"]) < float(narrow.attrib["height"])
    outlook = Outlook(dict.fromkeys(range(100, 190), 0.01), 0.1)
    assert float(read(winston84.scores(outlook, outlook, narrow=True)).attrib["width"]) <= 360


def test_names_of_sheets_and_moves_are_escaped() -> None:
    named = replace(REFERENCE, name="<b>&\"'")
    text = winston84.sheet(named, w84.Difficulty(1))
    assert "<b>" not in text
    assert "<b>&\"'" in "".join(read(text).itertext())
    bars = [charts.Bar(NASTY, 1.0, best=True)]
    drawn = charts.moves(bars, title=NASTY)
    assert "<script>" not in drawn
    assert found(read(drawn), "move") == [NASTY.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")]
    html = render.result_html(Result(Exact(1), notes=(NASTY,), rules=NASTY, sources=(Source(NASTY, NASTY, ""),)))
    assert "<script>" not in html
    ElementTree.fromstring(html)


def test_a_number_is_short() -> None:
    assert str(svg.rect(0, 1 / 3, 100.0, 20)) == '<rect y="0.33" width="100" height="20"/>'


# ------------------------------------------------------------------ what is shown is what is there


@pytest.mark.parametrize("level", range(1, 6))
def test_a_sheet_shows_every_box_and_track(level: int) -> None:
    difficulty = w84.Difficulty(level)
    root = read(winston84.sheet(REFERENCE, difficulty, interactive=True))
    route = REFERENCE.route_for(level)
    labels = {
        int(part.attrib["data-box"]): part.attrib["aria-label"] for part in root.iter() if "data-box" in part.attrib
    }
    names = {".": "plain", "o": "Maximum Security"} | {c.letter: f"{c.label} Control Zone" for c in w84.Colour}
    assert labels == {n: f"box {n}, {names[box]}" for n, box in enumerate(route, 1)}
    assert len(found(root, "detour")) == (0 if difficulty.julia else len(REFERENCE.detour.boxes))
    assert found(root, "golden") == [str(n + 1) for n in range(len(REFERENCE.golden_country))]
    assert found(root, "brother") == [str(n) for n in range(len(REFERENCE.big_brother))]
    assert found(root, "round") == [f"R{n}" for n in range(difficulty.first_round, 9)]


def test_dice_are_shown_where_they_are() -> None:
    rng = random.Random(5)
    for _ in range(200):
        six = tuple(
            w84.Die(status, 0 if status is w84.Status.REMOVED else rng.randint(status is not w84.Status.AVAILABLE, 6))
            for status in (rng.choice(list(w84.Status)) for _ in range(6))
        )
        root = read(winston84.dice(w84.Dice(six)))
        shown = {}
        for part in root.iter():
            if "data-die" in part.attrib:
                status = w84.Status[part.attrib["data-status"].upper()]
                shown[part.attrib["data-die"]] = w84.Die(status, int(part.get("data-value", "0")))
                pips = sum(child.tag == f"{SVG}circle" for child in part)
                assert pips == shown[part.attrib["data-die"]].value
        assert shown == {colour.name.lower(): die for colour, die in zip(w84.Colour, six, strict=True)}


def test_the_pencil_marks_what_the_trail_says() -> None:
    place = w84.Place(4, 30, 2)
    trail = winston84.Trail((8, 17, 30), 2)
    root = read(winston84.sheet(REFERENCE, w84.Difficulty(3), at=place, trail=trail))
    pencil = next(part for part in root.iter() if "data-marked" in part.attrib)
    assert pencil.get("data-marked") == "30"
    strokes, crosses = (part.attrib["d"] for part in pencil)
    assert strokes.count("M") == 30 - 3
    assert crosses.count("M") == 2 * 3
    on = Counter(
        kind for part in root.iter() if part.get("data-on") for kind in ("golden", "brother", "round")
        if f"data-{kind}" in part.attrib
    )
    assert on == {"brother": 2, "round": 4}
    # The rulebook's example: 17 + 200 + 10 = 227, at x3 681.
    beyond = winston84.Trail((20, 40, 50, 70, 90, 99, 110, len(REFERENCE.route) + 8), 2)
    root = read(winston84.sheet(REFERENCE, w84.Difficulty(3), at=w84.End(True, 681), trail=beyond))
    assert sum(part.get("data-on") == "true" and "data-golden" in part.attrib for part in root.iter()) == 8
    assert "Won: subtotal 227 × 3 = final score 681" in [part.text for part in root.iter(f"{SVG}text")]
    short = winston84.sheet(REFERENCE, w84.Difficulty(3), at=w84.End(True, 681))
    assert "Won: final score 681" in [part.text for part in read(short).iter(f"{SVG}text")]


def test_a_reconstruction_is_always_marked() -> None:
    measured = replace(REFERENCE, provenance="measured")
    game = w84.State.start(REFERENCE, w84.Difficulty(2))
    over = replace(game, at=w84.LOST, round=None)
    for drawn in (render.draw(REFERENCE), render.draw(game), render.draw(over), render.draw(game, interactive=True)):
        root = read(drawn)
        assert found(root, "provenance") == ["reconstruction"]
        assert winston84.RECONSTRUCTION in "".join(root.itertext())
    assert found(read(render.draw(measured)), "provenance") == []
    assert "econstruction" not in render.draw(replace(game, sheet=measured))


def test_a_board_shows_the_position() -> None:
    for before, state in itertools.pairwise(random_states("winkeladvokat", range(9), 12)):
        last = next((move for move in before.legal_moves() if before.play(move) == state), None)
        size, line, lit = state.size, state.legal_moves()[:1], {"a1", f"b{state.size}"}
        root = read(winkeladvokat.draw(state, last=last, line=line, highlight=lit))
        squares = {part.attrib["data-square"]: part for part in root.iter() if "data-square" in part.attrib}
        drawn = [squares[winkel.square_name(i, size)] for i in range(size * size)]
        assert "".join(square.get("data-piece", winkel.EMPTY) for square in drawn) == state.squares
        assert [int(square.findtext(f"{SVG}text", "")) for square in drawn] == list(state.board.values)
        assert {name for name, part in squares.items() if any("lit" in (p.get("class") or "") for p in part.iter())} == lit
        assert found(root, "move") == [str(move) for move in line]


def test_a_move_being_chosen_and_what_it_is_worth() -> None:
    state = winkel.State.initial(5)
    plain = read(winkeladvokat.draw(state, interactive=True))
    root = read(winkeladvokat.draw(state, way=("a1", "a3"), highlight={"b3"}, notes={"b3": "+2"}, interactive=True))
    labels = {part.attrib["data-square"]: part.get("aria-label") for part in root.iter() if "data-square" in part.attrib}
    assert labels["b3"] == "b3, 4 points, lit up, +2" and labels["c3"] == "c3, 8 points"
    assert "+2" in [text.text for text in root.iter(f"{SVG}text")]
    drawn = len(list(root.iter(f"{SVG}polyline"))) - len(list(plain.iter(f"{SVG}polyline")))
    assert drawn == 2, "the line from a1 to a3 and what sets it off"
    assert len({part.get("points") for part in root.iter(f"{SVG}polyline")}) == 1


@pytest.mark.parametrize("text", ["a1-a1-a1", "a1xa1", "a1-a8-h8", "a1-d1-d2", "a1xc4"])
def test_an_arrow_that_leads_nowhere_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=f"{text} cannot be drawn"):
        winkeladvokat.draw(winkel.State.initial(3), line=[winkel.Move.parse(text)])


def test_hands_show_their_cards() -> None:
    for state in random_states("winner", range(4), 8):
        if state.to_move == OVER or state.exchange is not None:
            continue
        table = [] if state.current is None else [str(card) for card in state.current.cards]
        hands = [[str(card) for card in hand] for hand in state.hands]
        assert found(read(winner.draw(state)), "card") == [*table, *itertools.chain(*hands)]
        drawn = winner.draw(climbing.View.of(state))
        assert Counter(found(read(drawn), "card")) - Counter({"?": 99}) == Counter(table + hands[state.to_move])
        assert all(f"{len(hand)} card" in drawn for hand in hands if hand)

    for kennel in random_states("winston_dogs", range(3), 12):
        root = read(winston_dogs.draw(kennel))
        dogs_shown = [dog.show(colour) for colour, dog in zip(dogs.COLOURS, kennel.table, strict=True) if dog]
        assert found(root, "dog") == dogs_shown
        held = [str(card) for hand in kennel.hands for card in hand]
        assert found(root, "card")[-len(held):] == held
        assert sorted(found(root, "token")) == (["bone", "poo"] if kennel.longest else [])
        if kennel.to_move != OVER:
            seen = read(winston_dogs.draw(dogs.View.of(kennel), interactive=True))
            assert sum(part.get("role") == "button" for part in seen.iter()) == len(kennel.hands[kennel.turn])

    for line in random_states("walk_the_dogs", range(3), 20):
        shown = {
            part.attrib["data-line"]: "".join(found(part, "dog"))
            for part in read(walk_the_dogs.draw(line)).iter() if "data-line" in part.attrib
        }
        lines = {"middle": line.middle, **{str(seat): own for seat, own in enumerate(line.lines)}}
        assert {name: own for name, own in shown.items() if own} == {name: own for name, own in lines.items() if own}


# ------------------------------------------------------------------ charts and results


def widths(root: ElementTree.Element) -> dict[str, float]:
    """The length of the bar of each move."""
    bars = {}
    for part in root.iter():
        if "data-move" in part.attrib:
            bars[part.attrib["data-move"]] = max(
                float(rect.attrib["width"]) for rect in part.iter(f"{SVG}rect") if rect.get("height") == "14"
            )
    return bars


def test_bars_are_as_long_as_values() -> None:
    bars = [charts.Bar("a", 8.0, best=True), charts.Bar("b", 4.0), charts.Bar("c", -2.0)]
    drawn = widths(read(charts.moves(bars, title="t")))
    assert drawn["a"] / drawn["b"] == pytest.approx(2, rel=1e-3)
    assert drawn["a"] / drawn["c"] == pytest.approx(4, rel=1e-3)


VERDICTS: list[Verdict] = [
    Exact(3), Exact(0.25), Bounds(1, 5), Bounds(None, 4), Bounds(None, None), ExactExpectation(2.5, 21),
    EnumeratedAverage(1.5, 20), Estimate(0.5, 0.1, 400), Exact((1, 2, 3)),
]


@pytest.mark.parametrize("verdict", VERDICTS, ids=str)
def test_every_kind_of_result_is_shown_with_its_sentence(verdict: Verdict) -> None:
    move = winkel.Move.parse("a1-a3-c3")
    whose = None if verdict == Exact((1, 2, 3)) else 0
    result = Result(verdict, {move: verdict}, (move,), (move,), notes=("A sentence to be seen.",), viewpoint=whose)
    html = result._repr_html_()
    assert html is not None
    for text in (str(verdict), verdict.meaning, "a1-a3-c3", "A sentence to be seen.", "default rules"):
        assert str(svg.escape(text)) in html
    assert ("Proven" in html) == (verdict.kind in ("exact", "bounds", "exact expectation"))
    ElementTree.fromstring(html)
    assert result._repr_svg_() is None
    assert found(read(charts.moves(charts.bars_of(result), title="t")), "move") == ["a1-a3-c3"]


def test_moves_are_listed_best_first_for_the_mover() -> None:
    a, b, c = (winkel.Move.parse(text) for text in ("a1-a2-b2", "a1-a3-b3", "a1-a2-c2"))
    values = {a: Exact(1), b: Exact(5), c: Exact(3)}
    whole = {a: Exact((1, 0)), b: Exact((5, 9)), c: Exact((3, 4))}
    for result, order in (
        (Result(Exact(5), values, (b,)), [b, c, a]), (Result(Exact(1), values, (a,), mover=1), [a, c, b]),
        (Result(Exact((5, 9)), whole, (b,), mover=1, viewpoint=None), [b, c, a]),
    ):
        assert [bar.name for bar in charts.bars_of(result)] == list(map(str, order))
        html = result._repr_html_() or ""
        assert sorted(order, key=lambda move: html.rindex(str(move))) == order
    assert [bar.value for bar in charts.bars_of(result)] == [9, 4, 0]
    advice = Advice(Estimate(5, 0.1, 9), values, (b,), intervals={move: Interval(2.0, 1.0, 3.0) for move in values})
    assert {(bar.low, bar.high) for bar in charts.bars_of(advice)} == {(1.0, 3.0)}


@given(
    st.dictionaries(st.integers(-3000, 3000), st.floats(1e-6, 1), min_size=1, max_size=60),
    st.floats(0, 1),
)
def test_columns_of_a_distribution_hold_all_of_it(weights: dict[int, float], lost: float) -> None:
    total = sum(weights.values()) + lost
    outlook = Outlook({score: weight / total for score, weight in weights.items()}, lost / total)
    root = read(winston84.scores(outlook))
    heights = [float(part.attrib["height"]) for part in root.iter(f"{SVG}rect") if len(part)]
    titles = ["".join(part.itertext()) for part in root.iter(f"{SVG}rect") if len(part)]
    told = [float(title.removesuffix(" %").split()[-1]) for title in titles]
    assert sum(told) == pytest.approx(100, rel=0.02)
    *columns, lost_share = told
    top = max(*columns, min(lost_share, 1.5 * max(columns)))
    for height, share in zip(heights, told, strict=True):
        # Shares are told with few digits.
        assert height == pytest.approx(150 * min(share, top) / top, rel=0.02, abs=0.9)
    both = read(winston84.scores(outlook, outlook))
    assert sum(part.tag == f"{SVG}polyline" for part in both.iter()) == 1


# ------------------------------------------------------------------ the style sheet, and who imports whom


def test_the_style_sheet_names_every_colour_for_light_and_dark() -> None:
    css = render.stylesheet()
    for name, (light, dark) in svg.PALETTE.items():
        assert f"--xp-{name}:{light}" in css
        assert f"--xp-{name}:{dark}" in css
        assert f".f-{name}" in css


def luminance(colour: str) -> float:
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize(("text", "ground"), [
    ("ink", "paper"), ("ink", "panel"), ("ink", "lit"), ("muted", "paper"), ("muted", "panel"),
    ("warning-ink", "warning"), *(("ink", f"square-{i}") for i in range(5)), ("white", "red"), ("white", "green"),
    ("white", "blue"), ("white", "purple"), ("black", "yellow"), ("black", "white"), ("red", "ivory"), ("black", "ivory"),
])
def test_text_can_be_read(text: str, ground: str, theme: int) -> None:
    """WCAG 2.2, 1.4.3: a contrast of 4.5 to 1."""
    pair = sorted((luminance(svg.PALETTE[name][theme]) for name in (text, ground)), reverse=True)
    assert (pair[0] + 0.05) / (pair[1] + 0.05) >= 4.5


def test_no_drawing_is_imported_before_one_is_asked_for() -> None:
    code = (
        "import sys; from exactplay.rules.winkeladvokat import State; s = State.initial(3);"
        "assert not any('render' in name for name in sys.modules); print(s._repr_svg_()[:4])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "<svg\n"


def test_only_values_of_games_are_drawn() -> None:
    with pytest.raises(TypeError, match="int is not a value of a game"):
        render.draw(3)
