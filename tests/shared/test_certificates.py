"""Certificates: what is certified holds, what is tampered with is refused or caught, and the checker stands alone."""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from exactplay.certificates import BadCertificate, Certificate, Checked, WrongCertificate, check, check_content
from exactplay.certificates.proof import AT_LEAST, AT_MOST, Question, Reader, Recorder, sides, walk
from exactplay.rules.contract import CHANCE, OVER
from tests.shared.command import ran, refused

WINNER = "3C 6D 8D 8C JS AS | 8S 9C 9H TH JH BJ; turn 1; idle 0 1"
DOGS = (
    "hands Bh Kb Kb Kh Sb | Bb Gb Kh Wb Wh; table Gh Wb Obb Sb; pile Sh Sb; turn 0; longest 6; shortest 2; bone 1; poo 1; "
    "points 31 55; skips 0"
)
WALK = (
    "middle=SGSBSO lines=GPGSCGBDCDSODCBDOGDPCBCGB/CGCPBGBSODDSPDPDPSCCPOPB hands=g1,g1/g1,r1 "
    "deck=y,y,y,r3,r1,r3,r3,g3,r1,r1,y,y turn=1 phase=draw bones=0/5"
)


@dataclasses.dataclass(frozen=True)
class Case:
    """A position that is certified, under rule options and for an objective of its game, and its value."""

    game: str
    position: str
    value: int
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    objective: str | None = None

    def certify(self, **changed: Any) -> Certificate:
        case = dataclasses.replace(self, **changed)
        state = import_module(f"exactplay.rules.{case.game}").State.parse(case.position, case.options)
        asked = {} if case.objective is None else {"objective": case.objective}
        made: Certificate = import_module(f"exactplay.solvers.{case.game}.certificate").certify(state, **asked)
        return made


CASES = {
    "winkeladvokat": Case("winkeladvokat", "r1b1r3/rbbb2bb/R1r1bb1b/2r3b1/1b1b1b1B/r1r1b2b/rr1r2r1/r2r1r2 b 7,8 3,3", 27),
    "winkeladvokat, twelve empty squares": Case("winkeladvokat", "bbb1br/rb1rB1/brrr1r/b1r2b/r1rrbb/R4b b 14,14 0,0", 5),
    "winkeladvokat without placing": Case(
        "winkeladvokat", "2r1/1R2/2B1/b3 b 1,1 0,0", 0,
        {"empty_supply": "moves_without_placing", "captured_value": "square"},
    ),
    "winner": Case("winner", WINNER, -1, objective="win"),
    "winner score": Case(
        "winner", "3C 6D 8D 8C AS | 9H TH TS 2H BJ; turn 1; idle 0 1; rules end=first_out", -30, objective="score",
    ),
    "winner into hand": Case(
        "winner", "4C 5C 5S 7S QC | 9S TH TS KC 2S; turn 0; idle 0 1; rules fours=into_hand", -1, objective="win",
    ),
    "dogs": Case("winston_dogs", DOGS, -18),
    "walk": Case("walk_the_dogs", WALK, -22, objective="points"),
    "walk outcome": Case("walk_the_dogs", WALK, -1, objective="outcome"),
}
every_case = pytest.mark.parametrize("kind", CASES)


@functools.cache
def certificate_of(kind: str) -> Certificate:
    return CASES[kind].certify()


def proven(certificate: Certificate) -> Checked:
    checked = check_content(certificate)
    assert isinstance(checked, Checked)
    return checked


def altered(certificate: Certificate, sections: dict[str, bytes] | None = None, **about: Any) -> Certificate:
    """The certificate with other entries, as a forger would write it: with a digest that fits."""
    changed = {**certificate.about, **about}
    return Certificate.from_bytes(
        Certificate(certificate.game, changed, {**certificate.sections, **(sections or {})}).to_bytes()
    )


@every_case
def test_certificates_hold_and_say_the_value(kind: str, tmp_path: Path) -> None:
    certificate, path = certificate_of(kind), tmp_path / "proof.cert"
    assert certificate.write(path) == path.stat().st_size
    checked = check(path)
    assert isinstance(checked, Checked)
    assert checked.low == checked.high == CASES[kind].value
    assert f"{checked.low} (exact)" in checked.lines()[0]
    assert json.loads(json.dumps(checked.to_json()))["low"] == checked.low
    assert set(checked.walked) == set(certificate.sections)


