"""Requests and answers about turn notifications: web push and email."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .common import Answer, Code, Endpoint, Language, Message


class CallMe(Message):
    """POST /api/tables/{id}/calls: have a browser called when it is one's turn; what its push subscription says."""

    endpoint: Endpoint
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}=?$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}(==)?$")]
    language: Language


class EndCalls(Message):
    """POST /api/tables/{id}/calls/end: do not call that browser any more."""

    endpoint: Endpoint


class WriteMe(Message):
    """POST /api/tables/{id}/mail: be written to when it is one's turn, once whoever reads that mailbox has agreed."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language


class MailCode(Message):
    """POST /api/mail: agree, with what the link in the mail says."""

    code: Code


class Calling(Answer):
    """GET /api/calls: how this server can tell people that it is their turn. Without a `key` it calls no browsers."""

    key: str = ""
    mail: bool = False


class Mail(Answer):
    """GET /api/tables/{id}/mail: whether one is written to; `asked` until whoever reads the mailbox has agreed."""

    state: Literal["off", "asked", "on"]
