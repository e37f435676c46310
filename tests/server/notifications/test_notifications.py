"""Push notifications of turns: each turn once, none for a turn that was taken, none into the own network."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from preau.core import LANGUAGES
from preau.core.errors import PreauError
from preau.server.config import Limits
from preau.server.notifications import service
from preau.server.notifications.messages import texts
from preau.server.notifications.safe_http import SafeHttpClient
from preau.server.notifications.service import Notifications
from preau.server.services import Services
from preau.table import protocol
from tests.server.notifications.three_players import AFTER, three
from tests.server.running_services import DAY, HOUR, FakeClock, run_with_services
from tests.support import parameters

MINUTE = 60_000


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

    def resolve(host: str, port: int) -> list[str]:
        return names[host]

    monkeypatch.setattr(service, "SafeHttpClient", partial(SafeHttpClient, resolve=resolve))

    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        dialled: list[str] = []

        async def connect(ip: str, port: int, **how: Any) -> Any:
            dialled.append(ip)
            raise OSError("nobody")

        monkeypatch.setattr(asyncio, "open_connection", connect)
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
        other = Notifications(
            services.config,
            clock,
            services.process,
            services.tables,
            services.store,
            services.credentials,
            services.metrics,
        )
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
