"""The web application: a real server, asked as a browser asks it, and by those who should not be answered."""
from __future__ import annotations

import asyncio
import functools
import json
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import DATA

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx

from exactplay.cli import main
from exactplay.cli.winston84.session import Session
from exactplay.web.app import STATIC
from exactplay.web.games import walk_the_dogs, winkeladvokat, winner, winston84, winston_dogs
from exactplay.web.jobs import Full, Pool, Question
from exactplay.web.settings import Settings
from exactplay.web.worker import Tell
from tests.tools.web_server import finished, running
from tests.tools.web_tasks import break_down, burn, die, hoard

GAMES = ("winston84", "winkeladvokat", "winner", "winston_dogs", "walk_the_dogs")
TINY = (DATA / "tiny-sheet.toml").read_text(encoding="utf-8")
ENDGAME = "2R/1b1/B1r 3,3 1,0"
LONG = {"size": 8, "seconds": 600}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    settings = Settings(workers=1, waiting=1, grace=30.0, megabytes=1024)
    with running(settings) as url, httpx.Client(base_url=url, timeout=60.0) as client:
        yield client


def asked(client: httpx.Client, path: str, **question: Any) -> Any:
    """The answer to a good question."""
    response = client.post(f"/api/{path}", json=question)
    assert response.status_code == 200, response.text
    return response.json()


def worked(client: httpx.Client, path: str, **question: Any) -> Any:
    """The result of a good long question."""
    response = client.post(f"/api/{path}", json=question)
    assert response.status_code in (200, 202), response.text
    job = finished(client, response.json())
    assert job["status"] == "done", job
    return job["result"]


