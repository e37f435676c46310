"""Check that a server survives what a test does to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tests.server.processes import Server


@contextlib.contextmanager
def no_faults(server: Server) -> Iterator[None]:
    """Check that the server still runs afterwards, logged no fault and answered no request with status 500."""
    before, faults = len(server.logged()), _faults(server)
    yield
    assert server.process is not None
    assert server.process.poll() is None, "the server is alive"
    logged = server.logged()[before:]
    assert '"fault"' not in logged
    assert "Traceback" not in logged
    assert _faults(server) == faults


def _faults(server: Server) -> list[str]:
    """Return the metric that counts answers with status 500."""
    lines = server.ask("GET", "/metrics").text.splitlines()
    return [line for line in lines if line.startswith('preau_requests_total{status="500"}')]
