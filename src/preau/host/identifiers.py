"""Ids, short codes and tokens, and what is kept of a token."""

from __future__ import annotations

import hashlib
import secrets

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that is read as another."""
LOCAL = "local"
"""What the ids of tables on one's own device begin with. No id of a server does: they have no l and no o."""


def new_token() -> str:
    """A seat token: 192 random bits."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A table's or holder's id: 79 random bits, easy to type."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))


def new_code() -> str:
    """A short code to say aloud."""
    return "".join(secrets.choice(_LETTERS) for _ in range(6))


def hash_secret(secret: str) -> str:
    """What is kept of a secret. It has 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