def test_a_finished_game_needs_no_proof() -> None:
    certificate = Case("winkeladvokat", "R1r/rb1/Bb1 b 0,3 1,0", 0).certify()
    assert certificate.sections == {}
    checked = proven(certificate)
    assert checked.low == checked.high
    with pytest.raises(BadCertificate, match="needs"):
        check_content(altered(certificate, low=checked.low - 1, high=checked.high - 1))


def test_bounds_alone_can_be_certified() -> None:
    certificate, value = certificate_of("winkeladvokat"), CASES["winkeladvokat"].value
    checked = proven(altered(certificate, low=value - 1, high=value + 2))
    assert f"between {value - 1} and {value + 2}" in checked.lines()[0]


# ------------------------------------------------------------------ files


def test_every_flipped_byte_is_refused() -> None:
    content = Case("winkeladvokat", "2R/3/B2 b 15,15 0,0", 0).certify().to_bytes()
    Certificate.from_bytes(content)
    for position in range(len(content)):
        for flip in (1, 0x80, 0xFF):
            damaged = bytearray(content)
            damaged[position] ^= flip
            with pytest.raises(BadCertificate):
                Certificate.from_bytes(bytes(damaged))


def test_every_truncation_is_refused() -> None:
    content = Case("winkeladvokat", "2R/3/B2 b 15,15 0,0", 0).certify().to_bytes()
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
                + b'"}, "board": [0,0,0,0,0,0,0,0,0], "position": "2R/3/B2 b 15,15 0,0", "sections": {}}'),
         r"end_check is '\\x1b\[2J\\nx+\.\.\."),
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


# ------------------------------------------------------------------ proofs that are wrong


@every_case
def test_no_altered_step_proves_a_wrong_value(kind: str) -> None:
    """Steps are changed, left out and doubled; what is still accepted says the right value."""
    certificate, value = certificate_of(kind), CASES[kind].value
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


@every_case
@pytest.mark.parametrize("off", [-2, -1, 1, 2])
def test_a_changed_value_is_caught(kind: str, off: int) -> None:
    certificate, value = certificate_of(kind), CASES[kind].value
    with pytest.raises((BadCertificate, WrongCertificate)) as caught:
        check_content(altered(certificate, low=value + off, high=value + off))
    if isinstance(caught.value, WrongCertificate):
        assert "the game ends with" in str(caught.value)


def test_a_dropped_reply_is_named() -> None:
    certificate = certificate_of("dogs")
    content = certificate.sections[AT_MOST]  # seat 0 is to move, so this proof answers all of his moves
    replies = content[0]
    dropped = {AT_MOST: bytes([replies - 1]) + content[1:]}
    with pytest.raises(WrongCertificate, match=f"beginning: it answers {replies - 1} replies, and there are {replies}"):
        check_content(altered(certificate, dropped))


@pytest.mark.parametrize(
    ("kind", "about", "complaint"),
    [
        ("winkeladvokat", {"position": CASES["winkeladvokat"].position.replace(" b ", " r ")}, None),
        ("winkeladvokat", {"position": CASES["winkeladvokat"].position.replace("3,3", "3,4")}, None),
        ("winkeladvokat", {"board": [3] * 64}, None),
        ("winkeladvokat", {"board": [2] * 63}, "needs 64 numbers"),
        ("winkeladvokat", {"board": ["2"] * 64}, "must be a whole number"),
        ("winkeladvokat without placing", {"rules": {}}, None),
        ("winkeladvokat", {"rules": {"blocked_when": 3}}, "must be one of"),
        ("winkeladvokat", {"rules": []}, "must be of type dict"),
        ("winkeladvokat", {"position": "R1r1/4/4/B3 b 1,1,1 0,0,0", "board": [2] * 16}, "must have one"),
        ("winkeladvokat", {"position": 5}, "must be of type str"),
        ("winkeladvokat", {"position": ""}, "size of the board"),
        ("winner", {"position": WINNER.replace("BJ", "RJ")}, None),
        ("winner", {"position": "3D | 4D | 5D; turn 0"}, "certificates are for two"),
        ("winner", {"objective": "place"}, "win and score"),
        ("winner", {"objective": "score"}, "end=first_out"),
        ("winner score", {"objective": "win"}, "its header|needs|fails"),
        ("dogs", {"position": DOGS.replace("points 31 55", "points 30 55")}, None),
        ("dogs", {"position": "hands Bb | Bb | Kb; turn 0"}, "certificates are for two"),
        ("walk", {"position": WALK.replace("deck=y", "deck=?y")}, "not known"),
        ("walk", {"position": WALK.replace("bones=0/5", "bones=1/4")}, None),
        ("walk", {"objective": "fun"}, "one of points, outcome"),
        ("walk", {"seen by": "me"}, "unknown entry 'seen by'"),
    ],
)
def test_another_question_is_caught(kind: str, about: dict[str, Any], complaint: str | None) -> None:
    certificate = certificate_of(kind)
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
    certificate = certificate_of("dogs")
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
    for _, prover, least in sides(question, value, value):
        recorder = Recorder(lambda state, moves: 0)
        assert walk(question, prover, least, recorder).positions == length
        assert len(recorder.content) == length
        with pytest.raises(WrongCertificate, match="ends before every reply") as caught:
            walk(question, prover, least, Reader(bytes(recorder.content[:-1])))
        assert len(str(caught.value)) < 500


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


