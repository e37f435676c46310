"""Tables that the page of an earlier commit stored on a device: today's host shows the same, and their games go on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from preau.core.record import Record
from tests.saved.files import COMMITS, hello, local_tables_of, names, play_on, table_named, viewers_of
from tests.table.arm_wrestling import wrestling_state
from tests.table.browser_driver import BrowserDriver
from tests.table.driver import Json


def each(*statuses: str) -> Any:
    """Run a test with each stored table of these statuses."""
    found = [(commit, name) for commit in COMMITS for name in names(local_tables_of(commit), *statuses)]
    return pytest.mark.parametrize(("commit", "name"), found, ids=lambda one: one)


@pytest.fixture(params=COMMITS)
def saved(request: pytest.FixtureRequest) -> Json:
    """All tables of a device."""
    return local_tables_of(request.param)


def restored(saved: Json, *names: str) -> BrowserDriver:
    """Return a host whose device has stored these tables, the last of which is in memory."""
    host = BrowserDriver()
    host.now = saved["now"]
    for name in names:
        table = table_named(saved, name)
        stored, key = table["stored"], table["id"]
        host.storage.about[key] = json.dumps(stored["about"]).encode()
        host.storage.rows[key] = [json.dumps(row).encode() for row in stored["rows"]]
        if "review" in stored:
            host.storage.reviews[key] = json.dumps(stored["review"]).encode()
        host.reopen(key)
    return host


@each()
def test_a_stored_table_is_shown_as_before(commit, name):
    saved = local_tables_of(commit)
    table = table_named(saved, name)
    noted = table["answers"]
    for seat, message in noted["hello"].items():
        host = restored(saved, name)
        assert host.info(table["id"]) == noted["info"]
        assert hello(host, table, seat) == {**message, "now": 0}, seat
    if "record" in noted:
        assert host.record(table["id"]) == noted["record"]
        Record.from_json(noted["record"]).verify()
    if "review" in noted:
        assert host.call("GET", f"/tables/{table['id']}/review") == noted["review"]


@each("playing")
def test_a_stored_game_is_played_to_its_end(commit, name):
    """What is stored after that begins with what was stored before."""
    saved = local_tables_of(commit)
    host, table = restored(saved, name), table_named(saved, name)
    play_on(host, table)
    assert host.info(table["id"])["status"] == "over"
    Record.from_json(host.record(table["id"])).verify()
    rows, before = host.storage.rows[table["id"]], table["stored"]["rows"]
    assert [json.loads(row) for row in rows[: len(before)]] == before
    assert len(rows) > len(before)
    host.reopen(table["id"])
    assert hello(host, table, "spectator")["result"]


@each("waiting")
def test_a_stored_table_that_waits_is_filled_and_played(commit, name):
    saved = local_tables_of(commit)
    host, table = restored(saved, name), table_named(saved, name)
    made = host.join(table["id"], {"name": "Lou"})
    table["tokens"][str(made["seats"][0])] = made["token"]
    host.start(table["id"], table["tokens"]["0"])
    play_on(host, table)
    Record.from_json(host.record(table["id"])).verify()


def test_a_stored_question_is_answered(saved):
    host, table = restored(saved, "undo_recess"), table_named(saved, "undo_recess")
    viewers, votes = viewers_of(host, table), table["votes"]
    host.send(viewers[votes["missing"]], "agree", at=votes["at"], yes=True)
    assert viewers[votes["by"]].last("step")["undone"] < votes["at"]
    assert hello(host, table, "spectator")["asks"] is None


def test_one_more_hint(saved):
    host, table = restored(saved, "hints_bagarre"), table_named(saved, "hints_bagarre")
    viewer = viewers_of(host, table)[0]
    host.send(viewer, "hint", at=viewer.number)
    assert viewer.last("hinted")["idea"]["action"] in viewer.legal
    assert host.info(table["id"])["hinted"] == table["answers"]["info"]["hinted"] + 1 == 2


def test_who_left_a_stored_game_comes_back(saved):
    host, table = restored(saved, "left_cour"), table_named(saved, "left_cour")
    seat, token = table["left"]["seat"], table["left"]["token"]
    assert host.join(table["id"], {}, token)["seats"] == [seat]
    table["tokens"][str(seat)] = token
    play_on(host, table)


def test_a_stored_tie_is_wrestled_for(saved):
    host, table = restored(saved, "tied_recess"), table_named(saved, "tied_recess")
    viewers = viewers_of(host, table)
    for seat in (0, 2):
        host.send(viewers[seat], "wrestle", yes=True)
    assert wrestling_state(viewers[1])["phase"] == "pulling"


def test_a_stored_series_goes_on(saved):
    table, before = table_named(saved, "series_2_cour"), table_named(saved, "series_cour")
    host = restored(saved, "series_2_cour")
    after = play_on(host, table)
    assert [game["table"] for game in after["series"]["games"]] == [before["id"], table["id"]]
    again = host.rematch(table["id"], next(iter(table["tokens"].values())))
    assert host.info(again)["series"]["games"] == after["series"]["games"]


def test_a_stored_game_moves_to_a_server(saved):
    host, table = restored(saved, "hints_bagarre"), table_named(saved, "hints_bagarre")
    wish = host.call("GET", f"/tables/{table['id']}/away", token=table["tokens"]["0"])
    there = BrowserDriver()
    made = there.create({**wish, "start": True})
    shown = there.open(made["table"]["id"], made["token"]).all("hello")[0]
    assert shown["view"] == table["answers"]["hello"]["0"]["view"]
