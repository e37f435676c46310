"""Arm wrestling for a shared first place: its rules by themselves, in a browser's house and behind the server."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from preau.bots import BOTS
from preau.core.errors import PreauError
from preau.core.registry import find_game
from preau.core.state import State
from preau.table import tie_break
from preau.table.chance import bot_taps
from preau.table.table import Seat, Table, TablePolicy, TieBreak
from preau.table.tie_break import CLOSED_MS, COUNTDOWN_MS, LOST_MS, PULL_MS, ROUNDS, WAITED_MS, MeasuredRound
from tests.table.arm_wrestling import (
    ONE_TURN,
    TWO_TIED,
    agree_to_wrestle,
    create_tied_table,
    pull,
    pull_counts,
    wrestling_state,
)
from tests.table.driver import BOT, ME, Json
from tests.table.playing import refusal_key, seat_three_players

NOW = 1_800_000_000_000
HOUSE = TablePolicy()


def table_of(*seats: Seat, game: str = "recess") -> Table:
    timer: Any = {"timer": "off", "timer_ms": 0, "visibility": "link"}
    options: Json = {"wish": {}, "options": {}}
    return Table(
        id="t", code="t", game=game, rules="1", status="over", host="a", created=0, seats=seats, **timer, **options
    )


ANA, BEN = Seat("person", holder="a"), Seat("person", holder="b")
HARD = Seat("bot", level="hard")
LEFT = Seat("open", name="Cleo", level="normal")
AWAY = Seat("person", holder="d", stand_in="easy")


def key(work: Any) -> str:
    with pytest.raises(PreauError) as refusal:
        work()
    return refusal.value.key


def five(level: str) -> int:
    return 5


def begun(*seats: Seat, taps: Any = five) -> TieBreak:
    """All of these seats are tied, and all people say yes."""
    table = table_of(*seats)
    asked = TieBreak(seats=tuple(range(len(seats))))
    for number, seat in enumerate(seats):
        if seat.holder and not seat.stand_in:
            assert not tie_break.is_agreed(asked, table, HOUSE)
            asked = tie_break.answer(asked, number, yes=True)
    assert tie_break.is_agreed(asked, table, HOUSE)
    return tie_break.begin(asked, table, HOUSE, NOW, taps)


# By themselves: asking.


def test_it_begins_when_all_people_want_to_and_bots_always_do():
    found = begun(ANA, HARD, LEFT, AWAY)
    assert (found.phase, found.round, found.starts) == ("pulling", 1, NOW + COUNTDOWN_MS)
    assert found.bots == {1: "hard", 2: "normal", 3: "easy"}
    assert found.counts == {1: 5, 2: 5, 3: 5}


def test_bots_alone_do_not_begin():
    assert not tie_break.is_agreed(TieBreak(seats=(0, 1)), table_of(HARD, AWAY), HOUSE)


def test_a_no_leaves_the_tie():
    asked = tie_break.answer(TieBreak(seats=(0, 1)), 0, yes=True)
    found = tie_break.answer(asked, 1, yes=False)
    assert (found.phase, found.no, found.winner) == ("declined", 1, None)
    assert not tie_break.is_agreed(found, table_of(ANA, BEN), HOUSE)
    assert key(lambda: tie_break.answer(found, 0, yes=False)) == "answered"
    assert tie_break.answer(found, 1, yes=False) == found, "said again"


def over(turns: int, *actions: str) -> State:
    """A game of three that has come to its end."""
    state = find_game("recess").start(3, {"turns": turns, "first": 0})
    for action in actions:
        state.apply(state.to_act[0], action)
    return state


@pytest.mark.parametrize(
    ("seats", "asked"),
    [
        ((ANA, BEN, HARD), (1, 2)),
        ((ANA, HARD, HARD), None),
        ((ANA, LEFT, HARD), None),
        ((ANA, AWAY, HARD), (1, 2)),
    ],
)
def test_who_is_first_with_others_is_asked_if_there_is_a_person_among_them(seats, asked):
    state = over(3, *TWO_TIED)
    assert state.result().scores == (8, 11, 11)
    found = tie_break.standing(table_of(*seats), state, NOW)
    assert (found and found.seats) == asked


def test_while_the_game_goes_on_nobody_is_asked():
    assert tie_break.standing(table_of(ANA, BEN, HARD), over(4, *TWO_TIED), NOW) is None
    assert tie_break.standing(table_of(ANA, BEN, HARD), None, NOW) is None


def test_what_is_said_again_changes_nothing():
    pulling = begun(ANA, BEN)
    assert tie_break.answer(pulling, 0, yes=True) == pulling
    assert key(lambda: tie_break.answer(pulling, 0, yes=False)) == "answered"


def test_only_the_tied_are_asked():
    assert key(lambda: tie_break.answer(TieBreak(seats=(0, 2)), 1, yes=True)) == "not_tied"
    assert key(lambda: tie_break.answer(None, 1, yes=True)) == "no_tie"


# Deciding.


def test_most_taps_win():
    found = tie_break.count(begun(ANA, BEN, HARD), 1, {0: 31, 1: 28}, NOW, five)
    assert (found.phase, found.winner, found.counts) == ("over", 0, {0: 31, 1: 28, 2: 5})


def test_it_is_not_decided_before_all_counts_are_known():
    half = tie_break.count(begun(ANA, BEN), 1, {0: 31}, NOW, five)
    assert (half.phase, half.counts) == ("pulling", {0: 31})
    assert tie_break.count(half, 1, {0: 60}, NOW, five) == half, "what is known stays"
    found = tie_break.count(half, 1, {0: 60, 1: 40}, NOW, five)
    assert (found.winner, found.counts) == (1, {0: 31, 1: 40})
    assert tie_break.count(found, 1, {0: 67}, NOW, five) == found


def test_the_best_who_are_equal_pull_again_with_everybody():
    later = NOW + COUNTDOWN_MS + CLOSED_MS
    drawn = count(20)
    found = tie_break.count(begun(ANA, BEN, HARD), 1, {0: 30, 1: 30}, later, lambda level: next(drawn))
    assert (found.phase, found.round, found.starts) == ("pulling", 2, later + COUNTDOWN_MS)
    assert found.counts == found.taps == {2: 20}
    assert tie_break.count(found, 1, {0: 30, 1: 31}, later, five) == found, "that was another round"


def test_equals_behind_the_winner_do_not_matter():
    assert tie_break.count(begun(ANA, BEN, HARD), 1, {0: 6, 1: 5}, NOW, five).winner == 0


def test_who_is_equal_in_every_round_stays_equal():
    found = begun(ANA, BEN)
    for number in range(1, ROUNDS + 1):
        assert (found.phase, found.round) == ("pulling", number)
        found = tie_break.count(found, number, {0: 7, 1: 7}, NOW, five)
    assert (found.phase, found.winner, found.counts) == ("over", None, {0: 7, 1: 7})


def test_a_round_whose_counts_never_come_is_lost_and_asked_anew():
    half = tie_break.count(begun(ANA, BEN), 1, {0: 31}, NOW, five)
    table = table_of(ANA, BEN)
    lost = half.starts + LOST_MS

    def at(now: int) -> TieBreak | None:
        return tie_break.standing(replace(table, contest=half), None, now)

    assert at(lost - 1) == half
    assert at(lost) == TieBreak(seats=(0, 1), interrupted=True)
    again = tie_break.answer(at(lost), 0, yes=True)
    assert (again.yes, again.interrupted, again.counts) == ((0,), False, {})


# Bots.


def test_bots_are_as_strong_as_they_say():
    assert set(tie_break.PACE) >= set(BOTS)
    rng = Random(36)
    for level, pace in tie_break.PACE.items():
        drawn = [tie_break.taps(level, rng) for _ in range(2_000)]
        usual = pace * PULL_MS / 1_000
        assert min(drawn) >= usual * 0.9 - 0.5
        assert max(drawn) <= usual * 1.1 + 0.5
        assert abs(sum(drawn) / len(drawn) - usual) < 0.1
        assert len(set(drawn)) > 1
    assert tie_break.pace("somebody's own") == tie_break.PACE["normal"]
    assert 22 <= bot_taps("normal") <= 28


def test_their_taps_are_seen_to_grow():
    found = begun(ANA, HARD, taps=lambda level: 30)
    pulling = MeasuredRound(found, [0], NOW)
    grown = [pulling.running(found.starts + ms)[1] for ms in (-500, 0, 1_000, 2_500, 5_000, 9_000)]
    assert grown == [0, 0, 6, 15, 30, 30]


# Measuring.


def measuring(*seats: Seat, here: tuple[int, ...] = (0, 1), late: bool = False) -> MeasuredRound:
    found = begun(*(seats or (ANA, BEN)))
    return MeasuredRound(found, here, found.starts + 1_000 if late else NOW)


def test_counts_grow_and_never_shrink():
    pulling = measuring()
    starts = pulling.contest.starts
    for ms, told, counted in ((400, 2, 2), (800, 5, 5), (1_200, 3, 5), (1_600, 9, 9)):
        pulling.pull(0, 1, told, starts + ms, 0)
        assert pulling.counts == {0: counted}


def test_nobody_is_believed_more_than_can_be():
    """Whoever claims more at any moment has what the fastest hand could have by then, and no more at the end."""
    pulling = measuring()
    starts = pulling.contest.starts
    pulling.pull(0, 1, 9_999, starts, 400)
    assert pulling.counts[0] == tie_break.SPARE
    pulling.pull(0, 1, 9_999, starts + 1_000, 400)
    assert pulling.counts[0] == tie_break.SPARE + tie_break.FASTEST
    pulling.pull(0, 1, 9_999, starts + PULL_MS + 800, 400)
    assert pulling.counts[0] == tie_break.most_taps(PULL_MS) == 67


@pytest.mark.parametrize("trip", [0, 20, 400])
def test_the_last_report_may_take_as_long_as_its_line_does(trip):
    pulling = measuring()
    last = pulling.contest.starts + PULL_MS + trip + tie_break.SLACK_MS
    pulling.pull(0, 1, 30, last, trip)
    assert key(lambda: pulling.pull(0, 1, 31, last + 1, trip)) == "too_late"
    assert pulling.counts == {0: 30}
    assert not pulling.is_closed(last), "the process waits for it"


def test_a_line_that_looks_slower_than_any_gains_nothing_more():
    pulling = measuring()
    assert key(lambda: pulling.pull(0, 1, 31, pulling.contest.starts + CLOSED_MS + 1, 60_000)) == "too_late"


def test_taps_at_the_wrong_time_place_or_round_do_not_count():
    pulling = measuring(ANA, BEN, HARD)
    starts = pulling.contest.starts
    assert key(lambda: pulling.pull(0, 1, 1, starts - 1, 0)) == "too_early"
    assert key(lambda: pulling.pull(0, 2, 1, starts, 0)) == "not_pulling"
    assert key(lambda: pulling.pull(2, 1, 1, starts, 0)) == "not_pulling"
    assert key(lambda: pulling.pull(3, 1, 1, starts, 0)) == "not_tied"
    assert pulling.counts == {}


def test_whoever_vanished_has_what_came_of_them():
    pulling = measuring(ANA, BEN, HARD)
    pulling.pull(0, 1, 11, pulling.contest.starts + 2_000, 0)
    closed = pulling.contest.starts + CLOSED_MS + 1
    assert pulling.measured(closed, alone=True, present=[]) == {0: 11, 1: 0}


def test_of_several_processes_each_vouches_for_its_own():
    pulling = measuring(ANA, BEN, Seat("person", holder="c"), Seat("person", holder="d"), here=(0, 1))
    pulling.pull(0, 1, 11, pulling.contest.starts + 2_000, 0)
    pulling.heard(1, {2: 14})
    pulling.heard(2, {3: 99})
    closed, waited = (pulling.contest.starts + ms + 1 for ms in (CLOSED_MS, WAITED_MS))
    assert pulling.running(closed) == {0: 11, 1: 0, 2: 14, 3: 0}
    assert pulling.measured(closed, alone=False, present=[0, 1, 2, 3]) == {0: 11}
    assert pulling.measured(waited, alone=False, present=[0, 1, 2, 3]) == {0: 11, 1: 0}, "3 is elsewhere"
    assert pulling.measured(waited, alone=False, present=None) == {0: 11, 1: 0}, "who knows where 3 is"
    assert pulling.measured(waited, alone=False, present=[0, 1, 2]) == {0: 11, 1: 0, 3: 0}


def test_whoever_went_on_at_another_process_is_measured_there():
    pulling = measuring()
    pulling.pull(0, 1, 11, pulling.contest.starts + 2_000, 0)
    pulling.heard(1, {0: 20})
    for ms in (CLOSED_MS, WAITED_MS):
        measured = pulling.measured(pulling.contest.starts + ms + 1, alone=False, present=[0, 1])
        assert 0 not in measured


def test_a_process_that_came_late_says_nothing_of_those_it_did_not_hear():
    pulling = measuring(late=True)
    pulling.pull(0, 1, 11, pulling.contest.starts + 2_000, 0)
    closed = pulling.contest.starts + WAITED_MS + 1
    assert pulling.measured(closed, alone=True, present=[]) == {0: 11}


# At a table.


def test_equals_at_the_end_are_asked(host):
    table, viewers, _ = create_tied_table(host)
    asked = {
        "phase": "asked",
        "rule": "R36",
        "pullers": [{"seat": 0}, {"seat": 1}, {"seat": 2}],
        "rounds": ROUNDS,
        "lasts": PULL_MS,
    }
    assert viewers[1].now["contest"] == asked, "with the last step"
    assert host.open(table).now["contest"] == asked


def test_who_has_most_taps_wins_and_the_record_stays(host):
    table, viewers, _ = create_tied_table(host)
    watcher = host.open(table)
    record, result = host.record(table), watcher.now["result"]
    host.send(viewers[0], "wrestle", yes=True)
    assert wrestling_state(watcher)["pullers"][0] == {"seat": 0, "yes": True}
    agree_to_wrestle(host, viewers)
    message = watcher.last("contest")
    assert message["contest"]["starts"] - message["now"] == COUNTDOWN_MS
    host.wait(COUNTDOWN_MS + 2_000)
    for viewer, taps in zip(viewers, (9, 12, 3), strict=True):
        pull(host, viewer, 1, taps)
    later = host.open(table)
    assert pull_counts(later) == [9, 12, 3], "whoever comes in the middle sees how it stands"
    host.wait(3_000)
    pull(host, viewers[2], 1, 30)
    pull(host, viewers[1], 1, 20)
    host.wait(1_001)
    for viewer in (*viewers, watcher, later, host.open(table)):
        assert (wrestling_state(viewer)["phase"], wrestling_state(viewer)["winner"], pull_counts(viewer)) == (
            "over",
            2,
            [9, 20, 30],
        )
    assert (host.record(table), host.open(table).now["result"]) == (record, result)
    assert refusal_key(host, viewers[0], "wrestle", yes=False) == "answered"
    assert refusal_key(host, viewers[0], "pull", round=1, count=60) == "not_pulling"


def test_one_no_and_the_tie_stays(host):
    table, viewers, _ = create_tied_table(host)
    host.send(viewers[0], "wrestle", yes=True)
    host.send(viewers[2], "wrestle", yes=False)
    for viewer in (*viewers, host.open(table)):
        assert (wrestling_state(viewer)["phase"], wrestling_state(viewer)["no"]) == ("declined", 2)
    assert refusal_key(host, viewers[1], "wrestle", yes=True) == "answered"


def test_equals_pull_three_times_and_stay_equal(host):
    table, viewers, _ = create_tied_table(host)
    agree_to_wrestle(host, viewers)
    for number in (1, 2, 3):
        assert (wrestling_state(viewers[0])["phase"], wrestling_state(viewers[0])["round"]) == ("pulling", number)
        host.wait(COUNTDOWN_MS + PULL_MS)
        for viewer in viewers[:2]:
            pull(host, viewer, number, 25)
        host.wait(1_001)
    assert (wrestling_state(viewers[0])["phase"], pull_counts(viewers[0])) == ("over", [25, 25, 0])
    assert "winner" not in wrestling_state(host.open(table))


def test_only_for_ones_own_seat(host):
    table, viewers, _ = create_tied_table(host)
    watcher = host.open(table)
    before = wrestling_state(watcher)
    for viewer in (watcher, viewers[0]):
        assert refusal_key(host, viewer, "wrestle", yes=True, seat=1) == "not_yours"
    assert refusal_key(host, watcher, "wrestle", yes=False) == "not_yours"
    assert wrestling_state(host.open(table)) == wrestling_state(viewers[1]) == before
    agree_to_wrestle(host, viewers)
    assert refusal_key(host, viewers[0], "pull", round=1, count=1) == "too_early"
    host.wait(COUNTDOWN_MS + 2_000)
    assert refusal_key(host, viewers[0], "pull", round=1, count=20, seat=1) == "not_yours"
    assert refusal_key(host, watcher, "pull", round=1, count=20) == "not_yours"
    assert refusal_key(host, viewers[0], "pull", round=2, count=20) == "not_pulling"
    host.wait(4_001)
    assert pull_counts(host.open(table)) == [0, 0, 0]


def test_several_at_one_screen_each_answer_and_pull(host):
    made = host.make("recess", [ME, ME, BOT], options=ONE_TURN, start=True)
    table, token = made["table"]["id"], made["token"]
    viewer = host.open(table, token)
    while not viewer.now.get("result"):
        host.act(viewer)
    bot = {"seat": 2, "level": "random", "pace": 3, "yes": True}
    assert viewer.now["contest"]["pullers"] == [{"seat": 0}, {"seat": 1}, bot]
    host.send(viewer, "wrestle", yes=True, seat=1)
    assert wrestling_state(viewer)["phase"] == "asked"
    host.send(viewer, "wrestle", yes=True, seat=0)
    assert wrestling_state(viewer)["phase"] == "pulling"
    host.wait(COUNTDOWN_MS + PULL_MS)
    pull(host, viewer, 1, 40, seat=0)
    pull(host, viewer, 1, 50, seat=1)
    host.wait(1_001)
    assert wrestling_state(viewer)["winner"] == 1
    [one, two, three] = pull_counts(viewer)
    assert (one, two) == (40, 50)
    assert 13 <= three <= 17


def test_whoever_leaves_or_has_a_bot_sitting_in_is_pulled_for(host):
    table, viewers, tokens = create_tied_table(host)
    host.send(viewers[0], "wrestle", yes=True)
    host.leave(table, tokens[1])
    assert wrestling_state(viewers[0])["pullers"][1] == {"seat": 1, "level": "normal", "pace": 5, "yes": True}
    assert wrestling_state(viewers[0])["phase"] == "asked"
    host.set_seat(table, 2, {"kind": "bot", "level": "random"}, tokens[2])
    found = wrestling_state(viewers[0])
    assert (found["phase"], found["pullers"][2]["level"]) == ("pulling", "random"), "all who are left want to"
    host.wait(COUNTDOWN_MS + PULL_MS)
    assert refusal_key(host, viewers[2], "pull", round=1, count=60) == "not_pulling"
    host.wait(1_001)
    assert wrestling_state(viewers[0])["winner"] == 1


def test_whoever_leaves_in_the_middle_keeps_what_came(host):
    table, viewers, tokens = create_tied_table(host)
    agree_to_wrestle(host, viewers)
    host.wait(COUNTDOWN_MS + 2_000)
    pull(host, viewers[1], 1, 15)
    host.leave(table, tokens[1])
    host.close(viewers[2])
    host.wait(4_001)
    assert (wrestling_state(viewers[0])["winner"], pull_counts(viewers[0])) == (1, [0, 15, 0])


def test_there_is_nothing_to_wrestle_for(host):
    """During a game, and in a game that has no such rule."""
    _, viewers, _ = seat_three_players(host, options=ONE_TURN)
    assert refusal_key(host, viewers[0], "wrestle", yes=True) == "no_tie"
    assert refusal_key(host, viewers[0], "pull", round=1, count=1) == "not_pulling"
    made = host.make("recess", [ME, BOT, BOT])
    assert refusal_key(host, host.open(made["table"]["id"], made["token"]), "wrestle", yes=True) == "not_begun"
    _, others, _ = seat_three_players(host, "sprint")
    while not others[0].now.get("result"):
        for viewer in others:
            host.act(viewer, "stay")
    assert others[0].now["result"]["ranking"] == [[0, 1, 2]]
    assert "contest" not in others[0].now
    assert refusal_key(host, others[0], "wrestle", yes=True) == "no_tie"


def test_a_rematch_begins_without_it(host):
    table, viewers, tokens = create_tied_table(host)
    host.send(viewers[0], "wrestle", yes=False)
    again = host.open(host.rematch(table, tokens[1]), tokens[0])
    assert again.now["contest"] is None
    assert wrestling_state(host.open(table))["phase"] == "declined", "the old table keeps it"
