"""Encode and decode messages as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from .client import ClientMessage
from .common import Json

APART: Any = msgspec.UNSET
"""The value of a field that is left out, because it differs from viewer to viewer."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def encode(message: object) -> bytes:
    """Return a message as JSON."""
    return _encoder.encode(message)


def begun(message: object, field: str, value: Json) -> bytes:
    """Return the part of a message that is the same for many viewers, to be completed by `finished`.

    The message leaves out one `field` (`APART`), whose value differs; `value` is what is in it for all.
    """
    more = b"," if value else b""
    return b"".join((encode(message)[:-1], b',"', field.encode(), b'":', encode(value)[:-1], more))


def finished(begun: bytes, value: Json, fields: Json) -> bytes:
    """Complete a message of `begun` with the rest of that value and with other fields. Neither may be empty."""
    return b"".join((begun, encode(value)[1:], b",", encode(fields)[1:]))


def decode(data: str | bytes) -> ClientMessage:
    """Return a client's message; raise `msgspec.DecodeError` or `msgspec.ValidationError`."""
    try:
        return _decoder.decode(data)
    except RecursionError:
        raise msgspec.DecodeError("the message is nested too deeply") from None
