"""Seats that were left: who agrees that they are taken again, who comes back. These run on both hosts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.driver import BOT, ME, OPEN, Driver, Json, Refused, Viewer
from tests.table.playing import play_turn, refusal_key, seat_three_players
from tests.table.refused_seats import BACK, SIT_IN, YES, no

NO: Json = {"kind": "bot"}


def no_seat(host: Driver, table: str, token: str | None = None, **wish: Any) -> Json:
    """The refusal of somebody who wants to sit down."""
    before = host.info(table)
    with pytest.raises(Refused) as refusal:
        host.join(table, {"name": "New", **wish}, token)
    assert host.info(table) == before
    return refusal.value.problem


# Seats that were left.


def one_left(host: Driver) -> tuple[str, list[Viewer], list[str]]:
    """A game of secrets with three people, of whom the third has left for good."""
    table, viewers, tokens = seat_three_players(host, "bagarre")
    host.leave(table, tokens[2])
    return table, viewers[:2], tokens


def test_a_left_seat_is_taken_again_only_if_all_people_agree(host):
    table, [zero, _], tokens = one_left(host)
    problem = no_seat(host, table)
    assert (problem["key"], problem["params"]) == ("not_agreed", {"seats": [0, 1]})
    assert host.set_seat(table, 2, YES, tokens[0])["seats"][2]["agreed"] == [0]
    assert host.set_seat(table, 2, YES, tokens[0])["seats"][2]["agreed"] == [0], "again: nothing changes"
    assert no_seat(host, table, seat=2)["params"] == {"seats": [1]}
    assert host.set_seat(table, 2, YES, tokens[1])["seats"][2]["agreed"] == [0, 1]
    assert zero.last("table")["table"]["seats"][2]["agreed"] == [0, 1], "all are told"
    assert host.set_seat(table, 2, NO, tokens[0])["seats"][2]["agreed"] == [1]
    assert no_seat(host, table)["params"] == {"seats": [0]}
    host.set_seat(table, 2, YES, tokens[0])
    new = host.join(table, {"name": "New"})
    assert new["seats"] == [2]
    assert "agreed" not in new["table"]["seats"][2]
    assert host.open(table, new["token"]).now["view"]["seat"] == 2
    host.leave(table, new["token"])
    assert no_seat(host, table)["params"] == {"seats": [0, 1]}, "what was agreed was for one newcomer"


def test_whoever_came_since_has_to_agree_too(host):
    table, _, tokens = seat_three_players(host, "bagarre")
    for token in tokens[1:]:
        host.leave(table, token)
    for seat in (1, 2):
        host.set_seat(table, seat, YES, tokens[0])
    new = host.join(table, {"name": "New"})
    assert new["seats"] == [1]
    assert no_seat(host, table)["params"] == {"seats": [1]}
    assert no_seat(host, table, new["token"])["key"] == "not_agreed", "nor may they take it themselves"
    host.set_seat(table, 2, YES, new["token"])
    host.leave(table, new["token"])
    assert host.info(table)["seats"][2]["agreed"] == [0], "who leaves agrees to nothing any more"
    host.set_seat(table, 1, YES, tokens[0])
    host.join(table, {"name": "Newer", "seat": 1})
    assert no_seat(host, table)["params"] == {"seats": [1]}, "nobody inherits a yes"


def test_a_newcomer_gets_the_seat_that_is_agreed_about(host):
    table, _, tokens = seat_three_players(host, "bagarre")
    for token in tokens[1:]:
        host.leave(table, token)
    host.set_seat(table, 2, YES, tokens[0])
    assert no_seat(host, table, seat=1)["key"] == "not_agreed"
    assert host.join(table, {"name": "New"})["seats"] == [2]


def test_a_stand_in_does_not_agree_about_a_left_seat(host):
    table, [_, one], tokens = one_left(host)
    host.set_seat(table, 1, SIT_IN, tokens[1])
    host.close(one)
    host.set_seat(table, 2, YES, tokens[0])
    assert no_seat(host, table)["params"] == {"seats": [1]}
    host.set_seat(table, 2, YES, tokens[1])
    assert host.join(table, {"name": "New"})["seats"] == [2]


def test_nobody_with_a_seat_sees_a_second_hand_alone(host):
    table, [zero, _], tokens = one_left(host)
    host.set_seat(table, 2, YES, tokens[0])
    assert no_seat(host, table, tokens[0], seat=2)["key"] == "not_agreed"
    assert refusal_key(host, zero, "look", seat=2) == "not_yours"


def test_who_may_agree_about_a_left_seat(host):
    waiting = host.make("sprint", [ME, OPEN, OPEN])["table"]["id"]
    guest = host.join(waiting, {"name": "Guest"})["token"]
    for token, why in ((guest, "host_only"), (None, "seat_needed")):
        assert no(host, waiting, 2, YES, token)["key"] == why, "before the start, anybody may sit down"
    table, viewers, tokens = seat_three_players(host, "sprint", options={"rounds": 1})
    host.leave(table, tokens[2])
    assert no(host, table, 2, YES, None)["key"] == "seat_needed"
    assert no(host, table, 2, NO, None)["key"] == "seat_needed"
    assert no(host, table, 2, BACK, tokens[0])["key"] == "not_yours"
    host.set_seat(table, 2, YES, tokens[1])
    for viewer in viewers[:2]:
        host.act(viewer)
    assert host.info(table)["status"] == "over"
    for wish in (YES, NO):
        assert no(host, table, 2, wish, tokens[0])["key"] == "over"
    new = host.rematch(table, tokens[0])
    assert "agreed" not in host.info(new)["seats"][2]
    host.join(new, {"name": "New"})


def names(host: Driver, table: str) -> list[str]:
    return [seat.get("name", "") for seat in host.info(table)["seats"]]


def told(viewer: Viewer) -> list[tuple[int, str, str]]:
    """What the table itself says in the talk: whose seat, the name, what happened."""
    lines = [message["line"] for message in viewer.all("chat")]
    return [(line["seat"], line["name"], line["phrase"]) for line in lines]


def three_names(host: Driver, game: str = "bagarre", **more: Any) -> tuple[str, list[Viewer], list[str]]:
    """A game of Ann, Bo and Cy."""
    made = host.make(game, [{**ME, "name": "Ann"}, OPEN, OPEN], **more)
    table, tokens = made["table"]["id"], [made["token"]]
    tokens += [host.join(table, {"name": name})["token"] for name in ("Bo", "Cy")]
    host.start(table, tokens[0])
    return table, [host.open(table, token) for token in tokens], tokens


def test_a_seat_that_was_left_keeps_the_name_and_says_which_bot_plays(host):
    table, [zero, _, _], tokens = three_names(host)
    host.leave(table, tokens[2])
    seat = zero.last("table")["table"]["seats"][2]
    assert (seat["kind"], seat["name"], seat["level"]) == ("open", "Cy", "normal")
    assert not {"former", "holder"} & seat.keys(), "nobody is told how the way back opens"
    host.set_seat(table, 1, SIT_IN, tokens[1])
    host.leave(table, tokens[1])
    assert host.info(table)["seats"][1]["level"] == "random", "the bot that sat in plays on"
    assert names(host, table) == ["Ann", "Bo", "Cy"]


def test_everybody_is_told_who_left_who_came_and_who_is_back_also_later(host):
    table, [zero, _, _], tokens = three_names(host)
    for token in tokens[1:]:
        host.leave(table, token)
    host.set_seat(table, 1, YES, tokens[0])
    host.join(table, {"name": "New"})
    host.join(table, {}, tokens[2])
    lines = [(1, "Bo", "left"), (2, "Cy", "left"), (1, "New", "came"), (2, "Cy", "back")]
    assert told(zero) == lines
    chat = host.open(table).now["chat"]
    assert [(line["seat"], line["name"], line["phrase"]) for line in chat] == lines
    assert names(host, table) == ["Ann", "New", "Cy"]


def test_before_the_start_nothing_stays_of_whoever_leaves(host):
    made = host.make("recess", [ME, OPEN, OPEN])
    table = made["table"]["id"]
    guest = host.join(table, {"name": "Guest"})
    viewer = host.open(table, made["token"])
    host.leave(table, guest["token"])
    assert names(host, table)[1] == ""
    assert told(viewer) == []
    assert no_seat(host, table, guest["token"])["key"] == "token"


def test_whoever_left_may_come_back_to_the_same_seat_and_nobody_need_agree(host):
    table, _, tokens = three_names(host)
    host.leave(table, tokens[2])
    back = host.join(table, {"name": "Somebody else"}, tokens[2])
    assert (back["seats"], back["token"]) == ([2], tokens[2])
    assert names(host, table) == ["Ann", "Bo", "Cy"], "under the name they had"
    assert host.open(table, tokens[2]).now["view"]["seat"] == 2
    host.leave(table, tokens[2])
    assert host.join(table, {"seat": 2}, tokens[2])["seats"] == [2], "as often as they like"


def test_whoever_left_with_several_seats_has_them_all_back(host):
    made = host.make("recess", [ME, OPEN, OPEN], options={"turns": 30})
    table, guest = made["table"]["id"], host.join(made["table"]["id"], {"name": "Bo"})["token"]
    host.join(table, {"name": "Sister"}, guest)
    host.start(table, made["token"])
    host.leave(table, guest)
    assert host.join(table, {}, guest)["seats"] == [1, 2]
    assert names(host, table)[1:] == ["Bo", "Sister"]
    host.leave(table, guest)
    assert host.join(table, {"seat": 2}, guest)["seats"] == [2]
    assert host.join(table, {"seat": 1}, guest)["seats"] == [1, 2]


def test_there_is_no_way_back_to_a_seat_that_somebody_took(host):
    table, _, tokens = three_names(host)
    host.leave(table, tokens[2])
    for token in tokens[:2]:
        host.set_seat(table, 2, YES, token)
    new = host.join(table, {"name": "New"})
    assert no_seat(host, table, tokens[2])["key"] == "token"
    host.leave(table, new["token"])
    assert no_seat(host, table, tokens[2])["key"] == "token", "nor after that one has left"
    assert host.join(table, {}, new["token"])["seats"] == [2]


def test_the_way_back_opens_nothing_else(host):
    table, _, tokens = three_names(host)
    host.leave(table, tokens[2])
    for wish in (YES, NO, BACK):
        assert no(host, table, 2, wish, tokens[2])["key"] == "token"
    host.leave(table, tokens[1])
    assert no_seat(host, table, tokens[2], seat=1)["key"] == "not_agreed", "that is another's seat"
    other, _, _ = three_names(host)
    assert no_seat(host, other, tokens[2])["key"] == "token"


def test_when_the_game_is_over_nobody_comes_back_and_the_names_stay(host):
    table, viewers, tokens = three_names(host, "sprint", options={"rounds": 1})
    host.leave(table, tokens[2])
    for viewer in viewers[:2]:
        host.act(viewer)
    assert no_seat(host, table, tokens[2])["key"] in ("token", "over")
    host.leave(table, tokens[1])
    assert names(host, table) == ["Ann", "Bo", "Cy"]
    assert host.record(table)["meta"]["names"] == ["Ann", "Bo", "Cy"]
    new = host.rematch(table, tokens[0])
    assert [seat.get("name") for seat in host.info(new)["seats"]] == ["Ann", None, None]
    assert [seat.get("level") for seat in host.info(new)["seats"]] == [None, None, None]


def test_the_maker_may_want_nobody_new(host):
    table, _, tokens = three_names(host, newcomers=False)
    assert host.info(table)["newcomers"] is False
    host.leave(table, tokens[2])
    for token in tokens[:2]:
        assert no(host, table, 2, YES, token)["key"] == "no_newcomers"
    assert no_seat(host, table)["key"] == "no_newcomers"
    assert no_seat(host, table, tokens[0])["key"] == "no_newcomers", "nor a second seat for somebody here"
    assert host.join(table, {}, tokens[2])["seats"] == [2], "whoever left is not new"


def test_where_nobody_new_is_wanted_friends_still_come_before_the_start(host):
    made = host.make("recess", [ME, OPEN, BOT], newcomers=False)
    assert host.join(made["table"]["id"], {"name": "Bo"})["seats"] == [1]


def test_everybody_is_told_that_the_time_of_somebody_was_up(host):
    table, [zero, one, _], _ = seat_three_players(host, options={"turns": 30}, timer={"kind": "turn", "amount": 30})
    play_turn(host, zero, 0)
    assert not any(step.get("late") for step in one.all("step"))
    host.wait(31_000)
    assert one.last("step")["late"] is True
    late = host.open(table).now["log"]
    assert [step.get("late", False) for step in late][-1] is True
    assert not any(step.get("late") for step in late[:-1])
