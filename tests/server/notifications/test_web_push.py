"""Web Push to the letter of its standards, and addresses that may and may not be called."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from functools import partial

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from preau.server.notifications import safe_http, web_push
from preau.server.notifications.safe_http import ForbiddenAddress, SafeHttpClient, is_public, read_address, seconds
from preau.table.refusals import Refusal
from tests.server.push_service import Browser, PushService, certificate

# The example of RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
THEIRS = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
THEIR_SECRET = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
OUR_SECRET = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def key(secret: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(web_push.unb64(secret), "big"), ec.SECP256R1())


def test_the_example_of_the_standard_comes_out_to_the_letter():
    made = web_push.encrypt(PLAIN, THEIRS, AUTH, salt=web_push.unb64(SALT), own=key(OUR_SECRET))
    assert web_push.b64(made) == SEALED
    assert Browser(key(THEIR_SECRET), web_push.unb64(AUTH)).read(made) == PLAIN, "and the test service reads it"


def test_each_message_is_sealed_anew_and_its_length_tells_nothing():
    browser = Browser()
    words = [b'{"a": 1}', b'{"a": "' + b"x" * 300 + b'"}']
    sealed = [
        web_push.encrypt(web_push.padded(one), web_push.b64(browser.point), web_push.b64(browser.auth))
        for one in [*words, words[0]]
    ]
    assert len({len(one) for one in sealed}) == 1
    assert len(set(sealed)) == 3
    assert [browser.read(one).rstrip() for one in sealed] == [*words, words[0]]
    with pytest.raises(InvalidTag):
        Browser().read(sealed[0])


def test_a_server_signs_for_a_push_service_and_keeps_that_for_some_hours():
    sender = web_push.PushSender(web_push.new_key(), "mailto:zoe@example.org")
    first = sender.authorization("https://push.example.org", 1_000_000)
    assert sender.authorization("https://push.example.org", 1_000_000 + 10 * 3600) == first
    assert sender.authorization("https://push.example.org", 1_000_000 + 11 * 3600 + 1) != first
    assert sender.authorization("https://push.example.org", 900_000) != first, "the clock was set back"
    assert sender.authorization("https://other.example.org", 1_000_000) != first


def test_a_server_keeps_its_signatures_for_so_many_push_services_and_the_newest():
    sender = web_push.PushSender(web_push.new_key(), "mailto:zoe@example.org")
    origins = [f"https://{number}.example.org" for number in range(web_push.KEPT + 1)]
    first = [sender.authorization(origin, 1_000_000) for origin in origins]
    assert [sender.authorization(origin, 1_000_000) for origin in origins[1:]] == first[1:]
    assert sender.authorization(origins[0], 1_000_000) != first[0], "each signature is another one"


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc:DEF-_123",
        "https://updates.push.services.mozilla.com:443/wpush/v2/gAAAAA%3D",
        "https://web.push.apple.com/QOi?x=1&y=2",
    ],
)
def test_addresses_of_push_services_are_read(address):
    assert read_address(address).scheme == "https"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "push",
        "http://push.example.org/a",
        "ftp://push.example.org/a",
        "https://push.example.org:8443/a",
        "https://user@push.example.org/a",
        "https://push.example.org/a#b",
        "https://push.example.org/a b",
        "https://push.example.org/a\r\nX-More: 1",
        "https://push.example.org/é",
        "https://127.0.0.1/a",
        "https://2130706433/a",
        "https://0x7f.1/a",
        "https://[::1]/a",
        "https://localhost/a",
        "https://intranet/a",
        "https://push.example.org:99999/a",
        "https://" + "a" * 64 + ".org/",
        "https://push.example.org/" + "a" * 1100,
        "https://push..org/",
    ],
)
def test_other_addresses_are_refused_with_what_would_be_right(address):
    with pytest.raises(Refusal) as refused:
        read_address(address)
    assert (refused.value.key, refused.value.field) == ("call_address", "endpoint")
    assert refused.value.hint


@pytest.mark.parametrize("ip", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_the_public_internet_may_be_called(ip):
    assert is_public(ipaddress.ip_address(ip))


@pytest.mark.parametrize(
    "ip",
    [
        "127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0",
        "224.0.0.1 240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 203.0.113.9",
        ":: ::1 fe80::1 fe80::1%1 fc00::1 fd12::1 ff02::1 fec0::1 2001:db8::1",
        "::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::1",
        "2002:7f00:1:: 2001:0:1::1 ::7f00:1",
    ],
)
def test_everything_else_may_not(ip):
    assert [one for one in ip.split() if is_public(ipaddress.ip_address(one))] == []


def always(found: list[str], host: str, port: int) -> list[str]:
    return found


def test_a_name_with_one_address_inside_is_not_called_at_all():
    async def story() -> None:
        for found in (["10.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:192.168.0.1"]):
            calling = SafeHttpClient(resolve=partial(always, found))
            with pytest.raises(ForbiddenAddress):
                await calling.post(calling.read("https://push.example.org/a"), {}, b"")
            calling.close()

    asyncio.run(story())


def test_what_was_looked_at_is_what_is_called(monkeypatch):
    """A name that means something else a moment later is resolved once."""
    asked, dialled = [], []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["8.8.8.8"] if len(asked) == 1 else ["127.0.0.1"]

    async def dial(ip: str, port: int, **more: object) -> None:
        dialled.append((ip, port, more["server_hostname"]))
        raise OSError("nobody there")

    async def story() -> None:
        calling = SafeHttpClient(resolve=resolve)
        monkeypatch.setattr(asyncio, "open_connection", dial)
        with pytest.raises(OSError, match="nobody"):
            await calling.post(calling.read("https://push.example.org/a"), {}, b"")
        calling.close()

    asyncio.run(story())
    assert asked == ["push.example.org"]
    assert dialled == [("8.8.8.8", 443, "push.example.org")]


def answer_with(text: bytes, *, hold: bool = False) -> tuple[int, threading.Thread]:
    """A server that says one thing to the first who comes, whatever they say."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        line, _ = listening.accept()
        with listening, line:
            line.recv(65_536)
            line.sendall(text)
            if hold:
                line.recv(1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return listening.getsockname()[1], thread


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (b"HTTP/1.1 201 Created\r\n\r\n", (201, 0)),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 77\r\n\r\n", (429, 77)),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", (302, 0)),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n" + b"x" * 9000, (200, 0)),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", None),
        (b"SSH-2.0-server\r\n\r\n", None),
        (b"HTTP/1.1 abc\r\n\r\n", None),
        (b"", None),
    ],
)
def test_an_answer_is_its_head_and_leads_nowhere(text, heard):
    port, thread = answer_with(text)

    async def story() -> None:
        calling = SafeHttpClient(anywhere=True)
        there = calling.read(f"http://127.0.0.1:{port}/")
        if heard is None:
            with pytest.raises(OSError, match="no answer"):
                await calling.post(there, {}, b"hello")
        else:
            assert await calling.post(there, {}, b"hello") == heard
        calling.close()

    asyncio.run(story())
    thread.join()


