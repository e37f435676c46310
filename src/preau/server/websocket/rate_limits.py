"""How much may be sent, kept by whose it is and not by which line it comes over: hanging up and dialling again brings
nothing back.

A person has one allowance for all their lines at a table. An address has one for everybody behind it, as large as that
of some busy people together: a school of thirty boards lies far below it, as hardly anybody does all they may.
"""

from __future__ import annotations

from ..config import Limits
from ..token_buckets import Bucket, RecentMap
from ..transport.asgi_types import RateMeter

HEAVY_MESSAGES = 5
"""A `hello` costs as much as so many other messages."""


class Quota:
    """What one person, or one address, may still send."""

    __slots__ = ("chat", "hints", "messages", "undo")

    def __init__(self, limits: Limits, people: int = 1) -> None:
        self.messages = Bucket(limits.messages_per_second * people, limits.messages_burst * people)
        self.chat = Bucket(limits.chat_per_minute / 60 * people, limits.chat_burst * people)
        self.undo = Bucket(limits.undo_per_minute / 60 * people, limits.undo_burst * people)
        self.hints = Bucket(limits.hints_per_minute / 60 * people, limits.hints_burst * people)


class AddressQuota:
    """All lines of one address: how many, how much waits for them, and what they may send."""

    __slots__ = ("allowance", "lines", "waiting")

    def __init__(self, limits: Limits) -> None:
        self.allowance = Quota(limits, limits.people_per_address)
        self.lines = 0
        self.waiting = 0
        """Bytes that could not be sent yet."""


class Quotas:
    """Those of all addresses and persons seen lately."""

    def __init__(self, limits: Limits) -> None:
        self.houses: RecentMap[AddressQuota] = RecentMap(lambda: AddressQuota(limits))
        self.people: RecentMap[Quota] = RecentMap(lambda: Quota(limits))


class MessageRate:
    """How fast one line may send: as fast as its own bucket (or its person's) and its address's both allow.

    When the address has nothing left, a line still has its share. So whoever floods from many lines is found out line
    by line, and the quiet ones behind the same address go on.
    """

    __slots__ = ("_address", "_limits", "_own", "_share")

    def __init__(self, limits: Limits, own: RateMeter, address: RateMeter) -> None:
        self._limits = limits
        self._own = own
        self._address = address
        self._share: Bucket | None = None

    def take(self, amount: float = 1.0) -> bool:
        """Whether so much may be sent now."""
        if not self._own.take(amount):
            return False
        if self._address.take(amount):
            return True
        if self._share is None:
            self._share = Bucket(self._limits.messages_share_per_second, self._limits.messages_share_burst)
        return self._share.take(amount)

    def wait(self, amount: float = 1.0) -> float:
        """Return the seconds until so much may be sent."""
        address = self._address.wait(amount)
        if self._share is not None:
            address = min(address, self._share.wait(amount))
        return max(self._own.wait(amount), address)
