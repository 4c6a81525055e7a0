"""The readers of text, files and JSON bodies, each with valid inputs to mutate."""
from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.verify.parsers import Parser, Wrong
from bench.verify.parsers.commands import command_lines

#: positions as texts, of each game: open ones first, then what one player sees
POSITIONS: dict[str, tuple[str, ...]] = {
    "winston84": (
        "x1 | R0 box 0 marks 0 | R? G? B? W? Y? P? | default rules | {reference}",
        "x5 | R5 box 17 marks 1 fresh | R? G? B? W? P? | white_needs_change=true | {reference}",
        "x3 | won 500 | - | default rules | {reference}",
        "x2 | lost | - | purple_alone_ok=true, room101_is_placed=true | {reference}",
    ),
    "winkeladvokat": (
        "3R/3/B2 b 15,15 0,0", "2R/1b1/Br1 r 3,3 1,0", "3R/1r2/1b2/B3 b 2,2 0,0",
        "7R/8/8/8/8/8/8/B7 b 15,15 0,0", "g6R/8/8/8/8/8/8/B6r b 15,15,15,15 0,0,0,0",
    ),
    "winner": (
        "3D 4D 9S | 5D 6H; turn 0", "3D 4D 4C 4H 9S | BJ RJ 5D; turn 1; on 3H by 0; idle 0",
        "3D | - | 4D 5S; turn 0; out 1", "3D 4D | 5D 5C; turn 0; exchange 0 1 offer 3D 4D; rules exchange=true",
        "3D 3C|4H 4S; turn 0; on 5D > 6D by 1", "4D 4C 4H 4S 2D | 3S 3H; turn 0; reversed; rules revolution=true",
        "3D 4D 9S | ?2; turn 0", "?1 3D | 4D | ?1; turn 1; spent 5D 6D", "3D | 4D ?2; turn 0; spent",
    ),
    "winston_dogs": (
        "hands Bb Bh Kb | Kh Kb Ob; table -; pile Ob; turn 0",
        "hands Bb Bh | ?; table -; pile ?; unseen Kb Kh; turn 0",
        "hands Bb Bh | ? ?; table Khb; pile ? ?; unseen Kb Kh Ob Oh; turn 0; points 1 2",
    ),
    "walk_the_dogs": (
        "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0",
        "middle=PSO lines=SS/- hands=g1,le/r3 deck=?bo,dc turn=1 phase=draw bones=1/0",
        "middle=PSO lines=S/O hands=g1,y/#2 turn=0", "middle=PSO lines=S/O/- hands=#1/g1/#2 turn=1 discards=g1,r3",
    ),
}
MOVES: dict[str, tuple[str, ...]] = {
    "winston84": ("R5 G3", "G:BW", "P>R", "-Y", "R", "B>W", "W>P"),
    "winkeladvokat": ("a1-a4-d4", "c3xc5xe5", "a1xa3"),
    "winner": ("3D 3C", "pass", "fours 4D 4C", "3D 4D 5D 6D 7D", "give 3D 4D"),
    "winston_dogs": ("Bb Bh", "under Bb", "skip", "Kh"),
    "walk_the_dogs": ("g2:PSSO", "le.1f:SSO", "lose:front", "draw", "pass", "+g2"),
}


