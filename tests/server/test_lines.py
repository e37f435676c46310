"""Lines that break: reconnecting, sending again, and questions that have changed meanwhile."""

from __future__ import annotations

import random

from tests.server.players import ME, OPEN, Api, Player, bot, run


def test_a_gap_is_filled(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 12}, start=True)
            table, token = made["table"]["id"], made["token"]
            watcher = Player(server.url, table)
            await watcher.open()
            seen = watcher.number
            await watcher.close()
            rng = random.Random(5)
            async with Player(server.url, table, token) as player:
                for _ in range(6):
                    seat = player.to_act[0]
                    await player.send({"type": "look", "seat": seat})
                    await player.until("hello")
                    await player.act(rng.choice(player.legal), seat=seat)
                await watcher.open(last=seen)
                assert watcher.hello["gap"] is False
                assert [step["number"] for step in watcher.hello["log"]] == list(range(seen + 1, player.number + 1))
                assert watcher.number == player.number
                await watcher.close()
                await watcher.open(last=player.number)
                assert watcher.hello["log"] == []
                await watcher.close()

    run(story())


def test_an_action_sent_twice_happens_once(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, OPEN], options={"turns": 12})
            table = made["table"]["id"]
            for _ in range(2):
                await api.ok("POST", f"/tables/{table}/join", {"name": "x"})
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            async with Player(server.url, table, made["token"]) as player:
                before = player.number
                first = await player.act(player.legal[0], name="once", at=before)
                assert first["type"] == "step"
                again = await player.act("b1 zz", name="once", at=before)
                assert again == {"type": "ack", "id": "once", "number": first["first"]}
                await player.close()
                await player.open(last=before)
                again = await player.act("whatever", name="once", at=before)
                assert again["number"] == first["first"]

    run(story())


def test_an_answer_to_an_old_question_is_refused_and_changes_nothing(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 12}, start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                while len(player.legal) and player.to_act == [0]:
                    old = player.number
                    await player.act(player.legal[-1])
                    if player.to_act == [0]:
                        refused = await player.act(player.legal[0], at=old)
                        assert (refused["type"], refused["key"]) == ("refused", "stale")
                        assert refused["number"] == player.number
                        break
                ahead = await player.act(player.legal[0], at=player.number + 50)
                assert (ahead["type"], ahead["key"]) == ("refused", "ahead")

    run(story())


def test_simultaneous_answers_do_not_make_each_other_stale(server):
    """Others may answer first; the question to this seat is still the same one."""

    async def story() -> None:
        async with Api(server.url) as api:
            seats = [ME, ME, ME, ME]
            for _ in range(6):
                made = await api.create("cour", seats, start=True)
                async with Player(server.url, made["table"]["id"], made["token"]) as player:
                    rng = random.Random(7)
                    for _ in range(200):
                        if player.result is not None:
                            break
                        if len(player.to_act) > 1:
                            at = player.number
                            await look(player, player.to_act[0])
                            await player.act(player.legal[0], seat=player.to_act[0])
                            assert player.number > at
                            late = player.to_act[0]
                            await look(player, late)
                            answer = await player.act(player.legal[0], seat=late, at=at)
                            assert answer["type"] == "step"
                            return
                        await look(player, player.to_act[0])
                        await player.act(rng.choice(player.legal), seat=player.to_act[0])
            raise AssertionError("no simultaneous choice came up")

    run(story())


async def look(player: Player, seat: int) -> None:
    if player.hello["seat"] != seat:
        await player.send({"type": "look", "seat": seat})
        await player.until("hello")


def test_a_refused_move_names_the_rule(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                refused = await player.act("b1 l12")
                assert refused["type"] == "refused"
                assert refused["rule"].startswith("R")
                assert refused["key"]
                assert refused["message"].endswith(".")
                garbled = await player.act("sing")
                assert garbled["error"] == "MalformedAction"

    run(story())


def test_ping_and_presence_and_chat(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()])
            table = made["table"]["id"]
            joined = await api.ok("POST", f"/tables/{table}/join", {"name": "Léa"})
            async with Player(server.url, table, made["token"]) as one:
                await one.send({"type": "ping", "n": 7})
                assert (await one.until("pong"))["n"] == 7
                async with Player(server.url, table, joined["token"]) as other:
                    while (await one.until("presence"))["here"] != [0, 1]:
                        pass
                    await other.send({"type": "say", "text": "salut \u202e!"})
                    line = (await one.until("chat"))["line"]
                    assert (line["seat"], line["name"], line["text"]) == (1, "Léa", "salut !")
                    await one.send({"type": "say", "phrase": "good_luck"})
                    await other.until("chat")
                    assert (await other.until("chat"))["line"]["phrase"] == "good_luck"
                while (await one.until("presence"))["here"] != [0]:
                    pass
                async with Player(server.url, table) as watcher:
                    assert [line.get("text", "") for line in watcher.hello["chat"]] == ["salut !", ""]
                    await watcher.send({"type": "say", "text": "hi"})
                    assert (await watcher.until("refused"))["key"] == "seat_needed"

    run(story())
