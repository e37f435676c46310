"""Fair turns at what there is not enough of, such as processes that think: who has used least of it lately goes first.

This is start-time fair queueing. Use is counted in seconds, by maker (the address a table was made from, as a key) and
among the tables of one maker by table. Whoever comes anew starts where the others are now: nobody saves up by staying
away, and nobody who was alone has to pay for that. Urgent turns go before all others.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import count

SLICE = 10.0
"""Seconds that a table keeps its place at a gate while others wait."""


class QueueFull(Exception):
    """So much is to be done before that it is not worth waiting."""


def always() -> bool:
    """Of a turn that goes before others whatever happens."""
    return True


class Ticket:
    """One that waits for a place, or has one. Whether it is urgent is looked up whenever somebody is chosen; `cost` is
    how many seconds it will take, as far as anybody knows, and `used` how many it took.
    """

    __slots__ = ("began", "cost", "maker", "number", "table", "urgent", "used")

    def __init__(self, maker: str, table: str, *, urgent: Callable[[], bool] = always, cost: float = 0.0) -> None:
        self.maker = maker
        self.table = table
        self.urgent = urgent
        self.cost = cost
        self.number = 0
        self.began = 0.0
        self.used = 0.0


class UsageShares:
    """What each of several has used lately, on a clock that goes on with the use itself."""

    def __init__(self) -> None:
        self._now = 0.0
        self._here: Counter[str] = Counter()
        """How many turns each has, waiting or being served."""
        self.used: dict[str, float] = {}
        """Where each stands on the clock. Who is furthest behind is next; who is behind the clock need not be known."""

    def __len__(self) -> int:
        """How many have a turn."""
        return len(self._here)

    def come(self, name: str) -> None:
        """One more turn of this one."""
        if name not in self._here:
            self.used[name] = max(self._now, self.used.get(name, 0.0))
        self._here[name] += 1

    def serve(self, name: str, cost: float) -> None:
        """It is this one's turn, which is expected to take so long."""
        self._now = max(self._now, self.used[name])
        self.used[name] += cost

    def pay(self, name: str, used: float, cost: float) -> None:
        """It took so long. The clock goes on by less than what each of those here gets: so who comes anew is first, and
        still it never stands still, however many come anew.
        """
        self.used[name] += used - cost
        self._now += used / (4 * len(self))

    def go(self, name: str) -> None:
        """One turn less. Where nobody is left, nobody has taken anything from anybody."""
        self._here[name] -= 1
        if not self._here[name]:
            del self._here[name]
        if not self._here:
            self.used.clear()
        for one in [one for one, until in self.used.items() if until <= self._now and one not in self._here]:
            del self.used[one]


