"""Undo with bots that sit in and with players who left: who has to agree. These run on both hosts."""

from __future__ import annotations

from tests.table.driver import Driver, Viewer
from tests.table.playing import play_turn, refusal_key, seat_three_players
from tests.table.refused_seats import BACK, SIT_IN, YES

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
