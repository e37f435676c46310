"""The parts of a table one by one: what it brings in, chance, clocks, votes, who is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import preau.table
from preau.bots import BOTS
from preau.bots.levels import LEVELS
from preau.core.state import NATURE
from preau.table import clocks, messages, permissions, protocol, seating, undo
from preau.table.chance import BOT_MS, Chance, bot_delay, draw
from preau.table.live_game import LiveGame, OutOfSync, Plan, begin
from preau.table.log import Row
from preau.table.refusals import Forbidden, TooLate
from preau.table.table import DAY_MS, Seat, Table, TablePolicy
from preau.table.viewpoint import seen_from
from tests.table import sprint

FOLDER = Path(preau.table.__file__).parent
FILES = [path.relative_to(FOLDER).with_suffix("") for path in FOLDER.rglob("*.py")]
MODULES = ["preau.table", *(".".join(("preau.table", *path.parts)) for path in FILES if path.stem != "__init__")]
OUTSIDE = ["sqlalchemy", "litestar", "redis", "asyncio", "threading", "multiprocessing", "concurrent"]


def brought_in(module: str) -> set[str]:
    """Which of what reaches outside a fresh interpreter has loaded after importing a module."""
    program = f"import sys, {module}; print(*(name for name in {OUTSIDE!r} if name in sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent.parent)}
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    return set(done.stdout.split())


def test_a_table_brings_in_nothing_that_reaches_outside():
    assert len(MODULES) > 10
    assert brought_in(", ".join(MODULES)) == set()


def test_such_a_thing_would_be_seen():
    assert brought_in("preau.server.storage.store") == {"sqlalchemy", "asyncio", "threading", "concurrent"}


# Tables to look at.

NOW = 1_800_000_000_000
HOUSE = TablePolicy()


def made(game: str, seats: int, **more: Any) -> Table:
    timer = more.pop("timer", protocol.Timer())
    wish = protocol.NewTable(game=game, seats=[protocol.SeatWish(kind="me")] * seats, timer=timer, **more)
    return seating.new_table(wish, ["random"], id="t", code="c", host="ann", now=NOW)


def playing(game: str, seats: int, **more: Any) -> tuple[Table, LiveGame]:
    table = made(game, seats, **more)
    live, _, options = begin(table, NOW, draw)
    return seating.start(table, options, NOW), live


def take(live: LiveGame, actor: int, text: str, now: int = NOW, **more: Any) -> list[Row]:
    plan = live.plan(actor, text, now, draw, **more)
    live.adopt(plan)
    return plan.rows


# Chance.


def test_chance_is_even_and_within_bounds():
    chance = Chance()
    drawn = [chance.random() for _ in range(20_000)]
    assert min(drawn) >= 0.0
    assert max(drawn) < 1.0
    assert len(set(drawn)) > 19_990
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02  # ten standard errors
    assert {int(one * 8) for one in drawn} == set(range(8))


def test_a_measured_race_decides_and_an_unmeasured_one_is_drawn():
    state = sprint.GAME.start(3)
    for seat in range(3):
        state.apply(seat, "run")
    assert draw(state, {0: 500, 1: 300, 2: 400}).text == "win 1"
    assert draw(state, {2: 900}).text == "win 2", "who was not measured was not faster"
    assert {draw(state, {0: 300, 1: 300, 2: 400}).text for _ in range(200)} == {"win 0", "win 1"}
    assert {draw(state, {}).text for _ in range(200)} == {"win 0", "win 1", "win 2"}


def test_bots_take_their_stated_time():
    assert set(BOT_MS) == set(BOTS)
    for level, (low, high) in BOT_MS.items():
        taken = {bot_delay(level) for _ in range(2_000)}
        assert low <= min(taken) < low + 50, level
        assert high - 50 < max(taken) <= high, level


def test_a_better_bot_is_quicker_and_none_is_quicker_than_people_can_be():
    ordered = [BOT_MS[level] for level in LEVELS]
    for slower, quicker in pairwise(ordered):
        assert slower[0] > quicker[0]
        assert slower[1] > quicker[1]
    assert BOT_MS["expert"][0] >= 500
    assert BOT_MS["easy"][0] >= 1_500, "a child of eight has time"


@pytest.mark.parametrize("phrase", ["left", "came", "back"])
def test_nobody_can_say_what_only_the_table_says(phrase):
    with pytest.raises(msgspec.ValidationError):
        protocol.decode(json.dumps({"type": "say", "phrase": phrase}))


# Clocks.


def test_a_bots_move_is_due_at_once():
    table, live = playing("recess", 3, options={"first": 0})
    assert clocks.duty(table, live.state, live.since, NOW, HOUSE) == (None, False)
    bot = seating.stand_in(table, 0, "random")
    assert clocks.duty(bot, live.state, live.since, NOW + 5, HOUSE) == (clocks.AT_ONCE, True)
    left = seating.leave(table, "ann", HOUSE)
    assert left.bots_among(live.state.to_act, HOUSE) == {0: "normal"}
    other = seating.stand_in(table, 1, "random")
    assert clocks.duty(other, live.state, live.since, NOW, HOUSE) == (None, False), "it is not that seat's turn"


def test_an_alarm_rings_when_the_first_clock_runs_out():
    table, live = playing("recess", 3, options={"first": 0}, timer=protocol.Timer(kind="turn", amount=60))
    assert clocks.duty(table, live.state, live.since, NOW, HOUSE) == (NOW + 61_000, False)
    assert clocks.late(table, live, NOW + 60_999, HOUSE) == []
    assert clocks.late(table, live, NOW + 61_000, HOUSE) == [0]
    bot = seating.stand_in(table, 0, "random")
    assert clocks.late(bot, live, NOW + 61_000, HOUSE) == [], "bots have no clock"
    assert clocks.clocks(bot, live.since, HOUSE) == []


def test_in_a_race_the_shorter_of_two_limits_counts():
    table, live = playing("sprint", 2, timer=protocol.Timer(kind="days", amount=1))
    assert clocks.duty(table, live.state, live.since, NOW, HOUSE) == (NOW + 9_000, False)
    assert clocks.late(table, live, NOW + 9_000, HOUSE) == [0, 1]
    quick = replace(table, timer="turn", timer_ms=2_000)
    assert clocks.late(quick, live, NOW + 3_000, HOUSE) == [0, 1]


def test_what_is_done_for_the_late():
    _, recess = playing("recess", 3, options={"first": 0})
    assert clocks.for_late(recess.state, 0) == (-2, "timeout", "timeout")
    _, race = playing("sprint", 2)
    assert clocks.for_late(race.state, 1) == (1, "stay", "late")


def asking(*to_act: int, racers: tuple[int, ...] = ()) -> Any:
    """A position as clocks see it."""
    return SimpleNamespace(to_act=to_act, racers=lambda: racers)


def test_a_clock_begins_anew_after_a_time_out_only():
    since = {0: 10, 1: 20}
    assert clocks.clocks_after(since, Row(1, 0, "act", "x", 50), asking(0, 1, 2), ()) == {0: 10, 1: 20, 2: 50}
    assert clocks.clocks_after(since, Row(1, 0, "late", "x", 50), asking(0, 1), ()) == {0: 50, 1: 20}
    assert clocks.clocks_after(since, Row(1, -2, "timeout", "x", 50), asking(0, 1), ()) == {0: 50, 1: 50}
    assert clocks.clocks_after(since, Row(1, 0, "act", "x", 50), asking(-1), ()) == {}


def test_all_clocks_of_a_race_begin_with_it():
    """Whoever was asked before, and took long, is not out of the race at once; and a tap gives nobody time back."""
    since = {0: 10}
    race = clocks.clocks_after(since, Row(1, 0, "act", "x", 50), asking(0, 1, 2, racers=(0, 1, 2)), ())
    assert race == {0: 50, 1: 50, 2: 50}
    assert clocks.clocks_after(race, Row(2, 0, "act", "x", 60), asking(1, 2, racers=(1, 2)), (1, 2)) == {1: 50, 2: 50}


def test_a_race_at_the_very_start_began_with_the_game_whoever_replays_it():
    table, live = playing("sprint", 3)
    plan = live.plan(1, "run", NOW + 700, draw, delay=700)
    live.adopt(plan)
    assert live.since == LiveGame.rebuild(table, plan.rows).since == {0: NOW, 2: NOW}


def test_who_is_deserted():
    table, live = playing("recess", 3, options={"first": 0})
    assert clocks.deserters(table, live.state, here=[1]) == [0]
    assert clocks.deserters(table, live.state, here=[]) == [], "nobody waits"
    assert clocks.deserters(table, live.state, here=[0, 1]) == []
    assert clocks.deserters(seating.stand_in(table, 0, "random"), live.state, here=[1]) == []
    assert clocks.deserters(replace(table, timer="days", timer_ms=DAY_MS), live.state, here=[1]) == []


# Votes.


def test_votes_are_counted_once_and_the_asker_stands_first():
    agreed = undo.agree((), 2, first=True)
    for seat in (1, 0, 1, 2):
        agreed = undo.agree(agreed, seat, first=False)
    assert agreed == (2, 0, 1)
    with pytest.raises(TooLate):
        undo.agree((), 1, first=False)


LOG = [
    Row(1, -1, "act", "chance", NOW),
    Row(2, 2, "act", "x", NOW),
    Row(3, 1, "act", "x", NOW),
    Row(4, 2, "bot", "x", NOW),
    Row(5, 0, "late", "x", NOW),
]


def test_everybody_who_plays_has_to_agree():
    table = made("recess", 3)
    asking = undo.asking(table, LOG, 5, (1, 0))
    assert asking is not None
    assert (asking.by, asking.needed) == (1, [0, 1, 2])
    assert not undo.is_settled(asking)
    assert undo.asking(table, LOG, 5, ()) is None


def test_a_stand_in_agrees_to_nothing_and_its_person_is_asked_about_own_decisions_only():
    away = seating.stand_in(made("recess", 3), 2, "random")
    assert undo.concerned(away, LOG, 2) == [0, 1], "what the bot itself did is no decision of the person"
    assert undo.concerned(away, LOG, 1) == [0, 1, 2]
    late = seating.stand_in(away, 0, "random")
    assert undo.concerned(late, LOG, 1) == [1, 2], "nor is what was done for somebody late"
    taken_back = [*LOG, Row(6, 1, "undo", "1", NOW), Row(7, 1, "act", "x", NOW)]
    assert undo.concerned(away, taken_back, 1) == [0, 1], "what was taken back before is not taken back again"
    left = seating.leave(made("recess", 3), "ann", HOUSE)
    assert undo.concerned(left, LOG, 1) == [], "nobody can be asked"


def test_who_still_agrees_when_somebody_leaves():
    assert undo.without((1, 0, 2), [2]) == (1, 0)
    assert undo.without((1, 0, 2), [1]) == (), "what is asked goes with whoever asked"
    assert undo.without((), [1]) == ()


# Seats.


def test_where_nobody_has_a_seat_anybody_may_take_one():
    empty = replace(sitting(None, None, None), status="playing")
    assert seating.join(empty, protocol.TakeSeat(seat=1), "eve").seats_of("eve") == [1]
    with pytest.raises(Forbidden):
        seating.join(replace(sitting("ann", None, None), status="playing"), protocol.TakeSeat(seat=1), "eve")


def test_where_nobody_knows_who_is_here_no_bot_is_let_in():
    table, _ = playing("recess", 3, options={"first": 0})
    table = replace(table, seats=tuple(replace(seat, holder=one) for seat, one in zip(table.seats, "abc", strict=True)))
    wish = protocol.SetSeat(kind="bot", level="random")

    def ask(around: seating.Around | None, holder: str = "b") -> Table:
        return seating.set_seat(table, 0, wish, holder, around, HOUSE, ["random"])

    assert ask(seating.Around([1], {0: 30_000})).seats[0].stand_in == "random"
    with pytest.raises(TooLate) as refusal:
        ask(None)
    assert refusal.value.key == "presence"
    assert ask(None, "a").seats[0].stand_in == "random", "for oneself, always"


# The game and its log.


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour", "sprint"])
def test_a_game_is_what_its_log_says(game):
    """At every step: rebuilt from the log, and fed with what was new, it is the same."""
    rng = Random(3)
    table = made(game, 3)
    live, opening, options = begin(table, NOW, draw)
    table, rows = seating.start(table, options, NOW), list(opening)
    follower = LiveGame.rebuild(table, rows)
    for number in range(60):
        if live.state.over:
            break
        seat = live.state.to_act[0]
        text = rng.choice(live.state.legal(seat)).text
        new = take(live, seat, text, NOW + number, client=f"c{number}")
        rows += new
        follower.feed(new)
        for other in (follower, LiveGame.rebuild(table, rows)):
            assert other.state.key() == live.state.key()
            for name in ("head", "time", "drawn", "asked", "since", "free", "tail", "ids", "delays"):
                assert getattr(other, name) == getattr(live, name), name
        assert live.drawn == sum(row.actor == NATURE for row in rows)
    with pytest.raises(OutOfSync):
        follower.feed([Row(follower.head + 2, 0, "act", "x", NOW)])


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour", "sprint"])
def test_a_step_is_written_in_parts_and_whole_for_each(game):
    """What all are told alike is written once; each gets one message of its type, with its own view and no other."""
    rng = Random(5)
    table, live = playing(game, 3)
    everybody = [0, 1, 2, None]
    for number in range(80):
        if live.state.over:
            break
        seat = live.state.to_act[0]
        plan = live.plan(seat, rng.choice(live.state.legal(seat)).text, NOW + number, draw, client=f"c{number}")
        live.adopt(plan)
        told = messages.StepMessages(table, live, plan.rows, plan.events, HOUSE).told(everybody)
        for one, data in zip(everybody, told, strict=True):
            assert once(data) == once(protocol.encode(expected(live, plan, one)))


def expected(live: LiveGame, plan: Plan, one: int | None) -> protocol.StepMessage:
    """The message about a step to one pair of eyes, put together in one piece."""
    state, first = live.state, plan.rows[0]
    asked = one is not None and one in state.to_act
    return protocol.StepMessage(
        first=first.number,
        number=plan.rows[-1].number,
        actor=first.actor,
        time=first.time,
        events=seen_from(plan.events, one),
        view=state.view(one),
        prompt=state.prompt(one),
        legal=[action.text for action in state.legal(one)] if asked and one is not None else [],
        to_act=list(state.to_act),
        asked=live.asked[one] if asked and one is not None else 0,
        undo=one is not None and one == live.free,
        result=state.result().to_json() if state.over else None,
        id=first.client if one == first.actor else None,
    )


def once(data: bytes) -> protocol.StepMessage:
    """A message read back, in which nothing may stand twice."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(found)) == len(found)
        return dict(found)

    assert json.loads(data, object_pairs_hook=pairs).keys() - {"type"} <= set(protocol.StepMessage.__struct_fields__)
    return msgspec.json.decode(data, type=protocol.StepMessage)


