"""Table files, byte by byte: what is written, what is refused, what a full disk leaves."""
from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactplay.solvers import tables


def test_a_table_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "some.table"
    wide, few = np.arange(6, dtype=">i4").reshape(2, 3), np.array([1.5], dtype="<f8")
    small = np.array([1, 2, 255], dtype=np.uint8)
    tables.write(path, "numbers", {"rules": "x", "size": 3}, {"wide": wide, "few": few, "small": small})
    header = (
        b'{"about": {"rules": "x", "size": 3}, "arrays": {"few": {"dtype": "<f8", "offset": 64, "shape": [1]}, '
        b'"small": {"dtype": "|u1", "offset": 128, "shape": [3]}, '
        b'"wide": {"dtype": "<i4", "offset": 0, "shape": [2, 3]}}, "format": 2, "kind": "numbers"}'
    )
    body = header + bytes(-(48 + len(header)) % 64) + wide.astype("<i4").tobytes() + bytes(40) + few.tobytes() + bytes(56)
    body += bytes([1, 2, 255]) + bytes(61)
    content = b"EXACTPLY" + len(header).to_bytes(8, "little") + hashlib.sha256(body).digest() + body
    assert path.read_bytes() == content
    assert len(content) % 64 == 0
    assert [entry.name for entry in path.parent.iterdir()] == ["some.table"]
    read = tables.read(path, "numbers", {"rules": "x"})
    assert list(read) == ["few", "small", "wide"]
    assert (read["wide"] == wide).all()
    assert (read["wide"].dtype, read["wide"].shape) == (np.dtype("<i4"), (2, 3))
    assert (read["few"].tolist(), read["small"].tolist()) == ([1.5], [1, 2, 255])
    for array in read.values():
        assert not array.flags.writeable


def sealed(path: Path, header: Any, payload: bytes = b"") -> None:
    """A file as ``write`` makes it, with any header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = text + bytes(-(48 + len(text)) % 64) + payload
    path.write_bytes(b"EXACTPLY" + len(text).to_bytes(8, "little") + hashlib.sha256(body).digest() + body)


GOOD = {"format": 2, "kind": "k", "about": {"a": 1}, "arrays": {"x": {"dtype": "<i8", "shape": [2], "offset": 0}}}


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    sealed(path, GOOD, bytes(16))
    assert tables.read(path, "k", {})["x"].tolist() == [0, 0]

    def refused(kind: str = "k", about: Mapping[str, Any] | None = None) -> str:
        with pytest.raises(tables.BadTable) as caught:
            tables.read(path, kind, about or {})
        return str(caught.value).removeprefix(str(path))

    assert refused("other") == " holds a table of kind 'k', not 'other'"
    assert refused(about={"a": 2}) == " was made for a 1, not 2; delete it and it is made anew"
    assert refused(about={"b": 2}) == " was made for b None, not 2; delete it and it is made anew"
    sealed(path, {**GOOD, "format": 1}, bytes(16))
    assert refused() == " has format version 1; this exactplay reads 2"
    damaged = " is damaged or no table of exactplay; delete it and it is made anew"
    for header in (
        b"{", b"[]", b"[" * 9_999, {**GOOD, "kind": 3}, {**GOOD, "about": []}, {**GOOD, "arrays": []}, {"format": 2},
        *({**GOOD, "arrays": {"x": {**GOOD["arrays"]["x"], **wrong}}} for wrong in (  # type: ignore[dict-item]
            {"shape": [3]}, {"shape": [-1]}, {"shape": [2.0]}, {"shape": 2}, {"shape": [2**62, 4]}, {"dtype": "O"},
            {"dtype": "<U2"}, {"dtype": 3}, {"dtype": "i8,i8"}, {"offset": -8}, {"offset": 8}, {"offset": True},
            {"offset": None}, {"more": 1},
        )),
    ):
        sealed(path, header, bytes(16))
        assert refused() == damaged
    path.write_bytes(b"")
    assert refused() == " is empty; delete it and it is made anew"
    sealed(path, GOOD, bytes(16))
    for at in (0, 20, 60, len(path.read_bytes()) - 1):
        whole = bytearray(path.read_bytes())
        whole[at] ^= 1
        (tmp_path / "y").write_bytes(whole)
        with pytest.raises(tables.BadTable, match="y is damaged or no table"):
            tables.read(tmp_path / "y", "k", {})
    with pytest.raises(FileNotFoundError):
        tables.read(tmp_path / "none", "k", {})


def test_a_table_that_cannot_be_kept_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.report_lost.cache_clear()
    tables.keep(tmp_path / "fine", "kind", {"a": 1}, {"x": np.arange(3)})
    assert tables.read(tmp_path / "fine", "kind", {"a": 1})["x"].tolist() == [0, 1, 2]
    errors = iter((OSError(28, "No space left"), OSError(28, "No space left"), OSError("odd")))

    def fails(*_: Any) -> None:
        raise next(errors)

    monkeypatch.setattr(tables, "write", fails)
    with caplog.at_level(logging.WARNING):
        for name in ("a", "b", "c"):
            tables.keep(tmp_path / "folder" / name, "kind", {}, {})
    assert [(record.name, record.levelname, record.getMessage()) for record in caplog.records] == [
        ("exactplay.solvers.tables", "WARNING",
         f"exactplay: tables cannot be kept in {tmp_path / 'folder'} ({why}): the answer stands, the next command must "
         "solve again")
        for why in ("No space left", "odd")
    ]


def test_arrays_that_do_not_fit_are_a_damaged_table(tmp_path: Path) -> None:
    tables.write(tmp_path / "x", "k", {}, {"x": np.arange(3)})
    assert tables.read_as(tmp_path / "x", "k", {}, lambda arrays: arrays["x"].tolist()) == [0, 1, 2]
    for make in (
        lambda arrays: arrays["y"], lambda arrays: np.zeros(2)[arrays["x"]], lambda arrays: arrays["x"] + np.zeros(2),
    ):
        with pytest.raises(tables.BadTable, match="x is damaged or no table"):
            tables.read_as(tmp_path / "x", "k", {}, make)
