"""Nobody decides for somebody else: bots that sit in, moves taken back, seats that were left, and hands.

All of these run at a table of a browser's house and at one behind the server. What each status allows to whom:
`test_behaviour`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.driver import BOT, ME, OPEN, Driver, Json, Refused, Viewer
from tests.table.playing import play_to_end, play_turn, refusal_key, seat_three_players

SIT_IN: Json = {"kind": "bot", "level": "random"}
YES: Json = {"kind": "open"}
NO: Json = {"kind": "bot"}
BACK: Json = {"kind": "back"}


def no(host: Driver, table: str, seat: int, wish: Json, token: str | None) -> Json:
    """The refusal of a wish about a seat, which changes nothing."""
    before = host.info(table)
    with pytest.raises(Refused) as refusal:
        host.set_seat(table, seat, wish, token)
    assert host.info(table) == before
    return refusal.value.problem


def no_seat(host: Driver, table: str, token: str | None = None, **wish: Any) -> Json:
    """The refusal of somebody who wants to sit down."""
    before = host.info(table)
    with pytest.raises(Refused) as refusal:
        host.join(table, {"name": "New", **wish}, token)
    assert host.info(table) == before
    return refusal.value.problem


# A bot for somebody else.


def test_a_bot_sits_in_for_another_only_after_a_time(host):
    table, [zero, one, _], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    host.close(one)
    problem = no(host, table, 1, SIT_IN, tokens[0])
    assert (problem["key"], problem["params"]) == ("not_yet", {"seconds": 30})
    host.wait(29_000)
    assert no(host, table, 1, SIT_IN, tokens[0])["params"] == {"seconds": 1}
    host.wait(1_000)
    info = host.set_seat(table, 1, SIT_IN, tokens[0])
    assert info["seats"][1]["stand_in"] == "random"
    assert zero.to_act == [2], "it has played"
    one = host.open(table, tokens[1])
    assert "stand_in" not in one.now["table"]["seats"][1], "whoever comes back has the seat back at once"


def test_everybody_is_told_when_a_bot_may_be_let_in(host):
    table, [zero, one, _], _ = seat_three_players(host, options={"turns": 30})
    assert "away" not in host.open(table).now["presence"]
    play_turn(host, zero, 0)
    host.close(one)
    ends = host.now + 30_000
    host.wait(4_000)
    host.send(zero, "resync")
    assert zero.now["presence"]["away"] == [{"seat": 1, "ends": ends}]


def test_whoever_looks_in_begins_a_new_time(host):
    table, [zero, one, _], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    host.close(one)
    host.wait(29_000)
    host.close(host.open(table, tokens[1]))
    host.wait(2_000)
    assert no(host, table, 1, SIT_IN, tokens[0])["params"] == {"seconds": 28}


def test_no_bot_for_whoever_is_here_or_owes_nothing(host):
    table, [zero, _, two], tokens = seat_three_players(host, options={"turns": 30})
    host.close(two)
    host.wait(100_000)
    assert no(host, table, 1, SIT_IN, tokens[0])["key"] == "not_yours", "that person is here"
    assert no(host, table, 2, SIT_IN, tokens[0])["key"] == "not_waiting", "nobody waits for that one"
    assert zero.to_act == [0]


def test_with_days_for_a_move_nobody_lets_a_bot_in_for_another(host):
    table, [zero, one, _], tokens = seat_three_players(
        host, options={"turns": 30}, timer={"kind": "days", "amount": 30}
    )
    play_turn(host, zero, 0)
    host.close(one)
    host.wait(20 * 86_400_000)
    assert no(host, table, 1, SIT_IN, tokens[0])["key"] == "days"
    host.set_seat(table, 1, SIT_IN, tokens[1])
    assert zero.to_act == [2], "for oneself, always"


def test_the_host_decides_while_the_host_is_here_and_then_anybody_who_is(host):
    table, [zero, one, two], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    play_turn(host, one, 1)
    host.close(two)
    host.wait(30_000)
    assert no(host, table, 2, SIT_IN, tokens[1])["key"] == "host_only"
    host.close(zero)
    assert no(host, table, 2, SIT_IN, tokens[0])["key"] == "not_here", "the host has gone, too"
    host.set_seat(table, 2, SIT_IN, tokens[1])
    assert one.to_act == [0]


def test_nobody_changes_the_bot_of_another(host):
    table, [zero, one, _], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    host.set_seat(table, 1, {"kind": "bot", "level": "greedy"}, tokens[1])
    host.close(one)
    host.wait(100_000)
    assert no(host, table, 1, SIT_IN, tokens[0])["key"] == "not_yours"
    assert no(host, table, 1, BACK, tokens[0])["key"] == "not_yours"
    assert no(host, table, 1, YES, tokens[0])["key"] == "begun"


def test_a_bots_seat_stays_a_bots(host):
    made = host.make("recess", [ME, OPEN, BOT], options={"turns": 30})
    table = made["table"]["id"]
    host.join(table, {"name": "Guest"})
    host.start(table, made["token"])
    host.open(table, made["token"])
    for wish, why in ((SIT_IN, "not_yours"), (YES, "begun"), (BACK, "not_yours")):
        assert no(host, table, 2, wish, made["token"])["key"] == why


# Taking back what others did.


def after_two_turns(host: Driver) -> tuple[str, list[Viewer], list[str]]:
    """Three people; the first two have finished a turn each, and it is the third one's."""
    table, viewers, tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, viewers[0], 0)
    play_turn(host, viewers[1], 1)
    assert viewers[0].to_act == [2]
    return table, viewers, tokens


