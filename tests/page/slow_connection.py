"""A slow connection between browser and server: a proxy that limits bandwidth and adds latency.

The browser's own emulation does not reach the requests of service workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time

KILOBYTES = 8
"""The size of a piece of data."""


class SlowConnection:
    """Forwards TCP connections to a local port. All of them share a bandwidth of `megabits` per second."""

    def __init__(self, port: int, *, megabits: float, round_trip_ms: float) -> None:
        self._target = port
        self._seconds_per_byte = 8 / (megabits * 1_000_000)
        self._way = round_trip_ms / 2_000
        self._free = 0.0
        """When the last accepted piece will have been sent."""
        self._writers: list[asyncio.StreamWriter] = []
        self.received = 0
        """Bytes sent to the browser."""
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()

    def stop(self) -> None:
        """Refuse new connections and break the open ones. A second call does nothing."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # transports close in the next round of the loop

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await asyncio.sleep(2 * self._way)  # the handshake
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.append(far_writer)
            await asyncio.gather(
                self._pass_on(reader, far_writer, limited=False), self._pass_on(far_reader, writer, limited=True)
            )

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, limited: bool) -> None:
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(16)

        async def deliver() -> None:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                if not piece:
                    writer.close()
                    return
                writer.write(piece)
                await writer.drain()
                self.received += len(piece) if limited else 0

        delivery = asyncio.create_task(deliver())
        with contextlib.suppress(OSError):
            while piece := await reader.read(KILOBYTES * 1024):
                if limited:
                    self._free = max(self._free, time.monotonic()) + len(piece) * self._seconds_per_byte
                    await asyncio.sleep(self._free - time.monotonic())
                await pieces.put((time.monotonic() + self._way, piece))
        await pieces.put((time.monotonic() + self._way, b""))
        with contextlib.suppress(OSError):
            await delivery
