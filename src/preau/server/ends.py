"""Which end of a socket uvicorn gets: our own light one (`line`), or its ordinary one.

`line` leans on inner parts of uvicorn and websockets, so it is used only with versions it was tested with;
`pyproject.toml` asks for the same ones. With any other the server works too, with more memory and time for each line.
"""

from __future__ import annotations

from asyncio import Protocol
from importlib.metadata import version

from .logs import log

TESTED = {"uvicorn": "0.54", "websockets": "17.4"}
"""The releases of both that `line` was tested with; the last part of a version does not matter."""
ORDINARY = "auto"


def socket_end() -> type[Protocol] | str:
    """The end of a socket to be used, as uvicorn takes it."""
    other = untested()
    if other:
        log.warning("ordinary lines", because=", ".join(other))
        return ORDINARY
    from .line import Line

    return Line


def untested() -> list[str]:
    """The installed libraries whose version `line` was not tested with."""
    found = {name: version(name) for name in TESTED}
    return [f"{name} {one}" for name, one in found.items() if one.split(".")[:2] != TESTED[name].split(".")]
