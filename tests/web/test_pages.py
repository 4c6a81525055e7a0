"""The pages as they are served: all that they need, nothing that their policy forbids, no other file."""
from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx

from exactplay.web.pages import GAMES, STATIC, index, page


def test_every_file_is_served_and_small(client: httpx.Client) -> None:
    total = sum(map(len, [index(), *map(page, GAMES)]))
    for path in STATIC.rglob("*"):
        if path.is_file():
            response = client.get("/" + path.relative_to(STATIC).as_posix())
            assert response.status_code == 200
            assert response.content == path.read_bytes()
            assert response.headers["x-content-type-options"] == "nosniff"
            assert path.suffix != ".js" or response.headers["content-type"].startswith("text/javascript")
            total += len(response.content)
    assert total < 300_000


@pytest.mark.parametrize("path", ["/", "/index.html", *(f"/{game}.html" for game in GAMES)])
def test_a_page_needs_nothing_that_its_policy_forbids(client: httpx.Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", response.text)
    references = re.findall(r'(?:src|href)="([^"]+)"', response.text)
    assert {f"/{game}.html" for game in GAMES} <= set(references), "every page leads to every other"
    for reference in references:
        assert reference.startswith(("/", "#"))
        assert reference.startswith("#") or client.get(reference).status_code == 200


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.[jc]s*")), ids=lambda path: path.name)
def test_nothing_is_fetched_from_elsewhere(script: Path) -> None:
    text = script.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in text and "https:" not in text
    assert not re.search(r"\sstyle=|\beval\(|innerHTML|\.outerHTML|document\.write", text)
    for module in re.findall(r'from "([^"]+)"', text):
        assert module.startswith("./") and (script.parent / module).is_file()


@pytest.mark.parametrize("path", [
    "/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/vendor/../../app.py", "//etc/passwd", "/%00", "/static/app.css",
    "/app.css/../../app.py", "/vendor/", "/..\\app.py", "/" + "a" * 3_000, "/docs", "/redoc", "/nothing.html",
])
def test_no_other_file_is_reachable(client: httpx.Client, path: str) -> None:
    # Not through httpx, which would tidy the path.
    host, port = str(client.base_url).removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split(b" ", 2)[1] in (b"404", b"400")
    assert b"root:" not in answer and b"import " not in answer
