"""Reading JSON files of games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """Read a file as JSON. Raises a `ValueError` for what is no JSON, and for text that no client could be sent: JSON
    can spell half of a character outside the first 65,536.
    """
    text = path.read_text(encoding="utf-8")
    data = json.loads(text)
    if "\\u" in text:
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            before = error.object[max(0, error.start - 20) : error.start]
            raise ValueError(f"there is half a character after {before!r}") from None
    return data