def test_nobody_is_waited_for_for_long(monkeypatch):
    monkeypatch.setattr(safe_http, "SECONDS", 0.05)
    port, _ = answer_with(b"HTTP/1.1 201 Cre", hold=True)

    async def story() -> None:
        calling = SafeHttpClient(anywhere=True)
        with pytest.raises(OSError, match="in time"):
            await calling.post(calling.read(f"http://127.0.0.1:{port}/"), {}, b"")
        calling.close()

    asyncio.run(story())


def test_who_is_called_over_tls_must_be_who_it_says(tmp_path, monkeypatch):
    own, authority = certificate(tmp_path)
    push_service = PushService(tls=own)

    async def story(trusted: bool) -> None:
        calling = SafeHttpClient(anywhere=True)
        there = calling.read(f"{push_service.origin}/push/nobody")
        if trusted:
            assert (await calling.post(there, {}, b"")).status == 201
        else:
            with pytest.raises(OSError, match="certificate"):
                await calling.post(there, {}, b"")
        calling.close()

    asyncio.run(story(False))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    asyncio.run(story(True))
    assert len(push_service.wrong) == 1, "it came, and was nothing to read"
    push_service.wrong.clear()
    push_service.stop()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("120", 120),
        ("", 0),
        ("soon", 0),
        ("-5", 0),
        ("9" * 30, 999_999_999),
        ("Tue, 17 Nov 2026 18:01:40 GMT", 100),
        ("Tue, 17 Nov 2026 17:00:00 GMT", 0),
    ],
)
def test_how_long_a_service_wants_to_be_left_alone(text, found):
    assert seconds(text, "Tue, 17 Nov 2026 18:00:00 GMT") == found
