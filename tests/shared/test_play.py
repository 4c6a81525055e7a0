"""A whole game at the table, in every game: on the screen and as JSON lines, kept after every move and taken up again."""
from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from exactplay.questions import COMMANDS, face_of
from exactplay.questions.face import GameFace
from exactplay.rules.contract import CHANCE, OVER
from tests.shared.command import Ran, ran, refused, typed

FACES = [face_of(command) for command in COMMANDS]
DEALT = [face for face in FACES if face.deal is not None]
every_game = pytest.mark.parametrize("face", FACES, ids=lambda face: face.command)
every_deal = pytest.mark.parametrize("face", DEALT, ids=lambda face: face.command)

#: options of a game that is soon over
SHORT = {"winkeladvokat": ("--size", "3"), "winner": ("--cards", "2"), "winston84": ("--round", "8")}


class Game:
    """A game that is kept in a file of the test's own."""

    def __init__(self, face: GameFace, folder: Path) -> None:
        assert face.play is not None
        self.face, self.file, self.name = face, folder / "game.json", face.play.command

    def play(self, *words: object, options: tuple[object, ...] = (), json: bool = True, code: int = 0) -> Ran:
        asked = (*options, "--seconds", 0.05, "--file", self.file, *(["--json"] if json else []))
        return ran(self.face.command, self.name, *asked, stdin=typed(words), code=code)

    def refused(self, *options: object) -> str:
        return refused(self.face.command, self.name, "--file", self.file, *options)

    @property
    def record(self) -> Any:
        return json.loads(self.file.read_text())

    def states(self) -> list[Any]:
        """The states of the kept game."""
        assert self.face.play is not None
        setup = self.record["setup"]
        begin = self.face.play.begin
        states = [begin(setup) if begin is not None else self.face.state.parse(setup["position"])]
        for text in self.record["moves"]:
            states.append(states[-1].play(self.face.move.parse(text)))
        return states

    def some_move(self, seed: int = 1) -> str:
        """Something that may be typed now."""
        state = self.states()[-1]
        moves = [move for move, _ in state.chance_outcomes()] if state.to_move == CHANCE else state.legal_moves()
        return str(random.Random(seed).choice(moves))


@pytest.fixture
def game(face: GameFace, tmp_path: Path) -> Game:
    return Game(face, tmp_path)


def waiting(found: Ran) -> list[dict[str, Any]]:
    """The objects that say where a game stands."""
    return [one for one in found.objects if "waiting_for" in one]


@every_game
def test_a_move_is_played_and_kept_and_the_game_taken_up_again(game: Game) -> None:
    game.play()
    before = len(game.states())
    move = game.some_move()
    game.play(move)
    assert len(game.states()) > before
    assert move in game.record["moves"][before - 1]
    again = game.play()
    assert any(one.get("resumed") is True for one in again.objects)
    assert waiting(again)


@every_game
def test_undo_takes_back_the_last_decision_of_a_person(game: Game) -> None:
    game.play(options=SHORT.get(game.face.command, ()))
    kept = game.record["moves"]
    found = game.play(game.some_move(), "undo")
    assert game.record["moves"] == kept
    assert any("Taken back" in one.get("message", "") for one in found.objects)
    assert "no move of yours" in str(game.play(*["undo"] * (len(kept) + 2)).objects)


@every_game
def test_what_is_no_move_is_said_and_the_game_goes_on(game: Game) -> None:
    found = game.play("foo bar", "save", "resume /nonexistent", "hint now", "show")
    errors = [one["error"] for one in found.objects if "error" in one]
    assert len(errors) == 4
    assert all("\n" not in error for error in errors)
    assert len(waiting(found)) == 2


