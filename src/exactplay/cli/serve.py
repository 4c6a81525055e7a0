"""``exactplay serve``: the web application on this machine."""
from __future__ import annotations

import socket
from typing import Any

from exactplay.cli.options import command
from exactplay.cli.process import fail
from exactplay.questions.face import Option

_OPTIONS = (
    Option("host", "text", "The address to listen on.", default="127.0.0.1"),
    Option("port", "whole", "0: any that is free.", default=8084, low=0, high=65535),
    Option("allow_host", "texts", "Another name it is reached by; repeatable.", metavar="NAME"),
    Option("workers", "whole", "Long questions answered at a time.", default=2, low=1, high=64),
    Option("waiting", "whole", "Long questions that may wait.", default=8, low=0, high=1000),
    Option("seconds", "real", "Seconds a long question may take.", default=600.0, low=1.0),
    Option("memory", "whole", "Megabytes a long question may take.", default=1024, low=16),
)


def _run(given: dict[str, Any]) -> int:
    try:
        from exactplay.web.app import create_app
        from exactplay.web.server import Server
    except ModuleNotFoundError as error:
        return fail(f"exactplay serve needs {error.name}, which is not installed: pip install 'exactplay[web]'")
    from exactplay.web.settings import Settings

    asked = {option.name: option.check(given.get(option.name)) for option in _OPTIONS}
    host, port = asked["host"], asked["port"]
    names = (_in_url(host), *(asked["allow_host"] or ()))
    app = create_app(Settings(names, asked["workers"], asked["waiting"], asked["seconds"], asked["memory"]))
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        return fail(f"cannot listen on {_in_url(host)}:{port} ({error.strerror}); choose another --host or --port")
    with listening:
        print(f"exactplay serves http://{_in_url(host)}:{listening.getsockname()[1]} until Ctrl-C", flush=True)
        Server(app).run([listening])
    return 0


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


serve = command("serve", "Serve the pages and the API of the five games to browsers on this machine; Ctrl-C ends it.",
                _OPTIONS, _run)