@pytest.mark.parametrize(("cards", "rules"), [(1, ""), (2, "; rules decks=2")])
def test_millions_of_moves_are_not_listed(cards: int, rules: str) -> None:
    """A file of a few hundred bytes must not cost more than a moment."""
    hand = " ".join(f"{rank}{suit}" for rank in "3456789TJQKA2" for suit in "DCHS" for _ in range(cards))
    about = {"position": f"{hand} BJ | RJ; turn 0{rules}", "objective": "win", "low": 0, "high": 0}
    with pytest.raises(WrongCertificate, match="more than 100,000 legal moves"):
        check_content(Certificate("winner", about, {"at least": b"\0", "at most": b"\0"}))


# ------------------------------------------------------------------ what cannot be certified


@pytest.mark.parametrize(("case", "complaint"), [
    (Case("winkeladvokat", "3b/1R2/2B1/r3 b 1,1,1 0,0,0", 0), "certificates are for two|must have one"),
    (Case("winner", "3D | 4D | 5D; turn 0", 0), "certificates are for two"),
    (Case("winner", WINNER, 0, objective="score"), "end=first_out"),
    (Case("winston_dogs", "hands Bb | Bb | Kb; turn 0", 0), "certificates are for two"),
    (Case("walk_the_dogs", WALK.replace("deck=y", "deck=?y"), 0), "not known"),
])
def test_what_is_not_supported_is_refused(case: Case, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        case.certify()
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ the checker stands alone; the command line


def test_the_checker_runs_without_core_and_solvers(tmp_path: Path) -> None:
    path = tmp_path / "proof.cert"
    certificate_of("walk").write(path)
    program = (
        "import sys\n"
        "for name in ('exactplay.cython_core', 'exactplay.solvers', 'exactplay.cli', 'click', 'rich', 'platformdirs'):\n"
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


@pytest.mark.parametrize(("arguments", "value"), [
    (["winkeladvokat", "start", "--size", "4"], 2),
    (["winner", WINNER, "--objective", "win"], -1),
    (["dogs", DOGS], -18),
    (["walk", WALK, "--objective", "outcome"], -1),
])
def test_certify_and_check(tmp_path: Path, arguments: list[str], value: int) -> None:
    path = tmp_path / "proof.cert"
    told = ran("certify", *arguments, "--out", path, "--json").data
    assert (told["value"], told["bytes"]) == (value, path.stat().st_size)
    assert f"{value} (exact)" in ran("check", path).out
    assert ran("check", path, "--json").data["low"] == value


def test_exit_codes(tmp_path: Path) -> None:
    path = tmp_path / "proof.cert"
    certificate, value = certificate_of("dogs"), CASES["dogs"].value
    altered(certificate, low=value + 1, high=value + 1).write(path)
    assert "wrong" in ran("check", path, code=1).errors
    path.write_bytes(certificate.to_bytes()[:-1])
    assert "truncated or altered" in refused("check", path)
    assert "No such file" in refused("check", tmp_path / "none")
    asked = ("certify", "winner", WINNER, "--objective", "place", "--out", path)
    assert "certificates are for win and score" in refused(*asked)
    assert refused("certify", "winkeladvokat", "nonsense", "--out", path)
    assert refused("certify", "winkeladvokat", "start", "--seconds", "0.1", "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()
