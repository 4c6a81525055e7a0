"""Benchmarks, long checks and the making of shipped data.

``python -m bench GAME`` prints the speed table of a game, ``python -m bench verify GAME`` runs its long checks,
``python -m bench rebuild GAME`` makes the data files that ship with it. A game's module in this folder offers
``bench(arguments)``, ``verify(arguments)`` and, if it ships data, ``rebuild(arguments)``.
"""
from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Dispatch to the module of the game."""
    words = sys.argv[1:]
    here = Path(__file__).parent
    folders = {path.parent.name for path in here.glob("*/__init__.py")}
    games = sorted({path.stem for path in here.glob("[a-z]*.py")} - {"timing"} | folders)
    action = words.pop(0) if words[:1] in (["verify"], ["rebuild"]) else "bench"
    if not words or words[0] not in games:
        print(f"usage: python -m bench [verify|rebuild] GAME ...; games: {', '.join(games)}", file=sys.stderr)
        raise SystemExit(2)
    # Run from the root, `solvers` and `cython_core` would shadow nothing, but be importable twice.
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path.cwd()]
    try:
        getattr(import_module(f"bench.{words[0]}"), action)(words[1:])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("exactplay", "bench"):
            raise
        print(f"this needs {error.name}, which is not installed: pip install -e '.[test]'; docs/mutation.md says what the "
              "checks of the tests need besides", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
