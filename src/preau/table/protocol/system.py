"""Answers about the server itself, and the refusal of a request."""

from __future__ import annotations

from typing import Literal

from .common import Answer, Json


class Health(Answer):
    """Whether this process can do its work."""

    status: Literal["ok", "degraded"]
    version: str
    database: bool
    redis: bool | None
    tables: int
    sockets: int
    warning: str | None = None
    """Something about how it is set up that should be otherwise."""


class Problem(Answer):
    """A refusal: what was wrong, the rule or field, what would be right."""

    error: str
    message: str
    rule: str = ""
    field: str = ""
    hint: str = ""
    key: str = ""
    params: Json = {}
