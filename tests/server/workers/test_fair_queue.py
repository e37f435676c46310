"""Fair turns: who has used least goes first, urgent ones before all others, and what waits is bounded. The clock is the
test's own.
"""

from __future__ import annotations

import asyncio
import math
from functools import partial

import pytest

from preau.server.workers.fair_queue import SLICE, AdmissionControl, FairQueue, QueueFull, Ticket, WaitingList
from tests.support import PATIENCE


class Seconds:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def never() -> bool:
    return False


def served(line: WaitingList, clock: Seconds, seconds: dict[str, float], most: int) -> list[str]:
    """The makers served one after the other, each of whom uses what its turns take and asks again at once."""
    order = []
    for _ in range(most):
        turn = line.next()
        assert turn is not None
        order.append(turn.maker)
        clock.now += seconds[turn.maker]
        line.done(turn)
        line.wait(turn)
    return order


def test_makers_get_the_same_time_whatever_number_of_tables_they_have():
    clock = Seconds()
    line = WaitingList(clock=clock)
    for table in range(20):
        line.wait(Ticket("greedy", f"table {table}"))
    line.wait(Ticket("modest", "one"))
    order = served(line, clock, {"greedy": 1.0, "modest": 0.25}, 100)
    used = {"greedy": order.count("greedy") * 1.0, "modest": order.count("modest") * 0.25}
    assert used["modest"] == pytest.approx(used["greedy"], abs=1.0)


def test_whoever_comes_waits_for_one_question_at_most():
    clock = Seconds()
    line = WaitingList(clock=clock)
    for table in range(20):
        line.wait(Ticket("many", f"table {table}"))
    served(line, clock, {"many": 1.0}, 50)
    thinking = line.next()
    assert thinking is not None
    stranger = Ticket("stranger", "new")
    line.wait(stranger)
    assert line.next() is None, "there is one place"
    clock.now += 1.0
    line.done(thinking)
    assert line.next() is stranger


def test_nobody_saves_up_by_staying_away():
    clock = Seconds()
    line = WaitingList(clock=clock)
    line.wait(Ticket("here", "table"))
    served(line, clock, {"here": 1.0}, 100)
    line.wait(Ticket("back", "table"))
    order = served(line, clock, {"here": 1.0, "back": 1.0}, 10)
    assert order.count("back") == 5, "a hundred seconds of nothing are forgotten"


def test_tables_of_one_maker_take_turns():
    clock = Seconds()
    line = WaitingList(clock=clock)
    line.wait(Ticket("maker", "slow"))
    line.wait(Ticket("maker", "quick"))
    order = []
    for _ in range(11):
        turn = line.next()
        assert turn is not None
        order.append(turn.table)
        clock.now += 5.0 if turn.table == "slow" else 1.0
        line.done(turn)
        line.wait(turn)
    assert order.count("quick") >= 4 * (order.count("slow") - 1)


def test_urgent_ones_go_first_and_that_is_looked_up_when_somebody_is_chosen():
    clock = Seconds()
    line = WaitingList(clock=clock)
    looking: set[str] = set()
    turns = {name: Ticket(name, "table", urgent=partial(looking.__contains__, name)) for name in "abc"}
    for turn in turns.values():
        line.wait(turn)
    looking.add("c")
    first = line.next()
    assert first is turns["c"]
    looking.add("b")
    line.done(first)
    second = line.next()
    assert second is turns["b"], "somebody came to look while it waited"
    line.done(second)
    assert line.next() is turns["a"]


def test_who_uses_more_than_was_thought_pays_for_it():
    clock = Seconds()
    line = WaitingList(clock=clock)
    for maker, cost in (("liar", 0.1), ("honest", 1.0)):
        line.wait(Ticket(maker, "table", cost=cost))
    order = served(line, clock, {"liar": 1.0, "honest": 1.0}, 20)
    assert order.count("honest") == 10


def test_the_time_before_one_is_told_in_the_order_of_service():
    clock = Seconds()
    line = WaitingList(clock=clock)
    for table in range(20):
        line.wait(Ticket("many", f"table {table}", cost=1.0))
    assert line.next() is not None
    clock.now += 0.25
    stranger, last = Ticket("stranger", "new", cost=1.0), Ticket("many", "last", cost=1.0)
    idle = Ticket("stranger", "unattended", cost=50.0, urgent=never)
    for turn in (idle, stranger, last):
        line.wait(turn)
    assert line.ahead(stranger, math.inf) == 0.75, "the rest of what is being thought"
    assert line.ahead(last, math.inf) == 0.75 + 19 + 1
    assert line.ahead(last, 3.0) < 5.0, "it is not counted to the end"


