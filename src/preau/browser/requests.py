"""A request to the host in the browser, and how its parts are read."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

from ..host.body_limits import is_flat, too_deep
from ..table import protocol

T = TypeVar("T")


class Request(NamedTuple):
    """A request: the names in its path, its token, its body, the parameters of its query."""

    names: dict[str, str]
    token: str | None
    body: str
    parameters: dict[str, str]

    def data(self, kind: type[T]) -> T:
        """Return the body as a message; raise a refusal or `msgspec.MsgspecError` if it is none."""
        if not is_flat(msgspec.json.decode(self.body)):
            raise too_deep()
        return msgspec.json.decode(self.body, type=kind)

    def query(self, kind: type[T]) -> T:
        """Return the parameters of the query as a struct."""
        return msgspec.convert(self.parameters, kind, strict=False)

    def number(self, name: str) -> int:
        """Return a number of the path."""
        return msgspec.convert(self.names[name], protocol.Seat, strict=False)
