"""The process of one job: it works, tells how far it is, and cannot take more than its share."""
from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

if sys.platform != "win32":  # which has no such limits: there the pool's clock alone ends a job
    import resource

Data = dict[str, Any]


class Tell:
    """How a task says how far it is. Raises KeyboardInterrupt when nobody hears it any more."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection

    def progress(self, **numbers: float) -> None:
        """What has been done so far, as named numbers."""
        self._send("progress", numbers)

    def partial(self, answer: Data) -> None:
        """What the answer would be if the work ended now."""
        self._send("partial", answer)

    def _send(self, kind: str, data: Any) -> None:
        try:
            self._connection.send((kind, data))
        except OSError:
            raise KeyboardInterrupt from None


Task = Callable[[Tell], Data]


def run(connection: Connection[Any, Any], task: Task, seconds: float, megabytes: int) -> None:
    """The main function of a job's process: sends progress, partial answers, then one result or one error."""
    # Ctrl-C in the server's terminal is the server's to handle.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(seconds, megabytes)
    kind: str
    answer: Any
    try:
        kind, answer = "result", task(Tell(connection))
    except MemoryError:
        kind, answer = "error", f"this needs more memory than the {megabytes} MB that a job may take"
    except (ValueError, OSError) as error:
        kind, answer = "error", " ".join(str(error).split())
    except KeyboardInterrupt:
        return
    except Exception:
        traceback.print_exc(file=sys.stderr)
        kind, answer = "error", "the solver failed; what went wrong stands in the server's terminal"
    with contextlib.suppress(OSError):
        connection.send((kind, answer))


def _limit(seconds: float, megabytes: int) -> None:
    if sys.platform == "win32":
        return
    cpu = int(seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    # Only Linux says how much address space is taken already, and keeps to this limit.
    if sys.platform == "linux":
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (taken + (megabytes << 20), -1))


