"""Races over a line: how long somebody took, so measured that a slow line costs nothing and a lie gains nothing.

The server knows when it told its viewers of the question and when the answer came. From that it takes off the shortest
round trip it has measured on the line, and what a screen takes: that is its own measurement. A client reports the delay
between seeing the question and the answer on its own clock, which spares it what a message takes longer now and then.
For that there is a quota which is used up, after scalachess' lag tracker: it grows with every race by what a line of
this length usually needs, and shrinks by what a claim goes below the server's own measurement. A claim that goes
further is not believed. Who always claims too little has soon used it up; who tells the truth has some left for the day
the line stumbles.

All of this belongs to whoever holds the seat and is kept with the table: neither a new line, nor a second one, nor
asking for everything again begins anew. What is measured is stored in the log beside the action, so that every
process, and anyone who replays the log, names the same seat.

What a server cannot see: a line that is slow for everything it carries, and a client that holds everything back evenly
from the first answer on, are the same to it. The credit for the line is therefore capped, and no delay counts as less
than `FASTEST_MS`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from ...table.live_game import LiveGame
from ...table.log import Row

FASTEST_MS = 120
"""Nobody sees, decides and taps faster than this."""
MOST_TRIP_MS = 400
"""A slower line than this pays for the rest itself; nobody gains more than this by looking slow."""
SCREEN_MS = 30
"""What a screen usually takes to show what has come: two frames. Without it people would be late against bots."""
MOST_QUOTA_MS = 200
"""What can be saved: enough for a message that got lost and was sent again."""
FIRST_QUOTA_MS = 30
USUAL_MS = 3
"""How much longer than the shortest a trip usually takes on any line; and a twentieth of the shortest more. It is not
measured: whoever answered some pings late, and others at once, could make of it what they like."""
TRIPS = 32
"""Round trips remembered: some minutes."""
PINGS = 16
"""Pings that may be under way at once: a few lines of the same person."""
METERS = 64
"""People remembered at one table."""


class MeasuredAnswer(NamedTuple):
    """An answer in a race, measured."""

    delay: int
    """What counts."""
    spent: int
    """What it takes from the quota."""
    race: int
    """When the question was put, by the log."""


class LagMeter:
    """The lines of one person at one table, and the quota."""

    __slots__ = ("_quota", "_race", "_sent", "_trips", "_turn")

    def __init__(self) -> None:
        self._quota = FIRST_QUOTA_MS
        self._trips = array("H")
        self._sent = array("q")
        """When the newest pings went out; -1 for those that were answered."""
        self._turn = 0
        self._race = 0

    def ping(self, now: int) -> int:
        """The number of a new ping."""
        self._turn += 1
        self._sent.append(now)
        del self._sent[:-PINGS]
        return self._turn

    def pong(self, n: int, now: int) -> None:
        """An answer; one that was not asked for counts for nothing."""
        at = n - self._turn - 1
        if not -len(self._sent) <= at < 0 or self._sent[at] < 0:
            return
        self._trips.append(min(max(0, now - self._sent[at]), 60_000))
        del self._trips[:-TRIPS]
        self._sent[at] = -1

    @property
    def trip(self) -> int:
        """The shortest round trip seen lately, as far as it is made good."""
        return min(min(self._trips, default=0), MOST_TRIP_MS)

    def quota(self, race: int) -> int:
        """How far below the server's own measurement a claim in this race may go: what is left, and once in each race
        what a line of this length usually needs. Nothing as long as the line was never measured.
        """
        if not self._trips:
            return 0
        more = USUAL_MS + self.trip // 20 if race != self._race else 0
        return min(self._quota + more, MOST_QUOTA_MS)

    def measure(self, claimed: int | None, waited: int, race: int) -> MeasuredAnswer:
        """The delay that counts: the claim, if the quota makes it believable, else the server's own measurement."""
        own = max(FASTEST_MS, waited - self.trip - SCREEN_MS)
        lowest = max(FASTEST_MS, own - self.quota(race))
        if claimed is None or claimed < lowest:
            return MeasuredAnswer(own, 0, race)
        delay = min(claimed, max(waited, own))
        return MeasuredAnswer(delay, max(0, own - delay), race)

    def spend(self, tap: MeasuredAnswer) -> None:
        """The tap was taken: the quota pays for it."""
        self._quota = max(0, self.quota(tap.race) - tap.spent)
        self._race = tap.race


class Races:
    """The races of one table, as this process sees them: when it told of the one that is on, and everybody's meter."""

    __slots__ = ("_meters", "_put", "_told")

    def __init__(self) -> None:
        self._meters: dict[str, LagMeter] = {}
        self._put = self._told = 0

    def meter(self, holder: str | None) -> LagMeter:
        """Somebody's meter, the same on all their lines; those who only watch get one that nobody keeps."""
        if holder is None:
            return LagMeter()
        found = self._meters.setdefault(holder, LagMeter())
        if len(self._meters) > METERS:
            del self._meters[next(iter(self._meters))]
        return found

    def told(self, live: LiveGame, step: Sequence[Row], now: int) -> None:
        """The viewers of this process are told of a step; if it puts a race, its time begins for all of them.

        Nothing else begins it: what is told later, to whom and how often does not matter.
        """
        racers, time = live.state.racers(), step[0].time
        if racers and any(live.since.get(seat) == time for seat in racers):
            self._put, self._told = time, now

    def tap(self, live: LiveGame, seat: int, meter: LagMeter, claimed: int | None, now: int) -> MeasuredAnswer | None:
        """How fast a seat answers now; None if it is not asked to be quick.

        If this process did not tell of the question, because it had no viewers then, the time in the log stands for it.
        """
        if seat not in live.state.racers():
            return None
        put = live.since[seat]
        began = self._told if self._put == put else put
        return meter.measure(claimed, max(0, now - began), put)
