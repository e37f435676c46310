"""Races: what the server measures, what it believes, and from when on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preau.server.tables.lag import (
    FASTEST_MS,
    FIRST_QUOTA_MS,
    METERS,
    MOST_QUOTA_MS,
    MOST_TRIP_MS,
    SCREEN_MS,
    TRIPS,
    USUAL_MS,
    LagMeter,
    Races,
)
from tests.server.server_driver import ServerDriver
from tests.support import registered
from tests.table import sprint
from tests.table.driver import ME, OPEN, Viewer


def meter(*trips: int) -> LagMeter:
    found = LagMeter()
    for trip in trips:
        found.pong(found.ping(1_000), 1_000 + trip)
    return found


def test_a_slow_line_costs_nothing():
    """Two people tap after 400 ms; one of them on a line with 350 ms round trip."""
    quick = meter(10, 12, 11).measure(400, 410 + SCREEN_MS, race=1)
    slow = meter(350, 360, 355).measure(400, 750 + SCREEN_MS, race=1)
    assert quick.delay == slow.delay == 400


def test_without_a_claim_the_servers_own_measurement_counts():
    assert meter(100, 120).measure(None, 700, race=1) == (600 - SCREEN_MS, 0, 1)


def test_a_claim_that_cannot_be_true_is_not_believed():
    assert meter(100).measure(0, 700, race=1) == (600 - SCREEN_MS, 0, 1)
    assert meter(100).measure(9_000, 700, race=1).delay == 700, "nor can it have taken longer than we waited"


def test_a_line_that_was_never_measured_has_no_credit():
    assert meter().measure(0, 350, race=1).delay == meter().measure(310, 350, race=1).delay == 350 - SCREEN_MS


def test_a_stumble_of_the_line_is_paid_by_the_quota_until_it_is_used_up():
    line = meter(100)
    own, grows = 600 - SCREEN_MS, USUAL_MS + 100 // 20
    first = FIRST_QUOTA_MS + grows
    tap = line.measure(own - first, 700, race=1)
    assert tap == (own - first, first, 1)
    line.spend(tap)
    assert line.measure(own - 1, 700, race=1).delay == own, "it grows once in each race"
    assert line.measure(own - grows, 700, race=2) == (own - grows, grows, 2)
    assert line.measure(own - grows - 1, 700, race=2).delay == own


def test_who_tells_the_truth_saves_up_to_a_limit():
    line = meter(200)
    for race in range(1, 40):
        line.spend(line.measure(500, 500 + 200 + SCREEN_MS, race))
    assert line.quota(40) == MOST_QUOTA_MS


def test_the_shortest_round_trip_counts_and_is_remembered_for_a_while():
    line = meter(20, *[380] * (TRIPS - 1))
    assert line.trip == 20
    line.pong(line.ping(0), 380)
    assert line.trip == 380
    assert meter(60_000, 70_000).trip == MOST_TRIP_MS


def test_pongs_nobody_asked_for_count_for_nothing():
    line = meter(20)
    line.pong(99, 90_000)
    line.pong(1, 90_000)
    assert line.trip == 20


def test_the_meters_of_a_table_are_bounded():
    races = Races()
    first = races.meter("0")
    assert races.meter("0") is first
    for number in range(1, METERS):
        races.meter(str(number))
    assert races.meter("0") is first
    races.meter("one too many")
    assert races.meter("0") is not first
    assert races.meter(None) is not races.meter(None)


@given(
    trips=st.lists(st.integers(0, 5_000), max_size=40),
    taps=st.lists(st.tuples(st.none() | st.integers(0, 60_000), st.integers(0, 60_000), st.booleans()), max_size=20),
)
def test_whatever_a_client_says_and_however_late_it_answers_it_gains_no_more_than_the_caps(trips, taps):
    """In each race what the slowest line is given, and over all races the quota."""
    line, race, below = meter(*trips), 1, 0
    for claimed, waited, new in taps:
        race += new
        tap = line.measure(claimed, waited, race)
        line.spend(tap)
        below += max(0, waited - MOST_TRIP_MS - SCREEN_MS - tap.delay)
        assert tap.delay >= max(FASTEST_MS, waited - MOST_TRIP_MS - SCREEN_MS - MOST_QUOTA_MS)
        assert tap.delay <= max(FASTEST_MS, waited)
    assert below <= FIRST_QUOTA_MS + race * (USUAL_MS + MOST_TRIP_MS // 20)


# On the whole server.


@pytest.fixture
def host(tmp_path: Any) -> Iterator[ServerDriver]:
    with registered(sprint.GAME):
        driver = ServerDriver(tmp_path)
        yield driver
        driver.stop()


class Track:
    """Three people who race, each with a line of their own, all of them measured."""

    def __init__(self, host: ServerDriver, trip: int = 0) -> None:
        self.host = host
        made = host.make("sprint", [ME, OPEN, OPEN], options={"rounds": 9})
        self.table = made["table"]["id"]
        self.tokens = [made["token"], *(host.join(self.table, {"name": "x"})["token"] for _ in range(2))]
        self.lines = [host.open(self.table, token) for token in self.tokens]
        self.pong(trip)
        host.start(self.table, made["token"])

    def pong(self, trip: int) -> None:
        """All answer the last ping after so long."""
        self.host.now += trip
        for line in self.lines:
            self.host.send(line, "pong", n=line.last("ping")["n"])

    def again(self, seat: int) -> Viewer:
        """One more line of a seat."""
        return self.host.open(self.table, self.tokens[seat])

    def tap(self, line: Viewer, after: int, claim: int | None = None) -> int:
        """Tap so long after now, and return what counted."""
        self.host.now += after
        assert self.host.act(line, "run", delay=claim)["type"] == "step"
        services = self.host.services
        rows = self.host.runner.run(services.tables.log(services.tables.entries[self.table]))
        return [row.delay for row in rows if row.actor >= 0 and row.kind == "act"][-1] or 0


def test_a_tap_after_the_others_is_measured_from_when_the_race_was_first_shown(host):
    track = Track(host)
    zero, one, two = track.lines
    for _ in range(2):  # of the first nobody was told by a step
        assert track.tap(zero, 400, claim=400) == 400
        assert track.tap(one, 100, claim=500) == 500
        assert track.tap(two, 800, claim=300) == 1_300 - SCREEN_MS


def resync(track: Track) -> Viewer:
    track.host.send(track.lines[2], "resync", last=0)
    return track.lines[2]


def look(track: Track) -> Viewer:
    track.host.send(track.lines[2], "look", seat=2)
    return track.lines[2]


def reconnect(track: Track) -> Viewer:
    track.host.close(track.lines[2])
    return track.again(2)


def second_line(track: Track) -> Viewer:
    return track.again(2)


def other_process(track: Track) -> Viewer:
    """One that has never heard of the table: it knows the log."""
    track.host.disconnect_all()
    return track.again(2)


@pytest.mark.parametrize("trick", [resync, look, reconnect, second_line, other_process])
def test_the_time_of_a_race_does_not_begin_anew(host, trick):
    track = Track(host)
    for line in track.lines:
        track.tap(line, 500, claim=500)
    host.now += 600
    assert track.tap(trick(track), 100, claim=FASTEST_MS) == 700 - SCREEN_MS


def test_who_was_away_when_a_race_was_put_is_measured_like_the_others(host):
    """Somebody who only watches has seen the question as well, and may be the same person."""
    track = Track(host)
    host.close(track.lines[2])
    track.tap(track.lines[0], 400)
    track.tap(track.lines[1], 100)
    host.wait(9_000)  # the third is out, and the next race is on
    assert track.lines[0].to_act == [0, 1, 2]
    host.now += 600
    assert track.tap(track.again(2), 100, claim=FASTEST_MS) == 700 - SCREEN_MS


def test_a_tap_taken_back_gives_no_time_back(host):
    track = Track(host)
    zero, one, two = track.lines
    track.tap(two, 600, claim=600)
    host.send(two, "undo", at=two.number)
    for line in (zero, one):
        host.send(line, "agree", at=line.number, yes=True)
    assert two.to_act == [0, 1, 2]
    assert track.tap(two, 200, claim=200) == 800 - SCREEN_MS


def test_a_new_line_brings_no_new_quota(host):
    track = Track(host, trip=100)
    own, first = 600 - SCREEN_MS, FIRST_QUOTA_MS + USUAL_MS + 100 // 20
    for line in track.lines[:2]:
        track.tap(line, 0)
    assert track.tap(track.lines[2], 700, claim=own - first) == own - first
    host.close(track.lines[2])
    again = track.again(2)
    host.now += 100
    host.send(again, "pong", n=again.last("ping")["n"])
    assert track.tap(again, 600, claim=own - first) == own


def test_an_act_that_is_sent_again_costs_no_quota(host):
    """A page whose line broke sends its tap once more; it counts once, also where the next race is on already."""
    track = Track(host, trip=100)
    for line in track.lines[:2]:
        track.tap(line, 0)
    own, grows = 600 - SCREEN_MS, USUAL_MS + 100 // 20
    act = {"id": "tap", "at": track.lines[2].number, "action": "run", "delay": own - 5}
    host.now += 700
    host.send(track.lines[2], "act", **act)
    again = track.again(2)
    host.now += 710
    host.send(again, "act", **act)
    assert again.last("ack")["id"] == "tap"
    entry = host.services.tables.entries[track.table]
    quota = entry.audience.races.meter(entry.table.holders[2]).quota(race=0)
    assert quota == FIRST_QUOTA_MS + 2 * grows - 5
