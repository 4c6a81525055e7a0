"""The texts of Winston 1984: dice, moves, rounds, places, objectives, games, sheets; and what is refused, and how."""
from __future__ import annotations

import copy
import dataclasses
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactplay.rules.contract import OVER, BadOption, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston84 import (
    Colour,
    Decision,
    Detour,
    Dice,
    Die,
    Difficulty,
    Move,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    State,
    Status,
    check_place,
)
from tests.winston84.cases import TELLING, TINY

RED, GREEN, BLUE, WHITE, YELLOW, PURPLE = Colour
X1, X2, X3 = map(Difficulty, (1, 2, 3))

TELLING_TOML = """\
[sheet]
name = "telling | scores |"
provenance = "measured"
notes = "a \\"b\\" \\u007f \\n ä"
route = "Ro.Ro.Ro.Ro.Ro.Ro.Ro.Ro.Ro.Ro."
detour = { after = 0, skip = 0, boxes = "." }
golden_country = [1, 2, 3]
big_brother = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
rounds = [100, 200, 300, 400, 500, 600, 700, 800, 900]
"""


def test_options_are_those_of_the_rules_page() -> None:
    names = ["room101_is_placed", "white_needs_change", "purple_alone_ok", "failed_round_rechecks_zone"]
    assert list(Rules.options().items()) == [(name, (False, True)) for name in names]
    assert set(Rules.explained) == set(names)
    assert Rules.parse(" default rules ") == Rules()
    assert Rules.parse("purple_alone_ok=true, white_needs_change=false") == Rules(purple_alone_ok=True)
    with pytest.raises(BadOption, match="winston84 has room101_is_placed, white_needs_change, purple_alone_ok, failed_"):
        Rules.parse("x=1")


@pytest.mark.parametrize(
    "text", ["R5 G3 B2 W4 Y1 P6", "r5g3b2w4y1p6", "P6,Y1;W4/B2 G3   R5", " y1R5 g3 P6\tB2, W4 "], ids=range(4)
)
def test_dice_text_is_tolerant(text: str) -> None:
    dice = Dice.parse(text)
    assert str(dice) == "R5 G3 B2 W4 Y1 P6"
    assert [die.value for die in dice.six] == [5, 3, 2, 4, 1, 6]


def test_dice_text_in_mid_round() -> None:
    dice = Dice.parse("pP6yx5rP2 g?")
    assert str(dice) == "Rp2 G? Yx5 Pp6"
    assert dice[RED] == Die(Status.PLACED, 2)
    assert dice[GREEN] == Die(Status.AVAILABLE, 0)
    assert dice[BLUE] == Die(Status.REMOVED, 0)
    assert (dice.room101, dice.to_roll) == (YELLOW, (GREEN,))


EVERY_DIE = [Die(Status.REMOVED, 0), *[Die(status, value) for status in list(Status)[1:] for value in range(1, 7)]]


@given(st.lists(st.sampled_from(EVERY_DIE), min_size=6, max_size=6))
def test_dice_round_trip(six: list[Die]) -> None:
    dice = Dice(tuple(six))
    if dice.having(Status.REMOVED) != tuple(Colour):
        assert Dice.parse(str(dice)) == dice
        assert Dice.parse(str(dice).lower().replace(" ", "")) == dice


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("R", Decision(RED)),
        ("g:wb", Decision(GREEN, (BLUE, WHITE))),
        (" B > w ", Decision(BLUE, (WHITE,))),
        ("W>P", Decision(WHITE, (PURPLE,))),
        ("y", Decision(YELLOW)),
        ("P>G", Decision(PURPLE, (GREEN,))),
        ("P", Decision(PURPLE)),
        ("- r", Decision(RED, (), True)),
        ("g3 R5", Roll((RED, GREEN), (5, 3))),
    ],
)
def test_moves_read(text: str, move: Decision | Roll) -> None:
    assert Move.parse(text) == move
    assert Move.parse(str(move)) == move
    assert copy.copy(move) == move


