"""Winkeladvokat's answers against plain minimax over the reference, known endgames, symmetry, and a CP-SAT model."""
from __future__ import annotations

import dataclasses
import functools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from exactplay.rules.contract import OVER, BadText
from exactplay.rules.winkeladvokat import Board, Move, Rules, State
from exactplay.solvers.limits import Budget, Limits, Report
from exactplay.solvers.result import Bounds, Exact
from exactplay.solvers.winkeladvokat import Duel, InUse, advise, solve
from exactplay.solvers.winkeladvokat.bridge import to_core
from exactplay.solvers.winkeladvokat.duel import margin
from exactplay.solvers.winkeladvokat.exact import MEMORY_NOTE
from tests import DATA
from tests.winkeladvokat.subject import SUBJECT

ENDGAMES = [
    json.loads(line) for line in (DATA / "winkeladvokat-endgames.jsonl").read_text().splitlines()
]
MIDDLING = "8/6r1/2r4r/1r1b4/1Rbb4/2B5/8/1b6 b 21,19 2,0"


class TooLarge(Exception):
    pass


def minimax(state: State, limit: int = 4_000) -> tuple[int, set[Move]]:
    """Value and best moves by plain search over the reference, history and all."""
    known: dict[State, int] = {}
    begun = 0

    def value(at: State) -> int:
        if at.to_move == OVER:
            scores = at.scores()
            return scores[at.turn] - scores[1 - at.turn]
        if at not in known:
            # Counted on the way down: where positions come back, a line without an end is the dearest of all.
            nonlocal begun
            begun += 1
            if begun > limit:
                raise TooLarge
            known[at] = max(-value(at.play(move)) for move in at.legal_moves())
        return known[at]

    best = value(state)
    return best, {move for move in state.legal_moves() if -value(state.play(move)) == best}


def small_position(rng: random.Random, rules: Rules) -> State:
    """Two players, 3 x 3 or 4 x 4, few Articles, own numbers at times, some plies played."""
    size = rng.choice([3, 4])
    board = Board.rings(size) if rng.random() < 0.6 else Board(size, tuple(rng.randrange(9) for _ in range(size**2)))
    supply = rng.randint(1, 3) if size == 3 else rng.randint(1, 2)
    state = dataclasses.replace(State.initial(size, 2, rules, board), supply=(supply, rng.randint(1, supply)))
    for _ in range(rng.randrange(5)):
        if state.to_move == OVER:
            break
        state = state.play(rng.choice(state.legal_moves()))
    return state


def check_against_minimax(state: State, limit: int = 4_000) -> bool:
    try:
        value, best = minimax(state, limit)
    except (TooLarge, RecursionError):
        return False
    result = solve(state, limits=Limits(memory_mb=1))
    assert result.verdict == Exact(value)
    assert set(result.best) == best
    for move, verdict in result.moves.items():
        if isinstance(verdict, Bounds):
            assert verdict.high is not None
            assert verdict.high < value
        else:
            assert (move in best) == (verdict == Exact(value))
    return True


def test_500_small_positions_against_minimax_over_the_reference() -> None:
    rng = random.Random(5)
    checked = 0
    while checked < 500:
        checked += check_against_minimax(small_position(rng, Rules()))


@pytest.mark.parametrize("rules", SUBJECT.settings(), ids=lambda rules: rules.describe())
def test_every_option_against_minimax_over_the_reference(rules: Rules) -> None:
    rng = random.Random(rules.describe())
    checked = 0
    for _ in range(40):
        # A history makes each step of a long line dearer than the one before.
        checked += check_against_minimax(small_position(rng, rules), 300 if rules.empty_supply == "blocks" else 120)
    assert checked > 5


ENDLESS = Rules(empty_supply="moves_without_placing")


