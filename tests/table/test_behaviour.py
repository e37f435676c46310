"""What a table does on any host: moves, greetings, chat. These run in the browser's host and behind the server."""

from __future__ import annotations

import pytest

from preau.core.record import Record
from preau.table import messages
from tests.table.driver import ME, OPEN
from tests.table.playing import play_to_end, refusal_key, seat_three_players

# Acting.


@pytest.mark.parametrize("game", ["recess", "cour", "sprint"])
def test_a_game_is_played_to_its_end(host, game):
    options = {"turns": 3} if game == "recess" else {}
    table, viewers, _ = seat_three_players(host, game, options=options)
    watcher = host.open(table)
    play_to_end(host, viewers)
    record = Record.from_json(host.record(table))
    record.verify()
    for viewer in (*viewers, watcher):
        assert viewer.now["result"] == record.result
        assert viewer.last("table")["table"]["status"] == "over"
    numbers = [step["number"] for step in watcher.all("step")]
    assert numbers == sorted(set(numbers)), "steps count on"
    assert numbers[-1] == len(record.entries)


def test_what_may_not_be_done_is_refused_and_changes_nothing(host):
    table, [zero, one, _], _ = seat_three_players(host)
    watcher = host.open(table)
    before = zero.number
    assert host.act(one, "pass")["key"] == "not_now"
    assert host.act(one, "pass", seat=0)["key"] == "not_yours"
    assert host.act(watcher, "pass", seat=0)["key"] == "not_yours"
    assert host.act(watcher, "pass")["key"] == "not_yours"
    for wrong in ("sing", "b1 z9"):
        answer = host.act(zero, wrong)
        assert (answer["type"], answer.get("number", 0)) == ("refused", before)
        assert answer["rule"] or answer["error"] == "MalformedAction"
    assert not zero.all("step")
    host.send(zero, "resync")
    assert zero.number == before


def test_before_the_start_nobody_acts(host):
    made = host.make("recess", [ME, OPEN, OPEN])
    viewer = host.open(made["table"]["id"], made["token"])
    assert viewer.now["view"] is None
    assert host.act(viewer, "pass")["key"] == "not_begun"
    assert refusal_key(host, viewer, "undo", at=0) == "not_begun"


def test_an_answer_to_an_old_question_is_stale_and_one_from_the_future_ahead(host):
    _, [zero, _, _], _ = seat_three_players(host)
    old = zero.number
    host.act(zero, zero.legal[-1])
    assert zero.to_act == [0], "the turn goes on"
    stale = host.act(zero, at=old)
    assert (stale["key"], stale["params"]) == ("stale", {"number": zero.number})
    assert host.act(zero, at=zero.number + 7)["key"] == "ahead"


def test_what_is_sent_again_happens_once(host):
    _, [zero, one, _], _ = seat_three_players(host)
    before = zero.number
    first = host.act(zero, id="once")
    assert first["type"] == "step"
    again = host.act(zero, "whatever", id="once", at=before)
    assert again == {"type": "ack", "id": "once", "number": first["first"]}
    assert zero.number == first["number"]
    assert "id" not in one.last("step"), "the name of an attempt is for its sender"


def test_another_answers_first_and_ones_own_question_is_the_same(host):
    _, viewers, _ = seat_three_players(host, "sprint")
    at = viewers[0].number
    assert viewers[0].to_act == [0, 1, 2]
    for viewer in viewers:
        assert host.act(viewer, "run", at=at)["type"] == "step"
    assert host.act(viewers[0], "run", at=at)["key"] == "stale", "a new round is a new question"


def test_one_line_acts_for_several_seats_and_looks_through_each(host):
    made = host.make("sprint", [ME, ME], start=True)
    viewer = host.open(made["table"]["id"], made["token"])
    assert (viewer.now["seats"], viewer.now["seat"]) == ([0, 1], 0)
    other = host.act(viewer, "run", seat=1)
    assert other["type"] == "ack", "the step was seen through other eyes"
    host.send(viewer, "look", seat=1)
    assert (viewer.now["seat"], viewer.legal) == (1, [])
    assert refusal_key(host, viewer, "look", seat=3) == "not_yours"


def test_a_shared_device_may_show_what_everybody_sees(host):
    made = host.make("bagarre", [ME, ME, OPEN])
    table = made["table"]["id"]
    alone = host.join(table, {"name": "x"})["token"]
    host.start(table, made["token"])
    shared, single, watcher = host.open(table, made["token"]), host.open(table, alone), host.open(table)
    assert shared.now["view"] != watcher.now["view"]
    host.send(shared, "look")
    assert (shared.now["seat"], shared.now["seats"]) == (None, [0, 1])
    assert (shared.now["view"], shared.now["log"]) == (watcher.now["view"], watcher.now["log"])
    host.act(shared, host.open(table, made["token"]).legal[0], seat=0)
    assert shared.last("step")["view"] == watcher.last("step")["view"]
    host.send(shared, "resync")
    assert shared.now["seat"] is None, "until it looks elsewhere"
    assert refusal_key(host, single, "look") == "not_yours"
    host.send(shared, "look", seat=1)
    assert shared.now["seat"] == 1


