"""Speed events (C22): who was fastest, measured so that a slow line costs nothing and a forged time gains nothing.

A client reports the delay between drawing the card and the tap on its own clock, so clocks need not agree and the line
does not count. The server knows when it sent the card and when the tap came: the delay cannot be longer than that
time, nor shorter than that time less the round trip it has measured on this line, jitter included. A claim outside is
moved to the nearest bound. What is measured is stored in the log beside the action, so that every process, and anyone
who replays the log, names the same seat.

What a server cannot see: a line that is slow for everything it carries and a client that delays everything evenly are
the same to it. The credit for the line is therefore capped, and no delay counts as less than `FASTEST_MS`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence

from ..core.state import NATURE, Action, State

FASTEST_MS = 120
"""Nobody sees, decides and taps faster than this."""
MOST_CREDIT_MS = 1_500
TRIPS = 8
"""Round trips remembered."""
BOT_MS = (700, 1_600)
"""C21: the stated reaction time of bots, drawn evenly from this range."""


class Chance(secrets.SystemRandom):
    """The system's own randomness, fetched by the page instead of seven bytes at a time. No byte is used twice."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = b""
        self._at = 0

    def random(self) -> float:
        """A number from 0 to 1, all 53 bits of it from the system."""
        if self._at + 7 > len(self._bytes):
            self._bytes, self._at = os.urandom(3_584), 0
        drawn = int.from_bytes(self._bytes[self._at : self._at + 7], "big")
        self._at += 7
        return (drawn >> 3) * 2.0**-53


_rng = Chance()


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


def is_tap(state: State, seat: int) -> bool:
    """Whether the seat is asked to tap: it may point at somebody, or at nobody (option `reaction = live`)."""
    if state.options.get("reaction") != "live":
        return False
    return any(action.text == "point none" for action in state.legal(seat))


def bot_delay() -> int:
    """How long a bot takes to tap."""
    return _rng.randint(*BOT_MS)


def draw(state: State, delays: Mapping[int, int]) -> Action:
    """What chance does: a fresh draw from the system's generator, or the fastest seat where delays were measured."""
    if delays:
        outcomes = state.legal(NATURE)
        if all(action.text.startswith("fastest ") for action in outcomes):
            found = fastest(outcomes, delays)
            if found is not None:
                return found
    return state.draw(_rng)


def fastest(outcomes: Sequence[Action], delays: Mapping[int, int]) -> Action | None:
    """The outcome that names the seat with the shortest delay; between equal ones a fair draw."""
    measured: list[tuple[int, Action]] = []
    for action in outcomes:
        seat = action.text.split()[1]
        if seat.isdigit() and int(seat) in delays:
            measured.append((delays[int(seat)], action))
    if not measured:
        return None
    best = min(delay for delay, _ in measured)
    return _rng.choice([action for delay, action in measured if delay == best])