def test_nobody_takes_back_the_decisions_of_somebody_a_bot_sits_in_for(host):
    """The attack: wait until somebody is away, let a bot in for them, and take their moves back alone."""
    table, [zero, one, two], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    host.act(one, one.legal[-1])
    assert zero.to_act == [1]
    host.close(one)
    host.close(two)
    host.wait(30_000)
    host.set_seat(table, 1, SIT_IN, tokens[0])
    assert zero.to_act == [2]
    at = zero.number
    assert refusal_key(host, zero, "undo", at=at) == "stood_in"
    assert zero.last("refused")["params"] == {"seats": [1]}
    assert zero.number == at
    assert not zero.all("asks"), "nobody is asked what nobody can answer"
    one = host.open(table, tokens[1])
    host.send(zero, "undo", at=at)
    assert one.last("asks")["asks"]["needed"] == [0, 1, 2], "who is not connected is asked, and waited for"
    host.send(one, "agree", at=at, yes=True)
    assert zero.number == at
    two = host.open(table, tokens[2])
    assert two.now["asks"]["agreed"] == [0, 1]
    host.send(two, "agree", at=at, yes=True)
    assert zero.to_act == [0]


def test_a_bot_for_oneself_gives_no_consent_and_takes_none_away(host):
    table, [zero, one, two], tokens = after_two_turns(host)
    host.set_seat(table, 1, SIT_IN, tokens[1])
    at = zero.number
    assert refusal_key(host, zero, "undo", at=at) == "stood_in"
    host.set_seat(table, 1, BACK, tokens[1])
    host.send(zero, "undo", at=at)
    assert zero.last("asks")["asks"]["needed"] == [0, 1, 2]
    host.send(two, "agree", at=at, yes=True)
    host.set_seat(table, 1, SIT_IN, tokens[1])
    assert zero.last("asks")["asks"] == {"at": at, "by": 0, "agreed": [0, 2], "needed": [0, 1, 2]}
    assert zero.number == at
    host.send(one, "agree", at=at, yes=True)
    assert zero.to_act == [0], "the person has agreed, not the bot"


