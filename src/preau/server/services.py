"""The hall: all parts of one server process, opened and closed in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ..host.catalogue import catalogue
from ..table import protocol
from .background.bot_player import BotRunner
from .background.review_jobs import ReviewJobs
from .background.sweeper import Sweeper
from .cluster.bus import Bus, LocalBus, RedisBus
from .config import Config
from .custom_bots import by_game
from .logs import log
from .metrics import Metrics
from .notifications.service import Notifications
from .steady_clock import SteadyClock
from .storage.sqlite_file import path_of
from .storage.sqlite_lock import SqliteLock
from .storage.store import Store
from .tables.credentials import Credentials
from .tables.entry import TableEntry
from .tables.hello import send_hello_to_all
from .tables.hints import Hints
from .tables.moves import Moves
from .tables.remote_events import RemoteEvents
from .tables.repository import TableRepository
from .tables.seats import Seats
from .tables.shared_replay import SharedReplays
from .tables.tie_break import TieBreaks
from .tables.undo import Undos
from .token_buckets import RateLimit
from .websocket.connections import Connections
from .workers.lookups import LookupService

SHARED = "another process uses this database file: without --redis, steps and talk of one reach the other late or never"


class Services:
    """One server process, and the observer of its tables: what happens in one part and concerns another passes here."""

    def __init__(
        self, config: Config, now: Callable[[], int] | None = None, neighbours: SqliteLock | None = None
    ) -> None:
        """`neighbours` is the lock on the database file, where it is open already."""
        limits = config.limits
        self.config = config
        self.metrics = Metrics()
        self.store = Store(config.database)
        file = path_of(self.store.url)
        self.bus: Bus = RedisBus(config.redis) if config.redis else LocalBus(shared=file is None)
        self._neighbours = neighbours or (SqliteLock(file) if file is not None else None)
        self.tables = TableRepository(config, self.store, self.bus, self.metrics, now or SteadyClock(), observer=self)
        self.people = Credentials(self.tables)
        self.play = Moves(self.tables)
        self.undoing = Undos(self.tables)
        self.desk = LookupService(limits.waiting_per_address, config.desk_ms / 1000)
        self.seating = Seats(self.tables, self.people, self.desk)
        self.wrestling = TieBreaks(self.tables)
        self.bots = BotRunner(self.tables, self.play)
        self.together = SharedReplays(self.tables)
        self.clocks = Sweeper(
            self.tables, self.seating, self.undoing, self.wrestling, self.together, self.play, self.bots
        )
        self.hints = Hints(self.tables, self.bots.workers)
        self.reviews = ReviewJobs(self.tables, self.bots.workers, self.desk)
        self.calls = Notifications(self.tables, self.people)
        self.sockets = Connections(
            self.tables, self.people, self.seating, self.play, self.undoing, self.wrestling, self.hints, self.together
        )
        self.news = RemoteEvents(self.tables, self.people, self.undoing, self.wrestling, self.together)
        self.new_tables = RateLimit("tables", limits.tables_per_minute / 60, limits.tables_burst)
        self.new_calls = RateLimit("calls", limits.calls_per_minute / 60, limits.calls_burst, limits.people_per_address)
        self.guesses = RateLimit("guesses", limits.guesses_per_minute / 60, limits.guesses_burst)
        people, nobody = "Bots' decisions that wait where people are.", "Bots' decisions that wait where nobody looks."
        self.metrics.watch("preau_bots_waiting", people, lambda: self.bots.waiting(people=True))
        self.metrics.watch("preau_bots_waiting_unattended", nobody, lambda: self.bots.waiting(people=False))
        self.metrics.watch("preau_tables", "Tables in memory.", lambda: len(self.tables.loaded))
        self.metrics.watch("preau_sockets", "Open sockets.", lambda: len(self.sockets.open))
        self.metrics.watch("preau_commits", "Transactions committed.", lambda: self.store.commits)

    @cached_property
    def games(self) -> list[protocol.GameInfo]:
        """What is on offer; it stays the same while the server runs."""
        return catalogue(by_game(self.config.bots))

    async def open(self) -> None:
        """Open for play."""
        if self._neighbours is not None:
            self._neighbours.open()
        self.store.open()
        self._look_next_door()
        await self.people.open()
        self.tables.challenges.open(self.people.secret_of("challenges"))
        self.together.open(self.people.secret_of("together"))
        await self.calls.open()
        await self.bus.open(self.tables.process, self.news.hear, self.clocks.hurry)
        self.clocks.open()
        log.info("open", database=self.store.url.get_backend_name(), shared=self.bus.shared)

    async def close(self) -> None:
        """Close in order: no new moves, then nothing left to write."""
        self.sockets.say_bye()
        await self.reviews.close()
        await self.calls.close()
        await self.bots.close()
        await self.wrestling.close()
        await self.desk.close()
        await self.clocks.close()
        await self.bus.close()
        self.store.close()
        if self._neighbours is not None:
            self._neighbours.close()
        log.info("closed")

    @property
    def warning(self) -> str | None:
        """What whoever runs this process should know about how it is set up."""
        return SHARED if self._neighbours is not None and not self.config.redis and self.bus.shared else None

    def _look_next_door(self) -> None:
        """See whether another process uses the same SQLite file: its steps then have to be looked for."""
        if self._neighbours is None or self.config.redis:
            return
        if self._neighbours.any() != self.bus.shared:
            self.bus.shared = not self.bus.shared
            log.warning("neighbours", warning=self.warning)

    # What happens at tables.

    def bot_is_due(self, loaded: TableEntry) -> None:
        """The bots' runner plays it."""
        self.bots.wake(loaded)

    def seats_changed(self, loaded: TableEntry) -> None:
        """The clocks see whether that makes anything due."""
        self.clocks.look_soon(loaded)

    def contest_changed(self, loaded: TableEntry) -> None:
        """Whoever looks on is told, and a round that begins is measured."""
        self.wrestling.follow(loaded)

    def somebody_looks(self, loaded: TableEntry) -> None:
        """The clocks see whether its bots waited for that; and a round of arm wrestling is measured here too."""
        self.wrestling.measure(loaded)
        self.clocks.somebody_looks(loaded)

    async def game_began(self, loaded: TableEntry) -> None:
        """Everybody at the table is greeted anew."""
        await send_hello_to_all(self.tables, loaded)

    def sweep_begins(self) -> None:
        """Lines that are silent are closed or put to rest, other processes are noticed, and reviews that a process left
        behind; and whoever is to be called, is.
        """
        self.sockets.look_after()
        self._look_next_door()
        self.reviews.look()
        self.calls.look()
