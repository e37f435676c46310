"""What people say at a table: who may, and what is left of it."""

from __future__ import annotations

from . import protocol
from .refusals import Forbidden, Refusal
from .table import Table
from .text_cleaning import clean

LINES = 50
"""Lines of chat that are kept, and shown to whoever comes in."""


def said(table: Table, holder: str | None, viewpoint: int | None, message: protocol.Say, now: int) -> protocol.ChatLine:
    """The line of chat that a message makes; its id is given to it by whoever keeps the chat."""
    mine = table.seats_of(holder)
    if not mine:
        raise Forbidden("only people at the table may speak", key="seat_needed")
    text = clean(message.text or "", protocol.TEXT)
    if bool(text) == (message.phrase is not None):
        raise Refusal("say either a text or a phrase", field="text", key="malformed")
    seat = viewpoint if viewpoint is not None and viewpoint in mine else mine[0]
    name = table.seats[seat].name
    return protocol.ChatLine(id=0, seat=seat, name=name, time=now, text=text, phrase=message.phrase or "")


def arrivals(before: Table, after: Table, proof: str, now: int) -> list[protocol.ChatLine]:
    """Who has left a game under way, who came and who came back by `proof`, as lines for everybody."""
    found = []
    for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if before.status != "playing" or {old.kind, new.kind} != {"person", "open"}:
            continue
        back = "back" if proof and old.former == proof else "came"
        phrase = "left" if new.kind == "open" else back
        found.append(protocol.ChatLine(id=0, seat=number, name=new.name, time=now, phrase=phrase))
    return found
