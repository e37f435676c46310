"""Bad input: whatever somebody sends is data or a refusal that says why, never a fault of ours."""

from __future__ import annotations

import json
import socket
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from preau.core.registry import find_game, game_ids
from preau.host.body_limits import DEEPEST
from tests.server.faults import no_faults
from tests.server.players import ME, OPEN, Player, run
from tests.server.processes import Server
from tests.support import PATIENCE

WISH = {"game": "recess", "seats": [ME, OPEN, OPEN]}


class Answer(NamedTuple):
    """What came back, and whether it is one of our own refusals."""

    status: int
    body: bytes

    @property
    def refused(self) -> bool:
        return self.status in range(400, 500) and bool(json.loads(self.body)["error"])


def ask(server: Server, line: str, body: bytes = b"", *headers: str, host: str | None = None) -> Answer:
    """A request, byte for byte as it stands here: no client would send most of these."""
    head = [line, f"Host: {host if host is not None else f'127.0.0.1:{server.port}'}", "Connection: close", *headers]
    head.append(f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line_:
        line_.sendall("\r\n".join([*head, "", ""]).encode("latin-1") + body)
        found = b""
        while part := line_.recv(65_536):
            found += part
    start, _, rest = found.partition(b"\r\n\r\n")
    return Answer(int(start.split()[1]), rest)


def post(server: Server, path: str, body: str | bytes, *headers: str) -> Answer:
    data = body if isinstance(body, bytes) else body.encode()
    return ask(server, f"POST {path} HTTP/1.1", data, "Content-Type: application/json", *headers)


def nested(depth: int) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


def wish(**more: Any) -> str:
    return json.dumps({**WISH, **more})


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> Server:
    """A server on SQLite, or one on PostgreSQL, which takes less for text."""
    if request.param == "sqlite":
        found: Server = request.getfixturevalue("server")
        return found
    first: Server = request.getfixturevalue("pair")[0]
    return first


BODIES: dict[str, str | bytes] = {
    "no UTF-8": b'{"game": "\xff\xfe"}',
    "no UTF-8 in a name": wish().encode().replace(b'"me"', b'"me", "name": "\xe9"'),
    "a surrogate in bytes": wish().encode().replace(b'"me"', b'"me", "name": "\xed\xa0\x80"'),
    "a surrogate in a name": wish(seats=[{"kind": "me", "name": "\ud800"}, OPEN, OPEN]),
    "a surrogate in a game": wish(game="\udfff"),
    "a surrogate in an option": wish(options={"layout": "\ud83d"}),
    "a surrogate for an option": wish(options={"\ud800": 1}),
    "NUL in a game": wish(game="\0"),
    "NUL in an option": wish(options={"layout": "\0"}),
    "deep": "[" * 990 + "]" * 990,
    "deeper": "[" * 60_000,
    "a deep object": '{"a":' * 10_000,
    "a deep option": wish(options={"layout": nested(400)}),
    "a deep unknown field": wish(zzz=nested(400)),
    "a whole number without end": wish().replace("{", '{"options": {"turns": ' + "9" * 5_000 + "}, ", 1),
    "a long number": wish(options={"turns": 10**4_000}),
    "a timer without end": wish(timer={"kind": "turn", "amount": 10**400}),
    "infinity": wish(options={"turns": float("inf")}),
    "no number": wish(options={"turns": float("nan")}),
    "a number too large": wish().replace("{", '{"options": {"turns": 1e999}, ', 1),
    "the same field twice": '{"game": "recess", "game": "zzz", "seats": [{}]}',
    "nothing": b"",
    "null": b"null",
    "a text": b'"x"',
    "half": wish()[:-5],
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": wish().encode("utf-16"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_bad_body_is_refused(server, what):
    with no_faults(server):
        answer = post(server, "/api/tables", BODIES[what])
    assert answer.refused, answer


def test_what_is_nested_too_deeply_is_told_so(server):
    for depth in (DEEPEST + 1, 200, 990, 3_000):
        body = f'{{"game": "recess", "seats": [], "options": {"[" * (depth - 1)}{"]" * (depth - 1)}}}'
        answer = post(server, "/api/tables", body)
        assert json.loads(answer.body)["key"] == "malformed"
        assert "16 deep" in json.loads(answer.body)["hint"]
    fine = post(server, "/api/tables", wish(options={"layout": nested(DEEPEST - 2)}))
    assert json.loads(fine.body)["field"] == "option layout"


def test_characters_that_databases_do_not_take_do_no_harm(either):
    with no_faults(either):
        made = json.loads(
            post(either, "/api/tables", wish(seats=[{"kind": "me", "name": "a\0b\x1b"}, OPEN, OPEN])).body
        )
        assert made["table"]["seats"][0]["name"] == "ab"
        table = f"/api/tables/{made['table']['id']}"
        assert post(either, f"{table}/join", '{"name": "\\u0000"}').status == 201
        longer = post(
            either, f"{table}/join", json.dumps({"name": "\ufb2c" * 24})
        )  # as it is kept: three times as long
        assert json.loads(longer.body)["table"]["seats"][2]["name"] == "\u05e9\u05bc\u05c1" * 8
        assert post(either, "/api/move", '{"code": "abcd\\u0000"}').refused
        for code in ("%00", "a%00b", "%ff", "%ED%A0%80", "a%0d%0ab", "%C4%B0"):
            assert ask(either, f"GET /api/codes/{code} HTTP/1.1").status == 404
            assert ask(either, f"GET /api/tables/{code} HTTP/1.1").refused
        assert post(either, f"{table}/start", "", "Authorization: Bearer \xff\xfe\xed\xa0\x80").refused

        async def talk() -> None:
            async with Player(either.url, made["table"]["id"], made["token"]) as player:
                await player.send({"type": "say", "text": "a\0b"})
                assert (await player.until("chat"))["line"]["text"] == "ab"
                await player.send({"type": "act", "id": "x", "at": 0, "action": "\0"})
                assert (await player.until("refused"))["id"] == "x"

        run(talk())


ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        10**30,
        -(10**400),
        1.5,
        -0.0,
        1e308,
        "",
        " ",
        "\0",
        "random",
        "0",
        "1e9",
        "\u3164" * 500,
    ),
    *(
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"id": 1},
        {"name": {"en": "\0"}},
        [{}] * 300,
        "[]",
        "{}",
        "null",
        '{"name": 1}',
    ),
    *(nested(DEEPEST - 2), "[" * 5_000),
]


