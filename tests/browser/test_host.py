"""A house of tables in a browser: what it has written down, what it asks, and what it does without a server.

What a table does is in `tests/table`, which runs at tables of such a house, too.
"""

from __future__ import annotations

import json

import msgspec
import pytest

import preau
from preau.bots.levels import LEVELS
from preau.browser import host as houses
from preau.browser.effects import Ask
from preau.browser.host import Host
from preau.browser.worker_entry import HostWorker, ThinkWorker
from preau.core.record import Record
from preau.host.bot_round import question
from preau.host.questions import BotQuestion, FailedAnswer
from preau.host.think_worker import Thinker, simulations
from tests.table.browser_driver import BrowserDriver
from tests.table.driver import BOT, ME, Json, Refused, Viewer


@pytest.fixture
def host() -> BrowserDriver:
    return BrowserDriver()


def play(host: BrowserDriver, viewer: Viewer, steps: int) -> None:
    for _ in range(steps):
        if not viewer.now.get("result"):
            host.act(viewer)


def sit(host: BrowserDriver, game: str = "recess", level: str = "random", **more: object) -> tuple[str, str, Viewer]:
    bot = {"kind": "bot", "level": level}
    made = host.make(game, [ME, bot, bot], start=True, **more)
    return made["table"]["id"], made["token"], host.open(made["table"]["id"], made["token"])


# Keeping.


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_a_game_goes_on_after_the_browser_was_closed(host, game):
    table, token, viewer = sit(host, game)
    host.send(viewer, "say", text="salut")
    play(host, viewer, 6)
    before = viewer.now
    host.reopen(table)
    again = host.open(table, token)
    for field in ("number", "view", "to_act", "asked"):
        assert again.now[field] == before[field], field
    assert [line["text"] for line in again.now["chat"]] == ["salut"]
    while not again.now.get("result"):
        host.act(again)
    host.reopen(table)
    Record.from_json(host.record(table)).verify()
    assert host.info(table)["status"] == "over"


def test_a_bot_that_was_to_play_does_so_when_somebody_looks_again(host):
    made = host.make("recess", [ME, BOT, BOT], options={"first": 1}, start=True)
    table = made["table"]["id"]
    assert host.info(table)["to_act"] == [1], "nobody looks"
    host.reopen(table)
    assert host.open(table, made["token"]).to_act == [0]


def test_what_is_being_asked_is_kept_and_what_was_taken_back_stays_so(host):
    made = host.make("recess", [ME, ME, ME], start=True)
    table, token = made["table"]["id"], made["token"]
    viewer = host.open(table, token)
    step = host.act(viewer, viewer.legal[-1])
    host.send(viewer, "undo", at=viewer.number)
    assert viewer.now["undone"] == step["number"] - 1
    host.reopen(table)
    again = host.open(table, token)
    assert (again.number, again.now["view"]) == (viewer.number, viewer.now["view"])
    assert host.rows(table)[-1].kind == "undo"


def test_another_window_has_played_on(host):
    """Both have read the same; what one of them wrote, the other takes in, and tells its own viewers."""
    table, token, viewer = sit(host)
    other = BrowserDriver()
    other.storage, other.now = host.storage, host.now
    other.house.restore(host.storage.stored(table))
    elsewhere = other.open(table, token)
    play(other, elsewhere, 1)
    assert viewer.number < elsewhere.number
    host.house.restore(host.storage.stored(table))
    host.settle()
    assert (viewer.last("hello")["number"], viewer.now["view"]) == (elsewhere.number, elsewhere.now["view"])
    assert host.act(viewer, id="mine")["type"] == "step"


def test_the_oldest_tables_make_room(host, monkeypatch):
    monkeypatch.setattr(houses, "MOST_TABLES", 2)
    names = []
    for _ in range(3):
        host.now += 1_000
        names.append(host.make("recess", [ME, BOT, BOT])["table"]["id"])
    assert sorted(host.storage.about) == sorted(names[1:])
    with pytest.raises(Refused):
        host.info(names[0])


def test_a_table_is_forgotten_by_whoever_sits_there(host):
    table, token, viewer = sit(host)
    with pytest.raises(Refused) as refusal:
        host.call("DELETE", f"/tables/{table}")
    assert refusal.value.key == "seat_needed"
    host.call("DELETE", f"/tables/{table}", token=token)
    assert viewer.last("bye")["reason"] == "unknown"
    assert table not in host.storage.about


def test_a_table_that_another_window_has_forgotten(host):
    table, token, viewer = sit(host)
    host.house.lost(table)
    host.settle()
    assert viewer.last("bye")["reason"] == "unknown"
    assert host.open(table, token).last("bye")["reason"] == "unknown"


def test_a_game_by_rules_that_nobody_knows_any_more(host):
    table, token, _ = sit(host)
    stored = json.loads(host.storage.about[table])
    stored["table"]["rules"] = "0.0"
    host.storage.about[table] = json.dumps(stored).encode()
    host.reopen(table)
    assert host.info(table)["status"] == "playing"
    assert host.open(table, token).last("bye")["reason"] == "rules"


def test_ids_are_not_those_of_a_server(host):
    made = host.make("recess", [ME, BOT, BOT])
    assert made["table"]["id"].startswith("local")


# Thinking.


