"""The routes of the host in the browser: the same addresses, answers and refusals as the HTTP API of the server.

`docs/protocol.md` describes them. `answers` has one function for each route.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from ..core.errors import PreauError
from ..host.body_limits import MOST_BYTES
from ..host.refusals import TooLarge, status_of
from ..table import protocol
from . import answers
from .host import Host
from .requests import Request


class Reply(NamedTuple):
    """The answer to a request: its status, and JSON."""

    status: int
    body: bytes


class Route(NamedTuple):
    """A route: its method, the parts of its path (`{name}` stands for any), the status of its answer, its handler."""

    method: str
    path: list[str]
    status: int
    handler: Callable[[Host, Request], object]

    def names(self, method: str, path: list[str]) -> dict[str, str] | None:
        """Return what stands for the names in the path; None if the route is for other requests."""
        if self.method != method or len(self.path) != len(path):
            return None
        pairs = list(zip(self.path, path, strict=True))
        if any(one[0] != "{" and one != part for one, part in pairs):
            return None
        return {one[1:-1]: part for one, part in pairs if one[0] == "{"}


def call(host: Host, method: str, address: str, token: str | None = None, body: str = "") -> Reply:
    """Answer a request. `address` is what comes after /api, `body` is JSON."""
    url = urlsplit(address)
    path = [unquote(part) for part in url.path.split("/")[1:]]
    try:
        if len(body.encode()) > MOST_BYTES:
            raise TooLarge("the request is too large", key="size", hint=f"At most {MOST_BYTES} bytes.")
        for route in ROUTES:
            names = route.names(method, path)
            if names is not None:
                parameters = {name: values[-1] for name, values in parse_qs(url.query).items()}
                found = route.handler(host, Request(names, token, body, parameters))
                return Reply(route.status, found if isinstance(found, bytes) else protocol.encode(found))
        return Reply(404, protocol.encode(protocol.Problem(error="NotFound", message="Not Found")))
    except PreauError as error:
        return Reply(status_of(error), msgspec.json.encode(error.to_json()))
    except (msgspec.MsgspecError, RecursionError) as error:
        details = [{"message": str(error), "source": "body"}]
        said = f"Validation failed for {method} /api{url.path}"
        problem = protocol.Problem(error="Validation", message=said, params={"details": details})
        return Reply(400, protocol.encode(problem))


ROUTES = [
    Route(line.partition(" ")[0], line.split("/")[1:], status, handler)
    for line, status, handler in (
        ("GET /games", 200, answers.games),
        ("GET /games/{game}/rules/{language}", 200, answers.rules_of),
        ("GET /games/{game}/texts/{language}", 200, answers.texts),
        ("GET /games/{game}/book", 200, answers.book),
        ("GET /games/{game}/gallery", 200, answers.gallery),
        ("GET /games/{game}/puzzles", 200, answers.puzzles),
        ("POST /practice", 200, answers.practice),
        ("POST /puzzle", 200, answers.puzzle),
        ("POST /tables", 201, answers.create),
        ("GET /tables/{table}", 200, answers.show),
        ("DELETE /tables/{table}", 204, answers.forget),
        ("POST /tables/{table}/join", 201, answers.join),
        ("POST /tables/{table}/leave", 204, answers.leave),
        ("PUT /tables/{table}/seats/{seat}", 200, answers.set_seat),
        ("POST /tables/{table}/swap", 200, answers.swap),
        ("POST /tables/{table}/start", 200, answers.start),
        ("POST /tables/{table}/rematch", 200, answers.rematch),
        ("GET /tables/{table}/away", 200, answers.away),
        ("GET /tables/{table}/invitation", 200, answers.elsewhere),
        ("POST /tables/{table}/move", 200, answers.elsewhere),
        ("POST /tables/{table}/together", 200, answers.elsewhere),
        ("GET /tables/{table}/record", 200, answers.record),
        ("GET /tables/{table}/replay", 200, answers.replay),
        ("POST /replay", 200, answers.replay_file),
        ("POST /tables/{table}/review", 200, answers.ask_review),
        ("GET /tables/{table}/review", 200, answers.review),
        ("POST /reviews", 200, answers.ask_file_review),
        ("GET /reviews/{review}", 200, answers.file_review),
        ("POST /match", 200, answers.match),
    )
]
