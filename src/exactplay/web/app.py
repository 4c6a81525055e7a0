"""The application: pages, API, and how errors become one line."""
from __future__ import annotations

import contextlib
import mimetypes
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from exactplay import __version__
from exactplay.common.errors import one_line
from exactplay.questions import faces
from exactplay.render import stylesheet
from exactplay.web import pages, stream
from exactplay.web.desk import Desk
from exactplay.web.games import cards, winkeladvokat, winston84
from exactplay.web.guard import Guard
from exactplay.web.jobs import Full, Pool
from exactplay.web.models import REFUSALS
from exactplay.web.settings import Settings


def _routers() -> dict[str, APIRouter]:
    """The API of each game, by its name."""
    routers: dict[str, APIRouter] = {}
    for face in faces():
        if face.name == "winston84":
            routers[face.name] = winston84.router
            continue
        desk = Desk(face, winkeladvokat.MORE if face.name == "winkeladvokat" else None)
        if face.name == "winkeladvokat":
            winkeladvokat.add_routes(desk)
        elif face.name in cards.GAMES:
            cards.add_routes(desk)
        else:
            desk.add_play()
        routers[face.name] = desk.router
    return routers


class Files(StaticFiles):
    """What the pages need; a browser asks each time whether it is still the same."""

    async def get_response(self, path: str, scope: Scope) -> Any:
        """As the base class, with a header for caches."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application as an ASGI callable; its pool is ``app.state.pool``."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool.warm()
        yield
        app.state.pool.close()

    app = FastAPI(
        title="exactplay", version=__version__, summary="Exact best play for five tabletop games.", lifespan=lifespan,
        openapi_url="/api/openapi.json",
        # Both would fetch their scripts from elsewhere.
        docs_url=None, redoc_url=None,
        # Whatever the environment says: nothing that is asked here is told to anyone else.
        telemetry={"auto_configure": False},
    )
    app.state.settings, app.state.pool = settings, Pool(settings)
    app.add_middleware(Guard, settings=settings)
    app.include_router(stream.router, prefix="/api/jobs", tags=["jobs"])
    for name, router in _routers().items():
        app.include_router(router, prefix=f"/api/{name}", tags=[name], responses=REFUSALS)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(ValueError, _wrong)
    app.add_exception_handler(Full, _full)
    app.add_api_route("/drawing.css", _drawing_css, include_in_schema=False)
    app.add_api_route("/", lambda: _page(pages.index()), methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/{name}.html", _game_page, methods=["GET", "HEAD"], include_in_schema=False)
    mimetypes.add_type("text/javascript", ".js")  # Windows may have another opinion, and nosniff would then refuse it
    app.mount("/", Files(directory=pages.STATIC), name="files")
    return app


def _page(text: str) -> HTMLResponse:
    return HTMLResponse(text, headers={"cache-control": "no-cache"})


def _game_page(name: str) -> HTMLResponse:
    if name == "index":
        return _page(pages.index())
    if name not in pages.GAMES:
        raise HTTPException(404, "Not Found")
    return _page(pages.page(name))


async def _drawing_css() -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"cache-control": "no-cache"})


def problem(status: int, line: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An answer that says in one line why there is none."""
    return JSONResponse({"error": one_line(line)}, status, headers)


async def _wrong(request: Request, error: Exception) -> JSONResponse:
    return problem(422, str(error))


async def _full(request: Request, error: Exception) -> JSONResponse:
    return problem(429, str(error), {"retry-after": "5"})


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail), dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem(400, f"not JSON: {first.get('ctx', {}).get('error', first['msg'])}")
    where = ".".join(str(part)[:60] for part in first["loc"][1:]) or "the question"
    return problem(422, f"{where}: {first['msg']}")
