"""Tasks that misbehave, for the tests of the pool; a module of its own, as the worker imports it."""
from __future__ import annotations

import os
import signal
from typing import Any

from exactplay.web.worker import Tell


def burn(tell: Tell) -> dict[str, Any]:
    """A task that heeds no limit."""
    tell.progress(begun=1)
    while True:
        pass


def hoard(tell: Tell) -> dict[str, Any]:
    """A task that takes all memory."""
    kept = [bytearray(1 << 20)]
    while True:
        kept.append(bytearray(1 << 24))


def break_down(tell: Tell) -> dict[str, Any]:
    """A task with a mistake in it."""
    raise RuntimeError("secret of the solver")


def die(tell: Tell) -> dict[str, Any]:
    """A task whose process ends, as after a fault in native code."""
    os.kill(os.getpid(), signal.SIGTERM)
    return {}
