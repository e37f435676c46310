"""Commands to the host in a browser: which stored tables each of them needs, and their names on the page's side."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import msgspec
import pytest

from preau.browser.commands import AnyCommand
from preau.browser.effects import Effects
from preau.browser.router import ROUTES
from preau.browser.worker_entry import Done, HostWorker
from tests.table.driver import BOT, ME, Json
from tools.set_up import ROOT

AT_TABLES = [(route.method, "/".join(["", *route.path])) for route in ROUTES if "{table}" in route.path]
ELSEWHERE = [(route.method, "/".join(["", *route.path])) for route in ROUTES if "{table}" not in route.path]


def do(worker: HostWorker, what: str, **about: Any) -> Json:
    done: Json = json.loads(worker.do(json.dumps({"do": what, **about})))
    return done


def call(worker: HostWorker, method: str, address: str, body: object = "", **about: Any) -> Json:
    text = json.dumps(body) if body != "" else ""
    return do(worker, "call", method=method, address=address, body=text, **about)


def stored_table(**more: Any) -> tuple[str, str, Json]:
    """Return the id of a table, the token of its host, and what the page stores of it."""
    wish = {"game": "recess", "seats": [ME, BOT, BOT], "start": True, **more}
    made = call(HostWorker(), "POST", "/tables", wish)
    [write] = made["effects"]["writes"]
    body = json.loads(made["body"])
    return body["table"]["id"], body["token"], {"about": write["about"], "rows": write["rows"]}


@pytest.mark.parametrize(("method", "address"), AT_TABLES, ids=lambda one: one)
def test_every_request_at_a_table_says_that_it_needs_it(method, address):
    """Nothing is done then. Repeated with the table in memory, it is answered as if the table had been there before."""
    table, token, stored = stored_table()
    address = address.replace("{table}", table).replace("{seat}", "1")
    about = {"token": token, "body": "{}"} if method in ("POST", "PUT") else {"token": token}
    worker, before = HostWorker(), HostWorker()
    assert do(worker, "call", method=method, address=address, **about) == {"effects": {}, "needs": [table]}
    do(worker, "restore", stored=stored)
    do(before, "restore", stored=stored)
    found = do(worker, "call", method=method, address=address, absent=[table], **about)
    assert "needs" not in found
    assert found["status"] == do(before, "call", method=method, address=address, **about)["status"] != 404 or (
        json.loads(found["body"])["key"] in ("needs_server", "no_review")
    )


@pytest.mark.parametrize(("method", "address"), ELSEWHERE, ids=lambda one: one)
def test_no_other_request_needs_a_table(method, address):
    address = re.sub("{.*?}", "local123", address)
    assert "needs" not in call(HostWorker(), method, address, {"game": "recess", "name": "localhost", "id": "local123"})


@pytest.mark.parametrize("name", ["localhost", "local123"])
def test_a_nickname_is_no_table(name):
    worker = HostWorker()
    seats = [{"kind": "me", "name": name}, BOT, BOT]
    made = call(worker, "POST", "/tables", {"game": "recess", "seats": seats, "start": True})
    body = json.loads(made["body"])
    assert (made["status"], body["table"]["seats"][0]["name"]) == (201, name)
    do(worker, "open", line="1", table=body["table"]["id"])
    for message in ({"type": "join", "token": body["token"]}, {"type": "say", "text": f"at {name}"}):
        assert "needs" not in do(worker, "hear", line="1", text=json.dumps(message))


def test_a_table_to_play_on_from_is_needed():
    worker = HostWorker()
    over, _, stored = stored_table(seats=[BOT, BOT, BOT])
    wish = {"game": "recess", "seats": [ME, BOT, BOT], "from": {"table": over, "step": 0}}
    assert call(worker, "POST", "/tables", wish) == {"effects": {}, "needs": [over]}
    do(worker, "restore", stored=stored)
    assert json.loads(call(worker, "POST", "/tables", wish)["body"])["error"] == "TooLate", "that game is not over"


def test_a_connection_needs_its_table_once_it_joins():
    table, token, stored = stored_table()
    worker = HostWorker()
    assert do(worker, "open", line="1", table=table) == {"effects": {}}
    join = {"line": "1", "text": json.dumps({"type": "join", "token": token})}
    assert do(worker, "hear", **join) == {"effects": {}, "needs": [table]}
    do(worker, "restore", stored=stored)
    [[line, hello], *_] = do(worker, "hear", **join)["effects"]["sent"]
    assert (line, json.loads(hello)["type"]) == ("1", "hello")


def test_a_table_that_is_not_stored_is_unknown():
    worker = HostWorker()
    assert call(worker, "GET", "/tables/local123")["needs"] == ["local123"]
    found = call(worker, "GET", "/tables/local123", absent=["local123"])
    assert (found["status"], json.loads(found["body"])["key"]) == (404, "no_table")
    assert call(worker, "GET", "/tables/abc")["status"] == 404, "the id of a server's table"
    do(worker, "open", line="1", table="local123")
    join = {"line": "1", "text": json.dumps({"type": "join"})}
    assert do(worker, "hear", **join)["needs"] == ["local123"]
    done = do(worker, "hear", absent=["local123"], **join)
    assert done["effects"]["closed"] == ["1"]
    assert json.loads(done["effects"]["sent"][0][1])["reason"] == "unknown"


def test_the_page_has_the_same_commands():
    source = (ROOT / "web" / "src" / "offline" / "commands.ts").read_text(encoding="utf-8")
    there = {
        found["tag"]: re.findall(r"(\w+)\??:", found["fields"])
        for found in re.finditer(r'\| \{ do: "(?P<tag>\w+)"(?P<fields>[^}]*)\}', source)
    }
    here = {
        kind.__struct_config__.tag: [name for name in kind.__struct_fields__ if name != "absent"]
        for kind in get_args(AnyCommand)
    }
    assert {tag: sorted(names) for tag, names in there.items()} == {tag: sorted(names) for tag, names in here.items()}
    for kind in (Effects, Done):
        [body] = re.findall(rf"interface {kind.__name__} {{(.*?)\n}}", source, re.DOTALL)
        assert set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE)) == {
            one.name for one in msgspec.structs.fields(kind)
        }
