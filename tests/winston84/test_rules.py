"""What the rules of Winston 1984 say, against the rulebook's examples, its rules page and a second reading of it."""
from __future__ import annotations

import itertools
import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactplay.rules.contract import CHANCE, OVER, BadOption, IllegalMove, IllegalPosition
from exactplay.rules.winston84 import (
    COLOURS,
    LOST,
    Colour,
    Decision,
    Dice,
    Difficulty,
    End,
    Move,
    Objective,
    Place,
    Roll,
    Round,
    Rules,
    Sheet,
    State,
    after_round,
    check_place,
    first_place,
    opening_round,
)
from tests.winston84.cases import CASES, REFERENCE, TELLING, TINY

RED, GREEN, BLUE, WHITE, YELLOW, PURPLE = Colour
X3 = Difficulty(3)
RED_ZONE, SECURITY, PLAIN_BOX = Place(6, 11, 1, True), Place(6, 6, 1, True), Place(6, 12, 1)


def round_of(dice: str, **options: bool) -> Round:
    return Round(Rules(**options), Dice.parse(dice)).check()


def legal(dice: str, die: str = "", **options: bool) -> list[str]:
    """The legal decisions, or those that place one die."""
    return [str(move) for move in round_of(dice, **options).legal_moves() if str(move)[0] in (die or COLOURS)]


def after(dice: str, *moves: str, **options: bool) -> str:
    state = round_of(dice, **options)
    for move in moves:
        state = state.play(Move.parse(move))
    return str(state.dice)


def test_red_takes_the_lowest_placed_value() -> None:
    assert after("R5 Bp2 Wp4", "R") == "Rp2 Bp2 Wp4"
    # A placed die that is lower than Red's own value or higher: Red always changes.
    assert after("R1 Bp2 Wp4", "R") == "Rp2 Bp2 Wp4"


@pytest.mark.parametrize(("dice", "placeable"), [("R5 P3", False), ("R5 Wp3", True), ("R5 Yx5 P3", False)])
def test_red_needs_another_placed_die(dice: str, placeable: bool) -> None:
    assert ("R" in legal(dice)) is placeable


def test_green_rolls_exactly_its_value_of_available_dice() -> None:
    assert legal("G2 P4 R5 Y1 Bp3 Wp6", "G") == ["G:RY", "G:RP", "G:YP"]
    assert legal("G4 P4 R5 Y1 Bp3 Wp6", "G") == []
    assert after("G2 P4 R5 Y1 Bp3 Wp6", "G:YR") == "R? Gp2 Bp3 Wp6 Y? P4"
    assert after("G2 P4 R5 Y1 Bp3 Wp6", "G:RY", "Y6 R2") == "R2 Gp2 Bp3 Wp6 Y6 P4"


def test_blue_removes_a_higher_die_but_never_yellow() -> None:
    assert legal("B3 W5 Y6", "B") == ["B>W"]
    assert after("B3 W5 Y6", "B>W") == "Bp3 Y6"
    assert legal("B3 Wp5 R3 Gx6 Yp2", "B") == ["B>W"]
    assert legal("B3 Y6 R3", "B") == []


def test_white_changes_a_die_of_a_repeating_value() -> None:
    assert legal("W5 Y6 P6 Rp2", "W") == ["W>Y", "W>P"]
    assert after("W5 Y6 Pp6", "W>P") == "Wp5 Y6 Pp5"
    assert legal("W5 Y6 P2", "W") == []
    # White's own value does not make a repeat; changing a 5 to a 5 is legal.
    assert legal("W5 Y5 P2", "W") == []
    assert legal("W5 Y5 P5 R2 B2", "W") == ["W>R", "W>B", "W>Y", "W>P"]


def test_yellow_sends_the_named_space_to_room_101() -> None:
    assert after("Y1 Rp4 Pp6", "Y") == "Rx4 Yp1 Pp6"
    assert round_of("Y1 Rp4 Pp6").play(Move.parse("Y")).result == 1 + 6 - 4
    assert legal("Y1 R4", "Y") == []
    assert legal("Y2 Rp4 P1", "Y") == []


def test_yellow_at_5_goes_itself() -> None:
    assert after("Y5 Rp6", "Y") == "Rp6 Yx5"
    assert round_of("Y5 Rp6").play(Move.parse("Y")).result == 1


