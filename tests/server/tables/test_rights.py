"""Who may do what, where it takes a server: tokens that move, people the host has removed, several processes.

What a table itself allows and refuses: `tests.table.test_rights`, which runs behind the server, too.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from preau.server.cluster.messages import PresenceChanged
from preau.server.services import Services
from preau.server.storage.queries import load_table, update_table
from preau.server.tables import credentials
from preau.table import protocol, seating
from preau.table.refusals import TooLate
from tests.server.fake_viewers import FakeViewer
from tests.server.players import ME, OPEN, Api, Json, Player, bot, run
from tests.server.processes import Server
from tests.server.running_services import FakeClock, run_with_services


async def rematch_of(server: Server, api: Api, made: Json) -> str:
    """Play a table's game to its end, and then once more: the new table."""
    table = made["table"]["id"]
    async with Player(server.url, table, made["token"]) as player:
        await player.play_on(random.Random(3))
    return str((await api.ok("POST", f"/tables/{table}/rematch", token=made["token"]))["id"])


async def short_game(api: Api) -> Json:
    return await api.create("recess", [ME, bot(), bot()], options={"turns": 3}, start=True)


async def move(api: Api, table: str, token: str) -> str:
    """Go on with another device: its token."""
    link = await api.ok("POST", f"/tables/{table}/move", token=token)
    return str((await api.ok("POST", "/move", {"code": link["code"]}))["token"])


async def opens(api: Api, table: str, token: str) -> bool:
    """Whether a token opens seats at a table."""
    return (await api.call("POST", f"/tables/{table}/move", token=token)).status_code == 200


# Another device, and the tables before and after.


