"""``exactplay check FILE``: check a certificate with the reference rules alone."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from exactplay.certificates import SAMPLE, SEED, CheckedTable, WrongCertificate
from exactplay.certificates import check as check_file
from exactplay.cli.common import INTERRUPTED, JsonFlag, print_json, progress_in_words
from exactplay.rules.contract import BadText


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate, written by certify.")],
    complete: Annotated[
        bool, typer.Option("--complete", help="Winston 1984: every place, not a sample. Ctrl-C tells how far it got.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option(min=1, help=f"Winston 1984: check so many places; {SAMPLE} if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = SEED,
    json_: JsonFlag = False,
) -> None:
    """Exit code 0: it holds; 1: it is well formed and wrong; 2: it is no certificate, or a damaged one."""
    if complete and sample is not None:
        raise BadText("--complete checks all places and --sample some of them; give one of the two")
    places = None if complete else sample or SAMPLE
    try:
        with progress_in_words() as tell:
            checked = check_file(file, sample=places, seed=seed, progress=tell)
    except WrongCertificate as error:
        print("exactplay: wrong: " + " ".join(str(error).split()), file=sys.stderr)
        raise typer.Exit(1) from None
    if json_:
        print_json(checked.to_json())
    else:
        print("\n".join(checked.lines()))
    if isinstance(checked, CheckedTable) and checked.interrupted:
        raise typer.Exit(INTERRUPTED)
