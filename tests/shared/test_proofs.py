"""Writing proofs: the time for it, the choice of moves, the certificate of a made-up game."""
from __future__ import annotations

import dataclasses
import time
from typing import Any, Self

import pytest

from exactplay.certificates.proof import Question
from exactplay.rules.contract import OVER
from exactplay.solvers import proofs
from exactplay.solvers.result import Bounds, Exact, Result


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """CPU seconds as the test sets them."""
    clock = [7.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    return clock


def test_a_deadline(now: list[float]) -> None:
    deadline = proofs.Deadline(5)
    assert deadline.left == 5
    now[0] += 2
    assert deadline.left == 3
    now[0] += 3
    with pytest.raises(proofs.NotProven, match=r"^no proof within 5 CPU seconds; allow more, or take a later position$"):
        _ = deadline.left
    assert proofs.Deadline(None).left is None


def test_only_an_exact_value_is_proven() -> None:
    assert proofs.value_of(Result(Exact(3))) == 3
    for verdict, shown in ((Bounds(1, 2), r"between 1 and 2 \(proven bounds\)"), (Exact((1, 2)), r"\(1, 2\) \(exact\)"),
                           (Exact(1.5), r"1\.5 \(exact\)")):
        with pytest.raises(proofs.NotProven, match=f"^the value is not known: {shown}; allow more time, or"):
            proofs.value_of(Result(verdict))


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


def test_which_move_proves_a_bound() -> None:
    three, two = (Node(f"of{n}", 1, 0, (end(5),) * n) for n in (3, 2))
    again = Node("again", 0, 0, (end(5),) * 4)
    root = Node("root", 0, 0, (three, two, two, end(5), end(4)))
    question = Asked(root)

    def chosen(values: dict[int, int], least: int, state: Node = root) -> int:
        return proofs.chooser(question, lambda at: values)(state, state.legal_moves(), least)

    assert chosen({0: 5, 1: 5, 2: 5}, 5) == 1  # the fewest replies; of as few the first
    assert chosen({0: 5, 2: 5}, 5) == 2
    assert chosen({0: 5, 1: 4, 2: 5}, 5) == 2
    assert chosen({0: 5, 1: 5, 2: 5, 3: 5}, 5) == 3  # the game is decided
    assert chosen({0: 5, 1: 5, 2: 5, 3: 5, 4: 4}, 4) == 3
    assert chosen({0: 5}, 5) == 0
    # A player who moves again has no replies to answer: as good as one.
    assert chosen({0: 5, 1: 5, 2: 5}, 5, Node("more", 0, 0, (two, again, two))) == 1
    single = Node("one", 1, 0, (end(5),))
    assert chosen({0: 5, 1: 5}, 5, Node("more", 0, 0, (single, again))) == 0
    with pytest.raises(proofs.NotProven, match=r"^no move of Node\(name='root'.* was proven to reach 5; allow more time$"):
        chosen({0: 4, 4: 4}, 5)


def test_which_move_proves_a_bound_of_the_other() -> None:
    three, two = (Node(f"of{n}", 0, 0, (end(-5),) * n) for n in (3, 2))
    root = Node("root", 1, 0, (three, two, end(-6), end(-5), end(5)))
    question = Asked(root)

    def chosen(values: dict[int, int], least: int) -> int:
        return proofs.chooser(question, lambda at: values)(root, root.legal_moves(), least)

    assert chosen({0: -5, 1: -5, 4: 5}, 5) == 1
    assert chosen({0: -5, 1: -4}, 5) == 0
    assert chosen({0: -5, 1: -5, 2: -6, 3: -5}, 5) == 2
    assert chosen({0: -5, 1: -5, 3: -5}, 5) == 3
    with pytest.raises(proofs.NotProven, match=r"was proven to reach -6; allow more time$"):
        chosen({0: -5}, 6)


def test_a_position_that_the_rules_decide_ends_the_choice() -> None:
    class Decided(Asked):
        __slots__ = ()

        def bounds(self, state: Any) -> tuple[float, float]:
            return (-9.0, 5.0) if state.name == "of3" else (5.0, 9.0) if state.name == "of2" else Asked.bounds(self, state)

    three, two, one = (Node(f"of{n}", 1, 0, (end(5),) * n) for n in (3, 2, 1))
    root = Node("root", 0, 0, (three, one, two))
    values = {0: 5, 1: 5, 2: 5}
    assert proofs.chooser(Decided(root), lambda at: values)(root, (0, 1, 2), 5) == 2
    other = dataclasses.replace(root, to_move=1)
    assert proofs.chooser(Decided(root), lambda at: dict.fromkeys(values, -5))(other, (0, 1, 2), -5) == 0


def test_a_certificate_proves_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactplay.certificates.proof._TELL_EVERY", 1)
    reply = Node("reply", 1, 0, (end(9), end(5)))
    root = Node("root", 0, 0, (end(3), reply, Node("bad", 1, 0, (end(1), end(7)))))
    values = {"root": {0: 3, 1: 5, 2: 1}, "reply": {0: 9, 1: 5}, "bad": {0: 1, 1: 7}}
    heard: list[str] = []
    question = Asked(root)
    certificate = proofs.certify(question, 5, proofs.chooser(question, lambda at: values[at.name]), heard.append)
    assert certificate.about == {"root": "root", "low": 5, "high": 5}
    # At least: move 1, then two replies. At most: three moves; the ends need nothing; reply 1 of "reply", reply 0 of "bad".
    assert certificate.sections == {"at least": bytes([1, 2]), "at most": bytes([3, 1, 0])}
    assert heard == [f"{number} positions proven" for number in (1, 2, 1, 2, 3)]
    monkeypatch.setattr("exactplay.solvers.proofs.MOST_STEPS", 2)
    assert proofs.certify(question, 5, proofs.chooser(question, lambda at: values[at.name])) == certificate
    monkeypatch.setattr("exactplay.solvers.proofs.MOST_STEPS", 1)
    with pytest.raises(proofs.NotProven, match=r"^its proof has more than 1 steps, which no check follows; take"):
        proofs.certify(question, 5, proofs.chooser(question, lambda at: values[at.name]))
