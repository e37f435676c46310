"""Calls to people whose turn it is: each turn once, none for a turn that was taken, whatever dies in between; by a push
service and a mail server of our own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from preau.core import LANGUAGES
from preau.core.errors import PreauError
from preau.server.background.retention import Retention
from preau.server.config import Config, Limits
from preau.server.notifications.messages import texts
from preau.server.notifications.safe_http import SafeHttpClient
from preau.server.notifications.service import Notifications
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.tables.entry import TableEntry
from preau.table import protocol
from preau.table.live_game import LiveGame
from tests.server.mail_server import MailServer
from tests.server.players import ME, OPEN, Api, Player, run
from tests.server.processes import DefaultServer, Server
from tests.server.push_service import PushService
from tests.server.running_services import DAY, HOUR, FakeClock, run_with_services
from tests.support import parameters

Json = dict[str, Any]

MINUTE = 60_000
DAYS = {"kind": "days", "amount": 3}
AFTER = Config().call_after_ms


@pytest.fixture
def push_service() -> Iterator[PushService]:
    one = PushService()
    yield one
    one.stop()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    one = MailServer()
    yield one
    one.stop()


class Three(NamedTuple):
    """Ann, Bo and Cléo at a table."""

    services: Services
    clock: FakeClock
    table: TableEntry
    holders: list[str]
    tokens: list[str]

    async def call(self, seat: int, browser: Json, maker: str = "school") -> None:
        await self.services.notifications.ask(self.table, self.holders[seat], protocol.CallMe(**browser), maker)

    async def write(self, seat: int, address: str, language: protocol.Language = "en") -> None:
        wish = protocol.WriteMe(address=address, language=language)
        await self.services.notifications.ask_mail(self.table, self.holders[seat], wish, "school")

    async def act(self, seat: int, text: str = "pass") -> None:
        self.clock.ms += 1
        await self.services.moves.act(self.table, seat, text)

    @property
    def live(self) -> LiveGame:
        assert self.table.live is not None
        return self.table.live

    def first(self, seat: int) -> str:
        return next(action.text for action in self.live.state.legal(seat) if action.text != "pass")

    async def later(self, ms: int = AFTER) -> None:
        self.clock.ms += ms
        await self.services.notifications.settle()

    async def rows(self) -> list[Any]:
        return await self.services.store.read(lambda connection: list(connection.execute(sa.select(schema.calls))))


async def three(services: Services, clock: FakeClock, timer: Json = DAYS, *, start: bool = True) -> Three:
    seats = [protocol.SeatWish(kind="me", name="Ann"), protocol.SeatWish(kind="open"), protocol.SeatWish(kind="open")]
    options = {"first": 0, "turns": 9}
    table, token, host = await services.seats.create(
        protocol.NewTable(game="recess", seats=seats, options=options, timer=protocol.Timer(**timer))
    )
    tokens, holders = [token], [host]
    for name in ("Bo", "Cléo"):
        token, holder = await services.seats.join(table, protocol.TakeSeat(name=name), None)
        tokens.append(token)
        holders.append(holder)
    if start:
        await services.seats.start(table)
    return Three(services, clock, table, holders, tokens)


def test_a_turn_is_told_once_and_in_the_readers_words(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo", "fr"))
        await here.call(2, push_service.browser("cleo"))
        await here.later()
        assert push_service.got == [], "it is Ann's turn, and nobody calls her"
        await here.act(0)
        await here.later(AFTER - 1)
        assert push_service.got == [], "whoever is there has acted by then"
        await here.later(1)
        assert push_service.told() == [("bo", clock.ms - AFTER)]
        [got] = push_service.got
        assert got.call["title"] == "Récré\u202f!"
        assert got.call["body"] == "C’est à toi de jouer, Bo. Avec Ann et Cléo."
        assert got.call["until"] == "Jusqu’au {when}."
        assert got.call["ends"] == clock.ms - AFTER + 3 * DAY
        assert (got.call["table"], got.call["language"]) == (here.table.id, "fr")
        assert set(got.call) == {"title", "body", "until", "ends", "language", "table", "tag", "turn"}
        assert int(got.headers["ttl"]) == (3 * DAY - AFTER) // 1000, "as long as the turn lasts"
        assert got.headers["topic"] == got.call["tag"]
        assert here.table.id not in got.headers["topic"], "whoever has it could sit down"
        await here.act(1, here.first(1))
        await here.later(HOUR)
        assert len(push_service.got) == 1, "it is still the same turn"
        while 1 in here.live.state.to_act:
            await here.act(1, here.first(1))
        await here.later()
        assert [name for name, _ in push_service.told()] == ["bo", "cleo"]
        assert push_service.got[1].call["body"] == "It is your turn, Cléo. With Ann and Bo."
        assert push_service.got[1].size == got.size, "the length tells nothing"
        for seat in (2, 0):
            await here.act(seat)
        await here.later()
        assert [name for name, _ in push_service.told()] == ["bo", "cleo", "bo"]
        assert len(push_service.shown("bo")) == 1, "the newer takes the place of the older"

    run_with_services(tmp_path, story, push_anywhere=True)


def test_nobody_is_called_for_a_turn_that_was_taken(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo"))
        for seat in (0, 1, 2):
            await here.act(seat)
            clock.ms += 1000
        await here.later()
        assert push_service.got == []
        push_service.answer(503)
        await here.act(0)
        await here.later()
        assert [one.status for one in push_service.got] == [503]
        await here.act(1)
        await here.later(DAY)
        assert len(push_service.got) == 1, "it was to be tried again, and is Bo's turn no more"
        assert [row.due for row in await here.rows()] == [None]
        # What is taken back is the turn that it was; done once more, the next turn is a new one.
        for seat in (2, 0):
            await here.act(seat)
        await here.later(HOUR)
        assert len(push_service.told()) == 1
        await here.act(1, here.first(1))
        await services.undos.undo(here.table, 1, here.live.head)
        await here.later(HOUR)
        assert len(push_service.told()) == 1

    run_with_services(tmp_path, story, push_anywhere=True)


def test_a_busy_service_is_left_alone_for_as_long_as_it_wishes(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo"))
        push_service.answer(429, Retry_After="1800")
        await here.act(0)
        await here.later()
        await here.later(1_799_000)
        assert [one.status for one in push_service.got] == [429]
        push_service.answer(500)
        push_service.answer(502)
        await here.later(1000)
        assert [one.status for one in push_service.got] == [429, 500]
        await here.later(MINUTE - 1)
        assert len(push_service.got) == 2
        await here.later(1)
        assert [one.status for one in push_service.got] == [429, 500, 502], "after twice as long as the first time"
        await here.later(2 * MINUTE - 1)
        assert len(push_service.got) == 3
        await here.later(1)
        assert [one.status for one in push_service.got] == [429, 500, 502, 201]
        [row] = await here.rows()
        assert (row.tries, row.due) == (0, None)
        push_service.answer(429, Retry_After="99999999")
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later(HOUR)
        await here.later(DAY)
        assert [one.status for one in push_service.got[4:]] == [429, 201], "a day at most"

    run_with_services(tmp_path, story, push_anywhere=True)


def test_one_device_is_not_called_again_and_again(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo"))
        for seat in (0, 1, 2, 0):
            await here.act(seat)
            await here.later()
        assert len(push_service.got) == 1, "the second turn came within a minute"
        await here.later(MINUTE)
        assert len(push_service.got) == 2

    run_with_services(tmp_path, story, push_anywhere=True)


@pytest.mark.parametrize("status", [404, 410])
def test_who_is_gone_is_forgotten(tmp_path, push_service, status):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo"))
        await here.call(1, push_service.browser("tablet"))
        push_service.answer(status)
        push_service.answer(status)
        await here.act(0)
        await here.later()
        assert await here.rows() == []
        assert len(push_service.got) == 2

    run_with_services(tmp_path, story, push_anywhere=True)


def test_what_is_refused_is_not_tried_again_for_this_turn(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.call(1, push_service.browser("bo"))
        push_service.answer(403)
        await here.act(0)
        await here.later()
        await here.later(DAY)
        assert [one.status for one in push_service.got] == [403]
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later()
        assert [one.status for one in push_service.got] == [403, 201]
        assert b'preau_calls_total{how="refused"} 1.0' in services.metrics.page()

    run_with_services(tmp_path, story, push_anywhere=True)


def test_nobody_there_is_tried_again(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        browser = push_service.browser("bo")
        await here.call(1, {**browser, "endpoint": "http://127.0.0.1:9/nobody"})
        await here.act(0)
        await here.later()
        [row] = await here.rows()
        assert (row.tries, row.wait_until - clock.ms) == (1, 30_000)
        assert row.due is not None

    run_with_services(tmp_path, story, push_anywhere=True)


def test_who_leaves_moves_or_is_done_is_called_no_more(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        for seat, name in enumerate(("ann", "bo", "cleo")):
            await here.call(seat, push_service.browser(name))
        await services.seats.leave(here.table, here.holders[2])
        code, _ = await services.credentials.make_link(here.table, here.holders[1])
        await services.credentials.use_link(code)
        assert [row.endpoint.rpartition("/")[2] for row in await here.rows()] == ["ann"]
        await services.notifications.end(here.holders[0], f"{push_service.origin}/push/ann")
        assert await here.rows() == []

    run_with_services(tmp_path, story, push_anywhere=True)


def test_nothing_is_kept_of_a_game_that_is_over(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        for seat, name in enumerate(("ann", "bo", "cleo")):
            await here.call(seat, push_service.browser(name))
        while not here.live.state.over:
            await here.act(here.live.state.to_act[0])
        await here.later()
        assert await here.rows() == []
        assert push_service.got == []
        with pytest.raises(PreauError) as refused:
            await here.call(0, push_service.browser("ann"))
        assert refused.value.key == "over"

    run_with_services(tmp_path, story, push_anywhere=True)


def test_only_where_there_are_days_for_a_move(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        for timer in ({"kind": "off"}, {"kind": "turn", "amount": 60}):
            here = await three(services, clock, timer)
            assert services.config.notify_at(here.table.table, clock.ms) is None
            with pytest.raises(PreauError) as refused:
                await here.call(0, push_service.browser("ann"))
            assert refused.value.key == "no_calls"

    run_with_services(tmp_path, story, push_anywhere=True)


def test_there_are_bounds(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        for number in range(6):
            clock.ms += 1
            await here.call(0, push_service.browser(f"ann{number}"))
        assert sorted(row.endpoint[-1] for row in await here.rows()) == ["1", "2", "3", "4", "5"]
        await here.call(0, push_service.browser("ann5", "fr"))
        assert len(await here.rows()) == 5, "the same again is no other"
        assert [row.language for row in await here.rows() if row.endpoint[-1] == "5"] == ["fr"]
        await here.call(1, push_service.browser("bo"))
        with pytest.raises(PreauError) as refused:
            await here.call(2, push_service.browser("cleo"))
        assert (refused.value.key, refused.value.params["most"]) == ("calls_full", 6)
        await here.call(2, push_service.browser("cleo"), maker="elsewhere")

    run_with_services(tmp_path, story, push_anywhere=True, limits=Limits(calls_per_address=6))


def test_no_call_into_the_hosts_own_network(tmp_path, push_service, monkeypatch):
    """Neither when it is asked for nor when the name means something else later."""
    names = {"push.example.org": ["8.8.8.8"]}

    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        dialled: list[str] = []

        def resolve(host: str, port: int) -> list[str]:
            return names[host]

        async def connect(ip: str, port: int, **how: Any) -> Any:
            dialled.append(ip)
            raise OSError("nobody")

        monkeypatch.setattr(asyncio, "open_connection", connect)
        await services.notifications.close()
        client = SafeHttpClient(resolve=resolve)
        services.notifications = Notifications(services.tables, services.credentials, client)
        await services.notifications.open()
        browser = push_service.browser("bo")
        for endpoint, key in (
            (browser["endpoint"], "call_address"),
            ("https://127.0.0.1/x", "call_address"),
            ("https://metadata.example.org/x", "call_private"),
        ):
            names["metadata.example.org"] = ["169.254.169.254"]
            with pytest.raises(PreauError) as refused:
                await here.call(1, {**browser, "endpoint": endpoint})
            assert (refused.value.key, refused.value.field) == (key, "endpoint")
        await here.call(1, {**browser, "endpoint": "https://push.example.org/x"})
        await here.act(0)
        await here.later()
        assert dialled == ["8.8.8.8"]
        names["push.example.org"] = ["8.8.8.8", "10.0.0.7"]
        await here.later(HOUR)
        assert dialled == ["8.8.8.8"]
        assert await here.rows() == [], "and it is forgotten"

    run_with_services(tmp_path, story)


def test_a_server_may_do_without(tmp_path, push_service):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        assert services.notifications.about() == protocol.Calling()
        with pytest.raises(PreauError) as refused:
            await here.call(1, push_service.browser("bo"))
        assert refused.value.key == "no_push"
        with pytest.raises(PreauError) as refused:
            await here.write(1, "bo@example.org")
        assert refused.value.key == "no_mail"

    run_with_services(tmp_path, story, push=False)


def test_the_key_is_made_once_and_kept(tmp_path):
    keys: list[str] = []

    async def story(services: Services, clock: FakeClock) -> None:
        keys.append(services.notifications.about().key)
        other = Notifications(services.tables, services.credentials)
        await other.open()
        keys.append(other.about().key)
        await other.close()

    run_with_services(tmp_path, story)
    run_with_services(tmp_path, story)
    assert len(keys[0]) == 87
    assert set(keys) == {keys[0]}


def test_both_languages_say_the_same():
    english, french = (texts(language).messages for language in LANGUAGES)
    assert list(english) == list(french)
    for key, message in english.items():
        assert parameters(message) == parameters(french[key]), key


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


# Mail.

MAIL: Json = {"mail_from": "Préau <preau@example.org>", "origins": ("https://play.example.org",)}


def test_a_mailbox_is_asked_first_and_ended_at_one_click(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        assert services.notifications.about().mail
        await here.write(1, "bo@example.org", "fr")
        assert (await services.notifications.mail(here.holders[1])).state == "asked"
        [asked] = mail_server.mails
        assert asked["To"] == "bo@example.org"
        assert asked["Subject"] == "Récré\u202f!\u202f: on t’écrit quand c’est à toi\u202f?"
        assert "Ann" not in asked.get_content(), "a mailbox that is not Bo's is told nothing of the table"
        await here.act(0)
        await here.later()
        assert len(mail_server.mails) == 1, "nobody has agreed"
        code = _code(asked)
        assert await services.notifications.confirm(code) == here.table.id
        assert (await services.notifications.mail(here.holders[1])).state == "on"
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later()
        told = mail_server.mails[1]
        assert told["Subject"] == "Récré\u202f!\u202f: c’est à toi de jouer"
        text = told.get_content()
        assert "C’est à toi de jouer, Bo. Avec Ann et Cléo." in text
        assert "Il te reste 2 jours." in text
        assert f"https://play.example.org/t/{here.table.id}" in text
        assert told["List-Unsubscribe"] == f"<https://play.example.org/api/mail/{code}/end>"
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert told.get_content_type() == "text/plain"
        assert told["Auto-Submitted"] == "auto-generated"
        await services.notifications.end_code(code)
        await services.notifications.end_code(code)
        assert await here.rows() == []
        with pytest.raises(PreauError) as refused:
            await services.notifications.confirm(code)
        assert refused.value.key == "mail_code"
        for wrong in (code[:-1] + ("0" if code[-1] != "0" else "1"), "x", ""):
            with pytest.raises(PreauError):
                await services.notifications.end_code(wrong)

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)


def _code(mail: Any) -> str:
    found = re.search(r"/mail#(\w+)", mail.get_content())
    assert found is not None
    return found[1]


def test_mails_are_few_and_only_to_addresses(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        for wrong in (
            "bo",
            "bo@",
            "@example.org",
            "bo@example",
            "a b@example.org",
            "bo@example.org\r\nBcc: x@y.org",
            "x" * 250 + "@a.org",
        ):
            with pytest.raises(PreauError) as refused:
                await here.write(1, wrong)
            assert (refused.value.key, refused.value.field) == ("mail_address", "address")
        assert mail_server.mails == []
        for _ in range(3):
            await here.write(1, "bo@example.org")
            await services.notifications.end_mail(here.holders[1])
        with pytest.raises(PreauError) as refused:
            await here.write(2, "BO@example.org")
        assert refused.value.key == "mail_asked"
        assert len(mail_server.mails) == 3
        mail_server.full = True
        with pytest.raises(PreauError) as refused:
            await here.write(1, "other@example.org")
        assert refused.value.key == "mail_failed"
        assert await here.rows() == [], "nothing was changed"
        mail_server.full = False
        await here.write(1, "one@example.org")
        await services.notifications.confirm(_code(mail_server.mails[-1]))
        await here.write(1, "two@example.org")
        assert [row.endpoint for row in await here.rows()] == ["two@example.org"], "one mailbox for each person"
        clock.ms += DAY + 1
        await Retention(services.tables).tidy()
        assert await here.rows() == [], "nobody has agreed for a day"

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)


def test_a_mail_that_is_not_taken_is_sent_later_and_one_an_hour_at_most(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.write(1, "bo@example.org")
        await services.notifications.confirm(_code(mail_server.mails[0]))
        mail_server.full = True
        await here.act(0)
        await here.later()
        assert len(mail_server.mails) == 1
        mail_server.full = False
        await here.later(30_000)
        assert len(mail_server.mails) == 2
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later(HOUR - 10)
        assert len(mail_server.mails) == 2
        await here.later(10)
        assert len(mail_server.mails) == 3

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)
