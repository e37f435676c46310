"""Playing over the socket: from creating a table to the record of the finished game."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.server.players import ME, OPEN, Api, Player, bot, run
from tests.server.tables_over_http import wait_for_record


def test_a_person_plays_bots_to_the_end(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options={"turns": 9}, start=True)
            async with Player(default_server.url, made["table"]["id"], made["token"]) as player:
                assert player.hello["seat"] == 0
                assert player.legal
                await player.play_on(random.Random(1))
                assert player.result is not None
                assert sum(player.result["scores"]) == 30
            record = await wait_for_record(api, made["table"]["id"])
            assert record.result == player.result
            assert all(entry.time for entry in record.entries)

    run(story())


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_bots_play_every_game_to_the_end(server, game):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create(game, [bot(), bot()], start=True)
            await wait_for_record(api, made["table"]["id"])

    run(story())


def test_three_people_play_each_on_their_own_line(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            # Short enough for the default rate of messages, however fast the machine plays it.
            made = await api.create("bagarre", [ME, OPEN], options={"goal": 6})
            table = made["table"]["id"]
            found = await api.ok("GET", f"/codes/{made['table']['code']}")
            assert found["id"] == table
            joined = await api.ok("POST", f"/tables/{table}/join", {"name": "Zoé"})
            assert joined["seats"] == [1]
            players = [Player(default_server.url, table, token) for token in (made["token"], joined["token"])]
            for player in players:
                await player.open()
                assert player.hello["view"] is None
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            for player in players:
                await player.until("hello")
            rng = random.Random(2)
            await asyncio.gather(*(player.play_on(rng) for player in players))
            assert players[0].result == players[1].result
            for player in players:
                await player.close()
            await wait_for_record(api, table)

    run(story())


def test_the_view_kept_from_steps_is_the_view_of_hello(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("cour", [ME, bot(), bot()], start=True)
            rng = random.Random(3)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                for _ in range(12):
                    if player.result is not None:
                        break
                    while not player.legal and player.result is None:
                        await player.next()
                    if player.legal:
                        await player.act(rng.choice(player.legal))
                    kept, number = dict(player.view), player.number
                    await player.send({"type": "resync"})
                    while (message := await player.next())["type"] != "hello":
                        kept, number = dict(player.view), player.number
                    if message["number"] == number:
                        assert message["view"] == kept

    run(story())
