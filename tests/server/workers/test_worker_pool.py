"""The processes bots live in: a table stays with one, and one that hangs or dies takes nobody with it."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import preau
from preau.bots import BotError
from preau.host.questions import BotQuestion, ReviewQuestion, encode
from preau.server.workers import pool
from preau.server.workers.fair_queue import FairQueue, QueueFull, Ticket
from preau.server.workers.pool import Requester, WorkerPool
from preau.server.workers.process import STEPS_BACK
from tests.server.worker_answers import delayed_answers, scheduler_answers, scripted_bots
from tests.support import PATIENCE

LONG = 600.0
"""Seconds that nothing here takes."""
SHORT = 0.05


def with_workers(count: int, story: Any, make: Any = scripted_bots) -> None:
    async def whole() -> None:
        workers = WorkerPool(count, make)
        try:
            async with asyncio.timeout(PATIENCE):
                await story(workers)
        finally:
            await workers.close()

    asyncio.run(whole())


async def ask(
    workers: WorkerPool,
    table: str,
    mood: str = "fine",
    seconds: float = LONG,
    asker: Requester | None = None,
    level: str = "expert",
    **more: Any,
) -> list[str]:
    script = {"mood": mood, **more}
    question = BotQuestion(table=table, level=level, game="tag", seat=0, view=script, legal=[])
    return (await workers.ask(question, seconds, asker)).text.split()


def test_a_table_stays_with_its_process_and_its_seed():
    async def story(workers: WorkerPool) -> None:
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

    async def story(workers: WorkerPool) -> None:
        (stuck, *_), (thinker, *_) = await ask(workers, "stuck"), await ask(workers, "thinker")
        assert stuck != thinker
        release = tmp_path / "release"
        os.mkfifo(release)
        thinking = asyncio.create_task(ask(workers, "thinker", wait_for=str(release)))
        hanging = asyncio.create_task(ask(workers, "stuck", "hang", SHORT))
        waiting = asyncio.create_task(ask(workers, "stuck"))
        with pytest.raises(BotError, match="it took more than"):
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

    async def story(workers: WorkerPool) -> None:
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


def test_bots_that_do_not_search_never_wait_for_those_that_do(tmp_path: Path):
    async def story(workers: WorkerPool) -> None:
        hanging = asyncio.create_task(ask(workers, "busy", "hang"))
        await asyncio.sleep(0)
        assert len(await ask(workers, "busy", level="greedy")) == 3
        hanging.cancel()
        await asyncio.wait({hanging})

    with_workers(1, story)


def test_those_that_search_step_back_behind_the_tables():
    """Where there are fewer cores than processes, the tables' own goes first, and bots that only take a moment."""

    async def story(workers: WorkerPool) -> None:
        searching, quick = [int((await ask(workers, "t", level=level))[0]) for level in ("expert", "greedy")]
        here = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, searching) == min(19, here + STEPS_BACK)
        assert os.getpriority(os.PRIO_PROCESS, quick) == here

    with_workers(1, story)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system cannot do that")
def test_what_works_out_reviews_only_gets_the_time_that_is_left():
    async def story(workers: WorkerPool) -> None:
        assert await workers.review("r", ReviewQuestion("", {"first": 0, "end": 0}), PATIENCE) == os.SCHED_IDLE

    with_workers(1, story, scheduler_answers)


def test_a_piece_of_a_review_is_found_or_refused():
    async def story(workers: WorkerPool) -> None:
        record = preau.play("recess", bots=["random"] * 3, options={"turns": 1}, seed=1).record
        asked = ReviewQuestion(record.dumps(), {"first": 0, "end": 0})
        assert await workers.review("r", asked, PATIENCE) == []
        with pytest.raises(BotError, match="RecordError"):
            await workers.review("r", ReviewQuestion("{", asked.piece), PATIENCE)

    with_workers(1, story, None)


def test_a_stranger_is_next_and_tables_nobody_looks_at_are_last(tmp_path: Path):
    """Many wait for one process. Somebody comes to look at one of the tables while it waits."""

    async def story(workers: WorkerPool) -> None:
        release, served = tmp_path / "release", list[str]()
        os.mkfifo(release)
        looking = {"many 2"}

        async def wait(maker: str, table: str) -> None:
            asker = Requester(maker, lambda: table in looking)
            await ask(workers, table, asker=asker)
            served.append(table)

        first = asyncio.create_task(ask(workers, "many 0", wait_for=str(release), asker=Requester("many")))
        await asyncio.sleep(0)
        tasks = [asyncio.create_task(wait("many", f"many {number}")) for number in range(1, 4)]
        tasks.append(asyncio.create_task(wait("stranger", "stranger")))
        await asyncio.sleep(0)
        assert (workers.waiting(urgent=True), workers.waiting(urgent=False)) == (1, 3)
        looking |= {"stranger", "many 3"}
        await asyncio.to_thread(release.write_text, "go on")
        await asyncio.gather(first, *tasks)
        assert served == ["stranger", "many 2", "many 3", "many 1"]

    with_workers(1, story)


