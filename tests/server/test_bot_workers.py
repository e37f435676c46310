"""The processes bots live in: a table stays with one, and one that hangs or dies takes nobody with it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from preau.bots import BotError
from preau.server import bot_workers
from preau.server.bot_workers import BotWorkers
from tests.server.moody import moody

LONG = 600.0
"""Seconds that nothing here takes."""
SHORT = 0.05


def with_workers(count: int, story: Any) -> None:
    async def whole() -> None:
        workers = BotWorkers(count, moody)
        try:
            await story(workers)
        finally:
            await workers.close()

    asyncio.run(whole())


async def ask(workers: BotWorkers, table: str, mood: str = "fine", seconds: float = LONG, **more: Any) -> list[str]:
    return (await workers.ask({"table": table, "mood": mood, **more}, seconds)).split()


def test_a_table_stays_with_its_process_and_its_seed():
    async def story(workers: BotWorkers) -> None:
        tables = [f"table {number}" for number in range(4)]
        first = {table: await ask(workers, table) for table in tables}
        again = {table: await ask(workers, table) for table in reversed(tables)}
        for table in tables:
            assert first[table][0] == again[table][0]
            assert first[table][2] == again[table][2]
        assert len({pid for pid, _, _ in first.values()}) == 2
        assert len({seed for _, _, seed in first.values()}) == 4

    with_workers(2, story)


def test_one_that_hangs_is_replaced_alone(tmp_path: Path):
    """The one beside it thinks on undisturbed, and who waits behind it is asked in the new process."""

    async def story(workers: BotWorkers) -> None:
        (stuck, *_), (thinker, *_) = await ask(workers, "stuck"), await ask(workers, "thinker")
        assert stuck != thinker
        release = tmp_path / "release"
        os.mkfifo(release)
        thinking = asyncio.create_task(ask(workers, "thinker", wait_for=str(release)))
        hanging = asyncio.create_task(ask(workers, "stuck", "hang", SHORT))
        waiting = asyncio.create_task(ask(workers, "stuck"))
        with pytest.raises(BotError, match="it thought for more than"):
            await hanging
        fresh, count, _ = await waiting
        assert fresh not in (stuck, thinker)
        assert count == "1"
        assert not thinking.done()
        await asyncio.to_thread(release.write_text, "go on")
        assert (await thinking)[:2] == [thinker, "2"]

    with_workers(2, story)


def test_waiting_is_not_thinking(tmp_path: Path):
    """Who waits for its turn for longer than it may think loses nothing. One that hangs beside it tells the time."""

    async def story(workers: BotWorkers) -> None:
        await ask(workers, "first")
        await ask(workers, "clock")
        release = tmp_path / "release"
        os.mkfifo(release)
        thinking = asyncio.create_task(ask(workers, "first", wait_for=str(release)))
        waiting = asyncio.create_task(ask(workers, "first", seconds=1.5))
        with pytest.raises(BotError):
            await ask(workers, "clock", "hang", 1.6)
        assert not waiting.done()
        await asyncio.to_thread(release.write_text, "go on")
        assert [(await thinking)[1], (await waiting)[1]] == ["2", "3"]

    with_workers(2, story)


def test_one_that_dies_is_asked_again_once(tmp_path: Path):
    async def story(workers: BotWorkers) -> None:
        before = await ask(workers, "table")
        pid, count, seed = await ask(workers, "table", "die", dead=str(tmp_path / "dead"))
        assert (pid != before[0], count, seed) == (True, "1", before[2])
        with pytest.raises(BotError, match="2 processes died of it"):
            await ask(workers, "table", "deadly")
        assert (await ask(workers, "table"))[1] == "1"

    with_workers(1, story)


def test_a_failure_is_told_and_the_process_lives_on():
    async def story(workers: BotWorkers) -> None:
        before = await ask(workers, "table")
        with pytest.raises(BotError, match="my fault"):
            await ask(workers, "table", "fail")
        assert (await ask(workers, "table"))[:2] == [before[0], "3"]

    with_workers(1, story)


def test_closing_ends_what_is_being_thought(tmp_path: Path):
    async def whole() -> int:
        workers = BotWorkers(1, moody)
        pid = int((await ask(workers, "table"))[0])
        begun = tmp_path / "begun"
        hanging = asyncio.create_task(ask(workers, "table", "hang", begun=str(begun)))
        while not begun.exists():
            await asyncio.sleep(0)
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        await workers.close()
        return pid

    pid = asyncio.run(whole())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_tables_that_were_not_asked_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot_workers, "MOST_TABLES", 2)
    workers = BotWorkers(2, moody)
    seeds = {table: workers.home(table).seed for table in ("a", "b")}
    assert workers.home("a").seed == seeds["a"]
    workers.home("c")
    assert workers.home("a").seed == seeds["a"]
    assert workers.home("b").seed != seeds["b"]
    assert sorted(worker.tables for worker in workers._workers) == [1, 1]
