"""Hints at a live table: for whoever plays with bots alone, from what the seat sees, and noted for good."""

from __future__ import annotations

import random
from typing import Any

import preau
from preau.review import hint
from tests.server.players import ME, OPEN, Api, Player, bot, run
from tests.server.processes import Server

Json = dict[str, Any]
SHORT = {"turns": 6}


async def ask(player: Player, **more: Any) -> Json:
    """Ask for a hint and wait for it, or for the refusal."""
    await player.send({"type": "hint", "at": player.number, **more})
    return await player.until("hinted", "refused")


def test_a_hint_comes_from_the_view_and_can_be_followed(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("bagarre", [ME, bot(), bot()], start=True)
            async with Player(default_server.url, made["table"]["id"], made["token"]) as player:
                found = await ask(player)
                own = hint(player.view)
                assert found["type"] == "hinted"
                assert (found["at"], found["seat"]) == (player.number, 0)
                assert found["idea"]["action"] == own["action"]
                assert found["idea"].get("reasons", []) == own["reasons"]
                assert found["idea"]["do"] == own["do"]
                step = await player.act(found["idea"]["action"])
                assert step["type"] == "step"

    run(story())


def test_asked_again_there_is_another_idea(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                ideas = [await ask(player)]
                while ideas[-1].get("more"):
                    ideas.append(await ask(player, rank=len(ideas)))
                assert len({found["idea"]["action"] for found in ideas}) == len(ideas) > 1
                assert all(found["idea"]["action"] in player.legal for found in ideas)
                over = await ask(player, rank=len(ideas))
                assert (over["type"], over["key"]) == ("refused", "no_idea")

    run(story())


def test_the_record_says_that_it_was_a_practice_game(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options=SHORT, start=True)
            table = made["table"]["id"]
            async with Player(server.url, table, made["token"]) as player, Player(server.url, table) as spectator:
                await ask(player)
                told = await spectator.until("table")
                assert told["table"]["hinted"] == 1
                assert "hinted" not in [message["type"] for message in spectator.traffic]
                await ask(player, rank=1)
                await player.play_on(random.Random(1))
            assert (await api.ok("GET", f"/tables/{table}"))["hinted"] == 2
            record = preau.Record.from_json(await api.ok("GET", f"/tables/{table}/record"))
            record.verify()
            assert record.hints == 2
            again = await api.ok("POST", f"/tables/{table}/rematch", token=made["token"])
            assert "hinted" not in await api.ok("GET", f"/tables/{again['id']}"), "that is another game"

    run(story())


def test_hints_asked_are_still_known_when_the_server_was_killed(tmp_path):
    database = f"sqlite:///{tmp_path}/preau.db"
    one = Server(database)

    async def before() -> str:
        async with Api(one.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(one.url, made["table"]["id"], made["token"]) as player:
                assert (await ask(player))["type"] == "hinted"
                one.kill()
            return str(made["table"]["id"])

    async def story() -> None:
        table = await before()
        two = Server(database)
        try:
            async with Api(two.url) as api:
                assert (await api.ok("GET", f"/tables/{table}"))["hinted"] == 1
        finally:
            two.stop()

    run(story())


def test_without_hints_by_the_table_nobody_gets_one(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], hints=False, start=True)
            assert made["table"]["hints"] is False
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                found = await ask(player)
                assert (found["type"], found["key"]) == ("refused", "no_hints")
            assert "hinted" not in await api.ok("GET", f"/tables/{made['table']['id']}")

    run(story())


def test_with_two_people_there_is_no_hint(server):
    """Not while both play, not when a bot sits in for one, and not when one has left: somebody may come back."""

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()])
            table, token = made["table"]["id"], made["token"]
            friend = (await api.ok("POST", f"/tables/{table}/join", {"name": "Bo"}))["token"]
            await api.ok("POST", f"/tables/{table}/start", token=token)
            async with Player(server.url, table, token) as player:
                found = await ask(player)
                assert (found["type"], found["key"], found["params"]) == ("refused", "hints_alone", {"seats": [1]})
                await api.ok("POST", f"/tables/{table}/leave", token=friend)
                left = await player.until("table")
                assert left["table"]["seats"][1]["kind"] == "open"
                assert (await ask(player))["key"] == "hints_alone"

    run(story())


def test_two_seats_of_one_device_are_two_people(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, ME, bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                assert (await ask(player, seat=0))["key"] == "hints_alone"

    run(story())


def test_only_the_own_question_of_now_can_be_asked_about(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            table = made["table"]["id"]
            async with Player(server.url, table, made["token"]) as player, Player(server.url, table) as spectator:
                assert (await ask(spectator))["key"] == "not_yours"
                assert (await ask(player, seat=1))["key"] == "not_yours"
                await player.act(player.legal[-1])
                assert (await ask(player, at=0))["key"] == "stale"
                assert (await ask(player, at=player.number + 5))["key"] == "ahead"
                await player.send({"type": "hint", "at": player.number, "rank": -1})
                assert (await player.until("refused"))["key"] == "malformed"

    run(story())


def test_one_hint_is_worked_out_at_a_time(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                for _ in range(3):
                    await player.send({"type": "hint", "at": 0})
                answers = [await player.until("hinted", "refused") for _ in range(3)]
                assert [answer.get("key", "") for answer in answers] == ["rate", "rate", ""]

    run(story())


def test_hints_are_weighed(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                for _ in range(20):  # without waiting: what may be asked grows back with time
                    await player.send({"type": "hint", "at": 0, "rank": 15})
                answers = [await player.until("hinted", "refused") for _ in range(20)]
                refused = [answer for answer in answers if answer.get("message", "").startswith("Too many hints. ")]
                assert 0 < len(refused) <= 10
                assert {answer["key"] for answer in refused} == {"rate"}
                assert (await player.act(player.legal[-1]))["type"] == "step", "and the game goes on"

    run(story())
