"""The driver that tests of tables use for the server: it waits for tasks without occupying the event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.server_driver import ServerDriver


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """A driver that may ask for its tasks a limited number of times, so that a busy loop fails instead of hanging."""
    one = ServerDriver(tmp_path)
    asked = iter(range(100))
    tasks = one._at_work

    def counted() -> Any:
        assert next(asked, None) is not None, "a busy loop"
        return tasks()

    monkeypatch.setattr(one, "_at_work", counted)
    yield one
    one.stop()


def test_a_task_that_is_done_and_not_yet_removed_is_not_waited_for(driver):
    """It is removed only after the wait, because not all versions of Python yield to the loop while they gather it."""
    looks = driver._services.sweeper._checks

    async def story() -> None:
        task = asyncio.create_task(asyncio.sleep(0, "done"))
        looks.add(task)
        await asyncio.wait([task])
        assert task.done()
        await driver._settle()
        looks.remove(task)

    driver._runner.run(story())


def test_tasks_are_waited_for_with_those_that_follow_from_them(driver):
    looks, finished = driver._services.sweeper._checks, []

    def begin(left: int) -> None:
        task = asyncio.create_task(work(left))
        looks.add(task)
        task.add_done_callback(looks.discard)

    async def work(left: int) -> None:
        await asyncio.sleep(0)
        if left:
            begin(left - 1)
        finished.append(left)

    async def story() -> None:
        begin(3)
        await driver._settle()

    driver._runner.run(story())
    assert finished == [3, 2, 1, 0]