def test_purple_flips_itself_and_another() -> None:
    assert after("P5 G3", "P>G") == "G4 Pp2"
    assert after("P5 Gp3 Yp6 Bx1", "P>Y") == "Gp3 Bx1 Yp1 Pp2"
    assert legal("P5 G3 Bx1", "P") == ["P>G"]


def test_purple_is_alone_when_no_other_die_is_left() -> None:
    assert legal("P5 Yx5") == ["P"]
    assert after("P5 Yx5", "P") == "Yx5 Pp2"


# --- the options, on both branches --------------------------------------------------------------------------------


def test_room101_is_placed() -> None:
    dice = "R6 Yp2 Gx1 Bp4"
    assert after(dice, "R") == "Rp2 Gx1 Bp4 Yp2"
    assert after(dice, "R", room101_is_placed=True) == "Rp1 Gx1 Bp4 Yp2"
    assert "R" not in legal("R6 Yx5 P3")
    assert "R" in legal("R6 Yx5 P3", room101_is_placed=True)
    repeat = "W3 Gx4 Yp2 R4 P1"
    assert legal(repeat, "W") == []
    assert legal(repeat, "W", room101_is_placed=True) == ["W>R"]
    # It is a target of nothing.
    assert legal("B1 Gx4 Yp2", "B", room101_is_placed=True) == []
    assert legal("P1 Gx4 Yp2", "P", room101_is_placed=True) == ["P>Y"]


def test_white_needs_change() -> None:
    assert legal("W5 Y5 P5 R2 B2", "W", white_needs_change=True) == ["W>R", "W>B"]
    assert legal("W5 Y5 P5 R1 B2", "W", white_needs_change=True) == []
    assert legal("W5 Y5 P5 R1 B2", "W") == ["W>Y", "W>P"]


def test_purple_alone_ok() -> None:
    assert legal("P5 G3 Rp2", "P") == ["P>R", "P>G"]
    assert legal("P5 G3 Rp2", "P", purple_alone_ok=True) == ["P", "P>R", "P>G"]
    assert after("P5 G3 Rp2", "P", purple_alone_ok=True) == "Rp2 G3 Pp2"


def test_failed_round_rechecks_zone() -> None:
    rules, x2, x3 = Rules(failed_round_rechecks_zone=True), Difficulty(2), Difficulty(3)
    zone, plain = Place(6, 11, 2), Place(6, 12, 2)
    assert after_round(TINY, x3, Rules(), zone, 0) == Place(7, 11, 2)
    assert after_round(TINY, x3, rules, zone, 0) == Place(7, 11, 3, fresh=True)
    assert after_round(TINY, x2, rules, zone, 0) == Place(7, 11, 3)
    assert after_round(TINY, x3, rules, plain, 0) == Place(7, 12, 2)
    assert after_round(TINY, x3, rules, first_place(x3), 0) == Place(2)
    for chosen in (Rules(), rules):
        assert after_round(TINY, x3, chosen, zone, 1) == Place(7, 12, 2)


# --- a round ------------------------------------------------------------------------------------------------------


def test_result_of_a_round() -> None:
    done = round_of("Rp2 Gx3 Bp4 Wp1 Yp2 Pp6")
    assert (done.to_move, done.result, done.failed, done.scores()) == (OVER, 12, False, (12,))
    below_zero = round_of("Gx6 Yp2")
    assert (below_zero.to_move, below_zero.result, below_zero.failed) == (OVER, 0, False)


def test_a_round_fails_when_no_available_die_can_be_placed() -> None:
    stuck = round_of("R5 Gp4 B6")
    assert (stuck.to_move, stuck.legal_moves()) == (0, (Decision(RED),))
    stuck = round_of("G5 B6 Wp1")
    assert (stuck.to_move, stuck.legal_moves(), stuck.result, stuck.failed) == (OVER, (), 0, True)


