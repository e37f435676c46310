"""Rate limits per user and per address, and what a refusal says: which limit, and when to try again."""

from __future__ import annotations

import asyncio
import json
import re

import httpx
import pytest

from preau.host.refusals import TOO_MANY, Busy, TooMuch, too_many
from preau.server.notifications.email import EmailSender
from preau.server.notifications.messages import Email
from preau.server.notifications.service import ASKS_AT_ONCE
from preau.server.storage import errors
from preau.server.token_buckets import Bucket, RateLimit
from preau.table import protocol
from tests.server.in_process_server import InProcessServer, Json, run_with_server, until
from tests.server.processes import ROOT
from tests.support import PATIENCE

NEVER = 1 / 3_600
"""A rate a second that gives nothing back while a test runs: the next one after an hour."""


@pytest.fixture
def clock(monkeypatch):
    """What time it is for buckets; a list of one number."""
    now = [1_000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_buckets_say_when_there_is_enough(clock):
    bucket = Bucket(2, 10)
    assert bucket.wait(10) == 0
    assert bucket.take(9)
    assert bucket.wait() == 0
    assert bucket.wait(4) == 1.5
    assert bucket.wait(1_000) == 4.5, "when it is full"
    assert bucket.borrow(2) == 0.5
    assert bucket.borrow(2) == 1.5, "behind the one before"
    clock[0] += 1.5
    assert bucket.wait() == 0.5
    bucket.give_back()
    assert bucket.take()
    free = Bucket(0, 0)
    assert (free.wait(9), free.borrow(9), free.take(9)) == (0, 0, True)


def test_a_user_and_an_address_have_limits_of_their_own(clock):
    limit = RateLimit("requests", 1, 4, people=3)
    for _ in range(4):
        limit.spend("school", "zoe")
    with pytest.raises(TooMuch) as refused:
        limit.spend("school", "zoe")
    assert str(refused.value) == "Too many requests. Try again in 1 second."
    for _ in range(4):
        limit.spend("school", "leo")
    for _ in range(4):
        limit.spend("school")
    with pytest.raises(TooMuch) as refused:
        limit.spend("school", "ana")
    assert str(refused.value) == "Too many requests from this address. Try again in 1 second."
    limit.spend("elsewhere", "ana")
    limit.give_back("school")
    limit.spend("school", "ana")
    clock[0] += 1
    limit.spend("school", "zoe")


def test_what_the_address_refuses_is_not_taken_from_the_user(clock):
    limit = RateLimit("requests", 1, 4)
    limit.spend("school", "zoe")
    for _ in range(3):
        limit.spend("school", "leo")
    for _ in range(5):
        with pytest.raises(TooMuch, match="from this address"):
            limit.spend("school", "zoe")
    for _ in range(3):
        limit.spend("elsewhere", "zoe")


@pytest.mark.parametrize(
    ("seconds", "hint"),
    [
        (0, "1 second"),
        (0.2, "1 second"),
        (11.2, "12 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
        (7_200, "2 hours"),
        (29 * 86_400 + 1, "30 days"),
    ],
)
def test_a_refusal_rounds_up(seconds, hint):
    refusal = too_many("tables", seconds)
    assert refusal.to_json()["message"] == f"Too many new tables from this address. Try again in {hint}."
    assert refusal.params["what"] == "tables"


def test_codes_that_are_typed_right_are_no_guesses(tmp_path):
    async def story(server: InProcessServer) -> None:
        code = (await server.create_table())["table"]["code"]
        for _ in range(5):
            assert (await server.call("GET", f"/codes/{code}")).status_code == 200
        tries = [(await server.call("GET", f"/codes/zzzzz{n}")).status_code for n in range(3)]
        assert tries == [404, 404, 429]
        assert (await server.call("GET", f"/codes/{code}")).status_code == 429, "or wrong ones could be told from it"

    run_with_server(tmp_path, story, limits={"guesses_per_minute": 60 * NEVER, "guesses_burst": 2})


def test_a_class_in_which_a_third_types_a_wrong_code_first_is_not_refused(tmp_path):
    """Forty pupils behind one address at once, with default limits."""

    async def story(server: InProcessServer) -> None:
        code = (await server.create_table())["table"]["code"]

        async def pupil(number: int) -> list[int]:
            typed = [f"zzzz{number:02}", code] if number % 3 == 0 else [code]
            return [(await server.call("GET", f"/codes/{one}")).status_code for one in typed]

        found = await asyncio.gather(*(pupil(number) for number in range(40)))
        assert found == [[404, 200] if number % 3 == 0 else [200] for number in range(40)]

    run_with_server(tmp_path, story)


def test_the_documentation_names_all_that_there_can_be_too_much_of():
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    said = text.partition("`what` is one of ")[2].partition(";")[0]
    assert set(re.findall("`([a-z]+)`", said)) == set(TOO_MANY)


def test_a_code_that_cannot_be_looked_up_is_no_guess(tmp_path):
    """While the database is away, all codes lead to 503, which says when to try again."""

    async def story(server: InProcessServer) -> None:
        code = (await server.create_table())["table"]["code"]
        by_code = server.services.tables.by_code

        async def away(code: str) -> str:
            raise errors.busy()

        server.services.tables.by_code = away  # type: ignore[method-assign]
        for _ in range(5):
            answer = await server.call("GET", f"/codes/{code}")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert answer.json()["hint"] == "Try again in 5 seconds."
        server.services.tables.by_code = by_code  # type: ignore[method-assign]
        assert (await server.call("GET", f"/codes/{code}")).status_code == 200

    run_with_server(tmp_path, story, limits={"guesses_per_minute": 60 * NEVER, "guesses_burst": 2})


def check(answer: httpx.Response, what: str, seconds: int) -> None:
    """Hold a refusal against the contract."""
    problem = answer.json()
    assert answer.status_code == 429
    assert problem["params"] == {"what": what, "seconds": pytest.approx(seconds, rel=0.1)}
    assert answer.headers["retry-after"] == str(problem["params"]["seconds"])
    assert problem["message"].endswith(problem["hint"])
    assert problem["key"] == "rate"


def test_http_refusals_say_what_and_when(tmp_path):
    few = {f"{name}_per_minute": 60 * NEVER for name in ("tables", "guesses", "calls")}
    few |= {f"{name}_burst": 1 for name in ("tables", "guesses", "calls")}

    async def story(server: InProcessServer) -> None:
        made = await server.create_table()
        table, token = made["table"]["id"], made["token"]
        check(await server.call("POST", "/tables", {"game": "recess", "seats": [{"kind": "me"}] * 3}), "tables", 3_600)
        await server.call("GET", "/codes/zzzzzz")
        check(await server.call("GET", "/codes/zzzzzz"), "guesses", 3_600)
        check(await server.call("POST", "/move", {"code": "x" * 32}), "guesses", 3_600)
        wish = {"address": "zoe@example.org", "language": "en"}
        await server.call("POST", f"/tables/{table}/mail", wish, token)
        check(await server.call("POST", f"/tables/{table}/mail", wish, token), "calls", 3_600)

    run_with_server(tmp_path, story, limits=few)


def test_an_address_has_few_mailboxes_asked_whoever_asks(tmp_path, monkeypatch):
    """Two people at two tables: a new holder costs nothing, so the limit is that of the address."""
    sent: list[str] = []

    async def send(self: EmailSender, address: str, letter: Email) -> None:
        sent.append(address)

    monkeypatch.setattr(EmailSender, "send", send)

    async def ask(server: InProcessServer, made: Json, address: str) -> httpx.Response:
        wish = {"address": address, "language": "en"}
        return await server.call("POST", f"/tables/{made['table']['id']}/mail", wish, made["token"])

    async def story(server: InProcessServer) -> None:
        zoe, leo = [await server.create_table(timer={"kind": "days", "amount": 3}) for _ in range(2)]
        for made, address in ((zoe, "one@example.org"), (leo, "two@example.org")):
            assert (await ask(server, made, address)).status_code == 204
        for number in range(5):
            answer = await ask(server, leo, f"more{number}@example.org")
            check(answer, "calls", 3_600)
            assert "from this address" in answer.json()["message"]
        assert sent == ["one@example.org", "two@example.org"]

    few = {"mail_asks_per_minute_per_address": 60 * NEVER, "mail_asks_burst_per_address": 2}
    mail = {"smtp": "smtp://localhost", "mail_from": "preau@example.org"}
    run_with_server(tmp_path, story, limits=few, **mail)


def test_what_a_mailbox_refuses_is_not_taken_from_the_address(tmp_path, monkeypatch):
    async def send(self: EmailSender, address: str, letter: Email) -> None:
        pass

    monkeypatch.setattr(EmailSender, "send", send)

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(timer={"kind": "days", "amount": 3})
        path, wish = f"/tables/{made['table']['id']}/mail", {"address": "one@example.org", "language": "en"}
        answers = [await server.call("POST", path, wish, made["token"]) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [204, 429, 429, 429]
        assert answers[-1].json()["key"] == "mail_asked"
        wish["address"] = "two@example.org"
        assert (await server.call("POST", path, wish, made["token"])).status_code == 204

    few = {"mail_asks_burst": 1, "mail_asks_per_minute_per_address": 60 * NEVER, "mail_asks_burst_per_address": 2}
    run_with_server(tmp_path, story, limits=few, smtp="smtp://localhost", mail_from="preau@example.org")


def test_mails_that_wait_are_few(tmp_path, monkeypatch):
    """A mail server that takes long, and askers at many addresses: those beyond the bound are told to come back."""
    going, gone = asyncio.Semaphore(0), asyncio.Event()

    async def send(self: EmailSender, address: str, letter: Email) -> None:
        going.release()
        await gone.wait()

    monkeypatch.setattr(EmailSender, "send", send)

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(timer={"kind": "days", "amount": 3})
        table = await server.services.tables.get(made["table"]["id"])
        holder = await server.services.credentials.must_hold(table, made["token"])

        async def ask(number: int) -> None:
            wish = protocol.WriteMe(address=f"zoe{number}@example.org", language="en")
            await server.services.notifications.ask_mail(table, holder, wish, f"maker {number}")

        waiting = [asyncio.create_task(ask(number)) for number in range(ASKS_AT_ONCE)]
        for _ in waiting:
            await going.acquire()
        with pytest.raises(Busy) as refused:
            await asyncio.wait_for(ask(ASKS_AT_ONCE), PATIENCE)
        assert (refused.value.key, refused.value.params) == ("busy", {"seconds": 60})
        gone.set()
        await asyncio.gather(*waiting)
        await ask(ASKS_AT_ONCE)

    run_with_server(tmp_path, story, smtp="smtp://localhost", mail_from="preau@example.org")


def test_requests_of_a_user_and_of_an_address(tmp_path):
    async def story(server: InProcessServer) -> None:
        for _ in range(2):
            assert (await server.call("GET", "/health", token="zoe")).status_code == 200
        check(await server.call("GET", "/health", token="zoe"), "requests", 3_600)
        assert (await server.call("GET", "/health", token="leo")).status_code == 200
        assert (await server.call("GET", "/health")).status_code == 200
        check(await server.call("GET", "/health"), "requests", 1_800)

    few = {"requests_per_second": NEVER, "requests_burst": 2, "people_per_address": 2, "refusal_ms": 0}
    run_with_server(tmp_path, story, limits=few)


def test_connections_say_what_and_when(tmp_path):
    """A connection too many, and requests too many on one connection."""

    async def story(server: InProcessServer) -> None:
        raw = await server.connect(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100)
        head = (await raw.read_head()).lower()
        assert b"retry-after: 1\r\n" in head
        await raw.read_to_end()
        await until(lambda: not len(server.crowd))
        for _ in range(4):
            await server.connect()
        await until(lambda: len(server.crowd) == 4)
        raw = await server.connect()
        head = (await raw.read_head()).lower()
        assert b" 429 " in head
        assert b"retry-after: 7\r\n" in head
        assert json.loads(await raw.read_to_end())["params"] == {"what": "connections", "seconds": 7}

    limits = {"connections_per_address": 4}
    run_with_server(tmp_path, story, limits=limits, proxies="10.0.0.9", request_ms=7_000)


def test_socket_refusals_say_what_and_when(tmp_path):
    few: Json = {"messages_per_second": NEVER, "messages_burst": 10}
    for name in ("chat", "undo", "hints"):
        few |= {f"{name}_per_minute": 60 * NEVER, f"{name}_burst": 1}

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        raw = await server.open_websocket(made["table"]["id"], token=made["token"], seat=0)
        for message in ({"type": "say", "phrase": "hello"}, {"type": "undo", "at": 0}, {"type": "hint", "at": 0}):
            raw.post(**message)
            raw.post(**message)
        raw.post(type="resync")
        found: dict[str, int] = {}
        while len(found) < 4:
            refused = await raw.until("refused")
            if refused["key"] == "rate":
                found[refused["params"]["what"]] = refused["params"]["seconds"]
                assert refused["message"].startswith("Too many")
        assert set(found) == {"chat", "undo", "hints", "messages"}
        assert all(3_000 < seconds <= 3_600 for seconds in found.values())

    run_with_server(tmp_path, story, limits=few)


def test_the_address_refuses_chat_and_the_user_keeps_theirs(tmp_path):
    async def story(server: InProcessServer) -> None:
        raws = []
        for _ in range(2):
            made = await server.create_table(start=True)
            raws.append(await server.open_websocket(made["table"]["id"], token=made["token"], seat=0))
        raws[0].post(type="say", phrase="hello")
        await raws[0].until("chat")
        for _ in range(3):
            raws[1].post(type="say", phrase="hello")
            assert "from this address" in (await raws[1].until("refused"))["message"]

    run_with_server(tmp_path, story, limits={"chat_per_minute": 60 * NEVER, "chat_burst": 1, "people_per_address": 1})


def test_a_bye_says_when_to_come_back(tmp_path):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table)
        full = await server.open_websocket(table, join=False)
        assert await full.until("bye") == {"type": "bye", "reason": "full", "again": True, "seconds": 30}
        for _ in range(9):
            raw.post(type="ping", n=1)
        bye = await raw.until("bye")
        assert (bye["reason"], bye["seconds"]) == ("rate", pytest.approx(3_600, rel=0.1))

    limits = {"sockets_per_address": 1, "messages_per_second": NEVER, "messages_burst": 5, "people_per_address": 9}
    run_with_server(tmp_path, story, limits={**limits, "messages_share_per_second": NEVER, "messages_share_burst": 1})


@pytest.mark.parametrize(
    ("limit", "head", "status"),
    [
        ({"url_bytes": 100}, b"GET /api/health?" + b"x" * 100 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"414"),
        ({"headers": 2}, b"GET /api/health HTTP/1.1\r\nHost: a\r\nA: b\r\nC: d\r\n\r\n", b"431"),
        ({"header_bytes": 9}, b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"431"),
        ({"head_bytes": 30}, b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"b" * 30 + b"\r\n\r\n", b"431"),
        ({"pipelined_requests": 1}, b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 9, b"429"),
    ],
)
def test_limits_of_requests_are_settings(tmp_path, limit, head, status):
    async def story(server: InProcessServer) -> None:
        raw = await server.connect(head)
        assert b" " + status + b" " in await raw.read_to_end()

    run_with_server(tmp_path, story, limits=limit)


def test_limits_of_connections_to_a_table_are_settings(tmp_path):
    async def story(server: InProcessServer) -> None:
        made = await server.create_table()
        table, token = made["table"]["id"], made["token"]
        raw = await server.open_websocket(table, token=token)
        other = await server.open_websocket(table, join=False)
        other.post(type="join", token=token)
        assert (await other.until("bye"))["reason"] == "full"
        for _ in range(3):
            raw.post(type="nonsense")
        assert (await raw.until("bye"))["reason"] == "protocol"

    run_with_server(tmp_path, story, limits={"sockets_per_user": 1, "malformed_messages": 2})


def test_a_body_may_be_as_large_as_the_setting_says(tmp_path):
    """Also larger than what is read of a body that is refused."""

    async def story(server: InProcessServer) -> None:
        record = "x" * 2_500_000
        answer = await server.call("POST", "/replay", {"record": record})
        assert answer.status_code == 400
        answer = await server.call("POST", "/replay", {"record": record + record[:700_000]})
        assert answer.status_code == 413

    run_with_server(tmp_path, story, limits={"body_bytes": 3_000_000})
