"""The commands that every game has, asked through the command line."""
from __future__ import annotations

import random
import shlex
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from exactplay.certificates import CheckedTable
from exactplay.questions import COMMANDS, face_of
from exactplay.questions.face import GameFace
from exactplay.rules.contract import CHANCE, OVER
from tests.shared.command import ran, refused

FACES = [face_of(command) for command in COMMANDS]
WITH_VIEWS = [face for face in FACES if face.view is not None]
DEALT = [face for face in FACES if face.deal is not None]

every_game = pytest.mark.parametrize("face", FACES, ids=lambda face: face.command)


def at(face: GameFace, position: object) -> tuple[str, ...]:
    """A position as the game's commands take it."""
    return (str(position),) if face.setting[0].argument else ("--position", str(position))


def played_on(face: GameFace, moves: int, seed: int = 1) -> Any:
    """The state of the face's example after some random moves, or before its end."""
    rng = random.Random(seed)
    state = face.state.parse(face.example)
    for _ in range(moves):
        if state.to_move == OVER:
            break
        legal = [move for move, _ in state.chance_outcomes()] if state.to_move == CHANCE else state.legal_moves()
        state = state.play(rng.choice(legal))
    return state


def test_alone_it_names_every_game_with_an_example() -> None:
    shown = ran()
    for command, about in COMMANDS.items():
        assert command in shown.out
        assert f"exactplay {about.example}" in shown.out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_a_game_is_answered(command: str) -> None:
    assert ran(*shlex.split(COMMANDS[command].example)).out


@every_game
def test_every_command_explains_itself(face: GameFace) -> None:
    listed = ran(face.command, "--help").out
    for name in ("solve", "advise", "batch", "rules"):
        assert name in listed
        assert ran(face.command, name, "--help").out.startswith("Usage: exactplay")
    assert "--json" in ran(face.command, "solve", "--help").out


@every_game
def test_show_gives_a_position_that_can_be_read_again(face: GameFace) -> None:
    state = played_on(face, 2)
    data = ran(face.command, "show", *at(face, state), "--json").data
    assert face.state.parse(data["text"]) == state
    assert ran(face.command, "show", *at(face, state)).lines
    assert ran(face.command, "show", *at(face, "-"), "--json", stdin=str(state)).data == data


@every_game
def test_moves_lists_what_is_legal_or_what_chance_may_bring(face: GameFace) -> None:
    state = played_on(face, 1)
    data = ran(face.command, "moves", *at(face, state), "--json").data
    assert data["moves"] == [str(move) for move in state.legal_moves()]
    assert data["chance"] == {str(move): str(share) for move, share in state.chance_outcomes()}
    shown = ran(face.command, "moves", *at(face, state)).lines
    assert [line.split("  ")[0] for line in shown] == data["moves"] or data["chance"]


@every_game
def test_a_list_of_moves_that_is_cut_off_says_so(face: GameFace) -> None:
    state = next(found for number in range(50) if len((found := played_on(face, number % 4, number)).legal_moves()) > 1)
    data = ran(face.command, "moves", *at(face, state), "--json", "--most", 1).data
    assert len(data["moves"]) == 1
    assert data["more"] is True
    assert "more" in ran(face.command, "moves", *at(face, state), "--most", 1).out


@every_game
def test_rules_lists_every_option_with_its_values(face: GameFace) -> None:
    data = ran(face.command, "rules", "--json").data
    assert {one["name"]: tuple(one["values"]) for one in data["options"]} == face.rules.options()
    shown = ran(face.command, "rules").out
    assert all(name in shown for name in face.rules.options())


@pytest.mark.parametrize("face", DEALT, ids=lambda face: face.command)
def test_a_deal_is_fixed_by_its_seed_and_fresh_without_one(face: GameFace) -> None:
    first = ran(face.command, "deal", "--seed", 5).out
    assert ran(face.command, "deal", "--seed", 5).out == first
    state = face.state.parse(first.strip())
    assert state == face.state.parse(ran(face.command, "deal", "--seed", 5, "--json").data["text"])
    assert ran(face.command, "deal").out != ran(face.command, "deal").out
    assert "seed is -1" in refused(face.command, "deal", "--seed", -1)


