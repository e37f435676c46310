"""Races over a line: how long somebody took, so measured that a slow line costs nothing and a lie gains nothing.

A client reports the delay between seeing the question and the answer on its own clock, so clocks need not agree and the
line does not count. The server knows when it sent the question and when the answer came: the delay cannot be longer
than that time, nor shorter than that time less the round trip it has measured on this line, jitter included. A claim
outside is moved to the nearest bound. What is measured is stored in the log beside the action, so that every process,
and anyone who replays the log, names the same seat.

What a server cannot see: a line that is slow for everything it carries and a client that delays everything evenly are
the same to it. The credit for the line is therefore capped, and no delay counts as less than `FASTEST_MS`.
"""

from __future__ import annotations

FASTEST_MS = 120
"""Nobody sees, decides and taps faster than this."""
MOST_CREDIT_MS = 1_500
TRIPS = 8
"""Round trips remembered."""


class LineMeter:
    """The round trip of one connection, from the server's pings."""

    __slots__ = ("_sent", "_trips", "_turn")

    def __init__(self) -> None:
        self._trips: list[int] = []
        self._sent: dict[int, int] = {}
        self._turn = 0

    def ping(self, now: int) -> int:
        """The number of a new ping."""
        self._turn += 1
        self._sent[self._turn] = now
        if len(self._sent) > 4:
            del self._sent[next(iter(self._sent))]
        return self._turn

    def pong(self, n: int, now: int) -> None:
        """An answer; one that was not asked for counts for nothing."""
        sent = self._sent.pop(n, None)
        if sent is not None:
            self._trips = [*self._trips[1 - TRIPS :], max(0, now - sent)]

    @property
    def trip(self) -> int:
        """The shortest round trip seen lately."""
        return min(self._trips, default=0)

    @property
    def jitter(self) -> int:
        """How much longer than that the middle one takes."""
        if not self._trips:
            return 0
        return sorted(self._trips)[len(self._trips) // 2] - self.trip

    def bound(self, claimed: int | None, waited: int) -> int:
        """The delay that counts: the claim, kept within what the server itself measured."""
        credit = min(self.trip + self.jitter, MOST_CREDIT_MS)
        low = max(FASTEST_MS, waited - credit)
        high = max(low, waited)
        return high if claimed is None else min(max(claimed, low), high)
