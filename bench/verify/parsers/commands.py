"""The command line as a reader: what stands on it, and the files of questions and saved games that it is given."""
from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

from bench.verify.parsers import Parser, Wrong

GAMES = ("winston84", "winkeladvokat", "winner", "dogs", "walk")
_84 = ("--difficulty", "3", "--round", "3", "--box", "17", "--marks", "1")
_BOARD, _CARDS, _HIDDEN = "3R/1r2/1b2/B3 b 2,2 0,0", "3D 4D 9S | 5D 6H; turn 0", "3D 4D 9S | ?2; turn 0"
_DOGS, _DOGS_HIDDEN = (
    "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0", "hands Bb Bh | ?; table -; pile ?; unseen Kb Kh; turn 0"
)
_WALK, _WALK_HIDDEN = "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0", "middle=PSO lines=S/O hands=g1,y/#2 turn=0"
_QUICK = ("--seconds", "0.1", "--samples", "5", "--seed", "1")

#: Command lines that are answered at once, whatever becomes of a number in them, and in whatever order their words come.
LINES: dict[str, tuple[list[str], ...]] = {
    "winston84": (
        ["advise", *_84, "--roll", "R5 G3 B2 W4 Y1 P6", "--objective", "win", "--json"],
        ["advise", *_84, "--fresh", "--roll", "532416", "--objective", "score", "--sheet", "reference"],
        ["value", *_84], ["round", "--dice", "R5 G3 B2 W4 Y1", "--utility", ",".join(map(str, range(37)))],
        ["sheet", "check", "given"],
    ),
    "winkeladvokat": (
        ["solve", _BOARD, "--moves", "all", "--rule", "end_check=on_turn"],
        ["show", _BOARD, "--json"], ["moves", _BOARD, "--players", "2"],
        ["moves", _BOARD, "--board", "given"],
    ),
    "winner": (
        ["solve", _CARDS, "--memory", "1", "--objective", "score", "--rule", "end=first_out", "--seconds", "0.1"],
        ["advise", _HIDDEN, *_QUICK], ["plays", "3D 3C 4H"], ["show", _HIDDEN, "--json"], ["moves", _CARDS],
        ["deal", "--players", "3", "--cards", "2", "--seed", "7"],
    ),
    "dogs": (
        ["solve", _DOGS, "--nodes", "1000", "--memory", "1", "--moves", "value"],
        ["advise", _DOGS_HIDDEN, *_QUICK, "--turns", "3"], ["show", _DOGS_HIDDEN], ["moves", _DOGS, "--json"],
    ),
    "walk": (
        ["solve", _WALK, "--objective", "points", "--memory", "1", "--seconds", "0.1"],
        ["advise", _WALK_HIDDEN, *_QUICK, "--method", "play-out"], ["show", _WALK_HIDDEN], ["moves", _WALK, "--json"],
        ["arrange", "SS", "SPO", "--in-order"],
    ),
    "certify": (
        ["winkeladvokat", _BOARD, "--out", "kept", "--rule", "end_check=on_turn"],
        ["winner", _CARDS, "--objective", "win", "--out", "kept"], ["dogs", _DOGS, "--json", "--out", "kept"],
        ["walk", _WALK, "--objective", "outcome", "--seconds", "5", "--out", "kept"],
    ),
}
_INNER = {"type": "inner", "dice": "R5 G3 B2 W4 Y1", "u": list(range(37)), "options": {}}
_STATE = {
    "type": "state", "sheet": "reference", "difficulty": 3, "objective": "score", "round": 3, "box": 17, "marks": 1,
    "fresh": False, "dice": "R5 G3 B2 W4 Y1 P6", "options": {},
}
#: Questions a line of a batch, and the options that keep them short.
BATCHES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "winston84": ((json.dumps(_INNER), json.dumps(_STATE)), ()),
    "winkeladvokat": ((_BOARD, "2R/3/B2 b 25,25 0,0"), ("--nodes", "1000", "--memory", "8")),
    "winner": ((_CARDS, _HIDDEN, '{"hand": "3D 3C 4H"}'), ("--seconds", "0.1")),
    "dogs": ((_DOGS, _DOGS_HIDDEN), ("--seconds", "0.1", "--memory", "1")),
    "walk": (
        (_WALK, _WALK_HIDDEN, '{"ask": "arrange", "line": "SS", "dogs": "SPO", "options": {}}'),
        ("--seconds", "0.1", "--memory", "1"),
    ),
}
#: How a game is begun and taken up again.
PLAYS: dict[str, tuple[list[str], list[str]]] = {
    "winston84": (["coach"], []),
    "winkeladvokat": (["play", "--seconds", "0.1"], [_BOARD]),
    "winner": (["play", "--seconds", "0.1"], ["--players", "2", "--cards", "2"]),
    "dogs": (["play", "--seconds", "0.1"], [_DOGS]),
    "walk": (["play", "--seconds", "0.1"], [_WALK]),
}


class Refused(ValueError):
    """A refusal of the command line: the line that it writes to stderr."""

    __module__ = "exactplay.cli"


def command_lines(folder: Path) -> Iterator[Parser]:
    """The commands themselves, the questions of a batch, and games that were kept, each of every game."""
    home = folder / "home"
    home.mkdir()

    def run(*words: str, typed: str = "") -> str:
        return _run(home, list(words), typed)

    def at_file(*words: str, typed: str = "") -> Callable[[bytes], str]:
        def read(content: bytes) -> str:
            (home / "given").write_bytes(content)
            return run(*words, typed=typed)

        return read

    for name, lines in LINES.items():

        def command(words: object, name: str = name) -> str:
            listed = list(map(str, words if isinstance(words, list) else [words]))
            # Whatever became of its position: without one it is the first of a whole game.
            limits = ["--nodes", "1000", "--memory", "8"] if (name, *listed[:1]) == ("winkeladvokat", "solve") else []
            return run(name, *listed, *limits)

        yield Parser(f"command: {name}", command, lines, slow=True)
    for game, (lines, options) in BATCHES.items():
        examples = tuple("\n".join(part).encode() + b"\n" for part in (lines, lines[:1], lines[1:]))
        ask = at_file(game, "batch", "given", *options)

        def answered(content: bytes, ask: Callable[[bytes], str] = ask) -> None:
            for line in ask(content).splitlines():
                json.loads(line)

        yield Parser(f"file: batch of {game}", answered, examples, slow=True)
    for game, (words, begin) in PLAYS.items():
        run(game, *words, *begin, "--file", "begun", typed="quit\n")
        begun = (home / "begun").read_bytes()
        (home / "begun").unlink()
        yield Parser(
            f"file: saved game of {game}", at_file(game, *words, "--file", "given", typed="quit\n"), (begun,), slow=True
        )


def _run(home: Path, words: list[str], typed: str) -> str:
    """What a command line prints; :class:`Refused` where it is refused in one line, :class:`Wrong` else."""
    from exactplay.cli import main

    out, err = io.StringIO(), io.StringIO()
    kept = {name: str(home) for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    with (
        contextlib.chdir(home), patch.dict(os.environ, kept), patch.object(sys, "argv", ["exactplay", *words]),
        patch.object(sys, "stdin", stdin), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as end:
            code = end.code
    told = err.getvalue()
    if code in (None, 0) or "Usage: " in out.getvalue() + told:
        return out.getvalue()
    if code == 2 and told.startswith("exactplay: ") and told.endswith("\n"):
        raise Refused(told.removesuffix("\n"))
    raise Wrong(f"exactplay {words!r:.300} ends with {code!r} and {told[:300]!r}")
