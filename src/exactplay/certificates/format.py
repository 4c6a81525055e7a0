"""The file: one line that names it, a digest of everything else, a header in JSON, and sections of bytes.

Layout: the line ``EXACTPLAY CERTIFICATE 1``, which ends with the format version; the SHA-256 of all other bytes of the
file (32 bytes); the length of the header (uint32, little-endian); the header (JSON, UTF-8); the sections one after
another. The header names the ``game``, lists the ``sections`` with their lengths in bytes, and says what is certified.
Nothing is compressed, so that a small file cannot grow; every length is checked against the bytes that are there.
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, Self, TypeVar

from exactplay.common.errors import quoted
from exactplay.common.files import write_whole

VERSION: Final = 1
_NAME: Final = b"EXACTPLAY CERTIFICATE "
_HEAD: Final = _NAME + b"%d\n" % VERSION
_DIGEST: Final = 32  # bytes
_LENGTH: Final = 4  # bytes
_LARGEST_FILE: Final = 64_000_000  # bytes
_LARGEST_HEADER: Final = 4_000_000  # bytes

T = TypeVar("T")

#: told now and then, in words, how far a check is
Progress = Callable[[str], None]


class BadCertificate(ValueError):
    """A file that is no certificate, is damaged, or asks a question that cannot be: refused before anything is checked."""


class WrongCertificate(ValueError):
    """A certificate that is well formed and does not prove what it says; the text names the first place that fails."""


@dataclasses.dataclass(frozen=True, slots=True)
class Certificate:
    """What a file holds: the game, what is said about it (plain data), and named sections of bytes."""

    game: str
    about: Mapping[str, Any]
    sections: Mapping[str, bytes]

    def to_bytes(self) -> bytes:
        """The content of the file; the same certificate gives the same bytes."""
        lengths = {name: len(content) for name, content in self.sections.items()}
        data = {"game": self.game, **self.about, "sections": lengths}
        header = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
        body = len(header).to_bytes(_LENGTH, "little") + header + b"".join(self.sections.values())
        return _HEAD + hashlib.sha256(_HEAD + body).digest() + body

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read and check the form; raises :class:`BadCertificate`."""
        first, newline, _ = content[:64].partition(b"\n")
        if not newline or not first.startswith(_NAME):
            raise BadCertificate("no certificate of exactplay: it does not begin with the line that names one")
        if first + newline != _HEAD:
            raise BadCertificate(f"format version {first[len(_NAME):][:20]!r}; this exactplay reads version {VERSION}")
        digest, body = content[len(_HEAD) :][:_DIGEST], content[len(_HEAD) + _DIGEST :]
        if digest != hashlib.sha256(_HEAD + body).digest():
            raise BadCertificate("truncated or altered: its digest does not fit its content")
        end = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
        if end > len(body) or end > _LARGEST_HEADER:
            raise BadCertificate(f"its header should be {end - _LENGTH} bytes long, and is cut off or too long")
        header = _read_header(body[_LENGTH:end])
        lengths = header.pop("sections", None)
        if not isinstance(lengths, dict) or not all(type(length) is int and length >= 0 for length in lengths.values()):
            raise BadCertificate("its header lists no sections with their lengths in bytes")
        if end + sum(lengths.values()) != len(body):
            raise BadCertificate(f"its sections should hold {sum(lengths.values())} bytes and hold {len(body) - end}")
        sections = {}
        for name, length in lengths.items():
            sections[name] = body[end : end + length]
            end += length
        game = header.pop("game", None)
        if not isinstance(game, str):
            raise BadCertificate("its header names no game")
        return cls(game, header, sections)

    def write(self, path: Path) -> int:
        """Write the file whole or not at all. Return its size in bytes."""
        content = self.to_bytes()
        write_whole(path, content)
        return len(content)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file; raises :class:`BadCertificate` or OSError."""
        with path.open("rb") as stream:
            content = stream.read(_LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise BadCertificate(f"larger than {_LARGEST_FILE:,} bytes, which no certificate is")
        return cls.from_bytes(content)

    def field(self, name: str, kind: type[T], default: T | None = None) -> T:
        """An entry of the header that must be of a type; raises :class:`BadCertificate`."""
        value = self.about.get(name, default)
        # An exact comparison, because true is an int in Python.
        if type(value) is not kind:
            raise BadCertificate(f"its header has {quoted(value)} for {name!r}, which must be of type {kind.__name__}")
        return value

    def require_fields(self, *known: str) -> None:
        """Raise :class:`BadCertificate` where the header says something that no check would look at."""
        for name in self.about:
            if name not in known:
                raise BadCertificate(f"its header has the unknown entry {quoted(name)}; it may have {', '.join(known)}")


def _read_header(content: bytes) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    def once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        # Another reader might take the first of two and believe that it was checked.
        listed: dict[str, Any] = {}
        for name, value in entries:
            if name in listed:
                raise BadCertificate(f"its header is ambiguous: {quoted(name)} stands twice")
            listed[name] = value
        return listed

    try:
        header = json.loads(content, parse_constant=refuse, object_pairs_hook=once)
    except BadCertificate:
        raise
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise BadCertificate("its header is no JSON object")
    return header
