"""Every card of the box, for the rule book (C1, C2, C8 to C13, C17)."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.gallery import Box, Gallery, Thing, sources_of
from ...core.state import Json
from . import data
from .deck import CHARACTERS, OTHERS, TOYS

_RULES: Mapping[str, str] = {
    "leaf": "C10",
    "chestnut": "C11",
    "friend": "C12",
    "glue": "C13",
    "spider": "C8",
    "butterfly": "C8",
    "king": "C9",
}
_EVENTS = ("spider", "butterfly", "king")


def gallery() -> Gallery:
    """A box for each card set that ships."""
    boxes = tuple(Box(name, _things(name)) for name in data.SHIPPED)
    return Gallery(boxes, "cards" if len(boxes) > 1 else "")


def _things(name: str) -> tuple[Thing, ...]:
    cards = data.shipped(name)
    sources = sources_of(data.provenance(name), name)
    stars, others = cards["stars"], cards["others"]
    facts = {"king": {"stars": stars["king"]}}
    found = [_toy(toy, cards["toys"][toy], sources[toy]) for toy in TOYS]
    for other in sorted(OTHERS, key=lambda other: other in _EVENTS):
        kind = "events" if other in _EVENTS else "finds"
        found.append(_card(other, kind, others[other], _RULES[other], facts.get(other, {}), sources[other]))
    man = {"stars": stars["chestnut_man"]}
    found.append(_card("chestnut_man", "apart", 1, "C11", man, sources["chestnut_man"]))
    found.append(_card("first_player", "apart", 1, "C3", {}, {}))
    found += [_character(who, cards["characters"][who], sources[who]) for who in CHARACTERS]
    return tuple(found)


def _card(name: str, kind: str, count: int, rule: str, facts: Json, sources: Mapping[str, str]) -> Thing:
    return Thing(name, kind, count, rule, f"card.{name}", f"about.{name}", facts, sources)


def _toy(name: str, card: Json, sources: Mapping[str, str]) -> Thing:
    facts = {"full": card["full"], "left": list(card["left"]), "right": list(card["right"])}
    return Thing(name, "toys", card["count"], "C2", f"card.{name}", "about.toy", facts, sources)


def _character(name: str, card: Json, sources: Mapping[str, str]) -> Thing:
    return Thing(name, "characters", 1, "C17", f"character.{name}", f"about.{name}", dict(card["bonus"]), sources)
