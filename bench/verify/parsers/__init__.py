"""Every reader of text, files and JSON bodies against inputs that nobody would write.

``python -m bench verify parsers [INPUTS] [SEED]`` gives each reader of ``bench/parsers/readers.py`` so many inputs (the
slow ones, such as bodies of the API, a tenth of them): what Hypothesis makes up, and valid examples that were flipped, cut,
repeated, mixed with one another, nested deeply or filled with huge numbers and odd characters. A reader may answer, or
raise one of our own ValueErrors whose text is one printable line; what it reads as text it must also read back. No input
may cost seconds, or raise the most memory that the process ever used by much.
"""
from __future__ import annotations

import copy
import dataclasses
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

INPUTS = 6000
LONGEST_LINE = 1500
MOST_SECONDS = 3.0  # of CPU time
MOST_MEGABYTES = 150.0

ODD = (
    "\0", "\n", "\r\n", "\t", "\v", "\x1b[2J", "\x7f", "\x85", "\u00a0", "\u2028", "\u3000", "\ufeff", "\u202e", "\ud800",
    "\udfff", "\u0661", "\u00b2", "\uff11", "\u0130", "\u00df", "\u017f", "\u212a", "e\u0301", "\U0001f415", "\U0010ffff",
)
HUGE = (
    "9" * 20, "1" * 400, "7" * 5000, "-" + "9" * 30, "1e999", "-1e999", "0x7fffffff", "1_000", "NaN", "-Infinity", "00",
    "-0",
)
TOKENS = ("", *" -?#|;=:/,>", "?99999999", "%s", "{}", "null", "true", *'[]{"\\')
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 10**9, 10**30, 10**400, -(10**20), 0.5, 1e308, float("inf"), float("nan"), "", " ", "-",
    "?", "?9999999", "x" * 3000, [], {}, [[]], [None], [True], [10**30], {"": None}, *ODD[:8], "0", "1" * 5000,
)
DEEP = 3000


class Wrong(AssertionError):
    """A reader that did something else than answer or refuse in one line."""


@dataclasses.dataclass(frozen=True)
class Parser:
    """A reader, the valid inputs that are mutated (text, bytes or plain data), and how its answer is written again."""

    name: str
    read: Callable[[Any], Any]
    examples: tuple[Any, ...]
    write: Callable[[Any], Any] | None = None
    slow: bool = False


def refused(parser: Parser, given: Any) -> str | None:
    """The class of the error that an input is refused with, None where it is read; raises :class:`Wrong`."""
    memory, start = _peak(), time.process_time()
    error: Exception | None = None
    try:
        answer = parser.read(given)
    except Exception as caught:
        error = caught
    spent, grown = time.process_time() - start, _peak() - memory
    shown = repr(given)[:300]
    if spent > MOST_SECONDS or grown > MOST_MEGABYTES:
        raise Wrong(f"{parser.name}: {spent:.1f} s and {grown:.0f} MB for {shown}") from error
    if error is None:
        if parser.write is not None:
            again = parser.write(answer)
            try:
                same = parser.read(again) == answer
            except ValueError as refusal:
                raise Wrong(f"{parser.name}: reads {shown} and refuses what it is written as: {again!r:.300}") from refusal
            if not same:
                raise Wrong(f"{parser.name}: {shown} is written {again!r:.300}, which is read as something else")
        return None
    if not isinstance(error, ValueError) or not type(error).__module__.startswith("exactplay."):
        raise Wrong(f"{parser.name}: {type(error).__name__} ({str(error)[:200]!r}) for {shown}") from error
    line = str(error)
    if not line or not line.isprintable() or len(line) > LONGEST_LINE:
        raise Wrong(f"{parser.name}: not one line to print ({len(line)} characters, {line[:200]!r}) for {shown}") from error
    return type(error).__name__


