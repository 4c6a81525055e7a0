"""The API: the answers are those of the command line, and what is no question gets one line."""
from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx

from exactplay.cli.record import Record
from exactplay.questions import face_of
from exactplay.web import desk
from exactplay.web.games import winston84
from exactplay.web.pages import GAMES
from tests import DATA
from tests.web.server import asked

TINY = (DATA / "tiny-sheet.toml").read_text(encoding="utf-8")
#: a small position of each game for several players
AT = {
    "winkeladvokat": "2R/3/B2 b 25,25 0,0",
    "winner": "3D 4D 9S | 5D 6H; turn 0",
    "winston_dogs": "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0",
    "walk_the_dogs": "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0",
}
#: the same as a seat sees it
SEEN = {
    "winner": "3D 4D 9S | ?2; turn 0",
    "winston_dogs": "hands Bb Bh Kb | ? ? ?; table -; pile ?; unseen Kb Kh Ob Sb; turn 0",
    "walk_the_dogs": "middle=PSO lines=S/O hands=g1,y/#2 turn=0",
}
#: a question of the API, and the words of the command that asks the same
ASKED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    *((f"{game}/parse", {"position": at}, ("show", at)) for game, at in [*AT.items(), *SEEN.items()]),
    *((f"{game}/moves", {"position": at}, ("moves", at)) for game, at in [*AT.items(), *SEEN.items()]),
    *((f"{game}/solve", {"position": at, "moves": moves}, ("solve", at, "--moves", moves))
      for game, at in AT.items() for moves in ("value", "best", "all")),
    *((f"{game}/advise", {"position": at, "samples": 5, "seed": 3}, ("advise", at, "--samples", "5", "--seed", "3"))
      for game, at in SEEN.items()),
    ("winston_dogs/advise", {"position": SEEN["winston_dogs"], "turns": 1, "samples": 4},
     ("advise", SEEN["winston_dogs"], "--turns", "1", "--samples", "4")),
    ("winner/deal", {"players": 3, "seed": 5}, ("deal", "--players", "3", "--seed", "5")),
    ("winston_dogs/deal", {"players": 3, "seed": 5}, ("deal", "--players", "3", "--seed", "5")),
    ("walk_the_dogs/deal", {"seed": 5, "rules": {"advanced": True}}, ("deal", "--seed", "5", "--rule", "advanced=true")),
    ("winkeladvokat/parse", {"size": 4, "rules": {"start_corners": "adjacent"}},
     ("show", "--size", "4", "--rule", "start_corners=adjacent")),
    ("winkeladvokat/analyse", {"position": AT["winkeladvokat"], "seconds": 5.0}, ("analyse", AT["winkeladvokat"])),
    ("winner/plays", {"hand": "3D 3C 4H"}, ("plays", "3D 3C 4H")),
    ("walk_the_dogs/arrange", {"line": "PSO", "dogs": "PS"}, ("arrange", "PSO", "PS")),
    ("winston84/advise", {"difficulty": 3, "objective": "win", "round": 2, "box": 5, "dice": "532416",
                          "rules": {"purple_alone_ok": False}},
     ("advise", "-d", "3", "-o", "win", "--round", "2", "--box", "5", "--roll", "532416",
      "--rule", "purple_alone_ok=false")),
    ("winston84/value", {"difficulty": 2, "round": 3, "box": 9, "marks": 1},
     ("value", "-d", "2", "--round", "3", "--box", "9", "--marks", "1")),
]


def without_effort(answer: Any) -> Any:
    """An answer without what differs from run to run."""
    if isinstance(answer, dict):
        return {k: without_effort(v) for k, v in answer.items() if k not in ("seconds", "nodes", "table_fill")}
    return answer


def command(path: str) -> str:
    """The command of the game that a path asks about."""
    return face_of(path.partition("/")[0]).command


@pytest.mark.parametrize(("path", "question", "words"), ASKED, ids=[f"{path} {n}" for n, (path, _, _) in enumerate(ASKED)])
def test_an_answer_is_that_of_the_command_line(
    client: httpx.Client, cli: Callable[..., Any], path: str, question: dict[str, Any], words: tuple[str, ...]
) -> None:
    here, there = asked(client, path, **question), cli(command(path), *words, "--json")
    assert without_effort({name: here[name] for name in there}) == without_effort(there)
    assert here.keys() - there.keys() <= {"words"}
    if "best" in here and "moves" in here:
        listed = list(here["moves"])
        assert listed[:len(here["best"])] == here["best"], "the best moves come first"
        assert {"viewpoint", "mover"} <= here.keys()


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_listed_with_defaults_and_sentences(client: httpx.Client, game: str) -> None:
    listed = client.get(f"/api/{game}/rules").json()
    assert listed["objectives"]
    assert listed["options"] or game == "winston_dogs"
    for option in listed["options"]:
        assert option["default"] == option["values"][0] and len(option["values"]) > 1
        assert option["description"].endswith(".")