def test_whoever_moves_after_a_rematch_has_moved_at_both_tables(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await short_game(api)
            old, token = made["table"]["id"], made["token"]
            new = await rematch_of(server, api, made)
            async with Player(server.url, old, token) as here, Player(server.url, new, token) as there:
                lost = await api.ok("POST", f"/tables/{new}/move", token=token)
                moved = await move(api, old, token)
                for player in (here, there):
                    bye = await player.until("bye")
                    assert (bye["reason"], bye["again"]) == ("moved", False)
            assert (await api.call("POST", "/move", {"code": lost["code"]})).status_code == 404, "made before the move"
            for table in (old, new):
                assert await opens(api, table, moved)
                assert not await opens(api, table, token)
            async with Player(server.url, new, moved) as again:
                assert again.hello["seats"] == [0]
                await again.play_on(random.Random(4))

    run(story())


def test_whoever_moves_before_a_rematch_plays_it_with_the_new_token(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await short_game(api)
            old = made["token"]
            made["token"] = await move(api, made["table"]["id"], old)
            new = await rematch_of(server, api, made)
            assert await opens(api, new, made["token"])
            assert not await opens(api, new, old)
            assert not await opens(api, made["table"]["id"], old)

    run(story())


def test_whoever_leaves_one_table_keeps_the_seat_at_the_other(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await short_game(api)
            old, token = made["table"]["id"], made["token"]
            new = await rematch_of(server, api, made)
            async with Player(server.url, new, token) as player:
                await api.ok("POST", f"/tables/{old}/leave", token=token)
                assert not await opens(api, old, token)
                assert await opens(api, new, token)
                await player.play_on(random.Random(5))

    run(story())


def test_moving_at_one_table_moves_nobody_else(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()])
            table = made["table"]["id"]
            guest = (await api.ok("POST", f"/tables/{table}/join", {"name": "Guest"}))["token"]
            await move(api, table, made["token"])
            assert await opens(api, table, guest)

    run(story())


# Whom the host has removed.


def as_if_from(api: Api, address: str) -> None:
    """What this client asks from now on comes from another address, as a proxy tells it."""
    api.client.headers["X-Forwarded-For"] = address


async def guest_from(api: Api, table: str, address: str) -> Json:
    as_if_from(api, address)
    guest: Json = await api.ok("POST", f"/tables/{table}/join", {"name": "Guest"})
    return guest


async def why_not(api: Api, table: str, token: str | None = None) -> Json:
    """Why somebody cannot sit down."""
    answer = await api.call("POST", f"/tables/{table}/join", {"name": "Again"}, token)
    assert answer.status_code == 403, answer.text
    problem: Json = answer.json()
    return problem


def test_whoever_was_removed_stays_away_for_a_while(server):
    async def story() -> None:
        async with Api(server.url) as host, Api(server.url) as api:
            made = await host.create("recess", [ME, OPEN, OPEN])
            table = made["table"]["id"]
            guest = await guest_from(api, table, "10.1.1.1")
            link = await api.ok("POST", f"/tables/{table}/move", token=guest["token"])
            async with Player(server.url, table, guest["token"]) as player:
                await host.ok("PUT", f"/tables/{table}/seats/1", {"kind": "open"}, made["token"])
                bye = await player.until("bye")
                assert (bye["reason"], bye["again"]) == ("removed", False)
            problem = await why_not(api, table, guest["token"])
            assert (problem["key"], problem["params"]) == ("removed", {"minutes": 10})
            assert (await why_not(api, table))["key"] == "removed", "from the same address, without the token"
            assert (await api.call("POST", "/move", {"code": link["code"]})).status_code == 404
            back = Player(server.url, table, guest["token"])
            with pytest.raises(ConnectionClosed, match="removed"):
                await back.open()
            async with Player(server.url, table) as watcher:
                assert watcher.hello["seat"] is None, "anybody may watch"
            elsewhere = await api.create("recess", [ME, OPEN, OPEN])
            await api.ok("POST", f"/tables/{elsewhere['table']['id']}/join", {"name": "Guest"})
            as_if_from(api, "10.1.1.2")
            other = await api.ok("POST", f"/tables/{table}/join", {"name": "Somebody else"})
            as_if_from(api, "10.1.1.1")
            sister = await api.ok("POST", f"/tables/{table}/join", {"name": "Sister"}, other["token"])
            assert sister["seats"] == [1, 2], "whoever has a seat was not removed, wherever they come from"

    run(story())


def test_of_a_class_behind_one_address_only_one_is_removed(server):
    """Somebody who stays comes from the same address: it is not barred, the token is."""

    async def story() -> None:
        async with Api(server.url) as host, Api(server.url) as api:
            as_if_from(host, "10.2.2.1")
            made = await host.create("recess", [ME, OPEN, OPEN, OPEN])
            table = made["table"]["id"]
            guest = await guest_from(api, table, "10.2.2.2")
            await guest_from(api, table, "10.2.2.2")
            await host.ok("PUT", f"/tables/{table}/seats/1", {"kind": "bot", "level": "random"}, made["token"])
            assert (await why_not(api, table, guest["token"]))["key"] == "removed"
            await api.ok("POST", f"/tables/{table}/join", {"name": "A third one"})

    run(story())


def test_a_while_is_ten_minutes_and_not_all_are_remembered(monkeypatch):
    now = 100.0
    removed = credentials.RemovedPlayers(lambda: now)
    removed.add("table", "ann")
    assert removed.seconds("table", "ann") == 600
    assert removed.seconds("other", "ann") <= 0
    now += 599
    assert removed.seconds("table", "ann") == 1
    now += 1
    assert removed.seconds("table", "ann") == 0
    removed.add("table", "bob")
    assert len(removed) == 1, "who may come back is forgotten"
    monkeypatch.setattr(credentials, "MOST", 5)
    for number in range(9):
        removed.add("table", str(number))
    assert [number for number in range(9) if removed.seconds("table", str(number)) > 0] == [4, 5, 6, 7, 8]
    assert len(removed) == 5


def test_where_people_come_from_is_forgotten_when_the_game_begins(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me"), protocol.SeatWish(kind="open")])
        entry, _, _ = await services.creation.create(wish)
        _, guest = await services.seats.join(entry, protocol.TakeSeat(), None, "10.4.4.4")
        assert entry.addresses == {guest: {"10.4.4.4"}}
        await services.game_start.start(entry)
        entry.came(guest, "10.4.4.5")
        assert entry.addresses == {}

    run_with_services(tmp_path, story)


def test_whoever_is_removed_in_another_process_is_told_there(pair):
    async def story() -> None:
        one, other = pair
        async with Api(one.url) as host, Api(other.url) as api:
            made = await host.create("recess", [ME, OPEN, OPEN])
            table = made["table"]["id"]
            guest = await guest_from(api, table, "10.3.3.3")
            async with Player(other.url, table, guest["token"]) as player:
                await host.ok("PUT", f"/tables/{table}/seats/1", {"kind": "open"}, made["token"])
                assert (await player.until("bye"))["reason"] == "removed"
            assert (await why_not(api, table))["key"] == "removed"
            for there in (host, api):
                assert (await why_not(there, table, guest["token"]))["key"] == "removed"

    run(story())


# Several processes, and what is known of the others.


async def game_of_two(services: Services) -> tuple[Any, str, str]:
    """A game of secrets with a host and a guest, by their holders' names."""
    wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me"), protocol.SeatWish(kind="open")])
    entry, _, host = await services.creation.create(wish)
    _, guest = await services.seats.join(entry, protocol.TakeSeat(name="Guest"), None)
    await services.game_start.start(entry)
    return entry, host, guest


def test_while_other_processes_cannot_be_heard_nobody_counts_as_away(tmp_path, monkeypatch):
    async def story(services: Services, clock: FakeClock) -> None:
        entry, host, guest = await game_of_two(services)
        live = entry.live
        seat = live.state.to_act[0]
        asker, now = (guest, host)[seat], 1_000.0
        monkeypatch.setattr(services, "clock", lambda: now)
        entry.audience.enter(FakeViewer(asker, 1 - seat))

        async def ask() -> str:
            with pytest.raises(TooLate) as refusal:
                await services.seats.set_seat(entry, seat, protocol.SetSeat(kind="bot", level="random"), asker)
            return refusal.value.key

        assert await ask() == "not_yet"
        now += 29
        monkeypatch.setattr(services.bus, "shared", True)
        monkeypatch.setattr(services.bus, "up", False)
        assert await ask() == "presence"
        now += 29
        monkeypatch.setattr(services.bus, "up", True)
        assert await ask() == "not_yet", "what was not known counts as just now"
        now += 29
        await services.remote_events.hear(entry.id, PresenceChanged([seat], 0), "other")
        await services.remote_events.hear(entry.id, PresenceChanged([], 0), "other")
        now += 29
        assert await ask() == "not_yet", "they were there, in another process"
        now += 1
        await services.seats.set_seat(entry, seat, protocol.SetSeat(kind="bot", level="random"), asker)
        assert entry.table.seats[seat].stand_in == "random"

    run_with_services(tmp_path, story)


def test_whoever_left_in_another_process_looks_through_no_eyes_any_more(tmp_path):
    """The news of it got lost: what the database says is enough."""

    async def story(services: Services, clock: FakeClock) -> None:
        entry, _, guest = await game_of_two(services)
        viewer = FakeViewer(guest, 1)
        entry.audience.enter(viewer)

        def leave(connection: Any) -> None:
            stored = load_table(connection, entry.id)
            assert stored is not None
            update_table(connection, stored.table, seating.leave(stored.table, guest, services.config))

        await services.store.write(leave)
        await services.broadcaster.poll()
        assert viewer.viewpoint is None

    run_with_services(tmp_path, story)


@pytest.mark.parametrize("what", ["record", "replay", "replay?seat=1"])
def test_a_game_under_way_has_no_record_to_read_hands_from(server, what):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("bagarre", [ME, bot()], start=True)
            answer = await api.call("GET", f"/tables/{made['table']['id']}/{what}", token=made["token"])
            assert (answer.status_code, answer.json()["key"]) == (409, "not_over")

    run(story())
