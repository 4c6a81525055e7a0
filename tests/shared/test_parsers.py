"""Readers of text and files against inputs that nobody would write; ``python -m bench verify parsers`` takes more."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bench.__main__ import main as bench_main
from bench.verify import parsers
from bench.verify.parsers.readers import parsers as readers
from exactplay.rules.contract import BadText

INPUTS = 60
KINDS = (
    "winston84", "winkeladvokat", "winner", "winston_dogs", "walk_the_dogs", "JSON", "file:", "body:", "settings:",
    "command:",
)


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, parsers.Parser]]:
    with readers() as listed:
        yield {parser.name: parser for parser in listed}


@pytest.mark.parametrize("kind", KINDS)
def test_no_input_does_anything_but_answer_or_refuse_in_one_line(found: dict[str, parsers.Parser], kind: str) -> None:
    chosen = [parser for name, parser in found.items() if name.startswith(kind)]
    assert chosen
    for parser in chosen:
        assert any(parsers.refused(parser, example) is None for example in parser.examples), parser.name
        counted, wrong = parsers.fuzz(parser, INPUTS // 10 if parser.slow else INPUTS, seed=1)
        assert not wrong
        assert counted.total() >= INPUTS // 10


def refuse(line: str) -> None:
    raise BadText(line)


@pytest.mark.parametrize(("read", "write", "why"), [
    (lambda text: [][0], None, "IndexError"),
    (int, None, "ValueError"),
    (lambda text: refuse("two\nlines"), None, "not one line"),
    (lambda text: refuse("endless " * 1000), None, "not one line"),
    (len, lambda number: "x" * number + "x", "something else"),
])
def test_a_reader_that_does_wrong_is_found(read: Any, write: Any, why: str) -> None:
    with pytest.raises(parsers.Wrong, match=why):
        parsers.refused(parsers.Parser("wrong", read, ("x",), write), "x")


def test_a_reader_that_takes_much_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([100.0, 100.0 + 2 * parsers.MOST_MEGABYTES])
    monkeypatch.setattr(parsers, "_peak", lambda: next(peaks))
    with pytest.raises(parsers.Wrong, match="MB for"):
        parsers.refused(parsers.Parser("wrong", len, ("x",)), "x")


def test_a_check_whose_libraries_are_missing_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.setattr(sys, "argv", ["bench", "verify", "parsers", "5"])
    with pytest.raises(SystemExit) as ended:
        bench_main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("this needs hypothesis, which is not installed: pip install -e '.[test]'")
