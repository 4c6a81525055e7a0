"""Readers of text and files against inputs that nobody would write; ``python -m bench verify parsers`` takes more."""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main as bench_main
from bench.verify import parsers
from bench.verify.parsers.readers import parsers as readers
from exactplay.rules.contract import BadText
from exactplay.rules.winkeladvokat import Board, Rules
from exactplay.rules.winkeladvokat import Move as WinkeladvokatMove
from exactplay.rules.winkeladvokat import State as WinkeladvokatState
from exactplay.rules.winner import Move as WinnerMove
from exactplay.rules.winner import State as WinnerState
from exactplay.rules.winston84 import Dice, Rules, Sheet

INPUTS = 60


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, parsers.Parser]]:
    with readers() as listed:
        yield {parser.name: parser for parser in listed}


@pytest.mark.parametrize(
    "kind",
    ["winston84", "winkeladvokat", "winner", "dogs", "walk", "JSON", "file:", "body:", "settings:", "command:"],
)
def test_no_input_does_anything_but_answer_or_refuse_in_one_line(found: dict[str, parsers.Parser], kind: str) -> None:
    chosen = [parser for name, parser in found.items() if name.startswith(kind)]
    assert chosen
    for parser in chosen:
        counted, wrong = parsers.fuzz(parser, INPUTS // 10 if parser.slow else INPUTS, seed=1)
        assert not wrong
        assert counted.total() >= INPUTS // 10


def test_every_example_is_read(found: dict[str, parsers.Parser]) -> None:
    for parser in found.values():
        assert any(parsers.refused(parser, example) is None for example in parser.examples), parser.name


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda text: [][0], "IndexError"),
        (int, "ValueError"),
        (lambda text: _refuse("two\nlines"), "not one line"),
        (lambda text: _refuse("endless " * 1000), "not one line"),
    ],
)
def test_a_reader_that_does_wrong_is_found(read: Any, why: str) -> None:
    with pytest.raises(parsers.Wrong, match=why):
        parsers.refused(parsers.Parser("wrong", read, ("x",)), "x")


def test_a_reader_that_takes_much_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([100.0, 100.0 + 2 * parsers.MOST_MEGABYTES])
    monkeypatch.setattr(parsers, "_peak", lambda: next(peaks))
    with pytest.raises(parsers.Wrong, match="MB for"):
        parsers.refused(parsers.Parser("wrong", len, ("x",)), "x")


def test_a_reader_that_does_not_read_what_it_writes_is_found() -> None:
    with pytest.raises(parsers.Wrong, match="something else"):
        parsers.refused(parsers.Parser("wrong", len, ("x",), lambda number: "x" * number + "x"), "x")


def _refuse(line: str) -> None:
    raise BadText(line)


@pytest.mark.parametrize("text", ["\u00a0", "R5 \u3000", "R5\u2028G3"])
def test_dice_with_a_blank_that_is_none_are_refused(text: str) -> None:
    with pytest.raises(BadText, match="is no die"):
        Dice.parse(text)


@pytest.mark.parametrize(
    "read",
    [
        lambda long: WinkeladvokatMove.parse(long),
        lambda long: WinkeladvokatState.parse(f"2R/3/B2 b {long} 0,0"),
        lambda long: WinnerMove.parse(long),
        lambda long: WinnerState.parse(f"3D | 4D; turn {long}"),
        lambda long: WinnerState.parse(f"3D | 4D; {long}"),
        lambda long: Rules.from_texts([f"white_needs_change={long}"]),
        lambda long: Rules.from_texts([long]),
        lambda long: Rules.from_mapping({long: True}),
    ],
)
def test_a_refusal_repeats_only_the_beginning_of_a_long_text(read: Any) -> None:
    with pytest.raises(BadText) as refusal:
        read("9" * 5000 + "\u202e")
    assert len(str(refusal.value)) < 500
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"values = " + b"[" * 5000, "not TOML"),
        (b"values = [[" + b"9" * 5000 + b"]]", "not TOML"),
        (b"\xff", "not UTF-8"),
        (b"#" * 10**6 + b"\n", "at most"),
        (b"values = 3", "one list of whole numbers a rank"),
    ],
)
def test_a_board_that_is_none_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_bytes(content)
    with pytest.raises(BadText, match=why):
        Board.load(file)


def test_a_checkpoint_with_an_endless_number_of_nodes_is_refused(found: dict[str, parsers.Parser]) -> None:
    parser = found["file: checkpoint, its header"]
    header = json.loads(parser.examples[0])
    assert parsers.refused(parser, json.dumps(header).encode()) is None
    assert parsers.refused(parser, json.dumps(header | {"nodes": float("inf")}).encode()) == "BadText"


@pytest.mark.parametrize("name", [b'"kind"', b'"about"', b'"format"', b'"arrays"'])
def test_a_table_whose_header_lacks_an_entry_is_refused(found: dict[str, parsers.Parser], name: bytes) -> None:
    parser = found["file: table, sealed again"]
    (table,) = parser.examples
    assert name in table
    assert parsers.refused(parser, table.replace(name, name.upper())) == "BadTable"


def test_a_refusal_of_the_command_line_is_one_printable_line_of_some_length(found: dict[str, parsers.Parser]) -> None:
    parser = found["command: winner"]
    for words in (["show", "x" * 5000], ["show", "a\u202e", "b\ud800\x1b[2J", "c"], ["x\U000a7aca"]):
        assert parsers.refused(parser, words) == "Refused"


@pytest.mark.parametrize("game", ["winston84", "winkeladvokat", "winner", "winston_dogs", "walk_the_dogs"])
def test_an_unknown_setting_of_any_length_is_refused_in_one_line(found: dict[str, parsers.Parser], game: str) -> None:
    assert parsers.refused(found[f"settings: {game}"], {"x\n" * 3000: 1}) == "BadText"


@pytest.mark.parametrize("name", ["a\0b", "a\udfffb"])
def test_a_sheet_that_no_path_can_name_is_refused(name: str) -> None:
    with pytest.raises(BadText, match="a character that no path has"):
        Sheet.load(name)


def test_a_check_whose_libraries_are_missing_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "bench.verify.parsers", raising=False)
    monkeypatch.setattr(sys, "argv", ["bench", "verify", "parsers"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(SystemExit) as ended:
        bench_main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("this needs hypothesis, which is not installed: pip install -e '.[test]'")
