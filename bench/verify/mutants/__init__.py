"""Mutation testing of the rules and of the solvers' Python: does a test fail where a line of them is wrong?

``python -m bench verify mutants MODULE [NUMBER [SEED] | FILE] [--record]`` takes the mutants that mutmut makes of a module
or package of exactplay (``rules.winner``, ``rules.winner.state``, ``solvers``): all, a random NUMBER of them, or those that
FILE names as an earlier run printed them. It runs the tests that call what was changed, prints the share that some test
killed, and every survivor that survivors.txt does not explain; the status is 1 if there is one. ``--record`` writes the
file anew: killed ones go, new ones stand under "? not explained" until somebody moves them under a reason. mutmut's own
runner is not used: it needs the sources where an editable installation does not have them, and imports all anew for each
mutant.
"""
from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench import ROOT
from bench.verify.mutants.making import RECORD, Mutant, explained, files, mutants, recorded, renewed
from bench.verify.mutants.running import Runner

#: package or module -> arguments of pytest for the tests that shall kill its mutants; the longest name that fits decides
TESTS: dict[str, list[str]] = {
    "rules.contract": ["tests/shared/test_rules_base.py"],
    **{
        f"{storey}.{game}": [
            f"tests/{game}", "tests/shared/test_contract.py", f"tests/shared/test_{also}.py",
            "-k", f"{game} and not cli and not web and not browser",
        ]
        for game in ("winston84", "winkeladvokat", "winner", "winston_dogs", "walk_the_dogs")
        for storey, also in (("rules", "certificates"), ("solvers", "answers"))
    },
    "solvers": [f"tests/shared/test_{name}.py" for name in ("hidden", "result", "proofs", "tables")],
}


def _tests(module: str) -> str:
    fitting = [name for name in TESTS if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default="")


def _chosen(arguments: list[str]) -> tuple[list[Mutant], int]:
    """The mutants that the arguments name, and how many there are in all."""
    modules = files(arguments[0]) if arguments else {}
    everything = mutants({module: path for module, path in modules.items() if _tests(module)})
    if not everything or len(arguments) > 3:
        usage = "usage: python -m bench verify mutants MODULE [NUMBER [SEED] | FILE] [--record]"
        print(f"{usage}; MODULE as in rules.winner or solvers.tables", file=sys.stderr)
        raise SystemExit(2)
    if len(arguments) == 1:
        return everything, len(everything)
    if arguments[1].isdigit():
        seed = int(arguments[2]) if len(arguments) == 3 else 0
        return random.Random(seed).sample(everything, min(len(everything), int(arguments[1]))), len(everything)
    wanted = set(Path(arguments[1]).read_text(encoding="utf-8").splitlines())
    return [mutant for mutant in everything if mutant.name in wanted], len(everything)


def verify(arguments: list[str]) -> None:
    """Print the share of mutants that the tests kill, and the survivors."""
    os.chdir(ROOT)
    record = "--record" in arguments
    chosen, total = _chosen([word for word in arguments if word != "--record"])
    known, all_of, kills, said = explained(), Counter[str](), Counter[str](), Counter[str]()
    survived: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        # The tests keep compiled structures in a folder for temporary files; a mutant must not spoil that of later runs.
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        for group in sorted({_tests(mutant.module) for mutant in chosen}):
            of_group = [mutant for mutant in chosen if _tests(mutant.module) == group]
            for mutant, killed in Runner(TESTS[group], Path(folder)).verdicts(of_group):
                all_of[mutant.module] += 1
                kills[mutant.module] += killed
                if not killed:
                    survived.add(mutant.name)
                    said[mutant.module] += mutant.name in known
                    if mutant.name not in known:
                        print(mutant.name, flush=True)
    if record:
        RECORD.write_text(recorded(renewed(known, chosen, survived)), encoding="utf-8")
    for name in sorted(all_of):
        print(f"{name}: {_share(kills[name], all_of[name], said[name])}")
    print(f"{_share(kills.total(), all_of.total(), said.total())}; {total} mutants in all")
    if kills.total() + said.total() < all_of.total():
        raise SystemExit(1)


def _share(kills: int, of: int, said: int) -> str:
    return f"{kills} of {of} killed ({100 * kills / of:.1f} %), {said} of the others explained, {of - kills - said} not"
