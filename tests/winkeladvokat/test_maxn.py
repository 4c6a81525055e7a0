"""Winkeladvokat with three and four players: what one player can force, and limits."""
from __future__ import annotations

import functools

import pytest

from exactplay.rules.contract import OVER
from exactplay.rules.winkeladvokat import Move, State
from exactplay.solvers.limits import Budget, Limits, OutOfBudget
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import OutOfMemory
from exactplay.solvers.winkeladvokat.maxn import Memory, Paranoid, successors

MANY = "R1Y/3/B2 b 15,15,15 0,0,0"
#: a1 and b2 of Blue; his Article can go round four of Red's, either way.
DIAMOND = "4R/2r2/1r1r1/1br2/B4 b 2,2 0,0"


def test_moves_to_one_position_are_listed_together() -> None:
    found = successors(to_core(State.parse(DIAMOND)))
    texts = [[str(move) for move in alike] for alike, _ in found]
    assert len(texts) == 15
    assert texts[0] == ["a1-a4-b4"]
    assert texts[11] == ["b2xb4xd4xd2xb2", "b2xd2xd4xb4xb2"]
    assert found[11][1].key() == to_core(State.parse(DIAMOND).play(Move.parse("b2xd2xd4xb4xb2"))).key()


def forced(state: State, player: int) -> tuple[int, int]:
    """The margin over the best of the others that a player can force, and the positions met, by the reference."""
    met = set()

    @functools.cache
    def value(at: State) -> int:
        if at.to_move == OVER:
            return at.scores()[player] - max(score for other, score in enumerate(at.scores()) if other != player)
        met.add(at)
        values = [value(at.play(move)) for move in at.legal_moves()]
        return max(values) if at.turn == player else min(values)

    return value(state), len(met)


@pytest.mark.parametrize(("text", "margins"), [
    (MANY, [2, -2, -2]), ("1yB2/r1r1R/1b2r/Y1b2/5 y 2,1,2 1,0,0", [3, -3, -10]),
])
def test_what_one_player_can_force(text: str, margins: list[int]) -> None:
    state = State.parse(text)
    found = []
    for player in range(3):
        budget = Budget(Limits())
        found.append(Paranoid(player, budget, Memory(1 << 20)).value(to_core(state)))
        assert (found[-1], budget.spent) == forced(state, player)
    assert found == margins
    assert Paranoid(1, Budget(Limits()), Memory(1 << 20)).value(to_core(State.parse("R1Y/yyb/Byr b 1,1,1 5,9,3"))) == -2
    with pytest.raises(OutOfBudget):
        Paranoid(0, Budget(Limits(nodes=1)), Memory(1 << 20)).value(to_core(state))
    with pytest.raises(OutOfMemory):
        Paranoid(0, Budget(Limits()), Memory(1_000)).value(to_core(state))
