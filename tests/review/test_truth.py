"""What hints claim is so: every claim is looked up in another way than it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import preau
from preau.bots import Budget, explain
from preau.bots.simple import rules_of_thumb
from preau.core import NATURE, Event, State
from preau.review.reasons import told
from tests.review.positions import some

Json = dict[str, Any]
Claim = tuple[State, int, str, Json]
POSITIONS = 120
ACTIONS = 6
"""Actions of one position that are looked at."""
TRIES = 40
"""Positions a probable claim is tried on, drawn anew."""


def claims(game: str) -> Iterator[Claim]:
    """What could be said about actions: the position, the seat, the action and the reason."""
    for number, (state, seat) in enumerate(some(game, POSITIONS)):
        legal = state.legal(seat)
        for action in Random(number).sample(legal, min(ACTIONS, len(legal))):
            sampler = preau.game(game).sampler(state.view(seat))
            for reason in told(preau.game(game), sampler, seat, [(seat, action.text)], seed=number).reasons:
                yield state, seat, action.text, reason.said


def after(state: State, seat: int, action: str) -> tuple[State, list[Event]]:
    copy = state.copy()
    return copy, copy.apply(seat, action)


def check(game: str, rules: Mapping[str, Callable[..., bool]], least: int) -> None:
    """Every claim with one of these keys holds, and so many different keys came up."""
    seen: Counter[str] = Counter()
    for state, seat, action, said in claims(game):
        key = said["key"].removeprefix("because.")
        if key in rules:
            seen[key] += 1
            assert rules[key](state, seat, action, said), (action, said, state.to_json())
    assert len(seen) >= least, seen


# Recess!, looked up in views and results.


def cell_of(action: str) -> str:
    return action.split()[-1]


def reach(view: Json, start: str) -> set[str]:
    """Where one movement leads from a cell or entrance, step by step over the open cells of the yard."""
    names = [f"{column}{row}" for row in range(1, 13) for column in "abcdefghijkl"]
    is_open = {name for name, letter in zip(names, view["yard"], strict=True) if letter == "."}
    found: set[str] = set()
    ends = {start}
    for _ in range(3):
        ends = {step for end in ends for step in (view["exits"].get(end) or around(end)) if step in is_open}
        found |= ends
    return found


def around(cell: str) -> list[str]:
    column, row = "abcdefghijkl".index(cell[0]), int(cell[1:])
    beside = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [f"{'abcdefghijkl'[x]}{y}" for x, y in beside if 0 <= x < 12 and 1 <= y <= 12]


def coin(state, seat, action, said):
    scores = after(state, seat, action)[0].scores()
    return scores[seat] == state.scores()[seat] + 1 and scores[said["owner"]] == state.scores()[said["owner"]] - 1


def no_coin(state, seat, action, said):
    return state.scores()[said["owner"]] == 0


def unseen(state, seat, action, said):
    return cell_of(action) not in state.view(None)["seen"]


def watched(state, seat, action, said):
    return cell_of(action) in after(state, seat, action)[0].view(None)["seen"]


def kiss(state, seat, action, said):
    end = after(state, seat, action)[0]
    return end.over and list(end.result().winners) == said["winners"] and end.scores()[seat] == said["coins"]


def caught(state, seat, action, said):
    return f"{said['bully']}{said['attacker']}" in after(state, seat, action)[0].view(None)["detention"]


def freed(state, seat, action, said):
    victim = f"{said['owner']}{said['victim']}"
    before, now = (
        [fight["victim"] for fight in one.view(None)["fights"]] for one in (state, after(state, seat, action)[0])
    )
    return victim in before and victim not in now


def in_reach(state, seat, action, said):
    view = after(state, seat, action)[0].view(None)
    hunter = view["children"][f"{said['bully']}{said['attacker']}"]
    return cell_of(action) in reach(view, hunter) and cell_of(action) not in view["seen"]


def out_of_reach(state, seat, action, said):
    view = after(state, seat, action)[0].view(None)
    held = {*view["detention"], *(fight["victim"] for fight in view["fights"])}
    others = [cell for child, cell in view["children"].items() if int(child[0]) != seat and child not in held]
    bullies = Counter(int(fight["attacker"][0]) for fight in view["fights"])
    if any(count >= 3 for count in bullies.values()):
        return True  # who attacks three times cannot start a fourth fight: another matter
    return not any(cell_of(action) in reach(view, other) for other in others)


def sees(state, seat, action, said):
    return said["cell"] in after(state, seat, action)[0].view(None)["seen"]


def hidden(state, seat, action, said):
    view = after(state, seat, action)[0].view(None)
    mine = [fight["cell"] for fight in view["fights"] if int(fight["attacker"][0]) == seat]
    return bool(mine) and not set(mine) & set(view["seen"])


def safe(state, seat, action, said):
    return cell_of(action) in state.view(None)["safety"]


def aims(state, seat, action, said):
    view = after(state, seat, action)[0].view(None)
    prey = view["children"][f"{said['owner']}{said['victim']}"]
    return prey in reach(view, cell_of(action)) and prey not in {*view["seen"], *view["safety"]}


def near_kiss(state, seat, action, said):
    view = after(state, seat, action)[0].view(None)
    partner = view["children"][f"{seat}{said['partner']}"]
    return partner in reach(view, cell_of(action)) and partner not in view["seen"]


def prey(state, seat, action, said):
    view = after(state, seat, action)[0].view(seat)
    return view["landings"].get(f"{said['child']} {cell_of(action)}") == "fight"


def guards(state, seat, action, said):
    end = after(state, seat, action)[0].view(None)
    cell = end["children"][f"{seat}{said['child']}"]
    return cell in end["seen"] and cell not in state.view(None)["seen"]


def clears(state, seat, action, said):
    end = after(state, seat, action)[0].view(None)
    victim, child = (end["children"][name] for name in (f"{said['owner']}{said['victim']}", f"{seat}{said['child']}"))
    return victim in state.view(None)["seen"] and victim not in end["seen"] and victim in reach(end, child)


def parts(state, seat, action, said):
    """Whatever movement the other seat had next, none would be a kiss; before, one would have been."""
    return kisses(state, said["owner"]) and not kisses(after(state, seat, action)[0], said["owner"])


def kisses(state: State, owner: int) -> bool:
    data = {name: value for name, value in state.to_json().items() if name not in ("step", "end")}
    turn = data["turn"] - (data["active"] - owner) % state.seats
    data["turn"] = turn if turn > 0 else turn + state.seats
    for movement in (3, 2, 1):
        step = {"phase": "move", "movement": movement}
        world = state.game.load({**data, "active": owner, "step": step})
        if "kiss" in world.view(owner)["landings"].values():
            return True
    return False


def spoils(state, seat, action, said):
    fights = after(state, seat, action)[0].view(None)["fights"]
    return not any(one["cell"] == cell_of(action) for one in fights)


def watched_fight(state, seat, action, said):
    return cell_of(action) in state.view(None)["seen"]


def test_what_is_said_in_recess_is_so():
    rules = {
        "aims": aims,
        "near_kiss": near_kiss,
        "prey": prey,
        "guards": guards,
        "clears": clears,
        "parts": parts,
        "spoils": spoils,
        "escapes": watched_fight,
        "watched_fight": watched_fight,
        "coin": coin,
        "no_coin": no_coin,
        "unseen": unseen,
        "watched": watched,
        "kiss": kiss,
        "caught": caught,
        "freed": freed,
        "in_reach": in_reach,
        "out_of_reach": out_of_reach,
        "sees": sees,
        "sees_mine": sees,
        "hidden": hidden,
        "safe": safe,
    }
    check("recess", rules, 18)


def test_what_can_be_done_later_in_a_turn_of_recess_can_be_done():
    wanted = {"then_pin": "fight", "then_kiss": "kiss", "then_caught": "detention", "then_detained": "detention"}
    seen: Counter[str] = Counter()
    for state, seat in some("recess", POSITIONS):
        thought = explain(state.view(seat), Budget(60))["actions"][0]
        found = told(state.game, state.game.sampler(state.view(seat)), seat, thought["line"])
        for said in (reason.said for reason in found.reasons):
            key = said["key"].removeprefix("because.")
            if key in wanted:
                seen[key] += 1
                world, events = after(state, seat, thought["action"])
                for actor, text in thought["line"][1:]:
                    if actor != seat or any(event.key == "turn" for event in events):
                        break
                    events += world.apply(actor, text)
                params = {name: value for name, value in said.items() if name != "key"}
                assert any(event.key == wanted[key] and params.items() <= event.data.items() for event in events)
    assert len(seen) >= 2, seen


# La grande bagarre.


def marbles(state, seat, action, said):
    return after(state, seat, action)[0].scores()[seat] == said["total"]


def wins(state, seat, action, said):
    end = after(state, seat, action)[0]
    return end.over and end.result().winners == (seat,)


def worth(state, seat, action, said):
    before, now = (one.result().detail["front"][seat] for one in (state, after(state, seat, action)[0]))
    return now - before == said["value"]


def enough(state, seat, action, said):
    end = after(state, seat, action)[0]
    return end.scores()[seat] + end.result().detail["front"][seat] >= state.options["goal"]


def stops(state, seat, action, said):
    return state.scores()[said["owner"]] + state.result().detail["front"][said["owner"]] >= said["goal"]


def spare(state, seat, action, said):
    return state.view(seat)["players"][seat]["hand"].count(cell_of(action)) > 1


def spares(state, seat, action, said):
    return said["kept"] in state.view(seat)["players"][seat]["hand"] and said["kept"] > cell_of(action)


def strongest(state, seat, action, said):
    friends = [card for card in state.view(seat)["players"][seat]["hand"] if card[0] == "F"]
    return cell_of(action) == max(friends)


def weakest(state, seat, action, said):
    friends = [card for card in state.view(seat)["players"][seat]["hand"] if card[0] == "F"]
    return cell_of(action) == min(friends)


def test_what_is_said_for_certain_in_bagarre_is_so():
    rules = {
        "marbles": marbles,
        "wins": wins,
        "worth": worth,
        "enough": enough,
        "stops": stops,
        "spare": spare,
        "spares": spares,
        "strongest": strongest,
        "weakest": weakest,
    }
    check("bagarre", rules, 7)


def often(state: State, seat: int, action: str, happens: Callable[[Event], bool]) -> float:
    """In which part of all positions that the seat must think possible something happens in this turn, if all play by
    rules of thumb.
    """
    sampler = state.game.sampler(state.view(seat))
    found = 0
    for number in range(TRIES):
        rng = Random(1_000 + number)
        world = sampler.draw(rng)
        events = world.apply(seat, action)
        while not world.over and not any(event.key == "turn" for event in events):
            actor = world.to_act[0]
            legal = world.legal(actor)
            thumb = rules_of_thumb(state.game.id)
            chosen = world.draw(rng) if actor == NATURE else thumb(actor, world.view(actor), legal, rng)
            events += world.apply(actor, chosen)
        found += any(happens(event) for event in events)
    return found / TRIES


def test_what_is_called_probable_in_bagarre_happens_more_often_than_not():
    kinds: dict[str, Callable[..., bool]] = {
        "win_toy": lambda seat, event: event.key in ("win_toy", "championne") and event.data["seat"] == seat,
        "keep_toy": lambda seat, event: event.key == "keep_toy" and event.data["seat"] == seat,
        "lose_toy": lambda seat, event: event.key in ("win_toy", "championne") and event.data["owner"] == seat,
        "not_won": lambda seat, event: event.key == "keep_toy" and event.data["seat"] != seat,
    }
    seen: Counter[str] = Counter()
    for state, seat, action, said in claims("bagarre"):
        key = said["key"].removeprefix("because.")
        if key in kinds and seen[key] < 8:
            seen[key] += 1
            assert said["odds"] == "likely"
            assert often(state, seat, action, partial(kinds[key], seat)) > 0.45
    assert len(seen) >= 3, seen


# Dans la cour d'école.


def stars(state, seat, action, said):
    return after(state, seat, action)[0].scores()[seat] - state.scores()[seat] == said["stars"]


def no_stars(state, seat, action, said):
    return after(state, seat, action)[0].scores()[seat] <= state.scores()[seat]


def held(state, seat, action, said):
    return int(state.view(seat)["hands"][seat].get(cell_of(action), 0)) + 1 == said["n"]


def hand_of(state, seat, action, said):
    return bool(state.view(None)["sizes"][said["other"]] == said["n"])


def test_what_is_said_for_certain_in_cour_is_so():
    rules = {
        "stars": stars,
        "no_stars": no_stars,
        "leaves": held,
        "chestnuts": held,
        "most_cards": hand_of,
        "cards": hand_of,
    }
    check("cour", rules, 5)