@pytest.mark.parametrize("text", [
    "2R/br1/B2 b 0,0 0,0", "1R1/1br/B1b r 0,0 0,0", "2R/1rb/B1b b 0,0 1,0", "r1R/1b1/B1r b 0,0 0,0",
    "2R/1br/Bb1 b 0,0 0,2", "2R/b1r/B1b b 1,0 0,0", "1rR/b2/Bb1 r 0,1 0,0",
])
def test_endless_positions_against_minimax_with_the_whole_history(text: str) -> None:
    """The graph-history problem: minimax that carries every earlier position gives the same value and best moves."""
    rng = random.Random(text)
    state = State.parse(text, ENDLESS.changed())
    checked = 0
    for _ in range(12):
        checked += check_against_minimax(state, 1_500)
        if state.to_move == OVER:
            break
        # Random play comes back to positions, so that some have been seen twice.
        state = state.play(rng.choice(state.legal_moves()))
    assert checked


@pytest.mark.parametrize("case", [case for case in ENDGAMES if case["seconds"] <= 0.05], ids=lambda case: case["position"])
def test_endgames(case: dict[str, Any]) -> None:
    result = solve(State.parse(case["position"]))
    assert result.verdict == Exact(case["value"])
    assert [str(move) for move in result.best] == sorted(case["best"])


@pytest.mark.parametrize(("size", "corners", "value"), [
    (3, "opposite", 2), (4, "opposite", 2), (5, "opposite", 2), (6, "opposite", 3),
    (3, "adjacent", 2), (4, "adjacent", 2), (5, "adjacent", 3), (6, "adjacent", 4),
])
def test_whole_boards(size: int, corners: Any, value: int) -> None:
    assert solve(State.initial(size, rules=Rules(start_corners=corners))).verdict == Exact(value)


def test_bounds_proven_by_questions_off_the_value_hold() -> None:
    """A proof of "at least k" may prove more than k; it must never prove more than the value."""
    sharper = 0
    for case in ENDGAMES[:60]:
        state = State.parse(case["position"])
        core = to_core(state)
        gain = case["value"] - margin(core, state.turn)
        duel = Duel(state.board, state.rules, 4)
        for k in (gain - 12, gain + 9, gain - 5, gain + 4, gain - 1, gain + 2):
            answer = duel.proves(core, k, Budget(Limits()), 3_000)
            assert answer in {None, k <= gain}
            low, high = duel.bounds(core)
            assert low <= gain <= high
            sharper += answer is True and low > k
    assert sharper > 20


def test_the_principal_variation_leads_to_the_value() -> None:
    state = State.initial(5)
    result = solve(state)
    for move in result.pv:
        state = state.play(move)
    assert state.to_move == OVER
    scores = state.scores()
    assert result.verdict == Exact(scores[0] - scores[1])


@pytest.mark.parametrize("state", [
    State.initial(4),
    # Here the table has given up the entries of two moves before all are known.
    State.parse("R4/3r1/1br2/5/B4 b 20,20 0,0"),
], ids=str)
def test_all_moves_valued(state: State) -> None:
    result = solve(state, moves="all")
    for move, verdict in result.moves.items():
        after = solve(state.play(move))
        assert isinstance(after.verdict, Exact)
        assert isinstance(after.verdict.value, int)
        assert verdict == Exact(-after.verdict.value)


def image(state: State, which: int, swap: bool) -> State:
    """A position turned or mirrored, and with its colours exchanged."""
    n = state.size
    squares = [""] * n * n
    for square, piece in enumerate(state.squares):
        rank, file = divmod(square, n)
        if which & 4:
            rank, file = file, rank
        if which & 1:
            file = n - 1 - file
        if which & 2:
            rank = n - 1 - rank
        squares[rank * n + file] = piece.translate(str.maketrans("BRbr", "RBrb")) if swap else piece
    pairs = [state.supply, state.captured]
    supply, captured = [pair[::-1] if swap else pair for pair in pairs]
    return State("".join(squares), state.turn ^ swap, supply, captured, state.board, state.rules)


@settings(max_examples=10)
@given(which=st.integers(0, 7), swap=st.booleans(), pick=st.integers(0, 60))
def test_symmetry_and_colour_swap_leave_the_value(which: int, swap: bool, pick: int) -> None:
    case = ENDGAMES[pick]
    turned = image(State.parse(case["position"]), which, swap)
    assert image(image(turned, which, swap), which ^ 3 if which in (5, 6) else which, swap) in {
        turned, image(image(turned, which, swap), which, swap)
    }
    assert solve(turned).verdict == Exact(case["value"])


