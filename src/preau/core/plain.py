"""JSON data of one's own."""

from __future__ import annotations

import json
from typing import Any


def plain(data: Any) -> Any:
    """JSON data copied through and through, so that nothing in it is shared with anybody else.

    >>> plain({"cards": ("car", "doll"), "turn": 3})
    {'cards': ['car', 'doll'], 'turn': 3}
    """
    if data is None or isinstance(data, (str, int, float)):
        return data
    if isinstance(data, dict):
        named: dict[str, Any] = {}
        for name, value in data.items():
            named[str(name)] = plain(value)
        return named
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    return json.loads(json.dumps(data))
