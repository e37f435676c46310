"""Bots as seats: they are given at a live table what they are given anywhere else."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import msgspec
import pytest

from preau.bots import Bot, Seen, make_bot
from preau.bots.table import Table as BotTable
from preau.core.match import Match
from preau.core.registry import find_game
from preau.core.state import HIDDEN
from preau.server import bots_runner
from preau.server.hall import Hall
from preau.server.store import load_log
from preau.table.log import Row, history
from tests.server.test_clocks import Clock, in_hall, make


class Listener(Bot):
    """Plays at random and writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, list, list]] = []
        self.match: Match | None = None

    def choose(self, seen: Seen):
        at = len(self.match.record.entries) if self.match is not None else 0
        self.told.append((at, list(seen.history), list(seen.events)))
        return seen.rng.choice(list(seen.legal))


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_history_and_events_are_those_of_any_table(game):
    """A game of listening bots; the server makes the same of its log at every decision of theirs."""
    match = Match.new(find_game(game), 3, {"first": 0}, seed=4)
    bots = {seat: Listener() for seat in range(3)}
    for bot in bots.values():
        bot.match = match
    table = BotTable(match, bots, seed=5)
    while not match.state.over and len(match.record.entries) < 150:
        table.step()
    entries = match.record.entries
    rows = [Row(number, entry.actor, "act", entry.text, 0) for number, entry in enumerate(entries, 1)]
    compared = 0
    for seat, bot in bots.items():
        for at, told, news in bot.told:
            happened, known = history(match.record.start_state(), rows[:at], seat)
            assert (happened, happened[known:]) == (told, news)
            compared += 1
    assert compared > 20


def test_what_was_taken_back_is_not_history(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        table = await make(hall, "recess", 3)
        before = table.live.head
        await hall.play.act(table, 0, table.live.state.legal(0)[-1].text)
        await hall.undoing.undo(table, 0, table.live.head)
        rows = await hall.store.read(lambda connection: load_log(connection, table.id))
        assert rows[-1].kind == "undo"
        first = find_game("recess").start(3, table.table.options)
        assert history(first, rows, 1) == history(first.copy(), rows[:before], 1)

    in_hall(tmp_path, story)


def test_a_listening_bot_is_asked_with_its_history(tmp_path, monkeypatch):
    """What goes to the other process is the whole of what the seat saw, and a bot that does not listen gets none."""

    async def story(hall: Hall, clock: Clock) -> None:
        rng = random.Random(1)
        table = await make(hall, "bagarre", 3)
        for _ in range(12):
            seat = table.live.state.to_act[0]
            await hall.play.act(table, seat, rng.choice(table.live.state.legal(seat)).text)
        seat = table.live.state.to_act[0]
        deaf = await hall.bots._question(table, table.live, seat, "greedy")
        assert deaf["history"] == []
        listener = Listener()
        monkeypatch.setattr(bots_runner, "_bot", lambda level: listener)
        monkeypatch.setattr(bots_runner, "make_bot", lambda level: listener)
        question = await hall.bots._question(table, table.live, seat, "greedy")
        assert bots_runner.choose(question) in question["legal"]
        [(_, told, news)] = listener.told
        assert told[-len(news) :] == news != told
        drawn = [event for event in told if event["key"] == "draw"]
        known = [event["seat"] for event in drawn if event["card"] != HIDDEN]
        assert len(known) >= 5, "the seat knows its own cards"
        assert set(known) == {seat}
        assert seat not in [event["seat"] for event in drawn if event["card"] == HIDDEN]

    in_hall(tmp_path, story)


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_shipped_bots_that_look_only_at_the_position_say_so(level):
    assert not make_bot(level).wants_events


class Pool:
    """Stands for a pool of processes; the test says what becomes of each question."""

    def __init__(self) -> None:
        self.asked: list[Future[str]] = []

    def submit(self, *_: object) -> Future[str]:
        self.asked.append(Future())
        return self.asked[-1]

    def shutdown(self, **_: object) -> None:
        for future in self.asked:
            future.cancel()


def test_a_bot_that_fails_spoils_no_other_bots_move(tmp_path, monkeypatch):
    """One takes too long and its pool is ended: the one that was thinking beside it is asked again, in the new pool."""

    async def story(hall: Hall, clock: Clock) -> None:
        pools = [Pool(), Pool(), Pool()]
        runner = hall.bots
        runner._end_pool()
        runner._pool = pools[0]  # type: ignore[assignment]
        monkeypatch.setattr(runner, "_new_pool", lambda: pools[pools.index(runner._pool) + 1])  # type: ignore[arg-type]

        async def ask(limit_ms: int, pool: Pool) -> asyncio.Task[str | None]:
            """Ask for a move, until the question is with this pool."""
            known = len(pool.asked)
            runner._config = msgspec.structs.replace(hall.config, bot_limit_ms=limit_ms)
            task = asyncio.create_task(runner._ask({"game": "recess", "level": "greedy", "legal": ["pass"]}))
            await until(pool, known + 1)
            runner._config = msgspec.structs.replace(hall.config, bot_limit_ms=600_000)
            return task

        async def until(pool: Pool, count: int) -> None:
            while len(pool.asked) < count:
                await asyncio.sleep(0)

        quick = await ask(600_000, pools[0])
        slow = await ask(50, pools[0])
        assert await slow is None
        await until(pools[1], 1)
        pools[1].asked[0].set_result("pass")
        assert await quick == "pass"
        broken = [await ask(600_000, pools[1]) for _ in range(2)]
        for future in pools[1].asked[1:]:
            future.set_exception(BrokenProcessPool())
        await until(pools[2], 1)
        pools[2].asked[0].set_result("pass")
        assert sorted([await one for one in broken], key=str) == [None, "pass"]
        assert [len(pool.asked) for pool in pools] == [2, 3, 1], "one failed, the other is asked again"
        waiting = await ask(600_000, pools[2])
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    in_hall(tmp_path, story)