def test_whoever_takes_long_thinks_elsewhere(host, monkeypatch):
    asks: list[Ask] = []
    effects = Host.effects

    def heard(house):
        found = effects(house)
        asks.extend(found.asks)
        return found

    monkeypatch.setattr(Host, "effects", heard)
    for level in ("greedy", "normal", "hard"):
        _, _, viewer = sit(host, "bagarre", level)
        play(host, viewer, 3)
    questions = [ask.question for ask in asks if isinstance(ask.question, BotQuestion)]
    heavy = {question.level: ask.heavy for question, ask in zip(questions, asks, strict=True)}
    assert heavy == {"greedy": False, "normal": False, "hard": True}
    assert all(question.view is None or "seat" in question.view for question in questions)


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_whoever_thinks_in_a_browser_looks_at_fewer_positions(game):
    """At no more than at a server, and with plain rules at no more than with compiled ones: a level is the same bot."""
    for level in LEVELS:
        light, brisk, full = (simulations(game, level, pace) for pace in ("light", "brisk", "full"))
        assert 0 < light <= brisk <= full
    state = preau.game(game).start(seats=3, seed=1)
    while len(state.to_act) != 1 or state.to_act[0] < 0 or len(state.legal(state.to_act[0])) < 3:
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0])
    seat = state.to_act[0]
    asked = msgspec.structs.replace(question("a table", state, seat, "hard", []), seed=3)
    by_name = msgspec.structs.replace(asked, level=f"hard@{simulations(game, 'hard', 'light')}")
    assert Thinker(pace="light").answer(asked) == Thinker().answer(by_name)


def test_a_bot_that_fails_is_stood_in_for(host, monkeypatch):
    monkeypatch.setattr(host.thinker, "answer", lambda question: FailedAnswer("it broke"))
    table, _, viewer = sit(host, "recess", "hard")
    while viewer.to_act == [0]:
        host.act(viewer)
    assert {row.kind for row in host.rows(table) if row.actor > 0} == {"skipped"}


def test_bots_leave_time_to_follow():
    host = BrowserDriver()
    host.house = Host(lambda: host.now, pause_ms=700)
    _, _, viewer = sit(host)
    while viewer.to_act == [0]:
        host.act(viewer)
    number = viewer.number
    host.wait(699)
    assert viewer.number == number
    host.wait(1)
    assert viewer.number > number


def test_a_review_is_worked_out_and_kept(host):
    table, _, viewer = sit(host, "bagarre", "greedy", options={"goal": 5})
    while not viewer.now.get("result"):
        host.act(viewer)
    assert host.call("POST", f"/tables/{table}/review")["status"] == "working"
    found = host.call("GET", f"/tables/{table}/review")
    assert (found["status"], found["done"]) == ("done", found["of"])
    assert found["review"]["strength"]["name"] == "quick"
    host.reopen(table)
    assert host.call("GET", f"/tables/{table}/review")["review"] == found["review"]


# Without a server.


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "invitation"), ("POST", "move"), ("POST", "together")], ids=lambda one: one
)
def test_what_takes_a_server_is_refused_in_words(host, method, path):
    table, token, _ = sit(host)
    with pytest.raises(Refused) as refusal:
        host.call(method, f"/tables/{table}/{path}", token=token)
    assert refusal.value.key == "needs_server"


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_a_game_moves_elsewhere(host, game):
    """What is played on from there is what was played here, hidden things and all."""
    table, token, viewer = sit(host, game)
    play(host, viewer, 5)
    with pytest.raises(Refused) as refusal:
        host.call("GET", f"/tables/{table}/away")
    assert refusal.value.key == "seat_needed"
    wish: Json = host.call("GET", f"/tables/{table}/away", token=token)
    assert [seat["kind"] for seat in wish["seats"]] == ["me", "bot", "bot"]
    there = BrowserDriver()
    made = there.create({**wish, "start": True})
    moved = there.open(made["table"]["id"], made["token"])
    assert moved.all("hello")[0]["view"] == viewer.now["view"]
    assert moved.now["table"]["origin"]["kind"] == "record"


def test_the_worker_speaks_json():
    times = iter(range(1_000, 9_000))
    worker = HostWorker('[["localx", 5]]', lambda: next(times))
    wish = {"game": "recess", "seats": [ME, BOT, BOT], "start": True}
    said = json.loads(
        worker.do(json.dumps({"do": "call", "method": "POST", "address": "/tables", "body": json.dumps(wish)}))
    )
    made = json.loads(said["body"])
    [write] = said["effects"]["writes"]
    assert (said["status"], write["table"]) == (201, made["table"]["id"])
    stored = {"about": write["about"], "rows": write["rows"]}
    again = HostWorker()
    again.do(json.dumps({"do": "restore", "stored": stored}))
    again.do(json.dumps({"do": "open", "line": "1", "table": write["table"]}))
    join = json.dumps({"type": "join", "token": made["token"]})
    [[line, hello], *_] = json.loads(again.do(json.dumps({"do": "hear", "line": "1", "text": join})))["effects"]["sent"]
    assert (line, json.loads(hello)["seats"]) == ("1", [0])
    again.do(json.dumps({"do": "hear", "line": "1", "text": '{"type":"ping","n":1}', "pause": 100}))
    assert again.host.pause == 100, "bots take as long as whoever plays here wishes"
    for asked in ({"type": "hint", "view": {}, "rank": 0}, {"type": "nothing"}):
        assert json.loads(ThinkWorker().think(json.dumps(asked)))["type"] == "failed"
