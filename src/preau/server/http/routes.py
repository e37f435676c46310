"""The routes of the HTTP API, which carries everything but the game itself; that goes over the WebSocket.

A client authenticates with a bearer token in a header, never with a cookie or in an address: pages of other sites
cannot send it, and no log of addresses contains it.
"""

from __future__ import annotations

from litestar import Router

from . import (
    routes_games,
    routes_learning,
    routes_notifications,
    routes_reviews,
    routes_seats,
    routes_system,
    routes_tables,
)
from .routes_system import metrics as metrics

api = Router(
    "/api",
    route_handlers=[
        *routes_games.ROUTES,
        *routes_learning.ROUTES,
        *routes_tables.ROUTES,
        *routes_seats.ROUTES,
        *routes_notifications.ROUTES,
        *routes_reviews.ROUTES,
        routes_system.health,
    ],
)
