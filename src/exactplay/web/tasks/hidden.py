"""What the card games share: searches that say how many nodes they have visited, advice that counts worlds."""
from __future__ import annotations

import time
from collections.abc import Callable

from exactplay.web.worker import Tell

#: Seconds between two reports.
EVERY = 0.25


def counter(tell: Tell, what: str) -> Callable[[int], None]:
    """A listener that passes a number on, under the name ``what``, a few times a second."""
    last = time.monotonic()

    def report(number: int) -> None:
        nonlocal last
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            tell.progress(**{what: number})

    return report
