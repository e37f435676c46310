"""Looking at a finished game together: one leads, the others see the same, here and at other processes."""

from __future__ import annotations

import random
import time
from typing import Any

from msgspec.structs import replace

from preau.server.cluster.messages import SharedStepShown
from preau.server.config import Limits
from preau.server.tables import shared_replay
from preau.server.tables.audience import Audience
from preau.table import protocol
from tests.server.in_process_server import InProcessServer, run_with_server, until
from tests.server.players import ME, Api, Player, bot, run, wait_until_over
from tests.server.tables_over_http import play_short_game

Json = dict[str, Any]
ARROW = {"kind": "arrow", "at": "b1", "to": "d4"}
RING = {"kind": "ring", "at": "hand 2"}


async def link(api: Api, table: str) -> Json:
    made: Json = await api.ok("POST", f"/tables/{table}/together")
    assert made["url"].endswith(f"/replay/{table}/with/{made['id']}")
    assert made["key"] not in made["url"], "whoever gets the link follows"
    return made


def lead(made: Json, step: int, **more: Any) -> Json:
    return {"type": "lead", "together": made["id"], "key": made["key"], "step": step, **more}


def follow(made: Json) -> Json:
    return {"type": "follow", "together": made["id"]}


async def shown(player: Player, step: int) -> Json:
    """What is shown, once it is this step."""
    while (led := await player.until("led"))["step"] != step:
        pass
    return led


async def counted(player: Player, many: int) -> Json:
    """What is shown, once so many look."""
    while (led := await player.until("led")).get("looking") != many:
        pass
    return led


def without_count(led: Json) -> Json:
    """What is shown, whoever looks."""
    return {key: value for key, value in led.items() if key != "looking"}


