"""What stands before the application: who may ask, how much, and what a browser may do with the answer."""
from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exactplay.web.settings import LOOPBACK, Settings

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_SAFE = {"GET", "HEAD", "OPTIONS"}


class Refused(Exception):
    """A request that the application does not get to see."""

    def __init__(self, status: int, why: str) -> None:
        self.status, self.why = status, why


class Guard:
    """ASGI middleware: refuses foreign hosts (DNS rebinding), writes from other origins and large bodies."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = {host.lower() for host in (*LOOPBACK, *settings.hosts)}
        self._largest = settings.largest_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            # The server's own start and end: web sockets are switched off.
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message.get("headers", [])}
                wanted = HEADERS if not scope["path"].startswith("/api/") else HEADERS | {"cache-control": "no-store"}
                more = [(name.encode(), value.encode()) for name, value in wanted.items() if name.encode() not in present]
                message = {**message, "headers": [*message.get("headers", []), *more]}
            await send(message)

        try:
            self._check(scope)
            receive = await self._whole_body(scope, receive)
        except Refused as refusal:
            body = json.dumps({"error": refusal.why}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send_guarded({"type": "http.response.start", "status": refusal.status, "headers": headers})
            await send_guarded({"type": "http.response.body", "body": body})
            return
        await self._app(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        given: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = given.get("host", [])
        if len(hosts) != 1 or _name(hosts[0]) not in self._hosts:
            raise Refused(421, "this server is not reached under that name; exactplay serve --host NAME allows one")
        if "\0" in scope["path"]:
            raise Refused(400, "the path has a null character in it")
        if scope["method"] in _SAFE:
            return
        for origin in given.get("origin", []):
            if _site(origin) != hosts[0].lower():
                raise Refused(403, "requests from the pages of another site are refused")
        if any(site not in ("same-origin", "none") for site in given.get("sec-fetch-site", [])):
            raise Refused(403, "requests from the pages of another site are refused")
        kind = given.get("content-type", [""])[0].partition(";")[0].strip().lower()
        has_body = "transfer-encoding" in given or given.get("content-length", ["0"]) != ["0"]
        if has_body and kind != "application/json":
            raise Refused(415, "a question is sent as application/json")

    async def _whole_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the body, not more than the limit; what comes after it is received as before."""
        too_large = Refused(413, f"a question may have at most {self._largest} bytes")
        for name, value in scope["headers"]:
            if name.lower() == b"content-length" and int(value or b"0") > self._largest:
                raise too_large
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                break
            body += message.get("body", b"")
            if len(body) > self._largest:
                raise too_large
            if not message.get("more_body", False):
                break
        first: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Message:
            nonlocal first
            if first is not None:
                message, first = first, None
                return message
            return await receive()

        return replay


def _site(origin: str) -> str | None:
    """The host and port of an Origin header, None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return (host.partition("]")[0] + "]").lower()
    return host.partition(":")[0].lower()
