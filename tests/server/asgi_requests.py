"""Requests to an ASGI app without a server."""

from __future__ import annotations

import asyncio

import httpx

from preau.server.transport.asgi_types import App


def request(app: App, path: str, *, method: str = "GET", **headers: str) -> httpx.Response:
    """Send a request to the app, with headers as keywords (`if_none_match`) and no encoding accepted by default."""

    async def story() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
            del client.headers["accept-encoding"]
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=sent)

    return asyncio.run(story())
