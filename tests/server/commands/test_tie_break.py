"""Arm wrestling over lines: measured so that a slow one costs nothing, by several processes, through a crash."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from preau.server.tables.lag import LagMeter
from preau.table import tie_break
from preau.table.refusals import TooLate
from preau.table.table import TieBreak
from preau.table.tie_break import CLOSED_MS, COUNTDOWN_MS, LOST_MS, PULL_MS, MeasuredRound
from tests.server.players import Json, Player, run
from tests.server.processes import Server
from tests.server.server_driver import ServerDriver
from tests.server.tables_over_http import seat_two_players
from tests.table.arm_wrestling import agree_to_wrestle, create_tied_table, pull, pull_counts, wrestling_state

STARTS = 1_800_000_000_000
REPORT_MS = 250
"""How often a page reports."""


# Lines of all lengths, without a network.


class Hand:
    """Somebody who taps, on a line that takes `trip` milliseconds there and back, some percent more as it happens."""

    def __init__(self, rng: Random, trip: float, pace: float) -> None:
        self._rng, self._trip, self._pace = rng, trip, pace
        self._down = rng.uniform(0.3, 0.7)
        self.meter = LagMeter()
        for number in range(4):
            self.meter.pong(self.meter.ping(number), number + round(self._line()))

    def _line(self) -> float:
        return self._trip + self._rng.expovariate(1 / (2 + 0.06 * self._trip))

    def taps(self, until: float = PULL_MS) -> list[float]:
        """When they tap, after the page said "go"."""
        found, now = [], 0.0
        while (now := now + 1_000 / self._pace * math.exp(self._rng.gauss(0, 0.2))) < until:
            found.append(now)
        return found

    def pull(self, pulling: MeasuredRound, seat: int, taps: list[float], last: float = PULL_MS) -> None:
        """Report as the page does: a few times a second, and once at the end."""
        told = self._line() * self._down  # when "go" is on the screen
        times = [*range(REPORT_MS, int(last), REPORT_MS), last]
        arrival = 0.0
        for time in times:
            count = sum(tap <= time for tap in taps)
            arrival = max(arrival, told + time + self._line() * (1 - self._down))  # messages do not overtake
            with contextlib.suppress(TooLate):
                pulling.pull(seat, 1, count, STARTS + round(arrival), self.meter.trip)


def a_round() -> MeasuredRound:
    return MeasuredRound(TieBreak(seats=(0, 1), phase="pulling", round=1, starts=STARTS), (0, 1), STARTS - 3_000)


def counted(pulling: MeasuredRound) -> dict[int, int]:
    return pulling.measured(STARTS + CLOSED_MS + 1, alone=True, present=(0, 1))


@pytest.mark.parametrize("trip", [20, 100, 250, 400])
def test_every_tap_of_an_honest_hand_counts_on_any_line(trip):
    rng = Random(trip)
    for _ in range(200):
        hand, pulling = Hand(rng, trip, rng.uniform(3, 9)), a_round()
        taps = hand.taps()
        hand.pull(pulling, 0, taps)
        assert counted(pulling)[0] == len(taps)


def test_of_two_who_are_as_fast_the_one_with_the_slow_line_wins_as_often():
    rng = Random(22)
    rounds, slow_wins, decided = 1_500, 0, 0
    for _ in range(rounds):
        pulling, pace = a_round(), rng.uniform(4, 8)
        for seat, trip in ((0, rng.uniform(20, 60)), (1, rng.uniform(250, 400))):
            hand = Hand(rng, trip, pace)
            hand.pull(pulling, seat, hand.taps())
        counts = counted(pulling)
        decided += counts[0] != counts[1]
        slow_wins += counts[1] > counts[0]
    chance = 3 * math.sqrt(decided) / 2
    assert abs(slow_wins - decided / 2) < chance, (slow_wins, decided)


def test_whoever_lies_has_no_more_than_the_fastest_hand_could_have():
    rng = Random(3)
    for trip in (20, 400):
        hand, pulling = Hand(rng, trip, 6), a_round()
        hand.pull(pulling, 0, [0.0] * 9_000)
        assert counted(pulling)[0] == tie_break.most_taps(PULL_MS)


def test_whoever_taps_on_gains_no_more_than_the_slack():
    """A page that does not stop: what still counts is what the line and some slack make possible."""
    rng = Random(4)
    for trip in (20, 400):
        hand, pulling = Hand(rng, trip, 8), a_round()
        taps = hand.taps(PULL_MS + 3_000)
        hand.pull(pulling, 0, taps, PULL_MS + 3_000)
        latest = PULL_MS + tie_break.SLACK_MS + hand.meter.trip
        assert sum(tap <= PULL_MS for tap in taps) <= counted(pulling)[0] <= sum(tap <= latest for tap in taps)


# Two processes.


async def at_the_end(pair: list[Server]) -> tuple[Player, Player]:
    """A person on each process and a bot, all equal, and both want to wrestle."""
    _, first, second = await seat_two_players(pair, "recess", options={"turns": 1})
    while first.result is None:
        await first.act(first.legal[0])
    while second.result is None:
        await second.next()
    for player in (first, second):
        assert player.traffic[-1]["contest"]["phase"] == "asked"
        await player.send({"type": "wrestle", "yes": True})
    return first, second


async def until_phase(player: Player, phase: str) -> Json:
    while True:
        message = await player.until("contest", "hello")
        if message["contest"]["phase"] == phase:
            found: Json = message["contest"]
            return found


async def pull_when_it_begins(player: Player, count: int) -> None:
    """Tap as soon as the round has begun, then wait until that much counts."""
    while (await player.until("pulls"))["round"] != 1:
        pass
    reached = 0
    while reached < count:
        await player.send({"type": "pull", "round": 1, "count": count})
        reached = max((await player.until("pulls"))["counts"][:2])


def test_a_tie_is_broken_at_a_default_server(default_server):
    """From the end of the game to the winner, whom a spectator sees who comes later."""

    async def story() -> None:
        first, second = await at_the_end([default_server] * 2)
        for player in (first, second):
            await until_phase(player, "pulling")
        await asyncio.gather(pull_when_it_begins(first, 20), pull_when_it_begins(second, 30))
        for player in (first, second):
            assert (await until_phase(player, "over"))["winner"] == 1
            assert not [message for message in player.traffic if message["type"] == "refused"]
        async with Player(default_server.url, first.table) as late:
            assert (late.hello["contest"]["phase"], late.hello["contest"]["winner"]) == ("over", 1)
            assert late.result == first.result

    run(story())


def test_both_processes_measure_their_own_and_tell_the_same_end(pair):
    async def story() -> None:
        first, second = await at_the_end(pair)
        for player in (first, second):
            await until_phase(player, "pulling")
        await asyncio.gather(pull_when_it_begins(first, 20), pull_when_it_begins(second, 30))
        ends = await asyncio.gather(until_phase(first, "over"), until_phase(second, "over"))
        assert ends[0] == ends[1]
        assert ends[0]["winner"] == 1
        assert [puller["count"] for puller in ends[0]["pullers"]][:2] == [20, 30]
        seen = [message["counts"] for message in first.traffic if message["type"] == "pulls"]
        assert any(counts[1] == 30 for counts in seen), "the taps at the other process are seen while they come"

    run(story())


def test_when_a_process_dies_with_its_counts_it_is_asked_anew(postgres, redis):
    both = [Server(url, redis.url) for url in [postgres.new_database()] * 2]

    async def story() -> None:
        first, second = await at_the_end(both)
        await until_phase(first, "pulling")
        await pull_when_it_begins(first, 20)
        both[1].kill()
        asked = await until_phase(first, "asked")
        assert asked["interrupted"]
        assert [puller.get("yes", False) for puller in asked["pullers"]] == [False, False, True]
        await first.send({"type": "wrestle", "yes": True})
        assert not (await until_phase(first, "asked")).get("interrupted")
        second.bases = [both[0].url]
        await second.open()
        await second.send({"type": "wrestle", "yes": True})
        assert (await until_phase(second, "pulling"))["round"] == 1

    try:
        run(story())
    finally:
        both[0].stop()


# A restart in the middle.


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[ServerDriver]:
    host = ServerDriver(tmp_path)
    yield host
    host.stop()


def interrupted(host: ServerDriver) -> tuple[str, list[str], int]:
    """Three people pull, and after two seconds the server knows only what the database has."""
    table, viewers, tokens = create_tied_table(host)
    agree_to_wrestle(host, viewers)
    host.wait(COUNTDOWN_MS + 2_000)
    for viewer in viewers:
        pull(host, viewer, 1, 10)
    host.disconnect_all()
    return table, tokens, host.now - 2_000


def test_those_who_come_back_go_on_where_they_were(driver):
    table, tokens, _ = interrupted(driver)
    viewers = [driver.open(table, token) for token in tokens]
    assert wrestling_state(viewers[0])["phase"] == "pulling"
    driver.wait(3_000)
    for viewer, count in zip(viewers, (31, 22, 0), strict=True):
        pull(driver, viewer, 1, count)
    driver.wait(1_001)
    assert (wrestling_state(viewers[2])["winner"], pull_counts(viewers[2])) == (0, [31, 22, 0])


def test_if_somebody_does_not_it_is_asked_anew(driver):
    table, tokens, starts = interrupted(driver)
    viewers = [driver.open(table, token) for token in tokens[:2]]
    for viewer in viewers:
        pull(driver, viewer, 1, 20)
    driver.wait(4_001)
    assert wrestling_state(viewers[0])["phase"] == "pulling", "the third may have been measured elsewhere"
    driver.wait(starts + LOST_MS - driver.now)
    for viewer in (*viewers, driver.open(table)):
        assert (wrestling_state(viewer)["phase"], wrestling_state(viewer)["interrupted"]) == ("asked", True)
        assert not any("yes" in puller or "count" in puller for puller in wrestling_state(viewer)["pullers"])
    agree_to_wrestle(driver, [*viewers, driver.open(table, tokens[2])])


def test_whoever_opens_the_table_long_after_a_crash_is_asked(driver):
    table, tokens, _ = interrupted(driver)
    driver.wait(3_600_000)
    later = driver.open(table, tokens[1])
    assert (wrestling_state(later)["phase"], wrestling_state(later)["interrupted"]) == ("asked", True)
    driver.send(later, "wrestle", yes=False)
    assert wrestling_state(driver.open(table))["phase"] == "declined"
