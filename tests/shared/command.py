"""The command line as the tests call it: in this process, with streams as those of a real one."""
from __future__ import annotations

import dataclasses
import io
import json
import sys
from collections.abc import Iterable
from typing import Any
from unittest import mock

from exactplay.cli import main


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a command wrote."""

    out: str
    errors: str
    code: int

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


def ran(*arguments: object, stdin: str | bytes | None = "", code: int | None = 0) -> Ran:
    """Run ``exactplay ARGUMENTS``; its exit code must be ``code`` (None: any). ``stdin`` None: it is closed."""
    content = stdin.encode() if isinstance(stdin, str) else stdin
    given = None if content is None else io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    out, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with mock.patch.multiple(sys, argv=["exactplay", *map(str, arguments)], stdin=given, stdout=out, stderr=errors):
        found = main()
    said = [stream.buffer.getvalue().decode() for stream in (out, errors)]  # type: ignore[attr-defined]
    if code is not None:
        assert found == code, said
    return Ran(*said, found)


def refused(*arguments: object, stdin: str | bytes | None = "") -> str:
    """The one line that refuses a command."""
    found = ran(*arguments, stdin=stdin, code=2)
    assert found.errors.startswith("exactplay: ")
    assert found.errors.count("\n") == 1
    assert len(found.errors) < 1_100
    return found.errors


def typed(words: Iterable[object]) -> str:
    """What a person types, a line each."""
    return "".join(f"{word}\n" for word in words)
