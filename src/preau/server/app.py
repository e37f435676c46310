"""The ASGI app, assembled: HTTP routes, WebSocket endpoint, the page's files and security middleware."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.app import AppConfig
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from .._version import version
from ..core.errors import PreauError
from ..core.registry import broken
from ..host.refusals import retry_after, status_of
from ..table import protocol
from .config import Config
from .http import routes
from .http.download_limits import DownloadLimits
from .http.fixed_answers import FIXED, FixedAnswer
from .http.link_preview import LinkPreviews, TableLookup
from .http.requests import StrictRequest
from .http.security import OriginPolicy, SecurityMiddleware
from .http.static_files import STATIC, StaticFiles
from .logs import log
from .services import Services
from .storage.sqlite_lock import SqliteLock


def make_app(
    config: Config,
    now: Callable[[], int] | None = None,
    static: Path = STATIC,
    neighbours: SqliteLock | None = None,
) -> SecurityMiddleware:
    """Assemble the ASGI app: security checks, WebSocket connections, the page's files, and the HTTP API.

    WebSockets go straight from the security middleware to `websocket.connections`: a framework's handling of each
    message costs more than our own work on it. `StaticFiles` answers for the page, Litestar for everything else.
    """
    services = Services(config, now, neighbours)
    games = services.games  # first, because a game that cannot be described is left out, too
    for name, reason in broken().items():
        log.warning("game left out", game=name, reason=reason)
    origin = config.origins[0] if config.origins else ""
    downloads = DownloadLimits(config.limits)
    page = StaticFiles(
        make_litestar(services),
        downloads,
        static,
        protocol.encode(games),
        LinkPreviews(games, lookup_table(services)),
        origin,
    )
    return SecurityMiddleware(
        page, services.connections.serve, config, OriginPolicy(config), services.metrics, downloads
    )


def lookup_table(services: Services) -> TableLookup:
    """What a preview may know of a table."""

    async def of(table: str) -> tuple[str, str]:
        found = await services.tables.get(table)
        return found.table.game, found.status

    return of


def make_litestar(services: Services) -> Litestar:
    """The HTTP interface."""
    config = services.config

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        app.state.services = services
        await services.open()
        try:
            yield
        finally:
            await services.close()

    def sealed(app_config: AppConfig) -> AppConfig:
        app_config.request_max_body_size = config.limits.body_bytes
        return app_config

    compression = CompressionConfig("gzip", gzip_compress_level=5, exclude_opt_key=FIXED)
    app = Litestar(
        route_handlers=[routes.api, routes.metrics],
        lifespan=[lifespan],
        on_app_init=[sealed],
        request_class=StrictRequest,
        compression_config=compression if config.compression else None,
        exception_handlers={PreauError: refuse, HTTPException: refuse_http, Exception: fail},
        openapi_config=OpenAPIConfig(
            title="Préau", version=version(), path="/api/openapi.json", render_plugins=[JsonRenderPlugin(path="/")]
        ),
        logging_config=None,
        debug=False,
    )
    app.state.services = services
    app.state.catalogue = cache(lambda: FixedAnswer(protocol.encode(services.games)))
    return app


def refuse(request: Request[Any, Any, Any], error: PreauError) -> Response[dict[str, object]]:
    """A refusal, as data."""
    seconds = retry_after(error)
    headers = {} if seconds is None else {"retry-after": str(seconds)}
    return Response(error.to_json(), status_code=status_of(error), media_type="application/json", headers=headers)


def refuse_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[protocol.Problem]:
    """What Litestar refuses: unknown addresses, wrong methods, bodies that are not what they should be."""
    params: dict[str, Any] = {}
    if isinstance(error, ValidationException) and error.extra:
        params["details"] = error.extra
    problem = protocol.Problem(
        error=type(error).__name__.removesuffix("Exception"), message=error.detail, params=params
    )
    return Response(problem, status_code=error.status_code, media_type="application/json", headers=error.headers)


def fail(request: Request[Any, Any, Any], error: Exception) -> Response[protocol.Problem]:
    """A fault of ours: it is logged in full and told in brief."""
    log.error("fault", method=request.method, path=request.url.path, exc_info=error)
    problem = protocol.Problem(error="Fault", message="Something went wrong on the server. Nothing was changed.")
    return Response(problem, status_code=500, media_type="application/json")
