"""The web application: how fast it answers many at once, and whether any question makes it fail.

``python -m bench web [REQUESTS]`` starts a server and asks it for advice from many connections at a time.
``python -m bench verify web [EXAMPLES]`` sends so many generated questions to every operation of the OpenAPI document
(schemathesis): no answer may be a 5xx, each must be one that the document describes.
"""
from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = 200
#: Texts that generated questions are mixed with, so that they come past the reading of texts.
SEEDS: dict[str, list[Any]] = {
    "position": [
        "start", "2R/3/B2 b 25,25 0,0", "2R/1b1/Br1 r 3,3 1,0", "3R/4/1bB1/4 b 0,24 0,3", "3D 4D 9S | ?2; turn 0",
        "3D 4D 9S | 5D 6H; turn 0", "3D | 4D | ?1; turn 1", "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0",
        "hands Bb Bh | ?; table -; pile ?; unseen Kb Kh; turn 0", "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0",
        "middle=PSO lines=S/O hands=g1,y/#2 turn=0", {"hands": ["3D", "4D"], "turn": 0}, {"hands": [1]}, "",
    ],
    "dice": ["532416", "R5 G3 B2 W4 Y1 P6", "R5 G3 B2 W4 Y1", "Rp5 G3 B2 W4 Y1 P6", "666666", "7"],
    "steps": [[], ["R5 G3 B2 W4 Y1 P6"], ["R5 G3 B2 W4 Y1 P6", "P>R"], ["R1 G1 B1 W1 Y1 P1", "G:RBW"]],
    "step": ["532416", "P>G", "R", "", None],
    "decision": ["P>R", "R", "G:RWP"],
    "played": [[], ["a1-a2-b2"], ["3D"], ["pass"], ["Bb Bh"], ["g1:SP"], ["+g1"]],
    "line": ["", "PSO", ["a1-a2-b2"]],
    "dogs": ["", "P", "PSO", "PSOPSO"],
    "hand": ["3D 3C 4H", "3D", "BJ RJ", ""],
    "objective": ["score", "win", "at-least:500", "points", "outcome"],
    "sheet": ["reference", "[sheet]", "/etc/passwd"],
    "seconds": [0.1], "memory": [16], "samples": [2], "nodes": [100],
}


def fuzz(url: str, examples: int) -> Iterator[tuple[str, Counter[int]]]:
    """Each operation and how often it gave which status; raises a schemathesis failure at a wrong one."""
    import schemathesis
    from schemathesis import checks

    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    wanted = checks.CHECKS.get_by_names([
        "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    ])
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]  # the document is our own and right
        yield operation.label, _fuzz(operation, wanted, examples)


def _fuzz(operation: Any, wanted: Any, examples: int) -> Counter[int]:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st
    from schemathesis.generation import GenerationMode

    counted: Counter[int] = Counter()
    fields = _fields(operation)

    @given(case=st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode]), data=st.data())
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any, data: Any) -> None:
        if isinstance(case.body, dict):
            for key in sorted((case.body.keys() | fields) & SEEDS.keys()):
                if data.draw(st.integers(0, 3)):
                    case.body[key] = data.draw(st.sampled_from(SEEDS[key]))
        response = case.call(timeout=120)
        case.validate_response(response, checks=wanted)
        counted[response.status_code] += 1

    ask()
    return counted


def _fields(operation: Any) -> set[str]:
    """The fields of the body of an operation."""
    text = json.dumps([body.definition for body in operation.body], default=str)
    root = operation.schema.raw_schema["components"]["schemas"]
    return {name for used in re.findall(r"schemas/(\w+)", text) for name in root[used].get("properties", {})}


@dataclasses.dataclass(frozen=True)
class Serving:
    """A server in a process of its own."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        """The CPU time of the server so far, without its workers; NaN where the system does not tell."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return float("nan")
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def serving(*options: str) -> Iterator[Serving]:
    """A server until the block ends."""
    command = [sys.executable, "-m", "exactplay", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield Serving(re.findall(r"http://\S+", server.stdout.readline())[0], server.pid)
        finally:
            server.terminate()


def verify(arguments: list[str]) -> None:
    """Send generated questions to every operation."""
    examples = int(arguments[0]) if arguments else EXAMPLES
    with serving("--seconds", "1", "--workers", "1", "--waiting", "1") as server:
        for operation, counted in fuzz(server.url, examples):
            print(f"{operation:45} {dict(sorted(counted.items()))}", flush=True)