def test_a_step_that_was_planned_and_not_taken_changes_nothing():
    _, live = playing("bagarre", 2)
    before = live.state.key(), live.head, dict(live.asked)
    seat = live.state.to_act[0]
    live.plan(seat, live.state.legal(seat)[0].text, NOW, draw)
    assert (live.state.key(), live.head, live.asked) == before


# Who is who.


def sitting(*holders: str | None) -> Table:
    seats = tuple(Seat("person", holder=one) if one else Seat("open") for one in holders)
    return replace(made("recess", 3), seats=seats)


def test_whose_seat_is_meant():
    table = sitting("ann", "bob", "ann")
    assert permissions.must_own(table, "bob", None, None) == 1
    assert permissions.must_own(table, "ann", None, 2) == 2
    assert permissions.must_own(table, "ann", 0, 2) == 0
    for holder, seat, eyes in [("ann", None, None), ("ann", 1, 0), (None, None, None), (None, 0, None), ("eve", 9, 9)]:
        with pytest.raises(Forbidden):
            permissions.must_own(table, holder, seat, eyes)


def test_through_whose_eyes_one_looks():
    table = sitting("ann", "bob", "ann")
    assert permissions.first_viewpoint(table, "ann", 2) == 2
    assert permissions.first_viewpoint(table, "ann", 1) == 0
    assert permissions.first_viewpoint(table, None, 1) is None
    assert permissions.other_viewpoint(table, "ann", 2) == 2
    assert permissions.other_viewpoint(table, None, None) is None
    assert permissions.other_viewpoint(table, "ann", None) is None, "two seats: a device that is shared"
    with pytest.raises(Forbidden):
        permissions.other_viewpoint(table, "bob", None)
    assert permissions.same_viewpoint(table, "ann", None) is None
    assert permissions.same_viewpoint(table, "bob", None) == 1
    assert permissions.same_viewpoint(table, "ann", 1) == 0, "another's eyes never"


def test_the_host_passes_on_only_when_the_host_leaves():
    table = sitting("ann", "bob", None)
    assert seating.leave(table, "bob", HOUSE).host == "ann"
    assert seating.leave(table, "ann", HOUSE).host == "bob"
    assert seating.leave(seating.leave(table, "ann", HOUSE), "bob", HOUSE).host == "bob", "nobody is left"
