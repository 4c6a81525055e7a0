"""Certificates: what is certified holds, what is tampered with is refused or caught, and the checker stands alone."""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
import random
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from exactplay.certificates import (
    BadCertificate,
    Certificate,
    Checked,
    CheckedTable,
    Table,
    WrongCertificate,
    check,
    check_content,
)
from exactplay.certificates.proof import (
    AT_LEAST,
    AT_MOST,
    Question,
    Reader,
    Recorder,
    certificate_of,
    sides,
    walk,
)
from exactplay.certificates.round_graph import RoundGraph
from exactplay.certificates.winston84 import check_table
from exactplay.cli import main
from exactplay.rules import walk_the_dogs, winkeladvokat, winner, winston_dogs
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import Detour, Difficulty, Objective, Place, Rules, Sheet
from exactplay.rules.winston84.journey import after_round
from exactplay.solvers import proofs
from exactplay.solvers import walk_the_dogs as walk_solver
from exactplay.solvers import winkeladvokat as winkeladvokat_solver
from exactplay.solvers import winner as winner_solver
from exactplay.solvers import winston_dogs as dogs_solver
from exactplay.solvers.result import Exact
from exactplay.solvers.walk_the_dogs.certificate import certify as certify_walk
from exactplay.solvers.winkeladvokat.certificate import certify as certify_winkeladvokat
from exactplay.solvers.winner.certificate import certify as certify_winner
from exactplay.solvers.winston84 import solve as solve_winston84
from exactplay.solvers.winston84.certificate import certify as certify_winston84
from exactplay.solvers.winston_dogs.certificate import certify as certify_dogs

WINKELADVOKAT = "r1b1r3/rbbb2bb/R1r1bb1b/2r3b1/1b1b1b1B/r1r1b2b/rr1r2r1/r2r1r2 b 7,8 3,3"
TWELVE_EMPTIES = "bbb1br/rb1rB1/brrr1r/b1r2b/r1rrbb/R4b b 14,14 0,0"
WINNER = "3C 6D 8D 8C JS AS | 8S 9C 9H TH JH BJ; turn 1; idle 0 1"
WINNER_SCORE = "3C 6D 8D 8C AS | 9H TH TS 2H BJ; turn 1; idle 0 1; rules end=first_out"
INTO_HAND = "4C 5C 5S 7S QC | 9S TH TS KC 2S; turn 0; idle 0 1; rules fours=into_hand"
DOGS = (
    "hands Bh Kb Kb Kh Sb | Bb Gb Kh Wb Wh; table Gh Wb Obb Sb; pile Sh Sb; turn 0; longest 6; shortest 2; bone 1; poo 1; "
    "points 31 55; skips 0"
)
WALK = (
    "middle=SGSBSO lines=GPGSCGBDCDSODCBDOGDPCBCGB/CGCPBGBSODDSPDPDPSCCPOPB hands=g1,g1/g1,r1 "
    "deck=y,y,y,r3,r1,r3,r3,g3,r1,r1,y,y turn=1 phase=draw bones=0/5"
)


@functools.cache
def certificates() -> dict[str, tuple[Certificate, int]]:
    """A certificate of each kind with the value that the solver prints."""

    def value(result: Any) -> int:
        found = result.verdict.value
        assert isinstance(found, int)
        return found

    board = winkeladvokat.State.parse(WINKELADVOKAT)
    free = winkeladvokat.State.parse(
        "2r1/1R2/2B1/b3 b 1,1 0,0",
        winkeladvokat.Rules(empty_supply="moves_without_placing", captured_value="square"),
    )
    cards, points = winner.State.parse(WINNER), winner.State.parse(WINNER_SCORE)
    hands, dogs = winner.State.parse(INTO_HAND), winston_dogs.State.parse(DOGS)
    line = walk_the_dogs.State.parse(WALK)
    return {
        "winkeladvokat": (certify_winkeladvokat(board), value(winkeladvokat_solver.solve(board))),
        "winkeladvokat without placing": (certify_winkeladvokat(free), value(winkeladvokat_solver.solve(free))),
        "winner": (certify_winner(cards), value(winner_solver.solve(cards))),
        "winner score": (certify_winner(points, "score"), value(winner_solver.solve(points, "score"))),
        "winner into hand": (certify_winner(hands), value(winner_solver.solve(hands))),
        "dogs": (certify_dogs(dogs), value(dogs_solver.solve(dogs))),
        "walk": (certify_walk(line), value(walk_solver.solve(line))),
        "walk outcome": (certify_walk(line, "outcome"), value(walk_solver.solve(line, "outcome"))),
    }


PROOFS = (
    "winkeladvokat", "winkeladvokat without placing", "winner", "winner score", "winner into hand", "dogs", "walk",
    "walk outcome",
)


