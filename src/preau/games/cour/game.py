"""Dans la cour d'école as the rest of the product sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...core.errors import SetupError
from ...core.game import Game
from ...core.options import (
    MOST_SETUPS,
    Option,
    Setups,
    data_option,
    first_seat,
    read_options,
    read_seats,
    settle_first,
)
from ...core.state import Action, Json
from . import data
from .actions import Actions
from .position import Setup
from .row import Rows
from .rules import CourState, fresh

if TYPE_CHECKING:
    from .shapes import Options


_FIRST = first_seat("C3")

OPTIONS = (
    _FIRST,
    Option(
        "pile",
        "queue",
        en="Cards put back go under the pile in order (queue), or every draw is from all cards alike (bag).",
        fr="Les cartes remises vont sous le tas dans l'ordre (queue), ou chaque pioche est tirée de tout le tas (bag).",
        rule="C4",
        choices=("queue", "bag"),
    ),
    Option(
        "slap_pick",
        "blind",
        en="Whether the fastest takes a card blind, or sees the hand and chooses.",
        fr="Le plus rapide prend une carte au hasard (blind), ou voit la main et choisit (choose).",
        rule="C8",
        choices=("blind", "choose"),
    ),
    Option(
        "reaction",
        "random",
        en="Who is fastest: drawn by lot, always the seat that drew the card (off), or measured at a live table.",
        fr="Qui est le plus rapide : tiré au sort (random), toujours le siège qui a pioché (off), ou mesuré (live).",
        rule="C8",
        choices=("random", "off", "live"),
    ),
    Option(
        "agent_min",
        1,
        en="How many cards of a toy make it a collection for the secret agent.",
        fr="Combien de cartes d'un jouet font une collection pour l'agent secret.",
        rule="C17",
        low=1,
        high=9,
    ),
    data_option(
        "cards",
        data.SHIPPED,
        data.deck,
        en="The card set to play with.",
        fr="Le jeu de cartes utilisé.",
        rule="C2",
        what="card set",
        file="card file",
    ),
)


_SETUPS: Setups[Setup] = Setups(OPTIONS)
_BY_TEXT: dict[str, Setup] = {}
"""Tables by number of seats and options as text, card sets of one's own included; they never change."""


@lru_cache(maxsize=64)
def _rows(actions: Actions) -> Rows:
    return Rows(actions.deck)


class Cour(Game):
    """Dans la cour d'école"""

    id = "cour"
    titles: Mapping[str, str] = {"en": "Dans la cour d'école", "fr": "Dans la cour d'école"}
    seats: Sequence[int] = (2, 3, 4, 5, 6, 7, 8)
    rules_version = "1"
    turn_rule = "C3"
    secrets = True
    options: Sequence[Option] = OPTIONS
    folder = data.FOLDER

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> CourState:
        """The first position (C3): nature deals the characters next."""
        return fresh(self.setup(4 if seats is None else seats, options, seed))

    def setup(self, seats: object, options: Mapping[str, Any] | None, seed: int | None = None) -> Setup:
        """The fixed part of a game: options read, what is random drawn, the deck built."""
        found = _SETUPS.find(seats, options)
        if found is not None:
            return found
        number = read_seats(seats, self.seats, self.titles["fr"], "C3")
        values = read_options(self.options, options, self.titles["fr"])
        settle_first(values, number, seed, _FIRST)
        key = json.dumps([number, values], sort_keys=True)
        setup = _BY_TEXT.get(key)
        if setup is None:
            if len(_BY_TEXT) >= MOST_SETUPS:
                _BY_TEXT.clear()
            setup = _BY_TEXT[key] = self._build(number, values)
        return _SETUPS.keep(number, values, setup)

    def _build(self, number: int, values: dict[str, Any]) -> Setup:
        actions = data.actions(values["cards"])
        if actions.deck.ordinary_cards < 2 * number + 1:
            raise SetupError(
                f"this card set has {actions.deck.ordinary_cards} cards that are no events",
                field="option cards",
                rule="C7",
                hint=f"The first round of {number} seats needs {2 * number + 1}.",
            )
        options: Options = {
            "first": values["first"],
            "pile": values["pile"],
            "slap_pick": values["slap_pick"],
            "reaction": values["reaction"],
            "agent_min": values["agent_min"],
            "cards": actions.deck.source,
        }
        return Setup(self, number, options, actions, _rows(actions))

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """All actions in their numbering, which depends on the card set alone."""
        values = read_options(self.options, options, self.titles["fr"])
        return data.actions(values["cards"]).all

    def provenance(self) -> list[Json]:
        """Every datum of the sets that ship, with its source."""
        return [row for name in data.SHIPPED for row in data.provenance(name)]


GAME = Cour()
