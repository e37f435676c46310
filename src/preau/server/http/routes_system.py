"""Routes of the server itself: health and metrics."""

from __future__ import annotations

from secrets import compare_digest
from typing import Any

from litestar import Response, get

from ..._version import version
from ...table import protocol
from ...table.refusals import Unknown
from ..client_address import is_local
from ..config import Config
from .requests import StrictRequest, Token, services_of


@get("/health")
async def health(request: StrictRequest) -> Response[protocol.Health]:
    """Return whether this process can do its work: 200, or 503 when the database is away, stuck or damaged."""
    services = services_of(request)
    database = await services.store.works()
    found = protocol.Health(
        status="ok" if database and services.bus.up is not False and services.warning is None else "degraded",
        version=version(),
        database=database,
        redis=services.bus.up,
        tables=len(services.tables.entries),
        sockets=len(services.connections.open),
        warning=services.warning,
    )
    return Response(found, status_code=200 if database else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: StrictRequest, authorization: Token = None) -> Response[bytes]:
    """Return the metrics for Prometheus."""
    services = services_of(request)
    if not _may_measure(services.config, request.scope, authorization):
        raise Unknown("there is nothing here")
    return Response(services.metrics.page(), media_type="text/plain; version=0.0.4")


def _may_measure(config: Config, scope: Any, authorization: str | None) -> bool:
    """Return whether a client may read the metrics.

    With a metrics token, clients with that token may. Without one, clients of this machine may, unless the server has a
    public address: then there is a proxy, and every client behind a proxy that forwards no addresses seems to be local.
    """
    if config.metrics_token and config.metrics != "off":
        return compare_digest(f"Bearer {config.metrics_token}".encode(), (authorization or "").encode())
    return config.metrics == "all" or (config.metrics == "loopback" and not config.origins and is_local(scope))