@contextlib.contextmanager
def parsers() -> Iterator[list[Parser]]:
    """Every reader; those of files use a folder that lasts as long as the block."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as loop:
        yield [
            *(parser for game in POSITIONS for parser in _game(game)),
            *_winston84(), *_pieces(), *_files(Path(folder)), *_certificates(), *_bodies(loop), *_settings(),
            *command_lines(Path(folder)),
        ]


def _game(name: str) -> Iterator[Parser]:
    """What every game has: positions, views, moves and rules, as texts and as plain data, and its questions."""
    from exactplay.questions import face_of
    from exactplay.rules.winston84 import Sheet

    package, face = import_module(f"exactplay.rules.{name}"), face_of(name)
    sheet = Sheet.load("reference")
    texts = [text.format(reference=f"{sheet.digest[:12]} {sheet.name}") for text in POSITIONS[name]]
    rng = random.Random(1)
    subject = import_module(f"tests.{name}.subject").SUBJECT
    texts += [str(subject.start(rng, rules)) for rules in subject.settings()[:3]]
    for what in ("State", "View"):
        kind = getattr(package, what, None)
        read = tuple(text for text in texts if kind is not None and _reads(kind.parse, text))
        if kind is None or not read:
            continue
        data = tuple(kind.parse(text).to_json() for text in read)
        yield Parser(f"{name} {what}", kind.parse, read, str)
        yield Parser(f"{name} {what} JSON", kind.from_json, data, kind.to_json)
    yield Parser(f"{name} Move", package.Move.parse, MOVES[name], str)
    options = [(option, value) for option, values in package.Rules.options().items() for value in values]
    if options:
        written = tuple(f"{option}={value}".lower() for option, value in options)
        yield Parser(f"{name} rules", lambda text: package.Rules.from_texts(text.split(" ")), written)
        yield Parser(f"{name} rules JSON", package.Rules.from_mapping, tuple({option: value} for option, value in options))

    def ask(given: Any) -> Any:
        return face.read({face.setting[0].name: given}, {})

    yield Parser(f"{name} question", ask, tuple(text for text in texts if _reads(ask, text)))


def _winston84() -> Iterator[Parser]:
    """What only this game has."""
    from exactplay.rules.winston84 import Decision, Dice, Objective, Place, Roll, Round, Rules, Sheet

    dice = ("R5 G3 B2 W4 Y1 P6", "Rp5 G3 Bx2 W4 Yp1", "R? G? B? W? Y? P?", "r5,g3;b2/w4")
    rounds = ("R5 G3 B2 W4 Y1 P6 | default rules", "R5 G3 B2 W4 Y1 P6 | give up the highest | default rules", *dice)
    yield Parser("winston84 dice", Dice.parse, dice, str)
    yield Parser("winston84 decision", Decision.parse, ("R", "G:BW", "B>W", "W>P", "Y", "P>G", "P", "-R"), str)
    yield Parser("winston84 roll", Roll.parse, ("R5 G3", "R5 G3 B2 W4 Y1 P6"), str)
    yield Parser("winston84 place", Place.parse, ("R5 box 17 marks 1 fresh", "R0 box 0 marks 0"), str)
    yield Parser("winston84 round", Round.parse, rounds, str)
    yield Parser("winston84 objective", Objective.parse, ("score", "win", "at-least:900", "at least 5"), str)
    yield Parser(
        "winston84 rules line", Rules.parse, ("default rules", "white_needs_change=true, purple_alone_ok=false"),
        Rules.describe,
    )
    sheet = Sheet.load("reference").to_toml()
    remarked = sheet.replace("[sheet]", "[sheet]\n# a comment")
    yield Parser("winston84 sheet", Sheet.from_toml, (sheet, remarked), Sheet.to_toml)


def _pieces() -> Iterator[Parser]:
    """Boards, cards, dogs; and a line of JSON."""
    from exactplay.common.plain import read_object
    from exactplay.rules import winner, winston_dogs
    from exactplay.rules.walk_the_dogs.pieces import read_cards, read_dogs
    from exactplay.rules.winkeladvokat import Board

    boards = tuple(
        "values = [\n" + ",\n".join(str(list(board.values[at : at + size])) for at in range(0, size**2, size)) + "\n]\n"
        for size, board in ((size, Board.rings(size)) for size in (3, 8))
    )
    yield Parser("winkeladvokat board", Board.from_toml, boards)
    yield Parser("winner card", winner.Card.parse, ("3D", "TC", "BJ", "rj"), str)
    yield Parser("winner cards", winner.parse_cards, ("3D 4C TH", "BJ RJ 2S"))
    yield Parser("winston_dogs cards", winston_dogs.parse_cards, ("Bb Bh Kb", "kh"))
    yield Parser("walk_the_dogs cards", read_cards, ("g1 bo", "g1,r2,le"))
    yield Parser("walk_the_dogs dogs", lambda text: read_dogs(text, "line"), ("PSO", "-"))
    yield Parser("JSON line", read_object, ('{"position": "start", "played": []}', '{"hands": ["3D", "4D"], "turn": 0}'))


def _files(folder: Path) -> Iterator[Parser]:
    import numpy as np

    from exactplay.cli import batch
    from exactplay.cli.record import Record
    from exactplay.rules.winkeladvokat import Board, State
    from exactplay.rules.winston84 import Sheet
    from exactplay.solvers import tables
    from exactplay.solvers.limits import Limits
    from exactplay.solvers.winkeladvokat import solve
    from exactplay.solvers.winston84 import structure

    path = folder / "given"

    def at_path(
        read: Callable[[Path], Any], seal: Callable[[bytes], bytes] = lambda content: content
    ) -> Callable[[bytes], Any]:
        def at(content: bytes) -> Any:
            path.unlink(missing_ok=True)  # an open map of the file keeps its old content
            path.write_bytes(seal(content))
            return read(path)

        return at

    sheet = Sheet.load("reference").to_toml().encode()
    yield Parser("file: sheet", at_path(Sheet.load), (sheet, sheet.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + sheet))
    tables.write(
        path, "outer", {"sheet": "x", "level": 1}, {"values": np.arange(40.0).reshape(2, 4, 5), "key": np.arange(9)}
    )
    table = path.read_bytes()

    def read_table(at: Path) -> list[bytes]:
        return [array.tobytes() for array in tables.read(at, "outer", {"sheet": "x"}).values()]

    def remade(at: Path) -> Any:
        given = {"values": np.arange(3.0)}
        arrays = structure.cached(at, "outer", {"sheet": "x"}, lambda: given)
        if arrays is not given and set(arrays) != {"values", "key"}:
            raise Wrong(f"{at} is taken for a table with {list(arrays)}")
        return tables.read(at, "outer", {"sheet": "x"} if arrays is not given else {}).keys()

    boards = (b"values = [[0, 2, 0], [2, 4, 2], [0, 2, 0]]\n", b"values = [\n[0, 1, 0],\n[1, 7, 1],\n[0, 1, 0]]\n")
    yield Parser("file: board", at_path(Board.load), boards)
    yield Parser("file: table", at_path(read_table), (table,))
    yield Parser("file: table in the cache, made anew", at_path(remade), (table,))
    yield Parser("file: table, sealed again", at_path(read_table, _seal_table), (table,))
    state = State.parse("2R/3/B2 b 25,25 0,0")
    path.unlink()
    solve(state, checkpoint=path, limits=Limits(memory_mb=1))
    checkpoint = path.read_bytes()

    def read_checkpoint(at: Path) -> Any:
        return solve(state, checkpoint=at, limits=Limits(memory_mb=1, nodes=1)).verdict

    yield Parser("file: checkpoint", at_path(read_checkpoint), (checkpoint, checkpoint[:400]), slow=True)
    header, entries = checkpoint.split(b"\n", 1)
    reheaded = at_path(read_checkpoint, lambda content: content.replace(b"\n", b" ") + b"\n" + entries)
    yield Parser("file: checkpoint, its header", reheaded, (header,))
    record = json.dumps({"game": "winner", "setup": {"seat": 0}, "moves": ["3D", "pass"]}).encode()
    yield Parser("file: saved game", at_path(lambda at: Record.load(at, "winner")), (record,))
    header_line = batch.header_of([(1, "start"), (2, "x")], {}, lambda line: ())
    answers = ('{"value": 1}', '{"value": 2}')
    sealed = "".join(f"{batch.seal(header_line, at, text)} {text}\n" for at, text in enumerate(answers))
    half = f"{header_line}\n{sealed}".encode()

    def resumed(at: Path) -> list[str]:
        with contextlib.redirect_stderr(io.StringIO()):
            kept = batch.kept(at, header_line)
        if kept != list(answers[: len(kept)]):
            raise Wrong(f"{kept} is taken up, which nobody answered")
        return kept

    yield Parser("file: batch, half done", at_path(resumed), (half,))


def _seal_table(content: bytes) -> bytes:
    """The content of a table file with the checksum that fits it."""
    return content[:16] + hashlib.sha256(content[48:]).digest() + content[48:]


def _certificates() -> Iterator[Parser]:
    from exactplay.certificates import Certificate, check_content
    from exactplay.certificates.round_graph import RoundGraph
    from exactplay.certificates.winston84 import Table, check_table
    from exactplay.rules import walk_the_dogs, winkeladvokat, winner, winston_dogs
    from exactplay.rules.winston84 import Detour, Difficulty, Place, Rules, Sheet, State
    from exactplay.solvers.walk_the_dogs.certificate import certify as certify_walk
    from exactplay.solvers.winkeladvokat.certificate import certify as certify_winkeladvokat
    from exactplay.solvers.winner.certificate import certify as certify_winner
    from exactplay.solvers.winston84.certificate import certify as certify_winston84
    from exactplay.solvers.winston_dogs.certificate import certify as certify_dogs

    examples = tuple(
        certificate.to_bytes()
        for certificate in (
            certify_winkeladvokat(winkeladvokat.State.parse("2R/3/B2 b 25,25 0,0")),
            certify_winner(winner.State.parse("3D 4D 9S | 5D 6H; turn 0")),
            certify_dogs(winston_dogs.State.parse("hands Bb Bh Kb | Kh Kb Ob; table -; pile -; turn 0")),
            certify_walk(walk_the_dogs.State.parse("middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0")),
        )
    )

    def check(content: bytes) -> Any:
        return check_content(Certificate.from_bytes(content), sample=1)

    yield Parser("file: certificate", check, examples)
    yield Parser("file: certificate, sealed again", lambda content: check(_seal_certificate(content)), examples, slow=True)
    # Every round of this sheet has the same five dice, so that one walk does for all altered tables.
    sheet = Sheet(
        name="purple", provenance="measured", route="P" * 9, detour=Detour(after=9, skip=0, boxes="P"),
        golden_country=(5, 1, 7, 3), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
    )
    place = Place(7, 4, 1, True)
    table = certify_winston84(State.resume(sheet, Difficulty(3), place, Rules(failed_round_rechecks_zone=True)))
    graph = RoundGraph()
    graph.visit(Table.of(table).opening(place))

    def check_places(content: bytes) -> Any:
        return check_table(Certificate.from_bytes(_seal_certificate(content)), sample=1, graph=graph)

    yield Parser("file: certificate of a table, sealed again", check_places, (table.to_bytes(),), slow=True)


def _seal_certificate(content: bytes) -> bytes:
    """The content of a certificate with the digest that fits it."""
    end = content.find(b"\n") + 1
    head, body = content[:end], content[end + 32 :]
    return head + hashlib.sha256(head + body).digest() + body


def _bodies(loop: asyncio.Runner) -> Iterator[Parser]:
    """The quick operations of the API, each behind the application that the server runs."""
    from bench.verify.web import SEEDS

    try:
        import httpx

        from exactplay.web.app import create_app
    except ImportError:
        print("the API is left out: pip install 'exactplay[web]' httpx", file=sys.stderr)
        return
    client = httpx.AsyncClient(transport=httpx.ASGITransport(create_app()), base_url="http://127.0.0.1")
    played = {"winkeladvokat": "a1-a2-b2", "winner": "3D", "winston_dogs": "Bb Bh", "walk_the_dogs": "g1:SP"}

    def post(where: str) -> Callable[[Any], None]:
        def ask(body: Any) -> None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            answer = loop.run(client.post(where, content=content, headers={"content-type": "application/json"}))
            if answer.status_code >= 500 or (answer.status_code >= 400 and set(answer.json()) != {"error"}):
                raise Wrong(f"{where} answers {answer.status_code} {answer.text[:200]!r} to {content[:300]!r}")
            if answer.status_code >= 400:
                raise Refused(answer.json()["error"])

        return ask

    for game, move in played.items():
        positions = [
            value for value in SEEDS["position"] if value and _reads(post(f"/api/{game}/parse"), {"position": value})
        ]
        bodies = tuple(
            {"position": value} if game == "winston_dogs" else {"position": value, "rules": {}} for value in positions
        )
        yield Parser(f"body: {game} parse", post(f"/api/{game}/parse"), bodies, slow=True)
        yield Parser(
            f"body: {game} play", post(f"/api/{game}/play"), tuple(body | {"played": [move]} for body in bodies), slow=True
        )
        raw = tuple(json.dumps(body).encode() for body in bodies)
        yield Parser(f"body: {game} parse, as bytes", post(f"/api/{game}/parse"), raw, slow=True)
    steps = (
        {
            "dice": "R5 G3 B2 W4 Y1 P6",
            "difficulty": 1,
            "round": 0,
            "box": 0,
            "marks": 0,
            "fresh": False,
            "sheet": "reference",
        },
    )
    yield Parser("body: winston84 parse", post("/api/winston84/parse"), steps, slow=True)
    game84 = ({"steps": ["R5 G3 B2 W4 Y1 P6", "P>R"], "step": "G:BWY", "objective": "score", "difficulty": 1},)
    yield Parser("body: winston84 play", post("/api/winston84/play"), game84, slow=True)


def _settings() -> Iterator[Parser]:
    """The settings of the games inside other frameworks."""
    from exactplay.adapters.steps import table
    from exactplay.rules.contract import quoted

    given: dict[str, tuple[dict[str, Any], ...]] = {
        "winston84": (
            {"sheet": "reference", "difficulty": 2, "objective": "at-least:500", "start": "R6 box 3 marks 0"},
            {"objective": "win", "start": "R6 box 3 marks 0 | R5 G3 B2 W4 Y1 P6", "purple_alone_ok": True},
        ),
        "winkeladvokat": ({"players": 3, "size": 5}, {"start": "3R/1r2/1b2/B3 b 2,2 0,0", "end_check": "on_turn"}),
        "winner": ({"players": 3, "hands": "open", "objective": "place"}, {"start": "3D 4D 9S | 5D 6H; turn 0"}),
        "winston_dogs": ({"players": 4, "hands": "hidden"}, {"start": "hands Bb | Kh Kb; table -; pile Ob; turn 0"}),
        "walk_the_dogs": (
            {"players": 2, "objective": "outcome"},
            {"start": "middle=PSO lines=S/O hands=g1,y/g1,r2 deck=- turn=0", "advanced": True},
        ),
    }
    for game, examples in given.items():

        def begin(options: Any, game: str = game) -> object:
            try:
                return table(game, **options).begin()
            except OSError as error:  # documented: a sheet or a board may be a file
                raise Refused(f"{quoted(str(error.filename))}: {error.strerror}") from None

        yield Parser(f"settings: {game}", begin, examples)


class Refused(ValueError):
    """A refusal of the API; its line stands where that of a reader's error would."""

    __module__ = "exactplay.web"


def _reads(read: Callable[[Any], Any], given: Any) -> bool:
    try:
        read(given)
    except ValueError:
        return False
    return True


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    # What cli/record.py lets through.
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