def altered(certificate: Certificate, sections: dict[str, bytes] | None = None, **about: Any) -> Certificate:
    """The certificate with other entries, as a forger would write it: with a digest that fits."""
    changed = {**certificate.about, **about}
    return Certificate.from_bytes(
        Certificate(certificate.game, changed, {**certificate.sections, **(sections or {})}).to_bytes()
    )


# ------------------------------------------------------------------ what is certified holds


@pytest.mark.parametrize("kind", PROOFS)
def test_certificates_hold_and_say_the_solvers_value(kind: str, tmp_path: Path) -> None:
    certificate, value = certificates()[kind]
    path = tmp_path / "folder" / "proof.cert"
    assert certificate.write(path) == path.stat().st_size
    assert [entry.name for entry in path.parent.iterdir()] == ["proof.cert"]
    checked = check(path)
    assert isinstance(checked, Checked)
    assert (checked.low, checked.high) == (value, value)
    assert f"{value} (exact)" in checked.lines()[0]
    assert json.loads(json.dumps(checked.to_json()))["low"] == value
    assert set(checked.walked) == set(certificate.sections)


def test_an_endgame_with_twelve_empty_squares() -> None:
    state = winkeladvokat.State.parse(TWELVE_EMPTIES)
    assert state.squares.count(".") == 12
    checked = check_content(certify_winkeladvokat(state))
    assert isinstance(checked, Checked)
    assert checked.low == checked.high == 5
    assert sum(walked.positions for walked in checked.walked.values()) > 1_000


def test_a_finished_game_needs_no_proof() -> None:
    state = winkeladvokat.State.parse("R1r/rb1/Bb1 b 0,3 1,0")
    assert state.to_move == OVER
    certificate = certify_winkeladvokat(state)
    assert certificate.sections == {}
    checked = check_content(certificate)
    assert isinstance(checked, Checked)
    assert checked.low == checked.high == state.scores()[0] - state.scores()[1]
    with pytest.raises(BadCertificate, match="needs"):
        check_content(altered(certificate, low=checked.low - 1, high=checked.high - 1))


def test_bounds_alone_can_be_certified() -> None:
    certificate, value = certificates()["winkeladvokat"]
    checked = check_content(altered(certificate, low=value - 1, high=value + 2))
    assert isinstance(checked, Checked)
    assert f"between {value - 1} and {value + 2}" in checked.lines()[0]


# ------------------------------------------------------------------ files


def test_every_flipped_byte_is_refused() -> None:
    content = certify_winkeladvokat(winkeladvokat.State.initial(3)).to_bytes()
    Certificate.from_bytes(content)
    for position in range(len(content)):
        for flip in (1, 0x80, 0xFF):
            damaged = bytearray(content)
            damaged[position] ^= flip
            with pytest.raises(BadCertificate):
                Certificate.from_bytes(bytes(damaged))


def test_every_truncation_is_refused() -> None:
    content = certify_winkeladvokat(winkeladvokat.State.initial(3)).to_bytes()
    for length in range(len(content)):
        with pytest.raises(BadCertificate) as caught:
            Certificate.from_bytes(content[:length])
        assert "\n" not in str(caught.value)
    with pytest.raises(BadCertificate, match="altered"):
        Certificate.from_bytes(content + b"\0")


def test_a_header_says_everything_once() -> None:
    content = forged(b'{"game": "winner", "low": 1, "low": -1, "high": 1, "sections": {}}')
    with pytest.raises(BadCertificate, match="'low' stands twice"):
        Certificate.from_bytes(content)


def test_another_version_says_so() -> None:
    content = certify_winkeladvokat(winkeladvokat.State.initial(3)).to_bytes()
    with pytest.raises(BadCertificate, match="version b'2'; this exactplay reads version 1"):
        Certificate.from_bytes(content.replace(b"CERTIFICATE 1", b"CERTIFICATE 2", 1))


