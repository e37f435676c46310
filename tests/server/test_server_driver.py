"""The driver that tests of tables use for the server: it waits for tasks without occupying the event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from preau.server.background.deadlines import CHECK_TASK
from tests.server.server_driver import ServerDriver


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """A driver that may ask for its tasks a limited number of times, so that a busy loop fails instead of hanging."""
    one = ServerDriver(tmp_path)
    asked = iter(range(100))
    tasks = one.tasks_at_work

    def counted() -> Any:
        assert next(asked, None) is not None, "a busy loop"
        return tasks()

    monkeypatch.setattr(one, "tasks_at_work", counted)
    yield one
    one.stop()


def test_a_task_that_is_done_and_not_yet_removed_is_not_waited_for(driver, monkeypatch):
    tasks = driver.tasks_at_work

    async def story() -> None:
        task = asyncio.create_task(asyncio.sleep(0, "done"))
        await asyncio.wait([task])
        monkeypatch.setattr(driver, "tasks_at_work", lambda: [*tasks(), task])
        await driver.settle()

    driver.runner.run(story())


def test_tasks_are_waited_for_with_those_that_follow_from_them(driver):
    begun: list[asyncio.Task[None]] = []
    finished = []

    def begin(left: int) -> None:
        begun.append(asyncio.create_task(work(left), name=CHECK_TASK))

    async def work(left: int) -> None:
        await asyncio.sleep(0)
        if left:
            begin(left - 1)
        finished.append(left)

    async def story() -> None:
        begin(3)
        await driver.settle()

    driver.runner.run(story())
    assert finished == [3, 2, 1, 0]
