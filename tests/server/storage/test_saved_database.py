"""A database of an earlier commit: today's server answers what the server of that commit did, and its games go on."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from preau.core.record import Record
from tests.saved.files import COMMITS, FOLDER, database_of, hello, names, play_on, table_named, viewers_of
from tests.server.players import Api, Player, run
from tests.server.processes import Server
from tests.server.push_service import Browser, PushService, unb64
from tests.server.server_driver import ServerDriver
from tests.support import PATIENCE
from tests.table.arm_wrestling import pull, wrestling_state
from tests.table.driver import Json, Refused

DAY_MS = 86_400_000
SHOWN = 3
"""Steps of a replay that were noted from its beginning, and from its end."""
Open = Callable[[], ServerDriver]


def each(*statuses: str) -> Any:
    """Run a test with each saved table of these statuses."""
    found = [(commit, name) for commit in COMMITS for name in names(database_of(commit), *statuses)]
    return pytest.mark.parametrize(("commit", "name"), found, ids=lambda one: one)


def open_copy(commit: str, folder: Path) -> ServerDriver:
    """Open a copy of the database with today's server, at the time at which the answers were noted."""
    shutil.copyfile(FOLDER / commit / "preau.db", folder / "preau.db")
    driver = ServerDriver(folder)
    assert driver.now == database_of(commit)["now"]
    return driver


def answer(host: ServerDriver, path: str) -> Json:
    """Return the answer to a GET request, also if it is a refusal."""
    try:
        return dict(host.call("GET", path))
    except Refused as refusal:
        return refusal.problem


def saved_actions(commit: str, table: str) -> list[tuple[int, str]]:
    """Return who did what in a saved game, without what was taken back, as the rows of the database have it."""
    rows = "SELECT number, actor, kind, text FROM log WHERE table_id = ? ORDER BY number"
    with closing(sqlite3.connect(f"file:{FOLDER / commit / 'preau.db'}?mode=ro&immutable=1", uri=True)) as connection:
        found: list[tuple[int, int, str]] = []
        for number, actor, kind, text in connection.execute(rows, [table]):
            if kind == "undo":
                found = [row for row in found if row[0] <= int(text)]
            else:
                found.append((number, actor, text))
    return [(actor, text) for _, actor, text in found]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], ServerDriver]]:
    """Servers for tests that only read, one for each commit."""
    opened: dict[str, ServerDriver] = {}

    def open_once(commit: str) -> ServerDriver:
        if commit not in opened:
            opened[commit] = open_copy(commit, tmp_path_factory.mktemp(commit))
        return opened[commit]

    yield open_once
    for driver in opened.values():
        driver.stop()


@pytest.fixture(params=COMMITS)
def saved(request: pytest.FixtureRequest) -> Json:
    """What was noted of a database."""
    return {**database_of(request.param), "commit": request.param}


@pytest.fixture
def host(saved: Json, tmp_path: Path) -> Iterator[ServerDriver]:
    """A server with a copy of that database."""
    driver = open_copy(saved["commit"], tmp_path)
    yield driver
    driver.stop()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], ServerDriver]]:
    """Open a copy of the database of a commit."""
    drivers: list[ServerDriver] = []

    def open_it(commit: str) -> ServerDriver:
        drivers.append(open_copy(commit, tmp_path))
        return drivers[-1]

    yield open_it
    for driver in drivers:
        driver.stop()


# Reading.


@each()
def test_a_saved_table_is_shown_as_before(reading, commit, name):
    host, table = reading(commit), table_named(database_of(commit), name)
    noted, base = table["answers"], f"/tables/{table['id']}"
    assert host.info(table["id"]) == noted["info"]
    assert answer(host, f"/codes/{noted['info']['code']}") == noted["code"]
    assert answer(host, f"{base}/record") == noted["record"][1]
    assert answer(host, f"{base}/replay?seat=0&first=0&count={SHOWN}") == noted["replay"][1]
    if "replay_end" in noted:
        first = max(0, noted["replay_end"]["total"] - SHOWN)
        assert answer(host, f"{base}/replay?first={first}&count={SHOWN}") == noted["replay_end"]
    if "review" in noted:
        assert answer(host, f"{base}/review") == noted["review"][1]
    for seat, message in noted["hello"].items():
        opening = {} if seat == "spectator" else {"opening": True}
        assert hello(host, table, seat, **opening) == message, seat


@each("over")
def test_a_saved_record_verifies(reading, commit, name):
    host, table = reading(commit), table_named(database_of(commit), name)
    record = Record.from_json(host.record(table["id"]))
    record.verify()
    assert record.to_json() == table["answers"]["record"][1]