def test_the_first_roll() -> None:
    before = Round.start(Rules(), removed=GREEN)
    assert (before.to_move, str(before.dice), before.legal_moves()) == (CHANCE, "R? B? W? Y? P?", ())
    outcomes = before.chance_outcomes()
    assert len(outcomes) == 6**5
    assert {probability for _, probability in outcomes} == {Fraction(1, 6**5)}
    assert str(before.play(Move.parse("P1 Y2 W3 B4 R5")).dice) == "R5 B4 W3 Y2 P1"
    for wrong in ("R5 B4 W3 Y2", "R5 G1 B4 W3 Y2 P1"):
        with pytest.raises(IllegalMove, match="Red, Blue, White, Yellow, Purple"):
            before.play(Move.parse(wrong))
    with pytest.raises(IllegalMove, match="face from 1 to 6"):
        before.play(Roll((RED, BLUE, WHITE, YELLOW, PURPLE), (1, 2, 3, 4, 7)))
    with pytest.raises(IllegalMove, match="before"):
        before.play(Decision(PURPLE, (RED,)))
    with pytest.raises(IllegalMove, match="no die is to be rolled"):
        round_of("R5 P3").play(Move.parse("R5"))


def test_maximum_security_costs_a_highest_die_of_the_players_choice() -> None:
    state = Round.start(Rules(), must_give_up=True).play(Move.parse("R2 G6 B1 W6 Y6 P3"))
    assert [str(move) for move in state.legal_moves()] == ["-G", "-W", "-Y"]
    assert Round.parse(str(state)) == state
    following = state.play(Move.parse("-y"))
    assert str(following.dice) == "R2 G6 B1 W6 P3"
    assert not following.must_give_up
    for move in ("-R", "P>R"):
        with pytest.raises(IllegalMove, match="possible: -G -W -Y"):
            state.play(Move.parse(move))
    with pytest.raises(IllegalMove):
        following.play(Move.parse("-G"))


# --- places, zones, the end ---------------------------------------------------------------------------------------


def test_difficulty_table() -> None:
    rows = [(d.multiplier, d.first_round, d.big_brothers_eye, d.julia) for d in map(Difficulty, range(1, 6))]
    assert rows == [
        (1, 0, False, False), (2, 1, False, False), (3, 1, True, False), (4, 1, False, True), (5, 1, True, True),
    ]
    for level in (0, 6, True, "3", 3.0):
        with pytest.raises(BadOption, match="difficulty"):
            Difficulty(level)  # type: ignore[arg-type]


def test_the_shipped_sheet() -> None:
    assert (REFERENCE.name, REFERENCE.provenance, len(REFERENCE.route)) == ("reference", "reconstruction", 130)
    assert [len(REFERENCE.route_for(level)) for level in range(1, 6)] == [130, 130, 130, 134, 134]
    assert REFERENCE.route_for(4)[61:73] == "..o...o....o"
    assert Sheet.from_toml(REFERENCE.to_toml()) == REFERENCE


def test_the_final_score_of_the_rulebook() -> None:
    # Eight Golden Country boxes are 17, two Big Brother marks 200, R8 is 10; 227 at x3 is 681.
    assert REFERENCE.points(8, 8, 2) == 227
    assert after_round(REFERENCE, Difficulty(3), Rules(), Place(8, 128, 2), 10) == End(True, 681)


def test_boxes_past_the_golden_country_are_lost_and_marks_past_the_track_count_as_the_last() -> None:
    x2 = Difficulty(2)
    assert after_round(TINY, x2, Rules(), Place(5, 40, 2), 23) == End(True, 2 * (20 + 0 + 40))
    assert after_round(TINY, x2, Rules(), Place(5, 40, 4), 1) == End(True, 2 * (5 + 0 + 40))


def test_zones() -> None:
    for level, costs in ((1, False), (2, False), (3, True)):
        difficulty = Difficulty(level)
        assert after_round(TINY, difficulty, Rules(), Place(4, 5), 6) == Place(5, 11, 1, fresh=costs)
        assert after_round(TINY, difficulty, Rules(), Place(4, 5), 1) == Place(5, 6, 1, fresh=costs)
        assert after_round(TINY, difficulty, Rules(), Place(4, 5), 2) == Place(5, 7)
    # With Julia the four boxes after box 6 are replaced by seven: box 9 is Maximum Security, box 11 Blue.
    for box, x3, x5 in ((9, False, True), (11, True, True), (14, False, True)):
        for level, zone in ((3, x3), (5, x5)):
            assert after_round(TINY, Difficulty(level), Rules(), Place(4, 0), box) == Place(5, box, int(zone), zone)


