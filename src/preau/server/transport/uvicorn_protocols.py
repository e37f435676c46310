"""Which ends of its connections uvicorn gets: our own (`line` for sockets, `door` for HTTP), or its ordinary ones.

Ours lean on inner parts of uvicorn and websockets, so they are used only with versions they were tested with;
`pyproject.toml` asks for the same ones. With any other the server works too, with more memory and time for each line,
and with fewer bounds: frames that are no messages are not counted, and who connects and never speaks stays.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from ..logs import log

TESTED = {"uvicorn": "0.54", "websockets": "17.4"}
"""The releases of both that our ends were tested with; the last part of a version does not matter."""


def choose_protocols(most: int, head_bytes: int) -> dict[str, Any]:
    """Both ends as uvicorn takes them, and what else bounds them: `most` connections in all, and the bytes of a
    request before its body, which our own door counts itself.
    """
    other = untested_libraries()
    if other:
        log.warning("ordinary lines", because=", ".join(other))
        return {
            "ws": "auto",
            "http": "h11",
            "h11_max_incomplete_event_size": head_bytes,
            "limit_concurrency": most,
        }
    from .http_protocol import HttpProtocol
    from .websocket_protocol import WebSocketProtocol

    return {"ws": WebSocketProtocol, "http": HttpProtocol}


def untested_libraries() -> list[str]:
    """The installed libraries whose version our ends were not tested with."""
    found = {name: version(name) for name in TESTED}
    return [f"{name} {one}" for name, one in found.items() if one.split(".")[:2] != TESTED[name].split(".")]
