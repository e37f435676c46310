"""What a table does, whoever hosts it: these run at a table of a browser's house and at one behind the server."""

from __future__ import annotations

import pytest

from preau.core.record import Record
from preau.table import messages
from tests.table.driver import BOT, ME, OPEN, Driver, Json, Refused, Viewer
from tests.table.playing import play_to_end, play_turn, refusal_key, seat_three_players

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


# Time.


def test_sand_runs_out_as_the_rules_say(host):
    table, [zero, one, _], _ = seat_three_players(host, timer={"kind": "turn", "amount": 60}, options={"turns": 6})
    assert zero.now["clocks"] == [{"seat": 0, "ends": host.now + 60_000}]
    host.wait(30_000)
    ends = host.act(zero, zero.legal[-1])["clocks"]
    assert ends == [{"seat": 0, "ends": host.now + 30_000}], "the turn goes on, on the same sand"
    host.send(zero, "undo", at=zero.number)
    assert zero.now["clocks"] == ends, "taking back does not refill it"
    host.wait(30_500)
    assert zero.to_act == [0], "a second is for the line"
    host.wait(600)
    assert (zero.now["actor"], zero.to_act) == (-2, [1])
    assert one.now["clocks"] == [{"seat": 1, "ends": host.now + 60_000}]
    assert host.info(table)["timer"] == {"kind": "turn"}


def test_days_run_out_and_the_game_does_something_harmless(host):
    day = 86_400_000
    _, viewers, _ = seat_three_players(host, "bagarre", timer={"kind": "days", "amount": 2})
    seat, before = viewers[0].to_act[0], viewers[0].number
    host.wait(2 * day)
    assert viewers[0].number == before
    host.wait(2_000)
    assert viewers[0].all("step")[0]["actor"] == seat
    assert viewers[0].number > before


def test_without_a_timer_nothing_happens_by_itself(host):
    _, [zero, _, _], _ = seat_three_players(host)
    host.wait(400 * 86_400_000)
    assert not zero.all("step")
    assert zero.now["clocks"] == []


def test_in_a_race_the_shortest_delay_wins(host):
    _, viewers, _ = seat_three_players(host, "sprint", options={"rounds": 9})
    for turn in range(9):
        quick, slow, lazy = (viewers[(turn + place) % 3] for place in range(3))
        host.wait(300)
        host.act(quick, "run", delay=300)
        host.wait(600)
        host.act(slow, "run", delay=900)
        host.act(lazy, "stay")
        assert viewers[0].last("step")["events"][-1]["who"] == f"win {turn % 3}"
    assert viewers[0].now["result"]["scores"] == [3, 3, 3]


def test_who_does_not_answer_in_a_race_is_out_of_it(host):
    _, [zero, one, two], _ = seat_three_players(host, "sprint")
    host.wait(1_000)
    host.act(one, "run", delay=1_000)
    host.wait(7_500)
    assert zero.to_act == [0, 2]
    host.wait(600)
    assert zero.last("step")["events"][-1]["who"] == "win 1"
    assert zero.to_act == [0, 1, 2]
    host.wait(9_100)
    assert two.last("step")["events"][-1]["who"] == "win none", "nobody ran"


def test_the_time_of_a_race_begins_with_it_for_everybody(host):
    """Whoever was the last to answer in the race before has as long as the others."""
    _, [zero, one, two], _ = seat_three_players(host, "sprint")
    host.act(zero, "run", delay=100)
    host.act(one, "run", delay=100)
    host.wait(8_500)
    host.act(two, "run", delay=8_500)
    assert two.to_act == [0, 1, 2]
    host.wait(8_500)
    assert two.to_act == [0, 1, 2]
    host.wait(600)
    assert two.last("step")["events"][-1]["who"] == "win none"


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
