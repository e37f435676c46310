"""Decisions taken back, on any host. These run in the browser's host and behind the server."""

from __future__ import annotations

from tests.table.driver import Driver, Viewer
from tests.table.playing import play_to_end, refusal_key, seat_three_players

# Taking back.


def test_the_own_last_decision_is_taken_back_freely(host):
    _, [zero, one, _], _ = seat_three_players(host)
    view, legal, start = zero.now["view"], zero.legal, zero.number
    step = host.act(zero, zero.legal[-1])
    assert (step["undo"], zero.to_act) == (True, [0])
    assert "undo" not in one.last("step"), "only whoever did it"
    host.send(zero, "undo", at=zero.number)
    for viewer in (zero, one):
        assert (viewer.now["undone"], viewer.now["actor"]) == (start, 0)
    assert (zero.now["view"], zero.legal) == (view, legal)
    assert host.act(zero, at=step["number"])["key"] == "stale", "the question is asked anew"
    assert host.act(zero, zero.legal[-2])["type"] == "step"
    host.send(zero, "resync")
    assert [one["number"] for one in zero.now["log"]] == [zero.number]


def after_both(host: Driver) -> list[Viewer]:
    """Three people; the first has finished a turn and the second has acted since."""
    _, viewers, _ = seat_three_players(host)
    while viewers[0].to_act == [0]:
        host.act(viewers[0])
    host.act(viewers[1], viewers[1].legal[-1])
    return viewers


def test_what_others_acted_on_is_taken_back_by_consent(host):
    zero, one, two = after_both(host)
    at = zero.number
    assert refusal_key(host, one, "agree", at=at, yes=True) == "nothing"
    host.send(zero, "undo", at=at)
    assert one.last("asks")["asks"] == {"at": at, "by": 0, "agreed": [0], "needed": [0, 1, 2]}
    host.send(two, "agree", at=at, yes=True)
    host.send(two, "agree", at=at, yes=True)
    assert one.last("asks")["asks"]["agreed"] == [0, 2]
    late = host.open(zero.table)
    assert late.now["asks"]["agreed"] == [0, 2]
    host.send(one, "agree", at=at, yes=True)
    assert zero.now["undone"] < at - 1, "the last decision of whoever asked, and all that came after it"
    assert zero.to_act == [0]
    assert refusal_key(host, one, "undo", at=one.number) == "nothing", "what it did was taken back already"


def test_a_no_settles_the_question_and_so_does_a_step(host):
    zero, one, two = after_both(host)
    at = zero.number
    host.send(zero, "undo", at=at)
    host.send(two, "agree", at=at - 1, yes=False)
    assert two.last("asks")["asks"]["by"] == 0, "a no to something else settles nothing"
    host.send(two, "agree", at=at, yes=False)
    assert one.last("asks")["asks"] is None
    host.send(zero, "undo", at=at)
    host.act(one)
    assert refusal_key(host, two, "agree", at=at, yes=True) == "stale"
    host.send(zero, "resync")
    assert zero.now["asks"] is None


def test_who_cannot_take_back(host):
    table, viewers, _ = seat_three_players(host, options={"turns": 3})
    zero, one, _ = viewers
    watcher = host.open(table)
    host.act(zero, zero.legal[-1])
    assert refusal_key(host, watcher, "undo", at=zero.number) == "not_yours"
    assert refusal_key(host, zero, "undo", at=zero.number - 1) == "stale"
    assert refusal_key(host, one, "undo", at=zero.number) == "nothing"
    play_to_end(host, viewers)
    assert refusal_key(host, zero, "undo", at=zero.number) == "over"


def test_with_secrets_too_what_told_nobody_anything_is_taken_back_freely(host):
    """To keep an open card tells nothing; to turn over the next one is chance."""
    _, viewers, _ = seat_three_players(host, "cour")
    for _ in range(200):
        actor = viewers[viewers[0].to_act[0]]
        keeps = actor.legal[0].startswith("keep ")
        before, legal = actor.number, actor.legal
        step = host.act(actor)
        if keeps:
            assert step["undo"] is True
            host.send(actor, "undo", at=actor.number)
            assert actor.now["undone"] == before
            assert actor.legal == legal
            return
    raise AssertionError("nobody ever kept a card")


def test_an_answer_in_a_race_is_not_taken_back_freely(host):
    """It would be a second start."""
    _, [zero, one, two], _ = seat_three_players(host, "sprint")
    assert "undo" not in host.act(zero, "stay")
    host.send(zero, "undo", at=zero.number)
    assert one.last("asks")["asks"]["by"] == 0
    assert two.to_act == [1, 2]


def test_what_told_somebody_something_is_not_taken_back_freely(host):
    """Laying a toy shows a card of the hand. Chance and others have no part in it, but eyes have."""
    for _ in range(20):
        _, viewers, _ = seat_three_players(host, "bagarre")
        for _ in range(60):
            if viewers[0].now.get("result"):
                break
            actor = viewers[viewers[0].to_act[0]]
            shows = [action for action in actor.legal if action.startswith("lay ")]
            step = host.act(actor, shows[0] if shows else None)
            if shows and step["first"] == step["number"] and "result" not in step:
                assert "undo" not in step, "the step says that it will be asked"
                host.send(actor, "undo", at=actor.number)
                assert actor.last("asks")["asks"]["by"] == actor.now["actor"]
                assert actor.number == step["number"]
                return
    raise AssertionError("nobody ever laid a toy")
