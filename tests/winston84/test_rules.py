"""Winston: Nineteen Eighty-Four: what the reference rules refuse and why, their bounds and texts, beside test_winston84."""
from __future__ import annotations

import dataclasses
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from exactplay.rules import winston84
from exactplay.rules.contract import CHANCE, OVER, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston84 import (
    Colour,
    Decision,
    Detour,
    Dice,
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
    after_round,
    check_place,
)
from tests import DATA

TINY = Sheet.load(DATA / "tiny-sheet.toml")
RED, GREEN, BLUE, WHITE, YELLOW, PURPLE = Colour
X1, X2, X3 = map(Difficulty, (1, 2, 3))

#: every score tells its round, its Golden Country boxes and its Big Brother marks: hundreds less one, ones, tens
TELLING = Sheet(
    name="telling | scores |", provenance="measured", route="Ro." * 10, detour=Detour(after=0, skip=0, boxes="."),
    golden_country=(1, 2, 3), big_brother=(0, 10, 20, 30, 40, 50, 60, 70, 80, 90),
    rounds=(100, 200, 300, 400, 500, 600, 700, 800, 900),
)
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


def test_the_package_offers_what_it_imports() -> None:
    offered = {
        name for name, value in vars(winston84).items() if not (name.startswith("_") or isinstance(value, ModuleType))
    }
    assert set(winston84.__all__) == offered


def test_options_are_those_of_the_rules_page() -> None:
    names = ["room101_is_placed", "white_needs_change", "purple_alone_ok", "failed_round_rechecks_zone"]
    assert list(Rules.options().items()) == [(name, (False, True)) for name in names]
    assert set(Rules.explained) == set(names)
    assert Rules.parse(" default rules ") == Rules()
    assert Rules.parse("purple_alone_ok=true, white_needs_change=false") == Rules(purple_alone_ok=True)
    with pytest.raises(BadText, match="winston84 has room101_is_placed, white_needs_change, purple_alone_ok, failed_"):
        Rules.parse("x=1")


def test_colours_and_states_of_a_die() -> None:
    assert [(int(c), c.letter, c.label) for c in Colour] == [
        (0, "R", "Red"), (1, "G", "Green"), (2, "B", "Blue"), (3, "W", "White"), (4, "Y", "Yellow"), (5, "P", "Purple"),
    ]
    assert [(int(s), s.name) for s in Status] == [(0, "REMOVED"), (1, "AVAILABLE"), (2, "PLACED"), (3, "ROOM101")]
    assert [Colour.of(letter) for letter in "rGbWyP"] == list(Colour)
    assert [Move.parse(text) for text in ("R", "-R")] == [Decision(RED, (), False), Decision(RED, (), True)]


# --- what is refused, word for word ------------------------------------------------------------------------------


def at(place: str, dice: str, level: int = 3) -> Callable[[], State]:
    return lambda: State.resume(TINY, Difficulty(level), Place.parse(place), dice=Dice.parse(dice))


def text(words: str) -> Callable[[], State]:
    return lambda: State.parse(words.replace("SHEET", "577f0894b1b5 tiny"), TINY)


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
        (lambda: Difficulty(6), BadText, "difficulty is '6'; it must be 1, 2, 3, 4 or 5"),
        (lambda: Difficulty(LONG), BadText, f"difficulty is '{'x' * 20}'; it must be 1, 2, 3, 4 or 5"),
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
        (lambda: check_place(TINY, X3, Place(5, 3, ONE)), BadText, "marks is '1'; it must be a whole number"),
        (lambda: check_place(TINY, X3, Place(LONG)), BadText, f"round is '{'x' * 20}'; it must be a whole number"),
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
        (text("x6 | lost | - | default rules | SHEET"), BadText, "difficulty is '6'; it must be 1, 2, 3, 4 or 5"),
        (text("xy | lost | - | default rules | SHEET"), BadText, "difficulty is 'y'; it must be 1, 2, 3, 4 or 5"),
        (text("x3 | won | - | default rules | SHEET"), BadText, "end of the game 'won': write lost or won SCORE"),
        (text("x3 | won 1 | - | default rules | SHEET"), IllegalPosition, "no game won at x3 on this sheet scores 1"),
        (text("x3 | lost | - | default rules | x"), BadText, "the game was written for the sheet 'x', not for '577f0894b1"),
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


