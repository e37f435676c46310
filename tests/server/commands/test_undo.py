"""Taking back: freely while nothing was revealed, by consent afterwards."""

from __future__ import annotations

import random

import preau
from tests.server.players import ME, OPEN, Api, Player, bot, run


def test_the_own_last_decision_is_taken_back_freely(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options={"turns": 12}, start=True)
            async with Player(default_server.url, made["table"]["id"], made["token"]) as player:
                view, legal = dict(player.view), player.legal
                await player.act(player.legal[-1])
                assert player.to_act == [0]
                assert player.traffic[-1]["undo"] is True
                await player.send({"type": "undo", "at": player.number})
                back = await player.until("step")
                assert back["undone"] == 0
                assert player.legal == legal
                assert player.view == view
                assert player.log == []
                again = await player.act(player.legal[-2])
                assert again["type"] == "step"
                assert player.to_act == [0], "no bot acts meanwhile"
                await player.send({"type": "resync"})
                hello = await player.until("hello")
                assert [step["number"] for step in hello["log"]] == [again["number"]]
                await player.play_on(random.Random(1))
            record = await api.ok("GET", f"/tables/{made['table']['id']}/record")
            preau.Record.from_json(record).verify()

    run(story())


def test_after_somebody_else_acted_everybody_has_to_agree(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, OPEN], options={"turns": 12})
            table = made["table"]["id"]
            tokens = [made["token"]]
            for _ in range(2):
                tokens.append((await api.ok("POST", f"/tables/{table}/join", {"name": "x"}))["token"])
            await api.ok("POST", f"/tables/{table}/start", token=tokens[0])
            players = [Player(default_server.url, table, token) for token in tokens]
            for player in players:
                await player.open()
            zero, one, two = players
            while zero.to_act == [0]:
                await zero.act(zero.legal[0])
            last = zero.number
            while one.number < zero.number:
                await one.next()
            await one.act(one.legal[-1])
            while zero.number < one.number:
                await zero.next()
            before = zero.number
            await zero.send({"type": "undo", "at": zero.number})
            asks = (await zero.until("asks"))["asks"]
            assert (asks["by"], asks["agreed"], asks["needed"]) == (0, [0], [0, 1, 2])
            await one.until("asks")
            await one.send({"type": "agree", "at": asks["at"], "yes": True})
            assert (await zero.until("asks"))["asks"]["agreed"] == [0, 1]
            assert zero.number == before
            while two.number < before:
                await two.next()
            await two.send({"type": "agree", "at": asks["at"], "yes": True})
            back = await zero.until("step")
            assert back["undone"] == last - 1, "the last decision of whoever asked, and all that came after it"
            assert zero.to_act == [0]
            while (await one.until("step")).get("undone") is None:
                pass
            await one.send({"type": "undo", "at": one.number})
            assert (await one.until("refused"))["key"] == "nothing", "what it did was taken back already"
            await zero.act(zero.legal[0])
            while one.number < zero.number:
                await one.next()
            await one.act(one.legal[-1])
            while zero.number < one.number:
                await zero.next()
            await zero.send({"type": "undo", "at": zero.number})
            while two.number < zero.number:
                await two.next()
            await two.until("asks")
            await two.send({"type": "agree", "at": 1, "yes": False})
            assert (await two.until("asks"))["asks"]["by"] == 0, "a no to something else settles nothing"
            await two.send({"type": "agree", "at": one.number, "yes": False})
            while (await one.until("asks"))["asks"] is not None:
                pass
            stale = await one.act(one.legal[0], at=before)
            assert stale["key"] == "stale"

    run(story())


def test_a_spectator_and_an_old_number_cannot_undo(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options={"turns": 12}, start=True)
            table = made["table"]["id"]
            async with Player(server.url, table, made["token"]) as player, Player(server.url, table) as watcher:
                await player.act(player.legal[-1])
                await watcher.send({"type": "undo", "at": 1})
                assert (await watcher.until("refused"))["key"] == "not_yours"
                await player.send({"type": "undo", "at": 0})
                assert (await player.until("refused"))["key"] == "stale"

    run(story())
