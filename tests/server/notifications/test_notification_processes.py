"""Push notifications over HTTP, by one process and by two that are killed in between."""

from __future__ import annotations

import asyncio

import pytest

from preau.server.config import Config
from tests.server.notifications.three_players import DAYS, Json
from tests.server.players import ME, OPEN, Api, Player, run
from tests.server.processes import DefaultServer, Server
from tests.server.push_service import PushService

# Over HTTP, by one process and by two, killed in between.


class Table:
    """A table of three people over HTTP, each with a browser."""

    def __init__(self, api: Api, push_service: PushService) -> None:
        self.api, self.push_service = api, push_service
        self.tokens: list[str] = []
        self.id = ""

    async def make(self) -> None:
        made = await self.api.create("recess", [ME, OPEN, OPEN], options={"turns": 30}, timer=DAYS)
        self.id = made["table"]["id"]
        self.tokens = [made["token"]]
        for name in ("Bo", "Cléo"):
            self.tokens.append((await self.api.ok("POST", f"/tables/{self.id}/join", {"name": name}))["token"])
        for seat, token in enumerate(self.tokens):
            browser = self.push_service.browser(f"{self.id}-{seat}")
            await self.api.ok("POST", f"/tables/{self.id}/calls", browser, token)
        await self.api.ok("POST", f"/tables/{self.id}/start", token=self.tokens[0])

    async def act(self, seat: int, base: str) -> None:
        """Pass the turn on, by any process."""
        async with Player(base, self.id, self.tokens[seat]) as player:
            while True:
                while "pass" not in player.legal:
                    await player.next()  # a process may not know yet what happened at the other
                if (await player.act("pass"))["type"] == "step":
                    return

    def told(self) -> list[int]:
        """The seats that were told, once for each turn, in order."""
        turns = dict.fromkeys(
            (one.call["turn"], int(one.name[-1])) for one in self.push_service.got if self.is_of(one.name)
        )
        return [seat for _, seat in turns]

    def is_of(self, name: str) -> bool:
        return name.startswith(self.id)


SOON: Json = {"push_anywhere": True, "call_after_ms": 0, "call_every_ms": 0}


def test_one_process_killed_before_it_calls_calls_when_it_is_back(tmp_path, push_service):
    server = Server(f"sqlite:///{tmp_path}/preau.db", **SOON, sweep_ms=600_000)

    async def story() -> None:
        async with Api(server.url) as api:
            table = Table(api, push_service)
            await table.make()
            await table.act(0, server.url)
            assert push_service.got == [], "it does not sweep by itself"
            server.kill()
            server.config = Config(**{**_settings(server.config), "sweep_ms": 300})
            server.start()
            server.wait()
            await asyncio.to_thread(push_service.wait, lambda: len(push_service.got) == 1)
            await table.act(1, server.url)
            await asyncio.to_thread(push_service.wait, lambda: len(push_service.got) == 2)
            assert table.told() == [1, 2]

    try:
        run(story())
    finally:
        server.stop()


def test_each_turn_is_told_by_a_default_server(tmp_path, push_service):
    """With default settings but these: the push service of the test is on this machine, and a turn is told at once, not
    after 15 s, nor a minute after the last one.
    """
    server = DefaultServer(tmp_path, "--push-anywhere", "--set=call_after_ms=0", "--set=call_every_ms=0")

    async def story() -> None:
        async with Api(server.url) as api:
            table = Table(api, push_service)
            await table.make()
            for turn in range(1, 4):
                await table.act((turn - 1) % 3, server.url)
                await asyncio.to_thread(push_service.wait, lambda turn=turn: len(table.told()) == turn)
            assert table.told() == [1, 2, 0]

    try:
        run(story())
    finally:
        server.stop()


def _settings(config: Config) -> Json:
    return {name: getattr(config, name) for name in config.__struct_fields__}


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_two_processes_call_once_and_one_goes_on_for_the_other(tmp_path, request, push_service, backend):
    redis = ""
    if backend == "postgresql":
        database = request.getfixturevalue("postgres").new_database()
        redis = request.getfixturevalue("redis").url
    else:
        database = f"sqlite:///{tmp_path}/preau.db"
    both = [Server(database, redis, **SOON)]

    async def story() -> None:
        async with Api(both[0].url) as api:
            table = Table(api, push_service)
            await table.make()
            await asyncio.to_thread(push_service.wait, lambda: len(table.told()) == 1)
            assert len(push_service.got) == 1
            # The first dies with a call on its way; nobody knows whether it was heard. The second calls again, in
            # the same words and under the same tag: the browser shows one.
            push_service.free.clear()
            await table.act(0, both[0].url)
            await asyncio.to_thread(push_service.wait, lambda: len(push_service.got) == 2)
            both[0].kill()
            both.append(Server(database, redis, **SOON))
            await asyncio.to_thread(push_service.wait, lambda: len(push_service.got) == 3)
            push_service.free.set()
            again = [one.call for one in push_service.got[1:]]
            assert again[0] == again[1]
            assert len(push_service.shown(f"{table.id}-1")) == 1
            both[0].start()
            both[0].wait()
            # Both again: whoever makes the step and whoever calls, each turn is told once.
            for number in range(1, 5):
                await table.act(number % 3, both[number % 2].url)
                await asyncio.to_thread(push_service.wait, lambda number=number: len(table.told()) == number + 2)
            assert table.told() == [number % 3 for number in range(6)]
            assert len(push_service.got) == 7, "one of them twice, as its first caller was killed"

    try:
        run(story())
    finally:
        for one in both:
            one.stop()


def test_what_is_wrong_is_refused_with_its_field(server, push_service):
    browser = push_service.browser("bo")

    async def story() -> None:
        async with Api(server.url) as api:
            about = await api.ok("GET", "/calls")
            assert len(about["key"]) == 87
            made = await api.create("recess", [ME, ME, ME], timer=DAYS)
            path, token = f"/tables/{made['table']['id']}/calls", made["token"]
            for wish, status, key in (
                ({}, 400, None),
                ({**browser, "p256dh": "x"}, 400, None),
                ({**browser, "auth": "x"}, 400, None),
                ({**browser, "language": "de"}, 400, None),
                ({**browser, "endpoint": "https://" + "a" * 2000}, 400, None),
                ({**browser, "p256dh": "A" * 87}, 400, "call_key"),
                (browser, 400, "call_address"),
            ):
                answer = await api.call("POST", path, wish, token)
                assert answer.status_code == status, answer.text
                assert key is None or answer.json()["key"] == key, answer.text
                assert answer.json()["message"]
            for token, status in ((None, 403), ("x" * 32, 403)):
                assert (await api.call("POST", path, browser, token)).status_code == status
                assert (await api.call("POST", f"{path}/end", {"endpoint": "https://x.org/"}, token)).status_code == 403
            assert (await api.call("POST", f"{path}/end", {"endpoint": "https://x.org/"}, made["token"])).is_success
            assert (await api.call("POST", "/tables/nowhere/calls", browser, made["token"])).status_code == 404
            assert (await api.call("POST", "/mail", {"code": "abcdefgh"})).json()["key"] == "mail_code"
            assert (await api.call("POST", "/mail/abcdefgh/end")).json()["key"] == "mail_code"
            answer = await api.call(
                "POST", path.replace("/calls", "/mail"), {"address": "a@b.org", "language": "en"}, made["token"]
            )
            assert (answer.status_code, answer.json()["key"]) == (409, "no_mail")
            assert (await api.ok("GET", path.replace("/calls", "/mail"), token=made["token"])) == {"state": "off"}

    run(story())
