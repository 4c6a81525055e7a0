"""Who may ask: hosts, other sites, forms, large bodies."""
from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the extra exactplay[web] is not installed")

import httpx


@pytest.mark.parametrize("host", [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "evil.example:127.0.0.1", "", "[::2]",
])
def test_a_foreign_host_is_not_answered(client: httpx.Client, host: str) -> None:
    for path in ("/", "/api/jobs", "/app.css"):
        response = client.get(path, headers={"host": host})
        assert response.status_code in (400, 421)
        assert "content-security-policy" in response.headers or response.status_code == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:80"])
def test_this_machine_is_answered_under_each_of_its_names(client: httpx.Client, host: str) -> None:
    assert client.get("/api/jobs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("headers", [
    {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:1"}, {"origin": "http://[bad"},
    {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
])
def test_another_site_cannot_write(client: httpx.Client, headers: dict[str, str]) -> None:
    response = client.post("/api/winkeladvokat/parse", json={}, headers=headers)
    assert response.status_code == 403
    assert client.delete("/api/jobs/none", headers=headers).status_code == 403


def test_the_own_pages_can_write_and_no_one_is_told_that_others_may(client: httpx.Client) -> None:
    headers = {"origin": str(client.base_url).rstrip("/"), "sec-fetch-site": "same-origin"}
    response = client.post("/api/winkeladvokat/parse", json={}, headers=headers)
    assert response.status_code == 200
    assert not [name for name in response.headers if name.startswith("access-control-")]
    assert client.options("/api/winkeladvokat/parse", headers={"origin": "http://evil.example"}).status_code == 405


def test_a_form_of_another_site_cannot_ask(client: httpx.Client) -> None:
    response = client.post("/api/winkeladvokat/parse", content="{}", headers={"content-type": "text/plain"})
    assert response.status_code == 415


def test_a_large_body_is_refused_declared_or_not(client: httpx.Client) -> None:
    body = b'{"position": "' + b"x" * 300_000 + b'"}'
    headers = {"content-type": "application/json"}
    assert client.post("/api/winner/parse", content=body, headers=headers).status_code == 413
    assert client.post("/api/winner/parse", content=iter([body[:1000], body[1000:]]), headers=headers).status_code == 413
