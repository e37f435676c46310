"""The time of day, carried on by a clock that nobody can set.

A process that asks the machine for the time of day jumps with it when somebody, or a time server, puts it right.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

_HASTE = 20
"""It runs at most one part in so many faster or slower while it is put right."""
_EVERY_NS = 1_000_000_000


def monotonic_ns() -> Callable[[], int]:
    """Nanoseconds on a clock that only goes forward; where there is such a one, it goes on while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return partial(time.clock_gettime_ns, clock) if clock is not None else time.monotonic_ns


class SteadyClock:
    """Milliseconds since the epoch: the time of day at the start, then as much more as has passed.

    Whatever the time of day does afterwards is followed slowly, at most 5 % faster or slower than time passes, and
    never backwards: after a jump of an hour it takes a day. A machine that slept wakes up with the right time at once.
    """

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, passed_ns: Callable[[], int] | None = None) -> None:
        self._wall_ns = wall_ns
        self._passed_ns = passed_ns or monotonic_ns()
        self._put_right = self._passed_ns()
        self._ahead = wall_ns() - self._put_right
        """What is to be added to what has passed."""
        self._last = 0

    def __call__(self) -> int:
        """The time now."""
        passed = self._passed_ns()
        if passed - self._put_right >= _EVERY_NS:  # not each time: this is asked several times a move
            self._follow(passed)
        self._last = max(self._last, passed + self._ahead)
        return self._last // 1_000_000

    def _follow(self, passed: int) -> None:
        most = (passed - self._put_right) // _HASTE
        off = self._wall_ns() - (passed + self._ahead)
        self._ahead += min(most, max(-most, off))
        self._put_right = passed
