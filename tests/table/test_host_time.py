"""Time limits and races, on any host. These run in the browser's host and behind the server."""

from __future__ import annotations

from tests.table.playing import seat_three_players

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