Cli = Callable[..., Any]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command: its JSON, or the line that it ends with."""

    def run(*words: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["exactplay", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        shown = capsys.readouterr()
        if stopped.value.code:
            return shown.err.strip().removeprefix("exactplay: ")
        return json.loads(shown.out)

    return run


def without_effort(answer: Any) -> Any:
    """An answer without what differs from run to run."""
    if isinstance(answer, dict):
        return {k: without_effort(v) for k, v in answer.items() if k not in ("seconds", "nodes", "table_fill")}
    return answer


# ---------------------------------------------------------------- pages


def test_every_page_is_served_and_small(client: httpx.Client) -> None:
    total = 0
    for path in STATIC.rglob("*"):
        if path.is_file():
            response = client.get("/" + path.relative_to(STATIC).as_posix())
            assert response.status_code == 200
            assert response.content == path.read_bytes()
            assert response.headers["x-content-type-options"] == "nosniff"
            assert path.suffix != ".js" or response.headers["content-type"].startswith("text/javascript")
            total += len(response.content)
    assert total < 300_000
    assert client.get("/").text == (STATIC / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["index", *GAMES])
def test_a_page_needs_nothing_that_its_policy_forbids(client: httpx.Client, page: str) -> None:
    response = client.get(f"/{page}.html")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", response.text)
    for reference in re.findall(r'(?:src|href)="([^"]+)"', response.text):
        assert reference.startswith(("/", "#"))
        assert reference.startswith("#") or client.get(reference).status_code == 200


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.[jc]s*")), ids=lambda path: path.name)
def test_nothing_is_fetched_from_elsewhere(script: Path) -> None:
    text = script.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in text and "https:" not in text
    assert not re.search(r"\sstyle=|\beval\(|innerHTML|\.outerHTML|document\.write", text)
    for module in re.findall(r'from "([^"]+)"', text):
        assert module.startswith("./") and (script.parent / module).is_file()


@pytest.mark.parametrize("path", [
    "/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/vendor/../../app.py", "//etc/passwd", "/%00", "/static/app.css",
    "/app.css/../../app.py", "/vendor/", "/..\\app.py", "/" + "a" * 3_000, "/docs", "/redoc",
])
def test_no_other_file_is_reachable(client: httpx.Client, path: str) -> None:
    # Not through httpx, which would tidy the path.
    host, port = str(client.base_url).removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split(b" ", 2)[1] in (b"404", b"400")
    assert b"root:" not in answer and b"import " not in answer


# ---------------------------------------------------------------- the same answers as the command line


def test_advice_of_1984_is_that_of_the_command_line(client: httpx.Client, cli: Cli) -> None:
    here = asked(client, "winston84/advise", difficulty=3, objective="win", round=2, box=5, dice="532416",
                 rules={"purple_alone_ok": False})
    there = cli("winston84", "advise", "-d", "3", "-o", "win", "--round", "2", "--box", "5", "--roll", "532416", "--json")
    assert without_effort(here) == without_effort(there)
    assert here["provenance"] == "reconstruction" and any("reconstruction" in note for note in here["notes"])


def test_value_of_1984_is_that_of_the_command_line(client: httpx.Client, cli: Cli) -> None:
    here = asked(client, "winston84/value", difficulty=2, round=3, box=9, marks=1)
    there = cli("winston84", "value", "-d", "2", "--round", "3", "--box", "9", "--marks", "1", "--json")
    assert without_effort(here) == without_effort(there)


def test_an_own_sheet_is_solved_once_and_then_advised_on(client: httpx.Client, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    # A name of its own, so that no earlier run has solved it.
    file.write_text(TINY.replace('name = "', f'name = "{time.time_ns()} '), encoding="utf-8")
    sheet = file.read_text(encoding="utf-8")
    refused = client.post("/api/winston84/advise", json={"sheet": sheet, "dice": "532416"})
    assert refused.status_code == 409 and "solve it first" in refused.json()["error"]
    here = worked(client, "winston84/solve", sheet=sheet, difficulty=[1], objective=["score"])
    there = cli("winston84", "solve", "--sheet", str(file), "-d", "1", "-o", "score", "--json")
    assert json.loads(json.dumps(here)) == there
    advised = asked(client, "winston84/advise", sheet=sheet, dice="532416")
    there = cli("winston84", "advise", "--sheet", str(file), "--roll", "532416", "--json")
    assert without_effort(advised) == without_effort(there)
    here = worked(client, "winston84/distribution", sheet=sheet, round=8, box=1)
    there = cli("winston84", "distribution", "--sheet", str(file), "--round", "8", "--box", "1", "--json")
    assert without_effort(here) == without_effort(there)


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
    session = Session.resume(file)
    assert session.over and session.game.scores() == (now["turn"]["score"],)


def test_winkeladvokat_answers_as_the_command_line(client: httpx.Client, cli: Cli) -> None:
    position = "2R/3/B2 b 25,25 0,0"
    moves = asked(client, "winkeladvokat/moves", position=position)
    assert moves == cli("winkeladvokat", "moves", position, "--json")
    assert asked(client, "winkeladvokat/parse", size=4, rules={"start_corners": "adjacent"}) == cli(
        "winkeladvokat", "show", "--size", "4", "--rule", "start_corners=adjacent", "--json")
    played = asked(client, "winkeladvokat/play", position=position, played=moves["moves"][:1])
    assert played["to_move"] == "Red" and played["played"] == moves["moves"][0]
    for ask, words in (("solve", ("--moves", "all")), ("analyse", ("--seconds", "5"))):
        question = {"moves": "all"} if ask == "solve" else {"seconds": 5}
        here = worked(client, f"winkeladvokat/{ask}", position=position, **question)
        assert without_effort(here) == without_effort(cli("winkeladvokat", ask, position, *words, "--json"))
    ranks = [[0, 9, 0], [1, 1, 1], [0, 2, 0]]
    assert asked(client, "winkeladvokat/parse", size=3, values=ranks)["values"] == ranks


def test_winner_answers_as_the_command_line(client: httpx.Client, cli: Cli) -> None:
    opened, hidden = "3D 4D 9S | 5D 6H; turn 0", "3D 4D 9S | ?2; turn 0; spent"
    assert asked(client, "winner/parse", position=hidden.replace("; spent", "")) == cli(
        "winner", "show", hidden.replace("; spent", ""), "--json")
    assert asked(client, "winner/moves", position=opened)["moves"] == cli("winner", "moves", opened, "--json")
    here = worked(client, "winner/solve", position=opened)
    assert without_effort(here) == without_effort(cli("winner", "solve", opened, "--json"))
    question = "3D 4D 9S | ?2; turn 0"
    here = worked(client, "winner/advise", position=question, samples=20, seed=3)
    there = cli("winner", "advise", question, "--samples", "20", "--seed", "3", "--json")
    assert without_effort(here) == without_effort(there)
    assert here["kind"] in ("estimate", "enumerated average")
    here = worked(client, "winner/plays", hand="3D 3C 4H")
    assert without_effort(here) == without_effort(cli("winner", "plays", "3D 3C 4H", "--json"))
    dealt = asked(client, "winner/deal", players=3, seed=5)
    assert {k: v for k, v in dealt.items() if k != "text"} == cli(
        "winner", "deal", "--players", "3", "--seed", "5", "--json")
    now = asked(client, "winner/play", position=opened, played=["9S"])
    assert now["to_move"] == 1 and "?2" in now["view"]


def test_the_dog_cards_are_answered_as_on_the_command_line(client: httpx.Client, cli: Cli) -> None:
    position = "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0"
    assert asked(client, "winston_dogs/parse", position=position) == cli("dogs", "show", position, "--json")
    assert asked(client, "winston_dogs/moves", position=position)["moves"] == cli(
        "dogs", "moves", position, "--json")["moves"]
    here = worked(client, "winston_dogs/solve", position=position)
    assert without_effort(here) == without_effort(cli("dogs", "solve", position, "--json"))
    dealt = asked(client, "winston_dogs/deal", players=2, seed=1)
    first = asked(client, "winston_dogs/play", position=dealt["text"])
    later = asked(client, "winston_dogs/play", position=dealt["text"], played=first["moves"][:1])
    assert later["to_move"] == 1 and "?" in later["view"]
    here = worked(client, "winston_dogs/advise", position=later["view"], turns=1, samples=4)
    there = cli("dogs", "advise", later["view"], "--turns", "1", "--samples", "4", "--json")
    assert without_effort(here) == without_effort(there) and here["kind"] == "estimate"


def test_walk_the_dogs_is_answered_as_on_the_command_line(client: httpx.Client, cli: Cli) -> None:
    position = "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0"
    assert asked(client, "walk_the_dogs/parse", position=position) == cli("walk", "show", position, "--json")
    listed = cli("walk", "moves", position, "--json")
    assert {k: asked(client, "walk_the_dogs/moves", position=position)[k] for k in listed} == listed
    here = worked(client, "walk_the_dogs/solve", position=position)
    assert without_effort(here) == without_effort(cli("walk", "solve", position, "--json"))
    view = asked(client, "walk_the_dogs/play", position=position)["view"]
    here = worked(client, "walk_the_dogs/advise", position=view, samples=5)
    assert without_effort(here) == without_effort(cli("walk", "advise", view, "--samples", "5", "--json"))
    assert asked(client, "walk_the_dogs/arrange", line="PSO", dogs="PS") == cli("walk", "arrange", "PSO", "PS", "--json")


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_listed_with_defaults_and_sentences(client: httpx.Client, game: str) -> None:
    listed = client.get(f"/api/{game}/rules").json()
    options = listed if isinstance(listed, list) else listed["options"]
    assert options or game == "winston_dogs"
    for option in options:
        assert option["default"] == option["values"][0] and len(option["values"]) > 1
        assert option["description"].endswith(".")


def test_every_game_is_drawn(client: httpx.Client) -> None:
    for path, question, part in (
        ("winston84", {"steps": ["R5 G3 B2 W4 Y1 P6"], "highlight": ["G"], "interactive": True}, 'data-die="green"'),
        ("winkeladvokat", {"size": 4, "played": ["a1-a2-b2"], "line": ["d4-c4-c2"]}, 'data-move="d4-c4-c2"'),
        ("winner", {"position": "3D 4D 9S | ?2; turn 0", "interactive": True}, 'data-card="9S"'),
        ("winston_dogs", {"position": "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0"}, 'data-card="Bh"'),
        ("walk_the_dogs", {"position": "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0"}, 'data-card="y"'),
    ):
        response = client.post(f"/api/{path}/draw", json=question)
        assert response.status_code == 200 and response.headers["content-type"] == "image/svg+xml"
        assert response.text.startswith("<svg") and part in response.text
        assert not re.search(r"<style|\sstyle=|<script|\son\w+=|href", response.text)
    assert "--xp-ink" in client.get("/drawing.css").text


def test_the_forecast_after_the_best_decision_is_the_one_before_it(client: httpx.Client) -> None:
    # In the last round there is little to compute.
    sheet = {"sheet": TINY, "difficulty": 5}
    worked(client, "winston84/solve", sheet=TINY, difficulty=[5], objective=["score"])
    steps = asked(client, "winston84/play", **sheet, step="532416")["record"]["moves"]
    best, *_ = asked(client, "winston84/play", **sheet, steps=steps)["turn"]["best"]
    found = asked(client, "winston84/forecast", **sheet, steps=steps, decision=best)
    assert found["kind"] == "exact" and found["svg"].startswith("<svg")
    assert found["now"]["expected_score"] == pytest.approx(found["after"]["expected_score"])
    total = sum(found["now"]["scores"].values()) + found["now"]["lost"]
    assert total == pytest.approx(1)
    refused = client.post("/api/winston84/forecast", json={**sheet, "steps": steps, "decision": "R>G"})
    assert refused.status_code == 422


@pytest.mark.parametrize(("path", "question"), [
    ("winkeladvokat/moves", {
        "position": "1B1Y1G1R/1g1g1g2/yyyyyyy1/1y1y1y2/rryyyyy1/1r1r1r2/rrrrrrr1/br1r1r2 b 10,0,0,0 0,0,0,0",
        "rules": {"end_check": "on_turn", "capture_directions": "both"},
    }),
    ("winner/moves", {"position": {
        "hands": [" ".join(rank + suit for rank in "3456789TJQKA2" for suit in "DCHS"), "RJ"], "turn": 0}}),
])
def test_a_position_with_too_many_moves_to_list_is_refused_quickly(
    client: httpx.Client, path: str, question: dict[str, Any]
) -> None:
    response = client.post(f"/api/{path}", json=question, timeout=30.0)
    assert response.status_code == 422 and "more than 20,000 moves" in response.json()["error"], response.text


# ---------------------------------------------------------------- bad questions


@pytest.mark.parametrize(("path", "question", "words"), [
    ("winston84/advise", {"dice": "53241"}, ("winston84", "advise", "--roll", "53241")),
    ("winston84/value", {"round": 8, "box": 0, "marks": 5},
     ("winston84", "value", "--round", "8", "--box", "0", "--marks", "5")),
    ("winston84/value", {"objective": "glory"}, ("winston84", "value", "-o", "glory")),
    ("winkeladvokat/moves", {"position": "9/8"}, ("winkeladvokat", "moves", "9/8")),
    ("winkeladvokat/solve", {"position": "2R/3/B1 b 25,25 0,0"}, ("winkeladvokat", "solve", "2R/3/B1 b 25,25 0,0")),
    ("winner/solve", {"position": "3D 3D | 4D; turn 0"}, ("winner", "solve", "3D 3D | 4D; turn 0")),
    ("winston_dogs/solve", {"position": "hands ? | Bb; pile -; unseen Kb; turn 1"},
     ("dogs", "solve", "hands ? | Bb; pile -; unseen Kb; turn 1")),
    ("walk_the_dogs/moves", {"position": "middle=XYZ"}, ("walk", "moves", "middle=XYZ")),
])
def test_bad_input_is_refused_in_the_line_of_the_command(
    client: httpx.Client, cli: Cli, path: str, question: dict[str, Any], words: tuple[str, ...]
) -> None:
    response = client.post(f"/api/{path}", json=question)
    assert response.status_code == 422
    assert response.json() == {"error": cli(*words, "--json")}


@pytest.mark.parametrize(("path", "body", "status", "about"), [
    ("winston84/advise", b'{"dice": ', 400, "JSON"),
    ("winston84/advise", b"[" * 100_000, 400, ""),
    ("winston84/advise", b"\xff\xfe", 400, ""),
    ("winston84/advise", b"[]", 422, "object"),
    ("winston84/advise", b"{}", 422, "dice"),
    ("winston84/advise", b'{"dice": "532416", "path": "/etc/passwd"}', 422, "path"),
    ("winston84/advise", b'{"dice": "532416", "sheet": "/etc/passwd"}', 422, "TOML"),
    ("winston84/advise", b'{"dice": "532416", "difficulty": 6}', 422, "difficulty"),
    ("winston84/advise", b'{"dice": "\\ud800"}', 422, ""),
    ("winston84/value", b'{"objective": "at-least:1e400"}', 422, ""),
    ("winston84/play", b'{"steps": ["532416", "R9"]}', 422, "step 1"),
    ("winkeladvokat/solve", b'{"seconds": NaN}', 422, "seconds"),
    ("winkeladvokat/solve", b'{"seconds": 1e999}', 422, "seconds"),
    ("winkeladvokat/solve", b'{"memory": 1e30}', 422, "memory"),
    ("winkeladvokat/parse", b'{"played": ["a1-a2-b2", "a1-a2-b2"], "size": 3}', 422, "a1-a2-b2"),
    ("winkeladvokat/parse", b'{"rules": {"end_check": true}}', 422, "end_check"),
    ("winner/moves", b'{"position": {"hands": 3}}', 422, "hands"),
    ("winner/advise", b'{"position": "3D | ?1; turn 0", "samples": 1000000}', 422, "samples"),
])
def test_what_is_no_question_gets_one_line(
    client: httpx.Client, path: str, body: bytes, status: int, about: str
) -> None:
    response = client.post(f"/api/{path}", content=body, headers={"content-type": "application/json"})
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert about in error and "\n" not in error and len(error) < 400


# ---------------------------------------------------------------- who may ask


@pytest.mark.parametrize("host", [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "evil.example:127.0.0.1", "", "[::2]",
])
def test_a_foreign_host_is_not_answered(client: httpx.Client, host: str) -> None:
    for path in ("/", "/api/jobs", "/app.css"):
        response = client.get(path, headers={"host": host})
        assert response.status_code in (400, 421)
        assert "content-security-policy" in response.headers or response.status_code == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:80"])
def test_this_machine_is_answered_under_each_of_its_names(client: httpx.Client, host: str) -> None:
    assert client.get("/api/jobs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("headers", [
    {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:1"}, {"origin": "http://[bad"},
    {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
])
def test_another_site_cannot_write(client: httpx.Client, headers: dict[str, str]) -> None:
    response = client.post("/api/winkeladvokat/parse", json={}, headers=headers)
    assert response.status_code == 403
    assert client.delete("/api/jobs/none", headers=headers).status_code == 403


def test_the_own_pages_can_write_and_no_one_is_told_that_others_may(client: httpx.Client) -> None:
    headers = {"origin": str(client.base_url).rstrip("/"), "sec-fetch-site": "same-origin"}
    response = client.post("/api/winkeladvokat/parse", json={}, headers=headers)
    assert response.status_code == 200
    assert not [name for name in response.headers if name.startswith("access-control-")]
    assert client.options("/api/winkeladvokat/parse", headers={"origin": "http://evil.example"}).status_code == 405


def test_a_form_of_another_site_cannot_ask(client: httpx.Client) -> None:
    response = client.post("/api/winkeladvokat/parse", content="{}", headers={"content-type": "text/plain"})
    assert response.status_code == 415


def test_a_large_body_is_refused_declared_or_not(client: httpx.Client) -> None:
    body = b'{"position": "' + b"x" * 300_000 + b'"}'
    headers = {"content-type": "application/json"}
    assert client.post("/api/winner/parse", content=body, headers=headers).status_code == 413
    assert client.post("/api/winner/parse", content=iter([body[:1000], body[1000:]]), headers=headers).status_code == 413


@pytest.mark.parametrize(("path", "reader", "question"), [
    ("winkeladvokat/solve", winkeladvokat.questions.read_state, {"position": ENDGAME}),
    ("winkeladvokat/analyse", winkeladvokat.questions.read_state, {"position": ENDGAME}),
    ("winner/solve", winner.questions.read_state, {"position": "3D | 4D; turn 0"}),
    ("winner/advise", winner.questions.read_view, {"position": "3D | ?1; turn 0"}),
    ("winston_dogs/solve", winston_dogs.questions.read_position, {"position": "hands Bb | Kb; turn 0"}),
    ("winston_dogs/advise", winston_dogs.questions.read_position, {"position": "hands Bb | Kb; turn 0"}),
    ("walk_the_dogs/solve", walk_the_dogs.questions.read_position, {"position": "middle=S lines=-/- hands=g1/-"}),
    ("walk_the_dogs/advise", walk_the_dogs.questions.read_position, {"position": "middle=S lines=-/- hands=g1/-"}),
    ("winston84/solve", winston84.read_sheet, {"sheet": TINY, "difficulty": [1], "objective": ["win"]}),
    ("winston84/distribution", winston84.read_sheet, {"sheet": TINY}),
    ("winston84/trade-off", winston84.read_sheet, {"sheet": TINY}),
])
def test_a_long_question_is_read_beside_the_event_loop(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str, reader: Callable[..., Any], question: dict[str, Any]
) -> None:
    """To read a crowded position takes seconds, in which the server has to go on."""
    beside = []

    def read(*arguments: Any, **named: Any) -> Any:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            beside.append(True)
        else:
            beside.append(False)
        raise ValueError("read")

    module = sys.modules[f"exactplay.web.games.{path.partition('/')[0]}"]
    holder = module if hasattr(module, reader.__name__) else module.questions  # type: ignore[attr-defined]
    monkeypatch.setattr(holder, reader.__name__, read)
    assert client.post(f"/api/{path}", json=question).json() == {"error": "read"}
    assert beside == [True]


# ---------------------------------------------------------------- jobs


@pytest.fixture
def busy() -> Iterator[httpx.Client]:
    """A server that forgets jobs nobody listens to very soon."""
    settings = Settings(workers=1, waiting=1, grace=0.3, kept=2)
    with running(settings) as url, httpx.Client(base_url=url, timeout=60.0) as client:
        yield client


def events(client: httpx.Client, id: str) -> Generator[dict[str, Any], None, None]:
    """What a listener hears."""
    with client.stream("GET", f"/api/jobs/{id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def test_a_listener_hears_bounds_and_then_that_the_job_was_cancelled(client: httpx.Client) -> None:
    job = client.post("/api/winkeladvokat/solve", json=LONG).json()
    heard = []
    for now in events(client, job["id"]):
        heard.append(now)
        if now["partial"] and len(heard) < 50:
            assert now["partial"]["kind"] == "bounds" and now["progress"]["nodes"] > 0
            assert client.delete(f"/api/jobs/{job['id']}").json()["status"] == "cancelled"
    last = heard[-1]
    assert last["status"] == "cancelled" and last["result"] is None and last["error"] == "cancelled"
    assert last["partial"]["low"] <= last["partial"]["high"]
    # The worker is free again.
    assert worked(client, "winkeladvokat/solve", size=3)["kind"] == "exact"
    # A question that was cancelled may be asked again.
    again = client.post("/api/winkeladvokat/solve", json=LONG).json()
    assert again["id"] != job["id"]
    client.delete(f"/api/jobs/{again['id']}")


def test_the_same_question_is_one_job_and_a_full_pool_refuses(client: httpx.Client) -> None:
    first = client.post("/api/winkeladvokat/solve", json=LONG)
    # The same position, written differently.
    written = client.post("/api/winkeladvokat/solve", json={"position": "7R/8/8/8/8/8/8/B7 b 25,25 0,0", "seconds": 600})
    assert first.json()["id"] == written.json()["id"] and first.status_code == written.status_code == 202
    second = client.post("/api/winkeladvokat/solve", json={**LONG, "size": 7}).json()
    assert second["status"] == "waiting"
    third = client.post("/api/winkeladvokat/solve", json={**LONG, "size": 6})
    assert third.status_code == 429 and "workers are busy" in third.json()["error"] and third.headers["retry-after"]
    listed = {job["id"]: job["status"] for job in client.get("/api/jobs").json()}
    assert listed[first.json()["id"]] == "running" and listed[second["id"]] == "waiting"
    for id in (first.json()["id"], second["id"]):
        assert client.delete(f"/api/jobs/{id}").json()["status"] == "cancelled"


def test_a_finished_question_is_answered_at_once(client: httpx.Client) -> None:
    question = {"size": 3, "moves": "value"}
    answer = worked(client, "winkeladvokat/solve", **question)
    again = client.post("/api/winkeladvokat/solve", json=question)
    assert again.status_code == 200 and again.json()["result"] == answer
    assert client.get(again.headers["location"]).json()["result"] == answer
    assert [now["status"] for now in events(client, again.json()["id"])] == ["done"]


def test_a_time_limit_leaves_proven_bounds(client: httpx.Client) -> None:
    result = worked(client, "winkeladvokat/solve", size=8, seconds=0.2)
    assert result["kind"] == "bounds" and result["low"] < result["high"]
    assert "The search ended at its limit." in result["notes"]


def test_a_job_ends_when_its_last_listener_goes(busy: httpx.Client) -> None:
    job = busy.post("/api/winkeladvokat/solve", json=LONG).json()
    listening = events(busy, job["id"])
    assert next(listening)["id"] == job["id"]
    time_of_life = time.monotonic() + 0.6
    while time.monotonic() < time_of_life:  # longer than the grace: a listener keeps it alive
        assert busy.get("/api/jobs").json()[0]["status"] == "running"
    listening.close()
    deadline = time.monotonic() + 20
    while (now := busy.get("/api/jobs").json()[0])["status"] != "cancelled":
        assert time.monotonic() < deadline
    assert now["error"] == "nobody was listening any more"


def test_old_answers_are_forgotten(busy: httpx.Client) -> None:
    ids = []
    for nodes in (1_000_001, 1_000_002, 1_000_003):
        job = busy.post("/api/winkeladvokat/solve", json={"size": 3, "nodes": nodes}).json()
        ids.append(finished(busy, job)["id"])
    known = [job["id"] for job in busy.get("/api/jobs").json()]
    assert known == ids[1:]
    assert busy.get(f"/api/jobs/{ids[0]}").status_code == 404
    assert busy.get(f"/api/jobs/{ids[0]}/events").status_code == 404


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps these limits")
@pytest.mark.parametrize(("task", "error"), [
    (burn, "longer than the 1 CPU seconds"), (hoard, "more memory than the 64 MB"),
    (break_down, "the solver failed"), (die, "ended without an answer"),
])
def test_a_task_cannot_take_more_than_its_share(
    task: Callable[[Tell], dict[str, Any]], error: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async def ask() -> Any:
        # Little time only where time is to run out: a loaded machine needs a while to fill the memory.
        seconds = 1.0 if task is burn else 60.0
        pool = Pool(Settings(workers=1, seconds=seconds, slack=0.0, megabytes=64, grace=100.0))
        job = pool.ask(Question("test", task.__name__, {}, functools.partial(task)))
        async for _ in pool.listen(job):
            pass
        return job.snapshot()

    job = asyncio.run(ask())
    assert job["status"] == "failed" and error in job["error"]
    assert "secret" not in job["error"]
    capfd.readouterr()


def test_a_pool_that_was_closed_takes_no_more() -> None:
    async def ask() -> None:
        pool = Pool(Settings())
        pool.close()
        with pytest.raises(Full):
            pool.ask(Question("test", "burn", {}, burn))

    asyncio.run(ask())


# ---------------------------------------------------------------- the command


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to a process")
def test_serve_says_where_it_is_and_ends_with_ctrl_c_although_somebody_listens() -> None:
    command = [sys.executable, "-m", "exactplay", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = re.findall(r"http://\S+", server.stdout.readline())[0]
        with httpx.Client(base_url=url, timeout=60.0) as client:
            job = client.post("/api/winkeladvokat/solve", json=LONG).json()
            listening = events(client, job["id"])
            next(listening)
            server.send_signal(signal.SIGINT)
            assert [now["error"] for now in listening][-1] == "the server was stopped"
        _, err = server.communicate(timeout=60)
    assert server.returncode == 130 and err.strip() == "exactplay: interrupted"


def test_a_taken_port_is_one_line(client: httpx.Client, cli: Cli) -> None:
    port = str(client.base_url).rpartition(":")[2].strip("/")
    assert cli("serve", "--port", port).startswith(f"cannot listen on 127.0.0.1:{port} (")


def test_without_the_extra_serve_says_what_to_install(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    for name in [name for name in sys.modules if name.startswith("exactplay.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert cli("serve") == "exactplay serve needs fastapi, which is not installed: pip install 'exactplay[web]'"


# ---------------------------------------------------------------- shares of the long checks


def test_generated_questions_never_make_it_fail() -> None:
    from bench.verify.web import fuzz

    with running(Settings(workers=1, waiting=1, grace=0.2, seconds=1.0)) as url:
        answers = dict(fuzz(url, 3))
    assert len(answers) > 40
    assert {200, 202, 404, 422} <= {status for counted in answers.values() for status in counted}


def test_many_at_once_are_all_answered_rightly(client: httpx.Client) -> None:
    from bench.speed.web import ask_many

    times, wrong = asyncio.run(ask_many(str(client.base_url), 30))
    assert len(times) == 30 and wrong == 0
