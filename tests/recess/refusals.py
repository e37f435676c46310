"""Refusals of Recess!, one of each kind."""

from __future__ import annotations

import pytest

from preau import REFEREE
from preau.core import PreauError
from tests.recess.positions import fight, moving, nun_step, play, position, walls


def refusal_of_each_kind() -> list[PreauError]:
    """Return one refusal of each kind, from hand-made positions."""
    two = [fight("f6", "0b1", "1b1"), fight("g4", "0g1", "2g1")]
    three = [*two, fight("c7", "0b2", "1g2")]
    seen = [fight("c3", "0b1", "1b1")]
    shut_in = [fight("l1", "1b1", "2b1"), *walls(["k1", "k2", "l2"], 5, {"0b1", "1b1", "2b1"})]
    telling = moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=[fight("c7", "1g1", "2b1"), two[1]])
    play(telling, "b1 f6")
    no_room = moving(1, 5, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=shut_in)
    play(no_room, "b1 f6")
    shoving = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"], fights=[fight("d1", "1g1", "2g1")])
    play(shoving, "nun 0 c2")
    chain = nun_step(children={"1b1": "f6", "1b2": "f7"}, nuns=["f2", "l12"])
    play(chain, "nun 0 f6")
    leaver = position(fights=two[:1])
    play(leaver, "leave f6", "b2 a3")
    stayer = position(fights=two[:1])
    play(stayer, "stay f6")
    all_leave = position(fights=three, children={"0g2": "d7"})
    play(all_leave, "leave g4", "leave f6", "leave c7")
    freed = moving(2, children={"0b1": "g7"}, fights=[fight("f6", "1b1", "0b2")])
    play(freed, "b1 f6", "shove e6", "shove g6")
    duty = position(fights=[*seen, fight("d4", "0b2", "1b2")])
    play(duty, "stay c3", "stay d4", "g1 l11")
    attackers = moving(
        1, children={"0g2": "f5", "2g2": "g5"}, fights=three, step={"staying": ["b1", "b2"], "moved": ["g1"]}
    )
    tried = [
        (position(), "timeout"),
        (position(), "skip"),
        (position(), "b1 e5"),
        (position(), "b1 l1"),
        (position(fights=seen), "pass"),
        (moving(2), "pass"),
        (moving(2), "nun 0 b1"),
        (nun_step(), "skip"),
        (nun_step(), "nun 0 c2"),
        (position(fights=two), "stay f6"),
        (position(fights=two), "stay d4"),
        (position(fights=three, detention=["0g2"]), "leave g4"),
        (position(fights=[fight("f6", "1b1", "0b1")]), "b1 f5"),
        (position(detention=["0b1"]), "b1 a1"),
        (stayer, "b1 f5"),
        (freed, "b2 e7"),
        (moving(2, step={"moved": ["b1"]}), "b1 a1"),
        (all_leave, "g2 d10"),
        (all_leave, "skip"),
        (leaver, "b1 f6"),
        (moving(2, 5, children={"0b1": "j1"}, fights=shut_in), "b1 l1"),
        (moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"]), "b1 f6"),
        (moving(1, children={"0b1": "c4", "0g1": "c3"}), "b1 c3"),
        (moving(1, children={"0b1": "c4", "0b2": "c3"}), "b1 c3"),
        (moving(1, children={"0b1": "c4", "1g1": "c3"}), "b1 c3"),
        (attackers, "g2 g5"),
        (duty, "nun 1 k11"),
        (shoving, "shove d1"),
        (shoving, "shove d3"),
        (chain, "shove f7"),
        (telling, "share"),
        (telling, "tattle 1 c7"),
        (telling, "tattle 0 f6"),
        (no_room, "tattle 0 l1"),
    ]
    found = []
    for state, text in tried:
        with pytest.raises(PreauError) as caught:
            state.apply(state.active, text)
        found.append(caught.value)
    with pytest.raises(PreauError) as caught:
        position().apply(REFEREE, "pass")
    return [*found, caught.value]