def test_the_lists_of_the_server_are_the_same(host, saved):
    assert host.call("GET", "/tables") == saved["listed"]
    assert {**host.call("GET", "/challenges"), "now": 0} == saved["challenges"]
    assert host.call("GET", "/calls")["key"] == saved["push_key"]


def test_a_finished_review_is_read(host, saved):
    table = table_named(saved, "reviewed_recess")
    assert host.call("GET", f"/tables/{table['id']}/review") == table["review"]
    assert host.call("POST", f"/tables/{table['id']}/review") == table["review"]
    assert host.call("GET", f"/reviews/{table['review']['id']}") == table["review"]


def test_the_challenge_of_a_saved_day_has_the_same_key_when_it_is_over(host, saved):
    path = f"/challenges/bagarre/{saved['day']}"
    assert "key" not in host.call("GET", path)
    host.now += DAY_MS
    assert host.call("GET", path)["key"] == saved["challenge_key"]


def test_a_wrong_token_opens_nothing(host, saved):
    table = table_named(saved, "days_bagarre")
    token = table["tokens"]["0"]
    wrong = token[:-1] + ("x" if token[-1] != "x" else "y")
    assert host.open(table["id"], wrong).last("bye")["reason"] == "token"


# Playing on.


@each("playing")
def test_a_saved_game_is_played_to_its_end(opened, commit, name):
    """The record begins with what the database had, and has the origin of a game that began elsewhere."""
    host, table = opened(commit), table_named(database_of(commit), name)
    play_on(host, table)
    assert host.info(table["id"])["status"] == "over"
    record = Record.from_json(host.record(table["id"]))
    record.verify()
    before = saved_actions(commit, table["id"])
    assert [(entry.actor, entry.text) for entry in record.entries[: len(before)]] == before
    assert len(record.entries) > len(before)
    origin = table["answers"]["info"].get("origin")
    assert record.meta.get("origin") == origin
    assert (record.start is not None) == (origin is not None)


@each("waiting")
def test_a_saved_table_that_waits_is_filled_and_played(opened, commit, name):
    host, table = opened(commit), table_named(database_of(commit), name)
    for seat in host.info(table["id"])["seats"]:
        if seat["kind"] == "open":
            made = host.join(table["id"], {"name": "Lou"})
            table["tokens"][str(made["seats"][0])] = made["token"]
    host.start(table["id"], table["tokens"]["0"])
    play_on(host, table)
    Record.from_json(host.record(table["id"])).verify()


def test_a_saved_question_is_answered(host, saved):
    table = table_named(saved, "undo_recess")
    viewers, votes = viewers_of(host, table), table["votes"]
    host.send(viewers[votes["missing"]], "agree", at=votes["at"], yes=True)
    step = viewers[votes["by"]].last("step")
    assert step["undone"] < votes["at"]
    assert step["to_act"] == [votes["by"]]
    assert hello(host, table, "spectator")["asks"] is None


def test_a_saved_question_is_declined(host, saved):
    table = table_named(saved, "undo_recess")
    viewers, votes = viewers_of(host, table), table["votes"]
    assert viewers[votes["missing"]].now["asks"]["by"] == votes["by"]
    host.send(viewers[votes["missing"]], "agree", at=votes["at"], yes=False)
    assert viewers[votes["by"]].last("asks")["asks"] is None
    assert viewers[votes["by"]].number == votes["at"]


def test_one_more_hint(host, saved):
    table = table_named(saved, "hints_bagarre")
    viewer = viewers_of(host, table)[0]
    host.send(viewer, "hint", at=viewer.number)
    assert viewer.last("hinted")["idea"]["action"] in viewer.legal
    assert host.info(table["id"])["hinted"] == table["answers"]["info"]["hinted"] + 1


def test_who_left_a_saved_game_comes_back(host, saved):
    table = table_named(saved, "left_cour")
    seat, token = table["left"]["seat"], table["left"]["token"]
    assert host.open(table["id"], token).last("bye")["reason"] == "token"
    made = host.join(table["id"], {}, token)
    assert (made["seats"], made["token"]) == ([seat], token)
    table["tokens"][str(seat)] = token
    play_on(host, table)


def test_a_saved_agreement_to_a_newcomer_counts(host, saved):
    table = table_named(saved, "left_cour")
    with pytest.raises(Refused) as refusal:
        host.join(table["id"], {"name": "Lou"})
    assert refusal.value.problem["params"]["seats"] == [table["stand_in"]]
    host.set_seat(table["id"], table["left"]["seat"], {"kind": "open"}, table["tokens"][str(table["stand_in"])])
    assert host.join(table["id"], {"name": "Lou"})["seats"] == [table["left"]["seat"]]


