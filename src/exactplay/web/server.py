"""The server process: uvicorn, which ends cleanly although browsers listen to jobs."""
from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

#: Seconds that open requests get to end after Ctrl-C.
PATIENCE = 3


class Server(uvicorn.Server):
    """Ends the jobs first: with them end the streams of events, for which uvicorn would wait."""

    def __init__(self, app: FastAPI) -> None:
        config = uvicorn.Config(
            app, log_level="warning", server_header=False, ws="none", timeout_graceful_shutdown=PATIENCE
        )
        super().__init__(config)
        self._pool = app.state.pool

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End everything."""
        self._pool.close()
        await super().shutdown(sockets)
