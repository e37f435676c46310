"""Answers that stay the same while the server runs: written and compressed once, not for each request."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from litestar import Request, Response

from .static_files import accepted_encodings

FIXED = "fixed"
"""What the routes with such answers say in their `opt`, so that nothing else compresses them."""
SMALL = 500
"""Bytes of a body that is not compressed."""


class FixedAnswer:
    """The body of an answer, plain and compressed, and its name (`ETag`), which changes with it."""

    def __init__(self, body: bytes, media_type: str = "application/json") -> None:
        self._body = body
        self._media_type = media_type
        self.etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self._body, mtime=0)

    def answer(
        self, request: Request[Any, Any, Any], *, compress: bool, headers: Mapping[str, str] | None = None
    ) -> Response[Any]:
        """Return the answer to a request, compressed if the server does that and the client takes it."""
        found = {"vary": "accept-encoding", **(headers or {})}
        body = self._body
        if compress and len(body) > SMALL and "gzip" in accepted_encodings(request.headers.get("accept-encoding", "")):
            body = self._packed
            found["content-encoding"] = "gzip"
        return Response(body, media_type=self._media_type, headers=found)
