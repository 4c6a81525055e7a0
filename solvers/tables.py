"""Table files: arrays under one header, opened by memory map, checked before use, written whole or not at all.

Layout: the 8 bytes ``EXACTPLY``, the length of the header (uint64, little-endian), the SHA-256 of everything that follows
it, the header (JSON), zeros up to a multiple of 64, then the arrays, each from a multiple of 64 bytes on, little-endian.
The header names the format version, the ``kind`` of table, ``about`` (whatever must match for the table to be used), and
each array's dtype, shape and offset from the first array.
"""
from __future__ import annotations

import functools
import hashlib
import json
import logging
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from exactplay.common.errors import quoted
from exactplay.common.files import write_whole

FORMAT_VERSION = 2
_MAGIC = b"EXACTPLY"
_HEAD = 48  # magic, length of the header, checksum
_ALIGN = 64

Arrays = dict[str, npt.NDArray[Any]]
T = TypeVar("T")


class BadTable(ValueError):
    """A table file that is damaged, or that holds something else than what was asked for."""


def write(path: Path, kind: str, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a table. The same contents give the same bytes."""
    listed, blocks, offset = {}, [], 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        listed[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": offset}
        block = array.tobytes()
        blocks.append(block + bytes(-len(block) % _ALIGN))
        offset += len(blocks[-1])
    header = json.dumps(
        {"format": FORMAT_VERSION, "kind": kind, "about": dict(about), "arrays": listed}, sort_keys=True
    ).encode()
    body = header + bytes(-(_HEAD + len(header)) % _ALIGN) + b"".join(blocks)
    write_whole(path, _MAGIC + len(header).to_bytes(8, "little") + hashlib.sha256(body).digest() + body)


def keep(path: Path, kind: str, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a table into a cache; one that cannot be written costs time, not an answer, and is reported on stderr."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, kind, about, arrays)
    except OSError as error:
        report_lost(str(path.parent), str(error.strerror or error))


@functools.cache
def report_lost(folder: str, reason: str) -> None:
    """Say on stderr that a folder takes no tables: once, as a command may make many."""
    logging.getLogger(__name__).warning(
        "exactplay: tables cannot be kept in %s (%s): the answer stands, the next command must solve again", folder, reason
    )


def read(path: Path, kind: str, about: Mapping[str, Any]) -> Arrays:
    """The arrays of a table, read-only and mapped; raises :class:`BadTable` or OSError.

    Every entry of ``about`` must stand in the header with the same value.
    """
    try:
        content = np.memmap(path, np.uint8, mode="r")
    except ValueError:
        raise BadTable(f"{path} is empty; delete it and it is made anew") from None
    arrays, header = _open(content, path)
    if header["kind"] != kind:
        raise BadTable(f"{path} holds a table of kind {quoted(header['kind'])}, not {kind!r}")
    for key, wanted in about.items():
        found = header["about"].get(key)
        if found != wanted:
            made = f"{path} was made for {key} {quoted(found)}, not {quoted(wanted)}"
            raise BadTable(f"{made}; delete it and it is made anew")
    return arrays


def read_as(path: Path, kind: str, about: Mapping[str, Any], make: Callable[[Arrays], T]) -> T:
    """What ``make`` makes of the arrays of a table; one whose arrays do not fit it is refused as damaged."""
    arrays = read(path, kind, about)
    try:
        return make(arrays)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        raise _damaged(path) from None


def _damaged(path: Path) -> BadTable:
    return BadTable(f"{path} is damaged or no table of exactplay; delete it and it is made anew")


def _open(content: npt.NDArray[np.uint8], path: Path) -> tuple[Arrays, dict[str, Any]]:
    head, body = content[:_HEAD].tobytes(), content[_HEAD:]
    if not head.startswith(_MAGIC) or hashlib.sha256(body.data).digest() != head[16:]:
        raise _damaged(path)
    size = int.from_bytes(head[8:16], "little")
    # A checksum can be made to fit an altered header, so nothing of it is believed.
    try:
        header = json.loads(body[:size].tobytes())
        version = header["format"]
        if not isinstance(header["kind"], str) or not isinstance(header["about"], dict):
            raise TypeError
        payload = body[size + -(_HEAD + size) % _ALIGN :]
        arrays = {name: _array(payload, **entry) for name, entry in header["arrays"].items()}
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _damaged(path) from None
    if version != FORMAT_VERSION:
        raise BadTable(f"{path} has format version {quoted(version)}; this exactplay reads {FORMAT_VERSION}")
    return arrays, header


def _array(payload: npt.NDArray[np.uint8], dtype: str, shape: list[int], offset: int) -> npt.NDArray[Any]:
    """One array of the payload; raises ValueError or TypeError for a description that `write` does not make."""
    kind = np.dtype(dtype)
    whole = all(type(number) is int and number >= 0 for number in [*shape, offset])
    if kind.kind not in "biuf" or not whole or offset % _ALIGN:
        raise ValueError
    return payload[offset : offset + math.prod(shape) * kind.itemsize].view(kind).reshape(shape)