@pytest.mark.parametrize("face", WITH_VIEWS, ids=lambda face: face.command)
def test_hidden_cards_are_advised_on_and_never_solved(face: GameFace) -> None:
    assert face.view is not None
    state = next(found for number in range(50) if (found := played_on(face, number % 4, number)).to_move >= 0)
    view = face.view.of(state, state.to_move)
    data = ran(face.command, "advise", *at(face, view), "--seconds", 2, "--json").data
    assert set(data["best"]) <= {str(move) for move in state.legal_moves()}
    assert data["viewpoint"] == state.to_move
    if face.view is not face.state and str(view) != str(state):
        assert "hidden" in refused(face.command, "solve", *at(face, view))


@every_game
@pytest.mark.parametrize(("option", "value"), [
    ("nodes", "99999999999999999999"), ("nodes", "0"), ("nodes", "1.5"), ("seconds", "nan"), ("seconds", "-1"),
    ("seconds", "1e400"), ("memory", "0"), ("threads", "99999"), ("moves", "alll"), ("objective", "ramdom"),
])
def test_an_option_out_of_its_range_is_refused_in_one_line(face: GameFace, option: str, value: str) -> None:
    if f"--{option}" not in ran(face.command, "solve", "--help").out:
        pytest.skip("the game has no such option")
    line = refused(face.command, "solve", f"--{option}", value)
    assert option in line


@every_game
def test_what_does_not_exist_is_refused_in_one_line(face: GameFace) -> None:
    assert "No such option" in refused(face.command, "solve", "--foo")
    assert "No such command" in refused(face.command, "sovle")
    if face.rules.options():
        assert "'foo' is unknown" in refused(face.command, "show", "--rule", "foo=1")
        assert "has no '='" in refused(face.command, "show", "--rule", "foo")


def test_names_of_no_game_are_refused() -> None:
    assert "No such command 'chess'" in refused("chess")
    assert "No such command" in refused("certify", "chess")


def test_the_version() -> None:
    assert ran("--version").out.strip().count(".") == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_a_shell(shell: str) -> None:
    assert "_EXACTPLAY_COMPLETE" in ran("completion", shell).out


@pytest.mark.parametrize(("words", "wanted"), [
    ("exactplay win", {"winston84", "winkeladvokat", "winner"}),
    ("exactplay dogs so", {"solve"}),
    ("exactplay dogs solve --mo", {"--moves"}),
    ("exactplay dogs solve --moves v", {"value"}),
])
def test_commands_options_and_values_are_completed(words: str, wanted: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_EXACTPLAY_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert {line.partition(",")[2] for line in ran().lines} == wanted


# ---------------------------------------------------------------- certificates

DOGS = "hands Bh Kb Kb Kh | Bb Gb Kh Wb; table Gh Wb Obb Sb; pile Sh; turn 0; longest 6; shortest 2; bone 1; poo 1"


def test_a_certificate_is_written_checked_and_refused_when_altered(tmp_path: Path) -> None:
    file = tmp_path / "dogs.cert"
    written = ran("certify", "dogs", DOGS, "--out", file, "--json").data
    assert (written["file"], written["bytes"]) == (str(file), file.stat().st_size)
    assert ran("dogs", "solve", DOGS, "--json").data["value"] == written["value"]
    assert str(written["value"]) in ran("check", file).out
    assert ran("check", file, "--json").data["low"] == written["value"]
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert "truncated or altered" in refused("check", file)


def test_a_certificate_replaces_no_folder(tmp_path: Path) -> None:
    assert "no regular file" in refused("certify", "dogs", DOGS, "--out", tmp_path)


@pytest.mark.parametrize(("proven", "interrupted", "code"), [(True, False, 0), (False, False, 3), (False, True, 130)])
def test_check_has_a_code_of_its_own_for_what_is_not_proven(
    proven: bool, interrupted: bool, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = mock.Mock(spec=CheckedTable, proven=proven, interrupted=interrupted)
    checked.lines.return_value, checked.to_json.return_value = ["as far as it was checked"], {"value": 0}
    monkeypatch.setattr("exactplay.cli.check.check_file", lambda *_, **__: checked)
    assert ran("check", "some.cert", code=code).out == "as far as it was checked\n"
    assert ran("check", "some.cert", "--json", code=code).data == {"value": 0}


def test_check_takes_one_of_two_ways_to_choose_places() -> None:
    assert "give one of the two" in refused("check", "some.cert", "--complete", "--sample", 2)
