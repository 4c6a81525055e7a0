"""Certificates: their sizes and seconds, and the long checks of many of them."""
from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from bench import DATA
from exactplay.certificates import Certificate, Checked, check_content
from exactplay.certificates.round_graph import RoundGraph
from exactplay.certificates.winston84 import check_table
from exactplay.rules import walk_the_dogs, winkeladvokat, winner, winston_dogs
from exactplay.rules.winston84 import Difficulty, Sheet, State
from exactplay.solvers.limits import Limits
from exactplay.solvers.proofs import NotProven
from exactplay.solvers.walk_the_dogs.certificate import certify as certify_walk
from exactplay.solvers.winkeladvokat.certificate import certify as certify_winkeladvokat
from exactplay.solvers.winner import Objective as WinnerObjective
from exactplay.solvers.winner.certificate import certify as certify_winner
from exactplay.solvers.winston84.certificate import certify as certify_winston84
from exactplay.solvers.winston_dogs.certificate import certify as certify_dogs

LIMIT = 30.0  # CPU seconds for one certificate
LARGEST = 60_000  # nodes of the endgames that are certified; proofs of larger ones would take the reference minutes
TABLES = [(level, objective) for level in "12345" for objective in ("score", "win")]  # those that ship
Make = Callable[[], Certificate]
#: a name, how to make the certificate, and the value that it must say (None: whatever is proven)
Case = tuple[str, Make, int | None]


def verify(arguments: list[str]) -> None:
    """Certify and check every endgame and every open-hand case of the test data, then every place of the shipped tables.

    GAME: of that game only. ``winston84 LEVEL OBJECTIVE``: one table only.
    """
    sources: dict[str, Callable[[], Iterator[Case]]] = {
        "winkeladvokat": _endgames, "winner": _winner, "winston_dogs": _dogs, "walk_the_dogs": _walk,
    }
    wanted = arguments[:1] or [*sources, "winston84"]
    for game in wanted:
        if game == "winston84":
            _measure_tables([(arguments[1], arguments[2])] if arguments[1:] else TABLES)
            continue
        done = [_measure(case) for case in sources[game]()]
        held = [seconds for seconds in done if seconds is not None]
        print(f"{game}: {len(held)} of {len(done)} certificates hold, the others were not written within {LIMIT:g} s; "
              f"checked in {sum(held):.1f} CPU-s, the slowest in {max(held):.1f}")


def _measure(case: Case) -> float | None:
    """Certify, check, print; the CPU seconds of the check, None where the limit came first."""
    name, make, expected = case
    start = time.process_time()
    try:
        certificate = make()
    except NotProven:
        print(f"{name}: not within {LIMIT:g} CPU-s")
        return None
    written = time.process_time()
    content = certificate.to_bytes()
    checked = check_content(Certificate.from_bytes(content))
    seconds = time.process_time() - written
    assert isinstance(checked, Checked)
    if expected is not None and (checked.low, checked.high) != (expected, expected):
        raise SystemExit(f"{name}: certified is {checked.low} to {checked.high}, expected {expected}")
    positions = sum(walked.positions for walked in checked.walked.values())
    print(f"{name}: value {checked.low}, {positions:,} positions, {len(content):,} bytes, certified in "
          f"{written - start:.2f} CPU-s, checked in {seconds:.2f}", flush=True)
    return seconds


def _measure_tables(tables: Sequence[tuple[str, str]]) -> None:
    places, worst, spent = 0, 0.0, 0.0
    graph = RoundGraph()  # the positions of a round are the same for all of them, and walked once
    for level, objective in tables:
        start = time.process_time()
        game = State.start(Sheet.load("reference"), Difficulty(int(level)))
        content = certify_winston84(game, objective=objective).to_bytes()
        written = time.process_time()
        checked = check_table(Certificate.from_bytes(content), sample=None, graph=graph)
        seconds = time.process_time() - written
        if not checked.complete:
            raise SystemExit(f"x{level} {objective}: interrupted")
        print(*checked.lines(), sep="\n")
        print(f"{len(content):,} bytes, certified in {written - start:.2f} CPU-s, checked in {seconds:.0f}", flush=True)
        places, worst, spent = places + checked.checked, max(worst, checked.relative_residual), spent + seconds
    print(f"winston84: {len(tables)} tables hold, {places:,} places, largest residual {worst:.1e} of the values that a "
          f"place leads to, checked in {spent:.0f} CPU-s")


def _cases(file: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _endgames() -> Iterator[Case]:
    for case in sorted(_cases("winkeladvokat-endgames.jsonl"), key=lambda case: int(case["nodes"])):
        if case["nodes"] > LARGEST:
            break
        state = winkeladvokat.State.parse(case["position"])

        def make(state: winkeladvokat.State = state) -> Certificate:
            return certify_winkeladvokat(state, limits=Limits(cpu_seconds=LIMIT))

        yield f"winkeladvokat, {case['empty']} empty squares, {case['nodes']} nodes", make, case["value"]


def _winner() -> Iterator[Case]:
    for case in _cases("winner-cases.jsonl"):
        data = dict(case["input"])
        if case["kind"] != "solve" or len(data["hands"]) != 2:
            continue
        objective = cast(WinnerObjective, {"diff": "score"}.get(data.pop("objective"), "win"))
        state = winner.State.from_json(data)

        def make(state: winner.State = state, objective: WinnerObjective = objective) -> Certificate:
            return certify_winner(state, objective=objective, limits=Limits(cpu_seconds=LIMIT))

        yield f"winner {case['id']}, {sum(map(len, state.hands))} cards, {objective}", make, case["expect"]["value"]


def _dogs() -> Iterator[Case]:
    for case in _cases("winston-dogs-cases.jsonl"):
        if case["kind"] != "solve":
            continue
        state = winston_dogs.State.from_json(case["input"])

        def make(state: winston_dogs.State = state) -> Certificate:
            return certify_dogs(state, limits=Limits(cpu_seconds=LIMIT))

        cards = len(state.pile) + sum(map(len, state.hands))
        yield f"winston_dogs {case['id']}, {cards} cards", make, case["expect"]["value"]


def _walk() -> Iterator[Case]:
    for case in _cases("walk-the-dogs-cases.jsonl"):
        if case["kind"] != "solve":
            continue
        data = dict(case["input"])
        objective = data.pop("objective")
        state = walk_the_dogs.State.from_json(data)

        def make(state: walk_the_dogs.State = state, objective: Any = objective) -> Certificate:
            return certify_walk(state, objective=objective, limits=Limits(cpu_seconds=LIMIT))

        yield f"walk_the_dogs {case['id']}, {len(state.middle)} dogs, {objective}", make, case["expect"]["value"]
