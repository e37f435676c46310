"""What comes in requests: data or a refusal, whatever somebody sends."""

from __future__ import annotations

from typing import Any

from ..table.refusals import Refusal

DEEPEST = 16
"""How deep lists and objects may stand in each other in a body: a board or a deck needs half of that, and what goes
deeper could exhaust whoever reads, writes or prints it.
"""
MOST_BYTES = 65_536
"""Size of a body: ten times what the largest board or deck that ships takes."""
MESSAGE_BYTES = 8_192
"""Size of a message on a line."""


def too_deep() -> Refusal:
    """The refusal for data whose lists and objects stand in each other too deep."""
    hint = f"Lists and objects may stand in each other {DEEPEST} deep."
    return Refusal("the body is nested too deeply", field="body", key="malformed", hint=hint)


def is_flat(data: Any, depth: int = DEEPEST) -> bool:
    """Whether lists and objects stand in each other at most so deep."""
    if not isinstance(data, dict | list):
        return True
    parts = data.values() if isinstance(data, dict) else data
    return depth > 0 and all(is_flat(part, depth - 1) for part in parts)