def forged(header: bytes, rest: bytes = b"", length: int | None = None) -> bytes:
    """A file with any header and a digest that fits."""
    head = b"EXACTPLAY CERTIFICATE 1\n"
    body = (len(header) if length is None else length).to_bytes(4, "little") + header + rest
    return head + hashlib.sha256(head + body).digest() + body


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (forged(b""), "no JSON object"),
        (forged(b"[" * 100_000), "no JSON object"),
        (forged(b'{"game": NaN, "sections": {}}'), "no JSON object"),
        (forged(b'{"game": "winner", "low": 1' + b"0" * 5_000 + b"}"), "no JSON object"),
        (forged(b"\xff\xfe{}"), "no JSON object"),
        (forged(b'{"game": "winner"}'), "no sections"),
        (forged(b'{"game": "winner", "sections": [1]}'), "no sections"),
        (forged(b'{"game": "winner", "sections": {"at least": true}}', b"\0"), "no sections"),
        (forged(b'{"game": "winner", "sections": {"at least": -1}}'), "no sections"),
        (forged(b'{"game": "winner", "sections": {"at least": 1000000000000000}}'), "should hold 1000000000000000 bytes"),
        (forged(b'{"game": "winner", "sections": {"at least": 1}}', b"\0\0"), "should hold 1 bytes and hold 2"),
        (forged(b'{"sections": {}}'), "names no game"),
        (forged(b'{"game": ["winner"], "sections": {}}'), "names no game"),
        (forged(b'{"game": "chess", "sections": {}}'), "knows winston84, winkeladvokat, winner, winston_dogs,"),
        (forged(b'{"game": "winner", "low": 1.0, "sections": {}}'), "must be of type int"),
        (forged(b'{"game": "winner", "low": 0, "high": true, "sections": {}}'), "must be of type int"),
        (forged(b"{}", length=4_000_000_000), "should be 4000000000 bytes long"),
        (forged(b"{}" + b" " * 4_000_000), "too long"),
        (forged(b'{"game": "winner", "low": 1' + b"0" * 99 + b', "high": 1, "sections": {}}'), "further from 0"),
        (forged(b'{"game": "winkeladvokat", "low": 0, "high": 0, "rules": {"end_check": "\\u001b[2J\\n' + b"x" * 9_000
                + b'"}, "board": [], "position": "", "sections": {}}'), r"end_check is '\\x1b\[2J\\nx+\.\.\."),
        (b"", "does not begin with the line"),
        (b"EXACTPLAY CERTIFICATE 1\n", "truncated or altered"),
        (b"\n" * 100, "does not begin with the line"),
    ],
)
def test_hostile_files_are_refused_in_one_line(content: bytes, complaint: str) -> None:
    with pytest.raises(BadCertificate, match=complaint) as caught:
        check_content(Certificate.from_bytes(content))
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.certificates.format._LARGEST_FILE", 1_000)
    path = tmp_path / "large"
    path.write_bytes(b"EXACTPLAY CERTIFICATE 1\n" + bytes(2_000))
    with pytest.raises(BadCertificate, match="larger than 1,000 bytes"):
        check(path)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "proof.cert"
    path.write_bytes(b"before")
    certificate, _ = certificates()["winner"]
    monkeypatch.setattr(Path, "replace", fail_to_replace)
    with pytest.raises(OSError, match="No space left"):
        certificate.write(path)
    assert path.read_bytes() == b"before"
    assert len(list(tmp_path.iterdir())) == 1


def fail_to_replace(self: Path, target: Path) -> Path:
    raise OSError(28, "No space left on device")


# ------------------------------------------------------------------ proofs that are wrong


@pytest.mark.parametrize("kind", PROOFS)
def test_no_altered_step_proves_a_wrong_value(kind: str) -> None:
    """Steps are changed, left out and doubled; what is still accepted says the right value."""
    certificate, value = certificates()[kind]
    rng = random.Random(6)
    caught = 0
    for name, content in certificate.sections.items():
        for place in rng.sample(range(len(content)), min(5, len(content))):
            for other in (content[place] ^ 1, 0):
                caught += is_caught(certificate, {name: content[:place] + bytes([other]) + content[place + 1 :]}, value)
            assert is_caught(certificate, {name: content[:place]}, value)
            caught += is_caught(certificate, {name: content[:place] + content[place + 1 :]}, value)
            assert is_caught(certificate, {name: content + content[place : place + 1]}, value)
    assert caught > 3


def is_caught(certificate: Certificate, sections: dict[str, bytes], value: int) -> bool:
    try:
        checked = check_content(altered(certificate, sections))
    except WrongCertificate as error:
        assert "\n" not in str(error)
        return True
    assert isinstance(checked, Checked)
    assert (checked.low, checked.high) == (value, value)
    return False


@pytest.mark.parametrize("kind", PROOFS)
@pytest.mark.parametrize("off", [-2, -1, 1, 2])
def test_a_changed_value_is_caught(kind: str, off: int) -> None:
    certificate, value = certificates()[kind]
    with pytest.raises((BadCertificate, WrongCertificate)) as caught:
        check_content(altered(certificate, low=value + off, high=value + off))
    if isinstance(caught.value, WrongCertificate):
        assert "the game ends with" in str(caught.value)


def test_swapped_bounds_are_caught() -> None:
    certificate, value = certificates()["dogs"]
    with pytest.raises(BadCertificate, match="no value is both"):
        check_content(altered(certificate, low=value + 1, high=value - 1))
    swapped = {AT_LEAST: certificate.sections[AT_MOST], AT_MOST: certificate.sections[AT_LEAST]}
    with pytest.raises(WrongCertificate):
        check_content(altered(certificate, swapped))
    with pytest.raises(BadCertificate, match="needs"):
        check_content(Certificate(certificate.game, certificate.about, {AT_LEAST: certificate.sections[AT_LEAST]}))


