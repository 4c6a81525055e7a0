"""``python -m exactplay.certificates FILE``: check a certificate where nothing of ours is built or installed.

The rules and this package are plain Python, so ``PYTHONPATH=src`` in a clone is enough (and NumPy).
Exit code 0: it is proven; 1: it is wrong; 2: it is no certificate; 3: what was checked of it holds (a sample).
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from exactplay.certificates import SAMPLE, SEED, BadCertificate, WrongCertificate, check
from exactplay.common.errors import told


def main() -> int:
    """Check the file that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m exactplay.certificates", description="Check a certificate.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--complete", action="store_true", help="every place of a Winston 1984 table, not a sample")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample")
    asked = parser.parse_args()
    try:
        checked = check(asked.file, sample=None if asked.complete else SAMPLE, seed=asked.seed)
    except (BadCertificate, WrongCertificate, OSError) as error:
        print(told(error), file=sys.stderr)
        return 1 if isinstance(error, WrongCertificate) else 2
    print(*checked.lines(), sep="\n")
    return 0 if checked.proven else 3


if __name__ == "__main__":
    sys.exit(main())
