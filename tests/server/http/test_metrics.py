"""Requests are counted once each, by the answer the client got; clients cannot raise the number of server errors."""

from __future__ import annotations

import time

import pytest

from tests.server.in_process_server import InProcessServer, run_with_server, until

HEAD = b"POST /api/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def counted(server: InProcessServer) -> dict[str, float]:
    """The requests by status."""
    return {
        sample.labels["status"]: sample.value
        for metric in server.services.metrics.requests.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
    }


async def idle(server: InProcessServer) -> None:
    """Wait until no request is under way and no connection is left."""
    await until(lambda: not server.uvicorn.server_state.tasks and not len(server.crowd))


@pytest.mark.parametrize(
    "begun",
    [
        HEAD + b"Content-Length: 50\r\n\r\n{",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n",
    ],
    ids=["a length", "chunks", "a GET"],
)
def test_hanging_up_within_a_body_is_no_error_of_the_server(tmp_path, begun):
    async def story(server: InProcessServer) -> None:
        for _ in range(3):
            raw = await server.connect(begun)
            await until(lambda: server.uvicorn.server_state.tasks or counted(server))
            raw.abort()
            await idle(server)
        found = counted(server)
        assert sum(found.values()) == 3
        assert set(found) <= {"499", "200"}, "200 where the body was not needed"
        assert "499" in found or b"GET" in begun

    run_with_server(tmp_path, story)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n", "400"),
        (b"\xff\xfe\r\n\r\n", "400"),
        (b"GET /" + b"a" * 3_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "414"),
        (b"GET /api/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "404"),
    ],
    ids=["chunk", "second chunk", "no HTTP", "address", "unknown"],
)
def test_a_request_counts_as_it_is_answered(tmp_path, data, status):
    async def story(server: InProcessServer) -> None:
        raw = await server.connect(data)
        assert (await raw.read_head()).split()[1].decode() == status
        raw.abort()
        await idle(server)
        assert counted(server) == {status: 1.0}

    run_with_server(tmp_path, story)


def test_a_body_that_does_not_come_counts_as_slow(tmp_path):
    async def story(server: InProcessServer) -> None:
        raw = await server.connect(HEAD + b"Content-Length: 50\r\n\r\n{")
        await until(lambda: server.uvicorn.server_state.tasks)
        server.crowd.sweep(time.monotonic() + 21)
        assert (await raw.read_answer())[0] == 408
        raw.abort()
        await idle(server)
        assert counted(server) == {"408": 1.0}

    run_with_server(tmp_path, story, body_ms=20_000)
