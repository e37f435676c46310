"""Types of fields and base classes that several topics share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

PROTOCOL = 1

NAME, TEXT = 24, 300
"""Characters that are kept of a name and of a line of chat."""

Name = Annotated[str, Meta(max_length=4 * NAME)]
Seat = Annotated[int, Meta(ge=0, le=15)]
Level = Annotated[str, Meta(min_length=1, max_length=24, pattern="^[a-z0-9_-]+$")]
ActId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Code = Annotated[str, Meta(min_length=4, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Number = Annotated[int, Meta(ge=0, le=10_000_000)]
StepNumber = Annotated[int, Meta(ge=0, le=100_000)]
PlaceName = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9][A-Za-z0-9 ._:-]*$")]
LinkName = Annotated[str, Meta(min_length=4, max_length=32, pattern="^[a-z0-9]+$")]
TableName = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$")]
Endpoint = Annotated[str, Meta(min_length=10, max_length=1_024)]
Language = Literal["en", "fr"]
Status = Literal["waiting", "playing", "over"]
Visibility = Literal["link", "listed"]
ActionText = Annotated[str, Meta(min_length=1, max_length=80)]
Json = dict[str, Any]
Value = bool | int | str

Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "sorry", "hurry", "thinking", "one_moment", "again", "bye"
]


class Message(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of what clients send."""


class Answer(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Base of what the server sends."""


class Words(Answer):
    """The same in both languages."""

    en: str
    fr: str