class WaitingList:
    """Those who wait for one of so many places, of which one maker may have `each` at a time (0: any number)."""

    def __init__(self, places: int = 1, each: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._each = each
        self._clock = clock
        self._numbers = count()
        self._makers = UsageShares()
        self._tables: defaultdict[str, UsageShares] = defaultdict(UsageShares)
        self.waiting: dict[Ticket, None] = {}
        self.served: set[Ticket] = set()

    def wait(self, turn: Ticket) -> None:
        """One more waits."""
        turn.number = next(self._numbers)
        self.waiting[turn] = None
        self._makers.come(turn.maker)
        self._tables[turn.maker].come(turn.table)

    def next(self) -> Ticket | None:
        """Whoever gets a place now, if there is one, and anybody who may have it."""
        if self._places and len(self.served) >= self._places:
            return None
        held = Counter(turn.maker for turn in self.served)
        free = [turn for turn in self.waiting if not self._each or held[turn.maker] < self._each]
        if not free:
            return None
        turn = self._best(free)
        del self.waiting[turn]
        self.served.add(turn)
        turn.began = self._clock()
        self._makers.serve(turn.maker, turn.cost)
        self._tables[turn.maker].serve(turn.table, turn.cost)
        return turn

    def done(self, turn: Ticket) -> None:
        """It needs its place no more, or does not wait any more."""
        if turn in self.served:
            self.served.remove(turn)
            turn.used = self._clock() - turn.began
            self._makers.pay(turn.maker, turn.used, turn.cost)
            self._tables[turn.maker].pay(turn.table, turn.used, turn.cost)
        elif turn in self.waiting:
            del self.waiting[turn]
        else:
            return
        self._makers.go(turn.maker)
        self._tables[turn.maker].go(turn.table)
        for maker in self._tables.keys() - self._makers.used.keys():
            del self._tables[maker]

    def ahead(self, turn: Ticket, most: float) -> float:
        """The seconds until an urgent turn that waits gets the only place, if nobody comes; counted up to `most`."""
        now = self._clock()
        seconds = sum(max(0.0, one.cost - (now - one.began)) for one in self.served)
        for one in self._urgent():
            if one is turn or seconds > most:
                break
            seconds += one.cost
        return seconds

    def _best(self, free: list[Ticket]) -> Ticket:
        """The one to serve: first whose maker's turn it is, then which of that maker's."""
        urgent = [turn for turn in free if turn.urgent()] or free
        maker = min(urgent, key=lambda turn: (self._makers.used[turn.maker], turn.number)).maker
        return min((turn for turn in urgent if turn.maker == maker), key=self._among_its_own)

    def _among_its_own(self, turn: Ticket) -> tuple[float, int]:
        return self._tables[turn.maker].used[turn.table], turn.number

    def _urgent(self) -> Iterator[Ticket]:
        """The urgent ones in the order in which they will be served."""
        by_maker: defaultdict[str, list[Ticket]] = defaultdict(list)
        for turn in self.waiting:
            if turn.urgent():
                by_maker[turn.maker].append(turn)
        heap = [(self._makers.used[maker], turns[0].number, maker) for maker, turns in by_maker.items()]
        heapq.heapify(heap)
        for turns in by_maker.values():
            turns.sort(key=self._among_its_own, reverse=True)
        while heap:
            at, number, maker = heapq.heappop(heap)
            turn = by_maker[maker].pop()
            yield turn
            if by_maker[maker]:
                heapq.heappush(heap, (at + turn.cost, number, maker))


class FairQueue:
    """One place, for whoever waits for it in a task."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._line = WaitingList(clock=clock)
        self._ready: dict[Ticket, asyncio.Future[None]] = {}

    def __len__(self) -> int:
        """How many wait or have the place."""
        return len(self._line.waiting) + len(self._line.served)

    def waiting(self, *, urgent: bool) -> int:
        """How many wait, of those that are urgent now or of the others."""
        return sum(turn.urgent() == urgent for turn in self._line.waiting)

    async def enter(self, turn: Ticket, patience: float = math.inf) -> None:
        """Wait for the place. An urgent turn that would wait, or has waited, for more than `patience` seconds is given
        up with `QueueFull`.
        """
        ready = self._ready[turn] = asyncio.get_running_loop().create_future()
        self._line.wait(turn)
        came = self._clock()
        try:
            self._call_next()
            while not ready.done():
                waited = self._clock() - came
                if turn.urgent() and waited + self._line.ahead(turn, patience) > patience:
                    raise QueueFull
                await asyncio.wait({ready}, timeout=None if math.isinf(patience) else patience)
        except BaseException:
            self.leave(turn)
            raise

    def begin(self, turn: Ticket) -> None:
        """What a turn takes is counted from now on: what came before was not its own doing."""
        turn.began = self._clock()

    def leave(self, turn: Ticket) -> None:
        """The place is free for the next."""
        self._ready.pop(turn, None)
        self._line.done(turn)
        self._call_next()

    def _call_next(self) -> None:
        turn = self._line.next()
        if turn is not None:
            self._ready[turn].set_result(None)


class AdmissionControl:
    """Lets some tables in at once, fewer of one maker. The others wait by name only, and are called in a fair order."""

    def __init__(
        self, places: int, each: int, call: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._line = WaitingList(places, each, clock)
        self._call = call
        self._clock = clock
        self._turns: dict[str, Ticket] = {}

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._line.waiting)

    def waits(self, table: str) -> bool:
        """Whether this one waits."""
        return self._turns.get(table) in self._line.waiting

    def admit(self, maker: str, table: str) -> bool:
        """Whether a table may go on: it is in, or can come in. If not, it waits and is called. One that was in for
        long goes behind those who wait.
        """
        turn = self._turns.get(table)
        if turn is None:
            turn = self._turns[table] = Ticket(maker, table)
            self._line.wait(turn)
        elif turn in self._line.served and self._clock() - turn.began >= SLICE:
            self._line.done(turn)
            self._line.wait(turn)
        self._fill(table)
        return turn in self._line.served

    def leave(self, table: str) -> None:
        """A table has nothing more to do here, whether it was in or waited."""
        turn = self._turns.pop(table, None)
        if turn is not None:
            self._line.done(turn)
            self._fill()

    def _fill(self, asking: str = "") -> None:
        while (turn := self._line.next()) is not None:
            if turn.table != asking:
                self._call(turn.table)
