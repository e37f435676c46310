"""Races: delays measured by clients, bounded by the server."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from preau.server.speed import FASTEST_MS, MOST_CREDIT_MS, LineMeter


def meter(*trips: int) -> LineMeter:
    found = LineMeter()
    for trip in trips:
        found.pong(found.ping(1_000), 1_000 + trip)
    return found


def test_a_slow_line_costs_nothing():
    """Two people tap after 400 ms; one of them on a line with 600 ms round trip."""
    quick = meter(10, 12, 11).bound(400, waited=410)
    slow = meter(600, 610, 605).bound(400, waited=1_000)
    assert quick == slow == 400


def test_a_forged_time_gains_no_more_than_the_jitter():
    line = meter(100, 110, 130)
    honest = line.bound(400, waited=500)
    forged = line.bound(0, waited=500)
    assert honest == 400
    assert honest - forged == line.jitter == 10


def test_a_forged_time_without_a_measured_line_gains_nothing():
    assert meter().bound(0, waited=350) == 350


def test_pongs_nobody_asked_for_count_for_nothing():
    line = meter(20)
    line.pong(99, 90_000)
    line.pong(1, 90_000)
    assert line.trip == 20


@given(
    trips=st.lists(st.integers(0, 5_000), max_size=12),
    claimed=st.none() | st.integers(0, 60_000),
    waited=st.integers(0, 60_000),
)
def test_what_counts_is_always_within_what_the_server_measured(trips, claimed, waited):
    found = meter(*trips).bound(claimed, waited)
    assert found >= FASTEST_MS
    assert found >= waited - MOST_CREDIT_MS
    assert found <= max(waited, FASTEST_MS)