def test_whoever_is_not_concerned_any_more_is_not_waited_for(host):
    """The third one has decided nothing yet: with a bot in the seat, or without its person, the others are enough."""
    for away in ("bot", "leave"):
        table, viewers, tokens = seat_three_players(host, options={"turns": 30})
        zero, one, _ = viewers
        play_turn(host, zero, 0)
        host.act(one, one.legal[-1])
        at = zero.number
        host.send(zero, "undo", at=at)
        host.send(one, "agree", at=at, yes=True)
        assert zero.last("asks")["asks"] == {"at": at, "by": 0, "agreed": [0, 1], "needed": [0, 1, 2]}
        if away == "bot":
            host.set_seat(table, 2, SIT_IN, tokens[2])
        else:
            host.leave(table, tokens[2])
        assert zero.to_act == [0], away
        assert zero.now["undone"] < at - 1
        host.send(one, "resync")
        assert one.now["asks"] is None


def test_whoever_comes_back_is_asked_too(host):
    table, viewers, tokens = seat_three_players(host, options={"turns": 30})
    zero, one, two = viewers
    play_turn(host, zero, 0)
    host.act(one, one.legal[-1])
    host.set_seat(table, 2, SIT_IN, tokens[2])
    at = zero.number
    host.send(zero, "undo", at=at)
    assert zero.last("asks")["asks"]["needed"] == [0, 1]
    host.set_seat(table, 2, BACK, tokens[2])
    assert two.last("asks")["asks"]["needed"] == [0, 1, 2]
    host.send(one, "agree", at=at, yes=True)
    assert zero.number == at
    host.send(two, "agree", at=at, yes=True)
    assert zero.to_act == [0]


def test_what_is_asked_goes_with_whoever_asked(host):
    table, [zero, one, two], tokens = after_two_turns(host)
    at = zero.number
    host.send(zero, "undo", at=at)
    host.leave(table, tokens[0])
    assert one.last("asks")["asks"] is None
    for viewer in (one, two):
        assert refusal_key(host, viewer, "agree", at=at, yes=True) == "nothing"
    assert one.number == at


def test_nobody_inherits_a_yes(host):
    """Who takes a seat did not agree to what the one before agreed to."""
    table, [zero, one, two], tokens = after_two_turns(host)
    at = zero.number
    host.send(zero, "undo", at=at)
    host.send(one, "agree", at=at, yes=True)
    host.leave(table, tokens[1])
    assert zero.last("asks")["asks"] == {"at": at, "by": 0, "agreed": [0], "needed": [0, 2]}
    for token in (tokens[0], tokens[2]):
        host.set_seat(table, 1, YES, token)
    host.join(table, {"name": "New"})
    assert zero.last("asks")["asks"] == {"at": at, "by": 0, "agreed": [0], "needed": [0, 1, 2]}
    host.send(two, "agree", at=at, yes=True)
    assert zero.number == at


def test_whoever_asks_does_not_agree_to_what_another_asks(host):
    _, [zero, one, two], _ = after_two_turns(host)
    host.act(two, two.legal[-1])
    at = zero.number
    host.send(zero, "undo", at=at)
    assert refusal_key(host, one, "undo", at=at) == "asked"
    host.send(zero, "undo", at=at)
    host.send(one, "resync")
    assert one.now["asks"]["agreed"] == [0], "asking again changes nothing"


def test_what_a_stand_in_did_is_taken_back_by_consent_alone(host):
    table, [zero, one, two], tokens = seat_three_players(host, options={"turns": 30})
    play_turn(host, zero, 0)
    host.set_seat(table, 1, SIT_IN, tokens[1])
    host.set_seat(table, 1, BACK, tokens[1])
    assert zero.to_act == [2], "the bot has done the turn"
    host.send(one, "resync")
    assert one.now["undo"] is False
    at = one.number
    host.send(one, "undo", at=at)
    assert zero.last("asks")["asks"] == {"at": at, "by": 1, "agreed": [1], "needed": [0, 1, 2]}
    for viewer in (zero, two):
        host.send(viewer, "agree", at=at, yes=True)
    assert one.to_act == [1]


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


