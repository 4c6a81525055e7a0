"""Certificates: exact answers that can be checked without our core and our solvers.

This package imports :mod:`exactplay.rules`, the standard library, and NumPy for the arrays of Winston 1984; nothing else.
The solvers write certificates (``certify`` of each game), :func:`check` reads them.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from exactplay.certificates.format import BadCertificate, Certificate, Progress, WrongCertificate
from exactplay.certificates.proof import Checked, Question, check_proof
from exactplay.certificates.walk_the_dogs import WalkTheDogsQuestion
from exactplay.certificates.winkeladvokat import WinkeladvokatQuestion
from exactplay.certificates.winner import WinnerQuestion
from exactplay.certificates.winston84 import SAMPLE, SEED, CheckedTable, Table, check_table
from exactplay.certificates.winston_dogs import WinstonDogsQuestion
from exactplay.common.errors import quoted, told

__all__ = [
    "SAMPLE", "SEED", "BadCertificate", "Certificate", "Checked", "CheckedTable", "Progress", "Question", "Table",
    "WrongCertificate", "check", "check_content",
]

_QUESTIONS: dict[str, type[Question[Any]]] = {
    kind.game: kind for kind in (WinkeladvokatQuestion, WinnerQuestion, WinstonDogsQuestion, WalkTheDogsQuestion)
}


def check(
    path: Path, *, sample: int | None = SAMPLE, seed: int = SEED, progress: Progress | None = None
) -> Checked | CheckedTable:
    """Check a file; ``sample`` (None: all) and ``seed`` choose the places of a Winston 1984 table that are checked.

    Raises :class:`BadCertificate` for what is no certificate or a damaged one, :class:`WrongCertificate` for one that does
    not prove what it says, and OSError.
    """
    try:
        return check_content(Certificate.read(path), sample=sample, seed=seed, progress=progress)
    except (BadCertificate, WrongCertificate) as error:
        raise type(error)(f"{path}: {error}") from None


def check_content(
    certificate: Certificate, *, sample: int | None = SAMPLE, seed: int = SEED, progress: Progress | None = None
) -> Checked | CheckedTable:
    """As :func:`check`, of a certificate that has been read."""
    try:
        if certificate.game == Table.game:
            return check_table(certificate, sample=sample, seed=seed, progress=progress)
        if certificate.game in _QUESTIONS:
            return check_proof(_QUESTIONS[certificate.game], certificate, progress)
    except (BadCertificate, WrongCertificate):
        raise
    except ValueError as error:
        raise BadCertificate(f"it asks what cannot be asked: {told(error)}") from None
    known = ", ".join([Table.game, *_QUESTIONS])
    raise BadCertificate(f"it is about {quoted(certificate.game)}; this exactplay knows {known}")