def test_round_texts() -> None:
    state = Round(Rules(purple_alone_ok=True, white_needs_change=True), Dice.parse("R5 Gp1 P?")).check()
    assert str(state) == "R5 Gp1 P? | white_needs_change=true, purple_alone_ok=true"
    assert Round.parse(str(state)) == state
    assert Round.parse("p3 r5") == Round(Rules(), Dice.parse("R5 P3"))


def test_place_texts() -> None:
    for place in (Place(5, 17, 1, True), Place(0)):
        assert Place.parse(str(place)) == place
    for text in ("", "R5", "R5 box 17", "R5 box -1 marks 0", "R5 box 17 marks 1 stale"):
        with pytest.raises(BadText):
            Place.parse(text)


def test_objectives() -> None:
    spellings = {
        "score": "score", " WIN ": "win", "at-least 900": "at-least:900", "at-least:900": "at-least:900",
        "At-Least=900": "at-least:900", "at least -5": "at-least:-5", "at-least: 7": "at-least:7",
    }
    for text, canonical in spellings.items():
        assert str(Objective.parse(text)) == canonical
        assert Objective.parse(canonical) == Objective.parse(text)
    for text in ("", "points", "at-least", "at-least:", "at-least:x", "at-least:1.5", "at-least:" + "9" * 99, "score\nx"):
        with pytest.raises(BadText) as error:
            Objective.parse(text)
        assert "\n" not in str(error.value)


def test_game_text() -> None:
    game = State.resume(TINY, Difficulty(3), Place(5, 11, 1, True), Rules(purple_alone_ok=True))
    assert str(game) == "x3 | R5 box 11 marks 1 fresh | G? B? W? Y? P? | purple_alone_ok=true | 577f0894b1b5 tiny"
    assert State.parse(str(game)) == game
    assert State.parse(str(game), {"purple_alone_ok": False}).rules == Rules()
    with pytest.raises(BadText, match="written for the sheet '577f0894b1b6 tiny', which is unknown here"):
        State.parse(str(game).replace("b1b5", "b1b6"))


def test_scores_that_a_won_game_can_have() -> None:
    sheet = f"{TELLING.short_digest} telling | scores |"
    possible = {
        X1: [101, 103, 201, 211, 981, 983], X2: [2 * 201, 2 * 203, 2 * 311, 2 * 973],
        # No box; a fourth; more marks than rounds before; a round that there is not.
    }
    impossible = {
        X1: [100, 104, 111, 204, 221, 991, 1001], X2: [2 * 101, 2 * 211, 2 * 321, 2 * 200, 2 * 204, 201, 2 * 983],
    }
    for difficulty in (X1, X2):
        for score in possible[difficulty]:
            game = State.parse(f"{difficulty} | won {score} | - | default rules | {sheet}")
            assert (game.scores(), game.to_move) == ((score,), OVER)
            assert str(game) == f"{difficulty} | won {score} | - | default rules | {sheet}"
        for score in impossible[difficulty]:
            with pytest.raises(IllegalPosition, match=f"no game won at {difficulty} on this sheet scores {score}"):
                State.parse(f"{difficulty} | won {score} | - | default rules | {sheet}")
    assert str(State.parse(f"x1 | lost | - | default rules | {sheet}")).startswith("x1 | lost | - | ")


# --- what is refused, and why -------------------------------------------------------------------------------------


def at(place: str, dice: str, level: int = 3) -> Callable[[], State]:
    return lambda: State.resume(TINY, Difficulty(level), Place.parse(place), dice=Dice.parse(dice))


def text(words: str) -> Callable[[], State]:
    return lambda: State.parse(words.replace("SHEET", "577f0894b1b5 tiny"))


def played(dice: str, move: Decision | Roll) -> Callable[[], Round]:
    return lambda: Round.parse(dice).play(move)


PLAIN_BOX, SECURITY = "R6 box 12 marks 1", "R6 box 6 marks 1 fresh"
FIVE = "R? B? W? Y? P? | default rules"
LACKS = "removed (a die not named is removed), but this round must lack "
LONG: Any = "x" * 30
ONE: Any = "1"


