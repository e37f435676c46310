"""uvicorn's settings, with what our protocol classes need besides."""

from __future__ import annotations

from typing import Any

import uvicorn

from ..config import Config
from ..metrics import Metrics
from .connection_limits import ConnectionRegistry


class UvicornSettings(uvicorn.Config):
    """uvicorn's settings with the connection registry, limits, time limits and answer headers of this server."""

    def __init__(
        self,
        app: Any,
        config: Config,
        crowd: ConnectionRegistry,
        metrics: Metrics,
        answer_headers: list[tuple[bytes, bytes]],
        **options: Any,
    ) -> None:
        super().__init__(app, **options)
        self.metrics = metrics
        self.crowd = crowd
        self.limits = config.limits
        self.request_seconds = config.request_ms / 1000
        self.body_seconds = config.body_ms / 1000
        self.answer_headers = answer_headers
