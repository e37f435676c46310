"""Nobody decides for somebody else: bots that sit in for a player, hands, players sent away.

These run in the browser's host and behind the server. What each status allows to whom:
`test_host_permissions`.
"""

from __future__ import annotations

import pytest

from tests.table.driver import BOT, ME, OPEN, Driver, Refused, Viewer
from tests.table.playing import play_to_end, play_turn, refusal_key, seat_three_players
from tests.table.refused_seats import BACK, SIT_IN, YES, no

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
