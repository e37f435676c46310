"""The two simplest bots: one that plays at random, one that takes what it sees."""

from __future__ import annotations

from importlib import import_module

from ..core.errors import SetupError
from ..core.state import Action
from .base import Bot, Seen


class RandomBot(Bot):
    """Plays any legal action, all alike."""

    wants_view = False
    wants_events = False

    def choose(self, seen: Seen) -> Action:
        """Any of them."""
        return seen.legal[int(seen.rng.random() * len(seen.legal))]


class GreedyBot(Bot):
    """Takes what is best at once, by the few rules of thumb written down in `greedy/<game>.py`."""

    wants_events = False

    def choose(self, seen: Seen) -> Action:
        """The choice of this game's rules of thumb."""
        try:
            thumb = import_module(f".greedy.{seen.game.id}", __package__)
        except ModuleNotFoundError as error:
            raise SetupError(f"there is no greedy bot for {seen.game.id}", field="bot") from error
        assert seen.view is not None
        chosen: Action = thumb.choose(seen.seat, seen.view, seen.legal, seen.rng)
        return chosen