# --- sheets ------------------------------------------------------------------------------------------------------


def test_the_file_form_of_a_sheet(tmp_path: Path) -> None:
    sheet = dataclasses.replace(TELLING, notes='a "b" \x7f \n ä')
    assert sheet.to_toml() == TELLING_TOML
    assert Sheet.from_toml(TELLING_TOML) == Sheet.from_toml("\ufeff" + TELLING_TOML) == sheet
    assert Sheet.from_toml(without("notes")) == TELLING
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


def without(field: str) -> str:
    return "".join(line for line in TELLING_TOML.splitlines(keepends=True) if not line.startswith(field))


FIELDS = "name, provenance, route, detour, golden_country, big_brother, rounds, notes"


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("", "the file lacks the field sheet; it has sheet"),
        ("x = 1", "the file has the unknown field 'x'; it has sheet"),
        ("sheet = 1", "sheet is '1'; it must be a table"),
        ("sheet = ", "not TOML: Invalid value"),
        (TELLING_TOML + "x = 1", f"[sheet] has the unknown field 'x'; it has {FIELDS}"),
        (without("rounds"), f"[sheet] lacks the field rounds; it has {FIELDS}"),
        (without("detour") + "detour = 1", "detour is '1'; it must be a table"),
        (TELLING_TOML.replace("after = 0,", ""), "detour lacks the field after; it has after, skip, boxes"),
        (TELLING_TOML.replace("after = 0,", "after = 0, x = 1,"), "detour has the unknown field 'x'; it has after, skip,"),
        (TELLING_TOML.replace("after = 0", "after = 1.0"), "detour.after is '1.0'; it must be a whole number"),
        (TELLING_TOML.replace("skip = 0", "skip = true"), "detour.skip is 'True'; it must be a whole number"),
        (TELLING_TOML.replace('boxes = "."', "boxes = 1"), "detour.boxes is '1'; it must be text in quotes"),
        (without("name") + "name = 1", "name is '1'; it must be text in quotes"),
        (without("provenance") + "provenance = 1", "provenance is '1'; it must be text in quotes"),
        (without("route") + "route = 1", "route is '1'; it must be text in quotes"),
        (without("notes") + "notes = 1", "notes is '1'; it must be text in quotes"),
        (without("golden") + "golden_country = 1", "golden_country is '1'; it must be a list of whole numbers"),
        (without("big") + "big_brother = [1, '2']", "big_brother: entry 2 is '2'; it must be a whole number"),
        (without("rounds") + "rounds = [1.5]", "rounds: entry 1 is '1.5'; it must be a whole number"),
        # As many full stops as a sheet can need, and as many in a table's name, but no more.
        ("# " + "." * 4000, "the file lacks the field sheet; it has sheet"),
        ("# " + "." * 4001, "no sheet: it has more than 4000 full stops, or more than 9 in a table's name"),
        (" [" + "a." * 9 + "a]", "the file has the unknown field 'a'; it has sheet"),
        ("[" + "a . " * 10 + "a]", "no sheet: it has more than 4000 full stops, or more than 9 in a table's name"),
        (" [" + "a." * 10 + "a]", "no sheet: it has more than 4000 full stops, or more than 9 in a table's name"),
    ],
)
def test_sheet_files_that_are_none(toml: str, words: str) -> None:
    with pytest.raises(BadText) as error:
        Sheet.from_toml(toml)
    assert str(error.value).startswith(words)


