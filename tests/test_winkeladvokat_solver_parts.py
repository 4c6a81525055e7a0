"""The parts of Winkeladvokat's solver one by one: counts, the bridge to the core, max^n, budgets, certificates."""
from __future__ import annotations

import pytest

from exactplay.rules.winkeladvokat import State
from exactplay.solvers.winkeladvokat import divide, perft

SMALL = "2R/3/B2 b 1,1 0,0"
#: a1 and b2 of Blue; his Article can go round four of Red's, either way.
DIAMOND = "4R/2r2/1r1r1/1br2/B4 b 2,2 0,0"


def test_counts() -> None:
    state = State.parse(DIAMOND)
    assert perft(state, 0)._asdict() == {"paths": 1, "distinct": 1}
    assert perft(state, 2)._asdict() == {"paths": 216, "distinct": 190}
    parts = {str(move): paths for move, paths in divide(state, 2).items()}
    assert len(parts) == 16
    assert (parts["a1-a5-d5"], parts["b2xb4"], parts["b2xb4xd4xd2xb2"]) == (8, 10, 26)
    over = State.parse(SMALL)
    assert perft(over, 1_000) == (0, 0)
    assert set(divide(over, 1_000).values()) == {0}


@pytest.mark.parametrize("depth", [-1, 1_001])
def test_a_depth_out_of_reach_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"depth of a perft is {depth}; it must be 0 or more, 1000 at most"):
        perft(State.parse(SMALL), depth)


@pytest.mark.parametrize("depth", [0, 1_001])
def test_a_depth_that_cannot_be_divided_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"needs a depth of 1 or more, 1000 at most, not {depth}"):
        divide(State.parse(SMALL), depth)
