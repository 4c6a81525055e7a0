"""The adapters under the frameworks' own checks, and against the rules and the exact solvers."""
from __future__ import annotations

import copy
import functools
import itertools
import json
import pickle
import random
import re
import subprocess
import sys
import unittest
import warnings
from collections.abc import Iterator
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactplay.adapters.steps import TABLES, Deciding, Position, settled, table
from exactplay.adapters.steps.base import Spelled
from exactplay.adapters.steps.winner_menu import menu
from exactplay.render import draw
from exactplay.rules import walk_the_dogs, winkeladvokat, winner
from exactplay.rules.contract import CHANCE, OVER, BadOption, BadText, IllegalMove, IllegalPosition
from exactplay.rules.winston84 import Difficulty, Objective, Sheet
from exactplay.solvers.result import Exact, Result
from exactplay.solvers.walk_the_dogs import solve as solve_walk
from exactplay.solvers.winkeladvokat import solve as solve_winkeladvokat
from exactplay.solvers.winner import solve as solve_winner
from exactplay.solvers.winston84 import advise, open_solution
from exactplay.solvers.winston_dogs import solve as solve_dogs
from tests import DATA, DOCS
from tests.winner.subject import SUBJECT as WINNER
from tests.winston_dogs import subject as dogs

TINY = DATA / "tiny-sheet.toml"

#: each game as dealt, and with what changes its course most
SETUPS: list[tuple[str, dict[str, Any]]] = [
    ("winston84", {}),
    ("winston84", {"sheet": str(TINY), "difficulty": 5, "objective": "at-least:900", "start": "R6 box 6 marks 1 fresh"}),
    ("winkeladvokat", {"size": 5}),
    ("winkeladvokat", {"size": 4, "players": 3, "capture_directions": "both", "captured_value": "square"}),
    ("winkeladvokat", {"size": 4, "start": "3R/1r2/1b2/B3 b 2,1 0,0", "empty_supply": "moves_without_placing"}),
    ("winner", {"players": 3}),
    ("winner", {"players": 4, "fours": "into_hand", "end": "first_out", "objective": "score", "hands": "open"}),
    ("winner", {
        "start": "3D 4D 4C 5D | 3C 3H 3S 6D; turn 0; exchange 1 0; idle 0 1; rules exchange=true", "objective": "place",
    }),
    ("winston_dogs", {}),
    ("winston_dogs", {"players": 5, "hands": "open"}),
    ("walk_the_dogs", {}),
    ("walk_the_dogs", {"players": 4, "objective": "outcome", "advanced": True, "three_in_any_order": False}),
]
IDS = [f"{game}-{number}" for number, (game, _) in enumerate(SETUPS)]


def walk(position: Position, rng: np.random.Generator) -> list[Position]:
    """The positions of a random game."""
    passed = [position]
    while position.to_act != OVER:
        if position.to_act == CHANCE:
            outcomes = position.outcomes()
            assert sum(probability for _, probability in outcomes) == Fraction(1)
            action = outcomes[rng.integers(len(outcomes))][0]
        else:
            action = int(rng.choice(position.actions))
        position = position.step(action)
        passed.append(position)
    return passed


# ---------------------------------------------------------------- the steps themselves


