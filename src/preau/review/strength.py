"""How hard a review looks, and what it knows of a game's judge (`review` in `evaluate/<game>.json`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..bots.evaluate import judges
from ..core.errors import SetupError

USUAL = "normal"
UNMEASURED = (1.0, 1.0)
"""How far off a search may be of which nobody knows how far off it is: nothing is called a mistake then."""
TO_THE_END = 1_000_000
"""More decisions than any game has."""


class Strength(NamedTuple):
    """A strength by name: see `StrengthSaid`."""

    name: str
    simulations: int
    playouts: int
    draws: int


STRENGTHS = {
    one.name: one
    for one in (
        Strength("quick", 200, 100, 125),
        Strength(USUAL, 800, 400, 500),
        Strength("deep", 3200, 1600, 2000),
    )
}


class Known(NamedTuple):
    """What is known of how a game's judge judges.

    `horizon` says how many decisions are played on before it is asked; `sharpness`, how much sharper its chances must
    be made to come true, from the start of a game to its end; `share`, which part of the simulations of a strength the
    search for a decision gets, where each of them takes long; `errors`, in an open game, how far off a search of each
    strength is, about a position and about the difference between two actions.
    """

    horizon: int = TO_THE_END
    sharpness: Sequence[float] = (1.0,)
    share: float = 1.0
    errors: Mapping[str, tuple[float, float]] = MappingProxyType({})


def find_strength(name: str) -> Strength:
    """The strength of this name."""
    if name not in STRENGTHS:
        raise SetupError(
            f"there is no strength {name!r}", field="strength", hint="There are " + ", ".join(STRENGTHS) + "."
        )
    return STRENGTHS[name]


def known(game: str) -> Known:
    """What is known of a game's judge; nothing, if nobody has measured it."""
    return Known(**judges.data(game).get("review", {}))
