"""The composition root: build all parts of one server process, connect them, open and close them in order."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property

from ..host.catalogue import catalogue
from ..host.identifiers import new_id
from ..table import protocol
from .background.bot_player import BotPlayer
from .background.deadlines import Deadlines
from .background.periodic_tasks import PeriodicTasks, every
from .background.retention import Retention
from .background.review_jobs import ReviewJobs
from .background.stand_ins import StandIns
from .cluster import messages
from .cluster.bus import Bus, LocalBus, RedisBus
from .commands.chat import Chat
from .commands.game_start import GameStart
from .commands.hints import Hints
from .commands.moves import Moves
from .commands.seats import Seats
from .commands.table_creation import TableCreation
from .commands.tie_break import TieBreaks
from .commands.undo import Undos
from .config import Config
from .custom_bots import by_game
from .logs import log
from .metrics import Metrics
from .notifications.service import Notifications
from .steady_clock import SteadyClock
from .storage.sqlite_file import path_of
from .storage.sqlite_lock import SqliteLock
from .storage.store import Store
from .tables.broadcaster import Broadcaster
from .tables.credentials import Credentials
from .tables.daily_challenge import DailyChallenges
from .tables.hello import HelloMessages
from .tables.presence import Presence
from .tables.remote_events import Handler, RemoteEvents
from .tables.repository import TableRepository
from .tables.shared_replay import SharedReplays
from .token_buckets import RateLimit
from .websocket.admission import Admission
from .websocket.connections import Connections
from .websocket.dispatcher import Dispatcher
from .websocket.game_messages import GameMessages
from .websocket.viewer_messages import ViewerMessages
from .workers.lookups import LookupService
from .workers.pool import WorkerPool

SHARED = "another process uses this database file: without --redis, steps and talk of one reach the other late or never"
ANNOUNCE_SECONDS = 15
"""How often other processes are told again who is connected here and what shared replays show."""


class Services:
    """One server process."""

    def __init__(
        self, config: Config, now: Callable[[], int] | None = None, neighbours: SqliteLock | None = None
    ) -> None:
        """`neighbours` is the lock on the database file, where it is open already."""
        self.config = config
        self.now = now or SteadyClock()
        """The time in milliseconds."""
        self.clock: Callable[[], float] = time.monotonic
        """Seconds, on a clock that is never set."""
        self.process = new_id()
        """The id of this process, for leases and on the bus."""
        self.metrics = Metrics()
        self.store = Store(config.database)
        file = path_of(self.store.url)
        self._sqlite_lock = neighbours or (SqliteLock(file) if file is not None else None)
        self.bus: Bus = RedisBus(config.redis) if config.redis else local_bus(self._sqlite_lock)
        files = {bot.name: bot.file for bot in config.bots}
        self.workers = WorkerPool(config.bot_workers, reviewing=config.review_steps_back, files=files)
        self.lookups = LookupService(config.limits.waiting_per_address, config.desk_ms / 1000)
        self._build_tables()
        self._build_background()
        self._build_websocket()
        self._build_rate_limits()
        self._connect()
        self._watch()

    def _seconds(self) -> float:
        return self.clock()

    def _build_tables(self) -> None:
        config, now, store, bus, metrics = self.config, self.now, self.store, self.bus, self.metrics
        self.daily_challenges = DailyChallenges(now)
        self.tables = TableRepository(config, now, self.process, store, bus)
        self.presence = Presence(config, now, self._seconds, self.tables, bus)
        hellos = HelloMessages(config, now, self.tables, store, self.presence)
        self.broadcaster = Broadcaster(config, now, self.tables, bus, hellos)
        self.credentials = Credentials(now, self.tables, store, bus)
        self.moves = Moves(
            config, now, self.process, self.tables, store, self.broadcaster, self.daily_challenges, metrics
        )
        self.undos = Undos(config, now, self.process, self.tables, store, self.broadcaster, metrics)
        self.seats = Seats(config, now, store, self.credentials, self.broadcaster, self.presence)
        self.game_start = GameStart(config, now, self.tables, store, self.broadcaster, self.daily_challenges)
        self.creation = TableCreation(config, now, self.tables, store, self.broadcaster, self.lookups, self.game_start)
        self.tie_breaks = TieBreaks(config, now, self.tables, store, bus, self.broadcaster, self.presence)
        self.chat = Chat(store, self.broadcaster)
        self.shared_replays = SharedReplays(config.limits, self.tables, bus)
        self.hints = Hints(config, self.tables, store, self.broadcaster, self.workers, metrics)
        self.remote_events = RemoteEvents(self.tables, self.broadcaster, self._remote_handlers())

    def _remote_handlers(self) -> dict[type[messages.BusMessage], Handler]:
        """Which service takes in which message of another process."""
        return {
            messages.StepsCommitted: self.broadcaster.hear_steps,
            messages.TableChanged: self.broadcaster.hear_table,
            messages.ChatLineAdded: self.broadcaster.hear_chat,
            messages.PresenceChanged: self.presence.hear,
            messages.UndoRequestChanged: self.undos.hear,
            messages.TapsCounted: self.tie_breaks.hear,
            messages.SharedStepShown: self.shared_replays.hear_step,
            messages.LeaderWanted: self.shared_replays.hear_leader_wanted,
            messages.SharedViewersCounted: self.shared_replays.hear_count,
            messages.TokenMoved: self.credentials.hear_moved,
            messages.HolderLeft: self.credentials.hear_left,
            messages.HolderRemoved: self.credentials.hear_removed,
        }

    def _build_background(self) -> None:
        config, now, store, metrics = self.config, self.now, self.store, self.metrics
        self.bot_player = BotPlayer(
            config, now, self._seconds, self.tables, self.moves, self.workers, self.daily_challenges, metrics
        )
        checks = (self.tie_breaks.check_again, self.undos.check_again)
        self.deadlines = Deadlines(
            config, now, self.process, self.tables, store, self.broadcaster, self.moves, self.bot_player, checks
        )
        self.stand_ins = StandIns(config, self.tables, self.presence, self.seats)
        self.retention = Retention(config, now, self._seconds, self.tables, store)
        self.reviews = ReviewJobs(config, now, self.process, self.tables, store, self.workers, self.lookups)
        self.notifications = Notifications(config, now, self.process, self.tables, store, self.credentials, metrics)

    def _build_websocket(self) -> None:
        config, now = self.config, self.now
        self.game_messages = GameMessages(now, self.moves, self.undos, self.tie_breaks, self.hints)
        viewer_messages = ViewerMessages(now, self.tables, self.chat, self.broadcaster, self.shared_replays)
        self.dispatcher = Dispatcher({**self.game_messages.handlers(), **viewer_messages.handlers()}, self.metrics)
        admission = Admission(
            config, self.credentials, self.seats, self.broadcaster, self.presence, self.shared_replays
        )
        self.connections = Connections(config, now, self.tables, admission, self.dispatcher, self.metrics)

    def _build_rate_limits(self) -> None:
        limits = self.config.limits
        self.new_tables = RateLimit("tables", limits.tables_per_minute / 60, limits.tables_burst)
        self.new_calls = RateLimit("calls", limits.calls_per_minute / 60, limits.calls_burst, limits.people_per_address)
        self.guesses = RateLimit("guesses", limits.guesses_per_minute / 60, limits.guesses_burst)

    def _connect(self) -> None:
        """Connect the services that call each other, and list what happens periodically."""
        self.moves.bot_is_due = self.undos.bot_is_due = self.bot_player.wake
        self.broadcaster.measure_tie_break = self.tie_breaks.measure
        self.broadcaster.seats_changed = self.deadlines.check_soon
        self.broadcaster.viewer_entered = self.deadlines.viewer_entered
        announcements = every(ANNOUNCE_SECONDS, [self.presence.publish_all, self.shared_replays.announce_all])
        self.periodic_tasks = PeriodicTasks(
            self.config.sweep_ms,
            [
                self.connections.sweep,
                self._detect_other_processes,
                self.reviews.poll,
                self.notifications.poll,
                self.broadcaster.sweep,
                self.deadlines.sweep,
                self.stand_ins.sweep,
                self.tie_breaks.sweep_all,
                self.tables.evict_idle,
                self.retention.sweep,
                announcements,
            ],
        )

    def _watch(self) -> None:
        players, others = "Bots' decisions that wait where people are.", "Bots' decisions that wait where nobody looks."
        self.metrics.watch("preau_bots_waiting", players, lambda: self.bot_player.waiting(people=True))
        self.metrics.watch("preau_bots_waiting_unattended", others, lambda: self.bot_player.waiting(people=False))
        self.metrics.watch("preau_tables", "Tables in memory.", lambda: len(self.tables.entries))
        self.metrics.watch("preau_sockets", "Open sockets.", lambda: len(self.connections.open))
        self.metrics.watch("preau_commits", "Transactions committed.", lambda: self.store.commits)

    @cached_property
    def games(self) -> list[protocol.GameInfo]:
        """The games on offer; they stay the same while the server runs."""
        return catalogue(by_game(self.config.bots))

    async def open(self) -> None:
        """Open everything, the bus and the sweep last."""
        if self._sqlite_lock is not None:
            self._sqlite_lock.open()
        self.store.open()
        self._detect_other_processes()
        await self.credentials.open()
        self.daily_challenges.open(self.credentials.secret_of("challenges"))
        self.shared_replays.open(self.credentials.secret_of("together"))
        await self.notifications.open()
        await self.bus.open(self.process, self.remote_events.hear, self.periodic_tasks.hurry)
        self.periodic_tasks.open()
        log.info("open", database=self.store.url.get_backend_name(), shared=self.bus.shared)

    async def close(self) -> None:
        """Close in order: no new moves, then nothing left to write."""
        self.connections.say_bye()
        await self.reviews.close()
        await self.notifications.close()
        await self.bot_player.close()
        await self.workers.close()
        await self.tie_breaks.close()
        await self.lookups.close()
        await self.periodic_tasks.close()
        await self.deadlines.close()
        await self.bus.close()
        self.store.close()
        if self._sqlite_lock is not None:
            self._sqlite_lock.close()
        log.info("closed")

    @property
    def warning(self) -> str | None:
        """What the operator should know about how this process is set up."""
        return SHARED if self._sqlite_lock is not None and not self.config.redis and self.bus.shared else None

    def _detect_other_processes(self) -> None:
        """Detect whether another process uses the same SQLite file: the sweep then looks for its steps."""
        if self.bus.detect():
            log.warning("neighbours", warning=self.warning)


def local_bus(sqlite_lock: SqliteLock | None) -> LocalBus:
    """Return the bus of a process without Redis. On PostgreSQL there may always be other processes."""
    if sqlite_lock is None:
        return LocalBus(shared=True)
    return LocalBus(shared=False, has_peers=sqlite_lock.any)
