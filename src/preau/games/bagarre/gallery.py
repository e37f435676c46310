"""Every card of the sets that ship, for the rule book (B1 to B4, B23)."""

from __future__ import annotations

from ...core.gallery import Box, Gallery, Thing, sources_of
from . import data
from .deck import Deck

_OURS = {"effect": "reconstructed"}
"""The page of the leaflet with the special moves is missing: what they do is ours (B23)."""


def gallery() -> Gallery:
    """A box for each set of cards."""
    return Gallery(tuple(Box(name, _things(name)) for name in data.SETS), "cards")


def _things(name: str) -> tuple[Thing, ...]:
    deck = data.deck(name)
    sources = sources_of(data.provenance(name), name)
    return tuple(_thing(deck, kind, sources[deck.names[kind]]) for kind in _order(deck))


def _order(deck: Deck) -> list[int]:
    """The toys first: they are what it is all about."""
    toys = list(deck.toys())
    return [*toys, *(kind for kind in range(deck.kinds) if not deck.is_toy(kind))]


def _thing(deck: Deck, kind: int, sources: dict[str, str]) -> Thing:
    name, count = deck.names[kind], deck.counts[kind]
    if deck.is_toy(kind):
        facts = {
            "value": deck.value[kind],
            "second": deck.second[kind],
            "general": "yes" if deck.general[kind] else "no",
        }
        return Thing(name, "toys", count, "B2", f"card.{name}", "about.toy", facts, sources)
    if deck.effect[kind] < 0:
        return Thing(name, "friends", count, "B3", f"card.{name}", "about.friend", {"number": kind + 1}, sources)
    return Thing(name, "specials", count, "B23", f"card.{name}", f"effect.{name}", {}, {**sources, **_OURS})