@every_game
def test_a_copy_is_saved_and_resumed(game: Game, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    game.play(f"save {copy}")
    kept = json.loads(copy.read_text())
    game.play(game.some_move(), f"resume {copy}")
    assert json.loads(copy.read_text()) == kept
    assert any("error" in one for one in game.play(f"save {tmp_path}").objects)


@every_game
def test_help_and_moves_and_advice(game: Game) -> None:
    game.play()
    if game.states()[-1].to_move == CHANCE:
        game.play(game.some_move())
    state = game.states()[-1]
    found = game.play("help", "moves", "hint", "why", json=False).out
    assert "undo" in found
    assert str(state.legal_moves()[0]).split(":")[0] in found
    listed, hinted, whole = [one for one in game.play("moves", "hint", "why").objects if "message" not in one][-3:]
    assert set(listed["moves"]) <= {str(move) for move in state.legal_moves()}
    assert {hinted["kind"], whole["kind"]} <= {"exact", "bounds", "estimate", "enumerated average", "exact expectation"}
    assert set(whole["best"]) <= {str(move) for move in state.legal_moves()}


@every_game
def test_options_of_another_game_are_refused_while_one_is_kept(game: Game) -> None:
    options = SHORT.get(game.face.command, ())
    game.play(options=options)
    kept = game.record
    if game.face.deal is not None:
        assert "--new" in game.refused("--seed", 12345)
        assert "--new" in game.refused("--players", 4)
    if game.face.rules.options():
        name, values = next(iter(game.face.rules.options().items()))
        assert "--new" in game.refused("--rule", f"{name}={str(values[1]).lower()}")
        game.play(options=("--rule", f"{name}={str(values[0]).lower()}"))
    game.play(options=("--objective", game.face.objectives[-1]))
    assert game.record["moves"] == kept["moves"]
    assert game.record["setup"]["objective"] == game.face.objectives[-1]
    game.play(options=("--new", *options))
    assert game.record["setup"]["objective"] == game.face.objectives[0]


@every_deal
def test_a_new_game_has_a_fresh_seed_that_is_printed_and_deals_the_same(game: Game) -> None:
    first = game.play().objects[0]
    start = game.record["setup"]["position"]
    game.play(options=("--new",))
    assert game.record["setup"]["position"] != start
    game.play(options=("--new", "--seed", first["seed"]))
    assert game.record["setup"]["position"] == start
    assert f"--seed {first['seed']}" in game.play(options=("--new", "--seed", first["seed"]), json=False).out


@every_game
def test_people_alone_play_to_the_end_and_a_finished_game_makes_room(game: Game) -> None:
    options = ("--people", "all", *SHORT.get(game.face.command, ()))
    game.play(options=options)
    for number in range(200):
        if game.states()[-1].to_move == OVER:
            break
        game.play(*[game.some_move(number)])
    assert game.states()[-1].to_move == OVER
    assert waiting(game.play(options=("--new", *options)))[0]["waiting_for"] != "end"


@every_game
def test_a_damaged_or_foreign_record_is_named_and_never_written_over(game: Game) -> None:
    kind = game.face.name.replace("_", "-")
    for content in (
        "{", "[]", "{}", "[" * 100_000, "\x00", '{"game": "other", "setup": {}, "moves": []}',
        f'{{"game": "{kind}", "setup": {{}}, "moves": []}}', f'{{"game": "{kind}", "setup": {{}}, "moves": [1]}}',
    ):
        game.file.write_text(content)
        assert "game.json" in game.refused()
        assert game.file.read_text() == content
    game.file.write_text("a letter to a friend")
    assert "not a saved game" in game.refused("--new")


@every_game
def test_people_are_seats_of_the_game(game: Game) -> None:
    assert "people are 'z'" in game.refused("--people", "z")
    assert not game.file.exists()


def test_the_advisor_plays_every_seat_that_no_person_has(tmp_path: Path) -> None:
    game = Game(face_of("dogs"), tmp_path)
    found = game.play(options=("--players", 4, "--people", 2, "--seed", 1))
    assert [one["by"] for one in found.objects if "by" in one] == [0, 1]
    (stands,) = waiting(found)
    assert stands["to_move"] == 2
    assert all("?" in hand for seat, hand in enumerate(stands["hands"]) if seat != 2)


def test_what_chance_brings_others_is_not_shown(tmp_path: Path) -> None:
    game = Game(face_of("walk"), tmp_path)
    found = game.play("1", "1", "1", options=("--seed", 3))
    drawn = [one for one in found.objects if one.get("by") == "chance"]
    assert drawn
    assert all("played" not in one for one in drawn)
    assert any("a card" in one["message"] for one in drawn)


def test_a_game_taken_up_again_draws_what_it_would_have_drawn(tmp_path: Path) -> None:
    once, twice = Game(face_of("walk"), tmp_path), Game(face_of("walk"), tmp_path)
    twice.file = tmp_path / "twice.json"
    options = ("--seed", 4, "--people", "all")
    once.play(options=options)
    twice.play(options=options)
    once.play(*["1"] * 6)
    for _ in range(6):
        twice.play("1")
    assert once.record["moves"] == twice.record["moves"]


def test_a_position_begins_a_game_and_goes_with_no_other_beginning(tmp_path: Path) -> None:
    game = Game(face_of("dogs"), tmp_path)
    start = "hands Bh Bh Kh Kh Gb | Bb Wb Wb Ob Ob; table Bh Khb; pile Ob Sb; turn 0"
    assert "leave --players away" in game.refused(start, "--players", 3)
    assert "hidden cards" in game.refused("hands Bb | ?; unseen Bb")
    game.play("under Kh", options=(start,))
    assert game.record["moves"][0] == "under Kh"


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_game_in_a_terminal_survives_ctrl_c(tmp_path: Path) -> None:
    import pexpect

    file = tmp_path / "game.json"
    command = ["-m", "exactplay", "winston84", "coach", "--difficulty", "3", "--file", str(file)]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(60, 200))
    child.expect("R1 roll of R G B W Y P: ")
    child.sendline("532416")
    child.expect("R1 decision")
    child.sendcontrol("c")
    child.expect("The game is kept in")
    child.expect("exactplay: interrupted")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(json.loads(file.read_text())["moves"]) == 1