@pytest.mark.parametrize("game", AT)
def test_moves_that_were_played_are_part_of_every_question(client: httpx.Client, game: str) -> None:
    moves = asked(client, f"{game}/moves", position=AT[game])["moves"]
    later = asked(client, f"{game}/play", position=AT[game], played=moves[:1])
    shown = asked(client, f"{game}/parse", position=AT[game], played=moves[:1])
    assert later["moves"] == asked(client, f"{game}/moves", position=later["position"])["moves"]
    assert later["position"] == shown["text"]
    refused = client.post(f"/api/{game}/parse", json={"position": AT[game], "played": [moves[0], moves[0], moves[0]]})
    assert refused.status_code == 422


@pytest.mark.parametrize("game", SEEN)
def test_a_table_is_seen_with_the_eyes_of_a_seat(client: httpx.Client, game: str) -> None:
    open_, covered = (asked(client, f"{game}/play", position=AT[game], **eyes) for eyes in ({}, {"seat": 0}))
    assert open_["open"] and not open_["hidden"] and open_["to_move"] == open_["seat"] == 0
    # Where two hold cards each knows the other's in Winner.
    assert covered["open"] == (game == "winner") and covered["hand"] == open_["hand"]
    assert ('data-card="?"' in covered["svg"]) == (game != "winner")
    again = asked(client, f"{game}/play", position=open_["view"])
    assert again["hand"] == open_["hand"] and again["moves"] == open_["moves"] and again["hidden"] == (game != "winner")
    pieces = client.get(f"/api/{game}/pieces").json()
    assert {*open_["hand"]} <= {piece["name"] for piece in pieces} and all(piece["svg"] for piece in pieces)
    refused = client.post(f"/api/{game}/play", json={"position": AT[game], "seat": 2})
    assert refused.json() == {"error": "seat is 2; there are seats 0 to 1"}


def test_a_game_of_winner_with_hidden_hands_is_followed(client: httpx.Client) -> None:
    start = {"position": "5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2"}
    for played, due, moves in (["9C"], 1, ["pass"]), (["9C", "TH"], 2, ["pass"]), (["9C", "TH", "pass"], 0, None):
        now = asked(client, "winner/play", **start, played=played)
        assert now["to_move"] == due and now["seat"] == 0 and now["hand"] == ["5D", "JS", "AD"]
        assert now["moves"] == moves or (moves is None and "JS" in now["moves"] and now["view"] == now["position"])
    assert "TH" not in now["unseen"]
    other = client.post("/api/walk_the_dogs/play", json={"position": SEEN["walk_the_dogs"], "played": ["g1:SP"]})
    assert other.status_code == 422


def test_own_numbers_of_a_board(client: httpx.Client) -> None:
    ranks = [[0, 9, 0], [1, 1, 1], [0, 2, 0]]
    assert asked(client, "winkeladvokat/parse", size=3, values=ranks)["values"] == ranks


def test_every_game_is_drawn(client: httpx.Client) -> None:
    for path, question, part in (
        ("winston84", {"steps": ["R5 G3 B2 W4 Y1 P6"], "highlight": ["G"], "interactive": True}, 'data-die="green"'),
        ("winkeladvokat", {"size": 4, "played": ["a1-a2-b2"], "line": ["d4-c4-c2"]}, 'data-move="d4-c4-c2"'),
        ("winner", {"position": SEEN["winner"], "interactive": True}, 'data-card="9S"'),
        ("winston_dogs", {"position": AT["winston_dogs"]}, 'data-card="Bh"'),
        ("walk_the_dogs", {"position": AT["walk_the_dogs"]}, 'data-card="y"'),
    ):
        response = client.post(f"/api/{path}/draw", json=question)
        assert response.status_code == 200 and response.headers["content-type"] == "image/svg+xml"
        assert response.text.startswith("<svg") and part in response.text
        assert not re.search(r"<style|\sstyle=|<script|\son\w+=|href", response.text)
    assert "--xp-ink" in client.get("/drawing.css").text


@pytest.mark.parametrize(("path", "question"), [
    ("winkeladvokat/moves", {
        "position": "1B1Y1G1R/1g1g1g2/yyyyyyy1/1y1y1y2/rryyyyy1/1r1r1r2/rrrrrrr1/br1r1r2 b 10,0,0,0 0,0,0,0",
        "rules": {"end_check": "on_turn", "capture_directions": "both"},
    }),
    ("winner/play", {"position": {
        "hands": [" ".join(rank + suit for rank in "3456789TJQKA2" for suit in "DCHS"), "RJ"], "turn": 0}}),
])
def test_a_position_with_very_many_moves_opens(client: httpx.Client, path: str, question: dict[str, Any]) -> None:
    start = time.monotonic()
    answer = asked(client, path, **question)
    assert len(answer["moves"]) == len(answer["words"]) == desk.MOST_MOVES
    assert answer["more"] == desk.MOST_COUNTED, "there are more than are counted"
    assert time.monotonic() - start < 20