# Other ways to a hand.


def test_seats_exchanged_do_not_show_another_hand(host):
    """Whoever comes in looks through their seat's eyes; when seats are exchanged, the eyes go along."""
    made = host.make("bagarre", [ME, OPEN])
    table, tokens = made["table"]["id"], [made["token"]]
    tokens.append(host.join(table, {"name": "Guest"})["token"])
    viewers = [host.open(table, token) for token in tokens]
    host.swap(table, {"one": 0, "other": 1}, tokens[0])
    host.start(table, tokens[0])
    for viewer, seat in zip(viewers, (1, 0), strict=True):
        assert (viewer.now["seats"], viewer.now["seat"], viewer.now["view"]["seat"]) == ([seat], seat, seat)
    asked = viewers[1 - viewers[0].to_act[0]]
    host.act(asked)
    for viewer, seat in zip(viewers, (1, 0), strict=True):
        assert viewer.now["view"]["seat"] == seat


def test_nobody_looks_through_anothers_eyes(host):
    table, [zero, one, _], _ = seat_three_players(host, "bagarre")
    watcher = host.open(table)
    for viewer, own in ((zero, 0), (watcher, None)):
        for seat in (1, 2, 7):
            assert refusal_key(host, viewer, "look", seat=seat) == "not_yours"
        host.send(viewer, "resync")
        assert viewer.now["view"]["seat"] == own
    hers = host.open(table, None, seat=1)
    assert hers.now["view"]["seat"] is None, "asking for a seat is not having it"
    assert one.now["view"]["seat"] == 1


def test_whoever_left_sees_nothing_more(host):
    table, [zero, one, two], tokens = seat_three_players(host, "bagarre")
    host.leave(table, tokens[2])
    known = len(two.all("step"))
    host.act((zero, one)[zero.to_act[0]])
    assert len(two.all("step")) == known
    with pytest.raises(Refused) as refusal:
        host.leave(table, tokens[2])
    assert refusal.value.key == "token"


# Being sent away.


def test_whom_the_host_removes_is_told_and_has_no_token_any_more(host):
    for wish in ({"kind": "open"}, SIT_IN):
        made = host.make("recess", [ME, OPEN, OPEN])
        table = made["table"]["id"]
        guest = host.join(table, {"name": "Guest"})
        viewer, other = host.open(table, guest["token"]), host.open(table, made["token"])
        host.set_seat(table, 1, wish, made["token"])
        assert viewer.last("bye") == {"type": "bye", "reason": "removed", "again": False}
        assert not other.all("bye")
        with pytest.raises(Refused):
            host.leave(table, guest["token"])


def test_who_loses_one_of_two_seats_stays(host):
    made = host.make("recess", [ME, OPEN, OPEN])
    table = made["table"]["id"]
    guest = host.join(table, {"name": "Guest"})
    host.join(table, {"name": "Sister"}, guest["token"])
    viewer = host.open(table, guest["token"])
    host.set_seat(table, 1, {"kind": "open"}, made["token"])
    assert not viewer.all("bye")
    assert viewer.last("table")["seats"] == [2]
    host.set_seat(table, 0, SIT_IN, made["token"])
    host.set_seat(table, 2, SIT_IN, made["token"])
    assert viewer.last("bye")["reason"] == "removed", "the host is the host without a seat, too"


def test_the_game_goes_on_to_its_end_whoever_sits_in(host):
    table, [zero, one, _], tokens = one_left_of_recess(host)
    host.set_seat(table, 2, YES, tokens[0])
    host.set_seat(table, 2, YES, tokens[1])
    new = host.join(table, {"name": "New"})
    play_to_end(host, [zero, one, host.open(table, new["token"])])


def one_left_of_recess(host: Driver) -> tuple[str, list[Viewer], list[str]]:
    table, viewers, tokens = seat_three_players(host, options={"turns": 6})
    host.leave(table, tokens[2])
    return table, viewers, tokens