def test_whoever_follows_sees_step_eyes_and_marks_and_late_comers_see_the_same(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            table = await play_short_game(api)
            made = await link(api, table)
            async with Player(api.base, table) as leader, Player(api.base, table) as one:
                await one.send(follow(made))
                before = await one.until("led")
                assert (before["step"], before["leading"]) == (0, False), "nobody leads yet"
                await leader.send(lead(made, 2, eyes=1, marks=[ARROW, RING], name=" Zo\u00e9\u202e ", review=True))
                led = await shown(one, 2)
                assert (led["eyes"], led["marks"], led["leading"]) == (1, [ARROW, RING], True)
                assert (led["name"], led["review"], led["number"]) == ("Zo\u00e9", True, 1)
                async with Player(api.base, table) as late:
                    await late.send(follow(made))
                    assert without_count(await late.until("led")) == without_count(led)
                    await leader.send(lead(made, 3, eyes="all", playing=True))
                    for player in (one, late):
                        led = await shown(player, 3)
                        assert "marks" not in led
                        assert "review" not in led
                        assert (led["eyes"], led["playing"]) == ("all", True)
                    await late.send({"type": "follow"})
                    await late.send(follow(await link(api, table)))
                    assert (await late.until("led"))["leading"] is False, "another link is another party"
                    await leader.send(lead(made, 4))
                    await shown(one, 4)
                    await late.send({"type": "ping", "n": 1})
                    await late.until("pong")
                    steps = [(m["together"], m["step"]) for m in late.traffic if m["type"] == "led"]
                    assert (made["id"], 4) not in steps
                await leader.send(lead(made, 4, playing=True))
                await leader.close()
                while (gone := await one.until("led"))["leading"]:
                    pass
                assert (gone["step"], gone.get("playing")) == (4, None)
            async with Player(api.base, table) as back, Player(api.base, table) as other:
                await back.send(lead(made, 5))
                await other.send(follow(made))
                assert (await shown(other, 5))["leading"]

    run(story())


def test_nobody_leads_without_the_key_and_nothing_is_led_in_a_game_under_way(server):
    async def story() -> None:
        async with Api(server.url) as api:
            table = await play_short_game(api)
            made, other = await link(api, table), await link(api, await play_short_game(api))
            going = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(api.base, table) as player, Player(api.base, going["table"]["id"]) as early:
                for wrong in ({"key": other["key"]}, {"together": other["id"]}, {"key": "a" * 40}):
                    await player.send({**lead(made, 1), **wrong})
                    assert (await player.until("refused"))["key"] == "not_leading"
                await player.send(lead(made, 1, eyes=3))
                assert (await player.until("refused"))["field"] == "eyes"
                for message in (lead(made, 1), follow(made)):
                    await early.send(message)
                    assert (await early.until("refused"))["key"] == "not_over"
            answer = await api.call("POST", f"/tables/{going['table']['id']}/together")
            assert (answer.status_code, answer.json()["key"]) == (409, "not_over")

    run(story())


def test_marks_are_names_of_places_and_nothing_else(server):
    async def story() -> None:
        async with Api(server.url) as api:
            table = await play_short_game(api)
            made = await link(api, table)
            async with Player(api.base, table) as player:
                for wrong in (
                    {"marks": [RING] * 25},
                    {"marks": [{"kind": "ring", "at": "<b>"}]},
                    {"marks": [{"kind": "ring", "at": "x" * 33}]},
                    {"marks": [{"kind": "ring", "at": ""}]},
                    {"marks": [{"kind": "ring", "at": " b1"}]},
                    {"marks": [{"kind": "star", "at": "b1"}]},
                    {"marks": [{"kind": "ring", "at": "b1", "colour": "red"}]},
                    {"marks": [{"kind": "ring"}]},
                    {"marks": [{"kind": "ring", "at": "b1", "to": "b2"}]},
                    {"marks": [{"kind": "arrow", "at": "b1"}]},
                    {"marks": "b1"},
                    {"step": -1},
                    {"step": 100_001},
                    {"step": "2"},
                    {"eyes": 16},
                    {"eyes": "everybody"},
                    {"name": "x" * 97},
                    {"name": None},
                    {"review": 1},
                    {"playing": "yes"},
                    {"together": "../.."},
                    {"together": None},
                    {"key": ""},
                    {"more": 1},
                ):
                    await player.send({**lead(made, 1), **wrong})
                    assert (await player.until("refused"))["key"] == "malformed", wrong

    run(story())


def test_all_hear_how_many_look_and_hear_it_only_so_often(server):
    async def story() -> None:
        async with Api(server.url) as api:
            table = await play_short_game(api)
            made = await link(api, table)
            async with Player(api.base, table) as leader, Player(api.base, table) as one:
                await leader.send(lead(made, 1))
                await one.send(follow(made))
                assert (await one.until("led"))["looking"] == 2, "whoever leads is one of them"
                await leader.send(follow(made))
                assert (await leader.until("led"))["looking"] == 2, "and counts once"
                async with Player(api.base, table) as other:
                    await other.send(follow(made))
                    number = (await counted(one, 3))["number"]
                    assert number == 1, "nothing new is shown"
                    heard, since = len(one.traffic), time.monotonic()
                    for _ in range(10):
                        await other.send({"type": "follow"})
                        await other.send(follow(made))
                    await other.send({"type": "follow"})
                    await counted(one, 2)
                    times = sum(message["type"] == "led" for message in one.traffic[heard:])
                    assert times <= (time.monotonic() - since) / shared_replay.COUNT_SECONDS + 1
                await one.send({"type": "follow"})
                await counted(leader, 1)

    run(story())


def test_the_other_process_shows_the_same_and_tells_when_nobody_leads_any_more(pair):
    async def story() -> None:
        async with Api(pair[0].url) as here, Api(pair[1].url) as there:
            table = await play_short_game(here)
            await wait_until_over(there, table)
            made = await link(there, table)
            async with Player(here.base, table) as leader, Player(there.base, table) as early:
                await early.send(follow(made))
                await early.until("led")
                await leader.send(lead(made, 2, marks=[RING]))
                assert (await shown(early, 2))["marks"] == [RING]
                await leader.send(follow(made))
                await counted(leader, 2)
                async with Player(there.base, table) as late:
                    await late.send(follow(made))
                    assert (await shown(late, 2))["leading"]
                    await counted(leader, 3)
                    await counted(early, 3)
                await counted(leader, 2)
                await leader.close()
                while (led := await early.until("led"))["leading"] or led["looking"] > 1:
                    pass

    run(story())


def test_so_much_is_shown_by_so_many_and_nothing_is_kept_of_it(tmp_path):
    async def story(server: InProcessServer) -> None:
        made = await server.create_table(options={"first": 0, "turns": 1}, start=True)
        table, token = made["table"]["id"], made["token"]
        entry = await server.services.tables.get(table)
        rng = random.Random(1)
        while entry.status != "over":
            live = entry.live or server.services.tables.rebuild(entry, await server.services.tables.log(entry))
            seat = live.state.to_act[0]
            await server.services.moves.act(entry, seat, rng.choice(live.state.legal(seat)).text)
        most = Limits().shared_replays_per_table
        links = [(await server.call("POST", f"/tables/{table}/together")).json() for _ in range(most + 2)]
        raw = await server.open_websocket(table, token=token)
        for one in links[: most + 1]:
            raw.post(**follow(one))
        assert (await raw.until("refused"))["key"] == "together_full"
        leader = await server.open_websocket(table)
        leader.post(**lead(links[-1], 1))
        await until(lambda: links[-1]["id"] in (entry.audience.together or {}))
        assert len(entry.audience.together or {}) == most, "those whom nobody leads make room"
        for step in range(Limits().leads_burst + 5):
            leader.post(**lead(links[-1], step))
        assert (await leader.until("refused"))["key"] == "rate"
        raw.abort()
        leader.abort()
        await until(lambda: entry.audience.together is None)

    run_with_server(tmp_path, story)


def test_a_leader_whose_process_is_not_heard_of_leads_nobody(monkeypatch):
    """What another process said holds for a while only."""
    clock = [100.0]
    monkeypatch.setattr("preau.server.tables.shared_replay.time.monotonic", lambda: clock[0])
    told: list[bool] = []

    class Line:
        holder, eyes = None, None

        def push(self, data: bytes) -> None:
            told.append(b'"leading":true' in data)

        def leave(self, reason: str, *, again: bool) -> None:
            raise AssertionError

    class Bus:
        shared = True

        def publish(self, table: str, message: Any) -> None: ...

    entry: Any = type("Found", (), {"id": "t", "status": "over", "audience": Audience()})()
    found = shared_replay.SharedReplays(Limits(), None, Bus())  # type: ignore[arg-type]
    line: Any = Line()
    found.follow(entry, line, "party")
    led = protocol.LedMessage(together="party", step=3, leading=True, number=1)
    found.hear_step(entry, SharedStepShown(led), "there")
    clock[0] += shared_replay.HEARD_SECONDS - 1
    found.announce(entry)
    found.hear_step(entry, SharedStepShown(replace(led, step=2, leading=False)), "elsewhere")
    assert told[-1], "a process in which somebody led before says so too late"
    clock[0] += 2
    found.announce(entry)
    assert told == [False, False, True, False]
