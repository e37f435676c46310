"""Viewers without a connection. They keep what the server sends them."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]


class FakeSpectator:
    """A spectator that keeps all messages decoded in `heard`. The server must not make it leave."""

    holder: str | None = None
    viewpoint: int | None = None
    shown: int = 0

    def __init__(self) -> None:
        self.heard: list[Json] = []

    def push(self, data: bytes) -> None:
        self.heard.append(msgspec.json.decode(data))

    def leave(self, reason: str, *, again: bool) -> None:
        raise AssertionError(reason)


class FakeViewer:
    """A viewer that keeps all messages as sent in `got`, and in `bye` why it had to leave."""

    def __init__(self, holder: str | None, viewpoint: int | None) -> None:
        self.holder, self.viewpoint = holder, viewpoint
        self.bye: str | None = None
        self.got: list[bytes] = []

    def push(self, data: bytes) -> None:
        self.got.append(data)

    def leave(self, reason: str, *, again: bool) -> None:
        self.bye = reason