def test_strangers_without_end_do_not_starve_those_who_are_here():
    clock = Seconds()
    line = WaitingList(clock=clock)
    here = Ticket("here", "table")
    line.wait(here)
    assert line.next() is here
    clock.now += 1.0
    line.wait(Ticket("stranger 0", "table"))
    line.done(here)
    line.wait(here)
    for number in range(1, 200):
        turn = line.next()
        assert turn is not None
        line.wait(Ticket(f"stranger {number}", "table"))
        clock.now += 0.1
        line.done(turn)
        if turn is here:
            break
    assert turn is here


def test_what_is_over_is_forgotten():
    clock = Seconds()
    line = WaitingList(clock=clock)
    alone = Ticket("alone", "table")
    line.wait(alone)
    line.next()
    clock.now += 100.0
    line.done(alone)
    again, stranger = Ticket("alone", "table"), Ticket("stranger", "table")
    line.wait(again)
    line.wait(stranger)
    assert line.next() is again, "there was nobody to take anything from"
    line.done(again)
    assert line.next() is stranger
    line.done(stranger)
    line.wait(Ticket("maker 0", "table"))
    for number in range(1, 1000):
        turn = line.next()
        assert turn is not None
        line.wait(Ticket(f"maker {number}", "table"))
        clock.now += 0.01
        line.done(turn)
    assert len(line._tables) < 10


# Waiting in tasks.


def test_a_queue_has_one_place_and_survives_those_who_leave():
    async def story() -> None:
        queue = FairQueue()
        first, second, third = (Ticket(name, "table") for name in "abc")
        await queue.enter(first)
        waiting = [asyncio.create_task(queue.enter(turn)) for turn in (second, third)]
        await asyncio.sleep(0)
        assert queue.waiting(urgent=True) == 2
        queue.leave(first)  # the place is given to the second, who is gone before it hears so
        waiting[0].cancel()
        await asyncio.wait({waiting[0]})
        await waiting[1]
        assert len(queue) == 1
        queue.leave(third)
        assert len(queue) == 0

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_people_do_not_wait_for_longer_than_is_said():
    """Two seconds are to be thought before, by what is known; one would be waited."""

    async def story() -> None:
        queue = FairQueue()
        holder = Ticket("a", "table", cost=2.0)
        await queue.enter(holder)
        with pytest.raises(QueueFull):
            await queue.enter(Ticket("b", "table"), patience=1.0)
        patient = asyncio.create_task(queue.enter(Ticket("c", "table"), patience=600.0))
        alone = asyncio.create_task(queue.enter(Ticket("d", "table", urgent=never), patience=0.001))
        await asyncio.sleep(0)
        assert (queue.waiting(urgent=True), queue.waiting(urgent=False)) == (1, 1), "nobody waits there"
        for task in (patient, alone):
            task.cancel()
        await asyncio.gather(patient, alone, return_exceptions=True)
        queue.leave(holder)
        assert len(queue) == 0

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_who_has_waited_too_long_by_the_clock_is_let_go():
    """Nothing was known of what goes before, and it takes for ever."""

    async def story() -> None:
        queue = FairQueue()
        await queue.enter(Ticket("a", "table"))
        with pytest.raises(QueueFull):
            await queue.enter(Ticket("b", "table"), patience=0.001)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


# Gates.


def test_a_gate_lets_so_many_in_and_fewer_of_one_maker():
    clock = Seconds()
    called: list[str] = []
    gate = AdmissionControl(3, 2, called.append, clock)
    assert [gate.admit("a", f"a{number}") for number in range(4)] == [True, True, False, False]
    assert gate.admit("b", "b0")
    assert not gate.admit("b", "b1"), "three are in"
    assert gate.waiting == 3
    clock.now += 1.0
    gate.leave("a1")
    assert called == ["b1"], "who has used least"
    gate.leave("b0")
    assert called == ["b1", "a2"]
    assert gate.admit("a", "a2")
    assert gate.waits("a3")


def test_a_gate_without_bounds_lets_everybody_in():
    gate = AdmissionControl(0, 0, never, Seconds())  # type: ignore[arg-type]
    assert all(gate.admit("a", f"a{number}") for number in range(50))


def test_a_table_that_was_in_for_long_lets_others_in():
    clock = Seconds()
    called: list[str] = []
    gate = AdmissionControl(1, 1, called.append, clock)
    assert gate.admit("a", "long")
    assert not gate.admit("b", "other")
    clock.now += SLICE / 2
    assert gate.admit("a", "long")
    clock.now += SLICE
    assert not gate.admit("a", "long")
    assert called == ["other"]
    gate.leave("other")
    assert called == ["other", "long"]
    clock.now += SLICE
    assert gate.admit("a", "long"), "nobody else waits"


def test_who_waits_at_a_gate_may_go_away():
    called: list[str] = []
    gate = AdmissionControl(1, 1, called.append, Seconds())
    gate.admit("a", "in")
    gate.admit("b", "looked at")
    gate.leave("looked at")
    gate.leave("in")
    assert called == []
    assert not gate.waiting
