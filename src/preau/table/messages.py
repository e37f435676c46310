"""What each pair of eyes is told: the greeting that says all of it, the steps that follow, and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.errors import PreauError
from ..core.state import NATURE, Event, Result
from . import protocol, series, tie_break
from .clocks import clocks
from .live_game import TAIL, LiveGame, first_position
from .log import Row, effective, steps
from .table import Table, TablePolicy
from .viewpoint import Json, Viewpoint, seen_from

OPENING = 24
"""Steps of a game that somebody who comes in may be shown one by one."""


def has_opening(table: Table, live: LiveGame, holder: str | None) -> bool:
    """Whether a game can be shown from its beginning: to somebody with a seat who has not decided anything yet, as long
    as it is short.
    """
    own = table.seats_of(holder)
    short = not live.state.over and len(live.tail) <= OPENING
    return bool(own) and short and not any(past.actor in own for past in live.tail)


def opening(table: Table, rows: Sequence[Row], viewpoint: Viewpoint) -> list[protocol.Moment]:
    """A game from its beginning, step by step, as these eyes saw it."""
    state = first_position(table)
    found: list[protocol.Moment] = []
    for step in [[], *steps(effective(rows))]:
        events = [event for row in step for event in state.apply(row.actor, row.text)]
        if state.to_act == (NATURE,):
            continue  # nothing to see before chance has dealt
        found.append(
            protocol.Moment(
                number=step[-1].number if step else 0,
                actor=step[0].actor if step else NATURE,
                events=seen_from(events, viewpoint),
                view=state.view(viewpoint),
                prompt=state.prompt(viewpoint),
                to_act=list(state.to_act),
            )
        )
    return found


def hello(
    table: Table,
    live: LiveGame | None,
    policy: TablePolicy,
    *,
    holder: str | None,
    viewpoint: Viewpoint,
    last: int | None,
    chat: list[protocol.ChatLine],
    asks: protocol.Asking | None,
    presence: protocol.Presence,
    now: int,
    began: Sequence[protocol.Moment] = (),
    pulls: Mapping[int, int] | None = None,
) -> protocol.HelloMessage:
    """All that somebody may know; `last` is the number seen already. There is no `live` before the start. `began` is
    how the game began, if that is to be shown; `pulls` are the taps of a round of arm wrestling so far.
    """
    state = live.state if live is not None else None
    to_act = list(state.to_act) if state is not None else []
    result = state.result() if state is not None and state.over else None
    log, gap = _log(live, policy, viewpoint, last)
    return protocol.HelloMessage(
        protocol=protocol.PROTOCOL,
        table=table.info(),
        seat=viewpoint,
        seats=table.seats_of(holder),
        host=table.is_host(holder),
        number=live.head if live is not None else 0,
        view=state.view(viewpoint) if state is not None else None,
        prompt=state.prompt(viewpoint) if state is not None else None,
        legal=[action.text for action in state.legal(viewpoint)] if state is not None and viewpoint in to_act else [],
        to_act=to_act,
        asked=live.asked.get(viewpoint, 0) if live is not None and viewpoint is not None else 0,
        log=log,
        gap=gap,
        clocks=clocks(table, live.since, policy) if live is not None else [],
        presence=presence,
        chat=chat,
        asks=asks,
        undo=live is not None and viewpoint is not None and live.free == viewpoint and not table.challenge,
        now=now,
        result=result.to_json() if result is not None else None,
        contest=tie_break.seen(table, state, policy, now, pulls),
        opening=list(began),
        series=_evening(table, result),
    )


def _evening(table: Table, result: Result | None) -> protocol.Series | None:
    """The games of an evening that has had several, with the result of the last."""
    if result is None or table.series is None:
        return None
    return series.told(series.grown(table, result), table.holders)


def _eased(kind: str, policy: TablePolicy) -> str:
    """Who made a decision in the place of a bot, by the kind of its row; nothing if that was not so."""
    return policy.quick if kind == "eased" else kind if kind in ("skipped", "missing") else ""


def _is_late(kind: str) -> bool:
    """Whether a row was made because somebody's time was up."""
    return kind in ("late", "timeout")


