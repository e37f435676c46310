"""Who may do what in each status of a table, and its seats. These run in the browser's host and behind the server."""

from __future__ import annotations

import pytest

from tests.table.driver import BOT, ME, OPEN, Driver, Json, Refused
from tests.table.playing import play_to_end, play_turn, seat_three_players

# Who may do what, and when.


def phases(host: Driver) -> dict[str, Json]:
    """A table in every status, with its host and a guest."""
    found = {}
    for status in ("waiting", "playing", "over"):
        made = host.make("sprint", [ME, OPEN, OPEN] if status == "waiting" else [ME, OPEN], options={"rounds": 1})
        table = made["table"]["id"]
        guest = host.join(table, {"name": "Guest", "seat": 1})
        if status != "waiting":
            host.start(table, made["token"])
        if status == "over":
            viewers = [host.open(table, token) for token in (made["token"], guest["token"])]
            play_to_end(host, viewers)
            for viewer in viewers:
                host.close(viewer)
        assert host.info(table)["status"] == status
        found[status] = {"table": table, "host": made["token"], "guest": guest["token"], "nobody": None}
    return found


FORBIDDEN = {  # what: {status: {who: why not}}; what is not here may be done
    "start": {
        "waiting": {"host": "open_seat", "guest": "host_only", "nobody": "seat_needed"},
        "playing": {"host": "begun", "guest": "host_only", "nobody": "seat_needed"},
        "over": {"host": "begun", "guest": "host_only", "nobody": "seat_needed"},
    },
    "swap": {
        "waiting": {"guest": "host_only", "nobody": "seat_needed"},
        "playing": {"host": "begun", "guest": "host_only", "nobody": "seat_needed"},
        "over": {"host": "begun", "guest": "host_only", "nobody": "seat_needed"},
    },
    "join": {
        "playing": {"host": "no_seat", "guest": "no_seat", "nobody": "no_seat"},
        "over": {"host": "over", "guest": "over", "nobody": "over"},
    },
    "rematch": {
        "waiting": {"host": "not_over", "guest": "not_over", "nobody": "seat_needed"},
        "playing": {"host": "not_over", "guest": "not_over", "nobody": "seat_needed"},
        "over": {"nobody": "seat_needed"},
    },
    "bot for the guest": {  # test_rights: when another than the guest may
        "waiting": {"guest": "host_only", "nobody": "seat_needed"},
        "playing": {"host": "not_here", "nobody": "seat_needed"},
        "over": {"host": "over", "nobody": "seat_needed"},
    },
    "guest comes back": {
        "waiting": {"host": "not_begun", "guest": "host_only", "nobody": "seat_needed"},
        "playing": {"host": "not_yours", "nobody": "seat_needed"},
        "over": {"host": "not_yours", "nobody": "seat_needed"},
    },
    "open the guest's seat": {
        "waiting": {"guest": "host_only", "nobody": "seat_needed"},
        "playing": {"host": "begun", "guest": "begun", "nobody": "seat_needed"},
        "over": {"host": "over", "guest": "over", "nobody": "seat_needed"},
    },
    "leave": {status: {"nobody": "seat_needed"} for status in ("waiting", "playing", "over")},
}


def attempt(host: Driver, what: str, table: str, token: str | None) -> None:
    match what:
        case "start":
            host.start(table, token)
        case "swap":
            host.swap(table, {"one": 0, "other": 1}, token)
        case "join":
            host.join(table, {"name": "x"}, token)
        case "rematch":
            host.rematch(table, token)
        case "bot for the guest":
            host.set_seat(table, 1, {"kind": "bot", "level": "random"}, token)
        case "guest comes back":
            host.set_seat(table, 1, {"kind": "back"}, token)
        case "open the guest's seat":
            host.set_seat(table, 1, {"kind": "open"}, token)
        case "leave":
            host.leave(table, token)


@pytest.mark.parametrize("what", FORBIDDEN)
def test_who_may_do_what_in_every_status(host, what):
    for who in ("host", "guest", "nobody"):
        for status, place in phases(host).items():
            table, why = place["table"], FORBIDDEN[what].get(status, {}).get(who)
            before = host.info(table)
            if why is None:
                attempt(host, what, table, place[who])
                continue
            with pytest.raises(Refused) as refusal:
                attempt(host, what, table, place[who])
            assert refusal.value.key == why, (status, who)
            assert host.info(table) == before


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"game": "recess", "seats": [ME, ME]}, "seats"),
        ({"game": "recess", "seats": [ME, ME, {"kind": "bot", "level": "my_bot"}]}, "bot"),
        ({"game": "recess", "seats": [ME] * 3, "options": {"turns": 0}}, "option turns"),
        ({"game": "recess", "seats": [ME, ME, OPEN], "start": True}, "start"),
        ({"game": "recess", "seats": [ME] * 3, "timer": {"kind": "days", "amount": 31}}, "timer.amount"),
    ],
)
def test_a_wrong_wish_is_refused_in_words(host, wish, field):
    with pytest.raises(Refused) as refusal:
        host.create(wish)
    assert refusal.value.problem["field"] == field


