"""The games inside the frameworks of researchers: OpenSpiel, Gymnasium, PettingZoo.

:mod:`.open_spiel`, :mod:`.gymnasium` and :mod:`.pettingzoo` are imported by name and need the extra ``adapters``; nothing
else of exactplay imports them. All three stand on :mod:`.steps`, which needs none of the frameworks.
"""
from __future__ import annotations

from importlib import import_module
from types import ModuleType


def require(module: str, package: str) -> ModuleType:
    """Import a framework; raises ImportError with one line that says what to install."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise ImportError(
            f'{package} is not installed; install it with: pip install "exactplay[adapters]"', name=module
        ) from None
