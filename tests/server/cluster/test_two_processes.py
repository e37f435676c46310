"""Two processes, one PostgreSQL, one Redis: any of them serves any table, and only one can win a number."""

from __future__ import annotations

import asyncio
import random

from tests.server.players import ME, OPEN, Api, Player, run
from tests.server.processes import Server
from tests.server.tables_over_http import seat_two_players, wait_for_record


def test_a_person_on_each_process_plays_at_one_table(pair):
    async def story() -> None:
        table, first, second = await seat_two_players(pair, "bagarre")
        here = second.hello["presence"]["here"]
        while here != [0, 1]:  # the news from the other process may still be on its way
            here = (await second.until("presence"))["here"]
        rng = random.Random(4)
        await asyncio.gather(first.play_on(rng), second.play_on(rng))
        assert first.result == second.result
        assert [step["number"] for step in first.log] == [step["number"] for step in second.log]
        async with Api(pair[1].url) as api:
            await wait_for_record(api, table)

    run(story())


def test_a_process_that_missed_the_news_looks_into_the_database(tmp_path):
    """No Redis, and no sweep before the test ends: what the other process wrote is known all the same."""
    both = [Server(f"sqlite:///{tmp_path}/preau.db", sweep_ms=600_000) for _ in range(2)]

    async def story() -> None:
        async with Api(both[0].url) as here, Api(both[1].url) as there:
            made = await here.create("bagarre", [ME, OPEN])
            table = made["table"]["id"]
            await there.ok("POST", f"/tables/{table}/join", {"name": "Ana"})
            assert (await here.ok("GET", f"/tables/{table}"))["seats"][1]["name"] == "Ana"
            await here.ok("POST", f"/tables/{table}/start", token=made["token"])
            assert (await there.ok("GET", f"/tables/{table}"))["status"] == "playing"
            async with Player(both[0].url, table, made["token"]) as player:
                while player.to_act == player.hello["to_act"]:
                    await player.act(player.legal[0])
                assert (await there.ok("GET", f"/tables/{table}"))["to_act"] == player.to_act

    try:
        run(story())
    finally:
        for one in both:
            one.stop()


def test_of_two_processes_acting_at_once_one_wins(pair):
    """The same seat, on two devices at two processes, answers the same question differently at the same moment."""

    async def story() -> None:
        async with Api(pair[0].url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 20}, start=True)
            table, token = made["table"]["id"], made["token"]
            both = [Player(one.url, table, token) for one in pair]
            for player in both:
                await player.open()
            won = 0
            for _ in range(12):
                number, seat = both[0].number, both[0].to_act[0]
                legal = {}
                for player in both:
                    await player.send({"type": "look", "seat": seat})
                    await player.until("hello")
                    legal[player] = player.legal
                answers = await asyncio.gather(
                    *(player.act(legal[player][at], seat=seat, at=number) for at, player in enumerate(both))
                )
                kinds = sorted(answer["type"] for answer in answers)
                assert kinds == ["refused", "step"], answers
                won += 1
                for player in both:
                    while player.number == number:
                        await player.next()
                assert both[0].number == both[1].number
            assert won == 12
            for player in both:
                await player.close()

    run(story())


def test_a_resent_action_is_known_to_the_other_process(pair):
    async def story() -> None:
        async with Api(pair[0].url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 20}, start=True)
            table, token = made["table"]["id"], made["token"]
            async with Player(pair[0].url, table, token) as first:
                done = await first.act(first.legal[0], name="mine", at=first.number)
            async with Player(pair[1].url, table, token) as second:
                again = await second.act("pass", name="mine", at=0)
            assert again["number"] == done["first"]

    run(story())


def test_chat_seats_and_moves_reach_the_other_process(pair):
    async def story() -> None:
        table, first, second = await seat_two_players(pair, "recess", options={"turns": 9})
        await first.send({"type": "say", "phrase": "hello"})
        assert (await second.until("chat"))["line"]["seat"] == 0
        async with Api(pair[0].url) as here, Api(pair[1].url) as there:
            link = await here.ok("POST", f"/tables/{table}/move", token=first.token)
            moved = await there.ok("POST", "/move", {"code": link["code"]})
            assert (await first.until("bye"))["reason"] == "moved"
            first.token, first.bases = moved["token"], [pair[1].url]
            await first.open()
            await there.ok("PUT", f"/tables/{table}/seats/1", {"kind": "bot", "level": "random"}, second.token)
            while not (await first.until("table"))["table"]["seats"][1].get("stand_in"):
                pass
        await second.close()
        await first.play_on(random.Random(6))
        await first.close()

    run(story())


def test_play_goes_on_when_redis_goes_away_and_comes_back(postgres):
    from tests.server.processes import Redis

    redis = Redis()
    both = [Server(url, redis.url) for url in [postgres.new_database()] * 2]

    async def story() -> None:
        _, first, second = await seat_two_players(both, "bagarre")
        rng = random.Random(9)
        redis.stop()
        for player in (first, second) * 5:
            while not player.legal and player.result is None:
                other = second if player is first else first
                if other.legal and not player.to_act.count(player.hello["seat"]):
                    await other.act(rng.choice(other.legal))
                await player.next()
            if player.legal:
                await player.act(rng.choice(player.legal))
        redis.start()
        await asyncio.gather(first.play_on(rng), second.play_on(rng))
        assert first.result == second.result
        await first.close()
        await second.close()

    try:
        run(story())
    finally:
        for one in both:
            one.stop()
        redis.stop()


def test_two_processes_share_one_sqlite_file(tmp_path, redis):
    both = [Server(f"sqlite:///{tmp_path}/preau.db", redis.url) for _ in range(2)]

    async def story() -> None:
        table, first, second = await seat_two_players(both, "cour")
        rng = random.Random(8)
        await asyncio.gather(first.play_on(rng), second.play_on(rng))
        assert first.result == second.result
        async with Api(both[0].url) as api:
            await wait_for_record(api, table)

    try:
        run(story())
    finally:
        for one in both:
            one.stop()