def test_the_first_box_can_be_a_zone() -> None:
    assert after_round(TELLING, X3, Rules(), Place(4), 1) == Place(5, 1, 1, fresh=True)
    assert check_place(TELLING, X3, Place(4, 1, 1, fresh=True)).fresh


def test_the_last_round() -> None:
    x3 = Difficulty(3)
    assert after_round(TINY, x3, Rules(), Place(8, 35), 5) == LOST == End(False, 0)
    assert after_round(TINY, x3, Rules(), Place(8, 35), 6) == End(True, 3 * (5 + 300 + 10))
    assert after_round(TINY, x3, Rules(), Place(7, 35), 5) == Place(8, 40, 1, fresh=True)


def test_what_big_brothers_eye_costs() -> None:
    x3 = Difficulty(3)
    assert opening_round(TINY, x3, Rules(), Place(5, 11, 1, fresh=True)) == Round.start(Rules(), removed=RED)
    assert opening_round(TINY, x3, Rules(), Place(5, 6, 1, fresh=True)) == Round.start(Rules(), must_give_up=True)
    assert opening_round(TINY, x3, Rules(), Place(5, 11, 1)) == Round.start(Rules())


def test_fresh_is_dropped_where_it_means_nothing() -> None:
    assert check_place(TINY, Difficulty(3), Place(5, 11, 1, True)).fresh
    assert check_place(TINY, Difficulty(3), Place(5, 11, 0, True)).fresh
    for level, box in ((3, 12), (3, 0), (2, 11), (4, 9)):
        assert not check_place(TINY, Difficulty(level), Place(5, box, 0, True)).fresh


@pytest.mark.parametrize(
    ("level", "place", "reason"),
    [
        (3, Place(0), "round is 0; at x3 it must be 1 to 8"),
        (1, Place(-1), "round is -1; at x1 it must be 0 to 8"),
        (1, Place(9), "round is 9"),
        (3, Place(5, 41), "box is 41; at x3 the route has boxes 1 to 40"),
        (4, Place(5, 44), "box is 44; at x4 the route has boxes 1 to 43"),
        (3, Place(5, -1), "box is -1"),
        (3, Place(1, 1), "box 1 cannot be marked before R1: no rounds were played"),
        (3, Place(2, 37), "box 37 cannot be marked before R2: one round was played"),
        (3, Place(1, 0, 1), "1 Big Brother marks before R1: no rounds were played"),
        (3, Place(3, 20, 3), "3 Big Brother marks before R3: 2 rounds were played"),
        (3, Place(3, 20, -1), "-1 Big Brother marks"),
        (3, Place(3, 5, 1), "no zone lies on the way"),
    ],
)
def test_places_that_the_sheet_cannot_produce(level: int, place: Place, reason: str) -> None:
    with pytest.raises(IllegalPosition, match=reason):
        check_place(TINY, Difficulty(level), place)


def test_places_at_the_bounds() -> None:
    bounds = [(1, Place(0)), (1, Place(8, 40, 8)), (3, Place(8, 40, 7)), (3, Place(2, 36, 1)), (4, Place(8, 43, 7))]
    for level, place in bounds:
        assert check_place(TINY, Difficulty(level), place) == place
        assert Place.parse(str(place)) == place
    assert Place.parse("R5 box 17 marks 1") == Place(5, 17, 1)
    assert Place.parse("  R123456 box 123456  marks 123456 fresh ") == Place(123456, 123456, 123456, fresh=True)


def test_utilities() -> None:
    ends = [(True, 681), (True, -5), (False, 0)]
    worth = {text: [Objective.parse(text).utility(*end) for end in ends] for text in
             ("score", "win", "at-least:681", "at-least:682", "at-least:0", "at-least:-5")}
    assert worth == {
        "score": [681, -5, 0], "win": [1, 1, 0], "at-least:681": [1, 0, 0], "at-least:682": [0, 0, 0],
        "at-least:0": [1, 0, 1], "at-least:-5": [1, 1, 1],
    }


# --- whole games --------------------------------------------------------------------------------------------------


def test_a_game_starts_with_r0_only_at_x1() -> None:
    assert [State.start(TINY, Difficulty(level)).at for level in (1, 2)] == [Place(0), Place(1)]


