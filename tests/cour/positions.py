"""Small positions, small decks and random play for the tests of this game."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from preau.core import NATURE, Action, Event
from preau.games.cour import data
from preau.games.cour.game import GAME
from preau.games.cour.rules import CourState

OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"pile": "bag"},
    {"slap_pick": "choose"},
    {"reaction": "off", "first": 1},
    {"reaction": "live", "agent_min": 2},
    {"reaction": "live", "slap_pick": "choose", "pile": "bag"},
]


def at(seats: int = 3, **fields: Any) -> CourState:
    """A position written by hand."""
    state = GAME.load({"seats": seats, **fields})
    assert isinstance(state, CourState)
    return state


def deck(**counts: Any) -> dict[str, Any]:
    """The shipped card set with other numbers of cards: of those named, and none of the others."""
    cards = copy.deepcopy(data.shipped("reconstructed"))
    cards["name"] = "small"
    for toy in cards["toys"]:
        cards["toys"][toy]["count"] = counts.get(toy, 0)
    for name in cards["others"]:
        cards["others"][name] = counts.get(name, 0)
    return cards


def per_card() -> dict[str, Any]:
    """A card set whose bricks and cars each have edges of their own."""
    cards = copy.deepcopy(data.shipped("reconstructed"))
    cards["name"] = "per card"
    edges = ["H", "M", "B", "HM", "HB", "MB", "HMB", ""]
    for toy, count in (("brick", 16), ("car", 5)):
        full = cards["toys"][toy]["full"]
        cards["toys"][toy] = {
            "cards": [{"full": full, "left": edges[n % 8], "right": edges[(3 * n + 1) % 8]} for n in range(count)]
        }
    return cards


def texts(actions: tuple[Action, ...]) -> list[str]:
    return [action.text for action in actions]


def keys(events: list[Event]) -> list[str]:
    return [event.key for event in events]


def seen(events: list[Event], seat: int | None) -> list[Any]:
    return [event.seen_by(seat) for event in events]


def play(state: CourState, *steps: tuple[int, str]) -> list[Event]:
    """Carry out several actions; returns all that happened."""
    happened: list[Event] = []
    for actor, text in steps:
        happened += state.apply(actor, text)
    return happened


def choose(state: CourState, rng: Random) -> tuple[int, Action]:
    """Somebody who is to act, and what they do at random."""
    actor = state.to_act[int(rng.random() * len(state.to_act))]
    if actor == NATURE:
        return actor, state.draw(rng)
    actions = state.legal(actor)
    return actor, actions[int(rng.random() * len(actions))]


def steps(seats: int, seed: int, options: dict[str, Any] | None = None) -> Iterator[tuple[CourState, int, Action]]:
    """A random game, action by action: the position before each, who acts, and the action."""
    rng = Random(seed)
    state = GAME.start(seats, options, seed=seed)
    while not state.over:
        actor, action = choose(state, rng)
        yield state, actor, action
        state.apply(actor, action)


def finished(seats: int, seed: int, options: dict[str, Any] | None = None) -> CourState:
    state = GAME.start(seats, options, seed=seed)
    state.playout(Random(seed))
    return state