@pytest.mark.parametrize(
    ("attempt", "kind", "words"),
    [
        (lambda: Colour.of("x"), BadText, "'x' is no colour; write one of R G B W Y P"),
        (lambda: Colour.of("RG"), BadText, "'RG' is no colour; write one of R G B W Y P"),
        (lambda: Colour.of(""), BadText, "'' is no colour; write one of R G B W Y P"),
        (lambda: Dice.parse("R5 G7"), BadText, "dice 'R5 G7': 'G7' at character 4 is no die; write the colour's letter an"),
        (lambda: Dice.parse("R5\u00a0G3"), BadText, r"dice 'R5\xa0G3': '\xa0' at character 3 is no die; "),
        (lambda: Dice.parse("R5 G\u0663"), BadText, "dice 'R5 G\u0663': 'G\u0663' at character 4 is no die; "),
        (lambda: Dice.parse("G1 R5 r3"), BadText, "dice 'G1 R5 r3': Red is named twice; name each die once"),
        (lambda: Dice.parse("Rp?"), BadText, "dice 'Rp?': Red has no value; only an available die can lack one"),
        (lambda: Dice.parse(" ,"), BadText, "no die is named; write dice such as R5 G3 B2 W4 Y1 P6"),
        (lambda: Difficulty(6), BadOption, "difficulty is '6'; it must be 1, 2, 3, 4 or 5"),
        (lambda: Difficulty(LONG), BadOption, f"difficulty is '{'x' * 20}'; it must be 1, 2, 3, 4 or 5"),
        (lambda: Move.parse("-x"), BadText, "decision '-x': 'x' is no colour; write R, G:BW, B>W, W>P, Y, P>G, P or -R"),
        (lambda: Move.parse("X>B"), BadText, "decision 'X>B': 'X' is no colour; write R, G:BW, B>W, W>P, Y, P>G, P or -R"),
        (lambda: Move.parse("G:Bx"), BadText, "decision 'G:Bx': 'x' is no colour; write R, G:BW, B>W, W>P, Y, P>G, P or -"),
        (lambda: Move.parse("G:BB"), BadText, "decision 'G:BB' names a die twice; Green is written with the dice it rolls"),
        (lambda: Move.parse("W>W"), BadText, "decision 'W>W' names a die twice; White is written with the die it changes"),
        (lambda: Move.parse("R>W"), BadText, "decision 'R>W': Red is written R"),
        (lambda: Move.parse("R:"), BadText, "decision 'R:': Red is written R"),
        (lambda: Move.parse("G>B"), BadText, "decision 'G>B': Green is written with the dice it rolls again, such as G:BW"),
        (lambda: Move.parse("G:"), BadText, "decision 'G:': Green is written with the dice it rolls again, such as G:BW"),
        (lambda: Move.parse("B:W"), BadText, "decision 'B:W': Blue is written with the die it removes, such as B>W"),
        (lambda: Move.parse("B>"), BadText, "decision 'B>': Blue is written with the die it removes, such as B>W"),
        (lambda: Move.parse("W:P"), BadText, "decision 'W:P': White is written with the die it changes, such as W>P"),
        (lambda: Move.parse("W>"), BadText, "decision 'W>': White is written with the die it changes, such as W>P"),
        (lambda: Move.parse("Y>R"), BadText, "decision 'Y>R': Yellow is written Y"),
        (lambda: Move.parse("P:G"), BadText, "decision 'P:G': Purple is written with the other die it flips, such as P>G,"),
        (lambda: Move.parse("P>GR"), BadText, "decision 'P>GR': Purple is written with the other die it flips, such as P>"),
        (lambda: Move.parse("Rp5"), BadText, "roll 'Rp5': a roll names each rolled die with its face, such as R5 G3"),
        (lambda: Move.parse("R5 G?"), BadText, "roll 'R5 G?': a roll names each rolled die with its face, such as R5 G3"),
        (lambda: Objective.parse("x"), BadText, "objective 'x' is unknown; write score, win or at-least:900"),
        (lambda: Objective.parse("at-least:-" + "9" * 15), BadText, "objective 'at-least:-999999999999999': the threshold"),
        (lambda: Place.parse("R5"), BadText, "place 'R5': write R5 box 17 marks 1, then fresh if the last round ended on"),
        (lambda: check_place(TINY, X3, Place(5, 3, ONE)), BadOption, "marks is '1'; it must be a whole number"),
        (lambda: check_place(TINY, X3, Place(LONG)), BadOption, f"round is '{'x' * 30}'; it must be a whole number"),
        (lambda: Round.parse("R5 | x | x"), BadText, "round 'R5 | x | x': write DICE | RULES or DICE | give up the highes"),
        (lambda: Round(Rules(), Dice.before_the_roll()).play(Roll((), ())), IllegalMove, "the roll has ; it must have Red"),
        (played(FIVE, Decision(RED)), IllegalMove, "R is not possible before Red, Blue, White, Yellow, Purple are rolled"),
        (played(FIVE, Roll((RED, BLUE, WHITE, YELLOW, PURPLE), (1, 2, 3, 4))), IllegalMove, "the roll has R 1, B 2, W 3,"),
        (played(FIVE, Roll((GREEN, BLUE, WHITE, YELLOW, PURPLE), (1,) * 5)), IllegalMove, "the roll has G 1, B 1, W 1, Y"),
        (played(FIVE, Roll((RED, BLUE, WHITE, YELLOW, PURPLE), (1, 2, 3, 4, 0))), IllegalMove, "the roll has R 1, B 2, W"),
        (played("R5 P3", Roll((RED,), (5,))), IllegalMove, "R5 is a roll, but no die is to be rolled now"),
        (played("R5 P3", Decision(RED)), IllegalMove, "R is not possible with R5 P3; possible: P>R"),
        (played("R5 P3", Decision(RED, (), True)), IllegalMove, "-R is not possible with R5 P3; possible: P>R"),
        (played("Rp5 Pp3", Decision(RED)), IllegalMove, "R is not possible with Rp5 Pp3; possible: nothing, as the round"),
        (lambda: Round(Rules(), Dice.parse("R5 P3")).result, IllegalPosition, "the round is not over: R5 P3"),
        (lambda: Round.parse("Rx1 Gx2 Yp1"), IllegalPosition, "Red, Green are in Room 101; at most one die can be"),
        (lambda: Round.parse("Rx1 Y2"), IllegalPosition, "Red is in Room 101 but Yellow, who sends dice there, is not pla"),
        (lambda: Round.parse("R? Gp2 P3"), IllegalPosition, "Red about to be rolled; all dice are at the start, or as man"),
        (lambda: Round.parse("R? G2 B? P3"), IllegalPosition, "Red, Blue about to be rolled; all dice are at the start, o"),
        (
            lambda: dataclasses.replace(Round.start(Rules()), dice=dataclasses.replace(
                Dice.before_the_roll(), six=(Dice.before_the_roll(RED)[RED],) * 6)).check(),
            IllegalPosition, "all dice are removed; a round has at least one die",
        ),
        (lambda: State.start(TINY, X3).scores(), IllegalPosition, "the game is not over"),
        (text("x3 | lost"), BadText, "game 'x3 | lost': write LEVEL | PLACE | DICE | RULES | SHEET, with x3, R5 box 17 ma"),
        (text("3 | lost | - | default rules | SHEET"), BadText, "game '3 | lost | - | default rules | 577f0894b1b5 tiny':"),
        (text("x3 | lost | - | default rules |\n SHEET"), BadText, r"game 'x3 | lost | - | default rules |\n 577f0894b1b5"),
        (text("x6 | lost | - | default rules | SHEET"), BadOption, "difficulty is 'x6'; it must be 1, 2, 3, 4 or 5"),
        (text("xy | lost | - | default rules | SHEET"), BadOption, "difficulty is 'xy'; it must be 1, 2, 3, 4 or 5"),
        (text("x3 | won | - | default rules | SHEET"), BadText, "end of the game 'won': write lost or won SCORE"),
        (text("x3 | won 1 | - | default rules | SHEET"), IllegalPosition, "no game won at x3 on this sheet scores 1"),
        (text("x3 | lost | - | default rules | x"), BadText, "the game was written for the sheet 'x', which is"),
        (at(PLAIN_BOX, "Rx3 Gp1 Bp2 W4 P6"), IllegalPosition, "Red is in Room 101 but Yellow is not placed; only Yellow s"),
        (at(PLAIN_BOX, "Rp5 Gp3 B2 W4 Yp1 P6"), IllegalPosition, "Yellow is placed but no die is in Room 101; mark the di"),
        (at(PLAIN_BOX, "R5 G3 B2 W4 Yx4 P6"), IllegalPosition, "Yellow is in Room 101 with 4; it goes there only with 5"),
        (at(PLAIN_BOX, "R5 G3 B2 W4 Y1"), IllegalPosition, f"Purple {LACKS}0: one for the zone on which the last round en"),
        (at(PLAIN_BOX, "R5 G3 B2 W4"), IllegalPosition, f"Yellow, Purple {LACKS}0: one for the zone"),
        (at(PLAIN_BOX, "Rp5 Gp3 B6 Wp4 Yx5 Pp6"), IllegalPosition, "the round is over with Rp5 Gp3 B6 Wp4 Yx5 Pp6; give t"),
        (at("R6 box 11 marks 1 fresh", "R5 G3 B2 W4 Y1 P6"), IllegalPosition, "Red cannot be in play: the last round ende"),
        # Once a die is placed or in Room 101, the highest has been given up.
        (at(SECURITY, "R5 G3 B2 W4 Y1 Pp6"), IllegalPosition, f"no die {LACKS}1: one for the zone"),
        (at(SECURITY, "R5 G3 B2 W4 Yx5 P6"), IllegalPosition, f"no die {LACKS}1: one for the zone"),
        (at(SECURITY, "R? G? B? W? Y?"), IllegalPosition, "the round begins with R? G? B? W? Y? P?; a die is given up aft"),
    ],
)
def test_what_is_wrong_is_named(attempt: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        attempt()
    assert str(error.value).startswith(words)


@pytest.mark.parametrize(
    "text",
    ["", "-", "X", "G", "G:", "G>B", "G:GB", "G:BB", "B", "B>", "B:W", "B>WG", "B>B", "R>W", "R:", "Y>R", "P:G", "P>P",
     "-RG", "W>X", "W>\nX", "Rp5", "R5 G?", "R7", "R5 R6", "9"],
)
def test_bad_move_texts(text: str) -> None:
    with pytest.raises(BadText) as error:
        Move.parse(text)
    assert "\n" not in str(error.value)


def test_a_place_has_whole_numbers() -> None:
    for place in (Place(True), Place(5, 3.0), Place(5, 3, "1")):  # type: ignore[arg-type]
        with pytest.raises(BadOption, match="whole number"):
            check_place(TINY, Difficulty(1), place)


# --- sheets -------------------------------------------------------------------------------------------------------


def test_digest_is_over_everything_but_the_notes() -> None:
    assert dataclasses.replace(TINY, notes="other").digest == TINY.digest
    changes: dict[str, Any] = {
        "name": "other", "provenance": "measured", "route": "." + TINY.route, "detour": Detour(6, 4, "..o.B.o"),
        "golden_country": (5, 9, 17), "big_brother": (300, 200, 1), "rounds": (1,) * 9,
    }
    digests = {dataclasses.replace(TINY, **{field: value}).digest for field, value in changes.items()}
    assert len(digests | {TINY.digest}) == len(changes) + 1 == len(dataclasses.fields(Sheet))


@given(
    name=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=100),
    notes=st.text(st.characters(exclude_categories=["Cs"])),
    points=st.lists(st.integers(-(10**12), 10**12), min_size=9, max_size=9),
)
def test_sheet_file_round_trip(name: str, notes: str, points: list[int]) -> None:
    notes = notes.replace("\r\n", "\n")
    sheet = dataclasses.replace(TINY, name=name, notes=notes, rounds=tuple(points))
    assert Sheet.from_toml(sheet.to_toml()) == sheet