def test_a_whole_deal_of_winner_opens_and_is_played(client: httpx.Client) -> None:
    # About every third has more moves than are listed.
    for seed in range(6):
        deal = asked(client, "winner/deal", players=2, seed=seed)["text"]
        now = asked(client, "winner/play", position=deal, seat=0)
        after = asked(client, "winner/play", position=deal, seat=0, played=[now["moves"][-1]])
        assert after["to_move"] != now["to_move"] or after["moves"]


# ---------------------------------------------------------------- whole games of 1984


def test_an_own_sheet_is_solved_once_and_then_advised_on(
    client: httpx.Client, cli: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "tiny.toml"
    # A name of its own, so that no earlier run has solved it.
    file.write_text(TINY.replace('name = "', f'name = "{time.time_ns()} '), encoding="utf-8")
    sheet = file.read_text(encoding="utf-8")
    refused = client.post("/api/winston84/advise", json={"sheet": sheet, "dice": "532416"})
    assert refused.status_code == 409 and "solve it first" in refused.json()["error"]
    for ask, question, words in (
        ("solve", {"difficulty": [1], "objective": ["score"]}, ("-d", "1", "-o", "score")),
        ("advise", {"dice": "532416"}, ("--roll", "532416")),
        ("distribution", {"round": 8, "box": 1}, ("--round", "8", "--box", "1")),
        ("trade-off", {"points": 2}, ("--points", "2")),
    ):
        here = asked(client, f"winston84/{ask}", sheet=sheet, **question)
        assert without_effort(here) == without_effort(cli("winston84", ask, "--sheet", str(file), *words, "--json"))
    assert here["provenance"] == "reconstruction" and any("reconstruction" in note for note in here["notes"])


def test_a_game_of_1984_is_played_and_kept_as_the_coach_keeps_it(client: httpx.Client, tmp_path: Path) -> None:
    rng = random.Random(84)
    now = asked(client, "winston84/play")
    assert now["turn"]["waiting_for"] == "roll" and now["turn"]["kind"] == "exact"
    told = ""
    while now["turn"]["waiting_for"] != "end":
        due = now["turn"]
        faces = "".join(str(rng.randint(1, 6)) for _ in due.get("dice", ()))
        step = faces if due["waiting_for"] == "roll" else due["plan"][0]
        now = asked(client, "winston84/play", steps=now["record"]["moves"], step=step)
        told += " ".join(now["words"])
    assert now["turn"]["score"] >= 0 and len(now["stops"]) >= 5 and "R0" in told
    file = tmp_path / "game.json"
    file.write_text(json.dumps(now["record"]), encoding="utf-8")
    record, face = Record.load(file, "winston84"), face_of("winston84")
    assert face.play is not None and face.play.begin is not None
    state = face.play.begin(record.setup)
    for move in record.moves:
        state = state.play(face.move.parse(move))
    assert state.scores() == (now["turn"]["score"],)


def test_the_forecast_after_the_best_decision_is_the_one_before_it(client: httpx.Client) -> None:
    # In the last round there is little to compute.
    sheet = {"sheet": TINY, "difficulty": 5}
    asked(client, "winston84/solve", sheet=TINY, difficulty=[5], objective=["score"])
    steps = asked(client, "winston84/play", **sheet, step="532416")["record"]["moves"]
    best, *_ = asked(client, "winston84/play", **sheet, steps=steps)["turn"]["best"]
    found = asked(client, "winston84/forecast", **sheet, steps=steps, decision=best)
    assert found["kind"] == "exact" and found["svg"].startswith("<svg")
    assert found["now"]["expected_score"] == pytest.approx(found["after"]["expected_score"])
    total = sum(found["now"]["scores"].values()) + found["now"]["lost"]
    assert total == pytest.approx(1)
    refused = client.post("/api/winston84/forecast", json={**sheet, "steps": steps, "decision": "R>G"})
    assert refused.status_code == 422


# ---------------------------------------------------------------- bad questions


@pytest.mark.parametrize(("path", "question", "words"), [
    ("winston84/advise", {"dice": "53241"}, ("advise", "--roll", "53241")),
    ("winston84/value", {"round": 8, "box": 0, "marks": 5}, ("value", "--round", "8", "--box", "0", "--marks", "5")),
    ("winston84/value", {"objective": "glory"}, ("value", "-o", "glory")),
    ("winkeladvokat/moves", {"position": "9/8"}, ("moves", "9/8")),
    ("winkeladvokat/solve", {"position": "2R/3/B1 b 25,25 0,0"}, ("solve", "2R/3/B1 b 25,25 0,0")),
    ("winner/solve", {"position": "3D 3D | 4D; turn 0"}, ("solve", "3D 3D | 4D; turn 0")),
    ("winston_dogs/solve", {"position": SEEN["winston_dogs"]}, ("solve", SEEN["winston_dogs"])),
    ("walk_the_dogs/moves", {"position": "middle=XYZ"}, ("moves", "middle=XYZ")),
])
def test_bad_input_is_refused_in_the_line_of_the_command(
    client: httpx.Client, cli: Callable[..., Any], path: str, question: dict[str, Any], words: tuple[str, ...]
) -> None:
    response = client.post(f"/api/{path}", json=question)
    assert response.status_code == 422
    assert response.json() == {"error": cli(command(path), *words, "--json")}


@pytest.mark.parametrize(("path", "body", "status", "about"), [
    ("winston84/advise", b'{"dice": ', 400, "JSON"),
    ("winston84/advise", b"[" * 100_000, 400, ""),
    ("winston84/advise", b"\xff\xfe", 400, ""),
    ("winston84/advise", b"[]", 422, "object"),
    ("winston84/advise", b"{}", 422, "dice"),
    ("winston84/advise", b'{"dice": "532416", "path": "/etc/passwd"}', 422, "path"),
    ("winston84/advise", b'{"dice": "532416", "sheet": "/etc/passwd"}', 422, "TOML"),
    ("winston84/advise", b'{"dice": "532416", "difficulty": 6}', 422, "difficulty"),
    ("winston84/advise", b'{"dice": "532416", "difficulty": true}', 422, "difficulty"),
    ("winston84/advise", b'{"dice": "\\ud800"}', 422, ""),
    ("winston84/value", b'{"objective": "at-least:1e400"}', 422, ""),
    ("winston84/play", b'{"steps": ["532416", "R9"]}', 422, "step 1"),
    ("winkeladvokat/solve", b'{"seconds": NaN}', 422, "seconds"),
    ("winkeladvokat/solve", b'{"seconds": 1e999}', 422, "seconds"),
    ("winkeladvokat/solve", b'{"memory": 1e30}', 422, "memory"),
    ("winkeladvokat/solve", b'{"nodes": 99999999999999999999}', 422, "nodes"),
    ("winkeladvokat/solve", b'{"moves": "alll"}', 422, "moves"),
    ("winkeladvokat/solve", b'{"size": 3, "checkpoint": "/tmp/file"}', 422, "checkpoint"),
    ("winkeladvokat/parse", b'{"board": "/etc/passwd"}', 422, "board"),
    ("winkeladvokat/parse", b'{"played": ["a1-a2-b2", "a1-a2-b2"], "size": 3}', 422, "a1-a2-b2"),
    ("winkeladvokat/parse", b'{"rules": {"end_check": true}}', 422, "end_check"),
    ("winner/moves", b'{"position": {"hands": 3}}', 422, "hands"),
    ("winner/deal", b'{"players": 2, "seed": true}', 422, "seed"),
    ("winner/advise", b'{"position": "3D | ?1; turn 0", "seed": false}', 422, "seed"),
    ("winner/advise", b'{"position": "3D | ?1; turn 0", "objective": "points"}', 422, "objective"),
    ("winner/advise", b'{"position": "3D | ?1; turn 0", "samples": 10000000000}', 422, "samples"),
])
def test_what_is_no_question_gets_one_line(
    client: httpx.Client, path: str, body: bytes, status: int, about: str
) -> None:
    response = client.post(f"/api/{path}", content=body, headers={"content-type": "application/json"})
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert about in error and "\n" not in error and len(error) < 400


@pytest.mark.parametrize("path", [
    "winkeladvokat/solve", "winkeladvokat/analyse", "winner/solve", "winner/advise", "winston_dogs/solve",
    "winston_dogs/advise", "walk_the_dogs/solve", "walk_the_dogs/advise", "winston84/solve", "winston84/distribution",
    "winston84/trade-off",
])
def test_a_long_question_is_read_beside_the_event_loop(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """To read a crowded position may take seconds, in which the server has to go on."""
    beside = []

    def read(*arguments: Any) -> Any:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            beside.append(True)
        else:
            beside.append(False)
        raise ValueError("read")

    monkeypatch.setattr(desk.Desk, "position", read)
    monkeypatch.setattr(winston84, "read_sheet", read)
    question = {"position": "any"} if "84" not in path else {}
    assert client.post(f"/api/{path}", json=question).json() == {"error": "read"}
    assert beside == [True]
