"""Rate limits: token buckets, kept for each user and for each address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from ..host.refusals import too_many

T = TypeVar("T")


class Bucket:
    """A token bucket: `rate` tokens a second, at most `burst` at once. A rate of 0 is no limit."""

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._level = float(burst)
        self._at = time.monotonic()

    def _fill(self) -> None:
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now

    def take(self, amount: float = 1.0) -> bool:
        """Take `amount` tokens; return False, and take none, if there are not enough."""
        if not self._rate:
            return True
        self._fill()
        if self._level < amount:
            return False
        self._level -= amount
        return True

    def wait(self, amount: float = 1.0) -> float:
        """Return the seconds until `amount` tokens are there; 0 if they are there now."""
        if not self._rate:
            return 0.0
        self._fill()
        return max(0.0, (min(amount, self._burst) - self._level) / self._rate)

    def borrow(self, amount: float = 1.0) -> float:
        """Take `amount` tokens, also if they are not there yet; return the seconds until they are."""
        seconds = self.wait(amount)
        if self._rate:
            self._level -= amount
        return seconds

    def give_back(self, amount: float = 1.0) -> None:
        """Return tokens that were taken."""
        self._level = min(self._burst, self._level + amount)


class RecentMap(Generic[T]):
    """A value for each of many names. The name that was unused longest is forgotten first."""

    def __init__(self, make: Callable[[], T], most: int = 20_000) -> None:
        self._make, self._most = make, most
        self._kept: OrderedDict[str, T] = OrderedDict()

    def of(self, who: str) -> T:
        """Return the value of a name; make it if there is none yet."""
        found = self._kept.get(who)
        if found is None:
            found = self._kept[who] = self._make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(who)
        return found


class Buckets(RecentMap[Bucket]):
    """A bucket for each name."""

    def __init__(self, rate: float, burst: int, most: int = 20_000) -> None:
        super().__init__(lambda: Bucket(rate, burst), most)

    def take(self, who: str) -> bool:
        """Take one token of a name; return False if there is none."""
        return self.of(who).take()


class RateLimit:
    """A rate limit per user and per address. That of an address is as large as those of `people` users together.

    `what` is the name of the limit in refusals (`too_many`).
    """

    def __init__(self, what: str, rate: float, burst: int, people: int = 1) -> None:
        self._what = what
        self._users = Buckets(rate, burst)
        self._addresses = Buckets(rate * people, burst * people)

    def spend(self, address: str, user: str = "") -> None:
        """Count one use. Raise a refusal that says when to try again if the user or the address has none left."""
        own = self._users.of(user) if user else None
        if own is not None and not own.take():
            raise too_many(self._what, own.wait(), of="")
        if not self._addresses.take(address):
            if own is not None:
                own.give_back()
            raise too_many(self._what, self._addresses.of(address).wait())

    def give_back(self, address: str) -> None:
        """Do not count a use after all."""
        self._addresses.of(address).give_back()
