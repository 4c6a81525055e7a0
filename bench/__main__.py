"""``python -m bench NAME``: a speed table; ``bench verify NAME``: a long check; ``bench rebuild NAME``: files made anew.

The names are those of the modules in ``bench/speed``, ``bench/verify`` and ``bench/rebuild``, which offer ``bench(words)``,
``verify(words)`` and ``rebuild(words)``.
"""
from __future__ import annotations

import sys
from importlib import import_module

from bench import ROOT

ROOMS = {"verify": "verify", "rebuild": "rebuild", "bench": "speed"}


def names(room: str) -> list[str]:
    """What there is in a room."""
    found = [*ROOT.glob(f"bench/{room}/[a-z]*.py"), *(path.parent for path in ROOT.glob(f"bench/{room}/*/__init__.py"))]
    return sorted(path.stem for path in found if path.stem not in ("timing", "parity"))


def main() -> None:
    """Dispatch to a module."""
    words = sys.argv[1:]
    action = words.pop(0) if words[:1] in (["verify"], ["rebuild"]) else "bench"
    room = ROOMS[action]
    if not words or words[0] not in names(room):
        told = "; ".join(f"{asked}: {', '.join(names(of))}" for asked, of in ROOMS.items())
        print(f"usage: python -m bench [verify|rebuild] NAME ...; {told}", file=sys.stderr)
        raise SystemExit(2)
    try:
        getattr(import_module(f"bench.{room}.{words[0]}"), action)(words[1:])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("exactplay", "bench", "tests"):
            raise
        print(f"this needs {error.name}, which is not installed: pip install -e '.[test]'; docs/mutation.md says what the "
              "checks of the tests need besides", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
