"""Writing proofs: the time for it, the choice of moves, the certificate of a made-up game."""
from __future__ import annotations

import dataclasses
from typing import Any, Self

import pytest

from exactplay.certificates.proof import Question
from exactplay.rules.contract import OVER
from exactplay.solvers import proofs
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Bounds, Exact, Result


@dataclasses.dataclass(frozen=True, slots=True)
class Node:
    """A position of a made-up game: whose turn it is, what it is worth at its end, and what follows."""

    name: str
    to_move: int
    worth: int = 0
    follow: tuple[Node, ...] = ()

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(len(self.follow)))

    def play(self, move: int) -> Node:
        return self.follow[move]


@dataclasses.dataclass(frozen=True, slots=True)
class Asked(Question[Any]):
    """Its value; ``first`` is seat 0."""

    def worth(self, state: Node) -> int:
        return state.worth

    def about(self) -> dict[str, Any]:
        return {"root": self.root.name}

    @classmethod
    def of(cls, certificate: Any) -> Self:
        raise NotImplementedError

    def __str__(self) -> str:
        return "asked"


def end(worth: int) -> Node:
    return Node(f"end{worth}", OVER, worth)


def asked(values: dict[str, dict[int, int]]) -> Any:
    """A solver that knows the values of moves, to seat 0, by the name of the position."""
    def solve(state: Node, moves: str, limits: Limits) -> Result[int]:
        known = values[state.name]
        best = max(known.values()) if state.to_move == 0 else min(known.values())
        return Result(Exact(best), {move: Exact(value) for move, value in known.items()})

    return solve


def chosen(state: Node, values: dict[int, int], least: int) -> int:
    question = Asked(state)
    prover = proofs.BySolving(question, asked({state.name: values}))
    return prover.choose(state, state.legal_moves(), least, Limits())


def of(seat: int, replies: int) -> Node:
    return Node(f"of{replies}", seat, 0, (end(5),) * replies)


@pytest.mark.parametrize(("state", "values", "least", "move"), [
    (Node("fewest replies, of as few the first", 0, 0, (of(1, 3), of(1, 2), of(1, 2))), {0: 5, 1: 5, 2: 5}, 5, 1),
    (Node("only what was proven", 0, 0, (of(1, 3), of(1, 2), of(1, 2))), {0: 5, 2: 5}, 5, 2),
    (Node("only what proves it", 0, 0, (of(1, 3), of(1, 2), of(1, 2))), {0: 5, 1: 4, 2: 5}, 5, 2),
    (Node("the rules decide", 0, 0, (of(1, 3), of(1, 2), end(5))), {0: 5, 1: 5}, 5, 2),
    (Node("who moves again leaves no reply", 0, 0, (of(1, 2), of(0, 4), of(1, 2))), {0: 5, 1: 5, 2: 5}, 5, 1),
    (Node("of the other player", 1, 0, (of(0, 3), of(0, 2), end(5))), {0: -5, 1: -5, 2: 5}, 5, 1),
    (Node("of the other player, decided", 1, 0, (of(0, 3), of(0, 2), end(-6), end(-5))), {0: -5}, 5, 2),
], ids=lambda value: value.name if isinstance(value, Node) else "")
def test_which_move_proves_a_bound(state: Node, values: dict[int, int], least: int, move: int) -> None:
    assert chosen(state, values, least) == move


def test_a_bound_that_no_move_proves() -> None:
    with pytest.raises(proofs.NotProven, match=r"^no move of .* was proven to reach 5; allow more time$"):
        chosen(Node("root", 0, 0, (of(1, 2), of(1, 3))), {0: 4, 1: 4}, 5)


REPLY = Node("reply", 1, 0, (end(9), end(5)))
ROOT = Node("root", 0, 0, (end(3), REPLY, Node("bad", 1, 0, (end(1), end(7)))))
VALUES = {"root": {0: 3, 1: 5, 2: 1}, "reply": {0: 9, 1: 5}, "bad": {0: 1, 1: 7}}


def test_a_certificate_proves_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Asked(ROOT)
    prover = proofs.BySolving(question, asked(VALUES))
    certificate = proofs.certify(question, prover)
    assert certificate.about == {"root": "root", "low": 5, "high": 5}
    # At least: move 1, then two replies. At most: three moves; the ends need nothing; reply 1 of "reply", reply 0 of "bad".
    assert certificate.sections == {"at least": bytes([1, 2]), "at most": bytes([3, 1, 0])}
    monkeypatch.setattr("exactplay.solvers.proofs.MOST_STEPS", 2)
    assert proofs.certify(question, prover) == certificate
    monkeypatch.setattr("exactplay.solvers.proofs.MOST_STEPS", 1)
    with pytest.raises(proofs.NotProven, match=r"^its proof has more than 1 steps, which no check follows; take"):
        proofs.certify(question, prover)


@pytest.mark.parametrize(("verdict", "shown"), [
    (Bounds(1, 2), r"between 1 and 2 \(proven bounds\)"), (Exact(1.5), r"1\.5 \(exact\)"),
])
def test_only_an_exact_value_is_proven(verdict: Bounds | Exact, shown: str) -> None:
    question = Asked(ROOT)
    with pytest.raises(proofs.NotProven, match=f"^the value is not known: {shown}; allow more time, or"):
        proofs.certify(question, proofs.BySolving(question, lambda *_: Result(verdict)))


def test_a_limit_ends_a_proof() -> None:
    question = Asked(ROOT)
    with pytest.raises(proofs.NotProven, match=r"^no proof within the limit of seconds; allow more, or take a later"):
        proofs.certify(question, proofs.BySolving(question, asked(VALUES)), Limits(seconds=0))
