"""Mutation testing of the rules and of the solvers' Python: does a test fail where a line of them is wrong?

``python -m bench verify mutants MODULE [NUMBER [SEED] | FILE]`` takes the mutants that mutmut makes of a module or package
of exactplay (``rules.winner``, ``rules.winner.state``, ``solvers``): all, a random NUMBER of them, or those that FILE lists
as an earlier run printed them. It runs the tests that call what was changed, prints the share that some test killed, and
every survivor that no page of docs/survivors explains; the status is 1 if there is one. mutmut's own runner is not used: it
needs the sources where an editable installation does not have them, and imports all anew for each mutant.
"""
from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench import ROOT
from bench.verify.mutants.making import Mutant, explained, files, listed, mutants
from bench.verify.mutants.running import Runner

#: package or module -> arguments of pytest for the tests that shall kill its mutants; the longest name that fits decides
TESTS: dict[str, list[str]] = {
    "rules.contract": ["tests/test_rules_base.py"],
    "rules.winston84": [
        "tests/test_winston84.py", "tests/test_winston84_rules.py", "-k", "not by_brute_force and not second_opinion",
    ],
    "rules.winkeladvokat": [
        "tests/test_contract.py", "tests/test_winkeladvokat.py", "tests/test_winkeladvokat_rules.py",
        "-k", "agree_at_every_step and winkeladvokat or test_winkeladvokat and not lattice and not every_combination",
    ],
    "rules.winner": [
        "tests/test_winner_rules.py", "tests/test_winner_texts.py", "tests/test_winner.py", "tests/test_winner_follow.py",
        "tests/test_contract.py", "-k",
        "winner and not random_games and not json_and_view and not a_followed_game and not damaged and not sum_to_one"
        " and not moves_are_sorted and not within_bounds",
    ],
    "rules.winston_dogs": [
        "tests/test_contract.py", "tests/test_certificates.py", "tests/test_winston_dogs.py",
        "tests/test_winston_dogs_rules.py",
        "-k", "winston_dogs and not random_games_natively and not never_met_in_real_games",
    ],
    "rules.walk_the_dogs": [
        "tests/test_contract.py", "tests/test_certificates.py", "tests/test_walk_the_dogs.py",
        "tests/test_walk_the_dogs_rules.py", "-k",
        "(walk_the_dogs or walk-the-dogs) and not damaged and not random_games",
    ],
    "solvers.winston84": [
        "tests/test_winston84_solver_parts.py", "tests/test_winston84_solver_policy.py", "tests/test_winston84_solver.py",
        "tests/test_winston84_forecast.py", "tests/test_winston84_core.py", "-k",
        "solver_parts or solver_policy or test_winston84_solver and (cases or arrays or unreached or advice or plays_no)"
        " or re_roll and win or R8 and not W and not None"
        " or test_winston84_core and (best_mean or round_trip or optimal_policy)",
    ],
    "solvers.winkeladvokat": [
        *(f"tests/test_winkeladvokat{part}.py" for part in ("_solver", "_solver_parts", "_duel", "_solving", "_guess", "")),
        "tests/test_contract.py", "-k",
        "divide_adds_up or third_occurrence or agree_at_every_step and winkeladvokat and not adjacent"
        " or (winkeladvokat_solver or winkeladvokat_solving or winkeladvokat_duel or winkeladvokat_guess)"
        " and not (500_small or limit_gives_proven or too_long_for_max_n or asks_no_clock or cp_sat"
        " or every_option and (adjacent or not (square or diagonal)))",
    ],
    "solvers.winner": [
        "tests/test_winner_core.py", "tests/test_winner_solver.py", "tests/test_winner_solver_parts.py",
        "tests/test_winner_open_hands.py", "tests/test_winner_advise.py", "-k",
        "not intervals_of_samples and not (minimax and not part0) and not full_game_tree and not swapping"
        " and not forgets_nearly and not tiny_tables and not (equals_the_book and not [1]) and not against_one_other"
        " and not too_large_to_solve and not searches_agree",
    ],
    "solvers.winston_dogs": [
        "tests/test_winston_dogs_solver.py", "tests/test_winston_dogs_parts.py", "tests/test_winston_dogs_advice.py", "-k",
        "not intervals_cover and not interruption and not averages_are and not full_hands_against and not keeps_to_its_time"
        " and not limit_of_maxn_holds and not stuck_for_ever and not few_entries and not within_the_span",
    ],
    "solvers.walk_the_dogs": [
        "tests/test_walk_the_dogs_solver.py", "tests/test_walk_the_dogs_solver_parts.py",
        "tests/test_walk_the_dogs_advice.py", "tests/test_walk_the_dogs_cp_sat.py", "tests/test_walk_the_dogs.py",
        "tests/test_contract.py", "tests/test_core_limits.py", "-k",
        "test_walk and not (intervals_of_sampled or breaks_the_ties or near_five or 300_small or full_game_tree"
        " or strikes_within or average_is_that_of_minimax or random_games or json_and_views)"
        " or agree_at_every_step and walk-the-dogs",
    ],
    "solvers": [
        "tests/test_hidden.py", "tests/test_solvers.py", "tests/test_proofs.py", "tests/test_tables.py", "-k",
        "not intervals_cover",
    ],
}


def _tests(module: str) -> str:
    fitting = [name for name in TESTS if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default="")


def _chosen(arguments: list[str]) -> tuple[list[Mutant], int]:
    """The mutants that the arguments name, and how many there are in all."""
    modules = files(arguments[0]) if arguments else {}
    everything = [mutant for module, path in modules.items() if _tests(module) for mutant in mutants(module, path)]
    if not everything or len(arguments) > 3:
        usage = "usage: python -m bench verify mutants MODULE [NUMBER [SEED] | FILE]"
        print(f"{usage}; MODULE as in rules.winner or solvers.tables", file=sys.stderr)
        raise SystemExit(2)
    if len(arguments) == 1:
        return everything, len(everything)
    if arguments[1].isdigit():
        seed = int(arguments[2]) if len(arguments) == 3 else 0
        return random.Random(seed).sample(everything, min(len(everything), int(arguments[1]))), len(everything)
    wanted = listed(Path(arguments[1]).read_text(encoding="utf-8"))
    of_these = {text.partition(":")[0] for text in wanted}  # a mutant's text takes its time
    return [mutant for mutant in everything if mutant.module in of_these and mutant.text() in wanted], len(everything)


def verify(arguments: list[str]) -> None:
    """Print the share of mutants that the tests kill, and the survivors."""
    os.chdir(ROOT)
    chosen, total = _chosen(arguments)
    known, all_of, kills, said = explained(), Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        # The tests keep compiled structures in a folder for temporary files; a mutant must not spoil that of later runs.
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        for group in sorted({_tests(mutant.module) for mutant in chosen}):
            of_group = [mutant for mutant in chosen if _tests(mutant.module) == group]
            for mutant, killed in Runner(TESTS[group], Path(folder)).verdicts(of_group):
                all_of[mutant.module] += 1
                kills[mutant.module] += killed
                if not killed and mutant.text() in known:
                    said[mutant.module] += 1
                elif not killed:
                    print(f"- `{mutant.text()}`", flush=True)
    for name in sorted(all_of):
        print(f"{name}: {_share(kills[name], all_of[name], said[name])}")
    print(f"{_share(kills.total(), all_of.total(), said.total())}; {total} mutants in all")
    if kills.total() + said.total() < all_of.total():
        raise SystemExit(1)


def _share(kills: int, of: int, said: int) -> str:
    return f"{kills} of {of} killed ({100 * kills / of:.1f} %), {said} of the others explained, {of - kills - said} not"