def test_cold_warm_tiny_and_huge_tables_give_one_answer() -> None:
    state = State.parse(MIDDLING)
    cold = solve(state)
    duel = Duel(state.board, state.rules)
    for case in ENDGAMES[:25]:
        solve(State.parse(case["position"]), duel=duel)
    warm = solve(state, duel=duel)
    again = solve(state, duel=duel)
    tiny = solve(state, limits=Limits(memory_mb=0.02))
    huge = solve(state, limits=Limits(memory_mb=2_000))
    for other in (warm, again, tiny, huge):
        assert (other.verdict, other.best) == (cold.verdict, cold.best)
    assert again.effort.nodes <= cold.effort.nodes


def test_one_thread_is_deterministic() -> None:
    state = State.parse(MIDDLING)
    once, twice = solve(state), solve(state)
    assert once.effort.nodes == twice.effort.nodes
    assert (once.moves, once.pv) == (twice.moves, twice.pv)


def test_a_limit_gives_proven_bounds_and_stores_nothing_false() -> None:
    rng = random.Random(3)
    for case in rng.sample(ENDGAMES[60:85], 6):
        state = State.parse(case["position"])
        duel = Duel(state.board, state.rules, 4)
        for _ in range(200):
            result = solve(state, limits=Limits(nodes=rng.randrange(1, 900)), duel=duel)
            if isinstance(result.verdict, Bounds):
                assert result.verdict.low is not None
                assert result.verdict.high is not None
                assert result.verdict.low <= case["value"] <= result.verdict.high
                assert any("limit" in note for note in result.notes)
                assert any("guess" in note for note in result.notes)
        final = solve(state, duel=duel)
        assert final.verdict == Exact(case["value"])
        assert [str(move) for move in final.best] == sorted(case["best"])


def test_an_exception_of_the_listener_stops_the_search_and_leaves_it_sound() -> None:
    state = State.initial(6)
    duel = Duel(state.board, state.rules, 16)

    class Enough(Exception):
        pass

    def listen(report: Report) -> None:
        raise Enough

    with pytest.raises(Enough):
        solve(State.initial(7), progress=listen)
    assert solve(state, duel=duel).verdict == Exact(3)


def test_a_search_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "six.checkpoint"
    state = State.initial(6)
    whole = solve(state)
    first = solve(state, limits=Limits(nodes=5_000), checkpoint=file)
    assert isinstance(first.verdict, Bounds)
    second = solve(state, checkpoint=file)
    assert (second.verdict, second.best) == (whole.verdict, whole.best)
    assert second.effort.nodes < whole.effort.nodes
    with pytest.raises(BadText, match="another position"):
        solve(State.initial(5), checkpoint=file)
    with pytest.raises(BadText, match="another position"):
        solve(State.initial(6, rules=Rules(captured_value="square")), checkpoint=file)
    content = bytearray(file.read_bytes())
    content[-20] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadText, match="damaged"):
        solve(state, checkpoint=file)
    for first in (b"something else", b"[" * 100_000, b'{"sha256": "", "nodes": "many"}'):
        file.write_bytes(first + b"\n")
        with pytest.raises(BadText, match="not a checkpoint"):
            solve(state, checkpoint=file)


