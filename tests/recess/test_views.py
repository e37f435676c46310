"""What a view says besides the position, and the path of a walk: so that a page need not know the rules."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from preau.core.shapes import faults
from preau.games.recess.rules import RecessState
from preau.games.recess.yard import BOYS_ENTRANCE, CELL_NAMES, CELL_NUMBERS, GIRLS_ENTRANCE
from tests.recess.positions import (
    GAME,
    SAFETY,
    Json,
    fight,
    lively,
    moving,
    nun_step,
    play,
    position,
    random_start,
    start,
)
from tests.recess.refusals import refusal_of_each_kind

PLACES = {**CELL_NUMBERS, "boys": BOYS_ENTRANCE, "girls": GIRLS_ENTRANCE}


def landings(state: RecessState) -> Json:
    return cast(Json, state.view(state.active)["landings"])


def test_safety_cells_and_exits_come_with_the_yard():
    view = start(3).view(None)
    assert view["safety"] == list(SAFETY)
    assert view["exits"] == {"boys": ["a1", "b1", "a2"], "girls": ["l12", "k12", "l11"]}
    assert start(3, {"exits": "corner"}).view(None)["exits"] == {"boys": ["a1"], "girls": ["l12"]}


# ------------------------------------------------------------------ the turn at a glance


def test_the_turn_at_a_glance():
    assert start(3).view(None)["steps"] == ["now", "ahead", "ahead", "ahead"]
    in_detention = position(detention=["0b1", "1b1"])
    assert in_detention.view(None)["steps"] == ["lost", "now", "ahead", "ahead"]


def test_while_one_decides_to_stay_everything_is_ahead():
    state = position(fights=[fight("f6", "0b1", "1b1")])
    assert state.view(1)["steps"] == ["ahead", "ahead", "ahead", "ahead"]
    play(state, "stay f6")
    assert state.view(1)["steps"] == ["lost", "now", "ahead", "ahead"]


def test_movements_are_done_one_after_the_other():
    stayed = moving(1, fights=[fight("f6", "0b2", "1b1")], step={"staying": ["b2"], "moved": ["b1"]})
    assert stayed.view(0)["steps"] == ["lost", "done", "now", "ahead"]
    assert nun_step(step={"moved": ["b1", "b2", "g1"]}).view(0)["steps"] == ["done", "done", "done", "now"]


def test_a_shove_belongs_to_the_movement_or_the_nun_that_led_to_it():
    state = moving(2, children={"0b1": "f4"}, fights=[fight("f6", "1b1", "2b1")], step={"moved": ["g1"]})
    play(state, "b1 f6")
    assert state.prompt(0)["key"] == "prompt.shove"
    assert state.view(0)["steps"] == ["done", "now", "ahead", "ahead"]
    state = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"], step={"moved": ["b1", "b2", "g1"]})
    play(state, "nun 0 c2")
    assert state.prompt(0)["key"] == "prompt.shove"
    assert state.view(0)["steps"] == ["done", "done", "done", "now"]


def test_after_the_end_everything_is_past():
    state = position(turn=30, detention=["2b1"])
    play(state, "pass")
    assert state.over
    assert state.view(None)["steps"] == ["past", "past", "past", "past"]
    assert state.view(None)["losses"] == {}


def test_a_lost_movement_says_what_it_was_lost_to():
    """R11, R12: detention before staying; a movement that nobody made is not done."""
    state = position(fights=[fight("f6", "0b1", "1b1")], detention=["0g1"])
    assert state.view(0)["losses"] == {"3": "detention"}
    play(state, "stay f6")
    view = state.view(1)
    assert (view["steps"], view["losses"]) == (["lost", "lost", "now", "ahead"], {"3": "detention", "2": "stay"})
    skipped = moving(2, step={"moved": []})
    assert (skipped.view(0)["steps"][0], skipped.view(0)["losses"]) == ("lost", {"3": "unused"})
    either = moving(1, step={"moved": ["b1"]})
    assert (either.view(0)["steps"], either.view(0)["losses"]) == (["past", "past", "now", "ahead"], {})


def test_the_first_question_after_a_loss_says_why():
    state = position(detention=["0b1"])
    assert (state.prompt(0)["movement"], state.prompt(0)["cost"], state.prompt(0)["lost"]) == (2, "detention", 1)
    play(state, "b2 c1")
    assert state.prompt(0)["cost"] == "none"
    stayed = position(fights=[fight("f6", "0b1", "1b1")])
    play(stayed, "stay f6")
    assert stayed.prompt(0)["cost"] == "stay"


# ------------------------------------------------------------------ what comes of an action


def test_where_a_child_ends_up():
    """R16 to R21; what stands there says it all, as far as it is legal."""
    children = {"0b1": "f5", "0g1": "f6", "1b1": "g5"}
    state = moving(1, children=children, nuns=["b1", "l12"])
    found = landings(state)
    assert found["b1 f6"] == "kiss"
    assert found["b1 g5"] == "fight"
    assert "b1 f4" in [action.text for action in state.legal(0)]
    assert "b1 f4" not in found
    breaking = moving(1, children={"0b1": "f5"}, fights=[fight("f6", "1b1", "2b1")])
    assert landings(breaking)["b1 f6"] == "break"
    telling = moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=[fight("c7", "1g1", "2b1")])
    assert landings(telling)["b1 f6"] == "tattle"
    play(telling, "b1 f6")
    assert landings(telling) == {}  # a single fight is told on without a question


def test_a_walk_back_to_the_own_cell_leads_to_nothing():
    state = moving(2, children={"0b1": "f5"})
    assert "b1 f5" in [action.text for action in state.legal(0)]
    assert "b1 f5" not in landings(state)


def test_safety_and_a_kiss_there():
    """R17, R33: only where no nun sees."""
    children = {"0b1": "c2", "0g1": "b2"}
    assert landings(moving(1, children=children, nuns=["a1", "l12"]))["b1 b2"] == "safe"
    assert landings(moving(1, children=children, nuns=["l1", "l12"]))["b1 b2"] == "kiss"
    assert landings(moving(1, children={"0b1": "c2", "0b2": "b2"}, nuns=["l1", "l12"]))["b1 b2"] == "safe"


def test_where_a_nun_ends_up():
    """R30, R31."""
    state = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"], fights=[fight("c7", "1g1", "2b1")])
    found = landings(state)
    assert found["nun 0 c2"] == "shove"
    assert found["nun 0 c7"] == "catch"
    assert found["nun 1 k12"] == "safe"
    assert "nun 0 c4" in [action.text for action in state.legal(0)]
    assert "nun 0 c4" not in found


def test_what_a_shove_and_a_tale_lead_to():
    telling = moving(
        1,
        children={"0b1": "f5"},
        nuns=["f6", "l12"],
        fights=[fight("c7", "1g1", "2b1"), fight("g4", "2g1", "1b1")],
    )
    play(telling, "b1 f6")
    assert landings(telling) == {"tattle 0 c7": "tattle", "tattle 0 g4": "tattle"}
    shoving = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"])
    play(shoving, "nun 0 c2")
    assert landings(shoving) == {}
    chain = nun_step(children={"1b1": "l1", "1b2": "k1", "1g1": "k2", "1g2": "l2"}, nuns=["a1", "j1"])
    play(chain, "nun 1 l1")
    assert landings(chain) == {"shove k1": "shove", "shove k2": "shove", "shove l2": "shove"}


def test_only_the_seat_that_is_asked_reads_what_comes_of_an_action():
    state = moving(1, children={"0b1": "f5", "1b1": "g5"}, nuns=["b1", "l12"])
    assert state.view(0)["landings"]
    assert state.view(0)["means"]
    assert nun_step().view(0)["sights"]
    for eyes in (None, 1, 2):
        for fact in ("landings", "means"):
            assert state.view(eyes)[fact] == {}
        assert nun_step().view(eyes)["sights"] == {}


def means(state: RecessState, action: str) -> Json | None:
    """What would come of a legal action, as the seat that is asked reads it."""
    assert action in [one.text for one in state.legal(state.active)]
    return cast(Json | None, state.view(state.active)["means"].get(action))


def test_what_staying_takes_costs_and_risks():
    """R10, R11, R32."""
    state = position(fights=[fight("f6", "0b1", "1b1")])
    told = {"owner": 1, "coins": 1, "movement": 3, "risk": "none"}
    assert means(state, "stay f6") == {"key": "means.stay", **told}
    asked = state.prompt(0)
    assert {name: asked[name] for name in told} == told
    poor = position(fights=[fight("c3", "0b1", "1b1")], detention=["0g1"], coins=[20, 0, 10])
    told = {"owner": 1, "coins": 0, "movement": 2, "risk": "detention"}  # the nun on a1 sees c3
    assert means(poor, "stay c3") == {"key": "means.stay", **told}


def test_what_a_walk_takes_and_a_kiss_leads_to():
    """R18, R33: as it then happens."""
    state = moving(1, children={"0b1": "f5", "0g1": "f6", "1b1": "g5"}, nuns=["b1", "l12"], coins=[3, 20, 7])
    assert means(state, "b1 g5") == {"key": "means.fight", "owner": 1, "coins": 1}
    kiss = means(state, "b1 f6")
    assert kiss == {"key": "means.kiss", "coins": [7, 18, 5], "winners": [1]}
    assert means(state, "b1 f4") is None
    play(state, "b1 f6")
    assert state.coins == kiss["coins"]
    assert list(state.result().winners) == kiss["winners"]


def test_what_a_nun_sees_and_whom_she_catches():
    """R24, R30."""
    fights = [fight("c7", "1g1", "2b1"), fight("g4", "2g1", "1b1")]
    state = nun_step(nuns=["c5", "l12"], fights=fights)
    assert means(state, "nun 0 c7") == {"key": "means.caught", "attacker": "g1", "bully": 1}
    assert means(state, "nun 0 c4") == {"key": "means.sight", "fights": ["g4", "c7"]}
    sight = state.view(0)["sights"]["c4"].split()
    play(state, "nun 0 c4")
    assert set(sight) <= set(state.view(0)["seen"])
    assert {"c4", "c7", "g4"} <= set(sight)
    assert "d3" not in sight  # behind a slide


# ------------------------------------------------------------------ the path of a walk


def path(state: RecessState, action: str) -> list[str]:
    (walk,) = [event for event in play(state, action) if event.key == "walk"]
    return cast(list[str], walk.data["path"])


def test_a_path_goes_round_equipment_and_others():
    assert path(moving(2, children={"0b1": "f5"}), "b1 e4") == ["f4", "e4"]  # a sandbox is on e5
    assert path(moving(2, children={"0b1": "f5"}), "b1 g6") == ["g5", "g6"]
    assert path(moving(2, children={"0b1": "f5", "1b1": "g5"}), "b1 g6") == ["f6", "g6"]
    assert path(moving(3, children={"0b1": "f5"}), "b1 f6") != ["f6", "f5", "f6"]


def test_a_path_out_of_an_entrance_begins_on_an_exit():
    assert path(moving(2, nuns=["f4", "l11"]), "b1 b2") == ["b1", "b2"]
    assert path(moving(2, children={"1b1": "b1"}, nuns=["f4", "l11"]), "b1 b2") == ["a2", "b2"]
    corner = moving(2, options={"exits": "corner"}, nuns=["f4", "l11"])
    assert path(corner, "b1 b1") == ["a1", "b1"]


def ways(state: RecessState, start: str, steps: int) -> list[list[str]]:
    """All walks of so many steps."""
    if steps == 0:
        return [[]]
    near = [CELL_NAMES[cell] for cell in state.yard.walk1[PLACES[start]]]
    return [[cell, *rest] for cell in near for rest in ways(state, cell, steps - 1)]


def met(view: Json, way: list[str]) -> int:
    """How many pieces stand on the way, its end not counted."""
    everybody = [*view["children"].values(), *view["nuns"]]
    return sum(everybody.count(cell) for cell in way[:-1])


@pytest.mark.parametrize("seed", range(12))
def test_a_path_is_a_walk_through_as_few_pieces_as_possible(seed):
    rng = Random(f"paths {seed}")
    state = random_start(rng)
    walked = 0
    while not state.over and walked < 25:
        view = state.view(None)
        events = state.apply(state.active, lively(state, rng))
        if events[0].key != "walk":
            continue
        walked += 1
        data = cast(Json, events[0].data)
        all_ways = [way for way in ways(state, data["from"], data["movement"]) if way[-1] == data["to"]]
        assert data["path"] in all_ways
        assert met(view, data["path"]) == min(met(view, way) for way in all_ways)
    assert walked


# ------------------------------------------------------------------ shapes


def test_every_refusal_has_the_parameters_it_declares():
    """Random play hardly meets them all; these positions do, but for texts that are no action."""
    declared = GAME.part("shapes").REASONS
    found = refusal_of_each_kind()
    assert {error.key for error in found} == set(declared) - {"malformed"}
    for error in found:
        assert faults(error.params, declared[error.key], error.key) == []


def test_every_event_and_prompt_is_declared():
    shapes = GAME.part("shapes")
    texts = GAME.texts("en").messages
    assert {f"event.{key}" for key in shapes.EVENTS} == {key for key in texts if key.startswith("event.")}
    assert set(shapes.PROMPTS) == {key for key in texts if key.startswith(("prompt.", "wait."))}
