"""The web application: how fast it answers many at once, and whether any question makes it fail.

``python -m bench web [REQUESTS]`` starts a server and asks it for advice from many connections at a time.
``python -m bench verify web [EXAMPLES]`` sends so many generated questions to every operation of the OpenAPI document
(schemathesis): no answer may be a 5xx, each must be one that the document describes.
"""
from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from bench.speed.timing import Report
from bench.verify.web import serving

REQUESTS = 200
#: What the page of 1984 loads before it asks for advice.
PAGE = (
    "/winston84.html", "/app.css", "/drawing.css", "/winston84.js", "/api.js", "/ui.js", "/store.js", "/drawing.js",
    *(f"/vendor/lit-html/{name}.js" for name in (
        "lit-html", "directive", "directive-helpers", "directives/live", "directives/repeat",
    )),
    "/api/winston84/rules",
)


async def ask_many(url: str, requests: int) -> tuple[list[float], int]:
    """Ask for advice so many times at once, about different rolls: the seconds of each answer, how many are wrong."""
    import httpx

    from exactplay.rules.winston84 import Difficulty, Objective, Place, Sheet, State
    from exactplay.rules.winston84.pieces import Dice
    from exactplay.solvers.winston84 import advise, open_solution

    sheet, level = Sheet.load("reference"), Difficulty(1)
    solution = open_solution(sheet, level, Objective("score"))
    questions = [" ".join(f"{colour}{1 + 7 * number // 6**place % 6}" for place, colour in enumerate("RGBWYP"))
                 for number in range(requests)]
    games = [State.resume(sheet, level, Place(0), solution.rules, Dice.parse(dice)) for dice in questions]
    right = [advise(game, solution=solution).to_json() for game in games]
    limits = httpx.Limits(max_connections=requests)
    async with httpx.AsyncClient(base_url=url, timeout=60.0, limits=limits) as client:

        async def ask(dice: str) -> tuple[float, Any]:
            start = time.perf_counter()
            response = await client.post("/api/winston84/advise", json={"dice": dice})
            return time.perf_counter() - start, response.json()

        await ask(questions[0])
        answers = await asyncio.gather(*map(ask, questions))
    keys = ("kind", "value", "best", "decisions", "plan", "results")
    wrong = sum(any(answer[key] != wanted[key] for key in keys) for (_, answer), wanted in zip(answers, right, strict=True))
    return [spent for spent, _ in answers], wrong


def bench(arguments: list[str]) -> None:
    """Print how long the first advice and many at once take."""
    import httpx

    requests = int(arguments[0]) if arguments else REQUESTS
    report = Report("The web application (seconds on the clock but where CPU time is named)")
    with serving() as server:
        with httpx.Client(base_url=server.url, timeout=60.0) as client:
            for name in ("the first time", "again"):
                start, before, size = time.perf_counter(), server.cpu_seconds(), 0
                for path in PAGE:
                    size += len(client.get(path).raise_for_status().content)
                client.post("/api/winston84/play", json={"step": "532416"}).raise_for_status()
                what = f"page of 1984 up to its first advice, {name}"
                report.add(what, time.perf_counter() - start, "s", at_most=1.0)
                report.add(f"{what}: CPU time of the server", server.cpu_seconds() - before, "s")
        report.add("what that page loads", size / 1000, "kB", at_most=300)
        before = server.cpu_seconds()
        times, wrong = asyncio.run(ask_many(server.url, requests))
        report.add(f"{requests} questions at once: wrong answers", wrong, "answers", at_most=0)
        report.add(f"{requests} questions at once: median", 1000 * statistics.median(times), "ms")
        report.add(f"{requests} questions at once: 99th percentile", 1000 * statistics.quantiles(times, n=100)[98], "ms")
        spent = server.cpu_seconds() - before
        report.add("one of these questions: CPU time of the server", 1000 * spent / (requests + 1), "ms")
    report.print()