def test_the_file_form_of_a_sheet(tmp_path: Path) -> None:
    sheet = dataclasses.replace(TELLING, notes='a "b" \x7f \n ä')
    assert sheet.to_toml() == TELLING_TOML
    assert Sheet.from_toml(TELLING_TOML) == Sheet.from_toml("\ufeff" + TELLING_TOML) == sheet
    lines = TELLING_TOML.splitlines(keepends=True)
    assert Sheet.from_toml("".join(line for line in lines if not line.startswith("notes"))) == TELLING
    file = tmp_path / "mine.toml"
    file.write_bytes((TELLING_TOML + "#").encode().ljust(1_000_000, b"-"))
    assert Sheet.load(file) == Sheet.load(str(file)) == sheet
    assert TINY.digest == "577f0894b1b53c07411e08c3885f602f3600661d4230549af459610097423f88"


def test_a_sheet_may_be_as_large_as_the_limits() -> None:
    large = Sheet(
        name="x" * 100, provenance="reconstruction", route="." * 1000, detour=Detour(1000, 0, "." * 1000),
        golden_country=(10**12,) * 1000, big_brother=(-(10**12),) * 1000, rounds=(0,) * 9, notes="." * 1995,
    )
    assert Sheet.from_toml(large.to_toml()) == large
    assert large.route_for(5) == "." * 2000
    assert large.points(8, 5000, 5000) == 0
    assert Sheet.from_toml(dataclasses.replace(large, notes="." * 2000).to_toml()).notes == "." * 2000


