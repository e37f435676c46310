"""The challenge of the day at a server: the same for all at this one, unlike any other's, and nobody can look ahead."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import preau
from preau.bots.base import BotError
from preau.core.record import Record
from preau.host.questions import BotQuestion
from preau.learn.challenge import by_key, verify
from preau.server.services import Services
from preau.server.tables.table_entry import TableEntry
from preau.server.workers.pool import BotChoice, Requester
from preau.table.log import Row, record_of
from tests.server.bot_tables import busy_worker, wait_for_bots
from tests.server.fake_viewers import FakeSpectator
from tests.server.players import ME, Api, Player, bot, run
from tests.server.processes import Server
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import read_log

Json = dict[str, Any]
DAY_MS = 86_400_000
GAMES = preau.game_ids()


async def day_of(api: Api) -> str:
    return str((await api.ok("GET", "/challenges"))["today"])


async def sit(api: Api, game: str, day: str) -> Json:
    made: Json = await api.ok("POST", f"/challenges/{game}/{day}", {"name": "Zoé"})
    return made


async def play(api: Api, game: str, day: str, seed: int = 1) -> tuple[Json, list[Json]]:
    """A whole try: its record, and every message."""
    made = await sit(api, game, day)
    table = made["table"]["id"]
    async with Player(api.base, table, made["token"]) as player:
        await player.play_on(random.Random(seed))
        traffic = [made, *player.traffic]
    return await api.ok("GET", f"/tables/{table}/record"), traffic


class Yesterday(NamedTuple):
    """What was done at a server on a day that is over there now."""

    server: Server
    day: str
    tries: dict[str, list[Json]]
    """The records of three tries at each challenge, the first two with the same moves."""
    told: str
    """Everything that was sent."""
    begun: Json
    """A try that is not over."""


@pytest.fixture(scope="module")
def yesterday(tmp_path_factory) -> Iterator[Yesterday]:
    folder: Path = tmp_path_factory.mktemp("challenges")
    clock = folder / "clock"
    clock.write_text("0")
    server = Server(f"sqlite:///{folder}/preau.db", clock=clock)
    found: list[Yesterday] = []

    async def story() -> None:
        async with Api(server.url) as api:
            day = await day_of(api)
            told: list[Any] = [await api.ok("GET", path) for path in ("/challenges", "/games")]
            tries: dict[str, list[Json]] = {}
            for game in GAMES:
                played = [await play(api, game, day, seed) for seed in (1, 1, 2)]
                tries[game] = [record for record, _ in played]
                told += [played, await api.ok("GET", f"/challenges/{game}/{day}")]
            begun = await sit(api, "recess", day)
            async with Player(api.base, begun["table"]["id"], begun["token"]) as player:
                while len([step for step in player.log if step["actor"] == 0]) < 3:
                    await (player.act(player.legal[0]) if player.legal else player.next())
            found.append(Yesterday(server, day, tries, json.dumps(told), begun))

    run(story())
    server.stop()
    clock.write_text(str(DAY_MS))
    server.start()
    server.wait()
    yield found[0]
    server.stop()


def key_of(yesterday: Yesterday, game: str) -> str:
    answer = yesterday.server.ask("GET", f"/api/challenges/{game}/{yesterday.day}").json()
    assert answer["today"] > yesterday.day
    return str(answer["key"])


@pytest.mark.parametrize("game", GAMES)
def test_the_same_moves_give_the_same_steps_and_verify_the_day_after(yesterday, game):
    one, two, other = yesterday.tries[game]
    assert one["actions"] == two["actions"] != other["actions"]
    assert one["options"] == two["options"] == other["options"]
    assert one["meta"]["challenge"] == {"day": yesterday.day, "kind": "server"}
    for record in (one, two, other):
        verdict = verify(Record.from_json(record), key_of(yesterday, game))
        assert verdict.measure == record["result"]["scores"][0]
        assert not verdict.late


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_is_sent_on_a_day_tells_its_key(yesterday, game):
    day = by_key(game, date.fromisoformat(yesterday.day), key_of(yesterday, game))
    secrets = [day.key.hex(), *(str(seed) for seed in (day.seed("start"), day.bot_seed(0), day.seed("chance 0")))]
    assert not [secret for secret in secrets if secret in yesterday.told]
    assert '"key"' in yesterday.told  # of events; but not of the challenge
    today = yesterday.server.ask("GET", "/api/challenges").json()["today"]
    assert "key" not in yesterday.server.ask("GET", f"/api/challenges/{game}/{today}").json()


def test_a_try_begun_before_midnight_may_be_ended_after_it_and_past_days_can_be_played(yesterday):
    async def story() -> None:
        async with Api(yesterday.server.url) as api:
            table = yesterday.begun["table"]["id"]
            async with Player(api.base, table, yesterday.begun["token"]) as player:
                await player.play_on(random.Random(5))
            record = await api.ok("GET", f"/tables/{table}/record")
            again, _ = await play(api, "recess", yesterday.day, seed=9)
            assert record["options"] == again["options"] == yesterday.tries["recess"][0]["options"]
            for one in (record, again):
                assert verify(Record.from_json(one), key_of(yesterday, "recess")).late

    run(story())


def test_another_server_has_another_challenge_and_the_same_one_after_a_restart(tmp_path, server):
    own = Server(f"sqlite:///{tmp_path}/preau.db")

    async def deal(url: str) -> list[Json]:
        async with Api(url) as api:
            day = await day_of(api)
            made = await sit(api, "bagarre", day)
            async with Player(url, made["table"]["id"], made["token"]) as player:
                return [player.hello["view"], player.hello["table"]["options"]]

    async def story() -> None:
        before = await deal(own.url)
        assert before == await deal(own.url)
        assert before != await deal(server.url)
        own.stop()
        own.start()
        own.wait()
        assert before == await deal(own.url)

    try:
        run(story())
    finally:
        own.stop()


def test_all_processes_of_a_server_have_the_same_challenge(pair):
    async def story() -> None:
        records = []
        for one in pair:
            async with Api(one.url) as api:
                records.append((await play(api, "cour", await day_of(api)))[0])
        assert records[0]["actions"] == records[1]["actions"]

    run(story())


def test_nothing_is_taken_back_nobody_helps_and_nobody_joins(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await sit(api, "recess", await day_of(api))
            table, token = made["table"]["id"], made["token"]
            assert made["table"]["challenge"] == await day_of(api)
            assert made["table"]["hints"] is False
            assert [seat["kind"] for seat in made["table"]["seats"]] == ["person", "bot", "bot"]
            async with Player(api.base, table, token) as player:
                while not player.legal:
                    await player.next()
                step = await player.act(player.legal[0])
                assert not step.get("undo")
                for wish in ({"type": "undo", "at": player.number}, {"type": "hint", "at": player.number}):
                    await player.send(wish)
                    said = await player.until("refused")
                    assert said["key"] == {"undo": "challenge_undo", "hint": "no_hints"}[str(wish["type"])]
                for method, path, body, key in (
                    ("PUT", "/seats/0", {"kind": "bot", "level": "expert"}, "challenge_seat"),
                    ("PUT", "/seats/1", {"kind": "bot", "level": "easy"}, "not_yours"),
                    ("POST", "/join", {"name": "Malo"}, "no_seat"),
                    ("POST", "/rematch", None, "not_over"),
                ):
                    answer = await api.call(method, f"/tables/{table}{path}", body, None if path == "/join" else token)
                    assert answer.json()["key"] == key, path
                await player.play_on(random.Random(3))
            answer = await api.call("POST", f"/tables/{table}/rematch", token=token)
            assert (answer.status_code, answer.json()["key"]) == (403, "challenge_again")

    run(story())


def test_a_bot_that_plays_for_whoever_left_is_in_the_record(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await sit(api, "cour", await day_of(api))
            table = made["table"]["id"]
            async with Player(api.base, table) as spectator:
                await api.ok("POST", f"/tables/{table}/leave", token=made["token"])
                answer = await api.call("POST", f"/tables/{table}/join", {"name": "Malo"})
                assert answer.json()["key"] in ("no_newcomers", "over")
                while spectator.result is None:
                    await spectator.next()
            record = await api.ok("GET", f"/tables/{table}/record")
            assert record["meta"]["challenge"]["others"] > 0

    run(story())


def test_what_is_no_challenge_is_refused(server):
    async def story() -> None:
        async with Api(server.url) as api:
            about = await api.ok("GET", "/challenges")
            assert sorted(about["games"]) == GAMES
            assert 0 < about["next"] - about["now"] <= DAY_MS
            for path, status, key in (
                ("recess/2999-01-01", 404, "challenge_day"),
                ("recess/2026-10-31", 404, "challenge_day"),
                ("recess/2026-11-31", 404, "challenge_day"),
                ("recess/yesterday", 404, "challenge_day"),
                ("recess/20261102", 404, "challenge_day"),
                ("chess/2026-11-02", 400, "no_game"),
            ):
                for method, body in (("GET", None), ("POST", {})):
                    answer = await api.call(method, f"/challenges/{path}", body)
                    assert answer.status_code == status, (path, answer.text)
                    assert answer.json()["key"] == key, answer.text
            answer = await api.call("POST", f"/challenges/recess/{about['today']}", {"options": {}})
            assert answer.status_code == 400
            plain = await api.create("recess", [ME, bot(), bot()], start=True)
            assert "challenge" not in plain["table"]

    run(story())


# Bots that have no time, or fail.

DAY = "2026-11-17"


async def moved(services: Services) -> TableEntry:
    """A try at which somebody looks, and bots are to move."""
    wish = services.daily_challenges.wish("recess", DAY, "Zoé")
    table, _, _ = await services.creation.create(wish, challenge=DAY)
    await services.broadcaster.send_hello(table, FakeSpectator())
    return table


async def at_rest(services: Services, table: TableEntry) -> list[Row]:
    """The log once the person is to act and has done so, and the bots have answered."""
    await wait_for_bots(table)
    assert table.live is not None
    while table.live.state.to_act == (0,):
        await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
    await wait_for_bots(table)
    return await read_log(services, table)


def test_however_busy_the_server_is_no_quick_bot_stands_in(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        async with busy_worker(services):
            table = await moved(services)
            while not services.bot_player.waiting(people=True):
                await asyncio.sleep(0)
                if table.live is not None and table.live.state.to_act == (0,):
                    await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
        kinds = {(row.actor, row.kind) for row in await at_rest(services, table)}
        assert kinds == {(0, "act"), (1, "bot"), (2, "bot")}

    run_with_services(tmp_path, story, bot_wait_ms=1)


@pytest.mark.parametrize(("failures", "kind"), [(2, "bot"), (3, "skipped")])
def test_a_bot_that_fails_is_asked_again_and_what_is_done_for_it_is_counted(tmp_path, failures, kind):
    async def story(services: Services, clock: FakeClock) -> None:
        ask = services.workers.ask
        asked: list[tuple[str, int | None]] = []

        async def fail(question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
            asked.append((question.level, question.seed))
            if len(asked) <= failures:
                raise BotError("it broke down")
            return await ask(question, seconds, asker)

        services.workers.ask = fail  # type: ignore[method-assign]
        table = await moved(services)
        rows = await at_rest(services, table)
        assert next(row.kind for row in rows if row.actor > 0) == kind
        assert len(set(asked[:failures])) == 1, "the same bot with the same chance"
        assert table.live is not None
        meta = record_of(table.table, rows, table.live.state).meta
        assert meta["challenge"].get("others", 0) == (kind == "skipped")

    run_with_services(tmp_path, story)
