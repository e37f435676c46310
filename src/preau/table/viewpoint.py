"""What each pair of eyes sees. `eyes` are a seat, or None for a spectator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.state import Event

Json = dict[str, Any]
Viewpoint = int | None
"""The seat through whose eyes somebody looks; None for a spectator."""


def seen_from(events: Iterable[Event], viewpoint: Viewpoint) -> list[Json]:
    """The events as these eyes see them."""
    return [event.seen_by(viewpoint) for event in events]