def test_people_are_told_at_once_when_too_much_is_to_be_thought_before(tmp_path: Path):
    async def story(workers: WorkerPool) -> None:
        now = 0.0
        workers.home("first").worker.queue = FairQueue(lambda: now)

        async def think(pipe: Path) -> asyncio.Task[list[str]]:
            """Begin to think until the test writes to a pipe."""
            os.mkfifo(pipe)
            begun = tmp_path / f"{pipe.name} begun"
            thinking = asyncio.create_task(ask(workers, "first", begun=str(begun), wait_for=str(pipe)))
            while not begun.exists():
                await asyncio.sleep(0)
            return thinking

        thinking = await think(tmp_path / "five seconds")
        now += 5.0
        await asyncio.to_thread((tmp_path / "five seconds").write_text, "go on")
        await thinking
        thinking = await think(tmp_path / "no time")
        with pytest.raises(QueueFull):
            await ask(workers, "second", asker=Requester(patience=4.9))
        waiting = asyncio.create_task(ask(workers, "third", asker=Requester(patience=600.0)))
        await asyncio.to_thread((tmp_path / "no time").write_text, "go on")
        await asyncio.gather(thinking, waiting)
        thinking = await think(tmp_path / "again")
        waiting = asyncio.create_task(ask(workers, "fourth", asker=Requester(patience=4.9)))
        await asyncio.sleep(0)
        assert not waiting.done(), "the last decisions took less"
        await asyncio.to_thread((tmp_path / "again").write_text, "go on")
        await asyncio.gather(thinking, waiting)

    with_workers(1, story)


def test_no_question_pays_for_the_start_of_a_process(tmp_path: Path):
    start, release = tmp_path / "start", tmp_path / "release"
    for pipe in (start, release):
        os.mkfifo(pipe)

    async def story(workers: WorkerPool) -> None:
        now = 0.0
        worker = workers.home("table").worker
        worker.queue = FairQueue(lambda: now)
        turn = Ticket("maker", "table", cost=1.0)
        script = {"mood": "fine", "wait_for": str(release)}
        question = BotQuestion(table="table", level="", game="tag", seat=0, view=script, legal=[], seed=0)
        asked = asyncio.create_task(worker.ask(encode(question), LONG, turn))
        await asyncio.sleep(0)
        now = 100.0
        await asyncio.to_thread(start.write_text, "go on")
        while turn.began != 100.0:
            await asyncio.sleep(0)
        now = 101.5
        await asyncio.to_thread(release.write_text, "go on")
        await asked
        assert turn.used == 1.5

    with_workers(1, story, partial(delayed_answers, str(start)))


def test_one_that_dies_is_asked_again_once(tmp_path: Path):
    async def story(workers: WorkerPool) -> None:
        before = await ask(workers, "table")
        pid, count, seed = await ask(workers, "table", "die", dead=str(tmp_path / "dead"))
        assert (pid != before[0], count, seed) == (True, "1", before[2])
        with pytest.raises(BotError, match="2 processes died of it"):
            await ask(workers, "table", "deadly")
        assert (await ask(workers, "table"))[1] == "1"

    with_workers(1, story)


def test_a_failure_is_told_and_the_process_lives_on():
    async def story(workers: WorkerPool) -> None:
        before = await ask(workers, "table")
        with pytest.raises(BotError, match="my fault"):
            await ask(workers, "table", "fail")
        assert (await ask(workers, "table"))[:2] == [before[0], "3"]

    with_workers(1, story)


def test_closing_ends_what_is_being_thought(tmp_path: Path):
    async def whole() -> int:
        workers = WorkerPool(1, scripted_bots)
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
    monkeypatch.setattr(pool, "MOST_TABLES", 2)
    workers = WorkerPool(2, scripted_bots)
    seeds = {table: workers.home(table).seed for table in ("a", "b")}
    assert workers.home("a").seed == seeds["a"]
    workers.home("c")
    assert workers.home("a").seed == seeds["a"]
    assert workers.home("b").seed != seeds["b"]
    one, other = workers.home("a").worker, workers.home("b").worker
    assert one is not other
    assert (one.tables, other.tables) == (1, 1)
