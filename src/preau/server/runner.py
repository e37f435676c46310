"""Running a server process with uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import socket

import sqlalchemy
import uvicorn
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ..core.errors import SetupError
from .app import make_app
from .config import Config
from .http.security import OriginPolicy, SecurityMiddleware, headers
from .logs import set_up
from .storage.engine import migrate, opened, probe_tables
from .storage.errors import DatabaseTrouble, classify, driver_message
from .storage.sqlite_file import check_at_start, path_of, restore_hint
from .storage.sqlite_lock import SqliteLock
from .transport.connection_limits import ConnectionRegistry
from .transport.uvicorn_protocols import choose_protocols
from .transport.uvicorn_settings import UvicornSettings

FILES = 65_536
"""Open files where the system sets no bound."""
RESTORE_POSTGRES = "Stop all servers and restore a backup with pg_restore (docs/hosting.md says how)."
EARS = 8
"""New connections that are taken in a turn of the loop."""


def run(config: Config, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until told to stop; `ready` is called once people can come."""
    set_up(config.log_level, as_json=config.log_json)
    sys.setswitchinterval(0.001)  # the writing thread must not wait 5 ms for its turn
    app = make_app(config, neighbours=prepare(config))
    gc.freeze()
    server = Server(uvicorn_config(config, app), ready)
    server.run()


class Server(uvicorn.Server):
    """uvicorn, and a word when it has opened."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; once, those are looked after who take too long."""
        if counter % 10 == 0 and isinstance(self.config, UvicornSettings):
            self.config.crowd.sweep()
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Open."""
        await super().startup(sockets)
        if self.started:
            await self._listen_with_more_ears()
            self._ready()

    async def _listen_with_more_ears(self) -> None:
        """uvloop takes one new connection off a listening socket in each turn of its loop, and with many tables a turn
        takes long: whoever comes behind a few hundred silent callers would wait for seconds. Of several that listen for
        the same callers, each takes one.
        """
        loop = asyncio.get_running_loop()
        if not type(loop).__module__.startswith("uvloop"):
            return
        for server in list(self.servers):
            for ear in [socket(fileno=os.dup(one.fileno())) for one in server.sockets for _ in range(EARS - 1)]:
                self.servers.append(await loop.create_server(self._end, sock=ear, backlog=self.config.backlog))

    def _end(self) -> asyncio.Protocol:
        """Our end of a new connection, as uvicorn makes it."""
        about = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        made: asyncio.Protocol = self.config.http_protocol_class(**about)
        return made


def prepare(config: Config) -> SqliteLock | None:
    """Open the database and bring it up to date, or say in a sentence why that cannot be done.

    Return the lock on the file of an SQLite database. The server keeps it, so that nothing is restored before it opens.
    """
    try:
        url = sqlalchemy.make_url(config.database)
        path = path_of(url)
        with _checked(path) as lock, opened(url) as engine:
            migrate(engine)
            probe_tables(engine)
        return lock
    except OSError as error:
        where, why = error.filename or path, error.strerror or error
        what = f"the database cannot be opened: {f'{where}: ' if where else ''}{why}"
        raise SetupError(what, field="--database", hint="The folder must be there and writable.") from None
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        hint = "Write sqlite:///file.db or postgresql://user@host/name."
        if isinstance(error, DBAPIError) and classify(error) is DatabaseTrouble.DAMAGED:
            hint = restore_hint(path) if path else RESTORE_POSTGRES
        raise SetupError(
            f"the database cannot be opened: {driver_message(error)}", field="--database", hint=hint
        ) from None


@contextlib.contextmanager
def _checked(path: Path | None) -> Iterator[SqliteLock | None]:
    """Lock and check the file of an SQLite database. The lock is kept, unless there is an error."""
    if path is None:
        yield None
        return
    lock = SqliteLock(path)
    lock.open()
    try:
        check_at_start(path)
        yield lock
    except BaseException:
        lock.close()
        raise


def uvicorn_config(config: Config, app: SecurityMiddleware) -> UvicornSettings:
    """uvicorn's settings: our own logs, small messages, no second heart-beat beside the protocol's own."""
    crowd = ConnectionRegistry(config, allow_files())
    return UvicornSettings(
        app,
        config,
        crowd,
        app.metrics,
        headers(https=OriginPolicy(config).https),
        host=config.host,
        port=config.port,
        **choose_protocols(crowd.most, config.limits.head_bytes),
        ws_max_size=config.limits.message_bytes,
        ws_ping_interval=None,
        ws_per_message_deflate=config.compression,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        timeout_graceful_shutdown=3,
        lifespan="on",
        backlog=4096,
    )


def allow_files() -> int:
    """Allow this process as many open files as it may allow itself, and say how many that is."""
    if sys.platform == "win32":
        return FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = max(soft, FILES)
    if hard > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard
