"""The server's services in the test's own process, without a network and with a fake clock."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from preau.server.config import Config
from preau.server.services import Services
from tests.support import PATIENCE

DAY = 86_400_000
"""Milliseconds."""
HOUR = 3_600_000
"""Milliseconds."""


def read_metric(services: Services, name: str, **labels: str) -> float:
    """Return the value of a metric on the page that the operator reads."""
    for family in text_string_to_metric_families(services.metrics.page().decode()):
        for sample in family.samples:
            if (sample.name, sample.labels) == (name, labels):
                return float(sample.value)
    raise KeyError(name)


class FakeClock:
    """A clock in milliseconds that only the test moves."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms


def run_with_services(tmp_path: Path, story: Any, clock: FakeClock | None = None, **settings: Any) -> None:
    """Run `story(services, clock)` with open services on a database in `tmp_path`, and close them afterwards.

    The periodic sweep runs once an hour, so the test decides when it happens. `settings` override the configuration.
    """
    clock = clock or FakeClock()
    wanted: dict[str, Any] = {
        "bot_pause_ms": 0,
        "bot_workers": 1,
        "sweep_ms": 3_600_000,
        "desk_ms": 600_000,
    }
    config = Config(**{"database": f"sqlite:///{tmp_path}/preau.db", **wanted, **settings})

    async def whole() -> None:
        services = Services(config, clock)
        await services.open()
        try:
            async with asyncio.timeout(PATIENCE):
                await story(services, clock)
        finally:
            await services.close()

    asyncio.run(whole())