def test_a_round_leads_to_the_next() -> None:
    game = State.resume(TINY, Difficulty(3), Place(6, 5, 0), dice=Dice.parse("Rp1 Gp1 Bp1 Yx5 P1"))
    assert game.legal_moves() == (Decision(PURPLE, (RED,)), Decision(PURPLE, (GREEN,)), Decision(PURPLE, (BLUE,)))
    # 6 + 1 + 1 + 6 - 5 = 9 boxes from box 5.
    following = game.play(Move.parse("P>R"))
    assert (following.at, following.to_move) == (Place(7, 14, 0), CHANCE)
    assert len(following.chance_outcomes()) == 6**6


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


def test_the_end_of_a_game() -> None:
    dice = Dice.parse("Rp1 Gp1 Bp1 Yx5 P1")
    won = State.resume(TINY, Difficulty(3), Place(8, 33, 0), dice=dice).play(Move.parse("P>R"))
    assert (won.to_move, won.legal_moves(), won.chance_outcomes(), won.scores()) == (OVER, (), (), (3 * (9 + 300 + 10),))
    lost = State.resume(TINY, Difficulty(3), Place(8, 31, 0), dice=dice).play(Move.parse("P>R"))
    assert (lost.to_move, lost.scores()) == (OVER, (0,))
    for game in (won, lost):
        assert State.parse(str(game)) == game
        with pytest.raises(IllegalMove, match="over"):
            game.play(Move.parse("P"))
    with pytest.raises(IllegalPosition, match="not over"):
        State.start(TINY, Difficulty(3)).scores()


@pytest.mark.parametrize(
    ("place", "dice"),
    [
        (PLAIN_BOX, "R5 G3 Bp2 W4 Y1"),
        (RED_ZONE, "G3 B2 W4 Y1 P6"),
        (RED_ZONE, "G3 Bp2 Y1 P6"),
        (SECURITY, "R5 G3 B2 W4 Y1"),
        (SECURITY, "R5 G3 Bp2 W4"),
        (SECURITY, "R? G? B? W? Y? P?"),
        (SECURITY, "R5 G3 B2 W4 Y1 P6"),
        (SECURITY, "R? Gp3 B? W? Y4"),
    ],
)
def test_dice_that_may_lie_so_at_a_place(place: Place, dice: str) -> None:
    game = State.resume(TINY, Difficulty(3), place, dice=Dice.parse(dice))
    assert State.parse(str(game)) == game


def test_red_may_stand_beside_room_101_alone_where_that_counts_as_placed() -> None:
    dice, place = Dice.parse("Rp5 G3 B2 W4 Yx5 P6"), PLAIN_BOX
    with pytest.raises(IllegalPosition, match="Red cannot be the first"):
        State.resume(TINY, Difficulty(3), place, dice=dice)
    assert State.resume(TINY, Difficulty(3), place, Rules(room101_is_placed=True), dice).legal_moves()


# --- the cases that came with the rules ---------------------------------------------------------------------------


def value(state: Round, utility: list[float], memo: dict[Any, float]) -> float:
    """The best mean utility of a round, by brute force."""
    key = state.dice.six
    if key not in memo:
        if moves := state.legal_moves():
            memo[key] = max(value(state.play(move), utility, memo) for move in moves)
        elif outcomes := state.chance_outcomes():
            memo[key] = sum(value(state.play(roll), utility, memo) for roll, _ in outcomes) / len(outcomes)
        else:
            memo[key] = utility[state.result]
    return memo[key]


def cheap(case: dict[str, Any]) -> bool:
    """Green rolls at most two dice again: some thousand states."""
    return case["type"] == "inner" and Dice.parse(case["dice"])[GREEN].value in (0, 1, 2, 6)


@pytest.mark.parametrize("case", [case for case in CASES if cheap(case)][:14], ids=lambda case: case["dice"])
def test_inner_cases_by_brute_force(case: dict[str, Any]) -> None:
    state = Round(Rules.from_mapping(case["options"]), Dice.parse(case["dice"])).check()
    memo: dict[Any, float] = {}
    decisions = {str(move): value(state.play(move), case["u"], memo) for move in state.legal_moves()}
    assert decisions == pytest.approx(case["decisions"], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['type']} {case['dice']}")
