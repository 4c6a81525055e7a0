"""Long questions: jobs that are listened to, joined, cancelled, left alone or reach their limits; and the server itself."""
from __future__ import annotations

import asyncio
import functools
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx

from exactplay.web.jobs import Full, Pool, Question
from exactplay.web.settings import Settings
from exactplay.web.worker import Tell
from tests.web.bad_tasks import break_down, burn, die, hoard
from tests.web.server import asked, finished, running

LONG = {"size": 8, "seconds": 600}


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
    assert asked(client, "winkeladvokat/solve", size=3)["kind"] == "exact"
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
    answer = asked(client, "winkeladvokat/solve", **question)
    again = client.post("/api/winkeladvokat/solve", json=question)
    assert again.status_code == 200 and again.json()["result"] == answer
    assert client.get(again.headers["location"]).json()["result"] == answer
    assert [now["status"] for now in events(client, again.json()["id"])] == ["done"]


def test_a_time_limit_leaves_proven_bounds(client: httpx.Client) -> None:
    result = asked(client, "winkeladvokat/solve", size=8, seconds=0.2)
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


def test_a_taken_port_is_one_line(client: httpx.Client, cli: Callable[..., Any]) -> None:
    port = str(client.base_url).rpartition(":")[2].strip("/")
    assert cli("serve", "--port", port).startswith(f"cannot listen on 127.0.0.1:{port} (")


def test_without_the_extra_serve_says_what_to_install(monkeypatch: pytest.MonkeyPatch, cli: Callable[..., Any]) -> None:
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
