"""The two simplest bots: one that plays at random, one that takes what it sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random

from ..core.errors import SetupError
from ..core.state import Action, Json
from .base import Bot, Seen
from .packages import brought, load, unusable

GROUP = "preau.greedy"
"""The entry points of packages' rules of thumb, as in `package.module:choose`."""

Choose = Callable[[int, Json, Sequence[Action], Random], Action]


class RandomBot(Bot):
    """Plays any legal action, all alike."""

    wants_view = False
    wants_events = False

    def choose(self, seen: Seen) -> Action:
        """Any of them."""
        return seen.legal[int(seen.rng.random() * len(seen.legal))]


class GreedyBot(Bot):
    """Takes what is best at once, by a few rules of thumb: those in `greedy/<game>.py`, or those of its package."""

    wants_events = False

    def choose(self, seen: Seen) -> Action:
        """The choice of this game's rules of thumb."""
        assert seen.view is not None
        return rules_of_thumb(seen.game.id)(seen.seat, seen.view, seen.legal, seen.rng)


@cache
def rules_of_thumb(game: str) -> Choose:
    """How a game is played by rules of thumb."""
    shipped = f"{__package__}.greedy.{game}"
    if find_spec(shipped) is not None:
        found: Choose = import_module(shipped).choose
        return found
    entry = brought(GROUP, game)
    if entry is None:
        raise SetupError(f"there is no greedy bot for {game}", field="bot", hint="The levels play every game.")
    found = load(entry)
    if not callable(found):
        raise unusable(entry, "it is no function; name one, as in package.module:choose")
    return found


def has_rules_of_thumb(game: str) -> bool:
    """Whether a game can be played so."""
    try:
        rules_of_thumb(game)
    except SetupError:
        return False
    return True