def _log(
    live: LiveGame | None, policy: TablePolicy, viewpoint: Viewpoint, last: int | None
) -> tuple[list[protocol.Step], bool]:
    """The steps after `last`, and whether some are missing in between."""
    if live is None:
        return [], False
    missing = len(live.tail) == TAIL
    reaches_back = not missing or (last is not None and last >= live.tail[0].number)
    steps = [
        protocol.Step(
            number=past.number,
            actor=past.actor,
            time=past.time,
            events=past.seen_by(viewpoint),
            eased=_eased(past.kind, policy),
            late=_is_late(past.kind),
        )
        for past in live.tail
        if last is None or past.number > last
    ]
    return steps, not reaches_back


class StepMessages:
    """A step that was taken, to be told to each pair of eyes."""

    __slots__ = ("_events", "_free", "_live", "_rows", "_secret", "_step")

    def __init__(
        self, table: Table, live: LiveGame, rows: Sequence[Row], events: Sequence[Event], policy: TablePolicy
    ) -> None:
        first, last, to_act = rows[0], rows[-1], list(live.state.to_act)
        result = live.state.result() if not to_act else None
        self._live = live
        self._rows = rows
        self._events = events
        self._secret = any(event.secret for event in events)
        """Whether somebody sees more of it than the others."""
        self._free = live.free if not table.challenge else None
        self._step = protocol.StepMessage(
            first=first.number,
            number=last.number,
            actor=first.actor,
            time=first.time,
            events=protocol.APART if self._secret else seen_from(events, None),
            eased=_eased(first.kind, policy),
            late=_is_late(first.kind),
            view=protocol.APART,
            prompt=protocol.APART,
            to_act=to_act,
            asked=protocol.APART,
            clocks=clocks(table, live.since, policy),
            result=result.to_json() if result is not None else None,
            contest=tie_break.seen(table, live.state, policy, last.time) if result is not None else None,
            series=_evening(table, result),
        )
        """What all are told alike."""

    @classmethod
    def undone(cls, table: Table, live: LiveGame, rows: Sequence[Row], policy: TablePolicy) -> StepMessages:
        """Steps were taken back; `rows` is the whole log."""
        back = [row for row in rows if row.kind == "undo"][-1]
        kept = effective(rows)
        found = cls(table, live, (back, rows[-1]), (), policy)
        found._step.undone = kept[-1].number if kept else 0
        return found

    def told(self, viewpoint: Sequence[Viewpoint]) -> list[bytes]:
        """The step as a message to each of these eyes, with all there is to be seen after it. What they are told alike
        is put together and written once.
        """
        alike, own = self._live.state.views(viewpoint)
        begun = protocol.begun(self._step, "view", alike)
        return [protocol.finished(begun, view, self._told(one, view)) for one, view in zip(viewpoint, own, strict=True)]

    def _told(self, viewpoint: Viewpoint, view: Json) -> Json:
        """What these eyes alone are told, besides what they see: the fields of a step that they have."""
        live, state, first = self._live, self._live.state, self._rows[0]
        told: Json = {"prompt": view.get("prompt") or state.prompt(viewpoint), "asked": 0}
        if self._secret:
            told["events"] = seen_from(self._events, viewpoint)
        if viewpoint is None:
            return told
        if viewpoint in live.asked:
            told["asked"] = live.asked[viewpoint]
            told["legal"] = [action.text for action in state.legal(viewpoint)]
        if viewpoint == self._free:
            told["undo"] = True
        if viewpoint == first.actor and first.client is not None:
            told["id"] = first.client
        return told


def about(table: Table, holder: str | None) -> protocol.TableMessage:
    """The table and its seats, to somebody who sees it already."""
    return protocol.TableMessage(table=table.info(), seats=table.seats_of(holder), host=table.is_host(holder))


def seated(table: Table, token: str, holder: str) -> protocol.Seated:
    """The answer to somebody who sat down."""
    return protocol.Seated(table=table.info(), token=token, seats=table.seats_of(holder), host=table.is_host(holder))


def refused(error: PreauError, message: protocol.ClientMessage, live: LiveGame | None) -> protocol.RefusedMessage:
    """A refusal as a message."""
    return protocol.RefusedMessage(
        id=getattr(message, "id", ""),
        number=live.head if live is not None else 0,
        error=type(error).__name__,
        message=str(error)[:500],
        rule=error.rule,
        field=error.field,
        hint=error.hint[:300],
        key=error.key,
        params=dict(error.params),
    )
