"""Simulated races: reaction times and delays are random, measuring and deciding is the server's own code.

The model. A player's median reaction time is 600 to 1,200 ms; it varies lognormally from race to race, as for people
who choose a sign. A round trip takes 20 to 400 ms. Each message takes some percent longer at random, and one in a
hundred is lost and arrives much later. A screen takes 10 to 35 ms to show the question, and up to half a frame more;
there the page starts to measure, with an error of some milliseconds. Three pings pass between two races.

All random numbers of a world are drawn beforehand. A player can therefore play the same world honestly and in another
way: the difference in wins is what the other way gains.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from preau.server.tables.lag import LagMeter, Races
from preau.table import chance, protocol, seating, undo
from preau.table.live_game import LiveGame, begin
from preau.table.log import Row
from preau.table.table import Table

NOW = 1_800_000_000_000
HANDS = 4
RACES = 9
"""Races of one table."""
PINGS = 3
"""Pings before each race."""


class Luck(NamedTuple):
    """The random numbers of one player in one race."""

    reaction: float
    down: float
    """Milliseconds until the player sees the question."""
    up: float
    """Milliseconds of the answer's way back."""
    error: float
    """Error of the page's own measurement."""
    trips: Sequence[float]
    """Round trips of the pings before."""


World = Sequence[Sequence[Luck]]
"""One table: for each race the random numbers of each player."""


def worlds(seed: int, tables: int, hands: int = HANDS) -> Iterator[World]:
    """Draw tables to race at."""
    rng = Random(seed)
    for _ in range(tables):
        people = [_Person(rng) for _ in range(hands)]
        yield [[person.luck() for person in people] for _ in range(RACES)]


class _Person:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._pace = rng.uniform(600, 1_200)
        self._trip = rng.uniform(20, 400)
        self._jitter = 2 + rng.uniform(0.03, 0.1) * self._trip
        self._down = rng.uniform(0.3, 0.7)
        self._screen = rng.uniform(10, 35)

    def _line(self) -> float:
        lost = self._rng.uniform(50, 300) if self._rng.random() < 0.01 else 0
        return self._trip + self._rng.expovariate(1 / self._jitter) + lost

    def luck(self) -> Luck:
        reaction = self._pace * math.exp(self._rng.gauss(0, 0.25))
        trip = self._line()
        down = trip * self._down + self._screen + self._rng.uniform(0, 8)
        error = self._rng.uniform(-5, 5)
        return Luck(reaction, down, trip * (1 - self._down), error, [self._line() for _ in range(PINGS)])


class Way:
    """A way of playing. This one is honest."""

    again = False
    """Whether the player takes each tap back and taps again at once."""
    anew = False
    """Whether the player reconnects before each race."""

    def pong(self, number: int, trip: float) -> float:
        """Return how long after a ping its answer arrives."""
        return trip

    def tap(self, race: int, luck: Luck, others: float) -> tuple[float, int | None]:
        """Return how long after the question the answer arrives, and the delay that the page claims.

        `others` is when the last answer of another player arrives.
        """
        return luck.down + luck.reaction + luck.up, round(luck.reaction + luck.error)


class Raced(NamedTuple):
    """The result of a race."""

    winner: int
    delays: dict[int, int]
    """The delays that counted."""


class _Hand:
    def __init__(self, races: Races, seat: int, way: Way) -> None:
        self.races, self.way, self.name = races, way, f"hand {seat}"
        self.meter: LagMeter = races.meter(self.name)
        self.pings = 0

    def hear_pings(self, luck: Luck, now: int) -> None:
        if self.way.anew:
            self.meter = self.races.meter(self.name)
        for trip in luck.trips:
            self.meter.pong(self.meter.ping(now), now + round(self.way.pong(self.pings, trip)))
            self.pings += 1


class RaceTable:
    """A table of the sprint, where some players play in another way. The seats after the players belong to bots."""

    def __init__(self, world: World, ways: dict[int, Way], bots: int = 0) -> None:
        self.world = world
        hands = len(world[0])
        seats = [protocol.SeatWish(kind="me")] * (hands + bots)
        wish = protocol.NewTable(game="sprint", seats=seats, options={"rounds": len(world)})
        table = seating.new_table(wish, [], id="t", code="c", host="h", now=NOW)
        opening = begin(table, NOW, chance.draw)
        self.table: Table = seating.start(table, opening.options, NOW)
        self.live: LiveGame = opening.live
        self.rows: list[Row] = []
        self.races = Races()
        self.now = NOW
        self.hands = [_Hand(self.races, seat, ways.get(seat, Way())) for seat in range(hands)]
        self.bots = range(hands, hands + bots)

    def play(self) -> list[Raced]:
        """Play all races."""
        return [self._race(number, lucks) for number, lucks in enumerate(self.world)]

    def _race(self, number: int, lucks: Sequence[Luck]) -> Raced:
        known, began = len(self.rows), self.now
        for hand, luck in zip(self.hands, lucks, strict=True):
            hand.hear_pings(luck, self.now)
        for seat in self.bots:
            self._step(seat, chance.bot_delay("hard"))
        for time, seat, claim in sorted(self._taps(number, lucks)):
            self.now = began + round(time)
            self._tap(seat, claim)
        rows = self.rows[known:]
        return Raced(int(rows[-1].text.split()[1]), {row.actor: row.delay for row in rows if row.delay is not None})

    def _taps(self, number: int, lucks: Sequence[Luck]) -> list[tuple[float, int, int | None]]:
        honest = [Way().tap(number, luck, 0)[0] for luck in lucks]
        found = []
        for seat, hand in enumerate(self.hands):
            others = max(time for other, time in enumerate(honest) if other != seat)
            time, claim = hand.way.tap(number, lucks[seat], others)
            found.append((time, seat, claim))
        return found

    def _tap(self, seat: int, claim: int | None) -> None:
        hand = self.hands[seat]
        if hand.way.again and len(self.live.state.to_act) > 1:
            self._step(seat, self._measure(seat, claim))
            self.rows.append(undo.back(self.live, seat, undo.last_decision(self.rows, seat), self.now))
            self.live = LiveGame.rebuild(self.table, self.rows)
            self.now += 50
            claim = 50
        self._step(seat, self._measure(seat, claim))

    def _measure(self, seat: int, claim: int | None) -> int:
        meter = self.hands[seat].meter
        tap = self.races.tap(self.live, seat, meter, claim, self.now)
        assert tap is not None
        meter.spend(tap)
        return tap.delay

    def _step(self, seat: int, delay: int) -> None:
        plan = self.live.plan(seat, "run", self.now, chance.draw, delay=delay)
        self.rows += plan.rows
        self.live.adopt(plan)
        self.races.told(self.live, plan.rows, self.now)
