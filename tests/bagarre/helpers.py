"""Things that the tests of La grande bagarre share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from preau.core.state import NATURE
from preau.games.bagarre.game import GAME as GAME
from preau.games.bagarre.rules import BagarreState
from preau.games.bagarre.views import load as read_position

CARD_KINDS = ("lay", "discard", "special", "place")
"""The words of actions that take a card out of the hand."""


def start(seats: int = 2, **options: Any) -> BagarreState:
    return GAME.start(seats, options)


def random_action(state: BagarreState, actor: int, rng: Random):
    return state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))


def random_step(state: BagarreState, rng: Random):
    """One action by somebody who may act; returns who and what."""
    actor = rng.choice(state.to_act)
    return actor, random_action(state, actor, rng)


def random_states(seats: int, seed: int, **options: Any) -> Iterator[BagarreState]:
    """Every position of a random game, in order; the same object, changing."""
    rng = Random(seed)
    state = start(seats, **options)
    yield state
    while not state.over:
        actor, action = random_step(state, rng)
        state.apply(actor, action)
        yield state


def card_set(
    friends: dict[int, int], toys: list[tuple[int, int, bool]] | None = None, specials: dict[str, int] | None = None
) -> dict[str, Any]:
    """The contents of a small card file."""
    toys = toys or []
    specials = specials or {}
    return {
        "format": "preau-bagarre-cards/1",
        "name": "small",
        "provenance": "made up for a test",
        "counts": {"toys": len(toys), "friends": sum(friends.values()), "specials": sum(specials.values())},
        "toys": {
            "sources": {
                "name": "reconstructed",
                "value": "reconstructed",
                "second": "reconstructed",
                "general": "reconstructed",
            },
            "cards": [
                {"fr": f"jouet {number}", "en": f"toy {number}", "value": value, "second": second, "general": general}
                for number, (value, second, general) in enumerate(toys, 1)
            ],
        },
        "friends": {
            "sources": {"number": "sheet", "copies": "reconstructed"},
            "cards": [{"number": number, "copies": copies} for number, copies in friends.items()],
        },
        "specials": {
            "sources": {"id": "reconstructed", "copies": "reconstructed"},
            "cards": [{"id": name, "copies": copies} for name, copies in specials.items()],
        },
    }


def load(players: list[dict[str, Any]], **fields: Any) -> BagarreState:
    """A position written by hand."""
    return read_position({"game": "bagarre", "seats": len(players), "players": players, **fields})


def texts(state: BagarreState, seat: int) -> list[str]:
    return [action.text for action in state.legal(seat)]


def keys(events) -> list[str]:
    return [event.key for event in events]


def deal(state: BagarreState, *cards: str) -> None:
    """Let nature deal these cards to whoever is to draw."""
    for card in cards:
        state.apply(NATURE, f"deal {state.drawer} {card}")


def deal_on(state: BagarreState, seed: int = 0) -> None:
    """Let nature deal at random until somebody else is to act."""
    rng = Random(seed)
    while state.to_act == (NATURE,):
        state.apply(NATURE, state.draw(rng))


def conserved(state: BagarreState) -> bool:
    """B1: every card of the set is somewhere, once."""
    counts = Counter({kind: count for kind, count in enumerate(state.pile) if count})
    counts.update({kind: count for kind, count in enumerate(state.discard) if count})
    for kinds in (*state.hands, *state.front):
        counts.update(kinds)
    counts.update(kind for kind in state.placed if kind >= 0)
    counts.update(kind for _, kind in state.turned)
    return [counts[kind] for kind in range(state.deck.kinds)] == state.deck.counts
