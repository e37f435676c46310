"""Running a server process with uvicorn."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from socket import socket

import sqlalchemy
import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from ..core.errors import SetupError
from .app import make_app
from .config import Config
from .ends import socket_end
from .logs import set_up
from .store import make_engine, migrate


def run(config: Config, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until told to stop; `ready` is called once people can come."""
    set_up(config.log_level, as_json=config.log_json)
    sys.setswitchinterval(0.001)  # the writing thread must not wait 5 ms for its turn
    prepare(config)
    app = make_app(config)
    gc.freeze()
    server = Server(uvicorn_config(config, app), ready)
    server.run()


class Server(uvicorn.Server):
    """uvicorn, and a word when it has opened."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Open."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def prepare(config: Config) -> None:
    """Open the database and bring it up to date, or say in a sentence why that cannot be done."""
    try:
        engine = make_engine(sqlalchemy.make_url(config.database))
        migrate(engine)
        engine.dispose()
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise SetupError(
            f"the database cannot be opened: {why}",
            field="--database",
            hint="Write sqlite:///file.db or postgresql://user@host/name.",
        ) from None


def uvicorn_config(config: Config, app: object) -> uvicorn.Config:
    """uvicorn's settings: our own logs, small messages, no second heart-beat beside the protocol's own."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=config.host,
        port=config.port,
        ws=socket_end(),
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