def test_a_dropped_reply_is_named() -> None:
    certificate, value = certificates()["dogs"]
    state = winston_dogs.State.parse(DOGS)
    replies = len(state.legal_moves())
    content = certificate.sections[AT_MOST]  # seat 0 is to move, so this proof answers all of his moves
    assert content[0] == replies
    dropped = {AT_MOST: bytes([replies - 1]) + content[1:]}
    with pytest.raises(WrongCertificate, match=f"beginning: it answers {replies - 1} replies, and there are {replies}"):
        check_content(altered(certificate, dropped))
    # A forger whose walk leaves one reply out, and counts so.
    with pytest.raises(WrongCertificate, match="replies"):
        check_content(altered(certificate, {AT_MOST: forged_without_a_reply(state, value)}))


def forged_without_a_reply(state: winston_dogs.State, value: int) -> bytes:
    from exactplay.certificates.winston_dogs import WinstonDogsQuestion

    def values(at: winston_dogs.State) -> dict[Any, Any]:
        return {move: verdict.value for move, verdict in dogs_solver.solve(at).moves.items() if isinstance(verdict, Exact)}

    choose = proofs.chooser(WinstonDogsQuestion(state), values)
    parts = []
    for move in state.legal_moves()[1:]:
        recorder = Recorder(lambda at, moves: choose(at, moves, -value))
        walk(WinstonDogsQuestion(state.play(move)), 1, -value, recorder)
        parts.append(bytes(recorder.content))
    return bytes([len(parts)]) + b"".join(parts)


def test_a_wrong_move_is_named_with_its_line() -> None:
    certificate, _ = certificates()["dogs"]
    content = certificate.sections[AT_LEAST]
    moves = winston_dogs.State.parse(DOGS).legal_moves()
    with pytest.raises(WrongCertificate, match=f"'at least -18' fails: at the beginning: it plays move .* {len(moves)}"):
        check_content(altered(certificate, {AT_LEAST: bytes([len(moves)]) + content[1:]}))
    other = 0 if content[0] else 1
    with pytest.raises(WrongCertificate, match=f"after {moves[other]}"):
        check_content(altered(certificate, {AT_LEAST: bytes([other]) + content[1:]}))


@pytest.mark.parametrize(
    ("kind", "about", "complaint"),
    [
        ("winkeladvokat", {"position": WINKELADVOKAT.replace(" b ", " r ")}, None),
        ("winkeladvokat", {"position": WINKELADVOKAT.replace("3,3", "3,4")}, None),
        ("winkeladvokat", {"board": [3] * 64}, None),
        ("winkeladvokat", {"board": [2] * 63}, "needs 64 numbers"),
        ("winkeladvokat", {"board": ["2"] * 64}, "must be a whole number"),
        ("winkeladvokat without placing", {"rules": {}}, None),
        ("winkeladvokat", {"rules": {"blocked_when": 3}}, "must be one of"),
        ("winkeladvokat", {"rules": []}, "must be of type dict"),
        ("winkeladvokat", {"position": "R1r1/4/4/B3 b 1,1,1 0,0,0", "board": [2] * 16}, "must have one"),
        ("winkeladvokat", {"position": 5}, "must be of type str"),
        ("winkeladvokat", {"position": ""}, "the size must be 3 to 8"),
        ("winner", {"position": WINNER.replace("BJ", "RJ")}, None),
        ("winner", {"position": "3D | 4D | 5D; turn 0"}, "certificates are for two"),
        ("winner", {"objective": "place"}, "win and score"),
        ("winner", {"objective": "score"}, "end=first_out"),
        ("winner score", {"objective": "win"}, "its header|needs|fails"),
        ("dogs", {"position": DOGS.replace("points 31 55", "points 30 55")}, None),
        ("dogs", {"position": "hands Bb | Bb | Kb; turn 0"}, "certificates are for two"),
        ("walk", {"position": WALK.replace("deck=y", "deck=?y")}, "not known"),
        ("walk", {"position": WALK.replace("bones=0/5", "bones=1/4")}, None),
        ("walk", {"objective": "fun"}, "outcome or points"),
        ("walk", {"seen by": "me"}, "unknown entry 'seen by'"),
    ],
)
def test_another_question_is_caught(kind: str, about: dict[str, Any], complaint: str | None) -> None:
    certificate, _ = certificates()[kind]
    wrong = WrongCertificate if complaint is None else (BadCertificate, WrongCertificate)
    with pytest.raises(wrong, match=complaint):
        check_content(altered(certificate, **about))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "ends before every reply"),
        (b"\x80", "cut off"),
        (b"\x80" * 100, "no writer writes|cut off"),
        (b"\x80\x00", "no writer writes"),
        (b"\xff" * 9 + b"\x01", "no writer writes"),
    ],
)
def test_odd_numbers_are_caught(content: bytes, complaint: str) -> None:
    certificate, _ = certificates()["dogs"]
    with pytest.raises(WrongCertificate, match=complaint):
        check_content(altered(certificate, {AT_LEAST: content}))


# ------------------------------------------------------------------ the walk itself, on games made for it


@dataclasses.dataclass(frozen=True, slots=True)
class Node:
    """A made-up game: a table of successors, of the players to move, and of the values of ends."""

    tree: tuple[tuple[int, ...], ...]
    number: int = 0

    @property
    def to_move(self) -> int:
        return self.number % 2 if self.tree[self.number] else OVER

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(len(self.tree[self.number])))

    def play(self, move: int) -> Self:
        return dataclasses.replace(self, number=self.tree[self.number][move])

    def chance_outcomes(self) -> tuple[Any, ...]:
        return ()

    def scores(self) -> tuple[int, ...]:
        return (self.number * 7 % 11 - 5,)


class NodeQuestion(Question[Any]):
    game: ClassVar[str] = "made up"

    def worth(self, state: Node) -> int:
        return state.scores()[0]

    def about(self) -> dict[str, Any]:
        return {}

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        raise NotImplementedError

    def __str__(self) -> str:
        return "made up"


def node_value(node: Node) -> int:
    if node.to_move == OVER:
        return node.scores()[0]
    values = [node_value(node.play(move)) for move in node.legal_moves()]
    return max(values) if node.to_move == 0 else min(values)


def random_tree(rng: random.Random, size: int = 14) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(rng.choices(range(number + 1, size), k=rng.randint(1, 3))) if number < size - 4 else ()
        for number in range(size)
    )


def test_a_walk_succeeds_exactly_where_the_strategy_wins() -> None:
    """On random graphs, for every threshold and random moves of the prover: accepted means true, and wins are accepted."""
    rng = random.Random(5)
    accepted = 0
    for _ in range(300):
        question = NodeQuestion(Node(random_tree(rng)))
        value = node_value(question.root)
        for name, prover, least in sides(question, value, value):
            sign = 1 if prover == 0 else -1

            def best(state: Node, moves: Sequence[int], sign: int = sign) -> int:
                return max(moves, key=lambda move: sign * node_value(state.play(move)))

            recorder = Recorder(best)
            walk(question, prover, least, recorder)
            reader = Reader(bytes(recorder.content))
            walk(question, prover, least, reader)
            reader.require_end()
            assert name in (AT_LEAST, AT_MOST)
            for threshold in (least - 1, least, least + 1):
                try:
                    walk(question, prover, threshold, Recorder(lambda state, moves: rng.choice(moves)))
                except WrongCertificate:
                    continue
                accepted += 1
                assert threshold <= least
    assert accepted > 100


def test_a_line_of_many_thousand_plies_needs_no_recursion() -> None:
    length = 20_000
    chain = (*((number + 1,) for number in range(length)), ())
    question = NodeQuestion(Line(chain))
    value = question.worth(Line(chain, length))
    certificate = certificate_of(question, value, value, {})
    for name, prover, least in sides(question, value, value):
        recorder = Recorder(lambda state, moves: 0)
        assert walk(question, prover, least, recorder).positions == length
        assert len(recorder.content) == length
        with pytest.raises(WrongCertificate, match="ends before every reply") as caught:
            walk(question, prover, least, Reader(bytes(recorder.content[:-1])))
        assert len(str(caught.value)) < 500
        assert name not in certificate.sections


class Line(Node):
    """As a Node, but hashed by its number alone, for long lines."""

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and other.number == self.number

    def __str__(self) -> str:
        return str(self.number)


def test_a_position_that_comes_back_is_no_proof() -> None:
    """Two positions that lead to each other: no finite proof, however many steps the file has."""
    question = NodeQuestion(Node(((1,), (0,), ())))
    with pytest.raises(WrongCertificate, match="ends before"):
        walk(question, 0, 0, Reader(bytes([0, 1] * 500)))


@pytest.mark.parametrize("to_move", [0, 1, CHANCE])
def test_a_position_without_moves_proves_nothing(to_move: int) -> None:
    """Rules that end no game where they should: "every reply is answered" must not hold because there are none."""
    question = NodeQuestion(Stuck(((),), mover=to_move))
    for prover in (0, 1):
        for number in (0, 1):
            with pytest.raises(WrongCertificate, match="no legal move"):
                walk(question, prover, 99, Reader(bytes([number])))


@dataclasses.dataclass(frozen=True)
class Stuck(Node):
    """A position in which somebody is to move, and cannot."""

    mover: int = 0

    @property
    def to_move(self) -> int:
        return self.mover


def test_a_proof_has_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.certificates.proof.MOST_STEPS", 10)
    question = NodeQuestion(Node(((1,), (0,), ())))
    with pytest.raises(WrongCertificate, match="more than 10 steps"):
        walk(question, 0, 0, Reader(bytes([0, 1] * 500)))
    monkeypatch.setattr("exactplay.solvers.proofs.MOST_STEPS", 10)
    with pytest.raises(proofs.NotProven, match="more than 10 steps, which no check follows"):
        certify_dogs(winston_dogs.State.parse(DOGS))