def test_seats_are_filled_exchanged_and_given_to_bots(host):
    made = host.make("recess", [{"kind": "me", "name": " Z\u202eo\u00e9\n "}, OPEN, OPEN, OPEN])
    table, token = made["table"]["id"], made["token"]
    assert made["table"]["seats"][0] == {"seat": 0, "kind": "person", "name": "Zo\u00e9", "host": True}
    viewer = host.open(table, token)
    guest = host.join(table, {"name": "Guest", "seat": 2})
    assert (guest["seats"], guest["host"]) == ([2], False)
    with pytest.raises(Refused) as refusal:
        host.join(table, {"name": "x", "seat": 2})
    assert refusal.value.key == "no_seat"
    assert host.join(table, {"name": "Sister"}, guest["token"])["seats"] == [1, 2]
    host.set_seat(table, 3, {"kind": "bot", "level": "random"}, token)
    with pytest.raises(Refused) as refusal:
        host.set_seat(table, 4, {"kind": "open"}, token)
    assert refusal.value.problem["field"] == "seat"
    info = host.swap(table, {"one": 0, "other": 3}, token)
    assert [seat["kind"] for seat in info["seats"]] == ["bot", "person", "person", "person"]
    assert [seat.get("name") for seat in info["seats"]] == [None, "Sister", "Guest", "Zo\u00e9"]
    told = viewer.last("table")
    assert (told["table"], told["seats"], told["host"]) == (info, [3], True)


def test_bots_play_their_seats(host):
    made = host.make("recess", [ME, BOT, BOT], options={"turns": 3}, start=True)
    viewer = host.open(made["table"]["id"], made["token"])
    play_turn(host, viewer, 0)
    assert viewer.now["result"]
    assert {step["actor"] for step in viewer.all("step")} == {0, 1, 2}


def test_whoever_leaves_is_followed_by_a_bot_and_by_whoever_comes(host):
    made = host.make("recess", [ME, OPEN, BOT], options={"turns": 30})
    table = made["table"]["id"]
    guest = host.join(table, {"name": "Guest"})
    host.start(table, made["token"])
    viewer = host.open(table, guest["token"])
    assert viewer.to_act == [0]
    host.leave(table, made["token"])
    assert viewer.last("table")["table"]["seats"][0] == {"seat": 0, "kind": "open", "level": "normal"}
    assert viewer.last("table")["host"] is True, "the first of those who are left"
    assert viewer.to_act == [1], "a bot has played for the empty seat"
    host.set_seat(table, 0, {"kind": "open"}, guest["token"])
    assert host.join(table, {"name": "New"})["seats"] == [0]
    play_turn(host, viewer, 1)
    assert viewer.to_act == [0], "it waits for the new person"
    with pytest.raises(Refused) as refusal:
        host.leave(table, made["token"])
    assert refusal.value.key == "token"


def test_a_bot_sits_in_and_the_person_comes_back(host):
    table, [zero, one, two], tokens = seat_three_players(host, options={"turns": 30})
    sit_in = {"kind": "bot", "level": "random"}
    with pytest.raises(Refused) as refusal:
        host.set_seat(table, 1, sit_in, tokens[0])
    assert refusal.value.key == "not_yours", "while that person is here"
    play_turn(host, zero, 0)
    host.close(one)
    host.wait(30_000)
    host.set_seat(table, 1, sit_in, tokens[0])
    assert zero.last("table")["table"]["seats"][1]["stand_in"] == "random"
    assert zero.to_act == [2], "the bot has played"
    host.send(zero, "undo", at=zero.number)
    assert zero.last("asks")["asks"]["needed"] == [0, 2], "those who play themselves are asked"
    one = host.open(table, tokens[1])
    assert "stand_in" not in one.now["table"]["seats"][1]
    play_turn(host, two, 2)
    play_turn(host, zero, 0)
    assert one.to_act == [1], "it waits for the person again"
    host.set_seat(table, 1, sit_in, tokens[1])
    assert one.to_act == [2]
    host.set_seat(table, 1, {"kind": "back"}, tokens[1])
    assert "stand_in" not in one.last("table")["table"]["seats"][1]


def test_the_same_once_more(host):
    table, viewers, tokens = seat_three_players(host, "sprint", options={"rounds": 1})
    play_to_end(host, viewers)
    new = host.rematch(table, tokens[1])
    assert host.rematch(table, tokens[2]) == new
    assert viewers[0].last("table")["table"]["rematch"] == new
    again = [host.open(new, token) for token in tokens]
    assert [viewer.now["seats"] for viewer in again] == [[0], [1], [2]]
    assert [viewer.now["host"] for viewer in again] == [True, False, False]
    assert again[0].now["table"]["options"]["rounds"] == 1
    play_to_end(host, again)


def test_a_rematch_waits_for_a_seat_that_was_left(host):
    table, viewers, tokens = seat_three_players(host, "sprint", options={"rounds": 1})
    play_to_end(host, viewers)
    host.leave(table, tokens[0])
    new = host.rematch(table, tokens[1])
    info = host.info(new)
    assert (info["status"], [seat["kind"] for seat in info["seats"]]) == ("waiting", ["open", "person", "person"])
    host.join(new, {"name": "x"})
    host.start(new, tokens[1])
