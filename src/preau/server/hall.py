"""The hall: all parts of one server process, opened and closed in order."""

from __future__ import annotations

import time
from collections.abc import Callable

import sqlalchemy as sa

from ..table.refusals import Refusal
from .bots_runner import BotRunner
from .bus import Bus, LocalBus, RedisBus
from .clocks import Clocks
from .config import Config
from .greeting import greet_all
from .loaded import Loaded
from .logs import log
from .metrics import Metrics
from .news import News
from .people import People
from .play import Play
from .seating import Seating
from .security import Buckets
from .sockets import Sockets
from .store import Store
from .tables import Tables
from .undoing import Undoing


def system_now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class Hall:
    """One server process, and the observer of its tables: what happens in one part and concerns another passes here."""

    def __init__(self, config: Config, now: Callable[[], int] = system_now) -> None:
        limits = config.limits
        self.config = config
        self.metrics = Metrics()
        self.store = Store(config.database)
        shared = self.store.url.get_backend_name() != "sqlite"
        self.bus: Bus = RedisBus(config.redis) if config.redis else LocalBus(shared=shared)
        self.tables = Tables(config, self.store, self.bus, self.metrics, now, observer=self)
        self.people = People(self.tables)
        self.play = Play(self.tables)
        self.undoing = Undoing(self.tables)
        self.seating = Seating(self.tables, self.people)
        self.bots = BotRunner(self.tables, self.play)
        self.clocks = Clocks(self.tables, self.seating, self.play, self.bots)
        self.sockets = Sockets(self.tables, self.people, self.seating, self.play, self.undoing)
        self.news = News(self.tables, self.people, self.undoing)
        self.new_tables = Buckets(limits.tables_per_minute / 60, limits.tables_burst)
        self.guesses = Buckets(limits.guesses_per_minute / 60, limits.guesses_burst)
        self.metrics.watch("preau_tables", "Tables in memory.", lambda: len(self.tables.loaded))
        self.metrics.watch("preau_sockets", "Open sockets.", lambda: len(self.sockets.open))
        self.metrics.watch("preau_commits", "Transactions committed.", lambda: self.store.commits)

    async def open(self) -> None:
        """Open for play."""
        self.store.open()
        await self.bus.open(self.tables.process, self.news.hear, self.clocks.hurry)
        self.clocks.open()
        log.info("open", database=self.store.url.get_backend_name(), shared=self.bus.shared)

    async def close(self) -> None:
        """Close in order: no new moves, then nothing left to write."""
        self.sockets.say_bye()
        await self.bots.close()
        await self.clocks.close()
        await self.bus.close()
        self.store.close()
        log.info("closed")

    async def database_answers(self) -> bool:
        """Whether the database can be read."""
        if self.store.down:
            return False
        try:
            await self.store.read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
        except Refusal:
            return False
        return True

    # What happens at tables.

    def bot_is_due(self, loaded: Loaded) -> None:
        """The bots' runner plays it."""
        self.bots.wake(loaded)

    def seats_changed(self, loaded: Loaded) -> None:
        """The clocks see whether that makes anything due."""
        self.clocks.look_soon(loaded)

    async def game_began(self, loaded: Loaded) -> None:
        """Everybody at the table is greeted anew."""
        await greet_all(self.tables, loaded)

    def sweep_begins(self) -> None:
        """Lines that are silent are closed or put to rest."""
        self.sockets.look_after()