@pytest.mark.parametrize(("game", "options"), SETUPS, ids=IDS)
def test_games_in_small_steps(game: str, options: dict[str, Any]) -> None:
    setup = table(game, **options)
    low, high = setup.bounds
    rng = np.random.default_rng(5)
    for _ in range(3):
        passed = walk(setup.begin(), rng)
        decisions = sum(position.to_act >= 0 for position in passed)
        assert decisions <= setup.longest
        assert sum(position.to_act == CHANCE for position in passed) <= setup.most_outcomes
        returns = setup.returns(passed[-1].state)
        assert len(returns) == setup.seats
        assert all(low <= own <= high for own in returns)
        assert setup.total is None or sum(returns) == setup.total
        for position in passed[:: max(1, len(passed) // 12)]:
            # A game that is cut off counts as it stands, and is as much worth as any other.
            assert None in (setup.total, position.state) or sum(setup.returns(position.state)) == pytest.approx(setup.total)
            assert list(position.actions) == sorted(set(position.actions))
            labels = [position.label(action) for action in position.actions or [one for one, _ in position.outcomes()]]
            assert len(set(labels)) == len(labels)
            again = pickle.loads(pickle.dumps(position))
            assert again == position
            assert again.actions == position.actions
            assert copy.deepcopy(position) is position
            for seat in range(setup.seats):
                vector = setup.vector(position, seat)
                assert vector.shape == (setup.width,)
                assert vector.dtype == np.float32
                assert 0 <= vector.min() <= vector.max() <= 1
                mask = setup.mask(position, seat)
                assert tuple(np.flatnonzero(mask)) == (position.actions if position.to_act == seat else ())


def test_every_move_has_its_own_spelling() -> None:
    # What the steps reach from a position is what the reference allows, each move once; spell() says by which actions.
    rng = np.random.default_rng(11)
    checked = 0
    for game, options in SETUPS:
        for position in walk(table(game, **options).begin(), rng):
            if not isinstance(position, Deciding) or position.word or game == "winner":
                continue
            legal = list(position.state.legal_moves())
            found = dict(spelled(position.menu))
            assert sorted(found.values()) == legal
            assert {position.spell(move): move for move in legal} == found
            checked += 1
    assert checked > 200


def spelled(menu: Any, word: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The spellings to which a menu leads with their moves; an empty menu is a dead end."""
    assert menu.actions
    for action in menu.actions:
        following = menu.pick(action)
        longer = (*word, action)
        yield from [(longer, following.move)] if isinstance(following, Spelled) else spelled(following, longer)


def test_a_move_is_spelled_from_where_the_player_is() -> None:
    position: Position = table("winner", start="3D 4D 4C 5D | 3C 3H 3S 6D; turn 0; idle 0 1").begin()
    for text, word in (("3D", (0,)), ("4D", (4, 56)), ("4D 4C", (4, 5))):
        move = winner.Move.parse(text)
        assert position.spell(move) == word
        after = functools.reduce(lambda at, action: at.step(action), word, position)
        assert after.state == position.state.play(move)
    assert position.step(4).spell(winner.Move.parse("4D 4C")) == (5,)
    over, dice = (walk(table("winkeladvokat", size=3).begin(), np.random.default_rng(1))[-1], table("winston84").begin())
    for at, odd in ((position, winner.Move.parse("6D")), (position.step(4), winner.Move.parse("3D")), (position, "3D"),
                    (position, winner.PASS), (over, "a1-a3-c3"), (dice, "R")):
        with pytest.raises(IllegalMove):
            at.spell(odd)


def straights(rng: random.Random, rules: Any) -> winner.State:
    """Two hands of nine in few ranks and mostly two suits: full of straights and straight flushes."""
    first = rng.randrange(8)
    cards = [card for card in winner.deck(jokers=rules.jokers, decks=rules.decks) if first <= card.rank < first + 6]
    cards.sort(key=lambda card: rng.random() + card.suit // 2)
    held = cards[:18]
    rng.shuffle(held)
    return winner.State.start([tuple(held[:9]), tuple(held[9:])], 0, rules)


def test_combinations_are_spelled_as_the_reference_lists_them() -> None:
    rng, dealt = random.Random(3), table("winner")
    for rules, number in itertools.product(WINNER.settings(), range(7)):
        state = straights(rng, rules) if number < 3 else WINNER.start(rng, rules)
        while state.to_move != OVER:
            legal = state.legal_moves()
            if len(legal) < 800:
                found = dict(spelled(menu(state)))
                assert sorted(found.values()) == list(legal), str(state)
                assert {Deciding(dealt, state).spell(move): move for move in legal} == found, str(state)
            state = state.play(rng.choice(legal))


def test_two_decks_are_spelled_without_being_listed() -> None:
    # Such a hand has hundreds of millions of combinations.
    position = settled(table("winner", decks=2).begin(), np.random.default_rng(2))
    while position.to_act == position.table.seat(position.state) and position.state.current is None:
        position = position.step(position.actions[0])
    assert position.state.current is not None


@pytest.mark.parametrize(("game", "start", "worlds"), [
    ("winner", "3D 4D 8S | {} 9C | {} JD; turn 0; idle 0 1 2", ("5D 6D", "7D TD")),
    ("walk_the_dogs", "middle=SPOG lines=S/P hands=g1,g2/{} deck=?{} turn=0 phase=play bones=0/0", ("r1,r2", "r3,y")),
    ("winston_dogs", "hands Bb Kb | {}; table -; pile {}; turn 0", ("Ob Sb", "Gh Wb")),
])
def test_hidden_cards_stay_hidden(game: str, start: str, worlds: tuple[str, str]) -> None:
    # What a seat sees is the same in two worlds that differ only in what he cannot see.
    for hands, same in (("hidden", True), ("open", False)):
        one, two = (table(game, start=start.format(*cards), hands=hands) for cards in (worlds, worlds[::-1]))
        assert (one.public(one.begin()) == two.public(two.begin())) == same
        assert (one.vector(one.begin(), 0) == two.vector(two.begin(), 0)).all() == same
        assert not (one.vector(one.begin(), 1) == two.vector(two.begin(), 1)).all()


def test_a_card_put_under_the_pile_is_drawn_without_chance() -> None:
    start = "hands Bh Kh | Bh Kh; table Bh Kh; pile Ob; turn 0"
    position: Position = table("winston_dogs", start=start).begin()
    position = position.step(position.actions[0])
    assert position.to_act == CHANCE  # Ob was in the pile alone, but nobody has seen it
    position = position.step(position.outcomes()[0][0])
    assert position.to_act == 1
    put_there = position.state.state.pile[0]
    position = position.step(position.actions[0])
    assert position.to_act == 0
    assert position.state.witness.held[1] == (put_there,)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("chess", {}, "game is 'chess'"),
        ("winner", {"jokes": True}, "option 'jokes' is unknown"),
        ("winner", {"hands": "shown"}, "hands is 'shown'; it must be one of hidden, open"),
        ("winner", {"objective": "score"}, "end=first_out"),
        ("winner", {"players": "2"}, "option players is '2'; it must be a whole number"),
        ("winner", {"players": True}, "option players is True; it must be a whole number"),
        ("winner", {"players": 5}, "5 players"),
        ("winston_dogs", {"players": 1}, "1 players"),
        ("walk_the_dogs", {"players": 9}, "9 players"),
        ("walk_the_dogs", {"start": "middle=S"}, "no 'lines'"),
        ("winner", {"start": "3D | 4D; turn 0", "decks": 3}, "decks"),
        ("winkeladvokat", {"size": 9}, "board is 9"),
        ("winston84", {"start": "R6 box 3 marks 0 |"}, "no dice after the bar"),
        ("winston84", {"objective": "most"}, "objective 'most' is unknown"),
        ("winston84", {"difficulty": 6}, "difficulty is '6'"),
    ],
)
def test_bad_options_are_named(game: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((BadOption, BadText, IllegalPosition), match=message) as raised:
        table(game, **options)
    assert "\n" not in str(raised.value)


def test_what_is_not_legal_is_refused() -> None:
    position = table("winkeladvokat", size=4).begin()
    with pytest.raises(IllegalMove, match="action 0 is not legal here; legal are"):
        position.step(0)
    dice: Position = table("winston84").begin()
    with pytest.raises(IllegalMove, match="outcome 6 is not possible"):
        dice.step(6)
    for at, most in ((position, len(position.table.actions) - 1), (dice, 5)):
        for odd in (1.5, "3", True, None):
            with pytest.raises(BadOption, match="must be a whole number"):
                at.step(odd)  # type: ignore[arg-type]
        for number in (-1, most + 1):
            with pytest.raises(BadOption):
                at.label(number)
        assert at.label(np.int64(most)) == at.label(most)  # type: ignore[arg-type]  # any integer


@pytest.mark.parametrize(("game", "setting", "files"), [
    ("winkeladvokat", "board", [f"values = [[0, {n}, 0], [1, 4, 1], [0, {n}, 0]]" for n in (2, 9)]),
    ("winston84", "sheet", [TINY.read_text(encoding="utf-8").replace("golden_country = [", f"golden_country = [{n}, ")
                            for n in (1, 1000)]),
])
def test_an_environment_keeps_what_its_file_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, setting: str, files: list[str]
) -> None:
    (tmp_path / "file.toml").write_text(files[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    start = {"winkeladvokat": {"size": 3}, "winston84": {"difficulty": 5}}[game]
    before = table(game, **{setting: "file.toml"}, **start)
    kept = pickle.dumps(before)
    (tmp_path / "file.toml").write_text(files[1], encoding="utf-8")
    monkeypatch.chdir("/")
    again = pickle.loads(kept)
    assert again == before and again.first == before.first  # type: ignore[attr-defined]
    assert table(game, **{setting: files[1]}, **start) != before


# ---------------------------------------------------------------- OpenSpiel


@pytest.fixture(scope="module")
def spiel() -> Any:
    pytest.importorskip("pyspiel")
    from exactplay.adapters import open_spiel

    return open_spiel


@pytest.mark.parametrize(("game", "options"), SETUPS, ids=IDS)
def test_open_spiel_simulation(spiel: Any, game: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    import pyspiel

    loaded = spiel.load_game(game, **options)
    # OpenSpiel's own check of clones, masks, labels, serialisation, returns and lengths along random games.
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False, mask_test=True)
    assert str(pyspiel.load_game(str(loaded))) == str(loaded)
    assert str(pickle.loads(pickle.dumps(loaded))) == str(loaded)
    assert spiel.short_name(game) in pyspiel.registered_names()
    capfd.readouterr()
    # A seat forgets nothing: what he knew begins what he knows.
    rng, state, earlier = random.Random(1), loaded.new_initial_state(), [""] * loaded.num_players()
    for _ in range(100):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
        now = [state.information_state_string(seat) for seat in range(loaded.num_players())]
        assert all(new.startswith(old or f"seat {seat} ") for seat, (new, old) in enumerate(zip(now, earlier, strict=True)))
        earlier = now


def test_open_spiel_own_api_test(spiel: Any, capfd: pytest.CaptureFixture[str]) -> None:
    # OpenSpiel's integration test of its own games, on a sample of the states of these.
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    suite = unittest.TestSuite()
    for game, options in SETUPS:
        fields = {"game": spiel.load_game(game, **options), "game_name": game}
        case: Any = type("Api", (EnforceAPIOnPartialTreeBase,), fields)
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    result = unittest.TestResult()
    suite.run(result)
    capfd.readouterr()  # each error that it provokes is printed
    assert result.testsRun >= 5 * len(SETUPS)
    assert not [text for _, text in [*result.failures, *result.errors]]


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("winner", "3D 4D | 3C 5D | 4C 6D; turn 0; idle 0 1 2"),
        ("winston_dogs", "hands Bb Kb Ob | Bh Gb Kh; table -; pile Sh Wb; turn 0"),
        ("walk_the_dogs", "middle=SPO lines=S/P hands=g1,r1/g2,y deck=?g1,bo,dc turn=0 phase=draw bones=0/0"),
    ],
)
def test_open_spiel_perfect_recall_of_whole_games(spiel: Any, game: str, start: str) -> None:
    from open_spiel.integration_tests import api_test

    sets = api_test._assert_is_perfect_recall(spiel.load_game(game, start=start))
    assert len(sets) > 20


def test_open_spiel_hides_what_is_hidden(spiel: Any) -> None:
    # Two deals that differ only in the cards of seats 1 and 2 look the same to seat 0, and not to seat 1.
    seen = []
    for swapped in (False, True):
        state = spiel.load_game("winner", players=3).new_initial_state()
        deal = list(range(54))
        if swapped:
            deal[1], deal[2] = deal[2], deal[1]
        for action in (*deal, 0):
            state.apply_action(action)
        seen.append([
            (state.information_state_string(seat), state.observation_string(seat), state.observation_tensor(seat))
            for seat in range(3)
        ])
    assert seen[0][0] == seen[1][0]
    assert all(one != other for one, other in zip(seen[0][1], seen[1][1], strict=True))


def exact(result: Result[Any]) -> float:
    """The value of an answer that must be exact."""
    assert isinstance(result.verdict, Exact)
    assert isinstance(result.verdict.value, int | float)
    return float(result.verdict.value)


def small_games() -> Iterator[tuple[str, dict[str, str], float]]:
    """Games as OpenSpiel loads them, with the exact value for seat 0."""
    for text in ("", "3R/4/4/B3 b 2,2 0,0", "3R/1r2/1b2/B3 b 2,2 0,0", "1r1R/b1r1/1b2/B3 b 3,2 0,1"):
        board = winkeladvokat.State.parse(text) if text else winkeladvokat.State.initial(3)
        yield "winkeladvokat", {"start": str(board)}, exact(solve_winkeladvokat(board))
    rng = random.Random(3)
    for goal, _ in itertools.product(("win", "score"), range(3)):
        cards = [card for card in winner.deck() if card.rank in (0, 1, 2, 3, 13, 14)]
        rng.shuffle(cards)
        rules = winner.Rules(end="first_out")
        hands = winner.State.start([tuple(cards[:5]), tuple(cards[5:9])], rng.randrange(2), rules)
        yield "winner", {"start": str(hands), "objective": goal}, exact(solve_winner(hands, objective=goal))  # type: ignore[arg-type]
    for _ in range(10):
        kennel = dogs.set_up(rng, 2, hand=3, pile=2)
        if kennel.to_move != OVER:
            yield "winston_dogs", {"start": str(kennel)}, exact(solve_dogs(kennel))
    for aim, _ in itertools.product(("points", "outcome"), range(5)):
        middle = "".join(rng.choice("SPOG") for _ in range(4))
        held = [[rng.choice(walk_the_dogs.HAND_CARDS) for _ in range(2)] for _ in range(2)]
        pile = [rng.choice(walk_the_dogs.CARDS) for _ in range(3)]
        line = walk_the_dogs.State.at(middle, ["SS", "PP"], held, pile)
        yield "walk_the_dogs", {"start": str(line), "objective": aim}, exact(solve_walk(line, objective=aim))  # type: ignore[arg-type]


def test_open_spiel_minimax_agrees_with_the_solvers(spiel: Any) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    values = set()
    for game, options, value in small_games():
        hands = {} if game == "winkeladvokat" else {"hands": "open"}
        loaded = spiel.load_game(game, **options, **hands)
        assert alpha_beta_search(loaded, maximum_depth=500, maximizing_player_id=0)[0] == value, options
        values.add((game, value))
    assert len(values) > 10


def test_open_spiel_expectiminimax_winston84(spiel: Any) -> None:
    # The last round of the tiny sheet, from where a few dice are left, Green's roll among what may come.
    from open_spiel.python.algorithms.minimax import expectiminimax

    values = set()
    for objective, dice in itertools.product(
        ("score", "win"), ("R2 G2 Bp3 Y1 P6", "R3 G1 B2 Wp5 Yp6 Px3", "Rx1 G2 W4 Yp1 Pp2 B5")
    ):
        loaded = spiel.load_game("winston84", sheet=str(TINY), objective=objective, start=f"R8 box 30 marks 1 | {dice}")
        value, _ = expectiminimax(loaded.new_initial_state(), 100, None, 0)
        solution = open_solution(Sheet.load(TINY), Difficulty(1), Objective.parse(objective))
        assert value == pytest.approx(exact(advise(loaded.table.first, solution=solution)), abs=1e-9)
        values.add(value)
    assert len(values) == 6


@pytest.mark.parametrize("game", TABLES)
def test_open_spiel_playthrough(spiel: Any, game: str) -> None:
    # python -m bench rebuild adapters  writes them anew.
    from bench.rebuild.adapters import PLAYTHROUGHS, VERSION, play_through

    recorded = (PLAYTHROUGHS / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    new = play_through(game).splitlines()
    if version("open_spiel") != VERSION.read_text(encoding="utf-8").strip():
        # Another version may print other lines; what happens must be the same.
        recorded, new = ([line for line in lines if line.startswith(("#", "action"))] for lines in (recorded, new))
    assert new == recorded


# ---------------------------------------------------------------- Gymnasium


@pytest.fixture(scope="module")
def gym() -> Any:
    pytest.importorskip("gymnasium")
    from exactplay.adapters import gymnasium

    return gymnasium


def test_gymnasium_check_env(gym: Any) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make(f"exactplay.adapters.gymnasium:{gym.ENV_ID}", difficulty=3, render_mode="ansi")
    check_env(made.unwrapped)
    made.close()


def test_gymnasium_episode(gym: Any) -> None:
    env = gym.Winston84Env(sheet=str(TINY), objective="win", start="R8 box 30 marks 0", illegal="raise", render_mode="ansi")
    rewards = set()
    for seed in range(40):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert (env.action_masks() == info["action_mask"].astype(bool)).all()
            illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
            with pytest.raises(IllegalMove):
                env.step(illegal)
            assert env.render() == info["position"]
            action = env.np_random.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, over, cut, info = env.step(action)
            assert env.observation_space.contains(observation)
            assert not cut
        rewards.add(reward)
        assert env.step(action)[1:3] == (0.0, True)
    assert rewards == {0.0, 1.0}


def test_gymnasium_draws_and_refuses(gym: Any) -> None:
    env = gym.Winston84Env(render_mode="svg")
    before, info = env.reset(seed=1)
    assert env.render() == draw(env.position.state)
    assert env.render().startswith("<svg")
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, _, _ = env.step(illegal)
    assert (before == after).all()
    assert (reward, over) == (0.0, False)
    for odd, message in (({"illegal": "lose"}, "illegal is 'lose'"), ({"render_mode": "human"}, "render_mode is 'human'"),
                         ({"rules": {"purple": True}}, "purple")):
        with pytest.raises(BadOption, match=message):
            gym.Winston84Env(**odd)
    with pytest.raises(BadOption, match="'level' was given"):
        env.reset(options={"level": 3})


def test_the_learner_learns(gym: Any) -> None:
    # A quick share of `python -m bench learner`: by far better than to begin with, and no better than the optimum.
    from bench.speed.learner import Estimates, exact_optimum, measure, train

    env = gym.Winston84Env()
    before = measure(env, Estimates(), 20, 10_000_000)
    after = measure(env, train(env, 300, 1), 60, 10_000_000)
    assert before.mean < 2
    assert after.mean > 10
    assert after.mean < exact_optimum() + 4 * after.error


# ---------------------------------------------------------------- PettingZoo


@pytest.fixture(scope="module")
def zoo() -> Any:
    pytest.importorskip("pettingzoo")
    from exactplay.adapters import pettingzoo

    return pettingzoo


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("winkeladvokat", {"size": 5}), ("winner", {"players": 3}), ("winston_dogs", {"players": 4}), ("walk_the_dogs", {}),
    ],
)
def test_pettingzoo_own_tests(zoo: Any, game: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        # PettingZoo's own games with masks have such observations, and are exempt from these by name.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array", UserWarning)
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be", UserWarning)
        api_test(zoo.env(game, **options), num_cycles=60)
    seed_test(lambda: zoo.env(game, **options), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_rewards_are_the_returns(zoo: Any) -> None:
    env = zoo.raw_env("walk_the_dogs", players=3, render_mode="ansi")
    env.reset(seed=7)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        totals[agent] += reward
        if not (over or cut):
            assert agent == env.possible_agents[env.position.to_act]
        env.step(None if over or cut else int(np.flatnonzero(observation["action_mask"])[0]))
    assert list(totals.values()) == list(env.table.returns(env.position.state))
    assert len(set(totals.values())) > 1
    assert env.render() == env.table.public(env.position)


def test_pettingzoo_refuses_and_cuts_off(zoo: Any) -> None:
    env = zoo.raw_env("winkeladvokat", size=4)
    env.reset(seed=1)
    with pytest.raises(IllegalMove):
        env.step(0)
    for odd in (None, 1.5, "3"):
        with pytest.raises(BadOption):
            env.step(odd)
    refused: list[tuple[str, dict[str, Any]]] = [
        ("winston84", {}), ("winner", {"seats": 3}), ("winner", {"render_mode": "svg"})
    ]
    for game, options in refused:
        with pytest.raises(BadOption):
            zoo.env(game, **options)
    env._decisions = env.table.longest - 1
    env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


# ---------------------------------------------------------------- the page


PAGE = DOCS / "adapters.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of an installed wheel")
def test_the_examples_of_the_page_are_real(capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("pyspiel", "gymnasium", "pettingzoo"):
        pytest.importorskip(package)
    examples = re.findall(r"```python\n(.*?)```\n(?:```\n(.*?)```\n)?", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 4
    for code, shown in examples:
        exec(compile(code, str(PAGE), "exec"), {})
        assert capsys.readouterr().out == shown


# ---------------------------------------------------------------- what is imported when


def test_frameworks_are_imported_only_when_asked_for() -> None:
    code = (
        "import sys, json, exactplay, exactplay.adapters, exactplay.adapters.steps, exactplay.cli; "
        "print(json.dumps([name for name in ('pyspiel', 'gymnasium', 'pettingzoo') if name in sys.modules]))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == []


@pytest.mark.parametrize(("module", "missing"), [
    ("open_spiel", "pyspiel"), ("gymnasium", "gymnasium"), ("pettingzoo", "pettingzoo"),
])
def test_a_missing_framework_is_named(module: str, missing: str) -> None:
    code = (
        "import sys\n"
        f"class Finder:\n    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {missing!r}: raise ModuleNotFoundError('No module', name=name)\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"try:\n    import exactplay.adapters.{module}\nexcept ImportError as error:\n    print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == f'{module} is not installed; install it with: pip install "exactplay[adapters]"\n'
