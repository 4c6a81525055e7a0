"""A server of the web application in a thread of its own, for tests."""
from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx

from exactplay.web.app import create_app
from exactplay.web.server import Server
from exactplay.web.settings import Settings


@contextlib.contextmanager
def running(settings: Settings | None = None) -> Iterator[str]:
    """The address of a server that runs until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(create_app(settings))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def finished(client: httpx.Client, job: dict[str, Any], within: float = 60.0) -> dict[str, Any]:
    """The job when it is over; it is looked at until then."""
    deadline = time.monotonic() + within
    while job["status"] in ("waiting", "running"):
        assert time.monotonic() < deadline, job
        time.sleep(0.02)
        job = client.get(f"/api/jobs/{job['id']}").json()
    return job


def asked(client: httpx.Client, path: str, **question: Any) -> Any:
    """The answer to a good question, of a long one the result of its job."""
    response = client.post(f"/api/{path}", json=question)
    assert response.status_code in (200, 202), response.text
    answer = response.json()
    if "location" not in response.headers:
        return answer
    job = finished(client, answer)
    assert job["status"] == "done", job
    return job["result"]