@pytest.mark.parametrize("game", game_ids())
def test_whatever_is_sent_for_an_option_is_a_value_or_refused(server, game):
    seats = [ME] * min(find_game(game).seats)
    with no_faults(server):
        for option in find_game(game).options:
            for value in ODD:
                body = json.dumps({"game": game, "seats": seats, "options": {option.name: value}})
                answer = post(server, "/api/tables", body)
                assert answer.status == 201 or answer.refused, (option.name, value, answer)


HOSTS = [
    *(
        "127.0.0.1:99999",
        "127.0.0.1:abc",
        "127.0.0.1:",
        "127.0.0.1:-1",
        "127.0.0.1:80:80",
        "[::1]:99999",
        "[::1",
        "::1",
    ),
    *("[::1%eth0]", "[127.0.0.1]", "a@127.0.0.1", "127.0.0.1/evil", "127.0.0.1?", "127.0.0.1#", "127.1", "0x7f.1", ""),
    *(
        "2130706433",
        "localhost.",
        "localhost:\xb2",
        "\xff",
        "127.0.0.1, evil.example",
        "evil.example:80",
        "notlocalhost",
    ),
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_bad_host_is_refused(server, host):
    with no_faults(server):
        for path in ("/api/games", "/", "/api/tables/none/invitation"):
            answer = ask(server, f"GET {path} HTTP/1.1", host=host)
            assert answer.status == 403, (path, answer)
            assert json.loads(answer.body)["key"] == "host"


def test_a_header_that_decides_may_be_there_once(server):
    twice = ask(server, "GET /api/games HTTP/1.1", b"", "Host: evil.example")
    assert (twice.status, json.loads(twice.body)["field"]) == (400, "Host")
    origins = (f"Origin: http://127.0.0.1:{server.port}", "Origin: https://evil.example")
    for order in (origins, origins[::-1]):
        twice = ask(server, "POST /api/move HTTP/1.1", b"{}", *order)
        assert (twice.status, json.loads(twice.body)["field"]) == (400, "Origin")


PATHS = [
    *(
        "/api/games/%ff/rules/en",
        "/api/games/%00/picture",
        "/api/games/recess/texts/%ff",
        "/api/tables/%2e%2e",
        "/api/%",
    ),
    *("/api/tables/x/replay?seat=%ff", "/api/tables/x/replay?first=1e999", "/api/tables/x/replay?seat=" + "9" * 4_000),
    *(
        "/static/%00",
        "/static/..%2f..%2fapp.py",
        "/static/%ff.js",
        "/api/tables/" + "a" * 4_000,
        "/api/codes/" + "9" * 99,
    ),
]


@pytest.mark.parametrize("path", PATHS)
def test_a_bad_address_is_refused(server, path):
    with no_faults(server):
        assert ask(server, f"GET {path} HTTP/1.1").refused


def test_odd_methods_and_headers_do_no_harm(server):
    with no_faults(server):
        for method in ("HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "DELETE", "PUT", "FOO", "PRI", "get"):
            for path in ("/", "/api/games", "/api/tables/x/start", "/metrics", "*", "//", "http://evil.example/api"):
                assert ask(server, f"{method} {path} HTTP/1.1").status < 500, (method, path)
        odd = ("\xff", ",,,", "a" * 3_000, "charset=\xff", "bytes=\xff", "-1", "", "gzip;q=x", "multipart/form-data")
        names = "Accept Accept-Encoding Authorization Content-Type Cookie If-None-Match Range X-Forwarded-For"
        for name in (*names.split(), "X-Forwarded-Proto", "Content-Encoding", "Upgrade", "Sec-WebSocket-Key"):
            for value in odd:
                for line in ("GET /api/games", "GET /api/tables/x/invitation", "POST /api/tables", "GET /"):
                    answer = ask(server, f"{line} HTTP/1.1", b"", f"{name}: {value}")
                    assert answer.status < 500, (line, name, value)


texts = st.text(st.characters(exclude_categories=())) | st.sampled_from(["me", "bot", "greedy", "recess", "turn"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["game", "seats", "options", "timer", "visibility", "start", "name", "seat", "kind", "level", "one", "code"]
paths = st.sampled_from(
    ["/api/tables", "/api/move", "TABLE/join", "TABLE/swap", "TABLE/leave", "TABLE/move", "/api/games"]
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    path=paths,
    body=st.dictionaries(st.sampled_from(FIELDS), values, max_size=5).map(json.dumps).map(str.encode) | st.binary(),
)
def some_request(server: Server, table: str, path: str, body: bytes) -> None:
    answer = post(server, path.replace("TABLE", f"/api/tables/{table}"), body)
    assert answer.status < 300 or answer.refused, (path, body, answer)


def test_whatever_is_sent_over_http_is_answered(server):
    table = json.loads(post(server, "/api/tables", wish()).body)["table"]["id"]
    with no_faults(server):
        some_request(server, table)


def test_a_message_nested_too_deeply_is_refused_and_the_line_stays(server):
    made = json.loads(post(server, "/api/tables", wish()).body)

    async def story() -> None:
        async with Player(server.url, made["table"]["id"], made["token"]) as player:
            for start in ('{"zzz":', '{"type":"say","text":', "", '{"zzz":[1,{"a":'):
                await player.send(start + "[" * 4_000)
                assert (await player.until("refused"))["key"] == "malformed"
            await player.send({"type": "ping", "n": 1})
            assert (await player.until("pong"))["n"] == 1

    with no_faults(server):
        run(story())
