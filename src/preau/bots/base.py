"""What a bot is: something that chooses an action from what one seat knows.

A bot never meets the true position. It is handed a `Seen`, which holds plain data made for its seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from ..core.game import Game
from ..core.state import Action, Json


class Seen:
    """What a bot is given for one decision.

    `view` is the seat's view as JSON data (None for a bot that does not want it), `legal` what it may do, `events` what
    it saw happen since its last decision, `rng` its own source of chance.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        view: Json | None,
        legal: Sequence[Action],
        events: Sequence[Json],
        rng: Random,
    ) -> None:
        self.game = game
        self.seat = seat
        self.view = view
        self.legal = legal
        self.events = events
        self.rng = rng


class Bot(ABC):
    """A player. One bot plays one seat of one game."""

    wants_view = True
    """Whether `Seen.view` is to be filled in; making it costs time."""

    @abstractmethod
    def choose(self, seen: Seen) -> Action:
        """One of `seen.legal`."""
