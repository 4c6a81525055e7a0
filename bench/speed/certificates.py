"""Certificates: their sizes and seconds, and the long checks of many of them."""
from __future__ import annotations

from functools import partial

from bench.verify.certificates import Case, _dogs, _endgames, _measure, _walk, _winner
from exactplay.certificates import Certificate
from exactplay.rules import winkeladvokat
from exactplay.solvers.winkeladvokat.certificate import certify as certify_winkeladvokat


def bench(arguments: list[str]) -> None:
    """Sizes and CPU seconds of some certificates of every game."""
    shown: list[Case] = [
        (f"winkeladvokat, {size} x {size}, first move", partial(_certify_board, size), None) for size in (4, 5)
    ]
    shown += [case for number, case in enumerate(_endgames()) if number % 25 == 0]
    for cases in (_winner(), _dogs(), _walk()):
        shown += list(cases)[-3:]
    for case in shown:
        _measure(case)


def _certify_board(size: int) -> Certificate:
    return certify_winkeladvokat(winkeladvokat.State.initial(size))