def sheet_text(**changes: str | None) -> str:
    """The tiny sheet's text with fields replaced, added or (None) left out."""
    fields: dict[str, str | None] = {
        "name": '"t"', "provenance": '"measured"', "notes": '""', "route": '"..R.o"',
        "detour": '{ after = 1, skip = 2, boxes = "..o" }',
        "golden_country": "[5, 9]", "big_brother": "[3]", "rounds": "[1, 2, 3, 4, 5, 6, 7, 8, 9]", **changes,
    }
    return "[sheet]\n" + "\n".join(f"{key} = {value}" for key, value in fields.items() if value is not None)


def test_a_sheet_without_notes_and_with_a_detour_table() -> None:
    assert Sheet.from_toml(sheet_text(notes=None)) == Sheet.from_toml(sheet_text())
    apart = sheet_text(detour=None) + '\n[sheet.detour]\nafter = 1\nskip = 2\nboxes = "..o"\n'
    assert Sheet.from_toml(apart) == Sheet.from_toml(sheet_text())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file lacks the field sheet"),
        ("nonsense", "not TOML"),
        ("a = " + "[" * 100_000, "not TOML"),
        ("a = " + "9" * 10_000, "not TOML"),
        # The time of Python's reader grows with the square of the parts of a name.
        ("a." * 5_000 + "a = 1", "full stops"),
        ("[" + "a." * 3_000 + "a]" + "\nb = 1", "full stops"),
        ("sheet = 3", "sheet is '3'; it must be a table"),
        (sheet_text() + "\n[other]", "unknown field 'other'"),
        (sheet_text(colour='"red"'), r"\[sheet\] has the unknown field 'colour'"),
        (sheet_text(name="3"), "name is '3'; it must be text"),
        (sheet_text(name='" "'), "name is ' '; it must be one line"),
        (sheet_text(name='"a\\nb"'), "name is 'a.*; it must be one line"),
        (sheet_text(provenance='"guess"'), "provenance is 'guess'; it must be one of reconstruction, measured"),
        (sheet_text(notes="1"), "notes is '1'; it must be text"),
        (sheet_text(route='""'), "route has 0 boxes"),
        (sheet_text(route='"..r."'), "route has 'r' at box 3"),
        (sheet_text(route='"' + "." * 1001 + '"'), "route has 1001 boxes; it must have 1 to 1000"),
        (sheet_text(route="[1]"), "route is"),
        (sheet_text(detour="3"), "detour is '3'; it must be a table"),
        (sheet_text(detour='{ after = 1, skip = 2, boxes = "..o", x = 1 }'), "detour has the unknown field 'x'"),
        (sheet_text(detour="{ after = 1, skip = 2 }"), "detour lacks the field boxes"),
        (sheet_text(detour='{ after = true, skip = 2, boxes = "..o" }'), "detour.after is 'True'; it must be a whole"),
        (sheet_text(detour='{ after = 6, skip = 0, boxes = "..o" }'), "detour.after is 6; it must be 0 to 5"),
        (sheet_text(detour='{ after = -1, skip = 0, boxes = "..o" }'), "detour.after is -1"),
        (sheet_text(detour='{ after = 3, skip = 3, boxes = "...o" }'), "detour.skip is 3; it must be 0 to 2"),
        (sheet_text(detour='{ after = 1, skip = 2, boxes = "..?" }'), "detour.boxes has '\\?' at box 3"),
        (sheet_text(detour='{ after = 1, skip = 2, boxes = ".o" }'), "detour.boxes has 2 boxes in place of 2"),
        (sheet_text(golden_country="[]"), "golden_country has 0 entries"),
        (sheet_text(golden_country="[1, 2.0]"), "golden_country: entry 2 is '2.0'; it must be a whole number"),
        (sheet_text(golden_country="[1, true]"), "golden_country: entry 2 is 'True'"),
        (sheet_text(golden_country=f"[{10**12 + 1}]"), "golden_country: entry 1 must lie between"),
        (sheet_text(big_brother="[]"), "big_brother has 0 entries"),
        (sheet_text(big_brother="7"), "big_brother is '7'; it must be a list"),
        (sheet_text(rounds="[1, 2, 3]"), "rounds has 3 entries; it must have nine"),
        *[(sheet_text(**{field: None}), f"lacks the field {field}") for field in
          ("name", "provenance", "route", "detour", "golden_country", "big_brother", "rounds")],
    ],
)
def test_what_is_no_sheet(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadText, match=reason) as error:
        Sheet.from_toml(text)
    assert "\n" not in str(error.value)
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BadText, match=r"mine\.toml: "):
        Sheet.load(file)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "name is ''; it must be one line of 1 to 100 printable characters"),
        ({"name": "x" * 101}, "name is 'xxxxx"),
        ({"provenance": "x"}, "provenance is 'x'; it must be one of reconstruction, measured"),
        ({"route": ""}, "route has 0 boxes; it must have 1 to 1000"),
        ({"route": "..x"}, "route has 'x' at box 3; a box is . (plain), one of R G B W Y P (Control Zone) or o (Maximum"),
        ({"detour": Detour(0, 0, "." * 1001)}, "detour.boxes has 1001 boxes; it must have 1 to 1000"),
        ({"detour": Detour(31, 0, ".")}, "detour.after is 31; it must be 0 to 30, as it names a box of the route"),
        ({"detour": Detour(28, 3, "....")}, "detour.skip is 3; it must be 0 to 2, as 2 boxes follow box 28"),
        ({"detour": Detour(28, 2, "..")}, "detour.boxes has 2 boxes in place of 2; it must have more, as a detour makes"),
        ({"golden_country": ()}, "golden_country has 0 entries; it must have 1 to 1000"),
        ({"golden_country": (0,) * 1001}, "golden_country has 1001 entries; it must have 1 to 1000"),
        ({"big_brother": (0, 10**12 + 1)}, "big_brother: entry 2 must lie between -1000000000000 and 1000000000000"),
        ({"big_brother": (-(10**12) - 1,)}, "big_brother: entry 1 must lie between -1000000000000 and 1000000000000"),
        ({"rounds": (1,) * 8}, "rounds has 8 entries; it must have nine, from R0 to R8"),
        ({"rounds": (1,) * 10}, "rounds has 10 entries; it must have nine, from R0 to R8"),
    ],
)
def test_sheets_past_the_limits(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadText) as error:
        dataclasses.replace(TELLING, **changes)
    assert str(error.value).startswith(words)


def test_sheet_files_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for content, words in (
        (b"#" * 1_000_001, f"{file} has more than 1,000,000 bytes"),
        (b"# a\xff", f"{file} is not UTF-8 text (byte 4)"),
        (b"", f"{file}: the file lacks the field sheet; it has sheet"),
    ):
        file.write_bytes(content)
        with pytest.raises(BadText) as error:
            Sheet.load(file)
        assert str(error.value) == words
    with pytest.raises(BadText, match="the path of the sheet has a character that no path has; name a file, or reference"):
        Sheet.load("a\0b")


def test_of_a_huge_file_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(BadText, match="more than 1,000,000 bytes"):
            Sheet.load(file)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