# Greetings and gaps.


def test_a_greeting_tells_what_is_new_and_says_if_something_is_missing(host):
    table, viewers, _ = seat_three_players(host, options={"turns": 99})
    watcher = host.open(table)
    start = watcher.number
    for _ in range(12):
        host.act(viewers[watcher.to_act[0]])
    late = host.open(table, last=start + 3)
    assert [step["number"] for step in late.now["log"]] == list(range(start + 4, watcher.number + 1))
    assert late.now["gap"] is False
    assert late.now["view"] == watcher.now["view"]
    assert host.open(table, last=watcher.number).now["log"] == []
    for _ in range(50):
        host.act(viewers[watcher.to_act[0]])
    gap = host.open(table, last=start)
    assert gap.now["gap"] is True
    assert len(gap.now["log"]) == 40
    assert gap.now["log"] == host.open(table).now["log"]
    assert host.open(table, last=gap.now["log"][0]["number"]).now["gap"] is False


def test_steps_and_greetings_show_the_same(host):
    _, viewers, _ = seat_three_players(host, "bagarre")
    for _ in range(15):
        if viewers[0].now.get("result"):
            break
        actor = viewers[viewers[0].to_act[0]]
        host.act(actor)
        for viewer in viewers:
            step = viewer.now
            host.send(viewer, "resync")
            for field in ("number", "view", "prompt", "to_act", "asked"):
                assert viewer.now[field] == step[field], field
            assert viewer.legal == step.get("legal", [])


def test_whoever_saw_the_table_wait_is_greeted_when_the_game_begins(host):
    made = host.make("bagarre", [ME, ME])
    viewer = host.open(made["table"]["id"], made["token"])
    host.start(made["table"]["id"], made["token"])
    before, after = viewer.all("hello")
    assert before["view"] is None
    assert after["view"]["seat"] == 0


def test_spectators_are_asked_nothing(host):
    table, viewers, _ = seat_three_players(host, "bagarre")
    watcher = host.open(table)
    assert (watcher.now["seat"], watcher.now["seats"], watcher.now["host"]) == (None, [], False)
    host.act(viewers[watcher.to_act[0]])
    assert watcher.now["view"]["seat"] is None
    assert watcher.legal == []


# Talking.


def test_people_talk_and_spectators_listen(host):
    table, [zero, one, _], _ = seat_three_players(host)
    watcher = host.open(table)
    host.send(zero, "say", text=" sal\u202eut ")
    host.send(one, "say", phrase="hello")
    for viewer in (zero, one, watcher):
        lines = [message["line"] for message in viewer.all("chat")]
        assert [(line["seat"], line.get("text"), line.get("phrase")) for line in lines] == [
            (0, "salut", None),
            (1, None, "hello"),
        ]
    assert host.open(table).now["chat"] == lines
    assert refusal_key(host, watcher, "say", text="psst") == "seat_needed"
    assert refusal_key(host, zero, "say") == "malformed"
    assert refusal_key(host, zero, "say", text="x", phrase="hello") == "malformed"
    assert refusal_key(host, zero, "say", text="\u202e") == "malformed"


# Coming in.


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_whoever_has_not_decided_yet_is_shown_how_the_game_began(host, game):
    table, [zero, one, two], tokens = seat_three_players(host, game)
    while not any(zero.to_act == [2] or step["actor"] == 1 for step in two.all("step")):
        host.act([zero, one, two][zero.to_act[0]])
    late = host.open(table, tokens[2], opening=True).last("hello")
    began = two.all("hello")[0]
    dealt = began["log"][-1]["events"] if began["log"] else []
    expected = [(began["view"], dealt), *((step["view"], step.get("events", [])) for step in two.all("step"))]
    assert [(moment["view"], moment["events"]) for moment in late["opening"]] == expected
    assert late["opening"][-1]["view"] == late["view"]
    assert late["opening"][-1]["prompt"] == late["prompt"]
    assert len(late["opening"]) > 1


def test_the_opening_is_for_those_who_have_a_seat_and_have_not_decided(host):
    table, [zero, *_], tokens = seat_three_players(host)
    assert not host.open(table, tokens[1]).last("hello").get("opening"), "only who asks"
    assert not host.open(table, opening=True).last("hello").get("opening"), "nobody's eyes"
    host.act(zero)
    assert not host.open(table, tokens[0], opening=True).last("hello").get("opening"), "it was seen"
    assert len(host.open(table, tokens[1], opening=True).last("hello")["opening"]) == 2


def test_a_long_game_is_not_shown_from_its_beginning(host, monkeypatch):
    table, [zero, *_], tokens = seat_three_players(host)
    host.act(zero)
    assert host.open(table, tokens[1], opening=True).last("hello")["opening"]
    monkeypatch.setattr(messages, "OPENING", 0)
    assert not host.open(table, tokens[1], opening=True).last("hello").get("opening")