@pytest.mark.parametrize(("cards", "rules"), [(1, ""), (2, "; rules decks=2")])
def test_millions_of_moves_are_not_listed(cards: int, rules: str) -> None:
    """A file of a few hundred bytes must not cost more than a moment."""
    hand = " ".join(f"{rank}{suit}" for rank in "3456789TJQKA2" for suit in "DCHS" for _ in range(cards))
    about = {"position": f"{hand} BJ | RJ; turn 0{rules}", "objective": "win", "low": 0, "high": 0}
    with pytest.raises(WrongCertificate, match="more than 100,000 legal moves"):
        check_content(Certificate("winner", about, {"at least": b"\0", "at most": b"\0"}))


def test_an_end_is_told_as_the_bound_is() -> None:
    question = NodeQuestion(Node(((1,), ())))
    for prover, bound in ((0, "at least 99"), (1, "at most -99")):
        proof = bytes([int(question.root.to_move != prover)])
        with pytest.raises(WrongCertificate, match=f"the game ends with -?[0-9]+, not with {bound} "):
            walk(question, prover, 99, Reader(proof))


# ------------------------------------------------------------------ what cannot be certified


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: certify_winkeladvokat(winkeladvokat.State.initial(4, 3)), "certificates are for two"),
        (lambda: certify_winkeladvokat(winkeladvokat.State.initial(8), seconds=0.2), "between|unknown|CPU seconds"),
        (lambda: certify_winner(winner.State.parse("3D | 4D | 5D; turn 0")), "certificates are for two"),
        (lambda: certify_winner(winner.State.parse(WINNER), "score"), "end=first_out"),
        (lambda: certify_dogs(winston_dogs.State.parse("hands Bb | Bb | Kb; turn 0")), "certificates are for two"),
        (lambda: certify_walk(walk_the_dogs.State.parse(WALK.replace("deck=y", "deck=?y"))), "not known"),
    ],
)
def test_what_is_not_supported_is_refused(ask: Callable[[], Certificate], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        ask()
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ Winston 1984

# Every box is a zone that takes Purple, and a round that marks nothing takes it again: every round has five dice, and all
# of their positions are walked in a second or two.
SHEET = Sheet(
    name="purple", provenance="measured", route="P" * 9, detour=Detour(after=9, skip=0, boxes="P"),
    golden_country=(5, 1, 7, 3), big_brother=(30, 20, 35, 0), rounds=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)
RULES = Rules(failed_round_rechecks_zone=True)
START = Place(7, 4, 1, True)


@functools.cache
def table_certificate(objective: str = "score") -> Certificate:
    return certify_winston84(solve_winston84(SHEET, Difficulty(3), Objective.parse(objective), RULES), START)


@functools.cache
def walked() -> RoundGraph:
    graph = RoundGraph()
    graph.visit(Table.of(table_certificate()).opening(START))
    return graph


def check_quickly(certificate: Certificate, sample: int | None = None) -> CheckedTable:
    return check_table(certificate, sample=sample, graph=walked())


def test_a_table_holds(tmp_path: Path) -> None:
    path = tmp_path / "table.cert"
    table_certificate().write(path)
    checked = check(path)
    assert isinstance(checked, CheckedTable)
    assert checked.complete
    assert checked.checked == len(checked.table.values) > 5
    assert checked.pairs == 7_776 * checked.checked
    assert checked.relative_residual < 1e-13
    assert checked.error_bound is not None
    # No double is the mean of thousands of others to the last digit, whatever the residual says.
    assert 2 * (checked.residual + 6**5 * 2.0**-53 * checked.scale) < checked.error_bound < 1e-8 * checked.table.value
    assert "(checked)" in checked.lines()[0]
    assert "all" in checked.lines()[1]
    assert "the certificate's own" in checked.lines()[4]
    assert json.loads(json.dumps(checked.to_json()))["complete"] is True


def test_all_outer_states_of_a_small_sheet_hold() -> None:
    """From the second round on: before the first box Purple is in play too, and six dice take the reference a minute."""
    solution = solve_winston84(SHEET, Difficulty(3), Objective("score"), RULES)
    begin = Place(2, 1, 0, True)
    reached, ahead = {begin}, [begin]
    while ahead:
        place = ahead.pop()
        for result in range(10):  # the route has nine boxes
            after = after_round(SHEET, Difficulty(3), RULES, place, result)
            if isinstance(after, Place):
                after = dataclasses.replace(after, marks=min(after.marks, 3))  # further ones change no score
                ahead += {after} - reached
                reached.add(after)
    certificate = certify_winston84(solution, begin)
    checked = check_quickly(certificate)
    assert checked.complete
    assert set(checked.table.values) == reached
    assert checked.checked == len(reached) > 50
    last = max(reached, key=lambda place: (place.round, place.box))
    values = {**checked.table.values, last: checked.table.values[last] * (1 + 1e-8)}
    forged = dataclasses.replace(checked.table, values=values)
    with pytest.raises(WrongCertificate, match="the value of"):
        check_quickly(forged.to_certificate())


@pytest.mark.parametrize("objective", ["score", "win", "at-least:100"])
def test_objectives_hold(objective: str) -> None:
    assert check_quickly(table_certificate(objective)).complete


def test_a_sample_says_that_it_is_one() -> None:
    checked = check_quickly(table_certificate(), sample=2)
    assert (checked.checked, checked.complete, checked.error_bound) == (2, False, None)
    assert "2 of" in checked.lines()[1]
    assert "seed 84" in checked.lines()[1]
    assert "taken on trust" in checked.lines()[3]


def test_a_table_forged_outside_the_sample_is_not_called_proven() -> None:
    """The places of the sample are known from the seed: whoever forges the others makes any value pass, and it says so."""
    table = Table.of(table_certificate())
    honest = check_quickly(table_certificate(), sample=1)
    raised = {place: value + 50.0 for place, value in table.values.items() if place.round > START.round}
    forged_values = {**table.values, **raised}
    rows = [
        dataclasses.replace(table, values=forged_values).leads_to(START, result)
        for result in range(37)
    ]
    opening = walked().visit(table.opening(START))
    forged_values[START] = float(walked().values(np.array([rows], float).T)[opening, 0])
    certificate = dataclasses.replace(table, values=forged_values).to_certificate()
    checked = check_quickly(certificate, sample=1)
    assert checked.table.value > honest.table.value + 1.0
    assert "not proven" in checked.lines()[0]
    assert "tampered with" in checked.lines()[3]
    with pytest.raises(WrongCertificate, match="the value of"):
        check_quickly(certificate)


def test_a_value_that_rounding_can_have_made_is_not_called_proven() -> None:
    """Beside a score of 10^12 a hundred more or less pass for rounding."""
    checked = check_quickly(table_certificate())
    assert checked.proven
    beside = dataclasses.replace(checked, scale=1e12, residual=60.0)
    assert beside.complete
    assert not beside.proven
    assert "(not proven, beside values of 1.0e+12 rounding leaves a doubt of 1.4e+02)" in beside.lines()[0]
    assert (beside.to_json()["proven"], checked.to_json()["proven"]) == (False, True)


def test_every_changed_value_is_caught() -> None:
    table = Table.of(table_certificate())
    for place, value in table.values.items():
        for other in (math.nextafter(value, math.inf) + 1e-7 * abs(value), value * (1 - 1e-7), -value, 0.0):
            values = {**table.values, place: other}
            with pytest.raises(WrongCertificate, match="the value of"):
                check_quickly(dataclasses.replace(table, values=values).to_certificate())


def test_a_missing_place_is_caught_even_by_a_sample() -> None:
    table = Table.of(table_certificate())
    for place in list(table.values)[1:]:
        values = {other: value for other, value in table.values.items() if other != place}
        with pytest.raises(WrongCertificate, match="which its table lacks"):
            check_quickly(dataclasses.replace(table, values=values).to_certificate(), sample=1)


@pytest.mark.parametrize(
    "about",
    [
        {"sheet": dataclasses.replace(SHEET, golden_country=(5, 1, 7, 4)).to_toml()},
        {"sheet": dataclasses.replace(SHEET, rounds=(9, 8, 7, 6, 5, 4, 3, 2, 0)).to_toml()},
        {"sheet": dataclasses.replace(SHEET, route="P" * 10).to_toml()},
        {"objective": "win"},
        {"difficulty": 5},
        {"rules": {"failed_round_rechecks_zone": True, "purple_alone_ok": True, "room101_is_placed": True}},
    ],
)
def test_another_sheet_or_question_is_caught(about: dict[str, Any]) -> None:
    certificate = altered(table_certificate(), **about)
    with pytest.raises(WrongCertificate):
        # Other rules have other positions, which have to be walked anew.
        check_table(certificate, graph=None if "rules" in about else walked())


@pytest.mark.parametrize(
    ("about", "sections", "complaint"),
    [
        ({"value": 1.0}, {}, "it says 1.0, and its table has"),
        ({"value": 1}, {}, "must be of type float"),
        ({"difficulty": 6}, {}, "must be 1, 2, 3, 4 or 5"),
        ({"sheet": "nonsense"}, {}, "not TOML"),
        ({"place": "R7 box 5 marks 1 fresh"}, {}, "does not begin with"),
        ({"place": "R99 box 5 marks 1"}, {}, "must be"),
        ({"objective": "fun"}, {}, "unknown"),
        ({}, {"places": b""}, "each place needs 8 and 8"),
        ({}, {"places": b"", "values": b""}, "does not begin with"),
        ({}, {"places": bytes(7), "values": bytes(7)}, "each place needs 8 and 8"),
        ({}, {"places": bytes(8), "values": bytes(8)}, "round is 0"),
        ({}, {"places": bytes(8 * 400_000), "values": bytes(8 * 400_000)}, "no sheet has more than 360,000"),
        ({}, {"more": b""}, "it has the sections"),
        ({"more": 1}, {}, "unknown entry 'more'"),
    ],
)
def test_odd_tables_are_refused(about: dict[str, Any], sections: dict[str, bytes], complaint: str) -> None:
    with pytest.raises((BadCertificate, WrongCertificate), match=complaint):
        check_content(altered(table_certificate(), sections, **about))


def test_values_that_are_no_numbers_and_places_out_of_order_are_refused() -> None:
    certificate = table_certificate()
    places, values = certificate.sections["places"], certificate.sections["values"]
    for odd in (math.nan, math.inf):
        with pytest.raises(BadCertificate, match="which is no number"):
            check_quickly(altered(certificate, {"values": values[:-8] + struct.pack("<d", odd)}))
    with pytest.raises(BadCertificate, match="out of order"):
        check_quickly(altered(certificate, {"places": places[:8] + places[16:24] + places[8:16] + places[24:]}))
    with pytest.raises(BadCertificate, match="out of order"):
        check_quickly(altered(certificate, {"places": places[:16] + places[8:16] + places[24:]}))


def test_an_interrupted_check_tells_how_far_it_got(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(text: str) -> None:
        if "places checked" in text:
            raise KeyboardInterrupt

    monkeypatch.setattr("exactplay.certificates.winston84._LANES", 2)
    checked = check_table(table_certificate(), sample=None, graph=walked(), progress=interrupt)
    assert checked.interrupted
    assert 0 < checked.checked < len(checked.table.values)
    assert "until the interruption" in checked.lines()[1]


# ------------------------------------------------------------------ the checker stands alone; the command line


def test_the_checker_runs_without_core_and_solvers(tmp_path: Path) -> None:
    path = tmp_path / "proof.cert"
    certificates()["walk"][0].write(path)
    program = (
        "import sys\n"
        "for name in ('exactplay.cython_core', 'exactplay.solvers', 'exactplay.cli', 'typer', 'rich', 'platformdirs'):\n"
        "    sys.modules[name] = None\n"
        "sys.argv = ['check', sys.argv[1]]\n"
        "from exactplay.certificates.__main__ import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "(exact)" in done.stdout
    path.write_bytes(path.read_bytes()[:-1])
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run the command line in this process; the output, or with another exit code the one line of the error."""

    def command(*arguments: str | Path, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["exactplay", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, err + out
        if not code:
            return out
        assert err.startswith("exactplay: ")
        assert err.count("\n") == 1
        return err

    return command


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["winkeladvokat", "start", "--size", "4"], 2),
        (["winkeladvokat", "start", "--size", "4", "--rule", "start_corners=adjacent"], 2),
        (["winner", WINNER, "--objective", "win"], -1),
        (["winner", WINNER_SCORE, "-o", "score"], -30),
        (["dogs", DOGS], -18),
        (["walk", WALK], -22),
        (["walk", WALK, "--objective", "outcome"], -1),
    ],
)
def test_certify_and_check(run: Callable[..., str], tmp_path: Path, arguments: list[str], value: int) -> None:
    path = tmp_path / "proof.cert"
    told = json.loads(run("certify", *arguments, "--out", path, "--json"))
    assert told["bytes"] == path.stat().st_size
    assert f"value {told['value']}," in run("certify", *arguments, "--out", path)
    assert f"{told['value']} (exact)" in run("check", path)
    assert json.loads(run("check", path, "--json"))["low"] == told["value"] == value


def test_exit_codes(run: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "proof.cert"
    certificate, value = certificates()["dogs"]
    altered(certificate, low=value + 1, high=value + 1).write(path)
    assert "wrong" in run("check", path, code=1)
    path.write_bytes(certificate.to_bytes()[:-1])
    assert "truncated or altered" in run("check", path, code=2)
    assert "No such file" in run("check", tmp_path / "none", code=2)
    assert run("check", tmp_path, code=2)
    assert "certificates are for win and score" in run("certify", "winner", WINNER, "-o", "place", "--out", path, code=2)
    assert "no regular file" in run("certify", "dogs", DOGS, "--out", tmp_path, code=2)
    assert run("certify", "winkeladvokat", "nonsense", "--out", path, code=2)
    assert run("certify", "winkeladvokat", "start", "--seconds", "0.1", "--out", tmp_path / "new", code=2)
    assert not (tmp_path / "new").exists()


def test_a_table_on_the_command_line(run: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sheet, path = tmp_path / "purple.toml", tmp_path / "table.cert"
    sheet.write_text(SHEET.to_toml())
    told = run(
        "certify", "winston84", "--sheet", sheet, "--difficulty", "3", "--rule", "failed_round_rechecks_zone=true",
        "--round", "8", "--box", "7", "--marks", "1", "--fresh", "--out", path,
    )
    assert "winston84, value" in told
    shown = run("check", path, "--complete")
    assert "R8 box 7 marks 1 fresh before the roll, score" in shown
    assert "all 1 places" in shown
    assert "give one of the two" in run("check", path, "--complete", "--sample", "5", code=2)
