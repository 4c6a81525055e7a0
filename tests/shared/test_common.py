"""The ground floor: errors in one line, files read and written, names and numbers checked."""
from __future__ import annotations

import io
import os
import sys
import tracemalloc
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from exactplay.common.errors import LONGEST_LINE, BadOption, BadText, one_line, quoted, told
from exactplay.common.files import read_text, write_whole
from exactplay.common.plain import read_json, read_object, to_line
from exactplay.common.words import named, one_of, real, whole


def test_quoted_values_are_short() -> None:
    assert quoted("x" * 58) == "'" + "x" * 58 + "'"
    assert quoted("x" * 59) == "'" + "x" * 56 + "..."
    assert quoted("x" * 10 + chr(0x202E)) == "'" + "x" * 10 + "\\u202e'"
    assert quoted([1, None]) == "[1, None]"
    assert len(quoted(10**5000)) < 61


def test_quoting_a_huge_text_takes_no_memory() -> None:
    huge = "x" * 1_000_000
    tracemalloc.start()
    quoted(huge)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100_000


def test_an_error_is_one_printable_line() -> None:
    assert one_line("two\nlines \x1b[2J") == "two lines \\x1b[2J"
    assert len(one_line("x" * 9_999)) == LONGEST_LINE
    assert told(FileNotFoundError(2, "No such file", "some")) == "some: No such file"
    assert told(OSError("odd")) == "odd"
    assert told(BadText("a\tb")) == "a b"


@pytest.mark.parametrize("content", [b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", b"a\rb\r"])
@pytest.mark.parametrize("stdin", [False, True])
def test_text_is_read_alike_from_files_and_stdin(
    content: bytes, stdin: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_text("-" if stdin else tmp_path / "x") == "a\nb\n"


def test_what_is_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"ab\xff")
    with pytest.raises(BadText, match=r"x is not UTF-8 text \(byte 3\)"):
        read_text(path)
    with pytest.raises(BadText, match="x has more than 2 bytes"):
        read_text(path, 2)
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "none")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BadText, match="stdin is closed"):
        read_text("-")


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0, 0o666)])
def test_a_new_file_is_for_whom_the_umask_allows(umask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "x", b"new")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_file_keeps_its_mode_and_a_symlink_its_target(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o604)
    link.symlink_to(file)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o604)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"before")

    def fails(self: Path, target: Path) -> Path:
        assert Path(target).read_bytes() == b"before"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, b"after")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "no folder" / "x", b"after")


@pytest.mark.parametrize("text", ["", "{", "[1", "NaN", '{"a": Infinity}', "[" * 100_000, "1" * 5_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="not JSON"):
        read_json(text)


def test_questions_are_objects_and_answers_ascii() -> None:
    assert read_object('{"a": [1, null]}') == {"a": [1, None]}
    with pytest.raises(BadText, match="a question is a JSON object, not list"):
        read_object("[]")
    assert to_line({"name": "\u00e9"}) == '{"name": "\\u00e9"}'


@pytest.mark.parametrize("wrong", [True, False, None, "3", 3.0, -1, 8, 10**30, np.float64(3), [3]])
def test_whole_numbers_are_whole(wrong: Any) -> None:
    with pytest.raises(BadOption, match=r"^number is "):
        whole(wrong, "number", 0, 7)


@pytest.mark.parametrize("right", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_of_any_type_are_taken(right: Any) -> None:
    assert type(whole(right, "number", 0, 7)) is int
    assert real(right, "number") == 3.0


@pytest.mark.parametrize("wrong", [True, None, "3", float("nan"), float("inf"), -0.1, 7.1, 10**400, [3]])
def test_real_numbers_are_finite(wrong: Any) -> None:
    with pytest.raises(BadOption, match=r"^number is "):
        real(wrong, "number", 0.0, 7.0)


def test_names_are_of_a_closed_set() -> None:
    goals = Literal["win", "score"]
    assert named("win", goals, "objective") == "win"
    for wrong in ("Win", "", None, 1, ["win"]):
        with pytest.raises(BadOption, match=r"objective is .*; it must be one of win, score"):
            named(wrong, goals, "objective")
    assert one_of(1, (0, 1), "number") == 1
    with pytest.raises(BadOption, match="number is true; it must be one of 0, 1"):
        one_of(True, (0, 1), "number")