def test_a_saved_one_time_link_moves_the_seat(host, saved):
    table = table_named(saved, "waiting_cour")
    seat = str(table["link_seat"])
    made = host.call("POST", "/move", {"code": table["link"]})
    assert made["seats"] == [int(seat)]
    assert hello(host, {**table, "tokens": {seat: made["token"]}}, seat)["seats"] == [int(seat)]
    assert host.open(table["id"], table["tokens"][seat]).last("bye")["reason"] == "token"
    with pytest.raises(Refused) as refusal:
        host.call("POST", "/move", {"code": table["link"]})
    assert refusal.value.key == "link"


def test_a_saved_tie_is_wrestled_for(host, saved):
    table = table_named(saved, "tied_recess")
    viewers = viewers_of(host, table)
    for seat in (0, 2):
        host.send(viewers[seat], "wrestle", yes=True)
    found = wrestling_state(viewers[0])
    assert (found["phase"], found["round"]) == ("pulling", 1)
    host.wait(found["starts"] - host.now + 2_000)
    for seat, count in ((0, 4), (1, 9), (2, 5)):
        pull(host, viewers[seat], 1, count)
    host.wait(found["lasts"] - 999)  # the last reports may be a second late
    assert wrestling_state(viewers[0])["winner"] == 1
    assert host.record(table["id"]) == table["answers"]["record"][1]


def test_a_rematch_of_a_saved_game(host, saved):
    table = table_named(saved, "over_cour")
    again = host.rematch(table["id"], table["tokens"]["0"])
    viewer = host.open(again, table["tokens"]["0"])
    assert viewer.now["table"]["series"]["games"][0]["table"] == table["id"]
    assert viewer.now["table"]["options"]["agent_min"] == 2


def test_a_saved_series_goes_on(host, saved):
    first, second, third = (table_named(saved, f"series_{number}_bagarre") for number in (1, 2, 3))
    assert host.rematch(first["id"], first["tokens"]["0"]) == second["id"]
    assert host.rematch(second["id"], second["tokens"]["0"]) == third["id"]
    after = play_on(host, third)
    assert [game["table"] for game in after["series"]["games"]] == [first["id"], second["id"], third["id"]]
    again = host.rematch(third["id"], third["tokens"]["0"])
    series = host.info(again)["series"]
    assert series["games"] == after["series"]["games"]


def test_a_saved_game_is_played_on_from_a_step(host, saved):
    table = table_named(saved, "over_cour")
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}, {"kind": "bot", "level": "random"}]
    wish = {"game": "cour", "seats": seats, "start": True, "from": {"table": table["id"], "step": 4, "eyes": 1}}
    made = host.create(wish)
    assert made["table"]["origin"] == {"kind": "table", "table": table["id"], "step": 4, "eyes": 1}
    assert host.open(made["table"]["id"], made["token"]).now["view"]["seats"] == 3


def test_a_review_that_was_half_done_is_resumed(host, saved):
    table = table_named(saved, "half_reviewed_bagarre")
    path = f"/tables/{table['id']}/review"
    found = host.call("GET", path)
    assert 0 < table["pieces"] < found["of"] == table["review"]["of"]
    assert table["pieces"] <= found["done"] < found["of"]
    host.wait(60_000)  # until the lease of the process that was killed has expired
    end = time.monotonic() + PATIENCE
    while found["status"] in ("waiting", "working") and time.monotonic() < end:
        host.wait(10)
        found = host.call("GET", path)
    assert found == table["review"]


def test_a_saved_browser_is_notified(saved, tmp_path):
    """The push service is the only thing that is another one: its address in the database is that of the test's."""
    table = table_named(saved, "days_bagarre")
    push, wish = PushService(), table["browser"]
    key = ec.derive_private_key(int(wish["private"], 16), ec.SECP256R1())
    push.browsers["one"] = Browser(key, unb64(wish["auth"]))
    database, clock = tmp_path / "preau.db", tmp_path / "clock"
    shutil.copyfile(FOLDER / saved["commit"] / "preau.db", database)
    with closing(sqlite3.connect(database)) as connection, connection:
        changed = connection.execute("UPDATE calls SET endpoint = ?", [f"{push.origin}/push/one"])
        assert changed.rowcount == 1
    clock.write_text(str(saved["now"] - time.time_ns() // 1_000_000))
    settings: Json = {"push_anywhere": True, "call_after_ms": 0, "call_every_ms": 0, "sweep_ms": 100}
    server = Server(f"sqlite:///{database}", clock=clock, **settings)

    async def story() -> None:
        async with Api(server.url), Player(server.url, table["id"], table["tokens"]["0"]) as player:
            while player.to_act == [0]:
                await player.act(player.legal[0])
            assert player.to_act == [wish["seat"]]
            await asyncio.to_thread(push.wait, lambda: push.got)

    try:
        run(story())
        assert (push.got[0].call["table"], push.got[0].call["language"]) == (table["id"], "fr")
    finally:
        server.stop()
        push.stop()