def test_numbers_too_large_are_refused() -> None:
    board = Board(3, (0, 20_000, 0, 20_000, 5, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="too large"):
        solve(State.initial(board=board))


@pytest.mark.parametrize("moves", ["value", "best", "all"])
def test_a_game_may_turn_over_twice_the_numbers_on_the_board(moves: Any) -> None:
    """Red captures the Article on the one square that counts and then holds it himself: 90 lost, 90 won."""
    rules = Rules(end_check="on_turn", blocked_when="no_step", empty_supply="moves_without_placing")
    state = State.parse("br1/R1B/rb1 b 2,23 3,0", rules.changed(), Board(3, (0, 0, 0, 0, 0, 0, 90, 0, 0)))
    value, best = minimax(state)
    result = solve(state, moves=moves, limits=Limits(nodes=10_000))
    assert result.verdict == Exact(value) == Exact(-86)
    assert set(result.best) == best


# ---- three and four players

def max_n(state: State) -> tuple[int, ...]:
    @functools.cache
    def value(at: State) -> tuple[int, ...]:
        if at.to_move == OVER:
            return at.scores()
        outcomes = [value(at.play(move)) for move in at.legal_moves()]
        return max(outcomes, key=lambda scores: scores[at.turn])

    return value(state)


@pytest.mark.parametrize("text", [
    "R1Y/3/B2 b 15,15,15 0,0,0", "1ry2/b1b1B/3b1/rRy1Y/1r3 y 1,1,2 0,0,0",
    "R1Y/3/B1G b 15,15,15,15 0,0,0,0", "1yB2/r1r1R/1b2r/Y1b2/5 y 2,1,2 1,0,0", "R2Y/4/4/B2G b 1,1,1,1 0,0,0,0",
])
def test_max_n_against_the_reference(text: str) -> None:
    state = State.parse(text)
    result = solve(state)
    value = max_n(state)
    assert result.verdict == Exact(value)
    assert all(isinstance(result.moves[move], Exact) for move in result.best)
    assert any("first in the order" in note for note in result.notes)
    assert any("against all others" in note.lower() for note in result.notes)


def test_every_move_has_its_vector_also_where_several_lead_to_one_position() -> None:
    state = State.parse("R3Y/2r2/1r1r1/1br2/B4 b 1,1,1 0,0,0")
    result = solve(state)
    assert tuple(result.moves) == state.legal_moves()
    value = max_n(state)[0]
    assert set(result.best) == {move for move in state.legal_moves() if max_n(state.play(move))[0] == value}
    assert {"b2xb4xd4xd2xb2", "b2xd2xd4xb4xb2"} <= set(map(str, result.moves))
    assert set(advise(state, limits=Limits(nodes=3)).moves) == set(state.legal_moves())


def test_a_game_too_long_for_max_n_is_not_solved() -> None:
    # Nothing is placed, so that a first line of thousands of plies goes round the board.
    state = State.parse("R3Y/5/5/5/B3G b 0,0,0,0 0,0,0,0", ENDLESS.changed())
    assert solve(state).verdict == Bounds(None, None)


def test_max_n_keeps_to_its_memory() -> None:
    result = solve(State.initial(6, 3), limits=Limits(memory_mb=1, nodes=1_000_000))
    assert result.verdict == Bounds(None, None)
    assert result.notes == (MEMORY_NOTE,)
    assert result.effort.nodes < 1_100


def test_a_limit_of_memory_is_named() -> None:
    """Without Articles to place the answers for whole boards of Lawyers are kept, and they have to stay."""
    rules = Rules(
        end_check="on_turn", blocked_when="no_step", empty_supply="moves_without_placing", capture_directions="both",
        captured_value="square",
    )
    state = State.parse("RrB2/rrb2/1bbrb/rrb1b/r1rr1 b 0,0 0,3", rules.changed())
    result = solve(state, limits=Limits(memory_mb=1))
    assert isinstance(result.verdict, Bounds)
    assert MEMORY_NOTE in result.notes
    assert not any("at its limit." in note for note in result.notes)


def test_proven_bounds_outlive_a_table_that_forgets() -> None:
    state = State.initial(5)
    duel = Duel(state.board, state.rules, 0.01)
    options = duel.options(to_core(state))
    proven = [duel.proves(option.after, -2, Budget(Limits())) for option in options]
    assert duel.gain(to_core(state), Budget(Limits())) == 2
    forgotten = 0
    for option, answer in zip(options, proven, strict=True):
        low, high = duel.bounds(option.after)
        assert low >= -2 if answer else high < -2
        forgotten += duel.search.bounds(option.after) == (-32_000, 32_000)
    assert forgotten


def test_a_checkpoint_of_more_than_two_players_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two players"):
        solve(State.initial(3, 3), checkpoint=tmp_path / "three.checkpoint")




def test_max_n_stops_at_its_limit() -> None:
    result = solve(State.initial(8, 4), limits=Limits(nodes=50))
    assert result.verdict == Bounds(None, None)













# ---- an independent model of the best capture chain

def best_chain(state: State, start: int) -> int:
    """The most Articles that one Article can take in a turn: a walk in time, by CP-SAT."""
    n = state.size
    opposing = [square for square, piece in enumerate(state.squares) if piece == "r"]
    jumps = []
    for square in range(n * n):
        for step_file, step_rank in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            file, rank = square % n + 2 * step_file, square // n + 2 * step_rank
            over = square + step_file + n * step_rank
            if 0 <= file < n and 0 <= rank < n and over in opposing:
                jumps.append((square, over, rank * n + file))
    model = cp_model.CpModel()
    used = [[model.new_bool_var("") for _ in jumps] for _ in opposing]
    for time, now in enumerate(used):
        model.add(sum(now) <= 1)
        if time:
            model.add(sum(now) <= sum(used[time - 1]))
        for jump, (square, _, landing) in zip(now, jumps, strict=True):
            if time == 0:
                if square != start:
                    model.add(jump == 0)
            else:
                arrived = [before for before, (_, _, to) in zip(used[time - 1], jumps, strict=True) if to == square]
                model.add(jump <= sum(arrived))
            if landing in opposing:
                earlier = [
                    used[t][i] for t in range(time) for i, (_, over, _) in enumerate(jumps) if over == landing
                ]
                model.add(jump <= sum(earlier))
            elif state.squares[landing] != "." and landing != start:
                model.add(jump == 0)
    for article in opposing:
        model.add(sum(used[t][i] for t in range(len(used)) for i, jump in enumerate(jumps) if jump[1] == article) <= 1)
    model.maximize(sum(jump for now in used for jump in now))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return int(solver.objective_value)


def test_best_capture_chain_against_cp_sat() -> None:
    rng = random.Random(11)
    longest = 0
    for _ in range(30):
        squares = ["."] * 36
        for square in rng.sample(range(1, 35), 12):
            squares[square] = "r" if rng.random() < 0.8 else "b"
        squares[0], squares[35] = "B", "R"
        state = State("".join(squares), 0, (9, 9), (0, 0), Board.rings(6))
        if state.to_move == OVER:
            continue
        for start in (square for square, piece in enumerate(squares) if piece == "b"):
            name = "abcdef"[start % 6] + str(start // 6 + 1)
            chains = [len(m.squares) - 1 for m in state.legal_moves() if m.kind == "capture" and m.squares[0] == name]
            assert best_chain(state, start) == max(chains, default=0)
            longest = max(longest, *chains, 0)
    assert longest >= 3


def test_a_limit_right_after_the_value_still_names_a_best_move() -> None:
    state = State.initial(5)
    duel = Duel(state.board, state.rules)
    for nodes in range(1, 2_900, 37):
        result = solve(state, limits=Limits(nodes=nodes, memory_mb=1))
        assert result.best
        if result.exact and not any("guess" in note for note in result.notes):
            assert set(result.best) <= set(solve(state, duel=duel).best)


def test_a_contradictory_checkpoint_is_refused_and_does_not_go_on_for_ever() -> None:
    state = State.initial(5)
    duel = Duel(state.board, state.rules)
    core = to_core(state)
    for option in duel.options(core):  # as if every move were refuted, and the value 2 all the same
        duel.asked[option.after.pieces()] = (40, 60)
    with pytest.raises(BadText, match="contradicts itself"):
        duel.a_best(core, 2, Budget(Limits(seconds=5)))
    duel.asked[core.pieces()] = (5, 4)
    with pytest.raises(BadText, match="contradicts itself"):
        duel.gain(core, Budget(Limits(seconds=5)))


def test_a_second_thread_that_asks_the_same_table_is_refused() -> None:
    state = State.initial(6)
    duel = Duel(state.board, state.rules)
    with duel.asked_by(Budget(Limits())), pytest.raises(InUse):
        solve(state, duel=duel)
    assert solve(state, duel=duel).verdict == Exact(3)
