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
        self._sqlite_lock = neighbours or (SqliteLock(file) if file is not None else None)
        self.bus: Bus = RedisBus(config.redis) if config.redis else local_bus(self._sqlite_lock)
        self.tables = TableRepository(config, self.store, self.bus, self.metrics, now or SteadyClock(), observer=self)
        self.credentials = Credentials(self.tables)
        self.moves = Moves(self.tables)
        self.undos = Undos(self.tables)
        self.lookups = LookupService(limits.waiting_per_address, config.desk_ms / 1000)
        self.seats = Seats(self.tables, self.credentials, self.lookups)
        self.tie_breaks = TieBreaks(self.tables)
        self.bot_player = BotRunner(self.tables, self.moves)
        self.shared_replays = SharedReplays(self.tables)
        self.sweeper = Sweeper(
            self.tables, self.seats, self.undos, self.tie_breaks, self.shared_replays, self.moves, self.bot_player
        )
        self.hints = Hints(self.tables, self.bot_player.workers)
        self.reviews = ReviewJobs(self.tables, self.bot_player.workers, self.lookups)
        self.notifications = Notifications(self.tables, self.credentials)
        self.connections = Connections(
            self.tables,
            self.credentials,
            self.seats,
            self.moves,
            self.undos,
            self.tie_breaks,
            self.hints,
            self.shared_replays,
        )
        self.remote_events = RemoteEvents(
            self.tables, self.credentials, self.undos, self.tie_breaks, self.shared_replays
        )
        self.new_tables = RateLimit("tables", limits.tables_per_minute / 60, limits.tables_burst)
        self.new_calls = RateLimit("calls", limits.calls_per_minute / 60, limits.calls_burst, limits.people_per_address)
        self.guesses = RateLimit("guesses", limits.guesses_per_minute / 60, limits.guesses_burst)
        people, nobody = "Bots' decisions that wait where people are.", "Bots' decisions that wait where nobody looks."
        self.metrics.watch("preau_bots_waiting", people, lambda: self.bot_player.waiting(people=True))
        self.metrics.watch("preau_bots_waiting_unattended", nobody, lambda: self.bot_player.waiting(people=False))
        self.metrics.watch("preau_tables", "Tables in memory.", lambda: len(self.tables.entries))
        self.metrics.watch("preau_sockets", "Open sockets.", lambda: len(self.connections.open))
        self.metrics.watch("preau_commits", "Transactions committed.", lambda: self.store.commits)

    @cached_property
    def games(self) -> list[protocol.GameInfo]:
        """What is on offer; it stays the same while the server runs."""
        return catalogue(by_game(self.config.bots))

    async def open(self) -> None:
        """Open for play."""
        if self._sqlite_lock is not None:
            self._sqlite_lock.open()
        self.store.open()
        self._detect_other_processes()
        await self.credentials.open()
        self.tables.daily_challenges.open(self.credentials.secret_of("challenges"))
        self.shared_replays.open(self.credentials.secret_of("together"))
        await self.notifications.open()
        await self.bus.open(self.tables.process, self.remote_events.hear, self.sweeper.hurry)
        self.sweeper.open()
        log.info("open", database=self.store.url.get_backend_name(), shared=self.bus.shared)

    async def close(self) -> None:
        """Close in order: no new moves, then nothing left to write."""
        self.connections.say_bye()
        await self.reviews.close()
        await self.notifications.close()
        await self.bot_player.close()
        await self.tie_breaks.close()
        await self.lookups.close()
        await self.sweeper.close()
        await self.bus.close()
        self.store.close()
        if self._sqlite_lock is not None:
            self._sqlite_lock.close()
        log.info("closed")

    @property
    def warning(self) -> str | None:
        """What whoever runs this process should know about how it is set up."""
        return SHARED if self._sqlite_lock is not None and not self.config.redis and self.bus.shared else None

    def _detect_other_processes(self) -> None:
        """Detect whether another process uses the same SQLite file: the sweep then looks for its steps."""
        if self.bus.detect():
            log.warning("neighbours", warning=self.warning)

    # What happens at tables.

    def bot_is_due(self, entry: TableEntry) -> None:
        """The bots' runner plays it."""
        self.bot_player.wake(entry)

    def seats_changed(self, entry: TableEntry) -> None:
        """The clocks see whether that makes anything due."""
        self.sweeper.check_soon(entry)

    def contest_changed(self, entry: TableEntry) -> None:
        """Whoever looks on is told, and a round that begins is measured."""
        self.tie_breaks.follow(entry)

    def viewer_came(self, entry: TableEntry) -> None:
        """The clocks see whether its bots waited for that; and a round of arm wrestling is measured here too."""
        self.tie_breaks.measure(entry)
        self.sweeper.viewer_came(entry)

    async def game_began(self, entry: TableEntry) -> None:
        """Everybody at the table is greeted anew."""
        await send_hello_to_all(self.tables, entry)

    def sweep_begins(self) -> None:
        """Lines that are silent are closed or put to rest, other processes are noticed, and reviews that a process left
        behind; and whoever is to be called, is.
        """
        self.connections.sweep()
        self._detect_other_processes()
        self.reviews.poll()
        self.notifications.poll()


def local_bus(sqlite_lock: SqliteLock | None) -> LocalBus:
    """Return the bus of a process without Redis. On PostgreSQL there may always be other processes."""
    if sqlite_lock is None:
        return LocalBus(shared=True)
    return LocalBus(shared=False, has_peers=sqlite_lock.any)
