"""What a server is told when it starts."""
from __future__ import annotations

import dataclasses

#: The names by which a browser on this machine reaches a server that listens on the loopback address.
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """Limits of the server and of every job in its pool.

    ``hosts`` are the names, besides those of the loopback address, under which requests are answered. At most ``workers``
    jobs run and ``waiting`` more wait. A job may take ``seconds`` of CPU time (its process is ended ``slack`` later) and
    ``megabytes`` of memory beyond those of an idle worker; it ends ``grace`` seconds after its last listener has gone. The
    last ``kept`` answers are kept.
    """

    hosts: tuple[str, ...] = ()
    workers: int = 2
    waiting: int = 8
    seconds: float = 600.0
    megabytes: int = 1024
    slack: float = 20.0
    grace: float = 5.0
    kept: int = 32
    largest_body: int = 256 * 1024
