"""Who may ask for a hint, looked at without a server."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from preau.bots import BOTS
from preau.core import Action, State
from preau.table import protocol
from preau.table.hints import asked_once_more, check_hint
from preau.table.live_game import LiveGame, begin
from preau.table.refusals import Refusal
from preau.table.seating import new_table
from preau.table.table import Seat, Table

LUCK = Random(4)
ME, BOT = protocol.SeatWish(kind="me"), protocol.SeatWish(kind="bot")


def draw(state: State, delays: dict[int, int]) -> Action:
    return state.draw(LUCK)


def begun(game: str, **options: object) -> tuple[Table, LiveGame]:
    wish = protocol.NewTable(game=game, seats=[ME, BOT, BOT], options={"first": 0, **options})
    table = new_table(wish, BOTS, id="table", code="code", host="me", maker="", now=0)
    opening = begin(table, 0, draw)
    return replace(table, status="playing", started=0, options=opening.options), opening.live


def refusal(table: Table, live: LiveGame, seat: int = 0, at: int | None = None) -> str:
    with pytest.raises(Refusal) as refused:
        check_hint(table, live, seat, live.head if at is None else at)
    assert refused.value.hint or refused.value.key in ("over", "stale", "ahead")
    return refused.value.key


def with_seat(table: Table, seat: Seat) -> Table:
    return replace(table, seats=(table.seats[0], seat, *table.seats[2:]))


def test_whoever_plays_with_bots_alone_may_ask():
    table, live = begun("recess")
    check_hint(table, live, 0, live.head)


@pytest.mark.parametrize(
    "seat",
    [
        Seat("person", holder="friend"),
        Seat("person", holder="friend", stand_in="normal"),
        Seat("open", name="Bo", level="normal"),
        Seat("person", holder="me"),
    ],
    ids=["a friend", "a friend who is away", "a friend who left", "somebody at the same screen"],
)
def test_with_anybody_else_there_are_no_hints(seat):
    table, live = begun("recess")
    assert refusal(with_seat(table, seat), live) == "hints_alone"


def test_a_table_may_do_without_hints():
    table, live = begun("recess")
    assert refusal(replace(table, hints=False), live) == "no_hints"


def test_only_what_is_asked_now_can_be_asked_about():
    table, live = begun("recess")
    assert refusal(table, live, seat=0, at=live.head + 1) == "ahead"
    live.adopt(live.plan(0, live.state.legal(0)[-1].text, 1, draw))
    assert refusal(table, live, at=0) == "stale"
    while 0 in live.state.to_act:
        live.adopt(live.plan(0, live.state.legal(0)[-1].text, 1, draw))
    assert refusal(table, live) == "not_asked"


def test_a_race_is_run_without_hints():
    table, live = begun("cour", reaction="live")
    while 0 not in live.state.racers():
        actor = live.state.to_act[0]
        live.adopt(live.plan(actor, live.state.legal(actor)[0].text, 1, draw))
    assert refusal(table, live) == "hint_race"


def test_a_game_that_is_over_needs_no_hint():
    table, live = begun("recess", turns=1)
    while not live.state.over:
        live.adopt(live.plan(0, live.state.legal(0)[-1].text, 1, draw))
    assert refusal(table, live) == "over"


def test_every_hint_is_counted():
    table, _ = begun("recess")
    assert asked_once_more(asked_once_more(table)).info().hinted == 2
