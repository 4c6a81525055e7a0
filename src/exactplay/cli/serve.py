"""``exactplay serve``: the web application on this machine."""
from __future__ import annotations

import socket
from typing import Annotated

import typer

from exactplay.cli.common import fail


def serve(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8084,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME", help="Another name it is reached by; repeatable.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Long questions answered at a time.")] = 2,
    waiting: Annotated[int, typer.Option("--waiting", min=0, max=1000, help="Long questions that may wait.")] = 8,
    seconds: Annotated[float, typer.Option("--seconds", min=1.0, help="CPU seconds a long question may take.")] = 600.0,
    memory: Annotated[int, typer.Option("--memory", min=16, help="Megabytes a long question may take.")] = 1024,
) -> None:
    """Serve the pages and the API of the five games to browsers on this machine; Ctrl-C ends it."""
    try:
        from exactplay.web.app import create_app
        from exactplay.web.server import Server
    except ModuleNotFoundError as error:
        fail(f"exactplay serve needs {error.name}, which is not installed: pip install 'exactplay[web]'")
    from exactplay.web.settings import Settings

    app = create_app(Settings((_in_url(host), *(allow_host or ())), workers, waiting, seconds, memory))
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        fail(f"cannot listen on {_in_url(host)}:{port} ({error.strerror}); choose another --host or --port")
    with listening:
        print(f"exactplay serves http://{_in_url(host)}:{listening.getsockname()[1]} until Ctrl-C", flush=True)
        Server(app).run([listening])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
