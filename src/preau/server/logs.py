"""Structured logs: one JSON object a line on the error stream, never with a token, a code or a message's content."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SECRETS = ("token", "code", "authorization", "cookie", "text", "password", "url", "query")


BY_CLIENTS = (
    "Invalid UTF-8",
    "Invalid HTTP request",
    "Unsupported upgrade",
    "ASGI callable returned without completing handshake",  # said of a handshake that was refused with a reason
)


def hide_secrets(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Blank whatever has the name of a secret, should anybody ever log one."""
    for name in event:
        if any(secret in name.lower() for secret in _SECRETS):
            event[name] = "hidden"
    return event


def not_by_clients(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's is worth keeping: one that any client can cause as often as it likes is not."""
    return not record.getMessage().startswith(BY_CLIENTS)


def set_up(level: str = "info", *, as_json: bool = True) -> None:
    """Begin to log."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr, format="%(name)s: %(message)s")
    logging.getLogger("uvicorn.error").addFilter(not_by_clients)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            hide_secrets,
            structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def short(table: str) -> str:
    """A table's id for the log: enough to find it again, too little to come in."""
    return table[:5]


log: structlog.stdlib.BoundLogger = structlog.get_logger()
