"""Bots as seats: they are given at a live table what they are given anywhere else."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Collection
from typing import Any

import msgspec
import pytest

from preau.bots import Bot, BotMatch, Seen, make_bot
from preau.core.match import Match
from preau.core.record import Record
from preau.core.registry import find_game
from preau.core.state import HIDDEN, NATURE, Action
from preau.host import bot_cache, bot_round
from preau.host.bot_cache import BotCache
from preau.host.questions import BotQuestion
from preau.server.custom_bots import CustomBot
from preau.server.services import Services
from preau.server.storage.queries import load_log
from preau.server.tables.table_entry import TableEntry
from preau.server.workers.pool import BotChoice, Requester
from preau.table import protocol
from preau.table.log import Row, history
from tests.nets import write_net
from tests.server.bot_tables import seats_with_bots, wait_for_bots
from tests.server.running_services import FakeClock, read_metric, run_with_services
from tests.server.tables_in_process import create_table, read_log


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
    table = BotMatch(match, bots, seed=5)
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
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        before = table.live.head
        await services.moves.act(table, 0, table.live.state.legal(0)[-1].text)
        await services.undos.undo(table, 0, table.live.head)
        rows = await services.store.read(lambda connection: load_log(connection, table.id))
        assert rows[-1].kind == "undo"
        first = find_game("recess").start(3, table.table.options)
        assert history(first, rows, 1) == history(first.copy(), rows[:before], 1)

    run_with_services(tmp_path, story)


def test_a_listening_bot_is_asked_with_its_history(tmp_path, monkeypatch):
    """What goes to the other process is the whole of what the seat saw, and a bot that does not listen gets none."""
    listener = Listener()
    file = str(write_net(tmp_path / "listener.onnx", "bagarre"))
    for module in (bot_round, bot_cache):
        monkeypatch.setattr(module, "make_bot", lambda spec: listener if spec == file else make_bot(spec))

    async def story(services: Services, clock: FakeClock) -> None:
        rng = random.Random(1)
        questions: dict[str, list[BotQuestion]] = {"listener": [], "greedy": []}

        async def ask(question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
            questions[question.level].append(question)
            return BotChoice(rng.choice(question.legal)[1], 0.0)

        services.workers.ask = ask  # type: ignore[method-assign]
        seat = 1
        seats = seats_with_bots({seat: "listener", 2: "greedy"}, 3)
        wish = protocol.NewTable(game="bagarre", seats=seats, options={"first": 0}, start=True)
        table, _, _ = await services.creation.create(wish)
        await play_on(services, table, most=8)
        assert questions["greedy"]
        assert not any(question.history for question in questions["greedy"])
        question = msgspec.structs.replace(questions["listener"][-1], seed=1)
        kept = BotCache(files={"listener": file})
        assert kept.choose(question) in [text for _, text in question.legal]
        [(_, told, news)] = listener.told
        assert told == news, "a bot that joins is told first what its seat has seen so far"
        drawn = [event for event in told if event["key"] == "draw"]
        known = [event["seat"] for event in drawn if event["card"] != HIDDEN]
        assert len(known) >= 5, "the seat knows its own cards"
        assert set(known) == {seat}
        assert seat not in [event["seat"] for event in drawn if event["card"] == HIDDEN]

    run_with_services(tmp_path, story, bots=(CustomBot("listener", file, "bagarre"),))


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_shipped_bots_that_look_only_at_the_position_say_so(level):
    assert not make_bot(level).wants_events


class Replayed(Match):
    """A match in which nature does again what it did in a log."""

    def __init__(self, record: Record, rows: list[Row]) -> None:
        self.draws = iter([row.text for row in rows if row.actor == NATURE])
        state = record.start_state()
        super().__init__(state.game, state, random.Random(0), Record.begin(state))

    def chance(self) -> Action:
        return self.state.action(next(self.draws))


async def play_on(services: Services, table: TableEntry, most: int = 10_000) -> None:
    """Bots play by themselves, whoever sits in seat 0 takes the action in the middle."""
    for _ in range(most):
        await wait_for_bots(table)
        assert table.live is not None
        if table.live.state.over:
            return
        legal = table.live.state.legal(0)
        await services.moves.act(table, 0, legal[len(legal) // 2].text)


def compare(rows: list[Row], levels: dict[int, str], seed: int, anew: Collection[int] = (), **setup: Any) -> int:
    """Whether every move of a bot in a log is what the same bot does at a table of its own, with the same seed and
    the same moves of everybody else; bots sit down anew at the rows in `anew`. Returns how many were compared.
    """
    game = find_game(setup["game"])
    match = Replayed(Record(game.id, game.rules_version, setup["seats"], setup["options"]), rows)
    table = BotMatch(match, {seat: make_bot(level) for seat, level in levels.items()}, seed)
    compared = 0
    for row in rows:
        if row.number in anew:
            table = BotMatch(match, {seat: make_bot(level) for seat, level in levels.items()}, seed)
        if row.actor in levels:
            assert (row.kind, row.text) == ("bot", table.choose(row.actor).text), row
            compared += 1
        if row.actor != NATURE:
            table.apply(row.actor, row.text)
    return compared


@pytest.mark.parametrize(
    ("game", "options", "levels"),
    [
        ("recess", {"turns": 8}, {1: "normal", 2: "normal"}),
        ("bagarre", {}, {1: "easy", 2: "greedy"}),
        ("cour", {}, {0: "greedy", 1: "normal", 2: "random"}),
    ],
)
def test_a_live_bot_plays_as_a_measured_one_does(tmp_path, game, options, levels):
    """The same seed, the same table, the same moves: also where a bot goes on from what it thought before, and where
    several answer at once.
    """

    async def story(services: Services, clock: FakeClock) -> None:
        services.workers.new_seed = lambda: 99
        wish = protocol.NewTable(
            game=game, seats=seats_with_bots(levels, 3), options={"first": 0, **options}, start=True
        )
        table, _, _ = await services.creation.create(wish)
        await play_on(services, table)
        rows = await read_log(services, table)
        assert compare(rows, levels, 99, game=game, seats=3, options=table.table.options) > 15
        assert read_metric(services, "preau_bot_failures_total") == 0

    run_with_services(tmp_path, story)


def test_a_bot_whose_process_is_killed_starts_anew_and_play_goes_on(tmp_path):
    levels = {1: "normal", 2: "normal"}

    async def story(services: Services, clock: FakeClock) -> None:
        services.workers.new_seed = lambda: 7
        wish = protocol.NewTable(
            game="recess", seats=seats_with_bots(levels, 3), options={"first": 0, "turns": 8}, start=True
        )
        table, _, _ = await services.creation.create(wish)
        await play_on(services, table, most=4)
        await wait_for_bots(table)
        assert table.live is not None
        process = services.workers.home(table.id).worker.process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        killed = table.live.head + 1
        await play_on(services, table)
        fresh = services.workers.home(table.id).worker.process
        assert fresh is not None
        assert fresh.pid != process.pid
        rows = await read_log(services, table)
        setup: dict[str, Any] = {"game": "recess", "seats": 3, "options": table.table.options}
        assert compare(rows, levels, 7, {killed}, **setup) > 15
        with pytest.raises(AssertionError):  # what it had thought before makes a difference
            compare(rows, levels, 7, **setup)
        assert read_metric(services, "preau_bot_failures_total") == 0

    run_with_services(tmp_path, story)


def test_after_a_move_is_taken_back_bots_go_on(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        levels = {1: "easy", 2: "easy"}
        wish = protocol.NewTable(
            game="recess", seats=seats_with_bots(levels, 3), options={"first": 0, "turns": 6}, start=True
        )
        table, _, _ = await services.creation.create(wish)
        await play_on(services, table, most=4)
        await wait_for_bots(table)
        assert table.live is not None
        assert table.live.state.to_act == (0,)
        await services.undos.undo(table, 0, table.live.head)
        await play_on(services, table)
        rows = await read_log(services, table)
        assert any(row.kind == "undo" for row in rows)
        assert {row.kind for row in rows if row.actor in levels} == {"bot"}
        (await services.tables.record(table)).verify()

    run_with_services(tmp_path, story)


def test_a_bot_that_fails_is_stood_in_for(tmp_path, monkeypatch):
    """What is asked is no question that any bot could answer: the game's own stand-in plays, and the table goes on."""

    async def story(services: Services, clock: FakeClock) -> None:
        question = bot_round.question
        replace = msgspec.structs.replace
        monkeypatch.setattr(bot_round, "question", lambda *about: replace(question(*about), level="nobody"))
        wish = protocol.NewTable(game="recess", seats=seats_with_bots({1: "easy"}, 3), options={"first": 0}, start=True)
        table, _, _ = await services.creation.create(wish)
        assert table.live is not None
        while table.live.state.to_act != (1,):
            await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
        expected = table.live.state.zombie(1).text
        number = table.live.head + 1
        await wait_for_bots(table)
        assert (await read_log(services, table))[number - 1].text == expected
        assert read_metric(services, "preau_bot_failures_total") > 0

    run_with_services(tmp_path, story)
