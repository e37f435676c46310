"""The page's files, if they are there; a plain page that says so, if not."""

from __future__ import annotations

from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.router import Router
from litestar.static_files import create_static_files_router

STATIC = Path(__file__).parent / "static"

PLAIN = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Préau</title>
<h1>Préau</h1>
<p>The server is running. The page to play on is not installed with it.</p>
<p>Programs can play all the same: <a href="/api/games">games</a>, <a href="/api/health">health</a>,
<a href="/api/openapi.json">HTTP interface</a>.</p>
</html>
"""


@get("/", include_in_schema=False)
async def plain_page() -> Response[str]:
    """What is shown where the page's files are missing."""
    return Response(PLAIN, media_type="text/html")


@get(["/", "/t/{table:str}", "/play/{rest:path}"], include_in_schema=False)
async def front_page() -> Response[bytes]:
    """The page itself; it looks at the address to see what to show."""
    index = STATIC / "index.html"
    if not index.is_file():
        raise NotFoundException
    return Response(index.read_bytes(), media_type="text/html", headers={"cache-control": "no-cache"})


def handlers() -> list[object]:
    """The routes of the page."""
    if not (STATIC / "index.html").is_file():
        return [plain_page]
    files: Router = create_static_files_router(path="/static", directories=[STATIC], include_in_schema=False)
    return [front_page, files]
