"""The web application as a command: its options, and what runs it."""
from __future__ import annotations

import socket
from typing import Any, Final

from exactplay.common.errors import BadText
from exactplay.questions.face import Option

HELP: Final = "Serve the pages and the API of the five games to browsers on this machine; Ctrl-C ends it."
OPTIONS: Final = (
    Option("host", "text", "The address to listen on.", default="127.0.0.1"),
    Option("port", "whole", "0: any that is free.", default=8084, low=0, high=65535),
    Option("allow_host", "texts", "Another name it is reached by; repeatable.", metavar="NAME"),
    Option("workers", "whole", "Long questions answered at a time.", default=2, low=1, high=64),
    Option("waiting", "whole", "Long questions that may wait.", default=8, low=0, high=1000),
    Option("seconds", "real", "Seconds a long question may take.", default=600.0, low=1.0),
    Option("memory", "whole", "Megabytes a long question may take.", default=1024, low=16),
)


def serve(given: dict[str, Any]) -> int:
    """Serve until Ctrl-C; raises :class:`BadText` where a library is missing or the address cannot be had."""
    try:
        from exactplay.web.app import create_app
        from exactplay.web.server import Server
    except ModuleNotFoundError as error:
        raise BadText(f"exactplay serve needs {error.name}, which is not installed: pip install 'exactplay[web]'") from None
    from exactplay.web.settings import Settings

    asked = {option.name: option.check(given.get(option.name)) for option in OPTIONS}
    host, port = asked["host"], asked["port"]
    names = (_in_url(host), *(asked["allow_host"] or ()))
    app = create_app(Settings(names, asked["workers"], asked["waiting"], asked["seconds"], asked["memory"]))
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise BadText(
            f"cannot listen on {_in_url(host)}:{port} ({error.strerror}); choose another --host or --port"
        ) from None
    with listening:
        print(f"exactplay serves http://{_in_url(host)}:{listening.getsockname()[1]} until Ctrl-C", flush=True)
        Server(app).run([listening])
    return 0


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