def _peak() -> float:
    """The most memory that this process has used so far, in megabytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def mutated(rng: random.Random, examples: tuple[Any, ...]) -> Any:
    """One of the examples, changed in one to four places."""
    given = rng.choice(examples)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        other = rng.choice(examples)
        if isinstance(given, bytes):
            given = _bytes(rng, given, other)
        elif isinstance(given, str):
            # A list that became a text has no other text beside it.
            given = _text(rng, given, other if isinstance(other, str) else given)
        else:
            given = _data(rng, copy.deepcopy(given), other)
    return given


def _bytes(rng: random.Random, given: bytes, other: bytes) -> bytes:
    at, to = sorted(rng.randrange(len(given) + 1) for _ in range(2))
    match rng.randrange(6):
        case 0 if given:
            at = rng.randrange(len(given))
            return given[:at] + bytes([given[at] ^ 1 << rng.randrange(8)]) + given[at + 1 :]
        case 1:
            return given[:at]
        case 2:
            return given[:at] + given[to:]
        case 3:
            return given[:at] + rng.randbytes(rng.choice((1, 4, 200))) + given[at:]
        case 4:
            return given[:at] + other[rng.randrange(len(other) + 1) :]
    return _text(rng, given.decode("latin-1"), other.decode("latin-1")).encode("utf-8", "surrogatepass")


def _text(rng: random.Random, given: str, other: str) -> str:
    at, to = sorted(rng.randrange(len(given) + 1) for _ in range(2))
    match rng.randrange(11):
        case 0 if given:
            at = rng.randrange(len(given))
            return given[:at] + chr(ord(given[at]) ^ 1 << rng.randrange(7)) + given[at + 1 :]
        case 1:
            return given[:at]
        case 2:
            return given[:at] + given[to:]
        case 3:
            return given[:to] + given[at:to] * rng.choice((1, 1, 3, 200)) + given[to:]
        case 4:
            return given[:at] + rng.choice(ODD) + given[at:]
        case 5:
            return given[:at] + rng.choice(TOKENS) + given[at:]
        case 6:
            # A number becomes another one.
            digits = [place for place, character in enumerate(given) if character in "0123456789"]
            at = rng.choice(digits or [0])
            return given[:at] + rng.choice((*HUGE, str(rng.randrange(100)))) + given[at + 1 :]
        case 7:
            words = given.split(" ")
            first, second = (rng.randrange(len(words)) for _ in range(2))
            words[first], words[second] = words[second], words[first]
            return " ".join(words)
        case 8:
            return given[:at] + other[rng.randrange(len(other) + 1) :]
        case 9:
            return given[:at] + rng.choice("[{(\"'") * rng.choice((1, 2, DEEP)) + given[at:]
        case 10:
            return rng.choice((str.upper, str.lower, str.swapcase, str.title, str.strip))(given)
    return given


def _data(rng: random.Random, given: Any, other: Any) -> Any:
    """Plain data with one entry somewhere changed, removed, added, or its text mutated."""
    if isinstance(given, dict) and given and rng.random() < 0.9:
        key = rng.choice(sorted(given, key=str))
        match rng.randrange(6):
            case 0:
                del given[key]
            case 1:
                given[_text(rng, str(key), "x")] = given[key]
            case 2 if isinstance(other, dict) and other:
                taken = rng.choice(sorted(other, key=str))
                given[taken] = copy.deepcopy(other[taken])
            case _:
                given[key] = _data(rng, given[key], other)
        return given
    if isinstance(given, list) and given and rng.random() < 0.8:
        at = rng.randrange(len(given))
        match rng.randrange(5):
            case 0:
                del given[at]
            case 1:
                given[at:at] = [copy.deepcopy(given[at])] * rng.choice((1, 1, 60))
            case _:
                given[at] = _data(rng, given[at], other)
        return given
    if isinstance(given, str) and rng.random() < 0.7:
        return _text(rng, given, given)
    if isinstance(given, dict):
        return given | {rng.choice(ODD): rng.choice(VALUES)}
    if rng.random() < 0.02:
        deep: Any = []
        for _ in range(200):
            deep = [deep]
        return deep
    return copy.deepcopy(rng.choice(VALUES))


def make_up(parser: Parser, inputs: int, seed: int, ask: Callable[[Any], None]) -> None:
    """Ask about so many inputs that Hypothesis makes up: text, bytes or plain data, as the reader's examples are."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    example = parser.examples[0]
    if isinstance(example, bytes):
        strategy: Any = st.binary()
    elif isinstance(example, str):
        alphabet = "".join(sorted(set("".join(parser.examples))))
        strategy = st.text() | st.text(alphabet) | st.lists(st.sampled_from(parser.examples), max_size=3).map(" ".join)
    elif isinstance(example, list):
        strategy = st.lists(st.sampled_from(_leaves(parser.examples)) | st.text(), max_size=9)
    else:
        leaves = (
            st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(_leaves(parser.examples))
        )
        names = st.sampled_from(sorted({key for data in parser.examples for key in data})) | st.text()
        strategy = st.dictionaries(
            names,
            st.recursive(
                leaves,
                lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
                max_leaves=8,
            ),
            max_size=8,
        )
    if not inputs:
        return
    limits = settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    seeded(seed)(limits(given(strategy)(ask)))()


def _leaves(data: Any) -> list[Any]:
    """The plain values in nested data."""
    if isinstance(data, Mapping):
        return [leaf for value in data.values() for leaf in _leaves(value)]
    if isinstance(data, list | tuple):
        return [leaf for value in data for leaf in _leaves(value)]
    return [data]


def fuzz(parser: Parser, inputs: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Give a reader so many inputs, a fifth of them made up, the others mutated: how often it did what, and the wrongs."""
    rng = random.Random(f"{parser.name} {seed}")
    counted: Counter[str] = Counter()
    wrong: list[str] = []

    def ask(given: Any) -> None:
        try:
            counted[refused(parser, given) or "read"] += 1
        except Wrong as error:
            counted["WRONG"] += 1
            wrong.append(str(error).encode("utf-8", "backslashreplace").decode())

    make_up(parser, inputs // 5, seed, ask)
    while counted.total() < inputs:
        ask(mutated(rng, parser.examples))
    return counted, wrong


def verify(arguments: list[str]) -> None:
    """Give every reader so many inputs; print how many each refused with what, and whatever went wrong."""
    from bench.verify.parsers.readers import parsers

    inputs = int(arguments[0]) if arguments else INPUTS
    seed = int(arguments[1]) if len(arguments) > 1 else 0
    total, wrong = 0, 0
    with parsers() as found:
        for parser in found:
            counted, failures = fuzz(parser, max(1, inputs // 10) if parser.slow else inputs, seed)
            total, wrong = total + counted.total(), wrong + len(failures)
            print(f"{parser.name:35} {counted.total():8,} inputs: {dict(sorted(counted.items()))}", flush=True)
            print(*(f"  WRONG {line}" for line in failures[:5]), sep="\n", end="\n" * bool(failures), flush=True)
    print(f"{total:,} inputs to {len(found)} readers, {wrong} of them treated wrongly")
    if wrong:
        raise SystemExit(1)