def test_every_case_has_its_decisions(case: dict[str, Any]) -> None:
    rules, dice = Rules.from_mapping(case["options"]), Dice.parse(case["dice"])
    state: Round | State = Round(rules, dice).check()
    if case["type"] == "state":
        sheet = {"reference-sheet.toml": REFERENCE, "tiny-sheet.toml": TINY}[case["sheet"]]
        place = Place(case["round"], case["box"], case["marks"], case["fresh"])
        state = State.resume(sheet, Difficulty(case["difficulty"]), place, rules, dice)
        assert State.parse(str(state)) == state
        assert str(Objective.parse(case["objective"])) == case["objective"]
    assert {str(move) for move in state.legal_moves()} == set(case["decisions"])


def second_opinion(dice: Dice, rules: Rules) -> dict[str, str]:
    """Every legal decision of a round and the dice after it, as texts."""
    value = {colour.letter: dice[colour].value for colour in Colour}
    where = {colour.letter: dice[colour].status.name for colour in Colour}
    results: dict[str, str] = {}

    def write(die: str, text: str, values: dict[str, int | str], places: dict[str, str]) -> None:
        places = {die: "PLACED"} | places
        parts = []
        for letter in COLOURS:
            place = places.get(letter, where[letter])
            mark = {"AVAILABLE": "", "PLACED": "p", "ROOM101": "x"}.get(place)
            if mark is not None:
                parts.append(f"{letter}{mark}{values.get(letter, value[letter])}")
        results[text] = " ".join(parts)

    on_table = [c for c in COLOURS if where[c] in ("AVAILABLE", "PLACED")]
    counted = [c for c in COLOURS if where[c] == "PLACED" or (where[c] == "ROOM101" and rules.room101_is_placed)]
    if where["R"] == "AVAILABLE" and counted:
        write("R", "R", {"R": min(value[c] for c in counted)}, {})
    if where["G"] == "AVAILABLE":
        for chosen in itertools.product((False, True), repeat=6):
            picked = [c for c, yes in zip(COLOURS, chosen, strict=True) if yes]
            if len(picked) == value["G"] and all(where[c] == "AVAILABLE" and c != "G" for c in picked):
                write("G", "G:" + "".join(picked), dict.fromkeys(picked, "?"), {})
    if where["B"] == "AVAILABLE":
        for c in set(on_table) - {"B", "Y"}:
            if value[c] > value["B"]:
                write("B", f"B>{c}", {}, {c: "REMOVED"})
    if where["W"] == "AVAILABLE":
        for c in set(on_table) - {"W"}:
            others = {*on_table, *(counted if rules.room101_is_placed else [])} - {"W", c}
            twins = [d for d in others if value[d] == value[c]]
            if twins and (value[c] != value["W"] or not rules.white_needs_change):
                write("W", f"W>{c}", {c: value["W"]}, {})
    if where["Y"] == "AVAILABLE":
        space = COLOURS[value["Y"] - 1]
        if space == "Y" or where[space] == "PLACED":
            write("Y", "Y", {}, {space: "ROOM101"})
    if where["P"] == "AVAILABLE":
        others = set(on_table) - {"P"}
        for c in others:
            write("P", f"P>{c}", {"P": 7 - value["P"], c: 7 - value[c]}, {})
        if not others or rules.purple_alone_ok:
            write("P", "P", {"P": 7 - value["P"]}, {})
    return results


@cache
def every_setting() -> tuple[Rules, ...]:
    return tuple(Rules(*flags) for flags in itertools.product((False, True), repeat=3))


@given(seed=st.integers(0, 2**32))
def test_a_second_opinion_agrees(seed: int) -> None:
    rng = random.Random(seed)
    state = Round.start(rng.choice(every_setting()), rng.choice([None, *Colour]))
    while state.to_move != OVER:
        if state.to_move == CHANCE:
            colours = state.dice.to_roll
            state = state.play(Roll(colours, tuple(rng.randint(1, 6) for _ in colours)))
            continue
        ours = {str(move): str(state.play(move).dice) for move in state.legal_moves()}
        assert ours == second_opinion(state.dice, state.rules)
        state = state.play(rng.choice(state.legal_moves()))
    assert not second_opinion(state.dice, state.rules)
