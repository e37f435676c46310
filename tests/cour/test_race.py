"""Who is asked to be quick at a live table, and who was (C8, C22)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from preau.core import NATURE
from preau.games.cour.rules import CourState
from tests.cour.positions import OPTION_SETS, at, play, steps, texts

LIVE = {"reaction": "live"}


def pointing(options: dict[str, str]) -> CourState:
    """Four seats, and a spider on the table."""
    state = at(4, hands=[{"car": 1}, {}, {"brick": 2}, {}], options=options)
    state.apply(NATURE, "turn spider")
    return state


def race(*targets: int | str) -> CourState:
    """The same, and all have chosen."""
    state = pointing(LIVE)
    play(state, *[(seat, f"point {target}") for seat, target in enumerate(targets)])
    assert state.to_act == (NATURE,)
    return state


def test_C22_all_who_are_still_to_point_race():
    state = pointing(LIVE)
    assert state.racers() == (0, 1, 2, 3)
    state.apply(2, "point none")
    state.apply(0, "point 2")
    assert state.racers() == (1, 3)
    play(state, (1, "point 0"), (3, "point 0"))
    assert state.racers() == ()


@pytest.mark.parametrize("reaction", ["random", "off"])
def test_C8_nobody_races_where_speed_is_not_measured(reaction):
    state = pointing({"reaction": reaction})
    while state.to_act != (NATURE,):
        assert state.racers() == ()
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0])
    assert texts(state.legal(NATURE))[0].startswith("fastest ")
    assert state.fastest({0: 200, 1: 300, 2: 400, 3: 500}, Random(1)) is None


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_C22_those_who_race_are_those_who_may_let_it_pass(options):
    races = 0
    for seats in (2, 5):
        for state, _, _ in steps(seats, 3, options):
            passing = [seat for seat in range(seats) if "point none" in texts(state.legal(seat))]
            assert list(state.racers()) == passing
            races += bool(passing)
    assert (races > 0) == (options.get("reaction") == "live")


def test_C22_the_shortest_delay_is_fastest():
    state = race(2, 0, 0, 0)
    assert state.fastest({0: 900, 1: 450, 2: 451, 3: 1200}, Random(1)) is state.action("fastest 1")


def test_C22_who_was_not_measured_cannot_be_fastest():
    assert str(race(2, 0, 0, 0).fastest({3: 5000}, Random(1))) == "fastest 3"


def test_C22_who_pointed_at_nobody_cannot_be_fastest():
    state = race("none", 0, "none", 0)
    assert str(state.fastest({0: 150, 1: 800, 2: 160, 3: 700}, Random(1))) == "fastest 3"


def test_C22_without_a_measured_pointer_chance_decides():
    assert race(2, 0, 0, 0).fastest({}, Random(1)) is None
    assert race("none", 0, 0, 0).fastest({0: 200}, Random(1)) is None
    nobody = race("none", "none", "none", "none")
    assert nobody.fastest({0: 200, 1: 300}, Random(1)) is None
    assert texts(nobody.legal(NATURE)) == ["fastest none"]


def test_C22_equal_delays_are_drawn_fairly():
    state = race(2, 0, 0, 0)
    rng = Random(11)
    found = Counter(str(state.fastest({0: 300, 1: 300, 2: 301, 3: 300}, rng)) for _ in range(900))
    assert set(found) == {"fastest 0", "fastest 1", "fastest 3"}
    assert all(240 < count < 360 for count in found.values())


def test_C22_no_other_moment_is_a_race():
    delays = {0: 200, 1: 300, 2: 400}
    for state, _, action in steps(3, 5, LIVE):
        found = state.fastest(delays, Random(1))
        if not action.text.startswith("fastest "):
            assert found is None
        elif found is not None:
            assert found in state.legal(NATURE)
            state.copy().apply(NATURE, found)
