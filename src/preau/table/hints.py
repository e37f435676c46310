"""Who may ask for a hint, and when: somebody who plays with bots alone, at a table that allows it."""

from __future__ import annotations

from msgspec.structs import replace

from . import protocol
from .live_game import LiveGame
from .permissions import check_question
from .refusals import Forbidden, TooLate
from .table import Json, Table


def check_hint(table: Table, live: LiveGame, seat: int, at: int) -> None:
    """Refuse a hint that would be unfair to somebody, or is about nothing that is asked. A seat that was left or has a
    bot sitting in is still somebody's.
    """
    if not table.hints:
        raise Forbidden("there are no hints at this table", key="no_hints", hint="They are chosen with the table.")
    others = [number for number, one in enumerate(table.seats) if number != seat and one.kind != "bot"]
    if others:
        raise Forbidden(
            "not everybody else at the table is a bot",
            key="hints_alone",
            params={"seats": others},
            hint="Hints are for whoever plays with bots alone.",
        )
    if live.state.over:
        raise TooLate("the game is over", key="over")
    if seat not in live.state.to_act:
        raise TooLate("you are not asked for anything", key="not_asked", hint="Wait for your turn.")
    if seat in live.state.racers():
        raise TooLate("this is a race", key="hint_race", hint="Be quick; no hint is quicker.")
    check_question(live, seat, at)


def asked_once_more(table: Table) -> Table:
    """The table after one more hint: whoever looks at it later sees that this was a practice game."""
    return replace(table, hinted=table.hinted + 1)


def hinted(found: Json, at: int) -> protocol.HintedMessage:
    """A hint (`review.hint`) as a message."""
    other = found["otherwise"]
    return protocol.HintedMessage(
        at=at,
        seat=found["seat"],
        rank=found["rank"],
        more=found["more"],
        idea=_idea(found),
        otherwise=_idea(other) if other is not None else None,
        close=found["close"],
    )


def _idea(found: Json) -> protocol.IdeaInfo:
    return protocol.IdeaInfo(
        action=found["action"], do=found["do"], value=found["value"], reasons=found["reasons"], but=found["but"]
    )
