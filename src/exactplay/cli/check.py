"""``exactplay check FILE``: check a certificate with the reference rules alone."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from exactplay.certificates import SAMPLE, SEED, CheckedTable, WrongCertificate
from exactplay.certificates import check as check_file
from exactplay.cli.options import JSON, command
from exactplay.cli.process import INTERRUPTED, say
from exactplay.cli.screen import Meter, print_answer
from exactplay.common.errors import BadOption, told
from exactplay.questions.face import Answer, Option

WRONG = 1
NOT_PROVEN = 3

_OPTIONS = (
    Option("file", "file", "A certificate, written by certify.", argument=True, needed=True, metavar="FILE"),
    Option("complete", "flag", "Winston 1984: every place, not a sample. Ctrl-C tells how far it got."),
    Option("sample", "whole", f"Winston 1984: check so many places; {SAMPLE} if not given.", low=1),
    Option("seed", "whole", "Seed of the sample.", default=SEED, low=0),
    JSON,
)


def _run(given: dict[str, Any]) -> int:
    complete, sample = given.get("complete", False), given.get("sample")
    if complete and sample is not None:
        raise BadOption("--complete checks all places and --sample some of them; give one of the two")
    places = None if complete else sample or SAMPLE
    try:
        with Meter() as meter:
            checked = check_file(Path(given["file"]), sample=places, seed=given.get("seed", SEED), progress=meter.words)
    except WrongCertificate as error:
        say(f"exactplay: wrong: {told(error)}")
        return WRONG
    print_answer(Answer(checked.to_json(), tuple(checked.lines())), as_json=given.get("json", False))
    if isinstance(checked, CheckedTable) and checked.interrupted:
        return INTERRUPTED
    return 0 if checked.proven else NOT_PROVEN


check = command(
    "check",
    "Exit code 0: it is proven; 1: it is well formed and wrong; 2: it is no certificate, or a damaged one; 3: it is well "
    "formed, what was checked of it holds, and it is not proven.",
    _OPTIONS, _run,
)
