"""Tables of the whole server, without a network: requests and connections go straight to the ASGI app."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx

from preau.server.app import make_litestar
from preau.server.background.deadlines import CHECK_TASK
from preau.server.config import Config
from preau.server.http.download_limits import DownloadLimits
from preau.server.http.security import OriginPolicy, SecurityMiddleware
from preau.server.services import Services
from preau.server.websocket.dispatcher import HINT_TASK
from tests.server.processes import OFF
from tests.server.tables_in_process import tasks_named
from tests.support import PATIENCE
from tests.table.driver import Driver, Json, Refused, Viewer


def guarded_app(services: Services) -> SecurityMiddleware:
    """Return the ASGI app of the services with its guard, without the page."""
    config = services.config
    gate, downloads = OriginPolicy(config), DownloadLimits(config.limits)
    return SecurityMiddleware(
        make_litestar(services), services.connections.serve, config, gate, services.metrics, downloads
    )


class SocketViewer(Viewer):
    """A viewer connected by a WebSocket."""

    def __init__(self, app: Any, table: str, **wish: Any) -> None:
        super().__init__(table)
        self.got: list[str] = []
        """All ASGI messages from the app, as JSON."""
        self._inbox: asyncio.Queue[Json] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.post(type="join", **wish)
        path = f"/api/tables/{table}/socket"
        scope = {"type": "websocket", "path": path, "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1)}
        self._task = asyncio.create_task(app(scope, self._inbox.get, self._receive))
        self._received = asyncio.Event()
        self._pings = 0

    async def _receive(self, message: Json) -> None:
        self.got.append(json.dumps(message, sort_keys=True))
        if message["type"] == "websocket.send":
            self.messages.append(json.loads(message["text"]))
            self._received.set()

    def post(self, **message: Any) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def wait_for_answers(self) -> None:
        """Wait until the server has answered everything sent so far. Answers come in order."""
        self._pings += 1
        self.post(type="ping", n=self._pings)
        async with asyncio.timeout(PATIENCE):
            while not self._task.done() and not any(pong["n"] == self._pings for pong in self.all("pong")):
                self._received.clear()
                heard = asyncio.ensure_future(self._received.wait())
                await asyncio.wait([heard, self._task], return_when=asyncio.FIRST_COMPLETED)
                heard.cancel()

    async def disconnect(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


class ServerDriver(Driver):
    """Tables of services in the test's own process."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_800_000_000_000
        self.runner = asyncio.Runner()
        self._viewers: list[SocketViewer] = []
        config = Config(
            database=f"sqlite:///{folder}/preau.db",
            limits=OFF,  # whole games are played in no time; other tests are about limits
            bot_pause_ms=0,
            bot_workers=1,
            sweep_ms=3_600_000,
            desk_ms=60_000,
        )
        self.services = Services(config, lambda: self.now)
        self.services.clock = lambda: self.now / 1_000
        self._app = guarded_app(self.services)
        self.runner.run(self.services.open())

    def stop(self) -> None:
        self.disconnect_all()
        self.runner.run(self.services.close())
        self.runner.close()

    async def settle(self) -> None:
        """Wait until bots and alarms have done their work and every client has been told.

        Tasks that are done are skipped: since Python 3.12 waiting for them with `gather` does not yield to the event
        loop, so nothing removes them.
        """
        async with asyncio.timeout(PATIENCE):
            while tasks := [task for task in self.tasks_at_work() if not task.done()]:
                await asyncio.wait(tasks)
        for viewer in self._viewers:
            await viewer.wait_for_answers()

    def tasks_at_work(self) -> list[asyncio.Task[None]]:
        """Return the tasks of bots, alarms and hints."""
        bots = [entry.playing_bots for entry in self.services.tables.entries.values()]
        return [*tasks_named(CHECK_TASK, HINT_TASK), *(task for task in bots if task is not None)]

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Any:
        async def whole() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)  # type: ignore[arg-type]
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
                answer = await client.request(method, f"/api{path}", json=body, headers=headers)
            await self.settle()
            return answer

        answer = self.runner.run(whole())
        if answer.status_code >= 400:
            raise Refused(answer.json())
        return answer.json() if answer.content else None

    def open(self, table: str, token: str | None = None, **wish: Any) -> Viewer:
        async def whole() -> SocketViewer:
            viewer = SocketViewer(self._app, table, **wish, **({"token": token} if token else {}))
            self._viewers.append(viewer)
            await viewer.wait_for_answers()
            await self.settle()
            return viewer

        return self.runner.run(whole())

    def close(self, viewer: Viewer) -> None:
        assert isinstance(viewer, SocketViewer)
        self._viewers.remove(viewer)
        self.runner.run(viewer.disconnect())

    def disconnect_all(self) -> None:
        for viewer in list(self._viewers):
            self.close(viewer)
        for entry in list(self.services.tables.entries.values()):
            self.services.tables.forget(entry)

    def send(self, viewer: Viewer, type: str, **message: Any) -> None:
        async def whole() -> None:
            assert isinstance(viewer, SocketViewer)
            viewer.post(type=type, **message)
            await viewer.wait_for_answers()
            await self.settle()

        self.runner.run(whole())

    def wait(self, ms: int) -> None:
        async def whole() -> None:
            await self.services.periodic_tasks.sweep()
            await self.settle()

        self.now += ms
        self.runner.run(whole())