def test_sheet_files_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for content, words in (
        (b"#" * 1_000_001, f"{file}: a sheet is a TOML file of at most 1,000,000 bytes; this one is larger"),
        (b"# a\xff", f"{file}: not UTF-8 text (byte 3); a sheet is a TOML file"),
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
        with pytest.raises(BadText, match="at most 1,000,000 bytes"):
            Sheet.load(file)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


# --- from round to round -----------------------------------------------------------------------------------------


def test_the_first_box_can_be_a_zone() -> None:
    assert after_round(TELLING, X3, Rules(), Place(4), 1) == Place(5, 1, 1, fresh=True)
    assert check_place(TELLING, X3, Place(4, 1, 1, fresh=True)).fresh


def test_places_at_the_bounds() -> None:
    bounds = [(1, Place(0)), (1, Place(8, 40, 8)), (3, Place(8, 40, 7)), (3, Place(2, 36, 1)), (4, Place(8, 43, 7))]
    for level, place in bounds:
        assert check_place(TINY, Difficulty(level), place) == place
        assert Place.parse(str(place)) == place
    assert Place.parse("R5 box 17 marks 1") == Place(5, 17, 1)
    assert Place.parse("  R123456 box 123456  marks 123456 fresh ") == Place(123456, 123456, 123456, fresh=True)


def test_scores_that_a_won_game_can_have() -> None:
    sheet = f"{TELLING.digest[:12]} telling | scores |"
    possible = {
        X1: [101, 103, 201, 211, 981, 983], X2: [2 * 201, 2 * 203, 2 * 311, 2 * 973],
        # No box; a fourth; more marks than rounds before; a round that there is not.
    }
    impossible = {
        X1: [100, 104, 111, 204, 221, 991, 1001], X2: [2 * 101, 2 * 211, 2 * 321, 2 * 200, 2 * 204, 201, 2 * 983],
    }
    for difficulty in (X1, X2):
        for score in possible[difficulty]:
            game = State.parse(f"{difficulty} | won {score} | - | default rules | {sheet}", TELLING)
            assert (game.scores(), game.to_move) == ((score,), OVER)
            assert str(game) == f"{difficulty} | won {score} | - | default rules | {sheet}"
        for score in impossible[difficulty]:
            with pytest.raises(IllegalPosition, match=f"no game won at {difficulty} on this sheet scores {score}"):
                State.parse(f"{difficulty} | won {score} | - | default rules | {sheet}", TELLING)
    assert str(State.parse(f"x1 | lost | - | default rules | {sheet}", TELLING)).startswith("x1 | lost | - | ")


def test_a_game_goes_on_with_its_rules_sheet_and_level() -> None:
    rules = Rules(failed_round_rechecks_zone=True)
    game = State.start(TINY, X3, rules)
    assert (game.rules, game.at, str(game.round)) == (rules, Place(1), f"R? G? B? W? Y? P? | {rules.describe()}")
    game = State.resume(TINY, X3, Place(4, 2), rules, Dice.parse("Rp1 Bp1 W6 Yx5 P1")).play(Move.parse("W>R"))
    assert str(game) == f"x3 | R4 box 2 marks 0 | Rp6 Bp1 Wp6 Yx5 P1 | {rules.describe()} | 577f0894b1b5 tiny"
    assert (game.to_move, game.chance_outcomes()) == (0, ())
    # 1 + 1 + 6 + 6 - 5 = 9 boxes lead to the Red zone: Red is missing in the next round.
    game = game.play(Move.parse("P>R"))
    assert str(game) == f"x3 | R5 box 11 marks 1 fresh | G? B? W? Y? P? | {rules.describe()} | 577f0894b1b5 tiny"
    assert game.round == Round.start(rules, removed=RED)
    assert (game.to_move, game.legal_moves()) == (CHANCE, ())


def test_a_failed_round_triggers_the_zone_again_where_the_option_says_so() -> None:
    dice = Dice.parse("Rp1 G5 B6 Wp1 Yx5 P1")
    for rules, at in ((Rules(), Place(7, 11, 2)), (Rules(failed_round_rechecks_zone=True), Place(7, 11, 3, fresh=True))):
        assert State.resume(TINY, X3, Place(6, 11, 2), rules, dice).play(Move.parse("P>R")).at == at


def test_thresholds_have_up_to_fourteen_digits_and_a_sign() -> None:
    assert Objective.parse("at-least:+" + "9" * 14).threshold == 10**14 - 1
    assert Objective.parse("at-least:-" + "9" * 14).threshold == 1 - 10**14
    assert Objective.parse("WIN") == Objective("win", 0)


def test_a_lost_game_scores_nothing_whatever_it_had() -> None:
    objectives = [Objective.parse(text) for text in ("score", "win", "at-least:7", "at-least:0")]
    assert [objective.utility(False, 7) for objective in objectives] == [0, 0, 0, 1]
